"""Relationships by the names people use, genes near a place, and what is not asked as it cannot have rows."""

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.parameters import InvalidValues
from biofact.sources.igvf.catalog import RELATIONSHIPS, edges, endpoints, names_of_relationships
from biofact.sources.igvf.relationships import relationship_named
from tests.each_of import each_of
from tests.sources.igvf.catalog_rows import allele, gene
from tests.sources.igvf.made_graph import (
    GENE_ID,
    MOUSE_ID,
    OTHER_PROTEIN_ID,
    PROTEIN_ID,
    changed,
    codes,
    edge,
    ends,
    eqtl,
    facts,
    found,
    message,
    spdi,
)

pytestmark = pytest.mark.quick

NEAREST = "/variants/nearest-genes"


# Names


@each_of("name", sorted(names_of_relationships()))
def test_a_name_stands_for_edges_and_a_method_that_there_are(name):
    entry, meant = names_of_relationships()[name], relationship_named(name)
    rows = [one for one in endpoints().values() if meant.includes(one.relationship, one.edge)]

    assert entry.keys() & {"relationship", "edges"}
    assert meant.relationships
    assert set(meant.relationships) <= set(RELATIONSHIPS)
    assert meant.edges <= edges().keys()
    assert {one.edge for one in rows} >= meant.edges
    assert rows
    methods = {value for one in rows for value in one.parameters.get("method", ())}
    assert meant.method is None or meant.method in methods


