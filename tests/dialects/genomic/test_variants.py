"""Variants in each notation, and the reasons that some are refused."""

import pytest

from biofact.dialects.genomic.genomes import NotationError, NotGenomicVariant
from biofact.dialects.genomic.variants import is_written_like_a_variant, read_variant

pytestmark = pytest.mark.quick


def test_a_variant_is_read_in_each_notation(subtests):
    cases = [
        ("NC_000017.11:43045710:T:C", "spdi", "NC_000017.11:43045710:T:C", "human"),
        ("nc_000017.11:043045710:t:c", "spdi", "NC_000017.11:43045710:T:C", "human"),
        ("NC_000017.11:g.43045711T>C", "hgvs", "NC_000017.11:g.43045711T>C", "human"),
        ("NC_000083.7:g.100_102delACG", "hgvs", "NC_000083.7:g.100_102del", "mouse"),
        ("chr17:g.43045711T>C", "hgvs", "NC_000017.11:g.43045711T>C", "human"),
        ("17-43045711-T-C", "spdi", "NC_000017.11:43045710:T:C", "human"),
    ]
    for text, form, variant_id, organism in cases:
        with subtests.test(text=text):
            variant = read_variant(text)

            assert (variant.form, variant.id, variant.organism) == (form, variant_id, organism)


def test_a_chromosome_by_name_is_that_of_the_organism():
    assert read_variant("17-100-T-C", "mouse").id == "NC_000083.7:99:T:C"


def test_a_vcf_spelling_says_how_its_position_was_counted():
    assert read_variant("17-43045711-T-C").assumption == "Its position was read as 1-based, as in VCF, on GRCh38."
    assert read_variant("NC_000017.11:43045710:T:C").assumption is None


def test_a_text_that_is_no_variant_of_a_chromosome_is_refused(subtests):
    cases = [
        ("NC_000017.10:43045710:T:C", "is on GRCh37; expected GRCh38 (NC_000017.11)."),
        ("17-43045711-T-C_b37", "is on GRCh37; expected GRCh38."),
        ("NC_000017:43045710:T:C", "expected NC_000017.11."),
        ("NC_045512.2:100:T:C", "no chromosome of human or mouse."),
        ("NC_000017.11:83257441:A:G", "has 83257441 bases in GRCh38."),
        ("NC_000017.11:100::", "neither deletes nor inserts a base."),
        ("NC_000017.11:g.0A>C", "HGVS counts from 1."),
        ("17-0-A-C", "VCF counts from 1."),
        ("NC_000017.11:g.7_5del", "ends before it begins."),
        ("NC_000017.11:g.5_7insAC", "two neighbouring bases, as in g.5_6insAC."),
        ("NC_000017.11:g.5_6A>C", "substitutes one base at several."),
        ("NC_000017.11:g.5con9", "describes its change in an unknown way; expected such as g.43045711T>C"),
        ("99-100-A-C", "names no chromosome of human"),
        ("NG_005905.2:g.100A>C", "is counted on the sequence of a gene or contig"),
    ]
    for text, problem in cases:
        with subtests.test(text=text):
            with pytest.raises(NotationError) as caught:
                read_variant(text)

            assert problem in caught.value.problem
            assert is_written_like_a_variant(text)


def test_a_change_in_a_transcript_or_protein_is_not_genomic(subtests):
    for text in ["NM_007294.4:c.5324T>G", "BRCA1 c.68_69del", "BRAF V600E", "p.Val600Glu"]:
        with subtests.test(text=text), pytest.raises(NotGenomicVariant):
            read_variant(text)


def test_other_text_is_no_variant(subtests):
    for text in ["BRCA1", "rs5050", "chr17:100-200", "NC_000017.11", ""]:
        with subtests.test(text=text):
            assert read_variant(text) is None
            assert not is_written_like_a_variant(text)
