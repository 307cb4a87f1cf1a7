"""What to extract: the fields of a caller's schema, written in the specification's notation or as JSON Schema. Pure."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, cast, get_args

Kind = Literal["string", "number", "integer", "boolean", "date", "array", "object", "any"]
Scalar = str | int | float | bool

DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
"""Dates like 2019-11-05, 2019-11 or 2019: articles rarely state the day."""

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
    """One field of a schema."""

    name: str
    path: str
    """The names of the enclosing objects, then its own, as ``effect.value``; lists add nothing."""
    kind: Kind
    description: str = ""
    enum: tuple[Scalar, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    items: "SchemaField | None" = None
    """The field that describes each entry of a list."""
    fields: tuple["SchemaField", ...] = ()
    """The parts of an object; an object without any may have every part."""

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
        """The problems of a value, in sentences that begin with the path. An absent part is no problem."""
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
    # for Python True equals 1
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


MOST_FIELDS = 40
DEEPEST = 4
LONGEST_NAME = 64
MOST_MEMBERS = 100
LONGEST_DESCRIPTION = 1000

_SPELLINGS: Mapping[str, Kind] = {
    **{kind: kind for kind in get_args(Kind) if kind != "any"},
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}
FIELD_TYPES = "string, number, integer, boolean, date, array, array[string], array[number], object"
_TYPE_NAME = re.compile(r"(?P<name>[a-z]+)(?:\[(?P<item>[a-z]*)\])?\??")
_OR_NULL = re.compile(r"\s*\|\s*null\s*$")
_IGNORED_KEYWORDS = frozenset(
    (
        "title", "default", "examples", "example", "$schema", "$id", "$comment", "deprecated", "additionalProperties",
        "nullable", "required", "format", "readOnly",
    )
)  # fmt: skip
"""Keywords of JSON Schema that change nothing here: what an article does not state is absent, required or not."""
_REFUSED_KEYWORDS = frozenset(("oneOf", "allOf", "minLength", "maxLength", "pattern", "minItems"))
"""Keywords that mark the description of a field, which is then refused with their names."""
_KEYWORDS = frozenset(("type", "description", "enum", "const", "items", "properties", "minimum", "maximum", "anyOf"))


def schema_fields(spec: object) -> tuple[SchemaField, ...]:
    """The fields that an object describes.

    Raises:
        ValueError: it describes none; the sentence names the field and the valid forms.
    """
    if not isinstance(spec, Mapping) or not spec:
        raise ValueError(f"extraction_schema is an object of field names and types: {FIELD_TYPES}.")
    reader = _SchemaReader()
    if _is_json_schema(spec):
        return reader.field_from_json_schema("", spec, depth=0).fields
    return reader.parts("", spec, depth=0)


def _is_json_schema(spec: Mapping[Any, Any]) -> bool:
    is_object = spec.get("type") == "object" or "$schema" in spec or set(spec) <= _KEYWORDS | _IGNORED_KEYWORDS
    return is_object and isinstance(spec.get("properties"), Mapping)


class _SchemaReader:
    """Reads one schema; counts its fields."""

    def __init__(self) -> None:
        self._count = 0

    def parts(self, path: str, spec: Mapping[Any, Any], *, depth: int) -> tuple[SchemaField, ...]:
        """The named parts of an object."""
        if depth >= DEEPEST:
            raise _too_deep(path)
        self._count += len(spec)
        if self._count > MOST_FIELDS:
            raise ValueError(f"extraction_schema has at most {MOST_FIELDS} fields; ask for fewer in one call.")
        return tuple(self.part(_child_path(path, name), value, depth=depth) for name, value in spec.items())

    def part(self, path: str, spec: object, *, depth: int) -> SchemaField:
        """One field: a type's name, ``[entry]``, an object that describes it, or one of parts."""
        if depth > DEEPEST:
            raise _too_deep(path)
        if isinstance(spec, str):
            return _field_of_type_name(path, spec)
        if isinstance(spec, list):
            return self._list_field(path, spec, depth=depth)
        if isinstance(spec, Mapping) and spec:
            if _is_description(spec):
                return self.field_from_json_schema(path, spec, depth=depth)
            return _field(path, "object", fields=self.parts(path, spec, depth=depth + 1))
        raise _not_a_type(path, spec)

    def field_from_json_schema(self, path: str, spec: Mapping[Any, Any], *, depth: int) -> SchemaField:
        """A field as JSON Schema describes it."""
        spec = _without_null(path, spec)
        if unknown := [str(key) for key in spec if key not in _KEYWORDS | _IGNORED_KEYWORDS]:
            raise ValueError(
                f"{_label(path)} uses {', '.join(unknown)[:80]}, which is not read here;"
                " write out type, properties, items, enum, description, minimum or maximum."
            )
        bare_field = _field(path, "object") if not path else self._field_of_type(path, spec)
        limits = {name: _limit(path, name, spec[name]) for name in ("minimum", "maximum") if name in spec}
        options: dict[str, Any] = {"description": _description(path, spec), "enum": _enum(path, spec), **limits}
        if bare_field.kind == "object" and "properties" in spec:
            # the whole schema is no level of its own
            options["fields"] = self._properties(path, spec["properties"], depth=depth + bool(path))
        if bare_field.kind == "array" and "items" in spec:
            options["items"] = self.part(path, spec["items"], depth=depth + 1)
        elif bare_field.items is not None:
            options["items"] = bare_field.items
        result = _field(path, bare_field.kind, **options)
        if any(problem for member in result.enum for problem in result.problems(member)):
            raise ValueError(f"{_label(path)} has an enum with members that are no {result.kind}.")
        return result

    def _properties(self, path: str, spec: object, *, depth: int) -> tuple[SchemaField, ...]:
        if not isinstance(spec, Mapping) or not spec:
            raise ValueError(f"{_label(path)} has properties that are no object of names and types.")
        return self.parts(path, spec, depth=depth)

    def _field_of_type(self, path: str, spec: Mapping[Any, Any]) -> SchemaField:
        """The field of the type that is named, or that the other keywords imply."""
        if "type" not in spec:
            kind = "object" if "properties" in spec else "array" if "items" in spec else "any"
            if kind == "any" and all(isinstance(member, str) for member in _enum(path, spec) or (0,)):
                kind = "string"
            return _field(path, cast(Kind, kind), items=_field(path, "any") if kind == "array" else None)
        if spec["type"] == "string" and spec.get("format") in {"date", "date-time"}:
            return _field(path, "date")
        return _field_of_type_name(path, spec["type"])

    def _list_field(self, path: str, spec: list[object], *, depth: int) -> SchemaField:
        if len(spec) != 1:
            raise ValueError(
                f"Field {path!r} is a list of {len(spec)}; write [type] for a list of values,"
                ' or {"type": "string", "enum": [...]} for one of several words.'
            )
        return _field(path, "array", items=self.part(path, spec[0], depth=depth + isinstance(spec[0], list)))


