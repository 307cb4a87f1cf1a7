"""Writers of rows, summaries and content: a table at a terminal, lines or JSON into a pipe or a file."""

import codecs
import difflib
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from biofact.core.records import Body, compact_json
from biofact.core.usage import WrongUsage
from biofact.interfaces import terminal
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli import files
from biofact.interfaces.cli.notes import Notes
from biofact.interfaces.cli.options import Form, choose_form
from biofact.interfaces.cli.rows import JoinedLayout, Layout, flat
from biofact.tables.columns import MESSAGE
from biofact.tables.input_file import InputFile
from biofact.tables.output_file import ParquetWriter, WorkbookWriter
from biofact.tables.spreadsheet import Cell, csv_text, text, tsv_text

if TYPE_CHECKING:
    from rich.console import OverflowMethod


_WITHOUT_COLUMNS = {"json", "jsonl"}
_MOST_NAMED = 20
"""Columns that a hint lists."""


@dataclass(frozen=True, slots=True)
class Target:
    """The form and the place of an answer."""

    form: Form
    file: Path | None = None
    columns: tuple[str, ...] = ()
    """The columns to show, in their order; all columns where it is empty."""
    has_provenance: bool = False
    has_header: bool = True
    allows_failed_rows: bool = False
    delimiter: str = ","
    """The character between the cells of CSV."""
    schema: Any = None
    """The types of columns of Parquet that were read."""

    def joined(self, file: InputFile, layout: JoinedLayout) -> "Target":
        """The target of rows of the file with what is added: its columns before those that were chosen, its form."""
        chosen = tuple(layout.added[name] for name in self.columns if name in layout.added)
        columns = (*layout.header, *chosen) if self.columns else ()
        return replace(self, columns=columns, delimiter=file.delimiter, schema=file.schema)

    def exit_code(self, notes: Notes) -> int:
        """1 if anything failed; 0 if some rows did, and may."""
        is_allowed = self.allows_failed_rows and notes.failed_row_count < notes.row_count
        return 1 if notes.failed and not is_allowed else 0


def choose_target(options: Mapping[str, Any], names: Sequence[str], command: str, default: Form = "json") -> Target:
    """The target that the options of a command choose; ``names`` are the columns of its rows.

    Raises:
        WrongUsage: they do not fit each other, or the command has no such column.
        FileNotWritten: the file cannot be written.
    """
    file = None if options["output"] is None else files.writable(options["output"])
    columns = [name.strip() for name in (options["columns"] or "").split(",") if name.strip()]
    form = choose_form(options["format"], file, "tsv" if columns else default)
    if columns and form in _WITHOUT_COLUMNS:
        raise WrongUsage(f"{form} has no columns.", hint="Give --format tsv, csv or table with --columns.")
    full_names = tuple(_full_name(name, names, command) for name in columns)
    has_header = not options.get("no_header")
    if not has_header and form not in {"tsv", "csv"}:
        raise WrongUsage(f"{form} has no header line to leave out.", hint="Give --format tsv or csv with --no-header.")
    allows_failed_rows = bool(options.get("allow_failed_rows"))
    return Target(form, file, full_names, bool(options["provenance"]), has_header, allows_failed_rows)


def _full_name(name: str, names: Sequence[str], command: str) -> str:
    """The column with this name, or the only one that ends in it (``hgnc``)."""
    matches = [name] if name in names else [column for column in names if column.endswith(f".{name}")]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise WrongUsage(f"Several columns end in {name!r:.80}.", hint=f"Give one of {', '.join(matches)}.")
    close = difflib.get_close_matches(name, names, n=1)
    rest = f" and {len(names) - _MOST_NAMED} more, as the first line of --format tsv" if names[_MOST_NAMED:] else ""
    hint = f"{f'Did you mean {close[0]}? ' if close else ''}The columns are {', '.join(names[:_MOST_NAMED])}{rest}."
    raise WrongUsage(f"{command} has no column {name!r:.80}.", hint=hint)


NARROWEST = 17
"""The least width of a column with longer texts, in characters: a code such as UNRESOLVED_ENTITY is whole."""
_GAP = 2

Cells = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fit:
    """The columns that fit a terminal, each with its width."""

    widths: Mapping[str, int]
    constants: Mapping[str, str]
    """The columns left out because all rows have this value there."""
    hidden: int
    """Further columns for which there is no room."""

    def notes(self, option: str) -> Iterable[str]:
        """Messages on the columns that are not shown; ``option`` shows them all."""
        if self.constants:
            yield f"note: in all rows: {', '.join(f'{name} {text}' for name, text in self.constants.items())}."
        if self.hidden:
            missing = f"{self.hidden} more column{'s' if self.hidden > 1 else ''}"
            yield f"note: the terminal is too narrow for {missing}; {option} shows all."


