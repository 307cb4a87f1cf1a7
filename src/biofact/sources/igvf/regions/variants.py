"""Variants of a region: in the windows that the service takes, a few of many for a long region."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from biofact.core.provenance import Notice, without
from biofact.dialects.genomic.genomes import Organism
from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf import requests
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.questions import FAILURES, Failure, IGVFQuestions
from biofact.sources.igvf.records import VariantEntity, VariantWindow
from biofact.sources.igvf.regions import notices
from biofact.sources.igvf.regions.filters import VariantFilters
from biofact.sources.igvf.regions.parts import RegionPart, by_place
from biofact.sources.igvf.spans import REACH, overlaps

T = TypeVar("T")

WINDOW = 10_000
"""Bases in which variants are looked for at once: the longest that their endpoint is declared to take."""
_MOST = 500  # rows: those that begin before a region leave none of its own out
MOST_WINDOWS = 5
"""Of one call: with their counts ten requests, two seconds of the service's budget."""


@dataclass(slots=True)
class _WindowVariants:
    """The variants of one window."""

    region: Region
    variants: list[VariantEntity]
    is_cut: bool
    """It has more."""
    dropped: int
    """Rows that lie elsewhere, or miss a filter."""
    count: int | None = None
    """Of all variants, by the service."""
    failure: Failure | None = field(default=None)
    """Of the count."""


@dataclass(frozen=True, slots=True)
class RegionVariants:
    """Lists the variants of regions."""

    questions: IGVFQuestions
    organism: Organism
    filters: VariantFilters
    limit: int

    async def within(self, region: Region) -> RegionPart:
        """Up to ``limit`` of a region, from all its windows in turn."""
        windows = region.windows(math.ceil(region.length / math.ceil(region.length / WINDOW)))  # of equal length
        chosen = spread(windows, MOST_WINDOWS)
        before = REACH if len(windows) == 1 and region.length + REACH <= WINDOW else 0
        seen = await asyncio.gather(*(self._window(window, before) for window in chosen))
        shown = sorted(interleaved([one.variants for one in seen])[: self.limit], key=by_place)
        found = [
            VariantWindow(
                region=str(one.region), variant_count=one.count, listed=sum(overlaps(v, one.region) for v in shown)
            )
            for one in seen
        ]
        return RegionPart([*shown], found, self._notices(seen, len(shown), len(windows)))

    async def _window(self, window: Region, before: int) -> _WindowVariants:
        seen, count = await asyncio.gather(self._listed(window, before), self._count(window))
        if isinstance(count, Failure):
            seen.failure = count
        else:
            seen.count = count
        return seen

    async def _listed(self, window: Region, before: int) -> _WindowVariants:
        """The variants of a window, and those that begin a few bases before it and reach into it."""
        path = "/variants/freq" if self.filters.is_by_frequency else "/variants"
        size = requests.page_size(endpoints()[path], _MOST if before else self.limit + 1)
        searched = window.reached_from(before)
        given = {"region": searched.half_open, **self.filters.query_parameters()}
        found = await self.questions.entities(path, given, self.organism, limit=size)
        near = [one for one in found if isinstance(one, VariantEntity) and overlaps(one, searched)]
        answers = [one for one in near if self.filters.accept(one)]
        kept = [one for one in answers if overlaps(one, window)]
        is_cut = len(found) == size or len(kept) > self.limit
        return _WindowVariants(window, kept, is_cut=is_cut, dropped=len(found) - len(answers))

    async def _count(self, window: Region) -> int | Failure | None:
        """How many variants a window has; a count that fails takes no variants with it."""
        if self.organism != "human":
            return None
        try:
            summary = await self.questions.summary("/variants/region-summary", {"region": window.half_open})
        except FAILURES as failure:
            return failure
        count = (summary or {}).get("variant_count")
        return count if isinstance(count, int) else None

    def _notices(self, seen: Sequence[_WindowVariants], shown: int, windows: int) -> list[Notice]:
        found = notices.dropped("variants", sum(one.dropped for one in seen))
        if len(seen) < windows:
            found.append(notices.sampled(windows, len(seen), WINDOW))
        if any(one.is_cut for one in seen) or sum(len(one.variants) for one in seen) > shown:
            found.append(notices.cut("variants", self.limit, "by ID"))
        if failures := [one.failure for one in seen if one.failure]:
            found.append(without("counts of variants", failures[0].message))
        if self.organism != "human":
            found.append(Notice(code="NOT_COVERED", message="The service counts human variants only."))
        return found


def spread(windows: Sequence[T], most: int) -> list[T]:
    """``most`` of them, evenly from the first to the last."""
    if len(windows) <= most:
        return list(windows)
    return [windows[place * (len(windows) - 1) // (most - 1)] for place in range(most)]


def interleaved(lists: Sequence[Sequence[T]]) -> list[T]:
    """The elements of several lists, the first of each before the second of any."""
    turns = sorted((turn, place) for place, one in enumerate(lists) for turn in range(len(one)))
    return [lists[place][turn] for turn, place in turns]
