"""What one kind of things has in a region. Pure."""

from dataclasses import dataclass, field

from biofact.core.provenance import Notice
from biofact.sources.igvf.reading.regions import Region
from biofact.sources.igvf.records import Entity, VariantEntity, Window


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of things."""

    entities: list[Entity] | None = None
    """None where they could not be had."""
    windows: list[Window] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def overlaps(one: Entity, region: Region) -> bool:
    """Whether it lies in a region; a variant by its first base, as the service has it."""
    if one.start is None or one.chromosome is None:
        return False
    end = one.start if isinstance(one, VariantEntity) else (one.end or one.start)
    return region.overlaps(Region(one.chromosome, one.start, end))


def by_place(one: Entity) -> tuple[int, int, str]:
    """What they are listed by."""
    return one.start or 0, one.end or 0, one.id
