"""Values of callers, and lists, as a sentence has them: short, whatever they are."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_MOST = 80
_MOST_NAMED = 3
LONGEST_ECHO = 1000
"""Characters of what a failure repeats of its input: the caller has the rest."""
_DEEPEST_ECHO = 16
_LONGEST_NUMBER_BITS = 256


def listed(names: Sequence[str], most: int) -> str:
    """The first ``most`` names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def quoted(value: object, most: int = _MOST) -> str:
    """``value`` in at most ``most`` characters or so; of a list or object only that it is one.

    Never fails: Python's own ``repr`` does for numbers of thousands of digits and for what is nested very deeply.
    """
    match value:
        case int() if value.bit_length() > _LONGEST_NUMBER_BITS:
            return "a number of more than 70 digits"
        case None | bool() | int() | float():
            return repr(value)
        case str():
            text = repr(value[: most + 1])
            return text if len(text) <= most else f"{text[:most]}..."
        case dict():
            return "an object" if value else "an empty object"
        case list() | tuple():
            return "a list" if value else "an empty list"
    return f"a {type(value).__name__}"


def shown(value: object) -> str:
    """``value`` as ``quoted`` has it, with how much a list or a long text holds and what an object names."""
    match value:
        case str() if len(value) > _MOST:
            return f"{quoted(value)} (text of {len(value)} characters)"
        case dict() if value:
            return f"an object with {listed([quoted(str(name), _MOST // 2) for name in value], _MOST_NAMED)}"
        case list() | tuple() if value:
            return f"a list of {len(value)} item{'s' if len(value) > 1 else ''}"
    return quoted(value)


def brief(value: Any, most: int = LONGEST_ECHO) -> Any:
    """``value`` as it was given; of a long one its beginning: a text's first characters, a list's first items."""
    return value if length(value) <= most else _beginning(value, most)


def _beginning(value: Any, most: int, depth: int = 0) -> Any:
    match value:
        case str():
            return value[:most]
        case dict() | list() | tuple() if depth >= _DEEPEST_ECHO:
            return quoted(value)
        case list() | tuple():
            return [part for _, part in _first_parts(enumerate(value), most, depth)]
        case dict():
            return dict(_first_parts(value.items(), most, depth))
    return value


def _first_parts(parts: Iterable[tuple[Any, Any]], most: int, depth: int) -> Iterator[tuple[Any, Any]]:
    """The first parts of a list or object that together are no longer than ``most``; of the first as much as fits."""
    room: float = most
    for place, (name, part) in enumerate(parts):
        size = length(part)
        if place and size > room:
            return
        yield name, part if size <= room else _beginning(part, most, depth + 1)
        room -= size


def length(value: object, depth: int = 0) -> float:
    """Characters of a value as JSON, or thereabouts; beyond all bounds for what is nested very deeply."""
    match value:
        case str():
            return len(value) + 2
        case dict() | list() | tuple() if depth >= _DEEPEST_ECHO:
            return math.inf
        case list() | tuple():
            return sum(length(item, depth + 1) + 1 for item in value) + 1
        case dict():
            return sum(len(str(name)) + 4 + length(item, depth + 1) for name, item in value.items()) + 1
    return len(quoted(value))
