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


WINDOW = 50


class Place(BaseModel):
    """Where the next page begins."""

    lead: list[str]
    """Exact hits in their order: they come first, and are left out of the rest."""
    known: list[str] = []
    """What the query may stand for without the words that NCBI does not know."""
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
        whole, hits = await asyncio.gather(self.ask(self.plan.whole, 0, page_size + WINDOW), self._hits())
        # The first rows of the whole list are looked at however few are asked for, so that a full name leads, too.
        docsums = await self.summarise(list(dict.fromkeys([*hits, *whole.uids[: max(page_size, WINDOW)]])))
        known = notices.known_forms(self.plan, whole)
        # NCBI drops a phrase that it does not know and searches the rest: only what is a hit by name may lead.
        ranked = ranking.ranked(docsums, [*self.plan.names, *known]) if self.plan.lead else []
        leaders = [gene for gene in ranked if gene.leads]
        if not leaders and notices.is_unknown(self.plan, whole):
            whole = replace(whole, count=0, uids=())
        lead = [gene.docsum.uid for gene in leaders]
        uids, offset = _rest(whole, lead, 0, page_size - len(lead))
        place = Place(lead=lead, known=known, shown=page_size, offset=offset, total=whole.count, score=1.0)
        said = notices.about(self.plan, whole, leaders)
        return self._page([*lead[:page_size], *uids], docsums, place, said)

    async def after(self, place: Place, page_size: int) -> Found:
        """The page that begins at ``place``."""
        lead = place.lead[place.shown : place.shown + page_size]
        uids: list[str] = []
        offset = place.offset
        if len(lead) < page_size and offset < place.total:
            whole = await self.ask(self.plan.whole, offset, page_size - len(lead) + len(place.lead))
            uids, offset = _rest(whole, place.lead, offset, page_size - len(lead))
        docsums = await self.summarise([*lead, *uids])
        following = place.model_copy(update={"shown": place.shown + page_size, "offset": offset})
        return self._page([*lead, *uids], docsums, following, [])

    async def _hits(self) -> list[str]:
        return list((await self.ask(self.plan.lead, 0, LEAD_LIMIT)).uids) if self.plan.lead else []

    def _page(self, uids: Sequence[str], docsums: Sequence[Docsum], place: Place, said: list[Notice]) -> Found:
        """The rows of these UIDs: those that lead in their order, then the rest of the page, best first."""
        by_uid = {docsum.uid: docsum for docsum in docsums}
        known = [by_uid[uid] for uid in uids if uid in by_uid]
        live = [docsum for docsum in known if docsum.is_live]
        kept = [docsum for docsum in live if ranking.is_of(docsum, self.plan.organism)]
        said = [*said, *_left_out(len(uids) - len(known), known, len(live) - len(kept))]
        if any(docsum.is_cut for docsum in kept):
            said.append(notices.CUT_ROWS)
        names = [*self.plan.names, *place.known]
        leading = [Ranked.of(docsum, names) for docsum in kept if docsum.uid in place.lead]
        rest = [docsum for docsum in kept if docsum.uid not in place.lead]
        genes = [*leading, *(ranking.ranked(rest, names) if self.plan.lead else self._unranked(rest))]
        rows: list[GeneSearchCandidate] = []
        score = place.score
        for gene in genes:
            rows.append(ranking.candidate(gene, most=score))
            score = rows[-1].score
        return Found(rows, place.model_copy(update={"score": score}), said)

    def _unranked(self, docsums: Sequence[Docsum]) -> list[Ranked]:
        """In the service's order, which is what the user's own syntax asks for."""
        return [Ranked.of(docsum, self.plan.names) for docsum in docsums]


def _left_out(unknown: int, found: Sequence[Docsum], foreign: int) -> list[Notice]:
    said = []
    if unknown:
        said.append(Notice(code="DROPPED", message=f"Rows left out because NCBI has no summary of them: {unknown}."))
    if retired := [docsum for docsum in found if not docsum.is_live]:
        said.append(notices.retired(retired))
    if foreign:
        said.append(Notice(code="DROPPED", message=f"Rows left out because they are of another organism: {foreign}."))
    return said


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
