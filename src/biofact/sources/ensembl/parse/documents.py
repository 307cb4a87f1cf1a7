"""JSON bodies and what must be in them. Pure."""

import functools
import re
from collections.abc import Sequence
from typing import Any, Literal

from biofact.core.errors import EntityNotFound, UpstreamError
from biofact.core.quoting import name_list
from biofact.core.records import Notice
from biofact.core.xrefs import XrefCollector
from biofact.dialects import json_values
from biofact.dialects.json_values import loaded, number, text
from biofact.dialects.readable_rows import MissingField
from biofact.sources.ensembl.identifiers import EnsemblRegion, bare
from biofact.sources.ensembl.service import error_words, says_absent
from biofact.transport.service import Transient

_SUBJECT = re.compile(r"\b(?:ID|symbol|for)\s+'?(?!ID\b|symbol\b|not\b)([^\s']+)", re.IGNORECASE)
"""The ID or symbol in an error message, by the words before it; some messages name none."""


def document(body: bytes) -> Any:
    """The JSON that ``body`` is.

    Raises:
        Transient: it is damaged, or says that something failed.
    """
    values = loaded(body)
    _check_failure(values)
    return values


def absence(body: bytes, *names: str) -> bool:
    """Whether ``body`` says that no record with one of the names exists.

    Raises:
        UpstreamError: the message names another record.
    """
    words = error_words(body)
    if words is None or not says_absent(words):
        return False
    # A message that names nothing is believed, as some do not.
    named_match = _SUBJECT.search(words)
    if named_match and named_match[1].casefold() not in {name.casefold() for name in names}:
        message = f"Ensembl was asked for {', '.join(names)} and answered: {words:.200}"
        raise UpstreamError(message, hint="Call again later.")
    return True


def rows(body: bytes) -> list[dict[str, Any]]:
    """The objects of the list that ``body`` is.

    Raises:
        Transient: it is damaged, or something else.
    """
    objects = document(body)
    if not isinstance(objects, list) or not all(isinstance(row, dict) for row in objects):
        raise Transient("sent something other than a list")
    return objects


def mapping(body: bytes) -> dict[str, Any]:
    """The object that ``body`` is.

    Raises:
        Transient: it is damaged, or something else.
    """
    values = json_values.document(body)
    _check_failure(values)
    return values


def _check_failure(values: Any) -> None:
    words = values.get("error") if isinstance(values, dict) else None
    if isinstance(words, str) and not says_absent(words):
        raise Transient(f"answered: {words:.200}")


required_text = functools.partial(json_values.required_text, source="Ensembl")
"""A text that every record has."""


def kind(payload: bytes) -> str | None:
    """The kind of a looked-up record: ``Gene``, ``Transcript``, ``Translation`` or ``Exon``; None if it is missing."""
    return kind_in(mapping(payload))


def kind_in(values: dict[str, Any]) -> str | None:
    """The kind of a looked-up record, as ``kind`` has it; the service may write it as a request did."""
    kind_name = text(values, "object_type")
    return kind_name.capitalize() if kind_name else None


def parent(payload: bytes) -> str | None:
    """The parent of a looked-up record: the gene of a transcript, the transcript of a translation."""
    parent_id = text(mapping(payload), "Parent")
    return bare(parent_id) if parent_id else None


def length(payload: bytes) -> int | None:
    """The length of the looked-up protein; None if it is missing."""
    return number(mapping(payload), "length")


def canonical_transcript(payload: bytes) -> str | None:
    """The transcript that stands for the looked-up gene; None if it is missing."""
    transcript_id = text(mapping(payload), "canonical_transcript")
    return bare(transcript_id) if transcript_id else None


def version(payload: bytes) -> int | None:
    """The version of a looked-up record; None if it has none."""
    return number(mapping(payload), "version")


_MOST_NAMED = 3
_PLACE_FIELDS = {
    **{name: name for name in ("species", "start", "end", "strand", "assembly_name")},
    "chromosome": "seq_region_name",
}
"""Fields of a record, and what Ensembl calls them."""
_STRANDS: dict[str, Literal[1, -1]] = {"1": 1, "-1": -1}


def place(values: dict[str, Any]) -> dict[str, Any]:
    """Species, assembly and coordinates: fields of a record. Ensembl counts from 1 and includes the end."""
    start, end = span(values)
    return {
        "species": text(values, "species"),
        "version": number(values, "version"),
        "chromosome": text(values, "seq_region_name"),
        "start": start,
        "end": end,
        "strand": _STRANDS.get(str(values.get("strand"))),
        "assembly_name": text(values, "assembly_name"),
    }


def required_place(values: dict[str, Any], record: str) -> dict[str, Any]:
    """Species, assembly and coordinates of a record, which every lookup has; the version may be missing.

    Raises:
        MissingField: one of them is missing.
    """
    location = place(values)
    missing_field = next((field for name, field in _PLACE_FIELDS.items() if location.get(name) is None), None)
    if missing_field:
        raise MissingField(f"Ensembl sent {record} without {missing_field!r}.", missing_field)
    return location


