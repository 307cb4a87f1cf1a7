"""The registry and its normaliser."""

import pytest

from biofact.core.xrefs import CROSS_REFERENCES, REGISTRY, CrossReferences, XrefCollector
from tests.marks import requirement

pytestmark = pytest.mark.quick

SPELLINGS = [
    ("hgnc", "HGNC:11998", "HGNC:11998"),
    ("hgnc", "11998", "HGNC:11998"),
    ("hgnc", "HGNC:HGNC:11998", "HGNC:11998"),
    ("hgnc", "TP53", None),
    ("uniprot", "P04637", "UniProtKB:P04637"),
    ("uniprot", "UniProtKB:P04637", "UniProtKB:P04637"),
    ("uniprot", "P04637.4", "UniProtKB:P04637"),
    ("uniprot", "A0A024RDA4", "UniProtKB:A0A024RDA4"),
    ("uniprot", "NEFL", None),
    ("refseq", "NM_000546.6", "NM_000546"),
    ("refseq", "XR_001752888.2", "XR_001752888"),
    ("refseq", "NP_000537.3", None),
    ("ensembl_gene", "ENSG00000141510.18", "ENSG00000141510"),
    ("ensembl_gene", "ENSMUSG00000059552", "ENSMUSG00000059552"),
    ("ensembl_gene", "FBgn0039044", "FBgn0039044"),
    ("ensembl_gene", "ENST00000269305", None),
    ("ensembl_gene", "MGP_CAROLIEiJ_G0012345.1", "MGP_CAROLIEiJ_G0012345"),
    ("ensembl_gene", "YAL001C-A", "YAL001C-A"),
    ("ensembl_gene", "YAL001C_mRNA", None),
    ("ensembl_gene", "Y74C9A.2a.1", None),
    ("ensembl_transcript", "ENST00000269305.9", "ENST00000269305"),
    ("ensembl_transcript", "ENSEMBL:ENST00000269305.9", "ENST00000269305"),
    ("ensembl_transcript", "ENSMUST00000108658.10", "ENSMUST00000108658"),
    ("ensembl_transcript", "MGP_CAROLIEiJ_T0012345.1", "MGP_CAROLIEiJ_T0012345"),
    ("ensembl_transcript", "FBtr0084557", "FBtr0084557"),
    ("ensembl_transcript", "Y74C9A.2a.1", "Y74C9A.2a.1"),  # clone, gene with isoform, number: no version
    ("ensembl_transcript", "Y74C9A.3.1", "Y74C9A.3.1"),
    ("ensembl_transcript", "Y74C9A.3", None),  # a gene's name, and none of its transcripts'
    ("ensembl_transcript", "T12A2.15b.12", "T12A2.15b.12"),
    ("ensembl_transcript", "YAL001C_mRNA", "YAL001C_mRNA"),
    ("ensembl_transcript", "YAL001C-A_mRNA", "YAL001C-A_mRNA"),
    ("ensembl_transcript", "YAL001C", None),
    ("ensembl_transcript", "ENSG00000141510", None),
    ("entrez", "NCBIGene:7157", "7157"),
    ("entrez", "0", None),
    ("omim", "MIM:191170", "191170"),
    ("omim", "19117", None),
    ("chembl", "CHEMBL25", "CHEMBL25"),
    ("kegg", "hsa:7157", "hsa:7157"),
    ("kegg", "C01405", "C01405"),
    ("pdb", "1OXR", "1OXR"),
    ("pdb", "ASA", None),
    ("pubmed", "32087273", "PMID:32087273"),
    ("orphanet", "ORPHA:524", "ORPHA:524"),
    ("mondo", "MONDO:0018875", "MONDO:0018875"),
    ("string", "9606.ENSP00000269305", "9606.ENSP00000269305"),
    ("stitch", "CIDs00002244", "CIDs00002244"),
    ("ucsc", "UCSC:ENST00000269305.9", "UCSC:ENST00000269305.9"),
    ("alliance", "MGI:98834", "MGI:98834"),
    ("alliance", "MGI:MGI:98834", "MGI:98834"),
    ("alliance", "HGNC:11998", None),
]


def test_every_spelling_reads_as_one_form_or_none():
    normalised = [(key, raw, REGISTRY[key].normalise(raw)) for key, raw, _ in SPELLINGS]

    assert normalised == SPELLINGS


def test_a_normalised_value_stays_as_it_is():
    normalised = {(key, value) for key, _, value in SPELLINGS if value}

    assert {(key, REGISTRY[key].normalise(value)) for key, value in normalised} == normalised


@requirement("001 FR-011", "001 KE-XRef", "002 FR-015")
def test_the_registry_and_the_record_have_the_same_keys_and_cardinality():
    fields = CrossReferences.model_fields

    assert set(REGISTRY) == set(fields)
    assert len(REGISTRY) == 25
    assert {name for name, key in REGISTRY.items() if key.is_many} == {
        name for name, field in fields.items() if "list" in str(field.annotation)
    }


@requirement("001 FR-012")
def test_keys_without_a_value_are_absent_from_every_serialisation():
    assert CrossReferences().model_dump() == {}
    assert CrossReferences(hgnc="HGNC:1").model_dump_json() == '{"hgnc":"HGNC:1"}'


def test_a_broken_value_becomes_a_notice_and_costs_nothing_else():
    collector = XrefCollector()
    collector.add("omim", "not a number")
    collector.add("omim", "191170")
    collector.add("hgnc", None)

    assert collector.collected() == CrossReferences(omim="191170")
    assert [notice.code for notice in collector.notices] == ["INVALID_CROSS_REFERENCE"]
    assert collector.notices[0].message == "'not a number' is no omim identifier, and left out."


def test_broken_values_of_a_key_share_one_notice():
    collector = XrefCollector()
    for number in range(40):
        collector.add("hgnc", f"bad{number}")
    collector.collected()

    assert [notice.message for notice in collector.notices] == [
        "'bad0' and 39 more are no hgnc identifier, and left out."
    ]


def test_a_single_valued_key_holds_the_lowest_and_names_the_rest():
    collector = XrefCollector()
    for raw in ("ENSG00000292334", "ENSG00000169100", "ENSG00000169100.14"):
        collector.add("ensembl_gene", raw)

    collected = collector.collected()
    assert collected.model_dump() == {"ensembl_gene": "ENSG00000169100"}
    assert collected.every("ensembl_gene") == ("ENSG00000169100", "ENSG00000292334")
    assert [notice.code for notice in collector.notices] == ["SEVERAL_VALUES"]
    assert "ENSG00000292334" in collector.notices[0].message


@pytest.mark.parametrize(("key", "form", "limit"), [("refseq", "NM_{:06}", 10), ("uniprot", "P{:05}", 20)])
def test_a_long_list_is_collected_whole_and_cut_in_a_record(key, form, limit):
    collector = XrefCollector()
    for number in range(1, 26):
        collector.add(key, form.format(number))
    collected = collector.collected()

    cut = {part: length for part, length in CROSS_REFERENCES.limits.items() if part == f"cross_references.{key}"}

    assert (len(getattr(collected, key)), collector.notices) == (25, [])
    assert cut == {f"cross_references.{key}": limit}
