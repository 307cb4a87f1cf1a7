"""Machines in virtual time; several ``Budgets`` on one folder stand for several processes."""

import asyncio
import itertools
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from biofact.core.call import Lane
from biofact.core.settings import Setting, Settings
from biofact.transport.service import Service
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import GUARD, Budgets
from tests import virtual_time
from tests.virtual_time import EPOCH, now

URL = Setting("TEST_URL", "Nothing.", default="https://example.org/api")
NCBI = Service("ncbi", "NCBI", URL, per_second=3.0, judge=lambda answer: "good")
GAP = GUARD / 3.0
TOLERANCE = 2e-3  # a locked ledger is asked again within two milliseconds


class Machine:
    """One wall clock and one folder; every ``process`` on it has budgets of its own."""

    def __init__(self, folder: Path | None):
        self.folder = folder
        self.wall_offset = EPOCH
        self.processes: list[Budgets] = []

    def process(self, **timing: Any) -> Budgets:
        process_timing = Timing(
            clock=now, wall_clock=lambda: self.wall_offset + now(), random=random.Random(1).random, **timing
        )
        self.processes.append(Budgets(Settings({}), process_timing, self.folder))
        return self.processes[-1]

    def run(self, test: Coroutine[Any, Any, None]) -> None:
        async def test_then_close() -> None:
            await test
            for process in self.processes:
                await process.aclose()

        virtual_time.run(test_then_close())


async def times_of(budgets: Budgets, count: int, lane: Lane = "bulk", service: Service = NCBI) -> list[float]:
    """The times at which ``count`` concurrent callers get their slots."""

    async def take_one() -> float:
        await budgets.take(service, lane)
        return now()

    return await asyncio.gather(*(take_one() for _ in range(count)))


def gaps(times: list[float]) -> list[float]:
    return [next_time - earlier for earlier, next_time in itertools.pairwise(sorted(times))]


async def moments() -> None:
    """Let every runnable task run, at the same virtual time."""
    for _ in range(10):
        await asyncio.sleep(0)
