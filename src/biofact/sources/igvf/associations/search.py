"""Associations of an entity, page by page: its endpoints queried side by side, and merged fairly."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from biofact.core.call import Counter
from biofact.core.errors import BiofactError, RateLimited, UpstreamError
from biofact.core.records import Notice, missing_part
from biofact.dialects.readable_rows import ReadableRows
from biofact.protocol.listing import distinct
from biofact.protocol.search import ListGroup, MergedPosition
from biofact.sources.igvf import parse
from biofact.sources.igvf.associations import notices, queries
from biofact.sources.igvf.associations.endpoint_reader import EndpointReader, EndpointResult
from biofact.sources.igvf.associations.queries import (
    AssociationQuery,
    EndpointQuery,
    EndpointStart,
    Node,
    SkippedEndpoint,
    node_of,
    node_of_proteins,
)
from biofact.sources.igvf.catalog import SPECIES, edges, endpoints
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import Entity, FullAssociation, ProteinEntity

_REQUESTS, _LEAST_REQUESTS, _MOST_REQUESTS = 60, 2, 6  # for an order: of a call, and of an endpoint
_INTERMEDIATE_PATHS = {"protein": "/genes/proteins", "gene": "/diseases/genes"}
"""The path for intermediates of each kind."""
_MOST_INTERMEDIATES = 10  # genes of a disease, whose regulation is looked for, or nameless proteins of a gene


@dataclass(slots=True)
class _Results:
    """The answers of all endpoints to a query."""

    results: list[EndpointResult] = field(default_factory=list)
    skipped: list[SkippedEndpoint] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    failures: list[BiofactError] = field(default_factory=list)
    """The failed requests for the intermediate proteins or genes."""
    requests: int = 0
    """The number of requests for intermediates that no endpoint's query shares."""

    @classmethod
    def merge(cls, parts: Iterable["_Results"]) -> "_Results":
        """Several results as one."""
        whole = cls()
        for part in parts:
            whole.results += part.results
            whole.skipped += part.skipped
            whole.notices += part.notices
            whole.failures += part.failures
            whole.requests += part.requests
        return whole


@dataclass(frozen=True, slots=True)
class AssociationSearch:
    """A search of the graph for associations."""

    questions: IGVFQuestions
    query: AssociationQuery
    remarks: Sequence[Notice] = ()
    """Notices of the start entities, for page 1."""

    async def lists_from(self, position: MergedPosition, page_size: int) -> ListGroup[FullAssociation]:
        """The rows of each endpoint from a position on, direct and through intermediates.

        Raises:
            AmbiguousQuery: no endpoint answers such a query; the error names the valid ones.
        """
        queries.check(self.query)
        search = _PageSearch(self.questions, self.query, position, page_size)
        results = _Results.merge(await asyncio.gather(*map(search.from_node, self.query.nodes)))
        if position == MergedPosition():
            first_notices = notices.of_first_page(self.query, results.results, results.skipped, results.requests)
            page_notices = [*self.remarks, *results.notices, *first_notices]
        else:
            page_notices = [*results.notices, *notices.of_later_page(results.results)]
        return ListGroup(results.results, page_notices, results.failures)


