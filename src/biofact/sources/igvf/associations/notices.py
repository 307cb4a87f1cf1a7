"""What an expert would want to know about a list of associations. Pure."""

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
    endpoints_beyond,
    endpoints_of_node,
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
    """Of each endpoint how many rows it has, whether there are more, what failed, and what does not exist.

    ``requests`` are those beside the endpoints' own.
    """
    return [
        *_renamed(query),
        *_renamed_source(query),
        *_counts(results, requests),
        *of_later_page(results),
        *_uncovered(query, skipped),
    ]


def _renamed(query: AssociationQuery) -> list[Notice]:
    """Says as what a relationship was read that has another name here."""
    meant_relationship = query.relationship
    if not meant_relationship.is_renamed:
        return []
    of_it = f", of it {', '.join(sorted(meant_relationship.edges))}" if meant_relationship.edges else ""
    by = f", by method {meant_relationship.method}" if meant_relationship.method else ""
    message = f"{meant_relationship.name} was read as {', '.join(meant_relationship.relationships)}{of_it}{by}."
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]


def _renamed_source(query: AssociationQuery) -> list[Notice]:
    """Says under whose name the rows of a source stand."""
    name = catalog_source(query.filters)
    if name is None:
        return []
    message = f"The Catalog has {query.filters.source} among the rows of {name}, and does not tell them apart."
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]


def of_later_page(results: Sequence[EndpointResult]) -> list[Notice]:
    """What holds for one page alone: endpoints that failed, rows left out, an order with gaps."""
    return [*_failures(results), *_dropped(results), *_untold(results), *_partial(results)]


def _failures(results: Sequence[EndpointResult]) -> list[Notice]:
    failed = {result.query.endpoint.path: result.failure for result in results if result.failure is not None}
    return [missing_part(path, failure.message) for path, failure in failed.items()]


def by_way_of(kind: str, node: Node, others: Sequence[Node], most: int) -> Notice:
    """Says of which genes or proteins is listed what goes by way of them."""
    named = ", ".join(other.name or other.id for other in others[:most])
    more = f", not of {len(others) - most} more" if len(others) > most else ""
    what = "Regulation" if kind == "gene" else "What proteins do"
    message = f"{what} of {node.name or node.id} is that of its {kind}s {named}{more}."
    return Notice(code="QUERY_UNDERSTOOD", message=message)


def no_intermediate(node: Node, kind: str) -> Notice:
    """Says why no further entities were queried."""
    message = f"The Catalog names no {kind} of {node.name or node.id}, by way of which more would be asked for."
    return Notice(code="UNMATCHED", message=message)


def _counts(results: Sequence[EndpointResult], more: int) -> list[Notice]:
    counted_counts: dict[str, _Count] = {}
    for result in results:
        if result.failure is None:
            count = counted_counts.setdefault(result.query.endpoint.path, _Count())
            count.rows += len(result.rows)
            count.read += result.read
            count.is_cut |= not result.is_all
            count.is_filtered_here |= result.query.is_filtered_here
    if not counted_counts:
        return []
    found = [f"{path} {count}" for path, count in counted_counts.items() if count.rows or count.is_cut]
    none = [path for path, count in counted_counts.items() if not count.rows and not count.is_cut]
    words = ", ".join(found) + ("; " if found and none else "") + (f"none in {', '.join(none)}" if none else "")
    requests = more + sum(result.requests for result in results)
    return [Notice(code="LEGS", message=f"Requests: {requests}. Rows: {words}.")]


@dataclass(slots=True)
class _Count:
    """The rows of an endpoint, for all its queries."""

    rows: int = 0
    read: int = 0
    is_cut: bool = False
    is_filtered_here: bool = False

    def __str__(self) -> str:
        if self.is_cut and self.is_filtered_here:  # few may be kept of many that were read
            return f"{self.rows} of the {self.read} read so far"
        return f"at least {self.rows}" if self.is_cut else str(self.rows)


