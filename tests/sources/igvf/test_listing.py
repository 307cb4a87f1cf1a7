"""Lists of associations to their end: every row once, side requests in turn, and a notice about each that fails."""

import re

import pytest

from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.sandbox import Fault
from biofact.sources.igvf.catalog import IN_ALL, endpoints
from tests.marks import requirement
from tests.notices import codes, message
from tests.sources.igvf.catalog_rows import allele
from tests.sources.igvf.made_graph import (
    GENE_ID,
    MOUSE_ID,
    OTHER_ID,
    OTHER_PROTEIN_ID,
    PROTEIN_ID,
    associations_run,
    edge,
    ends,
    eqtl,
    every_page,
    facts,
    failure_of,
    run,
    spdi,
    starter_associations,
    starts,
    timing,
)

pytestmark = pytest.mark.quick

VARIANTS, ELEMENTS, NETWORK = "/genes/variants", "/genes/genomic-elements", "/gene-regulatory-network"
EQTLS = [eqtl(place, neg_log10_pvalue=1 + place / 10) for place in range(130)]
PREDICTED = [
    edge("element_gene", f"element_{place}", GENE_ID, p_value=0.02 / (place + 1), score=place / 45)
    for place in range(45)
]
edges = [
    edge("regulator_gene", GENE_ID, f"ENSG{place:011}", neg_log10_pvalue=2 + place, log2FC=0.5) for place in range(12)
]
REGULATORY = [*EQTLS, *PREDICTED, *edges]
ALL = facts(*REGULATORY)


def regulatory(*faults, graph=ALL, **options):
    return associations_run(graph, GENE_ID, "regulatory", *faults, **options)


def listed_ends(catalog_run):
    return sorted(pair for page in catalog_run.answer for pair in ends(page.items))


# Pages


FILTER, ORDER = {"filters": {"p_value": 0.01}}, {"order_by": "p_value"}
OTHER_VALUES = [(1, {}), (1, ORDER), (7, FILTER), (7, ORDER), (100, {}), (100, FILTER)]


@requirement("003 D5")
@pytest.mark.parametrize(
    ("limit", "options"),
    [(1, FILTER), (7, {}), (100, ORDER), *(pytest.param(*item, marks=pytest.mark.sweep) for item in OTHER_VALUES)],
    ids=str,
)
def test_all_pages_together_are_all_rows_once(limit, options):
    edge_groups = (EQTLS[:20], PREDICTED[:9], edges[:4]) if limit == 1 else (EQTLS, PREDICTED, edges)
    rows = [row for item in edge_groups for row in item]
    catalog_run = every_page(facts(*rows), GENE_ID, "regulatory", limit=limit, **options)

    if "filters" in options:
        rows = [
            row for row in rows if row.values.get("p_value", 0) <= 0.01 and row.values.get("neg_log10_pvalue", 2) >= 2
        ]
    assert listed_ends(catalog_run) == sorted(ends(rows))
    assert [len(page.items) for page in catalog_run.answer[:-1]] == [limit] * (len(catalog_run.answer) - 1)


def test_endpoints_come_in_turn():
    page = regulatory(limit=9).answer

    assert [row.subject[:7] for row in page.items] == ["NC_0000", "element", "ENSG000"] * 3


@pytest.mark.parametrize(
    "other",
    [{"entity_id": OTHER_ID}, {"relationship": "genetic"}, {"filters": {"p_value": 0.5}}, {"order_by": "p_value"}],
    ids=str,
)
def test_a_cursor_belongs_to_its_query(other):
    query = {"entity_id": GENE_ID, "relationship": "regulatory"}

    async def ask(igvf, _):
        page = await igvf.find_associations(**query, limit=3)
        return await igvf.find_associations(**{**query, **other}, limit=3, cursor=page.pagination.cursor)

    with pytest.raises(AmbiguousQuery, match="belongs to another query"):
        run(ask, ALL)


# Counts


def test_the_number_of_all_rows_is_given_if_it_is_known():
    few_rows = facts(*EQTLS[:20], *PREDICTED[:10])

    assert regulatory(graph=few_rows, limit=5).answer.pagination.total_count == 30
    assert regulatory(limit=5).answer.pagination.total_count is None


def test_the_rows_of_each_endpoint_are_counted_and_cut_lists_are_marked():
    words = message(regulatory(limit=10).answer, "LEGS")

    assert f"{VARIANTS} at least 100" in words
    assert f"{ELEMENTS} 45" in words
    assert f"{NETWORK} 12" in words
    assert message(regulatory(graph=facts(*EQTLS[:5]), limit=10).answer, "LEGS").endswith(
        f"{VARIANTS} 5; none in {ELEMENTS}, {NETWORK}."
    )


# Endpoints that fail


