"""Parameters of tools as methods declare them, and faults of values for them as sentences, each with its path."""

import difflib
import functools
import inspect
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError, WithJsonSchema

from biofact.core import curies
from biofact.core.errors import BiofactError
from biofact.core.identifiers import (
    QUERY_LENGTH,
    UNREADABLE_ADDRESS,
    IdKind,
    is_letter,
    is_unreadable_address,
    is_words,
    query_text,
)
from biofact.core.json_schema import Schema, options
from biofact.core.quoting import quoted, summary

NARROWS = "narrows the answer"
"""Marks an argument that filters: no recovery leaves it out, for the answer would be another question's."""
ENTITY = "an entity by its ID or name"
"""Marks a text that stands for one entity: the command line takes any number of them, as of IDs."""
AS_WRITTEN = "as written"
"""Marks a list or object whose parts are the caller's own, or an earlier step's: empty ones stay."""
BATCH_LIMIT = 200  # IDs a call, ruling 4

IDEAS = (("organism", "species", "target_species"), ("page_size", "limit", "max_results"), ("query", "search_query"))
"""Names of one idea. A tool declares one of them and takes the others."""


Path = tuple[str | int, ...]
"""Names and places that lead to a part of a value."""

_MOST_REPORTED = 8
_MOST_READ = 100
"""Errors of the types: a list of thousands can be wrong in each place."""
_LONGEST_NAME = 40
_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object of names and values",
}


def _as_query(text: str) -> str:
    query = query_text(text)
    if is_unreadable_address(query):
        raise ValueError(UNREADABLE_ADDRESS)
    if curies.is_address(query):
        query = curies.read_id(query) or query
    if not is_words(query):
        raise ValueError(f"a query has {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters, this one {len(query)}")
    return query


def _as_gene_query(text: str) -> str:
    query = query_text(text)
    return query if is_letter(query) else _as_query(query)


Query = Annotated[str, AfterValidator(_as_query)]
"""Words to search for: trimmed, single-spaced, 2-300 characters."""
GeneQuery = Annotated[str, AfterValidator(_as_gene_query)]
"""The same, or the one letter of a gene's symbol."""
PageSize = Annotated[int, Field(ge=1, le=100)]
CursorText = Annotated[str, Field(min_length=1, max_length=4000)]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool or resource."""

    name: str
    annotation: Any
    """The type with its metadata, for schema builders."""
    is_required: bool
    default: Any
    id_kind: IdKind | None
    """Set for an argument that takes one ID, or a list of them, of this kind."""
    is_list: bool
    is_entity: bool
    """Whether it takes the ID of an entity, or its name; see ``ENTITY``."""
    narrows: bool
    """Whether it filters; see ``NARROWS``."""
    is_nested: bool
    """Whether it takes a list or an object."""
    is_as_written: bool
    """See ``AS_WRITTEN``."""
    check: TypeAdapter[Any]

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names that it is taken by."""
        return aliases(self.name)


def parameter_of(parameter: inspect.Parameter, hint: Any) -> Parameter:
    """The declaration of one argument in a method's signature."""
    base, metadata = (get_args(hint)[0], get_args(hint)[1:]) if get_origin(hint) is Annotated else (hint, ())
    is_required = parameter.default is inspect.Parameter.empty
    id_kind = next((item for item in metadata if isinstance(item, IdKind)), None)
    return Parameter(
        name=parameter.name,
        annotation=hint,
        is_required=is_required,
        default=None if is_required else parameter.default,
        id_kind=id_kind,
        is_list=get_origin(base) is list,
        is_entity=id_kind is not None or ENTITY in _metadata(hint),
        narrows=NARROWS in _metadata(hint),
        is_nested=any(_is_nested(option) for option in _options(hint)),
        is_as_written=AS_WRITTEN in _metadata(hint),
        check=TypeAdapter(hint),
    )


@functools.cache
def aliases(name: str) -> tuple[str, ...]:
    """The other names of the idea that an argument's name stands for."""
    return tuple(other for idea in IDEAS if name in idea for other in idea if other != name)


@functools.cache
def values_schema(parameter: Parameter) -> Schema:
    """JSON Schema of all that an argument may hold, also where a tool's own schema leaves the parts to its words."""
    return TypeAdapter(_with_parts(parameter.annotation)).json_schema()


