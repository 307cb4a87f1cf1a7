"""Limits of what a server takes from callers, in bytes and seconds, and the bodies of requests held to them.

They hold per process and for all callers alike: a limit by address would count all users of a hosting vendor as one.
"""

import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace

from starlette.types import Message, Receive, Scope

LIGHT_BYTES = 32 * 2**10
"""A longer body is not read on the event loop of the server: all others would wait for that."""
RETRY_AFTER_SECONDS = 1
"""The Retry-After of a refusal while the server is full."""
_OTHER_FILES = 256
"""Files of the cache, connections to services, and Python's own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one process; tests and benchmarks set smaller ones."""

    head_bytes: int = 32 * 2**10
    """The limit of a request's line and headers; tokens of some issuers take 8 KiB."""
    body_bytes: int = 4 * 2**20
    """The limit of a request's body; 100 articles with all their fields take less than half."""
    bodies_bytes: int = 64 * 2**20
    """The limit of all bodies together."""
    bodies_bytes_of_a_caller: int = 16 * 2**20
    """The limit of one subject's bodies, where callers have tokens."""
    head_seconds: float = 10.0
    """From the first byte of a head to its last, and from a connection to its first head."""
    body_seconds: float = 30.0
    """From the end of a head to that of its body."""
    unread_body_bytes: int = 64 * 2**20
    """The limit of the rest of a body that was refused; it is read and dropped, so that its caller reads the answer."""
    unread_body_seconds: float = 5.0
    """The time for that rest."""
    idle_seconds: float = 75.0
    """Between two requests; proxies keep connections for 60, and must be the first to close them."""
    unread_seconds: float = 30.0
    """Before a caller who does not read the answer is disconnected."""
    connections: int = 2048
    """At once, standing streams among them; beyond that the quietest are closed, those without a complete request for
    the longest time.
    """
    requests: int = 512
    """Under way at once, without standing streams; further ones are refused with a time to retry after."""
    requests_of_a_caller: int = 128
    """Under way at once of one subject, where callers have tokens."""
    streams: int = 1000
    """Standing streams, one for each session at most; beyond that the one that has been idle longest ends."""
    streams_of_a_caller: int = 250
    """Standing streams of one subject, where callers have tokens."""
    stream_seconds: float = 600.0
    """Without a message in its session, before a standing stream ends."""
    sessions: int = 1000
    """Sessions of callers of older protocols who lend a model; further callers are served without a session."""
    sessions_of_a_caller: int = 250
    """Sessions of one subject, where callers have tokens; further ones are served in the same way."""
    session_seconds: float = 600.0
    """Without a request, before a session ends."""
    closing_seconds: float = 10.0
    """For requests under way when the server is stopped."""


def allowed_by_system(limits: Limits) -> Limits:
    """The limits, with no more connections than the open files of this process, after asking the system for more."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  # Windows has none

        file_count = limits.connections + _OTHER_FILES
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < file_count:
            soft = file_count if hard == resource.RLIM_INFINITY else min(file_count, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            return replace(limits, connections=max(1, min(limits.connections, soft - _OTHER_FILES)))
    return limits


class BodyTooLong(Exception):
    """A body is longer than any call needs."""


class NoRoomForBodies(Exception):
    """All bodies together, or those of one caller, have reached their limit."""


class NoRoomForRequests(Exception):
    """As many requests are under way as there may be; the message says whose."""


class RequestsUnderWay:
    """The requests under way, of all callers and of each."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._counts: Counter[str] = Counter()

    @contextmanager
    def one_more(self, caller: str) -> Iterator[None]:
        """Count a request within; ``caller`` is empty where callers cannot be distinguished.

        Raises:
            NoRoomForRequests: there are too many already.
        """
        if self._counts.total() >= self._limits.requests:
            raise NoRoomForRequests("The server has as many requests as it can take.")
        if caller and self._counts[caller] >= self._limits.requests_of_a_caller:
            raise NoRoomForRequests("You have as many requests under way as one caller may.")
        self._counts[caller] += 1
        try:
            yield
        finally:
            self._counts[caller] -= 1
            self._counts += Counter()  # without those that have none


class CallerGone(Exception):
    """The connection was closed before the end of the body."""


class Bodies:
    """The bodies in memory, and their length."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held_bytes: Counter[str] = Counter()

    @asynccontextmanager
    async def read(self, scope: Scope, receive: Receive, caller: str = "") -> AsyncIterator[bytes]:
        """The body of a request; its bytes are released afterwards. ``caller`` is as in ``RequestsUnderWay``.

        Raises:
            BodyTooLong, NoRoomForBodies: the body is beyond a limit.
            CallerGone: the body is incomplete.
        """
        if _declared_bytes(scope) > self._limits.body_bytes:
            raise BodyTooLong
        body = bytearray()
        try:
            is_whole = False
            while not is_whole:
                message = await receive()
                if message["type"] != "http.request":
                    raise CallerGone
                self._add(body, message.get("body", b""), caller)
                is_whole = not message.get("more_body", False)
            yield bytes(body)
        finally:
            self._held_bytes[caller] -= len(body)
            self._held_bytes += Counter()  # without those that have none

    def _add(self, body: bytearray, part: bytes, caller: str) -> None:
        if len(body) + len(part) > self._limits.body_bytes:
            raise BodyTooLong
        of_a_caller = self._held_bytes[caller] + len(part)
        is_caller_full = bool(caller) and of_a_caller > self._limits.bodies_bytes_of_a_caller
        if is_caller_full or self._held_bytes.total() + len(part) > self._limits.bodies_bytes:
            raise NoRoomForBodies
        body += part
        self._held_bytes[caller] = of_a_caller


def replayed(body: bytes, receive: Receive) -> Receive:
    """A receive function that gives a body again that was read, then further messages."""
    is_read = False

    async def replay() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _declared_bytes(scope: Scope) -> int:
    """The Content-Length; 0 without one."""
    lengths = (value for name, value in scope["headers"] if name == b"content-length")
    return int(next(lengths, b"0"))  # h11 has checked that it is a number
