"""Entries in an SQLite file that all processes of a user share."""

import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from biofact.transport.store import ENTRY_BYTES, Entry, StoreBusy, StoreFailed, packed, unpacked

T = TypeVar("T")

_FILE = "answers-1.sqlite"  # the number changes with the tables
# The body stands last: SQLite walks through everything in front of a column to read it.
_TABLES = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS answers (
    key BLOB PRIMARY KEY, checksum INTEGER, used_at REAL, size INTEGER,
    url TEXT, retrieved_at REAL, expires_at REAL, is_packed INTEGER, body BLOB
);
CREATE INDEX IF NOT EXISTS by_use ON answers (used_at, size);
CREATE TABLE IF NOT EXISTS totals (id INTEGER PRIMARY KEY, entries INTEGER, bytes INTEGER);
INSERT OR IGNORE INTO totals VALUES (1, 0, 0);
CREATE TRIGGER IF NOT EXISTS added AFTER INSERT ON answers
    BEGIN UPDATE totals SET entries = entries + 1, bytes = bytes + new.size; END;
CREATE TRIGGER IF NOT EXISTS changed AFTER UPDATE OF size ON answers
    BEGIN UPDATE totals SET bytes = bytes - old.size + new.size; END;
CREATE TRIGGER IF NOT EXISTS dropped AFTER DELETE ON answers
    BEGIN UPDATE totals SET entries = entries - 1, bytes = bytes - old.size; END;
COMMIT;
"""
_GET = "SELECT checksum, used_at, url, retrieved_at, expires_at, is_packed, body FROM answers WHERE key = ?"
_PUT = """
INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET checksum = excluded.checksum, used_at = excluded.used_at, size = excluded.size,
    url = excluded.url, retrieved_at = excluded.retrieved_at, expires_at = excluded.expires_at,
    is_packed = excluded.is_packed, body = excluded.body
"""
_TOTALS = "SELECT entries, bytes FROM totals"

_LOCK_SECONDS = 0.05  # a writer needs a millisecond; the event loop stands still meanwhile
_PATIENT_MILLISECONDS = 5000  # for a person who looks or clears
_USE_SECONDS = 60.0  # uses are noted to the minute, so that most reads write nothing
_KEPT_SHARE = 0.9
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_READONLY_DBMOVED}


class _Damaged(Exception):
    """An entry is not what was stored."""


class DiskStore:
    """Keeps entries in a file, least recently used first out. Calls are short and block.

    A damaged file is deleted and begun anew.
    """

    kind: ClassVar[str] = "sqlite"

    def __init__(self, folder: Path | None, cap_bytes: int) -> None:
        self._path = folder and folder / _FILE
        self.location = str(self._path or "the home folder")
        self._cap_bytes = cap_bytes
        self._open: sqlite3.Connection | None = None

    async def get(self, key: bytes, now: float) -> Entry | None:
        """The entry, marked as used now."""
        return self._result(lambda file: _get(file, key, now))

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries; when the file is full, drop the least recently used tenth."""
        rows = [_row(key, entry, now) for key, entry in entries.items()]
        self._result(lambda file: _put(file, rows, self._cap_bytes))

    async def drop(self, key: bytes) -> None:
        """Forget an entry."""
        self._result(lambda file: file.execute("DELETE FROM answers WHERE key = ?", (key,)))

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are."""
        entries, size = self._result(lambda file: _patiently(file).execute(_TOTALS).fetchone())
        return entries, size

    async def clear(self) -> int:
        """Forget everything and give the space back; returns how many entries that was."""
        return self._result(_clear)

    async def aclose(self) -> None:
        """Close the file."""
        self._close()

    def _result(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return work(self._file())
        except (sqlite3.Error, OSError, _Damaged) as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
                raise StoreBusy(str(error)) from error
            self._close()
            if not _is_damage(error):
                raise StoreFailed(str(error)) from error
        try:
            self._delete()
            return work(self._file())
        except (sqlite3.Error, OSError, _Damaged) as error:
            self._close()
            raise StoreFailed(str(error)) from error

    def _file(self) -> sqlite3.Connection:
        if self._open is None:
            if self._path is None:
                raise StoreFailed("nobody knows where it is")
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            self._open = _opened(self._path)
        return self._open

    def _delete(self) -> None:
        if self._path is not None:
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _opened(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=_LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        file.execute("PRAGMA synchronous = OFF")  # a power cut may cost the cache; waiting for the disk costs everybody
        file.execute("PRAGMA journal_mode = WAL")
        if file.execute("PRAGMA user_version").fetchone() != (1,):
            file.executescript(_TABLES)
            file.execute("PRAGMA user_version = 1")
    except sqlite3.Error:
        file.close()
        raise
    return file


def _get(file: sqlite3.Connection, key: bytes, now: float) -> Entry | None:
    row = file.execute(_GET, (key,)).fetchone()
    if row is None:
        return None
    checksum, used_at, *kept = row
    if checksum != _checksum(key, *kept):
        raise _Damaged("an entry is not what was stored")
    if abs(now - used_at) > _USE_SECONDS:
        file.execute("UPDATE answers SET used_at = ? WHERE key = ?", (now, key))
    url, retrieved_at, expires_at, is_packed, body = kept
    return Entry(None if body is None else unpacked(body, is_packed), url, retrieved_at, expires_at)


def _row(key: bytes, entry: Entry, now: float) -> tuple[Any, ...]:
    body, is_packed = (None, False) if entry.body is None else packed(entry.body)
    kept = (entry.url, float(entry.retrieved_at), float(entry.expires_at), int(is_packed), body)
    return (key, _checksum(key, *kept), now, len(body or b"") + ENTRY_BYTES, *kept)


def _checksum(key: bytes, *kept: Any) -> int:
    *head, body = kept
    return zlib.crc32(body or b"", zlib.crc32(key + repr(head).encode()))


def _put(file: sqlite3.Connection, rows: Sequence[tuple[Any, ...]], cap_bytes: int) -> None:
    if len(rows) == 1:
        file.execute(_PUT, rows[0])
    else:  # one transaction, which takes a tenth of the time of a hundred
        file.execute("BEGIN IMMEDIATE")
        try:
            file.executemany(_PUT, rows)
        except sqlite3.Error:
            file.execute("ROLLBACK")
            raise
        file.execute("COMMIT")
    _, size = file.execute(_TOTALS).fetchone()
    if size > cap_bytes:
        _make_room(file, size - int(cap_bytes * _KEPT_SHARE))


def _make_room(file: sqlite3.Connection, excess: int) -> None:
    doomed = []
    for rowid, size in file.execute("SELECT rowid, size FROM answers ORDER BY used_at, rowid"):
        doomed.append((rowid,))
        excess -= size
        if excess <= 0:
            break
    file.execute("BEGIN IMMEDIATE")
    file.executemany("DELETE FROM answers WHERE rowid = ?", doomed)
    file.execute("COMMIT")


def _patiently(file: sqlite3.Connection) -> sqlite3.Connection:
    file.execute(f"PRAGMA busy_timeout = {_PATIENT_MILLISECONDS}")
    return file


def _clear(file: sqlite3.Connection) -> int:
    count = _patiently(file).execute("DELETE FROM answers").rowcount
    file.execute("VACUUM")
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return int(count)


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return isinstance(error, _Damaged) or code in _DAMAGE or code & 0xFF in _DAMAGE
