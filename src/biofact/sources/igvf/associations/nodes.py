"""The entities from which associations start, and how a row proves that it starts there. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from biofact.dialects.genomic.genomes import Organism, chromosome_of
from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf.catalog import Edge
from biofact.sources.igvf.identifiers.accessions import place_in
from biofact.sources.igvf.identifiers.kinds import IdentifierReading
from biofact.sources.igvf.lookup.entities import FoundEntities
from biofact.sources.igvf.parse import StartEntity
from biofact.sources.igvf.records import Entity, FullAssociation, GeneEntity, TranscriptEntity
from biofact.sources.igvf.spans import REACH, region_of
from biofact.sources.igvf.term_ids import native, prefix

_WITHOUT_PROTEIN = re.compile(
    r"\w*RNA|ribozyme|(?!translated_|polymorphic_)\w*pseudogene"
    r"|retained_intron|processed_transcript|protein_coding_CDS_not_defined"
)
"""GENCODE's types of genes and transcripts that have no translation, so no ENSP; of all others there may be one."""
_KINDS = {"ontology_term": "term", "regulatory_element": "element"}


@dataclass(frozen=True, slots=True)
class Node:
    """One entity, or the alleles or isoforms that one identifier stands for."""

    kind: str
    id: str
    """As the service takes it."""
    ids: frozenset[str]
    """Those by which rows may mention it, in our spelling."""
    name: str | None = None
    organism: Organism = "human"
    region: Region | None = None
    """Of an element, or where elements are looked for."""
    rsid: str | None = None
    """Where it stands for several alleles."""
    codes: bool = True
    """False for a gene or transcript of which no protein is made."""
    is_by_name: bool = False
    """Whether it is queried by its name, which several isoforms share."""

    @property
    def is_region(self) -> bool:
        """Whether all that lies in a region is meant."""
        return self.kind == "element" and not self.ids

    @property
    def ontology(self) -> str:
        """The prefix of a term."""
        return prefix(self.id)

    def start(self) -> StartEntity:
        """As the parser takes it, for rows that leave it out."""
        return StartEntity(self.kind, self.id, self.name, self.ids, self.region)

    def allele(self, spdi: str) -> "Node":
        """One of its alleles."""
        return replace(self, id=spdi, ids=frozenset({spdi}), rsid=None)

    def is_near(self, row: FullAssociation, edge: Edge) -> bool:
        """Whether a row answers what the service was asked: of an element that is all that lies at its place."""
        if self.is_region and self.region and edge.subject.kind == "variant":
            return _lies_in(row.subject, self.region.reached_from(REACH))
        return self.is_in(row, edge) or (self.kind == "element" and self._overlaps(row))

    def _overlaps(self, row: FullAssociation) -> bool:
        """An element whose place is not known was found there by the service."""
        if self.region is None or row.region is None:
            return self.region is not None
        return self.region.overlaps(Region.from_inclusive(row.region))

    def is_in(self, row: FullAssociation, edge: Edge) -> bool:
        """Whether a row is about it. Where an edge has no such end, elements that lie there are."""
        if self.is_region and self.region and edge.subject.kind == "variant" and _lies_in(row.subject, self.region):
            return True
        is_end = bool(self.ids) and self.kind in {edge.subject.kind, edge.object.kind}
        if not is_end and self._overlaps(row):
            return True
        mentioned = {row.subject, row.object, row.context_id}
        return not self.ids.isdisjoint(filter(None, mentioned))


def nodes(found: FoundEntities, organism: Organism | None = None) -> list[Node]:
    """Where to start from what a caller meant; ``organism`` is for terms and drugs, which have none."""
    species = organism or "human"
    if found.reading.kind == "element":
        return [_element_node(found.reading)]
    first = found.entities[0]
    if first.type == "variant" and len(found.entities) > 1:
        alleles = frozenset(entity.id for entity in found.entities)
        return [replace(node_of(first, species), name=found.reading.id, ids=alleles, rsid=found.reading.id)]
    if found.reading.by == "protein_id":  # an accession, which the service knows for all isoforms
        ids = frozenset(entity.id for entity in found.entities)
        return [Node("protein", found.reading.id, ids, first.name, first.organism or species)]
    if found.reading.kind == "protein" and first.name:  # all isoforms by the name that they share
        return [node_of_proteins(found.entities, first.name, first.organism or species)]
    return [node_of(entity, species) for entity in found.entities]


def _element_node(reading: IdentifierReading) -> Node:
    """A region, or an element that is named after its place: queried by place."""
    name = reading.id if reading.by == "element" else None
    place = (place_in(name) if name else None) or Region.from_half_open(reading.id)
    ids = frozenset([name] if name else [])
    return Node("element", name or str(place), ids, organism=reading.organism or "human", region=place)


def node_of_proteins(proteins: Sequence[Entity], name: str, organism: Organism) -> Node:
    """The proteins of one gene, which rows mention one by one: queried by the name that they share."""
    ids = frozenset(protein.id for protein in proteins)
    return Node("protein", proteins[0].id, ids, name, organism, is_by_name=len(ids) > 1)


def node_of(entity: Entity, organism: Organism = "human") -> Node:
    """One entity; ``organism`` is the requested one, for an entity that has none."""
    kind = _KINDS.get(entity.type, entity.type)
    upstream_id = native(entity.id) if kind == "term" else entity.id
    also = [entity.name] if kind == "coding_variant" and entity.name else []
    place = region_of(entity) if kind == "variant" else None
    ids = frozenset((entity.id, *also))
    return Node(kind, upstream_id, ids, entity.name, entity.organism or organism, region=place, codes=_may_code(entity))


def _may_code(entity: Entity) -> bool:
    match entity:
        case GeneEntity():
            kind = entity.gene_type
        case TranscriptEntity():
            kind = entity.transcript_type
        case _:
            kind = None
    return _WITHOUT_PROTEIN.fullmatch(kind or "") is None


def _lies_in(variant: str, region: Region) -> bool:
    """Whether a variant, by its SPDI, lies in a region."""
    sequence, at, deleted, *_ = (*variant.split(":"), "", "", "")
    place = chromosome_of(sequence)
    if place is None or not at.isdecimal():
        return False
    return region.overlaps(Region(place[1], int(at) + 1, int(at) + max(1, len(deleted))))
