"""Joining: lookups of one kind that happen together become one request, split again as its answer arrives."""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar, overload

from biofact.core import call, events
from biofact.core.call import Call, Lane
from biofact.core.errors import BiofactError, RateLimited, UpstreamError
from biofact.transport.ask.flight import Flights
from biofact.transport.ask.retry import Attempt, Retry
from biofact.transport.keep.cache import Cache
from biofact.transport.keep.store import Entry
from biofact.transport.service import (
    Answer,
    Batching,
    BodyTooLarge,
    Ready,
    Refused,
    Request,
    Service,
    Splitter,
    Transient,
)
from biofact.transport.timing import Timing

T = TypeVar("T")

Stream = Callable[[Request, Ready], AbstractAsyncContextManager[tuple[Answer, AsyncIterator[bytes]]]]
"""Sends a request when it is ready, and hands over its good answer, body in chunks."""

_MOST_HALVINGS = 12  # enough to find one bad ID among a thousand; a service that refuses everything is soon left alone


def _future() -> "asyncio.Future[Entry]":
    return asyncio.get_running_loop().create_future()


@dataclass(frozen=True, slots=True, eq=False)
class _Wanted:
    """One ID that somebody waits for."""

    id: str
    lane: Lane
    number: int
    """Of the call that wants it: its age."""
    subjects: Sequence[str]
    """Whose calls want it, as they come and go."""
    deadline: float
    began_at: float
    """When that call began."""
    entry: "asyncio.Future[Entry]" = field(default_factory=_future)


@dataclass(slots=True, eq=False)
class _Errand:
    """One request. It takes its IDs on board when its turn has come, so that late comers still get a seat."""

    call: Call
    seats: int
    missing: dict[str, _Wanted] = field(default_factory=dict)
    """On board, and not answered yet."""
    halvings: Iterator[int] = field(default_factory=lambda: iter(range(_MOST_HALVINGS)))


async def _split(chunks: AsyncIterator[bytes], splitter: Splitter) -> AsyncIterator[list[tuple[str, bytes]]]:
    """The records that each chunk completes."""
    async for chunk in chunks:
        if records := splitter.feed(chunk):
            yield records
    splitter.close()


def _payers(wanted: Iterable[_Wanted]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(subject for one in wanted for subject in one.subjects))


def _in_turn(pending: Iterable[_Wanted]) -> list[_Wanted]:
    """The urgent first, and of these the first of each caller, then the second of each, and so on."""
    seats: Counter[tuple[Lane, str]] = Counter()
    places = {}
    for wanted in pending:
        own = [(wanted.lane, subject) for subject in wanted.subjects]
        places[wanted] = (wanted.lane == "bulk", min(map(seats.__getitem__, own), default=0))
        seats.update(own)
    return sorted(places, key=places.__getitem__)


def _key(kind: str, errand: _Errand) -> Hashable:
    return kind, frozenset(errand.missing)


