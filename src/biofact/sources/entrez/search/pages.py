"""A search, page by page: exact hits first, then the service's own list without them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from biofact.core.provenance import Notice, rows_dropped
from biofact.core.words import forms
from biofact.dialects.eutils import SearchAnswer
from biofact.protocol import leading
from biofact.protocol.listing import ListPage
from biofact.protocol.ranking import Ranked, in_order, read_in_part, scored
from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.records import GeneSearchCandidate
from biofact.sources.entrez.search import notices, ranking
from biofact.sources.entrez.search.queries import LEAD_LIMIT, Plan

Ask = Callable[[str, int, int], Awaitable[SearchAnswer]]
"""Term, retstart and retmax to what esearch answers."""
AskJoined = Callable[[str], Awaitable[SearchAnswer]]
"""Term to what esearch answers to it and to those that others ask with it, LEAD_LIMIT hits for each."""
Summarise = Callable[[Sequence[str]], Awaitable[list[Docsum]]]
"""UIDs to summaries in the same order; those without one are left out."""


WINDOW = 50


class GenePosition(leading.PagePosition):
    """Where the next page of a search for genes begins."""

    fragments: list[str] = Field(default_factory=list)
    """Parts of the query that are searched, where as a whole it is no gene's name."""


GenePage = ListPage[GeneSearchCandidate, GenePosition]


