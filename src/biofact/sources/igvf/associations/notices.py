"""Notices about a list of associations: its scope, gaps and failures. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biofact.core.errors import AmbiguousQuery
from biofact.core.records import Notice, missing_part
from biofact.sources.igvf.associations.endpoint_reader import EndpointResult
from biofact.sources.igvf.associations.queries import (
    AssociationQuery,
    EndpointStart,
    Node,
    SkippedEndpoints,
    endpoints_of_node,
    indirect_endpoints,
    intermediate_kind,
    reachable_endpoints,
)
from biofact.sources.igvf.catalog import IN_ALL, edges
from biofact.sources.igvf.filters import FILTERS, catalog_source, is_applied_upstream
from biofact.sources.igvf.relationships import Relationship, relationship_named, relationships_of

_MOST_CONTEXTS = 8


def of_first_page(
    query: AssociationQuery, results: Sequence[EndpointResult], skipped: Sequence[SkippedEndpoints], requests: int
) -> list[Notice]:
    """Notices of each endpoint's number of rows, of more rows, of failures, and of endpoints that were not queried.

    ``requests`` is the number of further requests, for intermediates.
    """
    return [
        *_relationship_notices(query),
        *_source_notices(query),
        *_counts(results, requests),
        *of_later_page(results),
        *_coverage_notices(query, skipped),
    ]


def _relationship_notices(query: AssociationQuery) -> list[Notice]:
    """A notice of the Catalog's relationships for a name that is none of them."""
    relationship = query.relationship
    if not relationship.is_renamed:
        return []
    edges_phrase = f", of it {', '.join(sorted(relationship.edges))}" if relationship.edges else ""
    method_phrase = f", by method {relationship.method}" if relationship.method else ""
    sense = f"{', '.join(relationship.relationships)}{edges_phrase}{method_phrase}"
    message = f"{relationship.name} was read as {sense}."
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]


def _source_notices(query: AssociationQuery) -> list[Notice]:
    """A notice that the Catalog lists a source's rows under another source."""
    name = catalog_source(query.filters)
    if name is None:
        return []
    message = f"The Catalog has {query.filters.source} among the rows of {name}, and does not tell them apart."
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]


def of_later_page(results: Sequence[EndpointResult]) -> list[Notice]:
    """Notices of one page: endpoints that failed, rows left out, an order with gaps."""
    return [
        *_failure_notices(results),
        *_dropped_rows_notices(results),
        *_undecided_rows_notices(results),
        *_order_notices(results),
    ]


def _failure_notices(results: Sequence[EndpointResult]) -> list[Notice]:
    failed = {result.query.endpoint.path: result.failure for result in results if result.failure is not None}
    return [missing_part(path, failure.message) for path, failure in failed.items()]


def intermediates_notice(kind: str, node: Node, intermediates: Sequence[Node], limit: int) -> Notice:
    """A notice of the genes or proteins through which associations are listed."""
    names = ", ".join(intermediate.name or intermediate.id for intermediate in intermediates[:limit])
    remainder = f", not of {len(intermediates) - limit} more" if len(intermediates) > limit else ""
    topic = "Regulation" if kind == "gene" else "What proteins do"
    message = f"{topic} of {node.name or node.id} is that of its {kind}s {names}{remainder}."
    return Notice(code="QUERY_UNDERSTOOD", message=message)


def no_intermediates_notice(node: Node, kind: str) -> Notice:
    """A notice that no intermediate entities were queried, and why."""
    message = f"The Catalog names no {kind} of {node.name or node.id}, by way of which more would be asked for."
    return Notice(code="UNMATCHED", message=message)


def _counts(results: Sequence[EndpointResult], other_requests: int) -> list[Notice]:
    counted_counts: dict[str, _Count] = {}
    for result in results:
        if result.failure is None:
            count = counted_counts.setdefault(result.query.endpoint.path, _Count())
            count.rows += len(result.rows)
            count.read_rows += result.read_rows
            count.is_cut |= not result.is_all
            count.is_filtered_here |= result.query.is_filtered_here
    if not counted_counts:
        return []
    counts = [f"{path} {count}" for path, count in counted_counts.items() if count.rows or count.is_cut]
    empty = [path for path, count in counted_counts.items() if not count.rows and not count.is_cut]
    words = ", ".join(counts) + ("; " if counts and empty else "") + (f"none in {', '.join(empty)}" if empty else "")
    requests = other_requests + sum(result.requests for result in results)
    return [Notice(code="LEGS", message=f"Requests: {requests}. Rows: {words}.")]


@dataclass(slots=True)
class _Count:
    """The rows of an endpoint, for all its queries."""

    rows: int = 0
    read_rows: int = 0
    is_cut: bool = False
    is_filtered_here: bool = False

    def __str__(self) -> str:
        if self.is_cut and self.is_filtered_here:  # few may be kept of many that were read
            return f"{self.rows} of the {self.read_rows} read so far"
        return f"at least {self.rows}" if self.is_cut else str(self.rows)


def _dropped_rows_notices(results: Sequence[EndpointResult]) -> list[Notice]:
    """A notice of rows for another query, such as those of a tissue with a similar name."""
    strange = {result.query.endpoint.path: result.dropped_rows for result in results if result.dropped_rows}
    if not strange:
        return []
    words = ", ".join(f"{count} of {path}" for path, count in strange.items())
    contexts = list(
        dict.fromkeys(context for result in results if result.query.sent_filters.tissue for context in result.contexts)
    )
    contexts_phrase = f" Their contexts: {', '.join(contexts[:_MOST_CONTEXTS])}." if contexts else ""
    return [
        Notice(code="DROPPED", message=f"Rows that do not answer the question, left out: {words}.{contexts_phrase}")
    ]