def fit_columns(
    rows: Sequence[Cells], names: Sequence[str], leading: Sequence[str], room: int, wrapped: Collection[str] = ()
) -> Fit:
    """The columns of ``names`` that fit into a width: the ``leading`` ones first, the others as far as whole
    ones fit. Where the leading ones do not, those that are the same in all rows are left out. ``wrapped`` ones take
    what the others leave.
    """
    non_empty = [name for name in names if any(row.get(name) for row in rows)] if rows else [*(leading or names)]
    whole = {name: max(len(text) for text in (name, *(row.get(name, "") for row in rows))) for name in non_empty}
    first = [name for name in leading if name in whole]
    fixed = sum(whole[name] + _GAP for name in first if name not in wrapped)
    whole |= {name: min(whole[name], max(NARROWEST, room - fixed)) for name in first if name in wrapped}
    constants: dict[str, str] = {}
    if sum(whole[name] + _GAP for name in first) - _GAP > room and len(rows) > 1:
        constants = {name: rows[0][name] for name in first[1:] if len({row.get(name, "") for row in rows}) == 1}
    first = [name for name in first if name not in constants]
    widths = _cut({name: whole[name] for name in first}, room)
    rest = [name for name in non_empty if name not in first and name not in constants]
    if len(widths) == len(first) and all(widths[name] == whole[name] for name in first):
        widths = _with_whole(widths, {name: whole[name] for name in rest}, room)
    return Fit(widths, constants, len(non_empty) - len(constants) - len(widths))


def _cut(whole: Mapping[str, int], room: int) -> dict[str, int]:
    """The columns, in order, that fit when long ones are cut; the remaining room widens them again."""
    widths: dict[str, int] = {}
    for name, width in whole.items():
        minimum = min(width, max(NARROWEST, len(name)))
        if widths and _total(widths) + _GAP + minimum > room:
            continue
        widths[name] = min(minimum, room)
    for name, width in widths.items():
        widths[name] = min(whole[name], width + room - _total(widths))
    return widths


def _with_whole(widths: dict[str, int], candidates: Mapping[str, int], room: int) -> dict[str, int]:
    """The columns, and after them those of ``candidates``, in order, up to the first without room."""
    for name, width in candidates.items():
        free = room - _total(widths) - _GAP * bool(widths)
        if width > free < max(NARROWEST, len(name)):  # neither whole nor wide enough to be read
            break
        widths = {**widths, name: min(width, free)}
    return widths


def _total(widths: Mapping[str, int]) -> int:
    return sum(widths.values()) + _GAP * max(0, len(widths) - 1)


@dataclass(slots=True)
class Table:
    """A table that grows, with the columns that fit its first rows."""

    names: Sequence[str]
    leading: Sequence[str] = ()
    wrapped: Collection[str] = ()
    option: str = "--format json"
    """The option that shows all columns."""
    fit: Fit | None = field(default=None)

    def write(self, rows: Iterable[Cells]) -> None:
        """Write these rows, the first time under a header."""
        plain = [{terminal.plain(name): terminal.plain(text) for name, text in row.items()} for row in rows]
        has_header = self.fit is None
        if self.fit is None:
            self.fit = fit_columns(plain, self.names, self.leading, shutil.get_terminal_size().columns, self.wrapped)
        _print_table(self.fit.widths, plain, self.wrapped, has_header=has_header)

    def notes(self) -> Iterable[str]:
        """Messages on the columns that are not shown."""
        return () if self.fit is None else self.fit.notes(self.option)


def write_grid(facts: Cells) -> None:
    """Write each fact on a line, after its name."""
    from rich.table import Table as RichTable  # noqa: PLC0415  # only a terminal needs it

    grid = RichTable.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(style="cyan")
    grid.add_column(overflow="fold")
    for name, value in facts.items():
        grid.add_row(terminal.plain(name), terminal.plain(value))
    terminal.console().print(grid)


def _print_table(
    widths: Mapping[str, int], rows: Sequence[Cells], wrapped: Collection[str], *, has_header: bool
) -> None:
    from rich.table import Table as RichTable  # noqa: PLC0415

    is_wrapped = any(
        len(row.get(name, "")) > width for row in rows for name, width in widths.items() if name in wrapped
    )
    table = RichTable(
        box=None,
        pad_edge=False,
        padding=(0, _GAP, 0, 0),
        header_style="bold",
        show_header=has_header,
    )
    for place, (name, width) in enumerate(widths.items()):
        overflow: OverflowMethod = "fold" if name in wrapped else "ellipsis"
        table.add_column(
            name, style="" if place else "cyan", width=width, no_wrap=name not in wrapped, overflow=overflow
        )
    for place, row in enumerate(rows):
        if place and is_wrapped:
            table.add_row()  # an empty line between texts of several lines
        table.add_row(*(row.get(name, "") for name in widths))
    terminal.console().print(table)


