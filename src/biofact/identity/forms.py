"""Cells that stand for something else than the entity of their name: for nothing, for a name that a spreadsheet
changed, for several names, or for the gene or protein that the name is derived from. Pure.

Mature microRNAs are named by organism, number and arm of the hairpin (miRBase: hsa-miR-16-5p), their genes by number
and locus: MIR16-1, MIRLET7A1, Mirlet7a-1. Alleles have a star behind the gene: CYP2D6*4, HLA-A*02:01, which is also
written without HLA. Serotypes have a number: HLA-B27. Splice variants and mutants may have a v: CD44v6, EGFRvIII.
"""

import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from biofact.core.identifiers import is_words
from biofact.core.kinds import EntityKind
from biofact.core.quoting import name_list
from biofact.core.words import fragments
from biofact.identity.cells import is_missing, spreadsheet_cell
from biofact.identity.joining import Leader, Lookup
from biofact.identity.kinds import EXACT_GENE, MICRO_RNA, LikelyKinds, likely_kinds

_SPECIES = {"hsa": 9606, "mmu": 10090, "rno": 10116, "dre": 7955, "dme": 7227, "cel": 6239}
"""Taxa of miRBase's prefixes."""
_MOST_LOCI, _MOST_LOCI_OF_FORMER = 12, 4
_MOST_NAMED = 12
_HLA_ALLELE = re.compile(r"(?:HLA-)?([A-Z]+\d*)\*\d{2,3}(?::\d{2,3}){0,3}[A-Z]?", re.ASCII)
_STAR_ALLELE = re.compile(r"([A-Z][A-Z0-9]{2,9})\*\d{1,3}[A-Z]?", re.ASCII)
_SEROTYPE = re.compile(r"HLA-(A|B|C|DR|DQ|DP)w?(\d{1,3})(?:\.\d)?", re.ASCII)
_GENES_OF_SEROTYPES = {
    **{letter: (f"HLA-{letter}",) for letter in "ABC"},
    "DR": ("HLA-DRB1",),
    "DR51": ("HLA-DRB5",),
    "DR52": ("HLA-DRB3",),
    "DR53": ("HLA-DRB4",),
    "DQ": ("HLA-DQA1", "HLA-DQB1"),
    "DP": ("HLA-DPA1", "HLA-DPB1"),
}
"""The genes of HLA's serological antigens: of DR3 the first beta chain, of DQ2 both chains (hla.alleles.org)."""
_VARIANT = re.compile(r"([A-Z][A-Z0-9]{1,9})(?:v|-V)(?:\d{1,2}|[IVX]{1,4})", re.ASCII)
_CONJUNCTIONS = re.compile(r"\s+(?:and|or|und|oder|et|ou)\s+|::|=", re.IGNORECASE)
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
    form = named_form(text, taxon_id)
    return form.reading if form else None


def read_again(text: str, kind: EntityKind | None, taxon_id: int | None) -> Reading:
    """The reading of a name that no source knows: of several microRNAs, or in parts."""
    form = micro_rna(text, taxon_id, is_exact=False)
    return form.reading if form else _in_parts(text, kind)


def _in_parts(text: str, kind: EntityKind | None) -> Reading:
    parts = {
        part: replace(likely_kinds(part, kind), is_exact=True) for part in fragments(_CONJUNCTIONS.sub(" ; ", text))
    }
    return Reading(parts, lambda entities: Leader.of_parts({part: entities(part) for part in parts}))


@dataclass(frozen=True, slots=True)
class NamedForm:
    """A form of entities that have names of their own."""

    names: tuple[str, ...]
    """An accession, or the symbols of genes in any letter case."""
    kind: EntityKind
    remark: str
    """The relation to these entities: ``An allele of``."""
    label: str = r".+"
    """Regular expression of their labels, in any letter case: an alias leads to others, MIR21-1 to MIR211."""

    @property
    def reading(self) -> Reading:
        """The names to look up, and the leader that they lead to."""
        return Reading(dict.fromkeys(self.names, LikelyKinds((self.kind,), is_exact=True)), self._leader)

    def _leader(self, entities: Lookup) -> Leader | None:
        """The entity that it is of, or all that it may be of; None where none is known."""
        by_id = {owner.lead.id: owner for name in self.names for owner in entities(name)}
        owners = [owner for owner in by_id.values() if re.fullmatch(self.label, owner.lead.label, re.IGNORECASE)]
        reason = f"{self.remark} {name_list([owner.lead.label for owner in owners], _MOST_NAMED, 'others')}."
        if len(owners) > 1:
            return Leader((), [owner.written for owner in owners], reason)
        return Leader(owners, reason=reason) if owners else None


