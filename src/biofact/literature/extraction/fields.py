"""One field of an extraction schema, what it may hold, and what is wrong with a value for it. Pure."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["string", "number", "integer", "boolean", "date", "array", "object", "any"]
Scalar = str | int | float | bool

DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
"""2019-11-05, 2019-11 or 2019: articles seldom state the day."""

_NOUNS: Mapping[Kind, str] = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "date": "a date like 2019-11-05, 2019-11 or 2019",
    "array": "a list",
    "object": "an object",
    "any": "text, a number, true or false",
}
_LONGEST_SHOWN = 60  # characters of a value in a message
_TYPES: Mapping[Kind, type] = {"string": str, "boolean": bool, "date": str, "array": list, "object": dict}


@dataclass(frozen=True, slots=True)
class SchemaField:
    """What is asked for under one name."""

    name: str
    path: str
    """Its name behind those of the objects that it is part of, as ``effect.value``; entries of a list add nothing."""
    kind: Kind
    description: str = ""
    enum: tuple[Scalar, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    items: "SchemaField | None" = None
    """What a list holds."""
    fields: tuple["SchemaField", ...] = ()
    """The parts of an object; one without any may have all."""

    @property
    def is_group(self) -> bool:
        """Whether it is an object whose parts are asked for one by one."""
        return self.kind == "object" and bool(self.fields)

    @property
    def holds_groups(self) -> bool:
        """Whether it is a list of such objects."""
        return self.items is not None and self.items.is_group

    def leaves(self) -> Iterator["SchemaField"]:
        """Itself, or its parts; a list is one leaf, whatever it holds."""
        if not self.is_group:
            yield self
        for part in self.fields if self.is_group else ():
            yield from part.leaves()

    def problems(self, value: Any) -> Iterator[str]:
        """What is wrong with a value, in sentences that begin with the path. What is not there is never wrong."""
        if not _is_of(value, self.kind):
            yield f"{self.path}: {short_repr(value)} is not {_NOUNS[self.kind]}"
        elif isinstance(value, list):
            items = self.items
            yield from (problem for entry in value if items for problem in items.problems(entry))
        elif isinstance(value, dict):
            yield from self._problems_of_parts(value)
        else:
            yield from self._problems_of_scalar(value)

    def _problems_of_parts(self, value: Mapping[str, Any]) -> Iterator[str]:
        parts = {part.name: part for part in self.fields}
        for name, entry in value.items() if parts else ():
            if name in parts:
                yield from parts[name].problems(entry)
            else:
                yield f"{self.path}: {name!r:.70} is no part of it" if self.path else f"{name!r:.70} is no field of it"

    def _problems_of_scalar(self, value: Scalar) -> Iterator[str]:
        if self.enum and not any(_is_same(value, member) for member in self.enum):
            yield f"{self.path}: {short_repr(value)} is not one of {', '.join(map(short_repr, self.enum))}"
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        if self.minimum is not None and value < self.minimum:
            yield f"{self.path}: {value} is less than {self.minimum:g}"
        if self.maximum is not None and value > self.maximum:
            yield f"{self.path}: {value} is more than {self.maximum:g}"


def short_repr(value: Any) -> str:
    """A value as a sentence shows it: short, with its quotes."""
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    text = f"{value!r}"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."


def _is_same(value: Scalar, member: Scalar) -> bool:
    return value == member and isinstance(value, bool) == isinstance(member, bool)


def _is_of(value: Any, kind: Kind) -> bool:
    if kind in {"number", "integer"}:
        return _is_number(value) and (kind == "number" or float(value).is_integer())
    if kind == "any":
        return isinstance(value, str | bool) or _is_number(value)
    is_right = isinstance(value, _TYPES[kind])
    return is_right and (kind != "date" or DATE.fullmatch(value) is not None)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
