"""The order of the layers: cache, single flight, batch, retry, budget, wire; and their state for each event loop."""

import asyncio
import functools
import math
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

import orjson

from biofact.core import call
from biofact.core.errors import BiofactError, ClientClosed, RateLimited, RetryAfter, UpstreamError
from biofact.core.settings import Settings
from biofact.transport.ask.batch import Batch
from biofact.transport.ask.flight import Flights, is_cancelled
from biofact.transport.ask.retry import Attempt, Retry, good_answer, refused
from biofact.transport.keep.cache import Cache, cache_folder
from biofact.transport.keep.store import Entry
from biofact.transport.quotas import NoQuotas, Quotas
from biofact.transport.service import ABSENT_SECONDS, Answer, Batching, BodyTooLarge, Keep, Ready, Request, Transient
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from biofact.transport.turns.ledgers import RedisState
from biofact.transport.waiters import Waiter

if TYPE_CHECKING:
    from biofact.transport.ask.wire import Network, Wire

T = TypeVar("T")


class Session:
    """The flights, batches, budgets and connections of one event loop."""

    def __init__(
        self, settings: Settings, timing: Timing, *, cache: Cache, budgets: Budgets, network: "Network | None"
    ) -> None:
        self.budgets = budgets
        self.retry = Retry(settings, timing, budgets)
        self.flights: Flights[Entry] = Flights(timing, self.retry.known_error)
        self._settings = settings
        self._timing = timing
        self._cache = cache
        self._network = network
        self._batches: dict[int, Batch] = {}
        self._side_requests: set[asyncio.Future[Any]] = set()
        self._wire: Wire | None = None

    def batch(self, batching: Batching) -> Batch:
        """The lookups of this kind on this event loop."""
        if id(batching) not in self._batches:
            self._batches[id(batching)] = Batch(
                batching, cache=self._cache, retry=self.retry, stream=self._stream, timing=self._timing
            )
        return self._batches[id(batching)]

    async def side_leg(self, leg: Coroutine[Any, Any, T], seconds: float) -> T:
        """The result of a side request, if it comes within some seconds; else it goes on alone.

        Raises:
            UpstreamError: it takes longer. Also every error of the request.
        """
        with Waiter(call.current(), self._timing.clock() + seconds) as waiter:
            task = waiter.start(leg)
            self._side_requests.add(task)
            task.add_done_callback(self._forget_side_request)
            await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            message = f"There was no answer within {seconds:g} seconds, as long as a record waits; call again."
            raise UpstreamError(message, hint="Call again.", recovery=RetryAfter(math.ceil(seconds)))
        if task.cancelled() and not is_cancelled():
            raise ClientClosed
        return task.result()

    def wire(self) -> "Wire":
        """The sender of requests, opened when the first is due."""
        if self._wire is None:
            from biofact.transport.ask.wire import Wire  # noqa: PLC0415  # loads the HTTP library: only when needed

            self._wire = Wire(self._settings, self._timing, self._network)
        return self._wire

    async def aclose(self) -> None:
        """Cancel everything under way, then close files and connections."""
        for task in self._side_requests:
            task.cancel()
        await asyncio.gather(*self._side_requests, return_exceptions=True)
        for batch in self._batches.values():
            await batch.aclose()
        await self.flights.aclose()
        self.retry.forget()
        if self._wire is not None:
            await self._wire.aclose()
            self._wire = None
        await self.budgets.aclose()

    def abandon(self) -> None:
        """Close files; everything else ended with the event loop."""
        self.retry.forget()
        self.budgets.abandon()

    @asynccontextmanager
    async def _stream(self, request: Request, ready: Ready) -> AsyncIterator[tuple[Answer, AsyncIterator[bytes]]]:
        async with self.wire().stream(request, ready) as (answer, chunks):
            self.budgets.observe(request.service, answer.headers)
            yield good_answer(answer, request.service, self._settings, self._timing), chunks

    def _forget_side_request(self, task: "asyncio.Future[Any]") -> None:
        self._side_requests.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as retrieved: the call that waited may have ended


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
    def current(self) -> Session:
        """The session of the running loop."""
        loop = asyncio.get_running_loop()
        session = self._open.get(loop)
        if session is None or self._pid != os.getpid():
            with self._lock:
                self._forget_closed_loops()
                session = self._open.setdefault(loop, self._make())
        return session

    async def aclose(self) -> None:
        """Close all sessions, each on its own loop."""
        running_loop = asyncio.get_running_loop()
        with self._lock:
            self._forget_closed_loops()
            sessions, self._open = self._open, {}
        for loop, session in sessions.items():
            if loop is running_loop:
                await session.aclose()
            elif loop.is_running():
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(session.aclose(), loop))
            else:
                session.abandon()

    def _forget_closed_loops(self) -> None:
        if self._pid != os.getpid():
            _inherited.extend(self._open.values())
            self._open, self._pid = {}, os.getpid()
        for loop in [loop for loop in self._open if loop.is_closed()]:
            self._open.pop(loop).abandon()


