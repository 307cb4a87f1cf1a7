"""Intervention and comparator by wording: the ways to name what was given, and what it was compared with."""

import re

from biofact.literature.extraction.fields.study_type import BENCH, OBSERVED, SYNTHESES, TRIALS, kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document
from biofact.literature.extraction.text.forms import CONTROL_END, LIST_END, X_END, Form, Scope, read_forms
from biofact.literature.extraction.text.phrases import (
    head_of,
    is_disease_noun,
    is_specific,
    is_treatment_noun,
    treatments,
)
from biofact.literature.extraction.text.vocabulary import PEOPLE

# A group such as (?P<x>.{3}) marks the beginning of a phrase; the phrase ends at the stop words of its form.
NOUN = r"(?:effects?|impacts?|influences?|consequences?|roles?|contributions?|benefits?|actions?|modulation)"
EFFECT_OF = re.compile(rf"(?i)\b{NOUN}(?: and [\w-]+)? of (?:adding |using )?(?P<x>.{{3}})")
"""As in: effects of adding zinc."""
EFFECT_ON = re.compile(rf"(?i)\b{NOUN}(?: and [\w-]+)? (?:of|from) (?P<x>.{{3,160}}?) (?:up)?on (?P<y>.{{3}})")
"""As in: effect of aspirin on mortality."""
VERSUS_OTHER = re.compile(
    r"(?i),? (?:versus|vs\.?|v\.?|(?:as )?compared (?:with|to)|in comparison (?:with|to)|a comparison (?:with|to)"
    r"|(?:and|or) (?=placebo\b)) (?P<y>.{3})"
)
"""As in: aspirin versus placebo."""
COMPARE = re.compile(
    r"(?i)\b(?:compar(?:e|es|ed|ing)|comparison of|comparison between)(?: the)?"
    r"(?: (?:clinical )?(?:efficacy|effectiveness|effects?|safety|outcomes?|results?|performance)"
    r"(?:(?:,| and|, and) [\w-]+)* (?:of|between|for|with))? (?P<x>.{3,120}?) (?:versus|vs\.?|with|to|and|or) "
    r"(?P<y>.{3})"
)
"""As in: to compare the efficacy of aspirin and clopidogrel."""
SUPERIOR = re.compile(
    r"(?i)\b(?:superiority|non-?inferiority|equivalence|advantage|benefit)s? of (?P<x>.{3,100}?) "
    r"(?:to|over|and|with|versus) (?P<y>.{3})"
)
"""As in: noninferiority of rivaroxaban to warfarin."""
RANDOM_TO = re.compile(
    r"(?i)\brandom(?:i[sz]ed|ly)\b.{0,60}? (?:to|into|in) "
    r"(?:(?:one of )?\w+ (?:\w+ )?(?:groups?|arms?|regimens|treatments?)\W+)?"
    r"(?:receive |either |undergo |the |an? ){0,3}(?P<x>\S.{2,160}?),? "
    r"(?:or|versus|vs\.?|v\.?|and(?= (?:placebo|(?:the |a )?controls?\b|standard|usual))) (?:to )?(?:receive )?"
    r"(?P<y>.{3})"
)
"""As in: randomized to receive aspirin or placebo."""
EITHER_OR = re.compile(
    r"(?i)\b(?:receiv(?:ed|ing|e)|given|underwent|assigned to|allocated to) either (?P<x>.{3,120}?),? "
    r"(?:or|versus|vs\.?) (?P<y>.{3})"
)
"""As in: received either aspirin or placebo."""
TRIAL_OF = re.compile(r"(?i)\b(?:trial|study) of (?:the )?(?P<x>.{3})")
"""As in: a trial of aspirin."""
CASE_TREATED = re.compile(r"(?i)\b(?:was|were|been) (?:\w+ )?(?:treated|managed)(?: \w+ly)? (?:with|by) (?P<x>.{3})")
"""As in: the girl was treated with aspirin."""
RECEIVED = re.compile(r"(?i)\b(?:received|receiving|were given|underwent|treated with|treatment with) (?P<x>.{3})")
"""As in: patients received aspirin."""
USE_OF = re.compile(
    r"(?i)\b(?:(?:prognostic|predictive|diagnostic) (?:value|significance|accuracy|performance|utility|role)"
    r"|efficacy|effectiveness|safety|tolerability|usefulness|utility|feasibility|use|utili[sz]ation"
    r"|administration|acceptability|addition|implementation|cost-effectiveness|benefits?|activity|impact"
    r"|effects?)(?:(?:,| and|, and) (?:the )?[\w-]+)* (?:of|with) (?P<x>.{3})"
)
"""As in: safety and efficacy of aspirin."""
X_FOR = re.compile(
    r"(?i)^\W*(?P<x>[^:,.;]{3,100}?) (?:for|in) (?:the )?(?:primary |secondary |acute |adjuvant )?"
    r"(?:improving|preventing|reducing|treating|promoting|increasing|treatment|prevention|management|reduction"
    r"|patients|adults|children|women|men|older|people)\b"
)
"""As in: Aspirin for preventing stroke."""
X_IN = re.compile(r"(?i)^\W*(?P<x>[^:.;]{3,100}?) (?:for|in) \S")
"""As in: Aspirin in stroke."""
X_AS = re.compile(
    r"(?i)^\W*(?P<x>[^:,.;]{3,100}?) as (?:an? )?(?:[\w-]+ ){0,4}"
    r"(?:therapy|treatment|prophylaxis|intervention|predictors?|biomarkers?|markers?|risk factors?|agents?"
    r"|adjunct|alternative|needed)\b"
)
"""As in: Aspirin as secondary prophylaxis."""
TREATMENT_WITH = re.compile(
    r"(?i)\b(?:treatment|management|therapy|prevention|prophylaxis|repair|reconstruction|closure"
    r"|correction) of .{3,150} (?:with|using|by) (?P<x>.{3,100}?)[.:]?\s*$"
)
"""As in: Treatment of acute stroke with aspirin."""
SUBJECTS_UNDERGOING = re.compile(
    r"(?i)\b(?:undergoing|receiving|treated with|treated by|who (?:underwent|received)|exposed to|exposure to"
    r"|supplementation with|following|after) (?P<x>.{3})"
)
"""As in: patients undergoing dialysis."""
TREATED_SUBJECTS = re.compile(
    r"(?i)\b(?:undergoing|receiving|treated with|who (?:underwent|received)|exposure to) (?P<x>.{3})"
)
"""As in: exposure to lead."""
ON_DRUG = re.compile(r"(?i)\b(?:patients|women|men|adults|children|people|cancer|subjects) on (?P<x>.{3})")
"""As in: patients on warfarin."""
ASSOCIATION_BETWEEN = re.compile(
    r"(?i)\b(?:associations?|relationships?|links?|correlations?|relations?|interrelationships?)"
    r"(?: (?:exists?|existing))? (?:between|of|linking) (?P<x>.{3,140}?) (?:and|with|to) (?P<y>.{3})"
)
"""As in: association between smoking and stroke."""
IS_ASSOCIATED = re.compile(
    r"(?i)^\W*(?P<x>[^:;]{3,120}?) (?:(?:is|are|was|were) )?(?:[\w-]+ly )?(?:associated|correlated|linked) with\b"
)
"""As in: Smoking is associated with stroke."""
WHETHER = re.compile(
    r"(?i)\bwhether (?P<x>.{3,100}?) (?:(?:is|are|was|were) associated|(?:can |could |may |would )?(?:affects?"
    r"|influences?|improves?|reduces?|increases?|predicts?|decreases?|contributes?|provides?|leads?))\b"
)
"""As in: whether exercise improves sleep."""
AND_RISK = re.compile(
    r"(?i)^\W*(?P<x>[^:.;]{3,120}?),? (?:and|as (?:an? )?(?:[\w-]+ )?predictors? of) (?:the )?(?:[\w-]+ )?"
    r"(?:risks?|incidence|incident|mortality|survival)\b"
)
"""As in: Coffee consumption and risk of stroke."""
VERBS = (
    r"(?:inhibits?|prevents?|promotes?|attenuates?|improves?|reduces?|increases?|induces?|protects?|suppresse?s?"
    r"|enhances?|alleviates?|ameliorates?|restores?|controls?|modulates?|decreases?|stimulates?|influences?"
    r"|impairs?|reverses?|affects?|mitigates?|predicts?|lowers?|blocks?|delays?|abolishes|uncouples|disrupts?"
    r"|augments?|exacerbates?|triggers?|facilitates?|accelerates?|regulates?|mediates?|confers?|limits?|drives?"
    r"|alters?|causes?|contributes? to|leads? to|results? in|produces?|elevates?|diminishes|aggravates?|worsens?"
    r"|shortens?|prolongs?|rescues?|counteracts?|normali[sz]es?|buffers?|eliminates?|maintains?|determines?"
    r"|potentiates?|sensiti[sz]es|abrogates|represses|activates?|(?:up|down)-?regulates|does not \w+)"
)
NOT_A_VERB = r"(?<!\bthe)(?<!\bof)(?<!\band)(?<!\bfor)(?<!\bin)(?<!\bto)(?<!\bcase)(?<!\bwith)(?<!\ban)(?<!\ba)"
"""Words before a form that is no verb: the *increases* in pain, a case *reports* zinc."""
X_VERBS = re.compile(
    rf"(?i)^\W*(?P<x>[^:,.;?]{{2,90}}?){NOT_A_VERB} (?:more )?(?:[\w-]+ly )?{VERBS} (?!of\b|in\b|and\b|:)(?P<y>.{{3}})"
)
"""As in: Curcumin inhibits tumour growth."""
INHIBITION_BY = re.compile(
    r"(?i)\b(?!(?:detec|identifica|determina|evalua|characteri[sz]a|quantifica|estima|visuali[sz]a|demonstra|purifica"
    r"|separa|classifica|predic|valida|investiga|locali[sz]a|calcula|inactiva)tion|measurement|assessment)[\w-]{3,}"
    r"(?:tion|sion|ment|ance) of .{3,100}? by (?P<x>.{3})"
)
"""As in: inhibition of platelet aggregation by aspirin."""
EFFECTS_OF_BENCH = re.compile(r"(?i)\b(?:effects?|impact|influence|actions?|activity|potential) of (?P<x>.{3})")
"""As in: effects of curcumin."""
INVESTIGATED_EFFECTS = re.compile(
    r"(?i)\b(?:we (?:investigated|examined|studied|evaluated|tested|assessed)) the (?:[\w-]+ ){0,3}effects? of "
    r"(?P<x>.{3})"
)
"""As in: we investigated the protective effects of curcumin."""

