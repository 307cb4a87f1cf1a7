"""Where the next slot of a service stands: in Redis, on this machine's disk, or in memory. One rule for all three."""

import importlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from biofact.core.call import Lane
from biofact.transport.service import HOUR
from biofact.transport.timing import Timing

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

    @classmethod
    def read(cls, text: str | bytes | None) -> "Row":
        """A row as ``str`` writes it; none is a service that nobody asked yet.

        One that cannot be read, damaged or of another release, counts as none: the next turn writes it anew.
        """
        try:
            next_slot, intent, taken, written = json.loads(text or "null")
            return cls(float(next_slot), intent, tuple(map(float, taken)), float(written))
        except (ValueError, TypeError):
            return cls()

    def __str__(self) -> str:
        return json.dumps((self.next, self.intent, self.taken, self.written))  # astuple takes ten times as long


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


class Turn(NamedTuple):
    """Whether the slot is ours, and the seconds until it is worth asking again."""

    is_taken: bool
    wait: float


def turn(row: Row, ask: SlotRequest, now: float) -> tuple[Row, Turn]:
    """The row as an ask leaves it, and what the ask gets.

    A slot is taken when it is due, never reserved ahead, so that nobody who dies or gives up leaves a hole.
    Too early, an interactive call leaves its intent: the others then leave it that slot.
    Up to half a gap of lateness is caught up, so that the grid holds, but no window ever holds more than ``most``.
    """
    set_back = max(0.0, row.written - now)  # a row from the future: the clock was set back, and the row goes with it
    taken = tuple(time - set_back for time in row.taken)
    latest = now if ask.is_lifting else now + LONGEST_WAIT_SECONDS
    grid = min(max(row.next - set_back, now + ask.hold if ask.hold else 0.0), latest)
    due = max(grid, taken[-ask.most] + ask.most * ask.gap) if len(taken) >= ask.most else grid
    if ask.lane is None or now < due:
        intent = row.intent or (ask.owner if ask.lane == "interactive" else None)
        return Row(grid, intent, taken, now), Turn(False, max(0.0, due - now))
    if row.intent not in {None, ask.owner} and now < due + ask.gap:
        return Row(grid, row.intent, taken, now), Turn(False, ask.gap / 16)  # soon enough to leave the next intent
    is_idle = now > grid + ask.gap
    following = (now if is_idle else max(grid, now - ask.gap / 2)) + ask.gap
    return Row(following, None, (*taken, now)[-ask.most :], now), Turn(True, following - now)


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
        give_up = self._timing.clock() + _LOCK_PATIENCE_SECONDS
        with self._losses():
            while (result := self._tried(ask, give_up)) is None:
                await self._timing.sleep(_LOCK_POLL_SECONDS * self._timing.random())
        return result

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

    def _tried(self, ask: SlotRequest, give_up: float) -> Turn | None:
        """What ``ask`` gets; None if another try may get it: somebody has the lock, or a damaged file is gone now."""
        try:
            return self._turn(ask)
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

    def _open(self) -> sqlite3.Connection:
        """The database at our path; opened again when somebody has put another file there, or none."""
        if self._database is not None and self._file == _identity(self._path):
            return self._database
        self.close()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        for statement in _SCHEMA:
            self._database.execute(statement)
        self._file = _identity(self._path)
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


class RedisLedger:
    """Rows of all replicas that use one Redis, by its clock. Optimistic: who was overtaken reads again."""

    kind = "redis"

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: Any = None

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets."""
        key = _REDIS_PREFIX + ask.name

        async def transaction(pipe: Any) -> Turn:
            row = Row.read(await pipe.get(key))
            changed, result = turn(row, ask, _redis_seconds(await pipe.time()))
            if changed != row:
                pipe.multi()
                pipe.set(key, str(changed), ex=int(2 * LONGEST_WAIT_SECONDS))
            return result

        with _redis_losses():
            self._client = self._client or self._connected("redis.asyncio")
            result: Turn = await self._client.transaction(transaction, key, value_from_callable=True)
        return result

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` would get; waits for Redis."""
        with _redis_losses(), closing(self._connected("redis")) as client:
            row = Row.read(client.get(_REDIS_PREFIX + ask.name))
            return turn(row, ask, _redis_seconds(client.time()))[1]

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
        self._client = None

    def _connected(self, package: str) -> Any:
        """A client that says at once when Redis is away: a caller is waiting, and the disk will do."""
        retry = importlib.import_module(package + ".retry").Retry
        patience = {"socket_timeout": _REDIS_PATIENCE_SECONDS, "socket_connect_timeout": _REDIS_PATIENCE_SECONDS}
        once = retry(importlib.import_module("redis.backoff").NoBackoff(), 1)
        return importlib.import_module(package).from_url(self._url, retry=once, **patience)


@contextmanager
def _redis_losses() -> Iterator[None]:
    """Whatever Redis may fail with becomes a lost ledger. The package is an extra, so it loads on first use."""
    try:
        redis = importlib.import_module("redis")
    except ImportError as error:
        raise LedgerLost("the extra is not installed: pip install 'biofact[redis]'") from error
    try:
        yield
    except (redis.RedisError, OSError, ValueError) as error:
        raise LedgerLost(f"Redis does not answer: {type(error).__name__}") from error  # its text may hold the password


def _redis_seconds(time: tuple[int, int]) -> float:
    seconds, microseconds = time
    return seconds + microseconds / 1e6


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file stands at a path; None for none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


_SCHEMA = (
    "PRAGMA synchronous = OFF",
    "PRAGMA journal_mode = MEMORY",  # as fast as WAL here (60 microseconds a turn, a file journal 140), in one file
    "CREATE TABLE IF NOT EXISTS budget (service TEXT PRIMARY KEY, row TEXT NOT NULL)",
)
_PRIMARY_CODE = 0xFF
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}  # the last: not our table
_LOCK_POLL_SECONDS = 0.002
_LOCK_PATIENCE_SECONDS = 5.0  # to fall back on memory would break the limit; a stalled disk does not last that long
_REDIS_PATIENCE_SECONDS = 1.0
_REDIS_PREFIX = "biofact:budget:"
