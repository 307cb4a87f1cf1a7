"""Questions to PubMed, MeSH and iCite by way of the transport: kept, joined, and read."""

import asyncio
import functools
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

from biofact.core import call
from biofact.core.call import Counter
from biofact.core.errors import BiofactError, EntityNotFound
from biofact.dialects import eutils
from biofact.dialects.eutils import SearchAnswer
from biofact.protocol.lookup import Lookup, Upstream
from biofact.protocol.templates import Absence
from biofact.sources.pubmed import parse, search, service
from biofact.sources.pubmed.parse import Citations, Descriptor
from biofact.sources.pubmed.records import CanonicalPubMedArticle, curie
from biofact.sources.pubmed.search import SEARCH
from biofact.sources.pubmed.service import ICITE
from biofact.transport.service import DAY, LIST_SECONDS, BatchCall, Batching, Keep, Transient
from biofact.transport.stack import Transport

ARTICLES = Batching(
    "pubmed-article/1",
    limit=200,
    ask=lambda pmids: BatchCall(eutils.efetch("pubmed", pmids), parse.ArticleSplitter()),
    seconds=7 * DAY,
)
CITATIONS = Batching(
    "icite/1", limit=service.MOST_PMIDS, ask=lambda pmids: BatchCall(service.citations(pmids), parse.citation_rows())
)
DESCRIPTORS = Batching(
    "mesh/1",
    limit=200,
    ask=lambda uids: BatchCall(eutils.esummary("mesh", uids), eutils.docsum_splitter()),
    seconds=DAY,
)
SECONDS_PER_PART = 2.0
"""Time that each further part of a long list adds to a call."""
_AT_ONCE = 6  # parts of a long list under way: enough to use all of the budget, few enough to hold in memory
_MOST_HEADINGS = 5


UNKNOWN = Absence(
    EntityNotFound, "PubMed has no record {curie}.", f"Check the number, or call {SEARCH} with words of the title."
)
"""PubMed never had such a record, or has deleted it; nothing is forwarded."""


class Questions:
    """The questions of the tools; PMIDs are bare numbers here."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._upstream = Upstream(transport, "PubMed", eutils.refusal)
        lookup = functools.partial(Lookup, self._upstream)
        self._articles: Lookup[CanonicalPubMedArticle] = lookup(
            eutils.NCBI, ARTICLES, parse.article, id_of=lambda article: article.pmid, curie=curie
        )
        self._citations: Lookup[Citations] = lookup(ICITE, CITATIONS, parse.citations)
        self._descriptors: Lookup[Descriptor | None] = lookup(eutils.NCBI, DESCRIPTORS, parse.descriptor)

    async def article(self, pmid: str) -> CanonicalPubMedArticle | None:
        """The record of a PMID; None where PubMed has none."""
        return await self._articles.get(pmid)

    async def articles(self, pmids: Sequence[str]) -> dict[str, CanonicalPubMedArticle | BiofactError | None]:
        """The records of many PMIDs, in order, each once; None for an absent one, or why it is not known.

        Reports progress to the caller. A long list gives its call more time.
        """
        distinct = list(dict.fromkeys(pmids))
        parts = [distinct[start : start + ARTICLES.limit] for start in range(0, len(distinct), ARTICLES.limit)]
        call.current().extend(max(0, len(parts) - 1) * SECONDS_PER_PART)
        counter = Counter(total=len(distinct), activity="articles fetched")
        slots = asyncio.Semaphore(_AT_ONCE)

        async def read(part: Sequence[str]) -> dict[str, CanonicalPubMedArticle | BiofactError | None]:
            async with slots:
                # One part stays within the deadline of its caller.
                with self._transport.afresh() if len(parts) > 1 else nullcontext():
                    outcomes = await self._articles.get_many(part)
                await counter.add(len(part))
                return outcomes

        part_outcomes = await asyncio.gather(*map(read, parts))
        return {pmid: article for part in part_outcomes for pmid, article in part.items()}

    async def search(
        self, query: str, *, limit: int, sort: str = "relevance", published: tuple[str, str] | None = None
    ) -> SearchAnswer:
        """Which articles match a query in PubMed's syntax.

        Raises:
            AmbiguousQuery: PubMed cannot run it.
        """
        request = eutils.esearch("pubmed", query, retmax=limit, sort=sort, published=published)
        key = f"{limit}:{sort}:{'-'.join(published or ())}:{query}"
        keep = Keep("pubmed-search/1", key, LIST_SECONDS)
        answer = self._transport.fetch(request, functools.partial(_hits, limit=limit), keep=keep)
        return await eutils.run_search(answer, functools.partial(search.not_understood, query))

    async def spelling(self, words: str) -> str:
        """PubMed's spelling of the words; empty if it has no better one."""
        return (
            await self._upstream.fetch(eutils.espell("pubmed", words), eutils.spell_answer, "pubmed-spelling/1")
        ).corrected

    async def headings(self, words: str) -> list[Descriptor]:
        """Headings of MeSH whose name or entry terms hold the words, the best match first."""
        uids = await self.heading_uids(words)
        return await self.descriptors(uids) if uids else []

    async def heading_uids(self, words: str) -> list[str]:
        """The records of MeSH that ``headings`` describes."""
        request = eutils.esearch("mesh", words, retmax=_MOST_HEADINGS, sort="relevance")
        return list((await self._upstream.fetch(request, eutils.search_answer, "mesh-search/1")).uids)

    async def descriptors(self, uids: Sequence[str]) -> list[Descriptor]:
        """The descriptors among some records of MeSH, in their order.

        Raises:
            RateLimited, UpstreamError: one of them cannot be had.
        """
        records = (await self._descriptors.get_present(uids)).noted("MeSH")
        return [record for _, record in records if record is not None]

    async def citations(self, pmids: Sequence[str]) -> Mapping[str, Citations]:
        """How often articles are cited; those that iCite does not know are left out.

        Raises:
            RateLimited, UpstreamError: iCite could not tell.
        """
        return dict((await self._citations.get_present(pmids)).items)


def _hits(body: bytes, limit: int) -> SearchAnswer:
    """A search's answer with the first ``limit`` of its articles, each once."""
    answer = eutils.search_answer(body)
    if answer.count and limit and not answer.uids:
        raise Transient(f"counted {answer.count} articles and listed none")
    return replace(answer, uids=tuple(dict.fromkeys(answer.uids))[:limit])
