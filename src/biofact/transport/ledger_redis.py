"""The ledger of all replicas that use one Redis. Needs the extra ``redis``, imported when a URL is set."""

import importlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from biofact.transport.ledger import LONGEST_WAIT_SECONDS, LedgerLost, Row, SlotRequest, Turn, turn


class RedisLedger:
    """Rows of all replicas that use one Redis, by its clock. Optimistic: who was overtaken reads again."""

    kind = "redis"

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: Any = None

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets."""
        key = _REDIS_PREFIX + ask.name

        async def transaction(pipe: Any) -> Turn:
            row = Row.read(await pipe.get(key))
            changed, result = turn(row, ask, _redis_seconds(await pipe.time()))
            if changed != row:
                pipe.multi()
                pipe.set(key, str(changed), ex=int(2 * LONGEST_WAIT_SECONDS))
            return result

        with _redis_losses():
            self._client = self._client or self._connected("redis.asyncio")
            result: Turn = await self._client.transaction(transaction, key, value_from_callable=True)
        return result

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` would get; waits for Redis."""
        with _redis_losses(), closing(self._connected("redis")) as client:
            row = Row.read(client.get(_REDIS_PREFIX + ask.name))
            return turn(row, ask, _redis_seconds(client.time()))[1]

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
        self._client = None

    def _connected(self, package: str) -> Any:
        """A client that says at once when Redis is away: a caller is waiting, and the disk will do."""
        retry = importlib.import_module(package + ".retry").Retry
        patience = {"socket_timeout": _REDIS_PATIENCE_SECONDS, "socket_connect_timeout": _REDIS_PATIENCE_SECONDS}
        once = retry(importlib.import_module("redis.backoff").NoBackoff(), 1)
        return importlib.import_module(package).from_url(self._url, retry=once, **patience)


@contextmanager
def _redis_losses() -> Iterator[None]:
    """Whatever Redis may fail with becomes a lost ledger. The package is an extra, so it loads on first use."""
    try:
        redis = importlib.import_module("redis")
    except ImportError as error:
        raise LedgerLost("the extra is not installed: pip install 'biofact[redis]'") from error
    try:
        yield
    except (redis.RedisError, OSError, ValueError) as error:
        raise LedgerLost(f"Redis does not answer: {type(error).__name__}") from error  # its text may hold the password


def _redis_seconds(time: tuple[int, int]) -> float:
    seconds, microseconds = time
    return seconds + microseconds / 1e6


_REDIS_PATIENCE_SECONDS = 1.0
_REDIS_PREFIX = "biofact:budget:"
