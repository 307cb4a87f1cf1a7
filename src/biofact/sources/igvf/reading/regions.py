"""Regions of a genome as people write them, read into 1-based, inclusive coordinates. Pure."""

import re
from dataclasses import dataclass
from typing import NoReturn

from biofact.core.errors import AmbiguousQuery, CallTool, Recovery
from biofact.core.identifiers import query_text
from biofact.sources.igvf.reading.genomes import (
    ASSEMBLIES,
    Organism,
    chromosome_named,
    current,
    located,
    older,
)
from biofact.sources.igvf.reading.positions import NotPositions, read_positions
from biofact.sources.igvf.reading.refusals import GET_ENTITY, SEARCH_REGION, asked_as, quoted
from biofact.sources.igvf.reading.variants import read_variant

EXAMPLE = "chr17:43044295-43125364"
LONGEST = 200
"""Characters of a region."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of one chromosome, 1-based and inclusive at both ends."""

    chromosome: str
    """Its plain name: ``17``, ``X``, ``MT``."""
    start: int
    end: int

    @classmethod
    def from_upstream(cls, text: str) -> "Region":
        """From the service's spelling, 0-based and half-open."""
        shown = cls.from_shown(text)
        return cls(shown.chromosome, shown.start + 1, shown.end)

    @classmethod
    def from_shown(cls, text: str) -> "Region":
        """From our own spelling."""
        chromosome, _, positions = text.removeprefix("chr").partition(":")
        start, _, end = positions.partition("-")
        return cls("MT" if chromosome == "M" else chromosome, int(start), int(end))

    def __str__(self) -> str:
        return f"{_prefixed(self.chromosome)}:{self.start}-{self.end}"

    @property
    def upstream(self) -> str:
        """As the service takes it: 0-based and half-open."""
        return f"{_prefixed(self.chromosome)}:{self.start - 1}-{self.end}"

    def reached_from(self, bases: int) -> "Region":
        """With some bases before it: what begins there may reach into it."""
        return Region(self.chromosome, max(1, self.start - bases), self.end)

    @property
    def length(self) -> int:
        """In bases."""
        return self.end - self.start + 1

    def windows(self, size: int) -> list["Region"]:
        """The region in parts of ``size`` bases that follow on each other; the last may be shorter."""
        starts = range(self.start, self.end + 1, size)
        return [Region(self.chromosome, start, min(start + size - 1, self.end)) for start in starts]

    def overlaps(self, other: "Region") -> bool:
        """Whether they have a base in common."""
        return self.chromosome == other.chromosome and self.start <= other.end and other.start <= self.end


