"""Variants by their place on the genome: SPDI, HGVS and VCF spellings. Pure.

SPDI counts from 0, HGVS and VCF from 1.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from biofact.dialects.genomic.genomes import (
    ASSEMBLIES,
    PREVIOUS,
    NotationError,
    NotGenomicVariant,
    Organism,
    accession_of,
    chromosome_name,
    chromosome_of,
    current_accession,
    other_assembly,
)


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant on a chromosome of today's assembly."""

    form: Literal["spdi", "hgvs"]
    id: str
    """In capitals, without the bases that the reference has anyway."""
    organism: Organism
    chromosome: str
    assumption: str | None = None
    """An assumption about facts that the text leaves out, as a sentence."""


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
_FORMS = (_SPDI, _HGVS, _BY_NAME, _VCF, _OF_TRANSCRIPT, _OF_PROTEIN, _OF_GENE_SEQUENCE)


def read_variant(text: str, organism: Organism | None = None) -> Variant | None:
    """The variant that ``text`` spells, or None when it is written like none.

    Chromosomes by name are taken for those of ``organism``, of human where it is not given.

    Raises:
        NotGenomicVariant: it is a change in a transcript or protein.
        NotationError: it is written like a variant, and is none on a chromosome of today's assembly.
    """
    if spdi := _SPDI.fullmatch(text):
        return _from_spdi(*spdi.groups())
    if hgvs := _HGVS.fullmatch(text):
        return _from_hgvs(*hgvs.groups())
    if by_name := _BY_NAME.fullmatch(text):
        return _from_hgvs(_accession(by_name[1], organism or "human"), by_name[2], by_name[3])
    if vcf := _VCF.fullmatch(text):
        return _from_vcf(vcf, organism or "human")
    if _OF_TRANSCRIPT.fullmatch(text):
        raise NotGenomicVariant("is a change in a transcript.")
    if _OF_PROTEIN.fullmatch(text):
        raise NotGenomicVariant("is a change in a protein.")
    if _OF_GENE_SEQUENCE.fullmatch(text):
        raise NotationError("is counted on the sequence of a gene or contig, not of a chromosome.")
    return None


def is_written_like_a_variant(text: str) -> bool:
    """Whether ``text`` has the form of a variant, on the genome or elsewhere."""
    return any(form.fullmatch(text) for form in _FORMS)


def _accession(name: str, organism: Organism) -> str:
    """The accession of a chromosome that is given by its name."""
    chromosome = chromosome_name(name, organism)
    if chromosome is None:
        names = ", ".join(ASSEMBLIES[organism].chromosomes)
        raise NotationError(f"names no chromosome of {organism}; expected one of {names}.")
    return accession_of(chromosome, organism)


def _chromosome(accession: str) -> tuple[Organism, str]:
    """Organism and chromosome of an accession."""
    if organism_and_chromosome := chromosome_of(accession):
        return organism_and_chromosome
    today = current_accession(accession)
    if today is None:
        raise NotationError("is on a sequence that is no chromosome of human or mouse.")
    organism, _ = chromosome_of(today) or ("human", "")
    if assembly := other_assembly(accession):
        raise _on_other_assembly(assembly, organism, f"{ASSEMBLIES[organism].name} ({today})")
    raise NotationError(
        f"names a chromosome without the version of its sequence; expected {today}.",
        f"If its place is on {ASSEMBLIES[organism].name}, write {today}.",
    )


def _on_other_assembly(assembly: str, organism: Organism, expected: str) -> NotationError:
    hint = f"Lift the variant over to {ASSEMBLIES[organism].name}, or ask for it by its rs number."
    return NotationError(f"is on {assembly}; expected {expected}.", hint)


def _check_end(organism: Organism, chromosome: str, end: int) -> None:
    """Refuse a 1-based position behind the end of its chromosome."""
    assembly = ASSEMBLIES[organism]
    length = assembly.chromosomes[chromosome].length
    if end > length:
        raise NotationError(f"ends behind chromosome {chromosome}, which has {length} bases in {assembly.name}.")


def _from_spdi(accession: str, position: str, deleted: str, inserted: str) -> Variant:
    organism, chromosome = _chromosome(accession)
    length = int(deleted) if deleted.isdecimal() else len(deleted)
    if not length and not inserted:
        raise NotationError("neither deletes nor inserts a base.")
    _check_end(organism, chromosome, int(position) + max(length, 1))  # SPDI counts from 0, its end is exclusive
    spdi = f"{accession.upper()}:{int(position)}:{deleted.upper()}:{inserted.upper()}"
    return Variant("spdi", spdi, organism, chromosome)


def _from_hgvs(accession: str, kind: str, change_text: str) -> Variant:
    organism, chromosome = _chromosome(accession)
    change = _CHANGE.fullmatch(re.sub(r"\s+", "", change_text))
    if change is None:
        raise NotationError(
            "describes its change in an unknown way; expected such as g.43045711T>C, g.1629000del, "
            "g.5_6insAC, g.5dup or g.5_7delinsGG."
        )
    start, end = int(change["start"]), int(change["end"] or change["start"])
    _check_place(change, start, end)
    _check_end(organism, chromosome, end)
    span = f"{start}_{end}" if end != start else f"{start}"
    return Variant("hgvs", f"{accession.upper()}:{kind.lower()}.{span}{_edit(change)}", organism, chromosome)


def _check_place(change: re.Match[str], start: int, end: int) -> None:
    """Refuse positions at which there cannot be such a change."""
    if start == 0:
        raise NotationError("has position 0; HGVS counts from 1.")
    if end < start:
        raise NotationError("ends before it begins.")
    if change["ins"] and end != start + 1:
        raise NotationError("inserts at no point between two neighbouring bases, as in g.5_6insAC.")
    if change["ref"] and end != start:
        raise NotationError("substitutes one base at several.")


def _edit(change: re.Match[str]) -> str:
    """The change as HGVS recommends it: without the bases that the reference has."""
    if change["ref"]:
        return f"{change['ref']}>{change['alt']}".upper()
    if change["delins"]:
        return f"delins{change['delins'].upper()}"
    if change["ins"]:
        return f"ins{change['ins'].upper()}"
    if change["repeat"]:
        return change["repeat"].upper()
    return "=" if change["same"] else "inv" if change["inv"] else "dup" if change["dup"] is not None else "del"


def _from_vcf(vcf: re.Match[str], organism: Organism) -> Variant:
    name, position, ref, alt, build, assembly = vcf.groups()
    if (build or assembly or "").upper() in _OLDER_BUILDS:
        raise _on_other_assembly(PREVIOUS["human"], "human", ASSEMBLIES["human"].name)
    if int(position) == 0:
        raise NotationError("has position 0; VCF counts from 1.")
    variant = _from_spdi(_accession(name, organism), str(int(position) - 1), ref, alt)
    assumption = f"Its position was read as 1-based, as in VCF, on {ASSEMBLIES[organism].name}."
    return replace(variant, assumption=assumption)
