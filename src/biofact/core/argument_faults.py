"""Faults of a call's arguments as sentences: each by its path, with what would be right."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from biofact.core.errors import BiofactError
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.json_schema import Schema, options
from biofact.core.parameters import BATCH_LIMIT, Parameter, Query, values_schema
from biofact.core.quoting import quoted, shown

Path = tuple[str | int, ...]
"""Names and places that lead to a part of a value."""

_MOST_REPORTED = 8
_MOST_READ = 100
"""Of what the types find: a list of thousands can be wrong in each place."""
_MOST_NAMED = 40
_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object of names and values",
}


@dataclass(frozen=True, slots=True)
class InvalidPart:
    """One part of a value that a check of ours refuses."""

    path: Path
    given: object
    problem: str = ""
    """Why, where ``expected`` does not make it plain."""
    expected: str = ""
    """What to give instead."""
    known: tuple[str, ...] | None = None
    """The names that there are, where the last of the path is none of them."""
    is_missing: bool = False
    """It is required and not given."""


class InvalidValues(ValueError):
    """Everything that a check finds wrong with a value; one ``ValueError`` could name the first only."""

    def __init__(self, wrong: Sequence[InvalidPart]) -> None:
        parts = ((path_in_words(one.path), one.problem or one.expected) for one in wrong)
        super().__init__("; ".join(": ".join(filter(None, pair)) for pair in parts))
        self.wrong = tuple(wrong)


@dataclass(frozen=True, slots=True)
class ArgumentFault:
    """One thing that is wrong with a call."""

    name: str
    """The argument as the caller wrote it; empty for one that is missing."""
    message: str
    hint: str
    error: BiofactError | None = None
    """What a strict ID raises: it comes before all others, as no other repair helps without it."""


def path_in_words(path: Iterable[str | int]) -> str:
    """A path as a sentence names it: ``filters.journal_whitelist[2]``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{str(part)[:80]}" if text else str(part)[:80]
    return text


def of_value(
    tool: object, name: str, parameter: Parameter, value: object, error: ValidationError
) -> list[ArgumentFault]:
    """What the types find wrong with one argument, each part of it once."""
    schema = values_schema(parameter)
    whole, plain = in_words(parameter), _in_words([schema], schema.get("$defs", {}))
    found = {one.path: one for one in reversed(wrong(value, schema, error))}
    return [
        _fault(tool, name, one, whole, whole if one.expected == plain and not one.path else one.expected)
        for one in reversed(found.values())
    ]


def wrong(value: object, schema: Schema, error: ValidationError) -> list[InvalidPart]:
    """What the types find wrong with a value that should follow a schema."""
    named = schema.get("$defs", {})
    found = []
    for detail in error.errors(include_url=False)[:_MOST_READ]:
        path, schemas = _place(detail["loc"], value, [schema], named)
        problem = detail.get("ctx", {}).get("error")
        if isinstance(problem, InvalidValues):
            found += [replace(one, path=(*path, *one.path)) for one in problem.wrong]
        elif detail["type"] == "extra_forbidden":
            _, holders = _place(detail["loc"][:-1], value, [schema], named)
            found.append(InvalidPart(path, detail["input"], known=tuple(_names(holders))))
        elif detail["type"] == "missing":
            found.append(InvalidPart(path, None, expected=_in_words(schemas, named), is_missing=True))
        else:
            found.append(InvalidPart(path, detail["input"], str(problem or ""), _in_words(schemas, named)))
    return found


def sentences(faults: Sequence[ArgumentFault]) -> tuple[str, str]:
    """One message and one hint for all of them."""
    more = f" These are the first {_MOST_REPORTED}; more follow." if len(faults) > _MOST_REPORTED else ""
    shown = faults[:_MOST_REPORTED]
    return (
        " ".join(dict.fromkeys(fault.message for fault in shown)) + more,
        " ".join(dict.fromkeys(fault.hint for fault in shown if fault.hint)),
    )


def near(name: str, known: Iterable[str]) -> str | None:
    """The name that is probably meant by one that there is not."""
    return next(iter(difflib.get_close_matches(name[:_MOST_NAMED].lower(), known, 1, 0.8)), None)


