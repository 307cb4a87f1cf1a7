"""Regions on another assembly: segments, gaps, and refusals."""

import json

import pytest

from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.sandbox import Fault
from tests.each_of import each_of
from tests.sources.ensembl.test_client import codes, run

pytestmark = pytest.mark.quick

BROWSER = "https://genome.ucsc.edu/cgi-bin/hgTracks"
REGION, BEFORE, AFTER = "17:101-200", "GRCh37", "GRCh38"


def mapping(region, before, after, *faults, **options):
    return run(lambda ensembl: ensembl.map_region(region, before, after, **options), *faults)[0]


def row(start, end, offset=1000, /, **mapped):
    usual = {"seq_region_name": "17", "strand": 1, "coord_system": "chromosome"}
    local_value = {**usual, "assembly": BEFORE, "start": start, "end": end}
    mapped_end = {**usual, "assembly": AFTER, "start": start + offset, "end": end + offset, **mapped}
    return {"original": local_value, "mapped": mapped_end}


def mapping_answer(*rows, **fields):
    return Fault("body", path="/map/", body=json.dumps({"mappings": list(rows), **fields}).encode(), times=None)


def map_lie(*rows, **options):
    return mapping(REGION, BEFORE, AFTER, mapping_answer(*rows), **options)


# Positions that are known on both assemblies (dbSNP: R175H, V600E, L858R of the gene, e4 of APOE).
KNOWN_VALUES = {
    "17:7578406": "17:7675088-7675088",
    "7:140453136-140453136": "7:140753336-140753336",
    "19:45411941-45411941": "19:44908684-44908684",
}


@each_of(("before", "after"), KNOWN_VALUES.items())
def test_famous_positions_are_where_they_are_known_to_be(before, after):
    mapped_back = before if "-" in before else f"{before}-{before.partition(':')[2]}"

    for region, names, expected in ((before, ("GRCh37", "GRCh38"), after), (after, ("hg38", "hg19"), mapped_back)):
        result = mapping(region, *names)
        (segment,) = result.segments

        assert f"{segment.chromosome}:{segment.start}-{segment.end}" == expected
        assert (result.length, result.mapped_bases, result.unmapped, result.notices) == (1, 1, [], [])


def test_the_region_of_a_page_is_mapped_from_its_assembly():
    text = mapping("chr7:140453136-140453136", "hg19", "hg38")
    pages = (
        f"{BROWSER}?db=hg19&position=chr7%3A140453136%2D140453136",
        "https://grch37.ensembl.org/Homo_sapiens/Location/View?r=7:140453136-140453136",
    )

    assert [mapping(page, "GRCh37", "GRCh38").segments for page in pages] == [text.segments] * 2


def test_the_assemblies_of_mouse_imply_the_species():
    result = mapping("chr11:69,580,359-69,591,873", "mm10", "mm39")

    assert (result.species, result.from_assembly, result.to_assembly) == ("mus_musculus", "GRCm38", "GRCm39")
    assert (result.segments[0].start, result.segments[0].end) == (69471185, 69482699)


def test_a_region_in_several_parts_has_gaps_between_them():
    result = map_lie(row(111, 120), row(151, 180, 1010), row(181, 190, 900, strand=-1, seq_region_name="18"))

    assert [
        (segment.from_start, segment.from_end, segment.chromosome, segment.start, segment.strand)
        for segment in result.segments
    ] == [
        (111, 120, "17", 1111, 1),
        (151, 180, "17", 1161, 1),
        (181, 190, "18", 1081, -1),
    ]
    assert [(gap.from_start, gap.from_end) for gap in result.unmapped] == [(101, 110), (121, 150), (191, 200)]
    assert (result.length, result.mapped_bases) == (100, 50)
    assert codes(result) == ["NOT_COVERED", "SEVERAL_VALUES"]


