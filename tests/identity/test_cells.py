"""Cells that hold no name: missing values, and what Excel made of the recorded symbols and aliases of genes."""

import functools
import gzip
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from benchmarks.symbols import HUMAN

from biofact.identity.cells import MISSING, is_missing
from biofact.identity.client import IdentityClient
from biofact.sandbox.dialects.gene_info import FOLDER
from tests import virtual_time
from tests.each_of import each_of
from tests.recordings import recording
from tests.sandboxed import LIFE, transported

pytestmark = pytest.mark.quick

MONTHS = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER"
LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MARKS = """NA na N/A n/a n.a. NaN nan -nan NULL null None none <NA> (null) . - -- \u2014 ? #N/A #NA #NV #N/D #REF!
    #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #WERT! INF -Inf inf TRUE False 1.#QNAN -1.#IND NaT"""
NAMES = "NAT1 NAT NAN1 NANS NANOG INFA ND NULL1 TRUE1 T N w Infb NONO #symbols 1.5 BRCA1 Na+ p.A1 none-1 5'"
FILES = {"human": "Homo_sapiens.gene_info.gz", "mouse": "igvfsample_Mus_musculus.gene_info.gz"}
TAXON_IDS = {"human": HUMAN, "mouse": "10090"}


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
    yield from (f"{day}", f"{day} 00:00:00", f"{day:%Y/%m/%d}", f"{day:%B} {day.day}, {day.year}")
    yield str((day - date(1899, 12, 30)).days)
    if is_day and year < 2012:
        yield str((day - date(1904, 1, 1)).days)


@functools.cache
def genes_called(organism: str) -> dict[str, set[str]]:
    """The symbols and aliases of the recorded file that Excel changes, each with the IDs of its genes."""
    genes: dict[str, set[str]] = defaultdict(set)
    for row in map(str.split, _changed_rows(organism)):
        for name in {row[2], *row[4].split("|")}:
            if day_of(name) or is_number(name):
                genes[name].add(f"NCBIGene:{row[1]}")
    return genes


def is_number(name: str) -> bool:
    return re.fullmatch(r"\d+E\d+", name) is not None


@functools.cache
def _changed_rows(organism: str) -> list[str]:
    rows = recording(f"bulk/{FILES[organism]}").decode().splitlines()[1:]
    fields = ((row, row.split("\t", 5)) for row in rows if row.startswith(f"{TAXON_IDS[organism]}\t"))
    return [
        row
        for row, (_, _, symbol, _, aliases, _) in fields
        if any(day_of(name) or is_number(name) for name in (symbol, *aliases.split("|")))
    ]


@pytest.fixture(scope="module")
def changed_genes():
    """A folder of recordings that has the genes with names that Excel changes."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / FOLDER).mkdir()
        (root / "REQUESTS.tsv").write_text("file\trecorded\tera\tstatus\tfidelity\tservice\tpath\n")
        for organism, name in FILES.items():
            rows = "".join(f"{row}\n" for row in _changed_rows(organism))
            (root / FOLDER / name).write_bytes(gzip.compress(rows.encode(), mtime=0))
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


@each_of("mark", MARKS.split())
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


def test_a_missing_value_is_a_name_where_it_is_asked_for_as_one():
    rows, notices, _ = resolved(["NA", "BRCA1"], keep_na=True)

    assert rows[0].reason != MISSING
    assert [notice.message for notice in notices] == ["Names read by their form: 2 as gene."]


@pytest.mark.parametrize("organism", ["human", "mouse"])
@pytest.mark.parametrize(
    ("year", "step"), [(2026, 5), *(pytest.param(year, 1, marks=pytest.mark.sweep) for year in (2026, 2004))]
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
