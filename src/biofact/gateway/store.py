"""Entries that replicas share in Redis; in memory while it is lost, from where they follow when it is back."""

import asyncio
import functools
import itertools
import logging
import struct
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from biofact.core import events
from biofact.core.records import Notice
from biofact.gateway.link import RedisFault, RedisLink, RedisLost
from biofact.transport.keep.store import Entry, Keys, MemoryStore, packed, unpacked
from biofact.transport.service import STALE_SECONDS
from biofact.transport.timing import Timing

_PREFIX = b"biofact:answer:"
_HEAD = struct.Struct("<dd??H")  # retrieved at, expires at, is absent, is packed, length of the URL
_SCANNED = 1000


class RedisStore:
    """Keeps entries until they are too old even to stand in; Redis itself bounds its memory.

    Any method raises RedisLost when Redis cannot be used.
    """

    def __init__(self, link: RedisLink) -> None:
        self._link = link

    @property
    def place(self) -> str:
        """The address of Redis, without its password."""
        return self._link.place

    async def get(self, keys: Keys) -> dict[bytes, Entry]:
        """The entries that there are, in one round trip; Redis notes itself when they were used."""
        names = [_PREFIX + key for key in keys]
        values: list[bytes | None] = await self._link.ask(lambda redis: redis.mget(names)) if names else []
        found = {key: _entry(value) for key, value in zip(keys, values, strict=True) if value is not None}
        return {
            key: at_hand if (at_hand := keys[key]) == entry and at_hand is not None else entry
            for key, entry in found.items()
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

    async def ping(self) -> None:
        """Return if Redis answers."""
        await self._link.ask(lambda redis: redis.ping())

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are."""
        count = size = 0
        async for keys in self._keys():
            lengths = await self._link.ask(functools.partial(_lengths, keys))
            count, size = count + len(keys), size + sum(lengths)
        return count, size

    async def clear(self) -> int:
        """Forget everything of ours; returns how many entries that was."""
        count = 0
        async for keys in self._keys():
            count += await self._link.ask(functools.partial(_unlinked, keys))
        return count

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._link.aclose()

    async def _keys(self) -> AsyncIterator[list[bytes]]:
        """The keys of ours, in parts; one that is put meanwhile may come twice."""
        cursor = 0
        while True:
            cursor, keys = await self._link.ask(functools.partial(_scanned, cursor))
            if keys:
                yield keys
            if not cursor:
                return


async def _scanned(cursor: int, redis: Any) -> tuple[int, list[bytes]]:
    """Some keys of ours, and where to go on; 0 at the end."""
    following, keys = await redis.scan(cursor, match=_PREFIX + b"*", count=_SCANNED)
    return int(following), keys


async def _lengths(keys: Sequence[bytes], redis: Any) -> list[int]:
    """The bytes under each key, in one round trip."""
    pipeline = redis.pipeline(transaction=False)
    for key in keys:
        pipeline.strlen(key)
    result: list[int] = await pipeline.execute()
    return result


async def _unlinked(keys: Sequence[bytes], redis: Any) -> int:
    """How many of the keys were forgotten."""
    return int(await redis.unlink(*keys))


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
"""Longer than that no caller is to wait again; a probe has to be answered in half of it."""
_PART = 50  # entries that follow at a time
_WRITE_FAULTS: frozenset[RedisFault] = frozenset(("full", "read only"))


class ReplicaStore:
    """Keeps entries in Redis, and never fails: nobody waits for a Redis that is known to be away or slow.

    Meanwhile it finds what is at hand and what this process has put, and probes for Redis every few seconds. Where only
    writing fails, what is there is still found.
    """

    def __init__(self, link: RedisLink, timing: Timing) -> None:
        self._redis = RedisStore(link)
        self._timing = timing
        self._memory = MemoryStore()
        self.fault: RedisFault | None = None
        """What keeps entries from Redis; None while nothing does."""
        self.lost_since: float | None = None
        """By the wall clock."""
        self._has_answered = False
        self._probing: asyncio.Task[None] | None = None
        self._notice: Notice | None = None

    @property
    def kind(self) -> str:
        """Where entries are kept at the moment."""
        return "redis" if self.fault is None else "redis, read only" if self._is_readable else "memory"

    @property
    def location(self) -> str:
        """The address of Redis, without its password."""
        return self._redis.place

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:
        """The entries that there are: those at hand and in memory, where Redis cannot be asked."""
        memory = await self._memory.get(keys, now)
        if self._is_readable:
            began, is_first = self._timing.clock(), not self._has_answered
            try:
                found = await self._redis.get(keys)
            except RedisLost as lost:
                self._lose(lost)
            else:
                self._has_answered = True
                if not is_first and len(keys) == 1 and self._timing.clock() - began > _SLOW_SECONDS:
                    self._lose(RedisLost("it answers too slowly", "slow"))
                return {**found, **memory}
        self._probe_soon()
        return {**{key: entry for key, entry in keys.items() if entry is not None}, **memory}

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries; in memory until Redis takes them."""
        if self.fault is None:
            try:
                await self._redis.put(entries, now)
            except RedisLost as lost:
                self._lose(lost)
            else:
                self._has_answered = True
                return
        self._probe_soon()
        await self._memory.put(entries, now)

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are, where Redis can be asked; else in memory."""
        count, size = await self._memory.size()
        if self._is_readable:
            try:
                shared_count, shared_size = await self._redis.size()
            except RedisLost as lost:
                self._lose(lost)
            else:
                count, size = count + shared_count, size + shared_size
        return count, size

    async def clear(self) -> int:
        """Forget everything that can be reached; returns how many entries that was."""
        count = await self._memory.clear()
        if self._is_readable:
            try:
                count += await self._redis.clear()
            except RedisLost as lost:
                self._lose(lost)
        return count

    async def flush(self) -> None:
        """What was put is in Redis already, or has to wait for it."""

    def pending(self) -> Mapping[bytes, Entry]:
        """What only this process knows of."""
        return self._memory.pending()

    async def aclose(self) -> None:
        """Probe no more, and let go of the connections."""
        if self._probing is not None and self._probing.get_loop() is asyncio.get_running_loop():
            self._probing.cancel()
            await asyncio.wait({self._probing})
        self._probing = None
        await self._redis.aclose()

    def take_notice(self) -> Notice | None:
        """What a user should know, once for each time that Redis is lost."""
        notice, self._notice = self._notice, None
        return notice

    @property
    def _is_readable(self) -> bool:
        return self.fault is None or self.fault in _WRITE_FAULTS

    def _lose(self, lost: RedisLost) -> None:
        """Go on without Redis, or without writing to it.

        Raises:
            WrongSetting: the URL cannot work, and never did.
        """
        if lost.fault == "settings" and not self._has_answered:
            raise lost.wrong_setting() from lost
        is_news = self.fault is None
        if is_news or lost.fault not in _WRITE_FAULTS:
            self.fault = lost.fault
        self._probe_soon()
        if not is_news:
            return
        self.lost_since = self._timing.wall_clock()
        cannot = "written" if self._is_readable else "used"
        place = f"The cache at {self.location} cannot be {cannot} ({lost.reason})"
        self._notice = Notice(code="CACHE_IN_MEMORY", message=f"{place}: this process keeps new answers in memory.")
        level = logging.ERROR if lost.fault == "settings" else logging.WARNING
        events.REDIS.log(
            level, "Redis cannot be %s as a cache: %s; asking again every few seconds", cannot, lost.reason
        )

    def _probe_soon(self) -> None:
        """Have the running loop probe for Redis, unless one does."""
        if self.fault is None or (self._probing is not None and not self._probing.done() and _is_alive(self._probing)):
            return
        self._probing = asyncio.create_task(self._probe())

    async def _probe(self) -> None:
        while self.fault is not None:
            await self._timing.sleep(_PROBE_SECONDS * (0.75 + self._timing.random() / 2))
            with suppress(RedisLost):
                await self._return()

    async def _return(self) -> None:
        """Use Redis again if it answers soon, and takes what was put meanwhile.

        Raises:
            RedisLost: not yet.
        """
        began = self._timing.clock()
        await self._redis.ping()
        if self._timing.clock() - began > _SLOW_SECONDS / 2:
            return
        if self.fault not in _WRITE_FAULTS:
            self.fault = "full"  # it can be read; whether it can be written is seen now
        for part in _parts(self._memory.pending()):
            await self._redis.put(part, self._timing.wall_clock())
            self._memory.discard(part)
        self.fault = self.lost_since = None
        events.REDIS.warning("Redis is back as a cache")


def _is_alive(task: "asyncio.Task[None]") -> bool:
    return not task.get_loop().is_closed()


def _parts(entries: Mapping[bytes, Entry]) -> Iterable[dict[bytes, Entry]]:
    """Entries in parts of bounded size."""
    items = iter(entries.items())
    while part := dict(itertools.islice(items, _PART)):
        yield part
