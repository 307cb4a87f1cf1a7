"""Answers as rows, one for each record, and rows as texts in columns that a tool declares. Pure."""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeGuard, TypeVar

from pydantic import BaseModel

from biofact.core.json_schema import without_keys
from biofact.core.records import Body, Result, compact_json
from biofact.core.tool import ToolSpec
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.schemas import leading_fields, row_model
from biofact.tables import columns, hints_of
from biofact.tables.columns import FAILURE, LIST, Column, listings, tool_columns
from biofact.tables.spreadsheet import Cell, text

T = TypeVar("T")

INPUT = columns.INPUT.name
"""The header of the column with the typed inputs."""
ROW = "row"
"""The key of the cells of the row of a table that an answer joins."""


def answer_rows(answer: ToolAnswer, inputs: Sequence[str], returns: type[Result]) -> list[Body]:
    """The rows of an answer about these inputs, each with its input; ``returns`` is the tool's declared result.

    A failure of the whole answer is a row for each input; of a search, which has none, it is none.
    """
    if answer.is_failure:
        return [{INPUT: name, **answer.body} for name in inputs]
    records = _records(answer.body, returns)
    if len(inputs) == 1:
        return [{INPUT: inputs[0], **record} for record in records]
    if inputs:  # a batch has an entry for each
        return [{INPUT: name, **record} for name, record in zip(inputs, records, strict=True)]
    return records


def is_record(body: Body, rows: Sequence[Body]) -> bool:
    """Whether an answer is itself the only row, so that its notices are the row's."""
    return len(rows) == 1 and all(rows[0].get(name) == value for name, value in body.items())


def failures(rows: Sequence[Body]) -> list[Body]:
    """The errors of rows that failed."""
    return [row["error"] for row in rows if row.get("success") is False]


def next_cursor(body: Mapping[str, Any]) -> str | None:
    """The cursor of the next page; None at the end."""
    cursor: str | None = body.get("pagination", body).get("cursor")
    return cursor


def row_lists(returns: type[Result]) -> tuple[str, ...]:
    """The fields of a result that hold rows; none where the result itself is the row."""
    return listings(returns) if returns.listed is None else (returns.listed,)


def _records(body: Body, returns: type[Result]) -> list[Body]:
    if returns.listed is not None:
        return list(body[returns.listed])
    if fields := listings(returns):
        return [{LIST.name: name, **record} for name in fields for record in body.get(name, ())]
    return [body]


JOINT = "|"
"""The separator of values in one cell."""
OBJECT_JOINT = " | "
"""The separator of objects in one cell, whose own values are separated by semicolons."""
_SCALARS = {int, float, bool}


class Layout(Protocol):
    """The columns of a command's rows."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of TSV and CSV, in order."""

    @property
    def leading(self) -> tuple[str, ...]:
        """The columns that a table shows first."""

    @property
    def wrapped(self) -> Collection[str]:
        """Columns whose texts a table shows whole."""

    @property
    def types(self) -> Mapping[str, type]:
        """The types of columns with numbers or yes and no."""

    @property
    def input_column(self) -> str:
        """The column with what was asked; empty where there is none."""

    def cells(self, row: Body) -> dict[str, Cell]:
        """A row by column, without empty ones: numbers as they are, all else as text."""

    def table_cells(self, row: Body) -> dict[str, str]:
        """The same for a person, who needs nothing twice."""

    def single(self, rows: Sequence[Body]) -> dict[str, str] | None:
        """Facts to show, one a line, in place of a table; None where rows are due."""


@dataclass(frozen=True, slots=True)
class ToolLayout:
    """The columns of a tool."""

    columns: tuple[Column, ...]
    leading: tuple[str, ...]
    model: type[BaseModel]
    """The model of its rows."""
    is_record: bool
    """Whether the answer is one record, not a list."""

    @classmethod
    def of(cls, spec: ToolSpec, arguments: Mapping[str, Any], *, input_count: int) -> "ToolLayout":
        """The layout of a tool's rows for these arguments."""
        open_fields = spec.returns.open_columns(arguments)
        names = {column.name: column.path[0] for column in tool_columns(spec, arguments)}
        model = row_model(spec)
        leading = (
            name
            for lead in leading_fields(model)
            for name, field_name in names.items()
            if name == lead or (field_name == lead and lead in open_fields)
        )
        first, last = ((INPUT,), tuple(column.name for column in FAILURE)) if input_count > 1 else ((), ())
        is_record = not row_lists(spec.returns) and input_count <= 1
        return cls(tool_columns(spec, arguments), (*first, *leading, *last), model, is_record)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of TSV and CSV, in order."""
        return tuple(column.name for column in self.columns)

    def with_names(self, names: Sequence[str]) -> "ToolLayout":
        """The layout of an answer that lists the columns of its rows itself."""
        named = tuple(Column(name, str, (name,)) for name in names)
        return replace(self, columns=named, leading=tuple(names))

    @property
    def wrapped(self) -> Collection[str]:
        """Columns whose texts a table shows whole."""
        return hints_of(self.model).wrapped

    @property
    def input_column(self) -> str:
        """The column with what was asked; empty where there is none."""
        return INPUT if columns.INPUT in self.columns else ""

    @property
    def types(self) -> Mapping[str, type]:
        """The types of columns with numbers or yes and no."""
        return {column.name: column.type for column in self.columns if column.type in _SCALARS and not column.is_list}

    def cells(self, row: Body) -> dict[str, Cell]:
        """A row by column, without empty ones: numbers as they are, all else as text."""
        return dict(self._cells(row, JOINT))

    def table_cells(self, row: Body) -> dict[str, str]:
        """The same for a person, who needs nothing twice: an ID equal to the input is left out."""
        cells = {name: cell(value) for name, value in self._cells(row, ", ")}
        if INPUT not in self.leading:
            cells.pop(INPUT, None)
        elif cells.get("id") == cells.get(INPUT):
            cells.pop("id", None)
        stand_ins = hints_of(self.model).stand_ins
        return cells | {name: cells[other] for name, other in stand_ins.items() if name not in cells and other in cells}

    def single(self, rows: Sequence[Body]) -> dict[str, str] | None:
        """The facts of the only record; none where it failed, which notes report."""
        if not self.is_record or len(rows) != 1:
            return None
        (row,) = rows
        return {} if row.get("success") is False else _facts(without_keys(row, self.input_column))

    def _cells(self, row: Body, joint: str) -> Iterator[tuple[str, Cell]]:
        for name, value in columns.row(row, self.columns).items():
            if isinstance(value, bool | int | float):
                yield name, value
            elif text := cell(value, joint):
                yield name, text


@dataclass(frozen=True, slots=True)
class PlainLayout:
    """The columns of rows that are no tool's."""

    names: tuple[str, ...]
    leading: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()
    types: Mapping[str, type] = field(default_factory=dict)
    input_column: str = ""

    def cells(self, row: Body) -> dict[str, Cell]:
        """A row as texts by column."""
        return {**flat(row)}

    def table_cells(self, row: Body) -> dict[str, str]:
        """The same for a person."""
        return flat(row, ", ")

    def single(self, _rows: Sequence[Body]) -> None:
        """None: a single row is shown as a row."""


