"""Identifiers of one fixed form, each to its readings. Pure."""

import re
from collections.abc import Callable

from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf.identifiers.kinds import IdentifierReading, Kind
from biofact.sources.igvf.identifiers.ontologies import term_id
from biofact.sources.igvf.identifiers.regions import read_region

Read = Callable[[re.Match[str]], tuple[IdentifierReading, ...]]

_ENSEMBL: dict[str, tuple[Kind, str]] = {
    "G": ("gene", "gene_id"),
    "T": ("transcript", "transcript_id"),
    "P": ("protein", "protein_id"),
}
_OF_ASSEMBLY: dict[str, Organism] = {assembly.name.upper(): name for name, assembly in ASSEMBLIES.items()}
_ELEMENT = re.compile(
    r"[A-Z][\w-]*?_((?:chr)?(?:\d{1,2}|X|Y|M|MT))_(\d{1,12})_(\d{1,12})_(GRCh38|GRCm39)(?:_\w+)?",
    re.IGNORECASE | re.ASCII,
)
_LEAST_ALLELE = 5
"""Digits of an allele ID that no gene symbol has: CA1 to CA14 are carbonic anhydrases."""
_LEAST_VARIANT = 3
"""Digits behind RS in capitals that are no gene: RS1 is retinoschisin."""
_LEAST_DRUG = 5
"""Digits of a PharmGKB ID that nothing else has."""


def fixed_form(text: str) -> tuple[IdentifierReading, ...]:
    """The readings of an identifier whose form shows what it is, most likely first; none when it has no such form."""
    for form, read in _FORMS:
        if found := form.fullmatch(text):
            return read(found)
    term = term_id(text)
    return (IdentifierReading("term", "term_id", term),) if term else ()


def _unversioned(version: str | None) -> str | None:
    return f"The version .{version} was left out: IDs in the Catalog have none." if version else None


def _ensembl(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    of_mouse, letter, digits, version, par = found.groups()
    kind, by = _ENSEMBL[letter.upper()]
    stem = f"ENS{of_mouse or ''}{letter}{digits}{par or ''}".upper()
    return (IdentifierReading(kind, by, stem, "mouse" if of_mouse else "human", _unversioned(version)),)


def _uniprot_name(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    organism: Organism = "mouse" if found[2].upper() == "MOUSE" else "human"
    return (IdentifierReading("protein", "uniprot_name", found[0].upper(), organism),)


def _versioned_protein(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    return (IdentifierReading("protein", "protein_id", found[1].upper(), None, _unversioned(found[2])),)


def _reference_snp(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    variant = IdentifierReading("variant", "rsid", f"rs{found[2]}")
    gene = IdentifierReading("gene", "name", found[0])
    if found[1] == "rs":
        return (variant,)
    return (variant, gene) if len(found[2]) >= _LEAST_VARIANT else (gene, variant)


def _allele(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    allele = IdentifierReading("variant", "ca_id", f"CA{found[1]}", "human")
    return (allele,) if len(found[1]) >= _LEAST_ALLELE else (IdentifierReading("gene", "name", found[0]), allele)


def _drug(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    drug = IdentifierReading("drug", "drug_id", f"PA{found[1]}")
    return (drug,) if len(found[1]) >= _LEAST_DRUG else (drug, IdentifierReading("gene", "name", found[0]))


def _pathway(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    return (IdentifierReading("pathway", "pathway_id", f"R-HSA-{found[1]}", None, _unversioned(found[2])),)


def _coding_variant(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    gene, _, change = found[0].partition("_")
    # The service's IDs have these two where its names have > and ? (seen in answers of /variants/coding-variants).
    name = f"{gene}_{change.replace('>', '-').replace('?', '!')}"
    return (IdentifierReading("coding_variant", "coding_variant", name, "human"),)


def place_in(name: str) -> Region | None:
    """Where an element lies that is named after its place, 0-based and half-open there; None for any other name."""
    found = _ELEMENT.fullmatch(name)
    if found is None:
        return None
    chromosome, start, end, assembly = found.groups()
    return read_region(f"{chromosome}:{int(start) + 1}-{end}", _OF_ASSEMBLY[assembly.upper()])


def _element(found: re.Match[str]) -> tuple[IdentifierReading, ...]:
    place_in(found[0])  # refuses one that lies beyond its chromosome
    return (IdentifierReading("element", "element", found[0], _OF_ASSEMBLY[found[4].upper()]),)


def _simple(kind: Kind, by: str, template: str, organism: Organism | None = None) -> Read:
    """A reading whose ID is ``template`` with the groups of the match, in capitals."""
    return lambda found: (
        IdentifierReading(kind, by, template.format(*(group.upper() for group in found.groups())), organism),
    )


def _as_written(kind: Kind, by: str, organism: Organism | None = None) -> Read:
    return lambda found: (IdentifierReading(kind, by, found[0], organism),)


_ENTREZ = r"(?:NCBI[ _-]?Gene|Entrez[ _-]?Gene|Entrez|Gene(?=[ _-]?ID)|NCBI|LocusLink)(?:[ _-]?ID)?"
_FORMS: tuple[tuple[re.Pattern[str], Read], ...] = tuple(
    (re.compile(form, re.IGNORECASE | re.ASCII), read)
    for form, read in (
        (r"ENS(MUS)?([GTP])(\d{11})(?:\.(\d{1,3}))?(_PAR_Y)?", _ensembl),
        (r"HGNC\s*[:_ ]?\s*0*([1-9]\d{0,6})", _simple("gene", "hgnc_id", "HGNC:{0}", "human")),
        (rf"{_ENTREZ}\s*[:=#_ ]\s*0*([1-9]\d{{0,11}})", _simple("gene", "entrez", "ENTREZ:{0}")),
        (r"[A-Z0-9-]+_ENST\d{11}_{1,2}(?:p\.|NC_\d+\.\d+:g\.|c\.).+", _coding_variant),
        (r"\w+_(HOCOMOCOv\d{1,2}|SEMpl)", _as_written("motif", "motif")),
        (_ELEMENT.pattern, _element),
        (r"(IGVFFI\d{4}[A-Z]{4}|ENCFF\d{3}[A-Z]{3})", _simple("dataset", "file_fileset_id", "{0}")),
        (r"(IGVFDS\d{4}[A-Z]{4}|ENCSR\d{3}[A-Z]{3})", _simple("dataset", "fileset_id", "{0}")),
        (r"([A-Z0-9]{1,10})_(HUMAN|MOUSE)", _uniprot_name),
        (
            r"((?:[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})-\d{1,3})(?:\.(\d{1,3}))?",
            _versioned_protein,
        ),
        (r"([OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})\.(\d{1,3})", _versioned_protein),
        (r"([A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){2})", _simple("protein", "protein_id", "{0}")),
        (r"(rs)(\d{1,12})", _reference_snp),
        (r"CA(\d{1,12})", _allele),
        (r"GCST(\d{5,9}(?:_\d{1,6})?)", _simple("study", "study_id", "GCST{0}")),
        (r"(?:NEALE\d?|SAIGE|FINNGEN(?:_R\d+)?)_\w+", _as_written("study", "study_id")),
        (r"R-HSA-(\d{1,9})(?:\.(\d{1,3}))?", _pathway),
        (r"PA(\d{1,12})", _drug),
        (r"CPX-(\d{1,6})", _simple("complex", "complex_id", "CPX-{0}")),
    )
)
