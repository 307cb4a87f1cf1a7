"""Homologues, mapped regions, sequences, species and archived IDs, from Ensembl's answers. Pure."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from biofact.core.errors import UpstreamError
from biofact.core.organisms import MODEL_ORGANISMS
from biofact.dialects import json_values
from biofact.dialects.json_values import decimal, nested_object, number, objects, text, texts
from biofact.dialects.readable_rows import ReadableRows
from biofact.sources.ensembl.identifiers import EnsemblRegion, bare
from biofact.sources.ensembl.parse.documents import absence, mapping, required_text
from biofact.sources.ensembl.parse.genes import NAMES
from biofact.sources.ensembl.records import Homologue, MappedSegment
from biofact.transport.service import Transient

_ORDER: Mapping[str, int] = {NAMES[taxon.id]: place for place, taxon in enumerate(MODEL_ORGANISMS)}
_PERCENT = 100.0


def homologues(gene_id: str, body: bytes) -> ReadableRows[Homologue]:
    """The homologues of a gene, each once: model organisms first, then by how many letters are the same.

    Raises:
        Transient: the body is damaged, or without a list: an empty one says that there are none.
        UpstreamError: a row is of another gene, or no row says which gene it leads to.
    """
    if absence(body, gene_id):
        return ReadableRows([])
    rows: list[dict[str, Any]] = []
    for entry in json_values.rows(mapping(body), "data"):
        if bare(required_text(entry, "id", "homologues")) != gene_id:
            raise _answered(gene_id, f"the homologues of {entry['id']}")
        rows += json_values.rows(entry, "homologies")
    readable = ReadableRows.of(rows, lambda row: _homologue(row, gene_id))
    homologues_by_key: dict[tuple[str, str], Homologue] = {}
    for homologue in readable.items:
        homologues_by_key.setdefault((homologue.id, homologue.type), homologue)
    return readable.with_items(sorted(homologues_by_key.values(), key=_order))


def _answered(requested: object, content: str) -> UpstreamError:
    """The error of an answer to another question."""
    return UpstreamError(f"Ensembl answered {requested} with {content}.", hint="Call again later.")


def _homologue(row: dict[str, Any], gene_id: str) -> Homologue:
    source, target = nested_object(row, "source"), nested_object(row, "target")
    if bare(required_text(source, "id", f"a homologue of {gene_id}")) != gene_id:
        raise _answered(gene_id, f"a homologue of {source['id']}")
    stable_id = bare(required_text(target, "id", f"a homologue of {gene_id}"))
    return Homologue(
        id=stable_id,
        type=required_text(row, "type", stable_id),
        species=required_text(target, "species", stable_id),
        percent_identity=_percent(target),
        percent_identity_of_query=_percent(source),
        protein_id=text(target, "protein_id"),
        common_ancestor=text(row, "taxonomy_level"),
    )


def _percent(values: dict[str, Any]) -> float | None:
    percent = decimal(values, "perc_id")
    return percent if percent is not None and 0 <= percent <= _PERCENT else None


def _order(homologue: Homologue) -> tuple[int, float, str, str]:
    return (
        _ORDER.get(homologue.species, len(_ORDER)),
        -(homologue.percent_identity or 0.0),
        homologue.id,
        homologue.type,
    )


def segments(region: EnsemblRegion, assemblies: tuple[str, str], body: bytes) -> list[MappedSegment]:
    """The parts of a region that the other assembly has, in the order of the region, each once.

    Raises:
        Transient: the body is damaged, or without a list of mappings: an empty one says that there are none.
        UpstreamError: a part is of another region or assembly, or longer on one of the two.
    """
    rows = json_values.rows(mapping(body), "mappings")
    mapped_segments = {_segment(row, region, assemblies) for row in rows}
    return sorted(
        mapped_segments, key=lambda segment: (segment.from_start, segment.from_end, segment.chromosome, segment.start)
    )


def _segment(row: dict[str, Any], region: EnsemblRegion, assemblies: tuple[str, str]) -> MappedSegment:
    ends = [
        _place(nested_object(row, name), assembly)
        for name, assembly in zip(("original", "mapped"), assemblies, strict=True)
    ]
    (name, start, end, _), (other, other_start, other_end, strand) = ends
    is_inside = name == region.name and region.start <= start <= end <= region.end
    if not is_inside or other_end - other_start != end - start:
        message = f"Ensembl mapped {region} as {name}:{start}-{end} to {other}:{other_start}-{other_end}."
        raise UpstreamError(message, hint="Call again later, or report it.")
    return MappedSegment(
        from_start=start,
        from_end=end,
        chromosome=other,
        start=other_start,
        end=other_end,
        strand=1 if strand == ends[0][3] else -1,
    )


def _place(values: dict[str, Any], assembly: str) -> tuple[str, int, int, int]:
    name, start, end = text(values, "seq_region_name"), number(values, "start"), number(values, "end")
    strand = {"1": 1, "-1": -1}.get(str(values.get("strand")))
    row_assembly = text(values, "assembly") or text(values, "assembly_name")
    if name is None or start is None or end is None or strand is None or start > end:
        raise UpstreamError("Ensembl sent a mapping without a place.", hint="Call again later, or report it.")
    if row_assembly is None or row_assembly.casefold() != assembly.casefold():
        raise UpstreamError(
            f"Ensembl was asked for {assembly} and answered with {row_assembly}.", hint="Call again later."
        )
    return name, start, end, strand


Molecule = Literal["dna", "protein"]
_ALPHABETS: dict[Molecule, re.Pattern[str]] = {
    "dna": re.compile(r"[ACGTNRYSWKMBDHV]+", re.IGNORECASE),
    "protein": re.compile(r"[A-Z][A-Z*]*"),  # a star is a stop codon: also within, as in a gene that a strain has lost
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
    """The region of the letters, which ends at the end of the chromosome."""
    assembly: str


def letters(stable_id: str, molecule: Molecule, body: bytes) -> Letters | None:
    """The sequence from ``sequence/id``; None if Ensembl has none for the ID.

    Raises:
        Transient: the body is damaged.
        UpstreamError: it is the sequence of something else, or none.
    """
    if absence(body, stable_id):
        return None
    values = mapping(body)
    sent_id = bare(required_text(values, "id", "a sequence"))
    if sent_id != stable_id:
        raise _answered(stable_id, f"the sequence of {sent_id}")
    return Letters(_letters(values, stable_id, molecule), number(values, "version"))


def region_letters(region: EnsemblRegion, body: bytes) -> RegionLetters:
    """The sequence from ``sequence/region``.

    Raises:
        Transient: the body is damaged.
        UpstreamError: it is the sequence of another region, or none, or not as long as its region.
    """
    values = mapping(body)
    slice_text = required_text(values, "id", "a sequence")
    slice_name = _SLICE.fullmatch(slice_text)
    if slice_name is None:
        raise _answered(region, f"the sequence of {slice_text:.80}")
    start, end, strand = (int(slice_name[name]) for name in ("start", "end", "strand"))
    answer_region = EnsemblRegion(slice_name["name"], start, end, -1 if strand < 0 else 1)
    is_beginning = replace(answer_region, end=region.end) == region  # a chromosome may end before the region does
    if not is_beginning or not region.start <= answer_region.end <= region.end:
        raise _answered(region, f"the sequence of {answer_region}")
    sequence = _letters(values, str(region), "dna")
    if len(sequence) != answer_region.length:
        message = f"Ensembl sent {len(sequence)} letters for the {answer_region.length} bases of {answer_region}."
        raise UpstreamError(message, hint="Call again later.")
    return RegionLetters(sequence, answer_region, slice_name["assembly"])


def _letters(values: dict[str, Any], record: str, molecule: Molecule) -> str:
    sequence = required_text(values, "seq", f"the sequence of {record}")
    row_molecule = text(values, "molecule")
    if row_molecule not in {None, molecule} or not _ALPHABETS[molecule].fullmatch(sequence):
        raise UpstreamError(f"Ensembl sent something other than {molecule} for {record}.", hint="Call again later.")
    return sequence


@dataclass(frozen=True, slots=True)
class Species:
    """A species, or a strain that has a genome of its own."""

    name: str
    """Ensembl's own, such as ``homo_sapiens``: what other calls take."""
    taxon_id: int
    """NCBI Taxonomy ID; strains share that of their species."""
    spellings: tuple[str, ...]
    """Every name that Ensembl knows it by, its own among them."""
    assembly: str | None = None
    """Today's."""


