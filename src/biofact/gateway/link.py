"""A client of Redis for each event loop, and the meaning of its failures. Needs the extra ``redis``."""

import asyncio
import importlib
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from biofact.core.errors import WrongSetting
from biofact.core.extras import install_command
from biofact.core.settings import Setting, declare
from biofact.transport.backends import REDIS_URL

T = TypeVar("T")

REPLICAS = declare(
    Setting(
        "BIOFACT_REPLICAS",
        "How many replicas share a Redis at most: each takes its part of the rates when Redis is lost; else as seen.",
        example="3",
    )
)

RedisFault = Literal["settings", "away", "slow", "full", "read only"]
"""``settings``: it cannot work before the URL, the password or the installation is changed."""

_CONNECTIONS = 32
_CHECK_SECONDS = 1.0
_CONNECT_SECONDS = 1.0
_UNWATCH_SECONDS = 0.1
_WRITES_REFUSED = ("MISCONF", "NOREPLICAS", "READONLY")
_WRONG_ACCESS = (
    "NOAUTH",
    "WRONGPASS",
    "invalid password",
    "invalid username",
    "DB index",
    "called without any password",
)


class RedisLost(Exception):
    """Redis cannot be used; the text says why, and shows nothing of the URL."""

    def __init__(self, reason: str, fault: RedisFault) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fault: RedisFault = fault

    def wrong_setting(self) -> WrongSetting:
        """The error for a URL that cannot work."""
        hint = f"Set {REDIS_URL.name} to a value like redis://user:password@127.0.0.1:6379/0, or unset it."
        if self.reason == _NOT_INSTALLED:
            hint = f"Install it: {install_command('redis')}. Or unset {REDIS_URL.name}."
        return WrongSetting(f"The Redis of {REDIS_URL.name} cannot be used: {self.reason}.", hint=hint)


class RedisLink:
    """One Redis. A question waits ``patience_seconds`` at most, and a second longer for the first answer."""

    def __init__(self, url: str, *, patience_seconds: float) -> None:
        self.url = url
        self._patience_seconds = patience_seconds
        self._has_answered = False
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    @property
    def place(self) -> str:
        """The address without user and password."""
        parts = urlsplit(self.url)
        if parts.scheme == "unix":
            return f"unix://{parts.path}"
        return f"{parts.scheme}://{parts.hostname}:{parts.port or 6379}{parts.path}"

    async def ask(self, question: Callable[[Any], Awaitable[T]]) -> T:
        """The answer to a question to the client of the running loop.

        Raises:
            RedisLost: there is no answer. A command may have been executed all the same, or be executed later.
        """
        with _cancellations(), losses():
            client = self._client()
            patience = self._patience_seconds + (0.0 if self._has_answered else _CONNECT_SECONDS)
            # A transaction that is cancelled asks Redis to unwatch its keys, and a stalled one would never answer that.
            async with asyncio.timeout(patience + _UNWATCH_SECONDS), asyncio.timeout(patience):
                answer = await question(client)
        self._has_answered = True
        return answer

    async def aclose(self) -> None:
        """Close the connections of the running loop; the next question opens them again."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose(close_connection_pool=True)

    def _client(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            redis = importlib.import_module("redis.asyncio")
            single_retry = importlib.import_module("redis.asyncio.retry").Retry(_no_backoff(), 1)
            patience = self._patience_seconds
            pool = redis.BlockingConnectionPool.from_url(
                self.url,
                max_connections=_CONNECTIONS,
                timeout=patience,
                socket_timeout=None,  # ``ask`` has one for the whole
                socket_connect_timeout=_CONNECT_SECONDS,
                retry=single_retry,
            )
            self._clients[loop] = redis.Redis.from_pool(pool)
        return self._clients[loop]


def check(url: str) -> None:
    """Do nothing where a Redis answers, or may do so later.

    Raises:
        WrongSetting: nothing at this URL ever will, as it is set.
    """
    loss = _ping(url)
    if loss is not None and loss.fault in {"away", "slow"} and _is_other_scheme(url):
        loss = RedisLost(_INSECURE, "settings")
    if loss is not None and loss.fault == "settings":
        raise loss.wrong_setting() from loss


def _ping(url: str) -> RedisLost | None:
    """The reason why a Redis does not answer, or None; blocks until it does."""
    seconds = dict.fromkeys(("socket_timeout", "socket_connect_timeout"), _CHECK_SECONDS)
    try:
        with losses():
            single_retry = importlib.import_module("redis.retry").Retry(_no_backoff(), 0)
            with closing(importlib.import_module("redis").from_url(url, retry=single_retry, **seconds)) as client:
                client.ping()
    except RedisLost as loss:
        return loss
    return None


def _is_other_scheme(url: str) -> bool:
    """Whether a server answers there with TLS where the URL is without, or the other way round. Sends no password and
    trusts no certificate.
    """
    parts = urlsplit(url)
    other = {"redis": "rediss", "rediss": "redis"}.get(parts.scheme)
    if other is None or not parts.hostname:
        return False
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    query = "?ssl_cert_reqs=none&ssl_check_hostname=false" if other == "rediss" else ""
    loss = _ping(f"{other}://{host}:{parts.port or 6379}/0{query}")
    return loss is None or loss.reason == _REFUSED


@contextmanager
def _cancellations() -> Iterator[None]:
    """Raise a cancellation that the client has swallowed: with a timeout of its own, as a URL may set, it writes by
    ``asyncio.wait_for``, which loses one before Python 3.12.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task else 0
    try:
        yield
    finally:
        if task and task.cancelling() > before:
            raise asyncio.CancelledError


