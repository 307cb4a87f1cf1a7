"""Effect estimates with their intervals: HR, OR, RR, mean differences, coefficients, correlations, accuracy."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from biofact.literature.extraction.findings import Finding, Value
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.numbers import DECIMAL, decimal
from biofact.literature.extraction.text.vocabulary import words


class Measure(NamedTuple):
    """A measure of effect."""

    name: str
    words: str
    """The names that articles use, as a pattern."""


NAMES = (
    # As in: hazard ratio.
    Measure("HR", r"hazards? ratios?|\b[as]?HRs?\b|\b(?:adjusted|multivariate|unadjusted) HR\b"),
    # As in: odds ratio.
    Measure("OR", r"odds ratios?|\b[ac]?ORs?\b"),
    # As in: incidence rate ratio.
    Measure("IRR", r"incidence rate ratios?|\ba?IRRs?\b"),
    # As in: rate ratio.
    Measure("rate ratio", r"rate ratios?"),
    # As in: relative risk.
    Measure("RR", r"(?:relative|risk) (?:risks?|ratios?)|\b[ap]?RRs?\b"),
    # As in: prevalence ratio.
    Measure("PR", r"prevalence ratios?|\ba?PRs?\b"),
    # As in: standardized mean difference.
    Measure(
        "SMD",
        r"standardi[sz]ed mean differences?|\bSMDs?\b|hedges['\u2019]? g"
        r"|(?<![\w.])g(?=\s?=\s?[-\u2212]?\d?[.\u00b7])|cohen['\u2019]?s? d",
    ),
    # As in: weighted mean difference.
    Measure("WMD", r"weight(?:ed)? mean differences?|\bWMDs?\b"),
    # As in: mean difference.
    Measure(
        "MD",
        r"mean (?:between-group |treatment |adjusted )?differences?|\bMDs?\b|"
        r"(?:adjusted|estimated) mean differences?",
    ),
    # As in: risk difference.
    Measure(
        "RD",
        r"(?:absolute )?(?:risk|rate) differences?|\bA?RDs?\b|absolute risk reduction|\bARR\b|"
        r"(?:estimated|treatment|absolute|between-group) differences?",
    ),
    # As in: area under the curve.
    Measure(
        "AUC",
        r"\bAU(?:RO)?C(?:[- ]?ROC)?s?\b|area under the (?:[\w-]+ ){0,5}curves?(?: \(AU(?:RO)?C\))?|c-"
        r"(?:statistic|index)|concordance index",
    ),
    # As in: intraclass correlation coefficient.
    Measure("ICC", r"intra-?class correlation coefficients?|\bICCs?\b"),
    # As in: Cohen's kappa.
    Measure("kappa", r"\b(?:weighted |cohen['\u2019]s )?kappa\b|κ"),
    # As in: Pearson's correlation.
    Measure(
        "r",
        r"(?:correlation coefficient|pearson['\u2019]?s?|spearman['\u2019]?s?)(?: correlation)?"
        r"(?: coefficient)?(?: \(?r\)?)?|(?<![\w.])r(?:s|ho)?(?=\s?=)|\u03c1|\brho\b|\brg\b",
    ),
    # As in: regression coefficient.
    Measure(
        "beta",
        r"\bbeta\b(?:[- ]coefficients?)?|β(?:[- ]?coefficients?|overall|difference)?"
        r"(?=\s?[,:=]|\s(?:of|was|coefficient))|regression coefficients?",
    ),
    # As in: effect size.
    Measure("ES", r"\beffect sizes?\b|\bES\b"),
    # As in: number needed to treat.
    Measure("NNT", r"numbers? needed to treat|\bNNT\b"),
    # As in: sensitivity of 90%.
    Measure("sensitivity", r"\bsensitivity\b"),
    # As in: a difference of.
    Measure("MD", r"\bdifferences?\b"),
)
MEASURES = tuple(re.compile(f"(?P<m{place}>{pattern})", re.IGNORECASE) for place, (_, pattern) in enumerate(NAMES))
"""One pattern for each, as a sentence is searched only for measures whose words it has. As in: hazard ratio."""
CASE_SENSITIVE = words("HR OR IRR RR PR SMD WMD MD RD ES AUC ICC NNT")
"""Measures whose abbreviation counts in capitals only: ``or`` and ``es`` are words."""
UNDIRECTED = frozenset(("AUC", "ICC", "kappa", "NNT", "sensitivity"))
"""Measures of accuracy and agreement, which favour no side."""
RATIOS = frozenset(("HR", "OR", "IRR", "rate ratio", "RR", "PR"))
"""Measures for which 1 is no effect; for the others it is 0."""
LEVEL = r"(?P<level>\d{2}(?:[.·]\d)?)\s?[-\u2010\u2013]?%\s?[-\u2010]?\s?"
INTERVAL = re.compile(
    rf"(?i)(?:{LEVEL})?(?:two-sided |bootstrap |exact )?"
    rf"(?:(?:confidence|credib(?:le|ility)|prediction) (?:intervals?|limits?)|CIs?\b|C\.I\.|CrIs?\b|CL\b)"
    rf"(?:\s?[\[(]\s?(?:\d\d% ?)?C(?:r)?I\s?[\])])?\s?"
    rf"(?:,|:|=|;|of|was|were|from|ranged from|between)?\s?[\[({{]?\s?(?P<low>{DECIMAL})\s?%?\s?"
    rf"(?:,|;|\bto\b|\band\b|[-\u2013—\u2010\u2011\u2212~]|\.{{2,3}})\s?(?P<high>{DECIMAL})"
)
"""As in: 95% CI 0.52-1.05."""
BARE_INTERVAL = re.compile(
    rf"\s?(?:[A-Za-z%/\u00b2]{{1,8}}(?:\(\d\))?\s?)?[\[(]\s?(?P<low>{DECIMAL})\s?(?:,|;|\bto\b"
    rf"|[-\u2013—\u2010\u2011])\s?(?P<high>{DECIMAL})\s?[\])]"
)
"""As in: (0.52-1.05)."""
VALUE_WITH_INTERVAL = re.compile(
    rf"(?<![\w.])(?P<value>\d{{1,3}}\.\d+)\s?[\[(]\s?(?:{LEVEL}(?:CrI|CI)\s?[:,=]?\s?)?(?P<low>{DECIMAL})"
    rf"\s?(?:,|;|\bto\b|[-\u2013\u2014])\s?(?P<high>{DECIMAL})(?!\s?%)"
)
"""As in: 0.94 (0.69-1.28; p = 0.69)."""
OTHER_MEASURE = re.compile(
    r"(?i)\b(?:mean|median|average|age|aged|years?|days?|hours?|score|proportion|percent)\b|%|;(?![^(\[]*[)\]])"
)
"""Words after which a number is of another measure. As in: median stay"""
REFERENCE = re.compile(r"(?i)\s?[(\[]\s?ref")
"""As in: 1.00 (reference)."""
SEPARATOR = re.compile(
    r"\s?(?:[\[(](?:95\s?%\s?)?C\.?I\.?[\])]|\[\w{1,5}\]|\(\w{1,5}\))?\s?(?:,\s?[A-Z]{1,4}\b)?\s?(?:,|:|=|;|\(|\[|was"
    r"|were|is|of|≈|~)?\s?"
    r"(?:of|=|about)?\s?"
)
"""Signs that separate a measure from its number. As in: (HR) =."""
FURTHER_ON = re.compile(r"[^.;:=\d%()]{0,140}?\b(?:was|were|is|of)\s?(?=[-\u2212+]?\s?[.\u00b7\d])")
"""As in: the odds ratio for having at least one mutation was 17.23."""
AFTER_COMMA = re.compile(r"\s[^.;:=\d%(),]{3,80},\s?(?=0[.\u00b7]|[1-9][.\u00b7])")
"""As in: hazard ratio with the drug, 0.79."""
NUMBER = re.compile(rf"(?P<value>{DECIMAL})(?P<percent>\s?%)?(?![\w]|[.·]\d)")
"""As in: 0.79."""
OTHER_UNIT = re.compile(r"(?i)\s?(?:bpm|beats?|breaths?|/ ?min|ms|msec|mm|cm|patients?|cases?|\u00b1|\+/-)")
"""As in: 72 bpm."""
FAVOURS = re.compile(
    r"(?i)\b(?:in )?favou?r(?:ing|ed|s)?(?: of)? (?:the )?(?P<favoured>[^\W\d_][\w +/-]{1,58}?)"
    r"(?=\s*(?:[,.;:()\[\]]|$|\b(?:over|versus|vs|compared|with|at|in|for|and|was|were|than)\b))"
)
"""As in: in favour of zinc."""
AFTER_VALUE = 70
"""Characters between a value and its interval."""
LONGEST_INTERVAL = 60
"""Characters of an interval."""
LARGEST_RATIO = 1000
"""Larger numbers behind a ratio's name are lists or years."""
LARGEST_PERCENT = 100
"""The largest value of an accuracy in percent."""
SMALLEST_AUC = 0.4
"""The smallest area under a ROC curve; smaller areas are a drug's exposure."""
DIGIT = re.compile(r"\d")
"""As in: 0.79."""
HINTS = (
    "ratio", "risk", "differ", "hedges", "cohen", "curve", "index", "statistic", "kappa", "\u03ba", "coefficient",
    "correlation", "pearson", "spearman", "r =", "r=", "rho", "\u03c1", "rs =", "rs=", "beta", "\u03b2", "effect size",
    "needed to", "sensitivity", "auc", "auroc", "rg =",
)  # fmt: skip
"""Words of which every estimate has one; a quick check before the patterns."""
CAPITALS = ("HR", "OR", "RR", "PR", "MD", "RD", "ES", "ICC", "NNT")
"""Abbreviations of measures, for the same check."""