@dataclass(frozen=True, slots=True)
class Pages:
    """A planned search. Page 1 takes two esearch and one esummary, later pages one each; where the query is no gene's
    name but has parts in brackets that may be, page 1 takes another esearch and esummary.
    """

    plan: Plan
    ask: Ask
    ask_joined: AskJoined
    summarise: Summarise

    async def first(self, page_size: int) -> GenePage:
        """Page 1, with what the service made of the query."""
        asked = self.ask(self.plan.whole, 0, page_size + WINDOW)
        whole, hits = await asyncio.gather(asked, self._called(self.plan.lead))
        # The first rows of the whole list are looked at however few are asked for, so that a full name leads, too.
        window = whole.uids[: max(page_size, WINDOW)]
        docsums = self._own(await self.summarise(list(dict.fromkeys([*hits, *window]))), self.plan.names, window)
        fragments = notices.known_words(self.plan, whole)
        # NCBI drops a phrase that it does not know and searches the rest: only what is a hit by name may lead.
        leaders = self._leaders(docsums, fragments)
        if not leaders and notices.is_unknown(self.plan, whole):
            whole = replace(whole, count=0, uids=())
        remarks: list[Notice] = []
        if not leaders and self.plan.fragments:
            in_part, leaders = await self._in_part()
            docsums = list({docsum.uid: docsum for docsum in (*docsums, *in_part)}.values())
            fragments = list(self.plan.fragments) if leaders else fragments
            remarks = [read_in_part(self.plan.query, self.plan.fragments)] if leaders else []
        lead = [gene.gene.uid for gene in leaders]
        uids, offset = leading.rest(whole.uids, whole.count, lead, 0, page_size - len(lead))
        position = GenePosition(lead=lead, fragments=fragments, offset=offset, total=whole.count)
        remarks += notices.about(self.plan, whole, leaders)
        return self._page([*lead[:page_size], *uids], docsums, position, page_size, remarks)

    async def after(self, position: GenePosition, page_size: int) -> GenePage:
        """The page that begins at ``position``."""
        lead = position.leading(page_size)
        uids: list[str] = []
        offset = position.offset
        if len(lead) < page_size and position.has_more:
            whole = await self.ask(self.plan.whole, offset, page_size - len(lead) + len(position.lead))
            uids, offset = leading.rest(whole.uids, whole.count, position.lead, offset, page_size - len(lead))
        docsums = await self.summarise([*lead, *uids])
        position = position.model_copy(update={"offset": offset})
        return self._page([*lead, *uids], docsums, position, page_size, [])

    async def _in_part(self) -> tuple[list[Docsum], list[Ranked[Docsum]]]:
        """The genes that a part of the query calls, as summaries and in their order."""
        names = [form for fragment in self.plan.fragments for form in forms(fragment)]
        docsums = self._own(await self.summarise(await self._called(self.plan.called(names))), names)
        return docsums, self._leaders(docsums, self.plan.fragments)

    async def _called(self, term: str | None) -> list[str]:
        """UIDs of the genes that an exact-name term finds, with those that others' terms find at the same time. Joined
        only where a summary tells of which organism a gene is, so that others' genes can be told apart.
        """
        if term is None:
            return []
        is_joinable = self.plan.organism is None or self.plan.organism.is_exact
        return list((await (self.ask_joined(term) if is_joinable else self.ask(term, 0, LEAD_LIMIT))).uids)

    def _own(self, docsums: Sequence[Docsum], names: Sequence[str], listed: Sequence[str] = ()) -> list[Docsum]:
        """Those that this search lists, or that are called by its names: others' hits are none of it."""
        own = (docsum for docsum in docsums if docsum.uid in listed or ranking.is_called(docsum, names))
        return [docsum for docsum in own if docsum.uid in listed or ranking.is_reached(docsum, self.plan.organism)]

    def _leaders(self, docsums: Sequence[Docsum], fragments: Sequence[str]) -> list[Ranked[Docsum]]:
        """Those that are hits by name, best first; none for the user's own syntax."""
        return [gene for gene in self._ranked(docsums, fragments) if gene.leads] if self.plan.lead else []

    def _ranked(self, docsums: Sequence[Docsum], fragments: Sequence[str]) -> list[Ranked[Docsum]]:
        return in_order(self._answer(docsum, fragments) for docsum in docsums)

    def _answer(self, docsum: Docsum, fragments: Sequence[str]) -> Ranked[Docsum]:
        """How a gene answers the query as a whole; else its fragments."""
        answer = Ranked.of(docsum, self.plan.names)
        return Ranked.in_part(docsum, fragments) if fragments and not answer.leads else answer

    def _page(
        self,
        uids: Sequence[str],
        docsums: Sequence[Docsum],
        position: GenePosition,
        page_size: int,
        remarks: list[Notice],
    ) -> GenePage:
        """The rows of these UIDs: those that lead in their order, then the rest of the page, best first."""
        by_uid = {docsum.uid: docsum for docsum in docsums}
        uids = list(dict.fromkeys(uids))
        known = [by_uid[uid] for uid in uids if uid in by_uid]
        live = [docsum for docsum in known if docsum.is_live]
        kept = [docsum for docsum in live if ranking.is_of(docsum, self.plan.organism)]
        remarks = [*remarks, *_dropped(len(uids) - len(known), known, len(live) - len(kept))]
        if any(docsum.is_cut for docsum in kept):
            remarks.append(notices.CUT_ROWS)
        leaders = [self._answer(docsum, position.fragments) for docsum in kept if docsum.uid in position.lead]
        rest = [docsum for docsum in kept if docsum.uid not in position.lead]
        others = self._ranked(rest, position.fragments) if self.plan.lead else self._unranked(rest)
        answers = scored([*leaders, *others], position.score)
        rows = [answer.gene.candidate(match=answer.match.kind, score=score) for answer, score in answers]
        score = rows[-1].score if rows else position.score
        return ListPage(rows, position.after(page_size, score), position.total, remarks)

    def _unranked(self, docsums: Sequence[Docsum]) -> list[Ranked[Docsum]]:
        """In the service's order, which is what the user's own syntax asks for."""
        return [Ranked.of(docsum, self.plan.names) for docsum in docsums]


def _dropped(unknown: int, found: Sequence[Docsum], foreign: int) -> list[Notice]:
    """Why some rows are not shown."""
    retired = [docsum for docsum in found if not docsum.is_live]
    return [
        *rows_dropped(unknown, "NCBI has no summary of them"),
        *([notices.retired(retired)] if retired else []),
        *rows_dropped(foreign, "they are of another organism"),
    ]
