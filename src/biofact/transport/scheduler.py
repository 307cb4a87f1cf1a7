"""Gives one service's slots to the requests of this process: fair shares for all callers, and nobody waits in vain."""

import asyncio
import itertools
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from biofact.core import log
from biofact.core.call import Call, Lane
from biofact.transport.ledger import SlotRequest, Turn
from biofact.transport.ledgers import Ledgers
from biofact.transport.service import Service, TurnTooLate
from biofact.transport.timing import Timing
from biofact.transport.turns import Queue, QueueStats
from biofact.transport.waiting import Waiter

# Rate N allows N requests in any second. We take N in any 1.11 s: 0.1 s may be lost to the network's jitter between
# the first and the last, and 0.01 s to busy machines, and no window ever shows more. It costs a tenth of the rate.
GUARD = 1.11

Ready = Callable[[], Awaitable[None]]
"""Says that client and connection are ready; returns when the slot is due and taken."""

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
        self._steps: set[asyncio.Task[Turn]] = set()

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
    async def turn(self, call: Call) -> AsyncIterator[Ready]:
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
        log.WAITS.debug("%s: asked for a pause of %.2f s", self._service.name, seconds)
        self._hold = max(self._hold, seconds)
        until = self._timing.clock() + seconds
        if until > self._pause.until:
            self._pause = _Pause(until, is_rate_limit)
        self._step_soon()

    async def lift(self) -> None:
        """Forget a pause."""
        self._hold = 0.0
        turn = await self._ledgers.turn(self.slot_request(is_lifting=True))
        self._adopt(turn)
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
            turn = await self._step("bulk" if waiter.is_bulk else "interactive")
            if (waiter := self._queue.next_ready(self._timing.clock())) is not None:
                # Having had a slot, we leave the next intent late: other processes' urgent callers come first.
                is_polite = turn.is_taken and not waiter.is_bulk
                await self._timing.sleep(min(turn.wait / 2 if is_polite else turn.wait, _LONGEST_NAP_SECONDS))
        if self._queue.shares.has_claims(self._owner):  # of requests that were given up: nobody should wait for them
            await self._step(None)

    async def _step(self, lane: Lane | None) -> Turn:
        """Ask the ledger once; a slot that is due goes to the first who is ready."""
        hold, self._hold = self._hold, 0.0
        ask = self.slot_request(lane, hold)
        turn = await self._ledgers.turn(ask)
        self._adopt(turn)
        if turn.is_taken:
            self._queue.grant(ask.claims[turn.claim].subjects if ask.claims else (), self._timing.clock())
        self._settle()
        return turn

    def _adopt(self, turn: Turn) -> None:
        self._due_at = self._timing.clock() + turn.wait
        self._queue.shares = turn.shares
        self._queue.elsewhere = turn.shares.elsewhere(self._owner)

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
