"""Coerces values as hosts write them into those a schema has. Pure; what is still wrong is for the types to refuse."""

import math
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_core import from_json

from biofact.core.json_schema import Schema, options

DEEPEST = 64
"""Levels of lists and objects in an argument; readers of JSON stop at about 200."""
NOT_GIVEN: Any = object()
"""What stands for a value that was written and says nothing: null, an empty text, what holds nothing else."""
_NOTHING = frozenset({"", "null", "none"})
"""An optional argument as hosts write it that have nothing to say."""
_INTEGER_BITS, _FLOAT_BITS = 64, 1024
_LONGEST_NOTHING = max(map(len, _NOTHING))
_NESTED = {"array": list, "object": dict}


class TooDeep(ValueError):
    """Lists and objects within each other beyond ``DEEPEST``."""


def plain(value: object, depth: int = 0) -> Any:
    """``value`` in JSON's terms: our own records are objects, half a character (a lone surrogate) is none, and whole
    numbers beyond 64 bits are as near as those with a fraction come.

    Raises:
        TooDeep: it is nested more than 64 levels deep.
    """
    match value:
        case str():
            return _whole(value)
        case int() if value.bit_length() >= _INTEGER_BITS:
            return float(value) if value.bit_length() < _FLOAT_BITS else math.inf * (1 if value > 0 else -1)
        case BaseModel():
            return plain(value.model_dump(by_alias=True), depth)
        case Mapping() | list() | tuple() if depth >= DEEPEST:
            raise TooDeep
        case Mapping():
            return {_whole(name) if isinstance(name, str) else name: plain(v, depth + 1) for name, v in value.items()}
        case list() | tuple():
            return [plain(item, depth + 1) for item in value]
    return value


def unfolded(value: Any, schema: Schema) -> Any:
    """``value`` with the JSON in its texts read where lists or objects are due, and without what says nothing.

    Of an object, optional parts go that are null or empty, of a list entries; ``NOT_GIVEN`` where nothing is left.
    """
    return _unfolded(value, [schema], schema.get("$defs", {}))


def read_json(value: Any, schema: Schema) -> Any:
    """The list or object that a text holds where the schema takes one; else ``value``. Its parts stay as they are."""
    kinds = {option.get("type") for option in options([schema], schema.get("$defs", {}))}
    return parsed(value, kinds)


def parsed(value: Any, kinds: set[Any]) -> Any:
    """What a text says in JSON, if it is of one of the kinds that are due; else the text."""
    due = tuple(_NESTED[kind] for kind in kinds if kind in _NESTED)
    if not (isinstance(value, str) and due) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        read = plain(from_json(_whole(value), allow_inf_nan=False))
    except ValueError:
        return value
    return read if isinstance(read, due) else value


def says_nothing(value: object) -> bool:
    """Whether an optional argument is not given though it is written: null, "", "null" or "None"."""
    if isinstance(value, str):
        return len(value) <= _LONGEST_NOTHING and value.lower() in _NOTHING
    return value is None or value is NOT_GIVEN


def _unfolded(value: Any, schemas: list[Schema], named: Mapping[str, Schema]) -> Any:
    choices = options(schemas, named)
    value = parsed(value, {option.get("type") for option in choices})
    if isinstance(value, dict):
        return _object(value, choices, named)
    if isinstance(value, list):
        items = [option["items"] for option in choices if "items" in option]
        kept = [part for part in (_unfolded(item, items, named) for item in value) if not is_blank(part)]
        return kept if kept or not value else NOT_GIVEN
    return value


def _object(value: dict[Any, Any], choices: list[Schema], named: Mapping[str, Schema]) -> Any:
    """An object without its optional parts that are empty. The names in a mapping are the caller's: all stay."""
    kept = {}
    for name, written in value.items():
        parts = [option["properties"][name] for option in choices if name in option.get("properties", {})]
        values = [option["additionalProperties"] for option in choices if _is_schema(option, "additionalProperties")]
        part = _unfolded(written, parts or values, named)
        is_optional = not values and not any(name in option.get("required", ()) for option in choices)
        if not (is_optional and is_blank(part)):
            kept[name] = written if part is NOT_GIVEN else part
    return kept if kept or not value else NOT_GIVEN


def is_blank(value: object) -> bool:
    """Whether it is null, an empty text, or ``NOT_GIVEN``."""
    return value is None or value is NOT_GIVEN or value == ""


def _is_schema(option: Schema, name: str) -> bool:
    """Whether a mapping says of what type its values are."""
    return isinstance(option.get(name), dict)


def _whole(text: str) -> str:
    """``text`` with a mark in place of half a character, which nothing that writes UTF-8 could send on."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
