"""One budget per service, shared by everybody who asks it: a slot is taken when it is due, the urgent first."""

import asyncio
import hashlib
import itertools
import math
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from biofact.core import events
from biofact.core.call import Call, Lane, current
from biofact.core.events import WaitBegan, WaitEnded
from biofact.core.settings import Settings
from biofact.transport.service import HOUR, Ready, Service, TurnTooLate
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import Ledgers, RedisState, SlotReply, SlotRequest
from biofact.transport.turns.queue import Queue, QueueStats, Waiter

# Rate N allows N requests in any second. We take N in any 1.11 s: 0.1 s may be lost to the network's jitter between
# the first and the last, and 0.01 s to busy machines, and no window ever shows more. It costs a tenth of the rate.
GUARD = 1.11

_LONGEST_NAP_SECONDS = 5.0  # a pause may be lifted by another process
_PAUSE_GAPS = 2.0  # no slot is ever further ahead than one gap, unless the service asked for a pause


@dataclass(frozen=True, slots=True)
class _Pause:
    """What the service asked for, as this process heard it."""

    until: float
    is_rate_limit: bool


class SlotScheduler:
    """Schedules the requests to one service; runs while one is ready for a slot."""

    def __init__(
        self, service: Service, *, name: str, owner: str, allowed: float, ledgers: Ledgers, timing: Timing
    ) -> None:
        self.advertised_per_second = math.inf
        self._service = service
        self._name = name
        self._owner = owner
        self._allowed = allowed
        self._ledgers = ledgers
        self._timing = timing
        self._queue = Queue(service.max_connections, timing.deadline_seconds)
        self._arrivals = itertools.count()
        self._hold = 0.0
        self._due_at = -math.inf
        self._promised: dict[str, list[float]] = {}
        """By subject, when the callers that were sent away will come back."""
        self._pause = _Pause(-math.inf, is_rate_limit=True)
        self._resting: set[Waiter] = set()
        self._run_task: asyncio.Task[None] | None = None
        self._steps: set[asyncio.Task[SlotReply]] = set()

    @property
    def per_second(self) -> float:
        """What the service allows, or less if its answers say so."""
        return min(self._allowed, self.advertised_per_second)

    def queue_stats(self) -> QueueStats:
        """Who waits in this process."""
        return self._queue.stats()

    def slot_request(self, lane: Lane | None = None, hold: float = 0.0, *, is_lifting: bool = False) -> SlotRequest:
        """The request to the ledger as of now."""
        now = self._timing.clock()
        return SlotRequest(
            self._name,
            self._owner,
            self._gap,
            most=self._most,
            lane=lane,
            hold=hold,
            is_lifting=is_lifting,
            demand=self._queue.demand(now),
            claims=tuple(waiter.claim(now) for waiter in self._queue.ready(now)),
        )

    def is_pause(self, due_seconds: float) -> bool:
        """Whether a slot so far ahead means that the service asked for a pause."""
        return due_seconds > _PAUSE_GAPS * self._pace

    @asynccontextmanager
    async def slot(self, call: Call) -> AsyncIterator[Ready]:
        """A connection's worth of this service, for one request. Await what this yields just before it is sent.

        Who is cancelled leaves the queue.

        Raises:
            TurnTooLate: there will be no slot before the deadline of the call, as far as is known now; also while the
                request waits, as soon as that is known.
        """
        if not len(self._queue):
            await self._step(None)  # for a pause that another process was asked for
        waiter = Waiter(call, next(self._arrivals), self._timing.clock())
        self._queue.enter(waiter)
        try:
            self._settle()
            await waiter.connection
            yield partial(self._slot, waiter)
        finally:
            self._queue.leave(waiter)
            self._queue.admit(self._timing.clock())

    async def rest(self, seconds: float, call: Call) -> None:
        """Sleep between two attempts of a request.

        Raises:
            TurnTooLate: meanwhile the service asked for a pause that outlasts the call.
        """
        waiter = Waiter(call, next(self._arrivals), self._timing.clock())
        self._resting.add(waiter)
        nap = asyncio.ensure_future(self._timing.sleep(seconds))
        try:
            await asyncio.wait({nap, waiter.connection}, return_when=asyncio.FIRST_COMPLETED)
            if waiter.connection.done():
                await waiter.connection
        finally:
            nap.cancel()
            self._resting.discard(waiter)

    def pause(self, seconds: float, *, is_rate_limit: bool) -> None:
        """Let the next turn, ours or a caller's, move the slot, for all who share the budget."""
        seconds = min(seconds, self._service.longest_pause_seconds)
        events.WAITS.debug("%s: asked for a pause of %.2f s", self._service.name, seconds)
        self._hold = max(self._hold, seconds)
        until = self._timing.clock() + seconds
        if until > self._pause.until:
            self._pause = _Pause(until, is_rate_limit)
        self._step_soon()

    async def lift(self) -> None:
        """Forget a pause."""
        self._hold = 0.0
        reply = await self._ledgers.take(self.slot_request(is_lifting=True))
        self._adopt(reply)
        self._settle()

    async def aclose(self) -> None:
        """Stop; requests that still wait are cancelled."""
        running = [task for task in (self._run_task, *self._steps) if task is not None and not task.done()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for waiter in self._queue.all():
            waiter.connection.cancel()

    @property
    def _most(self) -> int:
        """Slots in any so many gaps."""
        return max(1, int(self.per_second))

    @property
    def _pace(self) -> float:
        """Seconds between the slots of all: more than a gap while Redis is lost and this replica has a share only."""
        return self._gap * self._ledgers.stretch(SlotRequest(self._name, self._owner, self._gap, self._most))

    @property
    def _gap(self) -> float:
        return GUARD / (self.per_second * self._timing.rate_factor)

    async def _slot(self, waiter: Waiter) -> None:
        waiter.slot = asyncio.get_running_loop().create_future()
        if self._run_task is None or self._run_task.done():
            self._run_task = asyncio.create_task(self._run())
            self._run_task.add_done_callback(self._ended)
        elif self._queue.next_ready(self._timing.clock()) is waiter:
            self._step_soon()  # leaves an urgent caller's intent while the scheduler sleeps
        await waiter.slot

    async def _run(self) -> None:
        while (waiter := self._queue.next_ready(self._timing.clock())) is not None:
            reply = await self._step("bulk" if waiter.is_bulk else "interactive")
            if (waiter := self._queue.next_ready(self._timing.clock())) is not None:
                # Having had a slot, we leave the next intent late: other processes' urgent callers come first.
                is_polite = reply.is_taken and not waiter.is_bulk
                await self._timing.sleep(min(reply.wait / 2 if is_polite else reply.wait, _LONGEST_NAP_SECONDS))
        shares = self._queue.shares
        if shares is not None and shares.has_claims(
            self._owner
        ):  # of requests that were given up: nobody should wait for them
            await self._step(None)

    async def _step(self, lane: Lane | None) -> SlotReply:
        """Ask the ledger once; a slot that is due goes to the first who is ready."""
        hold, self._hold = self._hold, 0.0
        ask = self.slot_request(lane, hold)
        reply = await self._ledgers.take(ask)
        self._adopt(reply)
        if reply.is_taken:
            self._queue.grant(ask.claims[reply.claim].subjects if ask.claims else (), self._timing.clock())
        self._settle()
        return reply

    def _adopt(self, reply: SlotReply) -> None:
        self._due_at = self._timing.clock() + reply.wait
        self._queue.shares = reply.shares
        self._queue.elsewhere = {} if reply.shares is None else reply.shares.elsewhere(self._owner)

    def _step_soon(self) -> None:
        waiter = self._queue.next_ready(self._timing.clock())
        lane: Lane | None = None if waiter is None else "bulk" if waiter.is_bulk else "interactive"
        step = asyncio.create_task(self._step(lane))
        self._steps.add(step)
        step.add_done_callback(self._steps.discard)

    def _settle(self) -> None:
        """Send away those who would wait in vain, and let those who are next make ready."""
        now = self._timing.clock()
        for waiter, seconds in self._queue.too_late(now, max(0.0, self._due_at - now), self._pace):
            self._queue.leave(waiter)
            waiter.end(self._refusal(waiter, now, seconds + self._promised_seconds(now, waiter)))
        self._queue.admit(now)
        for waiter in self._resting:
            if self.is_pause(self._due_at - now) and self._due_at > (waiter.call.deadline or math.inf):
                waiter.end(self._refusal(waiter, now, self._due_at - now))

    def _promised_seconds(self, now: float, waiter: Waiter) -> float:
        """What those will need who come back before the next who is sent away: of its own subject all, of each other
        one as many at most.
        """
        self._promised = {
            who: kept for who, times in self._promised.items() if (kept := [at for at in times if at > now])
        }
        usual = self._queue.usual_requests()
        expected = Counter({subject: len(times) * usual for subject, times in self._promised.items()})
        own = expected.pop(self._queue.payer(waiter), 0.0)
        if own:
            expected.update(self._queue.expected(now))
            del expected[self._queue.payer(waiter)]
        return (own + sum(min(own, count) for count in expected.values())) * self._pace

    def _refusal(self, waiter: Waiter, now: float, seconds: float) -> TurnTooLate:
        """Tells a request that its slot is so many seconds away; and when to come back.

        Who comes back then finds half a deadline's worth of requests before them, and time for those that follow. They
        get different times, for if all came back together, most would be sent away again.
        """
        due_seconds = max(0.0, self._due_at - now)
        is_paused = self.is_pause(due_seconds)
        wait = due_seconds if is_paused else max(0.0, seconds - self._timing.deadline_seconds / 2)
        if not is_paused:
            self._promised.setdefault(self._queue.payer(waiter), []).append(now + wait)
        if is_paused and now < self._pause.until and not self._pause.is_rate_limit:
            return TurnTooLate("asked not to be disturbed for a while", retry_after_seconds=wait)
        had_seconds = (waiter.call.deadline or 0.0) - waiter.entered_at
        if not is_paused and wait <= 0.0 and had_seconds < self._timing.deadline_seconds / 2:
            return TurnTooLate("did not answer in the time of the call", retry_after_seconds=0.0)
        reason = "asked us to slow down" if is_paused else "has more requests waiting than its rate allows"
        return TurnTooLate(reason, retry_after_seconds=wait, is_rate_limit=True)

    def _ended(self, run: asyncio.Task[None]) -> None:
        """Let nobody wait for a scheduler that was stopped, or failed."""
        error = asyncio.CancelledError() if run.cancelled() else run.exception()
        while run is self._run_task and error is not None:
            waiter = self._queue.next_ready(self._timing.clock())
            if waiter is None or waiter.slot is None:
                return
            waiter.slot.set_exception(error)


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
        self.ledgers = Ledgers(settings, timing, folder)
        self._schedulers: dict[str, SlotScheduler] = {}

    @asynccontextmanager
    async def slot(self, service: Service, call: Call) -> AsyncIterator[Ready]:
        """A connection to ``service`` for one request of ``call``; await what this yields just before it is sent, and
        its slot is due and taken. Callers get equal shares; of one caller's, interactive requests go first, then the
        oldest call.

        Raises:
            TurnTooLate: there will be no slot before the deadline of the call.
            WrongSetting: the Redis that keeps the budgets cannot be used as it is set.
        """
        scheduler = self._scheduler(service)
        if refusal := await self.ledgers.refusal(scheduler.slot_request()):
            raise refusal
        wait = _Wait(service.name, call.lane, scheduler, self._timing.clock)
        try:
            async with scheduler.slot(call) as ready:

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
        async with self.slot(service, Call(lane)) as ready:
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

    def stats(self, service: Service) -> BudgetStats:
        """How the budget of ``service`` stands. Looks at once, on the calling thread."""
        scheduler = self._scheduler(service)
        return _stats(scheduler, *self.ledgers.peek(scheduler.slot_request()))

    async def look(self, service: Service) -> BudgetStats:
        """The same for a server, which goes on while Redis is asked."""
        scheduler = self._scheduler(service)
        return _stats(scheduler, *await self.ledgers.look(scheduler.slot_request()))

    def queues(self) -> dict[str, QueueStats]:
        """By name of the service, who waits for those that were asked. Asks no ledger."""
        return {name: scheduler.queue_stats() for name, scheduler in self._schedulers.items()}

    async def place(self) -> str:
        """Where slots are counted now, as in ``BudgetStats.kept``; looks there, without blocking."""
        return await self.ledgers.place()

    def redis_state(self) -> RedisState | None:
        """How the budgets stand with Redis; None where it is not set, or was not asked yet."""
        return self.ledgers.redis_state()

    async def join(self) -> None:
        """Return when Redis was asked once for its part in the budgets, where it is set.

        Raises:
            WrongSetting: it cannot be used as it is set.
        """
        await self.ledgers.join()

    async def aclose(self) -> None:
        """Stop; requests that still wait are cancelled."""
        for scheduler in self._schedulers.values():
            await scheduler.aclose()
        await self.ledgers.aclose()

    def abandon(self) -> None:
        """Let go of files, where no event loop is left to close the rest."""
        self.ledgers.abandon()

    def _add_notice(self) -> None:
        notice, notices = self.ledgers.take_notice(), current().notices
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
                ledgers=self.ledgers,
                timing=self._timing,
            )
        return self._schedulers[service.name]

    def _name(self, service: Service) -> str:
        """Under which the budget is shared: a mirror, the sandbox and a key that a caller brought have their own."""
        name = f"{service.name}@{urlsplit(self._settings[service.base_url]).netloc.rpartition('@')[2]}"
        if service.key is None or service.key.name not in self._own_keys:
            return name
        return f"{name}/{hashlib.blake2b(self._settings[service.key].encode(), digest_size=8).hexdigest()}"


def _stats(scheduler: SlotScheduler, kept: str, reply: SlotReply) -> BudgetStats:
    return BudgetStats(
        scheduler.per_second,
        reply.wait,
        kept,
        is_paused=scheduler.is_pause(reply.wait),
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
            events.WAITS.debug("%s: connected, and its turn, after %.2f s", self._service, seconds)
        events.emit(WaitEnded(self._service, self._lane, seconds, is_turn, self._scheduler.per_second))


_HEADERS = ("limit", "period", "remaining", "reset")


def _number(text: str | None) -> float | None:
    """A header's value; None if it is absent or no number."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < math.inf else None
