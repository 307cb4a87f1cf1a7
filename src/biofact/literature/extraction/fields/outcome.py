"""The main outcome by wording: the outcome that is called primary, else the object of the effect."""

import re

from biofact.literature.extraction.fields import comparison
from biofact.literature.extraction.fields.comparison import intervention
from biofact.literature.extraction.fields.study_type import BENCH, OBSERVED, SYNTHESES, TRIALS, kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document
from biofact.literature.extraction.text.forms import Y_END, Form, Scope, read_forms
from biofact.literature.extraction.text.phrases import head_of, is_disease_noun, is_treatment_noun, phrase_from
from biofact.literature.extraction.text.vocabulary import CLAUSE_END, PEOPLE, words

OUTCOME_END = Y_END | frozenset(("to", "by"))
LONG_END = CLAUSE_END | words("among for during following between across compared assessed measured defined evaluated")
PRIMARY = re.compile(
    r"(?i)\b(?:co-?)?(?:primary|main|principal)(?: (?:efficacy|study|clinical|safety|composite"
    r"|efficacy and safety)){0,2} (?:end ?-?points?|outcomes?|outcome variable)"
    r"(?: measures?| variables?| of interest| parameters?| criteri(?:on|a))?"
    r"(?: (?:of|in|for) (?:this|the|our) (?:study|trial|review|analysis))?"
    r"(?: (?:was|were|is|are|included|includes|will be)|:|,)(?: defined as| to (?:assess|evaluate|determine))? "
    r"(?P<y>.{3})"
)
"""As in: the primary outcome was mortality."""
RISK = re.compile(
    r"(?i)\b(?:and|on|with|of|in|as predictors? of|predict(?:s|ing)?|associated with|to determine|to assess"
    r"|to estimate|to evaluate|the) (?:the )?(?P<y>(?:[\w-]+ )?(?:risks?(?! ?-?(?:factors?|assessment|stratif"
    r"|score|model))|incidence|prevalence|mortality|survival|severity|prognosis|quality of life|progression"
    r"|recurrence|reliability|accuracy|frequency)\b(?: (?:of|in|from|for) .{3})?)"
)
"""As in: and risk of stroke."""
FACTORS = re.compile(
    r"(?i)\b(?:factors?|predictors?|determinants?|correlates|causes?|prediction|predicting|markers?) "
    r"(?:associated with|influencing|affecting|for|of) (?P<y>.{3})"
)
"""As in: factors associated with relapse."""
LEADING_OUTCOME = re.compile(
    r"(?i)^\W*(?P<y>(?:(?!(?:the|of|in)\b)[\w-]+ ){0,4}"
    r"(?:prevalence|incidence|frequency|mortality|survival|reliability|validity|recurrence|severity"
    r"|quality of life|prognosis|rates?|side-?effects|outcomes?|complications|adherence|satisfaction|perceptions"
    r"|attitudes|knowledge|symptoms|burden|accuracy)\b)"
)
"""As in: Prevalence of anaemia."""
INCIDENT = re.compile(r"(?i)\band (?:the )?(?P<y>incident .{3})")
"""As in: and incident diabetes."""
AIMED_AT = re.compile(
    r"(?i)\b(?:evaluat\w+|assess\w*|compar\w+|investigat\w+|determin\w+|examin\w+|describ\w+|identify|report"
    r"|estimat\w+|analy[sz]e|establish|measure) (?:the )?"
    r"(?P<y>(?:(?!(?:the|of|in|effects?|whether|with)\b)[\w-]+,? (?:and )?){0,4}?"
    r"(?:prevalence|incidence|frequency|mortality|survival|reliability|validity|recurrence|severity"
    r"|quality of life|prognosis|rates?|outcomes?|complications|adherence|satisfaction|perceptions|attitudes"
    r"|knowledge|accuracy|function|involvement|performance|response)\b)"
)
"""As in: to assess the quality of life."""
TO_EXPLORE = re.compile(r"(?i)\bto explore (?:the )?(?P<y>.{3})")
"""As in: to explore attitudes."""
IMPROVEMENT = re.compile(
    r"(?i)\b(?:for|in) (?:the )?(?:improving|preventing|reducing|promoting|increasing|decreasing|"
    r"(?:primary |secondary )?prevention of|reduction of|improvement of) (?P<y>.{3})"
)
"""As in: for preventing stroke."""
CORRELATION = re.compile(
    r"(?i)\b(?:associated|correlated|linked) with "
    r"(?:(?:an? |the )?(?:higher|lower|increased|decreased|reduced|greater|elevated|improved|worse|poorer?) )?"
    r"(?P<y>.{3})"
)
"""As in: associated with a higher mortality."""
WHETHER_Y = re.compile(
    r"(?i)\bwhether .{3,120}? (?:affects?|influences?|improved?s?|reduced?s?|increases?|predicts?|decreases?|prevents?"
    r"|results? in|(?:have )?resulted in|leads? to|"
    r"(?:is|are) associated with) (?P<y>.{3})"
)
"""As in: whether aspirin reduces mortality."""
EFFICACY = re.compile(
    r"(?i)\b(?:evaluat\w+|assess\w*|compar\w+|investigat\w+|determin\w+|examin\w+|stud(?:y|ied))\b.{0,60}?\b"
    r"(?P<y>(?:(?!the\b)[\w-]+ )?(?:efficacy|effectiveness)(?:,? and (?:the )?(?:safety|tolerability))?|safety and "
    r"(?:efficacy|tolerability|feasibility))\b"
)
"""As in: to evaluate the safety and efficacy."""
DIAGNOSIS = re.compile(r"(?i)\b(?P<y>(?:early )?diagnos(?:is|tic accuracy|tic performance|tic value) (?:of|for) .{3})")
"""As in: diagnostic accuracy of troponin."""
TITLE_SUBJECT = re.compile(r"^\W*(?P<y>[^:.;?]{4,120}?) (?:in|among|amongst|after|following|before|during|at) \S")
"""As in: Mortality in stroke."""
CHANGES = re.compile(
    r"(?i)\b(?:changes?|differences?|alterations?|variations?|trends?|disparit(?:y|ies)|inequalit(?:y|ies)|improvements?"
    r"|reductions?|increases?|decreases?) (?:in|of) (?P<y>.{3})"
)
"""As in: changes in blood pressure."""
EFFECTS_ON = re.compile(r"(?i)\b(?:effects?|impacts?|influences?) (?:up)?on (?P<y>.{3})")
"""As in: effects on mortality."""
INDUCED_CONDITION = re.compile(r"(?i)\b[\w-]+-(?:induced|mediated) (?P<y>.{3})")
"""As in: cisplatin-induced nephrotoxicity."""
TITLE_EFFECT = re.compile(
    r"(?i)^\W*(?P<y>[^:.;?]{4,120}?) (?:(?:is |are )?(?:induced|caused|produced|mediated) by|by|after|following) \S"
)
"""As in: Nephrotoxicity induced by cisplatin."""
ROLE_IN = re.compile(r"(?i)\b(?:roles?|involvement) of [^:.;]{3,100}? (?:in|during) (?P<y>.{3})")
"""As in: role of p53 in apoptosis."""
AIM_OBJECT = re.compile(
    r"(?i)\b(?:to (?:\w+ly )?|we (?:\w+ly )?|(?:and|or) (?:to )?)(?:evaluate|assess|investigate|determine|examine"
    r"|describe|estimate|analy[sz]e|measure|characteri[sz]e|quantify|explore|stud(?:y|ied)|evaluated|assessed"
    r"|investigated|determined|examined|described|estimated|analy[sz]ed|measured|characteri[sz]ed|quantified"
    r"|explored|report(?:ed)?)(?: and \w+)? (?:the )?(?P<y>.{3})"
)
"""As in: to assess the attitudes."""
NO_OUTCOME = re.compile(
    r"^(?:\w+izing|examining|evaluating|assessing|investigating|exploring|understanding|comparing|using|detecting"
    r"|predicting|identifying|modell?ing|developing|establishing)\b|(?:^|\s)(?:cells?|cell lines?|mice|rats|animals)$|"
    r"^(?:increased|higher|lower|effects?|relationships?|associations?|role|impact|feasibility|possibility|potential"
    r"|use|factors|whether|how|if|why|what|which|hypothesis|stud(?:y|ies)|data|evidence|experience|method|model"
    r"|influence|efficacy|comparison|characteristics|findings|reports?|cases?|results?|treatment|management)\b(?! of)|^"
    r"(?:[\w-]+ )?(?:effects?|relationships?|associations?|roles?|impact|use|ability|hypothesis|influence|evaluation"
    r"|assessment|analysis|study|comparison|treatment|management|application|case|development|validation|feasibility"
    r"|implementation|experience|potential|contribution|mechanisms?|identification|detection|concept|importance"
    r"|usefulness|value|utility|performance|possibility|benefits?|advantages?) of\b|^(?:[\w-]+ ){0,2}"
    r"(?:trials?|stud(?:y|ies)|reviews?|patients?|controls?|literature|methods?|approach|models?|groups?|guidelines?"
    r"|interventions?|factors|samples|mechanisms?|questionnaires?|hypothes[ei]s|strateg(?:y|ies))(?!['\u2019\w-])"
)
"""As in: comparison of groups."""
EMPTY = re.compile(
    r"(?:decisions?|functions?|levels?|effects?|expression|development|progress|changes?|activity|role|status|rates?"
    r"|number|parameters|variables|indicators|conditions?|responses?|performance|features|properties|features"
    r"|participants|predictive value|needs?|opportunities|challenges|prevalence|incidence|frequency|occurrence|presence"
    r"|quality|production|formation)"
)
"""Words too general to be an outcome alone. As in: effects."""
DONE = re.compile(r"\w+ed|findings?|features|experiences?|aspects?")
"""As in: a word such as reported."""
EXPLORATION = re.compile(
    r"(?i)\b(?:explor(?:e|es|ed|ing|ation of)|understand(?:ing)?|describ(?:e|es|ing)|examin(?:e|es|ed|ing)|investigat"
    r"(?:e|es|ed|ing)|identify(?:ing)?) (?P<y>.{3})"
)
"""As in: explore the views."""


