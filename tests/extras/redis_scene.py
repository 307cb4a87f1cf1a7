"""Machines that share a Redis and ask for slots all the time."""

import asyncio
import importlib
import itertools
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from biofact.core.settings import Setting, Settings
from biofact.transport.backends import REDIS_URL
from biofact.transport.service import Service
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from tests.extras.needs import redis_server

redis_server()
redis = importlib.import_module("redis")

FACTOR = 2.0
FAST = Timing(rate_factor=FACTOR)
URL = Setting("TEST_URL", "Nothing.", default="https://example.org/api")
NCBI = Service("ncbi", "NCBI", URL, per_second=3.0, judge=lambda answer: "good")
MOST_SLOTS = 3
SECOND = 1.0 / FACTOR
"""The service's window, in which it allows three."""


class Slots:
    """When each machine took slots, by the clock of all."""

    def __init__(self) -> None:
        self.taken: list[tuple[float, int]] = []

    def count_between(self, begin: float, end: float, machine: int | None = None) -> int:
        return sum(begin <= moment < end and machine in {None, owner} for moment, owner in self.taken)

    def used(self, begin: float, end: float) -> float:
        """The part of what the service allows that was used."""
        return self.count_between(begin, end) / ((end - begin) * MOST_SLOTS * FACTOR)

    def __str__(self) -> str:
        return f"{self.excess()} of {len(self.taken)} over, the fourth after {self.shortest():.2f} s at least"

    def excess(self) -> int:
        """How many slots came less than a second of the service's after the third before them."""
        times = sorted(moment for moment, _ in self.taken)
        return sum(end - earlier < SECOND for earlier, end in zip(times, times[MOST_SLOTS:], strict=False))

    def shortest(self) -> float:
        """The shortest time in which there were more slots than a second allows, in seconds of the service's."""
        times = sorted(moment for moment, _ in self.taken)
        return (
            min((end - earlier for earlier, end in zip(times, times[MOST_SLOTS:], strict=False)), default=9.0) / SECOND
        )

    def longest_gap(self) -> float:
        times = sorted(moment for moment, _ in self.taken)
        return max((end - earlier for earlier, end in itertools.pairwise(times)), default=0.0)


def machine(url: str, folder: Path, **environment: str) -> Budgets:
    return Budgets(Settings({REDIS_URL.name: url, **environment}), FAST, folder)


async def take_slots(budgets: Budgets, slots: Slots, number: int) -> None:
    """Ask for slots all the time, three at once."""

    async def take_slot() -> None:
        while True:
            await budgets.take(NCBI, "bulk")
            slots.taken.append((time.monotonic(), number))

    await asyncio.gather(*(take_slot() for _ in range(3)))


async def observed(machines: list[Budgets], course: Callable[[Slots], Awaitable[Any]]) -> tuple[Slots, Any]:
    """The slots that machines took while something happened, and its outcome."""
    slots = Slots()
    tasks = [asyncio.create_task(take_slots(machine, slots, number)) for number, machine in enumerate(machines)]
    try:
        result = await course(slots)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for machine in machines:
            await machine.aclose()
    return slots, result
