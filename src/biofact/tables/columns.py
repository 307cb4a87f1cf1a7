"""Results as tables: columns that follow from a type, never from the rows, and the cells of a record. Pure."""

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
from biofact.core.tool import ToolSpec
from biofact.tables import TableForm, form_of

_NO_FACTS = ("notices", "success")  # fields that are no facts: notices, and the mark of a failure
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
"""The first column where rows come from several lists: the list of each row."""

INPUT = Column("input", str, ("input",))
"""The first column of a tool that answers about IDs or names: what was asked."""
MESSAGE = Column("message", str, ("error", "message"))
FAILURE = (Column("error", str, ("error", "code")), MESSAGE)
"""The last columns of such a tool."""
_LONE_FAILURE = (Column("input", str, ("error", "invalid_input")), *FAILURE)
"""The columns of a failure whose tool is not known."""


def columns(result_type: Any) -> tuple[Column, ...]:
    """The columns of what a tool returns: of the rows, where that is a list, else of the record.

    ``result_type`` is written as the tool has it, a union too. All classes that a row can be of have their columns
    there, so that they never depend on the rows; those of a failure in a batch come last.

    Raises:
        TypeError: the type does not say what its rows are, or two of its fields lead to the same column.
    """
    whole = [option for option in _options(result_type) if _is_object(option)]
    with_lists = [option for option in whole if listings(option)]
    if with_lists:
        row_classes = [row for option in with_lists for name in listings(option) for row in _row_options(option, name)]
        return (LIST, *_united(row_classes, ()))
    return _united([row for option in whole for row in _rows_of(option)], ())


def tool_columns(spec: ToolSpec, arguments: Mapping[str, Any]) -> tuple[Column, ...]:
    """The columns of a tool's rows for these arguments: what was asked, if it is about IDs or names, the fields of its
    records, and the failure of one; those of the form of its rows, where they have one.
    """
    if form := row_form(spec.returns):
        return form_columns(form, arguments)
    open_keys = spec.returns.open_columns(arguments)
    names_of_failures = {column.name for column in _LONE_FAILURE}
    fields = tuple(
        part
        for column in columns(spec.returns)
        if column.name not in names_of_failures
        for part in _split(column, open_keys.get(column.name, ()))
    )
    return (INPUT, *fields, *FAILURE) if spec.entities else fields


def form_columns(form: TableForm, arguments: Mapping[str, Any]) -> tuple[Column, ...]:
    """The columns of rows that have a form, for these arguments."""
    own_columns = (column for name, kind in form.columns.items() for column in _field_columns((name,), kind))
    return (*own_columns, *(Column(name, str, (name,)) for name in form.further_columns(arguments)))


def _split(column: Column, parts: Sequence[str]) -> Sequence[Column]:
    """A column for each part of a field with keys of the caller's choice; else the field's own column."""
    if not parts:
        return [column]
    return [Column(f"{column.name}.{part}", dict, (*column.path, *part.split("."))) for part in parts]


def row_form(result_type: type[Result]) -> TableForm | None:
    """The form of a result's rows, if they have one."""
    return next(filter(None, map(form_of, _rows_of(result_type))), None)


def listings(result_type: type) -> tuple[str, ...]:
    """The fields with the rows, of a result that has several lists of records; of any other none."""
    if issubclass(result_type, Record) or not issubclass(result_type, Result) or result_type.listed:
        return ()
    names = [name for name in result_type.model_fields if any(map(_is_record, _row_options(result_type, name)))]
    return tuple(names) if len(names) > 1 else ()


def named_columns(names: Sequence[str], rows: Collection[Mapping[str, Any]]) -> tuple[Column, ...]:
    """Columns that an answer names itself, for rows whose keys are the caller's choice; typed as the cells are."""
    kinds = {name: {_cell_type(type(row[name])) for row in rows if row.get(name) is not None} for name in names}
    return tuple(Column(name, _common(kinds[name]) if kinds[name] else str, (name,)) for name in names)


