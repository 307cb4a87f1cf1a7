"""The questions that many names lead to, in as few rounds and requests as they can be asked in."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from biofact.core import organisms
from biofact.core.call import Counter
from biofact.core.entity_kinds import EntityKind
from biofact.core.errors import AmbiguousQuery, BiofactError, RateLimited, UpstreamError
from biofact.core.provenance import Notice, without
from biofact.identity.joining import JoinedEntity, is_same, joined
from biofact.identity.kinds import Reading
from biofact.protocol.names import FEW, FoundNames, NamedEntity, NameFinder

Round = Literal["first", "then"]


@dataclass(frozen=True, slots=True)
class SourceFinder:
    """What one source can be asked by name."""

    source: str
    title: str
    finder: NameFinder


@dataclass(slots=True)
class NameAnswers:
    """What the sources know of one name."""

    by_source: dict[str, list[NamedEntity]] = field(default_factory=lambda: defaultdict(list))
    failures: list[BiofactError] = field(default_factory=list)
    unanswered: list[BiofactError] = field(default_factory=list)
    """Those of the failures that concern what the name is read as first."""
    reasons: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_unsearched: bool = False
    """It was not asked for by itself."""

    @property
    def is_settled(self) -> bool:
        """Somebody knows it, or why nobody does."""
        return bool(self.by_source or self.reasons)

    @property
    def is_unknown(self) -> bool:
        """Who should know it could not be asked: that others do not know it is no evidence that nobody does."""
        return bool(self.unanswered) and not self.reasons

    def reason(self, reading: Reading) -> str:
        """Why there is no entity."""
        if self.reasons:
            return " ".join(dict.fromkeys(self.reasons))
        kinds = " or ".join((*reading.first, *reading.then))
        failed = "".join(f" {message}" for message in dict.fromkeys(one.message for one in self.failures))
        unknown = "No database that answered knows it." if failed else f"No {kinds} is called so."
        if self.is_unsearched:  # what nobody was asked for may be known
            unknown = "It was not searched by words: too many names are unknown for that; ask for this one alone."
        remarks = "".join(f" {remark}" for remark in dict.fromkeys(self.remarks))
        return f"{unknown}{remarks}{failed}"


@dataclass(frozen=True, slots=True)
class Question:
    """Names that one source is asked for at once."""

    asked: SourceFinder
    names: Sequence[str]
    organism: str
    is_by_label: bool = False
    """The names are labels of entities, which somebody else knows under the names asked for."""


class Inquiry:
    """All that is asked for one list of names."""

    def __init__(self, asked: Sequence[SourceFinder], readings: Mapping[str, Reading], organism: str) -> None:
        self.readings = readings
        self.answers = {name: NameAnswers() for name in readings}
        self._finders = asked
        self._organism = organism
        self._knowledge: dict[tuple[SourceFinder, str, str], Sequence[NamedEntity]] = {}
        """What a source knows under a name, or a label, of an organism."""
        self._failures: dict[str, BiofactError] = {}
        self._remarks: list[Notice] = []

    async def run(self) -> None:
        """Ask for many names at once, then for what is not known yet and what is known to some sources only."""
        alone = self._one_by_one("first", are_alone=True) if len(self.readings) < FEW else ()
        await self._ask(*self._joined("first"), *alone)
        await self._ask(*self._joined("then"), *self._one_by_one("first"), *self._by_label())
        await self._ask(*self._one_by_one("then"), *self._by_label())
        for name in self._unmet():
            self.answers[name].is_unsearched = any(
                self._may_know(one, name) and not self._is_asked(one, name) for one in self._finders
            )

    def notices(self) -> list[Notice]:
        """Which sources could not be asked, and what the others say about all names."""
        failed = (without(f"what {title} knows", failure.message) for title, failure in self._failures.items())
        return list(dict.fromkeys([*self._remarks, *failed]))

    def _joined(self, part: Round) -> Iterator[Question]:
        """Names in questions that many of them can be joined in."""
        for one in self._finders:
            if one.finder.is_joined:
                yield Question(one, self._open(one, part), self._organism)

    def _one_by_one(self, part: Round, *, are_alone: bool = False) -> Iterator[Question]:
        """Names in questions of their own, where they are few; ``are_alone``, those that nobody can join."""
        for one in self._finders:
            if one.finder.is_joined:
                continue
            names = self._open(one, part)
            if len(names) < FEW:
                asked = [name for name in names if not (are_alone and self._can_be_joined(name, one.finder.kind))]
                yield Question(one, asked, self._organism)

    def _can_be_joined(self, name: str, kind: EntityKind) -> bool:
        joined_finders = (one.finder for one in self._finders if one.finder.is_joined and one.finder.kind == kind)
        return any(finder.takes(name) for finder in joined_finders)

    def _by_label(self) -> list[Question]:
        """Entities that a source has not been asked for under their own label: it knows no other names of theirs."""
        labels: dict[tuple[SourceFinder, str], dict[str, None]] = defaultdict(dict)
        for entity in (entity for name in self.answers for entity in self.entities(name)):
            organism = entity.lead.organism or self._organism
            for one in self._further(entity):
                if (one, _species(organism), entity.lead.label) not in self._knowledge:
                    labels[one, organism][entity.lead.label] = None
        return [Question(one, [*names], organism, is_by_label=True) for (one, organism), names in labels.items()]

    def _further(self, entity: JoinedEntity) -> Iterator[SourceFinder]:
        """Sources that may know the entity, too."""
        for one in self._finders:
            is_able = one.title not in self._failures and one.finder.is_joined and one.finder.takes(entity.lead.label)
            if is_able and one.finder.kind == entity.lead.kind and one.source not in entity.parts:
                yield one

    def entities(self, name: str) -> list[JoinedEntity]:
        """What a name stands for, each once, best first, with what further sources have under the labels."""
        return [self._completed(entity) for entity in joined(self.answers[name].by_source)]

    def _completed(self, entity: JoinedEntity) -> JoinedEntity:
        species = _species(entity.lead.organism or self._organism)
        for one in self._further(entity):
            parts = self._knowledge.get((one, species, entity.lead.label), ())
            if (part := next((part for part in parts if is_same(entity, one.source, part)), None)) is not None:
                entity = entity.with_part(one.source, part, is_counterpart=True)
        return entity

    async def _ask(self, *questions: Question) -> None:
        questions = tuple(question for question in questions if question.names)
        counter = Counter(sum(len(question.names) for question in questions), "names looked up")
        found = await asyncio.gather(*(_find(question, counter) for question in questions))
        for question, knows in zip(questions, found, strict=True):
            if knows.failures:
                self._failures[question.asked.title] = next(iter(knows.failures.values()))
            self._remarks += knows.notices
            for name in question.names:
                key = (question.asked, _species(question.organism), name)
                self._knowledge[key] = knows.entities.get(name, ())
                if not question.is_by_label:
                    self._take(question.asked, name, knows)

    def _take(self, asked: SourceFinder, name: str, knows: FoundNames) -> None:
        """What a source knows under a name as it was asked."""
        answers = self.answers[name]
        if entities := knows.entities.get(name):
            answers.by_source[asked.source] += entities
        elif name in knows.failures:
            answers.failures.append(knows.failures[name])
            if asked.finder.kind in self.readings[name].first:
                answers.unanswered.append(knows.failures[name])
        elif name in knows.reasons:
            answers.reasons.append(knows.reasons[name])
        if name in knows.remarks:
            answers.remarks.append(knows.remarks[name])

    def _open(self, one: SourceFinder, part: Round) -> list[str]:
        """The names that a source may know and was not asked for; of the second kinds, those that nobody knows."""
        return [
            name
            for name, reading in self.readings.items()
            if one.finder.kind in (reading.first if part == "first" else reading.then)
            and not self._is_asked(one, name)
            and ((one.finder.is_joined and part == "first") or not self.answers[name].is_settled)
            and one.finder.takes(name)
        ]

    def _unmet(self) -> list[str]:
        return [name for name, answers in self.answers.items() if not answers.is_settled]

    def _is_asked(self, one: SourceFinder, name: str) -> bool:
        return (one, _species(self._organism), name) in self._knowledge

    def _may_know(self, one: SourceFinder, name: str) -> bool:
        reading = self.readings[name]
        return one.finder.kind in (*reading.first, *reading.then) and one.finder.takes(name)


def _species(organism: str) -> str:
    """One spelling of an organism that users call by several names."""
    taxon = organisms.taxon(organism)
    return taxon.name if taxon else organism


async def _find(question: Question, counter: Counter) -> FoundNames:
    try:
        found = await question.asked.finder.find(question.names, question.organism)
    except (AmbiguousQuery, RateLimited, UpstreamError) as failure:
        found = FoundNames(failures=dict.fromkeys(question.names, failure))
    await counter.add(len(question.names))
    return found
