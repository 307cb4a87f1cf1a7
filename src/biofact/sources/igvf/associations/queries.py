"""The queries of endpoints for an entity, with filters and an order. Pure."""

import hashlib
import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from biofact.core.errors import AmbiguousQuery
from biofact.dialects.genomic.genomes import Organism, chromosome_of
from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf.catalog import RELATIONSHIPS, SPECIES, Edge, Endpoint, Start, edges, endpoints
from biofact.sources.igvf.entities import EntityResults
from biofact.sources.igvf.filters import AssociationFilters, Bound, query_parameters, unsupported_filter, valid_values
from biofact.sources.igvf.identifiers.forms import place_in_name
from biofact.sources.igvf.identifiers.kinds import IdentifierReading
from biofact.sources.igvf.parse import StartEntity
from biofact.sources.igvf.records import Entity, FullAssociation
from biofact.sources.igvf.relationships import Relationship, relationship_named, relationships_of
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
    """The IDs by which rows may mention it, in our spelling."""
    name: str | None = None
    organism: Organism = "human"
    region: Region | None = None
    """The place of an element, or the region in which elements are searched."""
    rsid: str | None = None
    """The rsID, if it stands for several alleles."""
    codes: bool = True
    """False for a gene or transcript of which no protein is made."""
    is_by_name: bool = False
    """Whether it is queried by its name, which several isoforms share."""

    @property
    def is_region(self) -> bool:
        """Whether it stands for all elements in a region."""
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
        """Whether a row answers the request: for an element, every row that overlaps its place does."""
        if self.is_region and self.region and edge.subject.kind == "variant":
            return _lies_in(row.subject, self.region.extended_before(REACH))
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
        mentions = {row.subject, row.object, row.context_id}
        return not self.ids.isdisjoint(filter(None, mentions))


def nodes(results: EntityResults, organism: Organism | None = None) -> list[Node]:
    """The start nodes for the entities that a caller named; ``organism`` is for terms and drugs, which have none."""
    identifier, species = results.identifier, organism or "human"
    if identifier.kind == "element":
        return [_element_node(identifier)]
    first, ids = results.entities[0], frozenset(entity.id for entity in results.entities)
    if first.type == "variant" and len(ids) > 1:
        return [replace(node_of(first, species), name=identifier.id, ids=ids, rsid=identifier.id)]
    if identifier.id_type == "protein_id":  # an accession, which the service knows for all isoforms
        return [Node("protein", identifier.id, ids, first.name, first.organism or species)]
    if identifier.kind == "protein" and first.name:  # all isoforms by the name that they share
        return [node_of_proteins(results.entities, first.name, first.organism or species)]
    return [node_of(entity, species) for entity in results.entities]


def _element_node(identifier: IdentifierReading) -> Node:
    """A region, or an element that is named after its place: queried by place."""
    name = identifier.id if identifier.id_type == "element" else None
    place = (place_in_name(name) if name else None) or Region.from_half_open(identifier.id)
    ids = frozenset([name] if name else [])
    return Node("element", name or str(place), ids, organism=identifier.organism or "human", region=place)


def node_of_proteins(proteins: Sequence[Entity], name: str, organism: Organism) -> Node:
    """The proteins of one gene, which rows mention one by one: queried by the name that they share."""
    ids = frozenset(protein.id for protein in proteins)
    return Node("protein", proteins[0].id, ids, name, organism, is_by_name=len(ids) > 1)


def node_of(entity: Entity, organism: Organism = "human") -> Node:
    """One entity; ``organism`` is the requested one, for an entity that has none."""
    kind = _KINDS.get(entity.type, entity.type)
    upstream_id = native(entity.id) if kind == "term" else entity.id
    names = [entity.name] if kind == "coding_variant" and entity.name else []
    place = region_of(entity) if kind == "variant" else None
    ids = frozenset((entity.id, *names))
    return Node(kind, upstream_id, ids, entity.name, entity.organism or organism, region=place, codes=_may_code(entity))


def _may_code(entity: Entity) -> bool:
    kind = getattr(entity, "gene_type", None) or getattr(entity, "transcript_type", None)
    return _WITHOUT_PROTEIN.fullmatch(kind or "") is None


