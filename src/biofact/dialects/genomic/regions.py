"""Regions of a genome as people write them, read into 1-based, inclusive coordinates. Pure."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import NoReturn
from urllib.parse import parse_qsl

from biofact.core import curies
from biofact.core.identifiers import LONGEST_TEXT, query_text
from biofact.dialects.genomic.genomes import (
    ASSEMBLIES,
    NotationError,
    Organism,
    RegionError,
    RegionIsVariant,
    chromosome_name,
    chromosome_of,
    current_accession,
    other_assembly,
)
from biofact.dialects.genomic.variants import is_written_like_a_variant

EXAMPLE = "chr17:43044295-43125364"
LONGEST = 200
"""Characters of a region."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of one chromosome, 1-based and inclusive at both ends."""

    chromosome: str
    """Plain name of the chromosome: ``17``, ``X``, ``MT``."""
    start: int
    end: int

    @classmethod
    def from_half_open(cls, text: str) -> "Region":
        """From ``chr17:43044294-43125364``, 0-based and half-open."""
        region = cls.from_inclusive(text)
        return cls(region.chromosome, region.start + 1, region.end)

    @classmethod
    def from_inclusive(cls, text: str) -> "Region":
        """From ``chr17:43044295-43125364``, 1-based and inclusive, as ``str`` has it."""
        chromosome, _, positions = text.removeprefix("chr").partition(":")
        start, _, end = positions.partition("-")
        return cls("MT" if chromosome == "M" else chromosome, int(start), int(end))

    def __str__(self) -> str:
        return f"{_prefixed(self.chromosome)}:{self.start}-{self.end}"

    @property
    def half_open(self) -> str:
        """0-based and half-open, as BED counts: ``chr17:43044294-43125364``."""
        return f"{_prefixed(self.chromosome)}:{self.start - 1}-{self.end}"

    def extended_before(self, bases: int) -> "Region":
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
"""A symbol, an accession or a name: shorter text identifies nothing."""
_POSITION_PAIR = re.compile(r"([0-9,]+[kmb]{0,2})[-_]([0-9,]+[kmb]{0,2})", re.IGNORECASE)
_RANGE = re.compile(r"\s*[0-9][0-9,. _kmbp]*\s*(?:-|\.\.|to)\s*[0-9].*", re.IGNORECASE)
_HGVS_RANGE = re.compile(r"NC_[0-9]+(?:\.[0-9]+)?\s*:\s*[gm]\.\s*[0-9]+(?:[_-][0-9]+)?", re.IGNORECASE)
_BAND = re.compile(r"(?:chr)?(?:[0-9]{1,2}|X|Y)[pq](?:[0-9]{1,2}(?:\.[0-9]{1,3})?|ter|cen)?(?:-.*)?", re.IGNORECASE)
_PLINK_NUMBERS: dict[Organism, dict[str, str]] = {
    "human": {"23": "X", "24": "Y", "26": "MT"},
    "mouse": {"20": "X", "21": "Y", "23": "MT"},
}
"""PLINK's numbers of the other chromosomes."""


_LOCATION_PAGE = re.compile(r"(?P<host>(?:[\w-]+\.)*)ensembl\.org/(?P<species>\w+)/Location/\w+/?\?(?P<query>[^#]+).*")
_BROWSER_PAGE = re.compile(r"(?:[\w-]+\.)*ucsc\.edu/cgi-bin/hgTracks\?(?P<query>[^#]+).*")
_RANGE_OF_PAGE = re.compile(r"[\w.]+:[0-9,]+-[0-9,]+")
_ASSEMBLY_OF_PAGE = {
    **{(mirror, "homo_sapiens"): ASSEMBLIES["human"].name for mirror in ("", "useast.", "uswest.", "asia.")},
    **{(mirror, "mus_musculus"): ASSEMBLIES["mouse"].name for mirror in ("", "useast.", "uswest.", "asia.")},
    ("grch37.", "homo_sapiens"): "GRCh37",
}
"""Ensembl's, by host and species; an archive does not tell its own."""


