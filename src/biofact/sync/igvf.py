"""IGVFClient, blocking. Written by make docs from biofact.sources.igvf.client."""

from typing import Literal, overload

from biofact.core.envelopes import PaginationEnvelope
from biofact.core.parameters import PageSize, Query
from biofact.core.tool import CursorText
from biofact.dialects.genomic.genomes import Organism
from biofact.sources.igvf import client as asynchronous
from biofact.sources.igvf.data_sources import Category
from biofact.sources.igvf.identifiers.kinds import Hint
from biofact.sources.igvf.records import (
    Entity,
    FullAssociation,
    RegionContents,
    ResolvedId,
    SlimTermCandidate,
    SourceDescription,
    TermCandidate,
)
from biofact.sources.igvf.relationships import RelationshipName
from biofact.sources.igvf.term_search import TermKind
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import wait_for


class IGVFClient(BlockingClient):
    _asynchronous = asynchronous.IGVFClient
    _client: asynchronous.IGVFClient

    def get_entity(
        self, id: asynchronous.EntityText, hint: Hint | None = None, organism: Organism | None = None
    ) -> Entity:
        return wait_for(self._client.get_entity(id, hint, organism))

    def search_region(
        self,
        region: str,
        include: asynchronous.Included | None = None,
        organism: Organism = "human",
        limit: asynchronous.Limit = 25,
        filters: asynchronous.VariantFiltering | None = None,
        cursor: CursorText | None = None,
    ) -> RegionContents:
        return wait_for(self._client.search_region(region, include, organism, limit, filters, cursor))

    def find_associations(
        self,
        entity_id: asynchronous.EntityText,
        relationship: RelationshipName,
        *,
        filters: asynchronous.Filtering | None = None,
        order_by: str | None = None,
        limit: asynchronous.Limit = 25,
        cursor: CursorText | None = None,
        hint: str | None = None,
        organism: Organism | None = None,
    ) -> PaginationEnvelope[FullAssociation]:
        call = self._client.find_associations(
            entity_id,
            relationship,
            filters=filters,
            order_by=order_by,
            limit=limit,
            cursor=cursor,
            hint=hint,
            organism=organism,
        )
        return wait_for(call)

    @overload
    def search_terms(
        self,
        query: str,
        kind: TermKind | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[TermCandidate]: ...

    @overload
    def search_terms(
        self, query: str, kind: TermKind | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimTermCandidate]: ...

    def search_terms(
        self,
        query: Query,
        kind: TermKind | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[TermCandidate | SlimTermCandidate]:
        return wait_for(self._client.search_terms(query, kind, page_size, cursor, slim))

    def resolve_id(
        self, id: asynchronous.EntityText, target_type: str | None = None, organism: Organism | None = None
    ) -> ResolvedId:
        return wait_for(self._client.resolve_id(id, target_type, organism))

    def list_sources(self, category: Category | None = None) -> PaginationEnvelope[SourceDescription]:
        return wait_for(self._client.list_sources(category))

    def gene_schema(self) -> str:
        return wait_for(self._client.gene_schema())

    def variant_schema(self) -> str:
        return wait_for(self._client.variant_schema())

    def identifier_guide(self) -> str:
        return wait_for(self._client.identifier_guide())

    def example_queries(self) -> str:
        return wait_for(self._client.example_queries())
