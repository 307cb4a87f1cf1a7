"""What each replica may take while some of them have lost Redis. Pure: no network, no clock.

A replica is what has a ledger of its own for when Redis is lost: the processes that use one cache folder. Each process
is a member, and holds a lease, which it renews in Redis. Whose lease has lapsed takes its replica's share of the
budget from the ledger of its own, and all others leave it that share until it has been back for a while. So the sum
of what all take never exceeds the budget, whoever is cut off from Redis, in whatever order they return.

All times are Redis's. How the sum is proven stands in docs/decisions/0077.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

LEASE_SECONDS = 2.5
BEAT_SECONDS = 0.7
"""Between two renewals, so that one may fail."""
MEMORY_SECONDS = 600.0
"""How long a share is left to a member that vanished, and how long a number of replicas is remembered."""
LONE_MEMORY_SECONDS = 30.0
"""The same for one that was alone and had it all: who comes after a crash must not wait for ten minutes."""
NEW_REDIS_SECONDS = 5.0
"""How long a newcomer leaves an empty Redis to those who were there before it was emptied."""
_SPARE_SECONDS = LEASE_SECONDS + 10.0  # a window, and what clocks may differ by


@dataclass(frozen=True, slots=True)
class Member:
    """One process, as it describes itself to the others."""

    id: str
    replica: str
    seat: int
    """Of its replica: which share is its."""
    joined: float
    """When it took that seat."""
    lease_until: float
    """It takes nothing from Redis after that, unless it renews its lease."""
    lapsed: float = -math.inf
    """When its lease had lapsed the last time, and when it came back from that."""
    returned: float = -math.inf
    seats: int = 1
    """Among how many it shares the budget when it loses Redis."""

    @classmethod
    def read(cls, id: str, text: str) -> "Member | None":  # noqa: A002
        """A member as ``str`` writes it; None for what another release wrote."""
        try:
            replica, seat, seats, *times = json.loads(text)
            joined, lease_until, lapsed, returned = (-math.inf if time is None else float(time) for time in times)
            return cls(id, str(replica), int(seat), joined, lease_until, lapsed, returned, max(1, int(seats)))
        except (ValueError, TypeError):
            return None

    def __str__(self) -> str:
        times = (self.joined, self.lease_until, self.lapsed, self.returned)
        finite = [None if time == -math.inf else time for time in times]
        return json.dumps((self.replica, self.seat, self.seats, *finite))

    def is_apart(self, time: float, window: float) -> bool:
        """Whether its replica may be taking its share: from when its lease lapses until it has been back for a while,
        or is forgotten.
        """
        after = LEASE_SECONDS + window
        return self.lease_until <= time < self.forgotten_at + after or time < self.returned + after

    def takes_share(self, low: float, high: float, window: float) -> bool:
        """Whether its replica does take its share: with a window's distance from what is taken from Redis before and
        after. The time is known to lie between ``low`` and ``high``.
        """
        has_lapsed = self.lease_until + window <= low and high < self.forgotten_at + LEASE_SECONDS
        return has_lapsed or (self.lapsed + window <= low and high < self.returned + LEASE_SECONDS)

    @property
    def forgotten_at(self) -> float:
        """When its share is left to it no more, should it not come back."""
        return self.lease_until + (MEMORY_SECONDS if self.seats > 1 else LONE_MEMORY_SECONDS)


def share(most: int, seat: int, seats: int) -> int:
    """How many of ``most`` slots a seat has. The shares of all seats are ``most`` together; with more seats than slots
    some have none.
    """
    return len(range(seat, most, seats))


@dataclass(frozen=True, slots=True)
class Register:
    """What Redis has of the members."""

    members: Mapping[str, Member]
    since: str
    """Marks this Redis from when it was empty: the time, and by whom it was used first."""
    writes: int
    """How often it was written to: fewer than before mean that some of it was lost."""
    time: float

    @property
    def began(self) -> float:
        """When it was used first; now, where it is empty."""
        try:
            return min(self.time, float(self.since.partition(" ")[0]))
        except ValueError:
            return self.time


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a slot may be taken now, and how many in a window."""

    place: Literal["redis", "own", "nowhere"]
    most: int = 0
    seconds: float = LEASE_SECONDS
    """Nowhere: until it is worth asking again."""
    reason: str = ""
    """Nowhere: why."""
    is_lasting: bool = False
    """Nowhere: it will not change before Redis is back."""


