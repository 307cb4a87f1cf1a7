"""Workbooks (.xlsx) and Parquet files as rows of cells, for the extra ``tables``. They may be hostile: nothing outside
of the file is read, no formula is run, and what unpacks to more than a spreadsheet holds is refused.
"""

import importlib.util
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException

from biofact.core.extras import install_command
from biofact.core.usage import WrongUsage
from biofact.tables.spreadsheet import Cell

if TYPE_CHECKING:
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""The limits of a sheet of Excel."""
_MOST_PARTS, _MOST_SHEETS = 4096, 256
_SHEET_BYTES, _STRINGS_BYTES, _PART_BYTES = 2**31, 2**28, 2**24
"""The unpacked size of a sheet, which is read row by row; of the texts of all; and of any other part that is read."""
_READ_PARTS = ("xl/", "[Content_Types].xml", "_rels/", "docProps/")
_NOT_READ = ("xl/media/", "xl/drawings/", "xl/embeddings/", "xl/externalLinks/", "xl/pivotCache/", "xl/charts/")
_ESCAPED_LETTER = re.compile(r"_x([0-9A-Fa-f]{4})_")
_DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError),  # the archive
    *(ParseError, KeyError, ValueError, IndexError, TypeError, AttributeError, OverflowError),  # parts, missing or odd
)


def need(library: str, purpose: str) -> None:
    """Refuse what needs a library of the extra that is not installed.

    Raises:
        WrongUsage: it is not.
    """
    if importlib.util.find_spec(library) is None:
        raise WrongUsage(f"{purpose} needs {library}.", hint=f"Install it: {install_command('tables')}.")


def sheet_rows(stream: IO[bytes], name: str, sheet: str | None) -> tuple[Iterator[Sequence[Cell]], str, int | None]:
    """The rows of a sheet of a workbook, from its first; a remark where other sheets have cells, too; and how many rows
    it says it has. A formula is the value that was saved with it. Without ``sheet`` it is the first that is not hidden.

    Raises:
        WrongUsage: the file is no workbook, is damaged or hostile, or has no such sheet.
    """
    need("openpyxl", "An .xlsx file")
    import openpyxl  # noqa: PLC0415  # an extra

    with _refused_by_name(name):
        _check_archive(stream, name)
        with warnings.catch_warnings(action="ignore"):  # of layout that is not read
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        sheets = {each.title: each for each in book.worksheets}
        visible = [title for title, each in sheets.items() if each.sheet_state == "visible"]
    if sheet is None and not visible:
        raise WrongUsage(f"{name!r} has no sheet to read.", hint=f"Give --sheet: {_quoted(sheets)}.")
    title = visible[0] if sheet is None else _sheet_called(sheet, list(sheets), name)
    others = [other for other in visible if other != title]
    remark = f"the sheet {title!r} of {name} is read; --sheet reads another: {_quoted(others)}." if others else ""
    return _rows_of(sheets[title], name), remark if sheet is None else "", sheets[title].max_row


def _sheet_called(text: str, titles: Sequence[str], name: str) -> str:
    """The sheet with this title, in any letter case, or number, from 1."""
    matches = [title for title in titles if title == text] or [t for t in titles if t.lower() == text.lower().strip()]
    if not matches and text.isdecimal() and 0 < int(text) <= len(titles):
        matches = [titles[int(text) - 1]]
    if not matches:
        raise WrongUsage(f"{name!r} has no sheet {text!r:.80}.", hint=f"Its sheets are {_quoted(titles)}.")
    return matches[0]


def _quoted(titles: Sequence[str] | dict[str, Any]) -> str:
    listed = [repr(title) for title in titles]
    return ", ".join(listed[:10]) + (f" and {len(listed) - 10} more" if len(listed) > 10 else "")  # noqa: PLR2004


def _rows_of(sheet: "ReadOnlyWorksheet", name: str) -> Iterator[Sequence[Cell]]:
    """The rows, without empty ones at the end, of which layout alone may leave a million."""
    blank_count = 0
    with _refused_by_name(name):
        sheet.reset_dimensions()  # its own size may be wrong
        for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
            if number > MOST_ROWS or len(cells) > MOST_COLUMNS:
                raise WrongUsage(
                    f"{name!r} has more rows or columns than a sheet can have.",
                    hint="It was not saved by a spreadsheet.",
                )
            row = _without_blank_end(cells)
            if not row:
                blank_count += 1
                continue
            for _ in range(blank_count):
                yield ()
            blank_count = 0
            yield row


def _without_blank_end(cells: Sequence[Any]) -> Sequence[Cell]:
    end = len(cells)
    while end and cells[end - 1] in (None, ""):
        end -= 1
    return [_as_shown(cell) if isinstance(cell, str) else cell for cell in cells[:end]]


def _as_shown(text: str) -> str:
    """The text with the letters that Excel writes as their numbers, which openpyxl leaves: ``_x000D_`` is a CR."""
    return _ESCAPED_LETTER.sub(lambda letter: chr(int(letter[1], 16)), text) if "_x" in text else text


def _check_archive(stream: IO[bytes], name: str) -> None:
    """Refuse an archive of which the parts that are read unpack to more than they have in any workbook.

    ``zipfile`` unpacks no more of a part than the archive says.
    """
    with zipfile.ZipFile(stream) as archive:
        parts = archive.infolist()
    sheets = sum(part.filename.startswith("xl/worksheets/sheet") for part in parts)
    read_parts = [part for part in parts if part.filename.startswith(_READ_PARTS)]
    too_large = [
        part
        for part in read_parts
        if not part.filename.startswith(_NOT_READ) and part.file_size > _most_bytes(part.filename)
    ]
    if len(parts) > _MOST_PARTS or sheets > _MOST_SHEETS or too_large:
        part = f"{too_large[0].filename} unpacks to {too_large[0].file_size:,} bytes" if too_large else "too many parts"
        raise WrongUsage(f"{name!r} is larger than a workbook can be: {part}.", hint="Save the sheet as CSV.")


def _most_bytes(part: str) -> int:
    if part.startswith("xl/worksheets/sheet"):
        return _SHEET_BYTES
    return _STRINGS_BYTES if part == "xl/sharedStrings.xml" else _PART_BYTES


@contextmanager
def _refused_by_name(name: str) -> Iterator[None]:
    """Errors of a damaged or hostile file as refusals that name it."""
    try:
        yield
    except WrongUsage:
        raise
    except _DAMAGES as error:
        if any(isinstance(cause, DefusedXmlException) for cause in _causes(error)):
            raise WrongUsage(
                f"{name!r} declares entities in its XML, which no spreadsheet writes.", hint="Do not open it."
            ) from error
        raise WrongUsage(
            f"{name!r} is a damaged workbook.", hint="Open it in a spreadsheet, and save it again as .xlsx or CSV."
        ) from error


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it: openpyxl raises its own for whatever happens in a part."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


_BATCH_ROWS = 1000


def parquet_rows(stream: IO[bytes], name: str) -> tuple[Iterator[Sequence[Any]], Any, int]:
    """The rows of a Parquet file, the first the names of its columns; its schema, in which they are written again; and
    their number.

    Raises:
        WrongUsage: it is none, or is damaged.
    """
    need("pyarrow", "A .parquet file")
    import pyarrow as pa  # noqa: PLC0415  # an extra
    from pyarrow import parquet  # noqa: PLC0415

    hint = "Write it again with pandas, polars or pyarrow."
    try:
        file = parquet.ParquetFile(stream)
    except (pa.ArrowException, OSError) as error:
        raise WrongUsage(f"{name!r} is a damaged Parquet file.", hint=hint) from error

    def rows() -> Iterator[Sequence[Any]]:
        yield tuple(file.schema_arrow.names)
        try:
            for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
        except (pa.ArrowException, OSError) as error:
            raise WrongUsage(f"{name!r} is a damaged Parquet file.", hint=hint) from error

    return rows(), file.schema_arrow, file.metadata.num_rows