@curies.declare_page_reader
def region_of_page(address: str) -> str | None:
    """The region that a page of Ensembl's Location view or UCSC's browser shows, behind its assembly; None of others.

    ``ensembl.org/Homo_sapiens/Location/View?r=17:100-200``: GRCh38 17:100-200.
    """
    address = curies.without_scheme(address) or address
    if match := _BROWSER_PAGE.fullmatch(address):
        parameters = _parameters(match["query"])
        assembly, region = parameters.get("db"), parameters.get("position", "")
    elif match := _LOCATION_PAGE.fullmatch(address):
        assembly = _ASSEMBLY_OF_PAGE.get((match["host"].lower(), match["species"].lower()))
        region = _parameters(match["query"]).get("r", "")
    else:
        return None
    return f"{assembly} {region}" if assembly and _RANGE_OF_PAGE.fullmatch(region) else None


def _parameters(query: str) -> dict[str, str]:
    return dict(parse_qsl(query.replace(";", "&")))


def _plain(text: str) -> str:
    """A region as it is written, or that of the page at an address."""
    plain = query_text(text)
    return region_of_page(plain) or plain


def read_region(text: str, organism: Organism = "human") -> Region:
    """The region that ``text`` spells on today's assembly of ``organism``.

    Raises:
        RegionError: it spells none, or may be read in two ways; ``fixed`` is the one that is obviously meant.
    """
    return _RegionReader(text, organism).region()


def is_written_like_a_region(text: str) -> bool:
    """Whether ``text`` has a chromosome and, behind a colon, a number; or a chromosome alone."""
    if len(text) > LONGEST_TEXT:
        return False
    bare = _BEFORE.sub("", _plain(text), count=1)
    name, colon, positions = bare.partition(":")
    if re.match(r"\s*(?:g\.\s*)?[0-9]", positions) and (
        _IS_CHROMOSOME.fullmatch(name) or current_accession(name.strip())
    ):
        return True
    match = _WITHOUT_COLON.fullmatch(bare)
    has_positions = match is not None and re.search(r"[0-9]{4}|[0-9][-_ ][0-9]", match[2])  # Chrm-1 is a gene
    is_bare = not colon and (re.fullmatch(_CHROMOSOME, bare, re.IGNORECASE) or has_positions)
    return bool(is_bare) and bare.lower().startswith("chr")


def region_organism(text: str) -> Organism | None:
    """The organism of a region that names an assembly or accession, or None for any other region."""
    plain = _plain(text)
    if match := _BEFORE.match(plain) or _AFTER.search(plain):
        return _TODAY.get(match[1].lower())
    chromosome = chromosome_of(plain.partition(":")[0].strip())
    return chromosome[0] if chromosome else None


