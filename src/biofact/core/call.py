"""One tool call under way: its deadline, its lane, its answers and notices so far; and who made it."""

import itertools
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from biofact.core import log
from biofact.core.provenance import Notice, Origin, Provenance

Lane = Literal["interactive", "bulk"]

_MOST_OTHERS = 10  # a batch from the cache can have hundreds
_FRESHEST_FIRST: tuple[Origin, ...] = ("live", "sandbox", "cache", "stale")
_numbers = itertools.count()


async def _no_progress(_done: int, _total: int, _what: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever makes the calls: where to report progress, and the model that they lend."""

    progress: Callable[[int, int, str], Awaitable[None]] = _no_progress
    """Takes how much is done, of how much, and what is going on."""
    model: Any = None
    """A language model that answers for the call, as the pipeline needs it; None where they lend none."""
    most_characters: float = math.inf
    """Of an answer as JSON: how much of it they can read."""
    subject: str = ""
    """Tells callers of one server apart, and tells nothing else of them; empty where there is only one."""


_caller: ContextVar[Caller] = ContextVar("biofact_caller", default=Caller())  # noqa: B039  # frozen


def caller() -> Caller:
    """Who made the call under way."""
    return _caller.get()


@contextmanager
def made_by(who: Caller) -> Iterator[None]:
    """Set who makes the calls within."""
    token = _caller.set(who)
    try:
        yield
    finally:
        _caller.reset(token)


@dataclass(slots=True)
class Progress:
    """How far a call is: what each of its counters has counted, together."""

    counters: "list[Counter]" = field(default_factory=list)
    reported: int = -1
    """The number that its caller was given last; the next one is greater."""


@dataclass(slots=True)
class Call:
    """What travels beside a call, so that no layer has to hand it on."""

    lane: Lane = "interactive"
    number: int = field(default_factory=partial(next, _numbers))
    """Calls are numbered as they begin: of two that wait for the same service the lower number, the older, is first."""
    subject: str = field(default_factory=lambda: caller().subject)
    """Whose call it is: callers get equal shares of a service."""
    deadline: float | None = None
    """On the transport's clock; the first request of the call sets it, once for all of them."""
    began_at: float = math.inf
    """On the same clock, when its first request was made; of a request that answers several calls, the oldest one's."""
    is_shared: bool = False
    """It is a request that answers several calls; its number is the oldest one's."""
    payers: Sequence[str] = ()
    """Of a request that several calls wait for: their subjects, who each pay a part of its slot."""
    yields_until: float = -math.inf
    """For one that others may still join: until then it lets those pass that nobody can join."""
    answer_seconds: float | None = None
    """How long answers may take, from when the first of its requests is sent; None for all the time that is left."""
    stale_deadline: float | None = None
    """Until when to try for new answers where expired ones are at hand; None for as long as usual."""
    answers: list[Provenance] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)

    def adopt(self, other: "Call") -> None:
        """Count the answers of another call as this one's, after those that are there."""
        self.answers.extend(other.answers)

    def provenance(self) -> Provenance | None:
        """The first answer, as old as the oldest of all, naming the others. None without answers."""
        answers = list(dict.fromkeys(self.answers))
        if not answers:
            return None
        first, *others = answers
        if not others:
            return first
        return first.model_copy(
            update={
                "origin": max((a.origin for a in answers), key=_FRESHEST_FIRST.index),
                "retrieved_at": min(a.retrieved_at for a in answers),
                "others": tuple(_beside(first, other) for other in others[:_MOST_OTHERS]),
            }
        )


def _beside(first: Provenance, other: Provenance) -> Provenance:
    """``other`` without a licence that ``first`` states already."""
    return other.model_copy(update={"licence": None}) if other.licence == first.licence else other


_current: ContextVar[Call | None] = ContextVar("biofact_call", default=None)


def current() -> Call:
    """The call under way; a fresh one where none is (a program that uses the transport directly)."""
    return _current.get() or Call()


@contextmanager
def aside(
    *, deadline: float | None = None, answer_seconds: float | None = None, stale_deadline: float | None = None
) -> Iterator[Call]:
    """Ask something beside the call under way, with limits of its own where they are given."""
    now = current()
    beside = replace(
        now,
        deadline=deadline or now.deadline,
        answer_seconds=answer_seconds or now.answer_seconds,
        stale_deadline=stale_deadline or now.stale_deadline,
    )
    token = _current.set(beside)
    try:
        yield beside
    finally:
        _current.reset(token)


@contextmanager
def ahead() -> Iterator[Call]:
    """Ask something before its place among the answers of the call under way, which adopts what this yields there."""
    with aside() as beside:
        beside.answers = []
        yield beside


@contextmanager
def opened() -> Iterator[Call]:
    """Open a call, or go on with the one under way when a tool calls another."""
    call = _current.get()
    if call is not None:
        yield call
        return
    call = Call()
    log.call_number.set(call.number)
    token = _current.set(call)
    try:
        yield call
    finally:
        _current.reset(token)


class Counter:
    """Counts what is done of a call, and reports it to its caller, some twenty times at most.

    A call that counts several things, one after the other or side by side, reports their sum, which only rises.
    """

    def __init__(self, total: int, what: str) -> None:
        self.done = 0
        self.total = total
        self._what = what
        self._due = 0
        self._progress = current().progress
        self._progress.counters.append(self)

    def expect(self, count: int = 1) -> None:
        """So many more are to be done than was known."""
        self.total += count

    async def add(self, count: int = 1) -> None:
        """So many more are done."""
        self.done += count
        if self._due <= self.done or self.total <= self.done:
            self._due = self.done + self.total // _MOST_REPORTS
            await self._report()

    async def _report(self) -> None:
        done, total = (sum(counts) for counts in zip(*self._counts(), strict=True))
        if done > self._progress.reported:
            self._progress.reported = done
            await caller().progress(done, total, self._what)

    def _counts(self) -> Iterator[tuple[int, int]]:
        for one in self._progress.counters:
            yield one.done, one.total


_MOST_REPORTS = 20
