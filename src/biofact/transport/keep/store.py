"""Answers as they are kept, with the values parsed from them, and places for them: memory, and the disk's queue."""

import functools
import pickle
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any, Protocol, TypeVar, cast

from biofact.core import call
from biofact.core.records import Notice, Origin, Provenance
from biofact.core.settings import Settings
from biofact.transport.service import MIB, Answer, Service
from biofact.transport.timing import Timing

T = TypeVar("T")

MEMORY_BYTES = 64 * MIB
ENTRY_BYTES = 200
"""The bytes of an entry besides its body: the key, the URL and the objects that hold them."""

SANDBOX_HEADER = "x-biofact-sandbox"
"""Marks the answers of stand-ins."""

_MOST_VALUES = 8  # of one answer: a caller whose parsers have no lasting name must not pile up values
_PACK_BYTES = 16 * 1024
_ATOMS = (str, bytes, int, float, bool, type(None))


class ParsedValues:
    """The values parsed from one body, by parser."""

    __slots__ = ("_values", "checksum")

    def __init__(self) -> None:
        self.checksum: int | None = None
        """The checksum of the stored body; None before it is stored."""
        self._values: dict[Hashable, Callable[[], Any]] = {}

    def value(self, parse: Callable[[bytes], T], body: bytes) -> T:
        """The value that ``parse``, which is pure, makes of the body; parsed once, if the parser has a lasting name."""
        name = _name(parse)
        if name is None:
            return parse(body)
        copy = self._values.get(name)
        if copy is not None:
            return cast("T", copy())
        value = parse(body)
        copy = _copier(value)
        if copy is not None and len(self._values) < _MOST_VALUES:
            self._values[name] = copy
        return value

    def clear(self) -> None:
        """Forget all values."""
        self._values.clear()


def _name(parse: object) -> Hashable | None:
    """The name of a parser among those of the same body; None if its result depends on more than its arguments."""
    if isinstance(parse, partial):
        parts = (parse.func, *parse.args, *parse.keywords.values())
        names = tuple(_name(part) if callable(part) else _argument(part) for part in parts)
        return None if None in names else (*names, *parse.keywords)
    is_plain = isinstance(parse, type | BuiltinFunctionType) or (
        isinstance(parse, FunctionType) and not parse.__closure__
    )
    return parse if is_plain else None


def _argument(value: object) -> Hashable | None:
    """An argument with its type, as 1 equals True; None for one that can change."""
    return (type(value), value) if _is_constant(value) else None


def _copier(value: object) -> Callable[[], Any] | None:
    """A function that gives each caller a copy of the value, or the value itself if it cannot change.

    None if copying is no gain.
    """
    if _is_constant(value):
        return lambda: value
    if _is_document(value):
        return None
    try:
        pickled = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None
    return partial(pickle.loads, pickled)


def _is_constant(value: object) -> bool:
    """Whether nothing in the value can change."""
    if isinstance(value, _ATOMS):
        return True
    if isinstance(value, tuple | frozenset):
        return all(map(_is_constant, value))
    if is_dataclass(value) and not isinstance(value, type):
        is_frozen = type(value).__dataclass_params__.frozen  # type: ignore[attr-defined]  # dataclasses' own mark
        return is_frozen and all(_is_constant(getattr(value, field.name)) for field in fields(value))
    return False


def _is_document(value: object) -> bool:
    """Whether the value is bare JSON, which is parsed from its bytes as quickly as it is copied."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict | list) for item in value))


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer: the bytes of a record, or the fact that there is no such record."""

    body: bytes | None
    """None if the service has reported that there is no such record."""
    url: str
    retrieved_at: float
    expires_at: float
    origin: Origin = "cache"
    parsed: ParsedValues = field(default_factory=ParsedValues, compare=False, repr=False)
    """The values parsed from the body; shared with copies of this entry."""

    @classmethod
    def of(cls, answer: Answer, body: bytes | None, now: float, seconds: float) -> "Entry":
        """The entry of a new answer, to be kept for some seconds."""
        origin: Origin = "sandbox" if SANDBOX_HEADER in answer.headers else "live"
        return cls(body, answer.url, now, now + seconds, origin)

    def value(self, parse: Callable[[bytes], T], *, is_new_remembered: bool = False) -> T:
        """The value that ``parse``, which is pure, makes of the body.

        Values of cached entries are remembered as long as the entry is in memory. Of new ones only if the caller wishes
        so: most answers of a bulk request are never asked for again.
        """
        body = self.body or b""
        is_remembered = is_new_remembered or self.origin == "cache"
        return self.parsed.value(parse, body) if is_remembered else parse(body)

    def value_in_call(self, parse: Callable[[bytes], T]) -> T:
        """The value for the call under way; that of a new answer is remembered, unless the call is one of many."""
        return self.value(parse, is_new_remembered=call.current().lane == "interactive")

    @property
    def weight(self) -> int:
        """The entry's bytes in a store, uncompressed."""
        return len(self.body or b"") + ENTRY_BYTES

    def provenance(self, service: Service) -> Provenance:
        """The provenance of the record parsed from this entry."""
        return _provenance(service.name, service.licence, self.url, self.retrieved_at, self.origin)


