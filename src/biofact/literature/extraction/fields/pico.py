"""Population, intervention, comparator and outcome as a reviewer notes them.

Labels read a whole abstract, wording reads a title or a few sentences.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.fields.comparison import comparator, intervention
from biofact.literature.extraction.fields.field import Column, Field
from biofact.literature.extraction.fields.labelling.chain import FIELDS, spans
from biofact.literature.extraction.fields.labelling.values import Candidate, candidates, importances, values_of
from biofact.literature.extraction.fields.study_type import TRIALS, kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import LONGEST_READ, Document
from biofact.literature.extraction.text.phrases import phrase_from
from biofact.literature.extraction.text.vocabulary import CLAUSE_END, words

CONTROL_GROUP_NAME = re.compile(
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
    """The treatment of the control group, if the comparator only names that group and the article states it."""
    if not CONTROL_GROUP_NAME.fullmatch(str(comparator.value)) or "control" not in document.lower:
        return None
    for sentence in document.sentences:
        if match := GIVEN_TO_CONTROLS.search(sentence.plain):
            finding = phrase_from(sentence, match.end(), stops=STOPS)
            if finding is not None and len(str(finding.value)) >= FEWEST_LETTERS:
                return finding
    return None


MAIN_LEVELS: Mapping[str, float] = MappingProxyType(
    {"population": 0.0, "intervention": -0.5, "comparator": 0.4, "outcome": 0.0}
)
"""The least importance (log odds) of the main value of a trial, chosen by ``tools/fit_labelling.py``."""
MAIN_LEVELS_ELSEWHERE: Mapping[str, float] = MappingProxyType(
    {"population": 0.25, "intervention": -0.25, "comparator": 0.4, "outcome": 0.5}
)
"""The levels for other articles, which may have no such value."""
MAIN_LEVELS_IN_BRIEF: Mapping[str, float] = MappingProxyType(
    {**MAIN_LEVELS, "population": -0.5, "intervention": -1.25, "outcome": -0.5}
)
"""The levels for brief abstracts of trials: a drug named once there is as often right as one named thrice elsewhere."""
MAIN_LEVELS_IN_BRIEF_ELSEWHERE: Mapping[str, float] = MappingProxyType(
    {**MAIN_LEVELS_ELSEWHERE, "population": -0.25, "outcome": 0.0}
)
MAIN_LEVELS_IN_TITLES: Mapping[str, float] = MappingProxyType(
    {"population": -1.0, "intervention": -0.75, "comparator": -0.75, "outcome": -2.0}
)
"""The levels for articles with hardly more than a title."""
SHORT, BRIEF = 120, 700
"""Letters of an abstract: below the first little but the title can be read, below the second each thing only once."""
FURTHER_LEVELS: Mapping[str, float] = MappingProxyType(
    {"population": -0.5, "intervention": -0.5, "comparator": -0.5, "outcome": -0.75}
)
"""The least importance of a further value; all outcomes are wanted."""
MOST_VALUES = 12


class Note(NamedTuple):
    """A value in the words of its most important mention."""

    importance: float
    candidate: Candidate

    def is_of(self, other: "Note") -> bool:
        """Whether both notes are of one value."""
        return self.candidate.value is other.candidate.value

    @property
    def text(self) -> str:
        """The words of the note, in lower case."""
        return self.candidate.span.text.lower()


def notes(document: Document) -> Mapping[str, Finding | None]:
    """The main value of each field, with the others behind it in the order of their importance.

    None where no value is important enough; a field that has no value at all is absent.
    """
    values = values_of(document, document.cached(spans))
    notes_by_field: dict[str, Finding | None] = {}
    ranked = {field: ranked_notes(field_candidates, field) for field, field_candidates in candidates(values).items()}
    min_levels = main_levels(document)
    # the tested treatment is no comparator of itself
    for main_intervention in notes_of_field(ranked, "intervention", min_levels)[:1]:
        ranked["comparator"] = [note for note in ranked["comparator"] if not note.is_of(main_intervention)]
    for field in FIELDS:
        field_notes = notes_of_field(ranked, field, min_levels)
        if ranked[field]:
            notes_by_field[field] = None
        if field_notes:
            first, *siblings = (note.candidate.finding(values) for note in field_notes)
            if field == "comparator":
                first = treatment_of_controls(document, first) or first
            notes_by_field[field] = replace(first, siblings=tuple(siblings))
    return MappingProxyType(notes_by_field)


def main_levels(document: Document) -> Mapping[str, float]:
    """The least importance of the main value of each field."""
    if len(document.abstract) < SHORT:
        return MAIN_LEVELS_IN_TITLES
    is_brief = len(document.abstract) < BRIEF
    if kind_of(document) not in TRIALS:
        return MAIN_LEVELS_IN_BRIEF_ELSEWHERE if is_brief else MAIN_LEVELS_ELSEWHERE
    return MAIN_LEVELS_IN_BRIEF if is_brief else MAIN_LEVELS


def ranked_notes(candidates: Sequence[Candidate], field: str) -> list[Note]:
    """Each value by its most important mention, the most important first; of equal ones that which comes first."""
    best: dict[int, Note] = {}
    for importance, candidate in zip(
        importances([candidate.traits for candidate in candidates], field), candidates, strict=True
    ):
        earlier = best.get(id(candidate.value))
        if earlier is None or importance > earlier.importance:
            best[id(candidate.value)] = Note(importance, candidate)
    return sorted(best.values(), key=lambda note: -note.importance)


def notes_of_field(ranked: Mapping[str, Sequence[Note]], field: str, min_levels: Mapping[str, float]) -> list[Note]:
    """The first note, if it is important enough, and further ones of the field itself with other words."""
    if not ranked[field] or ranked[field][0].importance < min_levels[field]:
        return []
    notes = [ranked[field][0]]
    for note in ranked[field][1:]:
        is_important = note.importance >= FURTHER_LEVELS[field] and not note.candidate.is_of_other_arm
        if is_important and len(notes) < MOST_VALUES and note.text not in {other.text for other in notes}:
            notes.append(note)
    return notes


LABELS_ALONE: Mapping[str, int] = MappingProxyType({"intervention": LONGEST_READ, "comparator": SHORT})
"""Letters of an abstract from which on labels alone decide; below, wording is right about as often as it is wrong."""
NO_SUBJECTS = frozenset(("review", "guideline"))
"""Kinds of articles whose titles name what they are about, not who was studied."""
BY_WORDING: Mapping[str, Callable[[Document], Finding | None]] = MappingProxyType(
    {"intervention": intervention, "comparator": comparator}
)
"""The finders that read a title, or a sentence or two, by wording."""


def reviewer_note(document: Document, field: str) -> Finding | None:
    """The value that a reviewer would note for one field."""
    finding = document.cached(notes).get(field)
    if field not in BY_WORDING:
        return finding if len(document.abstract) >= SHORT or kind_of(document) not in NO_SUBJECTS else None
    if len(document.abstract) < SHORT:
        return title_note(document, field)
    return document.cached(BY_WORDING[field]) if finding is None and is_wording_used(document, field) else finding


def is_wording_used(document: Document, field: str) -> bool:
    """Whether wording may fill a field that labels leave blank.

    Of its interventions of trials, four in five are right where labels find none at all, and half of them where labels
    find some that are not important enough.
    """
    is_unsure = field == "intervention" and field in document.cached(notes) and kind_of(document) in TRIALS
    return not is_unsure and len(document.abstract) < LABELS_ALONE[field]


def is_mentioned(document: Document, field: str) -> bool:
    """Whether any phrase is labelled as of a field."""
    return any(span.field == field for span in document.cached(spans))


def title_note(document: Document, field: str) -> Finding | None:
    """The value for a text of little but a title: by wording first, as there is little to label a phrase by."""
    finding = document.cached(BY_WORDING[field])
    return document.cached(notes).get(field) if finding is None and kind_of(document) not in NO_SUBJECTS else finding


POPULATION = Field(
    name="population",
    find=partial(reviewer_note, field="population"),
    has_candidates=partial(is_mentioned, field="population"),
    names=(
        "study_population sample patients participants subjects patient_population target_population "
        "cohort participant_characteristics patient_group study_participants sample_description "
        "condition_studied study_subjects"
    ),
    column=Column(3, group="Population"),
)


INTERVENTION = Field(
    name="intervention",
    find=partial(reviewer_note, field="intervention"),
    has_candidates=partial(is_mentioned, field="intervention"),
    names=(
        "interventions treatment treatments exposure exposures therapy drug drugs intervention_type "
        "treatment_group experimental_group experimental_intervention independent_variable "
        "intervention_description procedure"
    ),
    column=Column(4, "array[string]", group="Intervention"),
)


COMPARATOR = Field(
    name="comparator",
    find=partial(reviewer_note, field="comparator"),
    has_candidates=partial(is_mentioned, field="comparator"),
    names=(
        "comparators comparison control control_group controls comparison_group control_condition "
        "comparator_group comparison_arm control_arm placebo reference_group"
    ),
    column=Column(5, "array[string]", 0.05, group="Comparator"),
)


OUTCOME = Field(
    name="outcome",
    find=partial(reviewer_note, field="outcome"),
    has_candidates=partial(is_mentioned, field="outcome"),
    names=(
        "outcomes primary_outcome main_outcome primary_endpoint primary_end_point endpoint end_point "
        "endpoints main_endpoint primary_outcomes outcome_measure outcome_measures primary_outcome_measure "
        "main_outcome_measure dependent_variable main_outcomes"
    ),
    companions=frozenset(("outcome_results",)),
    column=Column(6, "array[string]", group="Outcome"),
)
