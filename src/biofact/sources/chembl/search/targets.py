"""Targets that answer a name, page by page: whole names lead, ChEMBL's own list follows."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from biofact.core import organisms
from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.records import Notice, rows_dropped
from biofact.core.words import folded, squeezed, words
from biofact.protocol import leading
from biofact.protocol.listing import ListPage
from biofact.sources.chembl.chembl_ids import curie, number
from biofact.sources.chembl.parse import Target, TargetHits
from biofact.sources.chembl.records import TargetMatchKind, TargetSearchCandidate
from biofact.sources.chembl.requests import MOST_FOUND, Of, Where
from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.queries import SHORTEST_SEARCHED

LISTED = 100
"""Hits that page 1 looks at, however few are asked for."""
MOST_LEADING = 30
"""Targets that lead and are remembered by the cursor."""
_MOST_NAMED = 15
_MOST_UNIPROT = 5
_LEADS = 0.8
_HOLDS, _TEXT = 0.5, 0.3
_OTHER_SPELLING, _BEGINS, _OF_MEMBER = 0.03, 0.3, 0.1
_YEASTS = frozenset({4932, 559292})
"""ChEMBL files baker's yeast under the species and under its strain."""
_NOTHING = TargetHits((), (), 0)


class TargetPosition(leading.PagePosition):
    """Where the next page of a search for targets begins."""


TargetPage = ListPage[TargetSearchCandidate, TargetPosition]


class TargetQuestions(Protocol):
    """What a search asks; each question is one upstream request."""

    async def search_targets(self, words: str, offset: int, limit: int, where: Where = ()) -> TargetHits:
        """What ChEMBL's search for targets finds."""

    async def targets_called(self, name: str, of: Of, where: Where = ()) -> TargetHits:
        """Targets of exactly this name."""

    async def targets(self, ids: Sequence[str]) -> list[Target]:
        """The targets with these IDs, in their order; those that do not exist are left out."""


@dataclass(frozen=True, slots=True)
class OfOrganism:
    """The organism that targets are restricted to."""

    name: str
    taxa: frozenset[int] = frozenset()

    @classmethod
    def of(cls, text: str) -> "OfOrganism":
        """By a common name or taxon ID; else by its name in ChEMBL, or a part of it."""
        known = organisms.taxon(text)
        taxon_id = known.id if known else organisms.taxon_id(text)
        if taxon_id is None:
            return cls(" ".join(text.split()))
        return cls(known.name if known else text, _YEASTS if taxon_id in _YEASTS else frozenset({taxon_id}))

    @property
    def where(self) -> Where:
        """As filters."""
        if not self.taxa:
            return (("organism__icontains", self.name),)
        return (("tax_id__in", ",".join(map(str, sorted(self.taxa)))),)

    def holds(self, target: Target) -> bool:
        """Whether a target is of it."""
        if self.taxa:
            return target.tax_id in self.taxa
        return self.name.casefold() in (target.organism or "").casefold()


@dataclass(frozen=True, slots=True)
class Match:
    """How a target answers."""

    target: Target
    kind: TargetMatchKind
    score: float
    is_exact: bool = False
    """In the case in which it is written."""

    @property
    def order(self) -> tuple[float, bool, int, bool, int, int]:
        """Best first; among equals exact case, human and model organisms, single proteins, ChEMBL's own order."""
        organism = organisms.ORDER.get(self.target.tax_id or 0, len(organisms.ORDER))
        one = self.target
        return (-self.score, not self.is_exact, organism, not one.is_protein, one.place, number(one.id))

    def candidate(self, most: float = 1.0) -> TargetSearchCandidate:
        """The row of an answer, with a score no higher than of those before it."""
        return candidate(self.target, self.kind, min(most, self.score))


def candidate(
    target: Target, kind: TargetMatchKind, score: float, most_uniprot: int | None = _MOST_UNIPROT
) -> TargetSearchCandidate:
    """The row of a target."""
    count, accessions = len(target.accessions), target.accessions[:most_uniprot]
    return TargetSearchCandidate(
        id=curie(target.id),
        name=target.name or target.id,
        organism=target.organism,
        target_type=target.type,
        score=score,
        match=kind,
        uniprot=[f"UniProtKB:{accession}" for accession in accessions],
        component_count=count if count > len(accessions) else None,
    )


