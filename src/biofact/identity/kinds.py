"""The kinds of entity that a name may stand for, by its form. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from biofact.core.identifiers import is_letter, is_unreadable_address
from biofact.core.kinds import EntityKind
from biofact.core.records import Notice
from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, OF_WORM, REGISTRY
from biofact.dialects.genomic.regions import is_written_like_a_region
from biofact.dialects.genomic.variants import is_written_like_a_variant

_UNIPROT_ACCESSION = REGISTRY["uniprot"].form.partition(":")[2]
_SPECIES = "HUMAN|MOUSE|RAT|DANRE|DROME|CAEEL|YEAST"
_REFSEQ = r"(?:RefSeq:)?"
MICRO_RNA = re.compile(
    r"(?:(?P<species>[a-z]{3})-)?(?P<stem>(?:mir-|let-)(?P<number>\d+)(?P<letter>[a-z]*))"
    r"(?:-(?P<locus>\d+))?(?:-[35]p|\*)?",
    re.IGNORECASE | re.ASCII,
)
"""A mature microRNA or its hairpin: hsa-miR-16-5p, miR-16-1."""
_KINDS_BY_FORM: tuple[tuple[tuple[EntityKind, ...], str], ...] = (
    (
        ("gene",),
        (
            rf"(?:{ENSEMBL_GENE})(?:\.\d+)?|(?:NCBIGene|GeneID|EntrezGene|HGNC)[:_ ]\s*(?:HGNC:)?\d+|LOC\d+"
            r"|(?:MGI|RGD|ZFIN|SGD):\S+"
        ),
    ),
    (("gene",), r"(?-i:R[Ss])\d{1,2}"),  # RS1 is retinoschisin, rs1 a variant
    (("variant", "gene"), r"(?-i:R[Ss])\d+"),
    (("gene", "transcript"), OF_WORM),  # as are names of clones that are genes' aliases: OR1.5.10
    (("transcript",), rf"(?:{ENSEMBL_TRANSCRIPT})(?:\.\d+)?|{_REFSEQ}[NX][MR]_\d+(?:\.\d+)?"),
    (
        ("protein",),
        (
            rf"ENS[A-Z]*P\d{{11}}(?:\.\d+)?|{_REFSEQ}[NX]P_\d+(?:\.\d+)?|UniProt(?:KB)?:\s*(?:{_UNIPROT_ACCESSION})(?:[.-]\d+)?"
            rf"|(?:{_UNIPROT_ACCESSION})-\d+|[OPQ]\d{{5}}|[A-Z0-9]{{1,10}}_(?:{_SPECIES})"
        ),
    ),
    (
        ("gene", "protein"),
        rf"(?:{_UNIPROT_ACCESSION})(?:\.\d+)?",
    ),  # B3GAT1 and P2RY11 are symbols in the form of accessions
    (
        ("compound",),
        (
            r"(?:chembl\.compound:)?CHEMBL:?\d+|[A-Z]{14}-[A-Z]{10}-[A-Z]|InChI=\S+"
            r"|(?:DrugBank|PUBCHEM\.COMPOUND|CHEBI|CAS|KEGG|UNII|HMDB|DRUGCENTRAL|GTOPDB):\S+|DTXSID\d+"
        ),
    ),
    (("variant",), r"rs\d+|CA\d{5,}"),
    (("disease",), r"(?:MONDO|EFO|DOID|ORPHA(?:NET)?|HP|O?MIM)[:_]\d+|(?:MESH|UMLS|ICD[\w-]*|SNOMED\w*):\S+"),
    (
        ("article",),
        (
            r"(?:PMID|PubMed)[:#]?\s*\d+|(?:PMCID:\s*)?PMC:?\s*\d{3,}(?:\.\d+)?"
            r"|(?:doi\s*:?\s*)?10\.\d{4,9}/\S+"
        ),
    ),
)
_READERS: tuple[tuple[tuple[EntityKind, ...], Callable[[str], object]], ...] = (
    ((), is_unreadable_address),
    *((kinds, re.compile(form, re.IGNORECASE | re.ASCII).fullmatch) for kinds, form in _KINDS_BY_FORM),
    (("gene",), is_letter),
    (("gene",), MICRO_RNA.fullmatch),
    (("variant",), is_written_like_a_variant),
    (("region",), is_written_like_a_region),
)
"""Kinds, and whether a name is of their form; the first that it has counts."""
_SYMBOL = re.compile(r"(?=\S*[A-Z0-9():\[\]])\S{1,30}")
"""One word with a capital, a digit or a sign, as most names in columns are. A word with a capital in front may
begin a sentence: Imatinib."""

_CODE = re.compile(r"[A-Z]{2,}\d+[A-Z]{0,2}", re.IGNORECASE | re.ASCII)
"""Letters with a number, as compounds under research have them: AZD6244. To look a disease up takes six requests."""


@dataclass(frozen=True, slots=True)
class LikelyKinds:
    """The kinds of entity to search for under a name."""

    first: tuple[EntityKind, ...]
    fallback: tuple[EntityKind, ...] = ()
    """The kinds to search for where there is no hit of the first kinds; none of either for an unreadable address."""
    is_exact: bool = False
    """Whether it is looked up as it is written, and not searched for by words."""


EXACT_GENE = LikelyKinds(("gene",), is_exact=True)
OF_WORDS: tuple[EntityKind, ...] = ("compound", "gene", "disease")
"""Kinds that have names of plain words."""


def likely_kinds(name: str, kind: EntityKind | None = None) -> LikelyKinds:
    """The kinds that a name may stand for: by its form, where the caller names none."""
    if kind and not is_unreadable_address(name):
        return LikelyKinds((kind,))
    for kinds, has_form in _READERS:
        if has_form(name):
            return LikelyKinds(kinds)
    if _SYMBOL.fullmatch(name) and not (name.istitle() and name.isalpha()):
        return LikelyKinds(("gene",), fallback=("compound",) if _CODE.fullmatch(name) else ("compound", "disease"))
    return LikelyKinds(OF_WORDS)


def assumption_notices(likely_kinds: Iterable[LikelyKinds]) -> list[Notice]:
    """A notice with the kinds inferred for names given without one."""
    counts = Counter(" or ".join(kinds.first) for kinds in likely_kinds if kinds.first and not kinds.is_exact)
    if not counts:
        return []
    summary = ", ".join(f"{count} as {kinds}" for kinds, count in counts.most_common())
    return [Notice(code="ASSUMED", message=f"Names read by their form: {summary}.")]
