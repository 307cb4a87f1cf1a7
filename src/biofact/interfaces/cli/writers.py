"""Writers of rows, a form each: at a terminal, into a pipe, or into a file that takes its place when all is written."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from biofact.interfaces import result_json, terminal
from biofact.interfaces.cli import files
from biofact.interfaces.cli.cells import MESSAGE, Layout
from biofact.interfaces.cli.forms import LineForm
from biofact.interfaces.cli.tables import Table, write_grid
from biofact.interfaces.cli.targets import Target
from biofact.interfaces.result_json import Body
from biofact.tables.spreadsheet import csv_text

ROWS_OF_A_TABLE = 1000
"""That are read before the first of them is written: the columns have to fit them."""
WriteText = Callable[[str], None]


class Writer(Protocol):
    """Writes rows as they come."""

    def write(self, rows: Sequence[Body]) -> None:
        """Write these rows behind those before."""

    def end(self) -> Iterable[str]:
        """Write what is held back; what is to be said of the form itself."""


def is_shown_while_read(target: Target) -> bool:
    """Whether rows appear at the terminal as they come, so that a bar would stand in their way."""
    return target.form not in {"table", "json"} and target.file is None and sys.stdout.isatty()


@contextmanager
def text_writer(target: Target) -> Iterator[WriteText]:
    """What writes text where an answer is to go: a file is there as a whole in the end, or as it was before. Without
    an answer it stays as it was, too.
    """
    with ExitStack() as stack:
        if target.file is None:
            yield _stdout_writer(is_json=target.form in {"json", "jsonl"})
        else:
            yield _file_writer(target.file, stack)


def _stdout_writer(*, is_json: bool) -> WriteText:
    def write(text: str) -> None:
        if sys.stdout.isatty():
            terminal.write(terminal.plain_json(text) if is_json else text.replace("\r\n", "\n"))
        else:
            encoding = sys.stdout.encoding or "utf-8"
            terminal.write_bytes(text.encode(encoding, "replace"))  # lines end as the form has it

    return write


def _file_writer(file: Path, stack: ExitStack) -> WriteText:
    opened: list[BinaryIO] = []

    def write(text: str) -> None:
        if not opened:
            opened.append(stack.enter_context(files.replacing(file)))
        opened[0].write(text.encode())

    return write


def row_writer(layout: Layout, target: Target, write_text: WriteText) -> Writer:
    """The writer of a form, of rows in this layout."""
    names = target.columns or layout.names
    if target.form == "table":
        return _table_writer(layout, target.columns)
    if target.form == "jsonl":
        return JsonLineWriter(write_text)
    if target.form == "json":
        return JsonListWriter(write_text)
    return LineWriter(layout, names, "tsv" if target.form == "tsv" else "csv", write_text)


def _table_writer(layout: Layout, columns: Sequence[str]) -> "TableWriter":
    """That of a table with these columns alone, or with what a person needs: notes say the messages."""
    names = columns or [name for name in layout.names if name != MESSAGE]
    table = Table(names, columns or layout.leading, layout.wrapped, "--format tsv")
    return TableWriter(layout, table, has_chosen_columns=bool(columns))


@dataclass(slots=True)
class TableWriter:
    """A table, whose columns fit the rows that it begins with."""

    layout: Layout
    table: Table
    has_chosen_columns: bool = False
    waiting: list[Body] = field(default_factory=list)

    def write(self, rows: Sequence[Body]) -> None:
        """Write these rows behind those before."""
        self.waiting += rows
        if len(self.waiting) >= ROWS_OF_A_TABLE:
            self._flush()

    def end(self) -> Iterable[str]:
        """Write what is held back; what is to be said of the form itself."""
        facts = None if self.has_chosen_columns or self.table.fit else self.layout.single(self.waiting)
        if facts is not None:
            write_grid(facts)
        elif self.waiting or self.table.fit is None:
            self._flush()
        return self.table.notes()

    def _flush(self) -> None:
        cells = self.layout.cells if self.has_chosen_columns else self.layout.table_cells
        self.table.write(map(cells, self.waiting))
        self.waiting = []


@dataclass(slots=True)
class LineWriter:
    """TSV or CSV under a header, which is there without rows, too."""

    layout: Layout
    names: Sequence[str]
    form: LineForm
    write_text: WriteText
    has_header: bool = False

    def write(self, rows: Sequence[Body]) -> None:
        """Write these rows behind those before."""
        lines = [] if self.has_header else [list(self.names)]
        self.has_header = True
        lines += [[cells.get(name, "") for name in self.names] for cells in map(self.layout.cells, rows)]
        self.write_text(_tsv(lines) if self.form == "tsv" else csv_text(lines))

    def end(self) -> Iterable[str]:
        """Write what is held back; what is to be said of the form itself."""
        if not self.has_header:
            self.write([])
        return ()


@dataclass(slots=True)
class JsonLineWriter:
    """A row as JSON in each line."""

    write_text: WriteText

    def write(self, rows: Sequence[Body]) -> None:
        """Write these rows behind those before."""
        self.write_text("".join(f"{result_json.text(row)}\n" for row in rows))

    def end(self) -> Iterable[str]:
        """Write what is held back; what is to be said of the form itself."""
        return ()


@dataclass(slots=True)
class JsonListWriter:
    """One document with all rows in it."""

    write_text: WriteText
    rows: list[Body] = field(default_factory=list)

    def write(self, rows: Sequence[Body]) -> None:
        """Write these rows behind those before."""
        self.rows += rows

    def end(self) -> Iterable[str]:
        """Write what is held back; what is to be said of the form itself."""
        self.write_text(terminal.indented_json({"items": self.rows, "pagination": whole_list(len(self.rows))}))
        return ()


def whole_list(size: int) -> dict[str, int | None]:
    """Where a list stands that is there to its end."""
    return {"cursor": None, "total_count": size, "page_size": size}


def _tsv(lines: Iterable[Sequence[str]]) -> str:
    return "".join("\t".join(line) + "\n" for line in lines)