@functools.lru_cache(maxsize=4096)
def _provenance(source: str, licence: str, url: str, retrieved_at: float, origin: Origin) -> Provenance:
    return Provenance(
        source=source,
        url=url,
        retrieved_at=datetime.fromtimestamp(retrieved_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        origin=origin,
        licence=licence or None,
    )


class StoreFailed(Exception):
    """The place where answers are kept cannot be used."""


class StoreBusy(StoreFailed):
    """Another process holds the store for longer than a call may wait; it will be usable again in a moment."""


class StoreReadOnly(StoreFailed):
    """The place can be read but not written."""


Keys = Mapping[bytes, Entry | None]
"""Keys to look up, each with its entry in memory, if there is one."""


class Store(Protocol):
    """A place that keeps entries by key. Any method raises StoreFailed when the place cannot be used."""

    @property
    def kind(self) -> str:
        """The kind of place: ``redis``, ``sqlite``, ``memory``."""

    @property
    def location(self) -> str:
        """The path or address of the place."""

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:
        """The entries under these keys, marked as used now; the given entry itself if it is what is stored."""

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries, making room if need be. ``get`` finds them at once, other processes perhaps a moment later."""

    async def size(self) -> tuple[int, int]:
        """The number of entries and their bytes."""

    async def clear(self) -> int:
        """Delete all entries; returns their number."""

    async def flush(self) -> None:
        """Wait until other processes find all entries."""

    def pending(self) -> Mapping[bytes, Entry]:
        """The entries that only this process has so far."""

    async def aclose(self) -> None:
        """Write everything, then close files and connections."""


class SharedStore(Store, Protocol):
    """A store that machines share. Never fails: it falls back on memory."""

    def take_notice(self) -> Notice | None:
        """A notice for users, once for each loss."""


class StoreBackend(Protocol):
    """A backend, as registered under ``backends.GROUP``, that has a store."""

    def store(self, settings: Settings, timing: Timing) -> SharedStore:
        """The store at the URL in the settings."""


class MemoryStore:
    """Keeps entries in this process, least recently used first out."""

    def __init__(self, cap_bytes: int = MEMORY_BYTES) -> None:
        self.kind = self.location = "memory"
        self._cap_bytes = cap_bytes
        self._bytes = 0
        self._entries: OrderedDict[bytes, Entry] = OrderedDict()

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:  # noqa: ARG002
        """The entries under these keys, marked as used now: their order is enough for that."""
        entries = {key: entry for key in keys if (entry := self._entries.get(key)) is not None}
        for key in entries:
            self._entries.move_to_end(key)
        return entries

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:  # noqa: ARG002
        """Keep entries, making room if need be."""
        for key, entry in entries.items():
            self._drop(key)
            self._entries[key] = entry
            self._bytes += entry.weight
        while self._bytes > self._cap_bytes:
            self._drop(next(iter(self._entries)))

    async def size(self) -> tuple[int, int]:
        """The number of entries and their bytes."""
        return len(self._entries), self._bytes

    async def clear(self) -> int:
        """Delete all entries; returns their number."""
        count = len(self._entries)
        self._entries.clear()
        self._bytes = 0
        return count

    def discard(self, entries: Mapping[bytes, Entry]) -> None:
        """Delete these entries, unless others have taken their places."""
        for key, entry in entries.items():
            if self._entries.get(key) is entry:
                self._drop(key)

    async def flush(self) -> None:
        """Do nothing: no other process looks here."""

    def pending(self) -> Mapping[bytes, Entry]:
        """All entries."""
        return dict(self._entries)

    async def aclose(self) -> None:
        """Do nothing: there are no files or connections."""

    def _drop(self, key: bytes) -> None:
        if entry := self._entries.pop(key, None):
            self._bytes -= entry.weight


class Overlay:
    """New entries in memory, before those of a place that can be read but not written."""

    def __init__(self, base: Store) -> None:
        self.kind = f"{base.kind}, read only"
        self.location = base.location
        self._memory = MemoryStore()
        self._base: Store | None = base

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:
        """The entries under these keys, new ones first."""
        base = {} if self._base is None else await self._base.get(keys, now)
        return {**base, **await self._memory.get(keys, now)}

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries in memory."""
        await self._memory.put(entries, now)

    async def size(self) -> tuple[int, int]:
        """The number of entries and their bytes in both places."""
        sizes = [await store.size() for store in (self._memory, self._base) if store is not None]
        return sum(entries for entries, _ in sizes), sum(size for _, size in sizes)

    async def clear(self) -> int:
        """Delete all entries, and use the other place no more if its entries cannot be deleted."""
        count = await self._memory.clear()
        if self._base is not None:
            try:
                count += await self._base.clear()
            except StoreFailed:
                await self._base.aclose()
                self._base = None
        return count

    async def flush(self) -> None:
        """Do nothing: no other process looks here."""

    def pending(self) -> Mapping[bytes, Entry]:
        """The entries in memory."""
        return self._memory.pending()

    async def aclose(self) -> None:
        """Close the other place."""
        if self._base is not None:
            await self._base.aclose()


@dataclass(frozen=True, slots=True)
class QueuedEntry:
    """An entry on its way to the disk."""

    entry: Entry
    used_at: float


class WriteQueue:
    """The entries that wait for the writer of a file, bounded by the code that fills it.

    The event loop fills and reads it, a thread empties it. Its lock is held for moments only.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self.completion: Future[None] | None = None
        """Done when the queue is empty; None when there is no writer."""
        self._entries: dict[bytes, QueuedEntry] = {}
        self._uses: dict[bytes, float] = {}
        self._lock = threading.Lock()

    def find(self, key: bytes) -> QueuedEntry | None:
        """The queued entry under a key."""
        return self._entries.get(key)

    def all(self) -> dict[bytes, Entry]:
        """All entries that are not known to be stored."""
        with self._lock:
            return {key: queued.entry for key, queued in self._entries.items()}

    def add(self, entries: Mapping[bytes, Entry], now: float) -> bool:
        """Queue entries, in place of others under their keys; returns whether a writer has to be started."""
        with self._lock:
            for key, entry in entries.items():
                self._drop(key)
                self._entries[key] = QueuedEntry(entry, now)
                self.bytes += entry.weight
            return self._needs_writer()

    def add_use(self, key: bytes, now: float) -> bool:
        """Queue the time of an entry's use; returns whether a writer has to be started."""
        with self._lock:
            self._uses[key] = now
            return self._needs_writer()

    def batch(self, limit: int, limit_bytes: int) -> tuple[dict[bytes, QueuedEntry], dict[bytes, float]]:
        """The entries of one transaction, which stay in the queue, and all uses, which leave it."""
        entries: dict[bytes, QueuedEntry] = {}
        room = limit_bytes
        with self._lock:
            for key, queued in self._entries.items():
                if room <= 0 or len(entries) == limit:
                    break
                entries[key] = queued
                room -= queued.entry.weight
            uses, self._uses = self._uses, {}
        return entries, uses

    def remove(self, stored: Mapping[bytes, QueuedEntry]) -> None:
        """Remove stored entries, unless newer ones have taken their places."""
        with self._lock:
            for key, queued in stored.items():
                if self._entries.get(key) is queued:
                    self._drop(key)

    def clear(self) -> int:
        """Remove all entries; returns their number."""
        with self._lock:
            count = len(self._entries)
            self._entries.clear()
            self._uses.clear()
            self.bytes = 0
        return count

    def end(self, *, even_if_pending: bool = False) -> bool:
        """Release the writer if the queue is empty; returns whether it is released."""
        with self._lock:
            if (self._entries or self._uses) and not even_if_pending:
                return False
            completion, self.completion = self.completion, None
        if completion is not None:
            completion.set_result(None)
        return True

    def _needs_writer(self) -> bool:
        if self.completion is not None:
            return False
        self.completion = Future()
        self.completion.set_running_or_notify_cancel()  # a waiter that is cancelled does not stop the writer
        return True

    def _drop(self, key: bytes) -> None:
        if queued := self._entries.pop(key, None):
            self.bytes -= queued.entry.weight


def packed(body: bytes) -> tuple[bytes, bool]:
    """The body as it is stored, and whether it was compressed, which is worth it from some size on."""
    return (zlib.compress(body, 1), True) if len(body) > _PACK_BYTES else (body, False)


def unpacked(stored: bytes, is_packed: bool) -> bytes:
    """The body of the bytes that ``packed`` made."""
    return zlib.decompress(stored) if is_packed else stored