def named_form(text: str, taxon_id: int | None) -> NamedForm | None:
    """The form that a name of this organism stands for; None for other names.

    ``A*02:01``: HLA-A. ``CYP2D6*4``: CYP2D6. ``P04637-1``: P04637, under which the Catalog has the first isoform.
    """
    if form := micro_rna(text, taxon_id, is_exact=True):
        return form
    if match := _FIRST_ISOFORM.fullmatch(text):
        return NamedForm((match[1],), "protein", "The first isoform of")
    if match := _SEROTYPE.fullmatch(text):
        names = _GENES_OF_SEROTYPES.get(match[1] + match[2]) or _GENES_OF_SEROTYPES[match[1]]
        return NamedForm(names, "gene", "A serotype of", "|".join(names))
    if match := _VARIANT.fullmatch(text):
        return NamedForm((match[1],), "gene", "A splice variant or mutant of")
    if match := _STAR_ALLELE.fullmatch(text) or _HLA_ALLELE.fullmatch(text):
        alleles = [f"HLA-{match[1]}"] if text.startswith("HLA-") or ":" in text else [match[1], f"HLA-{match[1]}"]
        return NamedForm(tuple(alleles), "gene", "An allele of", "|".join(alleles))
    return None


def micro_rna(text: str, taxon_id: int | None, *, is_exact: bool) -> NamedForm | None:
    """The form of a microRNA of this organism, by its number and letter, or by its number alone; None for other names.

    ``hsa-miR-21-5p``: MIR21 and the loci MIR21-1, MIR21-2 and so on, of which those count that are genes. Not exact:
    former symbols, and those with a letter that the name lacks. ``mmu-miR-92a``: Mir92-1; ``miR-29``: MIR29A, MIR29B1.
    """
    match = MICRO_RNA.fullmatch(text)
    if not match or (match["species"] and _SPECIES.get(match["species"].lower()) != taxon_id):
        return None
    stem, locus = match["stem"].lower(), match["locus"]
    symbol = f"MIR{stem.removeprefix('mir-').replace('-', '')}"
    numbers = [locus] if locus else range(1, _MOST_LOCI + 1)
    loci = _loci(symbol, numbers)
    if is_exact:
        names = (*loci, *(() if locus else (symbol, stem)))
        return NamedForm(names, "gene", "A microRNA of", "|".join(map(re.escape, names)))
    letter = match["letter"].lower()
    symbols = [symbol, symbol.replace("MIR", "MIRN"), *([symbol[:-1]] if letter == "a" else [])]
    if not letter and not locus:
        symbols += [f"{symbol}{mark}" for mark in string.ascii_uppercase]
    names = (stem, *(f"{stem}-{number}" for number in numbers), *symbols)
    further_loci = (name for other in symbols for name in _loci(other, range(1, _MOST_LOCI_OF_FORMER + 1)))
    label = rf"(?:mir-?)?(?:let-?)?{match['number']}(?!hg)[a-z]{{0,2}}(?:-?\d+)?"
    return NamedForm((*names, *further_loci), "gene", "By a former or shorter name, a microRNA of", label)


def _loci(symbol: str, numbers: Iterable[object]) -> list[str]:
    """The symbols of a microRNA's genes: MIR16-1, but MIRLET7A1 of man and Mirlet7a-1 of mouse."""
    return [f"{symbol}{mark}{number}" for number in numbers for mark in (("-",) if symbol[-1].isdigit() else ("", "-"))]
