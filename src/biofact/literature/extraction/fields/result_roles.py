"""The role of a stated result: of the primary outcome, of a secondary one, of safety, of a subgroup, of the groups
before the study, or of a test that says nothing on its question.
"""

import re
from typing import Literal

ResultRole = Literal[
    "primary", "", "sensitivity", "secondary", "safety", "subgroup", "interaction", "baseline", "heterogeneity",
    "model",
]  # fmt: skip
"""Empty where the text says none; ``sensitivity`` is another analysis of an outcome, as per protocol or unadjusted."""

_TEST_ROLES: tuple[tuple[ResultRole, re.Pattern[str]], ...] = (
    # As in: P for interaction = 0.59.
    ("interaction", re.compile(r"(?i)\binteractions?\b|\beffect modif|\bp ?[- ]?int\b")),
    # As in: I2 = 21%, P for heterogeneity = 0.22.
    (
        "heterogeneity",
        re.compile(
            r"(?i)\bheterogene|\bI ?(?:2|\u00b2|\(2\)|-squared?)(?!\w)|\bcochran'?s? q\b|\begger|\bbegg|\bfunnel|"
            r"publication bias|small-study|\binconsistency\b|node-split"
        ),
    ),
    # As in: Hosmer-Lemeshow P = 0.4.
    (
        "model",
        re.compile(
            r"(?i)\bhosmer|\bgoodness of fit|\bshapiro|\bnormality\b|\bschoenfeld|\bcollinear|\bcalibration\b"
            r"|\blikelihood[- ]ratio|\bmauchly|\bsphericity|\bproportional(?:ity)? (?:hazards|odds)|\bcarry-?over\b"
            r"|\bperiod effects?\b|\bsequence effects?\b|\btrends?\b"
        ),
    ),
)
"""The tests of p-values, by the words next to them."""
_BASELINE = re.compile(
    r"(?i)\b(?:groups?|arms?|(?:\w+ )?characteristics|demographics?|participants|patients|cohorts?"
    r"|features)\b[^.;]{0,60}"
    r"\b(?:were|was)\b[^.;]{0,30}\b(?:comparable|well[- ](?:matched|balanced)|balanced|similar)\b[^.;]{0,60}"
    r"\b(?:at (?:baseline|entry|enrol|admission|the start)|in (?:age|sex|terms of)|for age|with (?:respect"
    r"|regard) to|on entry)"
    r"|\b(?:at|before) (?:baseline|entry|enrol\w+|randomi[sz]ation|admission|the start)\b(?![^.;]{0,40}\b(?:to|and) )"
    r"[^.;]{0,80}\b(?:did not differ|differ|similar|comparable|higher|lower|older|younger|more|balanced|no )"
    r"|\bbaseline (?!to\b)(?:[\w-]+ ){0,4}(?:did not differ|differed|were|was|differences?|imbalances?|between)"
    r"|\b(?:did not differ|no (?:\w+ )?differences?|similar|comparable)\b[^.;]{0,60}\b(?:at (?:baseline|entry"
    r"|randomi[sz]ation)|baseline)\b"
    r"|\b(?:mean |median )?(?:age|sex|gender|body mass index|BMI|smoking)\b[^.;]{0,60}\b(?:did not differ"
    r"|differed|similar"
    r"|comparable|(?:was|were) (?:balanced|higher|lower|older|younger))"
    r"|\b(?:groups?|arms?|sides?|cohorts?)\b[^.;]{0,30}\b(?:did not differ"
    r"|differed)(?: \w+ly)? in (?:mean )?(?:age|sex|gender|weight|BMI)"
    r"|\bhad had (?:a )?(?:previous|prior)\b|\b(?:older|younger) (?:than|at|in)\b"
)
"""As in: groups were similar in age (P = 0.61)."""
_ALONE = re.compile(
    r"(?i)^[\s,;]*(?:and |or )?(?:the )?(?:mean |median |patients'? )?(?:age|sex|gender|weight|BMI"
    r"|smoking(?: history| status)?)\s*\("
)
"""A trait of the groups, alone in its part of a list. As in: sex (P = 0.77)"""
_SUBGROUP = re.compile(
    r"(?i)\bsub-?(?:groups?|sets?|analys[ei]s|populations?)\b|\bpost[- ]?hoc\b|\bexploratory\b"
    r"|\bstratif\w+ (?:by|analys)"
    r"|\brestrict(?:ed|ing|ion) to\b|\b(?:confined|limited) to (?:the )?(?:[\w-]+ ){0,3}(?:patients|participants"
    r"|trials|studies|women|men)"
    r"|^\W*(?:among|in|for) (?:the )?(?:\d+ )?(?:patients|participants|women|men|those|children|adults|subjects|people"
    r"|(?:randomi[sz]ed |observational |small|large)\w* ?trials?) (?:with|without|aged|younger|older|who|whose"
    r"|under|over"
    r"|receiving|taking|at (?:high|low))\b"
)
"""As in: in patients with diabetes (P = 0.02)."""
_SAFETY = re.compile(
    r"(?i)\badverse (?:events?|effects?|reactions?|drug)|\bside[- ]effects?|\btoxicit|\bsafety\b|\btolerab"
    r"|\bserious events?"
    r"|\b(?:major |minor |intracranial |gastrointestinal )?(?:bleeding|haemorrhages?|hemorrhages?)\b"
    r"|\bhypogly[ck]|\bhypotension\b"
    r"|\bdiarrh|\bnausea\b|\bvomiting\b|\brash\b|\bwithdr[ae]w\w*|\bdiscontinu\w+|\bdrop-?outs?\b|\bcomplications?\b"
    r"|\binfusion reactions?|\binjection[- ]site|\bhyperkal|\bliver enzymes?|\bserious infections?"
)
"""As in: major bleeding was more frequent (P = 0.006)."""
_SECONDARY = re.compile(
    r"(?i)\b(?:key )?secondary\b(?! (?:prevention|care|school|to|infection|hyper|progressive))|\btertiary (?:end|out)"
)
"""As in: for the secondary outcome."""
_PRIMARY = re.compile(
    r"(?i)\b(?:co-?)?(?:primary|main|principal)(?: [\w-]+){0,3}? (?:end ?-?points?|outcomes?|measure|analysis"
    r"|comparison|result)\b"
)
"""As in: for the primary outcome."""
_SENSITIVITY = re.compile(
    r"(?i)\bper[- ]protocol\b|\bon[- ]treatment\b|\bas[- ]treated\b|\bunadjusted\b|\bcrude\b|\bunivaria(?:ble|te)\b"
    r"|\bsensitivity analys|\bcomplete[- ]case|\bcompleters?\b|\bevaluable\b|\bbefore adjustment\b|\bimput\w+"
    r"|\bcomplian(?:t|ce)[- ]adjusted\b|\bcomplier\b|\bminimally adjusted\b|\bage- and sex-adjusted\b"
)
"""As in: in the per-protocol population (P = 0.02)."""
_ROLES: tuple[tuple[ResultRole, re.Pattern[str]], ...] = (
    # As in: in a subgroup.
    ("subgroup", _SUBGROUP),
    # As in: secondary outcomes.
    ("secondary", _SECONDARY),
    # As in: per protocol.
    ("sensitivity", _SENSITIVITY),
)
_NEXT_TO = 40
"""Characters before a p-value that say what it is of."""


def role_by_test(before: str, within: str) -> ResultRole:
    """The role of a p-value by the words before it, and by those that are a part of it: P for trend."""
    near = before[-_NEXT_TO:]
    return next((role for role, pattern in _TEST_ROLES if pattern.search(within) or pattern.search(near)), "")


def role_by_words(clause: str, lead: str) -> ResultRole:
    """The role of a result by the words of its clause, and by those that lead the sentence into all its results."""
    is_change = "change" in clause.lower()  # as in: the change in BMI did not differ
    if _ALONE.match(clause) or (_BASELINE.search(clause) and not is_change):
        return "baseline"
    if _PRIMARY.search(clause) and not _SECONDARY.search(clause):
        return "sensitivity" if _SENSITIVITY.search(clause) else "primary"
    for role, pattern in _ROLES:
        if pattern.search(lead) or pattern.search(clause):
            return role
    return "safety" if _SAFETY.search(clause) else "primary" if _PRIMARY.search(lead) else ""