def is_outcome(value: str) -> bool:
    """Whether a phrase can be an outcome, rather than the people or the study."""
    parts = value.split()
    if head_of(parts[-1]) in PEOPLE or (is_treatment_noun(parts[-1]) and "of" not in parts):
        return False
    return not NO_OUTCOME.search(value) and not EMPTY.fullmatch(value)


def is_untreated(value: str) -> bool:
    """Whether a phrase can be an outcome and names no treatment."""
    parts = value.split()
    return is_outcome(value) and not any(is_treatment_noun(word) for word in parts) and not DONE.fullmatch(parts[-1])


def is_full(value: str) -> bool:
    """Whether a phrase can be an outcome and is specific enough."""
    return not value[0].isdigit() and is_outcome(value) and (" " in value or is_disease_noun(value))


def outcome_forms(scope: Scope, *patterns: re.Pattern[str]) -> list[Form]:
    """Forms whose group begins an outcome."""
    return [Form(scope, pattern, "y", OUTCOME_END, accepts=is_outcome) for pattern in patterns]


NAMED_FORMS: tuple[Form, ...] = (
    Form("anywhere", PRIMARY, "y", LONG_END, most_words=12),
    *outcome_forms("title", comparison.EFFECT_ON, comparison.ASSOCIATION_BETWEEN, IMPROVEMENT, comparison.TO_DO),
)
GENERAL_FORMS: tuple[Form, ...] = (
    *outcome_forms("title", EFFECTS_ON, CHANGES),
    *outcome_forms("aims", FACTORS, CHANGES),
    Form("aims", AIM_OBJECT, "y", OUTCOME_END, accepts=is_full),
    Form("aims", AIM_OBJECT, "y", OUTCOME_END | {"of", "from"}, accepts=is_full),
)
HUMAN_FORMS: tuple[Form, ...] = (
    *NAMED_FORMS,
    *outcome_forms("title", FACTORS, CORRELATION, INCIDENT, RISK, LEADING_OUTCOME, comparison.X_VERBS),
    Form("title", DIAGNOSIS, "y", OUTCOME_END),
    *outcome_forms(
        "aims", comparison.EFFECT_ON, WHETHER_Y, comparison.ASSOCIATION_BETWEEN, IMPROVEMENT, RISK, AIMED_AT
    ),
    Form("aims", EFFICACY, "y", LONG_END),
    Form("aims", TO_EXPLORE, "y", OUTCOME_END, accepts=is_full),
    *GENERAL_FORMS,
)
OBSERVED_FORMS: tuple[Form, ...] = (
    # before the objects of aims, which are the least certain
    *HUMAN_FORMS[:-2],
    *outcome_forms("aims", ROLE_IN),
    Form("title", TITLE_SUBJECT, "y", is_whole=True, accepts=is_untreated),
    *HUMAN_FORMS[-2:],
)
QUALITATIVE_FORMS: tuple[Form, ...] = (
    Form("anywhere", PRIMARY, "y", LONG_END, most_words=12),
    *outcome_forms("aims", EXPLORATION),
)
BENCH_FORMS: tuple[Form, ...] = (
    *outcome_forms("title", comparison.EFFECT_ON, comparison.X_VERBS),
    *outcome_forms("aims", comparison.EFFECT_ON),
    *outcome_forms("title", EFFECTS_ON, ROLE_IN, CHANGES, INDUCED_CONDITION),
    Form("title", TITLE_EFFECT, "y", is_whole=True, accepts=is_untreated),
    *outcome_forms("aims", ROLE_IN),
)
FORMS_BY_KIND = {
    **dict.fromkeys(TRIALS | SYNTHESES, HUMAN_FORMS),
    **dict.fromkeys(OBSERVED, OBSERVED_FORMS),
    **dict.fromkeys(BENCH, BENCH_FORMS),
    "qualitative study": QUALITATIVE_FORMS,
}


def outcome(document: Document) -> Finding | None:
    """The main outcome that was measured."""
    kind = kind_of(document)
    forms = FORMS_BY_KIND.get(kind, ())
    return read_forms(document, forms, excluded=document.cached(intervention)) or outcome_section_phrase(document, kind)


def outcome_section_phrase(document: Document, kind: str) -> Finding | None:
    """The outcome from the section labelled outcome measures."""
    first = next((sentence for sentence in document.sentences if sentence.role == "outcome"), None)
    if first is None or kind not in FORMS_BY_KIND or kind in BENCH:
        return None
    finding = phrase_from(first, 0, stops=LONG_END, most_words=12)
    return finding if finding and is_outcome(str(finding.value).lower()) else None
