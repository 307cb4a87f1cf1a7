"""The cost of a call over HTTP: a gene that is kept already, beside a tool that does nothing, on servers of their own.

``python -m benchmarks.http [--runs 400] [--json FILE]``. One client, one connection to each, calls in turns; the figure
is the median of the ratios of the turns. The empty tool is FastMCP's own, its answer as large as an empty object.
Both servers listen as ``biofact serve --http`` does.
"""

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fastmcp import Client, FastMCP
from fastmcp.client.transports import StreamableHttpTransport

from benchmarks.report import Result, at_most, run
from biofact.gateway.hosting import Hosting
from biofact.interfaces import serve

GENE = {"entrez_id": "NCBIGene:672"}
LISTENING_LINE = re.compile(r"biofact: (http://\S+/mcp)")
WARM_UP = 20

Call = Callable[[], Awaitable[Any]]


def measure(runs: int = 400) -> list[Result]:
    """The ratio, both servers in one run."""
    own_command = (sys.executable, "-m", "biofact", "serve", "--sandbox", "--http", "127.0.0.1:0")
    empty = (sys.executable, "-m", "benchmarks.http", "empty")
    with (
        tempfile.TemporaryDirectory() as folder,
        _server_url(folder, *own_command) as own_url,
        _server_url(folder, *empty) as other,
    ):
        turns = asyncio.run(_in_turns(own_url, other, runs))
    ratio = statistics.median(own_time / empty_time for own_time, empty_time in turns)
    own_median, empty_median = (statistics.median(seconds) * 1000 for seconds in zip(*turns, strict=True))
    note = f"medians of {runs} calls: {own_median:.2f} ms beside {empty_median:.2f} ms"
    return [at_most("a kept gene over HTTP, times an empty tool", ratio, 1.6, "x", note=note)]


@contextmanager
def _server_url(folder: str, *command: str) -> Iterator[str]:
    """The URL of a server, from its stderr."""
    environment = {**os.environ, "BIOFACT_CACHE_DIR": folder}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr is not None
        try:
            yield next(match[1] for line in server.stderr if (match := LISTENING_LINE.search(line)))
        finally:
            server.terminate()


async def _in_turns(own_url: str, empty: str, runs: int) -> list[tuple[float, float]]:
    async with Client(StreamableHttpTransport(own_url)) as own_client, Client(StreamableHttpTransport(empty)) as other:

        async def call_own() -> Any:
            return await own_client.call_tool_mcp("entrez_get_gene", GENE)

        async def call_empty() -> Any:
            return await other.call_tool_mcp("no_work", {})

        first = await call_own()
        for _ in range(WARM_UP):
            await call_own(), await call_empty()
        turns = [(await _seconds(call_own), await _seconds(call_empty)) for _ in range(runs)]
        _check(first, await call_own())
        return turns


def _check(first: Any, last: Any) -> None:
    """Both are the gene; the last was read from the service when the first was, and kept since."""
    symbols = [answer.structured_content["symbol"] for answer in (first, last)]
    read_at = [answer.meta["biofact/provenance"]["retrieved_at"] for answer in (first, last)]
    if symbols != ["BRCA1", "BRCA1"] or read_at[0] != read_at[1]:
        raise ValueError(f"not a gene that was kept: {symbols}, read at {read_at}")


async def _seconds(call: Call) -> float:
    start = time.perf_counter()
    await call()
    return time.perf_counter() - start


def _serve_empty() -> None:
    """A server with one tool that does nothing."""

    def empty() -> FastMCP[Any]:
        server: FastMCP[Any] = FastMCP("empty")

        @server.tool
        async def no_work() -> dict[str, Any]:
            return {}

        return server

    serve.serve_http(Hosting("127.0.0.1:0"), empty)


def main() -> int:
    """Measure, or be the server that is measured beside ours."""
    if sys.argv[1:] == ["empty"]:
        _serve_empty()
        return 0
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