TABLE_BUFFER_ROWS = 1000
"""Rows read before the first of them is written: the columns have to fit them."""
WriteText = Callable[[str], None]


class Writer(Protocol):
    """Writes rows as they come."""

    def write(self, rows: Sequence[Body]) -> None:
        """Write further rows."""

    def end(self) -> Iterable[str]:
        """Write the rows held back; messages on the form itself."""


def is_shown_while_read(target: Target) -> bool:
    """Whether rows appear at the terminal as they arrive, so that a progress bar would stand in their way."""
    return target.form not in {"table", "json"} and target.file is None and sys.stdout.isatty()


@dataclass(slots=True)
class Destination:
    """The place of an answer: stdout, or a file, which is complete in the end; without an answer it stays as it was."""

    target: Target
    _stack: ExitStack
    _stream: BinaryIO | None = None
    _has_accents: bool = False

    def write(self, text: str) -> None:
        """Write further text."""
        if self.target.file is not None:
            self.stream().write(text.encode())
            self._has_accents = self._has_accents or not text.isascii()
        elif sys.stdout.isatty():
            is_json = self.target.form in {"json", "jsonl"}
            terminal.write(terminal.plain_json(text) if is_json else text.replace("\r\n", "\n"))
        else:
            encoding = sys.stdout.encoding or "utf-8"
            terminal.write_bytes(text.encode(encoding, "replace"))  # as bytes, so that line ends stay the form's

    def stream(self) -> BinaryIO:
        """The file; without an answer it is not touched."""
        if self._stream is None:
            if self.target.file is None:
                raise TypeError("Bytes go into a file.")
            self._stream = self._stack.enter_context(files.open_replacement(self.target.file))
        return self._stream

    def call_at_end(self, function: Callable[[], None]) -> None:
        """Call the function when the destination is closed, whatever happened."""
        self._stack.callback(function)

    def finish(self) -> None:
        """Mark CSV that is not plain ASCII as UTF-8: Excel reads it in the country's own encoding otherwise."""
        if self._stream is not None and self.target.form == "csv" and self._has_accents:
            files.put_before(self._stream, codecs.BOM_UTF8)


@contextmanager
def open_destination(target: Target) -> Iterator[Destination]:
    """The destination of an answer."""
    with ExitStack() as stack:
        destination = Destination(target, stack)
        yield destination
        destination.finish()


def row_writer(layout: Layout, target: Target, destination: Destination) -> Writer:
    """The writer of a form, of rows in this layout."""
    names = target.columns or layout.names
    match target.form:
        case "table":
            return _table_writer(layout, target.columns)
        case "jsonl":
            return JsonLineWriter(destination.write)
        case "json":
            return JsonListWriter(destination.write)
        case "xlsx" | "parquet":
            return TableFileWriter(layout, names, destination)
        case "tsv" | "csv":
            delimiter = target.delimiter if target.form == "csv" else "\t"
            return LineWriter(layout, names, destination.write, delimiter, has_header=target.has_header)


def _table_writer(layout: Layout, columns: Sequence[str]) -> "TableWriter":
    """A table of the chosen columns, or of all but the messages of errors, which notes list."""
    names = columns or [name for name in layout.names if name != MESSAGE.name]
    table = Table(names, columns or layout.leading, layout.wrapped, "--format tsv")
    return TableWriter(layout, table, has_chosen_columns=bool(columns))


@dataclass(slots=True)
class TableWriter:
    """Writes a table with the columns that fit its first rows."""

    layout: Layout
    table: Table
    has_chosen_columns: bool = False
    buffer: list[Body] = field(default_factory=list)

    def write(self, rows: Sequence[Body]) -> None:
        """Write further rows."""
        self.buffer += rows
        if len(self.buffer) >= TABLE_BUFFER_ROWS:
            self._flush()

    def end(self) -> Iterable[str]:
        """Write the rows held back; messages on the form itself."""
        facts = None if self.has_chosen_columns or self.table.fit else self.layout.single(self.buffer)
        if facts is not None:
            write_grid(facts)
        elif self.buffer or self.table.fit is None:  # without rows there is still a header
            self._flush()
        return self.table.notes()

    def _flush(self) -> None:
        cells = self.layout.cells if self.has_chosen_columns else self.layout.table_cells
        rows: Iterable[Mapping[str, Cell]] = map(cells, self.buffer)
        self.table.write([{name: text(value) for name, value in row.items()} for row in rows])
        self.buffer = []