TO_DO = re.compile(
    r"(?i)^\W*(?P<x>[^:,.;?]{3,90}?) to (?:predict|reduce|prevent|improve|treat|increase|enhance|detect"
    r"|control|decrease|minimi[sz]e) (?P<y>.{3})"
)
"""As in: Metformin to prevent diabetes."""
BETTER_THAN = re.compile(
    r"(?i)\b(?:more|less|better|worse|superior|inferior|higher|lower|greater|fewer|faster|shorter|longer)\b.{0,90}? "
    r"(?:than|to) (?P<y>.{3})"
)
"""As in: more effective than placebo."""
EXPOSURE_TO = re.compile(
    r"(?i)(?:\b(?:induced by|caused by|produced by|treated with|treatment with|exposed to|exposure to|injected with|fed"
    r"|response to|administration of|injection of|supplementation with|deficient in|loss of|deletion of"
    r"|overexpression of|knock-?down of|silencing of)|^\W*(?:inhibition|activation|overexpression|loss|deletion"
    r"|knockdown|silencing|blockade) of) (?P<x>.{3})"
)
"""As in: mice fed soy protein."""
CASE_UNDERWENT = re.compile(
    r"(?i)\b(?:underwent|received|responded to|improved (?:with|after)|resolved (?:with|after)|treatment with"
    r"|therapy with|was given|(?:was|were) performed:?|managed with) (?P<x>.{3})"
)
"""As in: underwent splenectomy."""
INDUCER = re.compile(r"(?i)^\W*(?P<x>[\w/-]{3,40}?)-induced ")
"""As in: Cisplatin-induced nephrotoxicity."""
COMPARE_TO = re.compile(r"(?i)\bcompare .{3,120}? (?:to|with) (?P<y>.{3})")
"""As in: to compare aspirin with placebo."""
TO_TREAT = re.compile(
    r"(?i)\b(?:roles?|use|potential|efficacy|safety|effectiveness|applications?|value) of (?P<x>.{3,100}?) (?:in"
    r"|for) (?:the )?"
    r"(?:treatment|management|prevention|therapy|prophylaxis)\b"
)
"""As in: role of statins in the treatment of stroke."""
FOR_TREATMENT = re.compile(
    r"(?i)^\W*(?P<x>[^:,.;]{3,100}?) (?:for|in) (?:the )?(?:treatment|management|prevention|therapy|prophylaxis) of\b"
)
"""As in: Aspirin for the prevention of stroke."""
ROLE_OF = re.compile(r"(?i)\broles? of (?P<x>.{3})")
"""As in: role of statins."""
X_IN_Y = re.compile(
    r"\b(?:roles?|involvement|function|importance) of (?:the )?(?P<x>[^:.;]{3,100}?) (?:in|during|for) \S"
)
"""As in: role of p53 in apoptosis."""