def _undecided_rows_notices(results: Sequence[EndpointResult]) -> list[Notice]:
    """A notice of rows without the value that a filter needs."""
    words: dict[str, list[str]] = {}
    for (path, name), count in _sums(results).items():
        words.setdefault(name, []).append(f"{count} of {path}")
    absent = "; ".join(f"no {name}: {', '.join(paths)}" for name, paths in words.items())
    return [Notice(code="NOT_COVERED", message=f"Left out, as these rows do not tell it: {absent}.")] if words else []


def _sums(results: Sequence[EndpointResult]) -> Counter[tuple[str, str]]:
    counter: Counter[tuple[str, str]] = Counter()
    for result in results:
        for name, count in result.undecided_rows.items():
            counter[result.query.endpoint.path, name] += count
    return counter


def _order_notices(results: Sequence[EndpointResult]) -> list[Notice]:
    partial = list(
        dict.fromkeys(
            result.query.endpoint.path for result in results if not result.is_ordered and result.failure is None
        )
    )
    if not partial:
        return []
    useful_filters = [
        name
        for name in FILTERS
        if any(is_applied_upstream(result.query.endpoint, name) for result in results if not result.is_ordered)
    ]
    message = (
        f"The service cannot sort; of {', '.join(partial)} not all rows could be read: better ones may be missing."
    )
    advice = f" Narrow it by {', '.join(useful_filters)}, or page" if useful_filters else " Page"
    return [Notice(code="ORDER", message=f"{message}{advice} through all without order_by.")]


def _coverage_notices(query: AssociationQuery, skipped: Sequence[SkippedEndpoints]) -> list[Notice]:
    node = query.nodes[0]
    words = []
    if foreign := dict.fromkeys(path for endpoints in skipped for path in endpoints.organism):
        words.append(f"of the {node.organism} there is nothing in {', '.join(foreign)}")
    if of_proteins := dict.fromkeys(path for endpoints in skipped for path in endpoints.proteins):
        words.append(f"no protein is made of {node.name or node.id}, so {', '.join(of_proteins)}")
    if wide := dict.fromkeys(path for endpoints in skipped for path in endpoints.wide):
        words.append(f"the region is too long for {', '.join(wide)}")
    unsupported: dict[str, list[str]] = {}
    for path, name in dict.fromkeys(pair for endpoints in skipped for pair in endpoints.filters):
        unsupported.setdefault(name, []).append(path)
    filter_values = query.filters.raw_values
    words += [
        f"no {name} {filter_values.get(name, '')}".rstrip() + f" in {', '.join(paths)}"
        for name, paths in unsupported.items()
    ]
    if query.relationship.name == "all":
        ends = [name for name in IN_ALL if not reachable_endpoints(node, relationship_named(name))]
        words += [f"no {', '.join(ends)} relationship starts from a {node.kind.replace('_', ' ')}"] if ends else []
    return [Notice(code="NOT_COVERED", message=f"Not asked: {'; '.join(words)}.")] if words else []


def effective_relationship(relationship: Relationship, nodes: Sequence[Node]) -> Relationship:
    """The relationship limited to the edges that fit the nodes; for terms of one name, one may decide for all.

    Raises:
        AmbiguousQuery: it may be several of these entities; the error lists them.
    """
    if not relationship.edges:
        return relationship
    edges_by_node = [_edges(relationship, node) for node in nodes]
    possible_edges = frozenset[str]().union(*edges_by_node)
    if not possible_edges:
        return relationship  # the query says what starts from it
    possible = relationships_of(possible_edges)
    certain = {names[0] for edges in edges_by_node if len(names := relationships_of(edges)) == 1}
    if len(possible) > 1 and len(certain) != 1:
        raise _ambiguous(relationship, nodes[0], possible, possible_edges)
    relationship_name = possible[0] if len(possible) == 1 else certain.pop()
    return relationship.with_edges(edge for edge in possible_edges if relationships_of({edge}) == (relationship_name,))


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


def _edges(relationship: Relationship, node: Node) -> frozenset[str]:
    """The edges of a relationship that fit one entity; direct ones are preferred."""
    direct = endpoints_of_node(node, relationship)
    kind = intermediate_kind(node, relationship)
    indirect = indirect_endpoints(kind, relationship) if kind else []
    if not relationship.end:
        return _edges_of([*direct, *indirect])
    return next(
        filter(
            None,
            map(
                _edges_of,
                (
                    _pairs_joining_kind(direct, relationship.end),
                    _pairs_joining_kind(indirect, relationship.end),
                    direct,
                    indirect,
                ),
            ),
        ),
        _NO_EDGES,
    )


_NO_EDGES: frozenset[str] = frozenset()


def _edges_of(pairs: Iterable[EndpointStart]) -> frozenset[str]:
    return frozenset(endpoint.edge for endpoint, _ in pairs)


def _pairs_joining_kind(pairs: Iterable[EndpointStart], end: str) -> list[EndpointStart]:
    """The pairs whose rows join their start with an entity of kind ``end``."""
    matching_pairs = []
    for endpoint, start in pairs:
        kinds = [edges()[endpoint.edge].subject.kind, edges()[endpoint.edge].object.kind]
        if start.kind in kinds:
            kinds.remove(start.kind)
        if end in kinds:
            matching_pairs.append((endpoint, start))
    return matching_pairs
