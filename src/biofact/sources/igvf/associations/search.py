"""Associations of an entity: its endpoints queried side by side, merged fairly, page by page."""

import asyncio
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from biofact.core.errors import RateLimited, ToolRef, UpstreamError
from biofact.core.provenance import Notice, without
from biofact.protocol.listing import ListPage
from biofact.sources.igvf import parse
from biofact.sources.igvf.associations import notices
from biofact.sources.igvf.associations.endpoint_queries import (
    EndpointQuery,
    EndpointStart,
    SkippedEndpoints,
    check_filters,
    check_relationship,
    endpoint_queries,
    endpoints_beyond,
    endpoints_of_node,
    intermediate_kind,
    reachable_endpoints,
)
from biofact.sources.igvf.associations.endpoint_reader import EndpointPosition, EndpointReader, EndpointResult
from biofact.sources.igvf.associations.nodes import Node, node_of, node_of_proteins
from biofact.sources.igvf.associations.order import Order
from biofact.sources.igvf.associations.query import AssociationQuery
from biofact.sources.igvf.catalog import SPECIES, edges, endpoints
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import Association, Entity, ProteinEntity

FIND_ASSOCIATIONS = ToolRef("igvf", "find_associations")

_REQUESTS, _LEAST_REQUESTS, _MOST_REQUESTS = 60, 2, 6  # for an order: of a call, and of an endpoint
_MOST_GENES = 10  # of a disease, whose regulation is looked for

_Page = tuple[int, int]  # of an endpoint, and how many of its rows are done
_START: _Page = (0, 0)


class AssociationPosition(BaseModel):
    """Where a list goes on: how many rows are out, and of each endpoint's query (by its key) the page and how many of
    its rows are done; None for one that has ended.
    """

    out: int = 0
    legs: dict[str, _Page | None] = {}


AssociationPage = ListPage[Association, AssociationPosition]


@dataclass(slots=True)
class _Results:
    """What all endpoints answered to a query."""

    results: list[EndpointResult] = field(default_factory=list)
    skipped: list[SkippedEndpoints] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    failures: list[UpstreamError | RateLimited] = field(default_factory=list)
    """Of requests for the proteins or genes from which endpoints are queried."""

    @classmethod
    def of(cls, parts: Iterable["_Results"]) -> "_Results":
        """Several as one."""
        whole = cls()
        for part in parts:
            whole.results += part.results
            whole.skipped += part.skipped
            whole.notices += part.notices
            whole.failures += part.failures
        return whole

    @property
    def is_whole(self) -> bool:
        """Whether these are all rows there are."""
        return not self.failures and all(one.is_all and one.failure is None for one in self.results)

    def check(self) -> None:
        """Raise where nothing was answered: never an empty list for a failure."""
        failures = [*self.failures, *(one.failure for one in self.results if one.failure is not None)]
        if failures and all(one.failure is not None for one in self.results):
            raise failures[0]


@dataclass(frozen=True, slots=True)
class AssociationSearch:
    """Searches the graph for associations."""

    questions: IGVFQuestions

    async def page(self, query: AssociationQuery, position: AssociationPosition | None) -> AssociationPage:
        """The associations from a position on.

        Raises:
            AmbiguousQuery: no endpoint answers such a query; the error names the valid ones.
            UpstreamError, RateLimited: every endpoint failed.
        """
        _check(query)
        search = _PageSearch(self.questions, query, position)
        found = _Results.of(await asyncio.gather(*map(search.from_node, query.nodes)))
        found.check()
        listed = _ordered(query, query.order, found, position) if query.order else _merged(query, found, position)
        if position is None:
            of_page = notices.of_first_page(query, found.results, found.skipped)
        else:
            of_page = notices.of_later_page(found.results)
        return replace(listed, notices=[*found.notices, *of_page])


