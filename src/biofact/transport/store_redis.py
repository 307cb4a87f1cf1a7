"""Entries in Redis, for several replicas. Needs the extra ``redis``, imported when a URL is set."""

import functools
import struct
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from biofact.transport.keep.store import Entry, Keys, packed, unpacked
from biofact.transport.redis_link import RedisLink
from biofact.transport.service import STALE_SECONDS

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
