"""Population, intervention, comparator and outcome: of a whole abstract by labels, of a shorter text by its wording."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.comparison import comparator, intervention
from biofact.literature.extraction.rules.labelling.notes import notes
from biofact.literature.extraction.rules.outcome import outcome
from biofact.literature.extraction.rules.population import population
from biofact.literature.extraction.rules.text import LONGEST_READ, Document

SHORT = 120
"""Letters of an abstract, below which there is too little around a phrase to label it."""
LABELS_ALONE: Mapping[str, int] = MappingProxyType(
    {"population": 700, "intervention": LONGEST_READ, "comparator": SHORT, "outcome": 700}
)
"""Letters from which on nothing is what labels do not find; below, wording finds as much more as it is wrong."""
BY_WORDING: Mapping[str, Callable[[Document], Finding | None]] = MappingProxyType(
    {"population": population, "intervention": intervention, "comparator": comparator, "outcome": outcome}
)
"""What reads a title, or a sentence or two."""


def noted(document: Document, field: str) -> Finding | None:
    """What a reviewer would note of one field."""
    length = len(document.abstract)
    finding = document.once(notes).get(field) if length >= SHORT else None
    return document.once(BY_WORDING[field]) if finding is None and length < LABELS_ALONE[field] else finding


PICO: Mapping[str, Callable[[Document], Finding | None]] = MappingProxyType(
    {field: partial(noted, field=field) for field in BY_WORDING}
)
"""What reads each field."""
