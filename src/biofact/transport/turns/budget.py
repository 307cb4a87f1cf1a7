"""One budget per service, shared by all callers: a slot is taken when it is due, by the most urgent request."""

import asyncio
import hashlib
import itertools
import math
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from biofact.core import events
from biofact.core.call import Call, Lane, current
from biofact.core.events import WaitBegan, WaitEnded
from biofact.core.settings import Settings
from biofact.transport.service import (
    DO_NOT_DISTURB,
    HOUR,
    NO_ANSWER_IN_TIME,
    NOT_ASKED,
    QUEUE_TOO_LONG,
    SLOW_DOWN,
    Ready,
    Service,
    SlotTooLate,
    Transient,
    failure_error,
)
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import Ledgers, Obstacle, SlotReply, SlotRequest
from biofact.transport.turns.queue import PendingRequest, Queue
from biofact.transport.waiters import Waiter

Callers = Callable[[], Iterable[Waiter]]

# Rate N allows N requests in any second. We take N in any 1.11 s: 0.1 s may be lost to the network's jitter between
# the first and the last, and 0.01 s to busy machines, and no window ever shows more. It costs a tenth of the rate.
GUARD = 1.11

_LONGEST_NAP_SECONDS = 5.0  # a pause may be lifted by another process
_LOOK_SECONDS = 1.0  # within which a request hears of another process's pause
_PAUSE_GAPS = 2.0  # no slot is ever further ahead than one gap, unless the service asked for a pause


@dataclass(frozen=True, slots=True)
class _Pause:
    """A pause that the service asked this process for."""

    until: float
    is_rate_limit: bool


