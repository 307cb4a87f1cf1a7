"""Associations in an order that the service does not have: the best ones, all of them, or a notice about it."""

import pytest

from biofact.core.errors import UpstreamError
from tests.marks import requirement
from tests.notices import codes, message
from tests.sources.igvf.catalog_rows import allele
from tests.sources.igvf.made_graph import (
    GENE_ID,
    PROTEIN_ID,
    associations_run,
    edge,
    ends,
    eqtl,
    every_page,
    facts,
    failure_of,
    mixed,
    run,
    spdi,
)

pytestmark = pytest.mark.quick

VARIANTS, NETWORK = "/genes/variants", "/gene-regulatory-network"
LARGE = 1800  # eQTLs, of which a page has 500


def eqtls(count=LARGE, step=0.1, **fields):
    """Made eQTLs of BRCA1, each with a p-value of its own."""
    return [eqtl(place, neg_log10_pvalue=value, **fields) for place, value in enumerate(mixed(count, step))]


def regulating_edges(logarithms):
    """Genes that BRCA1 regulates, by the logarithms of their p-values; a page has 100 of them, a fifth of the eQTLs."""
    return [
        edge("regulator_gene", GENE_ID, f"ENSG{place:011}", neg_log10_pvalue=value, log2FC=0.5)
        for place, value in enumerate(logarithms)
    ]


def sorted_by(edges, name, *, falls=False):
    """The ends of edges by a field, those without it last: an order computed without the code under test."""
    known_values = [edge for edge in edges if name in edge.values]
    known_values.sort(key=lambda item: item.values[name], reverse=falls)
    rest = [edge for edge in edges if name not in edge.values]
    return ends([*known_values, *rest])


def listed_values(pages):
    return [pair for page in pages for pair in ends(page.items)]


@pytest.fixture(scope="module")
def many_edges():
    return eqtls()


# By p-value


@pytest.fixture(scope="module")
def best(many_edges):
    """The 25 best of many, and the requests for them."""
    return associations_run(facts(*many_edges), GENE_ID, "regulatory", order_by="p_value", limit=25)


def test_the_best_p_values_come_first_in_few_requests(many_edges, best):
    assert ends(best.answer.items) == sorted_by(many_edges, "neg_log10_pvalue", falls=True)[:25]
    assert "ORDER" not in codes(best.answer)
    params = [item.get("neg_log10_pvalue") for item in best.params_of(VARIANTS)]
    assert params[0] is None
    assert 2 <= len(params) <= 6
    bounds = [float(item.removeprefix("gte:")) for item in params[1:]]
    assert bounds == sorted(set(bounds))
    assert sum(value >= bounds[-1] for value in mixed(LARGE, 0.1)) < 500, "the last page must not be full"


def test_a_part_of_the_rows_is_not_counted_as_all_of_them(best):
    assert best.answer.pagination.total_count in {None, LARGE}
    words = message(best.answer, "LEGS")
    assert f"{VARIANTS} at least " in words or f"{VARIANTS} {LARGE}" in words


def test_the_worst_p_values_come_first_where_that_is_asked(many_edges):
    catalog_run = associations_run(facts(*many_edges), GENE_ID, "regulatory", order_by="-p_value", limit=25)

    assert ends(catalog_run.answer.items) == sorted_by(many_edges, "neg_log10_pvalue")[:25]


def test_all_pages_in_order_are_all_rows_in_order():
    rows = regulating_edges(mixed(360, 0.5))
    catalog_run = every_page(facts(*rows), GENE_ID, "regulatory", order_by="p_value", limit=36)

    filter_value = sorted_by(rows, "neg_log10_pvalue", falls=True)
    values = listed_values(catalog_run.answer)
    wrong = [place for place, pair in enumerate(values[: len(filter_value)]) if pair != filter_value[place]]
    assert wrong[:5] == [], "where the first rows stand that are out of order"
    assert len(values) == 360
    assert len([item for item in catalog_run.params_of(NETWORK) if "regulator_gene_id" in item]) <= 6 * len(
        catalog_run.answer
    )


def test_more_ties_at_the_top_than_can_be_read_are_no_silent_order():
    page = associations_run(
        facts(*regulating_edges([50.0] * 650)), GENE_ID, "regulatory", order_by="p_value", limit=25
    ).answer

    assert len(page.items) == 25
    assert NETWORK in message(page, "ORDER")
    assert page.pagination.total_count is None


def test_a_later_page_that_cannot_be_whole_has_a_notice():
    """At 72 rows a threshold hardly narrows a page of 100, and 1000 are too many to read on."""
    rows = regulating_edges(mixed(1000, 0.25))
    filter_value = sorted_by(rows, "neg_log10_pvalue", falls=True)
    pages = every_page_up_to(5, rows, limit=18)

    for number, page in enumerate(pages):
        is_right = ends(page.items) == filter_value[number * 18 : (number + 1) * 18]
        assert is_right or "ORDER" in codes(page), f"page {number + 1}"