def _lies_in(variant: str, region: Region) -> bool:
    """Whether a variant, by its SPDI, lies in a region."""
    sequence, position, deleted, *_ = (*variant.split(":"), "", "", "")
    place = chromosome_of(sequence)
    if place is None or not position.isdecimal():
        return False
    return region.overlaps(Region(place[1], int(position) + 1, int(position) + max(1, len(deleted))))


ORDERS = ("p_value", "effect", "score", "z_score", "r2", "d_prime")
_WORTH = 2  # times as many rows as are needed stand on a page, before a threshold is worth a request
_MARGIN = 1e-3  # of a threshold: values are shown with four digits


@dataclass(frozen=True, slots=True)
class Order:
    """By a field of the rows; rows without it come last."""

    field: str
    is_descending: bool

    @property
    def text(self) -> str:
        """As a caller writes it."""
        return f"-{self.field}" if self.is_descending else self.field

    @classmethod
    def read(cls, text: str) -> "Order":
        """The order that a caller wrote: ``p_value``, or ``-score`` for the greatest first.

        Raises:
            AmbiguousQuery: there is none like it.
        """
        field = text.strip().removeprefix("-")
        if field not in ORDERS:
            raise AmbiguousQuery(
                f"Associations cannot be ordered by {text!r:.80}.",
                hint=f"Valid: {', '.join(ORDERS)}; with - in front the greatest first.",
                invalid_input=text,
            )
        return cls(field, text.strip().startswith("-"))

    def value(self, row: FullAssociation) -> float | None:
        """The sort value of a row; the smaller comes first."""
        value = _logarithm(row) if self.field == "p_value" else getattr(row, self.field)
        if value is None:
            return None
        return -value if self._is_falling else value

    @property
    def _is_falling(self) -> bool:
        return self.is_descending != (self.field == "p_value")  # the greatest logarithm is the smallest p

    def sort(self, rows: Sequence[FullAssociation]) -> list[FullAssociation]:
        """The rows in order; equal ones stay as they are."""
        return sorted(rows, key=lambda row: math.inf if (value := self.value(row)) is None else value)

    def narrow(
        self, endpoint: Endpoint, parameters: dict[str, str], rows: Sequence[FullAssociation], need: int
    ) -> dict[str, str] | None:
        """The parameters that keep the best ``need`` of these rows and fewer others; None if there are none."""
        parameter = "neg_log10_pvalue" if self.field == "p_value" else self.field
        if endpoint.parameters.get(parameter) != "range":
            return None
        values = sorted(value for row in rows if (value := self.value(row)) is not None)
        if len(values) < _WORTH * need:
            return None  # that would leave nearly as many rows as there are
        bound = values[need - 1]
        threshold = Bound("gte", -bound - _MARGIN) if self._is_falling else Bound("lte", bound + _MARGIN)
        current = parameters.get(parameter)
        return {**parameters, parameter: str(threshold)} if current is None or threshold.is_tighter(current) else None


def _logarithm(row: FullAssociation) -> float | None:
    if row.neg_log10_p_value is not None:
        return row.neg_log10_p_value
    if row.p_value is None:
        return None
    return -math.log10(row.p_value) if row.p_value > 0 else math.inf


@dataclass(frozen=True, slots=True)
class AssociationQuery:
    """The associations that a caller wants."""

    nodes: Sequence[Node]
    """The start entities; several for terms that share a name's words, or isoforms."""
    relationship: Relationship
    filters: AssociationFilters
    order: Order | None


EndpointStart = tuple[Endpoint, Start]
"""An endpoint, and the end from which it is queried."""

_PROTEIN_EDGES = frozenset({"gene_protein", "transcript_protein", "gene_coding_variant"})
_DISEASES = frozenset({"MONDO", "Orphanet", "DOID"})


