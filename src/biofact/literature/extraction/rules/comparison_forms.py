"""Which ways of writing name what was given or compared, by kind of study; the surest first."""

import re

from biofact.literature.extraction.rules import comparison_words as ways
from biofact.literature.extraction.rules.forms import CONTROL_END, LIST_END, X_END, Form, Scope
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
    if ways.MEASURED.match(value):
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
    return is_comparator(value) and (bool(ways.CONTROL_LIKE.search(value)) or is_treatment_noun(last))


def is_comparator(value: str) -> bool:
    """Whether a phrase can be what something was compared with."""
    if ways.MEASURED.match(value):
        return False
    return not re.search(
        r"^\d|\b(?:their|its|them|values?|pre-?operative|previous|literature|published|reported|studies|baseline"
        r"|pre-?treatment|p ?[<=])",
        value,
    )


def whole(scope: Scope, *patterns: re.Pattern[str]) -> list[Form]:
    """Forms whose group is a treatment from end to end."""
    return [Form(scope, pattern, is_whole=True, accepts=is_treatment) for pattern in patterns]


def begun(scope: Scope, *patterns: re.Pattern[str]) -> list[Form]:
    """Forms whose group begins a treatment."""
    return [Form(scope, pattern, accepts=is_treatment) for pattern in patterns]


def compared(scope: Scope, *patterns: re.Pattern[str]) -> list[Form]:
    """Forms whose group begins a comparator."""
    return [Form(scope, pattern, "y", CONTROL_END, accepts=is_comparator) for pattern in patterns]


AIMED: tuple[Form, ...] = (
    *whole("aims", ways.SUPERIOR),
    *whole("title", ways.VERSUS, ways.EFFECT_ON, ways.BETWEEN, ways.X_AS),
    Form("title", ways.TREATED_WITH, stops=X_END, accepts=is_cure),
    *whole("title", ways.TO_DO),
    *begun("title", ways.USE_OF, ways.EFFECT_OF),
)
TRIAL_FORMS: tuple[Form, ...] = (
    *AIMED,
    *begun("title", ways.TRIAL_OF),
    *whole("title", ways.X_VERBS, ways.X_FOR),
    *whole("aims", ways.VERSUS, ways.COMPARE),
    *begun("aims", ways.EFFECT_OF, ways.USE_OF),
    *whole("anywhere", ways.RANDOM_TO),
    *whole("methods", ways.EITHER),
)
SYNTHESIS_FORMS: tuple[Form, ...] = (
    *AIMED,
    *whole("title", ways.X_FOR),
    *whole("aims", ways.VERSUS),
    *begun("aims", ways.EFFECT_OF, ways.USE_OF),
    *whole("aims", ways.BETWEEN, ways.WHETHER),
    *whole("title", ways.ASSOCIATED),
)
OBSERVED_FORMS: tuple[Form, ...] = (
    *AIMED,
    *whole("title", ways.ASSOCIATED, ways.AND_RISK, ways.X_VERBS),
    *whole("aims", ways.BETWEEN),
    *begun("aims", ways.EFFECT_OF),
    *whole("aims", ways.WHETHER),
    *begun("aims", ways.USE_OF, ways.TREATED),
)
DONE_END = X_END | {"determined", "revealed", "measured", "assessed", "detected", "studied", "evaluated"}
BENCH_FORMS: tuple[Form, ...] = (
    *whole("title", ways.EFFECT_ON, ways.X_VERBS),
    Form("title", ways.TREATED_WITH, stops=X_END, accepts=is_treatment),
    Form("title", ways.INHIBITION_BY, stops=DONE_END, accepts=is_treatment),
    *begun("title", ways.EFFECTS_OF_BENCH),
    Form("title", ways.GIVEN, stops=DONE_END, accepts=is_treatment),
    *begun("aims", ways.LACKING),
    *whole("aims", ways.EFFECT_ON),
)
LATE_BENCH: tuple[Form, ...] = (
    *whole("title", ways.INDUCER, ways.X_IN_Y),
    *begun("aims", ways.EFFECTS_OF_BENCH),
    *whole("aims", ways.WHETHER),
)
REVIEW_FORMS: tuple[Form, ...] = (
    Form("title", ways.TO_TREAT, stops=X_END, accepts=is_cure),
    Form("title", ways.FOR_TREATMENT, is_whole=True, accepts=is_cure),
)
LATE_HUMAN: tuple[Form, ...] = (
    *begun("title", ways.UNDERGOING, ways.ON_DRUG),
    *begun("aims", ways.USE_OF, ways.ROLE_OF),
)
CASE_FORMS: tuple[Form, ...] = (
    Form("title", ways.TREATED_WITH, accepts=is_cure),
    Form("title", ways.USE_OF, accepts=is_cure),
    Form("title", ways.ROLE_OF, accepts=is_cure),
    *begun("anywhere", ways.CASE_TREATED),
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
    *whole("title", ways.X_IN),
    *begun("anywhere", ways.RECEIVED),
)
LATE_FORMS = {
    **dict.fromkeys(SYNTHESES | OBSERVED, LATE_HUMAN),
    **dict.fromkeys(TRIALS, (*LATE_TRIAL, *LATE_HUMAN)),
    **dict.fromkeys(BENCH, LATE_BENCH),
    "case report": (Form("anywhere", ways.UNDERWENT, accepts=is_named),),
}
COMPARED: tuple[Form, ...] = (
    *compared("aims", ways.SUPERIOR),
    *compared("title", ways.VERSUS, ways.THAN),
    Form("aims", ways.VERSUS, "y", LIST_END, accepts=is_comparator),
)
TRIAL_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("aims", ways.COMPARE, "y", LIST_END, accepts=is_comparator),
    *compared("anywhere", ways.RANDOM_TO),
    *compared("methods", ways.EITHER),
    Form("anywhere", ways.PLACEBO, "y", is_whole=True),
    Form("anywhere", ways.AGAINST, "y", LIST_END, accepts=is_control),
    Form("anywhere", ways.CONTROLS, "y", is_whole=True),
)
OTHER_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("anywhere", ways.CONTROLS, "y", is_whole=True),
    Form("measured", ways.AGAINST, "y", LIST_END, accepts=is_control),
    Form("aims", ways.COMPARE_TO, "y", LIST_END, accepts=is_control),
)
SYNTHESIS_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("anywhere", ways.AGAINST, "y", LIST_END, accepts=is_control),
    Form("methods", ways.PLACEBO, "y", is_whole=True),
)
BENCH_COMPARATORS: tuple[Form, ...] = (
    Form("anywhere", ways.COMPARED_WITH, "y", LIST_END, accepts=is_control),
    Form("anywhere", ways.BENCH_CONTROLS, "y", is_whole=True),
    *compared("title", ways.VERSUS),
)
COMPARATOR_FORMS = {
    **dict.fromkeys(TRIALS, TRIAL_COMPARATORS),
    **dict.fromkeys(SYNTHESES, SYNTHESIS_COMPARATORS),
    **dict.fromkeys(OBSERVED, OTHER_COMPARATORS),
    **dict.fromkeys(BENCH, BENCH_COMPARATORS),
}
