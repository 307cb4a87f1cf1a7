"""Workbooks (.xlsx) and Parquet files, written row by row; for the extra ``tables``."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, BinaryIO

from biofact.core.usage import WrongUsage
from biofact.tables.spreadsheet import Cell, text
from biofact.tables.workbooks import MOST_ROWS, need

_LIBRARIES: Mapping[str, str] = {"xlsx": "xlsxwriter", "parquet": "pyarrow"}
_FIRST_YEAR = 1901  # the days before March 1900 differ among spreadsheets: Excel has a 29 February
_LONGEST_TEXT = 32_767  # characters of a cell of Excel
_EXACT = 10**15
"""From here on Excel changes the digits of a number."""


def check_libraries(form: str) -> None:
    """Refuse a form whose library is not installed.

    Raises:
        WrongUsage: it is not.
    """
    need(_LIBRARIES[form], f"Writing .{form}")


class WorkbookWriter:
    """Writes one sheet. Texts are cells of text, so that no spreadsheet makes dates or numbers of them."""

    def __init__(self, stream: BinaryIO) -> None:
        import xlsxwriter  # noqa: PLC0415  # an extra

        options = ("strings_to_formulas", "strings_to_urls", "strings_to_numbers", "in_memory")
        self._book = xlsxwriter.Workbook(stream, {"constant_memory": True, **dict.fromkeys(options, False)})
        self._sheet = self._book.add_worksheet()
        self._text = self._book.add_format({"num_format": "@"})
        self._header = self._book.add_format({"num_format": "@", "bold": True})
        self._moments = {
            datetime: self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
            date: self._book.add_format({"num_format": "yyyy-mm-dd"}),
            time: self._book.add_format({"num_format": "hh:mm:ss"}),
        }
        self._row_count = 0
        self._cut_count = 0

    def write_header(self, names: Sequence[str]) -> None:
        """Write the names of the columns, which stay in sight."""
        self._sheet.freeze_panes(1, 0)
        self._write_row(names, self._header)

    def write(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Write further rows.

        Raises:
            WrongUsage: no sheet holds as many.
        """
        for row in rows:
            self._write_row(row, self._text)

    def close(self) -> Sequence[str]:
        """Write the rest; messages on what a workbook cannot hold."""
        self._book.close()
        cut = f"note: {self._cut_count:,} cells were cut to {_LONGEST_TEXT:,} characters: a workbook holds no more."
        return [cut] if self._cut_count else []

    def abandon(self) -> None:
        """Delete the temporary file of rows, if the sheet is not finished."""
        if not self._book.fileclosed:
            self._book.close()

    def _write_row(self, cells: Sequence[Cell], text_format: Any) -> None:
        if self._row_count == MOST_ROWS:
            raise WrongUsage(
                f"A sheet holds {MOST_ROWS:,} rows.", hint="Give --output a .csv or .parquet file: the command goes on."
            )
        for place, cell in enumerate(cells):
            self._write_cell(place, cell, text_format)
        self._row_count += 1

    def _write_cell(self, place: int, cell: Cell, text_format: Any) -> None:
        row = self._row_count
        if isinstance(cell, bool):
            self._sheet.write_boolean(row, place, cell)
        elif isinstance(cell, int | float) and -_EXACT < cell < _EXACT:
            self._sheet.write_number(row, place, cell)
        elif (moment := _moment_kind(cell)) is not None:
            self._sheet.write_datetime(row, place, cell, self._moments[moment])
        elif plain := text(cell):
            self._cut_count += len(plain) > _LONGEST_TEXT
            self._sheet.write_string(row, place, plain[:_LONGEST_TEXT], text_format)


def _moment_kind(cell: Cell) -> type | None:
    """The kind of a date or time that a workbook holds; None of what is text there."""
    if isinstance(cell, datetime):
        kind = date if cell.time() == time() else datetime
        return kind if cell.tzinfo is None and cell.year >= _FIRST_YEAR else None
    if isinstance(cell, date):
        return date if cell.year >= _FIRST_YEAR else None
    return time if isinstance(cell, time) else None


_ROW_GROUP_ROWS = 10_000


class ParquetWriter:
    """Writes columns with types: those of the file that was read, the declared ones of numbers, or text."""

    def __init__(self, stream: BinaryIO, schema: Any, types: Mapping[str, type]) -> None:
        self._stream = stream
        self._own_schema = schema
        self._types = types
        self._rows: list[Sequence[Cell]] = []
        self._schema: Any = None
        self._writer: Any = None

    def write_header(self, names: Sequence[str]) -> None:
        """Choose the type of each column."""
        import pyarrow as pa  # noqa: PLC0415  # an extra
        from pyarrow import parquet  # noqa: PLC0415

        kinds = {int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
        own = {} if self._own_schema is None else {column.name: column for column in self._own_schema}
        columns = [
            own.get(name) or pa.field(name, kinds.get(self._types.get(name, str), pa.string())) for name in names
        ]
        self._schema = pa.schema(columns)
        self._writer = parquet.ParquetWriter(self._stream, self._schema)

    def write(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Write further rows."""
        self._rows += rows
        if len(self._rows) >= _ROW_GROUP_ROWS:
            self._flush()

    def close(self) -> Sequence[str]:
        """Write the rest; no messages: a column holds whatever is in it."""
        self._flush()
        self._writer.close()
        return ()

    def abandon(self) -> None:
        """Nothing: there are no other files."""

    def _flush(self) -> None:
        import pyarrow as pa  # noqa: PLC0415

        columns = zip(*self._rows, strict=True) if self._rows else ([] for _ in self._schema)
        arrays = [
            pa.array([*map(_typed(field), cells)], field.type)
            for field, cells in zip(self._schema, columns, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._rows = []


def _typed(field: Any) -> Any:
    """The function that makes a cell a value of a column: a text in one of text, and nothing of an empty cell."""
    if str(field.type) in {"string", "large_string"}:
        return lambda cell: None if cell is None else text(cell)
    return lambda cell: None if cell == "" else cell
