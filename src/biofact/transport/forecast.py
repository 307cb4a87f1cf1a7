"""Whose slot would come after the deadline of their call. No I/O and no clock of its own."""

import heapq
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from biofact.core.call import Call


class Waiting(Protocol):
    """A request that waits."""

    call: Call


W = TypeVar("W", bound=Waiting)


class CallAhead(NamedTuple, Generic[W]):
    """One call's requests."""

    handicap: float
    """As in ``Claim``."""
    number: int
    """The age of the call."""
    waiters: list[W]
    total: float
    """Requests that the call is expected to make from now on, these among them."""


@dataclass(slots=True)
class Stream(Generic[W]):
    """One subject's requests, in the order in which they go: those that wait, and those that are expected."""

    start: float
    """Slots that the subject has had."""
    calls: list[CallAhead[W]] = field(default_factory=list)
    elsewhere: int = 0
    """Requests that wait in other processes, and take turns with those here."""
    later: int = 0
    """Requests that are expected after these."""

    def requests(self) -> Generator[tuple[float, int, W | None], bool, None]:
        """Each with its handicap and the age of its call; None for one that does not wait here. Send whether it keeps
        its place: a call that none does will make no further ones.
        """
        for call in self.calls:
            kept = 0
            for waiter in call.waiters:
                is_kept = yield call.handicap, call.number, waiter
                kept += is_kept
                if is_kept and self.elsewhere:
                    self.elsewhere -= 1
                    yield call.handicap, call.number, None
            for _ in range(int(call.total) - kept if kept else 0):
                yield call.handicap, call.number, None
        for _ in range(self.elsewhere + self.later):
            yield 0.0, _LATER, None


def too_late(streams: Iterable[Stream[W]], now: float, due_seconds: float, gap: float) -> Iterator[tuple[W, float]]:
    """Those whose slot comes after the deadline of their call, with the seconds until it would.

    The next slot is due in ``due_seconds``, and one more in every ``gap``; each goes to the neediest subject, as
    ``Shares`` has it, or to its oldest call.
    """
    streams = list(streams)
    remaining = sum(len(call.waiters) for stream in streams for call in stream.calls)
    ahead = 0  # requests that go first
    heap = []
    for place, stream in enumerate(streams):
        requests = stream.requests()
        if (request := next(requests, None)) is not None:
            heap.append((stream.start + request[0], request[1], place, stream.start, requests, request[2]))
    heapq.heapify(heap)
    while remaining:
        _, _, place, start, requests, waiter = heap[0]
        is_kept = True
        if waiter is not None:
            remaining -= 1
            seconds = due_seconds + ahead * gap
            if waiter.call.deadline is not None and now + seconds > waiter.call.deadline:
                is_kept = False
                yield waiter, seconds
        ahead += is_kept
        start += is_kept
        try:
            handicap, number, waiter = requests.send(is_kept)
        except StopIteration:
            heapq.heappop(heap)
        else:
            heapq.heapreplace(heap, (start + handicap, number, place, start, requests, waiter))


_LATER = 1 << 62  # younger than any call