class _RegionReader:
    """One text on its way to a region."""

    def __init__(self, text: str, organism: Organism) -> None:
        self.text = text
        self.organism = organism
        self.assembly = ASSEMBLIES[organism]

    def region(self) -> Region:
        rest = self._without_assembly(_plain(self.text)) if len(self.text) <= LONGEST_TEXT else ""
        if not rest or len(rest) > LONGEST:
            raise RegionError("is not a region.", f"Expected a form like {EXAMPLE!r}.")
        if not _HGVS_RANGE.fullmatch(rest) and is_written_like_a_variant(rest):
            raise RegionIsVariant("is a variant, not a region.", "Ask for the variant.", entity=self.text)
        if re.search(r"[0-9kmb]\s*[,;|+&]?\s+?chr|[;,|]\s*(?:chr|[0-9XYM]{1,2}:)", rest, re.IGNORECASE):
            raise RegionError("has more than one region.", "Ask for one region per call.")
        name, colon, positions = rest.partition(":")
        if not colon or not positions.strip():
            self._refuse_without_colon(rest.rstrip(": "))
        chromosome, is_accession = self._chromosome(name.strip(), positions)
        return self._valid_region(chromosome, *self._positions(chromosome, positions, is_accession))

    def _without_assembly(self, text: str) -> str:
        for match in (_BEFORE.match(text), _AFTER.search(text)):
            if match is None:
                continue
            rest = text[: match.start()] + text[match.end() :]
            self._check_assembly(match[1], rest)
            if slice_name := _SLICE.match(rest):
                rest = f"{slice_name[1]}-{slice_name[2]}{rest[slice_name.end() :]}"
            return rest.strip()
        return text

    def _check_assembly(self, name: str, rest: str) -> None:
        organism = _TODAY.get(name.lower())
        if organism == self.organism:
            return
        if organism:
            raise RegionError(
                f"is on {ASSEMBLIES[organism].name}, the {organism} genome; expected {self.assembly.name}.",
                f"Ask with organism {organism!r}.",
                rest.strip(),
                organism=organism,
            )
        self._other_assembly(name)

    def _other_assembly(self, name: str) -> NoReturn:
        expected = self.assembly.name
        raise RegionError(f"is on {name}; expected {expected}.", f"Lift the region over to {expected} first.")

    def _chromosome(self, name: str, positions: str) -> tuple[str, bool]:
        """The chromosome's plain name, and whether the text has its accession."""
        if today := current_accession(name):
            return self._by_accession(name, today), True
        if chromosome := chromosome_name(name, self.organism):
            return chromosome, False
        bare = re.sub(r"^(?:chromosome|chrom|chr)[\s_.]*", "", name, flags=re.IGNORECASE)
        if other := _PLINK_NUMBERS[self.organism].get(bare):
            raise RegionError(
                f"numbers a chromosome; {bare} stands for {other} in PLINK's numbering only.",
                f"Write {_prefixed(other)}.",
                f"{_prefixed(other)}:{positions.strip()}",
            )
        if bare == name and not _IS_CHROMOSOME.fullmatch(name) and not _RANGE.fullmatch(positions):
            self._refuse_other_text()
        names = ", ".join(self.assembly.chromosomes)
        raise RegionError(
            f"names no chromosome of {self.assembly.name}.",
            f"Valid are {names}, with or without 'chr'; other sequences are not covered.",
        )

    def _by_accession(self, accession: str, today: str) -> str:
        organism, chromosome = chromosome_of(today) or (self.organism, "")
        if assembly := other_assembly(accession):
            if organism == self.organism:
                self._other_assembly(assembly)
            raise RegionError(f"is on {assembly}; expected {self.assembly.name}.", "Lift the region over first.")
        if "." not in accession:
            raise RegionError(
                f"names a chromosome without the version of its sequence; expected {today}.",
                f"If the region is on {ASSEMBLIES[organism].name}, write {today}.",
            )
        if organism != self.organism:
            raise RegionError(
                f"is on chromosome {chromosome} of {organism}; expected {self.assembly.name}.",
                f"Ask with organism {organism!r}.",
                self.text,
                organism=organism,
            )
        return chromosome

    def _positions(self, chromosome: str, positions: str, is_accession: bool) -> tuple[int, int]:
        positions_text = _STRAND.sub("", positions).strip()
        is_hgvs = is_accession and re.match(r"[gm]\.", positions_text) is not None
        positions_text = re.sub(r"^[gm]\.\s*", "", positions_text) if is_hgvs else positions_text
        if columns := re.fullmatch(r"([0-9]{4,}) ([0-9]{4,})", positions_text):
            region_of_columns = f"{_prefixed(chromosome)}:{columns[1]}-{columns[2]}"
            raise RegionError("has a blank between its positions.", f"Write {region_of_columns}.", region_of_columns)
        try:
            return read_positions(positions_text, is_hgvs=is_hgvs)
        except NotationError as error:
            fixed = f"{_prefixed(chromosome)}:{error.fixed}" if error.fixed else None
            raise RegionError(
                f"is not a region: {error.problem}",
                f"{error.hint} A whole region is written like {EXAMPLE!r}.",
                fixed,
            ) from error

    def _valid_region(self, chromosome: str, start: int, end: int) -> Region:
        name, length = _prefixed(chromosome), self.assembly.chromosomes[chromosome].length
        if start == 0:
            first = f"{name}:1-{min(end, length)}" if end else None
            raise RegionError("begins at 0; coordinates are 1-based and inclusive.", "Begin at 1.", first)
        if start > end:
            region_in_order = f"{name}:{end}-{start}"
            is_one = 1 <= end <= length
            raise RegionError(
                f"ends at {end}, before it begins at {start}.",
                f"The end is the larger one: {region_in_order}.",
                region_in_order if is_one and start <= length else None,
            )
        if end > length:
            region_to_end = f"{name}:{start}-{length}"
            raise RegionError(
                f"reaches behind the end of chromosome {chromosome}, which has {length} bases in {self.assembly.name}.",
                f"End at {length}." if start <= length else f"Check that the positions are on {self.assembly.name}.",
                region_to_end if start <= length else None,
            )
        return Region(chromosome, start, end)

    def _refuse_without_colon(self, text: str) -> NoReturn:
        if _IS_CHROMOSOME.fullmatch(text) and (chromosome := chromosome_name(text, self.organism)):
            length = self.assembly.chromosomes[chromosome].length
            raise RegionError(
                f"is a whole chromosome of {length} bases.",
                f"Name a part of it, such as {_prefixed(chromosome)}:1000000-1100000.",
            )
        if match := _WITHOUT_COLON.fullmatch(text):
            self._refuse_missing_colon(match[1], match[2])
        if accession := re.fullmatch(r"(NC_[0-9]{6}\.[0-9]+)\s*(?:[-_ ]\s*([0-9].*))?", text, re.IGNORECASE):
            self._refuse_missing_colon(accession[1], accession[2] or "1000-2000")
        self._refuse_other_text()

    def _refuse_missing_colon(self, sequence: str, positions: str) -> NoReturn:
        chromosome = chromosome_name(sequence, self.organism) or sequence
        name = _prefixed(chromosome) if chromosome in self.assembly.chromosomes else sequence
        columns = _TWO_COLUMNS.fullmatch(positions)
        if columns:
            start, end = (int(cell.replace(",", "")) for cell in columns.groups())
            raise RegionError(
                "is not a region: its columns may be 0-based as in BED or 1-based.",
                f"Write {name}:{start + 1}-{end} if they are of a BED file, {name}:{start}-{end} if they are 1-based.",
            )
        pair = _POSITION_PAIR.fullmatch(positions)
        fixed = f"{name}:{pair[1]}-{pair[2]}" if pair else f"{name}:{positions}" if "-" in positions else ""
        raise RegionError(
            "is not a region. Expected a form like 'chr1:1000-2000'; the colon separates the chromosome from the "
            "positions.",
            f"Write {fixed}." if fixed else "Write the chromosome, a colon, and two positions with a hyphen between.",
            fixed if fixed and chromosome in self.assembly.chromosomes else None,
        )

    def _refuse_other_text(self) -> NoReturn:
        plain = query_text(self.text)
        if _BAND.fullmatch(plain):
            raise RegionError(
                "is a band of a chromosome, not a region.", f"Look up its coordinates, and ask for them: {EXAMPLE!r}."
            )
        could_be_an_id = _LIKE_AN_ID.search(plain) and not re.search(r"[\"'\\`]", plain)
        raise RegionError(
            "is not a region.", f"Expected a form like {EXAMPLE!r}.", entity=plain if could_be_an_id else ""
        )


