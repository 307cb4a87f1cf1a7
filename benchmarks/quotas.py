"""The cost of a quota: a gene that is kept already, of a caller who has a quota beside one who has none.

``python -m benchmarks.quotas [--runs 2000] [--json FILE]``. Server and client in one process, so that little else is in
the figures: over HTTP they would be smaller. Calls take turns, now the one first and now the other; the figure is the
median of the ratios of processor time. The time of a charge by itself is by the clock, each after the one before; in
Redis where ``redis-server`` and the package are there.
"""

import asyncio
import importlib.util
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.server.auth import AccessToken
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser

from benchmarks import redis_server
from benchmarks.report import Result, at_most, run
from benchmarks.watch import WARM_UP, gene_seconds
from biofact.core.settings import Settings
from biofact.gateway.counts import Charge
from biofact.gateway.quotas import QuotaCounts
from biofact.interfaces.clients import open_clients
from biofact.interfaces.mcp.server import gateway
from biofact.transport.backends import REDIS_URL
from biofact.transport.quotas import CALLS
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import Ledgers

ANN = AccessToken(token="", client_id="ann", scopes=[])
MOST_CALLS = 1_000_000


def measure(runs: int = 2000) -> list[Result]:
    """The ratio, and each way to count."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place in ("with", "without"):
            (folder / place).mkdir()
        results = [asyncio.run(_kept_gene(folder, runs))]
        results.append(asyncio.run(_charges("memory", 100.0, runs, Settings({}), None)))
        results.append(asyncio.run(_charges("SQLite", 1000.0, runs, Settings({}), folder)))
        if shutil.which("redis-server") and importlib.util.find_spec("redis"):
            with redis_server.server(folder) as redis:
                settings = Settings({REDIS_URL.name: redis.url})
                results.append(asyncio.run(_charges("Redis", 3000.0, runs, settings, folder)))
    return results


async def _kept_gene(folder: Path, runs: int) -> Result:
    async with (
        _client(folder / "with", {CALLS.setting.name: str(MOST_CALLS)}) as limited_client,
        _client(folder / "without", {}) as other,
    ):
        pairs = []
        for number in range(WARM_UP + runs):
            first, second = (limited_client, other) if number % 2 else (other, limited_client)
            seconds = {first: await gene_seconds(first), second: await gene_seconds(second)}
            pairs.append((seconds[limited_client], seconds[other]))
    pairs = pairs[WARM_UP:]
    ratio = statistics.median(charged / free for charged, free in pairs)
    added = statistics.median(charged - free for charged, free in pairs) * 1e6
    free = statistics.median(free for _, free in pairs) * 1e6
    note = f"{added:.0f} us more than {free:.0f} us, medians of {runs} pairs; counted in SQLite"
    return at_most("a kept gene under a quota, times one under none", ratio, 1.2, "x", note=note)


@asynccontextmanager
async def _client(folder: Path, quotas: dict[str, str]) -> AsyncIterator[Client[Any]]:
    """Ann, who calls a gateway on a sandbox of its own."""
    token = auth_context_var.set(AuthenticatedUser(ANN))
    try:
        async with Client(gateway(partial(open_clients, Settings(quotas), sandbox=folder))) as client:
            yield client
    finally:
        auth_context_var.reset(token)


async def _charges(place: str, bar: float, runs: int, settings: Settings, folder: Path | None) -> Result:
    ledgers = Ledgers(settings, timing := Timing(), folder)
    counts = QuotaCounts(lambda: ledgers, timing.wall_clock)
    times = []
    for number in range(WARM_UP + runs):
        start = time.perf_counter()
        wait = await counts.charge(Charge(f"calls/{number % 20}", 1, MOST_CALLS, CALLS.window))
        times.append((time.perf_counter() - start) * 1e6)
        if wait:
            raise ValueError("a charge was refused")
    keeper = (await ledgers.place()).lower()
    await ledgers.aclose()
    if keeper != place.lower():
        raise ValueError(f"counted in {keeper}, not in {place}")
    p99 = statistics.quantiles(times[WARM_UP:], n=100)[-1]
    note = f"p99 {p99:.0f} us, of {runs} for 20 callers"
    return at_most(f"a charge in {place}", statistics.median(times[WARM_UP:]), bar, "us", note=note)


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
