"""Synonyms that differ by letter case only, and a search by words that does not return their spelling."""

import json

import pytest

from biofact.sandbox import Fault
from biofact.sandbox.services.ensembl.corpus import ServedSpecies, rows_of_starter
from biofact.sandbox.services.ensembl.search import EbiSearchStandIn
from biofact.sandbox.services.ensembl.standin import EnsemblStandIn
from tests.each_of import each_of
from tests.sandbox.services.ensembl.made_genes import gene, genes
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

UPPER, LOWER = "ENSG99900000001", "ENSG99900000002"
GENES = [
    gene(UPPER, "AAAA1", species="homo_sapiens", synonyms=["HCAP9"]),
    gene(LOWER, "BBBB1", species="homo_sapiens", synonyms=["hCAP9"]),
]


def search(query, *faults):
    answers = genes(*GENES, transcripts=[], served_species=ServedSpecies(rows_of_starter()["species"]))
    stand_ins = (EnsemblStandIn(answers), EbiSearchStandIn(answers))
    return on_sandbox(
        "ensembl", lambda ensembl, _: ensembl.search_genes(query, species="human"), *faults, stand_ins=stand_ins
    )


@each_of(("query", "first"), [("HCAP9", UPPER), ("hCAP9", LOWER)])
def test_the_synonym_in_the_query_s_letter_case_comes_first(query, first):
    page = search(query)

    assert [row.match for row in page.items] == ["alias", "alias"]
    assert page.items[0].id == first
    (shared,) = (notice.message for notice in page.notices if notice.code == "SHARED_MATCH")
    assert UPPER in shared
    assert LOWER in shared


ENTRIES = [
    {"entries": []},
    {"entries": [{"id": "ENSG00000141510", "fields": {"gene_synonym": ["hCAP9"]}}]},
    {
        "entries": [
            {"id": LOWER, "fields": {"synonym": ["hCAP9"]}},
            {"id": LOWER},
            {"id": None},
            {"id": UPPER, "fields": 5},
        ]
    },
    {"entries": [{"id": LOWER, "fields": {"gene_synonym": None}}]},
    {"rows": []},
    [],
]


@each_of("answer", ENTRIES)
def test_without_spellings_both_genes_are_found(answer):
    odd = Fault("body", service="ebisearch", path="/entry/", body=json.dumps(answer).encode(), times=None)
    page = search("hCAP9", odd)

    assert {row.id for row in page.items} == {UPPER, LOWER}
    assert "SHARED_MATCH" in [notice.code for notice in page.notices]


def test_a_search_by_words_that_is_down_leaves_the_order_of_before():
    page = search("hCAP9", Fault("status", service="ebisearch", status=503, times=None))

    assert [row.id for row in page.items] == [UPPER, LOWER]
