"""The main outcome: what is called so, else what the effect is on."""

import re

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules import comparison_words as ways
from biofact.literature.extraction.rules import outcome_words as words
from biofact.literature.extraction.rules.comparison import intervention
from biofact.literature.extraction.rules.comparison_forms import BENCH, OBSERVED, SYNTHESES, TRIALS
from biofact.literature.extraction.rules.forms import Form, Scope, read_forms
from biofact.literature.extraction.rules.kinds_of_noun import is_disease_noun, is_treatment_noun
from biofact.literature.extraction.rules.phrases import head_of, phrase_from
from biofact.literature.extraction.rules.study_type import kind_of
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.vocabulary import PEOPLE


def is_outcome(value: str) -> bool:
    """Whether a phrase can be what was measured, not the people nor the study."""
    parts = value.split()
    if head_of(parts[-1]) in PEOPLE or (is_treatment_noun(parts[-1]) and "of" not in parts):
        return False
    return not words.NO_OUTCOME.search(value) and not words.EMPTY.fullmatch(value)


def is_untreated(value: str) -> bool:
    """Whether it can be what was measured, with no treatment in it."""
    parts = value.split()
    return (
        is_outcome(value) and not any(is_treatment_noun(word) for word in parts) and not words.DONE.fullmatch(parts[-1])
    )


def is_full(value: str) -> bool:
    """Whether it can be what was measured, and is specific enough."""
    return not value[0].isdigit() and is_outcome(value) and (" " in value or is_disease_noun(value))


def outcomes(scope: Scope, *patterns: re.Pattern[str]) -> list[Form]:
    """Forms whose group begins an outcome."""
    return [Form(scope, pattern, "y", words.OUTCOME_END, accepts=is_outcome) for pattern in patterns]


NAMED: tuple[Form, ...] = (
    Form("anywhere", words.PRIMARY, "y", words.LONG_END, most_words=12),
    *outcomes("title", ways.EFFECT_ON, ways.BETWEEN, words.IMPROVING, ways.TO_DO),
)
GENERAL: tuple[Form, ...] = (
    *outcomes("title", words.EFFECTS_ON, words.CHANGES),
    *outcomes("aims", words.FACTORS, words.CHANGES),
    Form("aims", words.AIM_OBJECT, "y", words.OUTCOME_END, accepts=is_full),
    Form("aims", words.AIM_OBJECT, "y", words.OUTCOME_END | {"of", "from"}, accepts=is_full),
)
HUMAN: tuple[Form, ...] = (
    *NAMED,
    *outcomes("title", words.FACTORS, words.ASSOCIATED_WITH, words.INCIDENT, words.RISK, words.STARTING, ways.X_VERBS),
    Form("title", words.DIAGNOSIS, "y", words.OUTCOME_END),
    *outcomes("aims", ways.EFFECT_ON, words.WHETHER_Y, ways.BETWEEN, words.IMPROVING, words.RISK, words.AIMED_AT),
    Form("aims", words.EFFICACY, "y", words.LONG_END),
    Form("aims", words.TO_EXPLORE, "y", words.OUTCOME_END, accepts=is_full),
    *GENERAL,
)
SEEN: tuple[Form, ...] = (
    *HUMAN[:-2],
    *outcomes("aims", words.ROLE_IN),
    Form("title", words.TITLED, "y", is_whole=True, accepts=is_untreated),
    *HUMAN[-2:],
)
QUALITATIVE: tuple[Form, ...] = (
    Form("anywhere", words.PRIMARY, "y", words.LONG_END, most_words=12),
    *outcomes("aims", words.EXPLORED),
)
BENCH_FORMS: tuple[Form, ...] = (
    *outcomes("title", ways.EFFECT_ON, ways.X_VERBS),
    *outcomes("aims", ways.EFFECT_ON),
    *outcomes("title", words.EFFECTS_ON, words.ROLE_IN, words.CHANGES, words.INDUCED),
    Form("title", words.BY, "y", is_whole=True, accepts=is_untreated),
    *outcomes("aims", words.ROLE_IN),
)
FORMS = {
    **dict.fromkeys(TRIALS | SYNTHESES, HUMAN),
    **dict.fromkeys(OBSERVED, SEEN),
    **dict.fromkeys(BENCH, BENCH_FORMS),
    "qualitative study": QUALITATIVE,
}


def outcome(document: Document) -> Finding | None:
    """What was measured in the first place."""
    kind = kind_of(document)
    forms = FORMS.get(kind, ())
    return read_forms(document, forms, beside=document.once(intervention)) or outcome_section_phrase(document, kind)


def outcome_section_phrase(document: Document, kind: str) -> Finding | None:
    """The outcome from the section labelled outcome measures."""
    first = next((sentence for sentence in document.sentences if sentence.role == "outcome"), None)
    if first is None or kind not in FORMS or kind in BENCH:
        return None
    finding = phrase_from(first, 0, stops=words.LONG_END, most_words=12)
    return finding if finding and is_outcome(str(finding.value).lower()) else None
