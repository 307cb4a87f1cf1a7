"""Cells that stand for something else than the entity of their name: for nothing, for a name that a spreadsheet
changed, for several names, or for the gene or protein that the name is derived from. Pure.

Mature microRNAs are named by organism, number and arm of the hairpin (miRBase: hsa-miR-16-5p), their genes by number
and locus: MIR16-1, MIRLET7A1, Mirlet7a-1. Alleles have a star behind the gene: CYP2D6*4, HLA-A*02:01, which is also
written without HLA.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from biofact.core.identifiers import is_words
from biofact.core.kinds import EntityKind
from biofact.core.words import fragments
from biofact.identity.cells import is_missing, spreadsheet_cell
from biofact.identity.joining import Leader, Lookup
from biofact.identity.kinds import EXACT_GENE, LikelyKinds, likely_kinds

_MICRO_RNA = re.compile(r"(?:([a-z]{3})-)?((?:mir-|let-)\d+[a-z]*)(?:-(\d+))?(?:-[35]p|\*)?", re.IGNORECASE | re.ASCII)
_SPECIES = {"hsa": 9606, "mmu": 10090, "rno": 10116, "dre": 7955, "dme": 7227, "cel": 6239}
"""Taxa of miRBase's prefixes."""
_MOST_LOCI = 12
_HLA_ALLELE = re.compile(r"(?:HLA-)?([A-Z]+\d*)\*\d{2,3}(?::\d{2,3}){0,3}[A-Z]?", re.ASCII)
_STAR_ALLELE = re.compile(r"([A-Z][A-Z0-9]{2,9})\*\d{1,3}[A-Z]?", re.ASCII)
_FIRST_ISOFORM = re.compile(r"(?:UniProt(?:KB)?:)?([A-Z][A-Z0-9]{5,9})-1", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reading:
    """A cell that may stand for something else than the entity of its name."""

    searched_names: Mapping[str, LikelyKinds]
    """The names to look up for it, as they are written."""
    leader: Callable[[Lookup], Leader | None]
    """The leader of their entities; None where they lead to nothing, and the cell is a name like others."""
    kinds: LikelyKinds | None = None
    """The kinds of the cell itself; None for those that its form shows."""


MISSING_VALUE = Reading({}, lambda _: Leader((), reason="missing value in the file"), LikelyKinds(()))


def read_cell(text: str, kind: EntityKind | None, taxon_id: int | None, *, keep_na: bool) -> Reading | None:
    """The reading of a cell in a column of a kind and an organism; None of a name and of what cannot be read."""
    if not keep_na and is_missing(text):
        return MISSING_VALUE
    if not is_words(text):
        return None
    if kind in {None, "gene"} and (cell := spreadsheet_cell(text)):
        return Reading(dict.fromkeys(cell.readings, EXACT_GENE), cell.leader, EXACT_GENE)
    if form := named_form(text, taxon_id):
        return Reading(dict.fromkeys(form.names, LikelyKinds((form.kind,), is_exact=True)), form.leader)
    return None


def read_in_parts(text: str, kind: EntityKind | None) -> Reading:
    """The reading of a cell that no source knows as a whole."""
    parts = {part: replace(likely_kinds(part, kind), is_exact=True) for part in fragments(text)}
    return Reading(parts, lambda entities: Leader.of_parts({part: entities(part) for part in parts}))


@dataclass(frozen=True, slots=True)
class NamedForm:
    """A form of entities that have names of their own."""

    text: str
    names: tuple[str, ...]
    """An accession, or the symbols of genes in any letter case."""
    kind: EntityKind
    remark: str
    """The relation to these entities: ``An allele of``."""

    def leader(self, entities: Lookup) -> Leader | None:
        """The entity that it is of, or all that it may be of; None where it has a record itself, or they have none."""
        if entities(self.text):
            return None
        found = {owner.lead.id: owner for name in self.names for owner in entities(name)}.values()
        # An alias leads to others: MIR211 is not the locus MIR21-1.
        symbols = [name.casefold() for name in self.names]
        owners = [owner for owner in found if self.kind != "gene" or owner.lead.label.casefold() in symbols]
        reason = f"{self.remark} {', '.join(owner.lead.label for owner in owners)}."
        if len(owners) > 1:
            return Leader((), [owner.written for owner in owners], reason)
        return Leader(owners, reason=reason) if owners else None


def named_form(text: str, taxon_id: int | None) -> NamedForm | None:
    """The form that a name of this organism stands for; None for other names, as of others' microRNAs.

    ``hsa-miR-21-5p``: MIR21 and the loci MIR21-1, MIR21-2 and so on, of which those count that are genes. ``A*02:01``:
    HLA-A. ``CYP2D6*4``: CYP2D6. ``P04637-1``: P04637, as the Catalog has the first isoform under its entry.
    """
    if match := _MICRO_RNA.fullmatch(text):
        prefix, stem, locus = match[1], match[2], match[3]
        if prefix and _SPECIES.get(prefix.lower()) != taxon_id:
            return None
        symbol = f"MIR{stem.lower().removeprefix('mir').replace('-', '')}"
        loci = [locus] if locus else range(1, _MOST_LOCI + 1)
        names = [
            f"{symbol}{mark}{number}" for number in loci for mark in (("-",) if symbol[-1].isdigit() else ("", "-"))
        ]
        return NamedForm(text, (*([] if locus else [symbol]), *names), "gene", "A microRNA of")
    if match := _FIRST_ISOFORM.fullmatch(text):
        return NamedForm(text, (match[1],), "protein", "The first isoform of")
    if match := _STAR_ALLELE.fullmatch(text) or _HLA_ALLELE.fullmatch(text):
        names = [f"HLA-{match[1]}"] if text.startswith("HLA-") or ":" in text else [match[1], f"HLA-{match[1]}"]
        return NamedForm(text, tuple(names), "gene", "An allele of")
    return None
