"""What a server does with callers who would use it up, and whether others are served meanwhile.

``python -m benchmarks.http_limits [--json FILE]``: 10,000 connections that say nothing, 5,000 that send half a head,
2,000 that send half a body, 2,000 sessions begun and left, and 600 callers at once. The callers stay as they are while
one of good will makes calls, each on a connection of their own; their median and slowest call are the figures.
As many files as the system allows: with fewer than the callers need, as many callers as it allows.
"""

import argparse
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
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from benchmarks.http_load import request
from benchmarks.report import Result, write_report
from biofact.gateway.limits import Limits

LISTENING = re.compile(r"biofact: (http://\S+/mcp)")
SERVE = (sys.executable, "-m", "biofact", "serve", "--sandbox", "--http", "127.0.0.1:0")
SPARE_FILES = 500
CALLS = 20
GENE: tuple[str, dict[str, object]] = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
HALF_HEAD = b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n"
HALF_BODY = HALF_HEAD + b"content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"
MOST_SECONDS = 3.0
"""For the slowest call of good will beside all that, on a machine that others use, too."""

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def measured() -> list[Result]:
    """All of it, one after the other, on a server for each."""
    allowed = _raised()
    found = []
    for name, most, hold in (
        ("connections that say nothing", 10_000, _saying(b"")),
        ("halves of heads", 5_000, _saying(HALF_HEAD)),
        ("halves of bodies", 2_000, _saying(HALF_BODY)),
        ("sessions begun and left", 2_000, _sessions),
    ):
        with _listening() as (url, process):
            found += asyncio.run(_beside(name, min(most, allowed), hold, url, process))
    with _listening() as (url, _):
        found += asyncio.run(_flood(url, 600))
    return found


Hold = Callable[[SplitResult, int], contextlib.AbstractAsyncContextManager[str]]


async def _beside(name: str, count: int, hold: Hold, url: SplitResult, process: int) -> list[Result]:
    await _called(url)  # it has imported all that it needs
    async with hold(url, count) as outcome:
        seconds = [await _called(url) for _ in range(CALLS)]
        taken = len(os.listdir(f"/proc/{process}/fd"))  # noqa: PTH208  # of the system's memory, not of a disk
    note = f"{outcome}; median {statistics.median(seconds) * 1000:.0f} ms, the server has {taken} files open"
    return [
        Result(f"slowest call beside {count:,} {name}", max(seconds), MOST_SECONDS, "s", is_at_most=True, note=note)
    ]


def _saying(words: bytes) -> Hold:
    @asynccontextmanager
    async def hold(url: SplitResult, count: int) -> AsyncIterator[str]:
        held = [await _connected(url) for _ in range(count)]
        for _, writer in held:
            with contextlib.suppress(OSError):
                writer.write(words)
        await asyncio.sleep(0)
        yield "they stay open for as long as they may"
        for _, writer in held:
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
    opened = sum(b"mcp-session-id" in answer.lower() for answer in answers)
    refused = sum(not answer.startswith(b"HTTP/1.1 200") for answer in answers)
    yield f"{opened} have a session, {count - opened - refused} are served without, {refused} refused"


async def _flood(url: SplitResult, count: int) -> list[Result]:
    """So many calls at once, each on a connection of its own."""
    await _called(url)
    message = request(url, "new", *GENE)
    answers = await asyncio.gather(*(_answer(url, message) for _ in range(count)))
    served = sum(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    put_off = sum(answer.startswith(b"HTTP/1.1 503") and b"retry-after" in answer.lower() for answer in answers)
    note = f"{served} answered, {put_off} told to come again"
    return [
        Result(
            f"of {count} calls at once: answered, or told when to come again", served + put_off, count, "", note=note
        )
    ]


async def _called(url: SplitResult) -> float:
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
    if found := re.search(rb"content-length: (\d+)", head, re.IGNORECASE):
        head += await reader.readexactly(int(found[1]))
    writer.close()
    return head


def _connected(url: SplitResult) -> Coroutine[Any, Any, Connection]:
    return asyncio.open_connection(url.hostname, url.port)


def _raised() -> int:
    """How many connections this process may have, once it has asked for as many files as it may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most - SPARE_FILES


@contextmanager
def _listening() -> Iterator[tuple[SplitResult, int]]:
    """A server that says on stderr where it listens."""
    with subprocess.Popen(SERVE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            yield urlsplit(next(found[1] for line in server.stderr if (found := LISTENING.search(line)))), server.pid
        finally:
            server.terminate()


def main() -> int:
    """Measure; the exit status says whether others were served."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", type=Path)
    print(f"limits of a process: {Limits()}", file=sys.stderr)
    return write_report(measured(), parser.parse_args().json)


if __name__ == "__main__":
    sys.exit(main())