def row(record: BaseModel | Mapping[str, Any], columns: Sequence[Column]) -> dict[str, object]:
    """The cells of a record, or of its JSON, by the names of their columns; what is absent has none."""
    body = record.model_dump(by_alias=True) if isinstance(record, BaseModel) else record
    cells = ((column.name, _value(body, column.path)) for column in columns)
    return {name: value for name, value in cells if value is not None}


def rows(result: Result, columns: Sequence[Column]) -> Iterator[dict[str, object]]:
    """The cells of a result, row by row."""
    for name, record in records(result):
        yield ({LIST.name: name} if name else {}) | row(record, columns)


def records(result: Result) -> Iterator[tuple[str, Any]]:
    """The record of each row, with the list that it stands in; without a name of the only list, or of itself."""
    if lists := listings(type(result)):
        yield from ((name, record) for name in lists for record in getattr(result, name) or ())
    else:
        yield from (("", record) for record in (getattr(result, result.listed) if result.listed else [result]))


def _rows_of(result_type: Any) -> list[Any]:
    """The classes of a result's rows; of a record itself."""
    if not issubclass(result_type, Result) or result_type.listed is None:
        return [result_type]
    row_classes = list(getattr(result_type, "row_types", ())) or _row_options(result_type, result_type.listed)
    if unknown := [option for option in row_classes if not _is_object(option)]:
        raise TypeError(f"The rows of {result_type.__name__} are {unknown[0]}; name their classes.")
    return row_classes


def _row_options(result_type: type[Result], name: str) -> list[Any]:
    """The types of a list field's items; none for another field."""
    lists = [
        list_type
        for list_type in _options(result_type.model_fields[name].annotation)
        if get_origin(list_type) in _LISTS
    ]
    return [option for list_type in lists for item in get_args(list_type)[:1] for option in _options(item)]


def _united(models: Sequence[Any], path: tuple[str, ...]) -> tuple[Column, ...]:
    """The columns of all these classes and those that extend them: the fullest class first, then what it lacks."""
    # a failure's key is True, which sorts as 1 behind the counts of the others, all 0 or less
    by_fullness = sorted(dict.fromkeys(models), key=lambda model: _is_failure(model) or -_base_count(model, models))
    by_name: dict[str, Column] = {}
    for model in (member for family in map(_family, by_fullness) for member in family):
        for column in _LONE_FAILURE if _is_failure(model) else _fields(model, path):
            first = by_name.setdefault(column.name, column)
            if first != column:
                by_name[column.name] = _wider_column(first, column)
    return tuple(by_name.values())


def _wider_column(column: Column, other: Column) -> Column:
    """The column of two fields that share a key: JSON where they have nothing in common."""
    if column.path != other.path:
        raise TypeError(f"Two fields share the column {column.name!r}: {column.path}, {other.path}.")
    if column.is_list != other.is_list:
        return replace(column, type=dict, is_list=False)
    return replace(column, type=_common({column.type, other.type}))


def _base_count(model: Any, models: Sequence[Any]) -> int:
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
    columns: list[Column] = []
    for name, annotation in _annotations(model).items():
        if name not in _NO_FACTS or not issubclass(model, Result | ErrorEnvelope):
            columns.extend(_field_columns((*path, name), annotation))
    return tuple(columns)


def _annotations(model: Any) -> dict[str, Any]:
    """The fields of a class by their JSON keys."""
    if dataclasses.is_dataclass(model):
        hints = get_type_hints(model)
        return {field.name: hints[field.name] for field in dataclasses.fields(model)}
    fields = model.model_fields.items()
    return {field.serialization_alias or field.alias or name: field.annotation for name, field in fields}


def _field_columns(path: tuple[str, ...], annotation: Any) -> Sequence[Column]:
    """The columns of one field: those of a nested object, else one."""
    options = list(_options(annotation))
    if options and all(map(_is_object, options)):
        return _united(options, path)
    items = [_options(get_args(option)[0]) if get_args(option) else [Any] for option in options if _is_list(option)]
    scalars = [option for option in options if not _is_list(option)]
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
    """The types of an annotation, without None and metadata."""
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
