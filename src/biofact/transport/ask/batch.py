"""Joining: lookups of one kind that happen together become one request, split again as its answer arrives."""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

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
from biofact.transport.waiters import Waiter

T = TypeVar("T")

Stream = Callable[[Request, Ready], AbstractAsyncContextManager[tuple[Answer, AsyncIterator[bytes]]]]
"""Sends a request when it is ready, and yields its good answer, body in chunks."""

_MOST_HALVINGS = 12  # enough to find one bad ID among a thousand; a service that refuses everything is soon let alone


def _future() -> "asyncio.Future[Entry]":
    return asyncio.get_running_loop().create_future()


@dataclass(frozen=True, slots=True, eq=False)
class PendingLookup:
    """One ID that calls wait for."""

    id: str
    lane: Lane
    number: int
    """The number of the first call for it, which is its age."""
    subjects: Sequence[str]
    """The subjects of the calls that wait; the list changes as they come and go."""
    deadline: float
    began_at: float
    """The time at which that call began."""
    waiters: Sequence[Waiter] = ()
    """The calls that wait; the list changes, too."""
    entry: "asyncio.Future[Entry]" = field(default_factory=_future)


@dataclass(slots=True, eq=False)
class _Job:
    """One request. It takes its lookups when its slot is due, so that late ones still join it."""

    call: Call
    capacity: int
    lookups: dict[str, PendingLookup] = field(default_factory=dict)
    """By ID, the lookups that the job has taken and not answered yet."""
    halvings: Iterator[int] = field(default_factory=lambda: iter(range(_MOST_HALVINGS)))


async def _split(chunks: AsyncIterator[bytes], splitter: Splitter) -> AsyncIterator[list[tuple[str, bytes]]]:
    """The records that each chunk completes."""
    async for chunk in chunks:
        if records := splitter.feed(chunk):
            yield records
    splitter.close()


def _payers(lookups: Iterable[PendingLookup]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(subject for lookup in lookups for subject in lookup.subjects))


def _waiters(lookups: Iterable[PendingLookup]) -> list[Waiter]:
    return [waiter for lookup in lookups for waiter in lookup.waiters]


def by_priority(pending: Iterable[PendingLookup]) -> list[PendingLookup]:
    """Lookups, the urgent first, and of these the first of each caller, then the second of each, and so on."""
    counts: Counter[tuple[Lane, str]] = Counter()
    places = {}
    for lookup in pending:
        callers = [(lookup.lane, subject) for subject in lookup.subjects]
        places[lookup] = (lookup.lane == "bulk", min(map(counts.__getitem__, callers), default=0))
        counts.update(callers)
    return sorted(places, key=places.__getitem__)


def _key(kind: str, job: _Job) -> Hashable:
    return kind, frozenset(job.lookups)


