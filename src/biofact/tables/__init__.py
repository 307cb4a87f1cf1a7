"""Results as tables: columns, cells, text for spreadsheets, data frames. Its import gives ``to_frame`` to results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from biofact.core.records import Result, set_frame_maker


@dataclass(frozen=True, slots=True)
class TableHints:
    """The layout of a table of records, in their class as ``table_hints``. Columns never depend on it."""

    first: tuple[str, ...] = ()
    """Fields that a table without room for all shows first; the short form where there are none."""
    wrapped: tuple[str, ...] = ()
    """Texts that a table shows whole, on several lines."""
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    """The field to show where another is absent, such as the ID of what has no name."""


_NO_HINTS = TableHints()


def hints_of(row_class: type) -> TableHints:
    """The hints of a class of rows; empty ones where it declares none."""
    hints: TableHints = getattr(row_class, "table_hints", _NO_HINTS)
    return hints


def _frame(result: Result, library: Literal["polars", "pandas"] | None) -> Any:
    from biofact.tables import frames  # noqa: PLC0415  # every program has results, few make frames

    return frames.frame(result, library)


set_frame_maker(_frame)