@contextmanager
def losses() -> Iterator[None]:
    """Raise every failure of Redis as RedisLost. The package is an extra, so it loads on first use."""
    try:
        redis = importlib.import_module("redis")
    except ImportError as error:
        raise RedisLost(_NOT_INSTALLED, "settings") from error
    try:
        yield
    except (redis.RedisError, OSError, ValueError) as error:
        raise _loss(redis, error) from error


def _loss(redis: Any, error: Exception) -> RedisLost:
    """The meaning of a failure. Its text may hold the password, and is never shown."""
    text = str(error)
    is_value = isinstance(error, ValueError) and not isinstance(error, redis.RedisError)
    is_insecure = any(isinstance(cause, ssl.SSLError) for cause in _causes(error))
    meanings: tuple[tuple[bool, str, RedisFault], ...] = (
        (isinstance(error, redis.OutOfMemoryError) or "OOM command" in text, "its memory is full", "full"),
        (any(word in text for word in _WRITES_REFUSED), "it takes no writes", "read only"),
        (isinstance(error, redis.ReadOnlyError), "it takes no writes", "read only"),
        (isinstance(error, redis.exceptions.NoPermissionError), "its user may not do what is needed", "settings"),
        (any(word in text for word in _WRONG_ACCESS), _REFUSED, "settings"),
        (isinstance(error, redis.AuthenticationError), _REFUSED, "settings"),
        (is_insecure, _INSECURE, "settings"),
        (isinstance(error, redis.InvalidResponse), "what answers there does not speak as Redis does", "settings"),
        (is_value, "its URL cannot be understood", "settings"),
        (isinstance(error, redis.TimeoutError | TimeoutError), "it does not answer in time", "slow"),
    )
    unknown: tuple[str, RedisFault] = (f"it does not answer ({type(error).__name__})", "away")
    # the first that fits counts
    return RedisLost(*next(((reason, fault) for fits, reason, fault in meanings if fits), unknown))


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def seconds_of(time: tuple[int, int]) -> float:
    """The seconds in Redis's reply to TIME, which has the microseconds apart."""
    return time[0] + time[1] / 1e6


def _no_backoff() -> Any:
    return importlib.import_module("redis.backoff").NoBackoff()


_REFUSED = "it refuses the user, the password or the number of the database"
_INSECURE = "there is no secure connection to it (rediss:// is for TLS, redis:// for none)"
_NOT_INSTALLED = "the package redis is not installed"
