"""Who is next at one service, and whose turn would come too late. No I/O and no clock of its own."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from biofact.core.call import Call
from biofact.transport.forecast import Backlog, too_late
from biofact.transport.shares import Shares
from biofact.transport.waiting import Waiter, WaitingList

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
        self.shares = Shares()
        """What the subjects have had, as the ledger last told."""
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
        if not self.shares and waiting.keys() <= {""}:
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
        return self.shares.neediest(waiter.call.payers or (waiter.call.subject,))

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
            backlogs.append(Backlog(self.shares.start((subject,)), waiters, self.elsewhere.get(subject, ()), later))
        return backlogs

    def _order(self, waiter: Waiter, now: float, ahead: int = 0) -> tuple[float, int, int]:
        """The lower goes first: by what its subject has had, and has ahead of it; then by the age of the call."""
        rank = self.shares.start(waiter.subjects) + ahead + waiter.handicap(now)
        return rank, waiter.call.number, waiter.arrival

    def _order_behind(self, waiter: Waiter, now: float, prepared: Prepared) -> tuple[float, int, int]:
        """The same once those have their slots who are prepared."""
        own = self._next_payer(waiter, prepared)
        rank = self.shares.start((own,)) + len(prepared.get(own, ())) + waiter.handicap(now)
        return rank, waiter.call.number, waiter.arrival

    def _next_payer(self, waiter: Waiter, prepared: Prepared) -> str:
        """The neediest of its subjects once those have their slots who are prepared. The neediest of now mostly has a
        request that is prepared: held to that one, what many wait for would be passed again and again.
        """
        return min(waiter.subjects, key=lambda each: self.shares.start((each,)) + len(prepared.get(each, ())))

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
