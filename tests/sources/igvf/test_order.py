"""Associations in an order that the service does not know: the best ones, all of them, or a word about it."""

import pytest

from biofact.core.errors import UpstreamError
from tests.marks import requirement
from tests.sources.igvf.catalog_rows import allele
from tests.sources.igvf.made_graph import (
    GENE_ID,
    PROTEIN_ID,
    codes,
    edge,
    ends,
    eqtl,
    every_page,
    facts,
    failing,
    found,
    message,
    mixed,
    run,
    spdi,
)

pytestmark = pytest.mark.quick

VARIANTS, NETWORK = "/genes/variants", "/gene-regulatory-network"
MANY = 1800  # eQTLs, of which a page has 500


def eqtls(count=MANY, step=0.1, **fields):
    """Made eQTLs of BRCA1, each with a p-value of its own."""
    return [eqtl(place, neg_log10_pvalue=value, **fields) for place, value in enumerate(mixed(count, step))]


def regulated(logarithms):
    """Genes that BRCA1 regulates, by the logarithms of their p-values; a page has 100 of them, a fifth of the eQTLs."""
    return [
        edge("regulator_gene", GENE_ID, f"ENSG{place:011}", neg_log10_pvalue=value, log2FC=0.5)
        for place, value in enumerate(logarithms)
    ]


def sorted_by(edges, name, *, falls=False):
    """The ends of edges by a field, those without it last: an order made without the code under test."""
    known = [one for one in edges if name in one.values]
    known.sort(key=lambda one: one.values[name], reverse=falls)
    rest = [one for one in edges if name not in one.values]
    return ends([*known, *rest])


def listed(pages):
    return [pair for page in pages for pair in ends(page.items)]


@pytest.fixture(scope="module")
def many():
    return eqtls()


# By p-value


@pytest.fixture(scope="module")
def best(many):
    """The 25 best of many, and what was asked for them."""
    return found(facts(*many), GENE_ID, "regulatory", order_by="p_value", limit=25)


def test_the_best_p_values_come_first_in_few_requests(many, best):
    assert ends(best.answer.items) == sorted_by(many, "neg_log10_pvalue", falls=True)[:25]
    assert "ORDER" not in codes(best.answer)
    asked = [one.get("neg_log10_pvalue") for one in best.sent(VARIANTS)]
    assert asked[0] is None
    assert 2 <= len(asked) <= 6
    bounds = [float(one.removeprefix("gte:")) for one in asked[1:]]
    assert bounds == sorted(set(bounds))
    assert sum(value >= bounds[-1] for value in mixed(MANY, 0.1)) < 500, "the last page must not be full"


def test_a_part_of_the_rows_is_not_counted_as_all_of_them(best):
    assert best.answer.pagination.total_count in {None, MANY}
    words = message(best.answer, "LEGS")
    assert f"{VARIANTS} at least " in words or f"{VARIANTS} {MANY}" in words


def test_the_worst_p_values_come_first_where_that_is_asked(many):
    ran = found(facts(*many), GENE_ID, "regulatory", order_by="-p_value", limit=25)

    assert ends(ran.answer.items) == sorted_by(many, "neg_log10_pvalue")[:25]


def test_all_pages_in_order_are_all_rows_in_order():
    rows = regulated(mixed(360, 0.5))
    ran = every_page(facts(*rows), GENE_ID, "regulatory", order_by="p_value", limit=36)

    wanted = sorted_by(rows, "neg_log10_pvalue", falls=True)
    got = listed(ran.answer)
    wrong = [place for place, pair in enumerate(got[: len(wanted)]) if pair != wanted[place]]
    assert wrong[:5] == [], "where the first rows stand that are out of order"
    assert len(got) == 360
    assert len([one for one in ran.sent(NETWORK) if "regulator_gene_id" in one]) <= 6 * len(ran.answer)


def test_more_ties_at_the_top_than_can_be_read_are_no_silent_order():
    page = found(facts(*regulated([50.0] * 650)), GENE_ID, "regulatory", order_by="p_value", limit=25).answer

    assert len(page.items) == 25
    assert NETWORK in message(page, "ORDER")
    assert page.pagination.total_count is None