def _with_parts(hint: Any) -> Any:
    """A type without the schemas that are declared in place of its own."""
    if get_origin(hint) is Annotated:
        base, *metadata = get_args(hint)
        items = [item for item in metadata if not isinstance(item, WithJsonSchema)]
        return Annotated[(_with_parts(base), *items)] if items else _with_parts(base)
    return hint


def _metadata(hint: Any) -> tuple[Any, ...]:
    """The metadata of ``Annotated`` for an argument, or for one that may be left out."""
    metadata = getattr(hint, "__metadata__", ())
    return (*metadata, *(item for option in get_args(hint) for item in getattr(option, "__metadata__", ())))


def _options(hint: Any) -> Iterator[Any]:
    """The types that an argument may have, bare."""
    if get_origin(hint) is Annotated:
        yield from _options(get_args(hint)[0])
    elif get_origin(hint) in {Union, UnionType}:
        for option in get_args(hint):
            yield from _options(option)
    else:
        yield hint


def plain_signature(signature: inspect.Signature) -> inspect.Signature:
    """A signature as the docs have it: types without what checks arguments."""
    parameters = [
        parameter.replace(annotation=_plain_type(parameter.annotation)) for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=parameters)


def _plain_type(annotation: Any) -> Any:
    if get_origin(annotation) is Annotated:
        return _plain_type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return functools.reduce(operator.or_, map(_plain_type, get_args(annotation)))
    if get_origin(annotation) in (list, dict):
        return get_origin(annotation)[tuple(map(_plain_type, get_args(annotation)))]
    return annotation


def _is_nested(option: Any) -> bool:
    kind = get_origin(option) or option
    return kind in {list, dict} or (inspect.isclass(kind) and issubclass(kind, BaseModel))


@dataclass(frozen=True, slots=True)
class InvalidPart:
    """One part of a value that a check of ours refuses."""

    path: Path
    value: object
    problem: str = ""
    """The reason, where ``expected`` does not make it plain."""
    expected: str = ""
    """What to give instead."""
    known_names: tuple[str, ...] | None = None
    """The names that exist, where the last part of the path is none of them."""
    is_missing: bool = False
    """Whether it is required and absent."""


class InvalidValues(ValueError):
    """Everything that a check finds wrong with a value; one ``ValueError`` could name the first only."""

    def __init__(self, parts: Sequence[InvalidPart]) -> None:
        pairs = ((path_text(part.path), part.problem or part.expected) for part in parts)
        super().__init__("; ".join(": ".join(filter(None, pair)) for pair in pairs))
        self.parts = tuple(parts)


@dataclass(frozen=True, slots=True)
class ArgumentFault:
    """One thing that is wrong with a call."""

    name: str
    """The argument as the caller wrote it; empty for a missing one."""
    message: str
    hint: str
    error: BiofactError | None = None
    """The error of a strict ID: it comes before all others, as no other repair helps without it."""


