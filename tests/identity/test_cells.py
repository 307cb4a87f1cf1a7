"""Cells that hold no name: missing values, and what Excel made of the recorded symbols and aliases of genes."""

import functools
import gzip
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest

from biofact.identity.cells import is_missing, spreadsheet_cell
from biofact.identity.client import IdentityClient
from biofact.sandbox.dialects.gene_info import FOLDER
from tests import virtual_time
from tests.each_of import each_of
from tests.recordings import recording
from tests.sandboxed import LIFE, transported

pytestmark = pytest.mark.quick

MISSING = "missing value in the file"
MONTHS = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER"
LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MARKS = """NA na N/A n/a n.a. N.A NaN nan -nan NULL null None none <NA> (null) . - -- \u2014 ? #N/A #NA #NV #N/D #REF!
    #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #WERT! INF -Inf inf TRUE False 1.#QNAN -1.#IND NaT
    n.d. N.D. missing (missing) Unknown unassigned (blank)"""
PHRASES = ("not available", "Not determined", "not detected", "not found")
NAMES = "NAT1 NAT NAN1 NANS NANOG INFA ND UNK Nil NULL1 TRUE1 T N w Infb NONO #symbols 1.5 BRCA1 Na+ p.A1 none-1 5'"
OTHER_LANGUAGES = {  # as spreadsheets in these show the names of genes, and as an English one opens their files
    "AGO2": "2-ago 02-ago 02/ago/2026 2-Aug 2026-08-02",
    "MEI1": "1-mei 1-mei-26 1-May 1/5/2026",
    "TAMM41": "Jan-41 1.tammi.1941 1941-01-01",
    "MARS2": "02-mars 2-Mar 02/03/2026",
    "OKT3": "03.Okt 3-okt-26 3-Oct",
    "MAY5": "5-мая 05.май.2026",
    "LIS1": "1-lis 1-Nov",
    "DES3": "3-des 3-Dec",
    "EKI2": "2-eki",
    "SEPT2": "2-сен 2026年9月2日 9月2日 2026년9월2일 02-sept. 02.Sep 2-set 02.09.2026",
    "DEC1": "01-d\u00e9c. 01-dez 1-dic 1.12.2026",
    "GEN1": "1-gen 1-Jan",
    "MARCH1": "01.Mrz 1-mrt 01-mars",
}
NOT_CHANGED = """OCT4 Sept-2 SEPT2 12-LOX 5-FU 14-3-3 50-78-2 2E4 30-Feb 2023-02-30 2023/13/01 HEL-9 Mag-2 672
    7157 50484 1E5 1.5E 1.5 672.0 31-Apr 17-1A 10.1056/NEJMoa012512 chr1:100-200 6-mercaptopurine 2-Decanone 5'-AMP
    12345678 HLA-A*02:01 9-2-x"""
FILES = {"human": "Homo_sapiens.gene_info.gz", "mouse": "igvfsample_Mus_musculus.gene_info.gz"}
TAXON_IDS = {"human": "9606", "mouse": "10090"}


def day_of(name: str) -> tuple[int, int, bool] | None:
    """The month and number that an English Excel reads where this name is typed, and whether that is a day."""
    match = re.fullmatch(r"([A-Z]{3,})[-/ ]?(\d{1,2})", name.upper())
    month = match and next((place for place, whole in enumerate(MONTHS.split(), 1) if whole.startswith(match[1])), 0)
    if not match or not month:
        return None
    number = int(match[2])
    is_day = 1 <= number <= LENGTHS[month - 1]
    return (month, number, is_day) if is_day or number >= 30 else None


def cells_of(name: str, year: int = 2026) -> Iterator[str]:
    """The texts that Excel and exports of its sheets show where this name was typed in this year."""
    if (reading := day_of(name)) is None:
        return
    month, number, is_day = reading
    day = date(2000 if (month, number) == (2, 29) else year, month, number) if is_day else date(1900 + number, month, 1)
    short = MONTHS.split()[month - 1][:3].capitalize()
    if is_day:  # without a year, as HGNChelper's table has them
        yield from (f"{number}-{short}", f"{short}-{number:02}")
        yield from (
            f"{form}{sign}{end}" for sign in "/-" for form in (month, f"{month:02}") for end in (number, f"{number:02}")
        )
    else:
        yield f"{short}-{number}"
    yield from (
        f"{day:%d-%b-%y}",
        f"{day:%d.%m.%Y}",
        f"{day:%m/%d/%Y}",
        f"{day:%d/%m/%Y}",
        f"{month}/{day.day}/{day.year}",
    )
    yield from (
        f"{day}",
        f"{day} 00:00:00",
        f"{day:%Y/%m/%d}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day:%A, %B %d, %Y}",
    )
    if is_day:
        yield str((day - date(1899, 12, 30)).days)
    if is_day and year < 2012:
        yield str((day - date(1904, 1, 1)).days)


def is_number(name: str) -> bool:
    return re.fullmatch(r"\d+E\d+", name) is not None


