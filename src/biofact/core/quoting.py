"""Values of callers and lists of names for a sentence: short in any case."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

_LONGEST = 80
_NAMES = 3
LONGEST_ECHO = 1000
"""The longest echo of a failure's input in characters: the caller has the rest."""
_DEEPEST_ECHO = 16
_LONGEST_NUMBER_BITS = 256


def name_list(names: Sequence[str], limit: int, rest_word: str = "more") -> str:
    """The first ``limit`` names, and the number of the rest."""
    rest = f" and {len(names) - limit} {rest_word}" if len(names) > limit else ""
    return f"{', '.join(names[:limit])}{rest}"


def quoted(value: object, limit: int = _LONGEST) -> str:
    """``value`` in about ``limit`` characters at most; a list or object by its kind alone.

    Never fails: Python's own ``repr`` does for numbers of thousands of digits and for what is nested very deeply.
    """
    match value:
        case int() if value.bit_length() > _LONGEST_NUMBER_BITS:
            return "a number of more than 70 digits"
        case None | bool() | int() | float():
            return repr(value)
        case str():
            text = repr(value[: limit + 1])
            return text if len(text) <= limit else f"{text[:limit]}..."
        case dict():
            return "an object" if value else "an empty object"
        case list() | tuple():
            return "a list" if value else "an empty list"
    return f"a {type(value).__name__}"


def summary(value: object) -> str:
    """``value`` as ``quoted`` has it, with the length of a list or long text and the names of an object."""
    match value:
        case str() if len(value) > _LONGEST:
            return f"{quoted(value)} (text of {len(value)} characters)"
        case dict() if value:
            names = [quoted(name, _LONGEST // 2) for name in map(str, islice(value, _NAMES))]
            rest = f" and {len(value) - _NAMES} more" if len(value) > _NAMES else ""
            return f"an object with {', '.join(names)}{rest}"
        case list() | tuple() if value:
            return f"a list of {len(value)} item{'s' if len(value) > 1 else ''}"
    return quoted(value)


def brief(value: Any) -> Any:
    """``value`` itself; of a long one the beginning: a text's first characters, a list's first items."""
    return value if length(value) <= LONGEST_ECHO else _beginning(value, LONGEST_ECHO)


def _beginning(value: Any, limit: int, depth: int = 0) -> Any:
    match value:
        case str():
            return value[:limit]
        case dict() | list() | tuple() if depth >= _DEEPEST_ECHO:
            return quoted(value)
        case list() | tuple():
            return [part for _, part in _first_parts(enumerate(value), limit, depth)]
        case dict():
            return dict(_first_parts(value.items(), limit, depth))
    return value


def _first_parts(parts: Iterable[tuple[Any, Any]], limit: int, depth: int) -> Iterator[tuple[Any, Any]]:
    """The first parts of a list or object that together are no longer than ``limit``; of the first as much as fits."""
    room: float = limit
    for place, (name, part) in enumerate(parts):
        size = length(part) + (len(name) if isinstance(name, str) else 0)
        if place and size > room:  # the first part is cut to fit, a later one left out
            return
        shown_name = name[:limit] if isinstance(name, str) else name
        yield shown_name, part if size <= room else _beginning(part, limit, depth + 1)
        room -= size


def length(value: object, depth: int = 0) -> float:
    """About the characters of a value as JSON; infinite beyond ``LONGEST_ECHO``, or nested very deeply."""
    match value:
        case str():
            return len(value) + 2
        case dict() | list() | tuple() if depth >= _DEEPEST_ECHO:
            return math.inf
        case list() | tuple():
            return _sum(1 + length(item, depth + 1) for item in value)
        case dict():
            return _sum(len(str(name)) + 4 + length(item, depth + 1) for name, item in value.items())
    return len(quoted(value))


def _sum(lengths: Iterable[float]) -> float:
    """The sum of the parts' lengths; those after ``LONGEST_ECHO`` are not counted."""
    total = 1.0
    for part in lengths:
        total += part
        if total > LONGEST_ECHO:
            return math.inf
    return total
