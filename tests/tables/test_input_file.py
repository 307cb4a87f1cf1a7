"""Files as people have them: the same rows are asked, whatever wrote them, or the refusal is in words."""

import codecs
import io
import re
import zipfile

import pytest

from biofact.core.usage import WrongUsage
from biofact.interfaces.cli.inputs import NAME_HEADER
from biofact.tables.input_file import Choice, read_file
from tests.each_of import each_of

pytestmark = pytest.mark.quick

ROWS = [
    ["Sample", "Gene name", "fold change"],
    ["1", "TP53", "-0.37"],
    [],
    ["2", "β-actin", "1,5"],
    ["3", "calcium channel, voltage-dependent", "+2e-05"],
    ["", "HER2/neu", ""],
    ["5", 'the "p53" gene', "007"],
]
TEXTS = ["TP53", "", "β-actin", "calcium channel, voltage-dependent", "HER2/neu", 'the "p53" gene']


def written(delimiter, end="\r\n"):
    def cell(text):
        is_quoted = any(mark in text for mark in (delimiter, '"', "\n"))
        return '"{}"'.format(text.replace('"', '""')) if is_quoted else text

    return "".join(delimiter.join(map(cell, row)) + end for row in ROWS)


class Opened(io.BytesIO):
    """A file in memory."""

    def __init__(self, content, path):
        super().__init__(content)
        self.path = path
        path.write_bytes(content)
        self._file = path.open("rb")

    def fileno(self):
        return self._file.fileno()

    def close(self):
        self._file.close()
        super().close()


@pytest.fixture
def read_content(tmp_path):
    """A function that reads content as the file of a name; the last argument is the choice of what is asked."""
    streams = []

    def read_content(content, name="genes.csv", **choice):
        streams.append(Opened(content if isinstance(content, bytes) else content.encode(), tmp_path / name))
        return read_file(streams[-1], name, Choice(NAME_HEADER, **choice))

    yield read_content
    for stream in streams:
        stream.close()


