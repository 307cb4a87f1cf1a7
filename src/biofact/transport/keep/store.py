"""What is kept of an answer and parsed from it, the places that can keep it, and the simplest of them: memory."""

import functools
import pickle
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any, Generic, Protocol, TypeVar, cast

from biofact.core.records import Notice, Origin, Provenance
from biofact.core.settings import Settings
from biofact.transport.service import MIB, Answer, Service
from biofact.transport.timing import Timing

T = TypeVar("T")

_MOST_READINGS = 8  # of one answer: a caller whose readings have no lasting name must not pile them up
_ATOMS = (str, bytes, int, float, bool, type(None))


class ParsedValues:
    """The values parsed from one body, by the function that parsed them."""

    __slots__ = ("_values", "checksum")

    def __init__(self) -> None:
        self.checksum: int | None = None
        """Of the body as it is stored, once it is."""
        self._values: dict[Hashable, Callable[[], Any]] = {}

    def value(self, read: Callable[[bytes], T], body: bytes) -> T:
        """What ``read``, which is pure, makes of the body: read once, if it can be told apart from other readings."""
        name = _name(read)
        if name is None:
            return read(body)
        copy = self._values.get(name)
        if copy is not None:
            return cast("T", copy())
        value = read(body)
        copy = _copier(value)
        if copy is not None and len(self._values) < _MOST_READINGS:
            self._values[name] = copy
        return value

    def clear(self) -> None:
        """Forget what was read."""
        self._values.clear()


class Readable(Protocol):
    """A kept answer."""

    @property
    def body(self) -> bytes | None:
        """The bytes of a record, if there is one."""

    @property
    def readings(self) -> ParsedValues:
        """What was read from it."""


E = TypeVar("E", bound=Readable)


class RecentEntries(Generic[E]):
    """Cached answers with the values parsed from them; the least recently used leaves first."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._entries: OrderedDict[bytes, E] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> E | None:
        """The answer under a key."""
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    def add(self, key: bytes, entry: E) -> None:
        """Hold an answer, in place of another under its key."""
        self.drop(key)
        size = _size(entry)
        if size > self._most_bytes:
            return
        self._entries[key] = entry
        self._bytes += size
        while len(self._entries) > self._most or self._bytes > self._most_bytes:
            self.drop(next(iter(self._entries)))

    def drop(self, key: bytes) -> None:
        """Forget what was read from the answer under a key."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= _size(entry)
            entry.readings.clear()

    def clear(self) -> None:
        """Forget what was read from all of them."""
        for key in list(self._entries):
            self.drop(key)


def _size(entry: Readable) -> int:
    return len(entry.body or b"")


def _name(read: object) -> Hashable | None:
    """What tells a reading from others of the same body; None for one that hangs on more than its arguments."""
    if isinstance(read, partial):
        parts = (read.func, *read.args, *read.keywords.values())
        names = tuple(_name(part) if callable(part) else _argument(part) for part in parts)
        return None if None in names else (*names, *read.keywords)
    is_plain = isinstance(read, type | BuiltinFunctionType) or (isinstance(read, FunctionType) and not read.__closure__)
    return read if is_plain else None


def _argument(value: object) -> Hashable | None:
    """An argument with its type, as 1 equals True; None for one that can change."""
    return (type(value), value) if _is_constant(value) else None


def _copier(value: object) -> Callable[[], Any] | None:
    """What gives each caller the value: itself if nobody can change it, else a copy. None where that is no gain."""
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
    """Nothing in it can be changed."""
    if isinstance(value, _ATOMS):
        return True
    if isinstance(value, tuple | frozenset):
        return all(map(_is_constant, value))
    if is_dataclass(value) and not isinstance(value, type):
        is_frozen = type(value).__dataclass_params__.frozen  # type: ignore[attr-defined]  # dataclasses' own mark
        return is_frozen and all(_is_constant(getattr(value, field.name)) for field in fields(value))
    return False


def _is_document(value: object) -> bool:
    """Bare JSON: it is read from its bytes as quickly as it is copied."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict | list) for item in value))


MEMORY_BYTES = 64 * MIB
ENTRY_BYTES = 200
"""What an entry takes beside its body: the key, the URL and what holds them together."""

SANDBOX_HEADER = "x-biofact-sandbox"
"""Marks the answers of stand-ins."""

_PACK_BYTES = 16 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer: the bytes of a record, or the fact that there is none."""

    body: bytes | None
    """None: the service positively has no such record."""
    url: str
    retrieved_at: float
    expires_at: float
    origin: Origin = "cache"
    readings: ParsedValues = field(default_factory=ParsedValues, compare=False, repr=False)
    """What was read from the body; shared with copies of this entry."""

    @classmethod
    def of(cls, answer: Answer, body: bytes | None, now: float, seconds: float) -> "Entry":
        """What has just been answered, to be kept for some seconds."""
        origin: Origin = "sandbox" if SANDBOX_HEADER in answer.headers else "live"
        return cls(body, answer.url, now, now + seconds, origin)

    def read(self, read: Callable[[bytes], T]) -> T:
        """What ``read``, which is pure, makes of the body. Of what is kept it is remembered while it is at hand; most
        new answers are never asked for again.
        """
        body = self.body or b""
        return self.readings.value(read, body) if self.origin == "cache" else read(body)

    @property
    def weight(self) -> int:
        """What it takes of a store, uncompressed."""
        return len(self.body or b"") + ENTRY_BYTES

    def provenance(self, service: Service) -> Provenance:
        """Where it came from, for the record that is read from it."""
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
    """Somebody else holds the store for longer than a call may wait; it is as good as before in a moment."""


