"""Rows of ``xrefs/id`` to cross-references: the recorded answers of GRCh37, then the rows of today."""

import json

import pytest

from biofact.core.errors import EntityNotFound
from biofact.dialects.readable_rows import MissingField
from biofact.sources.ensembl import parse
from biofact.transport.service import Transient
from tests.each_of import each_of
from tests.marks import requirement
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = pytest.mark.quick

# HGNC, EntrezGene and MIM_GENE of each recorded answer; TPRXL has no more than an HGNC row, EML2 no MIM_GENE.
RECORDINGS = {
    "ENSG00000020181": {"hgnc": "HGNC:17849", "entrez": "25960", "omim": "606823"},
    "ENSG00000089597": {"hgnc": "HGNC:4138", "entrez": "23193", "omim": "104160"},
    "ENSG00000100345": {"hgnc": "HGNC:7579", "entrez": "4627", "omim": "160775"},
    "ENSG00000122025": {"hgnc": "HGNC:3765", "entrez": "2322", "omim": "136351"},
    "ENSG00000125746": {"hgnc": "HGNC:18035", "entrez": "24139"},
    "ENSG00000133703": {"hgnc": "HGNC:6407", "entrez": "3845", "omim": "190070"},
    "ENSG00000154783": {"hgnc": "HGNC:19117", "entrez": "152273", "omim": "614788"},
    "ENSG00000157764": {"hgnc": "HGNC:1097", "entrez": "673", "omim": "164757"},
    "ENSG00000162434": {"hgnc": "HGNC:6190", "entrez": "3716", "omim": "147795"},
    "ENSG00000165699": {"hgnc": "HGNC:12362", "entrez": "7248", "omim": "605284"},
    "ENSG00000180438": {"hgnc": "HGNC:32178"},
    "ENSG00000187555": {"hgnc": "HGNC:12630", "entrez": "7874", "omim": "602519"},
}
GENE_ID = "ENSG00000000001"


def files():
    return sorted(path.name for path in FOLDER.glob("ensembl/xrefs_id_*_grch37.json"))


def record(rows, gene_id=GENE_ID, *, species="homo_sapiens"):
    place = {"seq_region_name": "1", "start": 1, "end": 2, "strand": 1, "assembly_name": "GRCh38"}
    lookup = {"id": gene_id, "biotype": "protein_coding", "species": species, **place}
    return parse.gene(json.dumps(lookup).encode(), rows)


def rows(*answer, **fields):
    """Rows as the service sends them, from (database, ID) or (database, ID, kind of information)."""
    keys = ("dbname", "primary_id", "info_type")
    body = [dict(zip(keys, row, strict=False)) | fields for row in answer]
    return parse.xref_rows(GENE_ID, json.dumps(body).encode())


def xrefs(*answer, species="homo_sapiens"):
    return record(rows(*answer), species=species).cross_references.model_dump()


@needs_recordings
@requirement("001 SC-003")
@each_of("name", files)
def test_a_recorded_answer_gives_the_ids_of_the_gene(name):
    gene_id = name.split("_")[2]
    body = recording(f"ensembl/{name}")

    gene = record(parse.xref_rows(gene_id, body), gene_id)

    xrefs = gene.cross_references.model_dump()
    assert xrefs.keys() <= {"hgnc", "entrez", "omim"}
    assert xrefs == RECORDINGS.get(gene_id, xrefs)
    diseases = {row["primary_id"] for row in json.loads(body) if row["dbname"] == "MIM_MORBID"}
    assert xrefs.get("omim") not in diseases
    assert gene.notices == []


@needs_recordings
def test_every_gene_whose_values_were_read_off_is_recorded():
    assert {name.split("_")[2] for name in files()} >= RECORDINGS.keys()


@each_of("value", ["11998", "HGNC:11998"])
def test_hgnc_is_a_bare_number_there_and_prefixed_today(value):
    assert xrefs(("HGNC", value)) == {"hgnc": "HGNC:11998"}


@each_of("species", ["mus_musculus", "pan_troglodytes"])
def test_hgnc_is_of_human_genes_alone(species):
    assert xrefs(("HGNC", "HGNC:11998"), species=species) == {}


@each_of(
    ("database", "value", "key", "text"),
    [
        ("EntrezGene", "7157", "entrez", "7157"),
        ("MIM_GENE", "191170", "omim", "191170"),
        ("Uniprot/SWISSPROT", "P04637", "uniprot", ["UniProtKB:P04637"]),
        ("BioGRID", "113010", "biogrid", "113010"),
        ("RefSeq_mRNA", "NM_000546.6", "refseq", ["NM_000546"]),
        ("RefSeq_mRNA", "NM_000546", "refseq", ["NM_000546"]),
        ("RefSeq_ncRNA", "NR_046018", "refseq", ["NR_046018"]),
    ],
)
def test_a_database_fills_its_key(database, value, key, text):
    assert xrefs((database, value)) == {key: text}


