"""CSV of the command line and of reviews: one writer, so that both look alike in a spreadsheet."""

import csv
import io

import pytest

from biofact.interfaces.cli.rows import PlainLayout
from biofact.interfaces.cli.writers import LineWriter
from biofact.literature.exports import table
from biofact.tables.spreadsheet import harmless, without_guard
from tests.each_of import each_of

pytestmark = pytest.mark.quick

NAMES = ("effect", "p_value", "strand", "name")
ROWS = [
    {"effect": -0.28, "p_value": 2.5e-22, "strand": -1, "name": "=HYPERLINK(1)"},
    {"effect": 0.37, "p_value": -1e-05, "strand": 1, "name": "-1+1"},
]


def test_a_negative_number_is_one_and_a_formula_is_none_in_every_csv():
    parts = []
    LineWriter(PlainLayout(NAMES), NAMES, parts.append).write(ROWS)

    text = "".join(parts)
    assert text == table(NAMES, ROWS)
    assert [*csv.reader(io.StringIO(text, newline=""))] == [
        [*NAMES],
        ["-0.28", "2.5e-22", "-1", "'=HYPERLINK(1)"],
        ["0.37", "-1e-05", "1", "'-1+1"],
    ]


@each_of("cell", ["-", "--", "+", "=", "+/-", "@", " - "])
def test_marks_alone_compute_nothing_and_stay_as_they_are(cell):
    assert harmless(cell) == without_guard(cell) == cell
