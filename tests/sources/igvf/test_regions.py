"""What lies in a region: up to its last base and not one further, in windows, by kind, and with what is missing."""

import itertools

import pytest

from biofact.core.errors import AmbiguousQuery, UpstreamError
from tests.each_of import each_of
from tests.marks import requirement
from tests.sources.igvf.catalog_rows import allele, element, gene, transcript
from tests.sources.igvf.made_graph import (
    GENE_ID,
    MOUSE_ID,
    changed,
    codes,
    facts,
    failing,
    message,
    region,
    run,
    spdi,
    variant,
)

pytestmark = pytest.mark.quick

FIRST = 43044295
"""Of BRCA1: the variant ``spdi(n)`` lies n bases behind it."""
KINDS = ("genes", "transcripts", "variants", "regulatory_elements")
PATHS = {
    "genes": "/genes",
    "transcripts": "/transcripts",
    "variants": "/variants",
    "regulatory_elements": "/genomic-elements",
}


def placed(start, end):
    """One of each kind but variants on chromosome 9."""
    where = {"chromosome": "9", "start": start, "end": end}
    return {
        "genes": (gene(uid=f"ENSG{start:05}{end:06}", symbol=f"G{start}", **where),),
        "transcripts": (transcript(uid=f"ENST{start:011}", name="T-201", **where),),
        "elements": (element(uid=f"element_{start}", type="enhancer", **where),),
    }


def of_spans(*spans):
    several = [placed(*span) for span in spans]
    return facts(**{name: tuple(one for made in several for one in made[name]) for name in several[0]})


def every(step, length):
    """A variant every so many bases."""
    return facts(variants=tuple(variant(place) for place in range(0, length, step)))


def behind(length):
    return f"chr17:{FIRST}-{FIRST + length - 1}"


# Places


def test_one_position_is_not_widened():
    made = facts(variants=tuple(variant(place) for place in (9, 10, 11)))
    ran = region(made, f"17:{FIRST + 10}", include=["variants"])

    assert [one.id for one in ran.answer.variants] == [spdi(10)]
    assert [one.start for one in ran.answer.variants] == [FIRST + 10]
    assert ran.answer.region == f"chr17:{FIRST + 10}-{FIRST + 10}"
    [asked] = ran.sent("/variants")  # deletions that begin before it may reach into it
    assert (asked["region"], asked["limit"]) == (f"chr17:{FIRST - 91}-{FIRST + 10}", "500")


def test_a_position_within_a_deletion_finds_it():
    """Its first base stands ten before."""
    deletion = f"NC_000017.11:{FIRST - 1}:{'A' * 12}:A"
    made = facts(variants=(allele(deletion), variant(0), variant(9), variant(10), variant(11)))

    answer = region(made, f"17:{FIRST + 10}", include=["variants"]).answer

    assert [one.id for one in answer.variants] == [deletion, spdi(10)]
    assert "DROPPED" not in codes(answer)


@each_of(
    ("start", "end", "is_in"),
    [(1, 99, False), (1, 100, True), (150, 150, True), (200, 900, True), (201, 900, False), (1, 900, True)],
)
def test_a_base_in_common_is_enough_and_needed(start, end, is_in):
    """The service counts from 0 and leaves the end out."""
    ran = region(of_spans((start, end)), "chr9:100-200", include=["genes", "transcripts", "regulatory_elements"])

    found = [ran.answer.genes, ran.answer.transcripts, ran.answer.regulatory_elements]
    assert [[(one.start, one.end) for one in several] for several in found] == [[(start, end)] * is_in] * 3
    assert {asked["region"] for path in ("/genes", "/transcripts") for asked in ran.sent(path)} == {"chr9:99-200"}


def test_what_lies_there_is_listed_by_place():
    answer = region(of_spans((150, 400), (120, 300), (120, 200)), "chr9:100-500").answer

    assert [(one.start, one.end) for one in answer.genes] == [(120, 200), (120, 300), (150, 400)]


def test_positions_are_told_to_count_on_the_assembly_of_today():
    answer = region(facts(), "chr17:41000000-41001000").answer

    assert "GRCh37" in message(answer, "ASSUMED")
    assert answer.assembly_name == "GRCh38"
    with pytest.raises(AmbiguousQuery, match="GRCh38"):
        region(facts(), "hg19 chr17:41196312-41277500")