def all_effects(document: Document) -> list[tuple[Sentence, Finding]]:
    """Every estimate, in the order of the text."""
    sentences = filter(can_state_effect, document.sentences)
    return [(sentence, finding) for sentence in sentences for finding in effects_in(sentence)]


def can_state_effect(sentence: Sentence) -> bool:
    """Whether the sentence can state an estimate; a quick check before the slower patterns."""
    if sentence.role in {"background", "objective"} or not DIGIT.search(sentence.text):
        return False
    return any(hint in sentence.lower for hint in HINTS) or any(hint in sentence.text for hint in CAPITALS)


def effects_in(sentence: Sentence) -> Iterator[Finding]:
    """The estimates of one sentence."""
    done = 0
    patterns = [pattern for pattern in MEASURES if sentence.search(pattern)]
    while match := first_match(patterns, sentence.text, done):
        done = match.end()
        measure = measure_of(match)
        if measure is None:
            continue
        number = number_after(sentence, match)
        finding = estimate(sentence, measure, match, number) if number else None
        is_loose = match.group().lower().startswith("differen")  # only with an interval is it an estimate
        if finding is None or (is_loose and not (isinstance(finding.value, dict) and "low" in finding.value)):
            continue
        further = further_values(sentence, measure, patterns, end_in(sentence, finding))
        for estimated in (finding, *further):
            done = end_in(sentence, estimated)
            yield estimated


