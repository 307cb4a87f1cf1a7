"""Requests that wait for one service: their order, and which would get their slots too late. No I/O, no clock."""

import asyncio
import bisect
import heapq
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from biofact.core.call import Call
from biofact.transport.turns.shares import BULK_HANDICAP, JOINABLE_HANDICAP, Claim, Shares
from biofact.transport.waiters import Waiter


def _future() -> "asyncio.Future[None]":
    return asyncio.get_running_loop().create_future()


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A request that waits: first for a connection, and once that is ready, for a slot."""

    call: Call
    arrival: int
    """The number of its arrival."""
    entered_at: float
    callers: Callable[[], Iterable[Waiter]] = tuple
    """The calls that wait for it, of which some may have less time than the request."""
    connection: "asyncio.Future[None]" = field(default_factory=_future)
    slot: "asyncio.Future[None] | None" = None
    """None until the connection is ready."""
    waiter: Waiter = field(init=False)
    """The task of the request itself, from the queue to the slot."""

    def __post_init__(self) -> None:
        self.waiter = Waiter(self.call)

    @property
    def is_bulk(self) -> bool:
        """Whether it leaves the next slots to interactive ones."""
        return self.call.lane == "bulk"

    @property
    def is_joinable(self) -> bool:
        """Whether other calls may join it, or could."""
        return self.call.is_shared or self.call.yields_until > float("-inf")

    @property
    def is_joined(self) -> bool:
        """Whether other calls wait for it besides the one that began it."""
        payers = self.call.payers
        return bool(payers) and (len(payers) > 1 or payers[0] != self.call.subject)

    @property
    def is_ready(self) -> bool:
        """Whether its connection is ready, and it has no slot yet."""
        return self.slot is not None and not self.slot.done()

    @property
    def has_slot(self) -> bool:
        """Whether it has its slot, so that only the service's answer is missing."""
        return self.slot is not None and self.slot.done()

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects of its calls."""
        return tuple(dict.fromkeys(self.call.payers)) or (self.call.subject,)

    @property
    def position(self) -> tuple[bool, int, bool, int]:
        """The place among its subject's requests, the lower first: by priority, then by the age of the call."""
        return self.is_bulk, self.call.number, self.call.is_shared, self.arrival

    def handicap(self, now: float) -> float:
        """The handicap, as in ``Claim``."""
        return BULK_HANDICAP * self.is_bulk + JOINABLE_HANDICAP * (self.call.yields_until > now)

    def claim(self, now: float) -> Claim:
        """The claim to the ledger, as old as its call, which may have waited for other requests before."""
        return Claim(self.subjects, self.handicap(now), now - min(self.entered_at, self.call.began_at))


class WaitingList:
    """The requests that wait for a connection."""

    def __init__(self) -> None:
        self.by_subject: dict[str, list[PendingRequest]] = {}
        """The requests that cannot be joined, in their order."""
        self.joinable: list[PendingRequest] = []
        """The others, whose age and subjects change as calls join."""

    def __len__(self) -> int:
        return len(self.joinable) + sum(map(len, self.by_subject.values()))

    def __iter__(self) -> Iterator[PendingRequest]:
        for line in self.by_subject.values():
            yield from line
        yield from self.joinable

    def add(self, pending: PendingRequest) -> None:
        """Add a request behind those of its subject that go first."""
        if pending.is_joinable:
            self.joinable.append(pending)
        else:
            line = self.by_subject.setdefault(pending.call.subject, [])
            bisect.insort(line, pending, key=lambda request: request.position)

    def remove(self, pending: PendingRequest) -> None:
        """Remove a request, if it is in the list."""
        line = self.by_subject.get(pending.call.subject, [])
        if pending in line:
            line.remove(pending)
            if not line:
                del self.by_subject[pending.call.subject]
        elif pending in self.joinable:
            self.joinable.remove(pending)

    def regroup(self) -> None:
        """Treat as joinable each request that calls of other subjects have joined."""
        for line in list(self.by_subject.values()):
            for pending in [request for request in line if request.is_joined]:
                self.remove(pending)
                self.joinable.append(pending)

    def heads(self) -> Iterator[PendingRequest]:
        """The first request of each subject, and all that can be joined: one of them goes first."""
        for line in self.by_subject.values():
            yield line[0]
        yield from self.joinable


_NO_CALL = Call(number=1 << 62, subject="")  # younger than any


