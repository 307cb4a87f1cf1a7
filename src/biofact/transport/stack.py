"""The order of the layers: cache, single flight, batch, retry, budget, wire."""

import asyncio
import functools
import math
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from biofact.core import call
from biofact.core.errors import RateLimited, RetryAfter, UpstreamError
from biofact.core.settings import Settings
from biofact.transport.batch import Batch
from biofact.transport.budget import Budgets
from biofact.transport.cache import Cache, cache_folder
from biofact.transport.flight import Flights
from biofact.transport.retry import Retry, judged
from biofact.transport.service import ABSENT_SECONDS, Answer, Batching, BodyTooLarge, Keep, Request, Transient
from biofact.transport.store import Entry
from biofact.transport.timing import Timing

if TYPE_CHECKING:
    from biofact.transport.wire import Network, Wire

T = TypeVar("T")

_PATIENT_PART = 0.7  # of a side leg's time; the rest is for handing up what is kept


class Transport:
    """Answers from services: the only thing that a client talks to. One serves all clients of a program best.

    Belongs to the event loop that first uses it.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        timing: Timing = Timing(),  # noqa: B008  # frozen
        cache: Cache | None = None,
        budgets: Budgets | None = None,
        wire: "Network | None" = None,
    ) -> None:
        """``wire`` takes the place of the network."""
        self.settings = settings or Settings()
        self.timing = timing
        self.cache = cache or Cache(self.settings, timing)
        self.budgets = budgets or Budgets(self.settings, timing, cache_folder(self.settings))
        self._retry = Retry(self.settings, timing, self.budgets)
        self._flights: Flights[Entry] = Flights(timing)
        self._batches: list[Batch] = []
        self._legs: set[asyncio.Future[Any]] = set()
        self._network = wire
        self._opened_wire: Wire | None = None

    async def fetch(self, request: Request, read: Callable[[bytes], T], *, keep: Keep | None = None) -> T:
        """What ``read`` makes of the answer: from the cache, from whoever asks the same now, or from the service.

        ``read`` is pure, and the same for the same request; Transient from it says that the body is damaged.

        Raises:
            RateLimited, UpstreamError: the service failed, and nothing that is kept may stand in.
            Refused: the source says what it means.
        """
        service = request.service
        kept = await self.cache.find(service, keep.kind, keep.id) if keep else None
        if kept is not None and kept.origin == "cache":
            try:
                value = kept.read(read)
            except Transient:
                kept = None  # damaged where it was kept; the new answer takes its place
            else:
                self.cache.hand_up(service, kept)
                return value
        try:
            entry, value = await self._flown(request, read, keep, has_stale=kept is not None)
        except (RateLimited, UpstreamError) as failure:
            if kept is None:
                raise
            try:
                entry, value = kept, kept.read(read)
            except Transient:
                raise failure from None  # what is kept cannot be read either
        self.cache.hand_up(service, entry)
        return value

    def batched(self, batching: Batching) -> Batch:
        """Lookups that join into few requests. Build one for each kind, once."""
        batch = Batch(batching, cache=self.cache, retry=self._retry, stream=self._stream, timing=self.timing)
        self._batches.append(batch)
        return batch

    async def side_leg(self, leg: Coroutine[Any, Any, T]) -> T:
        """The result of a question beside the main one. One that takes too long is left to finish into the cache, for
        the next time, as long as this transport is open.

        Raises:
            RateLimited, UpstreamError: it failed, or took too long.
            Refused: the source says what it means.
        """
        task = asyncio.create_task(self._beside(leg))
        self._legs.add(task)
        task.add_done_callback(self._leg_ended)
        await asyncio.wait({task}, timeout=self.timing.side_leg_seconds)
        if not task.done():
            seconds = self.timing.side_leg_seconds
            message = f"There was no answer within {seconds:g} seconds, as long as a record waits; call again."
            raise UpstreamError(message, hint="Call again.", recovery=RetryAfter(math.ceil(seconds)))
        return task.result()

    async def in_part(self, question: Coroutine[Any, Any, T], part: float) -> T:
        """The answer to a question that may take no more than a part of the call's time, as another may have to follow.

        Raises:
            RateLimited, UpstreamError: it took longer, or failed.
        """
        now = self.timing.clock()
        deadline = call.current().deadline or now + self.timing.deadline_seconds
        with call.aside(deadline=now + part * (deadline - now)):
            return await question

    def afresh(self) -> AbstractContextManager[call.Call]:
        """Ask within with the whole time of a call, however long the call under way has taken: for long ones, which
        tell how far they are.
        """
        return call.aside(deadline=self.timing.clock() + self.timing.deadline_seconds)

    async def _beside(self, leg: Coroutine[Any, Any, T]) -> T:
        """The leg's result; an expired answer in time, where a new one cannot be had."""
        with call.aside(stale_deadline=self.timing.clock() + _PATIENT_PART * self.timing.side_leg_seconds):
            return await leg

    async def aclose(self) -> None:
        """Call off what is under way and let go of everything."""
        for leg in self._legs:
            leg.cancel()
        await asyncio.gather(*self._legs, return_exceptions=True)
        for batch in self._batches:
            await batch.aclose()
        await self._flights.aclose()
        if self._opened_wire is not None:
            await self._opened_wire.aclose()
            self._opened_wire = None
        await self.budgets.aclose()
        await self.cache.aclose()

    async def _flown(
        self, request: Request, read: Callable[[bytes], T], keep: Keep | None, *, has_stale: bool
    ) -> tuple[Entry, T]:
        current = self._retry.current(has_stale=has_stale)
        values: list[T] = []  # what our own flight has read already

        async def fly() -> Entry:
            attempt = functools.partial(self._exchange, request, read, keep)
            entry, value = await self._retry.run(request.service, current, attempt, part=request.part)
            values.append(value)
            if keep is not None:
                await self.cache.keep(request.service, keep, entry)
            return entry

        entry = await self._flights.join(_identity(request, keep), request.service, current, fly)
        return entry, values[0] if values else entry.read(read)

    async def _exchange(self, request: Request, read: Callable[[bytes], T], keep: Keep | None) -> tuple[Entry, T]:
        service = request.service
        try:
            answer = await self._wire().exchange(request)
        except BodyTooLarge as error:
            hint = "Ask for less at a time."
            raise UpstreamError(f"{service.title} {error}.", hint=hint) from error
        self.budgets.observe(service, answer.headers)
        seconds = keep.seconds if keep else 0.0
        if request.absent_status is not None:
            answer, seconds = self._present(request, answer, seconds)
        else:
            judged(answer, service, self.settings, self.timing)
        if request.absent_body is not None and answer.body.strip() == request.absent_body:
            seconds = min(seconds, ABSENT_SECONDS)
        entry = Entry.of(answer, answer.body, self.timing.wall_clock(), seconds)
        return entry, entry.read(read)

    def _present(self, request: Request, answer: Answer, seconds: float) -> tuple[Answer, float]:
        """The answer, and how long it may be kept; an empty body where there is no such thing."""
        if answer.status == request.absent_status:
            return replace(answer, body=b""), min(seconds, ABSENT_SECONDS)
        judged(answer, request.service, self.settings, self.timing)
        if not answer.body.strip():
            raise Transient("sent an empty body")
        return answer, seconds

    @asynccontextmanager
    async def _stream(self, request: Request) -> AsyncIterator[tuple[Answer, AsyncIterator[bytes]]]:
        async with self._wire().stream(request) as (answer, chunks):
            self.budgets.observe(request.service, answer.headers)
            yield judged(answer, request.service, self.settings, self.timing), chunks

    def _wire(self) -> "Wire":
        if self._opened_wire is None:
            from biofact.transport.wire import Wire  # noqa: PLC0415  # loads the HTTP library: only when needed

            self._opened_wire = Wire(self.settings, self.timing, self._network)
        return self._opened_wire

    def _leg_ended(self, task: "asyncio.Future[Any]") -> None:
        self._legs.discard(task)
        if not task.cancelled():
            task.exception()  # seen: whoever waited no longer does


def _identity(request: Request, keep: Keep | None) -> Hashable:
    """What makes two requests the same question."""
    form = (request.service.name, request.method, request.path, request.params, request.accept, keep)
    return (*form, orjson.dumps(request.json, option=orjson.OPT_SORT_KEYS))
