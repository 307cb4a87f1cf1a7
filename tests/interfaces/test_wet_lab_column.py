"""A column as it comes from the bench, from three kinds of file: each of its rows is right, or an honest question."""

import csv
import io
from datetime import date

import pytest

from biofact.tables.spreadsheet import text
from tests import virtual_time
from tests.interfaces.tool_commands import run_resolve
from tests.sandboxed import WHOLE, transported

pytestmark = pytest.mark.quick

EMPTY = "empty"
MISSING = "missing value in the file"
UNKNOWN_ROWS = "No gene or compound"
LOST_NAME = "A number, as spreadsheets make of names"
NO_DATE = "A date, as spreadsheets make of names"
CELLS = {
    # blanks, Greek letters, letter case
    "TP53": "NCBIGene:7157",
    " TP53 ": "NCBIGene:7157",
    "\u00a0EGFR": "NCBIGene:1956",
    "KRAS\u00a0": "NCBIGene:3845",
    "TP53\u200b": "NCBIGene:7157",
    "TGF-\u03b21": "NCBIGene:7040",
    "TNF\u03b1": "NCBIGene:7124",
    "p38\u03b1": "NCBIGene:1432",
    "her2": "NCBIGene:2064",
    "Brca2": "NCBIGene:675",
    "Trp53": "NCBIGene:7157",
    "'VEGF": "NCBIGene:7422",
    # dates and numbers that were names: none is chosen, and the genes that they may have been are named
    "2-Sep": NO_DATE,  # the sandbox has no SEPTIN2
    "9-Sep": ["NCBIGene:10801"],
    "Mar-1": ["NCBIGene:55016"],
    "44621": ["NCBIGene:55016"],  # 1 March 2022
    "1-Dec": ["NCBIGene:8553", "NCBIGene:50514"],  # both were DEC1
    "4-Oct": ["NCBIGene:5460"],
    "2.31E+19": LOST_NAME,
    # no value
    "NA": MISSING,
    "n/a": MISSING,
    "#REF!": MISSING,
    "#N/A": MISSING,
    "-": MISSING,
    "?": MISSING,
    # several names
    "ERBB2 (HER2)": "NCBIGene:2064",
    "HER2/ERBB2": "NCBIGene:2064",
    "CD274/PD-L1": "NCBIGene:29126",
    "TP53;BRCA1": ["NCBIGene:7157", "NCBIGene:672"],
    "TP53, BRCA1": ["NCBIGene:7157", "NCBIGene:672"],
    "BRCA1\nBRCA2": ["NCBIGene:672", "NCBIGene:675"],
    "MLL2": ["NCBIGene:8085", "NCBIGene:9757"],  # one name of two genes
    "PSA": ["NCBIGene:354", "NCBIGene:9520"],
    # full names
    "alanyl aminopeptidase, membrane": "NCBIGene:290",
    "major histocompatibility complex, class II, DR beta 1": "NCBIGene:3123",
    "tumor protein p53": "NCBIGene:7157",
    # IDs in dress
    "https://www.ncbi.nlm.nih.gov/gene/672": "NCBIGene:672",
    "https://identifiers.org/ncbigene:7157": "NCBIGene:7157",
    "ENSG00000141510.18": "NCBIGene:7157",
    "NCBIGene:672": "NCBIGene:672",
    "GeneID: 675": "NCBIGene:675",
    "HGNC:1100": "NCBIGene:672",
    # no names
    "=SUM(A1)": UNKNOWN_ROWS,
    "-0.37": UNKNOWN_ROWS,
    "-5": UNKNOWN_ROWS,
    "007": UNKNOWN_ROWS,
    "000672": UNKNOWN_ROWS,
    "12345678901234567": UNKNOWN_ROWS,
    "NOTAGENE1": UNKNOWN_ROWS,
    # as people write them
    "Oct-4": "NCBIGene:5460",
    "IL-8": "NCBIGene:3576",
    "p16INK4a": "NCBIGene:1029",
    "c-Myc": "NCBIGene:4609",
    "MARCH1": "NCBIGene:55016",
}
"""Cells with the ID that they mean, the IDs of all that they may mean, or the beginning of the reason."""
COLUMN = [*CELLS.items(), ("TP53", CELLS["TP53"]), ("", EMPTY), ("her2", CELLS["her2"]), ("", EMPTY), ("", EMPTY)]
COLUMN.append(("BRCA1", "NCBIGene:672"))
TYPED = {"9-Sep": date(2026, 9, 9), "44621": 44621, "-0.37": -0.37, "-5": -5}
"""Cells that are no text in the workbook."""
HEADER = ["No.", "Gene name", "a, \u03b2"]
OWN_ROWS = [[str(number), cell, "01" if number % 2 else "-"] for number, (cell, _) in enumerate(COLUMN, 1)]
OWN_ROWS[-2] = ["", "", ""]


