"""Every recorded gene, transcript and protein by a second reader: no fact wrong, lost or invented."""

import functools
import itertools
import json
from collections import Counter

import pytest

from biofact.sources.ensembl import parse
from tests.each_of import each_of
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = [pytest.mark.quick, needs_recordings]

NO_PLACE = {
    *("db_type", "logic_name", "source"),  # Ensembl's way to the record, not a fact about it
    "object_type",  # the class of the record
    *("Transcript", "Exon", "Translation"),  # read by functions of their own, below
}
"""Keys of a lookup for which no record has a field."""
FIELDS = {
    "id": "id",
    "display_name": "symbol",
    "biotype": "biotype",
    "species": "species",
    "version": "version",
    "seq_region_name": "chromosome",
    "start": "start",
    "end": "end",
    "strand": "strand",
    "assembly_name": "assembly_name",
}
OWN_KEYS = {
    "Gene": {"description", "canonical_transcript"},
    "Transcript": {"Parent", "is_canonical", "gencode_primary", "length"},
    "Translation": {"Parent", "length"},
}
KINDS = ("Gene", "Transcript", "Translation")


def objects(values):
    """Every object in a document, at any depth."""
    if isinstance(values, dict):
        yield values
        values = list(values.values())
    if isinstance(values, list):
        for value in values:
            yield from objects(value)


@functools.cache
def documents():
    """The recorded lookups, and the refusal of one."""
    paths = sorted(path for folder in ("ensembl", "ensembl_3") for path in FOLDER.glob(f"{folder}/lookup*.json"))
    return [json.loads(recording(f"{path.parent.name}/{path.name}")) for path in paths]


def recorded_rows(kind):
    """The recorded objects of a kind."""
    return [item for document in documents() for item in objects(document) if item.get("object_type") == kind]


def read_off(values, **names):
    """The fields of a record that others of its kind have too."""
    fields = {**FIELDS, **names}
    return {field: values[key] for key, field in fields.items() if field and key in values}


def body(values):
    return json.dumps(values).encode()


def of_gene(values):
    expected = read_off(values, description="name", canonical_transcript="canonical_transcript")
    if "name" in expected:
        expected["name"] = expected["name"].split(" [Source:")[0]
    value = values.get("Transcript", [])
    for transcript in value:
        if transcript["is_canonical"] == 1:
            expected.setdefault("canonical_transcript", f"{transcript['id']}.{transcript['version']}")
    if value:
        expected["transcript_count"] = len(value)
    return expected, {item["id"] for item in value}


def of_transcript(values):
    expected = read_off(values, display_name="name", Parent="parent_gene", is_canonical="is_canonical")
    expected["is_canonical"] = {0: False, 1: True}[expected["is_canonical"]]
    exons = sorted(values.get("Exon", []), key=lambda item: item["start"] * values["strand"])
    if exons:
        expected["exons"] = [{"id": exon["id"], "start": exon["start"], "end": exon["end"]} for exon in exons]
        expected["exon_count"] = len(exons)
        expected["length"] = sum(exon["end"] + 1 - exon["start"] for exon in exons)
        assert expected["length"] == values.get("length", expected["length"])
    if "gencode_primary" in values and values["species"] in {"homo_sapiens", "mus_musculus"}:
        expected["is_gencode_primary"] = {0: False, 1: True}[values["gencode_primary"]]
    if protein := values.get("Translation"):
        expected["translation"] = {name: protein[name] for name in ("id", "length", "start", "end")}
    return expected


def test_every_key_of_a_recorded_lookup_is_named_here():
    pairs = {
        (kind, key)
        for kind, value in OWN_KEYS.items()
        for values in recorded_rows(kind)
        for key in values.keys() - value
    }
    unknown = sorted((kind, key) for kind, key in pairs if key not in FIELDS.keys() | NO_PLACE)

    assert unknown == [], "New keys of Ensembl: give each a field, or name it in NO_PLACE."


@each_of("values", lambda: recorded_rows("Gene"))
def test_a_recorded_gene_is_what_a_second_reading_says(values):
    expected, transcript_ids = of_gene(values)

    record = parse.gene(body(values)).model_dump(mode="json")
    transcripts = record.pop("cross_references").get("ensembl_transcript", [])

    assert record == expected | {"category": "biolink:Gene"}
    assert (set(transcripts), len(transcripts)) == (transcript_ids, len(transcript_ids))


@each_of("values", lambda: recorded_rows("Gene"))
def test_the_hit_of_a_recorded_gene_knows_no_more_than_its_record(values):
    expected, _ = of_gene(values)

    row = parse.gene_hit(body(values)).candidate(match="id", score=1.0).model_dump(mode="json")

    assert {name: value for name, value in row.items() if name not in {"match", "score"}}.items() <= expected.items()


@each_of("values", lambda: recorded_rows("Transcript"))
def test_a_recorded_transcript_is_what_a_second_reading_says(values):
    record = parse.transcript(body(values)).model_dump(mode="json", exclude={"cross_references"})

    assert record == of_transcript(values) | {"category": "biolink:Transcript"}


@each_of("values", lambda: recorded_rows("Transcript"))
def test_the_exons_of_a_recorded_transcript_lie_in_it_and_do_not_overlap(values):
    exons = sorted((exon.start, exon.end) for exon in parse.transcript(body(values)).exons)

    assert all(values["start"] <= start <= end <= values["end"] for start, end in exons)
    assert all(end < start for (_, end), (start, _) in itertools.pairwise(exons))


@each_of("values", lambda: recorded_rows("Translation"))
def test_a_recorded_protein_leads_to_its_transcript(values):
    assert parse.parent(body(values)) == values["Parent"]


def test_the_recordings_hold_enough_of_each_kind_to_be_compared():
    counts = Counter({kind: len(recorded_rows(kind)) for kind in KINDS})

    assert counts["Gene"] >= 8
    assert counts["Transcript"] >= 46
    assert counts["Translation"] >= 25
    assert sum("gencode_primary" in values for values in recorded_rows("Transcript")) >= 23
