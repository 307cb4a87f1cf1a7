"""Tables as CSV (RFC 4180) that spreadsheets open without evaluating a cell, and as lines with tabs. Pure."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time

Cell = bool | int | float | str | date | time | None
"""A cell as a workbook has it; ``date`` includes ``datetime``."""

_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # full width, too: some spreadsheets read them alike
_SIGNED_NUMBER = re.compile(r"[-+](?:\d+(?:[., \u00a0]\d+)*|[.,]\d+)(?:[eE][-+]?\d+)?\s?%?", re.ASCII)
_APOSTROPHE = "'"
_TSV_MARK = re.compile(r'^"|[\t\r\n]')


def csv_text(rows: Iterable[Sequence[Cell]], delimiter: str = ",") -> str:
    """The rows as CSV; lines end with CR LF, a cell without a value is empty."""
    lines = io.StringIO()
    writer = csv.writer(lines, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([harmless(text(cell)) for cell in row] for row in rows)
    return lines.getvalue()


def tsv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """The rows with tabs between the cells, which are as they are: for programs. Quotation marks stand only around
    what would be read otherwise without them.
    """
    return "".join("\t".join(map(_tsv_cell, row)) + "\n" for row in rows)


def _tsv_cell(cell: Cell) -> str:
    plain = text(cell)
    return '"{}"'.format(plain.replace('"', '""')) if _TSV_MARK.search(plain) else plain


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula: one that begins like it gets an apostrophe in front.

    A number with a sign, such as -0.37, is no formula and stays a number; marks alone, such as -, compute nothing.
    """
    printable = "".join(
        letter for letter in text if letter in "\t\r\n" or unicodedata.category(letter) not in {"Cc", "Cs"}
    )
    return f"{_APOSTROPHE}{printable}" if _is_formula(printable) else printable


def without_guard(text: str) -> str:
    """The text that ``harmless`` made safe, or that a person did in the same way."""
    rest = text.removeprefix(_APOSTROPHE)
    return rest if rest != text and _is_formula(rest) else text


def _is_formula(text: str) -> bool:
    begins_like_one = text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA)
    return begins_like_one and any(map(str.isalnum, text)) and not _SIGNED_NUMBER.fullmatch(text)


def text(cell: Cell) -> str:
    """The cell in a file of text: dates as ISO 8601 has them, without a time that is midnight."""
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case float():
            return repr(cell)
        case datetime():
            return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
        case date() | time():
            return cell.isoformat()
    return str(cell)
