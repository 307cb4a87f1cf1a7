"""Cross-references of genes, in shapes without a recording."""

import pytest

from biofact.sources.entrez import parse
from tests.each_of import each_of
from tests.marks import requirement
from tests.sources.entrez import gene_xml as xml

pytestmark = pytest.mark.quick

MOUSE = 10090


def read(*tags, comments="", **options):
    reference = xml.gene_with_names("A") + xml.element("Gene-ref_db", *(xml.tag(name, value) for name, value in tags))
    return parse.gene(xml.gene(gene_ref=reference, comments=comments, **options)).gene


def xrefs(*tags, **options):
    return read(*tags, **options).cross_references.model_dump()


def notices(gene):
    return [(notice.code, notice.message) for notice in gene.notices]


@requirement("000 R3-hgnc")
@each_of("spelling", [7739, "HGNC:7739", "HGNC:HGNC:7739"])
def test_every_spelling_of_an_hgnc_id_is_read(spelling):
    assert xrefs(("HGNC", spelling)) == {"hgnc": "HGNC:7739"}


def test_a_human_gene_has_no_alliance_id():
    assert xrefs(("HGNC", "HGNC:7739"), ("AllianceGenome", "HGNC:7739"), ("MGI", "MGI:97313")) == {"hgnc": "HGNC:7739"}


def test_another_species_gene_has_no_hgnc_id():
    assert xrefs(("HGNC", "HGNC:11998"), ("MGI", "MGI:98834"), taxon=MOUSE) == {"alliance": "MGI:98834"}


@each_of(
    ("tag", "alliance"),
    [
        (("MGI", "MGI:98834"), "MGI:98834"),
        (("MGI", 98834), "MGI:98834"),
        (("RGD", 3889), "RGD:3889"),
        (("ZFIN", "ZDB-GENE-990415-270"), "ZFIN:ZDB-GENE-990415-270"),
        (("FLYBASE", "FBgn0003256"), "FB:FBgn0003256"),
        (("WormBase", "WBGene00000912"), "WB:WBGene00000912"),
        (("SGD", "S000002908"), "SGD:S000002908"),
        (("AllianceGenome", "MGI:87854"), "MGI:87854"),
        (("AllianceGenome", "ZFIN:ZDB-GENE-980526-104"), "ZFIN:ZDB-GENE-980526-104"),
    ],
)
def test_a_species_own_database_gives_the_alliance_id(tag, alliance):
    assert xrefs(tag, taxon=MOUSE) == {"alliance": alliance}


def test_both_spellings_of_one_alliance_id_are_one_value():
    gene = read(("MGI", "MGI:87854"), ("AllianceGenome", "MGI:87854"), taxon=MOUSE)

    assert gene.cross_references.alliance == "MGI:87854"
    assert gene.notices == []


def test_databases_that_the_registry_does_not_know_are_passed_over():
    gene = read(("IMGT/GENE-DB", "IGHD1-1"), ("miRBase", "MI0000060"), ("AllianceGenome", "Xenbase:XB-1"), taxon=8355)

    assert gene.cross_references.model_dump() == {}
    assert gene.notices == []


@each_of(("gene_type", "expected"), [("protein-coding", {"omim": "162280"}), ("unknown", {})])
def test_a_record_of_unknown_type_lends_its_mim_number_to_no_gene(gene_type, expected):
    assert xrefs(("MIM", 162280), gene_type=gene_type) == expected


def test_of_several_values_the_lowest_stands_and_one_notice_names_the_rest():
    gene = read(
        *(("MIM", 425000), ("MIM", 306250)),
        *(("Ensembl", "ENSG00000292357"), ("Ensembl", "ENSG00000198223")),
    )

    assert gene.cross_references.model_dump() == {"ensembl_gene": "ENSG00000198223", "omim": "306250"}
    assert notices(gene) == [("SEVERAL_VALUES", "Also omim 425000; ensembl_gene ENSG00000292357.")]


def test_a_broken_value_is_dropped_with_a_notice():
    gene = read(("Ensembl", "ENSG0000027758"), ("MIM", 162280))

    assert gene.cross_references.model_dump() == {"omim": "162280"}
    assert [code for code, _ in notices(gene)] == ["INVALID_CROSS_REFERENCE"]
    assert "'ENSG0000027758'" in gene.notices[0].message