def test_a_region_that_the_other_assembly_does_not_have_is_all_gap():
    result = map_lie()

    assert (result.segments, result.mapped_bases, codes(result)) == ([], 0, ["UNMATCHED"])
    assert [(gap.from_start, gap.from_end) for gap in result.unmapped] == [(101, 200)]


def test_a_base_in_two_places_is_reported():
    result = map_lie(row(101, 200), row(151, 160, 5000))

    assert (result.mapped_bases, result.unmapped, codes(result)) == (100, [], ["SEVERAL_VALUES"])


def test_many_segments_are_cut_unless_they_are_asked_for():
    rows = [row(start, start) for start in range(101, 201, 2)]

    assert (len(map_lie(*rows).segments), len(map_lie(*rows).unmapped), codes(map_lie(*rows))[-1]) == (
        40,
        40,
        "LIST_CUT",
    )
    assert len(map_lie(*rows, include=["segments"]).segments) == 50


def test_a_doubled_row_is_one_segment_and_numbers_may_be_text():
    odd = json.loads(json.dumps(row(101, 200)).replace(": 101", ': "101"').replace(": 1200", ': "1200"'))

    assert map_lie(row(101, 200), row(101, 200)).segments == map_lie(odd).segments
    assert map_lie(odd).mapped_bases == 100


@each_of(
    "odd",
    [
        row(1, 200),
        row(101, 201),
        row(101, 200, seq_region_name=None),
        row(101, 200, start=None),
        row(101, 200, end=1500),
        row(101, 200, start=1300),
        row(101, 200, assembly="GRCh37"),
        row(101, 200, assembly=None),
        row(101, 200, strand=0),
        {"original": row(101, 200)["original"]},
        {"mapped": row(101, 200)["mapped"]},
        {},
    ],
)
def test_a_segment_of_something_else_is_an_error(odd):
    with pytest.raises(UpstreamError):
        map_lie(odd)


@each_of(
    "body",
    [
        b"{}",
        b"[]",
        b'{"mappings":null}',
        b'{"mapping":[]}',
        b'{"mappings":{}}',
        b'{"mappings":[5]}',
        b"<html/>",
        b'{"m',
    ],
)
def test_a_list_that_is_not_there_is_never_an_empty_one(body):
    with pytest.raises(UpstreamError):
        mapping(REGION, BEFORE, AFTER, Fault("body", path="/map/", body=body, times=None))


@each_of(
    ("region", "before", "after", "words"),
    [
        ("17:5-x", "GRCh37", "GRCh38", "is not a region"),
        ("TP53", "GRCh37", "GRCh38", "is not a region"),
        ("17:20-10", "GRCh37", "GRCh38", "ends before"),
        ("17:1-5", "hg19", "GRCh37", "same assembly"),
        (f"{BROWSER}?db=hg38&position=chr17:1-5", "GRCh37", "GRCh38", "is on hg38, not on GRCh37"),
        ("17:1-5", "GRCh37", "GRCm38", "not of one species"),
        ("17:1-5", "Rnor_1", "Rnor_2", "of no species"),
        ("17:1-5", "GRCh37", "GRCh99", "coordinate system of version GRCh99"),
    ],
)
def test_a_region_that_cannot_be_mapped_is_refused(region, before, after, words):
    with pytest.raises(AmbiguousQuery, match=words):
        mapping(region, before, after)


def test_the_assembly_of_today_implies_any_other_species():
    with pytest.raises(AmbiguousQuery, match="of rattus_norvegicus"):  # known, but with no mapping in the sandbox
        mapping("1:1-5", "Rnor_6.0", "mRatBN7.2")


def test_hg19_s_mitochondrion_is_another_sequence():
    assert "MISMATCH" in codes(mapping("chrM:100-200", "hg19", "GRCh38"))


def test_tp53_lies_where_two_releases_say_it_does():
    """The end of the gene, which no release has moved: 7590856 on GRCh37, 7687538 on GRCh38."""
    (segment,) = mapping("17:7590856-7590856", BEFORE, AFTER).segments

    assert segment.start == 7687538
