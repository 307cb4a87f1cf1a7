"""When the next slot of a service is due: one rule, and the ledgers that keep count by it."""

import functools
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, TypeVar

from biofact.core.call import Lane
from biofact.core.errors import WrongSetting
from biofact.core.records import Notice
from biofact.core.settings import Setting, Settings, declare
from biofact.transport.private_files import identity, make_private
from biofact.transport.quota import Charge, MemoryCounts, charged, counts_of, text_of
from biofact.transport.redis_link import REDIS_URL, RedisLink, RedisLost
from biofact.transport.replica_state import RedisState
from biofact.transport.service import HOUR, TurnTooLate
from biofact.transport.timing import Timing
from biofact.transport.turns.shares import BULK_HANDICAP, Claim, ReadyRequest, Shares

if TYPE_CHECKING:
    from biofact.transport.replica_ledger import ReplicaLedger

T = TypeVar("T")

LONGEST_WAIT_SECONDS = HOUR  # Ensembl counts by the clock hour; whatever is further ahead is no slot


@dataclass(frozen=True, slots=True)
class Row:
    """One service's row."""

    next: float = 0.0
    """When the next slot is due, on the wall clock, which is what processes share."""
    intent: str | None = None
    """The owner whose interactive call that slot is kept for, until one gap after it is due."""
    taken: tuple[float, ...] = ()
    """When the last slots were taken, oldest first."""
    written: float = field(default=0.0, compare=False)
    shares: Shares = field(default_factory=Shares)
    """Of the callers; where there are several, they take the place of ``intent``."""

    @classmethod
    def read(cls, text: str | bytes | None) -> "Row":
        """A row as ``str`` writes it; none is a service that nobody asked yet.

        One that cannot be read, damaged or of another release, counts as none: the next turn writes it anew.
        """
        try:
            next_slot, intent, taken, written, *shares = json.loads(text or "null")
            row = cls(float(next_slot), intent, tuple(map(float, taken)), float(written))
            return replace(row, shares=Shares.read(*shares)) if shares else row
        except (ValueError, TypeError):
            return cls()

    def __str__(self) -> str:
        shares = (self.shares.plain(),) if self.shares else ()
        return json.dumps(
            (self.next, self.intent, self.taken, self.written, *shares)
        )  # astuple takes ten times as long


@dataclass(frozen=True, slots=True)
class SlotRequest:
    """One process's request for a slot of one service."""

    name: str
    owner: str
    gap: float
    """Seconds between slots."""
    most: int
    """Slots in any ``most`` gaps: what the service allows in its window."""
    lane: Lane | None = None
    """None takes no slot."""
    hold: float = 0.0
    """Seconds that the service wants to be left alone."""
    is_lifting: bool = False
    """Whether to forget that it wants to be left alone."""
    demand: Mapping[str, int] = field(default_factory=dict)
    """Slots that each subject waits for, or is expected to; empty where there is one subject only."""
    claims: tuple[Claim, ...] = ()
    """Requests that are ready for the slot, who goes first first; without any it is for the lane and for no subject."""


class Turn(NamedTuple):
    """Whether the slot is ours, and the seconds until it is worth asking again."""

    is_taken: bool
    wait: float
    shares: Shares = Shares()
    claim: int = 0
    """For which of the claims the slot is."""


