"""Requests that wait for one service: who is next, and whose slot would come too late. No I/O, no clock of its own."""

import asyncio
import bisect
import heapq
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from biofact.core.call import Call
from biofact.transport.turns.shares import BULK_HANDICAP, JOINABLE_HANDICAP, Claim, Shares


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
        """It leaves the next slots to interactive ones."""
        return self.call.lane == "bulk"

    @property
    def is_joinable(self) -> bool:
        """Others may join it, or could."""
        return self.call.is_shared or self.call.yields_until > float("-inf")

    @property
    def is_joined(self) -> bool:
        """Others wait for it than the one who began."""
        payers = self.call.payers
        return bool(payers) and (len(payers) > 1 or payers[0] != self.call.subject)

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
        return tuple(dict.fromkeys(self.call.payers)) or (self.call.subject,)

    @property
    def place(self) -> tuple[bool, int, bool, int]:
        """Among its subject's, the lower goes first: by lane, then by the age of the call."""
        return self.is_bulk, self.call.number, self.call.is_shared, self.arrival

    def handicap(self, now: float) -> float:
        """As in ``Claim``."""
        return BULK_HANDICAP * self.is_bulk + JOINABLE_HANDICAP * (self.call.yields_until > now)

    def claim(self, now: float) -> Claim:
        """What it asks the ledger for: it is as old as its call, which may have waited for other requests before."""
        return Claim(self.subjects, self.handicap(now), now - min(self.entered_at, self.call.began_at))

    def end(self, error: BaseException) -> None:
        """Let it wait no longer."""
        for future in (self.connection, self.slot):
            if future is not None and not future.done():
                future.set_exception(error)
                future.exception()  # seen, should nobody wait for it


class WaitingList:
    """Those who wait for a connection."""

    def __init__(self) -> None:
        self.by_subject: dict[str, list[Waiter]] = {}
        """Those that nobody can join, in their order."""
        self.joinable: list[Waiter] = []
        """Whose age and subjects change, as others join."""

    def __len__(self) -> int:
        return len(self.joinable) + sum(map(len, self.by_subject.values()))

    def __iter__(self) -> Iterator[Waiter]:
        for line in self.by_subject.values():
            yield from line
        yield from self.joinable

    def add(self, waiter: Waiter) -> None:
        """Let it wait behind those of its subject that go first."""
        if waiter.is_joinable:
            self.joinable.append(waiter)
        else:
            line = self.by_subject.setdefault(waiter.call.subject, [])
            bisect.insort(line, waiter, key=lambda each: each.place)

    def remove(self, waiter: Waiter) -> None:
        """It waits no longer, if it did."""
        line = self.by_subject.get(waiter.call.subject, [])
        if waiter in line:
            line.remove(waiter)
            if not line:
                del self.by_subject[waiter.call.subject]
        elif waiter in self.joinable:
            self.joinable.remove(waiter)

    def regroup(self) -> None:
        """Mind who has been joined by other callers."""
        for line in list(self.by_subject.values()):
            for waiter in [each for each in line if each.is_joined]:
                self.remove(waiter)
                self.joinable.append(waiter)

    def heads(self) -> Iterator[Waiter]:
        """Those of whom one goes first."""
        for line in self.by_subject.values():
            yield line[0]
        yield from self.joinable


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


_PREPARED = 2  # requests of a lane that make their connection ready ahead of their slots
_KEPT_FOR_URGENT = 2  # connections that bulk work leaves free
_REMEMBERED = 100  # calls that tell how many requests are usual
_FEWEST_CALLS = 3
_LATELY = 3  # a call's time is so many times what tells how often subjects ask

Prepared = Mapping[str, list[Waiter]]
"""By subject, those who make their connections ready, or have done so and wait for a slot."""


@dataclass(frozen=True, slots=True)
class QueueStats:
    """Who waits in this process for one service."""

    waiting: int = 0
    """Requests that have no slot yet."""
    waiting_subjects: int = 0
    """Callers that these are of."""
    slots_taken: int = 0
    """Since the process began."""


