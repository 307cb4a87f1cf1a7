"""What a result is as a table: the columns of its type, whatever the rows hold, and the cells of a record. Pure."""

import dataclasses
import functools
import inspect
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from biofact.core.envelopes import ErrorEnvelope
from biofact.core.records import Record, Result

_BESIDE = ("notices", "success")  # of a record: what is said about it, and how an envelope is told from a record
_LISTS = (list, tuple, set, frozenset, Sequence, Collection)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    """As the keys of the JSON, joined by dots where they are nested: ``cross_references.hgnc``."""
    type: type
    """``str``, ``int``, ``float`` or ``bool``, of a list's items too; ``dict`` for objects, as JSON has them."""
    path: tuple[str, ...]
    """The keys that lead to the value in the JSON of a record."""
    is_list: bool = False


LIST = Column("list", str, ("list",))
"""Leads where the rows come from several lists: in which of them a row stands."""

_FAILURE = (
    Column("input", str, ("error", "invalid_input")),
    Column("error", str, ("error", "code")),
    Column("message", str, ("error", "message")),
)


def columns(result_type: Any) -> tuple[Column, ...]:
    """The columns of what a tool returns: of the rows, where that is a list, else of the record.

    ``result_type`` is written as the tool has it, a union too. All classes that a row can be of have their columns
    there, so that they never depend on the rows; those of a failure in a batch come last.

    Raises:
        TypeError: the type does not say what its rows are, or two of its fields lead to the same column.
    """
    whole = [option for option in _options(result_type) if _is_object(option)]
    several = [one for one in whole if listings(one)]
    if several:
        rows = [option for one in several for name in listings(one) for option in _row_options(one, name)]
        return (LIST, *_united(rows, ()))
    return _united([option for one in whole for option in _rows_of(one)], ())


def listings(result_type: type) -> tuple[str, ...]:
    """The fields with the rows, of a result that has several lists of records; of any other none."""
    if issubclass(result_type, Record) or not issubclass(result_type, Result) or result_type.listed:
        return ()
    names = [name for name in result_type.model_fields if any(map(_is_record, _row_options(result_type, name)))]
    return tuple(names) if len(names) > 1 else ()


def stated(names: Sequence[str], rows: Collection[Mapping[str, Any]]) -> tuple[Column, ...]:
    """The columns that an answer names itself, of rows whose keys are the caller's choice; typed as the cells are."""
    kinds = {name: {_cell_type(type(one[name])) for one in rows if one.get(name) is not None} for name in names}
    return tuple(Column(name, _common(kinds[name]) if kinds[name] else str, (name,)) for name in names)


def row(record: BaseModel | Mapping[str, Any], columns: Sequence[Column]) -> dict[str, object]:
    """The cells of a record, or of its JSON, by the names of their columns; what is absent has none."""
    body = record.model_dump(by_alias=True) if isinstance(record, BaseModel) else record
    found = ((column.name, _value(body, column.path)) for column in columns)
    return {name: value for name, value in found if value is not None}


def rows(result: Result, columns: Sequence[Column]) -> Iterator[dict[str, object]]:
    """The cells of a result, row by row: of its list, or of its several lists; of a record the one row."""
    if several := listings(type(result)):
        for name in several:
            for record in getattr(result, name) or ():
                yield {LIST.name: name, **row(record, columns)}
    else:
        for record in getattr(result, result.listed) if result.listed else [result]:
            yield row(record, columns)


def _rows_of(result_type: Any) -> list[Any]:
    """The classes of a result's rows; of a record itself."""
    if not issubclass(result_type, Result) or result_type.listed is None:
        return [result_type]
    found = list(getattr(result_type, "row_types", ())) or _row_options(result_type, result_type.listed)
    if unknown := [option for option in found if not _is_object(option)]:
        raise TypeError(f"The rows of {result_type.__name__} are {unknown[0]}; name their classes.")
    return found


def _row_options(result_type: type[Result], name: str) -> list[Any]:
    """What the items of a list field can be; nothing for another field."""
    found = [one for one in _options(result_type.model_fields[name].annotation) if get_origin(one) in _LISTS]
    return [option for one in found for item in get_args(one)[:1] for option in _options(item)]


