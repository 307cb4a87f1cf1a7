"""Bodies to documents in one shape, that of JSON; and fields of a document by their type."""

import re
from typing import Any

import orjson

from biofact.dialects import xml
from biofact.dialects.eutils import xml_to_json
from biofact.transport.service import Transient

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# NCBI leaves line ends inside JSON strings unescaped, which strict readers refuse.
# Outside strings they are white space, so that a blank in their place changes nothing.
SPACES_FOR_CONTROLS = bytes.maketrans(bytes(range(32)), b" " * 32)


def document(body: bytes) -> "AnswerFields":
    """The answer in JSON's shape, whichever form it came in.

    Raises:
        Transient: the body is damaged, or neither JSON nor XML.
        HostileDocument: it is XML that declares entities.
    """
    start = body.removeprefix(BYTE_ORDER_MARK).lstrip()
    if start[:1] == b"{":
        return AnswerFields(json_object(start))
    if start[:1] == b"<":
        return AnswerFields(xml_to_json.json_form(xml.tree(start)))
    raise Transient("sent an answer that is neither JSON nor XML")


def json_object(text: bytes) -> dict[str, Any]:
    """A JSON object, read leniently where control characters stand inside strings.

    Raises:
        Transient: it is damaged, or not an object.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        try:
            value = orjson.loads(text.translate(SPACES_FOR_CONTROLS))
        except orjson.JSONDecodeError as error:
            raise Transient(f"sent damaged JSON ({error})") from error
    if not isinstance(value, dict):
        raise Transient("sent JSON that is not an object")
    return value


class AnswerFields:
    """An object of an answer whose fields are read by type; one of another type means a damaged answer."""

    __slots__ = ("values",)

    def __init__(self, values: object) -> None:
        if not isinstance(values, dict):
            raise _unexpected("an object", values)
        self.values: dict[str, Any] = values

    def __contains__(self, name: str) -> bool:
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        """A string or number as text; empty when it is not there."""
        return as_text(self.values.get(name, ""))

    def number(self, name: str, default: int | None = None) -> int:
        """A number, which the service may write as text; without a default it must be there."""
        value = self.text(name)
        if not value and default is not None:
            return default
        if not re.fullmatch(r"[0-9]{1,18}", value):
            raise _unexpected(f"a number for {name}", value)
        return int(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings; empty when it is not there."""
        return tuple(as_text(value) for value in self.items(name))

    def fields(self, name: str) -> "AnswerFields":
        """An object; empty when it is not there."""
        return AnswerFields(self.values.get(name) or {})

    def rows(self, name: str) -> list["AnswerFields"]:
        """A list of objects, or the one object that stands for a list of one."""
        return [AnswerFields(value) for value in self.items(name)]

    def items(self, name: str) -> list[Any]:
        """A list of anything; an object stands for a list of one."""
        value = self.values.get(name) or []
        if not isinstance(value, dict | list):
            raise _unexpected(f"a list for {name}", value)
        return [value] if isinstance(value, dict) else value


def as_text(value: object) -> str:
    """A string or number as text.

    Raises:
        Transient: it is neither.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise _unexpected("text", value)


def _unexpected(expected: str, value: object) -> Transient:
    return Transient(f"sent a damaged answer ({expected} was expected, not {type(value).__name__})")
