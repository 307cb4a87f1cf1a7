"""One tool call under way: how long it may take, how urgent it is, and what it has been told."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Literal

from biofact.core.provenance import Notice, Origin, Provenance

Lane = Literal["interactive", "bulk"]

_MOST_OTHERS = 10  # a batch from the cache can have hundreds
_FRESHEST_FIRST: tuple[Origin, ...] = ("live", "sandbox", "cache", "stale")


@dataclass(slots=True)
class Call:
    """What travels beside a call, so that no layer has to hand it on."""

    lane: Lane = "interactive"
    deadline: float | None = None
    """On the transport's clock; the first request of the call sets it."""
    stale_deadline: float | None = None
    """Until when to try for new answers where expired ones are at hand; None for as long as usual."""
    answers: list[Provenance] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

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
    """``other`` without a licence that ``first`` has told."""
    return other.model_copy(update={"licence": None}) if other.licence == first.licence else other


_current: ContextVar[Call | None] = ContextVar("biofact_call", default=None)


def current() -> Call:
    """The call under way; a fresh one where none is (a program that uses the transport directly)."""
    return _current.get() or Call()


@contextmanager
def aside(*, deadline: float | None = None, stale_deadline: float | None = None) -> Iterator[Call]:
    """Ask something beside the call under way, with deadlines of its own where they are given."""
    now = current()
    beside = replace(now, deadline=deadline or now.deadline, stale_deadline=stale_deadline or now.stale_deadline)
    token = _current.set(beside)
    try:
        yield beside
    finally:
        _current.reset(token)


@contextmanager
def opened() -> Iterator[Call]:
    """Open a call, or go on with the one under way when a tool calls another."""
    call = _current.get()
    if call is not None:
        yield call
        return
    call = Call()
    token = _current.set(call)
    try:
        yield call
    finally:
        _current.reset(token)
