"""Entries in an SQLite file that all processes of a user share: read on the event loop, written away from it."""

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from biofact.transport.keep import answers_file
from biofact.transport.keep.answers_file import KEPT_SHARE, STEP_BYTES, STEP_ENTRIES, DamagedEntry
from biofact.transport.keep.store import Entry, Keys, StoreBusy, StoreFailed, StoreReadOnly
from biofact.transport.service import MIB

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Waiting:
    """An entry on its way to the disk."""

    entry: Entry
    used_at: float


class WriteQueue:
    """What waits for the writer, bounded by those who fill it. Its lock is held for moments only."""

    def __init__(self) -> None:
        self.bytes = 0
        self.drained: Future[None] | None = None
        """Until nothing waits; None when there is no writer."""
        self._entries: dict[bytes, Waiting] = {}
        self._uses: dict[bytes, float] = {}
        self._lock = threading.Lock()

    def find(self, key: bytes) -> Waiting | None:
        """What waits under a key."""
        return self._entries.get(key)

    def all(self) -> dict[bytes, Entry]:
        """Every entry that is not known to be stored."""
        with self._lock:
            return {key: waiting.entry for key, waiting in self._entries.items()}

    def add(self, entries: Mapping[bytes, Entry], now: float) -> bool:
        """Have entries wait, in place of others under their keys; whether a writer has to be started."""
        with self._lock:
            for key, entry in entries.items():
                self._drop(key)
                self._entries[key] = Waiting(entry, now)
                self.bytes += entry.weight
            return self._needs_writer()

    def add_use(self, key: bytes, now: float) -> bool:
        """Have it noted that an entry was used; whether a writer has to be started."""
        with self._lock:
            self._uses[key] = now
            return self._needs_writer()

    def some(self, most: int, most_bytes: int) -> tuple[dict[bytes, Waiting], dict[bytes, float]]:
        """As many entries as one transaction takes, which go on waiting; and all uses."""
        chosen: dict[bytes, Waiting] = {}
        room = most_bytes
        with self._lock:
            for key, waiting in self._entries.items():
                if room <= 0 or len(chosen) == most:
                    break
                chosen[key] = waiting
                room -= waiting.entry.weight
            uses, self._uses = self._uses, {}
        return chosen, uses

    def remove(self, stored: Mapping[bytes, Waiting]) -> None:
        """These are stored, and wait no more, unless newer ones have taken their places."""
        with self._lock:
            for key, waiting in stored.items():
                if self._entries.get(key) is waiting:
                    self._drop(key)

    def clear(self) -> int:
        """Forget everything; returns how many entries that was."""
        with self._lock:
            count = len(self._entries)
            self._entries.clear()
            self._uses.clear()
            self.bytes = 0
        return count

    def end(self, *, even_if_some_wait: bool = False) -> bool:
        """Let the writer go, if nothing waits; whether it goes."""
        with self._lock:
            if (self._entries or self._uses) and not even_if_some_wait:
                return False
            drained, self.drained = self.drained, None
        if drained is not None:
            drained.set_result(None)
        return True

    def _needs_writer(self) -> bool:
        if self.drained is not None:
            return False
        self.drained = Future()
        self.drained.set_running_or_notify_cancel()  # whoever stops waiting does not stop the writer
        return True

    def _drop(self, key: bytes) -> None:
        if waiting := self._entries.pop(key, None):
            self.bytes -= waiting.entry.weight


_WAITING_BYTES = 32 * MIB
"""What may wait for the writer; beyond it those who bring more wait."""
_ROOM_SECONDS = 5.0  # for room in the queue
_OPEN_SECONDS = 5.0
_READ_SECONDS = 1.0  # for a reader whom somebody keeps out: while SQLite opens, closes or repairs its log
_WRITE_SECONDS = 30.0  # for the writer; who holds the file for longer has forgotten it
_CLOSE_SECONDS = 5.0  # for the writer when its process wants to end
_RETRY_SECONDS = 0.005
_USE_SECONDS = 60.0  # uses are noted to the minute, so that most reads write nothing

_inherited: list[object] = []
"""Files that a parent process opened: whoever closes them in the child releases the parent's locks."""


@dataclass(frozen=True, slots=True)
class _Files:
    """The file, opened twice: reading waits for nobody, and one thread at a time writes."""

    reader: sqlite3.Connection
    writer: sqlite3.Connection | None
    refusal: str = ""
    """Why it cannot be written, where it has no writer."""


