"""Whose slot would come after the deadline of their call. No I/O and no clock of its own."""

import heapq
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from biofact.core.call import Call
from biofact.transport.shares import BULK_HANDICAP


class Waiting(Protocol):
    """A request that waits."""

    call: Call


W = TypeVar("W", bound=Waiting)

_NO_CALL = Call(number=1 << 62, subject="")  # younger than any


@dataclass(slots=True)
class Backlog(Generic[W]):
    """One subject's requests."""

    start: float
    """Slots that the subject has had."""
    waiters: list[W] = field(default_factory=list)
    """In the order in which they go."""
    elsewhere: Sequence[int] = ()
    """Requests that wait in each other process, and take turns with those here."""
    later: int = 0
    """Requests that are expected behind all of these."""

    def requests(self, total: Callable[[Call], int]) -> "Requests[W]":
        """Each in its turn. ``total`` tells how many requests a call makes from now on, if any of them keeps its place:
        send whether one does.
        """
        call, kept, elsewhere = None, 0, list(self.elsewhere)
        for waiter in self.waiters:
            if call is not None and (call.number != waiter.call.number or call.is_shared != waiter.call.is_shared):
                yield from _expected(call, total(call) - kept if kept else 0)
                kept = 0
            call = waiter.call
            if (yield _handicap(call), call.number, waiter):
                kept += 1
                yield from _expected(call, len(elsewhere))
                elsewhere = [count - 1 for count in elsewhere if count > 1]
        if call is not None:
            yield from _expected(call, total(call) - kept if kept else 0)
        yield from _expected(_NO_CALL, sum(elsewhere) + self.later)


Requests = Generator[tuple[float, int, W | None], bool]
"""Handicap, age of the call, and the request; None for one that is expected."""


def too_late(
    backlogs: Sequence[Backlog[W]], total: Callable[[Call], int], now: float, due_seconds: float, gap: float
) -> Iterator[tuple[W, float]]:
    """Those whose slot comes after the deadline of their call, with the seconds until it would.

    The next slot is due in ``due_seconds``, and one more in every ``gap``; each goes to the neediest subject, as
    ``Shares`` has it, and there to the oldest call.
    """
    remaining = sum(len(backlog.waiters) for backlog in backlogs)
    heap = []
    for place, backlog in enumerate(backlogs):
        requests = backlog.requests(total)
        if (first := next(requests, None)) is not None:
            heap.append((backlog.start + first[0], first[1], place, backlog.start, requests, first[2]))
    heapq.heapify(heap)
    ahead = 0  # requests that go first
    while remaining:
        _, _, place, start, requests, waiter = heap[0]
        is_kept = True
        if waiter is not None:
            remaining -= 1
            seconds = due_seconds + ahead * gap
            deadline = waiter.call.deadline
            if deadline is not None and now + seconds > deadline:
                is_kept = False
                yield waiter, seconds
        ahead += is_kept
        start += is_kept
        try:
            handicap, number, waiter = requests.send(is_kept)
            heapq.heapreplace(heap, (start + handicap, number, place, start, requests, waiter))
        except StopIteration:
            heapq.heappop(heap)


def _handicap(call: Call) -> float:
    return BULK_HANDICAP if call.lane == "bulk" else 0.0


def _expected(call: Call, count: int) -> "Requests[W]":
    for _ in range(count):
        yield _handicap(call), call.number, None