class Replicas:
    """What one member knows of all, and may take itself."""

    def __init__(self, id: str, replica: str, *, declared: int = 0, began: float = 0.0) -> None:  # noqa: A002
        """``declared`` is how many replicas there are, where somebody said so; ``began`` is now, by any clock."""
        self.me: Member | None = None
        """As it was last sent: the others may have read it, or not."""
        self.others: dict[str, Member] = {}
        self.lease_until = -math.inf
        """As Redis confirmed it."""
        self.is_settled = False
        """Whether everybody leaves us our share, should we lose Redis."""
        self.unwritten: list[Member] = []
        """Those whom we remember and Redis does not."""
        self.forgotten: list[str] = []
        """Those whom Redis need not remember."""
        self._id = id
        self._replica = replica
        self._declared = declared
        self._began = began
        self._read = Register({}, "", 0, -math.inf)
        self._doubts: dict[str, float] = {}
        """Until when others may know more of whom: they are new to us, or Redis had forgotten them."""
        self._blocked_until = -math.inf
        self._seen = 1
        self._seen_until = -math.inf
        self._confirmed_seats = 1

    @property
    def seats(self) -> int:
        """Among how many replicas the budget is shared when Redis is lost."""
        return max(self._declared, self._seen, self._confirmed_seats)

    @property
    def is_countable(self) -> bool:
        """Whether it is known what share is ours."""
        return self.is_settled or self._declared > 0

    def learn(self, read: Register) -> None:
        """Take in what Redis has. Where it may have lost something, those whom we remember are still there."""
        is_same = read.since == self._read.since != ""
        is_whole = is_same and read.writes >= self._read.writes
        known = {id: max(member, self.others.get(id, member), key=_lease) for id, member in read.members.items()}  # noqa: A001
        remembered = {member.id: member for member in self.unwritten} if is_whole else self.others
        known = {**remembered, **known}
        others = {id: member for id, member in known.items() if id != self._id and _is_known(member, read.time)}  # noqa: A001
        self.unwritten = [member for id, member in others.items() if id not in read.members]  # noqa: A001
        self.forgotten = [id for id in read.members if id != self._id and id not in others]  # noqa: A001
        if self.me is not None:
            news = [member for id, member in others.items() if not (id in self.others and id in read.members)]  # noqa: A001
            doubts = {member.id: max(read.time, member.lease_until) for member in news}
            self._doubts = {id: time for id, time in self._doubts.items() if id in others} | doubts  # noqa: A001
        if self.me is None or not (is_same or self.is_settled):
            self._blocked_until = read.began + NEW_REDIS_SECONDS
        self.others, self._read = others, read
        self._count(read.time)

    def renewed(self, low: float, high: float, *, is_late: bool = False) -> Member:
        """Ourselves with a new lease. The time is known to lie between two. ``is_late``: we may have taken a share
        before we could join the others.
        """
        lease_until = low + LEASE_SECONDS
        if self.me is None:
            me = Member(self._id, self._replica, -1, low, lease_until, returned=low if is_late else -math.inf)
        elif high >= self.lease_until:
            me = replace(self.me, lease_until=lease_until, lapsed=self.me.lease_until, returned=low)
        else:
            me = replace(self.me, lease_until=lease_until)
        seat = self._seat(me)
        if seat != me.seat:
            self.is_settled = False
            me = replace(me, seat=seat, joined=low)
        self.me = replace(me, seats=max(self._declared, self._seen, me.seat + 1))
        return self.me

    def confirm(self, sent: Member) -> None:
        """Redis has what was sent."""
        self.lease_until = sent.lease_until
        self._confirmed_seats = sent.seats

    def allowance(self, time: float, most: int, window: float) -> int:
        """How many slots in a window all who use Redis may take together, if we may."""
        if self.me is None or not self._blocked_until <= time < self.lease_until:
            return 0
        if any(member.is_apart(time, window) for member in self._siblings()):
            return 0
        return max(0, most - sum(self._reserved(time, most, window).values()))

    def standing(self, low: float, high: float, most: int, window: float) -> Standing:
        """What we may take now. The time is known to lie between ``low`` and ``high``."""
        if self.me is None:
            return self._share(low, self._began + window, most)
        if high >= self.lease_until:
            return self._share(low, self.me.lease_until + window, most)
        if low < self._blocked_until:
            return Standing("nowhere", seconds=self._blocked_until - low, reason=_NEW)
        apart = [member for member in self._siblings() if member.is_apart(low, window)]
        if not apart:
            allowed = self.allowance(low, most, window)
            return Standing("redis", allowed) if allowed else Standing("nowhere", reason=_RESERVED)
        if any(self._is_certain(member, low, window) and member.takes_share(low, high, window) for member in apart):
            return self._share(low, low, most)
        return Standing("nowhere", seconds=window / 4, reason=_LOST)

    def _share(self, time: float, begins: float, most: int) -> Standing:
        """Our share, from the time on when nothing that is taken from Redis counts against it any more."""
        if not self.is_countable:
            return Standing("nowhere", reason=_UNKNOWN, is_lasting=True)
        is_seated = self.is_settled and self.me is not None
        number = share(most, self.me.seat, self.seats) if is_seated and self.me else most // self.seats
        if not number:
            return Standing("nowhere", reason=_TOO_MANY, is_lasting=True)
        if time < begins:
            return Standing("nowhere", seconds=begins - time, reason=_LOST)
        return Standing("own", number)

    def _is_certain(self, member: Member, time: float, window: float) -> bool:
        """Whether everybody has heard that a process of our replica lost Redis, or has lost it, too; and that a window
        ago.
        """
        is_seen = member is self.me or time < member.lease_until or member.lease_until <= self._read.time
        return is_seen and time >= self._doubts.get(member.id, -math.inf) + LEASE_SECONDS + window

    def _reserved(self, time: float, most: int, window: float) -> dict[str, int]:
        """What is left to other replicas that may be taking their shares."""
        reserved: dict[str, int] = {}
        for member in self.others.values():
            if member.replica != self._replica and member.is_apart(time, window):
                number = share(most, member.seat, member.seats)
                reserved[member.replica] = max(number, reserved.get(member.replica, 0))
        return reserved

    def _siblings(self) -> Iterator[Member]:
        """The members of our replica, ourselves among them."""
        if self.me is not None:
            yield self.me
        yield from (member for member in self.others.values() if member.replica == self._replica)

    def processes(self) -> int:
        """How many processes our replica has, as far as is known."""
        return max(1, sum(1 for _ in self._siblings()))

    def _seat(self, me: Member) -> int:
        """Ours: that of our replica, unless an older one has it; else the lowest that is free."""
        eldest = min((me, *(sibling for sibling in self._siblings() if sibling.id != me.id)), key=_age)
        strangers = [member for member in self.others.values() if member.replica != self._replica]
        if eldest.seat >= 0 and not any(_age(m) < _age(eldest) for m in strangers if m.seat == eldest.seat):
            return eldest.seat
        taken = {member.seat for member in strangers}
        return next(seat for seat in range(len(taken) + 1) if seat not in taken)

    def _count(self, time: float) -> None:
        """How many replicas there are, and whether everybody counts us among them."""
        if self.me is None:
            return
        seats = 1 + max(member.seat for member in (self.me, *self.others.values()))
        if seats >= self._seen or time >= self._seen_until:
            self._seen, self._seen_until = seats, time + MEMORY_SECONDS
        is_known = all(member.seats >= seats for member in self.others.values() if member.replica != self._replica)
        since = max(self.me.joined, self.me.returned, self._blocked_until - LEASE_SECONDS)
        is_long = since + LEASE_SECONDS <= time < self.lease_until
        self.is_settled = self.is_settled or (is_known and is_long)


def _age(member: Member) -> tuple[float, str, str]:
    return member.joined, member.replica, member.id


def _lease(member: Member) -> float:
    return member.lease_until


def _is_known(member: Member, time: float) -> bool:
    return time < member.forgotten_at + _SPARE_SECONDS


_LOST = "Redis, by which replicas share its rate, has just been lost, or is just back"
_NEW = "Redis, by which replicas share its rate, is new or was emptied"
_RESERVED = "its rate is taken by replicas that have lost Redis"
_TOO_MANY = (
    "Redis, by which replicas share its rate, is lost, and there are more replicas than it allows requests a second"
)
_UNKNOWN = (
    "Redis, by which replicas share its rate, cannot be reached, and BIOFACT_REPLICAS does not say how many they are"
)
