"""Who is next at one service, and whose turn would come too late. No I/O and no clock of its own."""

import asyncio
import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

from biofact.core.call import Call

_PREPARED = 2  # requests of a lane that make their connection ready ahead of their slots
_KEPT_FOR_URGENT = 2  # connections that bulk work leaves free
_REMEMBERED = 100  # calls that tell how many requests are usual
_FEWEST_CALLS = 3


def _future() -> "asyncio.Future[None]":
    return asyncio.get_running_loop().create_future()


@dataclass(slots=True, eq=False)
class Waiter:
    """A request that waits: first for a connection, and once that is ready, for a slot."""

    call: Call
    arrival: int
    entered_at: float
    connection: "asyncio.Future[None]" = field(default_factory=_future)
    slot: "asyncio.Future[None] | None" = None
    """None until the connection is ready."""

    @property
    def is_bulk(self) -> bool:
        """It leaves the next slot to any interactive one."""
        return self.call.lane == "bulk"

    @property
    def is_ready(self) -> bool:
        """Its connection is, and it has no slot yet."""
        return self.slot is not None and not self.slot.done()

    @property
    def is_due_to_answer(self) -> bool:
        """It has its slot, so that only the service's answer is missing."""
        return self.slot is not None and self.slot.done()

    def order(self, now: float) -> tuple[bool, bool, int, int]:
        """The lower goes first: by lane, then by the age of the call; while others may still join, after the rest."""
        return (self.is_bulk, self.call.yields_until > now, self.call.number, self.arrival)

    def end(self, error: BaseException) -> None:
        """Let it wait no longer."""
        for future in (self.connection, self.slot):
            if future is not None and not future.done():
                future.set_exception(error)
                future.exception()  # seen, should nobody wait for it


class Queue:
    """The requests to one service that wait for their turn, and those under way."""

    def __init__(self, most_connections: int) -> None:
        self._most_connections = most_connections
        self._waiting: list[Waiter] = []
        self._connected: list[Waiter] = []
        self._granted: dict[int, int] = {}
        """Slots by call, the youngest last."""

    def __len__(self) -> int:
        return len(self._waiting) + sum(not waiter.is_due_to_answer for waiter in self._connected)

    def enter(self, waiter: Waiter) -> None:
        """Let it wait."""
        self._waiting.append(waiter)

    def leave(self, waiter: Waiter) -> None:
        """It is answered, or waits no longer."""
        for line in (self._waiting, self._connected):
            if waiter in line:
                line.remove(waiter)

    def admit(self, now: float) -> None:
        """Let those who are next make their connections ready."""
        for waiter in heapq.nsmallest(self._most_connections, self._waiting, key=lambda each: each.order(now)):
            if not self._has_room(waiter):
                return
            self._waiting.remove(waiter)
            self._connected.append(waiter)
            if not waiter.connection.done():
                waiter.connection.set_result(None)

    def grant(self, waiter: Waiter) -> None:
        """Give it the slot that it is ready for."""
        assert waiter.slot is not None  # noqa: S101  # it is ready
        waiter.slot.set_result(None)
        if waiter.call.is_shared:
            return
        self._granted[waiter.call.number] = self._granted.get(waiter.call.number, 0) + 1
        if len(self._granted) > _REMEMBERED:
            del self._granted[next(iter(self._granted))]

    def next_ready(self, now: float) -> Waiter | None:
        """Who gets the next slot; None while no connection is ready."""
        ready = (waiter for waiter in self._connected if waiter.is_ready)
        return min(ready, key=lambda waiter: waiter.order(now), default=None)

    def all(self) -> list[Waiter]:
        """Everybody who has no slot yet."""
        return [*self._waiting, *(waiter for waiter in self._connected if not waiter.is_due_to_answer)]

    def too_late(self, now: float, due_seconds: float, gap: float) -> Iterator[tuple[Waiter, float]]:
        """Those whose slot comes after the deadline of their call, with the seconds until it would.

        The next slot is due in ``due_seconds``, and one more in every ``gap``. An older call is expected to ask as
        often as calls have lately done, so that nobody waits for a slot that its further requests will take.
        """
        ahead = 0.0  # requests that go first
        usual = self.usual_requests()
        for waiters in self._by_call():
            seconds = due_seconds + ahead * gap
            kept = 0
            for waiter in waiters:
                if waiter.call.deadline is not None and now + seconds + kept * gap > waiter.call.deadline:
                    yield waiter, seconds + kept * gap
                else:
                    kept += 1
            further = usual - self._granted.get(waiters[0].call.number, 0)
            ahead += max(kept, further) if kept and not waiters[0].call.is_shared else kept

    def _by_call(self) -> list[list[Waiter]]:
        """Everybody who has no slot yet, call by call, who goes first first."""
        calls: dict[tuple[bool, int, bool], list[Waiter]] = {}
        for waiter in sorted(self.all(), key=lambda each: each.arrival):
            call = waiter.call
            calls.setdefault((waiter.is_bulk, call.number, call.is_shared), []).append(waiter)
        return [calls[key] for key in sorted(calls)]

    def usual_requests(self) -> float:
        """How many requests a call makes, as most of those did that wait for nothing here any more. One of a few that
        was tried again would look like a rule, so that fewer than three tell nothing.
        """
        under_way = (*self._waiting, *self._connected)
        waiting = {waiter.call.number for waiter in under_way if not waiter.call.is_shared}
        ended = sorted(count for number, count in self._granted.items() if number not in waiting)
        return float(ended[(len(ended) - 1) // 2]) if len(ended) >= _FEWEST_CALLS else 1.0

    def _has_room(self, waiter: Waiter) -> bool:
        """Whether it may have a connection. What others can join is held open for them until it is all but due."""
        free = self._most_connections - len(self._connected)
        ahead = sum(other.is_bulk <= waiter.is_bulk and not other.is_due_to_answer for other in self._connected)
        is_joinable = waiter.call.yields_until > float("-inf")
        return free > (_KEPT_FOR_URGENT if waiter.is_bulk else 0) and ahead < (1 if is_joinable else _PREPARED)
