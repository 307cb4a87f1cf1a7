"""Every recorded answer in today's shape, whole. Expected values were read off the files."""

import csv
import json

import pytest
from benchmarks.tokens import MOST_RECORD, as_json, tokens

from biofact.core import records
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import endpoints
from biofact.transport.service import Transient
from tests.conformance.claims import holds
from tests.each_of import each_of
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = [pytest.mark.quick, needs_recordings]

OPERATIONS = {endpoint.operation: endpoint for endpoint in endpoints().values()}
EMPTY = {
    "biosamplesFromVariants",
    "codingVariantsFromPhenotypes",
    "genesFromVariants",
    "phenotypesFromCodingVariants",
    "phenotypesFromVariants",
    "qtls",
    "variantsFromBiosamples",
    "variantsFromGenes",
    "variantsFromPhenotypes",
}
"""Recorded for requests without a match: their sample is an empty list."""
UNASKABLE = {"codingVariantsFromGenes"}
"""Recorded for a request that is several in one, so it is unknown which of them was answered."""
UNREAD_VALUES = {
    "autocomplete": "is not in the contract",
    "variantsAlleles": "has the header of a table for its first row",
}
GENCODE = {"source": "GENCODE", "release": "v43"}
PLACED_ROWS = {"organism": "human", "assembly_name": "GRCh38"}
VARIANT = {"category": "biolink:SequenceVariant", "organism": "human"}
ENTITIES = {
    "codingVariants": {
        "id": "SAMD7_ENST00000335556_p.Gly253Asp_c.758_759delinsAC",
        "_type": "coding_variant",
        **VARIANT,
        "name": "SAMD7_ENST00000335556_p.Gly253Asp_c.758_759delinsAC",
        "source": "IGVF",
        "gene_name": "SAMD7",
        "protein_id": "ENSP00000334668",
        "protein_name": "SAMD7_HUMAN",
        "transcript_id": "ENST00000335556",
        "hgvs_p": "p.Gly253Asp",
        "hgvs_c": "c.758_759delinsAC",
        "position": 253,
        "ref": "G",
        "alt": "D",
    },
    "drugs": {
        "id": "PA448497",
        "_type": "drug",
        "category": "biolink:Drug",
        "name": "aspirin",
        "source": "pharmGKB",
    },
    "filesFilesets": {
        "id": "ENCFF004PFU",
        "_type": "dataset",
        "category": "biolink:Dataset",
        "source": "ENCODE",
        "file_set": "ENCSR359DFW",
        "lab": "jesse-engreitz",
        "method": "ENCODE-rE2G",
        "kind": "prediction",
        "samples": ["right lung from ENCDO605ZCF"],
        "download": "https://www.encodeproject.org/files/ENCFF004PFU/@@download/ENCFF004PFU.bed.gz",
    },
    "genes": {
        "id": "ENSG00000000003",
        "_type": "gene",
        "category": "biolink:Gene",
        "name": "TSPAN6",
        **PLACED_ROWS,
        "chromosome": "X",
        "start": 100627107 + 1,
        "end": 100639991,
        "strand": -1,
        **GENCODE,
        "gene_type": "protein_coding",
        "cross_references": {"hgnc": "HGNC:11858", "ensembl_gene": "ENSG00000000003", "entrez": "7105"},
    },
    "motifs": {
        "id": "STAT3_HUMAN_HOCOMOCOv11",
        "_type": "motif",
        "category": "biolink:NucleicAcidSequenceMotif",
        "name": "STAT3_HUMAN",
        "organism": "human",
        "source": "HOCOMOCOv11",
        "length": 12,
    },
    "pathways": {
        "id": "R-HSA-164843",
        "_type": "pathway",
        "category": "biolink:Pathway",
        "name": "2-LTR circle formation",
        "organism": "human",
        "source": "Reactome",
        "release": "R-HSA-164843.4",
        "is_in_disease": True,
        "is_top_level": False,
        "disease_terms": ["DOID:526"],
    },
    "proteins": {
        "id": "ENSP00000384707",
        "_type": "protein",
        "category": "biolink:Protein",
        "name": "CTCF",
        "organism": "human",
        "source": "GENCODE",
        "full_names": ["Transcriptional repressor CTCF"],
        "uniprot_names": ["CTCF_HUMAN"],
        "uniprot_ids": ["P49711-2"],
        "is_mane_select": False,
    },
    "transcripts": {
        "id": "ENST00000428769",
        "_type": "transcript",
        "category": "biolink:Transcript",
        "name": "ENST00000428769",
        **PLACED_ROWS,
        "chromosome": "20",
        "start": 9575607 + 1,
        "end": 9577689,
        "strand": 1,
        **GENCODE,
        "transcript_type": "lncRNA",
        "gene_name": "ENSG00000232738",
        "is_mane_select": False,
    },
}
"""Records of entities, by operation, without synonyms, of which genes have many."""


