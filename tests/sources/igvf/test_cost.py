"""The requests for `all` of an entity: every endpoint that may have rows, no other, and the cost."""

import re

import pytest

from biofact.sources.igvf.catalog import endpoints
from tests.each_of import each_of
from tests.notices import message
from tests.sources.igvf.catalog_rows import gene, protein, transcript
from tests.sources.igvf.made_graph import (
    GENE_ID,
    MOUSE_ID,
    OTHER_PROTEIN_ID,
    PROTEIN_ID,
    associations_run,
    edge,
    ends,
    facts,
)

pytestmark = pytest.mark.quick

ANY = {
    "/genes/variants",
    "/genes/genomic-elements",
    "/gene-regulatory-network",
    "/genes/diseases",
    "/genes/genes",
    "/genes/pathways",
    "/genes/transcripts",
}
"""RNA genes and pseudogenes have QTLs, elements, diseases (RMRP), pathways and transcripts like others."""
OF_PROTEINS = {"/genes/proteins", "/genes/coding-variants/scores"}
BY_WAY = {
    "/proteins/proteins",
    "/proteins/complexes",
    "/proteins/variants",
    "/proteins/motifs",
    "/gene-products/go-terms",
}
MOUSE = {"/genes/genes", "/genes/transcripts", "/genes/proteins"}
GRAPH = "ENSG00000000007"


def of_type(kind):
    """All associations of a human gene of a type whose only edge in the Catalog leads to a protein."""
    graph = gene(uid=GRAPH, symbol="G7", chromosome="9", start=100, end=900, gene_type=kind)
    return associations_run(facts(edge("gene_protein", GRAPH, PROTEIN_ID), genes=(graph,)), "G7", "all")


def request_paths(catalog_run, lookup="/genes"):
    return [request.path for request in catalog_run.requests if request.path != lookup]


@each_of(
    ("kind", "paths", "requests"),
    [
        ("protein_coding", ANY | OF_PROTEINS | BY_WAY, 15),
        ("IG_V_gene", ANY | OF_PROTEINS | BY_WAY, 15),
        ("TEC", ANY | OF_PROTEINS | BY_WAY, 15),
        ("translated_processed_pseudogene", ANY | OF_PROTEINS | BY_WAY, 15),
        ("a type of tomorrow", ANY | OF_PROTEINS | BY_WAY, 15),
        ("lncRNA", ANY, 8),
        ("miRNA", ANY, 8),
        ("processed_pseudogene", ANY, 8),
        ("transcribed_unitary_pseudogene", ANY, 8),
        ("IG_V_pseudogene", ANY, 8),
        ("rRNA_pseudogene", ANY, 8),
    ],
)
def test_all_of_a_human_gene_asks_what_may_have_rows_for_its_type(kind, paths, requests):
    catalog_run = of_type(kind)

    assert set(request_paths(catalog_run)) == paths
    assert len(request_paths(catalog_run)) == requests
    assert message(catalog_run.answer, "LEGS").startswith(f"Requests: {requests}.")


def test_a_notice_lists_the_paths_that_are_not_requested_for_a_gene():
    notice_text = message(of_type("lncRNA").answer, "NOT_COVERED")

    assert all(path in notice_text for path in OF_PROTEINS | BY_WAY)


def test_all_of_a_mouse_gene_asks_what_knows_mice():
    catalog_run = associations_run(facts(), MOUSE_ID, "all")

    assert set(request_paths(catalog_run)) == MOUSE
    assert message(catalog_run.answer, "LEGS").startswith("Requests: 3.")
    assert {
        path for path in endpoints() if path in ANY | OF_PROTEINS and "mouse" in endpoints()[path].organisms
    } == MOUSE


def test_a_mouse_gene_with_a_protein_is_asked_for_what_that_binds():
    uid = "ENSMUSP00000000007"
    graph = facts(edge("gene_protein", MOUSE_ID, uid), proteins=(protein(uid=uid, name="Brca1", organism="mouse"),))
    catalog_run = associations_run(graph, MOUSE_ID, "all")

    assert set(request_paths(catalog_run)) == MOUSE | {
        path for path in BY_WAY if "mouse" in endpoints()[path].organisms
    }
    assert message(catalog_run.answer, "LEGS").startswith(f"Requests: {len(request_paths(catalog_run))}.")


def test_the_proteins_by_way_of_which_more_is_asked_count_too():
    graph = facts(edge("protein_protein", PROTEIN_ID, OTHER_PROTEIN_ID))
    catalog_run = associations_run(graph, GENE_ID, "physical")

    assert ends(catalog_run.answer.items) == [(PROTEIN_ID, OTHER_PROTEIN_ID)]
    assert set(request_paths(catalog_run)) == {"/genes/proteins", *(BY_WAY - {"/gene-products/go-terms"})}
    assert message(catalog_run.answer, "LEGS").startswith(f"Requests: {len(request_paths(catalog_run))}.")


def test_the_genes_by_way_of_which_a_disease_is_regulated_count_too():
    catalog_run = associations_run(facts(edge("gene_disease", GENE_ID, "MONDO_0011450")), "MONDO:0011450", "regulatory")

    [request_count] = re.findall(r"Requests: (\d+)", message(catalog_run.answer, "LEGS"))
    assert int(request_count) == len(request_paths(catalog_run, "/ontology-terms"))
    assert "/diseases/genes" in request_paths(catalog_run)


@pytest.mark.parametrize(
    ("kind", "is_asked"),
    [("protein_coding", True), ("nonsense_mediated_decay", True), ("retained_intron", False), ("lncRNA", False)],
)
def test_a_transcript_that_is_not_translated_is_asked_for_no_protein(kind, is_asked):
    uid = "ENST00000000007"
    graph = transcript(uid=uid, name="BRCA1-207", chromosome="17", start=43044295, end=43045000, transcript_type=kind)
    catalog_run = associations_run(facts(edge("gene_transcript", GENE_ID, uid), transcripts=(graph,)), uid, "structure")

    assert ends(catalog_run.answer.items) == [(GENE_ID, uid)]
    assert ("/transcripts/proteins" in request_paths(catalog_run)) == is_asked
    assert ("no protein is made of" in str(catalog_run.answer.notices)) != is_asked
