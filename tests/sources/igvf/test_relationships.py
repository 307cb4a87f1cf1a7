"""Relationships by the names people use, genes near a place, and requests that are skipped as they cannot have rows."""

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.parameters import InvalidValues
from biofact.sources.igvf.catalog import RELATIONSHIPS, edges, endpoints, names_of_relationships
from biofact.sources.igvf.relationships import relationship_named
from tests.each_of import each_of
from tests.notices import codes, message
from tests.sources.igvf.catalog_rows import allele, gene
from tests.sources.igvf.made_graph import (
    GENE_ID,
    MOUSE_ID,
    OTHER_PROTEIN_ID,
    PROTEIN_ID,
    associations_run,
    changed,
    edge,
    ends,
    eqtl,
    facts,
    spdi,
)

pytestmark = pytest.mark.quick

NEAREST = "/variants/nearest-genes"


# Names


@each_of("name", sorted(names_of_relationships()))
def test_a_name_stands_for_edges_and_a_method_that_there_are(name):
    entry, expected = names_of_relationships()[name], relationship_named(name)
    rows = [endpoint for endpoint in endpoints().values() if expected.includes(endpoint.relationship, endpoint.edge)]

    assert entry.keys() & {"relationship", "edges"}
    assert expected.relationships
    assert set(expected.relationships) <= set(RELATIONSHIPS)
    assert expected.edges <= edges().keys()
    assert {row.edge for row in rows} >= expected.edges
    assert rows
    methods = {value for row in rows for value in row.parameters.get("method", ())}
    assert expected.method is None or expected.method in methods


@each_of(
    ("text", "name"),
    [
        ("eQTLs", "eqtl"),
        ("Diseases", "disease"),
        ("GO terms", "go"),
        ("protein-protein interactions", "ppi"),
        ("linkage disequilibrium", "linkage"),
        ("pathways", "pathway"),
        ("GWAS", "gwas"),
        ("Regulatory", "regulatory"),
        ("nearest genes", "nearest_genes"),
        ("LD", "ld"),
    ],
)
def test_names_are_read_in_any_case_and_number(text, name):
    expected, own_values = relationship_named(text), relationship_named(name)

    assert (expected.relationships, expected.edges, expected.method) == (
        own_values.relationships,
        own_values.edges,
        own_values.method,
    )


@pytest.mark.parametrize(("text", "nearest"), [("regulatry", "regulatory"), ("pathwey", "pathway"), ("eqlt", "eqtl")])
def test_an_unknown_name_is_refused_with_the_nearest(text, nearest):
    with pytest.raises(InvalidValues) as raises:
        relationship_named(text)

    assert nearest in raises.value.parts[0].expected.partition("nearest")[2]


def test_a_name_is_narrowed_to_its_likely_meaning_with_a_notice():
    pathway = edge("gene_pathway", GENE_ID, "R-HSA-7")
    catalog_run = associations_run(facts(pathway, edge("gene_gene", GENE_ID, "ENSG00000000007")), GENE_ID, "pathway")

    assert ends(catalog_run.answer.items) == [(GENE_ID, "R-HSA-7")]
    assert "pathway was read as functional, of it gene_pathway" in message(catalog_run.answer, "QUERY_UNDERSTOOD")
    assert {request.path for request in catalog_run.requests} == {"/genes", "/genes/pathways"}


def test_a_name_with_a_method_filters_by_it():
    graph = facts(eqtl(1, method="eQTL", label="eQTL"), eqtl(2, method="spliceQTL", label="spliceQTL"))
    catalog_run = associations_run(graph, GENE_ID, "eqtl")

    assert ends(catalog_run.answer.items) == [(spdi(1), GENE_ID)]
    assert [params["method"] for params in catalog_run.params_of("/genes/variants")] == ["eQTL"]


def test_our_own_names_need_no_notice():
    assert "QUERY_UNDERSTOOD" not in codes(associations_run(facts(eqtl(1)), GENE_ID, "regulatory").answer)


# Genes near a place


def test_the_genes_on_both_sides_of_an_intergenic_variant_have_their_distance():
    position = "NC_000017.11:43034294:A:G"  # 10,000 bases before BRCA1, whose first base is 43,044,295
    before = gene(uid="ENSG00000000007", symbol="G7", chromosome="17", start=43000001, end=43030295)
    catalog_run = associations_run(facts(variants=(allele(position),), genes=(before,)), position, "nearest_genes")

    assert sorted((row.object, row.object_name, row.distance) for row in catalog_run.answer.items) == [
        ("ENSG00000000007", "G7", 4000),
        (GENE_ID, "BRCA1", 10_000),
    ]
    assert {row.subject for row in catalog_run.answer.items} == {position}
    assert catalog_run.params_of(NEAREST) == [{"region": "chr17:43034294-43034295"}]


