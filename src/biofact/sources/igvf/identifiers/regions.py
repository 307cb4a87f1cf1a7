"""Regions as callers write them; a refusal leads to the tool that takes what was meant. Pure."""

from biofact.core.errors import AmbiguousQuery, CallTool
from biofact.dialects.genomic import regions
from biofact.dialects.genomic.genomes import Organism, RegionError, RegionIsVariant
from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf.identifiers.refusals import GET_ENTITY, SEARCH_REGION, entity_call, quoted


def read_region(text: str, organism: Organism = "human") -> Region:
    """The region that ``text`` spells on the Catalog's assembly of ``organism``.

    Raises:
        AmbiguousQuery: it spells none, or may be read in two ways; ``recovery`` has the one that is obviously meant.
    """
    try:
        return regions.read_region(text, organism)
    except RegionError as error:
        raise AmbiguousQuery(
            f"{quoted(text)} {error.why}",
            hint=_hint(error),
            invalid_input=text,
            recovery=entity_call(error.entity) if error.entity else _region_call(error, organism),
        ) from error


def _hint(error: RegionError) -> str:
    if isinstance(error, RegionIsVariant):
        return f"Call {GET_ENTITY} for it."
    if error.entity:
        return f"{error.hint} A gene, variant or other entity is asked for with {GET_ENTITY}, which tells where it is."
    return error.hint


def _region_call(error: RegionError, organism: Organism) -> CallTool | None:
    if error.fixed is None:
        return None
    others = {"organism": error.organism or organism} if error.organism or organism != "human" else {}
    return CallTool(SEARCH_REGION, {"region": error.fixed, **others})
