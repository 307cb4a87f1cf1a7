"""Results as flat JSON that every reader of JSON can read back, and the models within them. Pure."""

import math
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

_DEEPEST = 64  # readers stop at about 200 levels, and an echo stands some levels deep already
_LONGEST_INTEGER_BITS = 14_000  # Python and pydantic read 4300 digits, which is little more


def flat(result: BaseModel) -> dict[str, Any]:
    """The object that stands on the wire; facts without a value are left out."""
    body: dict[str, Any] = plain(result.model_dump(by_alias=True))
    return body


def plain(value: object, depth: int = 0) -> Any:
    """``value`` in JSON's own terms. What JSON cannot hold becomes text, so that an echo never breaks the wire."""
    if type(value) is str:  # most values are, and every answer comes through here
        return value if value.isascii() else _scalar(value)
    match value:
        case dict() | list() | tuple() if depth >= _DEEPEST:
            return f"(nested more than {_DEEPEST} levels deep)"
        case dict():
            body = {plain(str(name)): plain(item, depth + 1) for name, item in value.items()}
            if "notices" in body:  # facts first
                body["notices"] = body.pop("notices")
            return body
        case list() | tuple():
            return [plain(item, depth + 1) for item in value]
    return _scalar(value)


def models_within(value: object, place: str = "") -> Iterator[tuple[str, BaseModel]]:
    """The models within a model, list or mapping, each with its JSON pointer (RFC 6901) from there."""
    for name, part in _parts(value):
        at = f"{place}/{name.replace('~', '~0').replace('/', '~1')}"
        if isinstance(part, BaseModel):
            yield at, part
        yield from models_within(part, at)


def _parts(value: object) -> Iterator[tuple[str, object]]:
    match value:
        case BaseModel():
            for name, field in type(value).model_fields.items():
                yield field.serialization_alias or field.alias or name, getattr(value, name)
        case dict():
            yield from ((str(name), part) for name, part in value.items())
        case list() | tuple():
            yield from ((str(number), part) for number, part in enumerate(value))


def _scalar(value: object) -> Any:
    match value:
        case None | bool():
            return value
        case int():
            return hex(value) if value.bit_length() > _LONGEST_INTEGER_BITS else value
        case float():
            return value if math.isfinite(value) else str(value)
    text = value if isinstance(value, str) else repr(value)
    return text.encode(errors="backslashreplace").decode()  # half a character (a lone surrogate) cannot be written
