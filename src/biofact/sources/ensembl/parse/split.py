"""Cuts the answer to a POST lookup into records, each trimmed to what is read of it. Pure."""

from collections.abc import Sequence
from typing import Any

from biofact.dialects.json_splitter import KeyedRecords
from biofact.sources.ensembl.parse.documents import document

_OF_A_TRANSCRIPT = ("id", "version", "biotype", "is_canonical", "MANE")


def looked_up_records(ids: Sequence[str]) -> KeyedRecords:
    """Of ``lookup/id``: the record of each ID that there is."""
    return KeyedRecords(ids, document, trimmed)


def trimmed(values: dict[str, Any]) -> dict[str, Any]:
    """A record without what nobody reads: the exons of a gene's transcripts, which are most of its bytes."""
    listed = values.get("Transcript")
    if not isinstance(listed, list):
        return values
    return {**values, "Transcript": [_brief(transcript) for transcript in listed if isinstance(transcript, dict)]}


def _brief(transcript: dict[str, Any]) -> dict[str, Any]:
    kept = {name: transcript[name] for name in _OF_A_TRANSCRIPT if name in transcript}
    protein = transcript.get("Translation")
    return {**kept, "Translation": {"length": protein.get("length")}} if isinstance(protein, dict) else kept
