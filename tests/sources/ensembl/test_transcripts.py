"""A transcript's cross-references, and positions that contradict themselves."""

import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.sandbox import Fault
from biofact.sources.ensembl import parse
from tests.each_of import each_of
from tests.marks import requirement
from tests.sources.ensembl.test_client import TP53, codes, run

pytestmark = pytest.mark.quick

PLACE = {"seq_region_name": "1", "start": 100, "end": 400, "strand": 1, "assembly_name": "GRCh38"}
TRANSCRIPT = {"id": "ENST00000000001", "Parent": "ENSG00000000001", "biotype": "lncRNA"}
TRANSCRIPT |= {"species": "homo_sapiens", **PLACE}


def transcript_body(**fields):
    return json.dumps(fields).encode()


@requirement("001 R3-transcript-xref")
def test_a_transcript_has_the_cross_references_of_itself_and_its_protein():
    transcript, request = run(lambda ensembl: ensembl.get_transcript("ENST00000269305"))
    other, _ = run(lambda ensembl: ensembl.get_transcript("ENST00000929523"))

    assert transcript.cross_references.model_dump() == {
        "ensembl_gene": TP53,
        "uniprot": ["UniProtKB:P04637"],
        "refseq": ["NM_000546"],
    }
    assert sorted(request) == ["/lookup/id", "/xrefs/id/ENST00000269305"]
    assert other.cross_references.model_dump() == {"ensembl_gene": "ENSG00000034510"}


@requirement("001 R3-transcript-xref")
def test_a_transcript_without_its_cross_references_has_a_notice():
    down = Fault("status", path="xrefs/id", status=400, body=b'{"error":"ID \'ENST00000269305\' not found"}')

    transcript, _ = run(lambda ensembl: ensembl.get_transcript("ENST00000269305"), down)

    assert transcript.cross_references.model_dump() == {"ensembl_gene": TP53, "refseq": ["NM_000546"]}
    assert codes(transcript) == ["LEG_FAILED"]


def test_a_short_transcript_asks_for_no_cross_references():
    transcript, request = run(lambda ensembl: ensembl.get_transcript("ENST00000269305", slim=True))

    assert not hasattr(transcript, "cross_references")
    assert request == ["/lookup/id"]


def test_positions_in_the_wrong_order_are_swapped_with_a_notice():
    span = {"start": 200, "end": 100}
    exons = [{"id": "ENSE1", **span}, {"id": "ENSE2", "start": 300, "end": 400}]
    translation = {"id": "ENSP1", "start": 390, "end": 110}
    gene = {"id": "ENSG00000000001", "biotype": "lncRNA", "species": "homo_sapiens", **PLACE, **span}

    transcript = parse.transcript(transcript_body(**TRANSCRIPT | span, Exon=exons, Translation=translation))
    records = [
        parse.gene(transcript_body(**gene)),
        parse.gene_hit(transcript_body(**gene)).candidate(match="id", score=1),
        transcript,
    ]

    assert [(record.start, record.end) for record in records] == [(100, 200)] * 3
    assert [(exon.start, exon.end) for exon in transcript.exons] == [(100, 200), (300, 400)]
    assert (transcript.translation.start, transcript.translation.end) == (110, 390)
    assert [[notice.code for notice in record.notices] for record in records] == [["MISMATCH"]] * 3
    assert "ENSE1 (200 to 100), ENSP1 (390 to 110); the positions were put in order" in transcript.notices[0].message


def test_a_transcript_has_its_partners_in_mane_by_their_kind():
    select = {"type": "MANE_Select", "refseq_match": "NM_000546.6"}
    clinical = {"type": "MANE_Plus_Clinical", "refseq_match": "NM_001126112.3"}

    transcript = parse.transcript(transcript_body(**TRANSCRIPT, MANE=[clinical, select]))
    transcript_alone = parse.transcript(transcript_body(**TRANSCRIPT, MANE=[]))

    assert (transcript.mane_select, transcript.mane_plus_clinical) == ("NM_000546.6", "NM_001126112.3")
    assert transcript.cross_references.refseq == ["NM_000546", "NM_001126112"]
    constant_fields = {
        "id",
        "parent_gene",
        "biotype",
        "species",
        "chromosome",
        "start",
        "end",
        "strand",
        "assembly_name",
    }
    assert transcript_alone.model_dump().keys() == {*constant_fields, "cross_references", "category"}


# Lies and oddities


def fixed_answer(content):
    return Fault("body", path="lookup/id", body=json.dumps(content).encode(), times=None)


def transcript(*faults):
    return run(lambda ensembl: ensembl.get_transcript("ENST00000269305"), *faults)[0]


TP53_201 = {
    "id": "ENST00000269305",
    "Parent": TP53,
    "biotype": "protein_coding",
    "object_type": "Transcript",
    "species": "homo_sapiens",
    "seq_region_name": "17",
    "start": 7668421,
    "end": 7687490,
    "strand": -1,
    "assembly_name": "GRCh38",
}


def test_a_transcript_s_numbers_may_be_text_and_its_fields_more():
    odd = {**TP53_201, "start": "7668421", "end": "7687490", "strand": "-1", "is_canonical": "1", "extra": [1]}

    result = transcript(fixed_answer({"ENST00000269305": odd}))

    assert (result.start, result.end, result.strand, result.is_canonical) == (7668421, 7687490, -1, True)


@each_of(
    "odd",
    [
        {"id": "ENST00000357654"},
        {"Parent": None},
        {"parent": TP53, "Parent": None},
        {"biotype": 5},
        {"object_type": "Gene"},
    ],
)
def test_a_transcript_that_is_another_or_without_its_facts_is_an_error(odd):
    with pytest.raises(UpstreamError):
        transcript(fixed_answer({"ENST00000269305": {**TP53_201, **odd}}))


@each_of("body", [b"<html>busy</html>", b'{"ENST00000269305":{"id"', b"[]", b"null", b'{"error":5}', b"{}"])
def test_a_damaged_lookup_of_a_transcript_is_an_error(body):
    with pytest.raises(UpstreamError):
        transcript(Fault("body", path="lookup/id", body=body, times=None))


@each_of("odd", [{"exon": "E", "start": 1, "end": 5}, {"id": "E", "from": 1, "end": 5}, {"id": "E"}])
def test_exons_that_cannot_be_read_are_counted(odd):
    result = transcript(
        fixed_answer({"ENST00000269305": {**TP53_201, "Exon": [odd, {"id": "E2", "start": 6, "end": 9}]}})
    )

    assert [exon.id for exon in result.exons] == ["E2"]
    assert [notice.message for notice in result.notices] == [
        "Rows left out because Ensembl sent exons without ID or place: 1."
    ]


def test_transcripts_without_an_id_are_counted():
    lookup = {
        "id": TP53,
        "biotype": "protein_coding",
        "species": "homo_sapiens",
        **PLACE,
        "Transcript": [{"stable_id": "ENST1"}],
    }

    gene = parse.gene(transcript_body(**lookup))

    assert gene.transcript_count is None
    assert codes(gene) == ["DROPPED"]
