"""Who is next at one service, and whose turn would come too late. No I/O and no clock of its own."""

import asyncio
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from biofact.core.call import Call
from biofact.transport.forecast import CallAhead, Stream, too_late
from biofact.transport.shares import BULK_HANDICAP, JOINABLE_HANDICAP, Shares

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

    @property
    def subjects(self) -> tuple[str, ...]:
        """Whose it is."""
        return self.call.payers or (self.call.subject,)

    def handicap(self, now: float) -> float:
        """Slots that others may have had more, and still go first: before bulk, and before what others may join."""
        return BULK_HANDICAP * self.is_bulk + JOINABLE_HANDICAP * (self.call.yields_until > now)

    def end(self, error: BaseException) -> None:
        """Let it wait no longer."""
        for future in (self.connection, self.slot):
            if future is not None and not future.done():
                future.set_exception(error)
                future.exception()  # seen, should nobody wait for it


class Queue:
    """The requests to one service that wait for their turn, and those under way."""

    def __init__(self, most_connections: int, lately_seconds: float) -> None:
        self.shares = Shares()
        """What the subjects have had, as the ledger last told."""
        self.elsewhere: Mapping[str, int] = {}
        """What subjects wait for in other processes."""
        self.slots_taken = 0
        self._most_connections = most_connections
        self._lately_seconds = lately_seconds
        self._waiting: list[Waiter] = []
        self._connected: list[Waiter] = []
        self._granted: dict[int, int] = {}
        """Slots by call, the youngest last."""
        self._lately: deque[tuple[float, str]] = deque()
        """When the last slots were granted, and to whom."""
        self._slots_lately: Counter[str] = Counter()

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
        while self._waiting and len(self._connected) < self._most_connections:
            prepared = self._prepared()
            waiter = self._first(self._waiting, now, prepared)
            if not self._has_room(waiter, now, prepared):
                urgent = [each for each in self._waiting if not each.is_bulk] if waiter.is_bulk else []
                waiter = self._first(urgent, now, prepared) if urgent else waiter
                if not self._has_room(waiter, now, prepared):
                    return
            self._waiting.remove(waiter)
            self._connected.append(waiter)
            if not waiter.connection.done():
                waiter.connection.set_result(None)

    def grant(self, subjects: tuple[str, ...], now: float) -> None:
        """Give a slot to the first who is ready of those that it was taken for, or of all if they are gone."""
        ready = self.ready(now)
        waiter = next((each for each in ready if each.subjects == subjects), next(iter(ready), None))
        if waiter is None or waiter.slot is None:
            return
        waiter.slot.set_result(None)
        self.slots_taken += 1
        self._lately.append((now, self.payer(waiter)))
        self._slots_lately[self.payer(waiter)] += 1
        if waiter.call.is_shared:
            return
        self._granted[waiter.call.number] = self._granted.get(waiter.call.number, 0) + 1
        if len(self._granted) > _REMEMBERED:
            del self._granted[next(iter(self._granted))]

    def ready(self, now: float) -> list[Waiter]:
        """Those who can use the next slot, the first first."""
        ready = [waiter for waiter in self._connected if waiter.is_ready]
        return sorted(ready, key=lambda waiter: self._order(waiter, now))

    def next_ready(self, now: float) -> Waiter | None:
        """Who gets the next slot; None while no connection is ready."""
        return next(iter(self.ready(now)), None)

    def demand(self, now: float) -> dict[str, int]:
        """By subject that waits, the slots that it is expected to use in the time of a call, who waits longest first;
        empty where that is one only, and has no name.
        """
        waiting = Counter(subject for waiter in self.all() for subject in waiter.subjects)
        if not self.shares and waiting.keys() <= {""}:
            return {}
        lately = self.slots_lately(now)
        return {subject: max(count, lately[subject]) for subject, count in waiting.items()}

    def payer(self, waiter: Waiter) -> str:
        """The neediest of its subjects."""
        return self.shares.neediest(waiter.call.payers) if waiter.call.payers else waiter.call.subject

    def slots_lately(self, now: float) -> Counter[str]:
        """Slots by subject, in the time of a call."""
        while self._lately and self._lately[0][0] < now - self._lately_seconds:
            _, subject = self._lately.popleft()
            self._slots_lately[subject] -= 1
            if not self._slots_lately[subject]:
                del self._slots_lately[subject]
        return self._slots_lately

    def all(self) -> list[Waiter]:
        """Everybody who has no slot yet."""
        return [*self._waiting, *(waiter for waiter in self._connected if not waiter.is_due_to_answer)]

    def too_late(self, now: float, due_seconds: float, gap: float) -> Iterator[tuple[Waiter, float]]:
        """Those whose slot comes after the deadline of their call, with the seconds until it would.

        The next slot is due in ``due_seconds``, and one more in every ``gap``. An older call is expected to ask as
        often as calls have lately done, and other subjects as often as they have themselves, so that nobody waits for
        a slot that further requests will take.
        """
        return too_late(self._streams(now).values(), now, due_seconds, gap)

    def _streams(self, now: float) -> dict[str, Stream[Waiter]]:
        """Everybody who has no slot yet, subject by subject and call by call, who goes first first."""
        calls: dict[tuple[bool, int, bool, str], list[Waiter]] = {}
        for waiter in sorted(self.all(), key=lambda each: each.arrival):
            call = waiter.call
            calls.setdefault((waiter.is_bulk, call.number, call.is_shared, self.payer(waiter)), []).append(waiter)
        streams: dict[str, Stream[Waiter]] = {}
        usual = self.usual_requests()
        for is_bulk, number, is_shared, subject in sorted(calls):
            waiters = calls[is_bulk, number, is_shared, subject]
            total = 0.0 if is_shared else usual - self._granted.get(number, 0)
            ahead = CallAhead(BULK_HANDICAP * is_bulk, number, waiters, total)
            streams.setdefault(subject, Stream(self.shares.start((subject,)))).calls.append(ahead)
        for subject, count in self.elsewhere.items():
            streams.setdefault(subject, Stream(self.shares.start((subject,)))).elsewhere = count
        for subject, count in self.slots_lately(now).items():
            stream = streams.setdefault(subject, Stream(self.shares.start((subject,))))
            stream.later = max(0, count - sum(len(call.waiters) for call in stream.calls))
        return streams

    def usual_requests(self) -> float:
        """How many requests a call makes, as most of those did that wait for nothing here any more. One of a few that
        was tried again would look like a rule, so that fewer than three tell nothing.
        """
        under_way = (*self._waiting, *self._connected)
        waiting = {waiter.call.number for waiter in under_way if not waiter.call.is_shared}
        ended = sorted(count for number, count in self._granted.items() if number not in waiting)
        return float(ended[(len(ended) - 1) // 2]) if len(ended) >= _FEWEST_CALLS else 1.0

    def _order(self, waiter: Waiter, now: float, ahead: int = 0) -> tuple[float, int, int]:
        """The lower goes first: by what its subject has had, and has before it; then by the age of the call."""
        rank = self.shares.start(waiter.subjects) + ahead + waiter.handicap(now)
        return rank, waiter.call.number, waiter.arrival

    def _prepared(self) -> dict[str, list[Waiter]]:
        """By subject, those who make their connections ready, or have done so and wait for a slot."""
        prepared: dict[str, list[Waiter]] = {}
        for waiter in self._connected:
            if not waiter.is_due_to_answer:
                prepared.setdefault(self.payer(waiter), []).append(waiter)
        return prepared

    def _first(self, waiters: Iterable[Waiter], now: float, prepared: Mapping[str, list[Waiter]]) -> Waiter:
        """Who goes first once those have their slots who are prepared."""
        return min(waiters, key=lambda each: self._order(each, now, len(prepared.get(self.payer(each), ()))))

    def _has_room(self, waiter: Waiter, now: float, prepared: Mapping[str, list[Waiter]]) -> bool:
        """Whether it may have a connection. What others can join is held open for them until it is all but due."""
        free = self._most_connections - len(self._connected)
        is_joinable = waiter.call.yields_until > float("-inf")
        own = self.payer(waiter)
        rank, *_ = self._order(waiter, now, len(prepared.get(own, ())))
        ahead = sum(
            other.is_bulk <= waiter.is_bulk and (subject == own or self._order(other, now, place)[0] < rank + 1)
            for subject, others in prepared.items()
            for place, other in enumerate(others)
        )  # those of a needier subject do not wait until the others have their slots
        return free > (_KEPT_FOR_URGENT if waiter.is_bulk else 0) and ahead < (1 if is_joinable else _PREPARED)