@dataclass(slots=True)
class Backlog:
    """One subject's requests without slots."""

    start: float
    """Slots that the subject has had."""
    requests: list[PendingRequest] = field(default_factory=list)
    """The requests of this process, in their order."""
    other_processes: Sequence[int] = ()
    """The numbers of those in each other process, which alternate with those here."""
    expected: int = 0
    """The number of requests that are expected behind all of these."""

    def in_order(self, further_requests: Callable[[Call], int]) -> "Order":
        """The requests in their order, with those that are expected. Send whether a request stays in the queue.

        ``further_requests`` is the number of requests that a call makes from now on, if any of them stays.
        """
        call, count, other_processes = None, 0, list(self.other_processes)
        for pending in self.requests:
            if call is not None and (call.number != pending.call.number or call.is_shared != pending.call.is_shared):
                yield from _expected_requests(call, further_requests(call) - count if count else 0)
                count = 0
            call = pending.call
            if (yield _handicap(call), call.number, pending):
                count += 1
                yield from _expected_requests(call, len(other_processes))
                other_processes = [number - 1 for number in other_processes if number > 1]
        if call is not None:
            yield from _expected_requests(call, further_requests(call) - count if count else 0)
        yield from _expected_requests(_NO_CALL, sum(other_processes) + self.expected)


Order = Generator[tuple[float, int, PendingRequest | None], bool]
"""Handicap, age of the call, and the request; None for an expected one."""


def too_late(
    backlogs: Sequence[Backlog], further_requests: Callable[[Call], int], now: float, due_seconds: float, gap: float
) -> Iterator[tuple[PendingRequest, float]]:
    """The requests whose slot comes after the deadline of their call, with the seconds until it would.

    The next slot is due in ``due_seconds``, and one more in every ``gap``; each goes to the neediest subject, as in
    ``Shares``, and there to the oldest call.
    """
    remaining = sum(len(backlog.requests) for backlog in backlogs)
    heap = []
    for index, backlog in enumerate(backlogs):
        order = backlog.in_order(further_requests)
        if (head := next(order, None)) is not None:
            heap.append((backlog.start + head[0], head[1], index, backlog.start, order, head[2]))
    heapq.heapify(heap)
    slots = 0  # of requests that go first
    while remaining:
        _, _, index, start, order, pending = heap[0]
        is_in_time = True
        if pending is not None:
            remaining -= 1
            seconds = due_seconds + slots * gap
            deadline = pending.call.deadline
            if deadline is not None and now + seconds > deadline:
                is_in_time = False
                yield pending, seconds
        slots += is_in_time
        start += is_in_time
        try:
            handicap, number, pending = order.send(is_in_time)
            heapq.heapreplace(heap, (start + handicap, number, index, start, order, pending))
        except StopIteration:
            heapq.heappop(heap)


def _handicap(call: Call) -> float:
    return BULK_HANDICAP if call.lane == "bulk" else 0.0


def _expected_requests(call: Call, count: int) -> Order:
    for _ in range(count):
        yield _handicap(call), call.number, None


_PREPARED = 2  # requests of a priority that make their connection ready before their slots are due
_URGENT_CONNECTIONS = 2  # that bulk requests leave free
_COUNTED_CALLS = 100  # by which the usual number of requests is known
_FEWEST_CALLS = 3
_PERIODS = 3  # in the time of a call; by the last period the rate is known at which subjects ask

Prepared = Mapping[str, list[PendingRequest]]
"""By subject, the requests that make their connections ready, or have done so and wait for a slot."""