@dataclass(frozen=True, slots=True)
class _PageSearch:
    """The search for one page."""

    questions: IGVFQuestions
    query: AssociationQuery
    position: AssociationPosition | None

    async def from_node(self, node: Node) -> _Results:
        """What is known from an entity, directly and through others."""
        candidates = endpoints_of_node(node, self.query.relationship)
        direct = self._from_endpoints(node, candidates, nodes=len(self.query.nodes))
        return _Results.of(await asyncio.gather(direct, self._through_others(node)))

    async def _through_others(self, node: Node) -> _Results:
        """What is known through a gene's proteins, or a disease's genes."""
        kind = intermediate_kind(node, self.query.relationship)
        if kind is None:
            return _Results()
        try:
            others = await (self._proteins(node) if kind == "protein" else self._genes(node))
        except (UpstreamError, RateLimited) as failure:
            return _Results(notices=[without(f"what goes by way of {kind}s", failure.message)], failures=[failure])
        if not others:
            return _Results(notices=[notices.no_intermediate(node, kind)])
        candidates = endpoints_beyond(kind, self.query.relationship)
        chosen = others[:_MOST_GENES]
        parts = await asyncio.gather(*(self._from_endpoints(one, candidates, nodes=len(chosen)) for one in chosen))
        explained = [notices.regulation_of_genes(node, others, _MOST_GENES)] if kind == "gene" else []
        return _Results.of([_Results(notices=explained), *parts])

    async def _from_endpoints(self, node: Node, candidates: Sequence[EndpointStart], *, nodes: int) -> _Results:
        """The results of all endpoints for one entity; ``nodes`` is how many share the requests of a call."""
        queries, skipped = endpoint_queries(node, candidates, self.query.filters, self.query.order)
        requests = max(_LEAST_REQUESTS, min(_MOST_REQUESTS, _REQUESTS // max(1, len(queries) * nodes)))
        reading = (self._result(query, requests) for query in queries)
        results = await asyncio.gather(*map(self.questions.in_part, reading))
        return _Results([one for one in results if one is not None], [skipped])

    async def _result(self, query: EndpointQuery, requests: int) -> EndpointResult | None:
        """What an endpoint answers; None for one that has ended on an earlier page."""
        out, legs = (self.position.out, self.position.legs) if self.position else (0, {})
        begin = legs.get(query.key, _START)
        if begin is None:
            return None
        reader = EndpointReader(self.questions)
        if self.query.order is not None:
            return await reader.best(query, self.query.order, out + self.query.limit + 1, requests=requests)
        return await reader.pages(query, EndpointPosition(*begin), self.query.limit + 1)

    async def _proteins(self, node: Node) -> list[Node]:
        """The proteins of a gene, as one."""
        given = {"gene_id": node.id, "verbose": "true", "organism": SPECIES[node.organism]}
        found = [one for one in await self._joined(node, "/genes/proteins", given) if isinstance(one, ProteinEntity)]
        name = next((one.name for one in found if one.name), None)
        return [node_of_proteins(found, name, node.organism)] if name else []

    async def _genes(self, node: Node) -> list[Node]:
        """The genes of a disease."""
        found = await self._joined(node, "/diseases/genes", {"disease_id": node.id, "verbose": "true"})
        return [node_of(one) for one in {one.id: one for one in found}.values()]

    async def _joined(self, node: Node, path: str, given: dict[str, str]) -> list[Entity]:
        """The entities that an endpoint joins with this one, and no other."""
        endpoint = endpoints()[path]
        edge = edges()[endpoint.edge]
        kind = edge.object.kind if node.kind == edge.subject.kind else edge.subject.kind
        rows = await self.questions.rows(path, given)
        own = [
            row for row in rows if any(node.is_in(one, edge) for one in parse.associations(endpoint, row, node.start()))
        ]
        return [parse.entity(kind, row[kind], node.organism) for row in own if isinstance(row.get(kind), dict)]


def _check(query: AssociationQuery) -> None:
    """Refuse what no endpoint answers."""
    candidates = [pair for node in query.nodes for pair in reachable_endpoints(node, query.relationship)]
    check_relationship(query.nodes[0], query.relationship, candidates)
    check_filters(candidates, query.filters, query.order)


def _ordered(
    query: AssociationQuery, order: Order, found: _Results, position: AssociationPosition | None
) -> AssociationPage:
    """The next rows of all endpoints in one order; one that fails is left out of the later pages too."""
    failed = [one for one in found.results if one.failure is not None]
    if position is not None and failed and failed[0].failure:
        raise failed[0].failure  # rows of its own are among those that are out: what follows depends on it
    out, legs = (position.out, dict(position.legs)) if position else (0, {})
    legs |= {one.query.key: None for one in failed}
    rows = order.sort([row for one in found.results for row, _ in one.rows])
    shown: list[Association] = [*rows[out : out + query.limit]]
    out += len(shown)
    following = AssociationPosition(out=out, legs=legs) if len(rows) > out else None
    return ListPage(shown, following, len(rows) if found.is_whole and not legs else None)


def _merged(query: AssociationQuery, found: _Results, position: AssociationPosition | None) -> AssociationPage:
    """The next rows of all endpoints in turn."""
    out, legs = (position.out, dict(position.legs)) if position else (0, {})
    first = out % max(1, len(found.results))  # so that no endpoint leads every page
    in_turn = [*found.results[first:], *found.results[:first]]
    turns = itertools.zip_longest(*([(one, entry) for entry in one.rows] for one in in_turn))
    taken = [pair for turn in turns for pair in turn if pair is not None][: query.limit]
    for one in found.results:
        own = [behind for owner, (_, behind) in taken if owner is one]
        legs[one.query.key] = _next_page(one, own, legs.get(one.query.key, _START))
    is_more = any(begin is not None for begin in legs.values())
    legs = {key: begin for key, begin in legs.items() if begin != _START}  # where one that is not named begins
    total = sum(len(one.rows) for one in found.results) if position is None and found.is_whole else None
    following = AssociationPosition(out=out + len(taken), legs=legs) if is_more else None
    return ListPage([row for _, (row, _) in taken], following, total)


def _next_page(result: EndpointResult, taken: Sequence[EndpointPosition], begin: _Page | None) -> _Page | None:
    """Where an endpoint goes on behind the rows that were taken from it."""
    if result.failure is not None and not result.rows:
        return None  # a notice says so; the next page does not wait for it again
    if len(taken) < len(result.rows):
        return (taken[-1].page, taken[-1].done) if taken else begin
    return None if result.rest is None else (result.rest.page, result.rest.done)
