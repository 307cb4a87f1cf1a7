"""The ledgers of a process: Redis if it is set, else this machine's disk, else memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from biofact.core.provenance import Notice
from biofact.core.settings import Setting, Settings, declare
from biofact.transport.ledger import Ledger, LedgerLost, MemoryLedger, SlotRequest, Turn
from biofact.transport.ledger_disk import SqliteLedger
from biofact.transport.ledger_redis import RedisLedger
from biofact.transport.timing import Timing

REDIS_URL = declare(
    Setting(
        "BIOFACT_REDIS_URL",
        "Redis URL by which machines share cache and budgets (needs biofact[redis]); else those of one share a folder.",
        is_secret=True,
        example="redis://127.0.0.1:6379/0",
    )
)

LOST_SECONDS = 30.0
_LOOK = SlotRequest("readiness", owner="", gap=1.0, most=1)
"""Takes no slot, and none of a service."""


class Ledgers:
    """Redis if it is set, else this machine's disk, else memory: the first that works. A lost one is tried again."""

    _announced: ClassVar[set[str]] = set()
    """Messages that this process has put into a notice already."""

    def __init__(self, settings: Settings, timing: Timing, folder: Path | None) -> None:
        self._clock = timing.clock
        self._shared: list[Ledger] = []
        if settings[REDIS_URL]:
            self._shared.append(RedisLedger(settings[REDIS_URL]))
        if folder is not None:
            self._shared.append(SqliteLedger(folder / "budgets.sqlite", timing))
        self._memory = MemoryLedger(timing.wall_clock)
        self._lost_until: dict[str, float] = {}
        self._pending_notice: Notice | None = None

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets of the first ledger that works."""
        for ledger in self._usable():
            with self._losing(ledger):
                return await ledger.turn(ask)
        return await self._memory.turn(ask)

    def peek(self, ask: SlotRequest) -> tuple[str, Turn]:
        """The kind of the first ledger that works, and what ``ask`` would get of it."""
        for ledger in self._usable():
            with self._losing(ledger):
                return ledger.kind, ledger.peek(ask)
        return self._memory.kind, self._memory.peek(ask)

    async def place(self) -> str:
        """The kind of the first ledger that works, after a look at it."""
        for ledger in self._usable():
            with self._losing(ledger):
                await ledger.turn(_LOOK)
                return ledger.kind
        return self._memory.kind

    def take_notice(self) -> Notice | None:
        """What a user should know about the ledgers, once."""
        notice, self._pending_notice = self._pending_notice, None
        return notice

    async def aclose(self) -> None:
        """Close them all."""
        for ledger in self._shared:
            await ledger.aclose()

    def abandon(self) -> None:
        """Close what needs no event loop for that."""
        for ledger in self._shared:
            if isinstance(ledger, SqliteLedger):
                ledger.close()

    def _usable(self) -> list[Ledger]:
        now = self._clock()
        return [ledger for ledger in self._shared if self._lost_until.get(ledger.kind, now) <= now]

    @contextmanager
    def _losing(self, ledger: Ledger) -> Iterator[None]:
        """Go on with the next ledger when this one is lost."""
        try:
            yield
        except LedgerLost as lost:
            message = f"Rate limits are kept for fewer processes than they should be: {lost}."
            if message not in self._announced:
                self._announced.add(message)
                self._pending_notice = Notice(code="CACHE_IN_MEMORY", message=message)
            self._lost_until[ledger.kind] = self._clock() + LOST_SECONDS
