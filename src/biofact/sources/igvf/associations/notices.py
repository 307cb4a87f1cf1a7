"""Notices about a list of associations: its scope, gaps and failures. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biofact.core.records import Notice, missing_part, noticed
from biofact.dialects.readable_rows import omission_notices
from biofact.protocol.templates import NoticeTemplate
from biofact.sources.igvf.associations.endpoint_reader import EndpointResult
from biofact.sources.igvf.associations.queries import AssociationQuery, Node, SkippedEndpoint, reachable_endpoints
from biofact.sources.igvf.catalog import IN_ALL
from biofact.sources.igvf.filters import FILTERS, catalog_source, is_applied_upstream
from biofact.sources.igvf.relationships import Relationship, relationship_named

_MOST_CONTEXTS = 8


def of_first_page(
    query: AssociationQuery, results: Sequence[EndpointResult], skipped: Sequence[SkippedEndpoint], requests: int
) -> list[Notice]:
    """Notices of each endpoint's number of rows, of more rows, of failures, and of endpoints that were not queried.

    ``requests`` is the number of further requests, for intermediates.
    """
    return [
        *noticed("QUERY_UNDERSTOOD", _relationship_sense(query.relationship)),
        *noticed("QUERY_UNDERSTOOD", _source_sense(query)),
        *noticed("LEGS", _row_counts(results, requests)),
        *of_later_page(results),
        *noticed("NOT_COVERED", _skipped_endpoints(query, skipped)),
    ]


def of_later_page(results: Sequence[EndpointResult]) -> list[Notice]:
    """Notices of one page: endpoints that failed, rows left out, an order with gaps."""
    failures = {result.query.endpoint.path: result.failure for result in results if result.failure is not None}
    return [
        *(missing_part(path, failure.message) for path, failure in failures.items()),
        *noticed("DROPPED", _dropped_rows(results)),
        *_omitted_rows(results),
        *noticed("NOT_COVERED", _undecided_rows(results)),
        *noticed("ORDER", _gaps_in_order(results)),
    ]


NO_INTERMEDIATES = NoticeTemplate(
    "UNMATCHED", "The Catalog names no {kind} of {name}, by way of which more would be asked for."
)


def intermediates_notice(kind: str, node: Node, intermediates: Sequence[Node], limit: int) -> Notice:
    """A notice of the genes or proteins through which associations are listed."""
    names = ", ".join(intermediate.name or intermediate.id for intermediate in intermediates[:limit])
    remainder = f", not of {len(intermediates) - limit} more" if len(intermediates) > limit else ""
    topic = "Regulation" if kind == "gene" else "What proteins do"
    message = f"{topic} of {node.name or node.id} is that of its {kind}s {names}{remainder}."
    return Notice(code="QUERY_UNDERSTOOD", message=message)


def _relationship_sense(relationship: Relationship) -> str | None:
    """The Catalog's relationships for a name that is none of them."""
    if not relationship.is_renamed:
        return None
    edges_phrase = f", of it {', '.join(sorted(relationship.edges))}" if relationship.edges else ""
    method_phrase = f", by method {relationship.method}" if relationship.method else ""
    return f"{relationship.name} was read as {', '.join(relationship.relationships)}{edges_phrase}{method_phrase}."


def _source_sense(query: AssociationQuery) -> str | None:
    """The Catalog lists a source's rows under another source."""
    if (name := catalog_source(query.filters)) is None:
        return None
    return f"The Catalog has {query.filters.by_name['source']} among the rows of {name}, and does not tell them apart."


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


def _row_counts(results: Sequence[EndpointResult], other_requests: int) -> str | None:
    counts: dict[str, _Count] = {}
    for result in results:
        if result.failure is None:
            count = counts.setdefault(result.query.endpoint.path, _Count())
            count.rows += len(result.rows)
            count.read_rows += result.read_rows
            count.is_cut |= not result.is_all
            count.is_filtered_here |= result.query.is_filtered_here
    empty = [path for path, count in counts.items() if not count.rows and not count.is_cut]
    phrases = (
        ", ".join(f"{path} {count}" for path, count in counts.items() if path not in empty),
        f"none in {', '.join(empty)}" if empty else "",
    )
    requests = other_requests + sum(result.requests for result in results)
    return f"Requests: {requests}. Rows: {'; '.join(filter(None, phrases))}." if counts else None


def _dropped_rows(results: Sequence[EndpointResult]) -> str | None:
    """Rows for another query, such as those of a tissue with a similar name."""
    counts = {result.query.endpoint.path: result.dropped_rows for result in results if result.dropped_rows}
    contexts = _distinct(context for result in results for context in result.contexts)
    contexts_phrase = f" Their contexts: {', '.join(contexts[:_MOST_CONTEXTS])}." if contexts else ""
    phrase = ", ".join(f"{count} of {path}" for path, count in counts.items())
    return f"Rows that do not answer the question, left out: {phrase}.{contexts_phrase}" if counts else None


def _omitted_rows(results: Sequence[EndpointResult]) -> list[Notice]:
    """Rows without a field that they need, by endpoint."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        counts.setdefault(result.query.endpoint.path, Counter()).update(result.omissions)
    return [
        notice
        for path, omissions in counts.items()
        for notice in omission_notices("The IGVF Catalog", omissions, f"rows of {path}")
    ]


def _undecided_rows(results: Sequence[EndpointResult]) -> str | None:
    """Rows without the value that a filter needs."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        for name, count in result.undecided_rows.items():
            counts.setdefault(name, Counter())[result.query.endpoint.path] += count
    phrases = (
        f"no {name}: {', '.join(f'{count} of {path}' for path, count in counter.items())}"
        for name, counter in counts.items()
    )
    return f"Left out, as these rows do not tell it: {'; '.join(phrases)}." if counts else None


def _gaps_in_order(results: Sequence[EndpointResult]) -> str | None:
    unordered = [result.query.endpoint for result in results if not result.is_ordered]
    paths = _distinct(endpoint.path for endpoint in unordered)
    useful_filters = [name for name in FILTERS if any(is_applied_upstream(endpoint, name) for endpoint in unordered)]
    advice = f"Narrow it by {', '.join(useful_filters)}, or page" if useful_filters else "Page"
    gap = f"The service cannot sort; of {', '.join(paths)} not all rows could be read: better ones may be missing."
    return f"{gap} {advice} through all without order_by." if paths else None


def _skipped_endpoints(query: AssociationQuery, skipped: Sequence[SkippedEndpoint]) -> str | None:
    node, filter_values = query.nodes[0], query.filters.raw_values
    paths = {reason: _distinct(path for path, other in skipped if other == reason) for _, reason in skipped}
    phrases = {
        "organism": f"of the {node.organism} there is nothing in",
        "protein": f"no protein is made of {node.name or node.id}, so",
        "region": "the region is too long for",
    }
    phrases |= {
        name: f"no {name} {filter_values.get(name, '')}".rstrip() + " in" for name in paths if name not in phrases
    }
    words = [f"{phrase} {', '.join(paths[reason])}" for reason, phrase in phrases.items() if reason in paths]
    if query.relationship.name == "all":
        ends = [name for name in IN_ALL if not reachable_endpoints(node, relationship_named(name))]
        words += [f"no {', '.join(ends)} relationship starts from a {node.kind.replace('_', ' ')}"] if ends else []
    return f"Not asked: {'; '.join(words)}." if words else None


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))
