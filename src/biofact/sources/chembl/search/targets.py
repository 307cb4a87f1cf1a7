"""Targets that answer a name, page by page: whole names lead, ChEMBL's own list follows."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from biofact.core import organisms
from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.records import Notice, rows_dropped
from biofact.core.words import clone_name
from biofact.protocol.listing import ListPage
from biofact.protocol.search import Candidates, HitList, RankedSearch, SearchPosition
from biofact.sources.chembl.identifiers import curie, native_number
from biofact.sources.chembl.parse import Hits, Target
from biofact.sources.chembl.questions import ChEMBLQuestions
from biofact.sources.chembl.records import TargetMatchKind, TargetSearchCandidate
from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.queries import SHORTEST_SEARCHED, QueryForms
from biofact.sources.chembl.service import MOST_FOUND, Filters, NameKind

FIRST_PAGE_HITS = 100
"""Hits that page 1 examines, for any page size."""
MOST_LEADING = 30
"""Targets that lead and are remembered by the cursor."""
_MOST_NAMED = 15
_MOST_UNIPROT = 5
_LEADS = 0.8
_HOLDS, _TEXT = 0.5, 0.3
_BEGINS, _OF_MEMBER = 0.3, 0.1
_YEASTS = frozenset({4932, 559292})
"""ChEMBL files baker's yeast under the species and under its strain."""
_NO_HITS: Hits[Target] = Hits((), (), 0)


class TargetPosition(SearchPosition):
    """The start of the next page of a search for targets."""


TargetPage = ListPage[TargetSearchCandidate, TargetPosition]


@dataclass(frozen=True, slots=True)
class OrganismFilter:
    """The organism that targets are restricted to."""

    name: str
    taxa: frozenset[int] = frozenset()

    @classmethod
    def from_text(cls, text: str) -> "OrganismFilter":
        """An organism by common name or taxon ID, or else by its name in ChEMBL or a part of it."""
        taxon = organisms.taxon(text)
        taxon_id = taxon.id if taxon else organisms.taxon_id(text)
        if taxon_id is None:
            return cls(" ".join(text.split()))
        return cls(taxon.name if taxon else text, _YEASTS if taxon_id in _YEASTS else frozenset({taxon_id}))

    @property
    def filters(self) -> Filters:
        """The request filters of the organism."""
        if not self.taxa:
            return (("organism__icontains", self.name),)
        return (("tax_id__in", ",".join(map(str, sorted(self.taxa)))),)

    def holds(self, target: Target) -> bool:
        """Whether a target is of this organism."""
        if self.taxa:
            return target.tax_id in self.taxa
        return self.name.casefold() in (target.organism or "").casefold()