class Batch:
    """Lookups of one kind on one event loop: each answered from the cache, or in one request with others of now."""

    def __init__(self, batching: Batching, *, cache: Cache, retry: Retry, stream: Stream, timing: Timing) -> None:
        self._batching = batching
        self._cache = cache
        self._retry = retry
        self._stream = stream
        self._timing = timing
        # A flight here keeps the deadline of all lookups in its request, not its starter's: that is for the starter.
        self._flights: Flights[Entry] = Flights(timing, retry.known_error, keeps_deadline=False)
        self._pending: list[PendingLookup] = []
        self._window: asyncio.Task[None] | None = None
        """Ends with the time in which lookups join before their job is queued."""
        self._jobs: dict[_Job, asyncio.Task[None]] = {}
        self._queued_jobs: list[_Job] = []  # without lookups yet: they wait for a slot
        self._known_service: Service | None = None

    async def get(self, id: str, parse: Callable[[bytes], T]) -> T | None:  # noqa: A002
        """The record of one ID, parsed by ``parse``, which is pure; None if the service reports that there is none.

        Raises:
            RateLimited, UpstreamError: the service failed, and no cached answer may stand in.
            Refused: the source knows its meaning.
        """
        cached = await self._cache.find(self._service(id), self._batching.kind, id)
        return await self._answer(id, parse, cached, call.current().lane)

    async def kept(self, id: str) -> Entry | None:  # noqa: A002
        """The record of one ID where it is kept and fresh, with nothing asked: also one that reports absence."""
        cached = await self._cache.find_fresh(self._service(id), self._batching.kind, id)
        if cached is not None:
            self._cache.hand_up(self._service(id), cached)
        return cached

    async def entry(self, id: str) -> Entry:  # noqa: A002
        """The record of one ID as it is kept, for a parser that depends on another answer; without a body if the
        service reports that there is none. Raises as ``get``.
        """
        cached = await self._cache.find(self._service(id), self._batching.kind, id)
        return await self._find_entry(id, cached, call.current().lane)

    async def get_many(self, ids: Sequence[str], parse: Callable[[bytes], T]) -> dict[str, T | BiofactError | None]:
        """The parsed records of many IDs, in their order without repeats; None for an absent one, or its error."""
        distinct = list(dict.fromkeys(ids))
        if not distinct:
            return {}
        cached = await self._cache.find_many(self._service(distinct[0]), self._batching.kind, distinct)
        fresh = {id: entry for id, entry in cached.items() if entry.origin == "cache"}  # noqa: A001
        unknown = [id for id in distinct if id not in fresh]  # noqa: A001
        lane: Lane = "bulk" if len(unknown) > self._batching.limit else call.current().lane
        # Fresh answers need no request: one after the other they come as soon, and without a task each.
        records = {id: await self._or_error(id, self._answer(id, parse, entry, lane)) for id, entry in fresh.items()}  # noqa: A001
        answers = (self._or_error(id, self._answer(id, parse, cached.get(id), lane)) for id in unknown)  # noqa: A001
        records.update(zip(unknown, await asyncio.gather(*answers), strict=True))
        return {id: records[id] for id in distinct}  # noqa: A001

    async def aclose(self) -> None:
        """Cancel everything under way."""
        if self._window is not None:
            self._window.cancel()
        await self._flights.aclose()
        tasks = list(self._jobs.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _or_error(self, id: str, answer: Awaitable[T]) -> T | BiofactError:  # noqa: A002
        try:
            return await answer
        except BiofactError as error:
            return error
        except Refused as refusal:
            title, status = self._service(id).title, refusal.answer.status
            return UpstreamError(f"{title} refused {id!r:.60} (HTTP {status}).", hint="Ask for this ID alone.")

    async def _answer(
        self,
        id: str,  # noqa: A002
        parse: Callable[[bytes], T],
        cached: Entry | None,
        lane: Lane,
    ) -> T | None:
        entry = await self._find_entry(id, cached, lane)
        return None if entry.body is None else entry.value(parse, is_new_remembered=lane == "interactive")

    async def _find_entry(self, id: str, cached: Entry | None, lane: Lane) -> Entry:  # noqa: A002
        service = self._service(id)
        entry = cached
        if entry is None or entry.origin == "stale":
            current = self._retry.current(has_stale=cached is not None and cached.body is not None)
            try:
                entry = await self._flights.join(
                    id, service, current, lambda: self._look_up(id, service, lane, current)
                )
            except (RateLimited, UpstreamError):
                if cached is None or cached.body is None:  # that a record was absent then does not say that it is now
                    raise
                entry = cached
        self._cache.hand_up(service, entry)
        return entry

    async def _look_up(self, id: str, service: Service, lane: Lane, current: Call) -> Entry:  # noqa: A002
        subjects = self._flights.subjects(id)
        lookup = PendingLookup(
            id,
            lane,
            current.number,
            subjects,
            current.deadline or 0.0,
            current.began_at,
            self._flights.waiters(id),
        )
        self._pending.append(lookup)
        if len(self._pending) >= self._batching.limit * (len(self._queued_jobs) + 1):
            self._queue_jobs()
        elif self._window is None:
            # With nothing under way a lookup goes at once; those of the same moment still join it.
            seconds = self._timing.batch_window_seconds if self._jobs else 0.0
            self._window = asyncio.create_task(self._wait_to_join(service, seconds))
        return await lookup.entry

    async def _wait_to_join(self, service: Service, seconds: float) -> None:
        await self._retry.wait_to_join(service, seconds, self._pending_waiters)
        self._window = None
        self._queue_jobs()

    def _queue_jobs(self) -> None:
        """Queue as many jobs as the pending lookups need."""
        if self._window is not None:
            self._window.cancel()
            self._window = None
        self._pending = [lookup for lookup in self._pending if not lookup.entry.done()]
        urgent = sum(lookup.lane == "interactive" for lookup in self._pending)
        limit = self._batching.limit
        while limit * sum(job.call.lane == "interactive" for job in self._queued_jobs) < urgent:
            self._queued_jobs.append(self._start(self._new_job("interactive")))
        while limit * len(self._queued_jobs) < len(self._pending):
            self._queued_jobs.append(self._start(self._new_job("bulk")))
        self._rank_jobs()

    def _new_job(self, lane: Lane) -> _Job:
        yields_until = self._timing.clock() + self._timing.join_seconds
        return _Job(Call(lane, is_shared=True, yields_until=yields_until), self._batching.limit)

    def _rank_jobs(self) -> None:
        """Make each queued job as old, and as needy, as any lookup that may join it.

        A full job yields to no other request, nor does one that a call waits for whose time is all but over.
        """
        latest = max((lookup.deadline for lookup in self._pending), default=0.0)
        self._queued_jobs.sort(key=lambda job: job.call.lane == "bulk")
        for position, job in enumerate(self._queued_jobs, 1):
            lookups = [lookup for lookup in self._pending if lookup.lane == job.call.lane]
            job.call.number = min([job.call.number, *(lookup.number for lookup in lookups)])
            job.call.began_at = min([job.call.began_at, *(lookup.began_at for lookup in lookups)])
            job.call.payers = _payers(lookups) or job.call.payers
            job.call.deadline = max(job.call.deadline or 0.0, latest)
            earliest = min((lookup.deadline for lookup in lookups), default=math.inf)
            job.call.yields_until = min(job.call.yields_until, earliest - self._timing.join_seconds)
            if len(self._pending) >= position * self._batching.limit:
                job.call.yields_until = -math.inf

    def _start(self, job: _Job) -> _Job:
        task = self._jobs[job] = asyncio.create_task(self._run(job))
        task.add_done_callback(partial(self._finish, job))
        return job

    def _finish(self, job: _Job, task: "asyncio.Task[None]") -> None:
        """End the lookups of a job that has ended; of one that failed before it took any, those it was started for."""
        del self._jobs[job]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._take_lookups(job)
        elif job in self._queued_jobs:
            self._queued_jobs.remove(job)
        for lookup in job.lookups.values():
            if lookup.entry.done():
                continue
            if error is None:
                lookup.entry.cancel()
            else:
                lookup.entry.set_exception(error)

    def _take_lookups(self, job: _Job) -> None:
        """Fill a job, urgent lookups first and each caller's in turn, and cancel queued jobs that are not needed."""
        if job in self._queued_jobs:
            self._queued_jobs.remove(job)
        self._pending = by_priority(lookup for lookup in self._pending if not lookup.entry.done())
        free = max(0, job.capacity - len(job.lookups))
        for lookup in self._pending[:free]:
            job.lookups[lookup.id] = lookup
            job.call.deadline = max(job.call.deadline or 0.0, lookup.deadline)
        job.call.payers = _payers(job.lookups.values())
        del self._pending[:free]
        self._rank_jobs()
        while self._queued_jobs and self._batching.limit * (len(self._queued_jobs) - 1) >= len(self._pending):
            self._jobs[self._queued_jobs.pop()].cancel()

    async def _run(self, job: _Job) -> None:
        service = self._known_service
        assert service is not None  # noqa: S101  # known since the first lookup
        try:
            key = partial(_key, self._batching.kind, job)
            waiters = partial(self._waiters, job)
            await self._retry.run(Attempt(service, partial(self._attempt, job), key, waiters=waiters), job.call)
        except (Refused, BodyTooLarge) as failure:
            # One bad ID or one huge record must not fail the others: ask for each half by itself.
            if len(job.lookups) > 1 and next(job.halvings, None) is not None:
                self._halve(job)
                return
            if isinstance(failure, Refused):
                raise
            raise UpstreamError(f"{service.title} {failure}.", hint="No record of this size can be read.") from failure

    def _waiters(self, job: _Job) -> list[Waiter]:
        """The calls that wait for a job: for one without lookups yet, all whose lookups are pending."""
        return _waiters(job.lookups.values() or self._pending)

    def _pending_waiters(self) -> list[Waiter]:
        return _waiters(self._pending)

    def _halve(self, job: _Job) -> None:
        lookups = list(job.lookups.items())
        job.lookups.clear()
        middle = len(lookups) // 2
        for half in (lookups[:middle], lookups[middle:]):
            half_call = replace(job.call, yields_until=-math.inf, payers=_payers(lookup for _, lookup in half))
            self._start(_Job(half_call, capacity=0, lookups=dict(half), halvings=job.halvings))

    async def _attempt(self, job: _Job, ready: Ready) -> None:
        self._take_lookups(job)
        if not job.lookups:
            return
        try:
            await self._send(job.lookups, ready)
        except Transient:
            if job.lookups:  # else only the end was cut off, behind all requested records
                raise

    async def _send(self, lookups: dict[str, PendingLookup], ready: Ready) -> None:
        """Send one request; answered lookups leave the dictionary, so that a retry asks for the rest only."""
        batch_call = self._batching.ask(tuple(lookups))
        request = batch_call.request
        events.REQUESTS.debug("%s: %d of %s in one request", request.service.name, len(lookups), self._batching.kind)
        try:
            async with self._stream(request, ready) as (answer, chunks):
                async for records in _split(chunks, batch_call.splitter):
                    # A service may send records that were not requested: they answer no lookup.
                    await self._resolve(lookups, answer, {id: body for id, body in records if id in lookups})  # noqa: A001
        except Refused as refusal:
            if request.is_absent is None or not request.is_absent(refusal.answer):
                raise
            answer = refusal.answer  # all of them are absent
        await self._resolve(lookups, answer, dict.fromkeys(lookups))

    async def _resolve(
        self, lookups: dict[str, PendingLookup], answer: Answer, bodies: Mapping[str, bytes | None]
    ) -> None:
        if not bodies:
            return
        entries = {id: self._entry(answer, body) for id, body in bodies.items()}  # noqa: A001
        await self._cache.keep_all(self._service(next(iter(entries))), self._batching.kind, entries)
        for id, entry in entries.items():  # noqa: A001
            lookup = lookups.pop(id)
            if not lookup.entry.done():
                lookup.entry.set_result(entry)

    def _entry(self, answer: Answer, body: bytes | None) -> Entry:
        seconds = self._batching.absent_seconds if body is None else self._batching.seconds
        return Entry.of(answer, body, self._timing.wall_clock(), seconds)

    def _service(self, id: str) -> Service:  # noqa: A002
        """The service of the batched call, which only a request names."""
        if self._known_service is None:
            self._known_service = self._batching.ask((id,)).request.service
        return self._known_service
