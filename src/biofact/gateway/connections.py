"""Connections and requests of HTTP/1.1: uvicorn's own would wait for ever for the rest of a request; these have limits.

Requests under way end finished, or cut with an answer that explains it. Requests that are refused before their body is
read, for their token, its scopes, or their Host or Origin, are emitted for metrics and the audit log, without anything
that their sender may choose.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Literal, cast

import h11
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from biofact.core import events
from biofact.core.events import RequestRefused
from biofact.gateway.limits import RETRY_AFTER_SECONDS, Limits

log = logging.getLogger("biofact.http")
Phase = Literal["open", "head", "body", "answer", "stream", "idle", "rest"]
"""The state of a connection: before its first byte, within a head, within a body, a request under way, a stream of the
server's own messages (it may last for days), between two requests, within the rest of a body that was refused.
"""
_QUIET: frozenset[Phase] = frozenset(("open", "head", "body", "stream", "idle", "rest"))
"""Phases without a complete request that waits for its answer."""
_UNFINISHED = (h11.SEND_BODY, h11.ERROR)
"""States of a caller who may still send, of a body or of what is no request."""
_LATE: dict[Phase, str] = {
    "head": "The head of the request did not arrive in time.",
    "body": "The body of the request did not arrive in time.",
}
Reason = Literal["no_token", "invalid_token", "insufficient_scope", "foreign_host", "foreign_origin"]
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_OTHER = "other"
ANSWER = "biofact.answer"
"""The key of the ``Answer`` in the scope of a request."""
_CLOSING = "The server is closing. Call again."
SERVER_ERROR = -32000
"""JSON-RPC's code for implementation-defined errors of a server."""


class Connections:
    """The connections of a process. When there are too many, quiet ones are closed, the longest quiet first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._quiet: dict[Connection, None] = {}

    def note(self, connection: "Connection", *, is_quiet: bool) -> None:
        """Note whether a connection is quiet from now on."""
        self._quiet.pop(connection, None)
        if is_quiet:
            self._quiet[connection] = None

    def make_room(self, count: int) -> None:
        """Close quiet connections until no more than the limit remain of ``count``, or none is quiet."""
        for connection in list(self._quiet)[: max(0, count - self.limits.connections)]:
            connection.drop()


class Connection(H11Protocol):
    """One connection: uvicorn creates it, reads its requests and writes the answers."""

    def __init__(self, connections: Connections, **options: Any) -> None:
        super().__init__(**options)
        self.closed = asyncio.Event()
        self._all = connections
        self._phase: Phase | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._rest: RestOfBody | None = None
        self._is_dropped = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Wait for the first request; close the quietest connection where there are too many."""
        super().connection_made(JoinedWrites(transport, self.loop, self._close))
        self._enter("open")
        self._all.make_room(len(self.connections))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and end a call whose caller no longer waits for an answer."""
        super().connection_lost(exc)
        self._enter(None)
        if self._rest is not None:
            self._rest.end()
        self.closed.set()
        self.resume_writing()  # an answer that waits for a reader has none any more
        if answer := cast("dict[str, Any]", self.scope or {}).get(ANSWER):
            answer.on_hangup()

    def data_received(self, data: bytes) -> None:
        """Read on; a head or body that is incomplete keeps its deadline. The rest of a refused body is dropped."""
        if self._rest is not None:
            self._rest.drop(data)
            return
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request, or continue with one that has arrived meanwhile."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """Start the time limit of a caller who reads more slowly than we write."""
        super().pause_writing()
        self._unread_timer = self._unread_timer or self.loop.call_later(self._all.limits.unread_seconds, self.drop)

    def resume_writing(self) -> None:
        """Stop that time limit: the caller has read."""
        super().resume_writing()
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def drop(self) -> None:
        """Close the connection, even within a request, and whatever its caller still sends."""
        self._is_dropped = True
        if self._rest is not None:
            self._rest.end()
        elif self.transport.get_write_buffer_size():
            self.transport.abort()  # close() would wait until the caller has read
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  # uvicorn's message says less
        """Answer bytes that are no request."""
        limit = f"{self._all.limits.head_bytes:,} bytes"
        self._refuse(400, f"This is no request of HTTP/1.1, or its head is longer than {limit}.")
        self.transport.close()

    def timeout_keep_alive_handler(self) -> None:
        """Close: the next request did not come in time."""
        self.drop()

    def _close(self, transport: asyncio.Transport) -> None:
        """Close, but only after the rest of a request that was answered before its end.

        A socket that is closed with unread bytes resets the connection, and its caller may not have read the answer.
        """
        if self._is_dropped or transport.is_closing() or self.conn.their_state not in _UNFINISHED:
            transport.close()
        elif self._rest is None:
            self._rest = RestOfBody(transport, self.loop, self._all.limits)

    def _look(self) -> None:
        """Enter the phase that h11's state shows."""
        if self.transport.is_closing():
            self._enter("rest" if self._rest else None)
        elif self.conn.their_state is h11.IDLE:
            self._enter("head" if self.conn.trailing_data[0] else "idle")
        elif self.conn.their_state is h11.SEND_BODY:
            self._enter("body")
        else:
            self._enter("stream" if self.scope["method"] == "GET" else "answer")

    def _enter(self, phase: Phase | None) -> None:
        if phase == self._phase:
            return  # its timer runs on, so that bytes sent one by one do not extend it
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
        """Answer 408 where that is still possible, and close."""
        message = _LATE.get(self._phase or "open")
        if message and (self.cycle is None or self.cycle.response_complete or not self.cycle.response_started):
            self._refuse(408, message)
        self.drop()

    def _refuse(self, status: int, message: str) -> None:
        """Answer without the application."""
        # an answer has begun: a second head would be read as its body
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


