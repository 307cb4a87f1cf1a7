"""What a name may stand for, read from its form. Pure."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from biofact.core.entity_kinds import EntityKind
from biofact.core.provenance import Notice
from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, REGISTRY
from biofact.dialects.genomic.regions import is_written_like_a_region
from biofact.dialects.genomic.variants import is_written_like_a_variant

_UNIPROT = REGISTRY["uniprot"].form.partition(":")[2]
_NUCLEOTIDES = r"[NX][MR]_\d+(?:\.\d+)?"
_FORMS: tuple[tuple[EntityKind, str], ...] = (
    ("gene", rf"(?:{ENSEMBL_GENE})(?:\.\d+)?|(?:NCBIGene|GeneID|EntrezGene|HGNC)[:_ ]\s*(?:HGNC:)?\d+|LOC\d+"),
    ("transcript", rf"(?:{ENSEMBL_TRANSCRIPT})(?:\.\d+)?|{_NUCLEOTIDES}"),
    (
        "protein",
        rf"ENS[A-Z]*P\d{{11}}(?:\.\d+)?|NP_\d+(?:\.\d+)?|(?:UniProt(?:KB)?:)?(?:{_UNIPROT})(?:-\d+)?|\w+_HUMAN",
    ),
    ("compound", r"(?:chembl\.compound:)?CHEMBL:?\d+|[A-Z]{14}-[A-Z]{10}-[A-Z]|InChI=\S+"),
    ("variant", r"rs\d+|CA\d{5,}|NC_\d+\.\d+:\S+"),
    ("disease", r"(?:MONDO|EFO|DOID|ORPHA(?:NET)?|HP|OMIM)[:_]\d+"),
    ("article", r"PMID:?\s*\d+|PMC:?\d+(?:\.\d+)?|(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?10\.\d{4,9}/\S+"),
)
_PATTERNS = tuple((kind, re.compile(form, re.IGNORECASE | re.ASCII)) for kind, form in _FORMS)
_SYMBOL = re.compile(r"(?=\S*[A-Z0-9():\[\]])\S{1,30}")
"""One word with a capital, a digit or a sign: most columns of names are of these."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What to ask for under a name."""

    first: tuple[EntityKind, ...]
    then: tuple[EntityKind, ...] = ()
    """Where none of the first kinds knows the name."""
    is_id: bool = False
    """Its form is that of an ID, and leaves no other kind."""


_WORDS: tuple[EntityKind, ...] = ("compound", "gene", "disease")


def reading(name: str) -> Reading:
    """The kinds that a name of this form may stand for."""
    for kind, pattern in _PATTERNS:
        if pattern.fullmatch(name):
            return Reading((kind,), is_id=True)
    if is_written_like_a_variant(name):
        return Reading(("variant",), is_id=True)
    if is_written_like_a_region(name):
        return Reading(("region",), is_id=True)
    if _SYMBOL.fullmatch(name) and not name.istitle():
        return Reading(("gene",), then=("compound", "disease"))
    return Reading(_WORDS)


def assumed(readings: Iterable[Reading]) -> list[Notice]:
    """Says what names were taken for that nobody said the kind of."""
    counted = Counter(" or ".join(one.first) for one in readings)
    if not counted:
        return []
    listed = ", ".join(f"{count} as {kinds}" for kinds, count in counted.most_common())
    return [Notice(code="ASSUMED", message=f"Names read by their form: {listed}.")]