def end_in(sentence: Sentence, finding: Finding) -> int:
    """The offset in the sentence at which a finding ends."""
    return (finding.evidence[0].end or 0) - sentence.start


def further_values(
    sentence: Sentence, measure: str, patterns: Sequence[re.Pattern[str]], start: int
) -> Iterator[Finding]:
    """The values of the same measure that follow it without its name, each with its interval in brackets."""
    if measure not in RATIOS:
        return
    named = first_match(patterns, sentence.text, start)
    other = OTHER_MEASURE.search(sentence.text, start)
    end = min([match.start() for match in (named, other) if match] or [len(sentence.text)])
    for match in VALUE_WITH_INTERVAL.finditer(sentence.text, start, end):
        value, low, high = (decimal(match.group(name)) for name in ("value", "low", "high"))
        if low <= value <= high and is_possible(measure, value, is_percent=False):
            effect: dict[str, Value] = {"measure": measure, "value": plain_number(value), **limits(match)}
            yield Finding(effect, (sentence.evidence(sentence.start + match.start(), sentence.start + match.end()),))


def first_match(patterns: Sequence[re.Pattern[str]], text: str, start: int = 0) -> re.Match[str] | None:
    """The first match of any of these; where two begin alike, that of the first of them."""
    matches = (pattern.search(text, start) for pattern in patterns)
    return min(filter(None, matches), key=lambda match: match.start(), default=None)


def measure_of(match: re.Match[str]) -> str | None:
    """The measure that was matched; none for a word that only looks like its abbreviation."""
    name, _ = NAMES[int((match.lastgroup or "m0")[1:])]
    text = match.group()
    is_abbreviation = " " not in text and len(text) <= len(name) + 2
    bare = text.rstrip("s").lstrip("acsp")  # aHR is an adjusted HR, cOR a crude OR
    is_word = name in CASE_SENSITIVE and is_abbreviation and bare != bare.upper()
    return None if is_word or (name == "r" and text == "R") else name


def number_after(sentence: Sentence, match: re.Match[str]) -> re.Match[str] | None:
    """The number that belongs to the measure, close by or after ``was``."""
    for pattern in (SEPARATOR, FURTHER_ON, AFTER_COMMA):
        separator = pattern.match(sentence.text, match.end())
        number = NUMBER.match(sentence.text, separator.end()) if separator else None
        # the first end of an interval is no estimate
        if number and not INTERVAL.match(sentence.text, number.start()):
            return number
    return None


