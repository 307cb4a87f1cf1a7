"""Recorded answers, requested by a real MCP client through the whole stack; values are read off the files."""

import pytest

from biofact.sandbox.services.ensembl.standin import stand_ins
from tests.recordings import FOLDER, needs_recordings
from tests.served import replies

pytestmark = [pytest.mark.quick, needs_recordings]

CALLS = {
    "BRAF": ("ensembl_get_gene", {"ensembl_id": "ENSG00000157764"}),
    "KRAS": ("ensembl_get_gene", {"ensembl_id": "ENSG00000133703", "slim": True}),
    "KRAS-204": ("ensembl_get_transcript", {"transcript_id": "ENST00000557334", "slim": True}),
    "BRCA2": ("ensembl_search_genes", {"query": "BRCA2", "species": "human"}),
    "a protein of KRAS": ("ensembl_search_genes", {"query": "ENSP00000308495"}),
    "chicken": ("ensembl_search_genes", {"query": "TP53", "species": "chicken"}),
    "chiken": ("ensembl_search_genes", {"query": "TP53", "species": "chiken"}),
}


@pytest.fixture(scope="module")
def answers():
    return dict(zip(CALLS, replies(*CALLS.values(), recordings=FOLDER, stand_ins=stand_ins()), strict=True))


def test_the_recorded_expanded_gene_has_all_its_transcripts(answers):
    gene = answers["BRAF"].body

    assert (gene["symbol"], gene["version"], gene["assembly_name"]) == ("BRAF", 13, "GRCh38")
    assert (gene["chromosome"], gene["start"], gene["end"], gene["strand"]) == ("7", 140719327, 140924928, -1)
    assert gene["name"] == "B-Raf proto-oncogene, serine/threonine kinase"
    assert gene["transcript_count"] == 21
    assert gene["canonical_transcript"] == "ENST00000646891.1"
    listed_values = len(gene["cross_references"]["ensembl_transcript"])
    assert 1 <= listed_values <= 6
    assert f"{listed_values} of 21" in next(
        notice["message"] for notice in gene["notices"] if notice["code"] == "LIST_CUT"
    )


def test_recorded_genes_and_transcripts_come_in_their_short_forms(answers):
    assert answers["KRAS"].body == {"id": "ENSG00000133703", "symbol": "KRAS", "biotype": "protein_coding"}
    assert answers["KRAS-204"].body == {
        "id": "ENST00000557334",
        "parent_gene": "ENSG00000133703",
        "biotype": "protein_coding",
    }


def test_a_recorded_symbol_is_found_at_its_place(answers):
    (row, *_) = answers["BRCA2"].body["items"]

    assert (row["id"], row["match"], row["score"]) == ("ENSG00000139618", "symbol", 1.0)
    assert (row["chromosome"], row["start"], row["end"], row["strand"]) == ("13", 32315086, 32400268, 1)
    assert row["name"] == "BRCA2 DNA repair associated"


def test_a_recorded_protein_leads_to_its_gene(answers):
    assert [row["symbol"] for row in answers["a protein of KRAS"].body["items"]] == ["KRAS"]


def test_the_recorded_list_of_species_knows_names_and_near_ones(answers):
    assert not answers["chicken"].is_failure
    assert answers["chiken"].code == "AMBIGUOUS_QUERY"
    assert "gallus_gallus" in answers["chiken"].body["error"]["recovery_hint"]
