"""The shapes of lists, batches and failures on the wire, and cursors that lead through a list."""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from biofact.core.errors import (
    AmbiguousQuery,
    BiofactError,
    CallTool,
    ErrorCode,
    Recovery,
    RetryAfter,
    ToolRef,
)
from biofact.core.records import Frozen, Notice, Result, absent

Item_co = TypeVar("Item_co", covariant=True)
Place = TypeVar("Place", bound=BaseModel)


class Pagination(Frozen):
    """The place of a page in its list."""

    cursor: str | None
    """Opaque; gives the next page of the same query. None at the end."""
    total_count: int | None
    """Items in the whole list; None when the service does not tell."""
    page_size: int


class PaginationEnvelope(Result, Generic[Item_co]):
    """A page of a list, or the answers to a batch in the order asked."""

    listed: ClassVar[str | None] = "items"

    items: list[Item_co]
    pagination: Pagination


def page(
    items: list[Item_co],
    page_size: int,
    *,
    total: int | None,
    cursor: str | None = None,
    notices: Sequence[Notice] = (),
) -> PaginationEnvelope[Item_co]:
    """One page of a list."""
    pagination = Pagination(cursor=cursor, total_count=total, page_size=page_size)
    return PaginationEnvelope(items=items, pagination=pagination, notices=list(notices))


class ErrorBody(Frozen):
    """The failure and the way on."""

    code: ErrorCode
    message: str
    recovery_hint: str
    invalid_input: Any
    """Exactly what the caller wrote."""
    recovery: dict[str, Any] | None = absent()


class ErrorEnvelope(Frozen):
    """A failure on the wire, or one entry of a batch."""

    success: Literal[False] = False
    error: ErrorBody

    @classmethod
    def of(cls, error: BiofactError, given: object = None) -> "ErrorEnvelope":
        """The envelope of an exception, which names tools by reference. ``given`` is the caller's input, for
        exceptions that repeat none.
        """
        return cls(
            error=ErrorBody(
                code=error.code,
                message=error.message,
                recovery_hint=error.hint,
                invalid_input=given if error.invalid_input is None else error.invalid_input,
                recovery=_machine_form(error.recovery),
            )
        )


def _machine_form(recovery: Recovery | None) -> dict[str, Any] | None:
    match recovery:
        case CallTool(tool, arguments):
            return {"tool": str(tool), "arguments": dict(arguments)}
        case RetryAfter(seconds):
            return {"retry_after_seconds": seconds}
        case None:
            return None


class Cursor:
    """Opaque places in a list, bound to the tool and query that they came from."""

    def __init__(self, tool: ToolRef, query: Mapping[str, object], options: Mapping[str, object] | None = None) -> None:
        """``options`` may change from page to page; a recovery keeps them."""
        self._tool = tool
        self._query = {name: value for name, value in query.items() if value is not None}
        self._options = {name: value for name, value in (options or {}).items() if value is not None}

    def write(self, place: BaseModel) -> str:
        """The cursor that leads to ``place``."""
        text = place.model_dump_json().encode()
        return base64.urlsafe_b64encode(self._seal(text) + text).rstrip(b"=").decode()

    def read(self, cursor: str, place_type: type[Place]) -> Place:
        """The place that ``cursor`` leads to.

        Raises:
            AmbiguousQuery: the cursor is damaged, or comes from another query.
        """
        try:
            # ``write`` left the padding out
            raw = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, UnicodeEncodeError):
            raw = b""
        seal, text = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
        if seal != self._seal(text):
            raise self._refusal(cursor)
        try:
            return place_type.model_validate_json(text)
        except ValidationError as error:
            raise self._refusal(cursor) from error

    def _seal(self, text: bytes) -> bytes:
        bound = json.dumps([str(self._tool), self._query], sort_keys=True, default=str)
        return hashlib.blake2b(text + b"\0" + bound.encode(), digest_size=_SEAL_BYTES).digest()

    def _refusal(self, cursor: str) -> AmbiguousQuery:
        return AmbiguousQuery(
            f"The cursor {cursor!r:.80} is damaged or belongs to another query.",
            hint=f"Pass a cursor unchanged and with the same arguments, or call {self._tool} without one for page 1.",
            invalid_input=cursor,
            recovery=CallTool(self._tool, {**self._query, **self._options}),
        )


_SEAL_BYTES = 9
