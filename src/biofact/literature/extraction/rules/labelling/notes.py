"""What a reviewer would note as population, intervention, comparator and outcome: the main value, then the others."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.findings import Finding, with_others
from biofact.literature.extraction.rules.comparison_forms import TRIALS
from biofact.literature.extraction.rules.labelling.candidates import Candidate, candidates
from biofact.literature.extraction.rules.labelling.control_arm import treatment_of_controls
from biofact.literature.extraction.rules.labelling.importance import importances
from biofact.literature.extraction.rules.labelling.spans import FIELDS, spans
from biofact.literature.extraction.rules.labelling.values import values_of
from biofact.literature.extraction.rules.study_type import kind_of
from biofact.literature.extraction.rules.text import Document

ENOUGH: Mapping[str, float] = MappingProxyType(
    {"population": 0.0, "intervention": -0.5, "comparator": 0.4, "outcome": 0.0}
)
"""How important the main value of a trial must be (log odds): where ``tools/fit_labelling.py`` finds it worth it."""
ENOUGH_ELSEWHERE: Mapping[str, float] = MappingProxyType(
    {"population": 0.25, "intervention": -0.25, "comparator": 0.4, "outcome": 0.5}
)
"""Of articles that may have no such thing."""
ENOUGH_IN_BRIEF: Mapping[str, float] = MappingProxyType({**ENOUGH, "intervention": -1.25})
"""Of trials with a brief abstract: a drug that is named once there is as often right as one named thrice elsewhere."""
ENOUGH_IN_TITLES: Mapping[str, float] = MappingProxyType(
    {"population": 0.0, "intervention": -0.75, "comparator": -0.75, "outcome": 0.0}
)
"""Of articles with hardly more than a title."""
SHORT, BRIEF = 120, 700
"""Letters of an abstract: below the first little but the title can be read, below the second each thing only once."""
ENOUGH_FOR_OTHERS: Mapping[str, float] = MappingProxyType(
    {"population": -0.5, "intervention": -0.5, "comparator": -0.5, "outcome": -0.75}
)
"""And a further one: of outcomes all are wanted."""
MOST_VALUES = 12


class Note(NamedTuple):
    """A value in the words of its most important mention."""

    importance: float
    candidate: Candidate

    def is_of(self, other: "Note") -> bool:
        """Whether both are of one value."""
        return self.candidate.value is other.candidate.value

    @property
    def text(self) -> str:
        """In lower case."""
        return self.candidate.span.text.lower()


def notes(document: Document) -> Mapping[str, Finding | None]:
    """The main value of each field, with the others behind it in the order of their importance.

    None where no value is important enough; a field that has no value at all is absent.
    """
    values = values_of(document, spans(document))
    found: dict[str, Finding | None] = {}
    ranked = {field: ranked_notes(each, field) for field, each in candidates(values).items()}
    enough = levels(document)
    for tested in notes_of_field(ranked, "intervention", enough)[:1]:
        ranked["comparator"] = [note for note in ranked["comparator"] if not note.is_of(tested)]
    for field in FIELDS:
        kept = notes_of_field(ranked, field, enough)
        if ranked[field]:
            found[field] = None
        if kept:
            first, *others = (note.candidate.finding(values) for note in kept)
            if field == "comparator":
                first = treatment_of_controls(document, first) or first
            found[field] = with_others([first, *others])
    return MappingProxyType(found)


def levels(document: Document) -> Mapping[str, float]:
    """How important the main value of each field must be."""
    if len(document.abstract) < SHORT:
        return ENOUGH_IN_TITLES
    if kind_of(document) not in TRIALS:
        return ENOUGH_ELSEWHERE
    return ENOUGH_IN_BRIEF if len(document.abstract) < BRIEF else ENOUGH


def ranked_notes(each: Sequence[Candidate], field: str) -> list[Note]:
    """Each value by its most important mention, the most important first; of equal ones that which comes first."""
    best: dict[int, Note] = {}
    for importance, candidate in zip(importances([one.traits for one in each], field), each, strict=True):
        known = best.get(id(candidate.value))
        if known is None or importance > known.importance:
            best[id(candidate.value)] = Note(importance, candidate)
    return sorted(best.values(), key=lambda note: -note.importance)


def notes_of_field(ranked: Mapping[str, Sequence[Note]], field: str, enough: Mapping[str, float]) -> list[Note]:
    """The first, if it is important enough, and further ones of the field itself that say something else."""
    if not ranked[field] or ranked[field][0].importance < enough[field]:
        return []
    kept = [ranked[field][0]]
    for note in ranked[field][1:]:
        is_enough = note.importance >= ENOUGH_FOR_OTHERS[field] and not note.candidate.is_of_other_arm
        if is_enough and len(kept) < MOST_VALUES and note.text not in {other.text for other in kept}:
            kept.append(note)
    return kept
