"""What was given or done, and what it was compared with."""

import re

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.forms import CONTROL_END, LIST_END, X_END, Form, read
from biofact.literature.extraction.rules.kinds_of_noun import treatments
from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.study_type import study_type
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.vocabulary import PEOPLE

TRIALS = frozenset(("randomized controlled trial", "clinical trial", "protocol"))
SYNTHESES = frozenset(("meta-analysis", "systematic review"))
OBSERVED = frozenset(
    ("cohort study", "case-control study", "cross-sectional study", "observational study", "genetic association study",
     "mendelian randomization", "case series", "diagnostic study")
)  # fmt: skip
BENCH = frozenset(("animal study", "in vitro study"))

NOUN = r"(?:effects?|impacts?|influences?|consequences?|roles?|contributions?|benefits?|actions?|modulation)"
EFFECT_OF = re.compile(rf"\b{NOUN}(?: and [\w-]+)? of (?:adding |using )?(?P<x>.{{3}})", re.IGNORECASE)
EFFECT_ON = re.compile(
    rf"\b{NOUN}(?: and [\w-]+)? (?:of|from) (?P<x>.{{3,160}}?) (?:up)?on (?P<y>.{{3}})", re.IGNORECASE
)
VERSUS = re.compile(
    r",? (?:versus|vs\.?|v\.?|(?:as )?compared (?:with|to)|in comparison (?:with|to)|(?:and|or) (?=placebo\b)) "
    r"(?P<y>.{3})",
    re.IGNORECASE,
)
COMPARE = re.compile(
    r"\b(?:compar(?:e|es|ed|ing)|comparison of|comparison between)(?: the)?"
    r"(?: (?:clinical )?(?:efficacy|effectiveness|effects?|safety|outcomes?|results?|performance)"
    r"(?:(?:,| and|, and) [\w-]+)* (?:of|between|for|with))? (?P<x>.{3,120}?) (?:versus|vs\.?|with|to|and|or) "
    r"(?P<y>.{3})",
    re.IGNORECASE,
)
SUPERIOR = re.compile(
    r"\b(?:superiority|non-?inferiority|equivalence|advantage|benefit)s? of (?P<x>.{3,100}?) "
    r"(?:to|over|and|with|versus) (?P<y>.{3})",
    re.IGNORECASE,
)
RANDOM_TO = re.compile(
    r"\brandom(?:i[sz]ed|ly)\b.{0,60}? (?:to|into|in) "
    r"(?:(?:one of )?\w+ (?:\w+ )?(?:groups?|arms?|regimens|treatments?)\W+)?"
    r"(?:receive |either |undergo |the |an? ){0,3}(?P<x>\S.{2,160}?),? "
    r"(?:or|versus|vs\.?|v\.?|and(?= (?:placebo|(?:the |a )?controls?\b|standard|usual))) (?:to )?(?:receive )?"
    r"(?P<y>.{3})",
    re.IGNORECASE,
)
EITHER = re.compile(
    r"\b(?:receiv(?:ed|ing|e)|given|underwent|either) (?:either )?(?P<x>.{3,120}?),? (?:or|versus|vs\.?) (?P<y>.{3})",
    re.IGNORECASE,
)
TRIAL_OF = re.compile(r"\b(?:trial|study) of (?:the )?(?P<x>.{3})", re.IGNORECASE)
CASE_TREATED = re.compile(
    r"\b(?:was|were|been) (?:\w+ )?(?:treated|managed)(?: \w+ly)? (?:with|by) (?P<x>.{3})", re.IGNORECASE
)
RECEIVED = re.compile(
    r"\b(?:received|receiving|were given|underwent|treated with|treatment with) (?P<x>.{3})", re.IGNORECASE
)
USE_OF = re.compile(
    r"\b(?:(?:prognostic|predictive|diagnostic) (?:value|significance|accuracy|performance|utility|role)"
    r"|efficacy|effectiveness|safety|tolerability|usefulness|utility|feasibility|use|utili[sz]ation"
    r"|administration|acceptability|addition|implementation|cost-effectiveness|benefits?|activity|impact"
    r"|effects?)(?:(?:,| and|, and) (?:the )?[\w-]+)* (?:of|with) (?P<x>.{3})",
    re.IGNORECASE,
)
X_FOR = re.compile(
    r"^\W*(?P<x>[^:,.;]{3,100}?) (?:for|in) (?:the )?(?:primary |secondary |acute |adjuvant )?"
    r"(?:improving|preventing|reducing|treating|promoting|increasing|treatment|prevention|management|reduction"
    r"|patients|adults|children|women|men|older|people)\b",
    re.IGNORECASE,
)
X_IN = re.compile(r"^\W*(?P<x>[^:.;]{3,100}?) (?:for|in) \S", re.IGNORECASE)
X_AS = re.compile(
    r"^\W*(?P<x>[^:,.;]{3,100}?) as (?:an? )?(?:[\w-]+ ){0,4}"
    r"(?:therapy|treatment|prophylaxis|intervention|predictors?|biomarkers?|markers?|risk factors?|agents?"
    r"|adjunct|alternative|needed)\b",
    re.IGNORECASE,
)
TREATED_WITH = re.compile(
    r"\b(?:treatment|management|therapy|prevention|prophylaxis|repair|reconstruction|closure"
    r"|correction) of .{3,150} (?:with|using|by) (?P<x>.{3,100}?)[.:]?\s*$",
    re.IGNORECASE,
)
UNDERGOING = re.compile(
    r"\b(?:undergoing|receiving|treated with|treated by|who (?:underwent|received)|exposed to|exposure to"
    r"|supplementation with|following|after) (?P<x>.{3})",
    re.IGNORECASE,
)
TREATED = re.compile(
    r"\b(?:undergoing|receiving|treated with|who (?:underwent|received)|exposure to) (?P<x>.{3})", re.IGNORECASE
)
ON_DRUG = re.compile(r"\b(?:patients|women|men|adults|children|people|cancer|subjects) on (?P<x>.{3})", re.IGNORECASE)
BETWEEN = re.compile(
    r"\b(?:associations?|relationships?|links?|correlations?|relations?|interrelationships?)"
    r"(?: (?:exists?|existing))? (?:between|of|linking) (?P<x>.{3,140}?) (?:and|with|to) (?P<y>.{3})",
    re.IGNORECASE,
)
ASSOCIATED = re.compile(
    r"^\W*(?P<x>[^:;]{3,120}?) (?:(?:is|are|was|were) )?(?:[\w-]+ly )?(?:associated|correlated|linked) with\b",
    re.IGNORECASE,
)
WHETHER = re.compile(
    r"\bwhether (?P<x>.{3,100}?) (?:(?:is|are|was|were) associated|(?:can |could |may |would )?(?:affects?"
    r"|influences?|improves?|reduces?|increases?|predicts?|decreases?|contributes?|provides?|leads?))\b",
    re.IGNORECASE,
)
AND_RISK = re.compile(
    r"^\W*(?P<x>[^:.;]{3,120}?),? (?:and|as (?:an? )?(?:[\w-]+ )?predictors? of) (?:the )?(?:[\w-]+ )?"
    r"(?:risks?|incidence|incident|mortality|survival)\b",
    re.IGNORECASE,
)
VERBS = (
    r"(?:inhibits?|prevents?|promotes?|attenuates?|improves?|reduces?|increases?|induces?|protects?|suppresse?s?"
    r"|enhances?|alleviates?|ameliorates?|restores?|controls?|modulates?|decreases?|stimulates?|influences?"
    r"|impairs?|reverses?|affects?|mitigates?|predicts?|lowers?|blocks?|delays?|abolishes|uncouples|disrupts?"
    r"|augments?|exacerbates?|triggers?|facilitates?|accelerates?|regulates?|mediates?|confers?|limits?|drives?"
    r"|alters?|causes?|contributes? to|leads? to|results? in|produces?|elevates?|diminishes|aggravates?|worsens?"
    r"|shortens?|prolongs?|rescues?|counteracts?|normali[sz]es?|buffers?|eliminates?|maintains?|determines?"
    r"|potentiates?|sensiti[sz]es|abrogates|represses|activates?|upregulates|downregulates|does not \w+)"
)
NOT_A_VERB = r"(?<!\bthe)(?<!\bof)(?<!\band)(?<!\bfor)(?<!\bin)(?<!\bto)(?<!\bcase)(?<!\bwith)(?<!\ban)(?<!\ba)"
X_VERBS = re.compile(
    rf"^\W*(?P<x>[^:,.;?]{{2,90}}?){NOT_A_VERB} (?:[\w-]+ly )?{VERBS} (?!of\b|in\b|and\b|:)(?P<y>.{{3}})", re.IGNORECASE
)
VERBS_THEN = (
    r"(?:inhibit|prevent|promote|attenuate|improve|reduce|increase|induce|suppresse?|enhance|alleviate|ameliorate"
    r"|restore|decrease|stimulate|influence|impair|affect|mitigate|predict|lower|delay|accelerate|prolong)(?:s|d|ed)?"
)
INHIBITION_BY = re.compile(
    r"\b(?:inhibition|modulation|suppression|prevention|reduction|attenuation) of .{3,100}? (?:by|with) (?P<x>.{3})",
    re.IGNORECASE,
)
EFFECTS_OF_BENCH = re.compile(
    r"\b(?:effects?|impact|influence|actions?|activity|potential) of (?P<x>.{3})", re.IGNORECASE
)
LACKING = re.compile(
    r"\b(?:we (?:investigated|examined|studied|evaluated|tested|assessed)) the (?:[\w-]+ ){0,3}effects? of (?P<x>.{3})",
    re.IGNORECASE,
)