@each_of(
    ("written", "name"),
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
def test_names_are_read_in_any_case_and_number(written, name):
    meant, own = relationship_named(written), relationship_named(name)

    assert (meant.relationships, meant.edges, meant.method) == (own.relationships, own.edges, own.method)


@pytest.mark.parametrize(
    ("written", "nearest"), [("regulatry", "regulatory"), ("pathwey", "pathway"), ("eqlt", "eqtl")]
)
def test_an_unknown_name_is_refused_with_the_nearest(written, nearest):
    with pytest.raises(InvalidValues) as refused:
        relationship_named(written)

    assert nearest in refused.value.parts[0].expected.partition("nearest")[2]


def test_a_name_narrows_to_what_is_meant_and_says_so():
    pathway = edge("gene_pathway", GENE_ID, "R-HSA-7")
    ran = found(facts(pathway, edge("gene_gene", GENE_ID, "ENSG00000000007")), GENE_ID, "pathway")

    assert ends(ran.answer.items) == [(GENE_ID, "R-HSA-7")]
    assert "pathway was read as functional, of it gene_pathway" in message(ran.answer, "QUERY_UNDERSTOOD")
    assert {asked.path for asked in ran.requests} == {"/genes", "/genes/pathways"}


def test_a_name_with_a_method_filters_by_it():
    made = facts(eqtl(1, method="eQTL", label="eQTL"), eqtl(2, method="spliceQTL", label="spliceQTL"))
    ran = found(made, GENE_ID, "eqtl")

    assert ends(ran.answer.items) == [(spdi(1), GENE_ID)]
    assert [asked["method"] for asked in ran.sent("/genes/variants")] == ["eQTL"]


def test_our_own_names_need_no_notice():
    assert "QUERY_UNDERSTOOD" not in codes(found(facts(eqtl(1)), GENE_ID, "regulatory").answer)


# Genes near a place


def test_the_genes_beside_a_variant_in_none_are_told_with_their_distance():
    at = "NC_000017.11:43034294:A:G"  # 10,000 bases before BRCA1, whose first base is 43,044,295
    before = gene(uid="ENSG00000000007", symbol="G7", chromosome="17", start=43000001, end=43030295)
    ran = found(facts(variants=(allele(at),), genes=(before,)), at, "nearest_genes")

    assert sorted((row.object, row.object_name, row.distance) for row in ran.answer.items) == [
        ("ENSG00000000007", "G7", 4000),
        (GENE_ID, "BRCA1", 10_000),
    ]
    assert {row.subject for row in ran.answer.items} == {at}
    assert ran.sent(NEAREST) == [{"region": "chr17:43034294-43034295"}]


def test_a_gene_over_a_variant_is_at_no_distance():
    [row] = found(facts(variants=(allele(spdi(9)),)), spdi(9), "nearest genes").answer.items

    assert (row.object, row.distance, row.aspect) == (GENE_ID, 0, "proximity")


def test_genes_are_near_a_region_too():
    [row] = found(facts(), "chr17:43034296-43034395", "nearest_genes").answer.items

    assert (row.subject, row.object, row.distance) == ("chr17:43034296-43034395", GENE_ID, 9900)


def test_genes_of_another_chromosome_are_not_near():
    made = facts(variants=(allele(spdi(9)),))
    mixed = {NEAREST: lambda answer, ask: [*answer(ask), {**answer(ask)[0], "_id": "ENSG00000000009", "chr": "chr9"}]}
    page = found(made, spdi(9), "nearest_genes", lies=mixed).answer

    assert [row.object for row in page.items] == [GENE_ID]
    assert f"1 of {NEAREST}" in message(page, "DROPPED")


def test_what_is_near_is_no_part_of_all():
    ran = found(facts(variants=(allele(spdi(9)),)), spdi(9), "all")

    assert ran.sent(NEAREST) == []


# What is not asked


def paths(ran):
    return {asked.path for asked in ran.requests}


def test_all_of_a_gene_without_a_protein_asks_for_no_protein():
    silent = gene(uid="ENSG00000000007", symbol="G7", chromosome="9", start=100, end=900, gene_type="lncRNA")
    ran = found(facts(eqtl(1, "ENSG00000000007"), genes=(silent,)), "G7", "all")

    assert ends(ran.answer.items) == [(spdi(1), "ENSG00000000007")]
    assert not {path for path in paths(ran) if "protein" in path or "coding" in path or "gene-products" in path}
    assert "no protein is made of G7" in message(ran.answer, "NOT_COVERED")


def test_all_of_a_gene_without_proteins_in_the_catalog_stops_there():
    ran = found(facts(eqtl(1), products=()), GENE_ID, "all")

    assert not {path for path in paths(ran) if path.startswith("/proteins") or "gene-products" in path}


def test_all_of_a_mouse_gene_asks_nothing_of_human_alone():
    ran = found(facts(edge("gene_transcript", MOUSE_ID, "ENSMUST00000000007")), MOUSE_ID, "all")

    asked = paths(ran) - {"/genes"}
    assert asked
    assert all("mouse" in endpoints()[path].organisms for path in asked)
    assert "of the mouse there is nothing in" in message(ran.answer, "NOT_COVERED")


def test_the_cost_of_all_is_told():
    ran = found(facts(eqtl(1), edge("protein_protein", PROTEIN_ID, OTHER_PROTEIN_ID)), GENE_ID, "all")

    legs = message(ran.answer, "LEGS")
    asked = [one for one in ran.requests if one.path != "/genes"]
    assert legs.startswith(f"Requests: {len(asked)}. Rows: ")
    assert "/genes/variants 1" in legs


def test_equal_rows_are_listed_once():
    twice = {"/genes/variants": lambda answer, ask: answer(ask) * 2}
    page = found(facts(eqtl(1), eqtl(2)), GENE_ID, "eqtl", lies=twice).answer

    assert ends(page.items) == [(spdi(1), GENE_ID), (spdi(2), GENE_ID)]
    assert page.pagination.total_count == 2


@pytest.mark.parametrize("field", ["gene", "sequence_variant"])
def test_a_renamed_end_is_a_change_of_the_service_and_no_empty_list(field):
    def lie(answer, ask):
        return [{("other" if name == field else name): value for name, value in row.items()} for row in answer(ask)]

    with pytest.raises(UpstreamError, match="without what they join"):
        found(facts(eqtl(1), eqtl(2)), GENE_ID, "eqtl", lies={"/genes/variants": lie})


def test_a_service_that_ignores_the_region_has_no_genes_near():
    made = facts(
        variants=(allele(spdi(9)),), genes=(gene(uid="ENSG00000000009", symbol="G9", chromosome="9", start=1, end=9),)
    )
    lies = {NEAREST: changed(region="chr9:1-2")}

    with pytest.raises(UpstreamError, match=NEAREST):
        found(made, spdi(9), "nearest_genes", lies=lies)
