"""The cache of answers: which are fresh, which stale ones may stand in, and the notices about that."""

import hashlib
import logging
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

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
    RecentEntries,
    SharedStore,
    Store,
    StoreBackend,
    StoreBusy,
    StoreFailed,
    StoreReadOnly,
)
from biofact.transport.service import DAY, HOUR, MIB, STALE_SECONDS, Keep, Service
from biofact.transport.timing import Timing

CACHE_DIR = declare(
    Setting("BIOFACT_CACHE_DIR", "Folder of the cache and the shared budgets; by default in the user's cache.")
)
CAP_BYTES = 1024 * MIB
_MOST_AT_HAND, _MOST_BYTES_AT_HAND = 2048, 8 * MIB
_NO_KEY = b""  # nothing is kept under it
_CLOCK_SKEW_SECONDS = 5.0  # between machines that share a Redis


def cache_folder(settings: Settings) -> Path | None:
    """Where this user's cache and budgets live; None where there is no home."""
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


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache holds, and where."""

    entries: int
    bytes: int
    location: str
    kind: str


class Cache:
    """Finds, keeps and hands up answers; falls back to memory where they cannot be stored, and never fails."""

    _noticed: ClassVar[set[str]] = set()
    """Places that this process has already given notice of."""

    def __init__(self, settings: Settings, timing: Timing | None = None, *, cap_bytes: int = CAP_BYTES) -> None:
        self._settings = settings
        timing = timing or Timing()
        self._clock = timing.wall_clock
        self._notice: Notice | None = None
        self._at_hand: RecentEntries[Entry] = RecentEntries(_MOST_AT_HAND, _MOST_BYTES_AT_HAND)
        self._timing = timing
        self._shared: SharedStore | None = None
        self._store: Store | None = None if settings[REDIS_URL] else DiskStore(cache_folder(settings), cap_bytes)

    async def find(self, service: Service, kind: str, id: str) -> Entry | None:  # noqa: A002
        """What is kept of a record: origin ``cache`` while it holds, ``stale`` when it may only stand in."""
        return (await self.find_many(service, kind, (id,))).get(id)

    async def find_many(self, service: Service, kind: str, ids: Sequence[str]) -> dict[str, Entry]:
        """What is kept of records, by ID; those that are unknown are left out."""
        now = self._clock()
        keys = {self._key(service, kind, id): id for id in ids}  # noqa: A001
        stored = await self._stored(keys, now)
        found = {}
        for key, entry in stored.items():
            if now - entry.retrieved_at > STALE_SECONDS:
                continue
            # An answer from the future means that the clock was set back: then nobody knows how old it is.
            if entry.retrieved_at <= now + _CLOCK_SKEW_SECONDS and now < entry.expires_at:
                found[keys[key]] = entry
            else:
                self._at_hand.drop(key)
                found[keys[key]] = replace(entry, origin="stale")
        if events.listeners or events.CACHE.isEnabledFor(logging.DEBUG):
            _report_found(service, kind, len(keys), found)
        return found

    async def _stored(self, keys: Iterable[bytes], now: float) -> dict[bytes, Entry]:
        """What the store has under keys; at hand from now on, with what is read from it."""
        known = {key: self._at_hand.get(key) for key in keys}
        store = self._opened()
        try:
            stored = await store.get(known, now)
        except StoreBusy:
            return {}
        except StoreFailed as failure:
            await self._fall_back(store, failure)
            return {}
        for key, at_hand in known.items():
            entry = stored.get(key)
            if entry is None:
                self._at_hand.drop(key)
            elif entry is not at_hand:
                self._at_hand.add(key, entry)
        return stored

    async def keep(self, service: Service, keep: Keep, entry: Entry) -> None:
        """Keep an answer under a name."""
        await self.keep_all(service, keep.kind, {keep.id: entry})

    async def keep_all(self, service: Service, kind: str, entries: Mapping[str, Entry]) -> None:
        """Keep answers of one kind by ID."""
        kept = {self._key(service, kind, id): replace(entry, origin="cache") for id, entry in entries.items()}  # noqa: A001
        store = self._opened()
        try:
            await store.put(kept, self._clock())
        except StoreBusy:
            return  # asked for again one day
        except StoreFailed as failure:
            await self._fall_back(store, failure)
            await self._opened().put(kept, self._clock())
        events.CACHE.debug("%s %s: %d stored", service.name, kind, len(kept))
        for key, entry in kept.items():
            self._at_hand.add(key, entry)

    async def flush(self) -> None:
        """Wait until other processes find what was kept."""
        store = self._opened()
        try:
            await store.flush()
        except StoreFailed as failure:
            await self._fall_back(store, failure)

    def hand_up(self, service: Service, entry: Entry) -> None:
        """Tell the call under way where its answer came from, and what to know about that."""
        current = call.current()
        current.answers.append(entry.provenance(service))
        if entry.origin == "stale":
            events.emit(StaleAnswered(service.name))
            age = _in_words(max(0.0, self._clock() - entry.retrieved_at))
            message = f"{service.title} could not be asked; this is its answer of {age} ago."
            current.notices.append(Notice(code="STALE", message=message))
        notice, self._notice = self._notice, None
        if self._shared is not None:
            notice = self._shared.take_notice()
        if notice is not None:
            current.notices.append(notice)

    async def stats(self) -> CacheStats:
        """How much is kept, and where."""
        store = self._opened()
        try:
            entries, size = await store.size()
        except StoreFailed as failure:
            await self._fall_back(store, failure)
            entries, size = await self._opened().size()
        return CacheStats(entries, size, self._opened().location, self._opened().kind)

    async def place(self) -> str:
        """The kind of place where answers are kept, after a look at it: ``memory`` where the chosen one has failed."""
        await self._stored((_NO_KEY,), self._clock())
        return self._opened().kind

    async def clear(self) -> int:
        """Forget everything; returns how many entries that was."""
        self._at_hand.clear()
        store = self._opened()
        try:
            return await store.clear()
        except StoreFailed as failure:
            await self._fall_back(store, failure)
            return await self._opened().clear()

    async def aclose(self) -> None:
        """Let go of files and connections."""
        if self._store is not None:
            await self._store.aclose()

    def _opened(self) -> Store:
        """The place of the entries; the one that machines share, if its URL is set, is opened when first needed.

        Raises:
            WrongSetting: no backend is registered for the URL.
        """
        if self._store is None:
            backend: StoreBackend = registered(self._settings[REDIS_URL])
            self._store = self._shared = backend.store(self._settings, self._timing)
        return self._store

    def _key(self, service: Service, kind: str, id: str) -> bytes:  # noqa: A002
        named = "\0".join((service.name, self._settings[service.base_url], kind, id))
        return hashlib.blake2b(named.encode(), digest_size=20).digest()

    async def _fall_back(self, failed: Store, failure: StoreFailed) -> None:
        """Go on in memory, with what only this process knows of; and with what can still be read there."""
        if self._store is not failed or isinstance(failed, MemoryStore):
            return
        is_readable = isinstance(failure, StoreReadOnly)
        self._store = Overlay(failed) if is_readable else MemoryStore()
        await self._store.put(failed.unwritten(), self._clock())
        if not is_readable:
            await failed.aclose()
        place = failed.location
        if place not in self._noticed:
            self._noticed.add(place)
            cannot = "written" if is_readable else "used"
            message = f"The cache at {place} cannot be {cannot} ({failure}): this process keeps new answers in memory."
            self._notice = Notice(code="CACHE_IN_MEMORY", message=message)


def _report_found(service: Service, kind: str, wanted: int, found: Mapping[str, Entry]) -> None:
    fresh = sum(entry.origin == "cache" for entry in found.values())
    counts = (fresh, len(found) - fresh, wanted - len(found))
    events.CACHE.debug("%s %s: %d found, %d stale, %d missing", service.name, kind, *counts)
    events.emit(CacheRead(service.name, *counts))


def _in_words(seconds: float) -> str:
    for name, unit in (("day", DAY), ("hour", HOUR), ("minute", 60.0)):
        if seconds >= unit:
            count = int(seconds // unit)
            return f"{count} {name}{'s' if count > 1 else ''}"
    return "less than a minute"