@functools.cache
def rows_of(organism: str) -> list[list[str]]:
    """The fields of the genes with a name that Excel changes, or that looks like its dates or is in the tables here."""
    rows = [row.split("\t") for row in recording(f"bulk/{FILES[organism]}").decode().splitlines()[1:]]
    return [row for row in rows if row[0] == TAXON_IDS[organism] and any(map(_is_of_interest, names_of(row)))]


def names_of(row: list[str]) -> set[str]:
    return {row[2], *row[4].split("|")} - {"-"}


def _is_of_interest(name: str) -> bool:
    may_be_cell = re.fullmatch(r"[A-Za-z]{3,9}[-/ ]?\d{1,2}|\d[\w./ -]{2,12}", name) is not None
    return name in OTHER_LANGUAGES or (may_be_cell and bool(day_of(name) or is_number(name) or spreadsheet_cell(name)))


@functools.cache
def genes_called(organism: str) -> dict[str, set[str]]:
    """The names that Excel changes, each with the IDs of its genes."""
    genes: dict[str, set[str]] = defaultdict(set)
    for row in rows_of(organism):
        for name in names_of(row):
            if day_of(name) or is_number(name):
                genes[name].add(f"NCBIGene:{row[1]}")
    return genes


@pytest.fixture(scope="module")
def changed_genes():
    """A folder of recordings that has the genes with names that Excel changes."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / FOLDER).mkdir()
        (root / "REQUESTS.tsv").write_text("file\trecorded\tera\tstatus\tfidelity\tservice\tpath\n")
        for organism, name in FILES.items():
            rows = "".join("\t".join(row) + "\n" for row in rows_of(organism))
            (root / FOLDER / name).write_bytes(gzip.compress(rows.encode(), mtime=0))
        fly = "\t".join(("7227", "44621", "planted", *"-" * 6, "protein-coding", "planted", *"-O-", "20260101", "-\n"))
        (root / FOLDER / "Drosophila_melanogaster.gene_info.gz").write_bytes(gzip.compress(fly.encode(), mtime=0))
        yield root


def resolved(names, organism="human", **options):
    """The rows of the names, the notices, and the requests."""
    recordings = options.pop("recordings", None)

    async def ask():
        async with transported(timing=LIFE, recordings=recordings) as (transport, sandbox):
            answers = [
                answer async for answer in IdentityClient(transport).resolve_many(names, organism=organism, **options)
            ]
            return [row for answer in answers for row in answer.items], answers[0].notices, sandbox.requests

    return virtual_time.run(ask())


def ids_of(row):
    return {entity.id for entity in row.entities} | {
        named.rpartition("(")[2].rstrip(")") for named in row.ambiguous_with
    }


@each_of("mark", [*MARKS.split(), *PHRASES])
def test_a_mark_of_a_missing_value_is_no_name(mark):
    assert is_missing(mark)


@each_of("name", NAMES.split())
def test_a_name_like_a_mark_is_a_name(name):
    assert not is_missing(name)


def test_a_missing_value_has_a_row_in_its_place_and_no_entity():
    marks = MARKS.split()
    column = [cell for mark in marks for cell in ("BRCA1", mark)]

    rows, notices, requests = resolved(column)
    (alone, *_), _, _ = resolved(["BRCA1"])

    assert [row.name for row in rows] == column
    assert [row.entities for row in rows[::2]] == [alone.entities] * len(marks)
    assert {(row.reason, len(ids_of(row))) for row in rows[1::2]} == {(MISSING, 0)}
    assert "as missing values, not as names: " in notices[1].message
    assert "--keep-na" in notices[1].message
    assert not any("NaN" in str(request) for request in requests)


def test_values_of_a_data_frame_are_read_as_its_cells(changed_genes):
    values = [datetime.fromisoformat("2026-09-02"), date(2026, 9, 2), float("nan"), 2.31e19, 5460.0]

    rows, *_ = resolved(values, recordings=changed_genes)

    assert [row.name for row in rows] == ["2026-09-02 00:00:00", "2026-09-02", "nan", "2.31e+19", "5460.0"]
    assert rows[0].ambiguous_with == rows[1].ambiguous_with
    assert rows[1].ambiguous_with[0] == "SEPTIN2 (NCBIGene:4735)"
    assert rows[2].reason == MISSING
    assert "digits that it does not show are lost" in rows[3].reason
    assert rows[4].entities[0].id == "NCBIGene:5460"


def test_quotes_around_a_cell_are_no_part_of_it(changed_genes):
    rows, *_ = resolved(['"NA"', "'2-Sep'", "'2-Sep", "2-Sep"], recordings=changed_genes)

    assert rows[0].reason == MISSING
    assert rows[1].ambiguous_with == rows[2].ambiguous_with == rows[3].ambiguous_with != []


def test_a_missing_value_is_a_name_where_it_is_asked_for_as_one():
    rows, notices, _ = resolved(["NA", "BRCA1"], keep_na=True)

    assert rows[0].reason != MISSING
    assert [notice.message for notice in notices] == ["Names read by their form: 2 as gene."]


@pytest.mark.parametrize("organism", ["human", "mouse"])
@pytest.mark.parametrize(
    ("year", "step"), [(2026, 33), *(pytest.param(year, 1, marks=pytest.mark.sweep) for year in (2026, 2004))]
)
def test_a_date_leads_to_every_gene_whose_name_excel_turned_into_it_and_none_is_chosen(
    organism, year, step, changed_genes
):
    """A table like HGNChelper's, of all symbols and aliases in the recorded file."""
    originals = [(cell, name) for name in genes_called(organism) for cell in cells_of(name, year)][::step]

    rows, *_ = resolved([cell for cell, _ in originals], organism, recordings=changed_genes)

    assert len(originals) > {"human": 1_500, "mouse": 900}[organism] / step
    genes = genes_called(organism)
    assert [pair for pair, row in zip(originals, rows, strict=True) if not genes[pair[1]] <= ids_of(row)] == []
    assert [row.name for row in rows if row.entities and not re.fullmatch(r"[A-Z][a-z]{2}-\d{2}", row.name)] == []


