"""Terms by words: the service's entities for a name, ranked by their match with it."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from biofact.core.quoting import name_list
from biofact.core.records import Notice, missing_part, rows_dropped
from biofact.core.words import compact, folded, is_one_letter_off, plain, words
from biofact.protocol.listing import ListSlice, OffsetPosition, distinct, unmatched
from biofact.sources.igvf.entities import EntityLookup
from biofact.sources.igvf.identifiers.forms import fixed_form
from biofact.sources.igvf.identifiers.kinds import IdentifierReading
from biofact.sources.igvf.questions import FAILURES, Failure, IGVFQuestions
from biofact.sources.igvf.records import Entity, TermCandidate, TermEntity, TermMatch

TermKind = Literal["disease", "phenotype", "tissue", "cell", "go", "chemical", "drug", "pathway"]

_TERMS, _DRUGS, _PATHWAYS = "/ontology-terms", "/drugs", "/pathways"
_ANY_CLASS = "biolink:OntologyClass"  # of an ontology with several kinds of things in it, such as EFO
_ROWS = 100
_MOST_WORDS = 3  # that are asked for one by one where the whole leads to nothing
_SHORTEST_NEAR = 4
"""Letters of a word that may have a slip in it."""
_MOST_NAMED = 5
_NAME, _SYNONYM, _SPELLING, _TEXT, _WHOLE, _NEAR_SCORE = 1.0, 0.9, 0.03, 0.3, 0.3, 0.2


class _Place(NamedTuple):
    """An endpoint, and an ontology, in which terms are searched."""

    path: str
    ontology: str | None = None


class _Kind(NamedTuple):
    """A kind of terms: its categories, and the main ontologies to search, so that no others fill the page."""

    places: tuple[_Place, ...]
    categories: frozenset[str]


def _term_kind(categories: Iterable[str], *names: str) -> _Kind:
    return _Kind((_Place(_TERMS), *(_Place(_TERMS, name) for name in names)), frozenset(categories))


_KINDS: Mapping[TermKind, _Kind] = {
    "disease": _term_kind(("biolink:Disease", _ANY_CLASS), "MONDO", "ORPHANET"),
    "phenotype": _term_kind(("biolink:PhenotypicFeature", _ANY_CLASS), "HPO", "EFO"),
    "tissue": _term_kind(("biolink:AnatomicalEntity",), "UBERON"),
    "cell": _term_kind(("biolink:Cell", "biolink:CellLine", _ANY_CLASS), "CL", "CLO"),
    "go": _term_kind(("biolink:BiologicalProcess", "biolink:MolecularActivity", "biolink:CellularComponent"), "GO"),
    "chemical": _term_kind(("biolink:ChemicalEntity",), "CHEBI"),
    "drug": _Kind((_Place(_DRUGS),), frozenset({"biolink:Drug"})),
    "pathway": _Kind((_Place(_PATHWAYS),), frozenset({"biolink:Pathway"})),
}
_ALL_PLACES = (_Place(_TERMS), _Place(_DRUGS), _Place(_PATHWAYS))
_PARAMETERS = {_TERMS: ("name", "synonyms"), _DRUGS: ("name",), _PATHWAYS: ("name", "name_aliases")}
_FIRST = ("MONDO", "HP", "UBERON", "CL", "GO", "EFO")
"""Ontologies whose terms come first among equals: more of the Catalog is joined with them."""


@dataclass(frozen=True, slots=True)
class TermSearch:
    """A search for terms by words or ID."""

    questions: IGVFQuestions
    query: str
    kind: TermKind | None

    async def page_from(self, position: OffsetPosition, size: int) -> ListSlice[TermCandidate]:
        """The terms from a position on: all are ranked, and the service's answers are cached for the next page.

        Raises:
            UpstreamError, RateLimited: every request failed.
        """
        identifier = _as_id(self.query)
        ranked, notices = await (self._by_id(identifier) if identifier else self._by_words())
        if not ranked:
            notices.append(unmatched("The IGVF Catalog", self.query))
        elif position.offset == 0:
            notices += _shared(ranked)
        return ListSlice.from_list(ranked, position.offset, size, notices)

    async def exact_matches(self) -> tuple[list[TermCandidate], list[Notice]]:
        """The terms of exactly this name or synonym, the best first; raises as ``page_from``."""
        name = _plain(self.query)
        answers = await self._answers([name]) if name else []
        ranked = [term for term in self._ranked(answers, name) if term.match in {"name", "synonym"}]
        return ranked, _without_failed(answers, ranked)

    async def _by_id(self, identifier: IdentifierReading) -> tuple[list[TermCandidate], list[Notice]]:
        entities = await EntityLookup(self.questions).by_reading(identifier)
        return [_candidate(entity, 1.0, "id") for entity in entities], []

    async def _by_words(self) -> tuple[list[TermCandidate], list[Notice]]:
        """The service's terms for the words together, else for each of the longest words."""
        name = _plain(self.query)
        if not name:
            return [], []
        answers = await self._answers([name])
        ranked = self._ranked(answers, name)
        name_words = name.split()
        if len(name_words) > 1 and not any(term.score > _TEXT for term in ranked):
            longest_words = sorted((word for word in name_words if len(word) > _SHORTEST_NEAR), key=len, reverse=True)
            answers += await self._answers(longest_words[:_MOST_WORDS])
            ranked = self._ranked(answers, name)
        notices = _without_failed(answers, ranked)
        count = len(self._of_kind(answers)) - len(ranked)
        return ranked, [*notices, *rows_dropped(count, "the service took them for near, and they are not")]

    async def _answers(self, names: Sequence[str]) -> list[list[Entity] | Failure]:
        """The service's entities for each name, from all places with terms of the kind."""
        coroutines = [
            self._answer(place, parameter, name)
            for name in names
            for place in (_KINDS[self.kind].places if self.kind else _ALL_PLACES)
            for parameter in _PARAMETERS[place.path]
        ]
        return await asyncio.gather(*coroutines)

    async def _answer(self, place: _Place, parameter: str, name: str) -> list[Entity] | Failure:
        parameters = {parameter: name} | ({"source": place.ontology} if place.ontology else {})
        try:
            return (await self.questions.entities(place.path, parameters, "human", limit=_ROWS)).items
        except FAILURES as failure:
            return failure

    def _of_kind(self, answers: Iterable[list[Entity] | Failure]) -> list[Entity]:
        """The entities of the kind that is searched, each once."""
        entities = [entity for answer in answers if isinstance(answer, list) for entity in answer]
        categories = _KINDS[self.kind].categories if self.kind else {entity.category for entity in entities}
        return distinct([entity for entity in entities if entity.category in categories])

    def _ranked(self, answers: Iterable[list[Entity] | Failure], name: str) -> list[TermCandidate]:
        """The candidates that match, the best first."""
        named = (entity for entity in self._of_kind(answers) if entity.name)
        candidates = [candidate for entity in named if (candidate := _scored_candidate(entity, name))]
        return sorted(candidates, key=lambda term: (-term.score, _rank(term.id), len(term.name), term.id))