_inherited: list[Session] = []
"""The sessions of the process that this one was forked from: to close their connections would disturb it there."""


_PATIENT_PART = 0.7  # of a side request's time; the rest is for handing up an expired answer


class Lookups:
    """Lookups of one kind that join into few requests."""

    def __init__(self, batching: Batching, sessions: Sessions) -> None:
        self._batching = batching
        self._sessions = sessions

    @overload
    async def get(self, id: str) -> bytes | None: ...

    @overload
    async def get(self, id: str, parse: Callable[[bytes], T]) -> T | None: ...

    async def get(self, id: str, parse: Callable[[bytes], Any] = bytes) -> Any:  # noqa: A002
        """The record of one ID, as ``Batch.get`` has it."""
        return await self._sessions.current.batch(self._batching).get(id, parse)

    async def kept(self, id: str) -> Entry | None:  # noqa: A002
        """The record of one ID where it is kept, as ``Batch.kept`` has it."""
        return await self._sessions.current.batch(self._batching).kept(id)

    async def entry(self, id: str) -> Entry:  # noqa: A002
        """The record of one ID as it is kept, as ``Batch.entry`` has it."""
        return await self._sessions.current.batch(self._batching).entry(id)

    @overload
    async def get_many(self, ids: Sequence[str]) -> dict[str, bytes | BiofactError | None]: ...

    @overload
    async def get_many(self, ids: Sequence[str], parse: Callable[[bytes], T]) -> dict[str, T | BiofactError | None]: ...

    async def get_many(self, ids: Sequence[str], parse: Callable[[bytes], Any] = bytes) -> dict[str, Any]:
        """The records of many IDs, as ``Batch.get_many`` has them."""
        return await self._sessions.current.batch(self._batching).get_many(ids, parse)


