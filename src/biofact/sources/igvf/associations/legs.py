"""Which endpoints answer a question, and what each is asked. Pure."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from biofact.core.errors import AmbiguousQuery
from biofact.sources.igvf.associations.nodes import Node
from biofact.sources.igvf.associations.order import ORDERS, Order
from biofact.sources.igvf.catalog import RELATIONSHIPS, SPECIES, Endpoint, Start, endpoints
from biofact.sources.igvf.filters import Filters, told, valid_values, why_not
from biofact.sources.igvf.spans import REACH
from biofact.sources.igvf.term_ids import native

_DISEASES = frozenset({"MONDO", "Orphanet", "DOID"})


@dataclass(frozen=True, slots=True)
class Leg:
    """One question to one endpoint."""

    endpoint: Endpoint
    start: Start
    node: Node
    given: dict[str, str]
    filters: Filters
    told: Filters
    """Those of the filters that the service is told: a row that misses one is no answer to the question."""

    @property
    def is_other_end(self) -> bool:
        """Whether it starts from the second of two ends of one kind: the first tells what joins it with itself."""
        return next(one for one in self.endpoint.starts if one.kind == self.start.kind) != self.start

    @property
    def is_held_here(self) -> bool:
        """Whether rows have to keep a filter that the service is not told."""
        return set(self.filters.given()) != set(self.told.given())

    @property
    def key(self) -> str:
        """Its short name in cursors."""
        asked = "&".join((self.endpoint.path, *(f"{name}={value}" for name, value in sorted(self.given.items()))))
        return hashlib.blake2b(asked.encode(), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class Left:
    """Endpoints that cannot answer a question, and why."""

    organism: tuple[str, ...] = ()
    """They know nothing of this organism."""
    wide: tuple[str, ...] = ()
    """The region is too long for them."""
    filters: tuple[tuple[str, str], ...] = ()
    """Path, and the filter or order that its rows cannot keep."""


def asked_of(kind: str, relationship: str, ontology: str = "") -> list[tuple[Endpoint, Start]]:
    """The endpoints of a relationship that start from such an entity."""
    wanted = RELATIONSHIPS if relationship == "all" else (relationship,)
    return [
        (endpoint, start)
        for endpoint in endpoints().values()
        if endpoint.relationship in wanted
        for start in endpoint.starts
        if start.kind == kind and (not start.prefixes or not ontology or ontology in start.prefixes)
    ]


def from_node(node: Node, relationship: str) -> list[tuple[Endpoint, Start]]:
    """The endpoints of a relationship that start from this entity."""
    found = asked_of(node.kind, relationship, node.ontology if node.kind == "term" else "")
    if not node.is_region:
        return found
    known = {endpoint.edge for endpoint, _ in found}  # whose rows come from the elements already
    return [*found, *(pair for pair in asked_of("region", relationship) if pair[0].edge not in known)]


def through(node: Node, relationship: str) -> str | None:
    """The kind of entities by way of which more is known: of a gene its proteins, of a disease its genes."""
    return _through(node.kind, relationship) if node.kind != "term" or node.ontology in _DISEASES else None


def startable(kind: str, relationship: str) -> bool:
    """Whether a relationship starts from some entity of this kind, or from what leads on from it."""
    further = _through(kind, relationship)
    return bool(asked_of(kind, relationship) or (further and beyond(further, relationship)))


def _through(kind: str, relationship: str) -> str | None:
    if kind == "gene" and relationship in {"physical", "functional", "all"}:
        return "protein"
    return "gene" if kind == "term" and relationship == "regulatory" else None


def beyond(kind: str, relationship: str) -> list[tuple[Endpoint, Start]]:
    """The endpoints that are asked by way of a gene's proteins or a disease's genes."""
    wanted = {"protein": ("physical", "functional"), "gene": ("regulatory",)}[kind]
    chosen = wanted if relationship == "all" else (relationship,)
    return [pair for one in chosen if one in wanted for pair in asked_of(kind, one)]


def reachable(node: Node, relationship: str) -> list[tuple[Endpoint, Start]]:
    """All endpoints of a relationship that start from this entity, or from what leads on from it."""
    kind = through(node, relationship)
    return [*from_node(node, relationship), *(beyond(kind, relationship) if kind else [])]


def legs(
    node: Node, asked: Iterable[tuple[Endpoint, Start]], filters: Filters, order: Order | None
) -> tuple[list[Leg], Left]:
    """What is asked from one entity, and what cannot be."""
    found: list[Leg] = []
    foreign: list[str] = []
    wide: list[str] = []
    unkept: list[tuple[str, str]] = []
    for endpoint, start in asked:
        if node.organism not in endpoint.organisms:
            foreign.append(endpoint.path)
        elif start.by == "region" and node.region and endpoint.widest and node.region.length > endpoint.widest:
            wide.append(endpoint.path)
        elif lacking := lacks(endpoint, filters, order):
            unkept.append((endpoint.path, lacking))
        else:
            found += _legs(endpoint, start, node, filters)
    return found, Left(tuple(foreign), tuple(wide), tuple(unkept))


def lacks(endpoint: Endpoint, filters: Filters, order: Order | None) -> str | None:
    """The filter or order that an endpoint's rows cannot keep."""
    if (lacking := why_not(endpoint, filters)) is not None:
        return lacking
    return order.field if order is not None and not order.is_told(endpoint) else None


