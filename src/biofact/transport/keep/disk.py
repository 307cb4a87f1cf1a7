"""Entries in an SQLite file that all processes of a user share: read on the event loop, written away from it."""

import asyncio
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from biofact.transport.keep.store import (
    ENTRY_BYTES,
    Entry,
    Keys,
    StoreBusy,
    StoreFailed,
    StoreReadOnly,
    WriteQueue,
    packed,
    unpacked,
)
from biofact.transport.private_files import make_private
from biofact.transport.service import MIB

T = TypeVar("T")

_QUEUE_BYTES = 32 * MIB
"""The bytes that may wait for the writer; beyond them ``put`` waits."""
_ROOM_SECONDS = 5.0  # for room in the queue
_OPEN_SECONDS = 5.0
_READ_SECONDS = 1.0  # while another process locks the file: SQLite opens, closes or repairs its log
_WRITE_SECONDS = 30.0  # a process that holds the file for longer has forgotten it
_CLOSE_SECONDS = 5.0  # for the writer when its process wants to end
_RETRY_SECONDS = 0.005
_USE_SECONDS = 60.0  # uses are noted to the minute, so that most reads write nothing

_inherited: list[object] = []
"""Files that a parent process opened: a child that closed them would release the parent's locks."""


@dataclass(frozen=True, slots=True)
class _Files:
    """The file, opened twice: reading waits for no lock, and one thread at a time writes."""

    reader: sqlite3.Connection
    writer: sqlite3.Connection | None
    refusal: str = ""
    """The reason why it cannot be written, if it has no writer."""


