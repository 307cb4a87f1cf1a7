"""Answers that replicas share in Redis; kept in memory while it is lost, and stored when it is back."""

import asyncio
import functools
import itertools
import logging
import struct
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from operator import methodcaller
from typing import Any

from biofact.core import events
from biofact.core.records import Notice
from biofact.gateway.link import RedisFault, RedisLink, RedisLost
from biofact.transport.keep.store import Entry, Keys, MemoryStore, packed, unpacked
from biofact.transport.service import STALE_SECONDS
from biofact.transport.timing import Timing

_PREFIX = b"biofact:answer:"
_HEAD = struct.Struct("<dd??H")  # retrieved at, expires at, is absent, is packed, length of the URL
_SCAN_COUNT = 1000


class RedisStore:
    """Keeps entries until they are too old even to stand in; Redis itself bounds its memory.

    Any method raises RedisLost when Redis cannot be used.
    """

    def __init__(self, link: RedisLink) -> None:
        self._link = link

    async def get(self, keys: Keys) -> dict[bytes, Entry]:
        """The entries under these keys, in one round trip; Redis itself notes their use."""
        names = [_PREFIX + key for key in keys]
        values: list[bytes | None] = await self._link.ask(methodcaller("mget", names)) if names else []
        entries = {key: _entry(value) for key, value in zip(keys, values, strict=True) if value is not None}
        return {
            key: recent if (recent := keys[key]) == entry and recent is not None else entry
            for key, entry in entries.items()
            if entry is not None
        }

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries until they are too old even to stand in."""

        async def question(redis: Any) -> None:
            pipeline = redis.pipeline(transaction=False)
            for key, entry in entries.items():
                seconds = entry.retrieved_at + STALE_SECONDS - now
                if seconds > 0:
                    pipeline.set(_PREFIX + key, _value(entry), px=int(seconds * 1000) + 1)
            await pipeline.execute()

        await self._link.ask(question)

    async def size(self) -> tuple[int, int]:
        """The number of entries and their bytes."""
        count = size = 0
        async for keys in self._keys():
            lengths = await self._link.ask(functools.partial(_lengths, keys))
            count, size = count + len(keys), size + sum(lengths)
        return count, size

    async def clear(self) -> int:
        """Delete all our entries; returns their number."""
        count = 0
        async for keys in self._keys():
            count += await self._link.ask(methodcaller("unlink", *keys))
        return count

    async def _keys(self) -> AsyncIterator[list[bytes]]:
        """Our keys, in parts; one that is stored meanwhile may come twice."""
        cursor = 0
        while True:
            scan = methodcaller("scan", cursor, match=_PREFIX + b"*", count=_SCAN_COUNT)
            cursor, keys = await self._link.ask(scan)
            if keys:
                yield keys
            if not cursor:
                return


async def _lengths(keys: Sequence[bytes], redis: Any) -> list[int]:
    """The bytes under each key, in one round trip."""
    pipeline = redis.pipeline(transaction=False)
    for key in keys:
        pipeline.strlen(key)
    result: list[int] = await pipeline.execute()
    return result


def _value(entry: Entry) -> bytes:
    body, is_packed = packed(entry.body or b"")
    url = entry.url.encode()
    return _HEAD.pack(entry.retrieved_at, entry.expires_at, entry.body is None, is_packed, len(url)) + url + body


def _entry(value: bytes) -> Entry | None:
    try:
        retrieved_at, expires_at, is_absent, is_packed, url_length = _HEAD.unpack_from(value)
        url = value[_HEAD.size : _HEAD.size + url_length].decode()
        body = unpacked(value[_HEAD.size + url_length :], is_packed)
    except (struct.error, UnicodeDecodeError, zlib.error):
        return None
    return Entry(None if is_absent else body, url, retrieved_at, expires_at)


_PROBE_SECONDS = 2.0
_SLOW_SECONDS = 0.3
"""The longest wait of a caller; a probe has to be answered in half of it."""
_PART = 50  # pending entries that are stored at a time
_WRITE_FAULTS: frozenset[RedisFault] = frozenset(("full", "read only"))


class ReplicaStore:
    """Keeps entries in Redis, and never fails: no call waits for a Redis that is known to be away or slow.

    Meanwhile it finds the entries of this process, and probes for Redis every few seconds. If only writing fails, the
    entries in Redis are still found.
    """

    def __init__(self, link: RedisLink, timing: Timing) -> None:
        self._link = link
        self._redis = RedisStore(link)
        self._timing = timing
        self._memory = MemoryStore()
        self.fault: RedisFault | None = None
        """The present fault of Redis, or None."""
        self._has_answered = False
        self._probe_task: asyncio.Task[None] | None = None
        self._notice: Notice | None = None

    @property
    def kind(self) -> str:
        """The kind of place that keeps entries at the moment."""
        return "redis" if self.fault is None else "redis, read only" if self._is_readable else "memory"

    @property
    def location(self) -> str:
        """The address of Redis, without its password."""
        return self._link.place

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:
        """The entries under these keys: the given ones and those in memory, if Redis cannot be asked."""
        memory = await self._memory.get(keys, now)
        if self._is_readable:
            start_time, is_first = self._timing.clock(), not self._has_answered
            try:
                entries = await self._redis.get(keys)
            except RedisLost as loss:
                self._lose(loss)
            else:
                self._has_answered = True
                # the first answer includes the connection, and one of many keys takes its time
                if not is_first and len(keys) == 1 and self._timing.clock() - start_time > _SLOW_SECONDS:
                    self._lose(RedisLost("it answers too slowly", "slow"))
                return {**entries, **memory}
        self._probe_soon()
        return {**{key: entry for key, entry in keys.items() if entry is not None}, **memory}

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries; in memory until Redis takes them."""
        if self.fault is None:
            try:
                await self._redis.put(entries, now)
            except RedisLost as loss:
                self._lose(loss)
            else:
                self._has_answered = True
                return
        self._probe_soon()
        await self._memory.put(entries, now)

    async def size(self) -> tuple[int, int]:
        """The number of entries and their bytes, in memory and in Redis if it can be asked."""
        count, size = await self._memory.size()
        if self._is_readable:
            try:
                shared_count, shared_size = await self._redis.size()
            except RedisLost as loss:
                self._lose(loss)
            else:
                count, size = count + shared_count, size + shared_size
        return count, size

    async def clear(self) -> int:
        """Delete all entries within reach; returns their number."""
        count = await self._memory.clear()
        if self._is_readable:
            try:
                count += await self._redis.clear()
            except RedisLost as loss:
                self._lose(loss)
        return count

    async def flush(self) -> None:
        """Do nothing: entries are in Redis already, or have to wait for it."""

    def pending(self) -> Mapping[bytes, Entry]:
        """The entries that only this process has so far."""
        return self._memory.pending()

    async def aclose(self) -> None:
        """Stop probing, and close the connections."""
        if self._probe_task is not None and self._probe_task.get_loop() is asyncio.get_running_loop():
            self._probe_task.cancel()
            await asyncio.wait({self._probe_task})
        self._probe_task = None
        await self._link.aclose()

    def take_notice(self) -> Notice | None:
        """A notice for users, once for each time that Redis is lost."""
        notice, self._notice = self._notice, None
        return notice

    @property
    def _is_readable(self) -> bool:
        return self.fault is None or self.fault in _WRITE_FAULTS

    def _lose(self, loss: RedisLost) -> None:
        """Go on without Redis, or without writing to it.

        Raises:
            WrongSetting: the URL cannot work, and never did.
        """
        if loss.fault == "settings" and not self._has_answered:
            raise loss.wrong_setting() from loss
        is_news = self.fault is None
        if is_news or loss.fault not in _WRITE_FAULTS:
            self.fault = loss.fault
        self._probe_soon()
        if not is_news:
            return
        cannot = "written" if self._is_readable else "used"
        place = f"The cache at {self.location} cannot be {cannot} ({loss.reason})"
        self._notice = Notice(code="CACHE_IN_MEMORY", message=f"{place}: this process keeps new answers in memory.")
        level = logging.ERROR if loss.fault == "settings" else logging.WARNING
        events.REDIS.log(
            level, "Redis cannot be %s as a cache: %s; asking again every few seconds", cannot, loss.reason
        )

    def _probe_soon(self) -> None:
        """Let the running loop probe for Redis, unless a loop does already."""
        task = self._probe_task
        is_probed = task is not None and not task.done() and not task.get_loop().is_closed()
        if self.fault is not None and not is_probed:
            self._probe_task = asyncio.create_task(self._probe())

    async def _probe(self) -> None:
        while self.fault is not None:
            await self._timing.sleep(_PROBE_SECONDS * (0.75 + self._timing.random() / 2))
            with suppress(RedisLost):
                await self._return()

    async def _return(self) -> None:
        """Use Redis again if it answers soon, and stores the pending entries.

        Raises:
            RedisLost: not yet.
        """
        start_time = self._timing.clock()
        await self._link.ask(methodcaller("ping"))
        if self._timing.clock() - start_time > _SLOW_SECONDS / 2:
            return
        if self.fault not in _WRITE_FAULTS:
            self.fault = "full"  # it can be read; the next lines show whether it can be written
        for part in _parts(self._memory.pending()):
            await self._redis.put(part, self._timing.wall_clock())
            self._memory.discard(part)
        self.fault = None
        events.REDIS.warning("Redis is back as a cache")


def _parts(entries: Mapping[bytes, Entry]) -> Iterable[dict[bytes, Entry]]:
    """Entries in parts of bounded size."""
    items = iter(entries.items())
    while part := dict(itertools.islice(items, _PART)):
        yield part