@each_of("end", ["\n", "\r\n", "\r"])
@each_of("delimiter", [",", ";", "\t"])
@each_of("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_table_is_read_whatever_wrote_it(read_content, encoding, delimiter, end):
    file = read_content(written(delimiter, end).encode(encoding))
    rows = [*file.rows()]

    assert [row.text for row in rows] == TEXTS
    assert [[cell or "" for cell in row.cells] for row in rows] == [row or ["", "", ""] for row in ROWS[1:]]
    assert file.header == ("Sample", "Gene name", "fold change")
    assert "the column 'Gene name' of genes.csv is asked; --column chooses another." in file.remarks


@each_of(("encoding", "label"), [("cp1252", "Windows-1252"), ("latin-1", "Latin-1")])
def test_a_guess_at_the_encoding_is_a_remark(read_content, encoding, label):
    mark = "\x81" if label == "Latin-1" else ""  # no letter of Windows
    file = read_content(f"gene;lab\nTP53;Zürich{mark}\n".encode(encoding))

    assert [row.cells for row in file.rows()] == [("TP53", f"Zürich{mark}")]
    assert file.remarks[0] == (
        f"genes.csv does not say its encoding, and was read as {label}: check letters with accents."
    )


@each_of(
    ("content", "name", "texts"),
    [
        ("TP53\nBRCA1\n", "genes.txt", ["TP53", "BRCA1"]),
        (
            "calcium channel, voltage-dependent\nTP53, BRCA1\n",
            "genes.txt",
            ["calcium channel, voltage-dependent", "TP53, BRCA1"],
        ),
        ("gene\nTP53\n\nBRCA1\n", "genes.csv", ["TP53", "", "BRCA1"]),
        ("Gene_symbol\nTP53\n", "standard input", ["TP53"]),
        ('5"-end\nTP53\n', "genes.txt", ['5"-end', "TP53"]),
        ('"TP53"\n"a, b"\n', "genes.csv", ["TP53", "a, b"]),
        ("# symbols\nTP53\n", "genes.txt", ["# symbols", "TP53"]),  # which the command skips
        ("TP53", "genes", ["TP53"]),
    ],
)
def test_a_list_has_a_name_in_each_line(read_content, content, name, texts):
    file = read_content(content, name)

    assert [row.text for row in file.rows()] == texts
    assert file.header == ()


@each_of(
    ("content", "choice", "texts"),
    [
        ("a,b\nTP53,1\n", {"column": "a"}, ["TP53"]),
        ("a,b\nTP53,1\n", {"column": "A "}, ["TP53"]),
        ("x,y\nTP53,1\n", {"column": "1"}, ["TP53"]),
        ("TP53,1\nBRCA1,2\n", {"column": "1"}, ["TP53", "BRCA1"]),  # without a header
        ("My genes,,\n\nsample,Gene symbol,x\n1,TP53,2\n2,BRCA1,3\n", {}, ["TP53", "BRCA1"]),
        ("Table S1\n\ngene,x\nTP53,2\n", {}, ["TP53"]),
        ("logFC\tgene\nrow1\t0.1\tTP53\nrow2\t0.2\tBRCA1\n", {}, ["TP53", "BRCA1"]),  # as R writes it
        ("sep=;\r\nGene;x\r\nTP53;1\r\n", {}, ["TP53"]),
        ("GeneID,GeneID.1\n7157,x\n", {"column": "GeneID"}, ["7157"]),
        ("one\nTP53\n", {"column": "one"}, ["TP53"]),
    ],
)
def test_the_header_and_the_column_are_found(read_content, content, choice, texts):
    assert [row.text for row in read_content(content, **choice).rows() if row.text] == texts


@each_of(
    ("content", "choice", "message", "hint"),
    [
        (
            "gene,Ensembl ID,x\na,b,c\n",
            {},
            "Which column of 'genes.csv' is asked? 'gene' and 'Ensembl ID' may be meant.",
            "Give --column NAME. Its columns are 'gene', 'Ensembl ID', 'x'.",
        ),
        (
            "x,y\na,b\n",
            {},
            "Which column of 'genes.csv' is asked? No header says that it has names.",
            "Give --column NAME. Its columns are 'x', 'y'.",
        ),
        (
            "gene,x\na,b\n",
            {"column": "genes"},
            "'genes.csv' has no column 'genes'.",
            "Did you mean 'gene'? Its columns are 'gene', 'x'.",
        ),
        ("gene,x\na,b\n", {"column": "3"}, "'genes.csv' has no column '3'.", "Its columns are 'gene', 'x'."),
        ("gene,x\na,b\n", {"sheet": "1"}, "'genes.csv' has no sheets.", "Leave --sheet out: it is for an .xlsx file."),
    ],
)
def test_a_column_that_is_not_clear_is_asked_for(read_content, content, choice, message, hint):
    with pytest.raises(WrongUsage) as refusal:
        read_content(content, **choice)

    assert (str(refusal.value), refusal.value.hint) == (message, hint)


def test_two_columns_of_one_name_have_names_of_their_own(read_content):
    file = read_content("gene,gene,\nTP53,p53,x\n", column="1")

    assert file.header == ("gene", "gene 2", "column 3")


def test_a_column_of_ids_is_found_by_their_form(read_content):
    file = read_content("gene,id\nTP53,ENSG00000141510\nBRCA1,ENSG00000012048\n", pattern=re.compile(r"ENSG\d{11}"))

    assert [row.text for row in file.rows()] == ["ENSG00000141510", "ENSG00000012048"]


def test_a_row_with_too_many_cells_is_not_asked_and_loses_nothing(read_content):
    lines = ["gene,x,y", "TP53", "TP53, BRCA1,1,2,3", *["KRAS,1,2"] * 20]
    short, long, *_ = read_content("\n".join(lines)).rows()

    assert (short.text, short.cells, short.problem) == ("TP53", ("TP53", None, None), "")
    assert (long.text, long.cells) == ("", ("TP53", " BRCA1", "1,2,3"))
    assert long.problem == "Row 2 has 5 cells, and the header 3: it was not asked."


def test_a_cell_made_safe_for_spreadsheets_is_what_it_was(read_content):
    file = read_content("gene,x\n'=TP53,'-1+1\n'quoted',1\n")

    assert [row.cells for row in file.rows()] == [("=TP53", "-1+1"), ("'quoted'", "1")]


@each_of(
    ("content", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe\x80", "'genes.csv' is no text."),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 EncryptedPackage",
            "'genes.csv' is protected by a password, or an old .xls file.",
        ),
        (b"\x1f\x8b\x08\0", "'genes.csv' is compressed."),
        ("", "'genes.csv' is empty."),
        (codecs.BOM_UTF8 + b"gene\n\xff\n", "'genes.csv' begins as UTF text, and holds bytes that are none."),
        (
            "gene,x\n" + "T" * 200_000 + ",1\n",
            "Line 2 of 'genes.csv' cannot be read: field larger than field limit (131072).",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused_by_name(read_content, content, message):
    with pytest.raises(WrongUsage) as refusal:
        [*read_content(content).rows()]

    assert str(refusal.value) == message
    assert refusal.value.hint


def test_a_file_that_changes_while_it_is_read_says_so(read_content, tmp_path):
    file = read_content("gene,x\nTP53,1\n")
    rows = file.rows()
    next(rows)
    (tmp_path / "genes.csv").write_text("gene,x\nTP53,1\nBRCA1,2\n")

    assert [*rows] == []
    assert file.remarks[-1] == "genes.csv was changed while it was read: run the command again."


def test_a_list_of_the_words_of_one_cell_is_quick_to_read(read_content):
    file = read_content("\n".join(f"GENE{number}" for number in range(20_000)), "genes.txt")

    assert file.row_count == 19_999
    assert sum(1 for _ in file.rows()) == 20_000


def workbook(tmp_path, *sheets):
    """The bytes of a workbook with these sheets: a title and rows each."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "made.xlsx")
    return (tmp_path / "made.xlsx").read_bytes()


def with_part(content, name, change):
    """The workbook with a part changed."""
    source, target = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in source.infolist():
            archive.writestr(part.filename, change(source.read(part)) if part.filename == name else source.read(part))
    return target.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
GENES = [["Gene name", "n", "since"], ["TP53", -0.5, True], [], ["2-Sep", 7, None], [7157, "007", "=1+2"]]


def test_a_sheet_is_read_with_the_types_of_its_cells(read_content, tmp_path):
    file = read_content(workbook(tmp_path, ("genes", GENES), ("empty", [])), "genes.xlsx")

    assert [row.text for row in file.rows()][:4] == ["TP53", "", "2-Sep", "7157"]
    assert file.header == ("Gene name", "n", "since")


def test_a_sheet_is_chosen_by_name_or_number(read_content, tmp_path):
    content = workbook(tmp_path, ("notes", [["nothing"]]), ("Genes", GENES))

    for sheet in ("Genes", "genes", "2"):
        assert next(read_content(content, "g.xlsx", sheet=sheet).rows()).text == "TP53"
    with pytest.raises(WrongUsage, match=r"'g\.xlsx' has no sheet 'x'"):
        read_content(content, "g.xlsx", sheet="x")
    assert read_content(content, "g.xlsx").remarks[0] == (
        "the sheet 'notes' of g.xlsx is read; --sheet reads another: 'Genes'."
    )


@each_of(
    ("part", "change", "message"),
    [
        (SHEET, lambda xml: xml[:-40], "is a damaged workbook"),
        ("xl/workbook.xml", lambda _: b"", "is a damaged workbook"),
        (
            SHEET,
            lambda xml: xml.replace(b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet', 1),
            "declares entities in its XML",
        ),
        ("xl/workbook.xml", lambda _: b" " * (2**24 + 1), "is larger than a workbook can be"),
        (
            SHEET,
            lambda xml: xml.replace(b"</sheetData>", b'<row r="99999999"><c r="A99999999"/></row></sheetData>'),
            "has more rows or columns",
        ),
        (
            SHEET,
            lambda xml: xml.replace(b"</sheetData>", b'<row r="9"><c r="ZZZ9"><v>1</v></c></row></sheetData>'),
            "has more rows or columns",
        ),
    ],
)
def test_a_hostile_or_damaged_workbook_is_refused_by_name(read_content, tmp_path, part, change, message):
    content = with_part(workbook(tmp_path, ("genes", GENES)), part, change)

    with pytest.raises(WrongUsage, match=message):
        [*read_content(content, "g.xlsx").rows()]


def test_an_archive_that_is_no_workbook_is_refused(read_content):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as parts:
        parts.writestr("genes.csv", "TP53")

    for content in (archive.getvalue(), archive.getvalue()[:60]):
        with pytest.raises(WrongUsage, match="is a damaged workbook"):
            read_content(content, "g.xlsx")


LINES = "gene,x\nTP53,1\nBRCA1,2\n"


@each_of(
    ("content", "name"),
    [
        *(
            (LINES.replace(",", mark), name)
            for mark in ",;\t"
            for name in ("g.csv", "g.txt", "g.xlsx", "g.parquet", "g")
        ),
        *((LINES.encode(encoding), "g.xlsx") for encoding in ("utf-16", "utf-8-sig", "utf-16-be")),
        *((f"{start}{LINES}", "g.csv") for start in ("\n", "\r\n\r\n", ",\n", "Table S1\n", "sep=,\n")),
        *((LINES.replace("TP53,1", line), "g.csv") for line in ('"TP53",1', 'TP53,"1"', 'TP53,"1\n2"', " TP53 ,1")),
        *((LINES.replace("\n", end), "g.csv") for end in ("\r", "\r\n", "\n\n")),
        (LINES.rstrip(), "g.csv"),
        (LINES + "\n" * 50, "g.csv"),
    ],
)
def test_a_table_is_read_under_any_name_and_with_any_ends(read_content, content, name):
    assert [row.text for row in read_content(content, name).rows() if row.text] == ["TP53", "BRCA1"]


@each_of("name", ["g.csv", "g.tsv", "g.txt", "g", "g.parquet"])
def test_a_workbook_is_read_under_any_name(read_content, tmp_path, name):
    assert next(read_content(workbook(tmp_path, ("genes", GENES)), name).rows()).text == "TP53"


def test_a_workbook_that_is_cut_anywhere_is_refused_by_name(read_content, tmp_path):
    content = workbook(tmp_path, ("genes", GENES))

    for end in range(8, len(content), len(content) // 20):
        with pytest.raises(WrongUsage, match=r"'g\.xlsx' is"):
            [*read_content(content[:end], "g.xlsx").rows()]
