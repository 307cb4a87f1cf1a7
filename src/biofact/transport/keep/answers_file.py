"""The SQLite file of answers: its tables, and each thing that is done to it, in short transactions. No asyncio."""

import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from biofact.transport.keep.store import ENTRY_BYTES, Entry, packed, unpacked
from biofact.transport.private_files import make_private
from biofact.transport.service import MIB

NAME = "answers-1.sqlite"  # the number changes with the tables
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
PRAGMA user_version = 1;
COMMIT;
"""
_VERSION = (1,)
_HEAD = "SELECT checksum, used_at, retrieved_at, expires_at FROM answers WHERE key = ?"
_GET = "SELECT checksum, used_at, url, retrieved_at, expires_at, is_packed, body FROM answers WHERE key = ?"
_PUT = """
INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET checksum = excluded.checksum, used_at = excluded.used_at, size = excluded.size,
    url = excluded.url, retrieved_at = excluded.retrieved_at, expires_at = excluded.expires_at,
    is_packed = excluded.is_packed, body = excluded.body
"""
_OLDEST = "SELECT rowid, size FROM answers ORDER BY used_at, rowid"

WRITER_MILLISECONDS = 500
"""How long one statement of a writer waits for the others."""
KEPT_SHARE = 0.9
STEP_ENTRIES = 64
STEP_BYTES = MIB
"""What one transaction writes or drops at most: some milliseconds' worth."""

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_READONLY_DBMOVED}

Row = tuple[Any, ...]


class DamagedEntry(Exception):
    """An entry is not what was stored."""


def opened(path: Path) -> sqlite3.Connection:
    """The file for writing, with its tables; made if there is none."""
    make_private(path)
    file = _connected(f"{path.absolute().as_uri()}?mode=rw", WRITER_MILLISECONDS)
    try:
        file.execute("PRAGMA synchronous = OFF")  # a power cut may cost the cache; waiting for the disk costs everybody
        file.execute("PRAGMA journal_mode = WAL")
        if file.execute("PRAGMA user_version").fetchone() != _VERSION:
            file.executescript(_TABLES)
    except sqlite3.Error:
        file.close()
        raise
    return file


def opened_to_read(path: Path, *, is_writable: bool) -> sqlite3.Connection:
    """The file for reading, which waits for nobody."""
    mode = "mode=rw" if is_writable else "mode=ro"
    journal = path.with_name(f"{path.name}-wal")
    if not is_writable and not (journal.exists() and journal.stat().st_size):
        mode = "immutable=1"  # SQLite cannot make the files beside it, and with nothing in them needs none
    file = _connected(f"{path.absolute().as_uri()}?{mode}", 0)
    try:
        file.execute("PRAGMA query_only = ON")
        file.execute(_HEAD, (b"",)).fetchone()  # reads the tables' definitions, or fails on another file
    except sqlite3.Error:
        file.close()
        raise
    return file


def _connected(uri: str, busy_milliseconds: int) -> sqlite3.Connection:
    # Used by one thread at a time or only read from; which thread that is changes with the call.
    return sqlite3.connect(
        uri, uri=True, timeout=busy_milliseconds / 1000, isolation_level=None, check_same_thread=False
    )


def entry(file: sqlite3.Connection, key: bytes, at_hand: Entry | None) -> tuple[Entry, float] | None:
    """The entry under a key and when it was used; ``at_hand`` itself where that is what is stored.

    Raises:
        DamagedEntry: it is not what was stored.
    """
    if at_hand is not None and at_hand.readings.checksum is not None:
        head = file.execute(_HEAD, (key,)).fetchone()
        if head is None:
            return None
        checksum, used_at, *times = head
        if (checksum, *times) == (at_hand.readings.checksum, at_hand.retrieved_at, at_hand.expires_at):
            return at_hand, used_at
    row = file.execute(_GET, (key,)).fetchone()
    if row is None:
        return None
    checksum, used_at, *kept = row
    if checksum != _checksum(key, *kept):
        raise DamagedEntry("an entry is not what was stored")
    url, retrieved_at, expires_at, is_packed, body = kept
    found = Entry(None if body is None else unpacked(body, is_packed), url, retrieved_at, expires_at)
    found.readings.checksum = checksum
    return found, used_at


