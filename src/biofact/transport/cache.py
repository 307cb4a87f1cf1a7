"""Answers that are kept, wherever that is possible: what holds, what may stand in, and what is said about it."""

import hashlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from biofact.core import call
from biofact.core.provenance import Notice
from biofact.core.settings import Setting, Settings, declare
from biofact.transport.budget import REDIS_URL
from biofact.transport.service import DAY, HOUR, MIB, STALE_SECONDS, Keep, Service
from biofact.transport.store import Entry, MemoryStore, Store, StoreBusy, StoreFailed
from biofact.transport.store_disk import DiskStore
from biofact.transport.store_redis import RedisStore
from biofact.transport.timing import Timing

CACHE_DIR = declare(Setting("BIOFACT_CACHE_DIR", "Folder of the cache and the shared budgets; else the user's cache."))
CAP_BYTES = 1024 * MIB
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

    _told: ClassVar[set[str]] = set()
    """Places that this process has already given notice of."""

    def __init__(self, settings: Settings, timing: Timing | None = None, *, cap_bytes: int = CAP_BYTES) -> None:
        self._settings = settings
        self._clock = (timing or Timing()).wall_clock
        self._notice: Notice | None = None
        self._store: Store = DiskStore(cache_folder(settings), cap_bytes)
        if url := settings[REDIS_URL]:
            self._store = RedisStore(url)

    async def find(self, service: Service, kind: str, id: str) -> Entry | None:  # noqa: A002
        """What is kept of a record: origin ``cache`` while it holds, ``stale`` when it may only stand in."""
        now = self._clock()
        key = self._key(service, kind, id)
        try:
            entry = await self._store.get(key, now)
        except StoreBusy:
            return None
        except StoreFailed as failure:
            self._fall_back(failure)
            return None
        if entry is None or now - entry.retrieved_at > STALE_SECONDS:
            return None
        # An answer from the future means that the clock was set back: then nobody knows how old it is.
        holds = entry.retrieved_at <= now + _CLOCK_SKEW_SECONDS and now < entry.expires_at
        return replace(entry, origin="cache" if holds else "stale")

    async def keep(self, service: Service, keep: Keep, entry: Entry) -> None:
        """Keep an answer under a name."""
        await self.keep_all(service, keep.kind, {keep.id: entry})

    async def keep_all(self, service: Service, kind: str, entries: Mapping[str, Entry]) -> None:
        """Keep answers of one kind by ID."""
        named = {self._key(service, kind, id): entry for id, entry in entries.items()}  # noqa: A001
        try:
            await self._store.put(named, self._clock())
        except StoreBusy:
            return  # asked for again one day
        except StoreFailed as failure:
            self._fall_back(failure)
            await self._store.put(named, self._clock())

    def hand_up(self, service: Service, entry: Entry) -> None:
        """Tell the call under way where its answer came from, and what to know about that."""
        current = call.current()
        current.answers.append(entry.provenance(service))
        if entry.origin == "stale":
            age = _in_words(max(0.0, self._clock() - entry.retrieved_at))
            message = f"{service.title} could not be asked; this is its answer of {age} ago."
            current.notices.append(Notice(code="STALE", message=message))
        if self._notice is not None:
            current.notices.append(self._notice)
            self._notice = None

    async def stats(self) -> CacheStats:
        """How much is kept, and where."""
        try:
            entries, size = await self._store.size()
        except StoreFailed as failure:
            self._fall_back(failure)
            entries, size = await self._store.size()
        return CacheStats(entries, size, self._store.location, self._store.kind)

    async def clear(self) -> int:
        """Forget everything; returns how many entries that was."""
        try:
            return await self._store.clear()
        except StoreFailed as failure:
            self._fall_back(failure)
            return 0

    async def aclose(self) -> None:
        """Let go of files and connections."""
        await self._store.aclose()

    def _key(self, service: Service, kind: str, id: str) -> bytes:  # noqa: A002
        named = "\0".join((service.name, self._settings[service.base_url], kind, id))
        return hashlib.blake2b(named.encode(), digest_size=20).digest()

    def _fall_back(self, failure: StoreFailed) -> None:
        if isinstance(self._store, MemoryStore):
            return
        place = self._store.location
        self._store = MemoryStore()
        if place not in self._told:
            self._told.add(place)
            message = f"The cache at {place} cannot be used ({failure}): this process keeps answers in memory only."
            self._notice = Notice(code="CACHE_IN_MEMORY", message=message)


def _in_words(seconds: float) -> str:
    for name, unit in (("day", DAY), ("hour", HOUR), ("minute", 60.0)):
        if seconds >= unit:
            count = int(seconds // unit)
            return f"{count} {name}{'s' if count > 1 else ''}"
    return "less than a minute"