class DiskStore:
    """Keeps entries in a file, least recently used first out.

    Reads are short and take place on the event loop. New entries wait in memory, where they are found, until a thread
    of the loop's executor has stored them: in short transactions, with patience for other processes. A damaged file is
    deleted and replaced. Nothing here belongs to one loop, and a child process opens the file again.
    """

    def __init__(self, folder: Path | None, cap_bytes: int) -> None:
        self.kind = "sqlite"
        self._path = folder and folder / FILE_NAME
        self.location = str(self._path or "the home folder")
        self._cap_bytes = cap_bytes
        self._reset()

    def _reset(self) -> None:
        self._process = os.getpid()
        self._files: _Files | None = None
        self._open_task: asyncio.Future[_Files] | None = None
        self._queue = WriteQueue()
        self._write_lock = threading.Lock()  # of the thread that writes, opens or closes
        self._read_lock = threading.Lock()
        self._is_full = False
        self._is_closing = False
        self._failure: StoreFailed | None = None

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:
        """The entries under these keys, marked as used now."""
        files = await self._open_files()
        entries: dict[bytes, Entry] = {}
        for key, recent in keys.items():
            try:
                hit = self._find(files, key, recent)
            except (sqlite3.Error, DamagedEntry) as error:
                hit = await self._in_thread(partial(self._find_after, error, files, key))
            if hit is None:
                continue
            entries[key], used_at = hit
            if abs(now - used_at) > _USE_SECONDS and files.writer is not None and self._failure is None:
                self._start_writer(is_needed=self._queue.add_use(key, now))
        return entries

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries; when the file is full, drop the least recently used tenth."""
        files = await self._open_files()
        if files.writer is None:
            raise StoreReadOnly(files.refusal)
        if self._queue.bytes > _QUEUE_BYTES:
            await self._wait_for_room()
        if self._failure is not None:
            raise self._failure
        self._start_writer(is_needed=self._queue.add(entries, now))

    async def size(self) -> tuple[int, int]:
        """The number of entries and their bytes."""
        await self._open_files()
        await self._wait_until_written()
        return await self._in_thread(self._totals)

    async def clear(self) -> int:
        """Delete all entries and free their space; returns their number."""
        files = await self._open_files()
        if files.writer is None:
            raise StoreReadOnly(files.refusal)
        return await self._in_thread(self._clear)

    async def flush(self) -> None:
        """Wait until other processes find all entries."""
        await self._open_files()
        await self._wait_until_written()
        if self._failure is not None:
            raise self._failure

    def pending(self) -> Mapping[bytes, Entry]:
        """The entries that wait for the writer."""
        return self._queue.all()

    async def aclose(self) -> None:
        """Write all pending entries, then close the file."""
        if self._process != os.getpid() or self._files is None:
            return
        self._is_closing = True
        try:
            await self._wait_until_written()
            await self._in_thread(self._close)
        finally:
            self._is_closing = False

    async def _open_files(self) -> _Files:
        if self._process != os.getpid():
            _inherited.append(self._files)
            self._reset()
        if self._open_task is not None and self._open_task.done():
            self._open_task = None
        if self._open_task is None and self._files is not None:
            return self._files
        loop = asyncio.get_running_loop()
        if self._open_task is None or self._open_task.get_loop() is not loop:
            self._open_task = loop.run_in_executor(None, self._open)
            self._open_task.add_done_callback(_retrieve_exception)
        return await _result(asyncio.shield(self._open_task))  # all who wait for it go on at the same moment

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """The result of work that may wait for a lock; in the loop's executor, which waits for it at the loop's end."""
        return await _result(asyncio.get_running_loop().run_in_executor(None, work))

    async def _wait_until_written(self) -> None:
        while future := self._queue.completion:
            await asyncio.wrap_future(future)

    async def _wait_for_room(self) -> None:
        if future := self._queue.completion:
            await asyncio.wait({asyncio.wrap_future(future)}, timeout=_ROOM_SECONDS)
        if self._queue.bytes > _QUEUE_BYTES:
            raise StoreBusy("more waits to be written than there is room for")

    def _start_writer(self, *, is_needed: bool) -> None:
        if not is_needed:
            return
        try:
            asyncio.get_running_loop().run_in_executor(None, self._write)
        except RuntimeError:  # the loop is about to end
            self._queue.end(even_if_pending=True)
            raise

    def _find(self, files: _Files, key: bytes, recent: Entry | None = None) -> tuple[Entry, float] | None:
        """The entry under a key, in the queue or in the file, and the time of its last use."""
        if queued := self._queue.find(key):
            return queued.entry, queued.used_at
        with self._read_lock:
            return _stored_entry(files.reader, key, recent)

    # All methods below run in threads.

    def _find_after(self, error: Exception, files: _Files, key: bytes) -> tuple[Entry, float] | None:
        """The same after an error: another process held a lock, or the file is damaged."""
        if files is self._files and not _is_busy(error):
            with self._write_lock:
                self._delete_if_damaged(files, error)
        return self._retry_while_busy(lambda: self._find(self._files or self._open(), key), _READ_SECONDS)

    def _write(self) -> None:
        """Store the queue and make room, step by step, until both are done."""
        is_done = False
        try:
            with self._write_lock:
                while self._is_full or not self._queue.end():
                    self._write_step()
                is_done = True
        except (sqlite3.Error, OSError, DamagedEntry, StoreFailed) as error:
            if _is_busy(error):
                self._queue.clear()  # a process that holds the file for so long has forgotten it: fetch them again
            else:
                self._failure = StoreReadOnly(str(error))
        finally:
            if not is_done:  # else the next writer may be there already
                self._queue.end(even_if_pending=True)

    def _write_step(self) -> None:
        batch, uses = self._queue.batch(STEP_ENTRIES, STEP_BYTES)
        if batch or uses:
            rows = [row_of(key, queued.entry, queued.used_at) for key, queued in batch.items()]
            self._change(lambda writer: store_rows(writer, rows, uses))
            self._queue.remove(batch)
        _, size = self._change(totals)
        if size > self._cap_bytes * (KEPT_SHARE if self._is_full else 1.0):
            self._make_room()
        else:
            self._is_full = False

    def _make_room(self) -> None:
        start = time.monotonic()
        room_bytes = int(self._cap_bytes * KEPT_SHARE)
        is_full = self._change(lambda writer: drop_oldest(writer, room_bytes))
        self._is_full = is_full and not self._is_closing  # the next process goes on
        if self._is_full:
            time.sleep(time.monotonic() - start)  # SQLite keeps no order among writers: half of the time is for others

    def _totals(self) -> tuple[int, int]:
        with self._write_lock, self._read_lock:
            return self._retry_while_busy(lambda: totals(self._open_locked().reader), _READ_SECONDS)

    def _clear(self) -> int:
        with self._write_lock:
            count = self._queue.clear()
            last_row = self._change(_last_row)
            while deleted := self._change(lambda writer: _delete_up_to(writer, last_row)):
                count += deleted
            self._change(_free_space)
        return count

    def _change(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The result of work on the file; if the file is damaged, of the same on a new one. Needs the write lock."""
        files = self._open_locked()
        try:
            return self._retry_while_busy(lambda: work(_writer(files)), _WRITE_SECONDS)
        except (sqlite3.Error, DamagedEntry) as error:
            self._delete_if_damaged(files, error)
        return self._retry_while_busy(lambda: work(_writer(self._open_locked())), _WRITE_SECONDS)

    def _retry_while_busy(self, work: Callable[[], T], seconds: float) -> T:
        """The result of work, tried again while another process holds the file."""
        start = time.monotonic()
        while True:
            try:
                return work()
            except sqlite3.Error as error:
                limit = min(seconds, _CLOSE_SECONDS) if self._is_closing else seconds
                if not _is_busy(error) or time.monotonic() - start > limit:
                    raise
                time.sleep(_RETRY_SECONDS)

    def _open(self) -> _Files:
        with self._write_lock:
            return self._open_locked()

    def _open_locked(self) -> _Files:
        if self._files is None:
            if self._path is None:
                raise StoreFailed("nobody knows where it is")
            self._files = self._retry_while_busy(partial(_open_both, self._path), _OPEN_SECONDS)
        return self._files

    def _delete_if_damaged(self, files: _Files, error: Exception) -> None:
        """Delete a damaged file, unless that is done already; raise any other error. Needs the write lock."""
        if files is not self._files:
            return
        self._close_locked()
        if files.writer is None or not _is_damage(error):
            raise error
        if self._path is not None:
            _delete_files(self._path)

    def _close(self) -> None:
        with self._write_lock:
            self._close_locked()

    def _close_locked(self) -> None:
        files, self._files = self._files, None
        if files is not None:
            with self._read_lock:
                files.reader.close()
            if files.writer is not None:
                files.writer.close()