def test_a_later_page_that_cannot_be_whole_says_so():
    """At 72 rows a threshold hardly narrows a page of 100, and 1000 are too many to read on."""
    rows = regulated(mixed(1000, 0.25))
    wanted = sorted_by(rows, "neg_log10_pvalue", falls=True)
    pages = every_page_up_to(5, rows, limit=18)

    for number, page in enumerate(pages):
        is_right = ends(page.items) == wanted[number * 18 : (number + 1) * 18]
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
    page = found(facts(*edges), GENE_ID, "regulatory", order_by="p_value").answer

    assert [row.neg_log10_p_value for row in page.items] == [900.0, 310.0, 305.5, None, None]
    assert ends(page.items) == sorted_by(edges, "neg_log10_pvalue", falls=True)


def test_legs_are_in_one_order(many):
    elements = [
        edge("element_gene", f"element_{place}", GENE_ID, p_value=10**-value, method="CRISPR screen")
        for place, value in enumerate(mixed(40, 4.45))
    ]
    page = found(facts(*many, *elements), GENE_ID, "regulatory", order_by="p_value", limit=60).answer

    shown = [row.p_value for row in page.items]
    assert shown == sorted(shown)
    assert {row.subject.split("_")[0] for row in page.items} == {"NC", "element"}


def test_a_leg_that_comes_back_on_a_later_page_repeats_no_row(many):
    """The order of all rows is another one then; what is out must not come again."""
    elements = [edge("element_gene", f"element_{place}", GENE_ID, p_value=0.04) for place in range(60)]
    fault = failing(VARIANTS)
    made = facts(*many[:100], *elements)
    pages = every_page(made, GENE_ID, "regulatory", fault, order_by="p_value", limit=25).answer

    assert VARIANTS in message(pages[0], "LEG_FAILED")
    got = listed(pages)
    assert sorted(set(got)) == sorted(got)


def test_a_leg_that_fails_on_a_later_page_takes_no_row_of_the_others(many):
    """What came before the place where the list goes on was partly its own. To refuse is right too."""
    elements = [
        edge("element_gene", f"element_{place}", GENE_ID, p_value=10 ** (0.7 * place - 175)) for place in range(60)
    ]

    async def ask(igvf, sandbox):
        options = {"order_by": "p_value", "limit": 25}
        pages = [await igvf.find_associations(GENE_ID, "regulatory", **options)]
        sandbox.faults.set(failing(VARIANTS))
        while cursor := pages[-1].pagination.cursor:
            pages.append(await igvf.find_associations(GENE_ID, "regulatory", cursor=cursor, **options))
        return pages

    try:
        shown = listed(run(ask, facts(*many, *elements)).answer)
    except UpstreamError:
        return
    assert {pair for pair in shown if pair[0].startswith("element")} == set(ends(elements))


# By other numbers


BINDING = "/proteins/variants"  # a page has 100 rows; the service filters no score


def scored(values):
    """Variants that change how BRCA1 binds, by their scores."""
    return [edge("variant_protein", spdi(place), PROTEIN_ID, score=value) for place, value in enumerate(values)]


@requirement("003 D5")
def test_the_greatest_scores_are_found_by_reading_on():
    edges = scored(mixed(240, 0.004))
    ran = found(facts(*edges), PROTEIN_ID, "physical", order_by="-score", limit=100)

    assert ends(ran.answer.items) == sorted_by(edges, "score", falls=True)[:100]
    assert "ORDER" not in codes(ran.answer)
    assert len(ran.sent(BINDING)) == 3
    assert ran.answer.pagination.total_count == 240


def test_scores_behind_what_a_call_may_read_are_told_to_be_missing():
    ran = found(facts(*scored(mixed(720, 0.001))), PROTEIN_ID, "physical", order_by="-score", limit=10)

    scores = [row.score for row in ran.answer.items]
    assert scores == sorted(scores, reverse=True)
    assert BINDING in message(ran.answer, "ORDER")
    assert ran.answer.pagination.total_count is None
    assert len(ran.sent(BINDING)) <= 6