def row(key: bytes, entry: Entry, used_at: float) -> Row:
    """The row of an entry, which knows its checksum from now on."""
    body, is_packed = (None, False) if entry.body is None else packed(entry.body)
    kept = (entry.url, float(entry.retrieved_at), float(entry.expires_at), int(is_packed), body)
    entry.readings.checksum = _checksum(key, *kept)
    return (key, entry.readings.checksum, used_at, len(body or b"") + ENTRY_BYTES, *kept)


def _checksum(key: bytes, *kept: Any) -> int:
    *head, body = kept
    return zlib.crc32(body or b"", zlib.crc32(key + repr(head).encode()))


def write(file: sqlite3.Connection, rows: Sequence[Row], uses: Mapping[bytes, float]) -> None:
    """Store rows, and when others were used, in one transaction."""
    with _transaction(file):
        file.executemany(_PUT, rows)
        file.executemany("UPDATE answers SET used_at = ? WHERE key = ?", [(at, key) for key, at in uses.items()])


def totals(file: sqlite3.Connection) -> tuple[int, int]:
    """How many entries and bytes there are."""
    entries, size = file.execute("SELECT entries, bytes FROM totals").fetchone()
    return entries, size


def drop_oldest(file: sqlite3.Connection, kept_bytes: int) -> bool:
    """Drop some of the least recently used entries, in one transaction; whether there are still more bytes than these.

    Somebody else may make room at the same time: what there is is counted within.
    """
    with _transaction(file):
        excess = totals(file)[1] - kept_bytes
        dropped = _some_oldest(file, excess)
        file.executemany("DELETE FROM answers WHERE rowid = ?", [(rowid,) for rowid, _ in dropped])
    return sum(size for _, size in dropped) < excess


def _some_oldest(file: sqlite3.Connection, excess: int) -> list[tuple[int, int]]:
    """Rows and sizes, as far as one transaction goes."""
    chosen: list[tuple[int, int]] = []
    room = min(excess, STEP_BYTES)
    for rowid, size in file.execute(_OLDEST):
        if room <= 0 or len(chosen) == STEP_ENTRIES:
            break
        chosen.append((rowid, size))
        room -= size
    return chosen


def last(file: sqlite3.Connection) -> int:
    """The highest row there is."""
    return file.execute("SELECT coalesce(max(rowid), 0) FROM answers").fetchone()[0]  # type: ignore[no-any-return]


def drop_until(file: sqlite3.Connection, rowid: int) -> int:
    """Drop some of the entries up to a row; returns how many."""
    chosen = "SELECT rowid FROM answers WHERE rowid <= ? LIMIT ?"
    with _transaction(file):
        return file.execute(f"DELETE FROM answers WHERE rowid IN ({chosen})", (rowid, STEP_ENTRIES)).rowcount  # noqa: S608


def give_back(file: sqlite3.Connection) -> None:
    """Give the space of what was dropped back to the disk."""
    file.execute("VACUUM")
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def delete(path: Path) -> None:
    """Delete the file and those that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def is_busy(error: BaseException) -> bool:
    """Somebody else holds the file."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


def is_damage(error: BaseException) -> bool:
    """The file is not what it was."""
    code = getattr(error, "sqlite_errorcode", 0)
    return isinstance(error, DamagedEntry) or code in _DAMAGE or code & 0xFF in _DAMAGE


@contextmanager
def _transaction(file: sqlite3.Connection) -> Iterator[None]:
    """All or nothing of what is done within."""
    file.execute("BEGIN IMMEDIATE")
    try:
        yield
        file.execute("COMMIT")
    finally:
        if file.in_transaction:
            file.execute("ROLLBACK")
