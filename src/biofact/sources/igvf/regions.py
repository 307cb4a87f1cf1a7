"""What lies in a region: genes, transcripts, variants and regulatory elements, asked for side by side."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, cast, get_args

from biofact.core.errors import AmbiguousQuery, RateLimited, UpstreamError
from biofact.core.provenance import Notice
from biofact.sources.igvf import parse, requests
from biofact.sources.igvf.catalog import SPECIES, endpoints
from biofact.sources.igvf.parse.entities import ASSEMBLIES
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.reading.regions import Region
from biofact.sources.igvf.records import Entity, RegionContents, VariantEntity, Window

T = TypeVar("T")
Include = Literal["genes", "transcripts", "variants", "regulatory_elements"]
KINDS: tuple[Include, ...] = get_args(Include)
USUAL: tuple[Include, ...] = ("genes", "variants", "regulatory_elements")
WINDOW = 10_000
"""Bases in which the service looks for variants at once."""
MOST_WINDOWS = 5
"""Of one call: with their counts ten requests, two seconds of the service's budget."""

_PATHS = {"genes": "/genes", "transcripts": "/transcripts", "regulatory_elements": "/genomic-elements"}
_OF_ROWS = {"genes": "gene", "transcripts": "transcript", "regulatory_elements": "element"}
_OLDER = {"human": "GRCh37 (hg19)", "mouse": "GRCm38 (mm10)"}
_FILTERS = ("category", "min_af", "max_af", "af_source")
_USUAL_FREQUENCY = "gnomad_af_total"


@dataclass(frozen=True, slots=True)
class VariantFilters:
    """Which variants of a region are meant."""

    category: str | None = None
    min_af: float | None = None
    max_af: float | None = None
    af_source: str = _USUAL_FREQUENCY

    @property
    def is_by_frequency(self) -> bool:
        """Whether another endpoint is asked, which knows frequencies."""
        return self.min_af is not None or self.max_af is not None

    @classmethod
    def read(cls, given: Mapping[str, object], organism: str) -> "VariantFilters":
        """The filters that a caller wrote.

        Raises:
            AmbiguousQuery: one of them is unknown, cannot be understood, or does not exist for this organism.
        """
        if unknown := [name for name in given if name not in _FILTERS]:
            raise _refused(unknown[0], given, f"Filters of variants: {', '.join(_FILTERS)}.")
        if given and organism != "human":
            raise _refused(next(iter(given)), given, "Only human variants can be filtered.")
        sources = endpoints()["/variants/freq"].parameters["source"]
        source = given.get("af_source", _USUAL_FREQUENCY)
        if source not in sources:
            raise _refused("af_source", given, f"Valid: {', '.join(sources)}.")
        category = given.get("category")
        if category not in {None, "coding", "noncoding"}:
            raise _refused("category", given, "Valid: coding, noncoding.")
        low, high = (_frequency(name, given) for name in ("min_af", "max_af"))
        if low is not None and high is not None and low > high:
            raise _refused("min_af", given, "Give min_af at most as great as max_af.")
        return cls(str(category) if category else None, low, high, str(source))

    def hold(self, variant: VariantEntity) -> bool:
        """Whether a variant is meant. A frequency that is not known is none."""
        if self.category is not None and variant.gencode_category != self.category:
            return False
        if not self.is_by_frequency:
            return True
        told = variant.allele_frequencies.get(self.af_source)
        return told is not None and (self.min_af or 0.0) <= told <= (1.0 if self.max_af is None else self.max_af)


