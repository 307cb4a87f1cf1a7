"""The order of the layers: cache, single flight, batch, retry, budget, wire."""

import asyncio
import functools
import math
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

import orjson

from biofact.core import call
from biofact.core.errors import BiofactError, ClientClosed, RateLimited, RetryAfter, UpstreamError
from biofact.core.settings import Settings
from biofact.transport.ask.batch import Batch
from biofact.transport.ask.flight import Flights, is_cancelled
from biofact.transport.ask.retry import Attempt, Retry, good_answer
from biofact.transport.keep.cache import Cache, cache_folder
from biofact.transport.keep.store import Entry
from biofact.transport.quotas import NoQuotas, Quotas
from biofact.transport.service import ABSENT_SECONDS, Answer, Batching, BodyTooLarge, Keep, Ready, Request, Transient
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from biofact.transport.turns.ledgers import RedisState

if TYPE_CHECKING:
    from biofact.transport.ask.wire import Network, Wire
if TYPE_CHECKING:
    from biofact.transport.ask.wire import Network

T = TypeVar("T")


class Session:
    """The flights, batches, budgets and connections of one event loop."""

    def __init__(
        self, settings: Settings, timing: Timing, *, cache: Cache, budgets: Budgets, network: "Network | None"
    ) -> None:
        self.budgets = budgets
        self.retry = Retry(settings, timing, budgets)
        self.flights: Flights[Entry] = Flights(timing)
        self._settings = settings
        self._timing = timing
        self._cache = cache
        self._network = network
        self._batches: dict[int, Batch] = {}
        self._legs: set[asyncio.Future[Any]] = set()
        self._opened_wire: Wire | None = None

    def batch(self, batching: Batching) -> Batch:
        """The lookups of this kind that join here."""
        if id(batching) not in self._batches:
            self._batches[id(batching)] = Batch(
                batching, cache=self._cache, retry=self.retry, stream=self._stream, timing=self._timing
            )
        return self._batches[id(batching)]

    async def side_leg(self, leg: Coroutine[Any, Any, T]) -> T:
        """The leg's result, if it comes within the time that a record waits; it is left to finish if it does not.

        Raises:
            UpstreamError: it takes longer. Whatever the leg raises.
        """
        seconds = self._timing.side_leg_seconds
        task = asyncio.create_task(leg)
        self._legs.add(task)
        task.add_done_callback(self._leg_ended)
        await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            message = f"There was no answer within {seconds:g} seconds, as long as a record waits; call again."
            raise UpstreamError(message, hint="Call again.", recovery=RetryAfter(math.ceil(seconds)))
        if task.cancelled() and not is_cancelled():
            raise ClientClosed
        return task.result()

    def wire(self) -> "Wire":
        """What sends requests, opened when the first is due."""
        if self._opened_wire is None:
            from biofact.transport.ask.wire import Wire  # noqa: PLC0415  # loads the HTTP library: only when needed

            self._opened_wire = Wire(self._settings, self._timing, self._network)
        return self._opened_wire

    async def aclose(self) -> None:
        """Call off what is under way and let go of everything."""
        for leg in self._legs:
            leg.cancel()
        await asyncio.gather(*self._legs, return_exceptions=True)
        for batch in self._batches.values():
            await batch.aclose()
        await self.flights.aclose()
        self.retry.forget()
        if self._opened_wire is not None:
            await self._opened_wire.aclose()
            self._opened_wire = None
        await self.budgets.aclose()

    def abandon(self) -> None:
        """Let go of files; all else went with the event loop."""
        self.retry.forget()
        self.budgets.abandon()

    @asynccontextmanager
    async def _stream(self, request: Request, ready: Ready) -> AsyncIterator[tuple[Answer, AsyncIterator[bytes]]]:
        async with self.wire().stream(request, ready) as (answer, chunks):
            self.budgets.observe(request.service, answer.headers)
            yield good_answer(answer, request.service, self._settings, self._timing), chunks

    def _leg_ended(self, task: "asyncio.Future[Any]") -> None:
        self._legs.discard(task)
        if not task.cancelled():
            task.exception()  # seen: whoever waited no longer does


class Sessions:
    """The sessions of a transport, one for each event loop that uses it.

    A loop that has ended leaves nothing behind, nor does a process to its fork: neither's connections can be used.
    """

    def __init__(self, make: Callable[[], Session]) -> None:
        self._make = make
        self._pid = os.getpid()
        self._open: dict[asyncio.AbstractEventLoop, Session] = {}
        self._lock = threading.Lock()

    @property
    def here(self) -> Session:
        """That of the running loop."""
        loop = asyncio.get_running_loop()
        session = self._open.get(loop)
        if session is None or self._pid != os.getpid():
            with self._lock:
                self._forget_ended()
                session = self._open.setdefault(loop, self._make())
        return session

    async def aclose(self) -> None:
        """Close all of them, each on its own loop."""
        here = asyncio.get_running_loop()
        with self._lock:
            self._forget_ended()
            sessions, self._open = self._open, {}
        for loop, session in sessions.items():
            if loop is here:
                await session.aclose()
            elif loop.is_running():
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(session.aclose(), loop))
            else:
                session.abandon()

    def _forget_ended(self) -> None:
        if self._pid != os.getpid():
            _inherited.extend(self._open.values())
            self._open, self._pid = {}, os.getpid()
        for loop in [loop for loop in self._open if loop.is_closed()]:
            self._open.pop(loop).abandon()