def write_inputs(folder):
    """The table as CSV as Excel saves it, as text for programs of Windows, and as a workbook."""
    for name, encoding, delimiter in (("column.csv", "utf-8-sig", ","), ("column.txt", "utf-16", "\t")):
        with (folder / name).open("w", encoding=encoding, newline="") as file:
            csv.writer(file, delimiter=delimiter, lineterminator="\r\n").writerows([HEADER, *OWN_ROWS])
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [HEADER, *OWN_ROWS]:
        book.active.append([TYPED.get(cell, cell) or None for cell in row])
    formulas = (cell for row in book.active.iter_rows() for cell in row if cell.data_type == "f")
    for cell in formulas:  # which openpyxl makes of text
        cell.data_type = "s"
    book.save(folder / "column.xlsx")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """The rows of the three answers, each with header, as texts."""
    folder = tmp_path_factory.mktemp("column")
    write_inputs(folder)

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            for name, output in (("column.csv", "out.csv"), ("column.txt", "out.tsv"), ("column.xlsx", "out.xlsx")):
                path, target = str(folder / name), str(folder / output)
                assert await run_resolve(transport, path, output=target, column="Gene name") == 0

    virtual_time.run(ask())
    book = pytest.importorskip("openpyxl").load_workbook(folder / "out.xlsx")
    return {
        "csv": rows_of(folder / "out.csv", ","),
        "tsv": rows_of(folder / "out.tsv", "\t"),
        "xlsx": [[*map(text, row)] for row in book.active.iter_rows(values_only=True)],
    }


def rows_of(file, delimiter):
    content = io.StringIO(file.read_bytes().decode("utf-8-sig"), newline="")
    return [*csv.reader(content, delimiter=delimiter)]


def test_sixty_rows_stay_in_place_with_their_own_cells(outputs):
    as_text = [cell for _, cell, _ in OWN_ROWS]
    as_csv = ["'=SUM(A1)" if cell == "=SUM(A1)" else cell for cell in as_text]
    as_cells = [text(TYPED.get(cell, cell)) for cell in as_text]

    assert len(OWN_ROWS) == 60
    assert {form: rows[0][:3] for form, rows in outputs.items()} == dict.fromkeys(outputs, HEADER)
    assert [row[1] for row in outputs["csv"][1:]] == as_csv
    assert [row[1] for row in outputs["tsv"][1:]] == as_text
    assert [row[1] for row in outputs["xlsx"][1:]] == as_cells
    for rows in outputs.values():
        assert [[row[0], row[2]] for row in rows[1:]] == [[number, note] for number, _, note in OWN_ROWS]


def test_the_three_answers_are_equal_row_for_row(outputs):
    for texts, others, cells in zip(*([row[3:] for row in rows] for rows in outputs.values()), strict=True):
        assert texts == others
        assert [cell.removesuffix(".0") for cell in cells] == [cell.removesuffix(".0") for cell in others]


def test_every_row_is_right_or_an_honest_question(outputs, subtests):
    header, *rows = outputs["csv"]
    for (cell, expected), row in zip(COLUMN, rows, strict=True):
        facts = dict(zip(header[3:], row[3:], strict=True))
        candidates = [
            written.rpartition("(")[2].rstrip(")") for written in facts["ambiguous_with"].split("|") if written
        ]
        with subtests.test(cell=cell):
            assert facts["error"] == ""
            if expected == EMPTY:
                assert not any(facts.values())
            elif isinstance(expected, list):
                assert (facts["id"], candidates) == ("", expected)
                assert facts["reason"]
            elif expected.startswith("NCBIGene:"):
                assert (facts["id"], candidates) == (expected, [])
            else:
                assert (facts["id"], candidates) == ("", [])
                assert facts["reason"].startswith(expected)