FAULTS = {
    "500": failure_of(VARIANTS),
    "hangs": Fault("delay", path=VARIANTS, times=None, seconds=20),
    "a web page": Fault("html", path=VARIANTS, times=None),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_endpoint_that_fails_is_named_and_the_others_continue(name):
    catalog_run = every_page(ALL, GENE_ID, "regulatory", FAULTS[name], limit=25)
    first = catalog_run.answer[0]

    assert VARIANTS in message(first, "LEG_FAILED")
    assert VARIANTS not in message(first, "LEGS")
    assert first.pagination.total_count is None
    rows = listed_ends(catalog_run)
    assert len(set(rows)) == len(rows)
    assert {pair for pair in rows if not pair[0].startswith("NC_")} == set(ends([*PREDICTED, *edges]))


def test_an_endpoint_that_fails_on_its_second_page_loses_no_row():
    fault = failure_of(VARIANTS, after=1)
    catalog_run = every_page(ALL, GENE_ID, "regulatory", fault, limit=100, timing=timing)

    assert "LEG_FAILED" in codes(catalog_run.answer[0])
    assert listed_ends(catalog_run) == sorted(ends(REGULATORY))


@pytest.mark.parametrize("order", [{}, {"order_by": "p_value"}], ids=["in turn", "in order"])
@pytest.mark.parametrize("kind", ["status", "close"])
def test_nothing_but_failures_is_one(kind, order):
    with pytest.raises(UpstreamError):
        regulatory(Fault(kind, path="/ge", times=None, status=500, after=1), **order)


def test_no_way_to_the_proteins_of_a_gene_is_a_failure_too():
    """Physical associations of a gene are those of its proteins: no other endpoint was asked."""
    graph = facts(edge("protein_protein", PROTEIN_ID, OTHER_PROTEIN_ID))

    with pytest.raises(UpstreamError):
        associations_run(graph, GENE_ID, "physical", failure_of("/genes/proteins"))


def test_a_total_without_the_proteins_of_a_gene_is_not_known():
    graph = facts(
        edge("gene_pathway", GENE_ID, "R-HSA-1"),
        edge("product_function", PROTEIN_ID, "GO_0006281", qualifier="enables"),
    )
    assert associations_run(graph, GENE_ID, "functional").answer.pagination.total_count == 2

    page = associations_run(graph, GENE_ID, "functional", failure_of("/genes/proteins")).answer
    assert "proteins" in message(page, "LEG_FAILED")
    assert page.pagination.total_count is None


def test_one_broken_endpoint_takes_no_other_down():
    """The next call comes while the service would count as down, if all its endpoints had failed."""

    async def ask(igvf, _):
        page = await igvf.find_associations(GENE_ID, "regulatory", limit=5)
        return page, await igvf.find_associations(OTHER_ID, "structure")

    page, other = run(ask, facts(*PREDICTED), failure_of(VARIANTS)).answer
    assert VARIANTS in message(page, "LEG_FAILED")
    assert ends(other.items) == [(OTHER_ID, OTHER_PROTEIN_ID)]


@requirement("003 D6")
def test_endpoints_do_not_wait_for_each_other():
    slow = [
        Fault("delay", path=path, times=None, seconds=seconds)
        for path, seconds in ((VARIANTS, 8.0), (ELEMENTS, 6.0), (NETWORK, 7.0))
    ]
    catalog_run = regulatory(*slow, graph=facts(*PREDICTED))

    assert len(catalog_run.answer.items) == 25
    assert 8.0 <= catalog_run.seconds < 8.0 + 6.0


def test_a_gene_that_regulates_itself_is_listed_once():
    catalog_run = regulatory(graph=facts(edge("regulator_gene", GENE_ID, GENE_ID, log2FC=0.5)))

    assert ends(catalog_run.answer.items) == [(GENE_ID, GENE_ID)]


# Absent entities


def test_endpoints_that_know_no_mice_are_named_and_not_counted():
    graph = facts(edge("gene_gene", MOUSE_ID, "ENSMUSG00000000001", z_score=3.1))
    catalog_run = associations_run(graph, MOUSE_ID, "functional", organism="mouse")

    assert ends(catalog_run.answer.items) == [(MOUSE_ID, "ENSMUSG00000000001")]
    assert "/genes/pathways" in message(catalog_run.answer, "NOT_COVERED")
    assert "/genes/pathways" not in message(catalog_run.answer, "LEGS")
    assert catalog_run.params_of("/genes/pathways") == []


def test_a_relationship_that_a_gene_has_not_is_refused_with_those_it_has():
    with pytest.raises(AmbiguousQuery, match="nothing pharmacological with a gene") as error:
        associations_run(ALL, GENE_ID, "pharmacological")

    relationships = set(error.value.hint.partition(":")[2].strip(" .").split(", "))
    assert relationships == {"regulatory", "genetic", "physical", "functional", "structure", "coding"}


# Ends


def test_all_alleles_of_an_rsid_are_asked_for():
    alleles = [spdi(1, change=f"A:{base}") for base in "CGT"]
    rows = [edge("variant_gene", allele, GENE_ID, source="EBI") for allele in alleles]
    rows += [edge("variant_element", allele, "element_1", source="AFGR") for allele in alleles]
    graph = facts(*rows, variants=tuple(allele(item, rsid=("rs1799950",)) for item in alleles))
    catalog_run = every_page(graph, "rs1799950", "regulatory", limit=2)

    assert listed_ends(catalog_run) == sorted(ends(rows))


def test_the_asked_variant_is_the_subject_of_linkage():
    """The variant has either place in a row, and another variant has its rsID."""
    params, twin, other = spdi(1), spdi(1, change="A:T"), spdi(9)
    rows = [edge("variant_variant", *pair, r2=0.9) for pair in ((params, other), (spdi(0), params), (params, twin))]
    group = ((params, ("rs1",)), (twin, ("rs1",)), (other, ("rs9",)))
    graph = facts(*rows, variants=tuple(allele(item, rsid=rsids) for item, rsids in group))
    catalog_run = associations_run(graph, params, "ld")

    assert sorted(ends(catalog_run.answer.items)) == sorted((params, other) for other in (other, spdi(0), twin))


def test_a_lead_variant_is_named_where_it_is_another_one():
    lead = {"source": "OpenTargets", "lead_chrom": "17", "lead_ref": "A", "lead_alt": "G", "neg_log10_pvalue": 9}
    rows = [
        edge("variant_phenotype", spdi(1), f"EFO_000000{position}", lead_pos=43044295 + position, **lead)
        for position in (1, 5)
    ]
    page = associations_run(facts(*rows), spdi(1), "genetic").answer

    assert {row.object: row.lead_variant for row in page.items} == {"EFO:0000001": None, "EFO:0000005": spdi(5)}


def test_regulation_of_a_disease_is_that_of_its_genes():
    graph = facts(edge("gene_disease", GENE_ID, "MONDO_0011450", source="GenCC"), eqtl(1, GENE_ID), eqtl(2, OTHER_ID))
    catalog_run = associations_run(graph, "MONDO:0011450", "regulatory")

    assert ends(catalog_run.answer.items) == [(spdi(1), GENE_ID)]
    assert "BRCA1" in message(catalog_run.answer, "QUERY_UNDERSTOOD")


@requirement("003 T3-physical")
def test_the_binding_partners_of_a_gene_are_those_of_its_protein():
    graph = facts(edge("protein_protein", PROTEIN_ID, OTHER_PROTEIN_ID), edge("protein_protein", OTHER_PROTEIN_ID, "X"))
    catalog_run = associations_run(graph, GENE_ID, "physical")

    assert ends(catalog_run.answer.items) == [(PROTEIN_ID, OTHER_PROTEIN_ID)]


# Every endpoint


FEW_ROWS = [
    "ENSG00000012048",
    "ENST00000357654",
    "ENSP00000262053",
    "ACSF3_ENST00000317447_p.Ala17Pro_c.49G-C",
    "AHR_HUMAN_HOCOMOCOv11",
    "NC_000001.11:109274967:G:T",
    "NC_000001.11:109426297:G:C",
    "NC_000001.11:113834945:A:G",
    "NC_000012.12:102917129:T:C",
    "accessible_dna_element_1_975872_976361_GRCh38_AFGR",
    "CRISPR_chr1_101174581_101175330_GRCh38",
    "MPRA_chr1_100219984_100220184_GRCh38",
    "GO_0000122",
    "GO_0003674",
    "GO_0008283",
    "MONDO_0009861",
    "ontology_terms/EFO_0002067",
    "R-HSA-162699",
    "CPX-1956",
    "PA448497",
]
"""Entities of the starter facts for which, together, every endpoint has rows."""


@pytest.fixture(
    scope="module",
    params=[pytest.param("few", marks=pytest.mark.quick), pytest.param("all", marks=pytest.mark.sweep)],
)
def starters(request):
    return starter_associations(FEW_ROWS if request.param == "few" else starts())


def test_rows_of_every_endpoint_are_listed(starters):
    legs = [item.message for _, answer in starters for item in answer if item.code == "LEGS"]
    text = " ".join(words.partition("none in")[0] for words in legs)
    with_rows = set(re.findall(r"(/[\w/-]+) (?:at least )?\d", text))

    assert {endpoint.path for endpoint in endpoints().values() if endpoint.relationship in IN_ALL} - with_rows == set()


def test_no_honest_row_is_mistaken_for_a_stranger(starters):
    """Rows of similar tissues do come, and elements are requested by place, where others lie too."""
    known_values = [answer for uid, answer in starters if not uid.startswith("ontology_terms/")]
    messages = [item.message for answer in known_values for item in answer if item.code == "DROPPED"]

    paths = {path for words in messages for path in re.findall(r"of (/[\w/-]+)", words)}
    assert {path for path in paths if not path.startswith("/genomic-elements/")} == set()
