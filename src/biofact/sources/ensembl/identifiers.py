"""The ID kinds that the strict tools take, and where an ID of another kind belongs."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Self

from biofact.core import identifiers, xrefs
from biofact.core.errors import AmbiguousQuery, ToolRef
from biofact.core.identifiers import ForeignId, IdKind, query_text
from biofact.core.words import without_generic
from biofact.dialects.genomic.genomes import NotationError, chromosome_of
from biofact.dialects.genomic.regions import read_positions, region_of_page

Kind = Literal["Gene", "Transcript", "Translation"]
PARENTS: dict[Kind, tuple[Kind, ...]] = {
    "Gene": (),
    "Transcript": ("Gene",),
    "Translation": ("Transcript", "Gene"),
}
"""The records between a product and its gene, by kind."""

_ENSEMBL_PREFIX = r"(?:ENS[A-Z]*|MGP_[A-Za-z0-9]+_)"  # Ensembl's own IDs, which have versions
GENE_FORM = rf"{xrefs.ENSEMBL_GENE}|{_ENSEMBL_PREFIX}G\d{{7,11}}\.\d{{1,3}}|LRG_\d+"
"""The pattern of a whole gene ID."""
TRANSCRIPT_FORM = rf"{xrefs.ENSEMBL_TRANSCRIPT}|{_ENSEMBL_PREFIX}T\d{{7,11}}\.\d{{1,3}}|LRG_\d+t\d+"
"""The pattern of a whole transcript ID: worms' are named by clone, yeast's after their gene."""

PROTEIN_FORM = rf"{_ENSEMBL_PREFIX}P\d{{7,11}}(?:\.\d{{1,3}})?|FBpp\d{{7}}|LRG_\d+p\d+"
"""The pattern of a whole protein ID."""

_SHARED_FORM = rf"{xrefs.YEAST}|{xrefs.OF_WORM}"
"""IDs of proteins that are a gene's too, in yeast, or a transcript's, in worm. By its form such an ID is the other."""

_PUNCTUATION = " ()[]<>\"'.,;?!#"
_PREFIX = re.compile(r"^(?:(?:ensembl|gene|transcript|protein|id)+(?:\s*[:#=]\s*|\s+))+", re.IGNORECASE)
_SUFFIX = re.compile(r"(?P<version>\.\d{1,3})?(?:_PAR_Y)?$")
_WORM = re.compile(xrefs.OF_WORM, re.IGNORECASE | re.ASCII)
_SPELLINGS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(form, re.IGNORECASE | re.ASCII), canonical)
    for form, canonical in (
        (r"ENS[A-Z]*[GTP]\d{11}", lambda match: match[0].upper()),
        (r"MGP_[A-Za-z0-9]+_[GTP]\d{7}", lambda match: match[0]),
        (r"FB(gn|tr|pp)(\d{7})", lambda match: f"FB{match[1].lower()}{match[2]}"),
        (r"WBGene(\d{8})", lambda match: f"WBGene{match[1]}"),
        (r"LRG_(\d+(?:[tp]\d+)?)", lambda match: f"LRG_{match[1].lower()}"),
        (rf"({xrefs.YEAST})(_mRNA)?", lambda match: match[1].upper() + ("_mRNA" if match[2] else "")),
    )
)
"""The kinds there are, in any letter case, and the canonical spelling of each."""


def parse_stable_id(text: str) -> tuple[str, str | None] | None:
    """The stable ID that ``text`` is, in Ensembl's spelling, and its version; None when it is something else."""
    spelling = _PREFIX.sub("", without_generic(text.strip(_PUNCTUATION)))
    if _WORM.fullmatch(spelling):
        clone, _, rest = spelling.partition(".")
        is_named_so = re.fullmatch(r"ctel(\w+)", clone, re.IGNORECASE)
        return f"{f'cTel{is_named_so[1].upper()}' if is_named_so else clone.upper()}.{rest.lower()}", None
    suffix = _SUFFIX.search(spelling)
    version = suffix["version"] if suffix else None
    stem = spelling[: suffix.start()] if suffix else spelling
    for form, canonical in _SPELLINGS:
        if match := form.fullmatch(stem):
            return canonical(match), version[1:] if version else None
    return None