class DiskStore:
    """Keeps entries in a file, least recently used first out.

    Reads are short and take place on the event loop. What is put waits in memory, where it is found, until a thread of
    the loop's executor has stored it: in short transactions, with patience for other processes. A damaged file is
    deleted and begun anew. Nothing here belongs to one loop, and a child process begins afresh.
    """

    def __init__(self, folder: Path | None, cap_bytes: int) -> None:
        self.kind = "sqlite"
        self._path = folder and folder / answers_file.NAME
        self.location = str(self._path or "the home folder")
        self._cap_bytes = cap_bytes
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._files: _Files | None = None
        self._opening: asyncio.Future[_Files] | None = None
        self._queue = WriteQueue()
        self._turn = threading.Lock()  # of the thread that writes, opens or closes
        self._reading = threading.Lock()
        self._is_full = False
        self._is_closing = False
        self._failure: StoreFailed | None = None

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:
        """The entries that there are, marked as used now."""
        files = await self._opened()
        entries: dict[bytes, Entry] = {}
        for key, at_hand in keys.items():
            try:
                found = self._found(files, key, at_hand)
            except (sqlite3.Error, DamagedEntry) as error:
                found = await self._in_thread(partial(self._found_at_last, files, key, error))
            if found is None:
                continue
            entries[key], used_at = found
            if abs(now - used_at) > _USE_SECONDS and files.writer is not None and self._failure is None:
                self._start_writer(is_needed=self._queue.add_use(key, now))
        return entries

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries; when the file is full, drop the least recently used tenth."""
        files = await self._opened()
        if files.writer is None:
            raise StoreReadOnly(files.refusal)
        if self._queue.bytes > _WAITING_BYTES:
            await self._wait_for_room()
        if self._failure is not None:
            raise self._failure
        self._start_writer(is_needed=self._queue.add(entries, now))

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are."""
        await self._opened()
        await self._drained()
        return await self._in_thread(self._totals)

    async def clear(self) -> int:
        """Forget everything and give the space back; returns how many entries that was."""
        files = await self._opened()
        if files.writer is None:
            raise StoreReadOnly(files.refusal)
        return await self._in_thread(self._cleared)

    async def flush(self) -> None:
        """Wait until other processes find what was put."""
        await self._opened()
        await self._drained()
        if self._failure is not None:
            raise self._failure

    def unwritten(self) -> Mapping[bytes, Entry]:
        """What waits for the writer."""
        return self._queue.all()

    async def aclose(self) -> None:
        """Write what waits, then close the file."""
        if self._process != os.getpid() or self._files is None:
            return
        self._is_closing = True
        try:
            await self._drained()
            await self._in_thread(self._close)
        finally:
            self._is_closing = False

    async def _opened(self) -> _Files:
        if self._process != os.getpid():
            _inherited.append(self._files)
            self._begin()
        if self._opening is not None and self._opening.done():
            self._opening = None
        if self._opening is None and self._files is not None:
            return self._files
        loop = asyncio.get_running_loop()
        if self._opening is None or self._opening.get_loop() is not loop:
            self._opening = loop.run_in_executor(None, self._open)
            self._opening.add_done_callback(_seen)
        return await _result(asyncio.shield(self._opening))  # all who wait for it go on at the same moment

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """The result of work that may wait for others; the executor is the loop's, which sees that it is under way."""
        return await _result(asyncio.get_running_loop().run_in_executor(None, work))

    async def _drained(self) -> None:
        while drained := self._queue.drained:
            await asyncio.wrap_future(drained)

    async def _wait_for_room(self) -> None:
        if drained := self._queue.drained:
            await asyncio.wait({asyncio.wrap_future(drained)}, timeout=_ROOM_SECONDS)
        if self._queue.bytes > _WAITING_BYTES:
            raise StoreBusy("more waits to be written than there is room for")

    def _start_writer(self, *, is_needed: bool) -> None:
        if not is_needed:
            return
        try:
            asyncio.get_running_loop().run_in_executor(None, self._write)
        except RuntimeError:  # the loop is about to end
            self._queue.end(even_if_some_wait=True)
            raise

    def _found(self, files: _Files, key: bytes, at_hand: Entry | None = None) -> tuple[Entry, float] | None:
        """The entry under a key, on its way to the file or there, and when it was used."""
        if waiting := self._queue.find(key):
            return waiting.entry, waiting.used_at
        with self._reading:
            return answers_file.entry(files.reader, key, at_hand)

    # What follows runs in threads.

    def _found_at_last(self, files: _Files, key: bytes, error: Exception) -> tuple[Entry, float] | None:
        """What could not be read at once: somebody kept the reader out, or the file is damaged."""
        if files is self._files and not answers_file.is_busy(error):
            with self._turn:
                self._begin_anew(files, error)
        return self._patiently(lambda: self._found(self._files or self._open(), key), _READ_SECONDS)

    def _write(self) -> None:
        """Store what waits and make room, step by step, until there is nothing left to do."""
        is_done = False
        try:
            with self._turn:
                while self._is_full or not self._queue.end():
                    self._step()
                is_done = True
        except (sqlite3.Error, OSError, DamagedEntry, StoreFailed) as error:
            if answers_file.is_busy(error):
                self._queue.clear()  # somebody holds the file and has forgotten it: asked for again one day
            else:
                self._failure = StoreReadOnly(str(error))
        finally:
            if not is_done:  # else the next writer may be there already
                self._queue.end(even_if_some_wait=True)

    def _step(self) -> None:
        chosen, uses = self._queue.some(STEP_ENTRIES, STEP_BYTES)
        if chosen or uses:
            rows = [answers_file.row(key, waiting.entry, waiting.used_at) for key, waiting in chosen.items()]
            self._mended(lambda writer: answers_file.write(writer, rows, uses))
            self._queue.remove(chosen)
        _, size = self._mended(answers_file.totals)
        if size > self._cap_bytes * (KEPT_SHARE if self._is_full else 1.0):
            self._make_room()
        else:
            self._is_full = False

    def _make_room(self) -> None:
        start = time.monotonic()
        kept_bytes = int(self._cap_bytes * KEPT_SHARE)
        is_full = self._mended(lambda writer: answers_file.drop_oldest(writer, kept_bytes))
        self._is_full = is_full and not self._is_closing  # the next process goes on
        if self._is_full:
            time.sleep(time.monotonic() - start)  # SQLite keeps no order among writers: half of the time is for others

    def _totals(self) -> tuple[int, int]:
        with self._turn, self._reading:
            return self._patiently(lambda: answers_file.totals(self._open_in_turn().reader), _READ_SECONDS)

    def _cleared(self) -> int:
        with self._turn:
            count = self._queue.clear()
            last = self._mended(answers_file.last)
            while dropped := self._mended(lambda writer: answers_file.drop_until(writer, last)):
                count += dropped
            self._mended(answers_file.give_back)
        return count

    def _mended(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The result of work on the file, once again on a new one where the file is damaged. In turn only."""
        files = self._open_in_turn()
        try:
            return self._patiently(lambda: work(_writer(files)), _WRITE_SECONDS)
        except (sqlite3.Error, DamagedEntry) as error:
            self._begin_anew(files, error)
        return self._patiently(lambda: work(_writer(self._open_in_turn())), _WRITE_SECONDS)

    def _patiently(self, work: Callable[[], T], seconds: float) -> T:
        start = time.monotonic()
        while True:
            try:
                return work()
            except sqlite3.Error as error:
                limit = min(seconds, _CLOSE_SECONDS) if self._is_closing else seconds
                if not answers_file.is_busy(error) or time.monotonic() - start > limit:
                    raise
                time.sleep(_RETRY_SECONDS)

    def _open(self) -> _Files:
        with self._turn:
            return self._open_in_turn()

    def _open_in_turn(self) -> _Files:
        if self._files is None:
            if self._path is None:
                raise StoreFailed("nobody knows where it is")
            self._files = self._patiently(partial(_opened, self._path), _OPEN_SECONDS)
        return self._files

    def _begin_anew(self, files: _Files, error: Exception) -> None:
        """Delete a damaged file, unless that is done already. In turn only."""
        if files is not self._files:
            return
        self._close_in_turn()
        if files.writer is None or not answers_file.is_damage(error):
            raise error
        if self._path is not None:
            answers_file.delete(self._path)

    def _close(self) -> None:
        with self._turn:
            self._close_in_turn()

    def _close_in_turn(self) -> None:
        files, self._files = self._files, None
        if files is not None:
            with self._reading:
                files.reader.close()
            if files.writer is not None:
                files.writer.close()


async def _result(work: "asyncio.Future[T]") -> T:
    try:
        return await work
    except (sqlite3.Error, OSError, DamagedEntry) as error:
        failure = StoreBusy if answers_file.is_busy(error) else StoreFailed
        raise failure(str(error)) from error


def _seen(work: "asyncio.Future[_Files]") -> None:
    """Whoever waited has seen how it ended; asyncio would complain where nobody did."""
    if not work.cancelled():
        work.exception()


def _writer(files: _Files) -> sqlite3.Connection:
    if files.writer is None:
        raise StoreReadOnly(files.refusal)
    return files.writer


def _opened(path: Path) -> _Files:
    """The file, begun anew if it is damaged; only to be read where it cannot be written."""
    try:
        writer = _opened_to_write(path)
    except (sqlite3.Error, OSError) as error:
        if answers_file.is_busy(error) or not path.exists():
            raise
        return _Files(answers_file.opened_to_read(path, is_writable=False), None, str(error))
    try:
        return _Files(answers_file.opened_to_read(path, is_writable=True), writer)
    except sqlite3.Error:
        writer.close()
        raise


def _opened_to_write(path: Path) -> sqlite3.Connection:
    try:
        return answers_file.opened(path)
    except sqlite3.Error as error:
        if not answers_file.is_damage(error):
            raise
    answers_file.delete(path)
    return answers_file.opened(path)