def estimate(sentence: Sentence, measure: str, name: re.Match[str], number: re.Match[str]) -> Finding | None:
    """The value with its interval; None if the number cannot be of this measure."""
    value = decimal(number.group("value"))
    if REFERENCE.match(sentence.text, number.end()):
        return None
    is_percent = bool(number.group("percent"))
    if not is_possible(measure, value, is_percent=is_percent):
        return None
    effect: dict[str, Value] = {"measure": measure, "value": plain_number(value)}
    interval = interval_after(sentence, number.end())
    end = number.end()
    if interval:
        effect |= limits(interval)
        end = interval.end()
    elif measure in RATIOS and is_other_abbreviation(sentence, name, number):
        return None
    start = name.start()
    if favours := favoured_treatment(sentence, start, end):
        effect["favours"] = favours.group("favoured").strip()
        start, end = min(start, favours.start()), max(end, favours.end())
    return Finding(effect, (sentence.evidence(sentence.start + start, sentence.start + end),))


def favoured_treatment(sentence: Sentence, start: int, end: int) -> re.Match[str] | None:
    """The treatment that the estimate favours: named behind it and before the next estimate, or before the first."""
    match = FAVOURS.search(sentence.text, end)
    if match and not first_match(MEASURES, sentence.text[: match.start()], end):
        return match
    before = FAVOURS.search(sentence.text, 0, start)
    return before if before and not INTERVAL.search(sentence.text, 0, start) else None


def direction(effect: Value) -> str | None:
    """Whether an estimate is lower or higher than no effect, or its interval includes none; None for accuracy."""
    if not isinstance(effect, dict) or effect.get("measure") in UNDIRECTED:
        return None
    neutral = 1 if effect.get("measure") in RATIOS else 0
    low, high, estimate = (effect.get(name, effect.get("value")) for name in ("low", "high", "value"))
    if not (isinstance(low, int | float) and isinstance(high, int | float) and isinstance(estimate, int | float)):
        return None
    if low <= neutral <= high and low != high:
        return "none"
    return "lower" if estimate < neutral else "higher" if estimate > neutral else "none"


def is_other_abbreviation(sentence: Sentence, name: re.Match[str], number: re.Match[str]) -> bool:
    """Whether a bare abbreviation of a ratio means something else: as HR is a heart rate."""
    if " " in name.group():
        return False
    return bool(OTHER_UNIT.match(sentence.text, number.end())) or not re.search(r"[.\u00b7]", number.group("value"))


def is_possible(measure: str, value: float, *, is_percent: bool) -> bool:
    """Whether the measure can have that value."""
    if measure in RATIOS:
        return 0 < value < LARGEST_RATIO and not is_percent
    if measure == "sensitivity":
        return is_percent and value <= LARGEST_PERCENT
    if measure == "AUC":
        share = value / LARGEST_PERCENT if is_percent and value > 1 else value
        return SMALLEST_AUC <= share <= 1
    if measure in {"r", "ICC", "kappa"}:
        return -1 <= value <= 1
    return True


def interval_after(sentence: Sentence, start: int) -> re.Match[str] | None:
    """The interval that follows a value before the next one does."""
    window = sentence.text[start : start + AFTER_VALUE + LONGEST_INTERVAL]
    bare = BARE_INTERVAL.match(window)
    if bare:
        return BARE_INTERVAL.match(sentence.text, start)
    interval = INTERVAL.search(sentence.text, start, start + AFTER_VALUE + LONGEST_INTERVAL)
    if interval is None or interval.start() - start > AFTER_VALUE:
        return None
    gap = sentence.text[start : interval.start()]
    # behind another measure, or in another sentence, it belongs to another value
    return None if first_match(MEASURES, gap) or re.search(r"[.;]\s+[A-Z]|\band\b", gap) else interval


def limits(interval: re.Match[str]) -> dict[str, Value]:
    """Both ends and the level, 95 where none is stated."""
    low, high = decimal(interval.group("low")), decimal(interval.group("high"))
    level = interval.groupdict().get("level")
    stated_level = plain_number(decimal(level)) if level else 95
    return {"low": plain_number(low), "high": plain_number(high), "level": stated_level}


def plain_number(number: float) -> int | float:
    """A whole number without the point."""
    return int(number) if number == int(number) else number