@dataclass(slots=True)
class LineWriter:
    """Writes CSV, or TSV where the delimiter is a tab; the header is there without rows, too."""

    layout: Layout
    names: Sequence[str]
    write_text: WriteText
    delimiter: str = ","
    has_header: bool = True
    is_begun: bool = False

    def write(self, rows: Sequence[Body]) -> None:
        """Write further rows."""
        lines: list[Sequence[Cell]] = [self.names] if self.has_header and not self.is_begun else []
        self.is_begun = True
        lines += [[cells.get(name) for name in self.names] for cells in map(self.layout.cells, rows)]
        self.write_text(tsv_text(lines) if self.delimiter == "\t" else csv_text(lines, self.delimiter))

    def end(self) -> Iterable[str]:
        """Write the rows held back; messages on the form itself."""
        if not self.is_begun:
            self.write([])
        return ()


@dataclass(slots=True)
class TableFileWriter:
    """Writes a workbook or a Parquet file."""

    layout: Layout
    names: Sequence[str]
    destination: Destination
    _writer: "WorkbookWriter | ParquetWriter | None" = None

    def write(self, rows: Sequence[Body]) -> None:
        """Write further rows."""
        self._opened().write([[cells.get(name) for name in self.names] for cells in map(self.layout.cells, rows)])

    def end(self) -> Iterable[str]:
        """Write the rows held back; messages on the form itself."""
        return self._opened().close()

    def _opened(self) -> "WorkbookWriter | ParquetWriter":
        if self._writer is None:
            stream, target = self.destination.stream(), self.destination.target
            types = {name: kind for name, kind in self.layout.types.items() if name in self.names}
            is_workbook = target.form == "xlsx"
            self._writer = WorkbookWriter(stream) if is_workbook else ParquetWriter(stream, target.schema, types)
            self.destination.call_at_end(self._writer.abandon)
            self._writer.write_header(self.names)
        return self._writer


@dataclass(slots=True)
class JsonLineWriter:
    """Writes each row as a line of JSON."""

    write_text: WriteText

    def write(self, rows: Sequence[Body]) -> None:
        """Write further rows."""
        self.write_text("".join(f"{compact_json(row)}\n" for row in rows))

    def end(self) -> Iterable[str]:
        """Write the rows held back; messages on the form itself."""
        return ()


@dataclass(slots=True)
class JsonListWriter:
    """Writes one JSON document with all rows."""

    write_text: WriteText
    rows: list[Body] = field(default_factory=list)

    def write(self, rows: Sequence[Body]) -> None:
        """Write further rows."""
        self.rows += rows

    def end(self) -> Iterable[str]:
        """Write the rows held back; messages on the form itself."""
        self.write_text(terminal.indented_json({"items": self.rows, "pagination": whole_list(len(self.rows))}))
        return ()


def whole_list(size: int) -> dict[str, int | None]:
    """The pagination of a complete list."""
    return {"cursor": None, "total_count": size, "page_size": size}


def write_rows(records: Sequence[Body]) -> None:
    """Write a table with a line for each record, in the columns that they have."""
    rows = [flat(record, ", ") for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(names, names)
    table.write(rows)
    terminal.write_messages(table.notes())


def write_line(line: str = "") -> None:
    """Write one line on stdout."""
    terminal.write(f"{line}\n")


def save_content(answer: ToolAnswer, file: Path | None, *, provenance: bool = False) -> int:
    """Write the content of a resource, byte by byte, to a file or on stdout; returns the exit code.

    Raises:
        FileNotWritten: the file cannot be written, or bytes would go to a terminal.
    """
    notes = Notes()
    notes.add(answer, ())
    if not answer.is_failure:
        _write_content(answer.content, file)
    terminal.write_messages(notes.lines(has_provenance=provenance))
    return 1 if answer.is_failure else 0


def _write_content(content: str | bytes, file: Path | None) -> None:
    if file is None and isinstance(content, bytes) and sys.stdout.isatty():
        raise files.FileNotWritten("This is binary data and would garble the terminal.", hint="Give --output FILE.")
    whole = content.encode() if isinstance(content, str) else content
    if file is None and isinstance(content, str) and sys.stdout.isatty():
        terminal.write(content if content.endswith("\n") else f"{content}\n")
    elif file is None:
        terminal.write_bytes(whole)
    else:
        files.write(file, whole)