def species(body: bytes) -> list[Species]:
    """The species of ``info/species``.

    Raises:
        Transient: the body is damaged, or something else.
    """
    species_list = [parsed_species for row in objects(mapping(body), "species") if (parsed_species := _species(row))]
    if not species_list:
        raise Transient("sent something other than a list of species")
    return species_list


def _species(row: dict[str, Any]) -> Species | None:
    """One species; None without a name that other calls can take, or without a taxon, by which words are searched."""
    name, taxon_id = text(row, "name"), number(row, "taxon_id")
    if not name or not taxon_id or not re.fullmatch(r"[a-z0-9_]+", name):
        return None
    strain = text(row, "strain") or ""
    strain_name = "" if strain.startswith("reference") else strain  # a word of other meanings, and no strain's name
    names = (name, text(row, "display_name") or "", text(row, "common_name") or "", strain_name, *texts(row, "aliases"))
    return Species(name, taxon_id, tuple(dict.fromkeys(filter(None, names))), text(row, "assembly"))


def data_release(body: bytes) -> str:
    """The release of ``info/data``.

    Raises:
        Transient: the body is damaged, or names not one release.
    """
    releases = mapping(body).get("releases")
    # A list, as a server might have several; the public one never had (wiki of ensembl-rest, API Versioning).
    if not isinstance(releases, list) or len(releases) != 1 or type(releases[0]) is not int:
        raise Transient("named no release of its data")
    return str(releases[0])