ALTERNATIVE = re.compile(
    r"(?i)\b(?:compared (?:with|to)|in comparison (?:with|to|of)|relative to|versus|vs\.?|as opposed to|rather than) "
    r"(?P<y>.{3})"
)
"""As in: compared with placebo."""
COMPARED_GROUP = re.compile(
    r"(?i)\b(?:compared (?:with|to)|in comparison (?:with|to)|than (?:those|that) of) (?P<y>.{3})"
)
"""As in: than those of controls."""
PLACEBO = re.compile(
    r"(?i)\b(?P<y>placebo(?: (?:group|control))?|sham(?: [\w-]+){0,2}|usual care|standard (?:of )?care|no treatment"
    r"|waiting[- ]list)\b"
)
"""As in: usual care."""
CONTROLS = re.compile(
    r"(?i)\b(?P<y>(?:(?:age|sex|gender)[- ](?:and[- ](?:age|sex|gender)[- ])?matched |(?:non-?)?matched |healthy "
    r"|normal |population |hospital |unaffected |community |disease-free |non-?\w+ ){0,2}"
    r"(?:controls|control (?:group|subjects|individuals|participants|patients|women|children|animals|mice|rats)"
    r"|(?<=healthy )volunteers|(?<=normal )volunteers))\b"
)
"""As in: age-matched controls."""
BENCH_CONTROLS = re.compile(
    r"(?i)\b(?P<y>control(?= and [\w-]+ groups?\b)|(?:(?:sham|vehicle|placebo|saline)(?:[- ](?:\w+))?|untreated"
    r"|non-?treated|control|normal control|wild[- ]?type|non-?immuni[sz]ed) (?:groups?|mice|rats|animals|cells"
    r"|controls?|monkeys|dogs|littermates|subjects))\b"
)
"""As in: sham-operated rats."""