def in_words(parameter: Parameter) -> str:
    """What an argument has to be."""
    if parameter.id_kind is not None:
        form = f"an ID like {parameter.id_kind.example!r}"
        return f"a list of 1 to {BATCH_LIMIT} strings, each {form}" if parameter.is_list else form
    if parameter.annotation == Query:
        return f"text of {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters"
    schema = values_schema(parameter)
    return _in_words([schema], schema.get("$defs", {}))


def _fault(tool: object, name: str, one: InvalidPart, whole: str, expected: str) -> ArgumentFault:
    path = path_in_words((name, *one.path))
    if one.known is not None:
        holder, last = path_in_words((name, *one.path[:-1])), str(one.path[-1])
        meant = f"Is {nearest!r} meant? " if (nearest := near(last, one.known)) else ""
        known = ", ".join(one.known)
        return ArgumentFault(
            name, f"Argument {holder!r} of {tool} has no {quoted(last)}.", f"{meant}{holder} takes {known}."
        )
    problem = one.problem.rstrip(".")
    is_named = not (problem and isinstance(one.given, dict | list))
    wrong_value = "is required" if one.is_missing else f"cannot be {shown(one.given)}" if is_named else ""
    message = f"Argument {path!r} of {tool} {wrong_value}".rstrip()
    hint = f"Give {path} as {expected}." if expected else f"Give {name} as {whole}."
    return ArgumentFault(name, message + (f": {problem}." if problem else "."), hint)


def _place(
    location: tuple[str | int, ...], value: Any, schemas: list[Schema], named: Mapping[str, Schema]
) -> tuple[Path, list[Schema]]:
    """Where in a value pydantic found something, and what is due there; its location names types of unions, too."""
    path: list[str | int] = []
    schemas = options(schemas, named)
    for place, part in enumerate(location):
        is_last = place == len(location) - 1
        if isinstance(value, Mapping) and (part in value or (is_last and part in _names(schemas))):
            value = value.get(part)
            schemas = options([found for one in schemas for found in _of_name(one, part)], named)
        elif isinstance(value, list | tuple) and isinstance(part, int):
            value = value[part]
            schemas = options([one["items"] for one in schemas if "items" in one], named)
        else:
            continue
        path.append(part)
    return tuple(path), schemas


def _of_name(schema: Schema, name: object) -> Iterator[Schema]:
    if name in schema.get("properties", {}):
        yield schema["properties"][name]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]


def _names(schemas: Iterable[Schema]) -> list[str]:
    return [name for schema in schemas for name in schema.get("properties", {})]


def _in_words(schemas: Iterable[Schema], named: Mapping[str, Schema]) -> str:
    words = dict.fromkeys(_option_in_words(option, named) for option in options(schemas, named))
    return " or ".join(words) or "a value of the declared type"


def _option_in_words(option: Schema, named: Mapping[str, Schema]) -> str:
    if "enum" in option or "const" in option:
        members = option.get("enum", [option.get("const")])
        return "one of " + ", ".join(map(repr, members))
    kind = str(option.get("type"))
    match kind:
        case "integer" | "number":
            return f"{_TYPES[kind]}{_range(option)}"
        case "string":
            return f"text{_count(option, 'Length', 'characters')}"
        case "array":
            items = _in_words([option["items"]], named) if option.get("items") else ""
            listed = f" with any of {items.removeprefix('one of ')}" if items.startswith("one of ") else ""
            return f"a list{_count(option, 'Items', 'items')}{listed or (f', each {items}' if items else '')}"
        case "object" if "properties" in option:
            return f"an object with {', '.join(option['properties'])}"
    return _TYPES.get(kind, "a value of the declared type")


def _range(option: Schema) -> str:
    low, high = option.get("minimum"), option.get("maximum")
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}" if max(abs(low), abs(high)) < 1e6 else f" from {low} to {high}"  # noqa: PLR2004
    if low is not None:
        return f", {low:g} or more"
    if high is not None:
        return f", {high:g} or less"
    return f" above {option['exclusiveMinimum']:g}" if "exclusiveMinimum" in option else ""


def _count(option: Schema, of: str, what: str) -> str:
    low, high = option.get(f"min{of}"), option.get(f"max{of}")
    if high is None:
        return f" of {low} or more {what}" if low and low > 1 else ""
    return f" of {low or 0} to {high} {what}"
