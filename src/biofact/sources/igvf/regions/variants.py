"""Variants of a region: in the windows that the service takes, a few of many for a long region."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from biofact.core.provenance import Notice
from biofact.dialects.genomic.genomes import Organism
from biofact.dialects.genomic.regions import Region
from biofact.dialects.json_values import number
from biofact.protocol.legs import optional_leg
from biofact.sources.igvf import requests
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.questions import FAILURES, IGVFQuestions
from biofact.sources.igvf.records import Entity, VariantEntity, VariantWindow
from biofact.sources.igvf.regions import notices
from biofact.sources.igvf.regions.filters import VariantFilters
from biofact.sources.igvf.spans import REACH, overlaps

T = TypeVar("T")

WINDOW = 10_000
"""Bases in which variants are looked for at once: the longest that their endpoint is declared to take."""
_MOST = 500  # rows: those that begin before a region leave none of its own out
MOST_WINDOWS = 5
"""Of one call: with their counts ten requests, two seconds of the service's budget."""


@dataclass(frozen=True, slots=True)
class RegionPart:
    """The things of one kind in a region."""

    entities: list[Entity] | None = None
    """None where they could not be had."""
    windows: list[VariantWindow] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _WindowVariants:
    """The variants of one window."""

    variants: list[VariantEntity]
    is_cut: bool
    """It has more."""
    dropped: int
    """Rows that lie elsewhere, or miss a filter."""


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
        listing = asyncio.gather(*(self._listed(window, before) for window in chosen))
        seen, counted = await asyncio.gather(listing, asyncio.gather(*map(self._counted, chosen)))
        shown = sorted(interleaved([window.variants for window in seen])[: self.limit], key=by_place)
        found = [
            VariantWindow(
                region=str(window), variant_count=count, listed=sum(overlaps(variant, window) for variant in shown)
            )
            for window, (count, _) in zip(chosen, counted, strict=True)
        ]
        failures = [notice for _, failure in counted for notice in failure]
        return RegionPart([*shown], found, self._notices(seen, len(shown), len(windows), failures[:1]))

    async def _listed(self, window: Region, before: int) -> _WindowVariants:
        """The variants of a window, and those that begin a few bases before it and reach into it."""
        path = "/variants/freq" if self.filters.is_by_frequency else "/variants"
        size = requests.page_size(endpoints()[path], _MOST if before else self.limit + 1)
        searched = window.reached_from(before)
        given = {"region": searched.half_open, **self.filters.query_parameters()}
        found = await self.questions.entities(path, given, self.organism, limit=size)
        near = [variant for variant in found if isinstance(variant, VariantEntity) and overlaps(variant, searched)]
        answers = [variant for variant in near if self.filters.accept(variant)]
        kept = [variant for variant in answers if overlaps(variant, window)]
        is_cut = len(found) == size or len(kept) > self.limit
        return _WindowVariants(kept, is_cut=is_cut, dropped=len(found) - len(answers))

    async def _counted(self, window: Region) -> tuple[int | None, list[Notice]]:
        """How many variants a window has; a count that fails takes no variants with it."""
        if self.organism != "human":
            return None, []
        question = self.questions.summary("/variants/region-summary", {"region": window.half_open})
        summary, failure = await optional_leg(question, "counts of variants", failures=FAILURES)
        return number(summary or {}, "variant_count"), failure

    def _notices(
        self, seen: Sequence[_WindowVariants], shown: int, windows: int, failure: Sequence[Notice]
    ) -> list[Notice]:
        found = notices.dropped("variants", sum(window.dropped for window in seen))
        if len(seen) < windows:
            found.append(notices.sampled(windows, len(seen), WINDOW))
        if any(window.is_cut for window in seen) or sum(len(window.variants) for window in seen) > shown:
            found.append(notices.cut("variants", self.limit, "by ID"))
        found += failure
        if self.organism != "human":
            found.append(Notice(code="NOT_COVERED", message="The service counts human variants only."))
        return found


def by_place(entity: Entity) -> tuple[int, int, str]:
    """The sort key that lists entities from the first base on."""
    return entity.start or 0, entity.end or 0, entity.id


def spread(windows: Sequence[T], most: int) -> list[T]:
    """``most`` of them, evenly from the first to the last."""
    if len(windows) <= most:
        return list(windows)
    return [windows[place * (len(windows) - 1) // (most - 1)] for place in range(most)]


def interleaved(lists: Sequence[Sequence[T]]) -> list[T]:
    """The elements of several lists, the first of each before the second of any."""
    turns = sorted((turn, place) for place, elements in enumerate(lists) for turn in range(len(elements)))
    return [lists[place][turn] for turn, place in turns]