MEASURE = re.compile(
    r"(?:on|total of|(?:technical )?aspects|(?:risk )?(?:factors|predictors|determinants|correlates)"
    r"|(?:[\w-]+ )?features|(?:[\w-]+ )?characteristics|incidence|prevalence|severity|outcomes?|survival|mortality"
    r"|rates?|risks?|probability|frequency|satisfaction|efficacy|safety|effectiveness|quality|extent|changes?"
    r"|differences?|levels?|\d+-"
    r"(?:day|year|month|week)|results?|accuracy|characteristics|prognosis|time|cost|symptoms?|preventing|reducing"
    r"|treating|improving|promoting|increasing|managing|prediction|recognition|diagnosis|patterns?|trends?|causes?)\b"
)
"""As in: mortality rates."""

CONTROL_LIKE = re.compile(
    r"\b(?:lowest|reference|placebo|controls?|sham|usual|standard|conventional|traditional|routine|no|non-?\w+|without"
    r"|untreated|(?:healthy|normal) (?:\w+ ){0,2}(?:controls?|subjects|individuals|volunteers|people|women|men|children"
    r"|groups?|tissues?|cells|mucosa|weight|diet)|vehicle|wild[- ]?type|unexposed|alone|monotherapy|waiting|saline"
    r"|inactive|dummy|general population|(?:lower|low|high|other|control) (?:\w+ )?(?:group|dose))\b"
)
"""As in: standard treatment."""