_IS_CURRENT = {"1": True, "True": True, "": False, "0": False, "False": False, "None": False}


@dataclass(frozen=True, slots=True)
class Archived:
    """A stable ID that Ensembl has or had."""

    id: str
    type: str
    """``Gene``, ``Transcript`` or ``Translation``."""
    is_current: bool
    release: str | None
    """The last one that had it."""
    replacements: tuple[tuple[str, float], ...]
    """Other IDs that may stand in, with Ensembl's mapping score 0-1, the best first."""


def archived(stable_id: str, body: bytes) -> Archived | None:
    """The archive's record of ``stable_id``; None if it never was an ID.

    Raises:
        Transient: the body is damaged, or does not say whether the ID is current, or what replaced it.
        UpstreamError: it speaks of another ID.
    """
    if absence(body, stable_id):
        return None
    values = mapping(body)
    sent_id = bare(required_text(values, "id", "an archived ID"))
    if sent_id != stable_id:
        raise UpstreamError(f"Ensembl's archive answered {stable_id} with {sent_id}.", hint="Call again later.")
    is_current = _IS_CURRENT.get(str(values.get("is_current", "?")))
    if is_current is None:
        raise Transient(f"did not say whether {sent_id} is current")
    return Archived(
        id=sent_id,
        type=text(values, "type") or "",
        is_current=is_current,
        release=str(values["release"]) if values.get("release") else None,
        replacements=() if is_current else _replacements(values, stable_id),
    )


def _replacements(values: dict[str, Any], stable_id: str) -> tuple[tuple[str, float], ...]:
    rows = json_values.rows(values, "possible_replacement")  # empty where nothing replaced it
    scores = {bare(text(row, "stable_id") or ""): _score(row.get("score")) for row in rows}
    if "" in scores:
        raise Transient(f"named a replacement of {stable_id} without its ID")
    if len(scores) > 1:  # alone it stays, so that whoever follows it sees that it leads nowhere
        scores.pop(stable_id, None)
    return tuple(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def _score(value: Any) -> float:
    """Ensembl's mapping score, as a number or as text; 0 if there is none."""
    try:
        score = float(value)
    except (TypeError, ValueError):
        return 0.0
    return score if math.isfinite(score) else 0.0
