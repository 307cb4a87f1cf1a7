"""Entries in Redis, for several replicas. Needs the extra ``redis``, imported when a URL is set."""

import importlib
import struct
import zlib
from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

from biofact.transport.service import STALE_SECONDS
from biofact.transport.store import Entry, Keys, StoreFailed, packed, unpacked

T = TypeVar("T")

_PREFIX = b"biofact:answer:"
_HEAD = struct.Struct("<dd??H")  # retrieved at, expires at, is absent, is packed, length of the URL
_PATIENCE_SECONDS = 1.0


class RedisStore:
    """Keeps entries until they are too old even to stand in; Redis itself bounds its memory."""

    def __init__(self, url: str) -> None:
        self.kind = "redis"
        self._url = url
        place = urlsplit(url)
        self.location = f"{place.scheme}://{place.hostname}:{place.port or 6379}{place.path}"
        self._open: Any = None

    async def get(self, keys: Keys, now: float) -> dict[bytes, Entry]:  # noqa: ARG002
        """The entries that there are, in one round trip; Redis notes itself when they were used."""
        values = await self._result(self._redis().mget([_PREFIX + key for key in keys])) if keys else []
        found = {key: _entry(value) for key, value in zip(keys, values, strict=True) if value is not None}
        return {
            key: at_hand if (at_hand := keys[key]) == entry and at_hand is not None else entry
            for key, entry in found.items()
            if entry is not None
        }

    async def put(self, entries: Mapping[bytes, Entry], now: float) -> None:
        """Keep entries until they are too old even to stand in."""
        pipeline = self._redis().pipeline(transaction=False)
        for key, entry in entries.items():
            seconds = entry.retrieved_at + STALE_SECONDS - now
            if seconds > 0:
                pipeline.set(_PREFIX + key, _value(entry), px=int(seconds * 1000) + 1)
        await self._result(pipeline.execute())

    async def size(self) -> tuple[int, int]:
        """How many entries and bytes there are."""
        keys = await self._keys()
        return len(keys), sum([await self._result(self._redis().strlen(key)) for key in keys])

    async def clear(self) -> int:
        """Forget everything of ours; returns how many entries that was."""
        keys = await self._keys()
        return sum([await self._result(self._redis().unlink(key)) for key in keys])

    async def flush(self) -> None:
        """What was put is there already."""

    def unwritten(self) -> Mapping[bytes, Entry]:
        """Nothing: what was put is there already."""
        return {}

    async def aclose(self) -> None:
        """Let go of the connections."""
        if self._open is not None:
            await self._open.aclose()
            self._open = None

    async def _keys(self) -> list[bytes]:
        redis = self._redis()

        async def scanned() -> list[bytes]:
            return [key async for key in redis.scan_iter(match=_PREFIX + b"*", count=1000)]

        return await self._result(scanned())

    def _redis(self) -> Any:
        if self._open is None:
            try:
                redis = importlib.import_module("redis.asyncio")
            except ImportError as error:
                raise StoreFailed("the package redis is not installed; pip install biofact[redis]") from error
            try:
                self._open = redis.from_url(
                    self._url, socket_timeout=_PATIENCE_SECONDS, socket_connect_timeout=_PATIENCE_SECONDS
                )
            except ValueError as error:
                raise StoreFailed("its URL cannot be understood") from error
        return self._open

    async def _result(self, question: Awaitable[T]) -> T:
        redis_error: type[Exception] = importlib.import_module("redis").RedisError
        try:
            return await question
        except (redis_error, OSError) as error:
            await self.aclose()
            raise StoreFailed(type(error).__name__) from error  # its text may show the password


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