class Transport:
    """Answers from services: the only thing that a client talks to. One serves all clients of a program best.

    Any event loop may use it, one after the other or side by side; requests of the same time join within each.
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
        """``deadline_seconds`` is the time of a call, in place of that in ``timing``; ``wire`` replaces the network.

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

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    @property
    def budgets(self) -> Budgets:
        """The budgets of the running event loop."""
        return self._sessions.current.budgets

    @property
    def redis_state(self) -> RedisState | None:
        """The last known state of the running loop's budgets towards Redis; None without its URL, or before the first
        request to it.
        """
        return self.budgets.ledgers.redis_state()

    async def join(self) -> None:
        """Return after one first request to Redis for the budgets, where its URL is set: as a server starts.

        Raises:
            WrongSetting: it cannot be used as it is set.
        """
        await self.budgets.ledgers.join()

    async def fetch(self, request: Request, read: Callable[[bytes], T], *, keep: Keep | None = None) -> T:
        """The answer, parsed by ``read``: from the cache, from a request for the same that is under way, or a new one.

        ``read`` is pure, and the same for the same request. It raises Transient for a damaged body, and returns None if
        there is no such record, which is kept for ten minutes at most.

        Raises:
            RateLimited, UpstreamError: the service failed, and no cached answer may stand in.
            Refused: the source knows its meaning.
        """
        service = request.service
        cached = await self.cache.find(service, keep.kind, keep.id) if keep else None
        if cached is not None and cached.origin == "cache":
            try:
                value = cached.value(read)
            except Transient:
                cached = None  # damaged in the cache; the new answer takes its place
            else:
                self.cache.hand_up(service, cached)
                return value
        try:
            entry, value = await self._join_flight(request, read, keep, has_stale=cached is not None)
        except (RateLimited, UpstreamError) as failure:
            if cached is None:
                raise
            try:
                entry, value = cached, cached.value(read)
            except Transient:
                raise failure from None  # the expired answer cannot be parsed either
        self.cache.hand_up(service, entry)
        return value

    def batched(self, batching: Batching) -> Lookups:
        """Lookups that join into few requests. Build one for each kind, once."""
        return Lookups(batching, self._sessions)

    async def side_leg(self, leg: Coroutine[Any, Any, T], part: float | None = None) -> T:
        """The result of a request beside the main one. One that takes too long goes on into the cache, for the next
        time, as long as this transport is open.

        It may take as long as a record waits; or ``part`` of what is left of the call's time, where another request
        takes its place then.

        Raises:
            RateLimited, UpstreamError: it failed, or took too long.
            Refused: the source knows its meaning.
        """
        session = self._sessions.current
        deadline = session.retry.current().deadline or 0.0  # set before the side request would set it
        seconds = self.timing.side_leg_seconds if part is None else max(0.0, part * (deadline - self.timing.clock()))
        return await session.side_leg(self._within_patience(leg, seconds), seconds)

    async def in_part(self, question: Coroutine[Any, Any, T], part: float) -> T:
        """The answer to a question that may take no more than a part of the call's time, as another may have to follow.
        The wait for its slot does not count.

        Raises:
            RateLimited, UpstreamError: it took longer, or failed.
        """
        deadline = self._sessions.current.retry.current().deadline or 0.0
        with call.background(answer_seconds=part * (deadline - self.timing.clock())):
            return await question

    def beside(self, own_settings: Mapping[str, str]) -> "Transport":
        """A transport for a caller who brings settings of their own, such as a key. It shares the cache, and no
        requests: that key serves no other caller.
        """
        settings = self.settings.with_changes(own_settings)
        transport = Transport(settings, timing=self.timing, cache=self.cache, wire=self.network)
        transport._owns_cache = False
        transport._own_keys = frozenset(own_settings)
        transport.quotas = self.quotas
        return transport

    def afresh(self) -> AbstractContextManager[call.Call]:
        """Give the requests within the whole time of a call, however long the present job has taken; in a tool call,
        what is left of its time, if that is less.
        """
        return call.background(deadline=self.timing.deadline())

    async def _within_patience(self, leg: Coroutine[Any, Any, T], seconds: float) -> T:
        """The result of a side request; an expired answer in time, if there is no new one."""
        with call.background(stale_deadline=self.timing.clock() + _PATIENT_PART * seconds):
            return await leg

    async def aclose(self) -> None:
        """Cancel everything under way, whose calls fail, then close files and connections."""
        await self._sessions.aclose()
        if self._owns_cache:
            await self.cache.aclose()

    async def _join_flight(
        self, request: Request, read: Callable[[bytes], T], keep: Keep | None, *, has_stale: bool
    ) -> tuple[Entry, T]:
        session = self._sessions.current
        current = session.retry.current(has_stale=has_stale)
        identity = _identity(request, keep)
        values: list[T] = []  # parsed already by this call's own flight

        async def fly() -> Entry:
            send = functools.partial(self._exchange, request, read, keep)
            payers = session.flights.subjects(identity)
            waiters = session.flights.waiters(identity)
            attempt = Attempt(request.service, send, lambda: identity, request.part, payers, lambda: tuple(waiters))
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
        try:
            return await self._read_exchange(request, read, keep, ready)
        except BodyTooLarge as error:
            hint = "Ask for less at a time."
            cause = error.with_traceback(None)  # its frames hold the answer
            raise UpstreamError(f"{request.service.title} {error}.", hint=hint) from cause

    async def _read_exchange(
        self, request: Request, read: Callable[[bytes], T], keep: Keep | None, ready: Ready
    ) -> tuple[Entry, T]:
        service = request.service
        session = self._sessions.current
        answer = await session.wire().exchange(request, ready)
        session.budgets.observe(service, answer.headers)
        seconds = keep.seconds if keep else 0.0
        if request.is_absent is not None or request.is_gone is not None:
            answer, seconds = self._present(request, answer, seconds)
        else:
            good_answer(answer, service, self.settings, self.timing)
        if request.payload is not None and answer.body:
            answer = replace(answer, body=request.payload(answer))
        value = read(answer.body)
        if value is None:  # the body reports that there is no such record
            seconds = min(seconds, ABSENT_SECONDS)
        return Entry.of(answer, answer.body, self.timing.wall_clock(), seconds), value

    def _present(self, request: Request, answer: Answer, seconds: float) -> tuple[Answer, float]:
        """The answer, and the seconds for which it may be kept; an empty body if there is no such record."""
        if request.is_absent is not None and request.is_absent(answer):
            return replace(answer, body=b""), min(seconds, ABSENT_SECONDS)
        if request.is_gone is not None and request.is_gone(answer):
            raise refused(answer, self.settings)
        good_answer(answer, request.service, self.settings, self.timing)
        if not answer.body.strip():
            raise Transient("sent an empty body")
        return answer, seconds

    def _session(self) -> Session:
        folder = cache_folder(self.settings)
        budgets = self._budgets or Budgets(self.settings, self.timing, folder, own_keys=self._own_keys)
        return Session(self.settings, self.timing, cache=self.cache, budgets=budgets, network=self.network)


def _identity(request: Request, keep: Keep | None) -> Hashable:
    """A key that is the same for the same request."""
    form = (request.service.name, request.method, request.path, request.params, request.accept, keep)
    return (*form, request.text, orjson.dumps(request.json, option=orjson.OPT_SORT_KEYS))
