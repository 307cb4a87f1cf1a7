"""From words to genes: what to ask, how to rank what comes, page by page."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import Field

from biofact.core import organisms
from biofact.core.records import Notice, rows_dropped
from biofact.core.words import forms
from biofact.dialects.eutils import SearchAnswer
from biofact.dialects.readable_rows import ReadableRows
from biofact.protocol.listing import ListPage
from biofact.protocol.ranking import Match, Ranked, in_order, read_in_part
from biofact.protocol.search import Candidates, HitList, RankedSearch, SearchPosition
from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.records import GeneSearchCandidate
from biofact.sources.entrez.search import notices
from biofact.sources.entrez.search.queries import (
    LEAD_LIMIT,
    SEARCH,
    Organism,
    Plan,
    gene_id,
    may_be_full_name,
    plan,
    read_organism,
    runnable,
)

__all__ = [
    "LEAD_LIMIT",
    "SEARCH",
    "TITLE",
    "EntrezSearch",
    "GenePage",
    "GenePosition",
    "Plan",
    "by_id",
    "gene_id",
    "is_of",
    "notices",
    "plan",
    "read_organism",
    "runnable",
]


def by_id(docsum: Docsum, query: str) -> Ranked[Docsum]:
    """The gene that ``query`` names by its ID; a LOC symbol is an ID and a symbol in one."""
    by_words = Ranked.for_names(docsum, [query])
    return by_words if by_words.match.kind == "symbol" else Ranked(docsum, Match("id", 1.0))


def is_of(docsum: Docsum, organism: Organism | None, *, is_sure: bool = False) -> bool:
    """Whether the gene belongs to the asked organism; where a summary cannot tell, what ``is_sure`` leaves open."""
    if organism is None or organism.taxon_id == docsum.taxon_id:
        return True
    organism_names = {name.casefold() for name in (docsum.organism, docsum.common_name) if name}
    return organism.name.casefold() in organism_names or not (organism.is_exact or is_sure)


def is_reached(docsum: Docsum, organism: Organism | None) -> bool:
    """Whether a search by name looks at the gene: in the asked organism, else in the model organisms."""
    return docsum.taxon_id in organisms.ORDER if organism is None else is_of(docsum, organism)


def is_called(docsum: Docsum, names: Sequence[str]) -> bool:
    """Whether one of the names is a symbol of the gene."""
    return Ranked.for_names(docsum, names).match.kind in {"symbol", "alias"}


Ask = Callable[[str, int, int], Awaitable[SearchAnswer]]
"""Term, retstart and retmax to what esearch answers."""
AskJoined = Callable[[str], Awaitable[SearchAnswer]]
"""Term to what esearch answers to it and to those that others ask with it, LEAD_LIMIT hits for each."""


class Summarise(Protocol):
    """The summaries of UIDs in the same order; those without one are left out."""

    def __call__(self, uids: Sequence[str], *, is_whole: bool = True) -> Awaitable[ReadableRows[Docsum]]:
        """``is_whole`` as in ``ReadableRows.of``."""


WINDOW = 50
TITLE = "NCBI Gene"


class GenePosition(SearchPosition):
    """The start of the next page of a search for genes."""

    fragments: list[str] = Field(default_factory=list)
    """Parts of the query that are searched, where as a whole it is no gene's name."""


GenePage = ListPage[GeneSearchCandidate, GenePosition]