def turn(row: Row, ask: SlotRequest, now: float) -> tuple[Row, Turn]:
    """The row as an ask leaves it, and what the ask gets.

    A slot is taken when it is due, never reserved ahead, so that nobody who dies or gives up leaves a hole.
    Among several subjects it goes to the one that has had least; the processes of others leave it that slot, but not
    for long. With one subject, an interactive call that is too early leaves its intent, to the same end.
    Up to half a gap of lateness is caught up, so that the grid holds, but no window ever holds more than ``most``.
    """
    set_back = max(0.0, row.written - now)  # a row from the future: the clock was set back, and the row goes with it
    taken = tuple(time - set_back for time in row.taken)
    latest = now if ask.is_lifting else now + LONGEST_WAIT_SECONDS
    grid = min(max(row.next - set_back, now + ask.hold if ask.hold else 0.0), latest)
    due = max(grid, taken[-ask.most] + ask.most * ask.gap) if len(taken) >= ask.most else grid
    claims = ask.claims or (Claim(("",), BULK_HANDICAP if ask.lane == "bulk" else 0.0),)
    ready, shares = _published(row.shares, ask, claims, now)
    if ask.lane is None or now < due:
        intent = None if shares else row.intent or (ask.owner if ask.lane == "interactive" else None)
        return Row(grid, intent, taken, now, shares), Turn(False, max(0.0, due - now), shares)
    late = (now - due) / ask.gap
    if shares:
        claim = shares.award(ask.owner, ready, late, ask.gap)
    else:
        claim = 0 if row.intent in {None, ask.owner} or late >= 1 else None
    if claim is None:  # the slot is kept for others; soon enough to leave the next intent
        return Row(grid, row.intent, taken, now, shares), Turn(False, ask.gap / 16, shares)
    if shares:
        shares = shares.awarded(ask.owner, ready, claim, claims[claim].subjects)
    is_idle = now > grid + ask.gap
    following = (now if is_idle else max(grid, now - ask.gap / 2)) + ask.gap
    return Row(following, None, (*taken, now)[-ask.most :], now, shares), Turn(True, following - now, shares, claim)


def _published(
    shares: Shares, ask: SlotRequest, claims: tuple[Claim, ...], now: float
) -> tuple[tuple[ReadyRequest, ...], Shares]:
    """The claims as others see them, and the shares with what the process says of those who wait there."""
    if not shares and not ask.demand:
        return (), shares
    process = shares.process(now, ask.demand, claims)
    return process.ready, shares.published(ask.owner, process, ask.gap)


class LedgerLost(Exception):
    """A ledger cannot be used; the text says why."""


class Ledger(Protocol):
    """Rows by service, changed by one asker at a time."""

    kind: str

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets.

        Raises:
            LedgerLost: the ledger cannot be used.
        """

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` would get, told at once: for a person who looks, not for a caller who waits."""

    async def aclose(self) -> None:
        """Let go of files and connections; the ledger opens them again when asked again."""


class MemoryLedger:
    """Rows of this process only. Never lost."""

    kind = "memory"

    def __init__(self, wall_clock: Callable[[], float]) -> None:
        self._wall_clock = wall_clock
        self._rows: dict[str, Row] = {}

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets."""
        return self.peek(ask)

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets."""
        self._rows[ask.name], result = turn(self._rows.get(ask.name, Row()), ask, self._wall_clock())
        return result

    async def aclose(self) -> None:
        """Nothing to let go of."""


