"""Results as data frames of polars or pandas, whichever is installed; neither is a dependency."""

import importlib
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, Literal

import orjson

from biofact.core.envelopes import ErrorEnvelope
from biofact.core.records import ClientMethod, Result
from biofact.core.tool import ToolSpec, spec_of
from biofact.tables import TableForm
from biofact.tables.columns import (
    INPUT,
    Column,
    columns,
    form_columns,
    named_columns,
    records,
    row_form,
    rows,
    tool_columns,
)

Library = Literal["polars", "pandas"]

_NOTICES = Column("notices", str, ("notices",), is_list=True)
"""The notices of a row: on a screen they stand beside the table."""
_POLARS = {str: "String", int: "Int64", float: "Float64", bool: "Boolean"}
_PANDAS = {str: "string", int: "Int64", float: "Float64", bool: "boolean"}


def frame(result: Result, library: Library | None = None) -> Any:
    """The rows of a result in the library named, or else in the first that is installed.

    Raises:
        ImportError: it is not installed, or none is.
    """
    name = library or _installed()
    module = importlib.import_module(name)
    table = (*result_columns(result), _NOTICES)
    cells = list(_rows(result, table))
    values = {column.name: [_cell(row.get(column.name), column) for row in cells] for column in table}
    return _polars(module, table, values) if name == "polars" else _pandas(module, table, values)


def result_columns(result: Result) -> tuple[Column, ...]:
    """The columns of a result: those of the tool that it answers, as the terminal has them, or those that it names
    itself.

    Raises:
        TypeError: it is an empty list that no method answered and whose type does not say what would be in it.
    """
    if names := getattr(result, "columns", ()):
        return named_columns(names, getattr(result, result.listed or ""))
    if spec := _tool(result.question):
        return tool_columns(spec, result.question.arguments)
    result_type = _type_of(result)
    form = row_form(result_type)
    return form_columns(form, {}) if form else columns(result_type)


def _tool(question: ClientMethod) -> ToolSpec | None:
    return None if question.client_class is None else spec_of(question.client_class, question.method)


def _type_of(result: Result) -> Any:
    result_type = type(result)
    items = getattr(result, result_type.listed) if result_type.listed else ()
    if items and getattr(result_type, "__parameters__", ()):  # a list of whatever
        kinds: Any = reduce(or_, dict.fromkeys(map(type, items)))
        return result_type[kinds]  # type: ignore[index]  # which has parameters
    return result_type


def _rows(result: Result, table: Sequence[Column]) -> Iterator[dict[str, Any]]:
    """The cells of each row, with its input and notices."""
    spec = _tool(result.question)
    form = row_form(_type_of(result) if spec is None else spec.returns)
    for input_cell, cells, (_, record) in zip(
        _inputs(result, spec, form), rows(result, table), records(result), strict=True
    ):
        if form:
            yield {**form.cells({**input_cell, **record.model_dump(by_alias=True)}), **_notices(record)}
        else:
            yield {**input_cell, **cells, **_notices(record)}


def _inputs(result: Result, spec: ToolSpec | None, form: TableForm | None) -> list[dict[str, Any]]:
    """The input of each row, by its column; of a failure alone where rows were added, taken away or moved since."""
    rows_of_result = [record for _, record in records(result)]
    arguments = result.question.arguments
    column, argument = INPUT.name, spec.entities.name if spec and spec.entities else ""
    if form:
        column, argument = form.input_column, form.input_argument
    value = arguments.get(argument)
    failed = [record.error.invalid_input if isinstance(record, ErrorEnvelope) else None for record in rows_of_result]
    if not isinstance(value, list | tuple):
        return [{column: value if error is None else error} for error in failed]
    is_in_place = len(value) == len(failed) and all(
        error is None or error == item for error, item in zip(failed, value, strict=True)
    )
    return [{column: item} for item in (value if is_in_place else failed)]


def _installed() -> Library:
    for library in ("polars", "pandas"):
        if importlib.util.find_spec(library):
            return library
    raise ImportError("A data frame needs polars or pandas: pip install polars, or pip install pandas.")


def _notices(record: Any) -> dict[str, Any]:
    notices = getattr(record, "notices", ())
    return {_NOTICES.name: [notice.message for notice in notices]} if notices else {}


def _cell(value: Any, column: Column) -> Any:
    """A cell as the column holds it; objects as JSON."""
    if value is None or (column.is_list and column.type is not dict):
        return value
    if value != value:  # noqa: PLR0124  # NaN, as data frames have it
        return None
    if column.type is float:
        return float(value)
    if column.type is str and not isinstance(value, str | Mapping | list | tuple):
        return str(value)
    return value if isinstance(value, column.type) and column.type is not dict else orjson.dumps(value).decode()


def _polars(library: Any, columns: Sequence[Column], values: dict[str, list[Any]]) -> Any:
    kinds = {column.name: getattr(library, _POLARS.get(column.type, "String")) for column in columns}
    lists = {column.name for column in columns if column.is_list and column.type is not dict}
    schema = {name: library.List(kind) if name in lists else kind for name, kind in kinds.items()}
    return library.DataFrame(values, schema=schema)


def _pandas(library: Any, columns: Sequence[Column], values: dict[str, list[Any]]) -> Any:
    series = {
        column.name: library.Series(
            values[column.name],
            dtype="object" if column.is_list and column.type is not dict else _PANDAS.get(column.type, "string"),
        )
        for column in columns
    }
    return library.DataFrame(series, columns=[column.name for column in columns])