def is_treatment(value: str) -> bool:
    """Whether a phrase can be a treatment, rather than the people treated or the study itself."""
    parts = value.split()
    if head_of(parts[-1]) in PEOPLE and "in" not in parts:
        return False
    if MEASURE.match(value):
        return False
    return not re.search(
        r"\b(?:trial|study|review|meta-analysis|report|patients?|guidelines?|case|follow-?up)\b", value
    )


def is_cure(value: str) -> bool:
    """Whether a phrase can be the treatment of a disease, rather than another disease of the patient."""
    return is_treatment(value) and not is_disease_noun(value.rsplit(maxsplit=1)[-1])


def is_specific_treatment(value: str) -> bool:
    """Whether a phrase ends with a noun for a treatment, and specifies it."""
    return is_treatment(value) and is_treatment_noun(value.rsplit(maxsplit=1)[-1]) and is_specific(value)


def is_control(value: str) -> bool:
    """Whether a phrase is recognisable as a comparator: by its words, or as another treatment."""
    last = value.rsplit(maxsplit=1)[-1]
    return is_comparator(value) and (bool(CONTROL_LIKE.search(value)) or is_treatment_noun(last))


def is_comparator(value: str) -> bool:
    """Whether a phrase can be a comparator."""
    if MEASURE.match(value):
        return False
    return not re.search(
        r"^\d|\b(?:their|its|them|values?|pre-?operative|previous|literature|published|reported|studies|baseline"
        r"|pre-?treatment|p ?[<=])",
        value,
    )


def whole_forms(scope: Scope, *patterns: re.Pattern[str]) -> list[Form]:
    """Forms whose group is a treatment from end to end."""
    return [Form(scope, pattern, is_whole=True, accepts=is_treatment) for pattern in patterns]


def leading_forms(scope: Scope, *patterns: re.Pattern[str]) -> list[Form]:
    """Forms whose group begins a treatment."""
    return [Form(scope, pattern, accepts=is_treatment) for pattern in patterns]


def comparator_forms(scope: Scope, *patterns: re.Pattern[str]) -> list[Form]:
    """Forms whose group begins a comparator."""
    return [Form(scope, pattern, "y", CONTROL_END, accepts=is_comparator) for pattern in patterns]


