"""The things of one kind in a region. Pure."""

from dataclasses import dataclass, field

from biofact.core.provenance import Notice
from biofact.sources.igvf.records import Entity, VariantWindow


@dataclass(frozen=True, slots=True)
class RegionPart:
    """The things of one kind in a region."""

    entities: list[Entity] | None = None
    """None where they could not be had."""
    windows: list[VariantWindow] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def by_place(one: Entity) -> tuple[int, int, str]:
    """The sort key that lists entities from the first base on."""
    return one.start or 0, one.end or 0, one.id
