"""Places of entities, as regions. Pure."""

from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf.records import Entity

REACH = 100
"""Bases before a short region in which a deletion that reaches into it may begin."""


def region_of(entity: Entity) -> Region | None:
    """The region that an entity fills; None if its place is not known."""
    if entity.chromosome is None or entity.start is None:
        return None
    return Region(entity.chromosome, entity.start, entity.end or entity.start)


def overlaps(entity: Entity, region: Region) -> bool:
    """Whether an entity lies in a region, with one base at least."""
    place = region_of(entity)
    return place is not None and place.overlaps(region)