@dataclass(frozen=True, slots=True)
class TargetPages:
    """A search for targets by name."""

    query: str
    organism: OfOrganism | None
    ask: TargetQuestions

    async def first(self, page_size: int) -> TargetPage:
        """Page 1: the targets that are called so, then what ChEMBL's search finds."""
        listed, called, remarks = await self._candidates()
        pool = {one.id: one for hits in (*called, listed) for one in hits.targets}
        best = sorted((matched(one, self.query) for one in pool.values()), key=lambda one: one.order)
        if not best:
            return ListPage.empty(*remarks, notices.no_target(self.query))
        lead = [one.target.id for one in best if one.score >= _LEADS][:MOST_LEADING]
        position = TargetPosition(lead=lead, total=listed.total)
        page = self._page(pool, listed, position, page_size)
        remarks = [*_shared(self.query, best), *remarks, *_dropped((listed, *called)), *_cut(page.rows)]
        return replace(page, notices=remarks, total=None if page.position else len(page.rows))

    async def after(self, position: TargetPosition, page_size: int) -> TargetPage:
        """The page that begins at ``position``."""
        found = await self.ask.targets(position.leading(page_size))
        wanted, listed = page_size - len(found), _NOTHING
        if wanted > 0 and position.has_more:
            if position.offset >= MOST_FOUND:
                return ListPage([], notices=[notices.end_of_reach(MOST_FOUND)])
            limit = min(LISTED, wanted + len(position.lead))
            listed = self._kept(await self.ask.search_targets(self.query, position.offset, limit, self._where))
        pool = {one.id: one for one in (*found, *listed.targets)}
        page = self._page(
            pool, listed, position.model_copy(update={"total": listed.total or position.total}), page_size
        )
        return replace(page, notices=[*_dropped((listed,)), *_cut(page.rows)])

    @property
    def _where(self) -> Where:
        return self.organism.where if self.organism else ()

    def _page(
        self, pool: dict[str, Target], listed: TargetHits, position: TargetPosition, page_size: int
    ) -> TargetPage:
        """Those that lead, then the list as ChEMBL has it; scores never rise."""
        lead = [uid for uid in position.leading(page_size) if uid in pool]
        rest, offset = leading.rest(
            listed.ids,
            listed.total,
            ["", *position.lead],
            position.offset,
            page_size - len(position.leading(page_size)),
        )
        most, rows = position.score, []
        for uid in (*lead, *dict.fromkeys(rest)):
            row = matched(pool[uid], self.query).candidate(most)
            most = row.score
            rows.append(row)
        onward = position.model_copy(update={"offset": offset if listed.ids or not listed.total else position.offset})
        return ListPage(rows, onward.after(page_size, most))

    async def _candidates(self) -> tuple[TargetHits, list[TargetHits], list[Notice]]:
        """What the words find, and what is called so; the latter alone, with a notice, while the search fails.

        Raises:
            RateLimited, UpstreamError: the search fails, and nothing is called so.
        """
        kinds: tuple[Of, ...] = ("preferred", "synonym")
        asked = [self.ask.targets_called(self.query, of, self._where) for of in kinds]
        listed, *called = await asyncio.gather(self._words(), *asked, return_exceptions=True)
        failed = next((one for one in called if isinstance(one, BaseException)), None)
        if failed is not None:
            raise failed
        named = [self._kept(one) for one in called if isinstance(one, TargetHits)]
        if isinstance(listed, TargetHits):
            return self._kept(listed), named, []
        if not isinstance(listed, RateLimited | UpstreamError) or not any(one.targets for one in named):
            raise listed
        return _NOTHING, named, [notices.without_text(listed.message)]

    async def _words(self) -> TargetHits:
        if len(self.query) < SHORTEST_SEARCHED:
            return _NOTHING
        return await self.ask.search_targets(self.query, 0, LISTED, self._where)

    def _kept(self, hits: TargetHits) -> TargetHits:
        """The targets of the organism that was asked for.

        Raises:
            UpstreamError: none is, as if the filter were ignored.
        """
        if self.organism is None:
            return hits
        kept = tuple(one for one in hits.targets if self.organism.holds(one))
        if hits.targets and not kept:
            raise UpstreamError("ChEMBL listed targets of other organisms.", hint="Call again later, or report it.")
        known = {one.id for one in kept}
        ids = tuple(uid if uid in known else "" for uid in hits.ids)
        return replace(hits, targets=kept, ids=ids, dropped=len(hits.targets) - len(kept))


def matched(target: Target, query: str) -> Match:
    """How well a target answers: its own name and its gene's symbol beat synonyms, whole names their beginnings."""
    best = Match(target, "text", _TEXT)
    asked, squeezed_asked, asked_words = folded(query), squeezed(query), words(query)
    for name, kind, full in _names(target):
        if folded(name) == asked:
            score = full
        elif squeezed(name) == squeezed_asked:
            score = full - _OTHER_SPELLING
        elif folded(name).startswith(asked):
            score = full - _BEGINS
        elif asked_words and asked_words <= words(name):
            score = _HOLDS
        else:
            continue
        found = Match(target, kind, round(score, 3), name == query)
        if (found.score, found.is_exact) > (best.score, best.is_exact):
            best = found
    return best


def _names(target: Target) -> Iterator[tuple[str, TargetMatchKind, float]]:
    """Every name, its kind, and what it scores as a whole; names of one member say less of a complex or family."""
    less = 0.0 if target.is_protein else _OF_MEMBER
    if target.name:
        yield target.name, "name", 1.0
    for name, kind in target.names:
        if kind == "GENE_SYMBOL":
            yield name, "symbol", 1.0 - less
        else:
            yield name, "synonym", 0.95 - less


def _shared(query: str, best: Sequence[Match]) -> list[Notice]:
    """Names the targets that share the best match, if several do."""
    shared = [one for one in best if one.score == best[0].score and one.is_exact == best[0].is_exact]
    if best[0].score < _LEADS or len(shared) == 1:
        return []
    return [notices.shared_targets(query, [one.target for one in shared])]


def _dropped(hits: Iterable[TargetHits]) -> list[Notice]:
    return rows_dropped(sum(one.dropped for one in hits), "they are of other organisms")


def _cut(rows: Iterable[TargetSearchCandidate]) -> list[Notice]:
    cut = [row.id for row in rows if row.component_count]
    return [notices.components_cut(_MOST_UNIPROT, cut)] if cut else []
