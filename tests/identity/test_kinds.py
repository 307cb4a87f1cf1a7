"""Kinds inferred from the form of a name: real IDs of every kind, similar forms, and symbols of human and zebrafish."""

import re

import pytest

from biofact.identity.kinds import assumption_notices, likely_kinds
from tests.each_of import each_of
from tests.recordings import recording

pytestmark = pytest.mark.quick

WORDS = ("compound", "gene", "disease")
TABLE = {
    ("gene",): (
        "ENSG00000141510",
        "ENSG00000141510.20",
        "ENSMUSG00000059552",
        "FBgn0031208",
        "WBGene00022277",
        "NCBIGene:7157",
        "GeneID:7157",
        "HGNC:11998",
        "HGNC:HGNC:11998",
        "LOC100506742",
        "BRCA1",
        "CA1",
        "CA14",
        "RS1",
        "Rs1",
        "P53",
        "p53",
        "HER2",
        "MARCH1",
        "1-Dec",
        "2-Sep",
        "HLA-A",
        "C9orf72",
        "Su(H)",
        "l(2)gl",
        "si:dkey-204f11.64",
        "PMC1",
        "NM1",
        "CHRM1",
        "chrna1",
        "PA28",
    ),
    ("gene", "protein"): ("B3GAT1", "P2RY11", "H2AC18", "R3HDM1", "Q8WZ42", "A0A386NBZ1", "Q8WZ42.4"),
    ("gene", "transcript"): ("Y74C9A.2a.1", "OR1.5.10"),
    ("transcript",): (
        "ENST00000269305",
        "ENST00000269305.9",
        "ENSMUST00000108658.10",
        "FBtr0300689",
        "NM_000546",
        "NM_000546.6",
        "nm_000546.6",
        "RefSeq:NM_000546",
        "NR_003051.4",
        "XM_011523456.2",
        "XR_001234.1",
    ),
    ("protein",): (
        "P04637",
        "p04637",
        "P04637-2",
        "UniProtKB:P04637",
        "uniprot:Q8WZ42",
        "UniProtKB:P04637.312",
        "P53_HUMAN",
        "TRP53_MOUSE",
        "ENSP00000269305",
        "ENSP00000269305.4",
        "NP_000537.3",
        "XP_011521",
    ),
    ("compound",): ("CHEMBL25", "CHEMBL:25", "chembl.compound:CHEMBL25", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"),
    ("variant",): (
        "rs429358",
        "rs1",
        "CA229624",
        "NC_000017.11:43045256:C:A",
        "NC_000017.11:g.43045257C>A",
        "17-43045257-C-A",
        "chr17:g.43045257C>A",
        "NM_000546.6:c.215C>G",
        "NP_000537.3:p.Arg72Pro",
    ),
    ("variant", "gene"): ("RS429358", "RS447"),
    ("disease",): (
        "MONDO:0007254",
        "mondo_0007254",
        "EFO:0000305",
        "DOID:1612",
        "HP:0001250",
        "ORPHA:586",
        "Orphanet_586",
        "OMIM:114480",
        "MIM:114480",
        "MESH:D001943",
    ),
    ("region",): (
        "chr17:43044295-43125364",
        "17:43,044,295-43,125,364",
        "chrX:1-100",
        "hg38 chr17:43044295-43125364",
        "NC_000017.11:43044295-43125364",
        "chr17",
    ),
    ("article",): (
        "PMID:11832527",
        "pmid 11832527",
        "10.1056/NEJMoa012512",
        "doi:10.1056/NEJMoa012512",
        "PMC1370926",
        "PMC1370926.1",
        "PMCID: PMC1370926",
    ),
    (): ("https://example.org/BRCA1", "www.example.org/nothing"),
    WORDS: ("imatinib", "breast cancer", "aspirin", "Imatinib", "insulin", "type 2 diabetes", "tumor protein p53"),
}
ROWS = [(name, first) for first, names in TABLE.items() for name in names]


@each_of(("name", "first"), ROWS)
def test_a_name_is_read_by_its_form(name, first):
    assert likely_kinds(name).first == first


def test_a_symbol_without_a_gene_may_be_something_else():
    assert likely_kinds("BRCA1").fallback == ("compound",)
    assert likely_kinds("COPD").fallback == ("compound", "disease")
    assert likely_kinds("5-FU").fallback == ("compound", "disease")
    assert not likely_kinds("P04637").fallback


def symbols(file):
    """Symbols with a digit, a colon or a dot, which another kind of ID may have too."""
    symbols = [line.split("\t", 3)[2] for line in recording(f"bulk/{file}.gene_info.gz").decode().splitlines()[1:]]
    return [name for name in symbols if not re.match(r"LOC\d|si:|zgc:|[A-Z]+$", name) and re.search(r"[\d:.]", name)]


@pytest.mark.parametrize(
    ("file", "step"),
    [
        ("Danio_rerio", 10),
        *(pytest.param(file, 1, marks=pytest.mark.sweep) for file in ("Homo_sapiens", "Danio_rerio")),
    ],
)
def test_every_recorded_symbol_may_be_a_gene(file, step):
    """Some have the form of an accession, an rs number or a worm's transcript: they are looked up as genes, too."""
    names = symbols(file)[::step]

    assert len(names) > {"Homo_sapiens": 28_000, "Danio_rerio": 16_000}[file] / step
    assert [name for name in names if "gene" not in likely_kinds(name).first] == []


def test_every_recorded_accession_may_be_a_protein():
    lines = recording("bulk/chembl_32_uniprot_mapping.txt").decode().splitlines()
    accessions = [line.split("\t")[0] for line in lines if not line.startswith(("#", "ENSG"))]

    assert len(accessions) > 10_000
    assert [accession for accession in accessions if "protein" not in likely_kinds(accession).first] == []
    unambiguous = [accession for accession in accessions if likely_kinds(accession).first == ("protein",)]
    assert len(unambiguous) > 6_000  # the others have the form that symbols have, too


def test_every_recorded_transcript_and_protein_is_one():
    rows = [line.split("\t") for line in recording("bulk/gene2ensembl_excerpt_kgcovid_human.gz").decode().splitlines()]
    columns = (("gene", 2), ("transcript", 3), ("transcript", 4), ("protein", 5), ("protein", 6))
    for kind, column in columns:
        ids = [row[column] for row in rows if len(row) > column and row[column] != "-" and not row[0].startswith("#")]

        assert len(ids) >= 9, (kind, column)
        assert [record_id for record_id in ids if likely_kinds(record_id).first != (kind,)] == []


@each_of(
    ("pattern", "file", "kind"),
    [
        (r'"(rs\d+)"', "igvf/acceptance_variants.json", "variant"),
        (r'"(NC_\d+\.\d+:\d+:[ACGT]+:[ACGT]+)"', "igvf/acceptance_variants.json", "variant"),
        (r'"(NC_\d+\.\d+:g\.[^"]+)"', "igvf/acceptance_variants.json", "variant"),
    ],
)
def test_every_recorded_name_of_a_variant_is_one(pattern, file, kind):
    names = set(re.findall(pattern, recording(file).decode()))

    assert names
    assert {likely_kinds(name).first for name in names} == {(kind,)}


def test_an_assumption_notice_counts_the_names_by_kind():
    (notice,) = assumption_notices(map(likely_kinds, ["BRCA1", "TP53", "rs334"]))

    assert (notice.code, notice.message) == ("ASSUMED", "Names read by their form: 2 as gene, 1 as variant.")
    assert assumption_notices([]) == []
