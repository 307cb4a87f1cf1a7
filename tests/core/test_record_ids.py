"""A record takes an ID of its own form, and no other."""

import json

import pytest
from pydantic import ValidationError

from biofact.core.errors import UpstreamError
from biofact.core.identifiers import unusable
from biofact.core.xrefs import CrossReferences
from biofact.sandbox import Fault
from biofact.sources.chembl.records import Compound, CompoundSearchCandidate
from biofact.sources.ensembl.records import EnsemblGeneCandidate, Gene, Transcript
from biofact.sources.entrez.records import EntrezGene, GeneSearchCandidate, PubMedLink
from biofact.sources.pubmed.records import Article
from tests.marks import requirement
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

FIELDS = {
    "symbol": "S",
    "organism": "Homo sapiens",
    "score": 1.0,
    "match": "id",
    "biotype": "protein_coding",
    "parent_gene": "ENSG00000141510",
    "name": "N",
    "title": "T",
    "taxon_id": 9606,
    "gene_type": "protein-coding",
    "status": "live",
    "species": "homo_sapiens",
    "chromosome": "17",
    "start": 1,
    "end": 2,
    "strand": 1,
    "assembly_name": "GRCh38",
    "is_canonical": True,
    "cross_references": CrossReferences(),
}
RECORDS = {
    EntrezGene: ("NCBIGene:7157", ("7157", "NCBI:7157", "NCBIGene:TP53", "NCBIGene:0", "NCBIGene:7157.0", "")),
    GeneSearchCandidate: ("NCBIGene:7157", ("7157", "ncbigene:7157")),
    PubMedLink: ("PMID:32087273", ("32087273", "PMID:0", "PMID:1.0")),
    Gene: ("ENSG00000141510", ("TP53", "ENST00000269305", "ensg00000141510")),
    EnsemblGeneCandidate: ("ENSG00000141510", ("TP53", "ENSP00000269305")),
    Transcript: ("ENST00000269305", ("ENSG00000141510", "NM_000546")),
    Compound: ("CHEMBL:25", ("CHEMBL25", "25", "aspirin")),
    CompoundSearchCandidate: ("CHEMBL:25", ("CHEMBL25",)),
    Article: ("PMID:32087273", ("32087273", "PMID:0", "PMID:PMC7043710", "pmid 32087273", "", "a\nb", " PMC7043710")),
}
WRONG = [(record, wrong) for record, (_, wrong_ids) in RECORDS.items() for wrong in wrong_ids]


def record_of(record, record_id):
    required = {Compound: {"category": "biolink:SmallMolecule"}, Article: {"status": []}}
    facts = FIELDS | required.get(record, {})
    return record(id=record_id, **{name: facts[name] for name in facts.keys() & set(record.model_fields)})


@requirement("000 R6-validator")
def test_the_form_of_its_own_ids_is_taken(subtests):
    for record, (right, _) in RECORDS.items():
        with subtests.test(record=record.__name__):
            assert record_of(record, right).id == right


@requirement("000 R6-validator")
def test_any_other_form_is_refused(subtests):
    for record, wrong in WRONG:
        with subtests.test(record=record.__name__, wrong=wrong):
            with pytest.raises(ValidationError) as refusal:
                record_of(record, wrong)

            assert [error["loc"] for error in refusal.value.errors()] == [("id",)]
            assert f"expected a form like '{RECORDS[record][0]}'" in str(refusal.value)


def test_another_form_of_an_id_is_a_failure_of_the_service_and_other_faults_are_defects():
    with pytest.raises(ValidationError) as foreign:
        record_of(Compound, "25")
    with pytest.raises(ValidationError) as error:
        Compound(id="CHEMBL:25", name=5)

    assert "ChEMBL sent a record that cannot be read: '25' is not a" in unusable("ChEMBL", foreign.value).message
    assert unusable("ChEMBL", error.value) is None


def test_such_a_service_fails_a_call_and_of_a_batch_that_entry_alone():
    tp53, brca1 = "ENSG00000141510", "ENSG00000012048"
    place = {"seq_region_name": "17", "start": 1, "end": 2, "strand": 1, "assembly_name": "GRCh38"}
    kind = {"species": "homo_sapiens", "biotype": "protein_coding", "object_type": "Gene", "display_name": "G"}
    gene = kind | place
    body = {tp53: {**gene, "id": "TP53 gene"}, brca1: {**gene, "id": brca1}}
    lie = Fault("body", path="lookup/id", body=json.dumps(body).encode(), times=None)

    async def scenario(ensembl, _):
        with pytest.raises(UpstreamError, match="'TP53 gene' is not an Ensembl gene ID"):
            await ensembl.get_gene(tp53)
        return (await ensembl.get_genes_batch([tp53, brca1])).items

    failed, record_found = on_sandbox("ensembl", scenario, lie)

    assert (failed.error.code, failed.error.invalid_input) == ("UPSTREAM_ERROR", tp53)
    assert record_found.id == brca1