@dataclass(frozen=True, slots=True)
class EntrezSearch(RankedSearch[Docsum, GeneSearchCandidate, GenePosition]):
    """A planned search for genes. Page 1 takes two esearch and one esummary, later pages one each; where the query is
    no gene's name but has parts in brackets that may be, page 1 takes another esearch and esummary.
    """

    plan: Plan
    ask: Ask
    ask_joined: AskJoined
    summarise: Summarise

    async def candidates(self, page_size: int) -> Candidates[Docsum, GenePosition]:
        """The genes of the exact names, and the first of the whole list, however few are asked for: a full name leads,
        too, wherever NCBI lists it.
        """
        whole, uids = await asyncio.gather(
            # More than a page: leading genes are taken out of the list, and the page must still be full.
            self.ask(self.plan.whole, 0, page_size + WINDOW),
            self._exact_hits(self.plan.lead),
        )
        window = whole.uids[: max(page_size, WINDOW)]
        summaries = (await self.summarise(list(dict.fromkeys([*uids, *window])))).noted(TITLE)
        docsums = self._own_hits(summaries, window)
        fragments = notices.known_words(self.plan, whole)
        # NCBI drops a phrase that it does not know and searches the rest: only what is a hit by name may lead.
        leaders = self._leaders(docsums, fragments)
        is_unnamed = not leaders and (self.plan.has_names_only or notices.is_unknown(self.plan, whole))
        if self.plan.is_clone or is_unnamed:
            whole = replace(whole, count=0, uids=())
        assumption: list[Notice] = []
        is_named = any(leader.is_by_name for leader in leaders)
        if self.plan.fragments and not is_named and (leaders_in_part := await self._in_part()):
            docsums = [*docsums, *(leader.gene for leader in leaders_in_part)]
            leaders, fragments = leaders_in_part, list(self.plan.fragments)
            assumption = [read_in_part(self.plan.query, self.plan.fragments)]
        return Candidates(
            {docsum.uid: docsum for docsum in docsums},
            GenePosition(lead=[leader.gene.uid for leader in leaders], fragments=fragments),
            HitList(whole.uids, whole.count),
            [*assumption, *notices.query_notices(self.plan, whole, leaders)],
        )

    async def next_hits(self, position: GenePosition, size: int) -> HitList[Docsum]:
        """The next UIDs of the whole list."""
        whole = await self.ask(self.plan.whole, position.offset, size)
        return HitList(whole.uids, whole.count)

    async def records(
        self, ids: Sequence[str], known_hits: Mapping[str, Docsum], position: GenePosition
    ) -> tuple[list[Docsum], list[Notice]]:
        """The live genes of the organism among these, as their summaries have them."""
        uids = list(dict.fromkeys(ids))
        further_uids = [uid for uid in uids if uid not in known_hits]
        found = await self.summarise(further_uids, is_whole=not known_hits)
        summaries = {docsum.uid: docsum for docsum in found.noted(TITLE)}
        docsums = [docsum for uid in uids if (docsum := known_hits.get(uid) or summaries.get(uid))]
        live = [docsum for docsum in docsums if docsum.is_live]
        own_docsums = [docsum for docsum in live if is_of(docsum, self.plan.organism)]
        unknown_count = len(further_uids) - len(found.outcomes)
        remarks = _dropped_rows(unknown_count, docsums, len(live) - len(own_docsums))
        if any(docsum.is_cut for docsum in own_docsums):
            remarks.append(notices.CUT_ROWS)
        return own_docsums, remarks

    def answers(self, hits: Sequence[Docsum], position: GenePosition) -> list[Ranked[Docsum]]:
        """The leading genes, then the others, best first; in the order of NCBI where the user's own syntax asks."""
        leaders = [self._answer(docsum, position.fragments) for docsum in hits if docsum.uid in position.lead]
        other_docsums = [docsum for docsum in hits if docsum.uid not in position.lead]
        if self.plan.lead is None:
            return [*leaders, *(Ranked.for_names(docsum, self.plan.names) for docsum in other_docsums)]
        return [*leaders, *self._ranked(other_docsums, position.fragments)]

    def row(self, answer: Ranked[Docsum], score: float) -> GeneSearchCandidate:
        """The gene as a hit of the search."""
        return answer.gene.candidate(match=answer.match.kind, score=score)

    async def _in_part(self) -> list[Ranked[Docsum]]:
        """The genes that a part of the query names, best first."""
        names = [form for fragment in self.plan.fragments for form in forms(fragment)]
        uids = await self._exact_hits(self.plan.exact_term(names, filter(may_be_full_name, names)))
        docsums = (
            docsum for docsum in (await self.summarise(uids)).noted(TITLE) if is_reached(docsum, self.plan.organism)
        )
        answers = in_order(Ranked.in_part(docsum, self.plan.fragments) for docsum in docsums)
        return [answer for answer in answers if answer.is_by_name]

    async def _exact_hits(self, term: str | None) -> list[str]:
        """UIDs of the genes that an exact-name term finds, with those that others' terms find at the same time. Joined
        only where a summary shows the organism of a gene, so that genes of other terms can be left out.
        """
        if term is None:
            return []
        is_joinable = self.plan.organism is None or self.plan.organism.is_exact
        return list((await (self.ask_joined(term) if is_joinable else self.ask(term, 0, LEAD_LIMIT))).uids)

    def _own_hits(self, docsums: Sequence[Docsum], window: Sequence[str]) -> list[Docsum]:
        """The summaries in the ``window`` of the list, or with one of the names, without other terms' hits."""

        def is_own(docsum: Docsum) -> bool:
            return is_reached(docsum, self.plan.organism) and is_called(docsum, self.plan.names)

        return [docsum for docsum in docsums if docsum.uid in window or is_own(docsum)]

    def _leaders(self, docsums: Sequence[Docsum], fragments: Sequence[str]) -> list[Ranked[Docsum]]:
        """The hits by name, best first; none for the user's own syntax."""
        return [gene for gene in self._ranked(docsums, fragments) if gene.leads] if self.plan.lead else []

    def _ranked(self, docsums: Sequence[Docsum], fragments: Sequence[str]) -> list[Ranked[Docsum]]:
        return in_order(self._answer(docsum, fragments) for docsum in docsums)

    def _answer(self, docsum: Docsum, fragments: Sequence[str]) -> Ranked[Docsum]:
        """The match of a gene with the whole query, or else with its fragments."""
        answer = Ranked.for_names(docsum, self.plan.names)
        if not fragments or answer.is_by_name:
            return answer
        answer_in_part = Ranked.in_part(docsum, fragments)
        return answer if answer.leads and not answer_in_part.leads else answer_in_part


def _dropped_rows(unknown: int, docsums: Sequence[Docsum], foreign: int) -> list[Notice]:
    """Why some rows are not shown."""
    retired = [docsum for docsum in docsums if not docsum.is_live]
    return [
        *rows_dropped(unknown, "NCBI has no summary of them"),
        *([notices.retired(retired)] if retired else []),
        *rows_dropped(foreign, "they are of another organism"),
    ]