def _prefixed(chromosome: str) -> str:
    return "chrM" if chromosome == "MT" else f"chr{chromosome}"


_NUMBER = r"(?:[0-9]{1,3}(?:(?P<mark>[, _])[0-9]{3}(?:(?P=mark)[0-9]{3})*)|[0-9]{1,15})"
_POSITION = re.compile(
    rf"(?P<number>{_NUMBER})(?P<decimals>\.[0-9]{{1,12}})?\s*(?P<unit>bp?|k(?:bp?)?|m(?:bp?)?)?", re.IGNORECASE
)
_RANGE_SIGN = re.compile(r"\s*(?:\.{2,3}|--?|\bto\b|\u2026)\s*", re.IGNORECASE)
_TWO_GROUPS = re.compile(r"([0-9]+)([_: ])([0-9]+)")
_START_AND_END = 2
_THOUSANDS = 3  # digits of a group
_DOTTED = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,4}")
_FACTORS = {"k": 1_000, "m": 1_000_000}


@dataclass(frozen=True, slots=True)
class _Position:
    number: Decimal
    """As written, without its unit."""
    unit: str
    """``k``, ``m`` or empty."""

    @property
    def bases(self) -> Decimal:
        return self.number * _FACTORS.get(self.unit, 1)


def read_positions(text: str, *, is_hgvs: bool = False) -> tuple[int, int]:
    """First and last position of ``1000-2000`` or ``43.04M..43.13M``, in that order; one position twice.

    Raises:
        NotationError: they cannot be understood, or in two ways.
    """
    parts = _parts(text.strip(), is_hgvs)
    start, end = _position(parts[0]), _position(parts[-1])
    if len(parts) > 1:
        _check_units(start, end, text)
    return _whole(start, text), _whole(end, text)