@dataclass(frozen=True, slots=True)
class EndpointQuery:
    """One query of one endpoint."""

    endpoint: Endpoint
    start: Start
    node: Node
    parameters: dict[str, str]
    filters: AssociationFilters
    sent_filters: AssociationFilters
    """The filters that the service applies: a row that misses one is no answer to the query."""

    @property
    def is_other_end(self) -> bool:
        """Whether it starts from the second of two ends of one kind; the first has rows of an entity with itself."""
        return next(start for start in self.endpoint.starts if start.kind == self.start.kind) != self.start

    @property
    def is_filtered_here(self) -> bool:
        """Whether rows have to keep a filter that the service does not apply."""
        return set(self.filters.by_name) != set(self.sent_filters.by_name)

    @property
    def key(self) -> str:
        """The short name of the query in cursors."""
        query = "&".join((self.endpoint.path, *(f"{name}={value}" for name, value in sorted(self.parameters.items()))))
        return hashlib.blake2b(query.encode(), digest_size=4).hexdigest()


class SkippedEndpoint(NamedTuple):
    """An endpoint that cannot answer a query."""

    path: str
    reason: str
    """``organism`` for one without data of the node's, ``protein`` for one about the proteins of a node that has none,
    ``region`` for one that takes no region as long as this one; else the filter or order that its rows do not support.
    """


def endpoints_of_kind(kind: str, relationship: Relationship, ontology: str = "") -> list[EndpointStart]:
    """The endpoints of a relationship that start from entities of a kind."""
    return [
        (endpoint, start)
        for endpoint in endpoints().values()
        if relationship.includes(endpoint.relationship, endpoint.edge)
        for start in endpoint.starts
        if start.kind == kind and (not start.prefixes or not ontology or ontology in start.prefixes)
    ]


def endpoints_of_node(node: Node, relationship: Relationship) -> list[EndpointStart]:
    """The endpoints of a relationship that start from this entity."""
    pairs = endpoints_of_kind(node.kind, relationship, node.ontology if node.kind == "term" else "")
    if not node.is_region:
        return pairs
    direct_edges = {endpoint.edge for endpoint, _ in pairs}  # elements already yield the rows of these
    return [*pairs, *(pair for pair in endpoints_of_kind("region", relationship) if pair[0].edge not in direct_edges)]


def intermediate_kind(node: Node, relationship: Relationship) -> str | None:
    """The kind of intermediate entities: proteins for a gene, genes for a disease; None if there is none."""
    return _intermediate_kind(node.kind, relationship) if node.kind != "term" or node.ontology in _DISEASES else None


def can_start(kind: str, relationship: Relationship) -> bool:
    """Whether a relationship starts from entities of this kind, directly or through intermediates."""
    return bool(endpoints_of_kind(kind, relationship) or _intermediate_kind(kind, relationship))


def _intermediate_kind(kind: str, relationship: Relationship) -> str | None:
    intermediate = {"gene": "protein", "term": "gene"}.get(kind)
    if kind == "term" and relationship.name == "all":
        return None  # every step multiplies requests (docs/decisions/0022)
    return intermediate if indirect_endpoints(intermediate, relationship) else None


def indirect_endpoints(kind: str | None, relationship: Relationship) -> list[EndpointStart]:
    """The endpoints that are queried from intermediates of a kind: a gene's proteins, or a disease's genes."""
    if kind is None:
        return []
    relationships = {"protein": ("physical", "functional"), "gene": ("regulatory",)}[kind]
    return [pair for pair in endpoints_of_kind(kind, relationship) if pair[0].relationship in relationships]


def reachable_endpoints(node: Node, relationship: Relationship) -> list[EndpointStart]:
    """All endpoints of a relationship that start from this entity or its intermediates."""
    indirect = indirect_endpoints(intermediate_kind(node, relationship), relationship)
    return [*endpoints_of_node(node, relationship), *indirect]


def queries_from(
    node: Node, candidates: Iterable[EndpointStart], filters: AssociationFilters, order: Order | None
) -> tuple[list[EndpointQuery], list[SkippedEndpoint]]:
    """The queries from one entity, and the endpoints that cannot be queried from it."""
    queries: list[EndpointQuery] = []
    skipped: list[SkippedEndpoint] = []
    for endpoint, start in candidates:
        if reason := _reason_to_skip(endpoint, start, node) or _unsupported_option(endpoint, filters, order):
            skipped.append(SkippedEndpoint(endpoint.path, reason))
        else:
            queries += _queries(endpoint, start, node, filters)
    return queries, skipped


