"""The contents of a region: up to its last base and no further, in windows, by kind, and with what is missing."""

import itertools

import pytest

from biofact.core.errors import AmbiguousQuery, UpstreamError
from tests.each_of import each_of
from tests.marks import requirement
from tests.notices import codes, message
from tests.sources.igvf.catalog_rows import allele, element, gene, transcript
from tests.sources.igvf.made_graph import GENE_ID, MOUSE_ID, changed, facts, failure_of, region, run, spdi, variant

pytestmark = pytest.mark.quick

FIRST = 43044295
"""The first base of BRCA1: the variant ``spdi(n)`` lies n bases behind it."""
KINDS = ("genes", "transcripts", "variants", "regulatory_elements")
PATHS = {
    "genes": "/genes",
    "transcripts": "/transcripts",
    "variants": "/variants",
    "regulatory_elements": "/genomic-elements",
}


def rows_within(start, end):
    """One entity of each kind except variants on chromosome 9."""
    position = {"chromosome": "9", "start": start, "end": end}
    return {
        "genes": (gene(uid=f"ENSG{start:05}{end:06}", symbol=f"G{start}", **position),),
        "transcripts": (transcript(uid=f"ENST{start:011}", name="T-201", **position),),
        "elements": (element(uid=f"element_{start}", type="enhancer", **position),),
    }


def of_spans(*spans):
    group = [rows_within(*span) for span in spans]
    return facts(**{name: tuple(item for graph in group for item in graph[name]) for name in group[0]})


def spaced_rows(step, length):
    """A variant every ``step`` bases."""
    return facts(variants=tuple(variant(place) for place in range(0, length, step)))


def rows_behind(length):
    return f"chr17:{FIRST}-{FIRST + length - 1}"


# Places


def test_one_position_is_not_widened():
    graph = facts(variants=tuple(variant(place) for place in (9, 10, 11)))
    catalog_run = region(graph, f"17:{FIRST + 10}", include=["variants"])

    assert [variant.id for variant in catalog_run.answer.variants] == [spdi(10)]
    assert [variant.start for variant in catalog_run.answer.variants] == [FIRST + 10]
    assert catalog_run.answer.region == f"chr17:{FIRST + 10}-{FIRST + 10}"
    [params] = catalog_run.params_of("/variants")  # deletions that begin before it may reach into it
    assert (params["region"], params["limit"]) == (f"chr17:{FIRST - 91}-{FIRST + 10}", "500")


def test_a_position_within_a_deletion_finds_it():
    """The deletion's first base lies ten before the position."""
    deletion = f"NC_000017.11:{FIRST - 1}:{'A' * 12}:A"
    graph = facts(variants=(allele(deletion), variant(0), variant(9), variant(10), variant(11)))

    answer = region(graph, f"17:{FIRST + 10}", include=["variants"]).answer

    assert [variant.id for variant in answer.variants] == [deletion, spdi(10)]
    assert "DROPPED" not in codes(answer)


@each_of(
    ("start", "end", "is_in"),
    [(1, 99, False), (1, 100, True), (150, 150, True), (200, 900, True), (201, 900, False), (1, 900, True)],
)
def test_a_base_in_common_is_enough_and_needed(start, end, is_in):
    """The service counts from 0 and excludes the end."""
    catalog_run = region(
        of_spans((start, end)), "chr9:100-200", include=["genes", "transcripts", "regulatory_elements"]
    )

    genes = [catalog_run.answer.genes, catalog_run.answer.transcripts, catalog_run.answer.regulatory_elements]
    assert [[(item.start, item.end) for item in group] for group in genes] == [[(start, end)] * is_in] * 3
    assert {params["region"] for path in ("/genes", "/transcripts") for params in catalog_run.params_of(path)} == {
        "chr9:99-200"
    }


def test_genes_of_a_region_are_listed_by_place():
    answer = region(of_spans((150, 400), (120, 300), (120, 200)), "chr9:100-500").answer

    assert [(gene.start, gene.end) for gene in answer.genes] == [(120, 200), (120, 300), (150, 400)]