def _united(models: Sequence[Any], path: tuple[str, ...]) -> tuple[Column, ...]:
    """The columns of all these classes and those that extend them: the fullest class first, then what it lacks."""
    ordered = sorted(dict.fromkeys(models), key=lambda model: _is_failure(model) or -_extended(model, models))
    found: dict[str, Column] = {}
    for model in (one for given in ordered for one in _family(given)):
        for column in _FAILURE if _is_failure(model) else _fields(model, path):
            known = found.setdefault(column.name, column)
            if known != column:
                found[column.name] = _widened(known, column)
    return tuple(found.values())


def _widened(one: Column, other: Column) -> Column:
    """The column of two fields that share a key: JSON where they have nothing in common."""
    if one.path != other.path:
        raise TypeError(f"Two fields share the column {one.name!r}: {one.path}, {other.path}.")
    if one.is_list != other.is_list:
        return replace(one, type=dict, is_list=False)
    return replace(one, type=_common({one.type, other.type}))


def _extended(model: Any, models: Sequence[Any]) -> int:
    return sum(issubclass(model, other) for other in models if inspect.isclass(other))


def _family(model: Any) -> Iterator[Any]:
    """A class and the ones that extend it where it is defined, which a field of this class holds as well."""
    yield model
    for other in model.__subclasses__():
        if other.__module__ == model.__module__ and not get_args(other) and not _is_parametrised(other):
            yield from _family(other)


def _is_parametrised(model: Any) -> bool:
    return bool(getattr(model, "__pydantic_generic_metadata__", {}).get("args"))


@functools.cache
def _fields(model: Any, path: tuple[str, ...]) -> tuple[Column, ...]:
    """The columns of one class, in the order of its fields."""
    found: list[Column] = []
    for name, annotation in _annotations(model).items():
        if name not in _BESIDE or not issubclass(model, Result | ErrorEnvelope):
            found.extend(_of_field((*path, name), annotation))
    return tuple(found)


def _annotations(model: Any) -> dict[str, Any]:
    """The fields of a class by their JSON keys."""
    if dataclasses.is_dataclass(model):
        hints = get_type_hints(model)
        return {field.name: hints[field.name] for field in dataclasses.fields(model)}
    fields = model.model_fields.items()
    return {field.serialization_alias or field.alias or name: field.annotation for name, field in fields}


def _of_field(path: tuple[str, ...], annotation: Any) -> Sequence[Column]:
    """The columns of one field: those of a nested object, else one."""
    options = list(_options(annotation))
    if options and all(map(_is_object, options)):
        return _united(options, path)
    items = [_options(get_args(one)[0]) if get_args(one) else [Any] for one in options if _is_list(one)]
    scalars = [one for one in options if not _is_list(one)]
    if items and scalars:
        raise TypeError(f"{'.'.join(path)} is a list or none: {annotation}.")
    kinds = {_cell_type(option) for item in items or [scalars] for option in item}
    return [Column(".".join(path), _common(kinds), path, is_list=bool(items))]


def _common(kinds: set[type]) -> type:
    """The one type of cells that can be of these."""
    if kinds == {int, float}:
        return float
    return kinds.pop() if len(kinds) == 1 else dict


def _cell_type(option: Any) -> type:
    """A scalar's type; ``dict`` for whatever is no scalar."""
    if get_origin(option) is Literal:
        return _common({type(value) for value in get_args(option)})
    return next(
        (kind for kind in (bool, int, float, str) if inspect.isclass(option) and issubclass(option, kind)), dict
    )


def _options(annotation: Any) -> Iterator[Any]:
    """The types that an annotation leaves open, without None and what is noted beside them."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _options(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for option in get_args(annotation):
            yield from _options(option)
    elif isinstance(annotation, TypeVar):
        yield Any
    elif annotation not in (None, types.NoneType):
        yield annotation


def _is_list(option: Any) -> bool:
    return (get_origin(option) or option) in _LISTS


def _is_object(option: Any) -> bool:
    return inspect.isclass(option) and (issubclass(option, BaseModel) or dataclasses.is_dataclass(option))


def _is_record(option: Any) -> bool:
    return inspect.isclass(option) and issubclass(option, Record)


def _is_failure(option: Any) -> bool:
    return inspect.isclass(option) and issubclass(option, ErrorEnvelope)


def _value(body: Any, path: Sequence[str]) -> Any:
    for name in path:
        if not isinstance(body, Mapping):
            return None
        body = body.get(name)
    return body
