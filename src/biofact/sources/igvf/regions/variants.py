"""Variants of a region: window by window, as far as one call goes."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from biofact.core.call import Counter
from biofact.core.records import Notice, missing_part
from biofact.dialects.genomic.genomes import Organism
from biofact.dialects.genomic.regions import Region
from biofact.dialects.json_values import number
from biofact.protocol.lookup import side_request
from biofact.sources.igvf import questions
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.questions import FAILURES, IGVFQuestions
from biofact.sources.igvf.records import Entity, VariantEntity, VariantWindow
from biofact.sources.igvf.regions import notices
from biofact.sources.igvf.regions.filters import VariantFilters
from biofact.sources.igvf.regions.positions import KindPosition
from biofact.sources.igvf.spans import REACH, overlaps

WINDOW = 10_000
"""Bases in which variants are looked for at once: the longest that their endpoint is declared to take."""
MOST_WINDOWS = 5
"""Of one call: with their counts ten requests, two seconds of the service's budget."""
_VARIANT_ROWS = 500  # a page: those that begin before a region leave none of its own out
_VARIANT_PAGES = 10  # of one call


@dataclass(frozen=True, slots=True)
class RegionPart:
    """The things of one kind in a region."""

    entities: list[Entity] | None = None
    """None where they could not be had."""
    windows: list[VariantWindow] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    rest: KindPosition | None = None
    """Where they go on; None at their end."""


@dataclass(slots=True)
class _Reading:
    """What one call has read of the windows."""

    position: KindPosition | None
    variants: list[VariantEntity] = field(default_factory=list)
    windows: list[Region] = field(default_factory=list)
    """That were looked at."""
    dropped: int = 0
    """Rows that lie elsewhere, or miss a filter."""
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class RegionVariants:
    """Lists the variants of regions."""

    questions: IGVFQuestions
    organism: Organism
    filters: VariantFilters
    limit: int

    async def within(self, region: Region, begin: KindPosition) -> RegionPart:
        """Up to ``limit`` of a region from a position on, those of each window by ID, and where they go on."""
        windows = region.windows(math.ceil(region.length / math.ceil(region.length / WINDOW)))  # of equal length
        reading = _Reading(begin)
        counter = Counter(0, "pages read")
        for _ in range(_VARIANT_PAGES):
            position = reading.position
            is_new = position is not None and (
                not reading.windows or reading.windows[-1] is not windows[position.window]
            )
            if position is None or len(reading.variants) >= self.limit:
                break
            if is_new and len(reading.windows) == MOST_WINDOWS:
                break
            counter.expect()
            await self._add_page(reading, windows, position)
            await counter.add()
        counted = await asyncio.gather(*map(self._counted, reading.windows))
        found = [
            VariantWindow(
                region=str(window),
                variant_count=count,
                listed=sum(overlaps(variant, window) for variant in reading.variants),
            )
            for window, (count, _) in zip(reading.windows, counted, strict=True)
        ]
        failures = [notice for _, failure in counted for notice in failure]
        shown = sorted(reading.variants, key=by_place)
        return RegionPart([*shown], found, self._notices(reading, windows, failures[:1]), reading.position)

    async def _add_page(self, reading: _Reading, windows: Sequence[Region], position: KindPosition) -> None:
        """One page of one window: its variants, and those that begin a few bases before the region and reach in."""
        window = windows[position.window]
        if not reading.windows or reading.windows[-1] is not window:
            reading.windows.append(window)
        is_first = position.window == 0 and window.length + REACH <= WINDOW
        searched = window.reached_from(REACH) if is_first else window
        path = "/variants/freq" if self.filters.is_by_frequency else "/variants"
        size = questions.page_size(endpoints()[path], _VARIANT_ROWS)
        given = {"region": searched.half_open, **self.filters.query_parameters()}
        rows = await self.questions.entities(path, given, self.organism, page=position.page, limit=size)
        found = list({variant.id: variant for variant in rows if isinstance(variant, VariantEntity)}.values())
        answers = [variant for variant in found if overlaps(variant, searched) and self.filters.accept(variant)]
        kept = [variant for variant in answers if overlaps(variant, window)]
        taken = kept[position.done :][: self.limit - len(reading.variants)]
        reading.variants += taken
        if position.done == 0:
            reading.dropped += len(found) - len(answers)
            reading.repeats += len(rows) - len(found)
        done = position.done + len(taken)
        if done < len(kept):
            reading.position = position._replace(done=done)
        elif len(rows) == size:
            reading.position = KindPosition(position.page + 1, 0, position.window)
        else:
            is_last = position.window + 1 == len(windows)
            reading.position = None if is_last else KindPosition(window=position.window + 1)

    async def _counted(self, window: Region) -> tuple[int | None, list[Notice]]:
        """How many variants a window has; a count that fails takes no variants with it."""
        if self.organism != "human":
            return None, []
        question = self.questions.summary("/variants/region-summary", {"region": window.half_open})
        summary, failure = await side_request(question, "counts of variants", failures=FAILURES)
        count = number(summary or {}, "variant_count")
        if summary is not None and count is None:
            failure = [missing_part("counts of variants", "The service sent none.")]
        return count, failure

    def _notices(self, reading: _Reading, windows: Sequence[Region], failure: Sequence[Notice]) -> list[Notice]:
        found = [*notices.dropped("variants", reading.dropped), *notices.repeated(reading.repeats)]
        if reading.position is not None:
            found.append(notices.variants_to_come(windows, reading.position.window, len(reading.variants)))
        found += failure
        if self.organism != "human":
            found.append(Notice(code="NOT_COVERED", message="The service counts human variants only."))
        return found


def by_place(entity: Entity) -> tuple[int, int, str]:
    """The sort key that lists entities from the first base on."""
    return entity.start or 0, entity.end or 0, entity.id
