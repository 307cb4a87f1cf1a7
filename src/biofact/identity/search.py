"""The search for many names in all sources that may know them: round by round, in few requests, and joined."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from biofact.core import call, organisms
from biofact.core.errors import AmbiguousQuery, BiofactError, RateLimited, UpstreamError
from biofact.core.identifiers import UNREADABLE_ADDRESS
from biofact.core.records import Notice, missing_part
from biofact.identity.forms import Reading
from biofact.identity.joining import JoinedEntity, Leader, is_same, join_entities
from biofact.identity.kinds import OF_WORDS, LikelyKinds
from biofact.protocol.names import NamedEntity, NameFinder, NameResults, NewCall

Round = Literal["first", "fallback"]
_GROUP = 20
"""Names that are searched for in the first round together."""


@dataclass(frozen=True, slots=True)
class SourceFinder:
    """One search by name that a source offers."""

    source: str
    title: str
    finder: NameFinder


@dataclass(slots=True)
class NameAnswers:
    """The answers of the sources on one name."""

    by_source: dict[str, list[NamedEntity]] = field(default_factory=lambda: defaultdict(list))
    failures: list[BiofactError] = field(default_factory=list)
    blocking_failures: list[BiofactError] = field(default_factory=list)
    """The failures of sources that have the name's first kinds."""
    reasons: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def is_settled(self) -> bool:
        """Whether a source has the name, or the reason that none does."""
        return bool(self.by_source or self.reasons)

    @property
    def is_unknown(self) -> bool:
        """Whether a source that should know the name failed: then the silence of the others proves nothing."""
        return bool(self.blocking_failures) and not self.reasons

    def reason(self, likely_kinds: LikelyKinds) -> str:
        """Why there is no entity."""
        if not likely_kinds.first:
            return UNREADABLE_ADDRESS
        if self.reasons:
            return " ".join(dict.fromkeys(self.reasons))
        kinds = " or ".join((*likely_kinds.first, *likely_kinds.fallback))
        failed = "".join(f" {message}" for message in dict.fromkeys(failure.message for failure in self.failures))
        unknown = "No database that answered knows it." if failed else f"No {kinds} is called so."
        remarks = "".join(f" {remark}" for remark in dict.fromkeys(self.remarks))
        return f"{unknown}{remarks}{failed}"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A request to one source for several names."""

    finder: SourceFinder
    names: Sequence[str]
    organism: str
    is_by_label: bool = False
    """Whether the names are labels of entities that another source found."""


class NameSearch:
    """The search for one list of names in all sources."""

    def __init__(
        self,
        finders: Sequence[SourceFinder],
        likely_kinds: Mapping[str, LikelyKinds],
        organism: str,
        new_call: NewCall,
    ) -> None:
        self.likely_kinds = likely_kinds
        self._new_call = new_call
        self.answers = {name: NameAnswers() for name in likely_kinds}
        self._finders = finders
        self._organism = organism
        self._hits: dict[tuple[SourceFinder, str, str], Sequence[NamedEntity]] = {}
        """Hits of a source for a name, or a label, in an organism."""
        self._failures: dict[str, BiofactError] = {}
        self._remarks: list[Notice] = []

    async def run(self) -> None:
        """Look all names up together, then search for each that is open, and in sources without its entity.

        The requests for a name depend on its own answers alone: it has the same row in any company.
        """
        await self._search(*self._joined_requests("first"))
        # An entity that one source knows under the name may be known to another by its label alone (decision 0053).
        lookup = (*self._joined_requests("fallback"), *self._label_requests())
        await self._search_in_groups(lookup)
        await self._search(*self._label_requests())

    async def _search_in_groups(self, lookup: Sequence[SearchRequest]) -> None:
        """Search for the open names one at a time: of two groups the one is in the fallback round, which asks other
        services, while the other is in the first.
        """
        names = [name for name, answers in self.answers.items() if not answers.is_settled]

        groups = [names[start : start + _GROUP] for start in range(0, len(names), _GROUP)]
        # Chosen before anything is answered: what is asked of a name does not depend on the speed of others.
        first_requests = [tuple(self._searches("first", group)) for group in groups]
        first_round, fallback_round = asyncio.Lock(), asyncio.Lock()
        looked_up = asyncio.ensure_future(self._search(*lookup))

        async def search(group: Sequence[str], requests: Sequence[SearchRequest]) -> None:
            async with first_round:
                await self._search(*requests)
            await asyncio.shield(looked_up)
            async with fallback_round:
                await self._search(*self._searches("fallback", group))

        tasks = [looked_up, *map(asyncio.ensure_future, map(search, groups, first_requests))]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def leader(self, text: str, reading: Reading | None) -> Leader | BiofactError:
        """The leader of a cell, as it was read or as a name; or the failure of a source that may know it."""
        is_other = reading is not None and (reading.kinds is not None or not self.entities(text))
        leader = reading.leader(self.entities) if reading and is_other else None
        names = reading.searched_names if reading and leader else (text,)
        leader = leader or Leader.of(self.entities(text))
        unknown = [answers for answers in map(self.answers.__getitem__, names) if answers.is_unknown]
        if unknown and leader.is_empty:
            return unknown[0].blocking_failures[0]
        has_answer = leader.entities or leader.reason
        return leader if has_answer else Leader((), reason=self.answers[text].reason(self.likely_kinds[text]))

    def unknown_names(self, leaders: Mapping[str, Leader | BiofactError]) -> list[str]:
        """The names that every source which may know them answered that it does not."""
        return [
            text
            for text, leader in leaders.items()
            if isinstance(leader, Leader) and leader.is_empty and self._has_no_answer(text)
        ]

    def _has_no_answer(self, name: str) -> bool:
        answers, kinds = self.answers[name], self.likely_kinds[name]
        has_words = not kinds.is_exact and not {*kinds.first}.isdisjoint(OF_WORDS)
        return has_words and not answers.is_settled and not answers.is_unknown

    def other_leaders(self, readings: Mapping[str, Reading]) -> dict[str, Leader | BiofactError]:
        """The leaders of names that were read again and lead to something, or the failure of a source that may know."""
        leaders: dict[str, Leader | BiofactError] = {}
        for text, reading in readings.items():
            failures = [failure for name in reading.searched_names for failure in self.answers[name].blocking_failures]
            if leader := failures[0] if failures else reading.leader(self.entities):
                leaders[text] = leader
        return leaders

    def notices(self) -> list[Notice]:
        """The sources that failed, and the remarks of the others on all names."""
        failed = (missing_part(f"what {title} knows", failure.message) for title, failure in self._failures.items())
        return list(dict.fromkeys([*self._remarks, *failed]))

    def _joined_requests(self, part: Round) -> Iterator[SearchRequest]:
        """A request for all open names to each source that takes many at once."""
        for source in self._finders:
            if source.finder.is_joined:
                yield SearchRequest(source, self._open_names(source, part, [*self.likely_kinds]), self._organism)

    def _searches(self, part: Round, group: Sequence[str]) -> Iterator[SearchRequest]:
        """The open names of a group for each source that searches for one at a time."""
        for source in self._finders:
            if not source.finder.is_joined:
                yield SearchRequest(source, self._open_names(source, part, group), self._organism)

    def _label_requests(self) -> list[SearchRequest]:
        """Requests for entities by their label, to sources that were not searched for it: they may lack the name."""
        labels: dict[tuple[SourceFinder, str], dict[str, None]] = defaultdict(dict)
        for entity in (entity for name in self.answers for entity in self.entities(name)):
            organism = entity.lead.organism or self._organism
            for source in self._counterpart_sources(entity):
                if (source, _species(organism), entity.lead.label) not in self._hits:
                    labels[source, organism][entity.lead.label] = None
        return [
            SearchRequest(source, [*names], organism, is_by_label=True) for (source, organism), names in labels.items()
        ]

    def _counterpart_sources(self, entity: JoinedEntity) -> Iterator[SourceFinder]:
        """Sources that may have the entity under its label."""
        for source in self._finders:
            finder = source.finder
            is_able = source.title not in self._failures and finder.is_joined and finder.takes(entity.lead.label)
            if is_able and finder.kind == entity.lead.kind and source.source not in entity.parts:
                yield source

    def entities(self, name: str) -> list[JoinedEntity]:
        """The entities of a name, each once, best first, with their counterparts in other sources."""
        by_source = self.answers[name].by_source
        in_order = {source.source: by_source[source.source] for source in self._finders if source.source in by_source}
        return [self._with_counterparts(entity) for entity in join_entities(in_order)]

    def _with_counterparts(self, entity: JoinedEntity) -> JoinedEntity:
        species = _species(entity.lead.organism or self._organism)
        for source in self._counterpart_sources(entity):
            hits = self._hits.get((source, species, entity.lead.label), ())
            # A label may be shared: only what is proven the same joins.
            if (hit := next((hit for hit in hits if is_same(entity, source.source, hit)), None)) is not None:
                entity = entity.with_part(source.source, hit, is_counterpart=True)
        return entity

    async def _search(self, *requests: SearchRequest) -> None:
        requests = tuple(request for request in requests if request.names)
        # Searches for one name at a time count their names themselves.
        joined_names = (len(request.names) for request in requests if request.finder.finder.is_joined)
        counter = call.Counter(sum(joined_names), "names looked up")
        answers = await asyncio.gather(*(self._send(request, counter) for request in requests))
        for request, answer in zip(requests, answers, strict=True):
            if answer.failures:
                self._failures[request.finder.title] = next(iter(answer.failures.values()))
            self._remarks += answer.notices
            for name in request.names:
                key = (request.finder, _species(request.organism), name)
                self._hits[key] = answer.entities.get(name, ())
                if not request.is_by_label:
                    self._add_answer(request.finder, name, answer)

    async def _send(self, request: SearchRequest, counter: call.Counter) -> NameResults:
        try:
            with self._new_call():
                answer = await request.finder.finder.find(request.names, request.organism)
        except (AmbiguousQuery, RateLimited, UpstreamError) as failure:
            answer = NameResults(failures=dict.fromkeys(request.names, failure))
        if request.finder.finder.is_joined:
            await counter.add(len(request.names))
        return answer

    def _add_answer(self, source: SourceFinder, name: str, answer: NameResults) -> None:
        """Add a source's answer to the answers on one name."""
        answers = self.answers[name]
        if entities := answer.entities.get(name):
            answers.by_source[source.source] += entities
        elif name in answer.failures:
            answers.failures.append(answer.failures[name])
            if source.finder.kind in self.likely_kinds[name].first:
                answers.blocking_failures.append(answer.failures[name])
        elif name in answer.reasons:
            answers.reasons.append(answer.reasons[name])
        if name in answer.remarks:
            answers.remarks.append(answer.remarks[name])

    def _open_names(self, source: SourceFinder, part: Round, names: Sequence[str]) -> list[str]:
        """The names that a source may know and was not searched for; in the fallback round, those without a hit."""
        return [
            name
            for name in names
            for kinds in [self.likely_kinds[name]]
            if source.finder.kind in (kinds.first if part == "first" else kinds.fallback)
            and (source.finder.is_joined or not kinds.is_exact)
            and not self._is_searched(source, name)
            and ((source.finder.is_joined and part == "first") or not self.answers[name].is_settled)
            and source.finder.takes(name)
        ]

    def _is_searched(self, source: SourceFinder, name: str) -> bool:
        return (source, _species(self._organism), name) in self._hits


def _species(organism: str) -> str:
    """The scientific name of a model organism, by whatever name the user calls it."""
    taxon = organisms.taxon(organism)
    return taxon.name if taxon else organism
