"""A search, page by page: exact hits first, then the service's own list without them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from biofact.core.provenance import Notice
from biofact.dialects.eutils import SearchAnswer
from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.records import GeneSearchCandidate
from biofact.sources.entrez.search import notices, ranking
from biofact.sources.entrez.search.queries import LEAD_LIMIT, Plan
from biofact.sources.entrez.search.ranking import Ranked

Ask = Callable[[str, int, int], Awaitable[SearchAnswer]]
"""Term, retstart and retmax to what esearch answers."""
Summarise = Callable[[Sequence[str]], Awaitable[list[Docsum]]]
"""UIDs to summaries in the same order; those without one are left out."""


class Place(BaseModel):
    """Where the next page begins."""

    lead: list[str]
    """Exact hits in their order: they come first, and are left out of the rest."""
    shown: int
    """How many of ``lead`` earlier pages have shown."""
    offset: int
    """Where the service's own list goes on."""
    total: int
    score: float
    """Of the last row; none after it is higher."""

    @property
    def is_end(self) -> bool:
        """Nothing is left to show."""
        return self.shown >= len(self.lead) and self.offset >= self.total


@dataclass(frozen=True, slots=True)
class Found:
    """One page."""

    rows: list[GeneSearchCandidate]
    place: Place
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pages:
    """A planned search. Page 1 takes two esearch and one esummary at most, later pages one each."""

    plan: Plan
    ask: Ask
    summarise: Summarise

    async def first(self, page_size: int) -> Found:
        """Page 1, with what the service made of the query."""
        whole, hits = await asyncio.gather(self.ask(self.plan.whole, 0, page_size + LEAD_LIMIT), self._hits())
        docsums = await self.summarise(list(dict.fromkeys([*hits, *whole.uids[:page_size]])))
        # NCBI drops a phrase that it does not know and searches the rest: only what is an exact hit may lead.
        leaders = [
            gene for gene in ranking.ranked(docsums, self.plan.query) if gene.docsum.uid in hits and gene.is_exact
        ]
        if not leaders and notices.is_unknown(self.plan, whole):
            whole = replace(whole, count=0, uids=())
        lead = [gene.docsum.uid for gene in leaders]
        uids, offset = _rest(whole, lead, 0, page_size - len(lead))
        genes = self._with_rest(leaders[:page_size], docsums, uids)
        place = Place(lead=lead, shown=page_size, offset=offset, total=whole.count, score=1.0)
        return self._page(genes, place, notices.notices(self.plan, whole, leaders))

    async def after(self, place: Place, page_size: int) -> Found:
        """The page that begins at ``place``."""
        leaders = place.lead[place.shown : place.shown + page_size]
        uids: list[str] = []
        offset = place.offset
        if len(leaders) < page_size and offset < place.total:
            whole = await self.ask(self.plan.whole, offset, page_size - len(leaders) + len(place.lead))
            uids, offset = _rest(whole, place.lead, offset, page_size - len(leaders))
        docsums = await self.summarise([*leaders, *uids])
        genes = [Ranked.of(d, self.plan.query) for d in docsums if d.uid in leaders]
        following = place.model_copy(update={"shown": place.shown + page_size, "offset": offset})
        return self._page(self._with_rest(genes, docsums, uids), following, [])

    async def _hits(self) -> list[str]:
        return list((await self.ask(self.plan.lead, 0, LEAD_LIMIT)).uids) if self.plan.lead else []

    def _with_rest(self, leaders: list[Ranked], docsums: list[Docsum], uids: list[str]) -> list[Ranked]:
        rest = [docsum for docsum in docsums if docsum.uid in uids]
        if self.plan.lead is None:  # the user's own Entrez syntax: the order is the service's
            return [*leaders, *(Ranked.of(docsum, self.plan.query) for docsum in rest)]
        return [*leaders, *ranking.ranked(rest, self.plan.query)]

    def _page(self, genes: list[Ranked], place: Place, said: list[Notice]) -> Found:
        kept = [gene for gene in genes if ranking.is_of(gene.docsum, self.plan.organism)]
        if len(kept) < len(genes):
            message = f"{len(genes) - len(kept)} rows of another organism were left out."
            said = [*said, Notice(code="DROPPED", message=message)]
        rows: list[GeneSearchCandidate] = []
        score = place.score
        for gene in kept:
            rows.append(ranking.candidate(gene, most=score))
            score = rows[-1].score
        return Found(rows, place.model_copy(update={"score": score}), said)


def _rest(answer: SearchAnswer, lead: Sequence[str], start: int, wanted: int) -> tuple[list[str], int]:
    """The next ``wanted`` UIDs that are not in ``lead``, and where the list goes on after them.

    Leading UIDs that come next are skipped at once, so that no page is left with nothing to show.
    """
    taken: list[str] = []
    offset = start
    for uid in answer.uids:
        if uid not in lead:
            if len(taken) >= wanted:
                break
            taken.append(uid)
        offset += 1
    is_cut_short = not answer.uids  # fewer records than counted: the list has ended
    return taken, answer.count if is_cut_short else offset
