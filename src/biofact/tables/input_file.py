"""A file with a column of names or IDs: text, a workbook or Parquet, whatever its suffix says. Rows stay in place."""

import difflib
import itertools
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import IO, Any

from biofact.core.usage import WrongUsage
from biofact.tables import text_files, workbooks
from biofact.tables.spreadsheet import Cell, text

SUFFIXES = frozenset({".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".parquet"})
"""The suffixes of files that are read; a name with one of them is hardly a gene."""
_DELIMITERS = {".csv": ",;\t", ".tsv": "\t", ".tab": "\t"}
_ANY_DELIMITER = "\t,;"
_HEAD_ROWS = 50
"""Rows that are looked at for the header and the column."""
_WORKBOOK, _PARQUET, _OLD_OFFICE, _GZIP = b"PK\x03\x04", b"PAR1", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x1f\x8b"
_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class InputRow:
    """One row of a file, in its place."""

    text: str = ""
    """The cell of the column that is asked; empty where the row has none."""
    cells: Sequence[Cell] = ()
    """All cells, as many as the header has; none of a file that is a list."""
    problem: str = ""
    """Why the row is not asked."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The rows of a file as they are read, the header among them."""

    name: str
    rows: Iterator[Sequence[Cell]]
    remarks: Sequence[str] = ()
    schema: Any = None
    delimiter: str = ","
    row_count: int | None = None


@dataclass(slots=True)
class InputFile:
    """The rows of a file, read once, with the column that is asked."""

    name: str
    header: tuple[str, ...]
    """The names of all columns; empty where the file is a list, one name a line."""
    column: int
    remarks: list[str]
    """Guesses at the form of the file, and that it was changed meanwhile: a sentence each."""
    schema: Any
    """The types of its columns, of a Parquet file."""
    delimiter: str
    """The character between the cells of CSV, which is used again."""
    row_count: int | None
    """About how many rows it has, where that is known."""
    _rows: Iterator[Sequence[Cell]]
    _stream: IO[bytes]

    def rows(self) -> Iterator[InputRow]:
        """The rows after the header. A blank one is there; one with too many cells has a problem."""
        state = self._state()
        for number, cells in enumerate(self._rows, 1):
            yield self._row(cells, number)
        if self._state() != state:
            self.remarks.append(f"{self.name} was changed while it was read: run the command again.")

    def _row(self, cells: Sequence[Cell], number: int) -> InputRow:
        value = text(cells[self.column]).strip() if self.column < len(cells) else ""
        width = len(self.header)
        if not width:
            return InputRow(value)
        if len(cells) <= width:
            return InputRow(value, (*cells, *[None] * (width - len(cells))))
        last_cell = self.delimiter.join(map(text, cells[width - 1 :]))  # nothing is lost, and the next column is right
        problem = f"Row {number:,} has {len(cells)} cells, and the header {width}: it was not asked."
        return InputRow("", (*cells[: width - 1], last_cell), problem)

    def _state(self) -> tuple[int, int]:
        facts = os.fstat(self._stream.fileno())
        return facts.st_mtime_ns, facts.st_size


@dataclass(frozen=True, slots=True)
class Choice:
    """The part of a file that is asked."""

    headers: re.Pattern[str]
    """The usual headers of columns with names and IDs, in small letters."""
    column: str | None = None
    """The header of the column, or its number from 1."""
    sheet: str | None = None
    pattern: re.Pattern[str] | None = None
    """The form of the IDs that are looked for; None where names are."""

    def is_name_header(self, label: Cell) -> bool:
        """Whether a column with this header usually holds names or IDs."""
        return self.headers.fullmatch(_plain(_label(label))) is not None


def read_file(stream: IO[bytes], name: str, choice: Choice) -> InputFile:
    """The file called ``name``, with the column that the choice names, or else the only one that looks like names.

    Raises:
        WrongUsage: it cannot be read, or which column is meant is not clear.
    """
    suffix = PurePath(name).suffix.lower()
    start = stream.read(8)
    stream.seek(0)
    if start.startswith(_OLD_OFFICE):
        raise WrongUsage(
            f"{name!r} is protected by a password, or an old .xls file.", hint="Save it as .xlsx without a password."
        )
    if start.startswith(_GZIP):
        raise WrongUsage(f"{name!r} is compressed.", hint="Unpack it first, as gunzip does.")
    if choice.sheet is not None and not start.startswith(_WORKBOOK):
        raise WrongUsage(f"{name!r} has no sheets.", hint="Leave --sheet out: it is for an .xlsx file.")
    if start.startswith(_WORKBOOK):
        rows, remark, row_count = workbooks.sheet_rows(stream, name, choice.sheet)
        source = _Source(name, rows, [remark] if remark else [], row_count=row_count)
    elif start.startswith(_PARQUET):
        parquet_rows, schema, row_count = workbooks.parquet_rows(stream, name)
        source = _Source(name, parquet_rows, schema=schema, row_count=row_count)
    else:
        source = _text_source(stream, name, suffix, choice)
    return _with_column(source, choice, stream)


def _text_source(stream: IO[bytes], name: str, suffix: str, choice: Choice) -> _Source:
    form = text_files.detect(stream, name, _DELIMITERS.get(suffix, _ANY_DELIMITER))
    if form.is_table and suffix not in _DELIMITERS and form.delimiter != "\t" and choice.column is None:
        first = next((cells for cells in form.read(stream, name) if any(cells)), ())
        if not any(map(choice.is_name_header, first)):  # "calcium channel, voltage-dependent" is one name
            form = replace(form, delimiter=text_files.NO_DELIMITER)
    delimiter = form.delimiter if form.delimiter in {",", ";"} else ","
    return _Source(name, form.read(stream, name), form.remarks, None, delimiter, form.line_count)


def _with_column(source: _Source, choice: Choice, stream: IO[bytes]) -> InputFile:
    """The file with its header and column, and its rows after the header."""
    name, remarks = source.name, [*source.remarks]
    head = list(itertools.islice(source.rows, _HEAD_ROWS))
    if not any(_label(cell) for row in head for cell in row):
        raise WrongUsage(f"{name!r} is empty.", hint="Give a file with a column of names or IDs.")
    widths = Counter(len(row) for row in head if row)
    width = max(widths, key=lambda each: (widths[each], each), default=0)
    place = _header_place(head, width, choice)
    rows = head if place is None else head[place + 1 :]
    labels = [] if place is None else [_label(cell) for cell in head[place]]
    if place is not None and (skipped := sum(map(bool, head[:place]))):
        remarks.append(f"{skipped} line{'s' if skipped > 1 else ''} before the header of {name} left out.")
    if max(width, len(labels)) <= 1 and choice.column is None:
        header: tuple[str, ...] = ()
        column = 0
        remarks += [f"the first line, {labels[0]!r}, is a header."] if labels else []
    else:
        labels = ["", *labels] if labels and len(labels) == width - 1 else labels  # R leaves out that of row names
        header = _distinct(labels or [""] * width)
        column, remark = _column(name, header, rows, choice)
        remarks += [remark] if remark else []
    all_rows = itertools.chain(rows, source.rows)
    return InputFile(name, header, column, remarks, source.schema, source.delimiter, source.row_count, all_rows, stream)


def _header_place(head: Sequence[Sequence[Cell]], width: int, choice: Choice) -> int | None:
    """The row with the names of the columns: the first of a table with the wanted name or a usual one, or else its
    first, unless that has numbers or gaps. Of a list it is the first line, if that is a usual name. None without one.
    """
    name = "" if choice.column is None or choice.column.isdecimal() else choice.column
    filled = [place for place, row in enumerate(head) if any(map(_label, row))]
    rows = [place for place in filled if len(head[place]) > 1]  # a title stands alone in its row
    if width <= 1:
        rows = [place for place in filled if not _label(head[place][0]).startswith("#")][:1]
    for place in rows:
        labels = [_plain(_label(cell)) for cell in head[place]]
        if (name and _plain(name) in labels) or any(map(choice.is_name_header, head[place])):
            return place
    first = head[rows[0]] if rows else ()
    is_header = len(first) > 1 and all(
        isinstance(cell, str) and cell.strip() and not _is_number(cell) for cell in first
    )
    return rows[0] if is_header else None


def _column(name: str, header: Sequence[str], rows: Sequence[Sequence[Cell]], choice: Choice) -> tuple[int, str]:
    """The place of the column that is asked, and a remark where it was not chosen."""
    if choice.column is not None:
        return _chosen_column(name, header, choice.column), ""
    places = [place for place in range(len(header)) if choice.pattern and _holds_ids(rows, place, choice.pattern)]
    places = places or [place for place, label in enumerate(header) if choice.is_name_header(label)]
    if len(places) != 1:
        names = " and ".join(repr(header[place]) for place in places[:_MOST_NAMED])
        reason = f"{names} may be meant." if places else "No header says that it has names."
        raise WrongUsage(f"Which column of {name!r} is asked? {reason}", hint=f"Give --column NAME. {_listing(header)}")
    return places[0], f"the column {header[places[0]]!r} of {name} is asked; --column chooses another."


def _chosen_column(name: str, header: Sequence[str], wanted: str) -> int:
    """The place of a column by its header, in any letter case, or by its number."""
    matches = [place for place, label in enumerate(header) if label == wanted]
    matches = matches or [place for place, label in enumerate(header) if _plain(label) == _plain(wanted)]
    if not matches and wanted.isdecimal() and 0 < int(wanted) <= len(header):
        matches = [int(wanted) - 1]
    if len(matches) == 1:
        return matches[0]
    close = difflib.get_close_matches(wanted, header, n=1)
    start = f"Did you mean {close[0]!r}? " if close and not matches else ""
    problem = "has several columns" if matches else "has no column"
    raise WrongUsage(f"{name!r} {problem} {wanted!r:.80}.", hint=f"{start}{_listing(header)}")


def _listing(header: Sequence[str]) -> str:
    names = ", ".join(repr(name) for name in header[:_MOST_NAMED])
    rest = len(header) - _MOST_NAMED
    return f"Its columns are {names}{f' and {rest} more' if rest > 0 else ''}."


def _holds_ids(rows: Sequence[Sequence[Cell]], place: int, pattern: re.Pattern[str]) -> bool:
    """Whether most cells of a column have the form."""
    cells = [text(row[place]).strip() for row in rows if place < len(row) and row[place] not in (None, "")]
    return sum(pattern.fullmatch(cell) is not None for cell in cells) * 2 > len(cells)


def _label(cell: Cell) -> str:
    return text(cell).strip()


def _plain(label: str) -> str:
    """A header in small letters, with single blanks: ``Gene_name`` and ``Gene Name`` are the same."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label)
    return " ".join(re.sub(r"[\W_]+", " ", apart).lower().split())


def _is_number(label: str) -> bool:
    return re.fullmatch(r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?%?", label.strip()) is not None


def _distinct(labels: Sequence[str]) -> tuple[str, ...]:
    """The headers, each once: an empty one by its place, a second one of the same with its number."""
    names: list[str] = []
    for number, label in enumerate(labels, 1):
        name = label or f"column {number}"
        copies = (f"{name} {copy}" for copy in itertools.count(2))
        names.append(name if name not in names else next(copy for copy in copies if copy not in names))
    return tuple(names)
