"""Regions in every spelling, from a table; what they become, and what refusals lead to."""

from pathlib import Path

import pytest

from biofact.core.errors import AmbiguousQuery
from biofact.sources.igvf.reading.regions import Region, read_region

_LINES = Path(__file__).with_name("regions.tsv").read_text("utf-8").splitlines()
_, *ROWS = [tuple(line.split("\t")) for line in _LINES if not line.startswith("#")]
TABLE = [(text.replace("\\t", "\t"), *rest) for text, *rest in ROWS]
GOOD = [(text, organism, told) for text, organism, told, _ in TABLE if told != "refused"]
REFUSED = [(text, organism, recovery) for text, organism, told, recovery in TABLE if told == "refused"]


def expected(told):
    chromosome, start, end = told.split()
    return Region(chromosome, int(start), int(end))


def refusal(text, organism="human"):
    with pytest.raises(AmbiguousQuery) as refused:
        read_region(text, organism)
    return refused.value


def test_the_table_is_long_enough():
    assert len({(text, organism) for text, organism, *_ in TABLE}) == len(TABLE) >= 115
    assert min(len(GOOD), len(REFUSED)) >= 50


@pytest.mark.parametrize(("text", "organism", "told"), GOOD)
def test_a_region_is_read_in_every_spelling(text, organism, told):
    assert read_region(text, organism) == expected(told)


@pytest.mark.parametrize(("text", "organism", "told"), GOOD)
def test_a_region_reads_as_itself_in_our_spelling(text, organism, told):
    region = read_region(text, organism)

    assert read_region(str(region), organism) == region


@pytest.mark.parametrize(("text", "organism", "recovery"), REFUSED)
def test_what_is_no_region_is_refused_with_what_is_meant(text, organism, recovery):
    error = refusal(text, organism)

    assert error.invalid_input == text
    assert error.hint.endswith(".")
    assert said(error.recovery) == recovery


@pytest.mark.parametrize(
    ("text", "organism", "recovery"), [row for row in REFUSED if row[2] and not row[2].startswith("id=")]
)
def test_who_follows_the_recovery_gets_a_region(text, organism, recovery):
    arguments = refusal(text, organism).recovery.arguments

    assert read_region(arguments["region"], arguments.get("organism", "human")).length >= 1


def said(recovery):
    """A recovery as the table writes it."""
    if recovery is None:
        return ""
    arguments = dict(recovery.arguments)
    if str(recovery.tool) == "igvf.get_entity":
        return f"id={arguments['id']}"
    assert str(recovery.tool) == "igvf.search_region"
    return " ".join(filter(None, (arguments.get("organism"), arguments["region"])))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "chr1-1000-2000",
            "Expected a form like 'chr1:1000-2000'; the colon separates the chromosome from the positions.",
        ),
        ("chr17", "83257441 bases"),
        ("chr17:83257442", "83257441 bases in GRCh38"),
        ("chr1:0-1000", "1-based"),
        ("chr99:100-200", "no chromosome of GRCh38"),
        ("hg19 chr17:41196312-41277500", "is on hg19; expected GRCh38"),
        ("NC_000017.10:100-200", "is on GRCh37; expected GRCh38"),
        ("NC_000017.12:100-200", "is on another assembly; expected GRCh38"),
        ("17q21.31", "band"),
        ("chr1:2000-1000", "ends at 1000, before it begins at 2000"),
    ],
)
def test_the_message_tells_what_is_wrong(text, words):
    assert words in refusal(text).message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chr1\t100\t200", ["chr1:101-200", "chr1:100-200"]),
        ("17:43-44M", ["43M-44M", "43-44000000"]),
        ("chr99:100-200", ["22, X, Y, MT"]),
        ("hg19 chr17:41196312-41277500", ["Lift the region over to GRCh38"]),
        ("chr1:1.5-2.5", ["43.04M"]),
    ],
)
def test_the_hint_tells_what_to_write(text, words):
    assert [word for word in words if word not in refusal(text).hint] == []


def test_the_service_counts_from_0_and_leaves_out_the_end():
    assert Region("17", 43044295, 43125364).upstream == "chr17:43044294-43125364"
    assert Region("16", 20000000, 20000000).upstream == "chr16:19999999-20000000"
    assert Region("MT", 1, 100).upstream == "chrM:0-100"


def test_windows_follow_on_each_other_and_cover_the_region():
    region = Region("1", 1, 25)

    assert [str(window) for window in region.windows(10)] == ["chr1:1-10", "chr1:11-20", "chr1:21-25"]
    assert region.windows(25) == [region]
    assert sum(window.length for window in region.windows(10)) == region.length == 25


def test_regions_overlap_when_they_share_a_base():
    region = Region("1", 100, 200)

    assert region.overlaps(Region("1", 200, 300))
    assert region.overlaps(Region("1", 150, 160))
    assert not region.overlaps(Region("1", 201, 300))
    assert not region.overlaps(Region("2", 100, 200))