class StoreReadOnly(StoreFailed):
    """The place can be read but not written."""


Keys = Mapping[bytes, Entry | None]
"""Keys to look under, each with the entry that is at hand from last time, if there is one."""


class Store(Protocol):
    """A place that keeps entries by key. Any method raises StoreFailed when the place cannot be used."""

    @property
    def kind(self) -> str:
        """What it is: ``redis``, ``sqlite``, ``memory``."""

    @property
    def location(self) -> str:
        """Where it is."""

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:
        """The entries that there are, marked as used now: the one at hand itself where that is what is kept."""

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries, making room if need be. ``get`` finds them at once, others perhaps a moment later."""

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are."""

    async def clear(self) -> int:
        """Forget everything; returns how many entries that was."""

    async def flush(self) -> None:
        """Wait until others find what was put."""

    def unwritten(self) -> Mapping[bytes, Entry]:
        """What only this process knows of."""

    async def aclose(self) -> None:
        """Let go of files and connections, with everything written."""


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
        """The entries that there are, marked as used now: the order is enough for that."""
        found = {key: entry for key in keys if (entry := self._entries.get(key)) is not None}
        for key in found:
            self._entries.move_to_end(key)
        return found

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:  # noqa: ARG002
        """Keep entries, making room if need be."""
        for key, entry in entries.items():
            self._drop(key)
            self._entries[key] = entry
            self._bytes += entry.weight
        while self._bytes > self._cap_bytes:
            self._drop(next(iter(self._entries)))

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are."""
        return len(self._entries), self._bytes

    async def clear(self) -> int:
        """Forget everything; returns how many entries that was."""
        count = len(self._entries)
        self._entries.clear()
        self._bytes = 0
        return count

    def discard(self, entries: Mapping[bytes, Entry]) -> None:
        """Forget these, but for those that others have taken the place of."""
        for key, entry in entries.items():
            if self._entries.get(key) is entry:
                self._drop(key)

    async def flush(self) -> None:
        """Nobody else looks here."""

    def unwritten(self) -> Mapping[bytes, Entry]:
        """All of it."""
        return dict(self._entries)

    async def aclose(self) -> None:
        """Nothing to let go of."""

    def _drop(self, key: bytes) -> None:
        if entry := self._entries.pop(key, None):
            self._bytes -= entry.weight


class Overlay:
    """New entries in memory, before those of a place that can be read but not written."""

    def __init__(self, below: Store) -> None:
        self.kind = f"{below.kind}, read only"
        self.location = below.location
        self._memory = MemoryStore()
        self._below: Store | None = below

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:
        """The entries that there are: the new ones where there are such."""
        below = {} if self._below is None else await self._below.get(keys, now)
        return {**below, **await self._memory.get(keys, now)}

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries in memory."""
        await self._memory.put(entries, now)

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are in both."""
        sizes = [await store.size() for store in (self._memory, self._below) if store is not None]
        return sum(entries for entries, _ in sizes), sum(size for _, size in sizes)

    async def clear(self) -> int:
        """Forget everything, and look no more at what cannot be forgotten."""
        count = await self._memory.clear()
        if self._below is not None:
            try:
                count += await self._below.clear()
            except StoreFailed:
                await self._below.aclose()
                self._below = None
        return count

    async def flush(self) -> None:
        """Nobody else looks here."""

    def unwritten(self) -> Mapping[bytes, Entry]:
        """What is in memory."""
        return self._memory.unwritten()

    async def aclose(self) -> None:
        """Close the place below."""
        if self._below is not None:
            await self._below.aclose()


def packed(body: bytes) -> tuple[bytes, bool]:
    """The body as it is stored, and whether it was compressed: worth it from some size on."""
    return (zlib.compress(body, 1), True) if len(body) > _PACK_BYTES else (body, False)


def unpacked(stored: bytes, is_packed: bool) -> bytes:
    """The body of what ``packed`` made."""
    return zlib.decompress(stored) if is_packed else stored
