"""Emits when a client's request arrives and when its answer leaves, with what became of it."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Container, Mapping
from typing import Any, TypeVar

from fastmcp.server.middleware import Middleware
from fastmcp.tools.base import InputRequiredToolResult, ToolResult
from mcp import MCPError
from mcp_types.methods import SPEC_CLIENT_METHODS

from biofact.core import events
from biofact.core.events import CallAnswered, CallBegan

T = TypeVar("T")

_LISTENS = "subscriptions/listen"  # is answered for as long as its client listens
_SESSION_ID = re.compile(r"[0-9a-f]{32}")  # as the SDK makes them; a client may send anything


def _nobody() -> str:
    return ""


class CallEvents(Middleware):
    """Counts every request once, refused ones too, if it is the outermost."""

    def __init__(self, tool_names: Callable[[], Container[str]], subject: Callable[[], str] = _nobody) -> None:
        """``subject`` is whose request is under way, as in ``Call.subject``."""
        self._tool_names = tool_names
        self._subject = subject

    async def __call__(self, context: Any, call_next: Any) -> Any:
        """The answer of what is within."""
        if not events.listeners or context.type != "request" or context.method == _LISTENS:
            return await call_next(context)
        events.call_number.set(None)
        began = self._began(context)
        events.emit(began)
        return await ended(
            call_next(context), lambda outcome, seconds: events.emit(CallAnswered(began, outcome, seconds))
        )

    def _began(self, context: Any) -> CallBegan:
        method = context.method if context.method in SPEC_CLIENT_METHODS else "other"
        name, arguments = call_of(context.message) if method == "tools/call" else ("", None)
        return CallBegan(
            method,
            name if name in self._tool_names() else name and "unknown",
            self._subject(),
            _session_id(context),
            _protocol(context),
            arguments,
        )


async def ended(answer: Awaitable[T], on_end: Callable[[str, float], object]) -> T:
    """The answer to a request; ``on_end`` is called with what became of it, and after how many seconds."""
    clock = asyncio.get_running_loop().time
    start = clock()
    outcome = "CANCELLED"
    try:
        result = await answer
        outcome = result_outcome(result)
    except Exception as error:
        outcome = error_outcome(error)
        raise
    finally:
        on_end(outcome, clock() - start)
    return result


def call_of(message: Any) -> tuple[str, Mapping[str, object] | None]:
    """The tool that a ``tools/call`` names, and the arguments; empty and None where it is malformed."""
    values = message if isinstance(message, Mapping) else vars(message)
    name, arguments = values.get("name"), values.get("arguments")
    return name if isinstance(name, str) else "", arguments if isinstance(arguments, Mapping) else None


def result_outcome(result: Any) -> str:
    """``OK``, the code of the envelope that a tool answers, or ``INPUT_REQUIRED``."""
    if isinstance(result, InputRequiredToolResult):
        return "INPUT_REQUIRED"
    if not isinstance(result, ToolResult) or not result.is_error:
        return "OK"
    try:
        return str(json.loads(result.content[0].text)["error"]["code"])  # type: ignore[union-attr]  # it is a text
    except (ValueError, LookupError, TypeError, AttributeError):
        return "REFUSED"  # by FastMCP, in words


def error_outcome(error: Exception) -> str:
    """The code of the envelope in an error of the protocol, as for a resource; else ``REFUSED``."""
    beside = error.error.data if isinstance(error, MCPError) else None
    envelope = beside.get("error") if isinstance(beside, Mapping) else None
    return str(envelope["code"]) if isinstance(envelope, Mapping) and "code" in envelope else "REFUSED"


def _protocol(context: Any) -> str:
    request = context.fastmcp_context and context.fastmcp_context.request_context
    return (request and request.protocol_version) or ""


def _session_id(context: Any) -> str:
    """Of a session over HTTP that lasts; empty without one."""
    request = context.fastmcp_context and context.fastmcp_context.request_context
    headers = getattr(request and request.request, "headers", {})
    written = headers.get("mcp-session-id", "")
    return written if _SESSION_ID.fullmatch(written) else ""
