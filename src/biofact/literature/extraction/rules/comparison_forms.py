"""Which ways of writing name what was given or compared, by kind of study; the surest first."""

import re

from biofact.literature.extraction.rules.comparison_words import (
    AGAINST,
    AND_RISK,
    ASSOCIATED,
    BENCH_CONTROLS,
    BETWEEN,
    CASE_TREATED,
    COMPARE,
    COMPARE_TO,
    COMPARED_WITH,
    CONTROL_LIKE,
    CONTROLS,
    EFFECT_OF,
    EFFECT_ON,
    EFFECTS_OF_BENCH,
    EITHER,
    FOR_TREATMENT,
    GIVEN,
    INDUCER,
    INHIBITION_BY,
    LACKING,
    MEASURED,
    ON_DRUG,
    PLACEBO,
    RANDOM_TO,
    RECEIVED,
    ROLE_OF,
    SUPERIOR,
    THAN,
    TO_DO,
    TO_TREAT,
    TREATED,
    TREATED_WITH,
    TRIAL_OF,
    UNDERGOING,
    UNDERWENT,
    USE_OF,
    VERSUS,
    WHETHER,
    X_AS,
    X_FOR,
    X_IN,
    X_IN_Y,
    X_VERBS,
)
from biofact.literature.extraction.rules.forms import CONTROL_END, LIST_END, X_END, Form
from biofact.literature.extraction.rules.kinds_of_noun import is_disease_noun, is_specific, is_treatment_noun
from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.vocabulary import PEOPLE

TRIALS = frozenset(("randomized controlled trial", "clinical trial", "protocol"))
SYNTHESES = frozenset(("meta-analysis", "systematic review"))
OBSERVED = frozenset(
    ("cohort study", "case-control study", "cross-sectional study", "observational study", "genetic association study",
     "mendelian randomization", "case series", "diagnostic study")
)  # fmt: skip
BENCH = frozenset(("animal study", "in vitro study"))


def is_treatment(value: str) -> bool:
    """Whether a phrase can be what was done, not whom it was done to nor the study itself."""
    parts = value.split()
    if head_of(parts[-1]) in PEOPLE and "in" not in parts:
        return False
    if MEASURED.match(value):
        return False
    return not re.search(
        r"\b(?:trial|study|review|meta-analysis|report|patients?|guidelines?|case|follow-?up)\b", value
    )


def is_cure(value: str) -> bool:
    """Whether it can be what a disease was treated with, not what else the patient had."""
    return is_treatment(value) and not is_disease_noun(value.rsplit(maxsplit=1)[-1])


def is_named(value: str) -> bool:
    """Whether it ends with what is known as a treatment."""
    return is_treatment(value) and is_treatment_noun(value.rsplit(maxsplit=1)[-1]) and is_specific(value)


def is_control(value: str) -> bool:
    """Whether a phrase is recognisable as a comparator: by its words, or as another treatment."""
    last = value.rsplit(maxsplit=1)[-1]
    return is_comparator(value) and (bool(CONTROL_LIKE.search(value)) or is_treatment_noun(last))


def is_comparator(value: str) -> bool:
    """Whether a phrase can be what something was compared with."""
    if MEASURED.match(value):
        return False
    return not re.search(
        r"^\d|\b(?:their|its|them|values?|pre-?operative|previous|literature|published|reported|studies|baseline"
        r"|pre-?treatment|p ?[<=])",
        value,
    )