def _reason_to_skip(endpoint: Endpoint, start: Start, node: Node) -> str | None:
    if node.organism not in endpoint.organisms:
        return "organism"
    if not node.codes and endpoint.edge in _PROTEIN_EDGES:
        return "protein"
    is_wide = start.parameter == "region" and node.region and endpoint.widest and node.region.length > endpoint.widest
    return "region" if is_wide else None


def _unsupported_option(endpoint: Endpoint, filters: AssociationFilters, order: Order | None) -> str | None:
    """The filter or order that an endpoint's rows cannot keep."""
    if (name := unsupported_filter(endpoint, filters)) is not None or order is None:
        return name
    return None if order.field in edges()[endpoint.edge].has else order.field


def check(query: AssociationQuery) -> None:
    """Refuse a query that no endpoint answers.

    Raises:
        AmbiguousQuery: the error names the relationships, values or orders that are valid.
    """
    relationship, node = query.relationship, query.nodes[0]
    candidates = [endpoint for node in query.nodes for endpoint, _ in reachable_endpoints(node, relationship)]
    if not candidates:
        valid = [name for name in RELATIONSHIPS if reachable_endpoints(node, relationship_named(name))]
        raise AmbiguousQuery(
            f"The IGVF Catalog joins nothing {relationship.name} with a {node.kind.replace('_', ' ')}.",
            hint=f"Relationships of {node.name or node.id}: {', '.join(valid) or 'none'}.",
            invalid_input=relationship.name,
        )
    if all(_unsupported_option(endpoint, query.filters, query.order) for endpoint in candidates):
        raise _unsupported(candidates, query.filters, query.order)


def _unsupported(candidates: Sequence[Endpoint], filters: AssociationFilters, order: Order | None) -> AmbiguousQuery:
    """The error that no endpoint can keep the filters and the order."""
    for name, filter_value in filters.raw_values.items():
        if all(unsupported_filter(endpoint, filters.subset({name})) for endpoint in candidates):
            valid = sorted({value for endpoint in candidates for value in valid_values(endpoint, name)})
            values = f"Valid for {name}: {', '.join(valid)}."
            return AmbiguousQuery(
                f"No association asked for can be filtered by {name} {str(filter_value)!r:.80}.",
                hint=values if valid else f"These associations cannot be filtered by {name}.",
                invalid_input={name: filter_value},
            )
    supporting_endpoints = [endpoint for endpoint in candidates if unsupported_filter(endpoint, filters) is None]
    fields = {field for endpoint in supporting_endpoints for field in edges()[endpoint.edge].has}
    orders = [name for name in ORDERS if name in fields]
    if supporting_endpoints and order is not None:
        return AmbiguousQuery(
            f"No association asked for can be ordered by {order.field}.",
            hint=f"Valid orders here: {', '.join(orders)}." if orders else "Leave order_by out: these have no numbers.",
            invalid_input=order.text,
        )
    return AmbiguousQuery(
        f"No association asked for keeps {' and '.join(filters.raw_values)} together.",
        hint="Leave one of them out, or ask for another relationship.",
        invalid_input=dict(filters.raw_values),
    )


def _queries(endpoint: Endpoint, start: Start, node: Node, filters: AssociationFilters) -> Iterator[EndpointQuery]:
    shared_parameters = query_parameters(endpoint, filters) | _fixed_parameters(endpoint, node)
    applied = {name for name in filters.by_name if query_parameters(endpoint, filters.subset({name}))}
    upstream_filters = filters.subset(applied).inclusive()
    choices = itertools.product(
        _starts(endpoint, start, node),
        _enumerated_parameters(endpoint, start, shared_parameters),
        _tissue_parameters(endpoint, filters),
    )
    for (start_node, start_parameter), value, tissue in choices:
        parameters = {**shared_parameters, **tissue, **value, **start_parameter}
        yield EndpointQuery(endpoint, start, start_node, parameters, filters, upstream_filters)


def _enumerated_parameters(endpoint: Endpoint, start: Start, parameters: Collection[str]) -> list[dict[str, str]]:
    """Each value of a parameter that the service requires, unless the filters set it."""
    name = start.enumerated_parameter
    values = endpoint.parameters.get(name, ()) if name not in parameters else ()
    return [{name: value} for value in values] if values and not isinstance(values, str) else [{}]


