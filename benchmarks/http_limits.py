"""The behaviour of a server under callers who would use it up, and whether others are served meanwhile.

``python -m benchmarks.http_limits [--json FILE]``: 10,000 connections that say nothing, 5,000 that send half a head,
2,000 that send half a body, 2,000 sessions begun and left, and 600 callers at once. The callers stay as they are while
one of good will makes calls, each on a connection of their own; their median and slowest call are the figures.
As many files as the system allows: with fewer than the callers need, as many callers as it allows.
"""

import asyncio
import contextlib
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import SplitResult, urlsplit

from benchmarks.http_load import request
from benchmarks.report import Result, at_most, run
from biofact.gateway.limits import Limits

LISTENING_LINE = re.compile(r"biofact: (http://\S+/mcp)")
SERVE = (sys.executable, "-m", "biofact", "serve", "--sandbox", "--http", "127.0.0.1:0")
SPARE_FILES = 500
CALLS = 20
GENE: tuple[str, dict[str, object]] = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
HALF_HEAD = b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n"
HALF_BODY = HALF_HEAD + b"content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"
MOST_SECONDS = 3.0
"""For the slowest call of good will beside all that, on a machine that others use, too."""

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


@asynccontextmanager
async def _sessions(url: SplitResult, count: int) -> AsyncIterator[str]:
    """Clients of the older protocols who lend a model."""
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"sampling": {}},
        "clientInfo": {"name": "left", "version": "1"},
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    accepted = "content-type: application/json\r\naccept: application/json, text/event-stream"
    head = f"POST {url.path} HTTP/1.1\r\nhost: {url.netloc}\r\n{accepted}\r\ncontent-length: {len(body)}\r\n\r\n"
    answers = [await _answer(url, head.encode() + body) for _ in range(count)]
    session_count = sum(b"mcp-session-id" in answer.lower() for answer in answers)
    refused_count = sum(not answer.startswith(b"HTTP/1.1 200") for answer in answers)
    stateless = count - session_count - refused_count
    yield f"{session_count} have a session, {stateless} are served without, {refused_count} refused"


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
def _server_process() -> Iterator[tuple[SplitResult, int]]:
    """A server that says on stderr where it listens."""
    with subprocess.Popen(SERVE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            yield (
                urlsplit(next(match[1] for line in server.stderr if (match := LISTENING_LINE.search(line)))),
                server.pid,
            )
        finally:
            server.terminate()


def main() -> int:
    """Measure; the exit status says whether others were served."""
    print(f"limits of a process: {Limits()}", file=sys.stderr)
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
