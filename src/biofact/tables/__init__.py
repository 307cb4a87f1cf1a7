"""Results as tables: columns, cells, text for spreadsheets, data frames. Its import gives ``to_frame`` to results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from biofact.core.records import Body, Result, set_frame_maker


@dataclass(frozen=True, slots=True)
class TableHints:
    """The layout of a table of records, in their class as ``table_hints``. Columns never depend on it."""

    first: tuple[str, ...] = ()
    """Fields that a table without room for all shows first; the short form where there are none."""
    wrapped: tuple[str, ...] = ()
    """Texts that a table shows whole, on several lines."""
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    """The field to show where another is absent, such as the ID of what has no name."""


@dataclass(frozen=True, slots=True)
class TableForm:
    """The columns of records that do not stand in a table field by field, in their class as ``table_form``."""

    columns: Mapping[str, Any]
    """The type of each column's cells, by name."""
    cells: Callable[[Body], Mapping[str, object]]
    """The cells of a record's or failure's JSON, with what was asked in ``input_column``."""
    input_column: str
    input_argument: str
    """The argument of the tool that what was asked stands in."""
    further_columns: Callable[[Mapping[str, Any]], Sequence[str]]
    """Columns of texts that a call with these arguments adds."""


_NO_HINTS = TableHints()


def hints_of(row_class: type) -> TableHints:
    """The hints of a class of rows; empty ones where it declares none."""
    hints: TableHints = getattr(row_class, "table_hints", _NO_HINTS)
    return hints


def form_of(row_class: type) -> TableForm | None:
    """The form of a class of rows; None where each field is a column."""
    return getattr(row_class, "table_form", None)


def _frame(result: Result, library: Literal["polars", "pandas"] | None) -> Any:
    from biofact.tables import frames  # noqa: PLC0415  # every program has results, few make frames

    return frames.frame(result, library)


set_frame_maker(_frame)
