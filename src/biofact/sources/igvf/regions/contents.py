"""What lies in a region: genes, transcripts, variants and regulatory elements, queried side by side."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from biofact.core.call import Counter
from biofact.core.records import missing_part
from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf.questions import FAILURES, Failure, IGVFQuestions
from biofact.sources.igvf.records import Entity, RegionContents
from biofact.sources.igvf.regions import notices
from biofact.sources.igvf.regions.filters import VariantFilters
from biofact.sources.igvf.regions.positions import KindPosition, RegionPosition
from biofact.sources.igvf.regions.variants import RegionPart, RegionVariants, by_place
from biofact.sources.igvf.spans import overlaps

Include = Literal["genes", "transcripts", "variants", "regulatory_elements"]
USUAL: tuple[Include, ...] = ("genes", "variants", "regulatory_elements")

_ROWS = {"genes": 100, "transcripts": 500, "regulatory_elements": 100}
"""A page: one length for every limit, so that cursors hold. The service does not order transcripts of a chromosome."""
_PAGES = 4  # of a kind in one call
_PATHS = {"genes": "/genes", "transcripts": "/transcripts", "regulatory_elements": "/genomic-elements"}


@dataclass(frozen=True, slots=True)
class RegionSearch:
    """Searches regions for what lies in them."""

    questions: IGVFQuestions

    async def contents(
        self,
        region: Region,
        organism: Organism,
        include: Sequence[Include],
        filters: VariantFilters,
        *,
        limit: int,
        position: RegionPosition | None = None,
    ) -> tuple[RegionContents, RegionPosition | None]:
        """Up to ``limit`` of each kind from a position on, and where they go on; None at the end of all.

        Raises:
            UpstreamError, RateLimited: nothing of it could be had.
        """
        variants = RegionVariants(self.questions, organism, filters, limit)
        begun = dict(position.kinds) if position else {}
        kinds = [kind for kind in include if begun.get(kind, KindPosition()) is not None]
        starts = [begun.get(kind) or KindPosition() for kind in kinds]
        legs = [
            variants.within(region, begin) if kind == "variants" else self._kind(kind, region, organism, limit, begin)
            for kind, begin in zip(kinds, starts, strict=True)
        ]
        parts = await asyncio.gather(*map(_part_or_failure, kinds, legs))
        failures = [failure for _, failure in parts if failure]
        if len(failures) == len(kinds):
            raise failures[0]
        messages = [notice for part, _ in parts for notice in part.notices]
        if filters.query_parameters() and "variants" not in include:
            messages.append(notices.unused_filters())
        rest = begun | {kind: part.rest for kind, (part, _) in zip(kinds, parts, strict=True)}
        following = RegionPosition(kinds=rest) if any(place is not None for place in rest.values()) else None
        contents = RegionContents(
            region=str(region),
            organism=organism,
            assembly_name=ASSEMBLIES[organism].name,
            **{kind: cast("Any", part.entities) for kind, (part, _) in zip(kinds, parts, strict=True)},
            variant_windows=[window for part, _ in parts for window in part.windows],
            notices=messages,
        )
        return contents, following

    async def _kind(self, kind: str, region: Region, organism: Organism, limit: int, begin: KindPosition) -> RegionPart:
        """Up to ``limit`` entities of one kind, page by page of the service."""
        path, size = _PATHS[kind], _ROWS[kind]
        found: dict[str, Entity] = {}
        elsewhere, position = 0, begin
        rest: KindPosition | None = begin
        counter = Counter(0, "pages read")
        for _ in range(_PAGES):
            counter.expect()
            listed = await self.questions.entities(
                path, {"region": region.half_open}, organism, page=position.page, limit=size
            )
            await counter.add()
            kept = list({entity.id: entity for entity in listed if overlaps(entity, region)}.values())
            taken = kept[position.done :][: limit - len(found)]
            found |= {entity.id: entity for entity in taken}
            elsewhere += sum(not overlaps(entity, region) for entity in listed) if position.done == 0 else 0
            done = position.done + len(taken)
            is_full = len(listed) == size
            rest = KindPosition(position.page, done) if done < len(kept) else None
            rest = KindPosition(position.page + 1) if rest is None and is_full else rest
            if rest is None or len(found) >= limit:
                break
            position = rest
        messages = notices.dropped(kind, elsewhere)
        if rest is not None:
            messages.append(notices.cut(kind, len(found)))
        return RegionPart(sorted(found.values(), key=by_place), notices=messages, rest=rest)


async def _part_or_failure(kind: str, leg: Awaitable[RegionPart]) -> tuple[RegionPart, Failure | None]:
    """One kind of things; an empty part with a notice, and the failure, where it cannot be had."""
    try:
        return await leg, None
    except FAILURES as failure:
        return RegionPart(notices=[missing_part(kind.replace("_", " "), failure.message)]), failure