_inherited: list[Session] = []
"""Of the process that we were forked from. To close what they hold would disturb it: they are kept as they are."""


_PATIENT_PART = 0.7  # of a side leg's time; the rest is for handing up what is kept


class Lookups:
    """Lookups of one kind that join into few requests."""

    def __init__(self, batching: Batching, sessions: Sessions) -> None:
        self._batching = batching
        self._sessions = sessions

    @overload
    async def get(self, id: str) -> bytes | None: ...

    @overload
    async def get(self, id: str, read: Callable[[bytes], T]) -> T | None: ...

    async def get(self, id: str, read: Callable[[bytes], Any] = bytes) -> Any:  # noqa: A002
        """As ``Batch.get``."""
        return await self._sessions.here.batch(self._batching).get(id, read)

    @overload
    async def get_many(self, ids: Sequence[str]) -> dict[str, bytes | BiofactError | None]: ...

    @overload
    async def get_many(self, ids: Sequence[str], read: Callable[[bytes], T]) -> dict[str, T | BiofactError | None]: ...

    async def get_many(self, ids: Sequence[str], read: Callable[[bytes], Any] = bytes) -> dict[str, Any]:
        """As ``Batch.get_many``."""
        return await self._sessions.here.batch(self._batching).get_many(ids, read)


