"""The main outcome: what is called so, else what the effect is on."""

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.comparison import intervention
from biofact.literature.extraction.rules.comparison_forms import BENCH, OBSERVED, SYNTHESES, TRIALS
from biofact.literature.extraction.rules.comparison_words import BETWEEN, EFFECT_ON, TO_DO, X_VERBS
from biofact.literature.extraction.rules.forms import Form, read_forms
from biofact.literature.extraction.rules.kinds_of_noun import is_disease_noun, is_treatment_noun
from biofact.literature.extraction.rules.outcome_words import (
    AIM_OBJECT,
    AIMED_AT,
    ASSOCIATED_WITH,
    BY,
    CHANGES,
    DIAGNOSIS,
    DONE,
    EFFECTS_ON,
    EFFICACY,
    EMPTY,
    EXPLORED,
    FACTORS,
    IMPROVING,
    INCIDENT,
    INDUCED,
    LONG_END,
    NO_OUTCOME,
    OUTCOME_END,
    PRIMARY,
    RISK,
    ROLE_IN,
    STARTING,
    TITLED,
    TO_EXPLORE,
    WHETHER_Y,
)
from biofact.literature.extraction.rules.phrases import head_of, phrase_from
from biofact.literature.extraction.rules.study_type import study_type
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.vocabulary import PEOPLE


def is_outcome(value: str) -> bool:
    """Whether a phrase can be what was measured, not the people nor the study."""
    parts = value.split()
    if head_of(parts[-1]) in PEOPLE or (is_treatment_noun(parts[-1]) and "of" not in parts):
        return False
    return not NO_OUTCOME.search(value) and not EMPTY.fullmatch(value)


def is_untreated(value: str) -> bool:
    """Whether it can be what was measured, with no treatment in it."""
    parts = value.split()
    return is_outcome(value) and not any(is_treatment_noun(word) for word in parts) and not DONE.fullmatch(parts[-1])


def is_full(value: str) -> bool:
    """Whether it can be what was measured, and is specific enough."""
    return not value[0].isdigit() and is_outcome(value) and (" " in value or is_disease_noun(value))


NAMED: tuple[Form, ...] = (
    Form("anywhere", PRIMARY, "y", LONG_END, most_words=12),
    Form("title", EFFECT_ON, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", BETWEEN, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", IMPROVING, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", TO_DO, "y", OUTCOME_END, accepts=is_outcome),
)
GENERAL: tuple[Form, ...] = (
    Form("title", EFFECTS_ON, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", CHANGES, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", FACTORS, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", CHANGES, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", AIM_OBJECT, "y", OUTCOME_END, accepts=is_full),
    Form("aims", AIM_OBJECT, "y", OUTCOME_END | {"of", "from"}, accepts=is_full),
)
HUMAN: tuple[Form, ...] = (
    *NAMED,
    Form("title", FACTORS, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", ASSOCIATED_WITH, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", INCIDENT, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", RISK, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", STARTING, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", X_VERBS, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", DIAGNOSIS, "y", OUTCOME_END),
    Form("aims", EFFECT_ON, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", WHETHER_Y, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", BETWEEN, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", IMPROVING, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", RISK, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", AIMED_AT, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", EFFICACY, "y", LONG_END),
    Form("aims", TO_EXPLORE, "y", OUTCOME_END, accepts=is_full),
    *GENERAL,
)
SEEN: tuple[Form, ...] = (
    *HUMAN[:-2],
    Form("aims", ROLE_IN, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", TITLED, "y", is_whole=True, accepts=is_untreated),
    *HUMAN[-2:],
)
QUALITATIVE: tuple[Form, ...] = (
    Form("anywhere", PRIMARY, "y", LONG_END, most_words=12),
    Form("aims", EXPLORED, "y", OUTCOME_END, accepts=is_outcome),
)
BENCH_FORMS: tuple[Form, ...] = (
    Form("title", EFFECT_ON, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", X_VERBS, "y", OUTCOME_END, accepts=is_outcome),
    Form("aims", EFFECT_ON, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", EFFECTS_ON, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", ROLE_IN, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", CHANGES, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", INDUCED, "y", OUTCOME_END, accepts=is_outcome),
    Form("title", BY, "y", is_whole=True, accepts=is_untreated),
    Form("aims", ROLE_IN, "y", OUTCOME_END, accepts=is_outcome),
)
FORMS = {
    **dict.fromkeys(TRIALS | SYNTHESES, HUMAN),
    **dict.fromkeys(OBSERVED, SEEN),
    **dict.fromkeys(BENCH, BENCH_FORMS),
    "qualitative study": QUALITATIVE,
}


def outcome(document: Document) -> Finding | None:
    """What was measured in the first place."""
    kind = document.once(study_type)
    if kind is None:
        return None
    cause = document.once(intervention)
    return read_forms(document, FORMS.get(str(kind.value), ()), beside=cause) or outcome_section_phrase(
        document, str(kind.value)
    )


def outcome_section_phrase(document: Document, kind: str) -> Finding | None:
    """The outcome from the section labelled outcome measures."""
    first = next((sentence for sentence in document.sentences if sentence.role == "outcome"), None)
    if first is None or kind not in FORMS or kind in BENCH:
        return None
    finding = phrase_from(first, 0, stops=LONG_END, most_words=12)
    return finding if finding and is_outcome(str(finding.value).lower()) else None
