"""What is kept of an answer, the places that can keep it, and the simplest of them: memory."""

import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar, Protocol

from biofact.core.provenance import Origin, Provenance
from biofact.transport.service import MIB, Answer, Service

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

    @classmethod
    def of(cls, answer: Answer, body: bytes | None, now: float, seconds: float) -> "Entry":
        """What has just been answered, to be kept for some seconds."""
        origin: Origin = "sandbox" if SANDBOX_HEADER in answer.headers else "live"
        return cls(body, answer.url, now, now + seconds, origin)

    def provenance(self, service: Service) -> Provenance:
        """Where it came from, for the record that is read from it."""
        return Provenance(
            source=service.name,
            url=self.url,
            retrieved_at=datetime.fromtimestamp(self.retrieved_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            origin=self.origin,
            licence=service.licence or None,
        )


class StoreFailed(Exception):
    """The place where answers are kept cannot be used."""


class StoreBusy(StoreFailed):
    """Somebody else holds the store for longer than a call may wait; it is as good as before in a moment."""


class Store(Protocol):
    """A place that keeps entries by key. Any method raises StoreFailed when the place cannot be used."""

    kind: ClassVar[str]
    location: str

    async def get(self, key: bytes, now: float) -> Entry | None:
        """The entry, marked as used now."""

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries, making room if need be."""

    async def drop(self, key: bytes) -> None:
        """Forget an entry."""

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are."""

    async def clear(self) -> int:
        """Forget everything; returns how many entries that was."""

    async def aclose(self) -> None:
        """Let go of files and connections."""


class MemoryStore:
    """Keeps entries in this process, least recently used first out."""

    kind: ClassVar[str] = "memory"

    def __init__(self, cap_bytes: int = MEMORY_BYTES) -> None:
        self.location = "memory"
        self._cap_bytes = cap_bytes
        self._bytes = 0
        self._entries: OrderedDict[bytes, Entry] = OrderedDict()

    async def get(self, key: bytes, now: float) -> Entry | None:  # noqa: ARG002  # the order is enough
        """The entry, marked as used now."""
        if key in self._entries:
            self._entries.move_to_end(key)
        return self._entries.get(key)

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:  # noqa: ARG002
        """Keep entries, making room if need be."""
        for key, entry in entries.items():
            await self.drop(key)
            self._entries[key] = entry
            self._bytes += _weight(entry)
        while self._bytes > self._cap_bytes:
            self._bytes -= _weight(self._entries.popitem(last=False)[1])

    async def drop(self, key: bytes) -> None:
        """Forget an entry."""
        if entry := self._entries.pop(key, None):
            self._bytes -= _weight(entry)

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are."""
        return len(self._entries), self._bytes

    async def clear(self) -> int:
        """Forget everything; returns how many entries that was."""
        count = len(self._entries)
        self._entries.clear()
        self._bytes = 0
        return count

    async def aclose(self) -> None:
        """Nothing to let go of."""


def packed(body: bytes) -> tuple[bytes, bool]:
    """The body as it is stored, and whether it was compressed: worth it from some size on."""
    return (zlib.compress(body, 1), True) if len(body) > _PACK_BYTES else (body, False)


def unpacked(stored: bytes, is_packed: bool) -> bytes:
    """The body of what ``packed`` made."""
    return zlib.decompress(stored) if is_packed else stored


def _weight(entry: Entry) -> int:
    return len(entry.body or b"") + ENTRY_BYTES
