"""The behaviour of a server under callers who would use it up, and whether others are served meanwhile.

``python -m benchmarks.http_limits [--json FILE]``: 10,000 connections that say nothing, 5,000 that send half a head,
2,000 that send half a body, 2,000 sessions begun and left, 512 and 2,000 streams of one tenant that say nothing, and
600 callers at once; and the largest calls of one tenant, 10 and 50 at once: extractions, scores, names, texts, lists,
columns. The callers stay as they are while one of good will makes calls, each on a connection of their own; their
median and slowest call are the figures, and the 99th percentile beside another tenant, with that of before.
As many files as the system allows: with fewer than the callers need, as many callers as it allows.
"""

import asyncio
import contextlib
import functools
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import SplitResult, urlsplit

from benchmarks.http_load import request
from benchmarks.report import Result, at_most, run
from biofact.gateway.limits import Limits
from biofact.gateway.tokens import StaticToken, TokenList, digest, new_token
from biofact.interfaces.cli import files

LISTENING_LINE = re.compile(r"biofact: (http://\S+/mcp)")
SERVE = (sys.executable, "-m", "biofact", "serve", "--sandbox", "--http", "127.0.0.1:0")
SPARE_FILES = 500
CALLS = 20
GENE: tuple[str, dict[str, object]] = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
HALF_HEAD = b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n"
HALF_BODY = HALF_HEAD + b"content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"
MOST_SECONDS = 3.0
"""For the slowest call of good will beside all that, on a machine that others use, too."""
CALLS_BESIDE_TENANT = 300
MOST_MILLISECONDS = 50.0
"""For the 99th percentile of a kept gene, and of ``/healthz``, beside another tenant."""
_BEGUN_SECONDS = 3.0

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def measure() -> list[Result]:
    """All of it, one after the other, on a server for each."""
    allowed = _raise_limit()
    all_results = []
    for name, wanted_count, hold in (
        ("connections that say nothing", 10_000, _hold_after(b"")),
        ("halves of heads", 5_000, _hold_after(HALF_HEAD)),
        ("halves of bodies", 2_000, _hold_after(HALF_BODY)),
        ("sessions begun and left", 2_000, _sessions),
    ):
        with _server_process() as (url, process):
            all_results += asyncio.run(_beside_idle(name, min(wanted_count, allowed), hold, url, process))
    for stream_count in (512, 2_000):
        count = min(stream_count, allowed)
        all_results += _beside_tenant(f"{count:,} streams", functools.partial(_streams, count=count))
    for name in _hostile_bodies():
        all_results += _beside_tenant(name, functools.partial(_calls, name=name))
    with _server_process() as (url, _):
        all_results += asyncio.run(_flood(url, 600))
    return all_results


Hold = Callable[[SplitResult, int], contextlib.AbstractAsyncContextManager[str]]


async def _beside_idle(name: str, count: int, hold: Hold, url: SplitResult, process: int) -> list[Result]:
    await _call_seconds(url)  # it has imported all that it needs
    async with hold(url, count) as outcome:
        seconds = [await _call_seconds(url) for _ in range(CALLS)]
        open_files = len(os.listdir(f"/proc/{process}/fd"))  # noqa: PTH208  # of the system's memory, not of a disk
    note = f"{outcome}; median {statistics.median(seconds) * 1000:.0f} ms, the server has {open_files} files open"
    return [at_most(f"slowest call beside {count:,} {name}", max(seconds), MOST_SECONDS, "s", note=note)]


def _hold_after(words: bytes) -> Hold:
    @asynccontextmanager
    async def hold(url: SplitResult, count: int) -> AsyncIterator[str]:
        connections = [await _connected(url) for _ in range(count)]
        for _, writer in connections:
            with contextlib.suppress(OSError):
                writer.write(words)
        await asyncio.sleep(0)
        yield "they stay open for as long as they may"
        for _, writer in connections:
            writer.close()

    return hold


Load = Callable[[SplitResult, str], contextlib.AbstractAsyncContextManager[Callable[[], str]]]
"""Keeps a tenant busy, by URL and token; the function says what became of it."""


