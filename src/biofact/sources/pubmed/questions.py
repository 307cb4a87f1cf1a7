"""Questions to PubMed, MeSH and iCite by way of the transport: kept, joined, and read."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import nullcontext

from biofact.core.call import Counter
from biofact.core.errors import BiofactError, UpstreamError
from biofact.dialects import eutils
from biofact.dialects.eutils import SearchAnswer
from biofact.sources.pubmed import parse, requests, search
from biofact.sources.pubmed.parse import Citations, Descriptor
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.transport.service import DAY, LIST_SECONDS, BatchCall, Batching, Keep, Refused
from biofact.transport.stack import Transport

ARTICLES = Batching(
    "pubmed-article/1",
    limit=200,
    ask=lambda pmids: BatchCall(eutils.efetch("pubmed", pmids), parse.ArticleSplitter()),
    seconds=7 * DAY,
)
CITATIONS = Batching(
    "icite/1",
    limit=requests.MOST_PMIDS,
    ask=lambda pmids: BatchCall(requests.citations(pmids), parse.CitationSplitter()),
)
DESCRIPTORS = Batching(
    "mesh/1", limit=200, ask=lambda uids: BatchCall(eutils.esummary("mesh", uids), eutils.DocsumSplitter()), seconds=DAY
)
_AT_ONCE = 6  # parts of a long list under way: enough to use all of the budget, few enough to hold in memory
_MOST_HEADINGS = 5


class Questions:
    """What the tools ask; PMIDs are bare numbers here."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._articles = transport.batched(ARTICLES)
        self._citations = transport.batched(CITATIONS)
        self._descriptors = transport.batched(DESCRIPTORS)

    async def article(self, pmid: str) -> CanonicalPubMedArticle | None:
        """The record of a PMID; None where PubMed has none."""
        with eutils.refusals_as_errors():
            article = await self._articles.get(pmid, parse.article)
        return None if article is None else _checked(pmid, article)

    async def articles(self, pmids: Sequence[str]) -> dict[str, CanonicalPubMedArticle | BiofactError | None]:
        """The records of many PMIDs, in order, each once; None for an absent one, or why it is not known.

        Tells the caller how many are there. Each part of a long list has the whole time of a call.
        """
        distinct = list(dict.fromkeys(pmids))
        parts = [distinct[start : start + ARTICLES.limit] for start in range(0, len(distinct), ARTICLES.limit)]
        counted = Counter(total=len(distinct), what="articles read")
        seats = asyncio.Semaphore(_AT_ONCE)

        async def read(part: Sequence[str]) -> dict[str, CanonicalPubMedArticle | BiofactError | None]:
            async with seats:
                with self._transport.afresh() if len(parts) > 1 else nullcontext():
                    found = await self._articles.get_many(part, parse.article)
                await counted.add(len(part))
                return {pmid: _or_why_not(pmid, answer) for pmid, answer in found.items()}

        found = await asyncio.gather(*map(read, parts))
        return {pmid: article for part in found for pmid, article in part.items()}

    async def found(
        self,
        query: str,
        *,
        most: int,
        sort: str = "relevance",
        published: tuple[str, str] | None = None,
    ) -> SearchAnswer:
        """Which articles match a query in PubMed's syntax.

        Raises:
            AmbiguousQuery: PubMed cannot run it.
        """
        request = eutils.esearch("pubmed", query, retmax=most, sort=sort, published=published)
        named = f"{most}:{sort}:{'-'.join(published or ())}:{query}"
        try:
            answer = await self._transport.fetch(
                request, eutils.search_answer, keep=Keep("pubmed-search/1", named, LIST_SECONDS)
            )
        except Refused as refused:
            raise search.notices.refused(query, refused) from refused
        if answer.error:
            raise search.notices.not_understood(query, answer.error)
        return answer

    async def spelling(self, words: str) -> str:
        """How PubMed would spell the words; empty where it has no better spelling."""
        with eutils.refusals_as_errors():
            answer = await self._transport.fetch(
                eutils.espell("pubmed", words), eutils.spell_answer, keep=Keep("pubmed-spelling/1", words, LIST_SECONDS)
            )
        return answer.corrected

    async def headings(self, words: str) -> list[Descriptor]:
        """Headings of MeSH whose name or entry terms hold the words, the best match first."""
        uids = await self.heading_uids(words)
        return await self.descriptors(uids) if uids else []

    async def heading_uids(self, words: str) -> list[str]:
        """The records of MeSH that ``headings`` describes."""
        request = eutils.esearch("mesh", words, retmax=_MOST_HEADINGS, sort="relevance")
        keep = Keep("mesh-search/1", words, LIST_SECONDS)
        with eutils.refusals_as_errors():
            return list((await self._transport.fetch(request, eutils.search_answer, keep=keep)).uids)

    async def descriptors(self, uids: Sequence[str]) -> list[Descriptor]:
        """The descriptors among some records of MeSH, in their order.

        Raises:
            RateLimited, UpstreamError: one of them cannot be had.
        """
        with eutils.refusals_as_errors():
            found = await self._descriptors.get_many(uids, parse.descriptor)
        if failure := next((answer for answer in found.values() if isinstance(answer, BiofactError)), None):
            raise failure
        return [answer for answer in found.values() if isinstance(answer, Descriptor)]

    async def citations(self, pmids: Sequence[str]) -> Mapping[str, Citations]:
        """How often articles are cited; those that iCite does not know are left out.

        Raises:
            RateLimited, UpstreamError: iCite could not tell.
        """
        found = await self._citations.get_many(pmids, parse.citations)
        for answer in found.values():
            if isinstance(answer, BiofactError):
                raise answer
        return {pmid: answer for pmid, answer in found.items() if isinstance(answer, Citations)}


def _or_why_not(
    pmid: str, answer: CanonicalPubMedArticle | BiofactError | None
) -> CanonicalPubMedArticle | BiofactError | None:
    if not isinstance(answer, CanonicalPubMedArticle):
        return answer
    try:
        return _checked(pmid, answer)
    except UpstreamError as error:
        return error


def _checked(pmid: str, article: CanonicalPubMedArticle) -> CanonicalPubMedArticle:
    """The record, which is the one that was asked for."""
    if article.pmid != pmid:
        raise UpstreamError(f"PubMed answered PMID:{pmid} with {article.id}.", hint="Call again later.")
    return article