def span(values: dict[str, Any]) -> tuple[int | None, int | None]:
    """First and last position, in this order whatever the order in which they came."""
    start, end = number(values, "start"), number(values, "end")
    return (end, start) if _is_backwards(start, end) else (start, end)


def mismatches(*parts: dict[str, Any]) -> list[Notice]:
    """A notice listing the parts of a record with a start above their end."""
    backwards = [part for part in parts if _is_backwards(number(part, "start"), number(part, "end"))]
    names = [f"{text(values, 'id') or 'a part'} ({values['start']} to {values['end']})" for values in backwards]
    listing = name_list(names, _MOST_NAMED)
    message = f"Ensembl sent a start above the end for {listing}; the positions were put in order."
    return [Notice(code="MISMATCH", message=message)] if backwards else []


def _is_backwards(start: int | None, end: int | None) -> bool:
    return start is not None and end is not None and start > end


def place_of(payload: bytes) -> tuple[str, EnsemblRegion, str | None] | None:
    """Species, region and assembly of what was looked up; None where it does not say where that lies."""
    values = place(mapping(payload))
    species, name, start, end = (values[key] for key in ("species", "chromosome", "start", "end"))
    if not species or not name or not start or not end:
        return None
    return species, EnsemblRegion(name, start, end, values["strand"] or 1), values["assembly_name"]


def nomenclature_id(description: str | None) -> str | None:
    """The gene's ID in the nomenclature of its species, where that is the source of its description: ``MGI:98834``."""
    match = re.search(r"\[Source:(HGNC|MGI|RGD|ZFIN|SGD)\b[^\]]*;Acc:(?:\1:)?([\w-]+)\]", description or "")
    return f"{match[1]}:{match[2]}" if match else None


def full_name(description: str | None) -> str | None:
    """The description without the tail that names its source."""
    return (description or "").partition("[Source:")[0].strip() or None


HUMAN = "homo_sapiens"

_KEYS = {
    "EntrezGene": "entrez",
    "MIM_GENE": "omim",
    "Uniprot/SWISSPROT": "uniprot",
    "BioGRID": "biogrid",
}
_OF_TRANSCRIPT = {"Uniprot/SWISSPROT": "uniprot", "PDB": "pdb", "UCSC": "ucsc"}
_ALLIANCE = {
    "MGI": "MGI",
    "RGD": "RGD",
    "ZFIN_ID": "ZFIN",
    "flybase_gene_id": "FB",
    "wormbase_gene": "WB",
    "SGD_GENE": "SGD",
}
"""The Alliance of Genome Resources' prefixes for the IDs of a species' own database."""
_REFSEQS = (("RefSeq_mRNA", "RefSeq_ncRNA"), ("RefSeq_mRNA_predicted", "RefSeq_ncRNA_predicted"))
"""Curated transcripts, and what stands in where there are none."""


Row = tuple[str, str]
"""Name of the database and the identifier there."""


def xref_rows(gene_id: str, body: bytes) -> list[Row]:
    """The rows of ``xrefs/id``, each once, however many transcripts repeat it. Projected rows are left out: they are
    copied from another species' gene.

    Raises:
        Transient: the body is damaged.
        UpstreamError: it speaks of another ID.
        EntityNotFound: it says that there is no such ID.
    """
    if absence(body, gene_id):  # the gene may exist all the same: not cached, as the rows may be there tomorrow
        raise EntityNotFound(f"Ensembl knows no cross-references of {gene_id}.", hint="Call again later.")
    direct_rows = [row for row in rows(body) if "PROJECTION" not in str(row.get("info_type") or "")]
    names = [(text(row, "dbname"), text(row, "primary_id")) for row in direct_rows]
    if names and not any(dbname and value for dbname, value in names):
        raise Transient("sent cross-references without database or ID")
    return list(dict.fromkeys((dbname, value) for dbname, value in names if dbname and value))


def collector(rows: Sequence[Row], *, species: str) -> XrefCollector:
    """The cross-references, not yet judged."""
    xref_collector = XrefCollector()
    for dbname, value in rows:
        if dbname in _KEYS:
            xref_collector.add(_KEYS[dbname], value)
        elif dbname == "HGNC" and species == HUMAN:
            xref_collector.add("hgnc", value)
        elif dbname in _ALLIANCE and species != HUMAN:
            prefix = _ALLIANCE[dbname]
            xref_collector.add("alliance", f"{prefix}:{value.removeprefix(f'{prefix}:')}")
    for accession in _refseqs(rows):
        xref_collector.add("refseq", accession)
    return xref_collector


def transcript_collector(rows: Sequence[Row]) -> XrefCollector:
    """The cross-references of a transcript and its protein, not yet judged; those of its gene are the gene's."""
    xref_collector = XrefCollector()
    for dbname, value in rows:
        if dbname in _OF_TRANSCRIPT:
            xref_collector.add(_OF_TRANSCRIPT[dbname], value)
    for accession in _refseqs(rows):
        xref_collector.add("refseq", accession)
    return xref_collector


def _refseqs(rows: Sequence[Row]) -> list[str]:
    for databases in _REFSEQS:
        accessions = [value for dbname, value in rows if dbname in databases]
        if accessions:
            return accessions
    return []