GIVEN = re.compile(
    r"(?:\b(?:induced by|caused by|produced by|treated with|treatment with|exposed to|exposure to|injected with|fed"
    r"|response to|administration of|injection of|supplementation with|deficien(?:t|cy) in|loss of|lack of|deletion of"
    r"|inhibition of|activation of|overexpression of|knock-?down of|silencing of|blockade of|by targeting)"
    r"|^\W*(?:inhibition|activation|overexpression|loss|deletion|knockdown|silencing|blockade) of) (?P<x>.{3})",
    re.IGNORECASE,
)
ROLE_OF = re.compile(r"\broles? of (?P<x>.{3})", re.IGNORECASE)
X_IN_Y = re.compile(r"\b(?:roles?|involvement|function|importance) of (?:the )?(?P<x>[^:.;]{3,100}?) (?:in|during|for) \S")
CONCLUDED = re.compile(
    rf"(?:^\W*|\bthat )(?P<x>(?:(?!(?:we|it|there|this|these|our|in|thus)\b)[\w()+/-]+ ){{1,7}}?)"
    rf"(?:may |can |could |might |significantly |effectively |also |markedly ){{0,3}}{VERBS_THEN} (?P<y>(?!of\b|in\b).{{3}})",
    re.IGNORECASE,
)

