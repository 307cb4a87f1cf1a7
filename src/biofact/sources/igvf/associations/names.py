"""What the name of a relationship means of the entity asked of: a disease's genes, a variant's genes. Pure."""

from collections.abc import Iterable, Sequence

from biofact.core.errors import AmbiguousQuery
from biofact.sources.igvf.associations.endpoint_queries import (
    EndpointStart,
    endpoints_beyond,
    endpoints_of_node,
    intermediate_kind,
)
from biofact.sources.igvf.associations.nodes import Node
from biofact.sources.igvf.catalog import edges
from biofact.sources.igvf.relationships import Relationship, relationships_of


def meaning(named: Relationship, nodes: Sequence[Node]) -> Relationship:
    """The relationship that is meant; several nodes are terms of one name, of which one may tell what all are.

    Raises:
        AmbiguousQuery: it may be several of these entities; the error lists them.
    """
    if not named.edges:
        return named
    of_nodes = [_edges(named, node) for node in nodes]
    meant = frozenset[str]().union(*of_nodes)
    if not meant:
        return named  # the query says what starts from it
    possible = relationships_of(meant)
    certain = {own[0] for edges in of_nodes if len(own := relationships_of(edges)) == 1}
    if len(possible) > 1 and len(certain) != 1:
        raise _ambiguous(named, nodes[0], possible, meant)
    only = possible[0] if len(possible) == 1 else certain.pop()
    return named.only(edge for edge in meant if relationships_of({edge}) == (only,))


def _ambiguous(named: Relationship, node: Node, possible: Iterable[str], meant: frozenset[str]) -> AmbiguousQuery:
    senses = (
        f"{name} ({', '.join(sorted(edge for edge in meant if name in relationships_of({edge})))})" for name in possible
    )
    return AmbiguousQuery(
        f"{named.name!r:.80} of a {node.kind.replace('_', ' ')} may be of several relationships.",
        hint=f"Ask for one of them: {', '.join(senses)}.",
        invalid_input=named.name,
    )


def _edges(named: Relationship, node: Node) -> frozenset[str]:
    """Those of the edges that are meant of one entity; what it is joined with directly goes before all else."""
    direct = endpoints_of_node(node, named)
    kind = intermediate_kind(node, named)
    beyond = endpoints_beyond(kind, named) if kind else []
    if not named.end:
        return _edges_of([*direct, *beyond])
    return next(filter(None, map(_edges_of, (_with(direct, named.end), _with(beyond, named.end), direct, beyond))), _NO)


_NO: frozenset[str] = frozenset()


def _edges_of(pairs: Iterable[EndpointStart]) -> frozenset[str]:
    return frozenset(endpoint.edge for endpoint, _ in pairs)


def _with(pairs: Iterable[EndpointStart], end: str) -> list[EndpointStart]:
    """Those whose rows join what they start from with such an entity."""
    found = []
    for endpoint, start in pairs:
        kinds = [edges()[endpoint.edge].subject.kind, edges()[endpoint.edge].object.kind]
        if start.kind in kinds:
            kinds.remove(start.kind)
        if end in kinds:
            found.append((endpoint, start))
    return found
