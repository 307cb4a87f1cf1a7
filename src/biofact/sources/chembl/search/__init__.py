"""Names and structures to ranked compounds, page by page."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.records import Notice
from biofact.protocol.listing import ListPage, ListSlice, OffsetPosition
from biofact.protocol.search import Candidates, HitList, RankedSearch, SearchPosition
from biofact.sources.chembl.identifiers import NATIVE, curie
from biofact.sources.chembl.parse import Hits, MoleculeHit
from biofact.sources.chembl.questions import ChEMBLQuestions
from biofact.sources.chembl.records import CompoundSearchCandidate
from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.queries import Interpretation, Plan, halves, plan
from biofact.sources.chembl.search.ranking import (
    LEADS,
    SHORTEST_NEAR,
    Family,
    Ranked,
    into_families,
    of_structure,
    ranked,
    remember,
    remembered_parents,
    sharing_best,
)
from biofact.sources.chembl.search.structures import Structure, elements, heavy_atoms, is_valid, structure_in
from biofact.sources.chembl.search.targets import OrganismFilter, TargetPage, TargetPosition, TargetSearch
from biofact.sources.chembl.service import MOST_FOUND, Filters, QueryStructure

__all__ = [
    "LEADS",
    "CompoundPage",
    "CompoundPosition",
    "CompoundSearch",
    "OrganismFilter",
    "Plan",
    "Ranked",
    "Structure",
    "StructureSearch",
    "TargetPage",
    "TargetPosition",
    "TargetSearch",
    "into_families",
    "is_valid",
    "notices",
    "of_structure",
    "plan",
    "ranked",
    "sharing_best",
    "structure_in",
]


FIRST_PAGE_HITS = 100
"""Hits that page 1 examines, for any page size."""
MOST_LEADING = 30
"""Compounds that lead and are remembered by the cursor."""
_LEAST_HITS = 20
"""Hits that a later page looks at: forms that fold leave gaps."""

_MOST_NEAR = 500
_MOST_PERCENT = 100.0
_ROUNDING = 0.01  # the error of a service that computes in single precision
_APPROVED, _CLINICAL = (("max_phase", "4"),), (("max_phase__gte", "1"),)
_NO_HITS: Hits[MoleculeHit] = Hits((), (), 0)


class CompoundListKind(IntEnum):
    """Which list follows those that lead."""

    WORDS = 0
    BEGINNINGS = 1


class CompoundPosition(SearchPosition):
    """The start of the next page of a search for compounds."""

    number: CompoundListKind
    """The list that goes on."""
    forms: list[Annotated[str, StringConstraints(pattern=NATIVE)]] = Field(default_factory=list)
    """Forms that fold into those that lead, and say as much of them as on page 1."""
    parents: str = Field(default="", max_length=1400, pattern=r"^[0-9a-z.]*$")
    """The compounds shown so far, into which their salts fold."""
    may_be_near: bool = False
    """Names one letter away lead."""


CompoundPage = ListPage[CompoundSearchCandidate, CompoundPosition]


@dataclass(frozen=True, slots=True)
class _Pool:
    """Molecules by name, and the list that follows those that lead."""

    molecules: dict[str, MoleculeHit]
    number: CompoundListKind
    hits: Hits[MoleculeHit]
    notices: list[Notice] = field(default_factory=list)
    may_be_near: bool = False
    dropped_count: int = 0
    """Rows that did not match the query."""
    beginnings: int = 0
    """The number of molecules with names that begin like the query, if another list follows."""

    @classmethod
    def of_words(cls, hits: Hits[MoleculeHit]) -> Self:
        """The molecules that the search by words found."""
        return cls({molecule.id: molecule for molecule in hits.entries}, CompoundListKind.WORDS, hits)

    def with_hits(self, *pages: Hits[MoleculeHit]) -> "_Pool":
        """The pool with more molecules, after the known ones."""
        molecules, dropped_count = dict(self.molecules), self.dropped_count
        for hits in pages:
            for molecule in hits.entries:
                molecules.setdefault(molecule.id, replace(molecule, place=FIRST_PAGE_HITS + molecule.place))
            dropped_count += hits.dropped_count
        return replace(self, molecules=molecules, dropped_count=dropped_count)


@dataclass(frozen=True, slots=True)
class CompoundSearch(RankedSearch[MoleculeHit, CompoundSearchCandidate, CompoundPosition]):
    """A planned search for compounds by name. A row is a compound with its salts and hydrates."""

    plan: Plan
    ask: ChEMBLQuestions

    async def first(self, page_size: int) -> CompoundPage:
        """Page 1: the total is known where nothing follows it, for salts fold; else the order is explained."""
        page = await super(CompoundSearch, self).first(page_size)  # the short form needs a cell that slots replace
        if page.position is None:
            return replace(page, total=len(page.rows))
        if page.position.number != CompoundListKind.WORDS:
            return page
        return replace(page, notices=[*page.notices, notices.ORDER(total=page.position.total or 0)])

    async def candidates(self, page_size: int) -> Candidates[MoleculeHit, CompoundPosition] | CompoundPage:
        """The compounds of this name; else those whose names begin like it, hold the words, or are near."""
        pool = await self._pool()
        best = self._ranked(pool.molecules.values(), may_be_near=pool.may_be_near)
        if not best:
            return ListPage.empty(*pool.notices, notices.NO_COMPOUND(query=self.plan.query))
        compounds = into_families(best)
        heads = [compound.head for compound in compounds]
        lead = _leading(heads)
        forms = [form.id for compound in compounds for form in compound.forms]
        position = CompoundPosition(
            lead=lead,
            forms=[form.id for compound in compounds if compound.head.molecule.id in lead for form in compound.forms],
            number=pool.number,
            may_be_near=pool.may_be_near,
        )
        return Candidates(
            {answer.molecule.id: answer.molecule for answer in best},
            position,
            # A blank keeps the place of a form that folds, so that offsets stay those of ChEMBL.
            HitList([uid if uid not in forms else "" for uid in pool.hits.ids], pool.hits.total),
            [
                *notices.query_notices(self.plan, best),
                *notices.shared(self.plan, sharing_best(heads)),
                *pool.notices,
                *notices.dropped_rows(pool.dropped_count),
                *notices.cut(len(lead), pool.beginnings if len(lead) == MOST_LEADING else 0),
            ],
        )

    async def next_hits(self, position: CompoundPosition, size: int) -> HitList[MoleculeHit]:
        """The next hits, of which only the first ten thousand can be had."""
        if position.offset >= MOST_FOUND:
            return HitList((), position.offset, notices=[notices.END_OF_REACH])
        # Forms that fold leave gaps, which a longer part of the list fills.
        limit = min(FIRST_PAGE_HITS, max(_LEAST_HITS, size))
        if position.number == CompoundListKind.WORDS:
            hits = await self.ask.search(self.plan.words, position.offset, limit)
        else:
            hits = await self.ask.molecules_by_name(self.plan.name, "istartswith", position.offset, limit)
        return HitList(hits.ids, hits.total, {molecule.id: molecule for molecule in hits.entries})

    def excluded(self, hit_list: HitList[MoleculeHit], position: CompoundPosition) -> list[str]:
        """Rows without a molecule, and forms of compounds that earlier pages have shown."""
        parents = self._parents(position)
        return ["", *(molecule.id for molecule in hit_list.hits.values() if molecule.parent in parents)]

    async def records(
        self, ids: Sequence[str], known_hits: Mapping[str, MoleculeHit], position: CompoundPosition
    ) -> tuple[list[MoleculeHit], list[Notice]]:
        """The molecules with these IDs and their forms, as far as those are known; those that lead with all forms."""
        lead = [uid for uid in ids if uid in position.lead]
        missing = [uid for uid in (*lead, *position.forms) if uid not in known_hits] if lead else []
        further_molecules = await self.ask.lookup(missing, is_whole=not known_hits)
        molecules = {**known_hits, **{molecule.id: molecule for molecule in further_molecules}}
        selected_ids = {*ids} | {uid for uid, molecule in molecules.items() if molecule.parent in ids}
        matching_molecules = [molecule for uid, molecule in molecules.items() if uid in selected_ids]
        return matching_molecules, notices.dropped_rows(len(lead) - sum(uid in molecules for uid in lead))

    def answers(self, hits: Sequence[MoleculeHit], position: CompoundPosition) -> list[Family]:
        """The compounds that lead, each with its forms, then the others, best first."""
        places = {uid: place for place, uid in enumerate((*position.lead, *position.forms))}
        of_leaders = [replace(molecule, place=places[molecule.id]) for molecule in hits if molecule.id in places]
        leaders = into_families(self._ranked(of_leaders, may_be_near=True))
        leaders = sorted(
            (leader for leader in leaders if leader.head.molecule.id in position.lead),
            key=lambda leader: places[leader.head.molecule.id],
        )
        other_answers = self._ranked(
            (molecule for molecule in hits if molecule.id not in places), may_be_near=position.may_be_near
        )
        return [*leaders, *into_families(other_answers, self._parents(position))]

    def row(self, answer: Family, score: float) -> CompoundSearchCandidate:
        """The compound as a hit of the search, with its forms."""
        head = answer.head
        return head.molecule.candidate(match=head.match.kind, score=score, salt_forms=answer.forms)

    def remember(self, position: CompoundPosition, answers: Sequence[Family]) -> CompoundPosition:
        """The position with the parents shown so far."""
        return position.model_copy(update={"parents": remember(position.parents, answers)})

    def total_count(self, position: CompoundPosition) -> None:
        """Unknown: the number of hits that fold into others is known only at the end of the list."""

    def _parents(self, position: CompoundPosition) -> frozenset[str]:
        """The compounds into which their forms fold, as they lead or earlier pages have shown them."""
        return remembered_parents(position.parents) | frozenset(position.lead)

    async def whole_name_molecules(self) -> list[MoleculeHit]:
        """The molecules of which a whole name is the query, of what page 1 of the search would list, for a name that
        was looked up in the usual letter cases: one request, and a few more where more hold the words than it lists.

        Raises:
            RateLimited, UpstreamError: the search fails, and no molecule has this name.
        """
        words = await self._words()
        if not isinstance(words, Hits):
            pool = await self._without_words(words)
        else:
            pool = _Pool.of_words(words)
            if words.total > FIRST_PAGE_HITS and not self._has_whole_name(pool):
                pool = pool.with_hits(*await self._whole_names())
        return [answer.molecule for answer in self._ranked(pool.molecules.values()) if answer.match.score >= LEADS]

    async def _pool(self) -> _Pool:
        """The molecules of this name, else those with names that begin like it, hold the words, or are a letter off."""
        words = await self._words()
        if not isinstance(words, Hits):
            return await self._without_words(words)
        pool = _Pool.of_words(words)
        return pool if self._has_whole_name(pool) else await self._with_near_names(await self._with_beginnings(pool))

    async def _without_words(self, failure: UpstreamError) -> _Pool:
        """The molecules of this name, while the search by words fails.

        Raises:
            RateLimited, UpstreamError: no molecule has this name.
        """
        pool = _Pool({}, CompoundListKind.WORDS, _NO_HITS, notices=[notices.WITHOUT_TEXT(reason=failure.message)])
        try:
            pool = pool.with_hits(*await self._whole_names())
        except (RateLimited, UpstreamError):
            raise failure from None  # the first failure says more than a time-out after it
        if not self._has_whole_name(pool):
            raise failure
        return pool

    async def _with_beginnings(self, pool: _Pool) -> _Pool:
        """The pool with beginnings of names, and whole names by other interpretations. If more begin like the query
        than are listed, the whole name and approved drugs are requested separately.
        """
        literal, *alternatives = self.plan.interpretations
        begin, *other_hits = await asyncio.gather(
            self._beginning(literal.text, FIRST_PAGE_HITS),
            self.ask.molecules_by_name(literal.text, "istartswith", 0, FIRST_PAGE_HITS, name_kind="preferred"),
            *map(self._exact, alternatives),
        )
        # The whole name and the approved drugs may stand behind the first hundred.
        if begin.total > FIRST_PAGE_HITS:
            other_hits += await asyncio.gather(
                self._exact(literal), self._beginning(literal.text, FIRST_PAGE_HITS, filters=_APPROVED)
            )
        pool = pool.with_hits(begin, *other_hits)
        if pool.hits.total:
            return replace(pool, beginnings=begin.total)
        return replace(pool, number=CompoundListKind.BEGINNINGS, hits=begin)

    async def _with_near_names(self, pool: _Pool) -> _Pool:
        """The pool with names of clinical drugs one letter away, if nothing else was found."""
        is_found = any(answer.leads or answer.is_held for answer in self._ranked(pool.molecules.values()))
        if is_found or len(self.plan.name) < SHORTEST_NEAR:
            return pool
        start, end = halves(self.plan.name)
        for hits in await asyncio.gather(
            self._beginning(start, _MOST_NEAR, filters=_CLINICAL),
            self.ask.molecules_by_name(end, "iendswith", 0, _MOST_NEAR, filters=_CLINICAL),
        ):
            near_molecules = [
                answer.molecule for answer in self._ranked(hits.entries, may_be_near=True) if answer.leads
            ]
            pool = pool.with_hits(replace(hits, entries=tuple(near_molecules)))
        is_near = any(answer.is_near for answer in self._ranked(pool.molecules.values(), may_be_near=True))
        return replace(pool, may_be_near=is_near)

    async def _beginning(self, name: str, limit: int, filters: Filters = ()) -> Hits[MoleculeHit]:
        return await self.ask.molecules_by_name(name, "istartswith", 0, limit, filters=filters)

    async def _whole_names(self) -> list[Hits[MoleculeHit]]:
        """The molecules of which a whole name is the query, in any of its interpretations."""
        preferred = self.ask.molecules_by_name(self.plan.words, "iexact", 0, FIRST_PAGE_HITS, name_kind="preferred")
        return await asyncio.gather(preferred, *map(self._exact, self.plan.interpretations))

    async def _exact(self, interpretation: Interpretation) -> Hits[MoleculeHit]:
        return await self.ask.molecules_by_name(interpretation.text, "iexact", 0, FIRST_PAGE_HITS)

    async def _words(self) -> Hits[MoleculeHit] | UpstreamError:
        """The hits of the words, or the failure of ChEMBL's search, which fails more often than its tables do.

        Raises:
            RateLimited: ChEMBL takes no more requests of any kind.
        """
        if not self.plan.is_searchable:
            return _NO_HITS
        try:
            return await self.ask.search(self.plan.words, 0, FIRST_PAGE_HITS)
        except UpstreamError as failure:
            return failure

    def _has_whole_name(self, pool: _Pool) -> bool:
        """Whether a compound has this whole name."""
        return any(answer.match.score >= LEADS for answer in self._ranked(pool.molecules.values()))

    def _ranked(self, molecules: Iterable[MoleculeHit], *, may_be_near: bool = False) -> list[Ranked]:
        return ranked(molecules, self.plan.interpretations, may_be_near=may_be_near)


def _leading(heads: Sequence[Ranked]) -> list[str]:
    """The IDs of those that come first on pages of any size: those of this name; else those with all words."""
    named_answers = [head for head in heads if head.leads] or [head for head in heads if head.is_held]
    return [answer.molecule.id for answer in named_answers[:MOST_LEADING]]


@dataclass(frozen=True, slots=True)
class StructureSearch:
    """A search by structure in ChEMBL's own order; without a ``threshold`` for all that holds the structure."""

    structure: QueryStructure
    smiles: str
    threshold: int | None
    ask: ChEMBLQuestions

    async def page_from(self, position: OffsetPosition, size: int) -> ListSlice[CompoundSearchCandidate]:
        """The compounds from a position on, most similar first.

        Raises:
            UpstreamError: no row matches the query, or the rows of the last page are repeated.
        """
        hits = await self.ask.related_molecules(self.structure, self.threshold, position.offset, size)
        matching_molecules = hits.filtered(self._answers).entries
        if hits.entries and not matching_molecules:
            raise UpstreamError("ChEMBL listed compounds of other structures.", hint="Call again later, or report it.")
        is_repeated = position.last in {curie(native_id) for native_id in hits.ids if native_id}
        if is_repeated or any(self._score(molecule) > position.score + _ROUNDING for molecule in matching_molecules):
            raise UpstreamError("ChEMBL listed compounds again.", hint="Begin again with page 1, without a cursor.")
        rows = [
            molecule.candidate(match="structure", score=self._score(molecule))
            for molecule in sorted(matching_molecules, key=lambda molecule: -(molecule.similarity or 0.0))
        ]
        unmatched = notices.NONE_HOLDS if self.threshold is None else notices.NONE_SIMILAR
        remarks = [] if rows else [unmatched(structure=self.structure.text, threshold=self.threshold)]
        dropped_notices = notices.dropped_rows(len(hits.entries) - len(matching_molecules))
        return ListSlice(rows, hits.total, [*remarks, *dropped_notices], rows_read=len(hits.ids))

    def _answers(self, molecule: MoleculeHit) -> bool:
        """Whether a molecule has a similarity in range or, for substructures, at least the atoms of the query."""
        if self.threshold is None:
            return molecule.formula is None or not heavy_atoms(self.smiles) - elements(molecule.formula)
        return (
            molecule.similarity is not None
            and self.threshold - _ROUNDING <= molecule.similarity <= _MOST_PERCENT + _ROUNDING
        )

    def _score(self, molecule: MoleculeHit) -> float:
        """1 for any that holds the structure."""
        share = 1.0 if self.threshold is None else (molecule.similarity or 0.0) / _MOST_PERCENT
        return min(1.0, round(share, 4))