AIM_FORMS: tuple[Form, ...] = (
    *whole_forms("aims", SUPERIOR),
    *whole_forms("title", VERSUS_OTHER, EFFECT_ON, ASSOCIATION_BETWEEN, X_AS),
    Form("title", TREATMENT_WITH, stops=X_END, accepts=is_cure),
    *whole_forms("title", TO_DO),
    *leading_forms("title", USE_OF, EFFECT_OF),
)
"""Forms of titles and aims that all studies of people share."""
TRIAL_FORMS: tuple[Form, ...] = (
    *AIM_FORMS,
    *leading_forms("title", TRIAL_OF),
    *whole_forms("title", X_VERBS, X_FOR),
    *whole_forms("aims", VERSUS_OTHER, COMPARE),
    *leading_forms("aims", EFFECT_OF, USE_OF),
    *whole_forms("anywhere", RANDOM_TO),
    *whole_forms("methods", EITHER_OR),
)
"""Forms of trials, the surest first."""
SYNTHESIS_FORMS: tuple[Form, ...] = (
    *AIM_FORMS,
    *whole_forms("title", X_FOR),
    *whole_forms("aims", VERSUS_OTHER),
    *leading_forms("aims", EFFECT_OF, USE_OF),
    *whole_forms("aims", ASSOCIATION_BETWEEN, WHETHER),
    *whole_forms("title", IS_ASSOCIATED),
)
"""Forms of reviews, the surest first."""
OBSERVED_FORMS: tuple[Form, ...] = (
    *AIM_FORMS,
    *whole_forms("title", IS_ASSOCIATED, AND_RISK, X_VERBS),
    *whole_forms("aims", ASSOCIATION_BETWEEN),
    *leading_forms("aims", EFFECT_OF),
    *whole_forms("aims", WHETHER),
    *leading_forms("aims", USE_OF, TREATED_SUBJECTS),
)
"""Forms of observational studies, the surest first."""
DONE_END = X_END | {"determined", "revealed", "measured", "assessed", "detected", "studied", "evaluated"}
BENCH_FORMS: tuple[Form, ...] = (
    *whole_forms("title", EFFECT_ON, X_VERBS),
    Form("title", TREATMENT_WITH, stops=X_END, accepts=is_treatment),
    Form("title", INHIBITION_BY, stops=DONE_END, accepts=is_treatment),
    *leading_forms("title", EFFECTS_OF_BENCH),
    Form("title", EXPOSURE_TO, stops=DONE_END, accepts=is_treatment),
    *leading_forms("aims", INVESTIGATED_EFFECTS),
    *whole_forms("aims", EFFECT_ON),
)
"""Forms of studies on animals and cells, the surest first."""
LATE_BENCH: tuple[Form, ...] = (
    *whole_forms("title", INDUCER, X_IN_Y),
    *leading_forms("aims", EFFECTS_OF_BENCH),
    *whole_forms("aims", WHETHER),
)
"""Less certain forms of bench studies, read after the treatments of the title."""
REVIEW_FORMS: tuple[Form, ...] = (
    Form("title", TO_TREAT, stops=X_END, accepts=is_cure),
    Form("title", FOR_TREATMENT, is_whole=True, accepts=is_cure),
)
LATE_HUMAN: tuple[Form, ...] = (
    *leading_forms("title", SUBJECTS_UNDERGOING, ON_DRUG),
    *leading_forms("aims", USE_OF, ROLE_OF),
)
"""Less certain forms of studies of people, read after the treatments of the title."""
CASE_FORMS: tuple[Form, ...] = (
    Form("title", TREATMENT_WITH, accepts=is_cure),
    Form("title", USE_OF, accepts=is_cure),
    Form("title", ROLE_OF, accepts=is_cure),
    *leading_forms("anywhere", CASE_TREATED),
)
INTERVENTION_FORMS = {
    "case report": CASE_FORMS,
    "review": REVIEW_FORMS,
    **dict.fromkeys(TRIALS, TRIAL_FORMS),
    **dict.fromkeys(SYNTHESES, SYNTHESIS_FORMS),
    **dict.fromkeys(OBSERVED, OBSERVED_FORMS),
    **dict.fromkeys(BENCH, BENCH_FORMS),
}
LATE_TRIAL: tuple[Form, ...] = (*whole_forms("title", X_IN), *leading_forms("anywhere", RECEIVED))
LATE_FORMS = {
    **dict.fromkeys(SYNTHESES | OBSERVED, LATE_HUMAN),
    **dict.fromkeys(TRIALS, (*LATE_TRIAL, *LATE_HUMAN)),
    **dict.fromkeys(BENCH, LATE_BENCH),
    "case report": (Form("anywhere", CASE_UNDERWENT, accepts=is_specific_treatment),),
}
VERSUS_FORMS: tuple[Form, ...] = (
    *comparator_forms("aims", SUPERIOR),
    *comparator_forms("title", VERSUS_OTHER, BETTER_THAN),
    Form("aims", VERSUS_OTHER, "y", LIST_END, accepts=is_comparator),
)
"""Forms that put two treatments against each other."""
TRIAL_COMPARATORS: tuple[Form, ...] = (
    *VERSUS_FORMS,
    Form("aims", COMPARE, "y", LIST_END, accepts=is_comparator),
    *comparator_forms("anywhere", RANDOM_TO),
    *comparator_forms("methods", EITHER_OR),
    Form("anywhere", PLACEBO, "y", is_whole=True),
    Form("anywhere", ALTERNATIVE, "y", LIST_END, accepts=is_control),
    Form("anywhere", CONTROLS, "y", is_whole=True),
)
OTHER_COMPARATORS: tuple[Form, ...] = (
    *VERSUS_FORMS,
    Form("anywhere", CONTROLS, "y", is_whole=True),
    Form("measured", ALTERNATIVE, "y", LIST_END, accepts=is_control),
    Form("aims", COMPARE_TO, "y", LIST_END, accepts=is_control),
)
SYNTHESIS_COMPARATORS: tuple[Form, ...] = (
    *VERSUS_FORMS,
    Form("anywhere", ALTERNATIVE, "y", LIST_END, accepts=is_control),
    Form("methods", PLACEBO, "y", is_whole=True),
)
BENCH_COMPARATORS: tuple[Form, ...] = (
    Form("anywhere", COMPARED_GROUP, "y", LIST_END, accepts=is_control),
    Form("anywhere", BENCH_CONTROLS, "y", is_whole=True),
    *comparator_forms("title", VERSUS_OTHER),
)
COMPARATOR_FORMS = {
    **dict.fromkeys(TRIALS, TRIAL_COMPARATORS),
    **dict.fromkeys(SYNTHESES, SYNTHESIS_COMPARATORS),
    **dict.fromkeys(OBSERVED, OTHER_COMPARATORS),
    **dict.fromkeys(BENCH, BENCH_COMPARATORS),
}