@dataclass(frozen=True, slots=True)
class _PageSearch:
    """The search for one page."""

    questions: IGVFQuestions
    query: AssociationQuery
    position: MergedPosition
    page_size: int
    counter: Counter = field(default_factory=lambda: Counter(0, "endpoints read"))

    async def from_node(self, node: Node) -> _Results:
        """The results for an entity, direct and through intermediates."""
        candidates = queries.endpoints_of_node(node, self.query.relationship)
        direct = self._from_endpoints(node, candidates, nodes=len(self.query.nodes))
        return _Results.merge(await asyncio.gather(direct, self._through_intermediates(node, candidates)))

    async def _through_intermediates(self, node: Node, direct: Sequence[EndpointStart]) -> _Results:
        """The results through a gene's proteins, or a disease's genes."""
        kind = queries.intermediate_kind(node, self.query.relationship)
        if kind is None:
            return _Results()
        if not node.codes:
            indirect = queries.indirect_endpoints(kind, self.query.relationship)
            return _Results(skipped=[SkippedEndpoint(endpoint.path, "protein") for endpoint, _ in indirect])
        extra_requests = int(_INTERMEDIATE_PATHS[kind] not in {endpoint.path for endpoint, _ in direct})
        try:
            intermediates = await (self._proteins(node) if kind == "protein" else self._genes(node))
        except (UpstreamError, RateLimited) as failure:
            failure_notice = missing_part(f"what goes by way of {kind}s", failure.message)
            return _Results(notices=[failure_notice], failures=[failure], requests=extra_requests)
        if not intermediates:
            notice = notices.NO_INTERMEDIATES(kind=kind, name=node.name or node.id)
            return _Results(notices=[notice], requests=extra_requests)
        candidates = queries.indirect_endpoints(kind, self.query.relationship)
        listed_nodes = intermediates[:_MOST_INTERMEDIATES]
        parts = await asyncio.gather(
            *(self._from_endpoints(other, candidates, nodes=len(listed_nodes)) for other in listed_nodes)
        )
        whole = _Results.merge([_Results(requests=extra_requests), *parts])
        if kind == "gene" or len(intermediates) > len(listed_nodes):
            whole.notices.append(notices.intermediates_notice(kind, node, intermediates, _MOST_INTERMEDIATES))
        return whole

    async def _from_endpoints(self, node: Node, candidates: Sequence[EndpointStart], *, nodes: int) -> _Results:
        """The results of all endpoints for one entity; ``nodes`` is how many share the requests of a call."""
        endpoint_queries, skipped = queries.queries_from(node, candidates, self.query.filters, self.query.order)
        requests = max(_LEAST_REQUESTS, min(_MOST_REQUESTS, _REQUESTS // max(1, len(endpoint_queries) * nodes)))
        self.counter.expect(len(endpoint_queries))
        coroutines = (self._result(query, requests) for query in endpoint_queries)
        results = await asyncio.gather(*map(self.questions.in_part, coroutines))
        return _Results([result for result in results if result is not None], skipped)

    async def _result(self, query: EndpointQuery, requests: int) -> EndpointResult | None:
        """The result of an endpoint; None if it has ended on an earlier page."""
        start = self.position.start(query.key)
        reader, result = EndpointReader(self.questions), None
        if start is not None and self.query.order is None:
            result = await reader.pages(query, start, self.page_size + 1)
        elif start is not None and self.query.order is not None:
            need = self.position.out + self.page_size + 1
            result = await reader.best(query, self.query.order, need, requests=requests)
        await self.counter.add()
        return result

    async def _proteins(self, node: Node) -> list[Node]:
        """The proteins of a gene, as one."""
        parameters = {"gene_id": node.id, "verbose": "true", "organism": SPECIES[node.organism]}
        entities = await self._joined_entities(node, _INTERMEDIATE_PATHS["protein"], parameters)
        proteins = [protein for protein in entities if isinstance(protein, ProteinEntity)]
        name = next((protein.name for protein in proteins if protein.name), None)
        if name:
            return [node_of_proteins(proteins, name, node.organism)]
        return [node_of(protein, node.organism) for protein in proteins]

    async def _genes(self, node: Node) -> list[Node]:
        """The genes of a disease."""
        parameters = {"disease_id": node.id, "verbose": "true"}
        genes = await self._joined_entities(node, _INTERMEDIATE_PATHS["gene"], parameters)
        return list(map(node_of, distinct(genes)))

    async def _joined_entities(self, node: Node, path: str, parameters: dict[str, str]) -> list[Entity]:
        """The entities that an endpoint joins with this one, and no other.

        Raises:
            UpstreamError: no row has such an entity whole: the service calls it otherwise now.
        """
        endpoint = endpoints()[path]
        edge = edges()[endpoint.edge]
        kind = edge.object.kind if node.kind == edge.subject.kind else edge.subject.kind
        rows = await self.questions.rows(path, parameters)
        complete_rows = [row for row in rows if isinstance(row.get(kind), dict)]
        if rows and not complete_rows:
            raise parse.without_ends(endpoint, kind)

        def read(row: parse.Row) -> Entity | None:
            associations = parse.associations(endpoint, row, node.start())
            is_joined = any(node.is_in(association, edge) for association in associations)
            return parse.entity(kind, row[kind], node.organism) if is_joined else None

        entities = ReadableRows.of(complete_rows, read).noted("The IGVF Catalog")
        return [entity for entity in entities if entity is not None]
