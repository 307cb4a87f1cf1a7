"""The cache of answers: which are fresh, which expired ones may stand in, and the notices about that."""

import hashlib
import logging
import os
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, TypeVar

from biofact.core import call, events
from biofact.core.events import CacheRead, StaleAnswered
from biofact.core.records import Notice
from biofact.core.settings import Setting, Settings, declare
from biofact.transport.backends import REDIS_URL, registered
from biofact.transport.keep.disk import DiskStore
from biofact.transport.keep.store import (
    Entry,
    MemoryStore,
    Overlay,
    SharedStore,
    Store,
    StoreBackend,
    StoreBusy,
    StoreFailed,
    StoreReadOnly,
)
from biofact.transport.service import DAY, HOUR, MIB, STALE_SECONDS, Keep, Service
from biofact.transport.timing import Timing

T = TypeVar("T")

CACHE_DIR = declare(
    Setting("BIOFACT_CACHE_DIR", "Folder of the cache and the shared budgets; by default in the user's cache.")
)
CAP_BYTES = 1024 * MIB
_RECENT_ENTRIES, _RECENT_BYTES = 2048, 8 * MIB
_NO_KEY = b""  # nothing is kept under it
_CLOCK_SKEW_SECONDS = 5.0  # between machines that share a store


def cache_folder(settings: Settings) -> Path | None:
    """The folder of this user's cache and budgets; None for a user without a home."""
    try:
        if settings[CACHE_DIR]:
            return Path(settings[CACHE_DIR]).expanduser()
        match sys.platform:
            case "darwin":
                base = Path.home() / "Library" / "Caches"
            case "win32":
                base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
            case _:
                base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None
    return base / "biofact"


