"""Regions in every spelling, from a table; the regions they become, and the errors."""

from pathlib import Path

import pytest

from biofact.dialects.genomic.genomes import RegionError, RegionIsVariant
from biofact.dialects.genomic.regions import Region, read_region

pytestmark = pytest.mark.quick

_LINES = Path(__file__).with_name("regions.tsv").read_text("utf-8").splitlines()
_, *ROWS = [tuple(line.split("\t")) for line in _LINES if not line.startswith("#")]
TABLE = [(text.replace("\\t", "\t"), *rest) for text, *rest in ROWS]
GOOD = [(text, organism, region) for text, organism, region, _ in TABLE if region != "refused"]
REFUSED = [(text, organism, recovery) for text, organism, region, recovery in TABLE if region == "refused"]


def expected(region):
    chromosome, start, end = region.split()
    return Region(chromosome, int(start), int(end))


def outcome(text, organism):
    """The region, or the error that refuses it."""
    try:
        return read_region(text, organism)
    except RegionError as error:
        return error


def refusal(text, organism="human"):
    with pytest.raises(RegionError) as error_info:
        read_region(text, organism)
    return error_info.value


def written(error, organism):
    """The outcome of an error, as the table writes it."""
    if isinstance(error, Region):
        return f"no error, but {error}"
    if error.entity:
        return f"id={error.entity}"
    if error.fixed is None:
        return ""
    fixed_organism = error.organism or (organism if organism != "human" else None)
    return " ".join(filter(None, (fixed_organism, error.fixed)))


def test_the_table_is_long_enough():
    assert len({(text, organism) for text, organism, *_ in TABLE}) == len(TABLE) >= 115
    assert min(len(GOOD), len(REFUSED)) >= 50


def test_a_region_is_read_in_every_spelling():
    outcomes = {(text, organism): outcome(text, organism) for text, organism, _ in GOOD}

    assert outcomes == {(text, organism): expected(region) for text, organism, region in GOOD}


def test_a_region_reads_as_itself_in_our_spelling():
    outcomes = {(text, organism): outcome(str(outcome(text, organism)), organism) for text, organism, _ in GOOD}

    assert outcomes == {(text, organism): expected(region) for text, organism, region in GOOD}


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
def test_the_error_says_what_is_wrong(text, words):
    assert words in refusal(text).problem


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
def test_the_hint_says_what_to_write(text, words):
    assert [word for word in words if word not in refusal(text).hint] == []


def test_half_open_counts_from_0_and_leaves_out_the_end():
    assert Region("17", 43044295, 43125364).half_open == "chr17:43044294-43125364"
    assert Region("16", 20000000, 20000000).half_open == "chr16:19999999-20000000"
    assert Region("MT", 1, 100).half_open == "chrM:0-100"


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


def test_a_text_that_is_no_region_is_refused_with_the_likely_one():
    outcomes = {(text, organism): written(outcome(text, organism), organism) for text, organism, _ in REFUSED}

    assert outcomes == {(text, organism): recovery for text, organism, recovery in REFUSED}


def test_a_variant_is_refused_as_one():
    error = refusal("17-43045711-T-C")

    assert isinstance(error, RegionIsVariant)
    assert error.entity == "17-43045711-T-C"
    assert not isinstance(refusal("BRCA1"), RegionIsVariant)


def test_a_region_is_read_from_either_way_of_counting():
    assert Region.from_half_open("chr17:43044294-43125364") == Region.from_inclusive("chr17:43044295-43125364")
    assert Region.from_inclusive("chrM:1-100") == Region("MT", 1, 100)