def test_a_notice_states_that_positions_count_on_the_assembly_of_today():
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
    catalog_run = region(spaced_rows(500, min(length, 60_000)), rows_behind(length), include=["variants"], limit=100)

    variant_windows = catalog_run.answer.variant_windows
    spans = [tuple(map(int, item.region.removeprefix("chr17:").split("-"))) for item in variant_windows]
    assert len(spans) == looked_at
    assert spans[0][0] == FIRST
    assert (spans[-1][1] == FIRST + length - 1) == (windows == looked_at) == (catalog_run.answer.cursor is None)
    assert all(before[1] + 1 == after[0] for before, after in itertools.pairwise(spans))
    assert all(end - start < 10_000 for start, end in spans)
    assert max(end - start for start, end in spans) - min(end - start for start, end in spans) < windows
    assert (
        len(catalog_run.params_of("/variants")) == len(catalog_run.params_of("/variants/region-summary")) == looked_at
    )
    number = range(FIRST, FIRST + length, 500)
    assert [item.variant_count for item in variant_windows] == [
        sum(start <= item <= end for item in number) for start, end in spans
    ]
    to_come = f"{windows - looked_at} of {windows} windows"
    is_partial = any(to_come in notice.message for notice in catalog_run.answer.notices if notice.code == "LIST_CUT")
    assert is_partial == (windows > looked_at)


def test_a_full_page_ends_in_the_window_where_it_is_full():
    answer = region(spaced_rows(100, 30_000), rows_behind(30_000), include=["variants"], limit=9).answer

    assert [variant_window.listed for variant_window in answer.variant_windows] == [9]
    assert [variant.start for variant in answer.variants] == sorted(variant.start for variant in answer.variants)
    assert "3 of 3 windows" in message(answer, "LIST_CUT")


def test_counts_that_fail_take_no_variants_with_them():
    catalog_run = region(spaced_rows(500, 1000), rows_behind(1000), failure_of("/variants/region-summary"))

    assert [variant.id for variant in catalog_run.answer.variants] == [spdi(0), spdi(500)]
    assert "LEG_FAILED" in codes(catalog_run.answer)


# Filters


CATEGORIES = {1: "coding", 2: "noncoding", 3: "", 4: "coding"}
FREQUENCIES = {1: 0.009, 2: 0.01, 3: 0.03, 4: 0.05, 5: 0.051, 6: None}
OF_NFE = "gnomad_af_nfe"


def categorised_variants():
    return facts(
        variants=tuple(
            variant(place, annotations={"GENCODE_category": value or None}) for place, value in CATEGORIES.items()
        )
    )


def frequent():
    other_values = {"gnomad_af_total": 0.03}
    message = {
        place: other_values | ({OF_NFE: value} if value is not None else {}) for place, value in FREQUENCIES.items()
    }
    return facts(variants=tuple(variant(place, annotations=value) for place, value in message.items()))


@pytest.mark.parametrize("is_ignored", [False, True])
def test_variants_of_a_category_only(is_ignored):
    lies = {"/variants": changed(GENCODE_category=None)} if is_ignored else {}
    catalog_run = region(categorised_variants(), rows_behind(100), filters={"category": "coding"}, lies=lies)

    assert catalog_run.params_of("/variants")[0]["GENCODE_category"] == "coding"
    assert [variant.id for variant in catalog_run.answer.variants] == [spdi(1), spdi(4)]
    assert (
        message(catalog_run.answer, "DROPPED").startswith("2 of ")
        if is_ignored
        else "DROPPED" not in codes(catalog_run.answer)
    )


