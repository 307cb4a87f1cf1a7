"""Every recorded record, parsed, is written as JSON and read back equal, and so is its pickle."""

import json
import pickle

import pytest

from biofact.sources.chembl import parse as chembl
from biofact.sources.ensembl import parse as ensembl
from biofact.sources.entrez import parse as entrez
from biofact.sources.entrez.parse.trim import GeneSplitter
from biofact.sources.igvf.parse import entity
from biofact.sources.igvf.records import Entity
from biofact.sources.pubmed import parse as pubmed
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sources.chembl.recorded_molecules import all_molecules
from tests.sources.igvf import recorded as igvf
from tests.sources.pubmed import recorded as articles

pytestmark = [pytest.mark.quick, needs_recordings]


def genes():
    for path in sorted(FOLDER.glob("entrez/efetch_gene*.xml*")):
        body = recording(f"entrez/{path.name}")
        if b"<Entrezgene>" in body:
            yield from (entrez.gene(record).gene for _, record in GeneSplitter().feed(body))


def genes_and_transcripts():
    parsers = {"Gene": ensembl.gene, "Transcript": ensembl.transcript}
    for path in sorted(FOLDER.glob("ensembl/*.json")):
        for row in igvf.objects(json.loads(recording(f"ensembl/{path.name}"))):
            if row.get("object_type") in parsers and "biotype" in row:
                yield parsers[row["object_type"]](json.dumps(row).encode())


def compounds():
    for molecule in all_molecules():
        yield chembl.compound(json.dumps(molecule).encode(), chembl.SideFacts())


def entities():
    kinds = {"gene_type": "gene", "transcript_type": "transcript", "term_id": "term", "drug_ontology_terms": "drug"}
    for answer in igvf.answers().values():
        for row in igvf.objects(answer):
            kind = next((kind for field, kind in kinds.items() if field in row), None)
            if kind and row.get("name") and (row.get("_id") or kind == "term"):
                yield entity(kind, row)


def whole_articles():
    for name in articles.ARTICLES:
        for pmid, record in articles.pieces(recording(name)):
            if record and pmid != articles.TITLELESS:
                yield pubmed.article(record)


RECORDS = {genes: 5, genes_and_transcripts: 10, compounds: 200, entities: 100, whole_articles: 150}
"""The readers of the recordings, and the least number of records."""


@pytest.mark.parametrize("read_records", RECORDS, ids=lambda read_records: read_records.__name__)
def test_every_recorded_record_comes_back_equal(read_records):
    records = list(read_records())

    assert len(records) >= RECORDS[read_records]
    for record in records:
        record_type = Entity if isinstance(record, Entity) else type(record)  # the entity's own type
        second_record = record_type.from_json(record.to_json(provenance=True))
        assert (second_record, type(second_record)) == (record, type(record))
        assert pickle.loads(pickle.dumps(record)) == record