def _tissue_parameters(endpoint: Endpoint, filters: AssociationFilters) -> list[dict[str, str]]:
    """The parameters for each term of a tissue that has several, if the endpoint takes one term."""
    if len(filters.tissue_terms) > 1 and "biosample_term" in endpoint.parameters:
        return [{"biosample_term": native(term.id)} for term in filters.tissue_terms]
    return [{}]


def _starts(endpoint: Endpoint, start: Start, node: Node) -> list[tuple[Node, dict[str, str]]]:
    """The exact start nodes and parameters; alleles are queried together if the endpoint takes their rsID."""
    if start.kind == "region" and node.region is not None:
        wider = node.region.extended_before(REACH)
        fits = endpoint.widest is None or wider.length <= endpoint.widest
        return [(node, {start.parameter: (wider if fits else node.region).half_open})]
    if (start.kind == "element" or start.parameter == "region") and node.region is not None:
        return [(node, {start.parameter: node.region.half_open})]
    if node.rsid is not None and "rsid" in endpoint.parameters:
        return [(node, {"rsid": node.rsid})]
    if node.rsid is not None:
        return [(node.allele(spdi), {start.parameter: spdi}) for spdi in sorted(node.ids)]
    if node.is_by_name and start.by_name and node.name:
        return [(node, {start.by_name: node.name})]
    value = node.name if start.value == "name" else node.id
    return [(node, {start.parameter: value})] if value else []


def _fixed_parameters(endpoint: Endpoint, node: Node) -> dict[str, str]:
    """The parameters of every query."""
    organism = {"organism": SPECIES[node.organism]} if "organism" in endpoint.parameters else {}
    return organism | ({"verbose": "true"} if endpoint.verbose else {})


def effective_relationship(relationship: Relationship, nodes: Sequence[Node]) -> Relationship:
    """The relationship limited to the edges that fit the nodes; for terms of one name, one may decide for all.

    Raises:
        AmbiguousQuery: it may be several of these entities; the error lists them.
    """
    if not relationship.edges:
        return relationship
    edges_by_node = [_fitting_edges(relationship, node) for node in nodes]
    possible_edges = frozenset[str]().union(*edges_by_node)
    if not possible_edges:
        return relationship  # the query says what starts from it
    possible = relationships_of(possible_edges)
    certain = {names[0] for edges in edges_by_node if len(names := relationships_of(edges)) == 1}
    if len(possible) > 1 and len(certain) != 1:
        raise _ambiguous(relationship, nodes[0], possible, possible_edges)
    relationship_name = possible[0] if len(possible) == 1 else certain.pop()
    edge_names = frozenset(edge for edge in possible_edges if relationships_of({edge}) == (relationship_name,))
    return replace(relationship, relationships=relationships_of(edge_names), edges=edge_names)


def _ambiguous(
    relationship: Relationship, node: Node, possible: Iterable[str], edges: frozenset[str]
) -> AmbiguousQuery:
    senses = (
        f"{name} ({', '.join(sorted(edge for edge in edges if name in relationships_of({edge})))})" for name in possible
    )
    return AmbiguousQuery(
        f"{relationship.name!r:.80} of a {node.kind.replace('_', ' ')} may be of several relationships.",
        hint=f"Ask for one of them: {', '.join(senses)}.",
        invalid_input=relationship.name,
    )


def _fitting_edges(relationship: Relationship, node: Node) -> frozenset[str]:
    """The edges of a relationship that fit one entity; direct ones are preferred."""
    direct = endpoints_of_node(node, relationship)
    indirect = indirect_endpoints(intermediate_kind(node, relationship), relationship)
    joining = [
        [(endpoint, start) for endpoint, start in pairs if relationship.end in _other_kinds(endpoint, start)]
        for pairs in (direct, indirect)
    ]
    choices = [*joining, direct, indirect] if relationship.end else [[*direct, *indirect]]
    pairs = next(filter(None, choices), [])
    return frozenset(endpoint.edge for endpoint, _ in pairs)


def _other_kinds(endpoint: Endpoint, start: Start) -> list[str]:
    """The kinds of entities that the rows of an endpoint join with its start."""
    edge = edges()[endpoint.edge]
    kinds = [edge.subject.kind, edge.object.kind]
    if start.kind in kinds:
        kinds.remove(start.kind)
    return kinds