def _dropped(results: Sequence[EndpointResult]) -> list[Notice]:
    """Rows that the service sent for something else, such as those of a tissue with a similar name."""
    strange = {result.query.endpoint.path: result.dropped for result in results if result.dropped}
    if not strange:
        return []
    words = ", ".join(f"{count} of {path}" for path, count in strange.items())
    contexts = list(
        dict.fromkeys(context for result in results if result.query.sent_filters.tissue for context in result.contexts)
    )
    near = f" Their contexts: {', '.join(contexts[:_MOST_CONTEXTS])}." if contexts else ""
    return [Notice(code="DROPPED", message=f"Rows that do not answer the question, left out: {words}.{near}")]


def _untold(results: Sequence[EndpointResult]) -> list[Notice]:
    """Rows that may keep a filter or not: they do not tell what it goes by."""
    words: dict[str, list[str]] = {}
    for (path, name), count in _sums(results).items():
        words.setdefault(name, []).append(f"{count} of {path}")
    absent = "; ".join(f"no {name}: {', '.join(paths)}" for name, paths in words.items())
    return [Notice(code="NOT_COVERED", message=f"Left out, as these rows do not tell it: {absent}.")] if words else []


def _sums(results: Sequence[EndpointResult]) -> Counter[tuple[str, str]]:
    counter: Counter[tuple[str, str]] = Counter()
    for result in results:
        for name, count in result.untold.items():
            counter[result.query.endpoint.path, name] += count
    return counter


def _partial(results: Sequence[EndpointResult]) -> list[Notice]:
    partial = list(
        dict.fromkeys(
            result.query.endpoint.path for result in results if not result.is_ordered and result.failure is None
        )
    )
    if not partial:
        return []
    narrowing = [
        name
        for name in FILTERS
        if any(is_applied_upstream(result.query.endpoint, name) for result in results if not result.is_ordered)
    ]
    message = (
        f"The service cannot sort; of {', '.join(partial)} not all rows could be read: better ones may be missing."
    )
    how = f" Narrow it by {', '.join(narrowing)}, or page" if narrowing else " Page"
    return [Notice(code="ORDER", message=f"{message}{how} through all without order_by.")]


def _uncovered(query: AssociationQuery, skipped: Sequence[SkippedEndpoints]) -> list[Notice]:
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
    given = query.filters.written
    words += [
        f"no {name} {given.get(name, '')}".rstrip() + f" in {', '.join(paths)}" for name, paths in unsupported.items()
    ]
    if query.relationship.name == "all":
        ends = [name for name in IN_ALL if not reachable_endpoints(node, relationship_named(name))]
        words += [f"no {', '.join(ends)} relationship starts from a {node.kind.replace('_', ' ')}"] if ends else []
    return [Notice(code="NOT_COVERED", message=f"Not asked: {'; '.join(words)}.")] if words else []


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


def _ambiguous(
    named_relationship: Relationship, node: Node, possible: Iterable[str], meant: frozenset[str]
) -> AmbiguousQuery:
    senses = (
        f"{name} ({', '.join(sorted(edge for edge in meant if name in relationships_of({edge})))})" for name in possible
    )
    return AmbiguousQuery(
        f"{named_relationship.name!r:.80} of a {node.kind.replace('_', ' ')} may be of several relationships.",
        hint=f"Ask for one of them: {', '.join(senses)}.",
        invalid_input=named_relationship.name,
    )


def _edges(named_relationship: Relationship, node: Node) -> frozenset[str]:
    """Those of the edges that are meant of one entity; what it is joined with directly goes before all else."""
    direct = endpoints_of_node(node, named_relationship)
    kind = intermediate_kind(node, named_relationship)
    beyond = endpoints_beyond(kind, named_relationship) if kind else []
    if not named_relationship.end:
        return _edges_of([*direct, *beyond])
    return next(
        filter(
            None,
            map(
                _edges_of,
                (_with(direct, named_relationship.end), _with(beyond, named_relationship.end), direct, beyond),
            ),
        ),
        _NO,
    )


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
