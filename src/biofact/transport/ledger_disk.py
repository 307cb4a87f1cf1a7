"""The ledger of all processes of this machine that use one folder, in SQLite."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from biofact.transport.ledger import LedgerLost, Row, SlotRequest, Turn, turn
from biofact.transport.private_files import identity, make_private
from biofact.transport.quota import Charge, charged, counts_of, text_of
from biofact.transport.timing import Timing

T = TypeVar("T")


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
