"""Variants of a region: in the windows that the service takes, a few of many for a long region."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.provenance import Notice
from biofact.sources.igvf import parse, requests
from biofact.sources.igvf.catalog import SPECIES, endpoints
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.reading.genomes import Organism
from biofact.sources.igvf.reading.regions import Region
from biofact.sources.igvf.records import VariantEntity, Window
from biofact.sources.igvf.regions import notices
from biofact.sources.igvf.regions.filters import VariantFilters
from biofact.sources.igvf.regions.parts import Part, by_place, overlaps

T = TypeVar("T")

WINDOW = 10_000
"""Bases in which the service looks for variants at once."""
MOST_WINDOWS = 5
"""Of one call: with their counts ten requests, two seconds of the service's budget."""


@dataclass(slots=True)
class _Seen:
    """What a window holds."""

    region: Region
    variants: list[VariantEntity]
    is_cut: bool
    """It has more."""
    strangers: int
    """Rows that lie elsewhere, or miss a filter."""
    count: int | None = None
    """Of all variants, by the service."""
    failure: UpstreamError | RateLimited | None = field(default=None)
    """Of the count."""


@dataclass(frozen=True, slots=True)
class Variants:
    """Lists variants."""

    ask: IGVFQuestions
    organism: Organism
    filters: VariantFilters
    limit: int

    async def within(self, region: Region) -> Part:
        """Up to ``limit`` of a region, from all its windows in turn."""
        windows = region.windows(WINDOW)
        chosen = spread(windows, MOST_WINDOWS)
        seen = await asyncio.gather(*(self._window(window) for window in chosen))
        shown = sorted(in_turn([one.variants for one in seen])[: self.limit], key=by_place)
        found = [
            Window(region=str(one.region), variant_count=one.count, listed=sum(overlaps(v, one.region) for v in shown))
            for one in seen
        ]
        return Part([*shown], found, self._notices(seen, len(shown), len(windows)))

    async def _window(self, window: Region) -> _Seen:
        seen, count = await asyncio.gather(self._listed(window), self._count(window))
        if isinstance(count, UpstreamError | RateLimited):
            seen.failure = count
        else:
            seen.count = count
        return seen

    async def _listed(self, window: Region) -> _Seen:
        path = "/variants/freq" if self.filters.is_by_frequency else "/variants"
        size = requests.page_size(endpoints()[path], self.limit + 1)
        given = {"region": window.upstream, "organism": SPECIES[self.organism], **self.filters.told()}
        rows = await self.ask.rows(path, given, limit=size)
        told = [parse.entity("variant", row, self.organism) for row in rows]
        kept = [
            one for one in told if isinstance(one, VariantEntity) and overlaps(one, window) and self.filters.hold(one)
        ]
        return _Seen(window, kept, is_cut=len(rows) == size, strangers=len(told) - len(kept))

    async def _count(self, window: Region) -> int | UpstreamError | RateLimited | None:
        """How many variants a window has; a count that fails takes no variants with it."""
        if self.organism != "human":
            return None
        try:
            told = await self.ask.summary("/variants/region-summary", {"region": window.upstream})
        except (UpstreamError, RateLimited) as failure:
            return failure
        count = (told or {}).get("variant_count")
        return count if isinstance(count, int) else None

    def _notices(self, seen: Sequence[_Seen], shown: int, windows: int) -> list[Notice]:
        found = notices.strangers("variants", sum(one.strangers for one in seen))
        if len(seen) < windows:
            found.append(notices.sampled(windows, len(seen), WINDOW))
        elif any(one.is_cut for one in seen) or sum(len(one.variants) for one in seen) > shown:
            found.append(notices.cut("variants", self.limit, "by ID"))
        if failures := [one.failure for one in seen if one.failure]:
            found.append(notices.without("counts of variants", failures[0]))
        if self.organism != "human":
            found.append(Notice(code="NOT_COVERED", message="The service counts human variants only."))
        return found


def spread(windows: Sequence[T], most: int) -> list[T]:
    """``most`` of them, evenly from the first to the last."""
    if len(windows) <= most:
        return list(windows)
    return [windows[place * (len(windows) - 1) // (most - 1)] for place in range(most)]


def in_turn(lists: Sequence[Sequence[T]]) -> list[T]:
    """The elements of several lists, the first of each before the second of any."""
    turns = sorted((turn, place) for place, one in enumerate(lists) for turn in range(len(one)))
    return [lists[place][turn] for turn, place in turns]
