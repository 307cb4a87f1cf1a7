"""Tables as CSV (RFC 4180) that spreadsheets open without evaluating a cell. Pure."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence

Cell = bool | int | float | str | None

_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # full width, too: some spreadsheets read them alike
_NEGATIVE = re.compile(r"-(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """The rows as CSV; lines end with CR LF, a cell without a value is empty."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([_text(cell) for cell in row] for row in rows)
    return text.getvalue()


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula: one that begins like it gets an apostrophe in front.

    A negative number, such as -0.37, is no formula and stays a number.
    """
    printable = "".join(
        letter for letter in text if letter in "\t\r\n" or unicodedata.category(letter) not in {"Cc", "Cs"}
    )
    if _NEGATIVE.fullmatch(printable):
        return printable
    is_formula = printable.startswith(_FORMULA) or printable.lstrip().startswith(_FORMULA)
    return f"'{printable}" if is_formula else printable


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return harmless(cell) if isinstance(cell, str) else repr(cell)
