"""Compounds that answer a name, page by page: whole names and beginnings lead, ChEMBL's own list follows."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Annotated, Protocol

from pydantic import Field, StringConstraints

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.provenance import Notice
from biofact.protocol import leading
from biofact.protocol.listing import ListPage
from biofact.sources.chembl.chembl_ids import NATIVE
from biofact.sources.chembl.parse import Found, Hits
from biofact.sources.chembl.records import CompoundSearchCandidate
from biofact.sources.chembl.requests import MOST_FOUND, NameComparison, Of, Where
from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.families import Family, folded, remembered, shown
from biofact.sources.chembl.search.queries import Plan, Reading, halves
from biofact.sources.chembl.search.ranking import LEADS, SHORTEST_NEAR, Ranked, ranked, sharing_best

LISTED = 100
"""Hits that page 1 looks at, however few are asked for."""
MOST_LEADING = 30
"""Compounds that lead and are remembered by the cursor."""
_LEAST_LISTED = 20
"""Hits that a later page looks at: forms that fold leave gaps."""

_MOST_NEAR = 500
_APPROVED, _CLINICAL = (("max_phase", "4"),), (("max_phase__gte", "1"),)
_NOTHING = Hits((), (), 0)


class Questions(Protocol):
    """What a search asks; each question is one upstream request."""

    async def search(self, words: str, offset: int, limit: int) -> Hits:
        """What ChEMBL's search finds."""

    async def named(
        self, name: str, comparison: NameComparison, offset: int, limit: int, *, of: Of = "synonym", where: Where = ()
    ) -> Hits:
        """Molecules with a name of this kind that is, begins or ends like this."""

    async def lookup(self, ids: Sequence[str]) -> list[Found]:
        """The molecules with these IDs, in their order; those that do not exist are left out."""


class List(IntEnum):
    """Which list follows those that lead."""

    WORDS = 0
    BEGINNINGS = 1


class CompoundPosition(leading.PagePosition):
    """Where the next page of a search for compounds begins."""

    number: List
    """The list that goes on."""
    forms: list[Annotated[str, StringConstraints(pattern=NATIVE)]] = Field(default_factory=list)
    """Forms that fold into those that lead, and say as much of them as on page 1."""
    parents: str = Field(default="", max_length=1400, pattern=r"^[0-9a-z.]*$")
    """Those shown so far, into which their salts fold."""
    may_be_near: bool = False
    """Names one letter away lead."""


