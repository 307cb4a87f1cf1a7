"""Symbols and words: what a name without a fixed form may be. Pure."""

import re

from biofact.dialects.genomic.genomes import Organism
from biofact.sources.igvf.identifiers.kinds import IdentifierReading, Kind

_ACCESSION = re.compile(r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9][A-Z][A-Z0-9]{2}[0-9]")
"""UniProt's, in capitals (https://www.uniprot.org/help/accession_numbers)."""
_FAMILY = re.compile(
    r"(?:H2A|H2B|P2R[XY]|P[34]H|[AB][34]G(?:NT|AT|AL)|R3H|E2F|N6AMT|M6PR|C3CER|H[134][CF]|D[0-9](?:H[0-9])?S)[A-Z0-9]+"
)
"""Families of genes, and DNA segments (D6S204), whose symbols are shaped like accessions."""
_PAIR = re.compile(r"[A-Z][0-9][A-Z]{2}.*")
"""What a symbol of that shape looks like: letters behind its first digit."""
_OF_CDNA = re.compile(r"(?i)[0-9]{7}[A-Z][0-9]{2}Rik")
"""Mouse genes named by RIKEN's clones."""
_OF_MOUSE = re.compile(r"[A-Z][a-z]+")
_WORD = re.compile(r"[a-z]{5}")
_CELL_LINES = frozenset(
    ("k562", "a549", "gm12878", "hek293", "hek293t", "hct116", "wtc11", "hues8", "hepg2", "mcf7", "sknsh", "thp1")
)
"""What many experiments of the Catalog are on; none is a symbol."""
_SHORT = 4
_SHORT_CAPITALISED = 5


def names(text: str, organism: Organism | None) -> tuple[IdentifierReading, ...]:
    """What a symbol, or a name in words, may be, most likely first."""
    if accession := _like_an_accession(text):
        return accession
    if " " in text:
        gene = re.fullmatch(r"(\S+) genes?", text, re.IGNORECASE)
        return _by_name(gene[1], "gene") if gene else _by_name(text, "term", "drug", "pathway")
    if _OF_CDNA.fullmatch(text):
        return (IdentifierReading("gene", "name", text, "mouse"),)
    return _by_name(text, *_kinds(text, organism))


def _like_an_accession(text: str) -> tuple[IdentifierReading, ...]:
    """Of what is shaped like a UniProt accession: one in lower case has no mixture of cases."""
    if not _ACCESSION.fullmatch(text.upper()) or text not in (text.upper(), text.lower()):
        return ()
    protein = IdentifierReading("protein", "protein_id", text.upper())
    gene = IdentifierReading("gene", "name", text)
    if _FAMILY.fullmatch(text.upper()):
        return (gene, protein)
    return (protein, gene) if _PAIR.fullmatch(text.upper()) else (protein,)


def _kinds(text: str, organism: Organism | None) -> tuple[Kind, ...]:
    """The kinds that one word may be of, in the order that its letters suggest."""
    if text.lower().replace("-", "") in _CELL_LINES:
        return ("term", "gene")
    if re.search(r"[0-9]", text):
        return _with_digits(text)
    is_mouse = organism == "mouse" and _OF_MOUSE.fullmatch(text)
    is_word = (text.islower() and len(text) > _SHORT) or (_OF_MOUSE.fullmatch(text) and len(text) > _SHORT_CAPITALISED)
    return ("drug", "term", "gene") if is_word and not is_mouse else ("gene", "drug", "term")


def _with_digits(text: str) -> tuple[Kind, ...]:
    is_wordy = _WORD.search(text) is not None
    if text[0].isdigit():
        return ("drug", "term") if is_wordy else ("gene",)
    return ("gene", "drug", "term") if is_wordy and text[0].islower() else ("gene",)


def _by_name(text: str, *kinds: Kind) -> tuple[IdentifierReading, ...]:
    return tuple(IdentifierReading(kind, "name", text) for kind in kinds)
