"""One tool call under way: its deadline, its priority, its answers and notices so far; and its caller."""

import functools
import itertools
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from biofact.core import events
from biofact.core.records import Notice, Origin, Provenance

Lane = Literal["interactive", "bulk"]

_MOST_REPORTS = 20
_MOST_FURTHER = 10  # a batch from the cache can have hundreds
_FRESHEST_FIRST: tuple[Origin, ...] = ("live", "sandbox", "cache", "stale")
_numbers = itertools.count()


async def _no_progress(_done: int, _total: int, _activity: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Caller:
    """The origin of calls: where to report their progress, and the model that it lends."""

    progress: Callable[[int, int, str], Awaitable[None]] = _no_progress
    """Takes the count done, the total, and a word for the work."""
    model: Any = None
    """A language model that the caller lends the pipeline, or None."""
    most_characters: float = math.inf
    """The longest answer as JSON that the caller can read."""
    subject: str = ""
    """Opaque name that tells callers of one server apart; empty where there is only one."""


_caller: ContextVar[Caller] = ContextVar("biofact_caller", default=Caller())  # noqa: B039  # frozen


def caller() -> Caller:
    """The origin of the call under way."""
    return _caller.get()


@contextmanager
def on_behalf_of(origin: Caller) -> Iterator[None]:
    """Make the calls within on behalf of ``origin``."""
    token = _caller.set(origin)
    try:
        yield
    finally:
        _caller.reset(token)


@dataclass(slots=True)
class Progress:
    """The progress of a call: the sum of its counters."""

    counters: "list[Counter]" = field(default_factory=list)
    reported: int = -1
    """The number last reported to its caller; the next one is greater."""


@dataclass(slots=True)
class Call:
    """The context of one call, which no layer has to hand on."""

    lane: Lane = "interactive"
    number: int = field(default_factory=partial(next, _numbers))
    """Calls are numbered as they begin: of two that wait for the same service the lower number, the older, is first."""
    subject: str = field(default_factory=lambda: caller().subject)
    """The caller: callers get equal shares of a service."""
    deadline: float | None = None
    """The time on the transport's clock by which its requests have to be answered; that of a job without one is set by
    its first request.
    """
    whole_deadline: float = math.inf
    """The deadline of the whole tool call, beyond which no part of it may ask; none for a job, of whose questions each
    may have the whole time of a call.
    """
    began_at: float = math.inf
    """The time of its first request on the same clock; the oldest call's, for a request that answers several."""
    is_shared: bool = False
    """Whether it is a request that answers several calls; its number is the oldest one's."""
    payers: Sequence[str] = ()
    """Subjects that each pay a part of the slot of a request that their calls wait for."""
    yields_until: float = -math.inf
    """A request that calls may still join lets requests pass until then that none can join."""
    answer_seconds: float | None = None
    """The time for answers from the first request on; None for all the time until the deadline."""
    stale_deadline: float | None = None
    """The time until which a new answer is preferred to an expired one; None for the usual time."""
    answers: list[Provenance] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)
    failures: dict[str, Exception] = field(default_factory=dict)
    """By service, its last failure since it last answered a request of this call."""

    def extend(self, seconds: float) -> None:
        """Let a call with a deadline end later, as it has a long list to answer."""
        if self.deadline is not None:
            self.deadline += seconds
            self.whole_deadline += seconds

    def adopt(self, other: "Call") -> None:
        """Count the answers of another call as this one's, after those that are there."""
        self.answers.extend(other.answers)

    def provenance(self) -> Provenance | None:
        """The first answer, as old as the oldest of all, with the further ones in ``others``. None without answers."""
        first, *further = tuple(dict.fromkeys(self.answers)) or (None,)
        return _combined(first, tuple(further)) if first and further else first


@functools.lru_cache(maxsize=1024)
def _combined(first: Provenance, further: tuple[Provenance, ...]) -> Provenance:
    answers = (first, *further)
    return first.model_copy(
        update={
            "origin": max((a.origin for a in answers), key=_FRESHEST_FIRST.index),
            "retrieved_at": min(a.retrieved_at for a in answers),
            "others": tuple(_without_same_licence(first, other) for other in further[:_MOST_FURTHER]),
        }
    )


def _without_same_licence(first: Provenance, other: Provenance) -> Provenance:
    """``other`` without a licence that ``first`` states already."""
    return other.model_copy(update={"licence": None}) if other.licence == first.licence else other


_current: ContextVar[Call | None] = ContextVar("biofact_call", default=None)


def current() -> Call:
    """The call under way; a new one where none is (a program that uses the transport directly)."""
    return _current.get() or Call()


@contextmanager
def background(
    *, deadline: float | None = None, answer_seconds: float | None = None, stale_deadline: float | None = None
) -> Iterator[Call]:
    """A side request of the call under way, with limits of its own where they are given; none outlasts the call."""
    call = current()
    side_call = replace(
        call,
        deadline=call.deadline if deadline is None else min(deadline, call.whole_deadline),
        answer_seconds=answer_seconds or call.answer_seconds,
        stale_deadline=stale_deadline or call.stale_deadline,
    )
    token = _current.set(side_call)
    try:
        yield side_call
    finally:
        _current.reset(token)


@contextmanager
def prefetch() -> Iterator[Call]:
    """A side request made ahead of its turn: the call under way adopts what this yields where its answers belong."""
    with background() as side_call:
        side_call.answers = []
        yield side_call


@contextmanager
def session(deadline: float | None = None) -> Iterator[Call]:
    """Open a call, or go on with the one under way when a tool calls another.

    With a deadline it is a tool call: all that it asks ends then. Without one it is a job of a program.
    """
    call = _current.get()
    if call is not None:
        yield call
        return
    call = Call(deadline=deadline, whole_deadline=math.inf if deadline is None else deadline)
    events.call_number.set(call.number)
    token = _current.set(call)
    try:
        yield call
    finally:
        _current.reset(token)


SECONDS_PER_ENTITY = 2.0
"""Time that each entity of a long list adds to the deadline of a call: all wait for the same services."""


@contextmanager
def bulk(deadline: float) -> Iterator[Call]:
    """Open a call that is one of many: it has low priority, and is to be answered by ``deadline``."""
    with session() as call:
        call.lane = "bulk"
        call.deadline = deadline
        yield call


class Counter:
    """Counts the work of a call that is done, and reports it to its caller, some twenty times at most.

    A call that counts several things, one after the other or side by side, reports their sum, which only rises.
    """

    def __init__(self, total: int, activity: str) -> None:
        self.done = 0
        self.total = total
        self._activity = activity
        self._due = 0
        self._progress = current().progress
        self._progress.counters.append(self)

    def expect(self, count: int = 1) -> None:
        """Raise the total by ``count``."""
        self.total += count

    async def add(self, count: int = 1) -> None:
        """Count ``count`` more as done."""
        self.done += count
        if self._due <= self.done or self.total <= self.done:
            self._due = self.done + self.total // _MOST_REPORTS
            await self._report()

    async def _report(self) -> None:
        done, total = (sum(counts) for counts in zip(*self._counts(), strict=True))
        if done > self._progress.reported:
            self._progress.reported = done
            await caller().progress(done, total, self._activity)

    def _counts(self) -> Iterator[tuple[int, int]]:
        for counter in self._progress.counters:
            yield counter.done, counter.total
