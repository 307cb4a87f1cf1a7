"""What a quota costs: a gene that is kept already, of a caller who has a quota beside one who has none.

``python -m benchmarks.quotas [--runs 2000] [--json FILE]``. Server and client in one process, so that little else is in
the figures: over HTTP they would be smaller. Calls take turns, now the one first and now the other; the figure is the
median of the ratios of processor time. What a charge takes by itself is by the clock, each after the one before; in
Redis where ``redis-server`` and the package are there.
"""

import argparse
import asyncio
import importlib.util
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.server.auth import AccessToken
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser

from benchmarks.report import Result, write_report
from biofact.core.settings import Settings
from biofact.interfaces.clients import opened
from biofact.interfaces.mcp.gateway import gateway
from biofact.transport.ledgers import Ledgers
from biofact.transport.quota import Charge
from biofact.transport.quotas import CALLS
from biofact.transport.redis_link import REDIS_URL
from biofact.transport.timing import Timing

CALL = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
ANN = AccessToken(token="", client_id="ann", scopes=[])
WARM_UP = 50
MOST = 1_000_000


def measured(runs: int = 2000) -> list[Result]:
    """The ratio, and each way to count."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place in ("with", "without"):
            (folder / place).mkdir()
        results = [asyncio.run(_kept_gene(folder, runs))]
        results.append(asyncio.run(_charges("memory", 100.0, runs, Settings({}), None)))
        results.append(asyncio.run(_charges("SQLite", 1000.0, runs, Settings({}), folder)))
        with _redis(folder) as url:
            if url:
                results.append(asyncio.run(_charges("Redis", 3000.0, runs, Settings({REDIS_URL.name: url}), folder)))
    return results


async def _kept_gene(folder: Path, runs: int) -> Result:
    async with (
        _client(folder / "with", {CALLS.setting.name: str(MOST)}) as one,
        _client(folder / "without", {}) as other,
    ):
        pairs = []
        for number in range(WARM_UP + runs):
            first, second = (one, other) if number % 2 else (other, one)
            seconds = {first: await _seconds(first), second: await _seconds(second)}
            pairs.append((seconds[one], seconds[other]))
    pairs = pairs[WARM_UP:]
    ratio = statistics.median(held / free for held, free in pairs)
    added = statistics.median(held - free for held, free in pairs) * 1e6
    free = statistics.median(free for _, free in pairs) * 1e6
    note = f"{added:.0f} us more than {free:.0f} us, medians of {runs} pairs; counted in SQLite"
    return Result("a kept gene under a quota, times one under none", ratio, 1.2, "x", is_at_most=True, note=note)


@asynccontextmanager
async def _client(folder: Path, quotas: dict[str, str]) -> AsyncIterator[Client[Any]]:
    """Ann, who calls a gateway on a sandbox of its own."""
    token = auth_context_var.set(AuthenticatedUser(ANN))
    try:
        async with Client(gateway(partial(opened, Settings(quotas), sandbox=folder))) as client:
            yield client
    finally:
        auth_context_var.reset(token)


async def _seconds(client: Client[Any]) -> float:
    start = time.process_time()
    result = await client.call_tool_mcp(*CALL)
    seconds = time.process_time() - start
    if result.is_error:
        raise ValueError(f"no gene: {result.content}")
    return seconds


async def _charges(place: str, bar: float, runs: int, settings: Settings, folder: Path | None) -> Result:
    ledgers = Ledgers(settings, Timing(), folder)
    times = []
    for number in range(WARM_UP + runs):
        start = time.perf_counter()
        wait = await ledgers.charge(Charge(f"calls/{number % 20}", 1, MOST, CALLS.window))
        times.append((time.perf_counter() - start) * 1e6)
        if wait:
            raise ValueError("a charge was refused")
    kept = (await ledgers.place()).lower()
    await ledgers.aclose()
    if kept != place.lower():
        raise ValueError(f"counted in {kept}, not in {place}")
    p99 = statistics.quantiles(times[WARM_UP:], n=100)[-1]
    note = f"p99 {p99:.0f} us, of {runs} for 20 callers"
    return Result(f"a charge in {place}", statistics.median(times[WARM_UP:]), bar, "us", is_at_most=True, note=note)


@contextmanager
def _redis(folder: Path) -> Iterator[str]:
    """The address of a Redis that is there meanwhile; empty where there can be none."""
    binary = shutil.which("redis-server")
    if binary is None or importlib.util.find_spec("redis") is None:
        yield ""
        return
    socket = folder / "socket"
    command = [binary, "--port", "0", "--unixsocket", str(socket), "--save", ""]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            while server.poll() is None and not socket.exists():
                time.sleep(0.01)
            yield f"unix://{socket}"
        finally:
            server.terminate()


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    return write_report(measured(options.runs), options.json)


if __name__ == "__main__":
    sys.exit(main())