async def _result(work: "asyncio.Future[T]") -> T:
    try:
        return await work
    except (sqlite3.Error, OSError, DamagedEntry) as error:
        failure = StoreBusy if _is_busy(error) else StoreFailed
        raise failure(str(error)) from error


def _retrieve_exception(task: "asyncio.Future[_Files]") -> None:
    """Mark an exception as retrieved: asyncio would complain if no caller were left to see it."""
    if not task.cancelled():
        task.exception()


# The file: its tables, and each thing that is done to it, in short transactions.

FILE_NAME = "answers-1.sqlite"  # the number changes with the tables
KEPT_SHARE = 0.9
STEP_ENTRIES = 64
STEP_BYTES = MIB
"""The most that one transaction writes or drops: some milliseconds' worth."""
_WRITER_MILLISECONDS = 500  # for one statement of a writer to wait for others
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

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_READONLY_DBMOVED}

Row = tuple[Any, ...]


class DamagedEntry(Exception):
    """The checksum of an entry does not match."""


def _writer(files: _Files) -> sqlite3.Connection:
    if files.writer is None:
        raise StoreReadOnly(files.refusal)
    return files.writer


def _open_both(path: Path) -> _Files:
    """The file, replaced if it is damaged; for reading only where it cannot be written."""
    try:
        writer = _open_or_replace(path)
    except (sqlite3.Error, OSError) as error:
        if _is_busy(error) or not path.exists():
            raise
        return _Files(_open_reader(path, is_writable=False), None, str(error))
    try:
        return _Files(_open_reader(path, is_writable=True), writer)
    except sqlite3.Error:
        writer.close()
        raise


def _open_or_replace(path: Path) -> sqlite3.Connection:
    try:
        return open_writer(path)
    except sqlite3.Error as error:
        if not _is_damage(error):
            raise
    _delete_files(path)
    return open_writer(path)


def open_writer(path: Path) -> sqlite3.Connection:
    """The file for writing, with its tables; made if there is none."""
    make_private(path)
    file = _connect(f"{path.absolute().as_uri()}?mode=rw", _WRITER_MILLISECONDS)
    try:
        file.execute("PRAGMA synchronous = OFF")  # a power cut may cost the cache; waiting for the disk costs each call
        file.execute("PRAGMA journal_mode = WAL")
        if file.execute("PRAGMA user_version").fetchone() != _VERSION:
            file.executescript(_TABLES)
    except sqlite3.Error:
        file.close()
        raise
    return file


def _open_reader(path: Path, *, is_writable: bool) -> sqlite3.Connection:
    """The file for reading, which waits for no lock."""
    mode = "mode=rw" if is_writable else "mode=ro"
    journal = path.with_name(f"{path.name}-wal")
    if not is_writable and not (journal.exists() and journal.stat().st_size):
        mode = "immutable=1"  # SQLite cannot make the files beside it, and with nothing in them needs none
    file = _connect(f"{path.absolute().as_uri()}?{mode}", 0)
    try:
        file.execute("PRAGMA query_only = ON")
        file.execute(_HEAD, (b"",)).fetchone()  # reads the tables' definitions, or fails on another file
    except sqlite3.Error:
        file.close()
        raise
    return file


def _connect(uri: str, busy_milliseconds: int) -> sqlite3.Connection:
    # Used by one thread at a time or only read from; which thread that is changes with the call.
    return sqlite3.connect(
        uri, uri=True, timeout=busy_milliseconds / 1000, isolation_level=None, check_same_thread=False
    )


