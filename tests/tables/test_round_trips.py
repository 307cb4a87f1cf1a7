"""Tables that go through the program and back: every cell is what it was."""

import csv
from datetime import date, datetime, time

import pytest

from biofact.interfaces.cli.inputs import open_inputs
from biofact.interfaces.cli.resolve_command import LAYOUT
from biofact.interfaces.cli.writers import choose_target, open_destination, row_writer
from biofact.tables.spreadsheet import text
from tests.each_of import each_of
from tests.interfaces.tool_commands import OPTIONS

pytestmark = pytest.mark.quick

CELLS = [
    *("-0.37", "-5", "+3", "-1e-05", "1,5", "-1.234,5", "5 %", "1/2", "0", "-0", "1.10", "1.", ".5"),
    *("=1+2", "=SUM(A1)", "@x", "-1+1", "+A1", "\uff1dA1", " =1", "-", "--", "=", "+"),
    *("12345678901234567890", "0.1234567890123456789", "007", "0x1F", "1E5", "2.31E+19", "1e400", "Infinity", "NaN"),
    *("2-Sep", "MARCH1", "2026-09-02", "2026-09-02 10:30:00", "9/2/2026", "10:30", "10:30:00", "44621"),
    *("TRUE", "true", "False", "NA", "#N/A", "#REF!", "null", "None"),
    *(
        "two\nlines",
        "two\r\nlines",
        "a\rb",
        "\nfirst",
        "last\n",
        "a\tb",
        'a "quoted" word',
        '"',
        '""',
        "a;b",
        "a,b",
        "'",
        "'quoted'",
        "''",
    ),
    *("  blanks  ", "\u00a0", "\u03b2-actin", "\u00b5", "Z\u00fcrich", "\U0001f9ec", "e\u0301", "\u200b", "\ufeffx"),
    *("_x0041_", "&amp;", "<b>", "https://x.org/1", "mailto:a@b.c", "C:\\a", "#", "# x", "sep=;", "x" * 32_767),
]
"""Cells that some program on the way may change."""


def copied(source, target, column="1"):
    """Write the rows of a file as the command does, with an empty column of answers; the file that was written."""
    chosen = choose_target(
        {**dict.fromkeys(OPTIONS), "output": str(target), "columns": "id"}, LAYOUT.names, "biofact resolve"
    )
    with open_inputs([str(source)], {"column": column}) as inputs, open_destination(chosen) as destination:
        layout = inputs.join.layout(LAYOUT)
        writer = row_writer(layout, chosen.joined(inputs.join.file, layout), destination)
        for name in inputs.texts:
            writer.write(inputs.join.add([name], [{"name": name}]))
        writer.write(inputs.join.last_rows())
        writer.end()
    return target


def write_csv(file, rows):
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\r\n").writerows(rows)
    return file


def rows_read(file, column="1"):
    """The cells of a file as the program reads them, without the added ones."""
    with open_inputs([str(file)], {"column": column}) as inputs:
        join = inputs.join
        names = [*inputs.texts]
        bodies = join.add(names, [{}] * len(names))
        return [[cell for key, cell in body["row"].items() if not key.endswith("id")] for body in bodies]


TABLE = [["name", "x", "y"], *([f"GENE{number}", cell, cell[::-1][:99]] for number, cell in enumerate(CELLS))]


@each_of("form", ["csv", "tsv", "xlsx"])
def test_texts_come_back_from_every_form_as_they_were(tmp_path, form):
    source = write_csv(tmp_path / "source.csv", TABLE)
    there = copied(source, tmp_path / f"there.{form}")
    again = copied(there, tmp_path / "again.csv", column="name")

    first = rows_read(source)
    assert [[cell or "" for cell in row] for row in first] == TABLE[1:]
    assert rows_read(there) == first
    assert rows_read(again) == first


AS_TEXTS = (1234567890123456, -(2**53), datetime(1900, 1, 1))  # noqa: DTZ001
"""Values that spreadsheets would change, were they no texts."""
VALUES = [
    *(1, -5, 0.1, -0.37, 1e-300, *AS_TEXTS, True, False, None, "007", "=1+2", "TRUE", "a\nb"),
    *(date(2026, 9, 2), datetime(2026, 9, 2, 10, 30, 15), time(10, 30), date(1901, 1, 1), date(2100, 2, 28)),  # noqa: DTZ001
    *("12345678901234567890", "2-Sep", "#N/A", " x "),
]


def test_values_of_a_workbook_come_back_as_they_were(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["name", "x"])
    for number, value in enumerate(VALUES):
        book.active.append([f"GENE{number}", None])
        cell = book.active.cell(number + 2, 2)
        cell.value = value
        cell.data_type = "s" if isinstance(value, str) else cell.data_type
    book.save(tmp_path / "source.xlsx")

    first = rows_read(tmp_path / "source.xlsx")
    again = rows_read(copied(tmp_path / "source.xlsx", tmp_path / "again.xlsx"))

    assert again == [[name, text(cell) if cell in AS_TEXTS else cell] for name, cell in first]