def _is_description(spec: Mapping[Any, Any]) -> bool:
    """Whether an object describes one field, rather than naming parts of it."""
    if "$ref" in spec or not set(spec) - {"$defs", "definitions"}:
        return True
    if not set(spec) <= _KEYWORDS | _IGNORED_KEYWORDS | _REFUSED_KEYWORDS:
        return False
    is_typed = isinstance(spec.get("type"), list) or (
        isinstance(spec.get("type"), str) and _match(spec["type"]) is not None
    )
    return is_typed or any(isinstance(spec.get(name), list) for name in ("enum", "anyOf", "oneOf", "allOf"))


def _without_null(path: str, spec: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The schema without null as an option: a value that is not stated is absent in any case."""
    if isinstance(spec.get("type"), list):
        kinds = [kind for kind in spec["type"] if kind != "null"]
        if len(kinds) != 1:
            raise ValueError(f"{_label(path)} has several types; give one of {FIELD_TYPES}.")
        spec = {**spec, "type": kinds[0]}
    if "anyOf" not in spec:
        return spec
    options = spec["anyOf"] if isinstance(spec["anyOf"], list) else []
    options = [option for option in options if not (isinstance(option, Mapping) and option.get("type") == "null")]
    if len(options) != 1 or not isinstance(options[0], Mapping):
        raise ValueError(f"{_label(path)} has several types; give one of {FIELD_TYPES}.")
    return {**{key: value for key, value in spec.items() if key != "anyOf"}, **options[0]}


def _match(type_name: str) -> re.Match[str] | None:
    match = _TYPE_NAME.fullmatch(_OR_NULL.sub("", type_name.strip().lower()))
    if match is None or match["name"] not in _SPELLINGS:
        return None
    has_items = match["item"] is not None
    if match["item"] and match["item"] not in _SPELLINGS:
        return None
    return match if not has_items or _SPELLINGS[match["name"]] == "array" or not match["item"] else None


def _field_of_type_name(path: str, type_name: object) -> SchemaField:
    """A field whose type is named: ``number``, ``array[string]``, ``string[]``, ``string?``."""
    match = _match(type_name) if isinstance(type_name, str) else None
    if match is None:
        raise _not_a_type(path, type_name)
    kind, item = _SPELLINGS[match["name"]], match["item"]
    if item == "" and kind != "array":
        kind, item = "array", match["name"]
    if kind != "array":
        return _field(path, kind)
    return _field(path, "array", items=_field(path, _SPELLINGS[item]) if item else _field(path, "any"))


def _too_deep(path: str) -> ValueError:
    return ValueError(f"Field {path!r} lies too deep: extraction_schema has at most {DEEPEST} levels.")


def _not_a_type(path: str, spec: object) -> ValueError:
    excerpt = f"{spec!r:.60}" if isinstance(spec, str | int | float | None) else f"an empty {type(spec).__name__}"
    return ValueError(
        f"Field {path!r} is {excerpt}; expected one of {FIELD_TYPES}, an object of further fields, a list of one of"
        ' these, or {"type": ..., "description": ..., "enum": [...]}.'
    )


def _child_path(path: str, name: object) -> str:
    is_sound = isinstance(name, str) and 1 <= len(name) <= LONGEST_NAME and name.isprintable() and "." not in name
    if not is_sound or not str(name).strip():
        raise ValueError(
            f"{name!r:.80} cannot name a field: a name has 1 to {LONGEST_NAME} printable characters and no full stop."
        )
    return f"{path}.{name}" if path else str(name)


def _label(path: str) -> str:
    return f"Field {path!r}" if path else "extraction_schema"


def _description(path: str, spec: Mapping[Any, Any]) -> str:
    words = spec.get("description", "")
    if not isinstance(words, str) or len(words) > LONGEST_DESCRIPTION:
        raise ValueError(
            f"{_label(path)} has a description that is no text of at most {LONGEST_DESCRIPTION} characters."
        )
    return words


def _enum(path: str, spec: Mapping[Any, Any]) -> tuple[Scalar, ...]:
    members = [spec["const"]] if "const" in spec else spec.get("enum", [])
    if "enum" not in spec and "const" not in spec:
        return ()
    choices = [member for member in members if member is not None] if isinstance(members, list) else []
    if not 1 <= len(choices) <= MOST_MEMBERS or not all(isinstance(member, str | int | float) for member in choices):
        raise ValueError(f"{_label(path)} has an enum that is no list of 1 to {MOST_MEMBERS} texts or numbers.")
    return tuple(choices)


def _limit(path: str, name: str, limit: object) -> float:
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not math.isfinite(limit):
        raise ValueError(f"{_label(path)} has a {name} that is no number.")
    return float(limit)


def _field(path: str, kind: Kind, **options: Any) -> SchemaField:
    return SchemaField(path.rpartition(".")[2], path, kind, **options)


@dataclass(frozen=True)
class ExtractionSchema:
    """The requested fields, in the caller's order."""

    fields: tuple[SchemaField, ...]

    @classmethod
    def read(cls, spec: object) -> Self:
        """The schema that an object describes: ``{"sample_size": "number"}``, nested likewise, or JSON Schema.

        Raises:
            ValueError: it describes none; the sentence names the field and the valid forms.
        """
        return cls(schema_fields(spec))

    @cached_property
    def leaves(self) -> tuple[SchemaField, ...]:
        """The fields that hold values: all but objects of further fields."""
        return tuple(leaf for field in self.fields for leaf in field.leaves())


def nest_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by dotted path as the schema nests them."""
    nested: dict[str, Any] = {}
    for path, value in values.items():
        *groups, name = path.split(".")
        inner = nested
        for group in groups:
            inner = inner.setdefault(group, {})
        inner[name] = value
    return nested
