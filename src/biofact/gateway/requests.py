"""Requests under way, and how they end when the server is stopped: finished, or cut with an answer that says so."""

import asyncio
import json
import logging
from collections.abc import Collection
from contextlib import suppress
from typing import Any, Literal

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biofact.core import events
from biofact.core.events import RequestRefused
from biofact.gateway.limits import RETRY_AFTER_SECONDS

SERVER_ERROR = -32000
"""JSON-RPC's code for errors of a server that it does not name itself."""


def error_message(message: str, request_id: object = None) -> dict[str, Any]:
    """An error as JSON-RPC has it; without the ID of the request where that was not read."""
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": SERVER_ERROR, "message": message}}


def refusal(status: int, message: str, request_id: object = None, **headers: str) -> Response:
    """An answer that refuses a request, as a status and as an error of JSON-RPC."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps(error_message(message, request_id))
    return Response(body, status, named, media_type="application/json")


def come_again(message: str, request_id: object = None) -> Response:
    """There is no room now."""
    return refusal(503, message, request_id, retry_after=str(RETRY_AFTER_SECONDS))


log = logging.getLogger("biofact.http")

ANSWER = "biofact.answer"
"""Where the scope of a request has its ``Answer``."""
_CLOSING = "The server is closing. Call again."


class UnderWay:
    """An application that knows its requests."""

    def __init__(self, app: ASGIApp, closing: asyncio.Event) -> None:
        self.closing = closing
        """Set from the moment that the server is to stop: it is not ready any more."""
        self._app = app
        self._answers: dict[asyncio.Task[None], Answer] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, to its end or until it is cut."""
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
        """Be ready no more; end what would never end by itself."""
        self.closing.set()
        self._cut([answer for answer in self._answers.values() if answer.is_endless])
        if count := sum(not answer.is_cut for answer in self._answers.values()):
            log.info("Closing: %d requests are under way.", count)

    def cut(self) -> None:
        """End what has not been finished in time."""
        unfinished = list(self._answers.values())
        if unfinished:
            log.warning("Closing: %d requests were not finished in time, and are cut.", len(unfinished))
        self._cut(unfinished)

    def _cut(self, answers: "list[Answer]") -> None:
        for answer in answers:
            answer.cut()


class Answer:
    """The answer to one request, as far as it was sent."""

    def __init__(self, task: asyncio.Task[None], scope: Scope, receive: Receive, send: Send) -> None:
        self.request_id: object = None
        """As the caller named the request."""
        self.ends_with_caller = False
        """A caller who hangs up takes the request back."""
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
        """It waits for messages that the server may send one day."""
        return bool(self._scope["method"] == "GET" and self._is_stream)

    async def send(self, message: Message) -> None:
        """Send a part of it."""
        if message["type"] == "http.response.start":
            self._is_started = True
            self._is_stream = (b"content-type", b"text/event-stream") in [
                (name.lower(), value.partition(b";")[0]) for name, value in message["headers"]
            ]
        else:
            self._is_whole = not message.get("more_body", False)
        await self._send(message)

    def cut(self) -> None:
        """Have its request end now."""
        if not self.is_cut:
            self.is_cut = True
            self._task.cancel()

    def on_hangup(self) -> None:
        """The caller is gone."""
        if self.ends_with_caller:
            self.cut()

    async def end(self) -> None:
        """Say that there will be no more."""
        with suppress(OSError):  # nobody listens
            if not self._is_started:
                await come_again(_CLOSING, self.request_id)(self._scope, self._receive, self._send)
            elif not self._is_whole:
                last = b"" if self.is_endless or not self._is_stream else _event(_CLOSING, self.request_id)
                await self._send({"type": "http.response.body", "body": last, "more_body": False})


def _event(message: str, request_id: object) -> bytes:
    return f"event: message\r\ndata: {json.dumps(error_message(message, request_id))}\r\n\r\n".encode()


Reason = Literal["no_token", "invalid_token", "insufficient_scope", "foreign_host", "foreign_origin"]

_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_OTHER = "other"


class Refusals:
    """ASGI middleware: emits each refusal of what is behind it, while whoever asks is still known."""

    def __init__(self, app: ASGIApp, paths: Collection[str]) -> None:
        """``paths`` are those that there are; others count as ``other``."""
        self._app = app
        self._paths = frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start" and (reason := refusal_reason(message)):
                events.emit(self._event(scope, message["status"], reason))
            await send(message)

        await self._app(scope, receive, watched if scope["type"] == "http" and events.listeners else send)

    def _event(self, scope: Scope, status: int, reason: Reason) -> RequestRefused:
        method, path = scope["method"], scope["path"]
        return RequestRefused(
            method if method in _METHODS else _OTHER, path if path in self._paths else _OTHER, status, reason
        )


def refusal_reason(start: Message) -> Reason | None:
    """Why an answer that begins so refuses its request; None where it does not."""
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
