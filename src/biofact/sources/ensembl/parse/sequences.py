"""Sequences, as letters that are verified to be those of what was asked for. Pure."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from biofact.core.errors import UpstreamError
from biofact.dialects.json_values import number, text
from biofact.sources.ensembl.identifiers import EnsemblRegion, bare
from biofact.sources.ensembl.parse.documents import absence, mapping, needed

Molecule = Literal["dna", "protein"]
_ALPHABETS: dict[Molecule, re.Pattern[str]] = {
    "dna": re.compile(r"[ACGTNRYSWKMBDHV]+", re.IGNORECASE),
    "protein": re.compile(r"[A-Z]+\*?"),
}
_SLICE = re.compile(r"[^:]+:(?P<assembly>[^:]*):(?P<name>[^:]+):(?P<start>\d+):(?P<end>\d+):(?P<strand>-?1)")
"""Ensembl's name of a region: ``chromosome:GRCh38:17:7661779:7661800:1``."""


@dataclass(frozen=True, slots=True)
class Letters:
    """The sequence of a gene's product, whole."""

    letters: str
    version: int | None


@dataclass(frozen=True, slots=True)
class RegionLetters:
    """The sequence of a region, along its strand."""

    letters: str
    region: EnsemblRegion
    """What was sent, which ends where the chromosome does."""
    assembly: str


def letters(stable_id: str, molecule: Molecule, body: bytes) -> Letters | None:
    """What ``sequence/id`` tells; None when Ensembl has none for the ID.

    Raises:
        Transient: the body is damaged.
        UpstreamError: it is the sequence of something else, or none.
    """
    if absence(body, stable_id):
        return None
    values = mapping(body)
    sent_id = bare(needed(values, "id", "a sequence"))
    if sent_id != stable_id:
        raise UpstreamError(f"Ensembl answered {stable_id} with the sequence of {sent_id}.", hint="Call again later.")
    return Letters(_letters(values, stable_id, molecule), number(values, "version"))


def region_letters(region: EnsemblRegion, body: bytes) -> RegionLetters:
    """What ``sequence/region`` tells.

    Raises:
        Transient: the body is damaged.
        UpstreamError: it is the sequence of another region, or none, or not as long as its region.
    """
    values = mapping(body)
    named = needed(values, "id", "a sequence")
    slice_name = _SLICE.fullmatch(named)
    if slice_name is None:
        raise UpstreamError(f"Ensembl answered {region} with the sequence of {named:.80}.", hint="Call again later.")
    start, end, strand = (int(slice_name[name]) for name in ("start", "end", "strand"))
    sent = EnsemblRegion(slice_name["name"], start, end, -1 if strand < 0 else 1)
    is_asked = (sent.name, sent.start, sent.strand) == (region.name, region.start, region.strand)
    if not is_asked or not region.start <= sent.end <= region.end:
        raise UpstreamError(f"Ensembl answered {region} with the sequence of {sent}.", hint="Call again later.")
    found = _letters(values, str(region), "dna")
    if len(found) != sent.length:
        message = f"Ensembl sent {len(found)} letters for the {sent.length} bases of {sent}."
        raise UpstreamError(message, hint="Call again later.")
    return RegionLetters(found, sent, slice_name["assembly"])


def _letters(values: dict[str, Any], of: str, molecule: Molecule) -> str:
    found = needed(values, "seq", f"the sequence of {of}")
    sent = text(values, "molecule")
    if sent not in {None, molecule} or not _ALPHABETS[molecule].fullmatch(found):
        raise UpstreamError(f"Ensembl sent something other than {molecule} for {of}.", hint="Call again later.")
    return found