class RecentEntries:
    """Cached answers in memory, with the values parsed from them; the least recently used leaves first."""

    def __init__(self, limit: int, limit_bytes: int) -> None:
        self._limit = limit
        self._limit_bytes = limit_bytes
        self._bytes = 0
        self._entries: OrderedDict[bytes, Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> Entry | None:
        """The answer under a key."""
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    def add(self, key: bytes, entry: Entry) -> None:
        """Hold an answer, in place of another under its key."""
        self.drop(key)
        size = len(entry.body or b"")
        if size > self._limit_bytes:
            return
        self._entries[key] = entry
        self._bytes += size
        while len(self._entries) > self._limit or self._bytes > self._limit_bytes:
            self.drop(next(iter(self._entries)))

    def drop(self, key: bytes) -> None:
        """Forget the answer under a key, and the values parsed from it."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= len(entry.body or b"")
            entry.parsed.clear()

    def clear(self) -> None:
        """Forget all answers, and the values parsed from them."""
        for key in list(self._entries):
            self.drop(key)


@dataclass(frozen=True, slots=True)
class CacheStats:
    """The size and the place of a cache."""

    entries: int
    bytes: int
    location: str
    kind: str


class Cache:
    """Finds and keeps answers; falls back to memory where they cannot be stored, and never fails."""

    _noted_places: ClassVar[set[str]] = set()
    """The places that this process has already given notice of."""

    def __init__(self, settings: Settings, timing: Timing | None = None, *, cap_bytes: int = CAP_BYTES) -> None:
        self._settings = settings
        self._timing = timing or Timing()
        self._clock = self._timing.wall_clock
        self._notice: Notice | None = None
        self._recent = RecentEntries(_RECENT_ENTRIES, _RECENT_BYTES)
        self._shared: SharedStore | None = None
        self._store: Store | None = None if settings[REDIS_URL] else DiskStore(cache_folder(settings), cap_bytes)

    async def find(self, service: Service, kind: str, id: str) -> Entry | None:  # noqa: A002
        """The cached answer for a record: its origin is ``cache`` while it is fresh, ``stale`` if it may only stand in.

        Raises:
            WrongSetting: the URL of the shared store cannot work, and never did.
        """
        return (await self.find_many(service, kind, (id,))).get(id)

    async def find_fresh(self, service: Service, kind: str, id: str) -> Entry | None:  # noqa: A002
        """The cached answer for a record while it is fresh. A miss is not counted: who asks then looks again."""
        entries = await self._find(service, kind, (id,))
        if id not in entries or entries[id].origin == "stale":
            return None
        _report_read(service, kind, 1, entries)
        return entries[id]

    async def find_many(self, service: Service, kind: str, ids: Sequence[str]) -> dict[str, Entry]:
        """The cached answers for records, by ID; IDs without one are left out."""
        entries = await self._find(service, kind, ids)
        _report_read(service, kind, len({*ids}), entries)
        return entries

    async def _find(self, service: Service, kind: str, ids: Sequence[str]) -> dict[str, Entry]:
        now = self._clock()
        keys = {self._key(service, kind, id): id for id in ids}  # noqa: A001
        stored = await self._stored(keys, now)
        entries = {}
        for key, entry in stored.items():
            if now - entry.retrieved_at > STALE_SECONDS:
                continue
            # The time of an answer from the future is worth nothing: the clock was set back since.
            if entry.retrieved_at <= now + _CLOCK_SKEW_SECONDS and now < entry.expires_at:
                entries[keys[key]] = entry
            else:
                self._recent.drop(key)
                entries[keys[key]] = replace(entry, origin="stale")
        return entries

    async def keep(self, service: Service, keep: Keep, entry: Entry) -> None:
        """Keep an answer under a name."""
        await self.keep_all(service, keep.kind, {keep.id: entry})

    async def keep_all(self, service: Service, kind: str, entries: Mapping[str, Entry]) -> None:
        """Keep answers of one kind by ID."""
        cached = {self._key(service, kind, id): replace(entry, origin="cache") for id, entry in entries.items()}  # noqa: A001
        store = self._open_store()
        try:
            await store.put(cached, self._clock())
        except StoreBusy:
            return  # fetched again when it is next needed
        except StoreFailed as failure:
            store = await self._fall_back(store, failure)
            await store.put(cached, self._clock())
        events.CACHE.debug("%s %s: %d stored", service.name, kind, len(cached))
        for key, entry in cached.items():
            self._recent.add(key, entry)

    async def flush(self) -> None:
        """Wait until other processes find all answers."""
        await self._on_store(lambda store: store.flush())

    def hand_up(self, service: Service, entry: Entry) -> None:
        """Add the provenance of an answer, and its notices, to the call under way."""
        current = call.current()
        current.answers.append(entry.provenance(service))
        if entry.origin == "stale":
            events.emit(StaleAnswered(service.name))
            age = _age_in_words(max(0.0, self._clock() - entry.retrieved_at))
            message = f"{service.title} could not be asked; this is its answer of {age} ago."
            current.notices.append(Notice(code="STALE", message=message))
        notice, self._notice = self._notice, None
        if self._shared is not None:
            notice = self._shared.take_notice()
        if notice is not None:
            current.notices.append(notice)

    async def stats(self) -> CacheStats:
        """The size and the place of the cache."""
        entries, size = await self._on_store(lambda store: store.size())
        store = self._open_store()
        return CacheStats(entries, size, store.location, store.kind)

    async def place(self) -> str:
        """The kind of place where answers are kept, after a look at it: ``memory`` where the chosen one has failed."""
        await self._stored((_NO_KEY,), self._clock())
        return self._open_store().kind

    async def clear(self) -> int:
        """Delete all answers; returns their number."""
        self._recent.clear()
        return await self._on_store(lambda store: store.clear())

    async def aclose(self) -> None:
        """Close files and connections."""
        if self._store is not None:
            await self._store.aclose()

    async def _stored(self, keys: Iterable[bytes], now: float) -> dict[bytes, Entry]:
        """The entries that the store has under keys; held in memory from now on, with the values parsed from them."""
        recent = {key: self._recent.get(key) for key in keys}
        store = self._open_store()
        try:
            stored = await store.get(recent, now)
        except StoreBusy:
            return {}
        except StoreFailed as failure:
            await self._fall_back(store, failure)
            return {}
        for key, recent_entry in recent.items():
            entry = stored.get(key)
            if entry is None:
                self._recent.drop(key)
            elif entry is not recent_entry:
                self._recent.add(key, entry)
        return stored

    async def _on_store(self, work: Callable[[Store], Awaitable[T]]) -> T:
        """The result of work on the store; if that has failed, of the same on the place that takes over."""
        store = self._open_store()
        try:
            return await work(store)
        except StoreFailed as failure:
            return await work(await self._fall_back(store, failure))

    def _open_store(self) -> Store:
        """The place of the entries; a shared one is opened when it is first needed.

        Raises:
            WrongSetting: no backend is registered for its URL.
        """
        if self._store is None:
            backend: StoreBackend = registered(self._settings[REDIS_URL])
            self._store = self._shared = backend.store(self._settings, self._timing)
        return self._store

    def _key(self, service: Service, kind: str, id: str) -> bytes:  # noqa: A002
        name = "\0".join((service.name, self._settings[service.base_url], kind, id))
        return hashlib.blake2b(name.encode(), digest_size=20).digest()

    async def _fall_back(self, failed: Store, failure: StoreFailed) -> Store:
        """The place that takes over: memory, with the entries that only this process has, over a readable store."""
        store = self._open_store()
        if store is not failed or isinstance(failed, MemoryStore):
            return store
        is_readable = isinstance(failure, StoreReadOnly)
        self._store = store = Overlay(failed) if is_readable else MemoryStore()
        await store.put(failed.pending(), self._clock())
        if not is_readable:
            await failed.aclose()
        place = failed.location
        if place not in self._noted_places:
            self._noted_places.add(place)
            cannot = "written" if is_readable else "used"
            message = f"The cache at {place} cannot be {cannot} ({failure}): this process keeps new answers in memory."
            self._notice = Notice(code="CACHE_IN_MEMORY", message=message)
        return store


def _report_read(service: Service, kind: str, count: int, entries: Mapping[str, Entry]) -> None:
    if not events.listeners and not events.CACHE.isEnabledFor(logging.DEBUG):
        return
    fresh = sum(entry.origin == "cache" for entry in entries.values())
    counts = (fresh, len(entries) - fresh, count - len(entries))
    events.CACHE.debug("%s %s: %d found, %d stale, %d missing", service.name, kind, *counts)
    events.emit(CacheRead(service.name, *counts))


def _age_in_words(seconds: float) -> str:
    for name, unit in (("day", DAY), ("hour", HOUR), ("minute", 60.0)):
        if seconds >= unit:
            count = int(seconds // unit)
            return f"{count} {name}{'s' if count > 1 else ''}"
    return "less than a minute"
