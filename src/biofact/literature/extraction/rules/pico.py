"""Population, intervention, comparator and outcome: of a whole abstract by labels, of a shorter text by its wording."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.comparison import comparator, intervention
from biofact.literature.extraction.rules.comparison_forms import TRIALS
from biofact.literature.extraction.rules.labelling.notes import BRIEF, SHORT, notes
from biofact.literature.extraction.rules.outcome import outcome
from biofact.literature.extraction.rules.population import population
from biofact.literature.extraction.rules.study_type import kind_of
from biofact.literature.extraction.rules.text import LONGEST_READ, Document

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
    finding = document.once(notes).get(field)
    return document.once(BY_WORDING[field]) if finding is None and is_wording_asked(document, field) else finding


def is_wording_asked(document: Document, field: str) -> bool:
    """Whether wording may tell what labels leave blank.

    Of the interventions that it tells of trials, four in five are right where labels find none at all, and half of them
    where labels find some that are not important enough.
    """
    is_unsure = field == "intervention" and field in document.once(notes) and kind_of(document) in TRIALS
    return not is_unsure and len(document.abstract) < LABELS_ALONE[field]


def of_title(document: Document, field: str) -> Finding | None:
    """What can be noted where there is little but a title, by wording first: there is little to label a phrase by."""
    finding = document.once(BY_WORDING[field])
    return document.once(notes).get(field) if finding is None and kind_of(document) in LABELLED_TITLES else finding


PICO: Mapping[str, Callable[[Document], Finding | None]] = MappingProxyType(
    {field: partial(noted, field=field) for field in BY_WORDING}
)
"""What reads each field."""
