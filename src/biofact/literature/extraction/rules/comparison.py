"""What was given or done, and what it was compared with."""

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.comparison_forms import (
    COMPARATOR_FORMS,
    INTERVENTION_FORMS,
    LATE_FORMS,
    SYNTHESES,
    TRIALS,
    is_treatment,
)
from biofact.literature.extraction.rules.forms import read_forms
from biofact.literature.extraction.rules.kinds_of_noun import treatments
from biofact.literature.extraction.rules.study_type import kind_of
from biofact.literature.extraction.rules.text import Document

PLAIN_TRIALS = TRIALS | SYNTHESES | frozenset(("case report", "guideline"))
AFTER_TREATMENT = frozenset(("after", "following", "undergoing", "before", "during", "despite", "under"))
"""In a trial a treatment after these is the setting: pain after surgery."""


def intervention(document: Document) -> Finding | None:
    """What was given, done or looked at as the cause."""
    name = kind_of(document)
    forms = INTERVENTION_FORMS.get(name)
    if forms is None:
        return titled_treatment(document, name) if name == "guideline" else None
    if name == "review":
        return read_forms(document, forms)
    return (
        read_forms(document, forms)
        or titled_treatment(document, name)
        or read_forms(document, LATE_FORMS.get(name, ()))
    )


def titled_treatment(document: Document, kind: str) -> Finding | None:
    """The first treatment that the title names."""
    for finding in treatments(document.title):
        start = finding.evidence[0].start or 0
        before = document.title.whole[:start].lower().split()
        is_setting = kind in PLAIN_TRIALS and any(word in AFTER_TREATMENT for word in before[-3:])
        if not is_setting and is_treatment(str(finding.value).lower()):
            return finding
    return None


def comparator(document: Document) -> Finding | None:
    """What it was compared with."""
    return read_forms(document, COMPARATOR_FORMS.get(kind_of(document), ()), beside=document.once(intervention))