def kind_of(stable_id: str) -> Kind:
    """The kind of record that a stable ID names, by its form."""
    if re.fullmatch(TRANSCRIPT_FORM, stable_id, re.ASCII):
        return "Transcript"
    return "Gene" if re.fullmatch(GENE_FORM, stable_id, re.ASCII) else "Translation"


def stable_id_of_kind(text: str, kind: Kind) -> str | None:
    """The stable ID that ``text`` is, if it names a record of this kind, alone or beside one of another kind."""
    parsed_id = parse_stable_id(text)
    if parsed_id is None:
        return None
    is_protein = kind == "Translation" and re.fullmatch(_SHARED_FORM, parsed_id[0], re.ASCII)
    return parsed_id[0] if is_protein or kind_of(parsed_id[0]) == kind else None


def bare(stable_id: str) -> str:
    """A stable ID without its version, and without the dot that Ensembl sends where there is no version."""
    stem, dot, version = stable_id.rpartition(".")
    is_versioned = version.isdecimal() and stem.startswith(("ENS", "MGP_"))
    return stem if is_versioned or (dot and not version) else stable_id


EXAMPLE = "17:7661779-7661800"
REGION_FORM = r"(?!chr|C[Hh][Rr](?!_)|NC_\d|\d?[a-z]{1,2}:)[A-Za-z0-9][\w.-]*:[1-9]\d{0,9}-[1-9]\d{0,9}(?::-?1)?"
"""Sequence, first and last position counted from 1, and the strand where it is not the forward one."""
_STRAND = re.compile(r"\s*(?::\s*|\()([+-]?)1?\)?$")
_CHR = re.compile(r"^(?!(?-i:CHR_H))(?:chromosome|chrom|chr)[\s_]*", re.IGNORECASE)  # CHR_HSCHR6_… is a patch
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class EnsemblRegion:
    """A stretch of a chromosome or scaffold, 1-based and inclusive."""

    name: str
    start: int
    end: int
    strand: Literal[1, -1] = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """The region that ``text``, of the one form, spells.

        Raises:
            AmbiguousQuery: it ends before it begins.
        """
        name, positions, *strand = text.split(":")
        start, end = map(int, positions.split("-"))
        region = cls(name, start, end, -1 if strand == ["-1"] else 1)
        if start > end:
            swapped_region = str(cls(name, end, start, region.strand))
            raise AmbiguousQuery(
                f"{text!r} ends before it begins.", hint=f"Write {swapped_region}.", invalid_input=text
            )
        return region

    def __str__(self) -> str:
        strand = "" if self.strand == 1 else ":-1"
        return f"{self.name}:{self.start}-{self.end}{strand}"

    @property
    def path(self) -> str:
        """The region as a part of an Ensembl address."""
        return f"{self.name}:{self.start}..{self.end}:{self.strand}"

    @property
    def length(self) -> int:
        """In bases."""
        return self.end - self.start + 1

    def part(self, first: int, last: int) -> "EnsemblRegion":
        """From one letter of its sequence to another, counted from 1 along its strand."""
        if self.strand == 1:
            return EnsemblRegion(self.name, self.start + first - 1, self.start + last - 1)
        return EnsemblRegion(self.name, self.end - last + 1, self.end - first + 1, -1)


_DEFAULT_ASSEMBLY = ("GRCh38 ", "hg38 ")