class RestOfBody:
    """The rest of a request after its answer: it is dropped, up to the limits, and then the connection is closed."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, limits: Limits) -> None:
        self._transport = transport
        self._bytes = limits.unread_body_bytes
        self._timer = loop.call_later(limits.unread_body_seconds, self.end)
        if transport.can_write_eof():
            transport.write_eof()
        transport.resume_reading()

    def drop(self, data: bytes) -> None:
        """Drop some of it."""
        self._bytes -= len(data)
        if self._bytes < 0:
            self.end()

    def end(self) -> None:
        """Close the connection."""
        self._timer.cancel()
        if self._transport.get_write_buffer_size():
            self._transport.abort()  # close() would wait until the caller has read
        else:
            self._transport.close()


class JoinedWrites(asyncio.Transport):
    """A transport that joins the writes of one turn of the event loop into one system call.

    uvicorn writes head and body of an answer separately, and a send takes as long as reading the request.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        close: Callable[[asyncio.Transport], None],
    ) -> None:
        """``close`` closes the transport, once everything has been sent."""
        self._transport = transport
        self._loop = loop
        self._close = close
        self._is_closed = False
        self._parts: list[bytes] = []
        self.pause_reading = transport.pause_reading  # type: ignore[method-assign]
        self.resume_reading = transport.resume_reading  # type: ignore[method-assign]
        self.get_extra_info = transport.get_extra_info  # type: ignore[method-assign]
        self.set_protocol = transport.set_protocol  # type: ignore[method-assign]
        self.abort = transport.abort  # type: ignore[method-assign]

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Buffer bytes until the event loop's next turn, and send them together."""
        if data and not self._is_closed:
            if not self._parts:
                self._loop.call_soon(self._send)
            self._parts.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        """The number of bytes that the system has not accepted."""
        return self._transport.get_write_buffer_size()

    def close(self) -> None:
        """Send the buffered bytes, and close."""
        self._send()
        self._is_closed = True
        self._close(self._transport)

    def is_closing(self) -> bool:
        """Whether nothing more is sent."""
        return self._is_closed or self._transport.is_closing()

    def _send(self) -> None:
        if self._parts:
            data = b"".join(self._parts)
            self._parts.clear()
            self._transport.write(data)


def error_message(message: str, request_id: object = None) -> dict[str, Any]:
    """A JSON-RPC error; its ID is null where the request was not read."""
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": SERVER_ERROR, "message": message}}


def refusal(status: int, message: str, request_id: object = None, **headers: str) -> Response:
    """A response that refuses a request, with a status and a JSON-RPC error."""
    header_items = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps(error_message(message, request_id))
    return Response(body, status, header_items, media_type="application/json")


def come_again(message: str, request_id: object = None) -> Response:
    """A 503 response with a time to retry after."""
    return refusal(503, message, request_id, retry_after=str(RETRY_AFTER_SECONDS))


