"""Variants by place: SPDI, HGVS and VCF spellings, and those that a genome alone cannot tell. Pure.

SPDI counts from 0, HGVS and VCF from 1.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from biofact.sources.igvf.reading.genomes import (
    ASSEMBLIES,
    PREVIOUS,
    Organism,
    accession_of,
    chromosome_named,
    current,
    located,
    older,
)


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant that the Catalog can be asked for."""

    form: Literal["spdi", "hgvs"]
    id: str
    """As the service writes it."""
    organism: Organism
    chromosome: str
    assumed: str | None = None
    """What was not written and is taken for granted, as a sentence."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """What is written like a variant and cannot be asked for."""

    why: str
    """The rest of a sentence that begins with the text in quotes."""
    hint: str


_ACCESSION = r"NC_\d{1,9}(?:\.\d+)?"
_SPDI = re.compile(rf"({_ACCESSION}):(\d{{1,12}}):([ACGTN]*|\d{{1,6}}):([ACGTN]*)", re.IGNORECASE | re.ASCII)
_HGVS = re.compile(rf"({_ACCESSION})\s*(?:\([\w.@-]+\))?\s*:\s*([gm])\.\s*(.+)", re.IGNORECASE | re.ASCII)
_BY_NAME = re.compile(r"((?:chr)?[0-9XYMT]{1,2})\s*:\s*([gm])\.\s*(.+)", re.IGNORECASE | re.ASCII)
_PLACE = r"(?P<start>\d{1,12})(?:_(?P<end>\d{1,12}))?"
_CHANGE = re.compile(
    rf"{_PLACE}(?:(?P<ref>[ACGTN])>(?P<alt>[ACGTN])|(?P<same>=)|(?P<inv>inv)"
    r"|del(?P<deleted>[ACGTN]*|\d{1,6})(?:ins(?P<delins>[ACGTN]+))?"
    r"|dup(?P<dup>[ACGTN]*|\d{1,6})|ins(?P<ins>[ACGTN]+)|(?P<repeat>[ACGTN]*\[\d{1,6}\]))",
    re.IGNORECASE | re.ASCII,
)
_VCF = re.compile(
    r"((?:chr)?[0-9XYMT]{1,2})[-:_ ](\d{1,12})[-:_ ]?([ACGTN]+)[-:_/> ]([ACGTN]+)"
    r"(?:_b(37|38)|[-:_ ](hg19|hg38|GRCh37|GRCh38))?",
    re.IGNORECASE | re.ASCII,
)
_OLDER_BUILDS = {"37", "HG19", "GRCH37"}
_OF_TRANSCRIPT = re.compile(
    r"(?:(?:[NX][MR]_\d+|ENS(?:MUS)?T\d+|LRG_\d+t\d+)(?:\.\d+)?(?:\([\w.-]+\))?\s*:\s*[cnr]\..+"
    r"|(?:[A-Z][\w-]*[:\s]\s*)?[cnr]\.[*-]?\d\S*.*)",
    re.IGNORECASE | re.ASCII,
)
_OF_PROTEIN = re.compile(
    r"(?:(?:[NX]P_\d+|ENS(?:MUS)?P\d+|LRG_\d+p\d+|[A-Z0-9]{6,10})(?:\.\d+)?(?:\([\w.-]+\))?\s*:\s*p\..+"
    r"|(?:[A-Z][\w-]*[:\s]\s*)?p\.\(?[A-Z][a-z]{0,2}\d\S*"
    r"|[A-Z][A-Z0-9-]{1,9}[:\s]\s*[ACDEFGHIKLMNPQRSTVWY]\d{1,5}(?:[ACDEFGHIKLMNPQRSTVWYX*]|fs\S*|del))",
    re.ASCII,
)
_OF_GENE_SEQUENCE = re.compile(r"(?:NG_\d+|LRG_\d+|NT_\d+|NW_\d+)(?:\.\d+)?:(?:g\..+|\d+:.*)", re.IGNORECASE | re.ASCII)

_BY_PLACE = "Give the variant by its place on the genome (NC_000017.11:43045710:T:C or NC_000017.11:g.43045711T>C)"
_GENOMIC = f"{_BY_PLACE}, as an rs number (rs58658771) or as an allele ID (CA16774863)."


def read_variant(text: str, organism: Organism | None = None) -> Variant | Unusable | None:
    """The variant that ``text`` spells, why it cannot be asked for, or None when it is written like none.

    Chromosomes by name are taken for those of ``organism``, of human where it is not given.
    """
    if spdi := _SPDI.fullmatch(text):
        return _from_spdi(*spdi.groups())
    if hgvs := _HGVS.fullmatch(text):
        return _from_hgvs(*hgvs.groups())
    if by_name := _BY_NAME.fullmatch(text):
        accession = _accession(by_name[1], organism)
        return accession if isinstance(accession, Unusable) else _from_hgvs(accession, by_name[2], by_name[3])
    if vcf := _VCF.fullmatch(text):
        return _from_vcf(vcf, organism)
    return _of_another_sequence(text)


def _of_another_sequence(text: str) -> Unusable | None:
    if _OF_TRANSCRIPT.fullmatch(text):
        return Unusable(
            "is a change in a transcript; the Catalog lists variants by their place on the genome.", _GENOMIC
        )
    if _OF_PROTEIN.fullmatch(text):
        return Unusable("is a change in a protein; the Catalog lists variants by their place on the genome.", _GENOMIC)
    if _OF_GENE_SEQUENCE.fullmatch(text):
        return Unusable("is counted on the sequence of a gene or contig, not of a chromosome.", _GENOMIC)
    return None


def _accession(name: str, organism: Organism | None) -> str | Unusable:
    """Of a chromosome that is given by its name."""
    whose = organism or "human"
    chromosome = chromosome_named(name, whose)
    if chromosome is None:
        names = ", ".join(ASSEMBLIES[whose].chromosomes)
        return Unusable(f"names no chromosome of {whose}; expected one of {names}.", _GENOMIC)
    return accession_of(chromosome, whose)


def _place(accession: str) -> tuple[Organism, str] | Unusable:
    """Whose chromosome it is, and which; or what is wrong with the accession."""
    if found := located(accession):
        return found
    today = current(accession)
    if today is None:
        return Unusable("is on a sequence that is no chromosome of human or mouse.", _GENOMIC)
    whose, _ = located(today) or ("human", "")
    if assembly := older(accession):
        return Unusable(
            f"is on {assembly}; expected {ASSEMBLIES[whose].name} ({today}).",
            f"Lift the variant over to {ASSEMBLIES[whose].name}, or ask for it by its rs number.",
        )
    return Unusable(
        f"names a chromosome without the version of its sequence; expected {today}.",
        f"If its place is on {ASSEMBLIES[whose].name}, write {today}.",
    )


def _beyond(organism: Organism, chromosome: str, last: int) -> Unusable | None:
    """The refusal of a 1-based position behind the end of its chromosome."""
    assembly = ASSEMBLIES[organism]
    length = assembly.chromosomes[chromosome].length
    if last <= length:
        return None
    return Unusable(f"ends behind chromosome {chromosome}, which has {length} bases in {assembly.name}.", _GENOMIC)


def _from_spdi(accession: str, position: str, deleted: str, inserted: str) -> Variant | Unusable:
    place = _place(accession)
    if isinstance(place, Unusable):
        return place
    organism, chromosome = place
    start = int(position)
    length = int(deleted) if deleted.isdecimal() else len(deleted)
    if not length and not inserted:
        return Unusable("neither deletes nor inserts a base.", _GENOMIC)
    spelt = f"{accession.upper()}:{start}:{deleted.upper()}:{inserted.upper()}"
    return _beyond(organism, chromosome, start + max(length, 1)) or Variant("spdi", spelt, organism, chromosome)


def _from_hgvs(accession: str, kind: str, written: str) -> Variant | Unusable:
    place = _place(accession)
    if isinstance(place, Unusable):
        return place
    organism, chromosome = place
    change = _CHANGE.fullmatch(re.sub(r"\s+", "", written))
    if change is None:
        return Unusable(
            "describes its change in a way that the Catalog does not; expected such as g.43045711T>C, g.1629000del, "
            "g.5_6insAC, g.5dup or g.5_7delinsGG.",
            _GENOMIC,
        )
    start, end = int(change["start"]), int(change["end"] or change["start"])
    if wrong := _misplaced(change, start, end):
        return wrong
    span = f"{start}_{end}" if change["end"] and end != start else f"{start}"
    spelt = f"{accession.upper()}:{kind.lower()}.{span}{_edit(change)}"
    return _beyond(organism, chromosome, end) or Variant("hgvs", spelt, organism, chromosome)


def _misplaced(change: re.Match[str], start: int, end: int) -> Unusable | None:
    if start == 0:
        return Unusable("has position 0; HGVS counts from 1.", _GENOMIC)
    if end < start:
        return Unusable("ends before it begins.", _GENOMIC)
    if change["ins"] and end != start + 1:
        return Unusable("inserts at no point between two neighbouring bases, as in g.5_6insAC.", _GENOMIC)
    if change["ref"] and end != start:
        return Unusable("substitutes one base at several.", _GENOMIC)
    return None


def _edit(change: re.Match[str]) -> str:
    """The change as HGVS recommends it: without the bases that the reference tells."""
    if change["ref"]:
        return f"{change['ref']}>{change['alt']}".upper()
    if change["delins"]:
        return f"delins{change['delins'].upper()}"
    if change["ins"]:
        return f"ins{change['ins'].upper()}"
    if change["repeat"]:
        return change["repeat"].upper()
    return "=" if change["same"] else "inv" if change["inv"] else "dup" if change["dup"] is not None else "del"


def _from_vcf(found: re.Match[str], organism: Organism | None) -> Variant | Unusable:
    name, position, ref, alt, build, assembly = found.groups()
    whose = organism or "human"
    if (build or assembly or "").upper() in _OLDER_BUILDS:
        return Unusable(
            f"is on {PREVIOUS['human']}; expected {ASSEMBLIES['human'].name}.",
            f"Lift the variant over to {ASSEMBLIES['human'].name}, or ask for it by its rs number.",
        )
    if int(position) == 0:
        return Unusable("has position 0; VCF counts from 1.", _GENOMIC)
    accession = _accession(name, whose)
    if isinstance(accession, Unusable):
        return accession
    variant = _from_spdi(accession, str(int(position) - 1), ref, alt)
    told = f"Its position was read as 1-based, as in VCF, on {ASSEMBLIES[whose].name}."
    if len(ref) != len(alt):  # the service's SPDI of an indel spans the whole repeat: NC_000001.11:1057460:TTTT:TT
        told += " The Catalog may spell this insertion or deletion over more bases."
    return variant if isinstance(variant, Unusable) else replace(variant, assumed=told)
