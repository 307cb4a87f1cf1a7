"""Names of what a gene makes and of its alleles, and the names of the gene or protein that they lead to. Pure.

Mature microRNAs are named by organism, number and arm of the hairpin (miRBase: hsa-miR-16-5p), their genes by number
and locus: MIR16-1, MIRLET7A1, Mirlet7a-1. Alleles have a star behind the gene: CYP2D6*4, HLA-A*02:01, which is also
written without HLA.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from biofact.core.kinds import EntityKind

_MICRO_RNA = re.compile(r"(?:([a-z]{3})-)?((?:mir-|let-)\d+[a-z]*)(?:-(\d+))?(?:-[35]p|\*)?", re.IGNORECASE | re.ASCII)
_SPECIES = {"hsa": 9606, "mmu": 10090, "rno": 10116, "dre": 7955, "dme": 7227, "cel": 6239}
"""Taxa of miRBase's prefixes."""
_MOST_LOCI = 12
_HLA_ALLELE = re.compile(r"(?:HLA-)?([A-Z]+\d*)\*\d{2,3}(?::\d{2,3}){0,3}[A-Z]?", re.ASCII)
_STAR_ALLELE = re.compile(r"([A-Z][A-Z0-9]{2,9})\*\d{1,3}[A-Z]?", re.ASCII)
_FIRST_ISOFORM = re.compile(r"(?:UniProt(?:KB)?:)?([A-Z][A-Z0-9]{5,9})-1", re.ASCII)


@dataclass(frozen=True, slots=True)
class NamedForm:
    """A form of entities that have names of their own."""

    names: tuple[str, ...]
    """An accession, or the symbols of genes in any letter case."""
    kind: EntityKind
    remark: str
    """The relation to these entities: ``An allele of``."""

    def is_of(self, label: str, kind: EntityKind) -> bool:
        """Whether an entity that has one of the names is meant: MIR211 is not the locus MIR21-1."""
        return kind != "gene" or label.casefold() in map(str.casefold, self.names)

    def reason(self, labels: Sequence[str]) -> str:
        """Why these entities stand for it."""
        return f"{self.remark} {', '.join(labels)}."


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
        return NamedForm((*([] if locus else [symbol]), *names), "gene", "A microRNA of")
    if match := _FIRST_ISOFORM.fullmatch(text):
        return NamedForm((match[1],), "protein", "The first isoform of")
    if match := _STAR_ALLELE.fullmatch(text) or _HLA_ALLELE.fullmatch(text):
        names = [f"HLA-{match[1]}"] if text.startswith("HLA-") or ":" in text else [match[1], f"HLA-{match[1]}"]
        return NamedForm(tuple(names), "gene", "An allele of")
    return None