AGAINST = re.compile(
    r"\b(?:compared (?:with|to)|in comparison (?:with|to|of)|relative to|versus|vs\.?|as opposed to|rather than) "
    r"(?P<y>.{3})",
    re.IGNORECASE,
)
COMPARED_WITH = re.compile(
    r"\b(?:compared (?:with|to)|in comparison (?:with|to)|than (?:those|that) of) (?P<y>.{3})", re.IGNORECASE
)
PLACEBO = re.compile(
    r"\b(?P<y>placebo(?: (?:group|control))?|sham(?: [\w-]+){0,2}|usual care|standard (?:of )?care|no treatment"
    r"|waiting[- ]list)\b",
    re.IGNORECASE,
)
CONTROLS = re.compile(
    r"\b(?P<y>(?:(?:age|sex|gender)[- ](?:and[- ](?:age|sex|gender)[- ])?matched |(?:non-?)?matched |healthy "
    r"|normal |population |hospital |unaffected |community |disease-free |non-?\w+ ){0,2}"
    r"(?:controls|control (?:group|subjects|individuals|participants|patients|women|children|animals|mice|rats)"
    r"|volunteers))\b",
    re.IGNORECASE,
)
TWO_GROUPS = re.compile(r"\bcomparing (?P<y>(?:[\w-]+ ){1,4}and (?:[\w-]+ ?){1,4})", re.IGNORECASE)


