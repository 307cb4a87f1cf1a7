"""The questions that many names lead to, in as few rounds and requests as they can be asked in."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from biofact.core.errors import AmbiguousQuery, BiofactError, RateLimited, UpstreamError
from biofact.core.provenance import Notice, without
from biofact.identity.joining import JoinedEntity, joined
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
    counterparts: list[tuple[str, NamedEntity]] = field(default_factory=list)
    """What further sources have under the labels of the entities."""
    failures: list[BiofactError] = field(default_factory=list)
    unanswered: list[BiofactError] = field(default_factory=list)
    """Those of the failures that concern what the name is read as first."""
    reasons: list[str] = field(default_factory=list)
    is_unsearched: bool = False
    """It was not asked for by itself."""

    @property
    def is_met(self) -> bool:
        """Somebody knows it, or why nobody does."""
        return bool(self.by_source or self.reasons)

    @property
    def is_unknown(self) -> bool:
        """Who should know it could not be asked: that others do not know it is no evidence that nobody does."""
        return bool(self.unanswered) and not self.reasons

    def joined(self) -> list[JoinedEntity]:
        """The entities, each once, best first."""
        return joined(self.by_source, self.counterparts)

    def reason(self, reading: Reading) -> str:
        """Why there is no entity."""
        if self.reasons:
            return " ".join(dict.fromkeys(self.reasons))
        kinds = " or ".join((*reading.first, *reading.then))
        failed = "".join(f" {message}" for message in dict.fromkeys(one.message for one in self.failures))
        way_on = (
            " Too many names are unknown for a search by words; ask for this one alone." if self.is_unsearched else ""
        )
        unknown = "No database that answered knows it." if failed else f"No {kinds} is called so."
        return f"{unknown}{failed}{way_on}"


@dataclass(frozen=True, slots=True)
class Question:
    """Names that one source is asked for at once."""

    asked: SourceFinder
    names: Sequence[str]
    organism: str


class Inquiry:
    """All that is asked for one list of names."""

    def __init__(self, asked: Sequence[SourceFinder], readings: Mapping[str, Reading], organism: str) -> None:
        self.readings = readings
        self.answers = {name: NameAnswers() for name in readings}
        self._finders = asked
        self._organism = organism
        self._done: set[tuple[SourceFinder, str]] = set()
        self._failures: dict[str, BiofactError] = {}
        self._remarks: list[Notice] = []

    async def run(self) -> None:
        """Ask for many names at once, then for what is not known yet and what is known to some sources only."""
        await self._ask([*self._joined("first"), *self._one_by_one("first", are_alone=True)])
        await self._ask([*self._joined("then"), *self._one_by_one("first")], self._by_label())
        await self._ask([*self._one_by_one("then")], self._by_label())
        for name in self._unmet():
            self.answers[name].is_unsearched = any(not self._is_done(one, name) for one in self._finders)

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
        """Names in questions of their own, where they are few; ``are_alone``, of kinds that nobody can join."""
        can_join = {one.finder.kind for one in self._finders if one.finder.is_joined}
        for one in self._finders:
            if one.finder.is_joined or (are_alone and one.finder.kind in can_join):
                continue
            names = self._open(one, part)
            if len(names) < FEW:
                yield Question(one, names, self._organism)

    def _by_label(self) -> list[Question]:
        """Entities that a source has not been asked for under their own label: it knows no other names of theirs."""
        labels: dict[tuple[SourceFinder, str], dict[str, None]] = defaultdict(dict)
        for answers in self.answers.values():
            for entity in answers.joined():
                for one in self._finders:
                    if one.finder.is_joined and one.finder.kind == entity.lead.kind and one.source not in entity.parts:
                        labels[one, entity.lead.organism or self._organism][entity.lead.label] = None
        asked = (Question(one, [*names], organism) for (one, organism), names in labels.items())
        return [question for question in asked if question.asked.title not in self._failures]

    async def _ask(self, named: Iterable[Question], by_label: Sequence[Question] = ()) -> None:
        named = [question for question in named if question.names]
        found = await asyncio.gather(*map(_find, (*named, *by_label)))
        for question, knows in zip((*named, *by_label), found, strict=True):
            if knows.failures:
                self._failures[question.asked.title] = next(iter(knows.failures.values()))
            self._remarks += knows.notices
        for question, knows in zip(named, found, strict=False):
            self._take(question, knows)
        for question, knows in zip(by_label, found[len(named) :], strict=True):
            self._take_counterparts(question, knows)

    def _take(self, question: Question, knows: FoundNames) -> None:
        """What a source knows under the names as they were asked."""
        for name in question.names:
            self._done.add((question.asked, name))
            answers = self.answers[name]
            if entities := knows.entities.get(name):
                answers.by_source[question.asked.source] += entities
            elif name in knows.failures:
                answers.failures.append(knows.failures[name])
                if question.asked.finder.kind in self.readings[name].first:
                    answers.unanswered.append(knows.failures[name])
            elif name in knows.reasons:
                answers.reasons.append(knows.reasons[name])

    def _take_counterparts(self, question: Question, knows: FoundNames) -> None:
        """What a source knows under the labels of entities."""
        parts = [part for found in knows.entities.values() for part in found]
        for answers in self.answers.values():
            labels = {entity.lead.label for entity in answers.joined()}
            answers.counterparts += [(question.asked.source, part) for part in parts if part.label in labels]

    def _open(self, one: SourceFinder, part: Round) -> list[str]:
        """The names that a source may know and was not asked for; of the second kinds, those that nobody knows."""
        return [
            name
            for name, reading in self.readings.items()
            if one.finder.kind in (reading.first if part == "first" else reading.then)
            and (one, name) not in self._done
            and ((one.finder.is_joined and part == "first") or not self.answers[name].is_met)
        ]

    def _unmet(self) -> list[str]:
        return [name for name, answers in self.answers.items() if not answers.is_met]

    def _is_done(self, one: SourceFinder, name: str) -> bool:
        reading = self.readings[name]
        return one.finder.kind not in (*reading.first, *reading.then) or (one, name) in self._done


async def _find(question: Question) -> FoundNames:
    try:
        return await question.asked.finder.find(question.names, question.organism)
    except (AmbiguousQuery, RateLimited, UpstreamError) as failure:
        return FoundNames(failures=dict.fromkeys(question.names, failure))
