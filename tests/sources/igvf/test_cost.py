"""What `all` of an entity asks: every endpoint that may have rows for it, no other, and the answer tells the cost."""

import re

import pytest

from biofact.sources.igvf.catalog import endpoints
from tests.each_of import each_of
from tests.sources.igvf.catalog_rows import gene, protein, transcript
from tests.sources.igvf.made_graph import (
    GENE_ID,
    MOUSE_ID,
    OTHER_PROTEIN_ID,
    PROTEIN_ID,
    edge,
    ends,
    facts,
    found,
    message,
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
MADE = "ENSG00000000007"


def of_type(kind):
    """All of a human gene of a type, which the Catalog joins with nothing but a protein."""
    made = gene(uid=MADE, symbol="G7", chromosome="9", start=100, end=900, gene_type=kind)
    return found(facts(edge("gene_protein", MADE, PROTEIN_ID), genes=(made,)), "G7", "all")


def asked(ran, lookup="/genes"):
    return [one.path for one in ran.requests if one.path != lookup]


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
    ran = of_type(kind)

    assert set(asked(ran)) == paths
    assert len(asked(ran)) == requests
    assert message(ran.answer, "LEGS").startswith(f"Requests: {requests}.")


def test_what_is_not_asked_of_a_gene_is_said():
    told = message(of_type("lncRNA").answer, "NOT_COVERED")

    assert all(path in told for path in OF_PROTEINS | BY_WAY)


def test_all_of_a_mouse_gene_asks_what_knows_mice():
    ran = found(facts(), MOUSE_ID, "all")

    assert set(asked(ran)) == MOUSE
    assert message(ran.answer, "LEGS").startswith("Requests: 3.")
    assert {
        path for path in endpoints() if path in ANY | OF_PROTEINS and "mouse" in endpoints()[path].organisms
    } == MOUSE


def test_a_mouse_gene_with_a_protein_is_asked_for_what_that_binds():
    uid = "ENSMUSP00000000007"
    made = facts(edge("gene_protein", MOUSE_ID, uid), proteins=(protein(uid=uid, name="Brca1", organism="mouse"),))
    ran = found(made, MOUSE_ID, "all")

    assert set(asked(ran)) == MOUSE | {path for path in BY_WAY if "mouse" in endpoints()[path].organisms}
    assert message(ran.answer, "LEGS").startswith(f"Requests: {len(asked(ran))}.")


def test_the_proteins_by_way_of_which_more_is_asked_count_too():
    made = facts(edge("protein_protein", PROTEIN_ID, OTHER_PROTEIN_ID))
    ran = found(made, GENE_ID, "physical")

    assert ends(ran.answer.items) == [(PROTEIN_ID, OTHER_PROTEIN_ID)]
    assert set(asked(ran)) == {"/genes/proteins", *(BY_WAY - {"/gene-products/go-terms"})}
    assert message(ran.answer, "LEGS").startswith(f"Requests: {len(asked(ran))}.")


def test_the_genes_by_way_of_which_a_disease_is_regulated_count_too():
    ran = found(facts(edge("gene_disease", GENE_ID, "MONDO_0011450")), "MONDO:0011450", "regulatory")

    [told] = re.findall(r"Requests: (\d+)", message(ran.answer, "LEGS"))
    assert int(told) == len(asked(ran, "/ontology-terms"))
    assert "/diseases/genes" in asked(ran)


@pytest.mark.parametrize(
    ("kind", "is_asked"),
    [("protein_coding", True), ("nonsense_mediated_decay", True), ("retained_intron", False), ("lncRNA", False)],
)
def test_a_transcript_that_is_not_translated_is_asked_for_no_protein(kind, is_asked):
    uid = "ENST00000000007"
    made = transcript(uid=uid, name="BRCA1-207", chromosome="17", start=43044295, end=43045000, transcript_type=kind)
    ran = found(facts(edge("gene_transcript", GENE_ID, uid), transcripts=(made,)), uid, "structure")

    assert ends(ran.answer.items) == [(GENE_ID, uid)]
    assert ("/transcripts/proteins" in asked(ran)) == is_asked
    assert ("no protein is made of" in str(ran.answer.notices)) != is_asked