def normalise_region(text: str) -> str | None:
    """The region that ``text`` spells in another way, as ``chr17:7,661,779-7,661,800``; None when it is none."""
    page_region = region_of_page(query_text(text))
    if page_region and not page_region.startswith(_DEFAULT_ASSEMBLY):
        return None  # the region of another species or assembly is another one
    plain = page_region.partition(" ")[2] if page_region else query_text(text)
    name, colon, positions = plain.partition(":")
    strand = _STRAND.search(positions) if positions.count(":") or positions.endswith(")") else None
    bare = positions[: strand.start()] if strand else positions
    chromosome = chromosome_of(name.strip())
    name = chromosome[1] if chromosome else _CHR.sub("", name.strip())
    is_hgvs = chromosome is not None and bare.startswith("g.")
    try:
        start, end = read_positions(bare.removeprefix("g.") if chromosome else bare, is_hgvs=is_hgvs)
    except NotationError:
        return None
    if not colon or not _NAME.fullmatch(name) or name.startswith("NC_") or not 1 <= start <= end:
        return None
    name = "MT" if name.upper() == "M" else name.upper() if len(name) <= 2 else name  # noqa: PLR2004  # x, 2l, mt
    return str(EnsemblRegion(name, start, end, -1 if strand and strand[1] == "-" else 1))


def read_region(text: str) -> EnsemblRegion:
    """The region that ``text`` spells, in the one form or another that leaves no doubt.

    Raises:
        AmbiguousQuery: it spells none.
    """
    plain = query_text(text)
    if re.fullmatch(REGION_FORM, plain, re.ASCII):
        return EnsemblRegion.parse(plain)
    fixed = normalise_region(plain)
    if fixed is None:
        raise AmbiguousQuery(
            f"{text!r:.120} is not a region.",
            hint=f"Write chromosome, first and last position, counted from 1: {EXAMPLE!r}.",
            invalid_input=text,
        )
    return EnsemblRegion.parse(fixed)


SEARCH = ToolRef("ensembl", "search_genes")
GET_GENE = ToolRef("ensembl", "get_gene")
GET_TRANSCRIPT = ToolRef("ensembl", "get_transcript")
BATCH = ToolRef("ensembl", "get_genes_batch")
GET_HOMOLOGUES = ToolRef("ensembl", "get_homologues")


def _of_form(text: str, form: str) -> str | None:
    """The stable ID that ``text`` is in some other spelling, if it has this form."""
    parsed_id = parse_stable_id(text)
    return parsed_id[0] if parsed_id and re.fullmatch(form, parsed_id[0], re.ASCII) else None


def _as_query(text: str) -> str:
    parsed_id = parse_stable_id(text)
    return parsed_id[0] if parsed_id else text.strip()


def _declare(name: str, form: str, example: str, foreign_id: ForeignId) -> IdKind:
    return identifiers.declare(
        IdKind(
            name,
            form,
            example,
            SEARCH,
            repair=lambda text: _of_form(text, form),
            query=_as_query,
            foreign_ids=(foreign_id,),
        )
    )


_GENE, _TRANSCRIPT = "Ensembl gene ID", "Ensembl transcript ID"


def _normalise(text: str) -> str | None:
    """The stable ID or the region that ``text`` is in some other spelling."""
    return _of_form(text, f"{GENE_FORM}|{TRANSCRIPT_FORM}|{PROTEIN_FORM}") or normalise_region(text)


SEQUENCE_OF = identifiers.declare(
    IdKind(
        "Ensembl ID or region",
        f"{GENE_FORM}|{TRANSCRIPT_FORM}|{PROTEIN_FORM}|{REGION_FORM}",
        "ENST00000269305",
        SEARCH,
        repair=_normalise,
        query=_as_query,
        strict=(ToolRef("ensembl", "get_sequence"), "id_or_region"),
    )
)
"""An ID of a record that has a sequence, or a region."""

GENE_ID = _declare(
    _GENE, GENE_FORM, "ENSG00000141510", ForeignId(TRANSCRIPT_FORM, _TRANSCRIPT, GET_TRANSCRIPT, "transcript_id")
)
TRANSCRIPT_ID = _declare(
    _TRANSCRIPT, TRANSCRIPT_FORM, "ENST00000269305", ForeignId(GENE_FORM, _GENE, GET_GENE, "ensembl_id")
)
