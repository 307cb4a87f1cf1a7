"""One budget per service, shared by everybody who asks it: a slot is taken when it is due, the urgent first."""

import asyncio
import heapq
import itertools
import math
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple
from urllib.parse import urlsplit

from biofact.core.call import Lane, current
from biofact.core.provenance import Notice
from biofact.core.settings import Setting, Settings, declare
from biofact.transport.ledger import (
    LONGEST_WAIT_SECONDS,
    Ask,
    Ledger,
    LedgerLost,
    MemoryLedger,
    RedisLedger,
    SqliteLedger,
    Turn,
)
from biofact.transport.service import Service
from biofact.transport.timing import Timing

REDIS_URL = declare(
    Setting(
        "BIOFACT_REDIS_URL",
        "Redis through which replicas share cache and budgets; else those of one machine share a folder.",
        is_secret=True,
    )
)

# Rate N allows N requests in any second. We take N in any 1.11 s: 0.1 s may be lost to the network's jitter between
# the first and the last, and 0.01 s to busy machines, and no window ever shows more. It costs a tenth of the rate.
GUARD = 1.11
LOST_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class BudgetStats:
    """How one service's budget stands."""

    per_second: float
    """Requests a second that the service allows, or has told us."""
    next_slot_seconds: float
    kept: str
    """Where: ``redis``, ``sqlite`` or ``memory``."""


class Budgets:
    """The budgets of all services, as one process sees them."""

    def __init__(self, settings: Settings, timing: Timing, folder: Path | None) -> None:
        self._settings = settings
        self._timing = timing
        self._owner = secrets.token_hex(8)
        self._ledgers = _Ledgers(settings, timing, folder)
        self._pumps: dict[str, _Pump] = {}

    async def take(self, service: Service, lane: Lane) -> None:
        """Return when a slot of ``service`` is due and taken: interactive callers first, then in the order asked."""
        await self._pump(service).take(lane)
        notice, said = self._ledgers.unsaid(), current().notices
        if notice is not None and all(other.code != notice.code for other in said):  # the cache has said it already
            said.append(notice)

    def observe(self, service: Service, headers: Mapping[str, str]) -> None:
        """Adapt to what an answer tells of the limit; never beyond the service's own rate.

        Source: X-RateLimit-* as NCBI sends them (limit a second) and Ensembl (limit a period, reset in seconds).
        """
        limit, period, remaining, reset = (_number(headers.get(f"x-ratelimit-{name}")) for name in _TOLD)
        pump = self._pump(service)
        if limit:
            pump.told = max(1.0, limit / (period or 1.0))  # less than that is a long window, which ``remaining`` minds
        if remaining == 0 and reset and reset <= LONGEST_WAIT_SECONDS:
            pump.pause(reset)

    def pause(self, service: Service, seconds: float) -> None:
        """Move the next slot, for all who share the budget: the service asked everybody to wait."""
        self._pump(service).pause(seconds)

    def stats(self, service: Service) -> BudgetStats:
        """How the budget of ``service`` stands. Looks at once, on the calling thread."""
        pump = self._pump(service)
        kept, turn = self._ledgers.peek(pump.ask())
        return BudgetStats(pump.per_second, turn.wait, kept)

    async def aclose(self) -> None:
        """Stop; callers that still wait are cancelled."""
        for pump in self._pumps.values():
            await pump.aclose()
        await self._ledgers.aclose()

    def _pump(self, service: Service) -> "_Pump":
        if service.name not in self._pumps:
            host = urlsplit(self._settings[service.base_url]).netloc.rpartition("@")[2]
            name = f"{service.name}@{host}"  # a mirror, or the sandbox, has a budget of its own
            allowed = service.rate(self._settings)
            self._pumps[service.name] = _Pump(name, self._owner, allowed, self._ledgers, self._timing)
        return self._pumps[service.name]


class _Waiter(NamedTuple):
    is_bulk: bool
    arrival: int
    slot: asyncio.Future[None]