# Windows


@requirement("003 T2-variants")
@each_of(
    ("length", "windows", "looked_at"),
    [(1, 1, 1), (10_000, 1, 1), (10_001, 2, 2), (40_000, 4, 4), (50_000, 5, 5), (50_001, 6, 5), (1_000_000, 100, 5)],
)
def test_variants_are_looked_for_in_windows(length, windows, looked_at):
    ran = region(every(500, min(length, 60_000)), behind(length), include=["variants"], limit=100)

    told = ran.answer.variant_windows
    spans = [tuple(map(int, one.region.removeprefix("chr17:").split("-"))) for one in told]
    assert len(spans) == looked_at
    assert spans[0][0] == FIRST
    assert (spans[-1][1] == FIRST + length - 1) == (windows == looked_at) == (ran.answer.cursor is None)
    assert all(before[1] + 1 == after[0] for before, after in itertools.pairwise(spans))
    assert all(end - start < 10_000 for start, end in spans)
    assert max(end - start for start, end in spans) - min(end - start for start, end in spans) < windows
    assert len(ran.sent("/variants")) == len(ran.sent("/variants/region-summary")) == looked_at
    there = range(FIRST, FIRST + length, 500)
    assert [one.variant_count for one in told] == [sum(start <= one <= end for one in there) for start, end in spans]
    to_come = f"{windows - looked_at} of {windows} windows"
    is_partial = any(to_come in one.message for one in ran.answer.notices if one.code == "LIST_CUT")
    assert is_partial == (windows > looked_at)


def test_a_full_page_ends_in_the_window_where_it_is_full():
    answer = region(every(100, 30_000), behind(30_000), include=["variants"], limit=9).answer

    assert [one.listed for one in answer.variant_windows] == [9]
    assert [one.start for one in answer.variants] == sorted(one.start for one in answer.variants)
    assert "3 of 3 windows" in message(answer, "LIST_CUT")


def test_counts_that_fail_take_no_variants_with_them():
    ran = region(every(500, 1000), behind(1000), failing("/variants/region-summary"))

    assert [one.id for one in ran.answer.variants] == [spdi(0), spdi(500)]
    assert "LEG_FAILED" in codes(ran.answer)


# Filters


CATEGORIES = {1: "coding", 2: "noncoding", 3: "", 4: "coding"}
FREQUENCIES = {1: 0.009, 2: 0.01, 3: 0.03, 4: 0.05, 5: 0.051, 6: None}
OF_NFE = "gnomad_af_nfe"


def categorised():
    return facts(
        variants=tuple(
            variant(place, annotations={"GENCODE_category": one or None}) for place, one in CATEGORIES.items()
        )
    )


def frequent():
    others = {"gnomad_af_total": 0.03}
    told = {place: others | ({OF_NFE: one} if one is not None else {}) for place, one in FREQUENCIES.items()}
    return facts(variants=tuple(variant(place, annotations=one) for place, one in told.items()))


@pytest.mark.parametrize("is_ignored", [False, True])
def test_variants_of_a_category_only(is_ignored):
    lies = {"/variants": changed(GENCODE_category=None)} if is_ignored else {}
    ran = region(categorised(), behind(100), filters={"category": "coding"}, lies=lies)

    assert ran.sent("/variants")[0]["GENCODE_category"] == "coding"
    assert [one.id for one in ran.answer.variants] == [spdi(1), spdi(4)]
    assert message(ran.answer, "DROPPED").startswith("2 of ") if is_ignored else "DROPPED" not in codes(ran.answer)


@each_of("is_ignored", [False, True])
@each_of(
    ("bounds", "kept"),
    [
        ({"min_af": 0.01, "max_af": 0.05}, [2, 3, 4]),
        ({"min_af": "0.03"}, [3, 4, 5]),
        ({"max_af": 0.01}, [1, 2]),
        ({"min_af": 0}, [1, 2, 3, 4, 5]),
    ],
)
def test_variants_of_a_frequency_only(bounds, kept, is_ignored):
    lies = {"/variants/freq": changed(minimum_af="0", maximum_af="1", source="gnomad_af_total")} if is_ignored else {}
    ran = region(frequent(), behind(100), filters={**bounds, "af_source": OF_NFE}, lies=lies)

    [asked] = ran.sent("/variants/freq")
    assert asked["source"] == OF_NFE
    assert (float(asked["minimum_af"]), float(asked["maximum_af"])) == (
        float(bounds.get("min_af", 0)),
        bounds.get("max_af", 1),
    )
    assert [one.id for one in ran.answer.variants] == [spdi(place) for place in kept]
    left = len(FREQUENCIES) - len(kept)
    assert (
        message(ran.answer, "DROPPED").startswith(f"{left} of ") if is_ignored else "DROPPED" not in codes(ran.answer)
    )


