"""Which endpoints have the associations that a caller wants, and how each is queried. Pure."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from biofact.core.errors import AmbiguousQuery
from biofact.sources.igvf.associations.nodes import Node
from biofact.sources.igvf.associations.order import ORDERS, Order
from biofact.sources.igvf.catalog import RELATIONSHIPS, SPECIES, Endpoint, Start, endpoints
from biofact.sources.igvf.filters import AssociationFilters, query_parameters, unsupported_filter, valid_values
from biofact.sources.igvf.relationships import Relationship, relationship_named
from biofact.sources.igvf.spans import REACH
from biofact.sources.igvf.term_ids import native


@dataclass(frozen=True, slots=True)
class AssociationQuery:
    """The associations that a caller wants."""

    nodes: Sequence[Node]
    """Where they start; several terms that share a name's words, or isoforms."""
    relationship: Relationship
    filters: AssociationFilters
    order: Order | None


EndpointStart = tuple[Endpoint, Start]
"""An endpoint, and the end from which it is queried."""

_OF_PROTEINS = frozenset({"gene_protein", "transcript_protein", "gene_coding_variant"})
_DISEASES = frozenset({"MONDO", "Orphanet", "DOID"})


@dataclass(frozen=True, slots=True)
class EndpointQuery:
    """One query of one endpoint."""

    endpoint: Endpoint
    start: Start
    node: Node
    given: dict[str, str]
    filters: AssociationFilters
    sent_filters: AssociationFilters
    """Those of the filters that the service applies: a row that misses one is no answer to the query."""

    @property
    def is_other_end(self) -> bool:
        """Whether it starts from the second of two ends of one kind: the first has what joins an entity with itself."""
        return next(start for start in self.endpoint.starts if start.kind == self.start.kind) != self.start

    @property
    def is_filtered_here(self) -> bool:
        """Whether rows have to keep a filter that the service does not apply."""
        return set(self.filters.values()) != set(self.sent_filters.values())

    @property
    def key(self) -> str:
        """Its short name in cursors."""
        query = "&".join((self.endpoint.path, *(f"{name}={value}" for name, value in sorted(self.given.items()))))
        return hashlib.blake2b(query.encode(), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class SkippedEndpoints:
    """The endpoints that cannot answer a query, and why."""

    organism: tuple[str, ...] = ()
    """Paths of those that know nothing of this organism."""
    wide: tuple[str, ...] = ()
    """Paths of those for which the region is too long."""
    proteins: tuple[str, ...] = ()
    """Paths of those that tell of a gene's or transcript's proteins, where it has none."""
    filters: tuple[tuple[str, str], ...] = ()
    """Paths of others, each with the filter or order that its rows cannot keep."""


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
    found = endpoints_of_kind(node.kind, relationship, node.ontology if node.kind == "term" else "")
    if not node.is_region:
        return found
    known = {endpoint.edge for endpoint, _ in found}  # whose rows come from the elements already
    return [*found, *(pair for pair in endpoints_of_kind("region", relationship) if pair[0].edge not in known)]


def intermediate_kind(node: Node, relationship: Relationship) -> str | None:
    """The kind of entities through which more is known: of a gene its proteins, of a disease its genes."""
    return _intermediate_kind(node.kind, relationship) if node.kind != "term" or node.ontology in _DISEASES else None


def can_start(kind: str, relationship: Relationship) -> bool:
    """Whether a relationship starts from some entity of this kind, or from what leads on from it."""
    further = _intermediate_kind(kind, relationship)
    return bool(endpoints_of_kind(kind, relationship) or (further and endpoints_beyond(further, relationship)))


def _intermediate_kind(kind: str, relationship: Relationship) -> str | None:
    further = {"gene": "protein", "term": "gene"}.get(kind)
    is_further = further is not None and not (kind == "term" and relationship.name == "all")
    return further if further and is_further and endpoints_beyond(further, relationship) else None


def endpoints_beyond(kind: str, relationship: Relationship) -> list[EndpointStart]:
    """The endpoints that are queried from a gene's proteins or a disease's genes."""
    of_others = {"protein": ("physical", "functional"), "gene": ("regulatory",)}[kind]
    return [pair for pair in endpoints_of_kind(kind, relationship) if pair[0].relationship in of_others]


def reachable_endpoints(node: Node, relationship: Relationship) -> list[EndpointStart]:
    """All endpoints of a relationship that start from this entity, or from what leads on from it."""
    kind = intermediate_kind(node, relationship)
    return [*endpoints_of_node(node, relationship), *(endpoints_beyond(kind, relationship) if kind else [])]


def queries_from(
    node: Node, candidates: Iterable[EndpointStart], filters: AssociationFilters, order: Order | None
) -> tuple[list[EndpointQuery], SkippedEndpoints]:
    """The queries from one entity, and the endpoints that cannot be queried from it."""
    queries: list[EndpointQuery] = []
    foreign: list[str] = []
    without_protein: list[str] = []
    wide: list[str] = []
    unsupported: list[tuple[str, str]] = []
    for endpoint, start in candidates:
        if node.organism not in endpoint.organisms:
            foreign.append(endpoint.path)
        elif not node.codes and endpoint.edge in _OF_PROTEINS:
            without_protein.append(endpoint.path)
        elif start.by == "region" and node.region and endpoint.widest and node.region.length > endpoint.widest:
            wide.append(endpoint.path)
        elif name := _unsupported_option(endpoint, filters, order):
            unsupported.append((endpoint.path, name))
        else:
            queries += _queries(endpoint, start, node, filters)
    return queries, SkippedEndpoints(
        organism=tuple(foreign), wide=tuple(wide), proteins=tuple(without_protein), filters=tuple(unsupported)
    )


def _unsupported_option(endpoint: Endpoint, filters: AssociationFilters, order: Order | None) -> str | None:
    """The filter or order that an endpoint's rows cannot keep."""
    if (name := unsupported_filter(endpoint, filters)) is not None:
        return name
    return order.field if order is not None and not order.is_field_of(endpoint) else None


def check(query: AssociationQuery) -> None:
    """Refuse what no endpoint answers.

    Raises:
        AmbiguousQuery: the error names the relationships, values or orders that are valid.
    """
    relationship, node = query.relationship, query.nodes[0]
    candidates = [endpoint for node in query.nodes for endpoint, _ in reachable_endpoints(node, relationship)]
    if not candidates:
        known = [name for name in RELATIONSHIPS if reachable_endpoints(node, relationship_named(name))]
        raise AmbiguousQuery(
            f"The IGVF Catalog joins nothing {relationship.name} with a {node.kind.replace('_', ' ')}.",
            hint=f"Relationships of {node.name or node.id}: {', '.join(known) or 'none'}.",
            invalid_input=relationship.name,
        )
    if all(_unsupported_option(endpoint, query.filters, query.order) for endpoint in candidates):
        raise _unsupported(candidates, query.filters, query.order)


def _unsupported(candidates: Sequence[Endpoint], filters: AssociationFilters, order: Order | None) -> AmbiguousQuery:
    """The error that no endpoint can keep the filters and the order."""
    for name, wanted in filters.written.items():
        if all(unsupported_filter(endpoint, filters.only({name})) for endpoint in candidates):
            valid = sorted({value for endpoint in candidates for value in valid_values(endpoint, name)})
            return _unsupported_value(name, wanted, valid)
    kept = [endpoint for endpoint in candidates if unsupported_filter(endpoint, filters) is None]
    orders = [
        name for name in ORDERS if any(Order(name, is_descending=False).is_field_of(endpoint) for endpoint in kept)
    ]
    if kept and order is not None:
        return AmbiguousQuery(
            f"No association asked for can be ordered by {order.field}.",
            hint=f"Valid orders here: {', '.join(orders)}." if orders else "Leave order_by out: these have no numbers.",
            invalid_input=order.written,
        )
    return AmbiguousQuery(
        f"No association asked for keeps {' and '.join(filters.written)} together.",
        hint="Leave one of them out, or ask for another relationship.",
        invalid_input=dict(filters.written),
    )


def _unsupported_value(name: str, wanted: object, valid: Sequence[str]) -> AmbiguousQuery:
    return AmbiguousQuery(
        f"No association asked for can be filtered by {name} {str(wanted)!r:.80}.",
        hint=f"Valid for {name}: {', '.join(valid)}." if valid else f"These associations cannot be filtered by {name}.",
        invalid_input={name: wanted},
    )


def _queries(endpoint: Endpoint, start: Start, node: Node, filters: AssociationFilters) -> Iterator[EndpointQuery]:
    given = query_parameters(endpoint, filters) | _fixed_parameters(endpoint, node)
    applied = {name for name in filters.values() if query_parameters(endpoint, filters.only({name}))}
    sent = filters.only(applied).inclusive()
    for start_node, start_parameter in _starts(endpoint, start, node):
        values = endpoint.parameters.get(start.each, ()) if start.each and start.each not in given else ()
        for value in values if not isinstance(values, str) and values else ("",):
            each = {start.each: value} if value else {}
            for tissue in _tissue_parameters(endpoint, filters):
                parameters = {**given, **tissue, **each, **start_parameter}
                yield EndpointQuery(endpoint, start, start_node, parameters, filters, sent)


def _tissue_parameters(endpoint: Endpoint, filters: AssociationFilters) -> list[dict[str, str]]:
    """One for each term of a tissue that has several, where the endpoint takes one term."""
    if len(filters.tissue_terms) > 1 and "biosample_term" in endpoint.parameters:
        return [{"biosample_term": native(term.id)} for term in filters.tissue_terms]
    return [{}]


def _starts(endpoint: Endpoint, start: Start, node: Node) -> list[tuple[Node, dict[str, str]]]:
    """From what exactly, and by which parameter; alleles are queried together where their rsID is taken."""
    if start.kind == "region" and node.region is not None:
        wider = node.region.reached_from(REACH)
        fits = endpoint.widest is None or wider.length <= endpoint.widest
        return [(node, {start.by: (wider if fits else node.region).half_open})]
    if (start.kind == "element" or start.by == "region") and node.region is not None:
        return [(node, {start.by: node.region.half_open})]
    if node.rsid is not None and "rsid" in endpoint.parameters:
        return [(node, {"rsid": node.rsid})]
    if node.rsid is not None:
        return [(node.allele(spdi), {start.by: spdi}) for spdi in sorted(node.ids)]
    if node.is_by_name and start.by_name and node.name:
        return [(node, {start.by_name: node.name})]
    value = node.name if start.value == "name" else node.id
    return [(node, {start.by: value})] if value else []


def _fixed_parameters(endpoint: Endpoint, node: Node) -> dict[str, str]:
    """The parameters of every query."""
    organism = {"organism": SPECIES[node.organism]} if "organism" in endpoint.parameters else {}
    return organism | ({"verbose": "true"} if endpoint.verbose else {})