class Queue:
    """The requests to one service that wait for their turn, and those under way."""

    def __init__(self, most_connections: int, deadline_seconds: float) -> None:
        """``deadline_seconds`` is the time of a call."""
        self.shares: Shares | None = None
        """The slots that subjects have had, by the ledger's last reply; None with one subject without a name."""
        self.elsewhere: Mapping[str, list[int]] = {}
        """The slots that subjects will use in each other process."""
        self._slots_taken = 0
        self._most_connections = most_connections
        self._lately_seconds = deadline_seconds / _LATELY
        self._waiting = WaitingList()
        self._connected: list[Waiter] = []
        self._granted: dict[int, int] = {}
        """Slots by call, the youngest last."""
        self._lately: deque[tuple[float, str]] = deque()
        """When the last slots were taken, and by whom."""
        self._slots_lately: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._waiting) + sum(not waiter.is_due_to_answer for waiter in self._connected)

    def enter(self, waiter: Waiter) -> None:
        """Let it wait."""
        self._waiting.add(waiter)

    def leave(self, waiter: Waiter) -> None:
        """It is answered, or waits no longer."""
        self._waiting.remove(waiter)
        if waiter in self._connected:
            self._connected.remove(waiter)

    def admit(self, now: float) -> None:
        """Let those who are next make their connections ready."""
        self._waiting.regroup()
        while len(self._connected) < self._most_connections and (waiter := self._next_admitted(now)) is not None:
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
        self._slots_taken += 1
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

    def stats(self) -> QueueStats:
        """Of now."""
        waiting = self.all()
        return QueueStats(len(waiting), len({who for each in waiting for who in each.subjects}), self._slots_taken)

    def all(self) -> list[Waiter]:
        """Everybody who has no slot yet."""
        return [*self._waiting, *(waiter for waiter in self._connected if not waiter.is_due_to_answer)]

    def demand(self, now: float) -> dict[str, int]:
        """By subject that waits, the slots that it is expected to use in the time of a call; empty where that is one
        only, and has no name.
        """
        waiting = Counter({subject: len(line) for subject, line in self._waiting.by_subject.items()})
        for waiter in (*self._waiting.joinable, *self._connected):
            if not waiter.is_due_to_answer:
                waiting.update(waiter.subjects)
        if self.shares is None and waiting.keys() <= {""}:
            return {}
        expected = self.expected(now)
        return {subject: max(count, expected.get(subject, 0)) for subject, count in waiting.items()}

    def expected(self, now: float) -> dict[str, int]:
        """By subject, the slots that it will use in the time of a call, as it has done lately."""
        while self._lately and self._lately[0][0] < now - self._lately_seconds:
            _, subject = self._lately.popleft()
            self._slots_lately[subject] -= 1
            if not self._slots_lately[subject]:
                del self._slots_lately[subject]
        return {subject: count * _LATELY for subject, count in self._slots_lately.items()}

    def payer(self, waiter: Waiter) -> str:
        """The neediest of its subjects."""
        subjects = waiter.call.payers or (waiter.call.subject,)
        return subjects[0] if self.shares is None else self.shares.neediest(subjects)

    def too_late(self, now: float, due_seconds: float, gap: float) -> list[tuple[Waiter, float]]:
        """Those whose slot comes after the deadline of their call, with the seconds until it would.

        The next slot is due in ``due_seconds``, and one more in every ``gap``. An older call is expected to ask as
        often as calls have lately done, and a subject as often as it has done itself, so that nobody waits for a slot
        that further requests will take.
        """
        usual = self.usual_requests()
        backlogs = self._backlogs(now)
        waiting = sum(len(backlog.waiters) for backlog in backlogs)
        most = waiting * max(1, usual) + sum(sum(backlog.elsewhere) + backlog.later for backlog in backlogs)
        deadlines = (each.call.deadline for backlog in backlogs for each in backlog.waiters)
        if now + due_seconds + most * gap < min((each for each in deadlines if each is not None), default=now):
            return []

        def total(call: Call) -> int:
            return 0 if call.is_shared else usual - self._granted.get(call.number, 0)

        return list(too_late(backlogs, total, now, due_seconds, gap))

    def usual_requests(self) -> int:
        """How many requests a call makes, as most of those did that wait for nothing here any more. One of a few that
        was tried again would look like a rule, so that fewer than three tell nothing.
        """
        under_way = (*self._waiting, *self._connected)
        waiting = {waiter.call.number for waiter in under_way if not waiter.call.is_shared}
        ended = sorted(count for number, count in self._granted.items() if number not in waiting)
        return ended[(len(ended) - 1) // 2] if len(ended) >= _FEWEST_CALLS else 1

    def _backlogs(self, now: float) -> list[Backlog[Waiter]]:
        """Everybody who has no slot yet, and who is expected, subject by subject."""
        beside = self._prepared(*self._waiting.joinable)
        lines = self._waiting.by_subject
        expected = self.expected(now)
        backlogs = []
        for subject in {**lines, **beside, **self.elsewhere, **expected}:
            waiters = lines.get(subject, [])
            if subject in beside:
                waiters = sorted([*beside[subject], *waiters], key=lambda each: each.place)
            later = max(0, expected.get(subject, 0) - len(waiters))
            backlogs.append(Backlog(self._start(subject), waiters, self.elsewhere.get(subject, ()), later))
        return backlogs

    def _order(self, waiter: Waiter, now: float, ahead: int = 0) -> tuple[float, int, int]:
        """The lower goes first: by what its subject has had, and has ahead of it; then by the age of the call."""
        rank = self._start(*waiter.subjects) + ahead + waiter.handicap(now)
        return rank, waiter.call.number, waiter.arrival

    def _order_behind(self, waiter: Waiter, now: float, prepared: Prepared) -> tuple[float, int, int]:
        """The same once those have their slots who are prepared."""
        own = self._next_payer(waiter, prepared)
        rank = self._start(own) + len(prepared.get(own, ())) + waiter.handicap(now)
        return rank, waiter.call.number, waiter.arrival

    def _next_payer(self, waiter: Waiter, prepared: Prepared) -> str:
        """The neediest of its subjects once those have their slots who are prepared. The neediest of now mostly has a
        request that is prepared: held to that one, what many wait for would be passed again and again.
        """
        return min(waiter.subjects, key=lambda each: self._start(each) + len(prepared.get(each, ())))

    def _start(self, *subjects: str) -> float:
        """The slots that the neediest of some subjects has had."""
        return 0.0 if self.shares is None else self.shares.start(subjects)

    def _prepared(self, *others: Waiter) -> Prepared:
        """Those prepared, and others."""
        prepared: dict[str, list[Waiter]] = {}
        for waiter in (*self._connected, *others):
            if not waiter.is_due_to_answer:
                prepared.setdefault(self.payer(waiter), []).append(waiter)
        return prepared

    def _next_admitted(self, now: float) -> Waiter | None:
        """Who goes first, if there is room; connections that bulk may not have are for the first who is urgent."""
        prepared, heads = self._prepared(), list(self._waiting.heads())
        waiter = self._first(heads, now, prepared)
        if waiter is not None and waiter.is_bulk and not self._has_room(waiter, now, prepared):
            waiter = self._first((each for each in heads if not each.is_bulk), now, prepared)
        return waiter if waiter is not None and self._has_room(waiter, now, prepared) else None

    def _first(self, waiters: Iterable[Waiter], now: float, prepared: Prepared) -> Waiter | None:
        """Who goes first once those have their slots who are prepared."""
        return min(waiters, key=lambda waiter: self._order_behind(waiter, now, prepared), default=None)

    def _has_room(self, waiter: Waiter, now: float, prepared: Prepared) -> bool:
        """Whether it may have a connection. What others can join is held open for them until its slot would be next: of
        those prepared it waits for whoever goes before it, and for nobody whom it would pass.
        """
        free = self._most_connections - len(self._connected)
        own = self._next_payer(waiter, prepared)
        is_held_open = waiter.call.yields_until > float("-inf")
        order = self._order_behind(waiter, now, prepared)
        limit: tuple[float, ...] = order if is_held_open else (order[0] + 1,)
        ahead = sum(
            other.is_bulk <= waiter.is_bulk and (subject == own or self._order(other, now, place) < limit)
            for subject, others in prepared.items()
            for place, other in enumerate(others)
        )  # who is needier does not wait until the others have their slots
        return free > (_KEPT_FOR_URGENT if waiter.is_bulk else 0) and ahead < (1 if is_held_open else _PREPARED)