def check_askable(node: Node, relationship: str, asked: Sequence[tuple[Endpoint, Start]]) -> None:
    """Raise where nothing is known of such a relationship of such an entity.

    Raises:
        AmbiguousQuery: the error names the relationships there are.
    """
    if asked:
        return
    known = [one for one in RELATIONSHIPS if reachable(node, one)]
    kind = node.kind.replace("_", " ")
    raise AmbiguousQuery(
        f"The IGVF Catalog joins nothing {relationship} with a {kind}.",
        hint=f"Relationships of {node.name or node.id}: {', '.join(known) or 'none'}.",
        invalid_input=relationship,
    )


def check_kept(asked: Sequence[tuple[Endpoint, Start]], filters: Filters, order: Order | None) -> None:
    """Raise where no endpoint of a question can keep the filters and the order.

    Raises:
        AmbiguousQuery: the error names the valid values.
    """
    if any(lacks(endpoint, filters, order) is None for endpoint, _ in asked):
        return
    distinct = list({endpoint.path: endpoint for endpoint, _ in asked}.values())
    for name, wanted in filters.written.items():
        if all(why_not(one, filters.only({name})) for one in distinct):
            raise _unkept(name, wanted, sorted({value for one in distinct for value in valid_values(one, name)}))
    kept = [one for one in distinct if why_not(one, filters) is None]
    orders = [name for name in ORDERS if any(Order(name, is_descending=False).is_told(one) for one in kept)]
    if kept and order is not None:
        raise AmbiguousQuery(
            f"No association asked for can be ordered by {order.field}.",
            hint=f"Valid orders here: {', '.join(orders)}." if orders else "Leave order_by out: these have no numbers.",
            invalid_input=order.written,
        )
    raise AmbiguousQuery(
        f"No association asked for keeps {' and '.join(filters.written)} together.",
        hint="Leave one of them out, or ask for another relationship.",
        invalid_input=dict(filters.written),
    )


def _unkept(name: str, wanted: object, valid: Sequence[str]) -> AmbiguousQuery:
    return AmbiguousQuery(
        f"No association asked for can be filtered by {name} {str(wanted)!r:.80}.",
        hint=f"Valid for {name}: {', '.join(valid)}." if valid else f"These associations cannot be filtered by {name}.",
        invalid_input={name: wanted},
    )


def _legs(endpoint: Endpoint, start: Start, node: Node, filters: Filters) -> Iterator[Leg]:
    given = told(endpoint, filters) | _fixed(endpoint, node)
    known = filters.only({name for name in filters.given() if told(endpoint, filters.only({name}))}).inclusive()
    for one, begun in _begun(endpoint, start, node):
        values = endpoint.parameters.get(start.each, ()) if start.each and start.each not in given else ()
        for value in values if not isinstance(values, str) and values else ("",):
            each = {start.each: value} if value else {}
            for term in _terms(endpoint, filters):
                yield Leg(endpoint, start, one, {**given, **term, **each, **begun}, filters, known)


def _terms(endpoint: Endpoint, filters: Filters) -> list[dict[str, str]]:
    """A tissue of several terms is asked for term by term, where the endpoint takes one."""
    if len(filters.tissue_terms) > 1 and "biosample_term" in endpoint.parameters:
        return [{"biosample_term": native(one.id)} for one in filters.tissue_terms]
    return [{}]


def _begun(endpoint: Endpoint, start: Start, node: Node) -> list[tuple[Node, dict[str, str]]]:
    """From what exactly, and by which parameter; alleles are asked for together where their rsID is taken."""
    if start.kind == "region" and node.region is not None:
        wider = node.region.reached_from(REACH)
        fits = endpoint.widest is None or wider.length <= endpoint.widest
        return [(node, {start.by: (wider if fits else node.region).half_open})]
    if start.kind == "element" and node.region is not None:
        return [(node, {start.by: node.region.half_open})]
    if node.rsid is not None and "rsid" in endpoint.parameters:
        return [(node, {"rsid": node.rsid})]
    if node.rsid is not None:
        return [(node.alone(one), {start.by: one}) for one in sorted(node.ids)]
    if node.is_by_name and start.by_name and node.name:
        return [(node, {start.by_name: node.name})]
    value = node.name if start.value == "name" else node.id
    return [(node, {start.by: value})] if value else []


def _fixed(endpoint: Endpoint, node: Node) -> dict[str, str]:
    """What goes with every question."""
    organism = {"organism": SPECIES[node.organism]} if "organism" in endpoint.parameters else {}
    return organism | ({"verbose": "true"} if endpoint.verbose else {})
