"""The two genomes against the recordings, and accessions of other assemblies."""

import json

import pytest

from biofact.dialects.genomic.genomes import (
    ASSEMBLIES,
    accession_of,
    chromosome_name,
    chromosome_of,
    current_accession,
    other_assembly,
)
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = pytest.mark.quick

TODAY = [
    path.relative_to(FOLDER).as_posix()
    for path in sorted(FOLDER.glob("igvf/*.json"))
    if path.name.startswith("example_")
]
MOUSE_VARIANTS = "bulk/igvfsample_mouse_variants__mouse_variant_indel_rsid_sample.vcf"
RECORDED_PLACES = [
    ("chr", "spdi", "pos"),
    ("chr", "variant_1_spdi", "variant_1_pos"),
    ("chr", "variant_2_spdi", "variant_2_pos"),
]


def objects(value):
    """Every JSON object in ``value``, however deep."""
    if isinstance(value, dict):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from objects(part)


@needs_recordings
def test_accessions_beside_a_chromosome_are_of_that_chromosome():
    rows = [
        (row[chromosome], row[spdi], row.get(pos))
        for name in TODAY
        for row in objects(json.loads(recording(name)))
        for chromosome, spdi, pos in RECORDED_PLACES
        if row.get(chromosome) and row.get(spdi)
    ]
    wrong = [row for row in rows if chromosome_of(row[1].split(":")[0]) != ("human", row[0].removeprefix("chr"))]

    assert len(rows) >= 10
    assert wrong == []
    assert [row for row in rows if row[2] is not None and int(row[1].split(":")[1]) != row[2]] == []


@needs_recordings
def test_hgvs_and_spdi_of_one_variant_are_on_one_accession():
    pairs = [
        (row["spdi"].split(":")[0], row["hgvs"].split(":")[0])
        for name in TODAY
        for row in objects(json.loads(recording(name)))
        if row.get("spdi") and row.get("hgvs")
    ]

    assert len(pairs) >= 5
    assert [pair for pair in pairs if pair[0] != pair[1] or chromosome_of(pair[0]) is None] == []


@needs_recordings
def test_mouse_chromosomes_have_the_lengths_in_the_recorded_variants():
    lines = recording(MOUSE_VARIANTS).decode().splitlines()
    contigs = [
        line.split("<ID=")[1].rstrip(">").split(",length=") for line in lines if line.startswith("##contig=<ID=")
    ]
    recorded_lengths = {name: int(length) for name, length in contigs if name in ASSEMBLIES["mouse"].chromosomes}
    our_lengths = {name: chromosome.length for name, chromosome in ASSEMBLIES["mouse"].chromosomes.items()}

    assert len(recorded_lengths) >= 20
    assert {name: our_lengths[name] for name in recorded_lengths} == recorded_lengths


def test_each_genome_has_its_chromosomes_and_lengths():
    human, mouse = ASSEMBLIES["human"], ASSEMBLIES["mouse"]

    assert list(human.chromosomes) == [*map(str, range(1, 23)), "X", "Y", "MT"]
    assert list(mouse.chromosomes) == [*map(str, range(1, 20)), "X", "Y", "MT"]
    # The known sum over the nuclear chromosomes.
    assert (
        sum(chromosome.length for chromosome in human.chromosomes.values() if chromosome.name != "MT") == 3_088_269_832
    )
    assert human.name == "GRCh38"
    assert mouse.name == "GRCm39"


@pytest.mark.parametrize("organism", ["human", "mouse"])
def test_an_accession_leads_back_to_its_chromosome(organism):
    for name in ASSEMBLIES[organism].chromosomes:
        assert chromosome_of(accession_of(name, organism)) == (organism, name)
        assert chromosome_of(accession_of(name, organism).lower()) == (organism, name)
        assert other_assembly(accession_of(name, organism)) is None


OTHER_ACCESSIONS = [
    ("NC_000001.10", "GRCh37"),
    ("NC_000002.11", "GRCh37"),
    ("NC_000014.8", "GRCh37"),
    ("NC_000017.10", "GRCh37"),
    ("NC_000021.8", "GRCh37"),
    ("NC_000023.10", "GRCh37"),
    ("NC_000024.9", "GRCh37"),
    ("NC_000017.9", "another assembly"),
    ("NC_000017.12", "another assembly"),
    ("nc_000017.10", "GRCh37"),
    ("NC_000067.6", "GRCm38"),
    ("NC_000068.7", "GRCm38"),
    ("NC_000083.6", "GRCm38"),
    ("NC_000086.7", "GRCm38"),
    ("NC_000087.7", "GRCm38"),
    ("NC_000083.5", "another assembly"),
    ("NC_000017", None),
    ("NC_045512.2", None),
    ("NM_007294.4", None),
    ("TP53", None),
]


def test_other_versions_of_a_chromosome_are_of_other_assemblies(subtests):
    for accession, assembly in OTHER_ACCESSIONS:
        with subtests.test(accession=accession):
            assert other_assembly(accession) == assembly
            assert chromosome_of(accession) is None


def test_any_version_leads_to_todays_accession():
    assert current_accession("NC_000017.10") == current_accession("NC_000017") == "NC_000017.11"
    assert current_accession("NC_045512.2") is None


def test_a_chromosome_is_named_in_many_ways(subtests):
    cases = [
        ("chr17", "human", "17"),
        ("Chr 17", "human", "17"),
        ("chromosome 17", "human", "17"),
        ("chr_17", "human", "17"),
        ("x", "human", "X"),
        ("chrM", "human", "MT"),
        ("chrMT", "mouse", "MT"),
        ("01", "human", "1"),
        ("20", "mouse", None),
        ("23", "human", None),
        ("chr", "human", None),
        ("Z", "human", None),
        ("2L", "human", None),
    ]
    for text, organism, name in cases:
        with subtests.test(text=text, name=name):
            assert chromosome_name(text, organism) == name
