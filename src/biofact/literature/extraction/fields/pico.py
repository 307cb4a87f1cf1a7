"""Population, intervention, comparator and outcome as a reviewer notes them.

Labels read a whole abstract, wording reads a title or a few sentences.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.fields.comparison import TRIALS, comparator, intervention
from biofact.literature.extraction.fields.labelling.chain import FIELDS, spans
from biofact.literature.extraction.fields.labelling.values import Candidate, candidates, importances, values_of
from biofact.literature.extraction.fields.outcome import outcome
from biofact.literature.extraction.fields.population import population
from biofact.literature.extraction.fields.study_type import kind_of
from biofact.literature.extraction.findings import Finding, main_finding
from biofact.literature.extraction.text.document import LONGEST_READ, Document
from biofact.literature.extraction.text.phrases import phrase_from
from biofact.literature.extraction.text.vocabulary import CLAUSE_END, words

ONLY_CALLED_SO = re.compile(
    r"(?i)(?:the )?(?:(?:control|comparison|comparator) (?:groups?|arms?|conditions?|subjects|participants|patients)"
    r"|controls?)(?: \(\w+\))?"
)
"""As in: control group."""
GIVEN_TO_CONTROLS = re.compile(
    r"(?i)\b(?:controls?|(?:control|comparison|comparator) (?:groups?|arms?|conditions?|subjects|participants"
    r"|patients))"
    r"(?: \([^()]{1,30}\))? (?:who |which |that )?(?:only |just )?"
    r"(?:receiv(?:ed|es?|ing)|(?:was|were|are|is) (?:given|treated with|offered|assigned to|provided with)|got|had"
    r"|underwent|consist(?:ed|s|ing) of|continued(?: with| on)?|took) (?:only |either )?"
)
"""As in: the control group received saline."""
STOPS = CLAUSE_END | words("for at during over after before")
FEWEST_LETTERS = 4


def treatment_of_controls(document: Document, comparator: Finding) -> Finding | None:
    """What the control group got, if the comparator is no more than that and the article says it."""
    if not ONLY_CALLED_SO.fullmatch(str(comparator.value)) or "control" not in document.lower:
        return None
    for sentence in document.sentences:
        if match := GIVEN_TO_CONTROLS.search(sentence.plain):
            finding = phrase_from(sentence, match.end(), stops=STOPS)
            if finding is not None and len(str(finding.value)) >= FEWEST_LETTERS:
                return finding
    return None


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
            found[field] = main_finding([first, *others])
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


LABELS_ALONE: Mapping[str, int] = MappingProxyType(
    {"population": BRIEF, "intervention": LONGEST_READ, "comparator": SHORT, "outcome": BRIEF}
)
"""Letters from which on nothing is what labels do not find; below, wording finds as much more as it is wrong."""
LABELLED_TITLES = TRIALS | {""}
"""Kinds of study of short texts that are labelled: the silence of wording on a review is meant."""
BY_WORDING: Mapping[str, Callable[[Document], Finding | None]] = MappingProxyType(
    {"population": population, "intervention": intervention, "comparator": comparator, "outcome": outcome}
)
"""What reads a title, or a sentence or two."""


def noted(document: Document, field: str) -> Finding | None:
    """What a reviewer would note of one field."""
    if len(document.abstract) < SHORT:
        return of_title(document, field)
    finding = document.cached(notes).get(field)
    return document.cached(BY_WORDING[field]) if finding is None and is_wording_asked(document, field) else finding


def is_wording_asked(document: Document, field: str) -> bool:
    """Whether wording may tell what labels leave blank.

    Of the interventions that it tells of trials, four in five are right where labels find none at all, and half of them
    where labels find some that are not important enough.
    """
    is_unsure = field == "intervention" and field in document.cached(notes) and kind_of(document) in TRIALS
    return not is_unsure and len(document.abstract) < LABELS_ALONE[field]


def of_title(document: Document, field: str) -> Finding | None:
    """What can be noted where there is little but a title, by wording first: there is little to label a phrase by."""
    finding = document.cached(BY_WORDING[field])
    return document.cached(notes).get(field) if finding is None and kind_of(document) in LABELLED_TITLES else finding


PICO: Mapping[str, Callable[[Document], Finding | None]] = MappingProxyType(
    {field: partial(noted, field=field) for field in BY_WORDING}
)
"""What reads each field."""
