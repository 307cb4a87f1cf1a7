"""The PubMed client: its tools and its lookups by name."""

import functools
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Annotated, Any, Literal, overload

from pydantic import AfterValidator, Field

from biofact.core import call
from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.errors import BiofactError
from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.records import Notice
from biofact.core.tool import NARROWS, tool
from biofact.dialects import eutils
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.names import NameResults, finds
from biofact.sources.pubmed import questions, search
from biofact.sources.pubmed.collections import Collections
from biofact.sources.pubmed.identifiers import PMID, number
from biofact.sources.pubmed.names import NamedArticles, is_article_id
from biofact.sources.pubmed.questions import ARTICLES, Questions
from biofact.sources.pubmed.records import (
    FURTHER_FIELDS,
    ArticleSearch,
    CanonicalPubMedArticle,
    SearchMetadata,
    SlimArticle,
    SlimArticleSearch,
    curie,
)
from biofact.sources.pubmed.search import ArticleTypes, DateRange, SearchQuery, SortOrder
from biofact.sources.pubmed.service import ICITE, citations
from biofact.transport.stack import Transport

MOST_RESULTS = 10_000
"""PubMed lists no more of a query."""
MOST_SHOWN = 200
"""Articles in an answer; a longer list is in its collection."""

MaxResults = Annotated[int, Field(ge=1, le=MOST_RESULTS)]


def _check_fields(names: list[str]) -> list[str]:
    field_names = {*FURTHER_FIELDS, *CanonicalPubMedArticle.standard_fields}
    wrong = [
        InvalidPart((place,), name, f"there is no field {name!r:.60}", f"one of {', '.join(FURTHER_FIELDS)}")
        for place, name in enumerate(names)
        if name not in field_names
    ]
    if wrong:
        raise InvalidValues(wrong)
    return names


Fields = Annotated[list[str], AfterValidator(_check_fields)]
"""Facts beyond the standard set."""


