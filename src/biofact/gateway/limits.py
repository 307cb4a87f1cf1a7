"""How much a server takes of what callers send, and how long it waits for them. Per process, and for all callers alike:
a limit by address would count all users of a hosting vendor as one.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from starlette.types import Message, Receive, Scope


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process takes; tests and benchmarks set smaller ones."""

    head_bytes: int = 32 * 2**10
    """Of a request's line and headers; tokens of some issuers take 8 KiB."""
    body_bytes: int = 4 * 2**20
    """Of a request's body; 100 articles with all their fields take less than half."""
    bodies_bytes: int = 64 * 2**20
    """Of all bodies at once."""
    head_seconds: float = 10.0
    """From the first byte of a head to its last, and from a connection to its first head."""
    body_seconds: float = 30.0
    """From the end of a head to that of its body."""
    idle_seconds: float = 75.0
    """Between two requests; proxies keep connections for 60, and must be the first to close them."""
    unread_seconds: float = 30.0
    """For a caller who does not read the answer."""
    connections: int = 1024
    """At once; of more the quietest are closed, those that have waited longest for a whole request."""
    requests: int = 512
    """Under way at once; more are told to come again."""
    sessions: int = 1000
    """Of callers of older protocols who lend a model; further ones are served without a session."""
    session_seconds: float = 600.0
    """Without a request, until a session ends."""
    closing_seconds: float = 10.0
    """For what is under way when the server is stopped."""


def allowed_by_system(limits: Limits) -> Limits:
    """The same with no more connections than this process may have files, once it has asked for as many as it needs."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  # Windows has none

        wanted = limits.connections + _OTHER_FILES
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            return replace(limits, connections=max(1, min(limits.connections, soft - _OTHER_FILES)))
    return limits


_OTHER_FILES = 256
"""For the cache, connections to services, and what Python reads."""
RETRY_AFTER_SECONDS = 1
"""What is told to whoever comes while there is no room."""


class BodyTooLong(Exception):
    """One body is longer than any call needs."""


class NoRoomForBodies(Exception):
    """All bodies together are as long as they may be."""


class CallerGone(Exception):
    """The connection ended before the body."""


class Bodies:
    """The bodies that are in memory."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held_bytes = 0

    @asynccontextmanager
    async def read(self, scope: Scope, receive: Receive) -> AsyncIterator[bytes]:
        """The body of a request; its room is free again afterwards.

        Raises:
            BodyTooLong, NoRoomForBodies: it is not taken.
            CallerGone: there will be no more of it.
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
                self._add(body, message.get("body", b""))
                is_whole = not message.get("more_body", False)
            yield bytes(body)
        finally:
            self._held_bytes -= len(body)

    def _add(self, body: bytearray, part: bytes) -> None:
        if len(body) + len(part) > self._limits.body_bytes:
            raise BodyTooLong
        if self._held_bytes + len(part) > self._limits.bodies_bytes:
            raise NoRoomForBodies
        body += part
        self._held_bytes += len(part)


def replayed(body: bytes, receive: Receive) -> Receive:
    """What an application receives after its body was read: that, then whatever else comes."""
    is_read = False

    async def replay() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _declared_bytes(scope: Scope) -> int:
    """The length that the head names; 0 where it names none."""
    lengths = (value for name, value in scope["headers"] if name == b"content-length")
    return int(next(lengths, b"0"))  # h11 has seen to it that it is a number