def _without_failed(answers: Iterable[list[Entity] | Failure], ranked: Sequence[TermCandidate]) -> list[Notice]:
    """A notice that a part of the terms could not be queried; raises the failure if there are no other results."""
    failure = next((answer for answer in answers if not isinstance(answer, list)), None)
    if failure and not ranked:
        raise failure
    return [missing_part("a part of the terms", failure.message)] if failure else []


def _plain(query: str) -> str:
    """The words of a query: the service breaks on an apostrophe, and has Crohn disease for Crohn's."""
    return plain(re.sub(r"['\u2019]s\b|['\u2019]", "", query))


def _as_id(query: str) -> IdentifierReading | None:
    """The ID of a term, drug or pathway that a query is."""
    ids = (reading for reading in fixed_form(query) if reading.id_type != "name")
    return next((reading for reading in ids if reading.kind in {"term", "drug", "pathway"}), None)


def _scored_candidate(entity: Entity, name: str) -> TermCandidate | None:
    """The candidate of an entity with its score; None if it does not match."""
    entity_name = entity.name or ""
    tiers: tuple[tuple[Sequence[str], TermMatch, float], ...] = (
        ((entity_name,), "name", _NAME),
        (entity.synonyms, "synonym", _SYNONYM),
    )
    for candidates, kind, score in tiers:
        for label in candidates:
            if folded(label) == folded(name):
                return _candidate(entity, score, kind, label)
            if compact(label) == compact(name):
                return _candidate(entity, score - _SPELLING, kind, label)
    if all_words := [label for label in (entity_name, *entity.synonyms) if words(name) <= words(label)]:
        label = min(all_words, key=len)
        return _candidate(entity, round(_TEXT + _WHOLE * len(name) / len(label), 3), "text", label)
    near_name = next((label for label in (entity_name, *entity.synonyms) if _is_near(label, name)), None)
    return _candidate(entity, _NEAR_SCORE, "near", near_name) if near_name else None


def _is_near(label: str, name: str) -> bool:
    """Whether each word of ``name`` is one of the other's, or a slip of one: "alzheimers disease"."""
    label_words, name_words = folded(label).split(), folded(name).split()
    if len(label_words) != len(name_words):
        return is_one_letter_off(label, name)
    return all(
        word == other or (min(len(word), len(other)) >= _SHORTEST_NEAR and is_one_letter_off(word, other))
        for word, other in zip(label_words, name_words, strict=True)
    )


def _candidate(entity: Entity, score: float, match: TermMatch, label: str | None = None) -> TermCandidate:
    ontology = entity.ontology if isinstance(entity, TermEntity) else entity.source
    synonym = label if label is not None and label != entity.name else None
    return TermCandidate(
        id=entity.id,
        name=entity.name or entity.id,
        score=score,
        match=match,
        ontology=ontology,
        category=entity.category,
        synonym=synonym,
    )


def _rank(entity_id: str) -> int:
    prefix = entity_id.partition(":")[0]
    return _FIRST.index(prefix) if prefix in _FIRST else len(_FIRST)


def _shared(ranked: Sequence[TermCandidate]) -> list[Notice]:
    """A notice of the candidates that share the best score."""
    best = [term for term in ranked if term.score == ranked[0].score and term.match in {"name", "synonym", "near"}]
    if len(best) <= 1:
        return []
    names = name_list([f"{candidate.id} ({candidate.name})" for candidate in best], _MOST_NAMED)
    return [Notice(code="SHARED_MATCH", message=f"{names} match alike; each ontology has terms of its own.")]