@each_of("is_ignored", [False, True])
@each_of(
    ("bounds", "kept_values"),
    [
        ({"min_af": 0.01, "max_af": 0.05}, [2, 3, 4]),
        ({"min_af": "0.03"}, [3, 4, 5]),
        ({"max_af": 0.01}, [1, 2]),
        ({"min_af": 0}, [1, 2, 3, 4, 5]),
    ],
)
def test_variants_of_a_frequency_only(bounds, kept_values, is_ignored):
    lies = {"/variants/freq": changed(minimum_af="0", maximum_af="1", source="gnomad_af_total")} if is_ignored else {}
    catalog_run = region(frequent(), rows_behind(100), filters={**bounds, "af_source": OF_NFE}, lies=lies)

    [params] = catalog_run.params_of("/variants/freq")
    assert params["source"] == OF_NFE
    assert (float(params["minimum_af"]), float(params["maximum_af"])) == (
        float(bounds.get("min_af", 0)),
        bounds.get("max_af", 1),
    )
    assert [variant.id for variant in catalog_run.answer.variants] == [spdi(place) for place in kept_values]
    remaining = len(FREQUENCIES) - len(kept_values)
    assert (
        message(catalog_run.answer, "DROPPED").startswith(f"{remaining} of ")
        if is_ignored
        else "DROPPED" not in codes(catalog_run.answer)
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
        region(facts(), rows_behind(100), filters=filters)

    assert error.value.hint


def test_filters_where_no_variants_are_asked_for_are_not_silently_dropped():
    try:
        answer = region(facts(), rows_behind(100), include=["genes"], filters={"category": "coding"}).answer
    except AmbiguousQuery:
        return
    assert {"TERM_IGNORED", "NOT_COVERED"} & set(codes(answer))


# Mice


def test_variants_of_mice_are_listed_and_their_counts_reported_as_missing():
    mouse = "NC_000077.7:101379999:A:G"
    catalog_run = region(
        facts(variants=(allele(mouse, strain=["CAST_EiJ"]),)), "chr11:101379500-101380500", organism="mouse"
    )

    assert [variant.id for variant in catalog_run.answer.variants] == [mouse]
    assert [gene.id for gene in catalog_run.answer.genes] == [MOUSE_ID]
    assert catalog_run.answer.assembly_name == "GRCm39"
    assert [variant_window.variant_count for variant_window in catalog_run.answer.variant_windows] == [None]
    assert "human variants only" in message(catalog_run.answer, "NOT_COVERED")
    assert catalog_run.params_of("/variants/region-summary") == []
    with pytest.raises(AmbiguousQuery, match="category"):
        region(facts(), "chr11:101379500-101380500", organism="mouse", filters={"category": "coding"})


# Kinds


def test_kinds_are_listed_where_they_are_asked_for():
    selection = [combination for count in range(1, 5) for combination in itertools.combinations(KINDS, count)]

    async def ask(igvf, _):
        return [await igvf.search_region(rows_behind(100), include=[*group]) for group in selection]

    for group, answer in zip(selection, run(ask, spaced_rows(10, 100)).answer, strict=True):
        assert {kind for kind in KINDS if getattr(answer, kind) is not None} == set(group)
        assert bool(answer.variant_windows) == ("variants" in group)


@pytest.mark.parametrize(("limit", "is_cut"), [(2, True), (3, False)])
def test_a_list_that_is_cut_has_a_notice(limit, is_cut):
    spans = [(110 + place, 150) for place in range(3)]
    variants = tuple(allele(f"NC_000009.12:{place}:A:G") for place in (110, 120, 130))
    graph = facts(
        **{
            name: tuple(item for span in spans for item in rows_within(*span)[name])
            for name in ("genes", "transcripts", "elements")
        },
        variants=variants,
    )
    answer = region(graph, "chr9:100-200", include=[*KINDS], limit=limit).answer

    assert {kind: len(getattr(answer, kind)) for kind in KINDS} == dict.fromkeys(KINDS, limit)
    assert codes(answer).count("LIST_CUT") == 4 * is_cut


@pytest.mark.parametrize("kind", ["genes", "variants"])
def test_a_kind_that_fails_is_named_and_the_others_are_there(kind):
    answer = region(spaced_rows(10, 100), rows_behind(100), failure_of(PATHS[kind]), include=[*KINDS]).answer

    assert message(answer, "LEG_FAILED").startswith(f"Without {kind}.")
    assert {item for item in KINDS if getattr(answer, item) is None} == {kind}
    assert kind == "genes" or [gene.id for gene in answer.genes] == [GENE_ID]


def test_a_region_of_failures_only_is_one():
    with pytest.raises(UpstreamError):
        region(facts(), rows_behind(100), failure_of("/"))