def every_page_up_to(count, edges, limit):
    async def ask(igvf, _):
        pages = [await igvf.find_associations(GENE_ID, "regulatory", order_by="p_value", limit=limit)]
        while len(pages) < count:
            cursor = pages[-1].pagination.cursor
            pages.append(
                await igvf.find_associations(GENE_ID, "regulatory", order_by="p_value", limit=limit, cursor=cursor)
            )
        return pages

    return run(ask, facts(*edges)).answer


def test_rows_without_a_p_value_come_last():
    edges = [*eqtls(30), *(eqtl(100 + place) for place in range(10)), *eqtls(5, 60.0, label="spliceQTL")]
    pages = every_page(facts(*edges), GENE_ID, "regulatory", order_by="p_value", limit=20).answer

    rows = [row for page in pages for row in page.items]
    assert [row.p_value is None for row in rows] == [False] * 35 + [True] * 10
    assert [row.p_value for row in rows[:35]] == sorted(row.p_value for row in rows[:35])


def test_p_values_too_small_for_a_number_are_ordered_by_their_logarithm():
    logs = [290.0, 310.0, 305.5, 299.0, 900.0]
    edges = [eqtl(place, neg_log10_pvalue=value) for place, value in enumerate(logs)]
    page = associations_run(facts(*edges), GENE_ID, "regulatory", order_by="p_value").answer

    assert [row.neg_log10_p_value for row in page.items] == [900.0, 310.0, 305.5, None, None]
    assert ends(page.items) == sorted_by(edges, "neg_log10_pvalue", falls=True)


def test_endpoints_are_in_one_order(many_edges):
    elements = [
        edge("element_gene", f"element_{place}", GENE_ID, p_value=10**-value, method="CRISPR screen")
        for place, value in enumerate(mixed(40, 4.45))
    ]
    page = associations_run(facts(*many_edges, *elements), GENE_ID, "regulatory", order_by="p_value", limit=60).answer

    p_values = [row.p_value for row in page.items]
    assert p_values == sorted(p_values)
    assert {row.subject.split("_")[0] for row in page.items} == {"NC", "element"}


def test_an_endpoint_that_recovers_on_a_later_page_repeats_no_row(many_edges):
    """The order of all rows then changes; rows that were returned must not come again."""
    elements = [edge("element_gene", f"element_{place}", GENE_ID, p_value=0.04) for place in range(60)]
    fault = failure_of(VARIANTS)
    graph = facts(*many_edges[:100], *elements)
    pages = every_page(graph, GENE_ID, "regulatory", fault, order_by="p_value", limit=25).answer

    assert VARIANTS in message(pages[0], "LEG_FAILED")
    values = listed_values(pages)
    assert sorted(set(values)) == sorted(values)


def test_an_endpoint_that_fails_on_a_later_page_costs_the_others_no_row(many_edges):
    """Rows before the position of the next page were partly from this endpoint. A refusal is right too."""
    elements = [
        edge("element_gene", f"element_{place}", GENE_ID, p_value=10 ** (0.7 * place - 175)) for place in range(60)
    ]

    async def ask(igvf, sandbox):
        options = {"order_by": "p_value", "limit": 25}
        pages = [await igvf.find_associations(GENE_ID, "regulatory", **options)]
        sandbox.faults.set(failure_of(VARIANTS))
        while cursor := pages[-1].pagination.cursor:
            pages.append(await igvf.find_associations(GENE_ID, "regulatory", cursor=cursor, **options))
        return pages

    try:
        output = listed_values(run(ask, facts(*many_edges, *elements)).answer)
    except UpstreamError:
        return
    assert {pair for pair in output if pair[0].startswith("element")} == set(ends(elements))


# By other numbers


BINDING = "/proteins/variants"  # a page has 100 rows; the service filters no score


def scored_edges(values):
    """Variants that change the binding of BRCA1, by their scores."""
    return [edge("variant_protein", spdi(place), PROTEIN_ID, score=value) for place, value in enumerate(values)]


@requirement("003 D5")
def test_the_greatest_scores_are_found_by_reading_on():
    edges = scored_edges(mixed(240, 0.004))
    catalog_run = associations_run(facts(*edges), PROTEIN_ID, "physical", order_by="-score", limit=100)

    assert ends(catalog_run.answer.items) == sorted_by(edges, "score", falls=True)[:100]
    assert "ORDER" not in codes(catalog_run.answer)
    assert len(catalog_run.params_of(BINDING)) == 3
    assert catalog_run.answer.pagination.total_count == 240


def test_scores_beyond_the_rows_that_a_call_may_read_are_reported_as_missing():
    catalog_run = associations_run(
        facts(*scored_edges(mixed(720, 0.001))), PROTEIN_ID, "physical", order_by="-score", limit=10
    )

    scores = [row.score for row in catalog_run.answer.items]
    assert scores == sorted(scores, reverse=True)
    assert BINDING in message(catalog_run.answer, "ORDER")
    assert catalog_run.answer.pagination.total_count is None
    assert len(catalog_run.params_of(BINDING)) <= 6


