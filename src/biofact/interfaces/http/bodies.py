"""Bodies of requests: each bounded, and all that are in memory at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.types import Message, Receive, Scope

from biofact.interfaces.http.limits import Limits


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
