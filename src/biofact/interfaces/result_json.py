"""Results as JSON that every reader of JSON can read back."""

import math
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json

Body = dict[str, Any]

_DEEPEST = 64  # readers stop at about 200 levels, and an echo stands some levels deep already
_LONGEST_INTEGER_BITS = 14_000  # Python and pydantic read 4300 digits, which is little more


def body(result: BaseModel) -> Body:
    """The object that stands on the wire; facts without a value are left out."""
    answer: Body = plain(result.model_dump(by_alias=True))
    return answer


def text(answer: object) -> str:
    """Compact JSON."""
    return to_json(answer).decode()


def plain(value: object, depth: int = 0) -> Any:
    """``value`` in JSON's own terms. What JSON cannot hold becomes text, so that an echo never breaks the wire."""
    match value:
        case dict() | list() | tuple() if depth >= _DEEPEST:
            return f"(nested more than {_DEEPEST} levels deep)"
        case dict():
            facts_first = sorted(value.items(), key=lambda pair: pair[0] == "notices")
            return {_scalar(str(name)): plain(item, depth + 1) for name, item in facts_first}
        case list() | tuple():
            return [plain(item, depth + 1) for item in value]
    return _scalar(value)


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
