"""Machines that share a Redis and take slots all the time."""

import asyncio
import importlib
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from biofact.core.settings import Setting, Settings
from biofact.transport.backends import REDIS_URL
from biofact.transport.service import Service, SlotTooLate
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets, BudgetStats
from biofact.transport.turns.ledgers import SlotReply, SlotRequest
from tests.extras.needs import redis_server

BINARY = redis_server()
redis = importlib.import_module("redis")

FACTOR = 2.0
FAST = Timing(rate_factor=FACTOR)
URL = Setting("TEST_URL", "Nothing.", default="https://example.org/api")
NCBI = Service("ncbi", "NCBI", URL, per_second=3.0, judge=lambda answer: "good")
MOST_SLOTS = 3
SECOND = 1.0 / FACTOR
"""The service's window, in which it allows three."""
_WALL_SECONDS = time.time() - time.monotonic()
LONGEST_SECONDS = 120.0
"""A busy machine may take long for anything; only what hangs takes so long."""


async def until(claim: Callable[[], bool]) -> bool:
    """Whether a claim holds: as soon as it does, or else at last."""
    end = time.monotonic() + LONGEST_SECONDS
    while not claim() and time.monotonic() < end:  # noqa: ASYNC110  # a claim is no event
        await asyncio.sleep(0.02)
    return claim()


async def until_budget(budgets: Budgets, claim: Callable[[BudgetStats], bool]) -> bool:
    """Whether a claim on the budget of NCBI holds: as soon as it does, or else at last."""
    end = time.monotonic() + LONGEST_SECONDS
    while not (holds := claim(await budgets.stats(NCBI))) and time.monotonic() < end:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    return holds


@contextmanager
def redis_at_ports(count: int, options: Callable[..., Sequence[str]]) -> Iterator[tuple[int, ...]]:
    """Free ports of which a redis-server listens at each; ``options`` of the ports are its options."""
    for _ in range(_TRIES):
        ports = _free_ports(count)
        process = subprocess.Popen([BINARY, "--bind", "127.0.0.1", *options(*ports)], stdout=subprocess.DEVNULL)
        while process.poll() is None and not all(map(_is_open, ports)):
            time.sleep(0.02)
        if process.poll() is None:
            break
    else:
        raise RuntimeError("redis-server does not start")
    try:
        yield ports
    finally:
        process.terminate()
        process.wait()


_TRIES = 5  # another program may take a free port first


def _free_ports(count: int) -> tuple[int, ...]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return tuple(sock.getsockname()[1] for sock in sockets)


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Clock:
    """A machine's clock. It stands still within a step of the event loop: a stop of the test's process there would be a
    program's that is stopped between two lines, and no ledger can see that.
    """

    def __init__(self) -> None:
        self.last = 0.0
        """The last reading, which is a ledger's own when it has just replied."""
        self._is_read = False

    def __call__(self) -> float:
        if not self._is_read:
            self.last, self._is_read = time.monotonic(), True
            asyncio.get_running_loop().call_soon(self._go_on)
        return self.last

    def wall(self) -> float:
        """The time of day, by a clock of the machine's own that is set as Redis's is."""
        return self() + _WALL_SECONDS

    def _go_on(self) -> None:
        self._is_read = False


class Slots:
    """The times at which each machine took slots, by the clock of its ledger: the test itself may be stopped."""

    def __init__(self) -> None:
        self.taken: list[tuple[float, int]] = []

    def __str__(self) -> str:
        return f"{self.excess()} of {len(self.taken)} over, the fourth after {self.shortest():.2f} s at least"

    def excess(self) -> int:
        """The number of slots less than a second (of the service's time) after the third slot before them."""
        return sum(seconds < SECOND for seconds in self._spans(MOST_SLOTS))

    def shortest(self) -> float:
        """The shortest time with more slots than a second allows, in seconds of the service's time."""
        return min(self._spans(MOST_SLOTS), default=9.0) / SECOND

    def is_full_since(self, begin: float) -> bool:
        """Whether some second of the service's had all slots that it allows: with a machine less it never has."""
        return any(seconds < SECOND for seconds in self._spans(MOST_SLOTS - 1, begin))

    def _spans(self, count: int, begin: float = 0.0) -> list[float]:
        """The time from each slot to that many slots later."""
        times = sorted(moment for moment, _ in self.taken if moment >= begin)
        return [end - earlier for earlier, end in zip(times, times[count:], strict=False)]


def machine(url: str, folder: Path, **environment: str) -> Budgets:
    clock = Clock()
    timing = Timing(rate_factor=FACTOR, clock=clock, wall_clock=clock.wall)
    return Budgets(Settings({REDIS_URL.name: url, **environment}), timing, folder)


def note_slots(budgets: Budgets, slots: Slots, number: int) -> None:
    """Note each slot that a machine's ledgers let it take."""
    take, clock = budgets.ledgers.take, budgets._timing.clock

    async def take_and_note(request: SlotRequest) -> SlotReply:
        reply = await take(request)
        if reply.is_taken:
            slots.taken.append((clock.last, number))
        return reply

    budgets.ledgers.take = take_and_note


async def take_slots(budgets: Budgets) -> None:
    """Ask for slots all the time, three at once."""

    async def take_slot() -> None:
        while True:
            try:
                await budgets.take(NCBI, "bulk")
            except SlotTooLate:
                await asyncio.sleep(0.2)

    await asyncio.gather(*(take_slot() for _ in range(3)))


async def observed(machines: list[Budgets], course: Callable[[Slots], Awaitable[Any]]) -> tuple[Slots, Any]:
    """The slots that machines took during an action, and its outcome."""
    slots = Slots()
    for number, budgets in enumerate(machines):
        note_slots(budgets, slots, number)
    tasks = [asyncio.create_task(take_slots(budgets)) for budgets in machines]
    try:
        result = await course(slots)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for budgets in machines:
            await budgets.aclose()
    return slots, result
