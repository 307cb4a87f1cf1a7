"""Files of text with cells: their encoding, their delimiter, and their lines as cells."""

import codecs
import csv
import io
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO

from biofact.core.usage import WrongUsage
from biofact.tables.spreadsheet import without_guard

_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_LABELS = {"utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "cp1252": "Windows-1252", "latin-1": "Latin-1"}
"""The encodings that are guessed, as people know them."""
_CHUNK_BYTES = 1 << 20
_SAMPLE_BYTES = 1 << 16
_SAMPLE_LINES = 200
NO_DELIMITER = "\x1f"  # the unit separator, which stands in no file of names
_REGULAR_SHARE = 0.8
"""The share of lines with as many cells as most from which a file is a table: a few may be broken."""
_TABLE_SHARE = 0.5
"""The share of lines with several cells from which a file is a table."""
_EXCEL_HINT = "sep="
_HINT = "Give a CSV, TSV or text file, an .xlsx or a .parquet file."


@dataclass(frozen=True, slots=True)
class TextForm:
    """The form in which the cells of a file are written."""

    encoding: str
    delimiter: str = NO_DELIMITER
    """The character between cells; one that stands in no file where each line is one cell."""
    has_quotes: bool = True
    skipped_lines: int = 0
    """The lines before the first row, which say how the file is written."""
    line_count: int = 0
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """Guesses, for the reader."""

    @property
    def is_table(self) -> bool:
        """Whether lines have several cells."""
        return self.delimiter != NO_DELIMITER

    def read(self, stream: IO[bytes], name: str) -> Iterator[Sequence[str]]:
        """The cells of each line of the file called ``name``; none of an empty line.

        Raises:
            WrongUsage: a cell is longer than 128 KiB, which no name is.
        """
        stream.seek(0)
        text = io.TextIOWrapper(stream, encoding=self.encoding, newline="")
        try:
            for _ in range(self.skipped_lines):
                text.readline()
            quotes = '"' if self.has_quotes else None
            lines = csv.reader(text, delimiter=self.delimiter, quotechar=quotes)
            for cells in lines:
                yield [without_guard(cell) for cell in cells]
        except csv.Error as error:
            number = lines.line_num + self.skipped_lines
            hint = "Is a quotation mark in it never closed?"
            raise WrongUsage(f"Line {number:,} of {name!r} cannot be read: {error}.", hint=hint) from error
        except UnicodeDecodeError as error:  # it was text when its encoding was found
            raise WrongUsage(f"{name!r} changed while it was read.", hint="Run the command again.") from error
        finally:
            text.detach()


def detect(stream: IO[bytes], name: str, delimiters: Collection[str]) -> TextForm:
    """The form of a file whose delimiter, if its lines have several cells, is one of ``delimiters``.

    Raises:
        WrongUsage: it is no text.
    """
    encoding, remarks = _encoding(stream, name)
    sample, is_whole = _sample(stream, encoding)
    skipped_lines = 0
    if sample and sample[0].lower().startswith(_EXCEL_HINT):  # Excel's own line for files in other countries
        delimiters, skipped_lines, sample = sample[0][len(_EXCEL_HINT) :].strip("\r\n")[:1] or ",", 1, sample[1:]
    delimiter = max(delimiters, key=lambda mark: _regularity(sample, mark), default=NO_DELIMITER)
    if _regularity(sample, delimiter)[0] < _REGULAR_SHARE:
        delimiter = NO_DELIMITER
    has_quotes = not (is_whole and _has_open_quote(sample, delimiter))
    return TextForm(encoding, delimiter, has_quotes, skipped_lines, _line_count(stream), tuple(remarks))


def _encoding(stream: IO[bytes], name: str) -> tuple[str, list[str]]:
    """The encoding, and a remark where it is a guess: bytes that are no UTF-8 are taken for those of Windows."""
    start = stream.read(_SAMPLE_BYTES)
    for bom, encoding in _BOMS.items():
        if start.startswith(bom):
            if not _decodes(stream, encoding):
                raise WrongUsage(f"{name!r} begins as UTF text, and holds bytes that are none.", hint=_HINT)
            return encoding, []
    if b"\0" in start:
        guess = "utf-16-le" if start[1::2].count(0) > len(start) / 8 else "utf-16-be"
        if start[guess == "utf-16-le" :: 2].count(0) <= len(start) / 8 or not _decodes(stream, guess):
            raise WrongUsage(f"{name!r} is no text.", hint=_HINT)
    elif _decodes(stream, "utf-8"):
        return "utf-8", []
    else:
        guess = "cp1252" if _decodes(stream, "cp1252") else "latin-1"
    return guess, [f"{name} does not say its encoding, and was read as {_LABELS[guess]}: check letters with accents."]


def _decodes(stream: IO[bytes], encoding: str) -> bool:
    stream.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while chunk := stream.read(_CHUNK_BYTES):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _line_count(stream: IO[bytes]) -> int:
    stream.seek(0)
    return sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(_CHUNK_BYTES), b""))


def _sample(stream: IO[bytes], encoding: str) -> tuple[list[str], bool]:
    """The first lines, and whether these are all."""
    stream.seek(0)
    content = stream.read(_SAMPLE_BYTES)
    is_whole = len(content) < _SAMPLE_BYTES
    text = codecs.getincrementaldecoder(encoding)().decode(content, final=is_whole)
    lines = text.splitlines(keepends=True)
    return lines[:_SAMPLE_LINES] if is_whole else lines[: min(_SAMPLE_LINES, len(lines) - 1)], is_whole


def _has_open_quote(sample: Sequence[str], delimiter: str) -> bool:
    """Whether a quotation mark opens a cell that is never closed, so that it is a mark like any other: 5"-end."""
    try:
        for _ in csv.reader(sample, delimiter=delimiter, strict=True):
            pass
    except csv.Error as error:
        return "end of data" in str(error)
    return False


def _regularity(sample: Sequence[str], delimiter: str) -> tuple[float, int]:
    """The share of lines with as many cells as most of them, and that number; 0 where most have one.

    Titles stand alone in their lines, and R leaves out the header of the names of rows.
    """
    widths = [len(cells) for cells in csv.reader(sample, delimiter=delimiter) if any(cells)]
    several = [width for width in widths if width > 1]
    if not several or len(several) < len(widths) * _TABLE_SHARE:
        return 0.0, 1
    counts = Counter(several[1:] or several)
    width, count = max(counts.items(), key=lambda item: (item[1], item[0]))
    return count / counts.total(), width