PLAIN_TRIALS = TRIALS | SYNTHESES | frozenset(("case report", "guideline"))
"""Kinds of study whose titles name the setting of a treatment: pain after surgery."""
AFTER_TREATMENT = frozenset(("after", "following", "undergoing", "before", "during", "despite", "under"))
"""Words before a treatment that is the setting of a trial: pain after surgery."""


def intervention(document: Document) -> Finding | None:
    """The treatment, exposure or other cause that was studied."""
    name = kind_of(document)
    forms = INTERVENTION_FORMS.get(name)
    if forms is None:
        return titled_treatment(document, name) if name == "guideline" else None
    if name == "review":
        return read_forms(document, forms)
    finding = read_forms(document, forms) or titled_treatment(document, name)
    return finding or read_forms(document, LATE_FORMS.get(name, ()))


def titled_treatment(document: Document, kind: str) -> Finding | None:
    """The first treatment that the title names."""
    for finding in treatments(document.title):
        start = finding.evidence[0].start or 0
        before = document.title.whole[:start].lower().split()
        # pain after elective surgery: the surgery is not what is tested
        is_setting = kind in PLAIN_TRIALS and any(word in AFTER_TREATMENT for word in before[-3:])
        if not is_setting and is_treatment(str(finding.value).lower()):
            return finding
    return None


def comparator(document: Document) -> Finding | None:
    """The alternative that the intervention was compared with."""
    return read_forms(document, COMPARATOR_FORMS.get(kind_of(document), ()), excluded=document.cached(intervention))