class SqliteLedger:
    """Rows of all processes that use one folder.

    A turn is one transaction of some 60 microseconds. It never waits for the lock while the event loop stands still.
    The journal stays in memory and nothing is synced: a crash may cost the file, which holds nothing worth keeping.
    """

    kind = "sqlite"

    def __init__(self, path: Path, timing: Timing) -> None:
        self._path = path
        self._timing = timing
        self._database: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets."""
        return await self._patiently(lambda: self._turn(ask))

    async def charge(self, charge: Charge) -> float:
        """The seconds until a charge of a quota fits; 0.0 where it is counted.

        Raises:
            LedgerLost: the ledger cannot be used.
        """
        return await self._patiently(lambda: self._charge(charge))

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` would get; waits for the lock."""
        with self._losses():
            database = self._open()
            database.execute("PRAGMA busy_timeout = 1000")
            result = self._turn(ask)
            database.execute("PRAGMA busy_timeout = 0")
        return result

    async def aclose(self) -> None:
        """Close the file."""
        self.close()

    async def _patiently(self, change: Callable[[], T]) -> T:
        """What a transaction gives, as soon as nobody else has the lock."""
        give_up = self._timing.clock() + _LOCK_PATIENCE_SECONDS
        with self._losses():
            while (result := self._tried(change, give_up)) is None:
                await self._timing.sleep(_LOCK_POLL_SECONDS * self._timing.random())
        return result

    def _tried(self, change: Callable[[], T], give_up: float) -> T | None:
        """What a transaction gives; None if another try may: somebody has the lock, or a damaged file is gone now."""
        try:
            return change()
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY_CODE
            if code not in _LOCKED | _DAMAGED or self._timing.clock() > give_up:
                raise
            if code in _DAMAGED:
                self.close()
                self._path.unlink(missing_ok=True)
            return None

    def _turn(self, ask: SlotRequest) -> Turn:
        database = self._open()
        database.execute("BEGIN IMMEDIATE")
        with database:
            stored = database.execute("SELECT row FROM budget WHERE service = ?", [ask.name]).fetchone()
            row = Row.read(stored[0] if stored else None)
            changed, result = turn(row, ask, self._timing.wall_clock())
            if changed != row:
                database.execute("REPLACE INTO budget VALUES (?, ?)", [ask.name, str(changed)])
        return result

    def _charge(self, charge: Charge) -> float:
        database = self._open()
        now = self._timing.wall_clock()
        database.execute("BEGIN IMMEDIATE")
        with database:
            stored = database.execute("SELECT counts FROM quota WHERE name = ?", [charge.name]).fetchone()
            if stored is None:  # one more row: those that matter no more go
                database.execute("DELETE FROM quota WHERE until < ?", [now])
            counts, wait = charged(counts_of(stored[0] if stored else None), charge, now)
            if not wait and charge.amount:
                row = (charge.name, text_of(counts), now + charge.lasting_seconds)
                database.execute("REPLACE INTO quota VALUES (?, ?, ?)", row)
        return wait

    def _open(self) -> sqlite3.Connection:
        """The database at our path; opened again when somebody has put another file there, or none."""
        if self._database is not None and self._file == identity(self._path):
            return self._database
        self.close()
        make_private(self._path)
        self._database = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        for statement in _SCHEMA:
            self._database.execute(statement)
        self._file = identity(self._path)
        return self._database

    @contextmanager
    def _losses(self) -> Iterator[None]:
        """Whatever the disk may fail with becomes a lost ledger."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise LedgerLost(f"the cache folder cannot be used ({error})") from error

    def close(self) -> None:
        """Close the file; it is opened again when asked again."""
        if self._database is not None:
            self._database.close()
        self._database = self._file = None


_SCHEMA = (
    "PRAGMA synchronous = OFF",
    "PRAGMA journal_mode = MEMORY",  # as fast as WAL here (60 microseconds a turn, a file journal 140), in one file
    "CREATE TABLE IF NOT EXISTS budget (service TEXT PRIMARY KEY, row TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS quota (name TEXT PRIMARY KEY, counts TEXT NOT NULL, until REAL NOT NULL)",
)
_PRIMARY_CODE = 0xFF
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}  # the last: not our table
_LOCK_POLL_SECONDS = 0.002
_LOCK_PATIENCE_SECONDS = 5.0  # to fall back on memory would break the limit; a stalled disk does not last that long


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
            from biofact.transport import replica_ledger  # noqa: PLC0415
            from biofact.transport.shared_membership import SharedMembership  # noqa: PLC0415

            link = RedisLink(settings[REDIS_URL], patience_seconds=_PATIENCE_SECONDS)
            count = settings[REPLICAS]
            declared = int(count) if count.isascii() and count.isdecimal() else 0
            shared = functools.partial(SharedMembership.of, link, folder, timing, declared)
            self._replicas = replica_ledger.ReplicaLedger(link, timing, shared=shared, local=self._local_turn)
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