class Batch:
    """Lookups of one kind on one event loop: each answered from the cache, or with whatever else is asked now."""

    def __init__(self, batching: Batching, *, cache: Cache, retry: Retry, stream: Stream, timing: Timing) -> None:
        self._batching = batching
        self._cache = cache
        self._retry = retry
        self._stream = stream
        self._timing = timing
        # A flight here keeps the deadline of all on board, not its starter's: that is for the starter to keep.
        self._flights: Flights[Entry] = Flights(timing, keeps_deadline=False)
        self._pending: list[_Wanted] = []
        self._window: asyncio.TimerHandle | None = None
        self._errands: dict[_Errand, asyncio.Task[None]] = {}
        self._waiting: list[_Errand] = []  # for their turn, with nobody on board yet
        self._asked_service: Service | None = None

    @overload
    async def get(self, id: str) -> bytes | None: ...

    @overload
    async def get(self, id: str, read: Callable[[bytes], T]) -> T | None: ...

    async def get(self, id: str, read: Callable[[bytes], Any] = bytes) -> Any:  # noqa: A002
        """What ``read``, which is pure, makes of the record of one ID; None when the service positively has none.

        Raises:
            RateLimited, UpstreamError: the service failed, and nothing that is kept may stand in.
            Refused: the source says what it means.
        """
        return await self._answered(id, read, await self._kept(id), call.current().lane)

    @overload
    async def get_many(self, ids: Sequence[str]) -> dict[str, bytes | BiofactError | None]: ...

    @overload
    async def get_many(self, ids: Sequence[str], read: Callable[[bytes], T]) -> dict[str, T | BiofactError | None]: ...

    async def get_many(self, ids: Sequence[str], read: Callable[[bytes], Any] = bytes) -> dict[str, Any]:
        """What ``read`` makes of the records of many IDs, in order, each once; None for an absent one, or why it is
        not known.
        """
        distinct = list(dict.fromkeys(ids))
        kept = await self._cache.find_many(self._service(distinct[0]), self._batching.kind, distinct) if ids else {}
        fresh = {id: entry for id, entry in kept.items() if entry.origin == "cache"}  # noqa: A001
        unknown = [id for id in distinct if id not in fresh]  # noqa: A001
        lane: Lane = "bulk" if len(unknown) > self._batching.limit else call.current().lane
        found = {id: await self._settled(id, read, entry, lane) for id, entry in fresh.items()}  # noqa: A001
        asked = await asyncio.gather(*(self._settled(id, read, kept.get(id), lane) for id in unknown))  # noqa: A001
        found.update(zip(unknown, asked, strict=True))
        return {id: found[id] for id in distinct}  # noqa: A001

    async def aclose(self) -> None:
        """Call off everything under way."""
        if self._window is not None:
            self._window.cancel()
        await self._flights.aclose()
        tasks = list(self._errands.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _kept(self, id: str) -> Entry | None:  # noqa: A002
        return await self._cache.find(self._service(id), self._batching.kind, id)

    async def _settled(
        self,
        id: str,  # noqa: A002
        read: Callable[[bytes], T],
        kept: Entry | None,
        lane: Lane,
    ) -> T | BiofactError | None:
        try:
            return await self._answered(id, read, kept, lane)
        except BiofactError as error:
            return error
        except Refused as refusal:
            title, status = self._service(id).title, refusal.answer.status
            return UpstreamError(f"{title} refused {id!r:.60} (HTTP {status}).", hint="Ask for this ID alone.")

    async def _answered(
        self,
        id: str,  # noqa: A002
        read: Callable[[bytes], T],
        kept: Entry | None,
        lane: Lane,
    ) -> T | None:
        service = self._service(id)
        entry = kept
        if entry is None or entry.origin == "stale":
            current = self._retry.current(has_stale=kept is not None and kept.body is not None)
            try:
                entry = await self._flights.join(id, service, current, lambda: self._queued(id, lane, current))
            except (RateLimited, UpstreamError):
                # That there was no record then does not say that there is none now.
                if kept is None or kept.body is None:
                    raise
                entry = kept
        self._cache.hand_up(service, entry)
        return None if entry.body is None else entry.value(read)

    async def _queued(self, id: str, lane: Lane, current: Call) -> Entry:  # noqa: A002
        subjects = self._flights.subjects(id)
        wanted = _Wanted(id, lane, current.number, subjects, current.deadline or 0.0, current.began_at)
        self._pending.append(wanted)
        if len(self._pending) >= self._batching.limit * (len(self._waiting) + 1):
            self._send()
        elif self._window is None:
            # With nothing under way a lookup goes at once; those of the same moment still join it.
            seconds = self._timing.batch_window_seconds if self._errands else 0.0
            self._window = asyncio.get_running_loop().call_later(seconds, self._send)
        return await wanted.entry

    def _send(self) -> None:
        """Let as many requests wait for their turn as the pending IDs need."""
        if self._window is not None:
            self._window.cancel()
            self._window = None
        self._pending = [wanted for wanted in self._pending if not wanted.entry.done()]
        urgent = sum(wanted.lane == "interactive" for wanted in self._pending)
        limit = self._batching.limit
        while limit * sum(errand.call.lane == "interactive" for errand in self._waiting) < urgent:
            self._waiting.append(self._started(self._errand("interactive")))
        while limit * len(self._waiting) < len(self._pending):
            self._waiting.append(self._started(self._errand("bulk")))
        self._rank_waiting()

    def _errand(self, lane: Lane) -> _Errand:
        yields_until = self._timing.clock() + self._timing.join_seconds
        return _Errand(Call(lane, is_shared=True, yields_until=yields_until), self._batching.limit)

    def _rank_waiting(self) -> None:
        """Make each waiting request as old, and as needy, as any call that may board it; a full one yields to none, nor
        does one that a call waits for whose time is all but over.
        """
        latest = max((wanted.deadline for wanted in self._pending), default=0.0)
        self._waiting.sort(key=lambda errand: errand.call.lane == "bulk")
        for turn, errand in enumerate(self._waiting, 1):
            own = [wanted for wanted in self._pending if wanted.lane == errand.call.lane]
            errand.call.number = min([errand.call.number, *(wanted.number for wanted in own)])
            errand.call.began_at = min([errand.call.began_at, *(wanted.began_at for wanted in own)])
            errand.call.payers = _payers(own) or errand.call.payers
            errand.call.deadline = max(errand.call.deadline or 0.0, latest)
            earliest = min((wanted.deadline for wanted in own), default=math.inf)
            errand.call.yields_until = min(errand.call.yields_until, earliest - self._timing.join_seconds)
            if len(self._pending) >= turn * self._batching.limit:
                errand.call.yields_until = -math.inf

    def _started(self, errand: _Errand) -> _Errand:
        task = self._errands[errand] = asyncio.create_task(self._run(errand))
        task.add_done_callback(partial(self._ended, errand))
        return errand

    def _ended(self, errand: _Errand, task: "asyncio.Task[None]") -> None:
        """What ends an errand also ends the wait of those on board, or of those it was started for."""
        del self._errands[errand]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._board(errand)
        elif errand in self._waiting:
            self._waiting.remove(errand)
        for wanted in errand.missing.values():
            if wanted.entry.done():
                continue
            if error is None:
                wanted.entry.cancel()
            else:
                wanted.entry.set_exception(error)

    def _board(self, errand: _Errand) -> None:
        """Fill the free seats, the urgent first and each caller's in turn, and give up turns that nobody needs now."""
        if errand in self._waiting:
            self._waiting.remove(errand)
        self._pending = [wanted for wanted in self._pending if not wanted.entry.done()]
        self._pending = _in_turn(self._pending)
        free = max(0, errand.seats - len(errand.missing))
        for wanted in self._pending[:free]:
            errand.missing[wanted.id] = wanted
            errand.call.deadline = max(errand.call.deadline or 0.0, wanted.deadline)
        errand.call.payers = _payers(errand.missing.values())
        del self._pending[:free]
        self._rank_waiting()
        while self._waiting and self._batching.limit * (len(self._waiting) - 1) >= len(self._pending):
            self._errands[self._waiting.pop()].cancel()

    async def _run(self, errand: _Errand) -> None:
        service = self._asked_service
        assert service is not None  # noqa: S101  # known since the first lookup
        try:
            key = partial(_key, self._batching.kind, errand)
            await self._retry.run(Attempt(service, partial(self._attempt, errand), key), errand.call)
        except (Refused, BodyTooLarge) as failure:
            # One bad ID or one huge record must not fail the others: ask for each half by itself.
            if len(errand.missing) > 1 and next(errand.halvings, None) is not None:
                self._halve(errand)
                return
            if isinstance(failure, Refused):
                raise
            raise UpstreamError(f"{service.title} {failure}.", hint="No record of this size can be read.") from failure

    def _halve(self, errand: _Errand) -> None:
        rest = list(errand.missing.items())
        errand.missing.clear()
        middle = len(rest) // 2
        for half in (rest[:middle], rest[middle:]):
            own = replace(errand.call, yields_until=-math.inf, payers=_payers(wanted for _, wanted in half))
            self._started(_Errand(own, seats=0, missing=dict(half), halvings=errand.halvings))

    async def _attempt(self, errand: _Errand, ready: Ready) -> None:
        self._board(errand)
        if not errand.missing:
            return
        try:
            await self._ask(errand.missing, ready)
        except Transient:
            if errand.missing:  # else only the end was cut off, behind all that was asked for
                raise

    async def _ask(self, missing: dict[str, _Wanted], ready: Ready) -> None:
        """Ask for what is missing; what is answered leaves it, so that a retry asks for the rest only."""
        asked = self._batching.ask(tuple(missing))
        events.REQUESTS.debug(
            "%s: %d of %s in one request", asked.request.service.name, len(missing), self._batching.kind
        )
        try:
            async with self._stream(asked.request, ready) as (answer, chunks):
                async for records in _split(chunks, asked.splitter):
                    # A record that nobody asked for answers nobody.
                    await self._resolve(missing, answer, {id: body for id, body in records if id in missing})  # noqa: A001
        except Refused as refused:
            if refused.answer.status != asked.request.absent_status:
                raise
            answer = refused.answer  # there is none of them
        await self._resolve(missing, answer, dict.fromkeys(missing))

    async def _resolve(self, missing: dict[str, _Wanted], answer: Answer, bodies: Mapping[str, bytes | None]) -> None:
        if not bodies:
            return
        entries = {id: self._entry(answer, body) for id, body in bodies.items()}  # noqa: A001
        await self._cache.keep_all(self._service(next(iter(entries))), self._batching.kind, entries)
        for id, entry in entries.items():  # noqa: A001
            wanted = missing.pop(id)
            if not wanted.entry.done():
                wanted.entry.set_result(entry)

    def _entry(self, answer: Answer, body: bytes | None) -> Entry:
        seconds = self._batching.absent_seconds if body is None else self._batching.seconds
        return Entry.of(answer, body, self._timing.wall_clock(), seconds)

    def _service(self, id: str) -> Service:  # noqa: A002
        """The service that the batched call asks: it tells with its first request."""
        if self._asked_service is None:
            self._asked_service = self._batching.ask((id,)).request.service
        return self._asked_service