class Queue:
    """The requests to one service that wait for their slots, and those under way."""

    def __init__(self, max_connections: int, deadline_seconds: float) -> None:
        """``deadline_seconds`` is the time of a call."""
        self.shares: Shares | None = None
        """The slots that subjects have had, by the ledger's last reply; None with one subject without a name."""
        self.other_demand: Mapping[str, list[int]] = {}
        """By subject, the slots that it will use in each other process."""
        self._max_connections = max_connections
        self._period_seconds = deadline_seconds / _PERIODS
        self._waiting_list = WaitingList()
        self._connected: list[PendingRequest] = []
        self._slots_by_call: dict[int, int] = {}
        """The youngest call last."""
        self._recent_slots: deque[tuple[float, str]] = deque()
        """The times of the last period's slots, and their payers."""
        self._recent_counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._waiting_list) + sum(not pending.has_slot for pending in self._connected)

    @property
    def is_held_up(self) -> bool:
        """Whether all connections wait for answers."""
        return len(self._connected) >= self._max_connections and all(pending.has_slot for pending in self._connected)

    def enter(self, pending: PendingRequest) -> None:
        """Queue a request."""
        self._waiting_list.add(pending)

    def leave(self, pending: PendingRequest) -> None:
        """Remove a request, answered or not."""
        self._waiting_list.remove(pending)
        if pending in self._connected:
            self._connected.remove(pending)

    def admit(self, now: float) -> None:
        """Let the next requests make their connections ready."""
        self._waiting_list.regroup()
        while len(self._connected) < self._max_connections and (pending := self._next_admitted(now)) is not None:
            self._waiting_list.remove(pending)
            self._connected.append(pending)
            if not pending.connection.done():
                pending.connection.set_result(None)

    def grant(self, subjects: tuple[str, ...], now: float) -> None:
        """Give a slot to the first ready request of these subjects, or of all if there is none."""
        ready = self.ready(now)
        pending = next((request for request in ready if request.subjects == subjects), next(iter(ready), None))
        if pending is None or pending.slot is None:
            return
        pending.slot.set_result(None)
        self._recent_slots.append((now, self.payer(pending)))
        self._recent_counts[self.payer(pending)] += 1
        if pending.call.is_shared:
            return
        self._slots_by_call[pending.call.number] = self._slots_by_call.get(pending.call.number, 0) + 1
        if len(self._slots_by_call) > _COUNTED_CALLS:
            del self._slots_by_call[next(iter(self._slots_by_call))]

    def ready(self, now: float) -> list[PendingRequest]:
        """The requests that can use the next slot, in their order."""
        ready = [pending for pending in self._connected if pending.is_ready]
        return sorted(ready, key=lambda pending: self._rank(pending, now))

    def next_ready(self, now: float) -> PendingRequest | None:
        """The request that gets the next slot; None while no connection is ready."""
        return next(iter(self.ready(now)), None)

    def all(self) -> list[PendingRequest]:
        """All requests without slots."""
        return [*self._waiting_list, *(pending for pending in self._connected if not pending.has_slot)]

    def demand(self, now: float) -> dict[str, int]:
        """By waiting subject, the slots that it is expected to use in the time of a call.

        Empty with one subject only that has no name.
        """
        waiting = Counter({subject: len(line) for subject, line in self._waiting_list.by_subject.items()})
        for pending in (*self._waiting_list.joinable, *self._connected):
            if not pending.has_slot:
                waiting.update(pending.subjects)
        if self.shares is None and waiting.keys() <= {""}:
            return {}
        expected = self.expected(now)
        return {subject: max(count, expected.get(subject, 0)) for subject, count in waiting.items()}

    def expected(self, now: float) -> dict[str, int]:
        """By subject, the slots that it will use in the time of a call, at the rate of the last period."""
        while self._recent_slots and self._recent_slots[0][0] < now - self._period_seconds:
            _, subject = self._recent_slots.popleft()
            self._recent_counts[subject] -= 1
            if not self._recent_counts[subject]:
                del self._recent_counts[subject]
        return {subject: count * _PERIODS for subject, count in self._recent_counts.items()}

    def payer(self, pending: PendingRequest) -> str:
        """The neediest of a request's subjects."""
        subjects = pending.call.payers or (pending.call.subject,)
        return subjects[0] if self.shares is None else self.shares.neediest(subjects)

    def too_late(self, now: float, due_seconds: float, gap: float) -> list[tuple[PendingRequest, float]]:
        """The requests whose slot comes after the deadline of their call, with the seconds until it would.

        The next slot is due in ``due_seconds``, and one more in every ``gap``. An older call is expected to ask as
        often as calls have lately done, and a subject as often as it has done itself, so that no request waits for a
        slot that further requests will take.
        """
        usual = self.usual_requests()
        backlogs = self._backlogs(now)
        waiting = sum(len(backlog.requests) for backlog in backlogs)
        bound = waiting * max(1, usual) + sum(sum(backlog.other_processes) + backlog.expected for backlog in backlogs)
        deadlines = (pending.call.deadline for backlog in backlogs for pending in backlog.requests)
        # The usual case: even behind all the others, no request is too late.
        if now + due_seconds + bound * gap < min((time for time in deadlines if time is not None), default=now):
            return []

        def further_requests(call: Call) -> int:
            return 0 if call.is_shared else usual - self._slots_by_call.get(call.number, 0)

        return list(too_late(backlogs, further_requests, now, due_seconds, gap))

    def usual_requests(self) -> int:
        """The median number of requests of the calls that wait for nothing here any more.

        Fewer than three calls count for nothing: one of a few that was retried would look like a rule.
        """
        under_way = (*self._waiting_list, *self._connected)
        waiting = {pending.call.number for pending in under_way if not pending.call.is_shared}
        counts = sorted(count for number, count in self._slots_by_call.items() if number not in waiting)
        return counts[(len(counts) - 1) // 2] if len(counts) >= _FEWEST_CALLS else 1

    def _backlogs(self, now: float) -> list[Backlog]:
        """The requests without slots, and those that are expected, subject by subject."""
        prepared = self._prepared(*self._waiting_list.joinable)
        lines = self._waiting_list.by_subject
        expected = self.expected(now)
        backlogs = []
        for subject in {**lines, **prepared, **self.other_demand, **expected}:
            requests = lines.get(subject, [])
            if subject in prepared:
                requests = sorted([*prepared[subject], *requests], key=lambda request: request.position)
            later_count = max(0, expected.get(subject, 0) - len(requests))
            backlogs.append(Backlog(self._start(subject), requests, self.other_demand.get(subject, ()), later_count))
        return backlogs

    def _rank(self, pending: PendingRequest, now: float, earlier: int = 0) -> tuple[float, int, int]:
        """A request's rank, the lower first: by its subject's slots, had and to come; then by the age of the call."""
        slots = self._start(*pending.subjects) + earlier + pending.handicap(now)
        return slots, pending.call.number, pending.arrival

    def _rank_behind(self, pending: PendingRequest, now: float, prepared: Prepared) -> tuple[float, int, int]:
        """A request's rank once the prepared requests have their slots."""
        payer = self._next_payer(pending, prepared)
        slots = self._start(payer) + len(prepared.get(payer, ())) + pending.handicap(now)
        return slots, pending.call.number, pending.arrival

    def _next_payer(self, pending: PendingRequest, prepared: Prepared) -> str:
        """The neediest of a request's subjects once the prepared requests have their slots.

        The neediest of now mostly has a prepared request: ranked by that subject, a request that many calls wait for
        would be passed again and again.
        """
        return min(pending.subjects, key=lambda subject: self._start(subject) + len(prepared.get(subject, ())))

    def _start(self, *subjects: str) -> float:
        """The slots that the neediest of some subjects has had."""
        return 0.0 if self.shares is None else self.shares.start(subjects)

    def _prepared(self, *joinable: PendingRequest) -> Prepared:
        """The prepared requests, and some that can be joined, by subject."""
        prepared: dict[str, list[PendingRequest]] = {}
        for pending in (*self._connected, *joinable):
            if not pending.has_slot:
                prepared.setdefault(self.payer(pending), []).append(pending)
        return prepared

    def _next_admitted(self, now: float) -> PendingRequest | None:
        """The first request, if there is room; connections closed to bulk are for the first urgent one."""
        prepared, heads = self._prepared(), list(self._waiting_list.heads())
        pending = self._first(heads, now, prepared)
        if pending is not None and pending.is_bulk and not self._has_room(pending, now, prepared):
            pending = self._first((request for request in heads if not request.is_bulk), now, prepared)
        return pending if pending is not None and self._has_room(pending, now, prepared) else None

    def _first(self, requests: Iterable[PendingRequest], now: float, prepared: Prepared) -> PendingRequest | None:
        """The request that goes first once the prepared ones have their slots."""
        return min(requests, key=lambda pending: self._rank_behind(pending, now, prepared), default=None)

    def _has_room(self, pending: PendingRequest, now: float, prepared: Prepared) -> bool:
        """Whether a request may have a connection.

        A joinable request is held open until its slot would be next: it waits for each prepared request that goes
        before it, and for none that it would pass.
        """
        free = self._max_connections - len(self._connected)
        payer = self._next_payer(pending, prepared)
        is_held_open = pending.call.yields_until > float("-inf")
        rank = self._rank_behind(pending, now, prepared)
        # A needier request does not wait until the others have their slots.
        limit: tuple[float, ...] = rank if is_held_open else (rank[0] + 1,)
        earlier = sum(
            other.is_bulk <= pending.is_bulk and (subject == payer or self._rank(other, now, index) < limit)
            for subject, requests in prepared.items()
            for index, other in enumerate(requests)
        )
        return free > (_URGENT_CONNECTIONS if pending.is_bulk else 0) and earlier < (1 if is_held_open else _PREPARED)
