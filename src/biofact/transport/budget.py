"""One budget per service, shared by everybody who asks it: a slot is taken when it is due, the urgent first."""

import hashlib
import math
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from biofact.core import events, log
from biofact.core.call import Call, Lane, current
from biofact.core.events import WaitBegan, WaitEnded
from biofact.core.settings import Settings
from biofact.transport.ledger import Turn
from biofact.transport.ledgers import Ledgers
from biofact.transport.quota import Charge
from biofact.transport.replica_state import RedisState
from biofact.transport.scheduler import GUARD, Ready, SlotScheduler
from biofact.transport.service import HOUR, Service
from biofact.transport.timing import Timing
from biofact.transport.turns import QueueStats

__all__ = ["GUARD", "BudgetStats", "Budgets", "QueueStats"]


@dataclass(frozen=True, slots=True)
class BudgetStats:
    """How one service's budget stands."""

    per_second: float
    """Requests a second that the service allows, by its documentation or its answers."""
    next_slot_seconds: float
    kept: str
    """Where: ``redis``, ``sqlite`` or ``memory``."""
    is_paused: bool = False
    """The service asked to be left alone until the next slot."""
    queue: QueueStats = field(default_factory=QueueStats)


class Budgets:
    """The budgets of all services, as one process sees them."""

    def __init__(
        self, settings: Settings, timing: Timing, folder: Path | None, *, own_keys: Collection[str] = ()
    ) -> None:
        """``own_keys`` are names of settings that one caller brought: services that know a caller by such a key have a
        budget for each.
        """
        self._settings = settings
        self._own_keys = own_keys
        self._timing = timing
        self._owner = secrets.token_hex(8)
        self._ledgers = Ledgers(settings, timing, folder)
        self._schedulers: dict[str, SlotScheduler] = {}

    @asynccontextmanager
    async def turn(self, service: Service, call: Call) -> AsyncIterator[Ready]:
        """A connection to ``service`` for one request of ``call``; await what this yields just before it is sent, and
        its slot is due and taken. Callers get equal shares; of one caller's, interactive requests go first, then the
        oldest call.

        Raises:
            TurnTooLate: there will be no slot before the deadline of the call.
            WrongSetting: the Redis that keeps the budgets cannot be used as it is set.
        """
        scheduler = self._scheduler(service)
        if refusal := await self._ledgers.refusal(scheduler.slot_request()):
            raise refusal
        wait = _Wait(service.name, call.lane, scheduler, self._timing.clock)
        try:
            async with scheduler.turn(call) as ready:

                async def ready_then_notify() -> None:
                    await ready()
                    wait.end(is_turn=True)
                    self._add_notice()

                yield ready_then_notify
        finally:
            wait.end(is_turn=False)

    async def rest(self, service: Service, seconds: float, call: Call) -> None:
        """Sleep between two attempts of a request.

        Raises:
            TurnTooLate: meanwhile ``service`` asked for a pause that outlasts the call.
        """
        await self._scheduler(service).rest(seconds, call)

    async def take(self, service: Service, lane: Lane) -> None:
        """Return when a slot of ``service`` is due and taken, for a caller who has a connection of its own."""
        async with self.turn(service, Call(lane)) as ready:
            await ready()

    def observe(self, service: Service, headers: Mapping[str, str]) -> None:
        """Adapt to the limit that an answer's headers state; never beyond the service's own rate.

        Source: X-RateLimit-* as NCBI sends them (limit a second) and Ensembl (limit a period, reset in seconds).
        """
        limit, period, remaining, reset = (_number(headers.get(f"x-ratelimit-{name}")) for name in _HEADERS)
        scheduler = self._scheduler(service)
        if limit:
            scheduler.advertised_per_second = max(
                1.0, limit / (period or 1.0)
            )  # less than that is a long window, which ``remaining`` minds
        if remaining == 0 and reset and reset <= HOUR:
            scheduler.pause(reset, is_rate_limit=True)

    def pause(self, service: Service, seconds: float, *, is_rate_limit: bool = True) -> None:
        """Move the next slot, for all who share the budget: the service asked everybody to wait."""
        self._scheduler(service).pause(seconds, is_rate_limit=is_rate_limit)

    async def lift(self, service: Service) -> None:
        """Forget a pause that the service asked for, for all who share the budget."""
        await self._scheduler(service).lift()

    async def charge(self, charge: Charge) -> float:
        """The seconds until a charge of a caller's quota fits; 0.0 where it is counted. Counts are kept with the slots.

        Raises:
            WrongSetting: the Redis that keeps them cannot be used as it is set.
        """
        return await self._ledgers.charge(charge)

    def stats(self, service: Service) -> BudgetStats:
        """How the budget of ``service`` stands. Looks at once, on the calling thread."""
        scheduler = self._scheduler(service)
        return _stats(scheduler, *self._ledgers.peek(scheduler.slot_request()))

    async def look(self, service: Service) -> BudgetStats:
        """The same for a server, which goes on while Redis is asked."""
        scheduler = self._scheduler(service)
        return _stats(scheduler, *await self._ledgers.look(scheduler.slot_request()))

    def queues(self) -> dict[str, QueueStats]:
        """By name of the service, who waits for those that were asked. Asks no ledger."""
        return {name: scheduler.queue_stats() for name, scheduler in self._schedulers.items()}

    async def place(self) -> str:
        """Where slots are counted now, as in ``BudgetStats.kept``; looks there, without blocking."""
        return await self._ledgers.place()

    def redis_state(self) -> RedisState | None:
        """How the budgets stand with Redis; None where it is not set, or was not asked yet."""
        return self._ledgers.redis_state()

    async def join(self) -> None:
        """Return when Redis was asked once for its part in the budgets, where it is set.

        Raises:
            WrongSetting: it cannot be used as it is set.
        """
        await self._ledgers.join()

    async def aclose(self) -> None:
        """Stop; requests that still wait are cancelled."""
        for scheduler in self._schedulers.values():
            await scheduler.aclose()
        await self._ledgers.aclose()

    def abandon(self) -> None:
        """Let go of files, where no event loop is left to close the rest."""
        self._ledgers.abandon()

    def _add_notice(self) -> None:
        notice, notices = self._ledgers.take_notice(), current().notices
        if notice is not None and all(other.code != notice.code for other in notices):  # the cache has added it already
            notices.append(notice)

    def _scheduler(self, service: Service) -> SlotScheduler:
        if service.name not in self._schedulers:
            allowed = service.rate(self._settings)
            self._schedulers[service.name] = SlotScheduler(
                service,
                name=self._name(service),
                owner=self._owner,
                allowed=allowed,
                ledgers=self._ledgers,
                timing=self._timing,
            )
        return self._schedulers[service.name]

    def _name(self, service: Service) -> str:
        """Under which the budget is shared: a mirror, the sandbox and a key that a caller brought have their own."""
        name = f"{service.name}@{urlsplit(self._settings[service.base_url]).netloc.rpartition('@')[2]}"
        if service.key is None or service.key.name not in self._own_keys:
            return name
        return f"{name}/{hashlib.blake2b(self._settings[service.key].encode(), digest_size=8).hexdigest()}"


def _stats(scheduler: SlotScheduler, kept: str, turn: Turn) -> BudgetStats:
    return BudgetStats(
        scheduler.per_second,
        turn.wait,
        kept,
        is_paused=scheduler.is_pause(turn.wait),
        queue=scheduler.queue_stats(),
    )


class _Wait:
    """One request's wait for its turn, as the log and listeners learn of it."""

    def __init__(self, service: str, lane: Lane, scheduler: SlotScheduler, clock: Callable[[], float]) -> None:
        self._service = service
        self._lane = lane
        self._scheduler = scheduler
        self._clock = clock
        self._began: float | None = clock()
        events.emit(WaitBegan(service, lane))

    def end(self, *, is_turn: bool) -> None:
        """It waits no longer; only the first time counts."""
        if self._began is None:
            return
        seconds = self._clock() - self._began
        self._began = None
        if is_turn:
            log.WAITS.debug("%s: connected, and its turn, after %.2f s", self._service, seconds)
        events.emit(WaitEnded(self._service, self._lane, seconds, is_turn, self._scheduler.per_second))


_HEADERS = ("limit", "period", "remaining", "reset")


def _number(text: str | None) -> float | None:
    """A header's value; None if it is absent or no number."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < math.inf else None
