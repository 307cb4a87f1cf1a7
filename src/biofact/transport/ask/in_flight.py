"""Bytes of answers that are being read: all of them together stay within a part of the memory of the process.

Each body has a cap of its own, which forty of them at a time may reach.
"""

import asyncio
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary

from biofact.transport.service import MIB

FREE_BYTES = MIB
"""A body up to this length never waits: small answers are not held up by large ones."""
_PART = 16
"""One part of sixteen is for bodies: each takes up to ten times its length while it is parsed, and is copied before."""
_LEAST, _MOST = 16 * MIB, 256 * MIB
_CGROUPS = ("/sys/fs/cgroup", "/sys/fs/cgroup/memory")
_CGROUP_FILES = ("memory.max", "memory.limit_in_bytes")
_UNLIMITED = 1 << 60


class BytesInFlight:
    """The bodies under way, and their bytes. Beyond the limit all but the oldest pause: their senders wait."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held_bytes: dict[object, int] = {}
        self._read_bytes = 0
        """The bytes read since the last search for garbage."""
        self._room = asyncio.Event()
        self._reading = asyncio.Lock()

    async def turn(self) -> None:
        """Return in a round of the event loop in which no other busy connection is read."""
        async with self._reading:
            await asyncio.sleep(0)

    @contextmanager
    def body(self) -> Iterator[object]:
        """Count a body within, for ``add``; its bytes are released afterwards."""
        body = object()
        self._held_bytes[body] = 0
        try:
            yield body
        finally:
            self._collect(self._held_bytes.pop(body))
            self._room.set()
            self._room = asyncio.Event()

    def _collect(self, count: int) -> None:
        """Search for young garbage after as many bytes as the limit: failed calls stand in cycles with what they have
        read, and Python, which counts objects and not their bytes, would look for these much later. A search among all
        objects would hold the event loop for 50 ms.
        """
        self._read_bytes += count
        if self._read_bytes >= self._limit:
            self._read_bytes = 0
            gc.collect(1)

    async def add(self, body: object, count: int) -> None:
        """Count bytes that were read; returns when there is room for more."""
        self._held_bytes[body] += count
        while self._is_paused(body):
            await self._room.wait()

    def _is_paused(self, body: object) -> bool:
        # The oldest goes on, so that two halves never wait for each other.
        is_large = self._held_bytes[body] > FREE_BYTES and next(iter(self._held_bytes)) is not body
        return is_large and sum(self._held_bytes.values()) > self._limit


_by_loop: "WeakKeyDictionary[asyncio.AbstractEventLoop, BytesInFlight]" = WeakKeyDictionary()


def bytes_in_flight() -> BytesInFlight:
    """The bodies under way on the running event loop: of all clients and services."""
    if asyncio.get_running_loop() not in _by_loop:
        use_memory(memory_bytes())
    return _by_loop[asyncio.get_running_loop()]


def use_memory(memory: int) -> None:
    """Let answers on the running event loop take what a process of this memory allows, in bytes."""
    _by_loop[asyncio.get_running_loop()] = BytesInFlight(limit_of(memory))


def limit_of(memory: int) -> int:
    """The limit of the bodies under way in a process that may take ``memory`` bytes."""
    return min(_MOST, max(_LEAST, memory // _PART))


@cache
def memory_bytes() -> int:
    """The memory that this process may take: its cgroup's, its address space, or the machine's, whichever is least."""
    limits = [*_cgroup_limits(), *_own_limits()]
    return min(limits, default=_MOST * _PART)


def _own_limits() -> list[int]:
    limits: list[int] = []
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  # Windows has none

        with suppress(ValueError, OSError):  # unknown to this system
            limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            limits.append(soft)
    return limits


def _cgroup_limits() -> Iterator[int]:
    """The limits of the cgroup of this process and of those around it; of none where the system has no cgroups."""
    for folder in _cgroup_folders():
        for name in _CGROUP_FILES:
            with suppress(OSError, ValueError):  # no such file, or "max"
                limit = int((folder / name).read_text("ascii"))
                yield from [limit] if limit < _UNLIMITED else []


def _cgroup_folders() -> Iterator[Path]:
    lines = [""]
    with suppress(OSError):
        lines += Path("/proc/self/cgroup").read_text("utf-8").splitlines()
    for root in map(Path, _CGROUPS):
        for line in lines:
            place = root / line.rpartition(":")[2].lstrip("/")
            yield from (folder for folder in (place, *place.parents) if folder.is_relative_to(root))