def _stored_entry(file: sqlite3.Connection, key: bytes, recent: Entry | None) -> tuple[Entry, float] | None:
    """The entry under a key and the time of its last use; ``recent`` itself if that is what is stored.

    Raises:
        DamagedEntry: its checksum does not match.
    """
    if recent is not None and recent.parsed.checksum is not None:
        head = file.execute(_HEAD, (key,)).fetchone()
        if head is None:
            return None
        checksum, used_at, *times = head
        if (checksum, *times) == (recent.parsed.checksum, recent.retrieved_at, recent.expires_at):
            return recent, used_at
    row = file.execute(_GET, (key,)).fetchone()
    if row is None:
        return None
    checksum, used_at, *columns = row
    if checksum != _checksum(key, *columns):
        raise DamagedEntry("an entry is not what was stored")
    url, retrieved_at, expires_at, is_packed, body = columns
    entry = Entry(None if body is None else unpacked(body, is_packed), url, retrieved_at, expires_at)
    entry.parsed.checksum = checksum
    return entry, used_at


def row_of(key: bytes, entry: Entry, used_at: float) -> Row:
    """The row of an entry; the entry has its checksum from now on."""
    body, is_packed = (None, False) if entry.body is None else packed(entry.body)
    columns = (entry.url, float(entry.retrieved_at), float(entry.expires_at), int(is_packed), body)
    entry.parsed.checksum = _checksum(key, *columns)
    return (key, entry.parsed.checksum, used_at, len(body or b"") + ENTRY_BYTES, *columns)


def _checksum(key: bytes, *columns: Any) -> int:
    *head, body = columns
    return zlib.crc32(body or b"", zlib.crc32(key + repr(head).encode()))


def store_rows(file: sqlite3.Connection, rows: Sequence[Row], uses: Mapping[bytes, float]) -> None:
    """Store rows, and the times at which others were used, in one transaction."""
    with _transaction(file):
        file.executemany(_PUT, rows)
        file.executemany("UPDATE answers SET used_at = ? WHERE key = ?", [(time, key) for key, time in uses.items()])


def totals(file: sqlite3.Connection) -> tuple[int, int]:
    """The number of entries and their bytes."""
    entries, size = file.execute("SELECT entries, bytes FROM totals").fetchone()
    return entries, size


def drop_oldest(file: sqlite3.Connection, room_bytes: int) -> bool:
    """Drop some of the least recently used entries, in one transaction; returns whether they still exceed the room.

    Another process may make room at the same time: the bytes are counted within the transaction.
    """
    with _transaction(file):
        excess = totals(file)[1] - room_bytes
        rows: list[tuple[int, int]] = []
        remaining = min(excess, STEP_BYTES)
        for rowid, size in file.execute(_OLDEST):
            if remaining <= 0 or len(rows) == STEP_ENTRIES:
                break
            rows.append((rowid, size))
            remaining -= size
        file.executemany("DELETE FROM answers WHERE rowid = ?", [(rowid,) for rowid, _ in rows])
    return sum(size for _, size in rows) < excess


def _last_row(file: sqlite3.Connection) -> int:
    return file.execute("SELECT coalesce(max(rowid), 0) FROM answers").fetchone()[0]  # type: ignore[no-any-return]


def _delete_up_to(file: sqlite3.Connection, rowid: int) -> int:
    """Delete some of the entries up to a row; returns their number."""
    some_rows = "SELECT rowid FROM answers WHERE rowid <= ? LIMIT ?"
    with _transaction(file):
        return file.execute(f"DELETE FROM answers WHERE rowid IN ({some_rows})", (rowid, STEP_ENTRIES)).rowcount  # noqa: S608


def _free_space(file: sqlite3.Connection) -> None:
    """Return the space of deleted entries to the disk."""
    file.execute("VACUUM")
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _delete_files(path: Path) -> None:
    """Delete the file and those that SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _is_busy(error: BaseException) -> bool:
    """Whether another process holds the file."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


def _is_damage(error: BaseException) -> bool:
    """Whether the file is damaged, or another one."""
    code = getattr(error, "sqlite_errorcode", 0)
    return isinstance(error, DamagedEntry) or code in _DAMAGE or code & 0xFF in _DAMAGE


@contextmanager
def _transaction(file: sqlite3.Connection) -> Iterator[None]:
    """All or nothing of the statements within."""
    file.execute("BEGIN IMMEDIATE")
    try:
        yield
        file.execute("COMMIT")
    finally:
        if file.in_transaction:
            file.execute("ROLLBACK")