@requirement("000 R3-refseq")
def test_curated_transcripts_are_listed_without_the_predicted_ones():
    comments = xml.refseqs(
        xml.curated(xml.transcript("NM_000546"), xml.transcript("NR_176326")),
        xml.annotated(xml.transcript("XM_011523971")),
    )

    assert xrefs(comments=comments) == {"refseq": ["NM_000546", "NR_176326"]}


def test_predicted_transcripts_are_listed_where_there_are_no_others():
    comments = xml.refseqs(xml.annotated(xml.transcript("XM_011523971"), xml.transcript("XR_001752")))

    assert xrefs(comments=comments) == {"refseq": ["XM_011523971", "XR_001752"]}


def test_transcripts_of_an_annotated_genome_may_be_curated():
    comments = xml.refseqs(xml.annotated(xml.transcript("NM_001180431"), release="R64-4-1"))
    gene = read(comments=comments)

    assert gene.cross_references.refseq == ["NM_001180431"]
    assert gene.release == "R64-4-1"


def test_suppressed_transcripts_are_passed_over():
    commentary = xml.commentary(
        heading="Suppressed Reference Sequence(s)", products=xml.transcript("NM_999999"), comment=""
    )

    assert xrefs(comments=xml.refseqs(commentary, xml.curated(xml.transcript("NM_000546")))) == {
        "refseq": ["NM_000546"]
    }


def test_more_than_ten_transcripts_are_cut_and_counted():
    products = [xml.transcript(f"NM_{number:06}") for number in range(1, 13)]
    gene = read(comments=xml.refseqs(xml.curated(*products)))

    assert gene.selected().cross_references.refseq == [f"NM_{number:06}" for number in range(1, 11)]
    message = "Listed: cross_references (refseq 10 of 12); more by include."
    assert notices(gene.selected()) == [("LIST_CUT", message)]
    assert gene.selected(["cross_references"]) == gene


def test_related_sequences_have_the_primary_uniprot_accessions():
    comments = xml.refseqs(xml.curated(xml.transcript("NM_000516", xml.protein("NP_000507", "P63092", "Q5JWF2"))))
    comments += xml.related(xml.swiss_prot("P63092"), xml.swiss_prot("O95467"))

    assert xrefs(comments=comments)["uniprot"] == ["UniProtKB:P63092", "UniProtKB:O95467"]


def test_a_peptide_of_another_database_is_no_uniprot_entry():
    peptide = xml.commentary("peptide", accession="AAA12345", version="1", source=xml.source("Protein", 12345))

    assert xrefs(comments=xml.related(peptide)) == {}


def test_the_only_accession_of_refseq_proteins_replaces_a_missing_primary_one():
    proteins = [xml.protein("NP_000537", "P04637"), xml.protein("NP_001119584", "P04637")]
    comments = xml.refseqs(xml.curated(*(xml.transcript("NM_000546", protein) for protein in proteins)))

    assert xrefs(comments=comments)["uniprot"] == ["UniProtKB:P04637"]


def test_several_accessions_of_refseq_proteins_are_named_but_not_listed():
    comments = xml.refseqs(xml.curated(xml.transcript("NM_006158", xml.protein("NP_006149", "B9ZVN2", "P07196"))))
    gene = read(comments=comments)

    assert gene.cross_references.uniprot is None
    assert [code for code, _ in notices(gene)] == ["SEVERAL_VALUES"]
    assert all(accession in gene.notices[0].message for accession in ("B9ZVN2", "P07196"))


def test_predicted_proteins_have_no_uniprot_accession():
    comments = xml.refseqs(xml.annotated(xml.transcript("XM_011523971", xml.protein("XP_011522273", "P04637"))))

    assert "uniprot" not in xrefs(comments=comments)


def test_other_parts_of_a_record_lend_nothing():
    disease = xml.commentary("phenotype", heading="OMIM", source=xml.source("MIM", 607684))
    ortholog = xml.commentary("other", source=xml.source("Ensembl", "ENSMUSG00000022055"))
    comments = xml.commentary("comment", heading="Phenotypes", comment=disease)
    comments += xml.commentary("gene-group", heading="Orthologs from Annotation Pipeline", comment=ortholog)
    comments += xml.commentary("generif", heading="Interactions", comment=xml.related(xml.swiss_prot("P04637")))

    assert xrefs(comments=comments) == {}