@dataclass(slots=True)
class Part:
    """What one kind of things has in a region; None where it could not be had."""

    entities: list[Entity] | None = None
    windows: list[Window] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Regions:
    """Answers what lies where."""

    ask: IGVFQuestions

    async def contents(
        self, region: Region, organism: str, include: Sequence[Include], filters: VariantFilters, limit: int
    ) -> RegionContents:
        """Up to ``limit`` of each kind.

        Raises:
            UpstreamError, RateLimited: nothing of it could be had.
        """
        asked = [
            self._variants(region, organism, filters, limit)
            if kind == "variants"
            else self._kind(kind, region, organism, limit)
            for kind in include
        ]
        parts: dict[str, Part] = {}
        failures: list[UpstreamError | RateLimited] = []
        for kind, part in zip(include, await asyncio.gather(*map(_told, asked)), strict=True):
            if isinstance(part, Part):
                parts[kind] = part
            else:
                failures.append(part)
                parts[kind] = Part(notices=[Notice(code="LEG_FAILED", message=f"Without {kind}. {part.message}")])
        if len(failures) == len(include):
            raise failures[0]
        return RegionContents(
            region=str(region),
            organism=cast("Literal['human', 'mouse']", organism),
            assembly_name=ASSEMBLIES[organism],
            **{kind: cast("Any", part.entities) for kind, part in parts.items()},
            variant_windows=[window for part in parts.values() for window in part.windows],
            notices=[_assembly(organism), *(notice for part in parts.values() for notice in part.notices)],
        )

    async def _kind(self, kind: str, region: Region, organism: str, limit: int) -> Part:
        path = _PATHS[kind]
        most = requests.page_size(endpoints()[path], limit + 1)
        given = {"region": region.upstream, "organism": SPECIES[organism]}
        rows = await self.ask.rows(path, given, limit=most)
        told = [parse.entity(_OF_ROWS[kind], row, organism) for row in rows]
        found = [one for one in told if _overlaps(one, region)]
        notices = _strangers(kind, len(told) - len(found))
        if len(rows) > limit:
            notices.append(_cut(kind, limit, "by ID, not by place"))
        return Part(sorted(found[:limit], key=_by_place), notices=notices)

    async def _variants(self, region: Region, organism: str, filters: VariantFilters, limit: int) -> Part:
        windows = region.windows(WINDOW)
        chosen = _spread(windows, MOST_WINDOWS)
        told = await asyncio.gather(*(self._window(window, organism, filters, limit) for window in chosen))
        part = Part(entities=[])
        rows = [one for variants, _ in told for one in variants]
        shown = sorted(_shared(rows, [len(variants) for variants, _ in told], limit), key=_by_place)
        part.entities = [*shown]
        part.windows = [
            Window(region=str(window), variant_count=count, listed=sum(_overlaps(one, window) for one in shown))
            for window, (_, count) in zip(chosen, told, strict=True)
        ]
        if len(chosen) < len(windows):
            message = (
                f"Variants are a sample: of {len(windows)} windows of {WINDOW:,} bases {len(chosen)} were looked at."
            )
            part.notices.append(
                Notice(code="LIST_CUT", message=f"{message} Ask for {MOST_WINDOWS * WINDOW:,} bases or less.")
            )
        elif len(rows) > len(shown) or any(len(variants) > limit for variants, _ in told):
            part.notices.append(_cut("variants", limit, "by ID"))
        if organism != "human":
            part.notices.append(Notice(code="NOT_COVERED", message="The service counts human variants only."))
        return part

    async def _window(
        self, window: Region, organism: str, filters: VariantFilters, limit: int
    ) -> tuple[list[VariantEntity], int | None]:
        variants, count = await asyncio.gather(
            self._listed(window, organism, filters, limit), self._count(window, organism)
        )
        return variants, count

    async def _listed(self, window: Region, organism: str, filters: VariantFilters, limit: int) -> list[VariantEntity]:
        path = "/variants/freq" if filters.is_by_frequency else "/variants"
        given = {"region": window.upstream, "organism": SPECIES[organism]}
        if filters.category:
            given["GENCODE_category"] = filters.category
        if filters.is_by_frequency:
            high = 1.0 if filters.max_af is None else filters.max_af
            given |= {"source": filters.af_source, "minimum_af": f"{filters.min_af or 0:g}", "maximum_af": f"{high:g}"}
        rows = await self.ask.rows(path, given, limit=requests.page_size(endpoints()[path], limit + 1))
        told = [parse.entity("variant", row, organism) for row in rows]
        return [one for one in told if isinstance(one, VariantEntity) and _overlaps(one, window) and filters.hold(one)]

    async def _count(self, window: Region, organism: str) -> int | None:
        if organism != "human":
            return None
        told = await self.ask.summary("/variants/region-summary", {"region": window.upstream})
        count = (told or {}).get("variant_count")
        return count if isinstance(count, int) else None


async def _told(leg: Any) -> Part | UpstreamError | RateLimited:
    try:
        return cast(Part, await leg)
    except (UpstreamError, RateLimited) as failure:
        return failure


def _overlaps(one: Entity, region: Region) -> bool:
    """Whether it lies in a region; a variant by its first base, as the service has it."""
    if one.start is None or one.chromosome is None:
        return False
    end = one.start if isinstance(one, VariantEntity) else (one.end or one.start)
    return region.overlaps(Region(one.chromosome, one.start, end))


def _by_place(one: Entity) -> tuple[int, int, str]:
    return one.start or 0, one.end or 0, one.id


def _spread(windows: Sequence[T], most: int) -> list[T]:
    """``most`` of them, evenly from the first to the last."""
    if len(windows) <= most:
        return list(windows)
    return [windows[place * (len(windows) - 1) // (most - 1)] for place in range(most)]


def _shared(rows: Sequence[T], counts: Sequence[int], limit: int) -> list[T]:
    """The rows of several windows, ``counts`` of each, taken in turn up to ``limit``."""
    starts = [sum(counts[:place]) for place in range(len(counts))]
    turns = [(turn, start + turn) for start, count in zip(starts, counts, strict=True) for turn in range(count)]
    return [rows[place] for _, place in sorted(turns)[:limit]]


def _assembly(organism: str) -> Notice:
    message = (
        f"Positions count on {ASSEMBLIES[organism]}, from 1. On {_OLDER[organism]} the same genes lie elsewhere, often "
        "megabases away: lift older coordinates over first."
    )
    return Notice(code="ASSUMED", message=message)


def _cut(kind: str, limit: int, order: str) -> Notice:
    message = f"More than the {limit} {kind.replace('_', ' ')} listed lie there; the service picks {order}."
    return Notice(code="LIST_CUT", message=f"{message} Ask for less, or with a greater limit.")


def _strangers(kind: str, count: int) -> list[Notice]:
    if not count:
        return []
    return [Notice(code="DROPPED", message=f"{count} of {kind} that the service sent lie elsewhere, and are left out.")]


def _frequency(name: str, given: Mapping[str, object]) -> float | None:
    value = given.get(name)
    if value is None:
        return None
    found = re.fullmatch(r"[01]?\.?\d*(?:e-\d+)?", str(value).strip())
    if isinstance(value, bool) or not found or not found[0] or found[0] == "." or not 0 <= float(found[0]) <= 1:
        raise _refused(name, given, f"Give {name} as an allele frequency from 0 to 1.")
    return float(found[0])


def _refused(name: str, given: Mapping[str, object], hint: str) -> AmbiguousQuery:
    message = f"Variants cannot be filtered by {name} {given.get(name)!r:.80}."
    return AmbiguousQuery(message, hint=hint, invalid_input=dict(given))