def _beside_tenant(name: str, load: Load) -> list[Result]:
    """Results of one tenant's calls while another does what it can."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tokens.json"
        quiet_token, hostile_token = new_tokens(file, 2)
        with _server_process({"BIOFACT_TOKENS": str(file)}) as (url, _):
            return asyncio.run(_tenants(url, name, load, (quiet_token, hostile_token)))


def new_tokens(file: Path, count: int) -> list[str]:
    """Tokens as ``biofact token add`` would make them, in a file as it would write."""
    texts = [new_token() for _ in range(count)]
    now = datetime.now(UTC)
    tokens = tuple(
        StaticToken(name=f"subject-{number}", sha256=digest(text), scopes=(), created=now)
        for number, text in enumerate(texts)
    )
    files.write(file, TokenList(tokens=tokens).model_dump_json(exclude_none=True).encode(), is_private=True)
    return texts


async def _tenants(url: SplitResult, name: str, load: Load, tokens: tuple[str, str]) -> list[Result]:
    quiet_token, hostile_token = tokens
    before = await _percentiles(url, quiet_token)
    async with load(url, hostile_token) as outcome:
        beside = await _percentiles(url, quiet_token)
        note = outcome()
    return [
        at_most(
            f"99th percentile of {figure} beside {name} of another tenant",
            beside[figure],
            MOST_MILLISECONDS,
            "ms",
            note=f"{before[figure]:.1f} ms without any; {note}",
        )
        for figure in before
    ]


@asynccontextmanager
async def _streams(url: SplitResult, token: str, *, count: int) -> AsyncIterator[Callable[[], str]]:
    """As many standing streams as there can be."""
    streams = [stream for _ in range(count) if (stream := await _opened_stream(url, token))]
    ends = [asyncio.create_task(reader.read()) for reader, _ in streams]
    yield lambda: f"{len(streams)} of {count} opened, {sum(not end.done() for end in ends)} held"
    for _, writer in streams:
        writer.close()
    await asyncio.gather(*ends, return_exceptions=True)


@asynccontextmanager
async def _calls(url: SplitResult, token: str, *, name: str) -> AsyncIterator[Callable[[], str]]:
    """Hostile calls, again and again, from a process of their own: to make them takes a processor."""
    command = (sys.executable, "-m", "benchmarks.http_limits", "calls", url.geturl(), token, name)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as caller:  # noqa: ASYNC220  # nothing else runs
        assert caller.stdout is not None
        caller.stdout.readline()  # the first calls are under way
        try:
            yield lambda: f"their answers: {_end(caller)}"
        finally:
            caller.kill()


def _end(caller: "subprocess.Popen[str]") -> str:
    caller.terminate()
    return caller.communicate()[0].strip()


async def call_without_end(url: SplitResult, token: str, bodies: Sequence[bytes]) -> None:
    """Send each body again and again until a signal comes; the last line says how often each status was the answer."""
    statuses: Counter[str] = Counter()

    async def send(body: bytes) -> None:
        while True:
            try:
                answer = await _answer(url, _posted(url, body, token))
            except (OSError, EOFError):
                statuses["closed"] += 1
            else:
                statuses[answer[9:12].decode()] += 1

    tasks = [asyncio.create_task(send(body)) for body in bodies]
    loop = asyncio.get_running_loop()
    loop.call_later(_BEGUN_SECONDS, functools.partial(print, "under way", flush=True))
    loop.add_signal_handler(signal.SIGTERM, lambda: [task.cancel() for task in tasks])
    await asyncio.gather(*tasks, return_exceptions=True)
    print(", ".join(f"{count} x {status}" for status, count in sorted(statuses.items())) or "none yet", flush=True)


def _hostile_bodies() -> dict[str, list[bytes]]:
    """The largest calls, by what is large of them: 200 abstracts of 18,000 characters, 300,000 names, long texts."""
    sentence = "Of 1,234 randomized patients with type 2 diabetes 61% recovered (p < 0.001, 95% CI 0.5 to 1.1). "
    abstract = (sentence * 200)[:18_000]
    articles = [{"id": f"X:{number}", "title": "A trial", "abstract": abstract} for number in range(200)]
    schema = {"sample_size": "number", "study_type": "string", "p_value": "number", "outcome": "string"}
    extraction = _call_body("pubmed_extract_features", {"extraction_schema": schema, "articles": articles})
    rows = [{"item_id": f"PMID:{number}", "extraction": {"sample_size": number}} for number in range(1, 30_000)]
    scores = {"articles_with_features": rows, "scoring_criteria": {"weights": {"sample_size": 1.0}}}
    tool, _ = GENE
    return {
        "10 extractions": [extraction] * 10,
        "50 extractions": [extraction] * 50,
        "10 calls with 300,000 names": [_call_body(tool, {f"n{number}": 1 for number in range(300_000)})] * 10,
        "10 calls with a text of 4 MB": [_call_body(tool, {"entrez_id": "x" * 4_000_000})] * 10,
        "10 calls with a million lists": [_call_body(tool, {"entrez_id": [[]] * 1_000_000})] * 10,
        "10 scores of 30,000 rows": [_call_body("pubmed_score_articles", scores)] * 10,
        "10 columns of 200 names": [_call_body("resolve", {"names": [f"BRCA{n}" for n in range(200)]})] * 10,
    }


def _call_body(tool: str, arguments: Mapping[str, object]) -> bytes:
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(message, separators=(",", ":")).encode()


def _posted(url: SplitResult, body: bytes, token: str) -> bytes:
    headers = "content-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close"
    head = f"POST {url.path} HTTP/1.1\r\nhost: {url.netloc}\r\n{headers}\r\nauthorization: Bearer {token}"
    return f"{head}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


async def _percentiles(url: SplitResult, token: str) -> dict[str, float]:
    """The 99th percentile in milliseconds of a kept gene and of the state of health."""
    health = f"GET /healthz HTTP/1.1\r\nhost: {url.netloc}\r\nconnection: close\r\n\r\n".encode()
    messages = {"a kept gene": request(url, "new", *GENE, token=token), "/healthz": health}
    await _answer(url, messages["a kept gene"])  # it is kept from now on
    seconds: dict[str, list[float]] = {name: [] for name in messages}
    for _ in range(CALLS_BESIDE_TENANT):
        for name, message in messages.items():
            start = time.perf_counter()
            answer = await _answer(url, message)
            seconds[name].append(time.perf_counter() - start)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise ValueError(f"no answer to {name}: {answer[:200]!r}")
    return {name: statistics.quantiles(values, n=100)[98] * 1000 for name, values in seconds.items()}


async def _opened_stream(url: SplitResult, token: str) -> Connection | None:
    """The standing stream of a new session; None where there is no session, or no stream."""
    handshake = await _answer(url, _handshake(url, token))
    session = re.search(rb"mcp-session-id: (\S+)", handshake, re.IGNORECASE)
    if session is None:
        return None
    reader, writer = await _connected(url)
    headers = f"host: {url.netloc}\r\naccept: text/event-stream\r\nconnection: close\r\nauthorization: Bearer {token}"
    writer.write(f"GET {url.path} HTTP/1.1\r\n{headers}\r\nmcp-session-id: {session[1].decode()}\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 200"):
        return reader, writer
    writer.close()
    return None


@asynccontextmanager
async def _sessions(url: SplitResult, count: int) -> AsyncIterator[str]:
    """Clients of the older protocols who lend a model."""
    handshake = _handshake(url)
    answers = [await _answer(url, handshake) for _ in range(count)]
    session_count = sum(b"mcp-session-id" in answer.lower() for answer in answers)
    refused_count = sum(not answer.startswith(b"HTTP/1.1 200") for answer in answers)
    stateless = count - session_count - refused_count
    yield f"{session_count} have a session, {stateless} are served without, {refused_count} refused"


def _handshake(url: SplitResult, token: str = "") -> bytes:
    """The first message of a client of the older protocols who lends a model."""
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"sampling": {}},
        "clientInfo": {"name": "left", "version": "1"},
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    accepted = "content-type: application/json\r\naccept: application/json, text/event-stream"
    if token:
        accepted += f"\r\nauthorization: Bearer {token}"
    head = f"POST {url.path} HTTP/1.1\r\nhost: {url.netloc}\r\n{accepted}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def _flood(url: SplitResult, count: int) -> list[Result]:
    """Results of ``count`` calls at once, each on a connection of its own."""
    await _call_seconds(url)
    message = request(url, "new", *GENE)
    answers = await asyncio.gather(*(_answer(url, message) for _ in range(count)))
    served_count = sum(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    put_off = sum(answer.startswith(b"HTTP/1.1 503") and b"retry-after" in answer.lower() for answer in answers)
    note = f"{served_count} answered, {put_off} told to come again"
    return [
        Result(
            f"of {count} calls at once: answered, or told when to come again",
            served_count + put_off,
            count,
            "",
            note=note,
        )
    ]


async def _call_seconds(url: SplitResult) -> float:
    """The seconds that a call takes with its connection."""
    start = time.perf_counter()
    answer = await _answer(url, request(url, "new", *GENE))
    if b'"symbol":"BRCA1"' not in answer.replace(b'\\"', b'"'):
        raise ValueError(f"no gene: {answer[:200]!r}")
    return time.perf_counter() - start


async def _answer(url: SplitResult, message: bytes) -> bytes:
    reader, writer = await _connected(url)
    writer.write(message)
    head = await reader.readuntil(b"\r\n\r\n")
    if match := re.search(rb"content-length: (\d+)", head, re.IGNORECASE):
        head += await reader.readexactly(int(match[1]))
    writer.close()
    return head


def _connected(url: SplitResult) -> Coroutine[Any, Any, Connection]:
    return asyncio.open_connection(url.hostname, url.port)


def _raise_limit() -> int:
    """How many connections this process may have, once it has asked for as many files as it may."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
    return hard_limit - SPARE_FILES


@contextmanager
def _server_process(settings: Mapping[str, str] = MappingProxyType({})) -> Iterator[tuple[SplitResult, int]]:
    """A server that says on stderr where it listens."""
    with subprocess.Popen(SERVE, stderr=subprocess.PIPE, text=True, env={**os.environ, **settings}) as server:
        assert server.stderr is not None
        try:
            yield (
                urlsplit(next(match[1] for line in server.stderr if (match := LISTENING_LINE.search(line)))),
                server.pid,
            )
        finally:
            server.terminate()


def main() -> int:
    """Measure, or be the tenant that makes hostile calls."""
    match sys.argv[1:]:
        case ["calls", url, token, name]:
            asyncio.run(call_without_end(urlsplit(url), token, _hostile_bodies()[name]))
            return 0
        case _:
            print(f"limits of a process: {Limits()}", file=sys.stderr)
            return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