MEASURED = re.compile(
    r"(?:incidence|prevalence|severity|outcomes?|survival|mortality|rates?|risks?|probability|frequency"
    r"|satisfaction|efficacy|safety|effectiveness|quality|extent|changes?|differences?|levels?|\d+-"
    r"(?:day|year|month|week)|results?|accuracy|characteristics|prognosis|time|cost|symptoms?|preventing|reducing"
    r"|treating|improving|promoting|increasing|managing)\b"
)


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


def is_comparator(value: str) -> bool:
    """Whether a phrase can be what something was compared with."""
    if MEASURED.match(value):
        return False
    return not re.search(
        r"^\d|\b(?:previous|literature|published|reported|studies|baseline|pre-?treatment|p ?[<=])", value
    )


AIMED: tuple[Form, ...] = (
    Form("aims", SUPERIOR, is_whole=True, accepts=is_treatment),
    Form("title", VERSUS, is_whole=True, accepts=is_treatment),
    Form("title", EFFECT_ON, is_whole=True, accepts=is_treatment),
    Form("title", BETWEEN, is_whole=True, accepts=is_treatment),
    Form("title", X_AS, is_whole=True, accepts=is_treatment),
    Form("title", TREATED_WITH, stops=X_END, accepts=is_treatment),
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
    Form("title", X_IN, is_whole=True, accepts=is_treatment),
    Form("anywhere", RECEIVED, accepts=is_treatment),
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
    Form("title", UNDERGOING, accepts=is_treatment),
    Form("title", ON_DRUG, accepts=is_treatment),
    Form("aims", BETWEEN, is_whole=True, accepts=is_treatment),
    Form("aims", EFFECT_OF, accepts=is_treatment),
    Form("aims", WHETHER, is_whole=True, accepts=is_treatment),
    Form("aims", USE_OF, accepts=is_treatment),
    Form("aims", TREATED, accepts=is_treatment),
)
BENCH_FORMS: tuple[Form, ...] = (
    Form("title", EFFECT_ON, is_whole=True, accepts=is_treatment),
    Form("title", X_VERBS, is_whole=True, accepts=is_treatment),
    Form("title", TREATED_WITH, stops=X_END, accepts=is_treatment),
    Form("title", INHIBITION_BY, accepts=is_treatment),
    Form("title", EFFECTS_OF_BENCH, accepts=is_treatment),
    Form("title", GIVEN, accepts=is_treatment),
    Form("aims", LACKING, accepts=is_treatment),
    Form("aims", EFFECT_ON, is_whole=True, accepts=is_treatment),
)
LATE_BENCH: tuple[Form, ...] = (
    Form("title", X_IN_Y, is_whole=True, accepts=is_treatment),
    Form("aims", EFFECTS_OF_BENCH, accepts=is_treatment),
    Form("aims", WHETHER, is_whole=True, accepts=is_treatment),
    Form("conclusions", CONCLUDED, is_whole=True, accepts=is_treatment),
)
LATE_HUMAN: tuple[Form, ...] = (
    Form("aims", USE_OF, accepts=is_treatment),
    Form("aims", ROLE_OF, accepts=is_treatment),
    Form("conclusions", CONCLUDED, is_whole=True, accepts=is_treatment),
)
CASE_FORMS: tuple[Form, ...] = (
    Form("title", TREATED_WITH, accepts=is_treatment),
    Form("anywhere", CASE_TREATED, accepts=is_treatment),
)
INTERVENTION_FORMS = {
    "case report": CASE_FORMS,
    **dict.fromkeys(TRIALS, TRIAL_FORMS),
    **dict.fromkeys(SYNTHESES, SYNTHESIS_FORMS),
    **dict.fromkeys(OBSERVED, OBSERVED_FORMS),
    **dict.fromkeys(BENCH, BENCH_FORMS),
}
LATE_FORMS = {
    **dict.fromkeys(TRIALS | SYNTHESES | OBSERVED, LATE_HUMAN),
    **dict.fromkeys(BENCH, LATE_BENCH),
}
COMPARED: tuple[Form, ...] = (
    Form("aims", SUPERIOR, "y", CONTROL_END, accepts=is_comparator),
    Form("title", VERSUS, "y", CONTROL_END, accepts=is_comparator),
    Form("aims", VERSUS, "y", LIST_END, accepts=is_comparator),
)
TRIAL_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("aims", COMPARE, "y", LIST_END, accepts=is_comparator),
    Form("anywhere", RANDOM_TO, "y", CONTROL_END, accepts=is_comparator),
    Form("methods", EITHER, "y", CONTROL_END, accepts=is_comparator),
    Form("anywhere", PLACEBO, "y", CONTROL_END),
    Form("anywhere", AGAINST, "y", LIST_END, accepts=is_comparator),
    Form("anywhere", CONTROLS, "y", CONTROL_END),
)
OTHER_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("anywhere", CONTROLS, "y", CONTROL_END),
    Form("measured", AGAINST, "y", LIST_END, accepts=is_comparator),
    Form("aims", TWO_GROUPS, "y", LIST_END | {"that"}),
)
SYNTHESIS_COMPARATORS: tuple[Form, ...] = (
    *COMPARED,
    Form("anywhere", AGAINST, "y", LIST_END, accepts=is_comparator),
    Form("methods", PLACEBO, "y", CONTROL_END),
)
BENCH_COMPARATORS: tuple[Form, ...] = (
    Form("anywhere", COMPARED_WITH, "y", LIST_END, accepts=is_comparator),
    Form("title", VERSUS, "y", CONTROL_END, accepts=is_comparator),
)
COMPARATOR_FORMS = {
    **dict.fromkeys(TRIALS, TRIAL_COMPARATORS),
    **dict.fromkeys(SYNTHESES, SYNTHESIS_COMPARATORS),
    **dict.fromkeys(OBSERVED, OTHER_COMPARATORS),
    **dict.fromkeys(BENCH, BENCH_COMPARATORS),
}