@dataclass(slots=True)
class JoinedLayout:
    """The columns of a table that was read, and behind them those of the answers."""

    header: tuple[str, ...]
    column: int
    """The place of the column that was asked."""
    answers: Layout
    added: Mapping[str, str] = field(init=False)
    """The name of each column of the answers in the table, which may have one of that name already."""

    def __post_init__(self) -> None:
        names = (name for name in self.answers.names if name != self.answers.input_column)
        self.added = {name: self._free_name(name) for name in names}

    def _free_name(self, name: str) -> str:
        taken = {own.lower() for own in self.header}
        numbered = (f"biofact_{name}_{number}" for number in itertools.count(2))
        return next(each for each in itertools.chain((name, f"biofact_{name}"), numbered) if each.lower() not in taken)

    @property
    def input_column(self) -> str:
        """The column that was asked."""
        return self.header[self.column]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of a file, in order."""
        return (*self.header, *self.added.values())

    @property
    def leading(self) -> tuple[str, ...]:
        """The columns that a terminal shows first: the one that was asked, and what was answered."""
        answers = (self.added[name] for name in self.answers.leading if name in self.added)
        return (self.input_column, *answers)

    @property
    def wrapped(self) -> Collection[str]:
        """Columns whose texts a table shows whole."""
        return {self.added[name] for name in self.answers.wrapped if name in self.added}

    @property
    def types(self) -> Mapping[str, type]:
        """The types of columns with numbers or yes and no."""
        return {self.added[name]: kind for name, kind in self.answers.types.items() if name in self.added}

    def cells(self, row: Body) -> dict[str, Cell]:
        """A row by column: the table's own cells as they are."""
        answers = self.answers.cells(without_keys(row, ROW)) if len(row) > 1 else {}
        own: dict[str, Cell] = row[ROW]
        return own | self._renamed(answers)

    def table_cells(self, row: Body) -> dict[str, str]:
        """The same for a person."""
        answers = self.answers.table_cells(without_keys(row, ROW)) if len(row) > 1 else {}
        own = {name: " ".join(text(value).split()) for name, value in row[ROW].items()}
        return own | self._renamed(answers)

    def single(self, _rows: Sequence[Body]) -> None:
        """None: a row of a table is shown as a row."""

    def _renamed(self, cells: Mapping[str, T]) -> dict[str, T]:
        return {self.added[name]: value for name, value in cells.items() if name in self.added}


def cell(value: object, joint: str = JOINT) -> str:
    """A value in one cell; an object without declared keys is JSON."""
    match value:
        case None:
            return ""
        case dict():
            return compact_json(value) if value else ""
        case list():
            return (OBJECT_JOINT if is_table(value) else joint).join(_item(item) for item in value)
        case bool():
            return str(value).lower()
    return " ".join(str(value).split())


def _item(value: object) -> str:
    """One value of a list; the values of an object are separated by semicolons."""
    if isinstance(value, dict):
        return "; ".join(flat(value).values())
    return cell(value, ",")


def flat(record: Mapping[str, object], joint: str = ",") -> dict[str, str]:
    """A record as texts by name; nested names are joined with a dot."""
    texts: dict[str, str] = {}
    for name, value in record.items():
        if name == "notices":
            continue
        if isinstance(value, dict):
            texts |= {f"{name}.{key}": text for key, text in flat(value, joint).items()}
        else:
            texts[name] = cell(value, joint)
    return texts


def _facts(record: Body) -> dict[str, str]:
    """A record for a person: each object of a list has its own line."""
    tables = {name: value for name, value in record.items() if name != "notices" and is_table(value)}
    plain = flat({name: None if name in tables else value for name, value in record.items()}, ", ")
    return plain | {name: "\n".join(map(_line, value)) for name, value in tables.items()}


def _line(item: Mapping[str, object]) -> str:
    """The facts of one object; of a list of objects within it their number."""
    facts = {name: f"({len(value)})" if is_table(value) else value for name, value in item.items()}
    return "- " + "; ".join(f"{name} {text}" for name, text in flat(facts, ", ").items() if text)


def is_table(value: object) -> TypeGuard[list[dict[str, object]]]:
    """Whether it is a list of objects."""
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)