@each_of(
    "row",
    [
        ("Uniprot_gn", "A0A386NBZ1"),
        ("Uniprot/SPTREMBL", "A0A386NBZ1"),
        ("Uniprot_isoform", "P04637-2"),
        ("MIM_MORBID", "151623"),
        ("WikiGene", "7157"),
        ("RefSeq_peptide", "NP_000537"),
        ("ArrayExpress", "ENSG00000141510"),
        ("OTTG", "OTTHUMG00000162125"),
    ],
)
def test_other_databases_fill_none(row):
    assert xrefs(row) == {}


def test_predicted_transcripts_stand_in_only_where_none_is_curated():
    predicted = [("RefSeq_mRNA_predicted", "XM_011524000"), ("RefSeq_ncRNA_predicted", "XR_001752888")]

    assert xrefs(*predicted) == {"refseq": ["XM_011524000", "XR_001752888"]}
    assert xrefs(*predicted, ("RefSeq_mRNA", "NM_000546")) == {"refseq": ["NM_000546"]}


@each_of(
    ("species", "database", "value", "text"),
    [
        ("mus_musculus", "MGI", "MGI:98834", "MGI:98834"),
        ("rattus_norvegicus", "RGD", "3889", "RGD:3889"),
        ("rattus_norvegicus", "RGD", "RGD:3889", "RGD:3889"),
        ("danio_rerio", "ZFIN_ID", "ZDB-GENE-990415-270", "ZFIN:ZDB-GENE-990415-270"),
        ("drosophila_melanogaster", "flybase_gene_id", "FBgn0039044", "FB:FBgn0039044"),
        ("caenorhabditis_elegans", "wormbase_gene", "WBGene00000467", "WB:WBGene00000467"),
        ("saccharomyces_cerevisiae", "SGD_GENE", "S000000001", "SGD:S000000001"),
    ],
)
def test_another_species_has_the_id_of_its_own_database(species, database, value, text):
    assert xrefs((database, value), species=species) == {"alliance": text}
    assert xrefs((database, value)) == {}


def test_projected_rows_say_nothing_of_this_gene():
    answer = [("EntrezGene", "7157", "PROJECTION"), ("EntrezGene", "22060", "DEPENDENT")]

    assert xrefs(*answer, species="mus_musculus") == {"entrez": "22060"}


def test_rows_that_all_levels_repeat_count_once():
    answer = [("Uniprot/SWISSPROT", "P04637"), ("HGNC", "HGNC:11998"), ("Uniprot/SWISSPROT", "P04637")]

    assert rows(*answer * 20) == [("Uniprot/SWISSPROT", "P04637"), ("HGNC", "HGNC:11998")]


def test_several_values_of_a_single_key_give_the_lowest_and_name_the_rest():
    gene = record(rows(("EntrezGene", "102724000"), ("EntrezGene", "7157")))

    assert gene.cross_references.model_dump() == {"entrez": "7157"}
    assert [(notice.code, notice.message) for notice in gene.notices] == [("SEVERAL_VALUES", "Also entrez 102724000.")]


def test_a_value_of_a_wrong_form_is_reported_and_fails_nothing():
    gene = record(rows(("MIM_GENE", "TP53"), ("HGNC", "HGNC:11998")))

    assert gene.cross_references.model_dump() == {"hgnc": "HGNC:11998"}
    assert [notice.code for notice in gene.notices] == ["INVALID_CROSS_REFERENCE"]


def test_rows_without_a_name_or_value_are_passed_over():
    odd = [{"dbname": "HGNC"}, {"primary_id": "1"}, {"dbname": "HGNC", "primary_id": None}]
    good = {"dbname": "EntrezGene", "primary_id": "7157"}

    assert parse.xref_rows(GENE_ID, json.dumps([*odd, good]).encode()) == [("EntrezGene", "7157")]
    assert parse.xref_rows(GENE_ID, b"[]") == []
    with pytest.raises(Transient):  # renamed fields are no empty list
        parse.xref_rows(GENE_ID, json.dumps(odd).encode())


def test_an_id_that_does_not_exist_is_not_found_and_never_a_gene_without_rows():
    with pytest.raises(EntityNotFound):
        parse.xref_rows(GENE_ID, b'{"error":"ID \'%s\' not found"}' % GENE_ID.encode())


@each_of("body", [b"", b"{}", b"[1]", b'[{"dbname":', b'{"error":"something bad has happened"}'])
def test_a_body_without_a_list_of_rows_is_transient(body):
    with pytest.raises(Transient):
        parse.xref_rows(GENE_ID, body)


def test_genes_with_a_symbol_are_listed_once_and_transcripts_are_not():
    body = [
        {"id": "ENSG00000141510", "type": "gene"},
        {"id": "ENST00000269305", "type": "transcript"},
        {"id": "ENSG00000141510", "type": "gene"},
    ]

    assert parse.ids_with_symbol("p53", json.dumps(body).encode()).items == ["ENSG00000141510"]
    assert parse.ids_with_symbol("p53", b"[]").items == []
    with pytest.raises(MissingField):
        parse.ids_with_symbol("p53", b'[{"type":"gene"}]')
