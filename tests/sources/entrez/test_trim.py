"""The parts of trimming a record that streams do not show."""

import pytest

from biofact.sources.entrez.parse import trim
from tests.sources.entrez import gene_xml as xml

pytestmark = pytest.mark.quick


def test_fields_that_are_parsed_are_kept_and_others_cut():
    comments = (
        xml.refseqs(xml.curated(xml.transcript("NM_000546", xml.protein("NP_000537", "P04637"))))
        + xml.commentary("generif", text="A finding")
        + xml.related(xml.commentary("peptide", accession="AAA59987", version="1"), xml.swiss_prot("P04637"))
    )
    loci = xml.locus("Reference GRCh38.p14 Primary Assembly") + xml.locus("Alternate T2T-CHM13v2.0")

    _, record = trim.trimmed(xml.gene(gene_ref=xml.gene_with_names("TP53"), locus=loci, comments=comments))

    kept_values = (b"NM_000546", b"P04637", b"Reference GRCh38.p14", b"TP53", b"Seq-interval_from")
    cut = (b"A finding", b"AAA59987", b"Alternate T2T", b"UniProtKB<")
    assert [piece in record for piece in kept_values] == [True] * 5
    assert [piece in record for piece in cut] == [False] * 4


def test_refseq_proteins_keep_their_accessions_if_there_is_no_primary_one():
    comments = xml.refseqs(xml.curated(xml.transcript("NM_000546", xml.protein("NP_000537", "P04637"))))

    _, record = trim.trimmed(xml.gene(gene_ref=xml.gene_with_names("TP53"), comments=comments))

    assert b">UniProtKB<" in record
    assert b">P04637<" in record


def test_a_record_without_further_sections_is_kept_as_it_is():
    assert trim.trimmed(xml.gene("12", gene_ref=xml.gene_with_names("A"))) == (
        "12",
        xml.gene("12", gene_ref=xml.gene_with_names("A"), locus="", properties="", comments=""),
    )
