"""PubMedClient, blocking. Written by make docs from biofact.sources.pubmed.client."""

from typing import Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.sources.pubmed import client as asynchronous
from biofact.sources.pubmed.records import ArticleSearch, CanonicalPubMedArticle, SlimArticle, SlimArticleSearch
from biofact.sources.pubmed.search import ArticleTypes, DateRange, SearchQuery, SortOrder
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import wait_for


class PubMedClient(BlockingClient):
    """Queries to articles, PMIDs to checked records.

    >>> with biofact.sync.PubMedClient() as pubmed:
    ...     pubmed.pubmed_get_articles(["PMID:11832527"]).items[0].year
    2002
    """

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
        """Find articles by words or a query in PubMed's syntax. Each comes with title, abstract and what became of it
        (retracted, corrected); `slim=true` gives id, title, year and journal. Later steps take the `collection`
        in place of the list. Dates are YYYY/MM/DD.

        ``fields`` adds facts beyond the standard set, such as mesh, author_details, grants. ``article_types`` are
        NLM's publication types, in any spelling; what is none is refused with the nearest. An answer shows 200 articles
        at most; the collection holds all that were asked for.
        ``search_metadata`` has the query as PubMed understood it, and a notice tells what it left out.

        Raises:
            AmbiguousQuery: the query's brackets do not match, or PubMed cannot run it.

        Source: esearch and efetch, db=pubmed (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
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
        """Read up to 200 articles by their PMIDs; one item per PMID in the order asked, each an article or the failure
        of that PMID. `status` says what became of it: retracted, corrected, a preprint now published.

        ``fields`` adds facts beyond the standard set, such as mesh, author_details, grants, data_banks; ``slim`` keeps
        id, title, year and journal. Books of the NCBI Bookshelf are articles here.

        Raises:
            AmbiguousQuery: no PMIDs, or more than 200.

        Source: efetch db=pubmed as XML (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        return wait_for(self._client.pubmed_get_articles(pmids, fields, slim))
