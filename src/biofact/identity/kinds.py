"""What a name may stand for, read from its form. Pure."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from biofact.core.entity_kinds import EntityKind
from biofact.core.provenance import Notice
from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, OF_WORM, REGISTRY
from biofact.dialects.genomic.regions import is_written_like_a_region
from biofact.dialects.genomic.variants import is_written_like_a_variant

_UNIPROT = REGISTRY["uniprot"].form.partition(":")[2]
_SPECIES = "HUMAN|MOUSE|RAT|DANRE|DROME|CAEEL|YEAST"
_REFSEQ = r"(?:RefSeq:)?"
_FORMS: tuple[tuple[tuple[EntityKind, ...], str], ...] = (
    (("gene",), rf"(?:{ENSEMBL_GENE})(?:\.\d+)?|(?:NCBIGene|GeneID|EntrezGene|HGNC)[:_ ]\s*(?:HGNC:)?\d+|LOC\d+"),
    (("gene",), r"(?-i:R[Ss])\d{1,2}"),  # RS1 is retinoschisin, rs1 a variant
    (("variant", "gene"), r"(?-i:R[Ss])\d+"),
    (("gene", "transcript"), OF_WORM),  # as are names of clones that are genes' aliases: OR1.5.10
    (("transcript",), rf"(?:{ENSEMBL_TRANSCRIPT})(?:\.\d+)?|{_REFSEQ}[NX][MR]_\d+(?:\.\d+)?"),
    (
        ("protein",),
        (
            rf"ENS[A-Z]*P\d{{11}}(?:\.\d+)?|{_REFSEQ}[NX]P_\d+(?:\.\d+)?|UniProt(?:KB)?:\s*(?:{_UNIPROT})(?:[.-]\d+)?"
            rf"|(?:{_UNIPROT})-\d+|[OPQ]\d{{5}}|[A-Z0-9]{{1,10}}_(?:{_SPECIES})"
        ),
    ),
    (("gene", "protein"), rf"(?:{_UNIPROT})(?:\.\d+)?"),  # B3GAT1 and P2RY11 are symbols in the form of accessions
    (("compound",), r"(?:chembl\.compound:)?CHEMBL:?\d+|[A-Z]{14}-[A-Z]{10}-[A-Z]|InChI=\S+"),
    (("variant",), r"rs\d+|CA\d{5,}"),
    (("disease",), r"(?:MONDO|EFO|DOID|ORPHA(?:NET)?|HP|O?MIM)[:_]\d+|(?:MESH|UMLS|ICD[\w-]*|SNOMED\w*):\S+"),
    (
        ("article",),
        (
            r"(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/(?:pubmed|pmc/articles)"
            r"|pmc\.ncbi\.nlm\.nih\.gov/articles)/\S+|(?:PMID|PubMed)[:#]?\s*\d+|(?:PMCID:\s*)?PMC:?\s*\d{3,}(?:\.\d+)?"
            r"|(?:(?:https?://)?(?:dx\.)?doi\.org/|doi\s*:?\s*)?10\.\d{4,9}/\S+"
        ),
    ),
)
_PATTERNS = tuple((kinds, re.compile(form, re.IGNORECASE | re.ASCII)) for kinds, form in _FORMS)
_SYMBOL = re.compile(r"(?=\S*[A-Z0-9():\[\]])\S{1,30}")
"""One word with a capital, a digit or a sign: most columns of names are of these. A word with a capital in front may
begin a sentence: Imatinib."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What to ask for under a name."""

    first: tuple[EntityKind, ...]
    then: tuple[EntityKind, ...] = ()
    """Where none of the first kinds knows the name."""


_WORDS: tuple[EntityKind, ...] = ("compound", "gene", "disease")


def reading(name: str) -> Reading:
    """The kinds that a name of this form may stand for."""
    for kinds, pattern in _PATTERNS:
        if pattern.fullmatch(name):
            return Reading(kinds)
    if is_written_like_a_variant(name):
        return Reading(("variant",))
    if is_written_like_a_region(name):
        return Reading(("region",))
    if _SYMBOL.fullmatch(name) and not (name.istitle() and name.isalpha()):
        return Reading(("gene",), then=("compound", "disease"))
    return Reading(_WORDS)


def assumed(readings: Iterable[Reading]) -> list[Notice]:
    """Says what names were taken for that nobody said the kind of."""
    counted = Counter(" or ".join(one.first) for one in readings)
    if not counted:
        return []
    listed = ", ".join(f"{count} as {kinds}" for kinds, count in counted.most_common())
    return [Notice(code="ASSUMED", message=f"Names read by their form: {listed}.")]
