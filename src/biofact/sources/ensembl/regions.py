"""Regions of any genome that Ensembl has, as its own addresses write them: ``17:7661779-7661800:-1``. Pure."""

import re
from dataclasses import dataclass
from typing import Literal, Self

from biofact.core.errors import AmbiguousQuery
from biofact.core.identifiers import query_text
from biofact.dialects.genomic.genomes import NotationError, chromosome_of
from biofact.dialects.genomic.regions import read_positions

EXAMPLE = "17:7661779-7661800"
REGION_FORM = r"(?!chr|NC_\d|\d?[a-z]{1,2}:)[A-Za-z0-9][\w.-]*:[1-9]\d{0,9}-[1-9]\d{0,9}(?::-?1)?"
"""Sequence, first and last position counted from 1, and the strand where it is not the forward one."""
_STRAND = re.compile(r"\s*(?::\s*|\()([+-]?)1?\)?$")
_CHR = re.compile(r"(?:chromosome|chrom|chr)[\s_]*", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class EnsemblRegion:
    """A stretch of a chromosome or scaffold, 1-based and inclusive."""

    name: str
    start: int
    end: int
    strand: Literal[1, -1] = 1

    @classmethod
    def of(cls, text: str) -> Self:
        """The region that ``text``, of the one form, spells.

        Raises:
            AmbiguousQuery: it ends before it begins.
        """
        name, positions, *strand = text.split(":")
        start, end = map(int, positions.split("-"))
        region = cls(name, start, end, -1 if strand == ["-1"] else 1)
        if start > end:
            swapped = str(cls(name, end, start, region.strand))
            raise AmbiguousQuery(f"{text!r} ends before it begins.", hint=f"Write {swapped}.", invalid_input=text)
        return region

    def __str__(self) -> str:
        strand = "" if self.strand == 1 else ":-1"
        return f"{self.name}:{self.start}-{self.end}{strand}"

    @property
    def path(self) -> str:
        """As a part of an address of Ensembl's."""
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


def repaired(text: str) -> str | None:
    """The region that ``text`` spells in another way, as ``chr17:7,661,779-7,661,800``; None when it is none."""
    name, colon, positions = query_text(text).partition(":")
    strand = _STRAND.search(positions) if positions.count(":") or positions.endswith(")") else None
    bare = positions[: strand.start()] if strand else positions
    known = chromosome_of(name.strip())
    name = known[1] if known else _CHR.sub("", name.strip())
    try:
        start, end = read_positions(bare.removeprefix("g.") if known else bare)
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
        return EnsemblRegion.of(plain)
    fixed = repaired(plain)
    if fixed is None:
        raise AmbiguousQuery(
            f"{text!r:.120} is not a region.",
            hint=f"Write chromosome, first and last position, counted from 1: {EXAMPLE!r}.",
            invalid_input=text,
        )
    return EnsemblRegion.of(fixed)