def test_a_gene_over_a_variant_is_at_no_distance():
    [row] = associations_run(facts(variants=(allele(spdi(9)),)), spdi(9), "nearest genes").answer.items

    assert (row.object, row.distance, row.aspect) == (GENE_ID, 0, "proximity")


def test_genes_are_near_a_region_too():
    [row] = associations_run(facts(), "chr17:43034296-43034395", "nearest_genes").answer.items

    assert (row.subject, row.object, row.distance) == ("chr17:43034296-43034395", GENE_ID, 9900)


def test_genes_of_another_chromosome_are_not_near():
    graph = facts(variants=(allele(spdi(9)),))
    mixed = {NEAREST: lambda answer, ask: [*answer(ask), {**answer(ask)[0], "_id": "ENSG00000000009", "chr": "chr9"}]}
    page = associations_run(graph, spdi(9), "nearest_genes", lies=mixed).answer

    assert [row.object for row in page.items] == [GENE_ID]
    assert f"1 of {NEAREST}" in message(page, "DROPPED")


def test_nearest_genes_are_no_part_of_all():
    catalog_run = associations_run(facts(variants=(allele(spdi(9)),)), spdi(9), "all")

    assert catalog_run.params_of(NEAREST) == []


# Requests that are not sent


def paths(catalog_run):
    return {request.path for request in catalog_run.requests}


def test_all_of_a_gene_without_a_protein_asks_for_no_protein():
    silent = gene(uid="ENSG00000000007", symbol="G7", chromosome="9", start=100, end=900, gene_type="lncRNA")
    catalog_run = associations_run(facts(eqtl(1, "ENSG00000000007"), genes=(silent,)), "G7", "all")

    assert ends(catalog_run.answer.items) == [(spdi(1), "ENSG00000000007")]
    assert not {path for path in paths(catalog_run) if "protein" in path or "coding" in path or "gene-products" in path}
    assert "no protein is made of G7" in message(catalog_run.answer, "NOT_COVERED")


def test_all_of_a_gene_without_proteins_in_the_catalog_stops_there():
    catalog_run = associations_run(facts(eqtl(1), products=()), GENE_ID, "all")

    assert not {path for path in paths(catalog_run) if path.startswith("/proteins") or "gene-products" in path}


def test_all_of_a_mouse_gene_asks_nothing_of_human_alone():
    catalog_run = associations_run(facts(edge("gene_transcript", MOUSE_ID, "ENSMUST00000000007")), MOUSE_ID, "all")

    params = paths(catalog_run) - {"/genes"}
    assert params
    assert all("mouse" in endpoints()[path].organisms for path in params)
    assert "of the mouse there is nothing in" in message(catalog_run.answer, "NOT_COVERED")


def test_the_cost_of_all_is_reported():
    catalog_run = associations_run(
        facts(eqtl(1), edge("protein_protein", PROTEIN_ID, OTHER_PROTEIN_ID)), GENE_ID, "all"
    )

    legs = message(catalog_run.answer, "LEGS")
    requests = [request for request in catalog_run.requests if request.path != "/genes"]
    assert legs.startswith(f"Requests: {len(requests)}. Rows: ")
    assert "/genes/variants 1" in legs


def test_equal_rows_are_listed_once():
    lies = {"/genes/variants": lambda answer, ask: answer(ask) * 2}
    page = associations_run(facts(eqtl(1), eqtl(2)), GENE_ID, "eqtl", lies=lies).answer

    assert ends(page.items) == [(spdi(1), GENE_ID), (spdi(2), GENE_ID)]
    assert page.pagination.total_count == 2


@pytest.mark.parametrize("field", ["gene", "sequence_variant"])
def test_a_renamed_end_is_a_change_of_the_service_and_no_empty_list(field):
    def lie(answer, ask):
        return [{("other" if name == field else name): value for name, value in row.items()} for row in answer(ask)]

    with pytest.raises(UpstreamError, match="without what they join"):
        associations_run(facts(eqtl(1), eqtl(2)), GENE_ID, "eqtl", lies={"/genes/variants": lie})


def test_a_service_that_ignores_the_region_has_no_genes_near():
    graph = facts(
        variants=(allele(spdi(9)),), genes=(gene(uid="ENSG00000000009", symbol="G9", chromosome="9", start=1, end=9),)
    )
    lies = {NEAREST: changed(region="chr9:1-2")}

    with pytest.raises(UpstreamError, match=NEAREST):
        associations_run(graph, spdi(9), "nearest_genes", lies=lies)