def sample(operation):
    return json.loads(recording(f"igvf/example_{operation}.json"))["sample"]


def visible_fields(record):
    return record.model_dump(mode="json", by_alias=True)


def recorded_names():
    return {path.stem.removeprefix("example_") for path in FOLDER.glob("igvf/example_*.json")}


# The recordings are samples of tables, which no tool could ask for as they stand.
@holds("parses_every_recording")
def test_every_recording_of_today_has_a_reader_or_says_why_not():
    text = recorded_names() - EMPTY - UNREAD_VALUES.keys() - ENTITIES.keys()

    assert EMPTY | UNREAD_VALUES.keys() | ENTITIES.keys() <= recorded_names()
    # Associations are compared in test_parse_associations, each of them.
    assert [name for name in text if not OPERATIONS[name].edge] == []
    assert len(text) == 17


def test_every_request_answered_today_is_of_a_recording_with_rows():
    rows = csv.DictReader(recording("REQUESTS.tsv").decode().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    today = {row["path"]: row["file"] for row in rows if row["service"] == "igvf" and row["era"] == "today"}
    paths = {name.split("example_")[1].removesuffix(".json"): path for path, name in today.items()}

    assert paths.keys() == recorded_names() - EMPTY - UNASKABLE
    assert {path.removeprefix("/api") for name, path in paths.items() if name != "autocomplete"} == {
        OPERATIONS[name].path for name in paths.keys() - {"autocomplete"}
    }


@each_of("operation", sorted(EMPTY))
def test_a_recording_of_nothing_has_no_rows(operation):
    encode = json.dumps(sample(operation)).encode()

    assert parse.rows(encode) == []
    assert operation in OPERATIONS


@each_of("operation", sorted(ENTITIES))
def test_a_recorded_entity_is_read_whole(operation):
    row = sample(operation)
    record = visible_fields(parse.entity(OPERATIONS[operation].record, row))
    synonyms = record.pop("synonyms", [])

    assert record == ENTITIES[operation]
    assert synonyms == [synonym for synonym in row.get("synonyms") or [] if synonym != row["name"]]


@each_of("operation", sorted(ENTITIES))
def test_a_recorded_entity_costs_little_and_its_cost_is_estimated_well(operation):
    record = visible_fields(parse.entity(OPERATIONS[operation].record, sample(operation)).selected())

    assert tokens(record) <= MOST_RECORD
    assert 0.93 <= records.estimated_tokens(as_json(record)) / tokens(record) <= 1.25


def test_a_gene_s_symbol_is_not_among_its_synonyms_and_all_others_are():
    message = sample("genes")["synonyms"]
    synonyms = parse.entity("gene", sample("genes")).synonyms

    assert "TSPAN6" in message
    assert synonyms == [item for item in message if item != "TSPAN6"]
    assert len(synonyms) == 10


def test_scores_that_are_null_are_absent():
    row = sample("codingVariants")

    assert [name for name in row if name.endswith("_score")] != []
    assert parse.entity("coding_variant", row).scores == {}
    assert parse.entity("coding_variant", {**row, "REVEL_score": 0.25, "CADD_raw_score": "1.5"}).scores == {
        "REVEL": 0.25,
        "CADD_raw": 1.5,
    }


def test_a_recorded_list_of_one_is_rows_and_an_object_a_document():
    body = json.dumps(sample("genes")).encode()

    assert parse.rows(b"[" + body + b"]") == [sample("genes")]
    assert parse.document(body) == sample("genes")
    with pytest.raises(Transient):
        parse.rows(body)
    with pytest.raises(Transient):
        parse.document(b"[" + body + b"]")


def test_the_allele_table_has_only_its_header_and_no_rows():
    header = sample("variantsAlleles")

    assert header == ["chr", "pos", "afr", "ami", "amr", "asj", "eas", "fin", "nfe", "sas"]
    assert not OPERATIONS["variantsAlleles"].record
    assert not OPERATIONS["variantsAlleles"].edge
    with pytest.raises(Transient):
        parse.rows(json.dumps([header]).encode())


def test_autocompletion_names_the_gene_by_its_ensembl_id():
    row = sample("autocomplete")
    genes = recording("bulk/Homo_sapiens.gene_info.gz").decode().splitlines()[1:]

    assert "/autocomplete" not in endpoints()
    assert row == {"term": "TP53", "type": "gene", "name": "TP53", "uri": "/genes/ENSG00000141510"}
    [gene] = [line.split("\t") for line in genes if line.split("\t")[2] == row["name"]]
    assert f"Ensembl:{row['uri'].removeprefix('/genes/')}" in gene[5].split("|")
