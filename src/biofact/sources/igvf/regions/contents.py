"""What lies in a region: genes, transcripts, variants and regulatory elements, queried side by side."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from biofact.core.provenance import without
from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf import requests
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.questions import FAILURES, Failure, IGVFQuestions
from biofact.sources.igvf.records import RegionContents
from biofact.sources.igvf.regions import notices
from biofact.sources.igvf.regions.filters import VariantFilters
from biofact.sources.igvf.regions.variants import RegionPart, RegionVariants, by_place
from biofact.sources.igvf.spans import overlaps

Include = Literal["genes", "transcripts", "variants", "regulatory_elements"]
USUAL: tuple[Include, ...] = ("genes", "variants", "regulatory_elements")

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
        limit: int,
        *,
        is_assumed: bool,
    ) -> RegionContents:
        """Up to ``limit`` of each kind; ``is_assumed`` where the caller did not name the assembly.

        Raises:
            UpstreamError, RateLimited: nothing of it could be had.
        """
        variants = RegionVariants(self.questions, organism, filters, limit)
        legs = [
            variants.within(region) if kind == "variants" else self._kind(kind, region, organism, limit)
            for kind in include
        ]
        parts = await asyncio.gather(*map(_part_or_failure, include, legs))
        failures = [failure for _, failure in parts if failure]
        if len(failures) == len(include):
            raise failures[0]
        messages = [notice for part, _ in parts for notice in part.notices]
        if filters.query_parameters() and "variants" not in include:
            messages.append(notices.unused_filters())
        return RegionContents(
            region=str(region),
            organism=organism,
            assembly_name=ASSEMBLIES[organism].name,
            **{kind: cast("Any", part.entities) for kind, (part, _) in zip(include, parts, strict=True)},
            variant_windows=[window for part, _ in parts for window in part.windows],
            notices=[*([notices.assembly(organism)] if is_assumed else []), *messages],
        )

    async def _kind(self, kind: str, region: Region, organism: Organism, limit: int) -> RegionPart:
        path = _PATHS[kind]
        size = requests.page_size(endpoints()[path], limit + 1)
        listed = await self.questions.entities(path, {"region": region.half_open}, organism, limit=size)
        found = [entity for entity in listed if overlaps(entity, region)]
        messages = notices.dropped(kind, len(listed) - len(found))
        if len(listed) > limit:
            messages.append(notices.cut(kind, limit, "by ID, not by place"))
        return RegionPart(sorted(found[:limit], key=by_place), notices=messages)


async def _part_or_failure(kind: str, leg: Awaitable[RegionPart]) -> tuple[RegionPart, Failure | None]:
    """One kind of things; an empty part with a notice, and the failure, where it cannot be had."""
    try:
        return await leg, None
    except FAILURES as failure:
        return RegionPart(notices=[without(kind.replace("_", " "), failure.message)]), failure
