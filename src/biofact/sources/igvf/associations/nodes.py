"""The entities from which legs start, and how a row proves that it starts there. Pure."""

import re
from dataclasses import dataclass, replace

from biofact.sources.igvf.catalog import Edge
from biofact.sources.igvf.lookup import Found
from biofact.sources.igvf.parse import Asked
from biofact.sources.igvf.reading.accessions import place_in
from biofact.sources.igvf.reading.identifiers import Reading
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
        return Asked(self.kind, self.id, self.name, self.ids)

    def alone(self, one: str) -> "Node":
        """One of its alleles."""
        return replace(self, id=one, ids=frozenset({one}), rsid=None)

    def is_near(self, row: FullAssociation, edge: Edge) -> bool:
        """Whether a row answers what the service was asked: of an element that is all that lies at its place."""
        return self.is_in(row, edge) or (self.kind == "element" and self._overlaps(row))

    def _overlaps(self, row: FullAssociation) -> bool:
        return self.region is not None and _overlaps(row.region, self.region)

    def is_in(self, row: FullAssociation, edge: Edge) -> bool:
        """Whether a row is about it. Where an edge has no such end, elements are asked for that lie there."""
        is_end = bool(self.ids) and self.kind in {edge.subject.kind, edge.object.kind}
        if not is_end and self._overlaps(row):
            return True
        mentioned = {row.subject, row.object, row.context_id}
        return not self.ids.isdisjoint(one for one in mentioned if one)


def nodes(found: Found) -> list[Node]:
    """Where to start from what a caller meant."""
    if found.reading.kind == "element":
        return [_element(found.reading)]
    first = found.entities[0]
    if first.type == "variant" and len(found.entities) > 1:
        alleles = frozenset(one.id for one in found.entities)
        return [replace(of(first), name=found.reading.id, ids=alleles, rsid=found.reading.id)]
    if found.reading.by == "protein_id":  # an accession, which the service knows for all isoforms
        ids = frozenset(one.id for one in found.entities)
        return [Node("protein", found.reading.id, ids, first.name, first.organism or "human")]
    return [of(one) for one in found.entities]


def _element(reading: Reading) -> Node:
    """A region, or an element that is named after its place: rows are asked for by place."""
    name = reading.id if reading.by == "element" else None
    place = (place_in(name) if name else None) or Region.from_upstream(reading.id)
    ids = frozenset([name] if name else [])
    return Node("element", name or str(place), ids, organism=reading.organism or "human", region=place)


def of(entity: Entity) -> Node:
    """One entity."""
    kind = _KINDS.get(entity.type, entity.type)
    told = native(entity.id) if kind == "term" else entity.id
    also = [entity.name] if kind == "coding_variant" and entity.name else []
    ids, organism = frozenset((entity.id, *also)), entity.organism or "human"
    return Node(kind, told, ids, entity.name, organism, region=_place(entity) if kind == "variant" else None)


def _place(entity: Entity) -> Region | None:
    if entity.chromosome is None or entity.start is None:
        return None
    return Region(entity.chromosome, entity.start, entity.end or entity.start)


def _overlaps(told: str | None, region: Region) -> bool:
    """Whether an element lies there; one whose place is not told was found there by the service."""
    found = _REGION.fullmatch(told or "")
    if found is None:
        return told is None
    chromosome = "MT" if found[1] == "M" else found[1]
    return region.overlaps(Region(chromosome, int(found[2]), int(found[3])))
