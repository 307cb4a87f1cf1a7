"""Events of a client's request: when it arrives, and when it is answered, with the outcome."""

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

_LISTENS = "subscriptions/listen"  # lasts for as long as its client listens
_SESSION_ID = re.compile(r"[0-9a-f]{32}")  # as the SDK makes them; a client may send anything


class CallEvents(Middleware):
    """Counts every request once, refused ones too, if it is the outermost."""

    def __init__(self, tool_names: Callable[[], Container[str]], subject: Callable[[], str]) -> None:
        """``subject`` gives the caller of the request under way, as in ``Call.subject``."""
        self._tool_names = tool_names
        self._subject = subject

    async def __call__(self, context: Any, call_next: Any) -> Any:
        """The answer of the inner middleware."""
        if not events.listeners or context.type != "request" or context.method == _LISTENS:
            return await call_next(context)
        events.call_number.set(None)
        began = self._begin(context)
        events.emit(began)
        return await observe(
            call_next(context), lambda outcome, seconds: events.emit(CallAnswered(began, outcome, seconds))
        )

    def _begin(self, context: Any) -> CallBegan:
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


async def observe(answer: Awaitable[T], on_end: Callable[[str, float], object]) -> T:
    """The answer to a request; ``on_end`` is called with its outcome and duration in seconds."""
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
    """The tool and the arguments of a ``tools/call``; empty and None where these are malformed."""
    values = message if isinstance(message, Mapping) else vars(message)
    name, arguments = values.get("name"), values.get("arguments")
    return name if isinstance(name, str) else "", arguments if isinstance(arguments, Mapping) else None


def result_outcome(result: Any) -> str:
    """``OK``, the code of a tool's error envelope, or ``INPUT_REQUIRED``."""
    if isinstance(result, InputRequiredToolResult):
        return "INPUT_REQUIRED"
    if not isinstance(result, ToolResult) or not result.is_error:
        return "OK"
    try:
        return str(json.loads(result.content[0].text)["error"]["code"])  # type: ignore[union-attr]  # it is a text
    except (ValueError, LookupError, TypeError, AttributeError):
        return "REFUSED"  # by FastMCP, in words


def error_outcome(error: Exception) -> str:
    """The code of the envelope in a protocol error, as for a resource; else ``REFUSED``."""
    data = error.error.data if isinstance(error, MCPError) else None
    envelope = data.get("error") if isinstance(data, Mapping) else None
    return str(envelope["code"]) if isinstance(envelope, Mapping) and "code" in envelope else "REFUSED"


def _protocol(context: Any) -> str:
    request = context.fastmcp_context and context.fastmcp_context.request_context
    return (request and request.protocol_version) or ""


def _session_id(context: Any) -> str:
    """The ID of a session over HTTP; empty without one."""
    request = context.fastmcp_context and context.fastmcp_context.request_context
    headers = getattr(request and request.request, "headers", {})
    session_id = headers.get("mcp-session-id", "")
    return session_id if _SESSION_ID.fullmatch(session_id) else ""
