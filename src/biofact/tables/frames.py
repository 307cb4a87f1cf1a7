"""Results as data frames of polars or pandas, whichever is installed; neither is a dependency."""

import importlib
import importlib.util
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, Literal, get_type_hints

import orjson

from biofact.core.records import Result
from biofact.tables.columns import Column, columns, named_columns, records, rows

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
    fact_columns = result_columns(result)
    pairs = zip(rows(result, fact_columns), records(result), strict=True)
    cells = [{**row, **_notices(record)} for row, (_, record) in pairs]
    table = (*fact_columns, _NOTICES)
    values = {column.name: [_cell(row.get(column.name), column) for row in cells] for column in table}
    return _polars(module, table, values) if name == "polars" else _pandas(module, table, values)


def result_columns(result: Result) -> tuple[Column, ...]:
    """The columns of a result: those of the method that it answers, or those that it names itself.

    Raises:
        TypeError: it is an empty list that no method answered and whose type does not say what would be in it.
    """
    if names := getattr(result, "columns", ()):
        return named_columns(names, getattr(result, result.listed or ""))
    return columns(_type_of(result))


def _type_of(result: Result) -> Any:
    question = result.question
    if question.client_class is not None:
        return get_type_hints(getattr(question.client_class, question.method))["return"]
    result_type = type(result)
    items = getattr(result, result_type.listed) if result_type.listed else ()
    if items and getattr(result_type, "__parameters__", ()):  # a list of whatever
        kinds: Any = reduce(or_, dict.fromkeys(map(type, items)))
        return result_type[kinds]  # type: ignore[index]  # which has parameters
    return result_type


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
    if column.type is float:
        return float(value)
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
