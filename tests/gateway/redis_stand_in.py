"""A stand-in of a Redis server in virtual time: its contents, and its replies to a client."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from biofact.gateway.link import RedisLink, RedisLost
from tests.virtual_time import now

LATENCY = 0.0004


class Server:
    """Hashes and strings, a clock, and how often each key was written."""

    def __init__(self) -> None:
        self.values: dict[str | bytes, Any] = {}
        self.versions: dict[str | bytes, int] = {}
        self.is_up = True
        self.is_full = False

    def empty(self) -> None:
        for key in self.values:
            self._written(key)
        self.values = {}

    def run(self, command: str, *arguments: Any, **options: Any) -> Any:
        return getattr(self, command)(*arguments, **options)

    def get(self, key: str) -> Any:
        return self.values.get(key)

    def set(self, key: str | bytes, value: str | bytes, ex: int = 0, px: int = 0) -> None:
        self._written(key)
        self.values[key] = value.encode() if isinstance(value, str) else value

    def mget(self, keys: list[bytes]) -> Any:
        return [self.values.get(key) for key in keys]

    def strlen(self, key: bytes) -> int:
        return len(self.values[key])

    def unlink(self, *keys: bytes) -> int:
        return sum(self.values.pop(key, None) is not None for key in keys)

    def scan(self, cursor: int, match: bytes, count: int) -> Any:
        return 0, [key for key in self.values if isinstance(key, bytes) and key.startswith(match.rstrip(b"*"))]

    def ping(self) -> bool:
        return True

    def hget(self, key: str, name: str) -> Any:
        return self.values.get(key, {}).get(name.encode())

    def hgetall(self, key: str) -> Any:
        return dict(self.values.get(key, {}))

    def hset(self, key: str, name: str, value: str) -> None:
        self.values.setdefault(key, {})[name.encode()] = value.encode()
        self._written(key)

    def hsetnx(self, key: str, name: str, value: str) -> None:
        if self.hget(key, name) is None:
            self.hset(key, name, value)

    def hincrby(self, key: str, name: str, increment: int) -> None:
        self.hset(key, name, str(int(self.hget(key, name) or 0) + increment))

    def hdel(self, key: str, name: str) -> None:
        self.values.get(key, {}).pop(name.encode(), None)
        self._written(key)

    def expire(self, key: str, seconds: int) -> None:
        assert seconds > 0

    def time(self) -> tuple[int, int]:
        seconds = 1_000_000.0 + now()
        return int(seconds), int(seconds % 1 * 1e6)

    def _written(self, key: str | bytes) -> None:
        if self.is_full:
            raise RedisLost("its memory is full", "full")
        self.versions[key] = self.versions.get(key, 0) + 1


class Link(RedisLink):
    """One process's link to the server. ``state`` is open, cut, or deaf, which receives no reply."""

    def __init__(self, server: Server) -> None:
        super().__init__("redis://stand-in", patience_seconds=0.5)
        self.server = server
        self.state = "open"

    async def ask(self, question: Callable[[Any], Awaitable[Any]]) -> Any:
        try:
            async with asyncio.timeout(0.5):
                return await question(Client(self))
        except TimeoutError:
            raise RedisLost("it does not answer in time", "slow") from None

    async def aclose(self) -> None: ...

    async def passed(self, ask: Callable[[], Any]) -> Any:
        """The server's replies to commands that are sent together."""
        await asyncio.sleep(LATENCY)
        if self.state == "cut" or not self.server.is_up:
            raise RedisLost("it does not answer", "away")
        result = ask()
        if self.state == "deaf":
            await asyncio.sleep(60.0)
        await asyncio.sleep(LATENCY)
        return result


class Client:
    """The used part of redis-py's client."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def pipeline(self, *, transaction: bool) -> "Pipeline":
        return Pipeline(self._link, is_watching=False)

    def __getattr__(self, command: str) -> Callable[..., Awaitable[Any]]:
        return lambda *arguments, **options: self._link.passed(
            lambda: self._link.server.run(command, *arguments, **options)
        )

    async def transaction(self, change: Callable[[Any], Awaitable[Any]], key: str, *, value_from_callable: bool) -> Any:
        while True:
            pipe = Pipeline(self._link, is_watching=True)
            version = await self._link.passed(lambda: self._link.server.versions.get(key, 0))
            result = await change(pipe)
            if not pipe.queued or await pipe.executed_if(key, version):
                return result


class Pipeline:
    """Commands that are sent at once while watching, and together after ``multi``."""

    def __init__(self, link: Link, *, is_watching: bool) -> None:
        self._link = link
        self._is_watching = is_watching
        self.queued: list[tuple[Any, ...]] = []

    def multi(self) -> None:
        self._is_watching = False

    async def execute(self) -> list[Any]:
        return await self._link.passed(self._all)

    async def executed_if(self, key: str, version: int) -> bool:
        versions = self._link.server.versions
        return await self._link.passed(lambda: versions.get(key, 0) == version and self._all() is not None)

    def _all(self) -> list[Any]:
        return [self._link.server.run(*command[0], **command[1]) for command in self.queued]

    def __getattr__(self, command: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            if self._is_watching:
                return self._link.passed(lambda: self._link.server.run(command, *arguments))
            self.queued.append(((command, *arguments), options))
            return None

        return call