class _Pump:
    """Hands one service's slots to this process's callers. Runs while somebody waits."""

    def __init__(self, name: str, owner: str, allowed: float, ledgers: "_Ledgers", timing: Timing) -> None:
        self.told = math.inf
        self._name = name
        self._owner = owner
        self._allowed = allowed
        self._ledgers = ledgers
        self._timing = timing
        self._queue: list[_Waiter] = []
        self._arrivals = itertools.count()
        self._hold = 0.0
        self._run_task: asyncio.Task[None] | None = None
        self._steps: set[asyncio.Task[Turn]] = set()

    @property
    def per_second(self) -> float:
        """What the service allows, or less if it told us so."""
        return min(self._allowed, self.told)

    def ask(self, lane: Lane | None = None, hold: float = 0.0) -> Ask:
        """What to ask of the ledger now."""
        rate = self.per_second
        gap = GUARD / (rate * self._timing.rate_factor)
        return Ask(self._name, self._owner, gap=gap, most=max(1, int(rate)), lane=lane, hold=hold)

    async def take(self, lane: Lane) -> None:
        """Wait for a slot. Who is cancelled leaves the queue."""
        waiter = _Waiter(lane == "bulk", next(self._arrivals), asyncio.get_running_loop().create_future())
        heapq.heappush(self._queue, waiter)
        if self._run_task is None or self._run_task.done():
            self._run_task = asyncio.create_task(self._run())
            self._run_task.add_done_callback(self._ended)
        elif self._head() is waiter:
            self._step_soon()  # leaves an urgent caller's intent while the pump sleeps
        await waiter.slot

    def pause(self, seconds: float) -> None:
        """Let the next turn, ours or a caller's, move the slot."""
        self._hold = max(self._hold, seconds)
        self._step_soon()

    async def aclose(self) -> None:
        """Stop."""
        running = [task for task in (self._run_task, *self._steps) if task is not None and not task.done()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _run(self) -> None:
        while self._head() is not None:
            turn = await self._step()
            if (head := self._head()) is not None:
                # Having had a slot, we leave the next intent late: other processes' urgent callers come first.
                is_polite = turn.is_taken and not head.is_bulk
                await self._timing.sleep(turn.wait / 2 if is_polite else turn.wait)

    async def _step(self) -> Turn:
        """Ask the ledger once; a slot that is due goes to the first in the queue."""
        head = self._head()
        lane: Lane | None = None if head is None else "bulk" if head.is_bulk else "interactive"
        hold, self._hold = self._hold, 0.0
        turn = await self._ledgers.turn(self.ask(lane, hold))
        if turn.is_taken and self._head() is not None:
            heapq.heappop(self._queue).slot.set_result(None)
        return turn

    def _step_soon(self) -> None:
        step = asyncio.create_task(self._step())
        self._steps.add(step)
        step.add_done_callback(self._steps.discard)

    def _ended(self, run: asyncio.Task[None]) -> None:
        """Let nobody wait for a pump that was stopped, or failed."""
        error = asyncio.CancelledError() if run.cancelled() else run.exception()
        while run is self._run_task and error is not None and self._head() is not None:
            heapq.heappop(self._queue).slot.set_exception(error)

    def _head(self) -> _Waiter | None:
        """The first who still waits."""
        while self._queue and self._queue[0].slot.done():
            heapq.heappop(self._queue)
        return self._queue[0] if self._queue else None


class _Ledgers:
    """Redis if it is set, else this machine's disk, else memory: the first that works. A lost one is tried again."""

    _told: ClassVar[set[str]] = set()
    """What this process has given notice of already."""

    def __init__(self, settings: Settings, timing: Timing, folder: Path | None) -> None:
        self._clock = timing.clock
        self._shared: list[Ledger] = []
        if settings[REDIS_URL]:
            self._shared.append(RedisLedger(settings[REDIS_URL]))
        if folder is not None:
            self._shared.append(SqliteLedger(folder / "budgets.sqlite", timing))
        self._memory = MemoryLedger(timing.wall_clock)
        self._lost_until: dict[str, float] = {}
        self._unsaid: Notice | None = None

    async def turn(self, ask: Ask) -> Turn:
        """What ``ask`` gets of the first ledger that works."""
        for ledger in self._usable():
            with self._losing(ledger):
                return await ledger.turn(ask)
        return await self._memory.turn(ask)

    def peek(self, ask: Ask) -> tuple[str, Turn]:
        """The kind of the first ledger that works, and what ``ask`` would get of it."""
        for ledger in self._usable():
            with self._losing(ledger):
                return ledger.kind, ledger.peek(ask)
        return self._memory.kind, self._memory.peek(ask)

    def unsaid(self) -> Notice | None:
        """What a user should know about the ledgers, once."""
        notice, self._unsaid = self._unsaid, None
        return notice

    async def aclose(self) -> None:
        """Close them all."""
        for ledger in self._shared:
            await ledger.aclose()

    def _usable(self) -> list[Ledger]:
        now = self._clock()
        return [ledger for ledger in self._shared if self._lost_until.get(ledger.kind, now) <= now]

    @contextmanager
    def _losing(self, ledger: Ledger) -> Iterator[None]:
        """Go on with the next ledger when this one is lost."""
        try:
            yield
        except LedgerLost as lost:
            message = f"Rate limits are kept for fewer processes than they should be: {lost}."
            if message not in self._told:
                self._told.add(message)
                self._unsaid = Notice(code="CACHE_IN_MEMORY", message=message)
            self._lost_until[ledger.kind] = self._clock() + LOST_SECONDS


_TOLD = ("limit", "period", "remaining", "reset")


def _number(text: str | None) -> float | None:
    """A header's value; None if it is absent or no number."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < math.inf else None
