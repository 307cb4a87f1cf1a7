"""The starter facts of Ensembl, chosen for this project, in ``starter/``: species, genes, retired stable IDs."""

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from biofact.sandbox.dialects import starter
from biofact.sandbox.services.ensembl.facts import (
    EnsemblGeneFacts,
    EnsemblTranscriptFacts,
    ExonFacts,
    Level,
    Retired,
    SequenceSpan,
    SpeciesFacts,
    TranslationFacts,
    Xref,
)

STARTER_RELEASE = 113
"""The release whose species are recorded; genes are as this or an earlier one has them."""

_LEVELS: dict[str, Level] = {
    "CCDS": "transcript",
    "RefSeq_mRNA": "transcript",
    "Uniprot/SWISSPROT": "translation",
}
"""What a database's IDs stand for, where it is not the gene."""
_DIRECT = frozenset({"CCDS", "HGNC", "MGI", "RGD", "RefSeq_mRNA", "SGD", "Uniprot/SWISSPROT", "ZFIN_ID"})
"""Databases whose IDs Ensembl has from their owner, not by way of another."""
_SYMBOL_SHOWN = frozenset({"EntrezGene", "HGNC", "MGI", "RGD", "SGD", "ZFIN_ID"})
"""Databases whose entries Ensembl shows by their symbol."""

_STABLE_ID = r"(?P<id>\S+?)(?:\.(?P<version>\d+))?"
_VERSIONED = re.compile(r"(?P<id>(?:ENS|FB)\w+)\.(?P<version>\d+)")
_PLACE = re.compile(r"(?P<region>\S+):(?P<start>\d+)-(?P<end>\d+):(?P<strand>1|-1)")
_SPAN = re.compile(r"(?P<start>\d+)-(?P<end>\d+)")
_PROTEIN = re.compile(_STABLE_ID + r"/(?P<length>\d+)(?:@(?P<start>\d+)-(?P<end>\d+))?")
_EXON = re.compile(_STABLE_ID + r":(?P<start>\d+)-(?P<end>\d+)")
_XREF = re.compile(r"(?P<dbname>[^=]+)=(?P<id>[^=!]+)(?:=(?P<display>[^!]+))?(?:!(?P<info>[A-Z_]+))?")
_rows = functools.partial(starter.rows, __package__)


@functools.cache
def starter_species() -> tuple[SpeciesFacts, ...]:
    """The species of ``species.tsv``."""
    return tuple(
        SpeciesFacts(
            name=cells[0],
            display_name=cells[1],
            common_name=cells[2],
            taxon_id=int(cells[3]),
            assembly=cells[4],
            strain=cells[5],
            accession=cells[6],
            aliases=tuple(cells[7].split("|")) if cells[7] else (),
        )
        for cells in _rows("species.tsv", 8)
    )


@functools.cache
def starter_genes() -> tuple[EnsemblGeneFacts, ...]:
    """The genes of ``human.toml`` and ``model_organisms.toml``, in this order."""
    assemblies = {species.name: species.assembly for species in starter_species()}
    return tuple(
        _gene(gene_id, entry, assemblies)
        for name in ("human.toml", "model_organisms.toml")
        for gene_id, entry in tomllib.loads(starter.text(__package__, name)).items()
    )


@functools.cache
def starter_retired() -> tuple[Retired, ...]:
    """The retired stable IDs of ``history.tsv``."""
    return tuple(_retired(cells) for cells in _rows("history.tsv", 6))


def _gene(gene_id: str, entry: Mapping[str, Any], assemblies: Mapping[str, str]) -> EnsemblGeneFacts:
    facts = dict(entry)
    species = facts.setdefault("species", "homo_sapiens")
    place = _PLACE.fullmatch(facts.pop("place", ""))
    span = _span(place["region"], place, int(place["strand"])) if place else None
    exons = {written: tuple(_exons(text)) for written, text in facts.pop("exons", {}).items()}
    transcripts = tuple(_transcript(line, span, exons) for line in facts.pop("transcripts", ()))
    xrefs = tuple(_xref(written, facts.get("symbol", "")) for written in facts.pop("xrefs", "").split())
    return EnsemblGeneFacts(
        id=gene_id,
        span=span,
        assembly=assemblies[species],
        synonyms=tuple(facts.pop("synonyms", ())),
        transcripts=transcripts,
        xrefs=(*xrefs, *_partners(transcripts)),
        **facts,
    )


