"""Requests that are refused before anybody reads them: for their token, its scopes, or the names that they come under.

They are emitted for metrics and the audit log. Nothing of them is kept that whoever sends them may choose.
"""

from collections.abc import Collection
from typing import Literal

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biofact.core import events
from biofact.core.events import RequestRefused

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
