"""Connections of HTTP/1.1: uvicorn's own, which would wait for ever for the rest of a request, with limits."""

import asyncio
import json
from typing import Any, Literal, cast

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from biofact.gateway.limits import Limits
from biofact.gateway.requests import ANSWER

Phase = Literal["open", "head", "body", "answer", "stream", "idle"]
"""What is going on: nothing yet, half a head, half a body, a request under way, a stream of the server's own messages
(it may last for days), nothing between two requests.
"""

_QUIET: frozenset[Phase] = frozenset(("open", "head", "body", "stream", "idle"))
"""Phases in which no whole request waits for its answer."""
_LATE: dict[Phase, str] = {
    "head": "The head of the request did not arrive in time.",
    "body": "The body of the request did not arrive in time.",
}


class Connections:
    """The connections of a process. When there are too many, the quiet ones give way, the longest quiet first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._quiet: dict[Connection, None] = {}

    def note(self, connection: "Connection", *, is_quiet: bool) -> None:
        """Whether a connection is quiet from now on."""
        self._quiet.pop(connection, None)
        if is_quiet:
            self._quiet[connection] = None

    def make_room(self, count: int) -> None:
        """Close quiet connections, so that of ``count`` no more than the limit remain, as far as so many are quiet."""
        for connection in list(self._quiet)[: max(0, count - self.limits.connections)]:
            connection.drop()


class Connection(H11Protocol):
    """One connection. uvicorn makes it, reads requests from it and writes answers to it."""

    def __init__(self, connections: Connections, **further: Any) -> None:
        super().__init__(**further)
        self.closed = asyncio.Event()
        self._all = connections
        self._phase: Phase | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Wait for the first request; too many connections make the quietest go."""
        super().connection_made(JoinedWrites(transport, self.loop))
        self._enter("open")
        self._all.make_room(len(self.connections))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it; a call whose caller takes no answer any more ends."""
        super().connection_lost(exc)
        self._enter(None)
        self.closed.set()
        self.resume_writing()
        if answer := cast("dict[str, Any]", self.scope or {}).get(ANSWER):
            answer.on_hangup()

    def data_received(self, data: bytes) -> None:
        """Read on; what is half there has until the end of its time."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request, or go on with the one that has arrived meanwhile."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """The caller does not read as fast as we write."""
        super().pause_writing()
        self._unread_timer = self._unread_timer or self.loop.call_later(self._all.limits.unread_seconds, self.drop)

    def resume_writing(self) -> None:
        """The caller has read."""
        super().resume_writing()
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def drop(self) -> None:
        """Close it, whatever is half done."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # to close politely would wait for a reader
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  # it says less
        """Answer what is no request."""
        most = f"{self._all.limits.head_bytes:,} bytes"
        self._refuse(400, f"This is no request of HTTP/1.1, or its head is longer than {most}.")
        self.transport.close()

    def timeout_keep_alive_handler(self) -> None:
        """The next request did not come."""
        self.drop()

    def _look(self) -> None:
        """See what is going on now."""
        if self.transport.is_closing():
            self._enter(None)
        elif self.conn.their_state is h11.IDLE:
            self._enter("head" if self.conn.trailing_data[0] else "idle")
        elif self.conn.their_state is h11.SEND_BODY:
            self._enter("body")
        else:
            self._enter("stream" if self.scope["method"] == "GET" else "answer")

    def _enter(self, phase: Phase | None) -> None:
        if phase == self._phase:
            return  # its time runs on, however many bytes arrive one by one
        self._phase = phase
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._all.note(self, is_quiet=phase in _QUIET)
        limits = self._all.limits
        if phase in ("open", "head"):
            self._timer = self.loop.call_later(limits.head_seconds, self._on_late)
        elif phase == "body":
            self._timer = self.loop.call_later(limits.body_seconds, self._on_late)

    def _on_late(self) -> None:
        """The rest of a request did not come in time."""
        message = _LATE.get(self._phase or "open")
        if message and (self.cycle is None or self.cycle.response_complete or not self.cycle.response_started):
            self._refuse(408, message)
        self.drop()

    def _refuse(self, status: int, message: str) -> None:
        """Answer without asking the application."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return
        body = json.dumps({"error": message}).encode()
        headers = [("content-type", "application/json"), ("content-length", str(len(body))), ("connection", "close")]
        events = (
            h11.Response(status_code=status, headers=headers, reason=STATUS_PHRASES[status]),
            h11.Data(data=body),
            h11.EndOfMessage(),
        )
        for event in events:
            self.transport.write(self.conn.send(event) or b"")


class JoinedWrites(asyncio.Transport):
    """A transport that sends what is written in one turn of the event loop with one system call.

    uvicorn writes head and body of an answer one by one, and to send takes as long as to read the request.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._parts: list[bytes] = []
        self.is_closing = transport.is_closing  # type: ignore[method-assign]
        self.pause_reading = transport.pause_reading  # type: ignore[method-assign]
        self.resume_reading = transport.resume_reading  # type: ignore[method-assign]
        self.get_extra_info = transport.get_extra_info  # type: ignore[method-assign]
        self.set_protocol = transport.set_protocol  # type: ignore[method-assign]
        self.abort = transport.abort  # type: ignore[method-assign]

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send with whatever else is written before the loop turns."""
        if data:
            if not self._parts:
                self._loop.call_soon(self._send)
            self._parts.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        """Bytes that the system has not taken."""
        return self._transport.get_write_buffer_size()

    def close(self) -> None:
        """Send what is written, and close."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._parts:
            data = b"".join(self._parts)
            self._parts.clear()
            self._transport.write(data)