CompoundPage = ListPage[CompoundSearchCandidate, CompoundPosition]


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What page 1 knows: molecules by name, and the list that goes on."""

    pool: dict[str, Found]
    number: List
    hits: Hits
    notices: list[Notice] = field(default_factory=list)
    may_be_near: bool = False
    dropped: int = 0
    """Rows that did not answer the question."""
    beginnings: int = 0
    """How many molecules have names that begin so, where another list goes on."""

    def joined(self, further: Hits) -> "_Candidates":
        """With more molecules, behind those that are known."""
        pool = {one.id: replace(one, place=LISTED + one.place) for one in further.molecules}
        return replace(self, pool={**pool, **self.pool}, dropped=self.dropped + further.dropped)


@dataclass(frozen=True, slots=True)
class Pages:
    """A planned search."""

    plan: Plan
    ask: Questions

    async def first(self, page_size: int) -> CompoundPage:
        """Page 1: the compounds that are called so; else those whose names begin so, hold the words, or are near."""
        candidates = await self._candidates()
        best = self._ranked(candidates.pool.values(), may_be_near=candidates.may_be_near)
        if not best:
            return ListPage.empty(*candidates.notices, notices.nothing(self.plan.query))
        all_families = folded(best)
        heads = [family.head for family in all_families]
        lead = _leading(heads)
        known = ["", *lead, *(form.id for family in all_families for form in family.forms)]
        ids, offset = leading.rest(candidates.hits.ids, candidates.hits.total, known, 0, max(0, page_size - len(lead)))
        kept = {*lead[:page_size], *ids}
        families = folded([one for one in best if kept & {one.molecule.id, one.molecule.parent}])
        position = CompoundPosition(
            lead=lead,
            forms=[form.id for family in all_families if family.head.molecule.id in lead for form in family.forms],
            number=candidates.number,
            offset=offset,
            total=candidates.hits.total,
            may_be_near=candidates.may_be_near,
        )
        page = self._page([one for one in families if one.head.molecule.id in kept], position, page_size)
        remarks = [
            *notices.about(self.plan, best),
            *notices.shared(self.plan, sharing_best(heads)),
            *candidates.notices,
        ]
        remarks += [
            *notices.dropped(candidates.dropped),
            *notices.cut(len(lead), candidates.beginnings if len(lead) == MOST_LEADING else 0),
        ]
        if page.position and candidates.number == List.WORDS:
            remarks.append(notices.order(candidates.hits.total))
        return replace(page, notices=remarks, total=None if page.position else len(page.rows))

    async def called(self) -> list[Found]:
        """The molecules of which a whole name is the query, of what page 1 of the search would list: one request
        where the search by words finds one, else a few more.

        Raises:
            RateLimited, UpstreamError: the search fails, and nothing is called so.
        """
        words = await self._words()
        if not isinstance(words, Hits):
            candidates = await self._without_words(words)
        else:
            candidates = _Candidates({one.id: one for one in words.molecules}, List.WORDS, words)
            if not self._is_called(candidates):
                preferred = self.ask.named(self.plan.words, "iexact", 0, LISTED, of="preferred")
                for further in await asyncio.gather(preferred, *map(self._exact, self.plan.readings)):
                    candidates = candidates.joined(further)
        return [one.molecule for one in self._ranked(candidates.pool.values()) if one.match.score >= LEADS]

    async def after(self, position: CompoundPosition, page_size: int) -> CompoundPage:
        """The page that begins at ``position``."""
        lead = position.leading(page_size)
        families, remarks = await self._led(lead, position.forms) if lead else ([], [])
        while len(lead) < page_size and position.has_more:
            position, further, more = await self._onward(position, page_size - len(lead))
            families, remarks = [*families, *further], [*remarks, *more]
            if families:
                break
        return replace(self._page(families, position, page_size), notices=remarks)

    async def _led(self, lead: Sequence[str], forms: Sequence[str]) -> tuple[list[Family], list[Notice]]:
        """Those that lead, looked up with their forms, in the order of page 1."""
        known = [*lead, *forms]
        found = [replace(one, place=known.index(one.id)) for one in await self.ask.lookup(known)]
        families = [one for one in folded(self._ranked(found, may_be_near=True)) if one.head.molecule.id in lead]
        in_order = sorted(families, key=lambda one: known.index(one.head.molecule.id))
        return in_order, notices.dropped(len(lead) - len(in_order))

    async def _onward(
        self, position: CompoundPosition, wanted: int
    ) -> tuple[CompoundPosition, list[Family], list[Notice]]:
        """The next of the list that goes on, and where it goes on after them."""
        if position.offset >= MOST_FOUND:
            return position.model_copy(update={"total": position.offset}), [], [notices.end_of_reach(MOST_FOUND)]
        limit = min(LISTED, max(_LEAST_LISTED, wanted + len(position.lead)))
        hits = await self._listed(position.number, position.offset, limit)
        before = shown(position.parents) | set(position.lead)
        known = ["", *position.lead, *(one.id for one in hits.molecules if one.parent in before)]
        ids, offset = leading.rest(hits.ids, hits.total, known, position.offset, wanted)
        found = [one for one in hits.molecules if one.id in ids]
        families = folded(self._ranked(found, may_be_near=position.may_be_near), before)
        return position.model_copy(update={"offset": offset, "total": hits.total}), families, []

    async def _candidates(self) -> _Candidates:
        """What is called so; where nothing is, what begins so, holds the words, or is one letter away."""
        words = await self._words()
        if not isinstance(words, Hits):
            return await self._without_words(words)
        candidates = _Candidates({one.id: one for one in words.molecules}, List.WORDS, words)
        return candidates if self._is_called(candidates) else await self._near(await self._widened(candidates))

    async def _without_words(self, failure: UpstreamError) -> _Candidates:
        """What is called so, while the search by words fails.

        Raises:
            RateLimited, UpstreamError: nothing is, so that nothing can be remarks.
        """
        candidates = _Candidates({}, List.WORDS, _NOTHING, notices=[notices.without_text(failure.message)])
        preferred = self.ask.named(self.plan.words, "iexact", 0, LISTED, of="preferred")
        try:
            exact = await asyncio.gather(preferred, *map(self._exact, self.plan.readings))
        except (RateLimited, UpstreamError):
            raise failure from None  # what failed first says more than what had no time left
        for further in exact:
            candidates = candidates.joined(further)
        if not self._is_called(candidates):
            raise failure
        return candidates

    async def _widened(self, candidates: _Candidates) -> _Candidates:
        """With names that begin so, and whole names by other readings. Where more begin so than are listed, the whole
        name and approved drugs are asked for by themselves.
        """
        written, *others = self.plan.readings
        begin, *further = await asyncio.gather(
            self._beginning(written.text, LISTED),
            self.ask.named(written.text, "istartswith", 0, LISTED, of="preferred"),
            *map(self._exact, others),
        )
        if begin.total > LISTED:
            further += await asyncio.gather(
                self._exact(written), self._beginning(written.text, LISTED, where=_APPROVED)
            )
        for hits in (begin, *further):
            candidates = candidates.joined(hits)
        if candidates.hits.total:
            return replace(candidates, beginnings=begin.total)
        return replace(candidates, number=List.BEGINNINGS, hits=begin)

    async def _near(self, candidates: _Candidates) -> _Candidates:
        """With names of clinical drugs that are one letter away, where nothing else was found."""
        is_found = any(one.leads or one.is_held for one in self._ranked(candidates.pool.values()))
        if is_found or len(self.plan.written) < SHORTEST_NEAR:
            return candidates
        start, end = halves(self.plan.written)
        for hits in await asyncio.gather(
            self._beginning(start, _MOST_NEAR, where=_CLINICAL),
            self.ask.named(end, "iendswith", 0, _MOST_NEAR, where=_CLINICAL),
        ):
            near = [one.molecule for one in self._ranked(hits.molecules, may_be_near=True) if one.leads]
            candidates = candidates.joined(replace(hits, molecules=tuple(near)))
        is_near = any(one.is_near for one in self._ranked(candidates.pool.values(), may_be_near=True))
        return replace(candidates, may_be_near=is_near)

    async def _beginning(self, name: str, limit: int, where: Where = ()) -> Hits:
        return await self.ask.named(name, "istartswith", 0, limit, where=where)

    async def _exact(self, reading: Reading) -> Hits:
        return await self.ask.named(reading.text, "iexact", 0, LISTED)

    async def _words(self) -> Hits | UpstreamError:
        """What the words find; the failure of ChEMBL's search, which fails more often than its tables do.

        Raises:
            RateLimited: ChEMBL takes no more questions, of whatever kind.
        """
        if not self.plan.is_searchable:
            return _NOTHING
        try:
            return await self.ask.search(self.plan.words, 0, LISTED)
        except UpstreamError as failure:
            return failure

    async def _listed(self, number: List, offset: int, limit: int) -> Hits:
        if number == List.WORDS:
            return await self.ask.search(self.plan.words, offset, limit)
        return await self.ask.named(self.plan.written, "istartswith", offset, limit)

    def _page(self, families: Sequence[Family], position: CompoundPosition, page_size: int) -> CompoundPage:
        """The rows, and where the next page begins; scores never rise."""
        most, rows = position.score, []
        for family in families:
            found = family.head.match
            most = min(most, found.score)
            rows.append(family.head.molecule.candidate(match=found.kind, score=most, salt_forms=family.forms))
        position = position.model_copy(update={"parents": remembered(position.parents, families)})
        return ListPage(rows, position.after(page_size, most))

    def _is_called(self, candidates: _Candidates) -> bool:
        """Whether a compound is called so, by a whole name."""
        return any(one.match.score >= LEADS for one in self._ranked(candidates.pool.values()))

    def _ranked(self, molecules: Iterable[Found], *, may_be_near: bool = False) -> list[Ranked]:
        return ranked(molecules, self.plan.readings, may_be_near=may_be_near)


def _leading(heads: Sequence[Ranked]) -> list[str]:
    """The IDs of those that come first on pages of any size: those called so; else those with all words."""
    named = [one for one in heads if one.leads] or [one for one in heads if one.is_held]
    return [one.molecule.id for one in named[:MOST_LEADING]]
