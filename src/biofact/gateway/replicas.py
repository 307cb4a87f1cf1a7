"""The slots that each replica may take while some replicas have lost Redis. Pure: no network, no clock.

A replica has a ledger of its own for when Redis is lost: it is the processes that use one cache folder. Each process is
a member, and holds a lease, which it renews in Redis. A replica with an expired lease takes its share of the budget
from its own ledger, and all others reserve that share for it until it has been back for a while. So the sum of all
slots never exceeds the budget, whichever replicas are cut off from Redis, and in whatever order they return.

All times are Redis's. How the sum is proven stands in docs/decisions/0077.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

LEASE_SECONDS = 2.5
BEAT_SECONDS = 0.7
"""The time between two renewals, so that one may fail."""
MEMORY_SECONDS = 600.0
"""For which a share is reserved for a member that vanished, and a number of replicas is remembered."""
LONE_MEMORY_SECONDS = 30.0
"""The same for a lone member that had the whole budget: its successor must not wait ten minutes after a crash."""
NEW_REDIS_SECONDS = 5.0
"""For which a newcomer leaves an empty Redis to members that may have used it before it was emptied."""
_SPARE_SECONDS = LEASE_SECONDS + 10.0  # a window, and the difference of clocks


@dataclass(frozen=True, slots=True)
class Member:
    """One process, as it describes itself to the others."""

    id: str
    replica: str
    index: int
    """The replica's index, which is that of its share."""
    joined_at: float
    """The time at which it took that index."""
    lease_until: float
    """After that time it takes nothing from Redis, unless it renews its lease."""
    expired_at: float = -math.inf
    """The last time at which its lease had expired; ``returned_at`` is when it was renewed after that."""
    returned_at: float = -math.inf
    replica_count: int = 1
    """The number of replicas among which it shares the budget when it loses Redis."""

    @classmethod
    def read(cls, id: str, text: str) -> "Member | None":  # noqa: A002
        """The member that ``str`` has written; None for the text of another release."""
        try:
            replica, index, replica_count, *times = json.loads(text)
            joined_at, lease_until, expired_at, returned_at = (
                -math.inf if time is None else float(time) for time in times
            )
            return cls(
                id,
                str(replica),
                int(index),
                joined_at,
                lease_until,
                expired_at,
                returned_at,
                max(1, int(replica_count)),
            )
        except (ValueError, TypeError):
            return None

    def __str__(self) -> str:
        times = (self.joined_at, self.lease_until, self.expired_at, self.returned_at)
        finite = [None if time == -math.inf else time for time in times]
        return json.dumps((self.replica, self.index, self.replica_count, *finite))

    def is_apart(self, time: float, window: float) -> bool:
        """Whether its replica may be taking its share: from the end of its lease until it has been back for a while,
        or is forgotten.
        """
        after = LEASE_SECONDS + window
        return self.lease_until <= time < self.forgotten_at + after or time < self.returned_at + after

    def takes_share(self, low: float, high: float, window: float) -> bool:
        """Whether its replica does take its share, a window away from slots of Redis before and after.

        The time is known to lie between ``low`` and ``high``.
        """
        has_lapsed = self.lease_until + window <= low and high < self.forgotten_at + LEASE_SECONDS
        return has_lapsed or (self.expired_at + window <= low and high < self.returned_at + LEASE_SECONDS)

    @property
    def forgotten_at(self) -> float:
        """The time after which its share is no longer reserved, if it does not come back."""
        return self.lease_until + (MEMORY_SECONDS if self.replica_count > 1 else LONE_MEMORY_SECONDS)


def share(limit: int, index: int, replica_count: int) -> int:
    """The share of one of several replicas in ``limit`` slots.

    All shares together are ``limit``; with more replicas than slots some are 0.
    """
    return len(range(index, limit, replica_count))


@dataclass(frozen=True, slots=True)
class Register:
    """The members, as they are registered in Redis."""

    members: Mapping[str, Member]
    since: str
    """The mark of this Redis since it was empty: the time, and the ID of its first user."""
    writes: int
    """The number of writes: fewer than before mean that some were lost."""
    time: float

    @property
    def first_use(self) -> float:
        """The time of its first use; now, if it is empty."""
        try:
            return min(self.time, float(self.since.partition(" ")[0]))
        except ValueError:
            return self.time


@dataclass(frozen=True, slots=True)
class Permission:
    """The place where a slot may be taken now, and the number of slots in a window."""

    place: Literal["redis", "own", "nowhere"]
    limit: int = 0
    seconds: float = LEASE_SECONDS
    """If nowhere: the time until it is worth asking again."""
    reason: str = ""
    """If nowhere: the reason."""
    is_lasting: bool = False
    """If nowhere: whether that lasts until Redis is back."""