PLAIN_TRIALS = TRIALS | SYNTHESES | frozenset(("case report", "guideline"))
AFTER_TREATMENT = frozenset(("after", "following", "undergoing", "before", "during", "despite", "under"))
"""In a trial what stands behind these is the setting."""


def intervention(document: Document) -> Finding | None:
    """What was given, done or looked at as the cause."""
    kind = document.once(study_type)
    name = str(kind.value) if kind else ""
    forms = INTERVENTION_FORMS.get(name)
    if forms is None:
        return titled_treatment(document, name) if name == "guideline" else None
    return read(document, forms) or titled_treatment(document, name) or read(document, LATE_FORMS.get(name, ()))


def titled_treatment(document: Document, kind: str) -> Finding | None:
    """The first treatment that the title names."""
    for found in treatments(document.title):
        start = found.evidence[0].start or 0
        before = document.title.whole[:start].lower().split()
        is_setting = kind in PLAIN_TRIALS and any(word in AFTER_TREATMENT for word in before[-3:])
        if not is_setting and is_treatment(str(found.value).lower()):
            return found
    return None


def comparator(document: Document) -> Finding | None:
    """What it was compared with."""
    kind = document.once(study_type)
    return read(document, COMPARATOR_FORMS.get(str(kind.value), ())) if kind else None
