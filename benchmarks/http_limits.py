"""The behaviour of a server under callers who would use it up, and whether others are served meanwhile.

``python -m benchmarks.http_limits [--only WORDS] [--json FILE]``: 10,000 connections that say nothing, 5,000 that send
half a head, 2,000 that send half a body, 2,000 sessions begun and left, 512 and 2,000 streams of one tenant that say
nothing, and 600 callers at once; the largest calls of one tenant, 10 and 50 at once: extractions, scores, names, texts,
lists, columns; and calls of services that drip, flood, or send 60 MiB to a server that may take 1 GiB. The callers stay
as they are while one of good will makes calls, each on a connection of their own; their median and slowest call are the
figures, and the 99th percentile beside another tenant, with that of before. As many files as the system allows: with
fewer than the callers need, as many callers as it allows.
"""

import asyncio
import contextlib
import functools
import itertools
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
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tests.transport.raw_server import CHUNK, CHUNKED, CONTINUE, socket_server

from benchmarks.http_load import request
from benchmarks.memory import MIB, status_bytes
from benchmarks.report import Result, at_most, run
from biofact.gateway.limits import Limits
from biofact.gateway.tokens import StaticToken, TokenList, digest, new_token
from biofact.interfaces.cli import files
from biofact.sandbox import SandboxProcess
from biofact.sources.ensembl.service import ENSEMBL
from biofact.sources.igvf.service import IGVF

LISTENING_LINE = re.compile(r"biofact: (http://\S+/mcp)")
SERVE = (sys.executable, "-m", "biofact", "serve", "--http", "127.0.0.1:0")
SPARE_FILES = 500
CALLS = 20
GENE: tuple[str, dict[str, object]] = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
HALF_HEAD = b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n"
HALF_BODY = HALF_HEAD + b"content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"
MOST_SECONDS = 3.0
"""For the slowest call of good will beside all that, on a machine that others use, too."""
CALLS_BESIDE_TENANT = 300
BROKEN_CALLS = "calls of broken services"
MOST_MILLISECONDS = 50.0
"""For the 99th percentile of a kept gene, and of ``/healthz``, beside another tenant."""
_BEGUN_SECONDS = 3.0

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def measure(only: str = "") -> list[Result]:
    """All of it, one after the other, on a server for each; or that whose name has the words of ``only``."""
    return [result for name, results in _measurements(_raise_limit()) if only in name for result in results()]


def _measurements(allowed: int) -> Iterator[tuple[str, Callable[[], list[Result]]]]:
    for name, wanted_count, hold in (
        ("connections that say nothing", 10_000, _hold_after(b"")),
        ("halves of heads", 5_000, _hold_after(HALF_HEAD)),
        ("halves of bodies", 2_000, _hold_after(HALF_BODY)),
        ("sessions begun and left", 2_000, _sessions),
    ):
        yield name, functools.partial(_beside_idle, name, min(wanted_count, allowed), hold)
    for stream_count in (512, 2_000):
        name, count = f"{stream_count:,} streams", min(stream_count, allowed)
        yield name, functools.partial(_beside_tenant, name, functools.partial(_streams, count=count))
    for name in _hostile_bodies():
        yield name, functools.partial(_beside_tenant, name, functools.partial(_calls, name=name))
    for name, service in _broken_services().items():
        yield name, functools.partial(_beside_broken_service, name, service)
    yield "600 calls at once", functools.partial(_flood, 600)


Hold = Callable[[SplitResult, int], contextlib.AbstractAsyncContextManager[str]]


def _beside_idle(name: str, count: int, hold: Hold) -> list[Result]:
    with _server_process() as (url, process):
        return asyncio.run(_idle_callers(name, count, hold, url, process))


async def _idle_callers(name: str, count: int, hold: Hold, url: SplitResult, process: int) -> list[Result]:
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


def _beside_tenant(
    name: str, load: Load, settings: Mapping[str, str] = MappingProxyType({}), memory: int | None = None
) -> list[Result]:
    """Results of one tenant's calls while another does what it can."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tokens.json"
        quiet_token, hostile_token = new_tokens(file, 2)
        with _server_process({"BIOFACT_TOKENS": str(file), **settings}, memory) as (url, process):
            results = asyncio.run(_tenants(url, name, load, (quiet_token, hostile_token)))
            if memory is not None:
                results.append(_at_most_memory(name, process, memory))
    return results


def _at_most_memory(name: str, process: int, memory: int) -> Result:
    """The peaks of the memory of a server and its workers, which a cgroup would count together."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    peaks = [status_bytes("VmHWM", number) / MIB for number in (str(process), *children)]
    note = " + ".join(f"{peak:.0f}" for peak in peaks)
    return at_most(f"memory of a server and its workers beside {name}", sum(peaks), memory / MIB, "MiB", note=note)


