"""The files of starter facts."""

import pytest

from biofact.sandbox.dialects import starter


def test_a_dash_is_an_empty_cell():
    assert starter.cells("PA448497\taspirin\t-", "drugs.tsv", 3) == ["PA448497", "aspirin", ""]


@pytest.mark.parametrize("line", ["CHEMBL1\tCOMPOUND", "CHEMBL1\tCOMPOUND\tACTIVE\t-"])
def test_a_line_of_another_width_is_named(line):
    with pytest.raises(ValueError, match=r"of ids\.tsv has [24] cells; expected 3 with a tab between"):
        starter.cells(line, "ids.tsv", 3)


def test_comments_and_empty_lines_are_no_rows():
    rows = list(starter.rows("biofact.sandbox.services.pubmed", "subheadings.tsv", 2))

    assert len(rows[0]) == 2
    assert not any(row[0].startswith("#") for row in rows)


@pytest.mark.parametrize(("cell", "number"), [("0.5", 0.5), ("-1", -1.0), ("2.5e-05", 2.5e-05)])
def test_a_decimal_is_read(cell, number):
    assert starter.decimal(cell) == number


@pytest.mark.parametrize("cell", ["", "four", "nan", "inf", ".5", "1,5", " 1"])
def test_no_decimal_is_named(cell):
    with pytest.raises(ValueError, match=r"expected one like 0\.5"):
        starter.decimal(cell)


@pytest.mark.parametrize("cell", ["", "-1", "1.5", "long"])
def test_no_whole_number_is_named(cell):
    with pytest.raises(ValueError, match="expected one like 42"):
        starter.integer(cell)
