"""Requests to one service that wait, subject by subject in their order. No I/O and no clock."""

import asyncio
import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field

from biofact.core.call import Call
from biofact.transport.shares import BULK_HANDICAP, JOINABLE_HANDICAP, Claim


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