@dataclass(frozen=True, slots=True)
class BrokenService:
    """A service that answers every request with the same pieces, and ``seconds`` before each."""

    pieces: Callable[[], Iterable[bytes]]
    seconds: float = 0.0
    memory: int | None = None
    """The bytes that the server may take; None for all."""


def _broken_services() -> dict[str, BrokenService]:
    """Services that drip, flood, send more than is read, or as much as is: as empty objects it takes most memory."""
    gib = 1 << 30
    return {
        "services that drip": BrokenService(lambda: _endless(CHUNKED, CHUNK), 0.2),
        "services that send chunks": BrokenService(lambda: _endless(CHUNKED, CHUNK * 10_000)),
        "services that send interim answers": BrokenService(lambda: _endless(b"", CONTINUE * 10_000)),
        "answers of 60 MiB of text": BrokenService(lambda: _large(b'["', b"x" * MIB, b'"]'), memory=gib),
        "answers of 15 MiB of objects": BrokenService(lambda: _large(b"[", b"{}," * (MIB // 3), b"1]", 15), memory=gib),
    }


def _endless(head: bytes, piece: bytes) -> Iterator[bytes]:
    return itertools.chain([head], itertools.repeat(piece))


def _large(begin: bytes, piece: bytes, end: bytes, mebibytes: int = 60) -> list[bytes]:
    pieces = [begin, *[piece] * mebibytes, end]
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {sum(map(len, pieces))}\r\n\r\n"
    return [head.encode(), *pieces]


def _beside_broken_service(name: str, service: BrokenService) -> list[Result]:
    """Results while another tenant calls tools of broken services: all but NCBI, whose gene is kept."""
    command = (sys.executable, "-m", "benchmarks.http_limits", "broken", name)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as broken, SandboxProcess() as sandbox:
        assert broken.stdout is not None
        try:
            url = broken.stdout.readline().strip()
            settings = sandbox.environment() | {service.base_url.name: url for service in (ENSEMBL, IGVF)}
            return _beside_tenant(name, functools.partial(_calls, name=BROKEN_CALLS), settings, service.memory)
        finally:
            broken.terminate()


def serve_broken(service: BrokenService) -> None:
    """Answer every request with what the service sends, until a signal comes; the first line is the address."""
    with socket_server(service.pieces, service.seconds) as url:
        print(url, flush=True)
        signal.pause()


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


def _broken_bodies() -> list[bytes]:
    """As many calls as are under way together, of services that are broken, each for another entity."""
    tools = {"igvf_get_entity": ("id", "ENSG{:011}"), "ensembl_get_gene": ("ensembl_id", "ENSG{:011}")}
    return [
        _call_body(tool, {argument: form.format(number)})
        for number in range(1, 22)
        for tool, (argument, form) in tools.items()
    ]


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


def _flood(count: int) -> list[Result]:
    with _server_process() as (url, _):
        return asyncio.run(_calls_at_once(url, count))


async def _calls_at_once(url: SplitResult, count: int) -> list[Result]:
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
def _server_process(
    settings: Mapping[str, str] = MappingProxyType({}), memory: int | None = None
) -> Iterator[tuple[SplitResult, int]]:
    """A server that says on stderr where it listens; on the sandbox, unless the settings lead elsewhere."""
    command = SERVE if IGVF.base_url.name in settings else (*SERVE, "--sandbox")
    limit = () if memory is None else ("prlimit", f"--as={memory}")
    environment = {**os.environ, **settings}
    with subprocess.Popen((*limit, *command), stderr=subprocess.PIPE, text=True, env=environment) as server:
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
            bodies = _broken_bodies() if name == BROKEN_CALLS else _hostile_bodies()[name]
            asyncio.run(call_without_end(urlsplit(url), token, bodies))
            return 0
        case ["broken", name]:
            serve_broken(_broken_services()[name])
            return 0
        case _:
            print(f"limits of a process: {Limits()}", file=sys.stderr)
            return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
