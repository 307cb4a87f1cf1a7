"""The records of NCBI Gene on the wire."""

import pytest
from pydantic import ValidationError

from biofact.core.records import Notice
from biofact.core.xrefs import CrossReferences
from biofact.sources.entrez.records import EntrezGene, GeneSearchCandidate, PubMedLink, curie
from tests.each_of import each_of
from tests.marks import requirement

pytestmark = pytest.mark.quick

GENE = EntrezGene(
    id="NCBIGene:7157",
    symbol="TP53",
    organism="Homo sapiens",
    aliases=["P53"],
    taxon_id=9606,
    gene_type="protein-coding",
    status="live",
    strand=-1,
    replaces="NCBIGene:1",
    cross_references=CrossReferences(),
    notices=[
        Notice(code="REPLACED", message="NCBIGene:1 was replaced."),
        Notice(code="LIST_CUT", message="Listed: aliases 1 of 5; more by include."),
        Notice(code="SEVERAL_VALUES", message="Also omim 1."),
        Notice(code="INVALID_CROSS_REFERENCE", message="'x' is not an omim identifier."),
    ],
)


def test_a_geneid_is_written_as_a_curie():
    assert curie("7157") == curie(7157) == "NCBIGene:7157"


@requirement("000 model-EntrezGene")
def test_absent_facts_are_omitted_and_empty_cross_references_are_not():
    fields = GENE.model_dump(mode="json", exclude={"notices"})

    assert fields == {
        "id": "NCBIGene:7157",
        "symbol": "TP53",
        "organism": "Homo sapiens",
        "aliases": ["P53"],
        "taxon_id": 9606,
        "gene_type": "protein-coding",
        "status": "live",
        "strand": -1,
        "replaces": "NCBIGene:1",
        "cross_references": {},
        "category": "biolink:Gene",
    }


def test_the_short_form_says_nothing_of_fields_that_it_leaves_out():
    assert GENE.slim().model_dump(mode="json") == {
        "id": "NCBIGene:7157",
        "symbol": "TP53",
        "organism": "Homo sapiens",
        "replaces": "NCBIGene:1",
        "notices": [{"code": "REPLACED", "message": "NCBIGene:1 was replaced."}],
    }


@requirement("000 model-GeneSearchCandidate")
def test_the_short_form_of_a_candidate_keeps_how_it_matched():
    candidate = GeneSearchCandidate(
        id="NCBIGene:7157",
        symbol="TP53",
        organism="Homo sapiens",
        score=0.92,
        match="alias",
        name="tumor protein p53",
        taxon_id=9606,
    )

    assert candidate.slim().model_dump() == {
        "id": "NCBIGene:7157",
        "symbol": "TP53",
        "organism": "Homo sapiens",
        "score": 0.92,
        "match": "alias",
    }


@requirement("000 model-PubMedLink")
def test_a_link_is_a_pmid():
    assert PubMedLink(id="PMID:123").model_dump() == {"id": "PMID:123"}


@requirement("000 model-EntrezGene")
@each_of("change", [{"strand": 0}, {"status": "dead"}, {"symbl": "A"}, {"category": "biolink:Disease"}])
def test_a_record_holds_nothing_else(change):
    with pytest.raises(ValidationError):
        EntrezGene(**GENE.model_dump() | change)


def test_a_record_cannot_be_changed():
    with pytest.raises(ValidationError):
        GENE.symbol = "P53"