AIMED: tuple[Form, ...] = (
    Form("aims", SUPERIOR, is_whole=True, accepts=is_treatment),
    Form("title", VERSUS, is_whole=True, accepts=is_treatment),
    Form("title", EFFECT_ON, is_whole=True, accepts=is_treatment),
    Form("title", BETWEEN, is_whole=True, accepts=is_treatment),
    Form("title", X_AS, is_whole=True, accepts=is_treatment),
    Form("title", TREATED_WITH, stops=X_END, accepts=is_cure),
    Form("title", TO_DO, is_whole=True, accepts=is_treatment),
    Form("title", USE_OF, accepts=is_treatment),
    Form("title", EFFECT_OF, accepts=is_treatment),
)
TRIAL_FORMS: tuple[Form, ...] = (
    *AIMED,
    Form("title", TRIAL_OF, accepts=is_treatment),
    Form("title", X_VERBS, is_whole=True, accepts=is_treatment),
    Form("title", X_FOR, is_whole=True, accepts=is_treatment),
    Form("aims", VERSUS, is_whole=True, accepts=is_treatment),
    Form("aims", COMPARE, is_whole=True, accepts=is_treatment),
    Form("aims", EFFECT_OF, accepts=is_treatment),
    Form("aims", USE_OF, accepts=is_treatment),
    Form("anywhere", RANDOM_TO, is_whole=True, accepts=is_treatment),
    Form("methods", EITHER, is_whole=True, accepts=is_treatment),
)
SYNTHESIS_FORMS: tuple[Form, ...] = (
    *AIMED,
    Form("title", X_FOR, is_whole=True, accepts=is_treatment),
    Form("aims", VERSUS, is_whole=True, accepts=is_treatment),
    Form("aims", EFFECT_OF, accepts=is_treatment),
    Form("aims", USE_OF, accepts=is_treatment),
    Form("aims", BETWEEN, is_whole=True, accepts=is_treatment),
    Form("aims", WHETHER, is_whole=True, accepts=is_treatment),
    Form("title", ASSOCIATED, is_whole=True, accepts=is_treatment),
)
OBSERVED_FORMS: tuple[Form, ...] = (
    *AIMED,
    Form("title", ASSOCIATED, is_whole=True, accepts=is_treatment),
    Form("title", AND_RISK, is_whole=True, accepts=is_treatment),
    Form("title", X_VERBS, is_whole=True, accepts=is_treatment),
    Form("aims", BETWEEN, is_whole=True, accepts=is_treatment),
    Form("aims", EFFECT_OF, accepts=is_treatment),
    Form("aims", WHETHER, is_whole=True, accepts=is_treatment),
    Form("aims", USE_OF, accepts=is_treatment),
    Form("aims", TREATED, accepts=is_treatment),
)
DONE_END = X_END | {"determined", "revealed", "measured", "assessed", "detected", "studied", "evaluated"}
BENCH_FORMS: tuple[Form, ...] = (
    Form("title", EFFECT_ON, is_whole=True, accepts=is_treatment),
    Form("title", X_VERBS, is_whole=True, accepts=is_treatment),
    Form("title", TREATED_WITH, stops=X_END, accepts=is_treatment),
    Form("title", INHIBITION_BY, stops=DONE_END, accepts=is_treatment),
    Form("title", EFFECTS_OF_BENCH, accepts=is_treatment),
    Form("title", GIVEN, stops=DONE_END, accepts=is_treatment),
    Form("aims", LACKING, accepts=is_treatment),
    Form("aims", EFFECT_ON, is_whole=True, accepts=is_treatment),
)
LATE_BENCH: tuple[Form, ...] = (
    Form("title", INDUCER, is_whole=True, accepts=is_treatment),
    Form("title", X_IN_Y, is_whole=True, accepts=is_treatment),
    Form("aims", EFFECTS_OF_BENCH, accepts=is_treatment),
    Form("aims", WHETHER, is_whole=True, accepts=is_treatment),
)
REVIEW_FORMS: tuple[Form, ...] = (
    Form("title", TO_TREAT, stops=X_END, accepts=is_cure),
    Form("title", FOR_TREATMENT, is_whole=True, accepts=is_cure),
)
LATE_HUMAN: tuple[Form, ...] = (
    Form("title", UNDERGOING, accepts=is_treatment),
    Form("title", ON_DRUG, accepts=is_treatment),
    Form("aims", USE_OF, accepts=is_treatment),
    Form("aims", ROLE_OF, accepts=is_treatment),
)
CASE_FORMS: tuple[Form, ...] = (
    Form("title", TREATED_WITH, accepts=is_cure),
    Form("title", USE_OF, accepts=is_cure),
    Form("title", ROLE_OF, accepts=is_cure),
    Form("anywhere", CASE_TREATED, accepts=is_treatment),
)
INTERVENTION_FORMS = {
    "case report": CASE_FORMS,
    "review": REVIEW_FORMS,
    **dict.fromkeys(TRIALS, TRIAL_FORMS),
    **dict.fromkeys(SYNTHESES, SYNTHESIS_FORMS),
    **dict.fromkeys(OBSERVED, OBSERVED_FORMS),
    **dict.fromkeys(BENCH, BENCH_FORMS),
}
LATE_TRIAL: tuple[Form, ...] = (
    Form("title", X_IN, is_whole=True, accepts=is_treatment),
    Form("anywhere", RECEIVED, accepts=is_treatment),
)
LATE_FORMS = {
    **dict.fromkeys(SYNTHESES | OBSERVED, LATE_HUMAN),
    **dict.fromkeys(TRIALS, (*LATE_TRIAL, *LATE_HUMAN)),
    **dict.fromkeys(BENCH, LATE_BENCH),
    "case report": (Form("anywhere", UNDERWENT, accepts=is_named),),
}
COMPARED: tuple[Form, ...] = (
    Form("aims", SUPERIOR, "y", CONTROL_END, accepts=is_comparator),
    Form("title", VERSUS, "y", CONTROL_END, accepts=is_comparator),
    Form("title", THAN, "y", CONTROL_END, accepts=is_comparator),
    Form("aims", VERSUS, "y", LIST_END, accepts=is_comparator),
)
TRIAL_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("aims", COMPARE, "y", LIST_END, accepts=is_comparator),
    Form("anywhere", RANDOM_TO, "y", CONTROL_END, accepts=is_comparator),
    Form("methods", EITHER, "y", CONTROL_END, accepts=is_comparator),
    Form("anywhere", PLACEBO, "y", is_whole=True),
    Form("anywhere", AGAINST, "y", LIST_END, accepts=is_control),
    Form("anywhere", CONTROLS, "y", is_whole=True),
)
OTHER_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("anywhere", CONTROLS, "y", is_whole=True),
    Form("measured", AGAINST, "y", LIST_END, accepts=is_control),
    Form("aims", COMPARE_TO, "y", LIST_END, accepts=is_control),
)
SYNTHESIS_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("anywhere", AGAINST, "y", LIST_END, accepts=is_control),
    Form("methods", PLACEBO, "y", is_whole=True),
)
BENCH_COMPARATORS: tuple[Form, ...] = (
    Form("anywhere", COMPARED_WITH, "y", LIST_END, accepts=is_control),
    Form("anywhere", BENCH_CONTROLS, "y", is_whole=True),
    Form("title", VERSUS, "y", CONTROL_END, accepts=is_comparator),
)
COMPARATOR_FORMS = {
    **dict.fromkeys(TRIALS, TRIAL_COMPARATORS),
    **dict.fromkeys(SYNTHESES, SYNTHESIS_COMPARATORS),
    **dict.fromkeys(OBSERVED, OTHER_COMPARATORS),
    **dict.fromkeys(BENCH, BENCH_COMPARATORS),
}
