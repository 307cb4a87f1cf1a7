"""A transcript's lookup to its record. Pure."""

from collections.abc import Sequence
from typing import Any

from biofact.core.records import Notice, rows_dropped
from biofact.core.xrefs import REGISTRY
from biofact.dialects.json_values import number, objects, text, within
from biofact.sources.ensembl.identifiers import bare
from biofact.sources.ensembl.parse.documents import mapping, needed
from biofact.sources.ensembl.parse.places import mismatches, needed_place, span
from biofact.sources.ensembl.parse.xrefs import Row, transcript_collector
from biofact.sources.ensembl.records import Exon, SlimTranscript, Transcript, Translation


def transcript(payload: bytes, xrefs: Sequence[Row] = (), *, replaces: str | None = None) -> Transcript:
    """The transcript that an expanded lookup of its own ID and its cross-references describe.

    Raises:
        UpstreamError: it has no ID, biotype, gene or place.
    """
    return _transcript(mapping(payload), xrefs, replaces=replaces)


def slim_transcript(payload: bytes, *, replaces: str | None = None) -> SlimTranscript:
    """The short form of the transcript that a lookup describes.

    Raises:
        UpstreamError: it has no ID, biotype or gene.
    """
    values = mapping(payload)
    stable_id = needed(values, "id", "a transcript")
    parent, biotype = bare(needed(values, "Parent", stable_id)), needed(values, "biotype", stable_id)
    return SlimTranscript(id=stable_id, parent_gene=parent, biotype=biotype, replaces=replaces)


def transcripts(payload: bytes) -> list[Transcript]:
    """All transcripts of a gene, as its expanded lookup tells them, in Ensembl's order."""
    return [_transcript(values) for values in objects(mapping(payload), "Transcript")]


def _transcript(values: dict[str, Any], xrefs: Sequence[Row] = (), *, replaces: str | None = None) -> Transcript:
    stable_id = needed(values, "id", "a transcript")
    parent, mane = bare(needed(values, "Parent", stable_id)), _mane(values)
    found = transcript_collector(xrefs)
    if REGISTRY["ensembl_gene"].normalise(parent):  # an LRG is a gene of no registry
        found.add("ensembl_gene", parent)
    for _, refseq in sorted(mane.items(), reverse=True):  # MANE Select first
        found.add("refseq", refseq)
    exons = _exons(values)
    length = number(values, "length") or sum(exon.end - exon.start + 1 for exon in exons) or None
    canonical = number(values, "is_canonical")
    return Transcript(
        id=stable_id,
        parent_gene=parent,
        biotype=needed(values, "biotype", stable_id),
        name=text(values, "display_name"),
        **needed_place(values, stable_id),
        length=length,
        is_canonical=None if canonical is None else canonical == 1,
        **mane,
        exon_count=len(exons) or None,
        exons=exons,
        translation=_translation(values),
        cross_references=found.collected(),
        replaces=replaces,
        notices=[*_remarks(values, exons), *found.notices],
    )


def _remarks(values: dict[str, Any], exons: Sequence[Exon]) -> list[Notice]:
    """What contradicts itself in a lookup, and what of it cannot be read."""
    sent = objects(values, "Exon")
    known = {exon.id for exon in exons}
    unread = rows_dropped(sum(text(one, "id") not in known for one in sent), "Ensembl sent exons without ID or place")
    return [*mismatches(values, *sent, within(values, "Translation")), *unread]


def _exons(values: dict[str, Any]) -> list[Exon]:
    """In the order of transcription, whatever the order told; those without a place are left out."""
    spans = [(text(exon, "id"), *span(exon)) for exon in objects(values, "Exon")]
    exons = [Exon(id=exon_id, start=start, end=end) for exon_id, start, end in spans if exon_id and start and end]
    by_id = {exon.id: exon for exon in exons}
    return sorted(by_id.values(), key=lambda exon: exon.start, reverse=str(values.get("strand")) == "-1")


def _mane(values: dict[str, Any]) -> dict[str, Any]:
    """MANE Select and Plus Clinical: the RefSeq transcripts that match."""
    keys = {"MANE_Select": "mane_select", "MANE_Plus_Clinical": "mane_plus_clinical"}
    rows = [(text(match, "type") or "", text(match, "refseq_match")) for match in objects(values, "MANE")]
    matches = [(keys.get(kind.replace(" ", "_")), refseq) for kind, refseq in rows]
    return {key: refseq for key, refseq in matches if key and refseq}


def _translation(values: dict[str, Any]) -> Translation | None:
    translation = values.get("Translation")
    if not isinstance(translation, dict):
        return None
    start, end = span(translation)
    stable_id = needed(translation, "id", "a translation")
    return Translation(id=stable_id, length=number(translation, "length"), start=start, end=end)
