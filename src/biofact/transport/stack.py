"""The order of the layers: cache, single flight, batch, retry, budget, wire."""

import functools
import math
from collections.abc import Callable, Coroutine, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

import orjson

from biofact.core import call
from biofact.core.errors import BiofactError, RateLimited, UpstreamError
from biofact.core.settings import Settings
from biofact.transport.budget import Budgets
from biofact.transport.cache import Cache, cache_folder
from biofact.transport.quota import Charge
from biofact.transport.quotas import Quotas
from biofact.transport.replica_state import RedisState
from biofact.transport.retry import Attempt, judged
from biofact.transport.scheduler import Ready
from biofact.transport.service import ABSENT_SECONDS, Answer, Batching, BodyTooLarge, Keep, Request, Transient
from biofact.transport.session import Session, Sessions
from biofact.transport.store import Entry
from biofact.transport.timing import Timing

if TYPE_CHECKING:
    from biofact.transport.wire import Network

T = TypeVar("T")

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
        self.quotas = Quotas(self.settings, self._charge)

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
        with call.aside(answer_seconds=part * (deadline - self.timing.clock())):
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
        return call.aside(deadline=self.timing.deadline())

    async def _beside(self, leg: Coroutine[Any, Any, T]) -> T:
        """The leg's result; an expired answer in time, where a new one cannot be had."""
        with call.aside(stale_deadline=self.timing.clock() + _PATIENT_PART * self.timing.side_leg_seconds):
            return await leg

    async def aclose(self) -> None:
        """Call off what is under way, telling those who wait for it, and let go of everything."""
        await self._sessions.aclose()
        if self._owns_cache:
            await self.cache.aclose()

    async def _charge(self, charge: Charge) -> float:
        return await self.budgets.charge(charge)

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
        return entry, values[0] if values else entry.read(read)

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
            judged(answer, service, self.settings, self.timing)
        value = read(answer.body)
        if value is None:  # a body that says that there is no such thing
            seconds = min(seconds, ABSENT_SECONDS)
        return Entry.of(answer, answer.body, self.timing.wall_clock(), seconds), value

    def _present(self, request: Request, answer: Answer, seconds: float) -> tuple[Answer, float]:
        """The answer, and how long it may be kept; an empty body where there is no such thing."""
        if answer.status == request.absent_status:
            return replace(answer, body=b""), min(seconds, ABSENT_SECONDS)
        judged(answer, request.service, self.settings, self.timing)
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