class UnderWay:
    """An application that keeps track of its requests under way."""

    def __init__(self, app: ASGIApp, closing: asyncio.Event) -> None:
        self.closing = closing
        """Set as soon as the server is to stop: it is no longer ready."""
        self._app = app
        self._answers: dict[asyncio.Task[None], Answer] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request until it is finished or cut."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  # uvicorn runs each request in one
        answer = scope[ANSWER] = self._answers[task] = Answer(task, scope, receive, send)
        try:
            await self._app(scope, receive, answer.send)
        except asyncio.CancelledError:
            if not answer.is_cut:
                raise
            task.uncancel()
            await answer.end()
        finally:
            del self._answers[task]

    def close(self) -> None:
        """Stop being ready, and end streams that would never end by themselves."""
        self.closing.set()
        for answer in self._answers.values():
            if answer.is_endless:
                answer.cut()
        if count := sum(not answer.is_cut for answer in self._answers.values()):
            log.info("Closing: %d requests are under way.", count)

    def cut(self) -> None:
        """End the requests that were not finished in time."""
        if self._answers:
            log.warning("Closing: %d requests were not finished in time, and are cut.", len(self._answers))
        for answer in self._answers.values():
            answer.cut()


class Answer:
    """The answer to one request, and how much of it was sent."""

    def __init__(self, task: asyncio.Task[None], scope: Scope, receive: Receive, send: Send) -> None:
        self.request_id: object = None
        """The JSON-RPC ID of the request."""
        self.ends_with_caller = False
        """Whether closing the connection cancels the request."""
        self.is_cut = False
        self._task = task
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_started = False
        self._is_stream = False
        self._is_whole = False

    @property
    def is_endless(self) -> bool:
        """Whether it is a stream that waits for messages of the server."""
        return bool(self._scope["method"] == "GET" and self._is_stream)

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self._is_started = True
            self._is_stream = (b"content-type", b"text/event-stream") in [
                (name.lower(), value.partition(b";")[0]) for name, value in message["headers"]
            ]
        else:
            self._is_whole = not message.get("more_body", False)
        await self._send(message)

    def cut(self) -> None:
        """Cancel the request."""
        if not self.is_cut:
            self.is_cut = True
            self._task.cancel()

    def on_hangup(self) -> None:
        """Cancel the request where its caller's connection was closed and that cancels it."""
        if self.ends_with_caller:
            self.cut()

    async def end(self) -> None:
        """Send an error, or the end of the answer."""
        with suppress(OSError):  # the connection is closed
            if not self._is_started:
                await come_again(_CLOSING, self.request_id)(self._scope, self._receive, self._send)
            elif not self._is_whole:
                last = b"" if self.is_endless or not self._is_stream else _event(_CLOSING, self.request_id)
                await self._send({"type": "http.response.body", "body": last, "more_body": False})


def _event(message: str, request_id: object) -> bytes:
    return f"event: message\r\ndata: {json.dumps(error_message(message, request_id))}\r\n\r\n".encode()


class Refusals:
    """ASGI middleware: emits each refusal of the application, while the caller is still known."""

    def __init__(self, app: ASGIApp, paths: Collection[str]) -> None:
        """``paths`` are the known paths; any other counts as ``other``."""
        self._app = app
        self._paths = frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""

        async def observed_send(message: Message) -> None:
            if message["type"] == "http.response.start" and (reason := refusal_reason(message)):
                events.emit(self._event(scope, message["status"], reason))
            await send(message)

        await self._app(scope, receive, observed_send if scope["type"] == "http" and events.listeners else send)

    def _event(self, scope: Scope, status: int, reason: Reason) -> RequestRefused:
        method, path = scope["method"], scope["path"]
        return RequestRefused(
            method if method in _METHODS else _OTHER, path if path in self._paths else _OTHER, status, reason
        )


def refusal_reason(start: Message) -> Reason | None:
    """The reason for which a response refuses its request, by its start message; None where it does not refuse."""
    match start["status"]:
        case 401:
            return "invalid_token" if 'error="invalid_token"' in _challenge(start) else "no_token"
        case 403:
            return "insufficient_scope" if 'error="insufficient_scope"' in _challenge(start) else "foreign_origin"
        case 421:
            return "foreign_host"
        case _:
            return None


def _challenge(start: Message) -> str:
    return Headers(raw=start["headers"]).get("www-authenticate", "")