class PubMedClient(LifeSciencesClient):
    """Queries to articles, PMIDs to checked records.

    >>> with biofact.sync.PubMedClient() as pubmed:
    ...     pubmed.pubmed_get_articles(["PMID:11832527"]).items[0].year
    2002
    """

    source_name = "pubmed"
    title = "PubMed"
    services = (eutils.NCBI, ICITE)
    probes = (
        ("how a search answers", eutils.esearch("pubmed", "asthma AND 2020:2024[PDAT]", retmax=3, sort="relevance")),
        ("the order without sort", eutils.esearch("pubmed", "asthma", retmax=3)),
        ("a page beyond the ceiling", eutils.esearch("pubmed", "asthma", retstart=9999, retmax=3)),
        ("how MeSH answers", eutils.esearch("mesh", "breast cancer", retmax=3)),
        ("how a misspelt word is mended", eutils.espell("pubmed", "asthmaa")),
        ("how iCite answers", citations(("23456789",))),
    )

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self.questions = Questions(self.transport)
        self.collections = Collections(self.transport)

    @overload
    async def pubmed_search(
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
    async def pubmed_search(
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

    @tool(is_heavy=True)
    async def pubmed_search(  # noqa: PLR0913  # the specification's
        self,
        search_query: SearchQuery,
        max_results: MaxResults = 20,
        *,
        sort_order: SortOrder = "relevance",
        date_range: Annotated[DateRange | None, NARROWS] = None,
        article_types: Annotated[ArticleTypes | None, NARROWS] = None,
        fields: Fields | None = None,
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
        started = self.transport.timing.clock()
        search.check(search_query)
        query = search.with_article_types(search.without_versions(search_query), article_types or [])
        published = date_range.days if date_range else None
        answer = await self.questions.search(
            query, limit=max_results, sort=search.SORTS[sort_order], published=published
        )
        search.check_types(article_types or [], answer)
        articles, notices = await self._fetch_articles(answer.uids)
        if not answer.count:
            notices.append(await self._unmatched(search_query))
        ids = [article.id for article in articles]
        collection = await self.collections.keep("articles", ids, {"query": query}) if ids else None
        notices += cut_notices(len(articles), collection)
        shown_articles = articles[:MOST_SHOWN]
        metadata = SearchMetadata(
            query_translation=answer.query_translation or None,
            search_time_ms=round(1000 * (self.transport.timing.clock() - started)),
            api_version=answer.version or None,
        )
        answer_fields: dict[str, Any] = {
            "total_results": answer.count,
            "search_metadata": metadata,
            "collection": collection,
            "notices": [*search.query_notices(search_query, answer), *notices],
        }
        if slim:
            return SlimArticleSearch(articles=[article.slim() for article in shown_articles], **answer_fields)
        return ArticleSearch(articles=[article.standard(fields or ()) for article in shown_articles], **answer_fields)

    @tool(is_heavy=True)
    async def pubmed_get_articles(
        self, pmids: Annotated[list[str], PMID], fields: Fields | None = None, slim: bool = False
    ) -> PaginationEnvelope[CanonicalPubMedArticle | SlimArticle | ErrorEnvelope]:
        """Read up to 200 articles by their PMIDs; one item per PMID in the order asked, each an article or the failure
        of that PMID. `status` says what became of it: retracted, corrected, a preprint now published.

        ``fields`` adds facts beyond the standard set, such as mesh, author_details, grants, data_banks; ``slim`` keeps
        id, title, year and journal. Books of the NCBI Bookshelf are articles here.

        Raises:
            AmbiguousQuery: no PMIDs, or more than 200.

        Source: efetch db=pubmed as XML (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        get = functools.partial(self._article, fields=fields or (), slim=slim)
        return await self._batch(PMID, pmids, get, SlimArticle.slim, at_once=ARTICLES.limit)

    async def pubmed_get_articles_many(
        self, pmids: Iterable[object], fields: Fields | None = None, slim: bool = False
    ) -> AsyncIterator[PaginationEnvelope[CanonicalPubMedArticle | SlimArticle | ErrorEnvelope]]:
        """Describe any number of articles: answers of ``pubmed_get_articles``, 200 rows each, as they are known.

        ``pmids`` may be an iterator. Answers are kept: a program that was stopped goes on where it was.
        """
        ask = functools.partial(self.pubmed_get_articles, fields=fields, slim=slim)
        async for answer in self._many(ask, pmids):
            yield answer

    @finds("article", takes=is_article_id)
    async def articles_named(self, names: Sequence[str], _: str) -> NameResults:
        """Articles by PMID, DOI or PMC ID; many in two requests."""
        return await NamedArticles(self.questions, names).find()

    async def _article(self, pmid: str, *, fields: Sequence[str], slim: bool) -> CanonicalPubMedArticle | SlimArticle:
        article = await self.questions.article(number(pmid))
        if article is None:
            raise questions.UNKNOWN(pmid, curie=curie(number(pmid)))
        return article.slim() if slim else article.standard(fields)

    async def _fetch_articles(self, uids: Sequence[str]) -> tuple[list[CanonicalPubMedArticle], list[Notice]]:
        """The articles that could be read, in their order, and a notice of the others.

        Raises:
            RateLimited, UpstreamError: none could be read.
        """
        if len(uids) > ARTICLES.limit:
            call.current().lane = "bulk"
        outcomes = await self.questions.articles(uids)
        articles = [article for article in outcomes.values() if isinstance(article, CanonicalPubMedArticle)]
        failures = [error for error in outcomes.values() if isinstance(error, BiofactError)]
        if failures and not articles:
            raise failures[0]
        notices = []
        if failures:
            message = f"Without {len(failures)} of {len(uids)} articles. {failures[0].message}"
            notices.append(Notice(code="LEG_FAILED", message=message))
        if absent := [pmid for pmid, outcome in outcomes.items() if outcome is None]:
            message = f"PubMed lists articles that it does not have: {', '.join(absent[:10])}."
            notices.append(Notice(code="DROPPED", message=message))
        return articles, notices

    async def _unmatched(self, query: str) -> Notice:
        """A notice without hits; for plain words with PubMed's better spelling, if it arrives in time."""
        if not search.is_plain(query):
            return search.unmatched(query, "")
        try:
            spelling = await self.transport.side_leg(self.questions.spelling(query))
        except BiofactError:
            spelling = ""
        return search.unmatched(query, spelling)


def cut_notices(count: int, collection: str | None) -> list[Notice]:
    """The notice of a list that is too long to be shown; none of one that is not."""
    if count <= MOST_SHOWN:
        return []
    remainder = "the collection holds all of them" if collection else "there is no collection with the others"
    return [Notice(code="LIST_CUT", message=f"The first {MOST_SHOWN} of {count} articles; {remainder}.")]
