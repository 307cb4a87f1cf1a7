"""The entities from which legs start, and how a row proves that it starts there. Pure."""

import re
from dataclasses import dataclass

from biofact.sources.igvf.lookup import Found
from biofact.sources.igvf.parse import Asked
from biofact.sources.igvf.reading.regions import Region
from biofact.sources.igvf.records import Entity, FullAssociation
from biofact.sources.igvf.term_ids import native, prefix

_KINDS = {"ontology_term": "term", "regulatory_element": "element"}
_REGION = re.compile(r"chr(\w+):(\d+)-(\d+)")


@dataclass(frozen=True, slots=True)
class Node:
    """One entity, or the alleles or isoforms that one identifier stands for."""

    kind: str
    id: str
    """As the service is told it."""
    ids: frozenset[str]
    """Those by which rows may mention it, in our spelling."""
    name: str | None = None
    organism: str = "human"
    region: Region | None = None
    """Of an element, or where elements are looked for."""
    rsid: str | None = None
    """Where it stands for several alleles."""

    @property
    def ontology(self) -> str:
        """The prefix of a term."""
        return prefix(self.id)

    def asked(self) -> Asked:
        """As rows may leave it out."""
        return Asked(self.kind, self.id, self.name)

    def is_in(self, row: FullAssociation) -> bool:
        """Whether a row is about it."""
        if self.kind == "element" and self.region is not None and not self.ids:
            return _overlaps(row.region, self.region)
        mentioned = {row.subject, row.object, row.context_id}
        if self.kind == "motif":  # a row names a motif together with a protein (recorded 2026)
            mentioned |= {one.rpartition("_")[0] for one in mentioned if one}
        return not self.ids.isdisjoint(one for one in mentioned if one)


def nodes(found: Found) -> list[Node]:
    """Where to start from what a caller meant."""
    if found.reading.by == "region":
        place, organism = Region.from_upstream(found.reading.id), found.reading.organism or "human"
        return [Node("element", str(place), frozenset(), organism=organism, region=place)]
    first = found.entities[0]
    if first.type == "variant" and len(found.entities) > 1:
        ids = frozenset(one.id for one in found.entities)
        return [Node("variant", first.id, ids, found.reading.id, first.organism or "human", rsid=found.reading.id)]
    if found.reading.by == "protein_id":  # an accession, which the service knows for all isoforms
        ids = frozenset(one.id for one in found.entities)
        return [Node("protein", found.reading.id, ids, first.name, first.organism or "human")]
    return [of(one) for one in found.entities]


def of(entity: Entity) -> Node:
    """One entity."""
    kind = _KINDS.get(entity.type, entity.type)
    told = native(entity.id) if kind == "term" else entity.id
    also = [entity.name] if kind == "coding_variant" and entity.name else []
    return Node(kind, told, frozenset((entity.id, *also)), entity.name, entity.organism or "human")


def _overlaps(told: str | None, region: Region) -> bool:
    found = _REGION.fullmatch(told or "")
    if found is None:
        return False
    chromosome = "MT" if found[1] == "M" else found[1]
    return region.overlaps(Region(chromosome, int(found[2]), int(found[3])))