_ASSEMBLY = (
    r"grch38|hg38|b38|grch37|hg19|b37|hs37d5|ncbi36|ncbi37|hg18|hg17|grcm39|mm39|grcm38|mm10|grcm37|ncbim37|mm9"
    r"|t2t-chm13(?:v[\d.]+)?|chm13(?:v[\d.]+)?|hs1"
)
_BEFORE = re.compile(rf"(?:chromosome:)?\(?({_ASSEMBLY})(?:\.p\d+)?\)?(?:\s*:\s*|\s+|_(?=chr))", re.IGNORECASE)
_AFTER = re.compile(rf"[\s_]*\(?\b({_ASSEMBLY})(?:\.p\d+)?\)?$", re.IGNORECASE)
_TODAY: dict[str, Organism] = {
    "grch38": "human",
    "hg38": "human",
    "b38": "human",
    "grcm39": "mouse",
    "mm39": "mouse",
}
_STRAND = re.compile(r"(?:\s*:\s*(?:[+-]?1|[+.-])|\s*\(\s*[+.-]\s*\))$")
_SLICE = re.compile(r"([^:]+:[0-9]+):([0-9]+)")  # Ensembl's names of slices: chromosome:GRCh38:17:100:200:1
_CHROMOSOME = r"(?:chromosome|chrom|chr)[\s_.]*(?:[0-9]{1,2}|[XYMxym][Tt]?)"
_IS_CHROMOSOME = re.compile(rf"(?:{_CHROMOSOME}|[0-9]{{1,2}}|[XYM]|MT)\s*:?", re.IGNORECASE)
_WITHOUT_COLON = re.compile(
    rf"((?:{_CHROMOSOME}|[0-9]{{1,2}}(?=[-_][0-9]+[-_])|[XY](?=[-_][0-9])))\s*[-_ ;/]\s*([0-9].*)", re.IGNORECASE
)
_TWO_COLUMNS = re.compile(r"([0-9][0-9,]*) ([0-9][0-9,]*)(?: .*)?")
_LIKE_AN_ID = re.compile(r"[A-Za-z]{2}[\w.:-]*\d|[A-Z][A-Z-]{3}|[A-Za-z]{3} ?[A-Za-z]{2}")
"""A symbol, an accession, a name: shorter text is nobody's, and nothing would be found by it."""
_JOINED = re.compile(r"([0-9,]+[kmb]{0,2})[-_]([0-9,]+[kmb]{0,2})", re.IGNORECASE)
_RANGE = re.compile(r"\s*[0-9][0-9,. _kmbp]*\s*(?:-|\.\.|to)\s*[0-9].*", re.IGNORECASE)
_HGVS_RANGE = re.compile(r"NC_[0-9]+(?:\.[0-9]+)?\s*:\s*[gm]\.\s*[0-9]+(?:[_-][0-9]+)?", re.IGNORECASE)
_BAND = re.compile(r"(?:chr)?(?:[0-9]{1,2}|X|Y)[pq](?:[0-9]{1,2}(?:\.[0-9]{1,3})?|ter|cen)?(?:-.*)?", re.IGNORECASE)
_NUMBERED: dict[Organism, dict[str, str]] = {
    "human": {"23": "X", "24": "Y", "26": "MT"},
    "mouse": {"20": "X", "21": "Y", "23": "MT"},
}
"""PLINK's numbers of the other chromosomes."""


def read_region(text: str, organism: Organism = "human") -> Region:
    """The region that ``text`` spells on the Catalog's assembly of ``organism``.

    Raises:
        AmbiguousQuery: it spells none, or may be read in two ways; ``recovery`` has the one that is obviously meant.
    """
    return _Reader(text, organism).region()


def is_written_like_a_region(text: str) -> bool:
    """Whether ``text`` has a chromosome and, behind a colon, a number; or a chromosome alone."""
    bare = _BEFORE.sub("", query_text(text), count=1)
    left, colon, right = bare.partition(":")
    if re.match(r"\s*(?:g\.\s*)?[0-9]", right) and (_IS_CHROMOSOME.fullmatch(left) or current(left.strip())):
        return True
    without = _WITHOUT_COLON.fullmatch(bare)
    has_positions = without is not None and re.search(r"[0-9]{4}|[0-9][-_ ][0-9]", without[2])  # Chrm-1 is a gene
    is_bare = not colon and (re.fullmatch(_CHROMOSOME, bare, re.IGNORECASE) or has_positions)
    return bool(is_bare) and bare.lower().startswith("chr")


def region_organism(text: str) -> Organism | None:
    """Whose genome a region names by its assembly or accession; None where it leaves that open."""
    plain = query_text(text)
    if found := _BEFORE.match(plain) or _AFTER.search(plain):
        return _TODAY.get(found[1].lower())
    place = located(plain.partition(":")[0].strip())
    return place[0] if place else None