def test_the_least_coexpressed_genes_come_first():
    values = [round(one - 5, 3) for one in mixed(350, 0.03)]
    edges = [edge("gene_gene", GENE_ID, f"ENSG{place:011}", z_score=one) for place, one in enumerate(values)]
    edges.append(edge("gene_gene", GENE_ID, "ENSG00000999999", label="genetic interference", source="BioGRID"))
    ran = every_page(facts(*edges), GENE_ID, "functional", order_by="z_score", limit=50)

    assert listed(ran.answer) == sorted_by(edges, "z_score")
    asked = [one["z_score"] for one in ran.sent("/genes/genes") if "z_score" in one]
    assert all(one.startswith("lte:") for one in asked)


@pytest.mark.parametrize("name", ["r2", "d_prime"])
def test_variants_in_the_strongest_linkage_come_first(name):
    """The asked variant stands first in one half of the rows, second in the other."""
    asked, edges = spdi(0), []
    for place, value in enumerate(mixed(900, 0.0011), start=1):
        pair = (asked, spdi(place)) if place % 2 else (spdi(place, of="NC_000001.11"), asked)
        edges.append(edge("variant_variant", *pair, ancestry="EUR", r2=value, d_prime=round(1 - value, 6)))
    made = facts(*edges, variants=(allele(asked, rsid=("rs1799950",)),))
    ran = found(made, asked, "ld", order_by=f"-{name}", limit=60)

    best = sorted(edges, key=lambda one: -one.values[name])[:60]
    assert [row.object for row in ran.answer.items] == [
        one.object if one.subject == asked else one.subject for one in best
    ]
    assert {row.subject for row in ran.answer.items} == {asked}
    assert all(one[name].startswith("gte:") for one in ran.sent("/variants/variant-ld")[1:])


# With filters


def test_a_filter_and_an_order_on_the_same_side_are_one_bound(many):
    ran = found(facts(*many), GENE_ID, "regulatory", order_by="p_value", filters={"p_value": 1e-30}, limit=25)

    assert ends(ran.answer.items) == sorted_by(many, "neg_log10_pvalue", falls=True)[:25]
    bounds = [float(one["neg_log10_pvalue"].removeprefix("gte:")) for one in ran.sent(VARIANTS)]
    assert bounds[0] == pytest.approx(30, abs=1e-5)
    assert bounds == sorted(bounds)
    assert "DROPPED" not in codes(ran.answer)


def test_an_order_is_never_looser_than_the_filter():
    """A third of the rows stands on the bound itself, the others just below it."""
    rows = [eqtl(place, neg_log10_pvalue=2.9995 if place % 3 else 3.0) for place in range(MANY)]
    ran = found(facts(*rows), GENE_ID, "regulatory", order_by="p_value", filters={"p_value": 0.001}, limit=25)

    assert ends(ran.answer.items) == ends(rows[::3])[:25]
    assert min(float(one["neg_log10_pvalue"].removeprefix("gte:")) for one in ran.sent(VARIANTS)) > 2.9995
    assert "DROPPED" not in codes(ran.answer)


def test_a_filter_on_the_other_side_of_the_order_is_kept():
    values = [round(one - 5, 3) for one in mixed(350, 0.03)]
    edges = [edge("gene_gene", GENE_ID, f"ENSG{place:011}", z_score=one) for place, one in enumerate(values)]
    page = found(facts(*edges), GENE_ID, "functional", order_by="z_score", filters={"z_score": ">0"}, limit=30).answer

    wanted = [pair for pair, value in zip(ends(edges), values, strict=True) if value > 0]
    by_value = dict(zip(ends(edges), values, strict=True))
    assert ends(page.items) == sorted(wanted, key=by_value.__getitem__)[:30]
    assert page.pagination.total_count == len(wanted)


def test_an_order_holds_among_the_rows_that_a_filter_leaves(many):
    liver = [one.values | {"biological_context": "liver"} for one in many[::20]]
    some = [eqtl(place * 20, **fields) for place, fields in enumerate(liver)]
    rest = [one for place, one in enumerate(many) if place % 20]
    page = found(
        facts(*some, *rest), GENE_ID, "regulatory", order_by="p_value", filters={"tissue": "liver"}, limit=20
    ).answer

    assert ends(page.items) == sorted_by(some, "neg_log10_pvalue", falls=True)[:20]
    assert page.pagination.total_count == len(some)