def _transcript(
    line: str, gene: SequenceSpan | None, exons: Mapping[str, tuple[ExonFacts, ...]]
) -> EnsemblTranscriptFacts:
    """One line of ``transcripts``: an ID and a biotype, then words that tell themselves apart."""
    written, biotype, *rest = line.split()
    transcript_id, version = _versioned(written)
    facts: dict[str, Any] = {}
    for word in rest:
        facts |= _fact(word, gene)
    own = exons.get(transcript_id, ())
    length = sum(exon.end - exon.start + 1 for exon in own) or None
    return EnsemblTranscriptFacts(id=transcript_id, version=version, biotype=biotype, exons=own, length=length, **facts)


def _fact(word: str, gene: SequenceSpan | None) -> dict[str, Any]:
    """What one word of a transcript's line tells, by field."""
    key, partner = word.partition("=")[::2]
    if partner:
        return {{"MANE": "mane_select", "MANE+": "mane_plus_clinical"}[key]: partner}
    if protein := _PROTEIN.fullmatch(word):
        ends = (_number(protein["start"]), _number(protein["end"]))
        return {
            "translation": TranslationFacts(protein["id"], int(protein["length"]), _number(protein["version"]), *ends),
        }
    if (span := _SPAN.fullmatch(word)) and gene:
        return {"span": _span(gene.region, span, gene.strand)}
    return {"name": word}


def _exons(text: str) -> Iterator[ExonFacts]:
    for match in map(_EXON.fullmatch, text.split()):
        if not match:
            raise ValueError(
                f"{text!r} is not a list of exons; expected forms like 'ENSE00003753508.2:7687377-7687490'."
            )
        yield ExonFacts(match["id"], int(match["start"]), int(match["end"]), int(match["version"] or 1))


def _xref(written: str, symbol: str) -> Xref:
    match = _XREF.fullmatch(written)
    if not match:
        raise ValueError(f"{written!r} is not a cross-reference; expected a form like 'EntrezGene=7157'.")
    dbname = match["dbname"]
    return Xref(
        dbname,
        match["id"],
        match["display"] or (symbol if dbname in _SYMBOL_SHOWN else ""),
        _LEVELS.get(dbname, "gene"),
        match["info"] or ("DIRECT" if dbname in _DIRECT else "DEPENDENT"),
    )


def _partners(transcripts: tuple[EnsemblTranscriptFacts, ...]) -> Iterator[Xref]:
    """The RefSeq partners in MANE, which Ensembl has as cross-references as well."""
    for transcript in transcripts:
        for partner in filter(None, (transcript.mane_select, transcript.mane_plus_clinical)):
            yield Xref("RefSeq_mRNA", partner, "", _LEVELS["RefSeq_mRNA"], "DIRECT")


def _retired(cells: list[str]) -> Retired:
    stable_id, version, release, kind, assembly, replacements = cells
    pairs = (written.partition("=") for written in replacements.split())
    scored = tuple((replacement, float(score)) for replacement, _, score in pairs)
    kinds: dict[str, Any] = {"type": kind}
    return Retired(stable_id, int(version), int(release), assembly=assembly, replacements=scored, **kinds)


def _span(region: str, match: re.Match[str], strand: int) -> SequenceSpan:
    return SequenceSpan(region, int(match["start"]), int(match["end"]), strand)


def _versioned(written: str) -> tuple[str, int | None]:
    """A stable ID and its version; the dots in a worm's IDs are part of them."""
    match = _VERSIONED.fullmatch(written)
    return (match["id"], int(match["version"])) if match else (written, None)


def _number(text: str | None) -> int | None:
    return int(text) if text else None