def test_the_least_coexpressed_genes_come_first():
    values = [round(item - 5, 3) for item in mixed(350, 0.03)]
    edges = [edge("gene_gene", GENE_ID, f"ENSG{place:011}", z_score=value) for place, value in enumerate(values)]
    edges.append(edge("gene_gene", GENE_ID, "ENSG00000999999", label="genetic interference", source="BioGRID"))
    catalog_run = every_page(facts(*edges), GENE_ID, "functional", order_by="z_score", limit=50)

    assert listed_values(catalog_run.answer) == sorted_by(edges, "z_score")
    z_scores = [item["z_score"] for item in catalog_run.params_of("/genes/genes") if "z_score" in item]
    assert all(item.startswith("lte:") for item in z_scores)


@pytest.mark.parametrize("name", ["r2", "d_prime"])
def test_variants_in_the_strongest_linkage_come_first(name):
    """The requested variant stands first in one half of the rows, second in the other."""
    params, edges = spdi(0), []
    for place, value in enumerate(mixed(900, 0.0011), start=1):
        pair = (params, spdi(place)) if place % 2 else (spdi(place, owner="NC_000001.11"), params)
        edges.append(edge("variant_variant", *pair, ancestry="EUR", r2=value, d_prime=round(1 - value, 6)))
    graph = facts(*edges, variants=(allele(params, rsid=("rs1799950",)),))
    catalog_run = associations_run(graph, params, "ld", order_by=f"-{name}", limit=60)

    best = sorted(edges, key=lambda edge: -edge.values[name])[:60]
    assert [row.object for row in catalog_run.answer.items] == [
        item.object if item.subject == params else item.subject for item in best
    ]
    assert {row.subject for row in catalog_run.answer.items} == {params}
    assert all(item[name].startswith("gte:") for item in catalog_run.params_of("/variants/variant-ld")[1:])


# With filters


def test_a_filter_and_an_order_on_the_same_side_are_one_bound(many_edges):
    catalog_run = associations_run(
        facts(*many_edges), GENE_ID, "regulatory", order_by="p_value", filters={"p_value": 1e-30}, limit=25
    )

    assert ends(catalog_run.answer.items) == sorted_by(many_edges, "neg_log10_pvalue", falls=True)[:25]
    bounds = [float(item["neg_log10_pvalue"].removeprefix("gte:")) for item in catalog_run.params_of(VARIANTS)]
    assert bounds[0] == pytest.approx(30, abs=1e-5)
    assert bounds == sorted(bounds)
    assert "DROPPED" not in codes(catalog_run.answer)


def test_an_order_is_never_looser_than_the_filter():
    """A third of the rows lies exactly on the bound, the others just below it."""
    rows = [eqtl(place, neg_log10_pvalue=2.9995 if place % 3 else 3.0) for place in range(LARGE)]
    catalog_run = associations_run(
        facts(*rows), GENE_ID, "regulatory", order_by="p_value", filters={"p_value": 0.001}, limit=25
    )

    assert ends(catalog_run.answer.items) == ends(rows[::3])[:25]
    assert (
        min(float(item["neg_log10_pvalue"].removeprefix("gte:")) for item in catalog_run.params_of(VARIANTS)) > 2.9995
    )
    assert "DROPPED" not in codes(catalog_run.answer)


def test_a_filter_on_the_other_side_of_the_order_is_kept():
    values = [round(item - 5, 3) for item in mixed(350, 0.03)]
    edges = [edge("gene_gene", GENE_ID, f"ENSG{place:011}", z_score=value) for place, value in enumerate(values)]
    page = associations_run(
        facts(*edges), GENE_ID, "functional", order_by="z_score", filters={"z_score": ">0"}, limit=30
    ).answer

    pairs = [pair for pair, value in zip(ends(edges), values, strict=True) if value > 0]
    by_value = dict(zip(ends(edges), values, strict=True))
    assert ends(page.items) == sorted(pairs, key=by_value.__getitem__)[:30]
    assert page.pagination.total_count == len(pairs)


def test_an_order_holds_among_the_rows_that_a_filter_leaves(many_edges):
    liver = [item.values | {"biological_context": "liver"} for item in many_edges[::20]]
    eqtls = [eqtl(place * 20, **fields) for place, fields in enumerate(liver)]
    rest = [item for place, item in enumerate(many_edges) if place % 20]
    page = associations_run(
        facts(*eqtls, *rest), GENE_ID, "regulatory", order_by="p_value", filters={"tissue": "liver"}, limit=20
    ).answer

    assert ends(page.items) == sorted_by(eqtls, "neg_log10_pvalue", falls=True)[:20]
    assert page.pagination.total_count == len(eqtls)