@each_of(
    "filters",
    [
        {"maf": 0.1},
        {"category": "exonic"},
        {"category": ["coding"]},
        {"min_af": -0.1},
        {"min_af": 1.2},
        {"min_af": "e-5"},
        {"min_af": "."},
        {"min_af": True},
        {"min_af": float("nan")},
        {"max_af": [0.1]},
        {"min_af": 0.5, "max_af": 0.1},
        {"min_af": 0.5, "af_source": "gnomad"},
        {"min_af": 0.5, "af_source": ["gnomad_af_total"]},
    ],
)
def test_filters_that_cannot_be_understood_are_refused(filters):
    with pytest.raises(AmbiguousQuery) as error:
        region(facts(), behind(100), filters=filters)

    assert error.value.hint


def test_filters_where_no_variants_are_asked_for_are_not_silently_dropped():
    try:
        answer = region(facts(), behind(100), include=["genes"], filters={"category": "coding"}).answer
    except AmbiguousQuery:
        return
    assert {"TERM_IGNORED", "NOT_COVERED"} & set(codes(answer))


# Mice


def test_variants_of_mice_are_listed_and_their_counts_told_to_be_missing():
    mouse = "NC_000077.7:101379999:A:G"
    ran = region(facts(variants=(allele(mouse, strain=["CAST_EiJ"]),)), "chr11:101379500-101380500", organism="mouse")

    assert [one.id for one in ran.answer.variants] == [mouse]
    assert [one.id for one in ran.answer.genes] == [MOUSE_ID]
    assert ran.answer.assembly_name == "GRCm39"
    assert [one.variant_count for one in ran.answer.variant_windows] == [None]
    assert "human variants only" in message(ran.answer, "NOT_COVERED")
    assert ran.sent("/variants/region-summary") == []
    with pytest.raises(AmbiguousQuery, match="category"):
        region(facts(), "chr11:101379500-101380500", organism="mouse", filters={"category": "coding"})


# Kinds


def test_kinds_are_listed_where_they_are_asked_for():
    chosen = [several for count in range(1, 5) for several in itertools.combinations(KINDS, count)]

    async def ask(igvf, _):
        return [await igvf.search_region(behind(100), include=[*several]) for several in chosen]

    for several, answer in zip(chosen, run(ask, every(10, 100)).answer, strict=True):
        assert {kind for kind in KINDS if getattr(answer, kind) is not None} == set(several)
        assert bool(answer.variant_windows) == ("variants" in several)


@pytest.mark.parametrize(("limit", "is_cut"), [(2, True), (3, False)])
def test_a_list_that_is_cut_says_so(limit, is_cut):
    spans = [(110 + place, 150) for place in range(3)]
    variants = tuple(allele(f"NC_000009.12:{place}:A:G") for place in (110, 120, 130))
    made = facts(
        **{
            name: tuple(one for span in spans for one in placed(*span)[name])
            for name in ("genes", "transcripts", "elements")
        },
        variants=variants,
    )
    answer = region(made, "chr9:100-200", include=[*KINDS], limit=limit).answer

    assert {kind: len(getattr(answer, kind)) for kind in KINDS} == dict.fromkeys(KINDS, limit)
    assert codes(answer).count("LIST_CUT") == 4 * is_cut


@pytest.mark.parametrize("kind", ["genes", "variants"])
def test_a_kind_that_fails_is_named_and_the_others_are_there(kind):
    answer = region(every(10, 100), behind(100), failing(PATHS[kind]), include=[*KINDS]).answer

    assert message(answer, "LEG_FAILED").startswith(f"Without {kind}.")
    assert {one for one in KINDS if getattr(answer, one) is None} == {kind}
    assert kind == "genes" or [one.id for one in answer.genes] == [GENE_ID]


def test_a_region_of_failures_only_is_one():
    with pytest.raises(UpstreamError):
        region(facts(), behind(100), failing("/"))
