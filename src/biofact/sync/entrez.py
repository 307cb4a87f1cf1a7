"""EntrezClient, blocking. Written by make docs from biofact.sources.entrez.client."""

from collections.abc import Iterable, Iterator
from typing import Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.organisms import OrganismName
from biofact.core.tool import CursorText, GeneQuery, PageSize
from biofact.sources.entrez import client as asynchronous
from biofact.sources.entrez.records import (
    EntrezGene,
    GeneRif,
    GeneSearchCandidate,
    PubMedLink,
    SlimEntrezGene,
    SlimGeneSearchCandidate,
)
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import each, wait_for


class EntrezClient(BlockingClient):
    _asynchronous = asynchronous.EntrezClient
    _client: asynchronous.EntrezClient

    @overload
    def search_genes(
        self,
        query: str,
        organism: str | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[GeneSearchCandidate]: ...

    @overload
    def search_genes(
        self, query: str, organism: str | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimGeneSearchCandidate]: ...

    def search_genes(
        self,
        query: GeneQuery,
        organism: OrganismName | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[GeneSearchCandidate | SlimGeneSearchCandidate]:
        return wait_for(self._client.search_genes(query, organism, page_size, cursor, slim))

    @overload
    def get_gene(
        self, entrez_id: str, slim: Literal[False] = ..., include: asynchronous.GeneParts | None = ...
    ) -> EntrezGene: ...

    @overload
    def get_gene(
        self, entrez_id: str, slim: bool = ..., include: asynchronous.GeneParts | None = ...
    ) -> SlimEntrezGene: ...

    def get_gene(
        self, entrez_id: str, slim: bool = False, include: asynchronous.GeneParts | None = None
    ) -> EntrezGene | SlimEntrezGene:
        return wait_for(self._client.get_gene(entrez_id, slim, include))

    def get_genes_batch(
        self, entrez_ids: list[str], slim: bool = True, include: asynchronous.GeneParts | None = None
    ) -> PaginationEnvelope[EntrezGene | SlimEntrezGene | ErrorEnvelope]:
        return wait_for(self._client.get_genes_batch(entrez_ids, slim, include))

    def get_genes_many(
        self, entrez_ids: Iterable[object], slim: bool = True, include: asynchronous.GeneParts | None = None
    ) -> Iterator[PaginationEnvelope[EntrezGene | SlimEntrezGene | ErrorEnvelope]]:
        return each(self._client.get_genes_many(entrez_ids, slim, include))

    def get_pubmed_links(
        self, entrez_id: str, limit: PageSize = 10, cursor: CursorText | None = None, *, titles: bool = False
    ) -> PaginationEnvelope[PubMedLink]:
        return wait_for(self._client.get_pubmed_links(entrez_id, limit, cursor, titles=titles))

    def get_generifs(
        self, entrez_id: str, page_size: PageSize = 10, cursor: CursorText | None = None
    ) -> PaginationEnvelope[GeneRif]:
        return wait_for(self._client.get_generifs(entrez_id, page_size, cursor))
