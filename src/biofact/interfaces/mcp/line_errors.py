"""Errors for a line that is no JSON-RPC message: what is wrong with it, under its ID where one can be read. Pure."""

import json
import re
from collections.abc import Iterator
from typing import Any

from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, RequestId
from pydantic_core import from_json

_EXPECTED = (
    'Expected one JSON-RPC 2.0 message: an object with "jsonrpc": "2.0", a method as text, params as an object, and '
    "an integer or text as id."
)
_BATCH = "Batches are not supported. Write each message on a line of its own."
# A string (to the end of the line where it is never closed), a number, or what brackets and separates them.
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[{}\[\]:,]', re.DOTALL)
_LONGEST_NUMBER = 300  # digits of an ID


def answers(line: bytes) -> list[JSONRPCError]:
    """One error for each request that the line may have held; at least one."""
    try:
        message = from_json(line)
    except ValueError as error:
        return [_error(PARSE_ERROR, f"This line is not JSON that can be read: {error}.", _readable_id(line))]
    if isinstance(message, list):
        return [_error(INVALID_REQUEST, _BATCH, one) for one in list(map(_request_id, message)) or [None]]
    return [_error(INVALID_REQUEST, _EXPECTED, _request_id(message))]


def too_long(most_bytes: int) -> JSONRPCError:
    """The answer to a line that was not kept."""
    return _error(INVALID_REQUEST, f"This line is longer than {most_bytes:,} bytes. Write a shorter message.", None)


def has_unusable_id(line: bytes) -> bool:
    """Whether what reads as a notification was to be answered, under an ID that is none such as null."""
    return b'"id"' in line and "id" in from_json(line)


def _error(code: int, message: str, request_id: RequestId | None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message))


def _request_id(message: Any) -> RequestId | None:
    """The ID of what may be a request. An answer's is one of ours, and says nothing to the client."""
    if not isinstance(message, dict) or ("method" not in message and {"result", "error"} & message.keys()):
        return None
    found = message.get("id")
    return found if isinstance(found, str) or (isinstance(found, int) and not isinstance(found, bool)) else None


def _readable_id(line: bytes) -> RequestId | None:
    """The value of the outermost object's ``id``, wherever the line stops making sense."""
    tokens = _outermost(line)
    if next(tokens, b"") != b"{":
        return None
    before: tuple[bytes, ...] = (b"", b"")
    for token in tokens:
        if before == (b'"id"', b":"):
            return _id(token)
        before = (before[1], token)
    return None


def _outermost(line: bytes) -> Iterator[bytes]:
    """The tokens that stand in the first bracket, nothing of the brackets within it."""
    depth = 0
    for found in _TOKEN.finditer(line):
        token = found[0]
        depth -= token in b"]}"
        if depth <= 1:
            yield token
        depth += token in b"[{"


def _id(token: bytes) -> RequestId | None:
    try:
        found = json.loads(token) if len(token) <= _LONGEST_NUMBER else None
        str(found).encode()  # half a character (a lone surrogate) cannot be written
    except ValueError:
        return None
    return found if isinstance(found, str | int) else None