class _Reader:
    """One text on its way to a region; what it says in refusals."""

    def __init__(self, text: str, organism: Organism) -> None:
        self.text = text
        self.organism = organism
        self.assembly = ASSEMBLIES[organism]

    def region(self) -> Region:
        rest = self._without_assembly(query_text(self.text))
        if not rest or len(rest) > LONGEST:
            raise self._refused("is not a region.", f"Expected a form like {EXAMPLE!r}.")
        if not _HGVS_RANGE.fullmatch(rest) and read_variant(rest, self.organism):
            raise self._refused("is a variant, not a region.", f"Call {GET_ENTITY} for it.", asked_as(self.text))
        if re.search(r"[0-9kmb]\s*[,;|+&]?\s+?chr|[;,|]\s*(?:chr|[0-9XYM]{1,2}:)", rest, re.IGNORECASE):
            raise self._refused("has more than one region.", "Ask for one region per call.")
        left, colon, right = rest.partition(":")
        if not colon or not right.strip():
            self._without_colon(rest.rstrip(": "))
        chromosome, is_accession = self._chromosome(left.strip(), right)
        return self._checked(chromosome, *self._positions(chromosome, right, is_accession))

    def _without_assembly(self, text: str) -> str:
        for found in (_BEFORE.match(text), _AFTER.search(text)):
            if found is None:
                continue
            rest = text[: found.start()] + text[found.end() :]
            self._check_assembly(found[1], rest)
            if slice_name := _SLICE.match(rest):
                rest = f"{slice_name[1]}-{slice_name[2]}{rest[slice_name.end() :]}"
            return rest.strip()
        return text

    def _check_assembly(self, name: str, rest: str) -> None:
        whose = _TODAY.get(name.lower())
        if whose == self.organism:
            return
        if whose:
            raise self._refused(
                f"is on {ASSEMBLIES[whose].name}, the {whose} genome; expected {self.assembly.name}.",
                f"Ask with organism {whose!r}.",
                CallTool(SEARCH_REGION, {"region": rest.strip(), "organism": whose}),
            )
        self._other_assembly(name)

    def _other_assembly(self, name: str) -> NoReturn:
        expected = self.assembly.name
        raise self._refused(f"is on {name}; expected {expected}.", f"Lift the region over to {expected} first.")

    def _chromosome(self, left: str, right: str) -> tuple[str, bool]:
        """Its plain name, and whether it is told by accession."""
        if today := current(left):
            return self._by_accession(left, today), True
        if chromosome := chromosome_named(left, self.organism):
            return chromosome, False
        bare = re.sub(r"^(?:chromosome|chrom|chr)[\s_.]*", "", left, flags=re.IGNORECASE)
        if other := _NUMBERED[self.organism].get(bare):
            raise self._refused(
                f"numbers a chromosome; {bare} stands for {other} in PLINK's numbering only.",
                f"Write {_prefixed(other)}.",
                self._asked(f"{_prefixed(other)}:{right.strip()}"),
            )
        if bare == left and not _IS_CHROMOSOME.fullmatch(left) and not _RANGE.fullmatch(right):
            self._not_a_region()
        names = ", ".join(self.assembly.chromosomes)
        raise self._refused(
            f"names no chromosome of {self.assembly.name}.",
            f"Valid are {names}, with or without 'chr'; places on other sequences are not in the Catalog.",
        )

    def _by_accession(self, accession: str, today: str) -> str:
        whose, chromosome = located(today) or (self.organism, "")
        if assembly := older(accession):
            if whose == self.organism:
                self._other_assembly(assembly)
            raise self._refused(f"is on {assembly}; expected {self.assembly.name}.", "Lift the region over first.")
        if "." not in accession:
            raise self._refused(
                f"names a chromosome without the version of its sequence; expected {today}.",
                f"If the region is on {ASSEMBLIES[whose].name}, write {today}.",
            )
        if whose != self.organism:
            raise self._refused(
                f"is on chromosome {chromosome} of {whose}; expected {self.assembly.name}.",
                f"Ask with organism {whose!r}.",
                CallTool(SEARCH_REGION, {"region": self.text, "organism": whose}),
            )
        return chromosome

    def _positions(self, chromosome: str, right: str, is_accession: bool) -> tuple[int, int]:
        written = _STRAND.sub("", right).strip()
        is_hgvs = is_accession and re.match(r"[gm]\.", written) is not None
        written = re.sub(r"^[gm]\.\s*", "", written) if is_hgvs else written
        if columns := re.fullmatch(r"([0-9]{4,}) ([0-9]{4,})", written):
            fixed = f"{_prefixed(chromosome)}:{columns[1]}-{columns[2]}"
            raise self._refused("has a blank between its positions.", f"Write {fixed}.", self._asked(fixed))
        try:
            return read_positions(written, is_hgvs=is_hgvs)
        except NotPositions as error:
            fixed = f"{_prefixed(chromosome)}:{error.fixed}" if error.fixed else ""
            raise self._refused(
                f"is not a region: {error.why}",
                f"{error.hint} A whole region is written like {EXAMPLE!r}.",
                self._asked(fixed) if fixed else None,
            ) from error

    def _checked(self, chromosome: str, start: int, end: int) -> Region:
        name, length = _prefixed(chromosome), self.assembly.chromosomes[chromosome].length
        if start == 0:
            first = self._asked(f"{name}:1-{min(end, length)}") if end else None
            raise self._refused("begins at 0; coordinates are 1-based and inclusive.", "Begin at 1.", first)
        if start > end:
            swapped = f"{name}:{end}-{start}"
            is_one = 1 <= end <= length
            raise self._refused(
                f"ends at {end}, before it begins at {start}.",
                f"The end is the larger one: {swapped}.",
                self._asked(swapped) if is_one and start <= length else None,
            )
        if end > length:
            fitting = f"{name}:{start}-{length}"
            raise self._refused(
                f"reaches behind the end of chromosome {chromosome}, which has {length} bases in {self.assembly.name}.",
                f"End at {length}." if start <= length else f"Check that the positions are on {self.assembly.name}.",
                self._asked(fitting) if start <= length else None,
            )
        return Region(chromosome, start, end)

    def _without_colon(self, text: str) -> NoReturn:
        if _IS_CHROMOSOME.fullmatch(text) and (chromosome := chromosome_named(text, self.organism)):
            length = self.assembly.chromosomes[chromosome].length
            raise self._refused(
                f"is a whole chromosome of {length} bases.",
                f"Name a part of it, such as {_prefixed(chromosome)}:1000000-1100000.",
            )
        if found := _WITHOUT_COLON.fullmatch(text):
            self._colon_missing(found[1], found[2])
        if accession := re.fullmatch(r"(NC_[0-9]{6}\.[0-9]+)\s*(?:[-_ ]\s*([0-9].*))?", text, re.IGNORECASE):
            self._colon_missing(accession[1], accession[2] or "1000-2000")
        self._not_a_region()

    def _colon_missing(self, left: str, right: str) -> NoReturn:
        chromosome = chromosome_named(left, self.organism) or left
        name = _prefixed(chromosome) if chromosome in self.assembly.chromosomes else left
        columns = _TWO_COLUMNS.fullmatch(right)
        if columns:
            start, end = (int(cell.replace(",", "")) for cell in columns.groups())
            raise self._refused(
                "is not a region: its columns may be 0-based as in BED or 1-based.",
                f"Write {name}:{start + 1}-{end} if they are of a BED file, {name}:{start}-{end} if they are 1-based.",
            )
        joined = _JOINED.fullmatch(right)
        fixed = f"{name}:{joined[1]}-{joined[2]}" if joined else f"{name}:{right}" if "-" in right else ""
        raise self._refused(
            "is not a region. Expected a form like 'chr1:1000-2000'; the colon separates the chromosome from the "
            "positions.",
            f"Write {fixed}." if fixed else "Write the chromosome, a colon, and two positions with a hyphen between.",
            self._asked(fixed) if fixed and chromosome in self.assembly.chromosomes else None,
        )

    def _not_a_region(self) -> NoReturn:
        plain = query_text(self.text)
        if _BAND.fullmatch(plain):
            raise self._refused(
                "is a band of a chromosome, not a region.", f"Look up its coordinates, and ask for them: {EXAMPLE!r}."
            )
        could_be_an_id = _LIKE_AN_ID.search(plain) and not re.search(r"[\"'\\`]", plain)
        hint = f"Expected a form like {EXAMPLE!r}."
        if could_be_an_id:
            hint += f" A gene, variant or other entity is asked for with {GET_ENTITY}, which tells where it is."
        raise self._refused("is not a region.", hint, asked_as(plain) if could_be_an_id else None)

    def _asked(self, region: str) -> CallTool:
        others = {} if self.organism == "human" else {"organism": self.organism}
        return CallTool(SEARCH_REGION, {"region": region, **others})

    def _refused(self, why: str, hint: str, recovery: Recovery | None = None) -> AmbiguousQuery:
        return AmbiguousQuery(f"{quoted(self.text)} {why}", hint=hint, invalid_input=self.text, recovery=recovery)


def _prefixed(chromosome: str) -> str:
    return "chrM" if chromosome == "MT" else f"chr{chromosome}"