def test_a_name_that_excel_turns_into_a_number_is_recovered_from_its_digits_and_never_guessed(changed_genes):
    names = [name for name in genes_called("mouse") if is_number(name)]
    rounded, whole = ([form(float(name)) for name in names] for form in ("{:.2E}".format, "{:e}".format))

    rows, *_ = resolved(rounded + whole, "mouse", recordings=changed_genes)

    for name, short, full in zip(names, rows, rows[len(names) :], strict=False):
        is_whole = len(name.partition("E")[0].rstrip("0")) <= 3
        assert (genes_called("mouse")[name] <= ids_of(short)) == is_whole, name
        assert "digits that it does not show are lost" in short.reason or short.ambiguous_with, name
        assert genes_called("mouse")[name] <= ids_of(full), name


@each_of(("name", "cells"), OTHER_LANGUAGES.items())
def test_a_date_is_read_in_other_languages(name, cells):
    readings = {text: spreadsheet_cell(text) for text in cells.split()}

    assert [text for text, cell in readings.items() if name not in (*cell.names, *cell.foreign_names)] == []


@each_of("name", NOT_CHANGED.split())
def test_what_no_spreadsheet_shows_is_a_name(name):
    assert spreadsheet_cell(name) is None


def test_a_name_of_another_language_is_a_candidate_where_english_has_none(changed_genes):
    rows, *_ = resolved(["2-Aug", "2-Mar"], recordings=changed_genes)

    assert rows[0].ambiguous_with == ["AGO2 (NCBIGene:27161)"]
    assert "MARCHF2 (NCBIGene:51257)" in rows[1].ambiguous_with
    assert not any("MARS2" in named for named in rows[1].ambiguous_with)


@pytest.mark.parametrize("organism", ["human", "mouse"])
def test_a_recorded_name_that_looks_like_a_date_still_leads_to_its_gene(organism, changed_genes):
    pairs = [(row, name) for row in rows_of(organism) for name in names_of(row) if spreadsheet_cell(name)]

    rows, *_ = resolved([name for _, name in pairs], organism, recordings=changed_genes)

    assert len(pairs) > 10
    assert [
        name for (gene, name), row in zip(pairs, rows, strict=True) if f"NCBIGene:{gene[1]}" not in ids_of(row)
    ] == []


def test_a_number_that_is_a_gene_id_and_a_date_is_both(changed_genes):
    """44621 is 1 March 2022; 44622 in the fly no gene's name."""
    (both, *_), *_ = resolved(["44621"], recordings=changed_genes)
    (gene, other), *_ = resolved(["44621", "NCBIGene:44621"], "fruit fly", recordings=changed_genes)

    assert both.ambiguous_with[:3] == [
        "planted (NCBIGene:44621)",
        "MARCHF1 (NCBIGene:55016)",
        "MTARC1 (NCBIGene:64757)",
    ]
    assert "planted (as written), MARCHF1 (was MARCH1), MTARC1 (was MARC1)" in both.reason
    assert both.entities == []
    assert gene.entities[0].id == other.entities[0].id == "NCBIGene:44621"


def test_a_cell_is_not_searched_for_by_words(changed_genes):
    rows, _, requests = resolved(["31-Dec", "4-Jul", "2.31E+19"], recordings=changed_genes)

    assert [ids_of(row) for row in rows] == [set()] * 3
    assert {request.service for request in requests} == {"ncbi", "ensembl"}


def test_hardly_a_gene_id_of_man_is_a_date():
    limits = (33_237, 33_238, 49_674, 49_675)  # 1 January 1995, of 1904, and 31 December 2035, of 1900, lie between
    numbers = [number for number in (*limits, *range(0, 100_000, 149)) if spreadsheet_cell(str(number))]
    rows = recording(f"bulk/{FILES['human']}").decode().splitlines()[1:]
    human = {int(row.split("\t", 2)[1]) for row in rows}

    assert (min(numbers), max(numbers)) == limits[1:3]
    assert {number for number in human if number in range(*limits[1:3])} == {43_847, 43_849}