def path_text(path: Iterable[str | int]) -> str:
    """A path as a sentence names it: ``filters.journal_whitelist[2]``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{str(part)[:80]}" if text else str(part)[:80]
    return text


def faults_of_value(
    tool: object, name: str, parameter: Parameter, value: object, error: ValidationError
) -> list[ArgumentFault]:
    """The faults that the types find in one argument, each part of it once."""
    schema = values_schema(parameter)
    whole, plain = expected_form(parameter), _form_of_any([schema], schema.get("$defs", {}))
    # of several types in a union each refuses the part; the first one's reason is reported
    by_path = {part.path: part for part in reversed(invalid_parts(value, schema, error))}
    return [
        _fault(tool, name, part, whole, whole if part.expected == plain and not part.path else part.expected)
        for part in reversed(by_path.values())
    ]


def invalid_parts(value: object, schema: Schema, error: ValidationError) -> list[InvalidPart]:
    """The parts of a value that break its schema, as the types find them."""
    definitions = schema.get("$defs", {})
    parts = []
    for detail in error.errors(include_url=False)[:_MOST_READ]:
        path, schemas = _location(detail["loc"], value, [schema], definitions)
        problem = detail.get("ctx", {}).get("error")
        if isinstance(problem, InvalidValues):
            parts += [replace(part, path=(*path, *part.path)) for part in problem.parts]
        elif detail["type"] == "extra_forbidden":
            _, holders = _location(detail["loc"][:-1], value, [schema], definitions)
            parts.append(InvalidPart(path, detail["input"], known_names=tuple(_property_names(holders))))
        elif detail["type"] == "missing":
            parts.append(InvalidPart(path, None, expected=_form_of_any(schemas, definitions), is_missing=True))
        else:
            parts.append(InvalidPart(path, detail["input"], str(problem or ""), _form_of_any(schemas, definitions)))
    return parts


def message_and_hint(faults: Sequence[ArgumentFault]) -> tuple[str, str]:
    """One message and one hint for all of them."""
    rest = f" These are the first {_MOST_REPORTED}; more follow." if len(faults) > _MOST_REPORTED else ""
    reported = faults[:_MOST_REPORTED]
    return (
        " ".join(dict.fromkeys(fault.message for fault in reported)) + rest,
        " ".join(dict.fromkeys(fault.hint for fault in reported if fault.hint)),
    )


def nearest_name(name: str, names: Iterable[str]) -> str | None:
    """The name that an unknown one probably means."""
    return next(iter(difflib.get_close_matches(name[:_LONGEST_NAME].lower(), names, 1, 0.8)), None)


def expected_form(parameter: Parameter) -> str:
    """The form that an argument has to have."""
    if parameter.id_kind is not None:
        form = f"an ID like {parameter.id_kind.example!r}"
        return f"a list of 1 to {BATCH_LIMIT} strings, each {form}" if parameter.is_list else form
    if parameter.annotation in {Query, GeneQuery}:
        return f"text of {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters"
    schema = values_schema(parameter)
    return _form_of_any([schema], schema.get("$defs", {}))


def _fault(tool: object, name: str, part: InvalidPart, whole: str, expected: str) -> ArgumentFault:
    path = path_text((name, *part.path))
    if part.known_names is not None:
        holder, unknown_name = path_text((name, *part.path[:-1])), str(part.path[-1])
        suggestion = f"Is {nearest!r} meant? " if (nearest := nearest_name(unknown_name, part.known_names)) else ""
        hint = f"{suggestion}{holder} takes {', '.join(part.known_names)}."
        return ArgumentFault(name, f"Argument {holder!r} of {tool} has no {quoted(unknown_name)}.", hint)
    problem = part.problem.rstrip(".")
    is_quoted = not (problem and isinstance(part.value, dict | list))
    refusal = "is required" if part.is_missing else f"cannot be {summary(part.value)}" if is_quoted else ""
    message = f"Argument {path!r} of {tool} {refusal}".rstrip()
    hint = f"Give {path} as {expected}." if expected else f"Give {name} as {whole}."
    return ArgumentFault(name, message + (f": {problem}." if problem else "."), hint)


def _location(
    location: tuple[str | int, ...], value: Any, schemas: list[Schema], definitions: Mapping[str, Schema]
) -> tuple[Path, list[Schema]]:
    """The path to an error in a value, and the schemas due there; pydantic's location names types of unions, too."""
    path: list[str | int] = []
    schemas = options(schemas, definitions)
    for place, part in enumerate(location):
        is_last = place == len(location) - 1
        if isinstance(value, Mapping) and (part in value or (is_last and part in _property_names(schemas))):
            value = value.get(part)
            of_part = [part_schema for schema in schemas for part_schema in _property_schemas(schema, part)]
        elif isinstance(value, list | tuple) and isinstance(part, int):
            value = value[part]
            of_part = [schema["items"] for schema in schemas if "items" in schema]
        else:
            continue
        schemas = options(of_part, definitions)
        path.append(part)
    return tuple(path), schemas


def _property_schemas(schema: Schema, name: object) -> Iterator[Schema]:
    if name in schema.get("properties", {}):
        yield schema["properties"][name]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]


def _property_names(schemas: Iterable[Schema]) -> list[str]:
    return [name for schema in schemas for name in schema.get("properties", {})]


def _form_of_any(schemas: Iterable[Schema], definitions: Mapping[str, Schema]) -> str:
    forms = dict.fromkeys(_form(option, definitions) for option in options(schemas, definitions))
    return " or ".join(forms) or "a value of the declared type"


def _form(option: Schema, definitions: Mapping[str, Schema]) -> str:
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
            items = _form_of_any([option["items"]], definitions) if option.get("items") else ""
            choices = f" with any of {items.removeprefix('one of ')}" if items.startswith("one of ") else ""
            return f"a list{_count(option, 'Items', 'items')}{choices or (f', each {items}' if items else '')}"
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


def _count(option: Schema, bound: str, unit: str) -> str:
    low, high = option.get(f"min{bound}"), option.get(f"max{bound}")
    if high is None:
        return f" of {low} or more {unit}" if low and low > 1 else ""
    return f" of {low or 0} to {high} {unit}"