def _parts(text: str, is_hgvs: bool) -> list[str]:
    match = _TWO_GROUPS.fullmatch(text)
    parts = _two_groups(match[1], match[2], match[3], is_hgvs) if match else _RANGE_SIGN.split(text)
    if not text or len(parts) > _START_AND_END or not all(parts):
        raise NotationError(
            "its positions are not a range.", "Write two positions with a hyphen between, as 1000-2000."
        )
    return parts


def _two_groups(first: str, mark: str, second: str, is_hgvs: bool) -> list[str]:
    """Two runs of digits with an underscore, a blank or a colon between: a range or one position."""
    if mark == ":":
        fixed = f"{first}-{second}"
        raise NotationError("a colon stands between its positions.", f"Write {fixed}.", fixed)
    # 12_345 and 12 345 look like one number with its thousands set off; HGVS has no such numbers.
    is_one = len(second) == _THOUSANDS >= len(first) and not is_hgvs
    if is_one and int(first) <= int(second):
        raise NotationError(
            f"{first}{mark}{second} may be the range {first}-{second} or the position {first}{second}.",
            "Write a range with a hyphen, and numbers without separators.",
        )
    return [first, second] if mark == "_" and not is_one else [f"{first}{mark}{second}"]


def _position(text: str) -> _Position:
    match = _POSITION.fullmatch(text)
    if match is None:
        raise _unreadable(text)
    unit = (match["unit"] or "")[:1].lower().replace("b", "")
    if match["decimals"] and not unit:
        raise NotationError(
            f"{text!r} has decimals and no unit.", "Write whole bases (43044295), or a unit behind decimals (43.04M)."
        )
    return _Position(Decimal(re.sub(r"[, _]", "", match["number"]) + (match["decimals"] or "")), unit)


def _unreadable(text: str) -> NotationError:
    if _DOTTED.fullmatch(text):
        return NotationError(f"{text!r} has points in it.", "Write it without, or with commas: 43,044,295.")
    if re.fullmatch(r"[0-9]+,[0-9]{1,2}\s*[km]b?p?", text, re.IGNORECASE):
        return NotationError(f"{text!r} has a decimal comma.", "Write a decimal point: 43.1M.")
    if re.fullmatch(r"[0-9][0-9, _]*", text):
        return NotationError(f"the thousands of {text!r} are not set off by threes.", "Write it without separators.")
    return NotationError(
        f"{text!r} is not a position.", "Write whole bases (43044295), or thousands and millions of them (43.1M, 500k)."
    )


def _whole(position: _Position, text: str) -> int:
    if position.bases != position.bases.to_integral_value():
        raise NotationError(f"{text!r} gives no whole number of bases.", "Write positions in whole bases.")
    return int(position.bases)


def _check_units(start: _Position, end: _Position, text: str) -> None:
    """Refuse what may share one unit: ``43-44M``."""
    if end.unit and not start.unit and start.number <= end.number:
        range_with_units = f"{start.number}{end.unit.upper()}-{end.number}{end.unit.upper()}"
        raise NotationError(
            f"{text!r} leaves open whether the unit is for both positions.",
            f"Write {range_with_units} or {start.number}-{int(end.bases)}.",
        )
    if start.unit and not end.unit and end.bases < start.bases and end.number >= start.number:
        range_with_units = f"{start.number}{start.unit.upper()}-{end.number}{start.unit.upper()}"
        raise NotationError(
            f"{text!r} ends before it begins.", f"Write the unit behind both: {range_with_units}.", range_with_units
        )