class Replicas:
    """The knowledge that one member has of all, and the slots that it may take."""

    def __init__(self, id: str, replica: str, *, configured_count: int = 0, start_time: float = 0.0) -> None:  # noqa: A002
        """``configured_count`` is the number of replicas, if it is configured; ``start_time`` is now, by any clock."""
        self.own_member: Member | None = None
        """This member as last sent; the others may not have read it yet."""
        self.other_members: dict[str, Member] = {}
        self.lease_until = -math.inf
        """The end of the lease that Redis confirmed."""
        self.is_settled = False
        """Whether all other replicas reserve our share, should we lose Redis."""
        self.missing_members: list[Member] = []
        """Members that we remember and Redis does not."""
        self.expired_ids: list[str] = []
        """IDs of members that Redis need not remember."""
        self._id = id
        self._replica = replica
        self._configured_count = configured_count
        self._start_time = start_time
        self._register = Register({}, "", 0, -math.inf)
        self._doubts: dict[str, float] = {}
        """By member, the time until which others may know more of it: it is new to us, or Redis had forgotten it."""
        self._blocked_until = -math.inf
        self._seen_count = 1
        self._seen_until = -math.inf
        self._confirmed_count = 1

    @property
    def replica_count(self) -> int:
        """The number of replicas among which the budget is shared when Redis is lost."""
        return max(self._configured_count, self._seen_count, self._confirmed_count)

    @property
    def is_countable(self) -> bool:
        """Whether the size of our share is known."""
        return self.is_settled or self._configured_count > 0

    def learn(self, register: Register) -> None:
        """Take over the members in Redis. If it may have lost some, those that we remember still count."""
        # the mark of another Redis, or of one that was emptied, differs
        is_same = register.since == self._register.since != ""
        is_whole = is_same and register.writes >= self._register.writes
        registered, before = register.members, self.other_members
        members = {member.id: member for member in self.missing_members} if is_whole else dict(before)
        members |= {
            name: max(member, before.get(name, member), key=attrgetter("lease_until"))
            for name, member in registered.items()
        }
        others = {
            name: member
            for name, member in members.items()
            if name != self._id and register.time < member.forgotten_at + _SPARE_SECONDS
        }
        self.missing_members = [member for name, member in others.items() if name not in registered]
        self.expired_ids = [name for name in registered if name != self._id and name not in others]
        if self.own_member is not None:
            news = [member for name, member in others.items() if not (name in before and name in registered)]
            doubts = {member.id: max(register.time, member.lease_until) for member in news}
            self._doubts = {name: time for name, time in self._doubts.items() if name in others} | doubts
        if self.own_member is None or not (is_same or self.is_settled):
            self._blocked_until = register.first_use + NEW_REDIS_SECONDS
        self.other_members, self._register = others, register
        self._count(register.time)

    def renew(self, low: float, high: float, *, is_late: bool = False) -> Member:
        """Renew this member's lease. The time is known to lie between ``low`` and ``high``.

        ``is_late``: it may have taken a share before it could join the others.
        """
        lease_until = low + LEASE_SECONDS
        if self.own_member is None:
            own_member = Member(
                self._id, self._replica, -1, low, lease_until, returned_at=low if is_late else -math.inf
            )
        elif high >= self.lease_until:
            own_member = replace(
                self.own_member, lease_until=lease_until, expired_at=self.own_member.lease_until, returned_at=low
            )
        else:
            own_member = replace(self.own_member, lease_until=lease_until)
        index = self._choose_index(own_member)
        if index != own_member.index:
            self.is_settled = False
            own_member = replace(own_member, index=index, joined_at=low)
        self.own_member = replace(
            own_member, replica_count=max(self._configured_count, self._seen_count, own_member.index + 1)
        )
        return self.own_member

    def confirm(self, member: Member) -> None:
        """Note that Redis has this member as it was member."""
        self.lease_until = member.lease_until
        self._confirmed_count = member.replica_count

    def allowance(self, time: float, limit: int, window: float) -> int:
        """The slots in a window that all members may take from Redis together; 0 if this one may take none."""
        if self.own_member is None or not self._blocked_until <= time < self.lease_until:
            return 0
        if any(member.is_apart(time, window) for member in self._siblings()):
            return 0
        return max(0, limit - sum(self._reserved(time, limit, window).values()))

    def permission(self, low: float, high: float, limit: int, window: float) -> Permission:
        """The present permission of this member. The time is known to lie between ``low`` and ``high``."""
        if self.own_member is None:
            return self._share(low, self._start_time + window, limit)
        if high >= self.lease_until:
            return self._share(low, self.own_member.lease_until + window, limit)
        if low < self._blocked_until:
            return Permission("nowhere", seconds=self._blocked_until - low, reason=NEW)
        apart_members = [member for member in self._siblings() if member.is_apart(low, window)]
        if not apart_members:
            allowed = self.allowance(low, limit, window)
            return Permission("redis", allowed) if allowed else Permission("nowhere", reason=_RESERVED)
        if any(
            self._is_certain(member, low, window) and member.takes_share(low, high, window) for member in apart_members
        ):
            return self._share(low, low, limit)
        return Permission("nowhere", seconds=window / 4, reason=LOST)

    def _share(self, time: float, begins: float, limit: int) -> Permission:
        """Our share, from the time on when no slot of Redis counts against it any more."""
        if not self.is_countable:
            return Permission("nowhere", reason=_UNKNOWN, is_lasting=True)
        has_index = self.is_settled and self.own_member is not None
        number = (
            share(limit, self.own_member.index, self.replica_count)
            if has_index and self.own_member
            else limit // self.replica_count
        )
        if not number:
            return Permission("nowhere", reason=_TOO_MANY, is_lasting=True)
        if time < begins:
            return Permission("nowhere", seconds=begins - time, reason=LOST)
        return Permission("own", number)

    def _is_certain(self, member: Member, time: float, window: float) -> bool:
        """Whether for a window all others have known that a process of our replica lost Redis, or have lost it, too."""
        is_seen = member is self.own_member or time < member.lease_until or member.lease_until <= self._register.time
        return is_seen and time >= self._doubts.get(member.id, -math.inf) + LEASE_SECONDS + window

    def _reserved(self, time: float, limit: int, window: float) -> dict[str, int]:
        """By replica, the slots reserved for others that may be taking their shares."""
        reserved: dict[str, int] = {}
        for member in self.other_members.values():
            if member.replica != self._replica and member.is_apart(time, window):
                number = share(limit, member.index, member.replica_count)
                reserved[member.replica] = max(number, reserved.get(member.replica, 0))
        return reserved

    def _siblings(self) -> Iterator[Member]:
        """The members of our replica, this one included."""
        if self.own_member is not None:
            yield self.own_member
        yield from (member for member in self.other_members.values() if member.replica == self._replica)

    def processes(self) -> int:
        """The number of processes of our replica, as far as is known."""
        return max(1, sum(1 for _ in self._siblings()))

    def _choose_index(self, own_member: Member) -> int:
        """The index of this member: that of its replica, unless an older one has it; else the lowest free one."""
        eldest = min((own_member, *(sibling for sibling in self._siblings() if sibling.id != own_member.id)), key=_age)
        strangers = [member for member in self.other_members.values() if member.replica != self._replica]
        if eldest.index >= 0 and not any(_age(m) < _age(eldest) for m in strangers if m.index == eldest.index):
            return eldest.index
        indexes = {member.index for member in strangers}
        return next(index for index in range(len(indexes) + 1) if index not in indexes)

    def _count(self, time: float) -> None:
        """Count the replicas, and check whether all others count ours."""
        if self.own_member is None:
            return
        replica_count = 1 + max(member.index for member in (self.own_member, *self.other_members.values()))
        if replica_count >= self._seen_count or time >= self._seen_until:
            self._seen_count, self._seen_until = replica_count, time + MEMORY_SECONDS
        is_known = all(
            member.replica_count >= replica_count
            for member in self.other_members.values()
            if member.replica != self._replica
        )
        since = max(self.own_member.joined_at, self.own_member.returned_at, self._blocked_until - LEASE_SECONDS)
        is_long = since + LEASE_SECONDS <= time < self.lease_until
        self.is_settled = self.is_settled or (is_known and is_long)


def _age(member: Member) -> tuple[float, str, str]:
    return member.joined_at, member.replica, member.id


LOST = "Redis, by which replicas share its rate, has just been lost, or is just back"
NEW = "Redis, by which replicas share its rate, is new or was emptied"
_RESERVED = "its rate is taken by replicas that have lost Redis"
_TOO_MANY = (
    "Redis, by which replicas share its rate, is lost, and there are more replicas than it allows requests a second"
)
_UNKNOWN = (
    "Redis, by which replicas share its rate, cannot be reached, and BIOFACT_REPLICAS does not say how many they are"
)
