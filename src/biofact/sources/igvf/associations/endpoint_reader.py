"""One endpoint read: page by page, or with rising thresholds until nothing better can be missing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.errors import RetryAfter, UpstreamError
from biofact.dialects.readable_rows import ReadableRows
from biofact.protocol.search import FilteredList, PagePosition
from biofact.sources.igvf import parse
from biofact.sources.igvf.associations.queries import EndpointQuery, Order
from biofact.sources.igvf.catalog import edges
from biofact.sources.igvf.questions import FAILURES, IGVFQuestions, page_size
from biofact.sources.igvf.records import FullAssociation

_ROWS = 100  # a page: one length for every limit, so that pages are kept and cursors hold
_PAGES = 4  # of an endpoint in one call
_NESTED = frozenset({"gene_coding_variant"})  # edges of which a row may hold no association


@dataclass(slots=True)
class EndpointResult(FilteredList[FullAssociation]):
    """An endpoint's answer to one query."""

    query: EndpointQuery
    dropped_rows: int = 0
    """Rows that do not answer the query."""
    omissions: Counter[str] = field(default_factory=Counter)
    """The number of rows without a field that they need, by field."""
    undecided_rows: Counter[str] = field(default_factory=Counter)
    """The number of rows without the value that a filter needs, by filter."""
    contexts: dict[str, None] = field(default_factory=dict)
    """The contexts of dropped rows, in the order of the rows."""
    read_rows: int = 0
    """Rows of the service that were checked."""
    requests: int = 0
    """The number of requests, with those answered from the cache."""
    is_ordered: bool = True
    """No better row can be missing from an order."""


@dataclass(frozen=True, slots=True)
class EndpointReader:
    """Reads endpoints; a failure is a part of the result, not raised."""

    questions: IGVFQuestions

    async def pages(self, query: EndpointQuery, start: PagePosition, need: int) -> EndpointResult:
        """At least ``need`` associations from a position on, or all there are."""
        result = EndpointResult(query.key, start, query)
        try:
            for position in result.pages(need, _PAGES):
                await self._add_page(result, position)
        except FAILURES as failure:
            result.failure = failure
        return result

    async def best(self, query: EndpointQuery, order: Order, need: int, *, requests: int) -> EndpointResult:
        """The first ``need`` associations in order, if not more."""
        result = EndpointResult(query.key, PagePosition(), query)
        try:
            result.rows = await self._best_rows(result, order, need, requests)
        except FAILURES as failure:
            result.failure = failure
        return result

    async def _add_page(self, result: EndpointResult, position: PagePosition) -> None:
        query = result.query
        size = page_size(query.endpoint, (query.endpoint.max_rows or _ROWS) if query.is_filtered_here else _ROWS)
        rows = await self._page(result, query.parameters, position.page, size)
        # Without this, an endpoint that ignores its page would fill the list with its first rows again and again.
        if position.page and rows and rows == await self._page(result, query.parameters, position.page - 1, size):
            raise _repeated_page_error(query, position.page)
        before = result.dropped_rows, result.undecided_rows.copy(), result.omissions.copy()
        matches = _answers(result, rows)
        if position.done:  # they were counted when the page was begun
            result.dropped_rows, result.undecided_rows, result.omissions = before
        result.add(matches, None if len(rows) < size else PagePosition(position.page + 1))

    async def _best_rows(self, result: EndpointResult, order: Order, need: int, requests: int) -> list[FullAssociation]:
        """All rows above a threshold that leaves at least ``need`` of them; all rows if there are few."""
        query, size = result.query, page_size(result.query.endpoint, result.query.endpoint.max_rows or _ROWS)
        parameters, number = query.parameters, 0
        rows: list[FullAssociation] = []
        last: list[dict[str, Any]] = []
        for _ in range(requests):
            page = await self._page(result, parameters, number, size)
            if number and page and page == last:
                raise _repeated_page_error(query, number)
            last = page
            rows += _answers(result, page)
            if len(page) < size:
                if parameters == query.parameters:
                    result.rest = None
                return rows
            # The service sorts by key, so its first page is any page: the next asks for rows at least as good.
            narrower = order.narrow(query.endpoint, parameters, rows, need) if number == 0 else None
            if narrower is None:
                number += 1
            else:
                parameters, rows, result.dropped_rows, result.read_rows = narrower, [], 0, 0
                result.undecided_rows.clear()
                result.omissions.clear()
        result.is_ordered = False
        return rows

    async def _page(
        self, result: EndpointResult, parameters: dict[str, str], number: int, size: int
    ) -> list[dict[str, Any]]:
        endpoint = result.query.endpoint
        result.requests += 1
        limit = size if "limit" in endpoint.parameters else None
        return await self.questions.rows(endpoint.path, parameters, page=number, limit=limit)


def _repeated_page_error(query: EndpointQuery, number: int) -> UpstreamError:
    message = f"The IGVF Catalog sent page {number} of {query.endpoint.path} once more as page {number + 1}."
    return UpstreamError(message, hint="Call again later.", recovery=RetryAfter(60))


def _answers(result: EndpointResult, rows: Sequence[dict[str, Any]]) -> list[FullAssociation]:
    """The associations that are about the entity and keep the filters; counts the rows that do not answer the query."""
    query, edge = result.query, edges()[result.query.endpoint.edge]
    node, start = query.node, query.node.start()
    is_start = result.start == PagePosition() and not result.read_rows
    readable = ReadableRows.of(
        parse.distinct(rows), lambda row: list(parse.associations(query.endpoint, row, start)), is_whole=is_start
    )
    associations_by_row = readable.items
    result.omissions += readable.omissions
    result.read_rows += len(rows)
    if query.endpoint.edge not in _NESTED:
        if associations_by_row and not any(associations_by_row):
            raise parse.without_ends(query.endpoint)
        result.dropped_rows += sum(not row_associations for row_associations in associations_by_row)
    associations = [association for row_associations in associations_by_row for association in row_associations]
    off_topic = [row for row in associations if not (node.is_near(row, edge) and query.sent_filters.accept(row))]
    result.dropped_rows += len(off_topic)
    if query.sent_filters.tissue:
        result.contexts.update(dict.fromkeys(row.context for row in off_topic if row.context))
    answers = [
        row
        for row in associations
        if node.is_in(row, edge)
        and query.sent_filters.accept(row)
        and not (query.is_other_end and row.subject == row.object)
    ]
    result.undecided_rows.update(name for row in answers if (name := query.filters.undecided_filter(row)))
    return [row for row in answers if query.filters.accept(row)]