class SlotScheduler:
    """Schedules the requests to one service; runs while one is ready for a slot."""

    def __init__(
        self, service: Service, *, name: str, owner: str, settings: Settings, ledgers: Ledgers, timing: Timing
    ) -> None:
        self.advertised_per_second = math.inf
        self._service = service
        self._name = name
        self._owner = owner
        self._settings = settings
        self._allowed = service.rate(settings)
        self._ledgers = ledgers
        self._timing = timing
        self._queue = Queue(service.max_connections, timing.deadline_seconds)
        self._arrivals = itertools.count()
        self._hold = 0.0
        self._due_at = -math.inf
        self._obstacle: Obstacle | None = None
        """Why the ledger gave no slot when it last replied, if neither the rate nor a pause was the reason."""
        self._return_times: dict[str, list[float]] = {}
        """By subject, the times at which refused callers will come back."""
        self._pause = _Pause(-math.inf, is_rate_limit=True)
        self._pause_count = 0
        self._waiters: dict[PendingRequest, None] = {}
        """In the order of their arrival: those in the queue, those that connect or are sent, and those that rest."""
        self._next_look: asyncio.TimerHandle | None = None
        self._stepped_at = -math.inf
        self._run_task: asyncio.Task[None] | None = None
        self._steps: set[asyncio.Task[SlotReply]] = set()

    @property
    def per_second(self) -> float:
        """The rate that the service allows, or a lower one that its answers state."""
        return min(self._allowed, self.advertised_per_second)

    def slot_request(self, lane: Lane | None = None, hold: float = 0.0, *, is_lifting: bool = False) -> SlotRequest:
        """The present request to the ledger."""
        now = self._timing.clock()
        return SlotRequest(
            self._name,
            self._owner,
            self._gap,
            limit=self._slots_in_window,
            lane=lane,
            hold=hold,
            is_lifting=is_lifting,
            demand=self._queue.demand(now),
            claims=tuple(pending.claim(now) for pending in self._queue.ready(now)),
        )

    def is_pause(self, due_seconds: float) -> bool:
        """Whether a slot that many seconds away means that the service asked for a pause."""
        return due_seconds > _PAUSE_GAPS * self._pace

    @asynccontextmanager
    async def slot(self, call: Call, callers: Callers = tuple) -> AsyncIterator[Ready]:
        """A connection to the service, for one request. Await the yielded function just before the request is sent.

        A cancelled request leaves the queue.

        Raises:
            SlotTooLate: there will be no slot before the deadline of the call, as far as is known now; also while the
                request waits, as soon as that is known.
        """
        if not len(self._queue):
            await self._step(None)  # learns of a pause that the service asked another process for
        pending = PendingRequest(call, next(self._arrivals), self._timing.clock(), callers)
        with self._waiting(pending):
            self._queue.enter(pending)
            try:
                self._settle()
                await pending.connection
                yield partial(self._slot, pending)
            finally:
                self._queue.leave(pending)
                self._queue.admit(self._timing.clock())

    async def rest(self, seconds: float, call: Call, callers: Callers = tuple) -> None:
        """Sleep between two attempts of a request.

        Raises:
            SlotTooLate: the service asked meanwhile for a pause that outlasts the call.
        """
        pending = PendingRequest(call, next(self._arrivals), self._timing.clock(), callers)
        with self._waiting(pending):
            await self._timing.sleep(seconds)

    def pause(self, seconds: float, *, is_rate_limit: bool) -> None:
        """Let the next request to the ledger move the slot, for all processes that share the budget."""
        seconds = min(seconds, self._service.longest_pause_seconds)
        events.WAITS.debug("%s: asked for a pause of %.2f s", self._service.name, seconds)
        self._hold = max(self._hold, seconds)
        self._pause_count += 1
        until = self._timing.clock() + seconds
        if until > self._pause.until:
            self._pause = _Pause(until, is_rate_limit)
        if until > self._due_at:  # those who wait need not wait for the ledger, too
            self._due_at, self._obstacle = until, None
            self._settle()
        self._step_soon()

    def delay(self) -> Transient:
        """The reason why a request waited for its slot until its time was over."""
        if self._obstacle is not None:
            return self._obstacle.refusal()
        if self._queue.is_held_up:
            return Transient(NO_ANSWER_IN_TIME)
        if self._timing.clock() - self._stepped_at > 2 * _LOOK_SECONDS:
            return Transient(f"{NOT_ASKED}: its budget, which processes here share, could not be read in time")
        return Transient(QUEUE_TOO_LONG, is_rate_limit=True)

    async def lift(self) -> None:
        """Forget a pause."""
        self._hold = 0.0
        self._pause = _Pause(-math.inf, is_rate_limit=True)
        reply = await self._ledgers.take(self.slot_request(is_lifting=True))
        self._adopt(reply)
        self._settle()

    async def aclose(self) -> None:
        """Stop; requests that still wait are cancelled."""
        tasks = [task for task in (self._run_task, *self._steps) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for pending in self._queue.all():
            pending.connection.cancel()

    @property
    def _slots_in_window(self) -> int:
        """The slots in as many gaps, which are the service's window."""
        return max(1, int(self.per_second))

    @property
    def _pace(self) -> float:
        """Seconds between this process's slots: more than a gap while Redis is lost and leaves it a share."""
        return self._gap * self._ledgers.stretch(SlotRequest(self._name, self._owner, self._gap, self._slots_in_window))

    @property
    def _gap(self) -> float:
        return GUARD / (self.per_second * self._timing.rate_factor)

    async def _slot(self, pending: PendingRequest) -> None:
        pending.slot = asyncio.get_running_loop().create_future()
        if self._run_task is None or self._run_task.done():
            self._run_task = asyncio.create_task(self._run())
            self._run_task.add_done_callback(self._finish)
        elif self._queue.next_ready(self._timing.clock()) is pending:
            self._step_soon()  # leaves an urgent caller's intent while the scheduler sleeps
        await pending.slot

    async def _run(self) -> None:
        while (pending := self._queue.next_ready(self._timing.clock())) is not None:
            reply = await self._step("bulk" if pending.is_bulk else "interactive")
            if (pending := self._queue.next_ready(self._timing.clock())) is not None:
                # After a slot of its own this process leaves its next intent late: urgent callers of others come first.
                is_polite = reply.is_taken and not pending.is_bulk
                await self._timing.sleep(min(reply.wait / 2 if is_polite else reply.wait, _LONGEST_NAP_SECONDS))
        shares = self._queue.shares
        if shares is not None and shares.has_claims(self._owner):
            await self._step(None)  # withdraws the claims of cancelled requests, for which other processes would wait

    async def _step(self, lane: Lane | None) -> SlotReply:
        """Ask the ledger once; a slot that is due goes to the first ready request."""
        hold, self._hold = self._hold, 0.0
        request, pause_count = self.slot_request(lane, hold), self._pause_count
        reply = await self._ledgers.take(request)
        self._stepped_at = self._timing.clock()
        if pause_count != self._pause_count:
            return reply  # from before a pause: a slot in it is not used
        self._adopt(reply)
        if reply.is_taken:
            subjects = request.claims[reply.claim].subjects if request.claims else ()
            self._queue.grant(subjects, self._timing.clock())
        self._settle()
        return reply

    def _adopt(self, reply: SlotReply) -> None:
        self._due_at = self._timing.clock() + reply.wait
        self._obstacle = reply.obstacle
        self._queue.shares = reply.shares
        self._queue.other_demand = {} if reply.shares is None else reply.shares.other_demand(self._owner)

    def _step_soon(self, *, is_look: bool = False) -> None:
        pending = None if is_look else self._queue.next_ready(self._timing.clock())
        lane: Lane | None = None if pending is None else "bulk" if pending.is_bulk else "interactive"
        step = asyncio.create_task(self._step(lane))
        self._steps.add(step)
        step.add_done_callback(self._steps.discard)

    def _settle(self) -> None:
        """Refuse requests that would wait in vain, and let the next ones make their connections ready."""
        now = self._timing.clock()
        for pending, seconds in self._queue.too_late(now, max(0.0, self._due_at - now), self._pace):
            self._queue.leave(pending)
            pending.waiter.refuse(self._refusal(pending, now, seconds + self._returning_seconds(now, pending)))
        if self._obstacle is not None and self._obstacle.is_lasting:
            for pending in self._queue.all():
                self._queue.leave(pending)
                pending.waiter.refuse(self._obstacle.refusal())
        self._queue.admit(now)
        if self._is_paused(now) or self._is_short_pause(now):
            self._announce_pause(now)

    def _is_paused(self, now: float) -> bool:
        return self._obstacle is None and self.is_pause(self._due_at - now)

    def _is_short_pause(self, now: float) -> bool:
        """Whether the next slot waits for a pause that this process was asked for, however short that is."""
        return self._obstacle is None and now < self._pause.until < self._due_at + self._gap

    def _announce_pause(self, now: float) -> None:
        """Refuse each request, and each call that waits for one, whose time the pause outlasts."""
        for pending in [pending for pending in self._waiters if not pending.has_slot]:
            refusal = self._pause_refusal(now)
            if pending.waiter.deadline < self._due_at:
                pending.waiter.refuse(refusal)
                continue
            for waiter in pending.callers():
                error = failure_error(self._service, refusal, self._due_at - now, self._settings)
                error.__cause__ = refusal
                waiter.refuse_before(self._due_at, error)

    @contextmanager
    def _waiting(self, pending: PendingRequest) -> Iterator[None]:
        """Let a request hear what happens to its service, from this process or another."""
        with pending.waiter:
            self._waiters[pending] = None
            if self._next_look is None:
                self._look_later()
            try:
                yield
            finally:
                del self._waiters[pending]
                if not self._waiters and self._next_look is not None:
                    self._next_look.cancel()
                    self._next_look = None

    def _look_later(self) -> None:
        self._next_look = asyncio.get_running_loop().call_later(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
        """Look at the ledger: another process may have been asked for a pause, and not every waiting request asks."""
        # Requests that take slots ask the ledger anyway; a look beside them would take back their intent there.
        is_recent = self._timing.clock() - self._stepped_at < _LOOK_SECONDS
        if not is_recent and not all(pending.has_slot for pending in self._waiters):
            self._step_soon(is_look=True)
        self._look_later()

    def _returning_seconds(self, now: float, pending: PendingRequest) -> float:
        """The time of the slots of refused callers that come back before a request that is refused now.

        Of its own subject all of them count, of each other subject as many at most.
        """
        pending_returns = {
            subject: [time for time in times if time > now] for subject, times in self._return_times.items()
        }
        self._return_times = {subject: times for subject, times in pending_returns.items() if times}
        usual = self._queue.usual_requests()
        expected = Counter({subject: len(times) * usual for subject, times in self._return_times.items()})
        payer = self._queue.payer(pending)
        own_slots = expected.pop(payer, 0.0)
        if own_slots:
            expected.update(self._queue.expected(now))
            del expected[payer]
        return (own_slots + sum(min(own_slots, count) for count in expected.values())) * self._pace

    def _refusal(self, pending: PendingRequest, now: float, seconds: float) -> SlotTooLate:
        """The refusal of a request whose slot is too many seconds away, with the time to come back.

        A caller that comes back then finds half a deadline's worth of requests before it, and has time for the rest.
        Callers get different times: if all came back together, most would be refused again.
        """
        if self._obstacle is not None:
            return self._obstacle.refusal()
        if self._is_paused(now) or (self._is_short_pause(now) and pending.waiter.deadline < self._due_at):
            return self._pause_refusal(now)
        wait = max(0.0, seconds - self._timing.deadline_seconds / 2)
        self._return_times.setdefault(self._queue.payer(pending), []).append(now + wait)
        allowed_seconds = (pending.call.deadline or 0.0) - pending.entered_at
        if wait <= 0.0 and allowed_seconds < self._timing.deadline_seconds / 2:
            return SlotTooLate("was not asked: its turn comes after the end of the call", retry_after_seconds=0.0)
        return SlotTooLate(QUEUE_TOO_LONG, retry_after_seconds=wait, is_rate_limit=True)

    def _pause_refusal(self, now: float) -> SlotTooLate:
        """The refusal of a request whose time a pause outlasts, with what is left of the pause."""
        wait = max(0.0, self._due_at - now)
        if now < self._pause.until and not self._pause.is_rate_limit:
            return SlotTooLate(DO_NOT_DISTURB, retry_after_seconds=wait)
        return SlotTooLate(SLOW_DOWN, retry_after_seconds=wait, is_rate_limit=True)

    def _finish(self, run: asyncio.Task[None]) -> None:
        """Fail all waiting requests if the scheduler was stopped, or failed."""
        error = asyncio.CancelledError() if run.cancelled() else run.exception()
        while run is self._run_task and error is not None:
            pending = self._queue.next_ready(self._timing.clock())
            if pending is None or pending.slot is None:
                return
            pending.slot.set_exception(error)


@dataclass(frozen=True, slots=True)
class BudgetStats:
    """The state of one service's budget."""

    per_second: float
    """Requests a second that the service allows, by its documentation or its answers."""
    next_slot_seconds: float
    kept: str
    """The kind of ledger: ``redis``, ``sqlite`` or ``memory``."""
    is_paused: bool
    """Whether the service asked for a pause until the next slot."""


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
    async def slot(self, service: Service, call: Call, callers: Callers = tuple) -> AsyncIterator[Ready]:
        """A connection to ``service`` for one request of ``call``. Await the yielded function just before the request
        is sent: it returns when the slot is due and taken.

        ``callers`` are the calls that wait for it, which are refused alone where a pause outlasts their time only.
        Callers get equal shares; of one caller's, interactive requests go first, then the oldest call.

        Raises:
            SlotTooLate: there will be no slot before the deadline of the call.
            WrongSetting: the Redis that keeps the budgets cannot be used as it is set.
        """
        scheduler = self._scheduler(service)
        if refusal := await self.ledgers.refusal(scheduler.slot_request()):
            raise refusal
        wait = _Wait(service.name, call.lane, scheduler, self._timing.clock)
        try:
            async with scheduler.slot(call, callers) as ready:

                async def take_slot() -> None:
                    await ready()
                    wait.end(has_slot=True)
                    self._add_notice()

                yield take_slot
        finally:
            wait.end(has_slot=False)

    async def rest(self, service: Service, seconds: float, call: Call, callers: Callers = tuple) -> None:
        """Sleep between two attempts of a request.

        Raises:
            SlotTooLate: ``service`` asked meanwhile for a pause that outlasts the call.
        """
        await self._scheduler(service).rest(seconds, call, callers)

    def delay(self, service: Service) -> Transient:
        """The reason why a request waited for its slot until its time was over."""
        return self._scheduler(service).delay()

    async def take(self, service: Service, lane: Lane) -> None:
        """Return when a slot of ``service`` is due and taken, for a caller with a connection of its own."""
        async with self.slot(service, Call(lane)) as ready:
            await ready()

    def observe(self, service: Service, headers: Mapping[str, str]) -> None:
        """Adapt to the limit that an answer's headers state; never beyond the service's own rate.

        Source: X-RateLimit-* as NCBI sends them (limit a second) and Ensembl (limit a period, reset in seconds).
        """
        limit, period, remaining, reset = (_number(headers.get(f"x-ratelimit-{name}")) for name in _HEADERS)
        scheduler = self._scheduler(service)
        if limit:
            # Less than one a second is a long window, which ``remaining`` takes care of.
            scheduler.advertised_per_second = max(1.0, limit / (period or 1.0))
        if remaining == 0 and reset and reset <= HOUR:
            scheduler.pause(reset, is_rate_limit=True)

    def pause(self, service: Service, seconds: float, *, is_rate_limit: bool = True) -> None:
        """Move the next slot, for all processes that share the budget: the service asked for a pause."""
        self._scheduler(service).pause(seconds, is_rate_limit=is_rate_limit)

    async def lift(self, service: Service) -> None:
        """Forget a pause that the service asked for, for all processes that share the budget."""
        await self._scheduler(service).lift()

    async def stats(self, service: Service) -> BudgetStats:
        """The state of the budget of ``service``, after a look at it."""
        scheduler = self._scheduler(service)
        return _stats(scheduler, *await self.ledgers.look(scheduler.slot_request()))

    async def aclose(self) -> None:
        """Stop; requests that still wait are cancelled."""
        for scheduler in list(self._schedulers.values()):  # a request that still runs may make another
            await scheduler.aclose()
        await self.ledgers.aclose()

    def abandon(self) -> None:
        """Close files, where no event loop is left to close the rest."""
        self.ledgers.abandon()

    def _add_notice(self) -> None:
        notice, notices = self.ledgers.take_notice(), current().notices
        if notice is not None and all(other.code != notice.code for other in notices):  # the cache has added it already
            notices.append(notice)

    def _scheduler(self, service: Service) -> SlotScheduler:
        if service.name not in self._schedulers:
            self._schedulers[service.name] = SlotScheduler(
                service,
                name=self._name(service),
                owner=self._owner,
                settings=self._settings,
                ledgers=self.ledgers,
                timing=self._timing,
            )
        return self._schedulers[service.name]

    def _name(self, service: Service) -> str:
        """The name of the shared budget: a mirror, the sandbox and a key that a caller brought have their own."""
        name = f"{service.name}@{urlsplit(self._settings[service.base_url]).netloc.rpartition('@')[2]}"
        if service.key is None or service.key.name not in self._own_keys:
            return name
        return f"{name}/{hashlib.blake2b(self._settings[service.key].encode(), digest_size=8).hexdigest()}"


def _stats(scheduler: SlotScheduler, kept: str, reply: SlotReply) -> BudgetStats:
    return BudgetStats(scheduler.per_second, reply.wait, kept, scheduler.is_pause(reply.wait))


class _Wait:
    """One request's wait for its slot, as reported to the log and listeners."""

    def __init__(self, service: str, lane: Lane, scheduler: SlotScheduler, clock: Callable[[], float]) -> None:
        self._service = service
        self._lane = lane
        self._scheduler = scheduler
        self._clock = clock
        self._start_time: float | None = clock()
        events.emit(WaitBegan(service, lane))

    def end(self, *, has_slot: bool) -> None:
        """Report the end of the wait, the first time this is called."""
        if self._start_time is None:
            return
        seconds = self._clock() - self._start_time
        self._start_time = None
        if has_slot:
            events.WAITS.debug("%s: connected, and its turn, after %.2f s", self._service, seconds)
        events.emit(WaitEnded(self._service, self._lane, seconds, has_slot, self._scheduler.per_second))


_HEADERS = ("limit", "period", "remaining", "reset")


def _number(text: str | None) -> float | None:
    """A header's value; None if it is absent or no number."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < math.inf else None
