"""Recorded answers of VEP: no tool reads them, but the facts that our readers know have to fit them."""

import functools
import json
import re

import pytest

from biofact.core.xrefs import REGISTRY
from biofact.dialects.genomic.genomes import PREVIOUS
from biofact.dialects.genomic.variants import NotGenomicVariant, read_variant
from biofact.sources.ensembl.identifiers import GENE_FORM, PROTEIN_FORM, TRANSCRIPT_FORM, bare, kind_of, parse_stable_id
from tests.each_of import each_of
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = [pytest.mark.quick, needs_recordings]

FORMS = {
    "gene_id": (GENE_FORM, "Gene"),
    "transcript_id": (TRANSCRIPT_FORM, "Transcript"),
    "protein_id": (PROTEIN_FORM, "Translation"),
}


@functools.cache
def answers():
    return [json.loads(recording(f"ensembl_3/{path.name}")) for path in sorted(FOLDER.glob("ensembl_3/vep_*.json"))]


def consequences():
    return [row for answer in answers() for row in answer["transcript_consequences"]]


def test_there_are_seven_recorded_variants_of_every_class():
    classes = [answer["variant_class"] for answer in answers()]

    assert sorted(classes) == ["SNV", "SNV", "SNV", "SNV", "deletion", "insertion", "substitution"]


@each_of("answer", answers)
def test_the_hgvs_of_a_variant_is_read_as_the_place_and_change_that_vep_found(answer):
    variant = read_variant(answer["input"])
    ref, alt = answer["allele_string"].replace("-", "").split("/")
    start, end = sorted((answer["start"], answer["end"]))  # of an insertion the end is before the start
    span = f"{start}_{end}" if start != end else f"{start}"

    change = {
        "SNV": f"{ref}>{alt}",
        "insertion": f"ins{alt}",
        "deletion": "del",
        "substitution": f"delins{alt}",
    }[answer["variant_class"]]
    assert (variant.chromosome, variant.id.partition(":")[2]) == (answer["seq_region_name"], f"g.{span}{change}")
    assert answer["assembly_name"] == PREVIOUS["human"]  # a position without an accession is read on today's


@each_of("row", consequences)
def test_a_consequence_names_gene_transcript_and_protein_by_ids_that_the_tools_take(row):
    ids = {name: row[name] for name in FORMS if name in row}

    assert {"gene_id", "transcript_id"} <= ids.keys()
    for name, stable_id in ids.items():
        form, kind = FORMS[name]
        assert re.fullmatch(form, stable_id, re.ASCII)
        assert (kind_of(stable_id), parse_stable_id(stable_id)) == (kind, (stable_id, None))


@each_of("row", lambda: [row for row in consequences() if "hgvsc" in row or "hgvsp" in row])
def test_the_hgvs_of_a_transcript_or_protein_is_no_genomic_variant(row):
    for name, owner in (("hgvsc", "transcript_id"), ("hgvsp", "protein_id")):
        if name in row:
            assert bare(row[name].partition(":")[0]) == row[owner]
            with pytest.raises(NotGenomicVariant):
                read_variant(row[name])


@each_of("row", lambda: [row for row in consequences() if "hgnc_id" in row])
def test_the_number_of_a_gene_at_hgnc_becomes_its_curie(row):
    assert REGISTRY["hgnc"].normalise(str(row["hgnc_id"])) == f"HGNC:{row['hgnc_id']}"


@each_of("row", lambda: [row for row in consequences() if "hgvsg" in row])
def test_the_genomic_hgvs_of_a_consequence_is_one_that_is_read(row):
    assert read_variant(row["hgvsg"]).id.partition(":")[2].startswith("g.")