@dataclass(frozen=True, slots=True)
class Match:
    """The match of a target with the query."""

    target: Target
    kind: TargetMatchKind
    points: float
    """The score of the match, 0-1."""
    is_exact: bool = False
    """In the case in which it is written."""

    @property
    def order(self) -> tuple[float, bool, int, bool, int, int]:
        """Best first; among equals exact case, human and model organisms, single proteins, ChEMBL's own order."""
        organism = organisms.ORDER.get(self.target.tax_id or 0, len(organisms.ORDER))
        target = self.target
        return (
            -self.points,
            not self.is_exact,
            organism,
            not target.is_protein,
            target.place,
            native_number(target.id),
        )

    def score(self, most: float = 1.0) -> float:
        """The score of its row, never more than ``most``."""
        return min(most, self.points)


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
class TargetSearch(RankedSearch[Target, TargetSearchCandidate, TargetPosition]):
    """A search for targets by name."""

    query: str
    organism: OrganismFilter | None
    ask: ChEMBLQuestions

    async def first(self, page_size: int) -> TargetPage:
        """Page 1: the total is known where nothing follows it."""
        page = await super(TargetSearch, self).first(page_size)  # the short form needs a cell that slots replace
        return replace(page, total=None if page.position else len(page.rows))

    async def candidates(self, page_size: int) -> Candidates[Target, TargetPosition] | TargetPage:
        """The targets of this name, then what ChEMBL's search finds."""
        listed_hits, exact, remarks = await self._hits()
        targets = {target.id: target for hits in (*exact, listed_hits) for target in hits.entries}
        best = sorted((matched(target, self.query) for target in targets.values()), key=lambda match: match.order)
        if not best:
            return ListPage.empty(*remarks, notices.NO_TARGET(query=self.query))
        lead = [match.target.id for match in best if match.points >= _LEADS][:MOST_LEADING]
        return Candidates(
            targets,
            TargetPosition(lead=lead),
            HitList(listed_hits.ids, listed_hits.total),
            [*_shared(self.query, best), *remarks, *_dropped_rows((listed_hits, *exact))],
        )

    async def next_hits(self, position: TargetPosition, size: int) -> HitList[Target]:
        """The next targets of the organism, of which only the first ten thousand can be had."""
        if position.offset >= MOST_FOUND:
            return HitList((), position.offset, notices=[notices.END_OF_REACH])
        hits = self._of_organism(
            await self.ask.search_targets(self.query, position.offset, min(FIRST_PAGE_HITS, size), self._filters)
        )
        targets = {target.id: target for target in hits.entries}
        return HitList(hits.ids, hits.total, targets, _dropped_rows((hits,)))

    def excluded(self, hit_list: HitList[Target], position: TargetPosition) -> list[str]:
        """Rows without a target of the organism."""
        return [""]

    async def records(
        self, ids: Sequence[str], known_hits: Mapping[str, Target], position: TargetPosition
    ) -> tuple[list[Target], list[Notice]]:
        """The targets with these IDs, each once, and whose components are not all listed."""
        missing = [uid for uid in ids if uid not in known_hits]
        further_targets = await self.ask.targets(missing, is_whole=not known_hits) if missing else []
        targets = {**known_hits, **{target.id: target for target in further_targets}}
        record_targets = [targets[uid] for uid in dict.fromkeys(ids) if uid in targets]
        cut = [curie(target.id) for target in record_targets if len(target.accessions) > _MOST_UNIPROT]
        return record_targets, [
            notices.COMPONENTS_CUT(limit=_MOST_UNIPROT, ids=", ".join(cut[:_MOST_NAMED]))
        ] if cut else []

    def answers(self, hits: Sequence[Target], position: TargetPosition) -> list[Match]:
        """The leading targets, then the list in ChEMBL's order."""
        return [matched(target, self.query) for target in hits]

    def row(self, answer: Match, score: float) -> TargetSearchCandidate:
        """The target as a hit of the search."""
        return candidate(answer.target, answer.kind, score)

    def total_count(self, position: TargetPosition) -> None:
        """Unknown: ChEMBL's count may or may not include the leading targets."""

    @property
    def _filters(self) -> Filters:
        return self.organism.filters if self.organism else ()

    async def _hits(self) -> tuple[Hits[Target], list[Hits[Target]], list[Notice]]:
        """The hits of the words, and the targets of exactly this name; the latter alone, with a notice, while the
        search fails.

        Raises:
            RateLimited, UpstreamError: the search fails, and no target has this name.
        """
        kinds: tuple[NameKind, ...] = ("preferred", "synonym")
        exact_names = [self.ask.targets_by_name(self.query, name_kind, self._filters) for name_kind in kinds]
        # The failure of the search counts only once it is known what the tables have.
        words_result, *exact = await asyncio.gather(self._words(), *exact_names, return_exceptions=True)
        failure = next((hits for hits in exact if isinstance(hits, BaseException)), None)
        if failure is not None:
            raise failure
        exact_hits = [self._of_organism(hits) for hits in exact if isinstance(hits, Hits)]
        if isinstance(words_result, Hits):
            return self._of_organism(words_result), exact_hits, []
        if not isinstance(words_result, RateLimited | UpstreamError) or not any(hits.entries for hits in exact_hits):
            raise words_result
        return _NO_HITS, exact_hits, [notices.WITHOUT_TEXT(reason=words_result.message)]

    async def _words(self) -> Hits[Target]:
        if len(self.query) < SHORTEST_SEARCHED or clone_name(self.query) == self.query:
            return _NO_HITS
        return await self.ask.search_targets(self.query, 0, FIRST_PAGE_HITS, self._filters)

    def _of_organism(self, hits: Hits[Target]) -> Hits[Target]:
        """The targets of the query's organism.

        Raises:
            UpstreamError: none is, as if the filter were ignored.
        """
        if self.organism is None:
            return hits
        own_hits = hits.filtered(self.organism.holds)
        if hits.entries and not own_hits.entries:
            raise UpstreamError("ChEMBL listed targets of other organisms.", hint="Call again later, or report it.")
        return own_hits


def matched(target: Target, query: str) -> Match:
    """The match of a target: its own name and its gene's symbol beat synonyms, whole names their beginnings."""
    best = Match(target, "text", _TEXT)
    forms = QueryForms.of(query)
    for name, kind, full in _names(target):
        score = forms.score(name, full, begins=full - _BEGINS, holds=_HOLDS)
        if score is None:
            continue
        match = Match(target, kind, round(score, 3), name == query)
        if (match.points, match.is_exact) > (best.points, best.is_exact):
            best = match
    return best


def _names(target: Target) -> Iterator[tuple[str, TargetMatchKind, float]]:
    """Every name, its kind, and what it scores as a whole; names of one member say less of a complex or family."""
    penalty = 0.0 if target.is_protein else _OF_MEMBER
    if target.name:
        yield target.name, "name", 1.0
    for name, kind in target.names:
        if kind == "GENE_SYMBOL":
            yield name, "symbol", 1.0 - penalty
        else:
            yield name, "synonym", 0.95 - penalty


def _shared(query: str, best: Sequence[Match]) -> list[Notice]:
    """Names the targets that share the best match, if several do."""
    shared = [match for match in best if match.points == best[0].points and match.is_exact == best[0].is_exact]
    if best[0].points < _LEADS or len(shared) == 1:
        return []
    return [notices.shared_targets(query, [match.target for match in shared])]


def _dropped_rows(hits: Iterable[Hits[Target]]) -> list[Notice]:
    return rows_dropped(sum(hit.dropped_count for hit in hits), "they are of other organisms")
