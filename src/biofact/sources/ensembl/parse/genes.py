"""A gene's lookup and cross-references to its record. Pure."""

from collections.abc import Sequence
from typing import Any

from biofact.core.records import Notice, rows_dropped
from biofact.dialects.json_values import number, objects, text
from biofact.sources.ensembl.parse.documents import mapping, needed
from biofact.sources.ensembl.parse.places import full_name, mismatches, needed_place
from biofact.sources.ensembl.parse.xrefs import Row, collector
from biofact.sources.ensembl.records import Gene, SlimGene


def gene(payload: bytes, xrefs: Sequence[Row] = (), *, replaces: str | None = None) -> Gene:
    """The gene that an expanded lookup and its cross-references describe.

    Raises:
        UpstreamError: it has no ID, biotype or place.
    """
    values = mapping(payload)
    stable_id = needed(values, "id", "a gene")
    location = needed_place(values, stable_id)
    made_of = _transcripts(values)
    found = collector(xrefs, species=location["species"])
    for transcript in made_of:
        found.add("ensembl_transcript", transcript["id"])
    return Gene(
        id=stable_id,
        symbol=text(values, "display_name") or stable_id,
        biotype=needed(values, "biotype", stable_id),
        name=full_name(text(values, "description")),
        **location,
        canonical_transcript=text(values, "canonical_transcript") or _canonical(made_of),
        transcript_count=len(made_of) or None,
        cross_references=found.collected(),
        replaces=replaces,
        notices=[*mismatches(values), *_unread(values), *found.notices],
    )


def slim_gene(payload: bytes, *, replaces: str | None = None) -> SlimGene:
    """The short form of the gene that a lookup describes: a hundred of them are asked for at once.

    Raises:
        UpstreamError: it has no ID or biotype.
    """
    values = mapping(payload)
    stable_id = needed(values, "id", "a gene")
    symbol, biotype = text(values, "display_name") or stable_id, needed(values, "biotype", stable_id)
    return SlimGene(id=stable_id, symbol=symbol, biotype=biotype, replaces=replaces)


def _transcripts(values: dict[str, Any]) -> list[dict[str, Any]]:
    """The canonical one first, then MANE's, then the coding ones, the longest protein before the others."""
    by_id = {transcript_id: one for one in objects(values, "Transcript") if (transcript_id := text(one, "id"))}
    return sorted(by_id.values(), key=_use)


def _unread(values: dict[str, Any]) -> list[Notice]:
    count = sum(not text(one, "id") for one in objects(values, "Transcript"))
    return rows_dropped(count, "Ensembl sent transcripts without an ID")


def _use(transcript: dict[str, Any]) -> tuple[bool, bool, bool, int]:
    protein = transcript.get("Translation")
    return (
        transcript.get("is_canonical") != 1,
        not objects(transcript, "MANE"),
        transcript.get("biotype") != "protein_coding",
        -(number(protein, "length") or 0) if isinstance(protein, dict) else 0,
    )


def _canonical(made_of: list[dict[str, Any]]) -> str | None:
    """Older answers tell it of the transcript, not of the gene."""
    if not made_of or made_of[0].get("is_canonical") != 1:
        return None
    first = made_of[0]
    version = number(first, "version")
    return f"{first['id']}.{version}" if version else str(first["id"])
