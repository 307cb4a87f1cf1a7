"""The ledgers of a process: Redis if it is set, else this machine's disk, else memory."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from biofact.core.errors import WrongSetting
from biofact.core.provenance import Notice
from biofact.core.settings import Setting, Settings, declare
from biofact.transport.ledger import LedgerLost, MemoryLedger, SlotRequest, Turn
from biofact.transport.ledger_disk import SqliteLedger
from biofact.transport.quota import Charge, MemoryCounts
from biofact.transport.redis_link import REDIS_URL, RedisLink, RedisLost
from biofact.transport.replica_ledger import ReplicaLedger
from biofact.transport.replica_state import RedisState
from biofact.transport.service import TurnTooLate
from biofact.transport.shared_membership import SharedMembership
from biofact.transport.timing import Timing

__all__ = ["LOST_SECONDS", "REDIS_URL", "REPLICAS", "Ledgers"]

REPLICAS = declare(
    Setting(
        "BIOFACT_REPLICAS",
        "How many replicas share a Redis at most: each takes its part of the rates when Redis is lost; else as seen.",
        example="3",
    )
)

LOST_SECONDS = 30.0
_LOOK = SlotRequest("readiness", owner="", gap=1.0, most=1)
"""Takes no slot, and none of a service."""
_PATIENCE_SECONDS = 0.5  # with Redis, for a slot; a cache has less


class Ledgers:
    """Redis if it is set, else this machine's disk, else memory: the first that works. A lost one is tried again."""

    _announced: ClassVar[set[str]] = set()
    """Messages that this process has put into a notice already."""

    def __init__(self, settings: Settings, timing: Timing, folder: Path | None) -> None:
        self._clock = timing.clock
        self._replicas: ReplicaLedger | None = None
        if settings[REDIS_URL]:
            link = RedisLink(settings[REDIS_URL], patience_seconds=_PATIENCE_SECONDS)
            count = settings[REPLICAS]
            declared = int(count) if count.isascii() and count.isdecimal() else 0
            shared = functools.partial(SharedMembership.of, link, folder, timing, declared)
            self._replicas = ReplicaLedger(link, timing, shared=shared, local=self._local_turn)
        self._disk = SqliteLedger(folder / "budgets.sqlite", timing) if folder is not None else None
        self._memory = MemoryLedger(timing.wall_clock)
        self._wall_clock = timing.wall_clock
        self._memory_counts = MemoryCounts()
        self._lost_until = 0.0
        self._pending_notice: Notice | None = None

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets of the first ledger that works; of Redis, or as the share of it that this replica has.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        return await (self._local_turn(ask) if self._replicas is None else self._replicas.turn(ask))

    async def charge(self, charge: Charge) -> float:
        """The seconds until a charge of a quota fits, in the first ledger that works; 0.0 where it is counted.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        if self._replicas is not None:
            wait = await self._replicas.charge(charge)
            if wait is not None:
                return wait
            charge = self._shared_charge(charge)
        if self._disk is not None and self._is_disk_usable():
            with self._losing_disk():
                return await self._disk.charge(charge)
        return self._memory_counts.charge(charge, self._wall_clock())

    async def refusal(self, ask: SlotRequest) -> TurnTooLate | None:
        """Why this process may not ask the service at all for now; None where it may.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        return None if self._replicas is None else await self._replicas.refusal(ask)

    async def join(self) -> None:
        """Return when Redis was asked once, where it is set.

        Raises:
            WrongSetting: it cannot be used as it is set.
        """
        if self._replicas is not None:
            await self._replicas.join()

    def stretch(self, ask: SlotRequest) -> float:
        """How many times as far apart slots are as their gap says: more than once where Redis is lost."""
        return 1.0 if self._replicas is None else self._replicas.stretch(ask)

    def peek(self, ask: SlotRequest) -> tuple[str, Turn]:
        """The kind of the first ledger that works, and what ``ask`` would get of it; waits for Redis."""
        if self._replicas is not None:
            if self._replicas.is_used():
                with suppress(RedisLost):
                    return "redis", self._replicas.peek(ask)
            ask = self._replicas.share_request(ask)
        return self._peek_here(ask)

    async def look(self, ask: SlotRequest) -> tuple[str, Turn]:
        """The same, while others go on."""
        if self._replicas is not None:
            with suppress(RedisLost, WrongSetting):
                turn = await self._replicas.look(ask)
                if turn is not None:
                    return "redis", turn
            ask = self._replicas.share_request(ask)
        return self._peek_here(ask)

    def _peek_here(self, ask: SlotRequest) -> tuple[str, Turn]:
        if self._disk is not None and self._is_disk_usable():
            with self._losing_disk():
                return self._disk.kind, self._disk.peek(ask)
        return self._memory.kind, self._memory.peek(ask)

    async def place(self) -> str:
        """The kind of the first ledger that works, after a look at it; Redis is looked at all the time."""
        if self._replicas is not None and self._replicas.is_used():
            return "redis"
        if self._disk is not None and self._is_disk_usable():
            with self._losing_disk():
                await self._disk.turn(_LOOK)
                return self._disk.kind
        return self._memory.kind

    def redis_state(self) -> RedisState | None:
        """How this process stands with Redis; None where it is not set, or was not asked yet."""
        return None if self._replicas is None else self._replicas.state()

    def take_notice(self) -> Notice | None:
        """What a user should know about the ledgers, once."""
        notice, self._pending_notice = self._pending_notice, None
        return notice or (self._replicas.take_notice() if self._replicas else None)

    async def aclose(self) -> None:
        """Close them all."""
        if self._replicas is not None:
            await self._replicas.aclose()
        self.abandon()

    def abandon(self) -> None:
        """Close what needs no event loop for that."""
        if self._disk is not None:
            self._disk.close()

    def _shared_charge(self, charge: Charge) -> Charge:
        """The charge by the part of a quota that is this replica's, as long as Redis is lost."""
        state = self.redis_state()
        share = state.share if state else 0.0
        return replace(charge, most=max(1, int(charge.most * share))) if share else charge

    async def _local_turn(self, ask: SlotRequest, processes: int = 1) -> Turn:
        """A turn of the disk; in memory only a part of it, as each of some processes has a memory of its own."""
        if self._disk is not None and self._is_disk_usable():
            with self._losing_disk():
                return await self._disk.turn(ask)
        most = ask.most // processes
        window = ask.most * ask.gap
        if not most:
            return Turn(False, window)
        return await self._memory.turn(ask if processes == 1 else replace(ask, most=most, gap=window / most))

    def _is_disk_usable(self) -> bool:
        return self._lost_until <= self._clock()

    @contextmanager
    def _losing_disk(self) -> Iterator[None]:
        """Go on in memory when the disk is lost."""
        try:
            yield
        except LedgerLost as lost:
            message = f"Rate limits are kept for fewer processes than they should be: {lost}."
            if message not in self._announced:
                self._announced.add(message)
                self._pending_notice = Notice(code="CACHE_IN_MEMORY", message=message)
            self._lost_until = self._clock() + LOST_SECONDS
