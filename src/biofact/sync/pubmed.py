"""PubMedClient, blocking. Written by make docs from biofact.sources.pubmed.client."""

from collections.abc import Iterable, Iterator
from typing import Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.sources.pubmed import client as asynchronous
from biofact.sources.pubmed.records import ArticleSearch, CanonicalPubMedArticle, SlimArticle, SlimArticleSearch
from biofact.sources.pubmed.search import ArticleTypes, DateRange, SearchQuery, SortOrder
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import each, wait_for


class PubMedClient(BlockingClient):
    _asynchronous = asynchronous.PubMedClient
    _client: asynchronous.PubMedClient

    @overload
    def pubmed_search(
        self,
        search_query: str,
        max_results: int = ...,
        *,
        sort_order: SortOrder = ...,
        date_range: DateRange | None = ...,
        article_types: list[str] | None = ...,
        fields: list[str] | None = ...,
        slim: Literal[False] = ...,
    ) -> ArticleSearch: ...

    @overload
    def pubmed_search(
        self,
        search_query: str,
        max_results: int = ...,
        *,
        sort_order: SortOrder = ...,
        date_range: DateRange | None = ...,
        article_types: list[str] | None = ...,
        fields: list[str] | None = ...,
        slim: bool = ...,
    ) -> ArticleSearch | SlimArticleSearch: ...

    def pubmed_search(
        self,
        search_query: SearchQuery,
        max_results: asynchronous.MaxResults = 20,
        *,
        sort_order: SortOrder = "relevance",
        date_range: DateRange | None = None,
        article_types: ArticleTypes | None = None,
        fields: asynchronous.Fields | None = None,
        slim: bool = False,
    ) -> ArticleSearch | SlimArticleSearch:
        call = self._client.pubmed_search(
            search_query,
            max_results,
            sort_order=sort_order,
            date_range=date_range,
            article_types=article_types,
            fields=fields,
            slim=slim,
        )
        return wait_for(call)

    def pubmed_get_articles(
        self, pmids: list[str], fields: asynchronous.Fields | None = None, slim: bool = False
    ) -> PaginationEnvelope[CanonicalPubMedArticle | SlimArticle | ErrorEnvelope]:
        return wait_for(self._client.pubmed_get_articles(pmids, fields, slim))

    def pubmed_get_articles_many(
        self, pmids: Iterable[object], fields: asynchronous.Fields | None = None, slim: bool = False
    ) -> Iterator[PaginationEnvelope[CanonicalPubMedArticle | SlimArticle | ErrorEnvelope]]:
        return each(self._client.pubmed_get_articles_many(pmids, fields, slim))