class Transport:
    """Answers from services: the only thing that a client talks to. One serves all clients of a program best.

    Any event loop may use it, one after the other or side by side; what they ask at the same time joins within each.
    Programs make it, hand it to clients and close it, as with ``async with``; its other methods are the clients'.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        timing: Timing = Timing(),  # noqa: B008  # frozen
        cache: Cache | None = None,
        deadline_seconds: float | None = None,
        budgets: Budgets | None = None,
        wire: "Network | None" = None,
    ) -> None:
        """``deadline_seconds`` is how long a call may take, whatever ``timing`` says. ``wire`` takes the place of the
        network.

        Raises:
            ValueError: the deadline is no positive number.
        """
        if deadline_seconds is not None and not 0 < deadline_seconds < math.inf:
            raise ValueError(f"{deadline_seconds!r} is no deadline; give a positive number of seconds.")
        self.settings = settings or Settings()
        self.timing = timing if deadline_seconds is None else replace(timing, deadline_seconds=deadline_seconds)
        self.cache = cache or Cache(self.settings, self.timing)
        self.network = wire
        self._owns_cache = True
        self._own_keys: frozenset[str] = frozenset()
        self._budgets = budgets
        self._sessions = Sessions(self._session)
        self.quotas: Quotas = NoQuotas()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    @property
    def budgets(self) -> Budgets:
        """Those of the running event loop."""
        return self._sessions.here.budgets

    @property
    def redis_state(self) -> RedisState | None:
        """How the budgets of the running event loop stand with Redis; None where it is not set, or was not asked yet.
        Looks at nothing: it is as it was last seen.
        """
        return self.budgets.redis_state()

    async def join(self) -> None:
        """Return when Redis was asked once for its part in the budgets, where it is set: a server does so at its start.

        Raises:
            WrongSetting: it cannot be used as it is set.
        """
        await self.budgets.join()

    async def fetch(self, request: Request, read: Callable[[bytes], T], *, keep: Keep | None = None) -> T:
        """What ``read`` makes of the answer: from the cache, from whoever asks the same now, or from the service.

        ``read`` is pure, and the same for the same request; Transient from it says that the body is damaged, None that
        there is no such thing, which is kept for ten minutes at most.

        Raises:
            RateLimited, UpstreamError: the service failed, and nothing that is kept may stand in.
            Refused: the source says what it means.
        """
        service = request.service
        kept = await self.cache.find(service, keep.kind, keep.id) if keep else None
        if kept is not None and kept.origin == "cache":
            try:
                value = kept.value(read)
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
                entry, value = kept, kept.value(read)
            except Transient:
                raise failure from None  # what is kept cannot be read either
        self.cache.hand_up(service, entry)
        return value

    def batched(self, batching: Batching) -> Lookups:
        """Lookups that join into few requests. Build one for each kind, once."""
        return Lookups(batching, self._sessions)

    async def side_leg(self, leg: Coroutine[Any, Any, T]) -> T:
        """The result of a question beside the main one. One that takes too long is left to finish into the cache, for
        the next time, as long as this transport is open.

        Raises:
            RateLimited, UpstreamError: it failed, or took too long.
            Refused: the source says what it means.
        """
        self._sessions.here.retry.current()  # the call's deadline is set here, not anew by the leg
        return await self._sessions.here.side_leg(self._beside(leg))

    async def in_part(self, question: Coroutine[Any, Any, T], part: float) -> T:
        """The answer to a question that may take no more than a part of the call's time, as another may have to follow.
        The time that its turn takes to come does not count.

        Raises:
            RateLimited, UpstreamError: it took longer, or failed.
        """
        deadline = self._sessions.here.retry.current().deadline or 0.0
        with call.background(answer_seconds=part * (deadline - self.timing.clock())):
            return await question

    def beside(self, own_settings: Mapping[str, str]) -> "Transport":
        """One for the calls of a caller who brings settings of their own, such as a key. It shares what is kept, and no
        requests: nothing that others want is asked with that key.
        """
        settings = self.settings.replaced(own_settings)
        beside = Transport(settings, timing=self.timing, cache=self.cache, wire=self.network)
        beside._owns_cache = False
        beside._own_keys = frozenset(own_settings)
        beside.quotas = self.quotas
        return beside

    def afresh(self) -> AbstractContextManager[call.Call]:
        """Ask within with the whole time of a call, however long the call under way has taken: for long ones, which
        tell how far they are.
        """
        return call.background(deadline=self.timing.deadline())

    async def _beside(self, leg: Coroutine[Any, Any, T]) -> T:
        """The leg's result; an expired answer in time, where a new one cannot be had."""
        with call.background(stale_deadline=self.timing.clock() + _PATIENT_PART * self.timing.side_leg_seconds):
            return await leg

    async def aclose(self) -> None:
        """Call off what is under way, telling those who wait for it, and let go of everything."""
        await self._sessions.aclose()
        if self._owns_cache:
            await self.cache.aclose()

    async def _flown(
        self, request: Request, read: Callable[[bytes], T], keep: Keep | None, *, has_stale: bool
    ) -> tuple[Entry, T]:
        session = self._sessions.here
        current = session.retry.current(has_stale=has_stale)
        identity = _identity(request, keep)
        values: list[T] = []  # what our own flight has read already

        async def fly() -> Entry:
            send = functools.partial(self._exchange, request, read, keep)
            payers = session.flights.subjects(identity)
            attempt = Attempt(request.service, send, lambda: identity, request.part, payers)
            entry, value = await session.retry.run(attempt, current)
            values.append(value)
            if keep is not None:
                await self.cache.keep(request.service, keep, entry)
            return entry

        entry = await session.flights.join(identity, request.service, current, fly)
        return entry, values[0] if values else entry.value(read)

    async def _exchange(
        self, request: Request, read: Callable[[bytes], T], keep: Keep | None, ready: Ready
    ) -> tuple[Entry, T]:
        service = request.service
        session = self._sessions.here
        try:
            answer = await session.wire().exchange(request, ready)
        except BodyTooLarge as error:
            hint = "Ask for less at a time."
            raise UpstreamError(f"{service.title} {error}.", hint=hint) from error
        session.budgets.observe(service, answer.headers)
        seconds = keep.seconds if keep else 0.0
        if request.absent_status is not None:
            answer, seconds = self._present(request, answer, seconds)
        else:
            good_answer(answer, service, self.settings, self.timing)
        value = read(answer.body)
        if value is None:  # a body that says that there is no such thing
            seconds = min(seconds, ABSENT_SECONDS)
        return Entry.of(answer, answer.body, self.timing.wall_clock(), seconds), value

    def _present(self, request: Request, answer: Answer, seconds: float) -> tuple[Answer, float]:
        """The answer, and how long it may be kept; an empty body where there is no such thing."""
        if answer.status == request.absent_status:
            return replace(answer, body=b""), min(seconds, ABSENT_SECONDS)
        good_answer(answer, request.service, self.settings, self.timing)
        if not answer.body.strip():
            raise Transient("sent an empty body")
        return answer, seconds

    def _session(self) -> Session:
        folder = cache_folder(self.settings)
        budgets = self._budgets or Budgets(self.settings, self.timing, folder, own_keys=self._own_keys)
        return Session(self.settings, self.timing, cache=self.cache, budgets=budgets, network=self.network)


def _identity(request: Request, keep: Keep | None) -> Hashable:
    """What makes two requests the same question."""
    form = (request.service.name, request.method, request.path, request.params, request.accept, keep)
    return (*form, orjson.dumps(request.json, option=orjson.OPT_SORT_KEYS))
