"""Estimates with their intervals: HR, OR, RR, mean differences, coefficients, correlations, accuracy, percentages.

A number with an interval around it is an estimate, whatever it is of; its measure is the one named before it, or that
of the estimate before. Without an interval a number is an estimate where a measure is named right before it.
"""

import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

from biofact.literature.extraction.fields.field import Parts
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
    # As in: ratio of geometric means.
    Measure("ratio", r"(?<!hazard )(?<!hazards )(?<!odds )(?<!risk )(?<!rate )(?<!prevalence )\bratios?\b(?! of \d)"),
    # As in: relative risk.
    Measure("RR", r"(?:relative|risk) (?:risks?|ratios?)|\b[ap]?RRs?\b"),
    # As in: prevalence ratio.
    Measure("PR", r"prevalence ratios?|\ba?PRs?\b"),
    # As in: standardized mean difference.
    Measure(
        "SMD",
        r"standardi[sz]ed mean differences?|\bSMDs?\b|hedges['\u2019]? g"
        r"|(?<![\w.])[gd](?=\s?=\s?[-\u2212]?\d?[.\u00b7])|cohen['\u2019]?s? d|(?<=adjusted )g(?= of )",
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
BOUND_PARTS: Parts = MappingProxyType(
    {
        "low": "lower ci_low ci_lower lower_ci lower_bound lower_limit min",
        "high": "upper ci_high ci_upper upper_ci upper_bound upper_limit max",
        "level": "ci_level confidence_level",
    }
)
ESTIMATE_PARTS: Parts = MappingProxyType(
    {
        "value": "estimate point_estimate number size effect",
        "measure": "type metric name kind statistic",
        "favours": "favors in_favour_of in_favor_of",
        "direction": "effect_direction",
        **BOUND_PARTS,
    }
)
_MEASURES_BY_NAME: tuple[tuple[str, frozenset[str]], ...] = (
    (r"hazard|^a?hr(?:_|$)", frozenset(("HR",))),
    (r"odds|^a?or(?:_|$)", frozenset(("OR",))),
    (r"risk_ratio|relative_risk|^a?rr(?:_|$)", frozenset(("RR",))),
    (r"rate_ratio|^irr(?:_|$)", frozenset(("IRR", "rate ratio"))),
    (r"mean_diff", frozenset(("MD", "WMD", "SMD"))),
    (r"risk_diff", frozenset(("RD",))),
    (r"^auc(?:_|$)", frozenset(("AUC",))),
    (r"sensitivity", frozenset(("sensitivity",))),
    (r"correlation", frozenset(("r", "ICC"))),
)
MEASURES = tuple(re.compile(pattern, re.IGNORECASE) for _, pattern in NAMES)
"""One pattern for each, as a sentence is searched only for measures whose words it has. As in: hazard ratio."""
CASE_SENSITIVE = words("HR OR IRR RR PR SMD WMD MD RD ES AUC ICC NNT")
"""Measures whose abbreviation counts in capitals only: ``or`` and ``es`` are words."""
UNDIRECTED = frozenset(("AUC", "ICC", "kappa", "NNT", "sensitivity", "percentage", "estimate"))
"""Measures of accuracy, agreement and frequency, which favour no side."""
RATIOS = frozenset(("HR", "OR", "IRR", "rate ratio", "ratio", "RR", "PR"))
"""Measures for which 1 is no effect; for the others it is 0."""
LEVEL = r"(?P<level>\d{2}(?:[.·]\d)?)\s?[-\u2010\u2013]?(?:%|per ?cent)\s?[-\u2010]?\s?"
_DASHES = r"[-\u2013\u2014\u2010\u2011\u2212~]"
INTERVAL = re.compile(
    rf"(?i)(?:{LEVEL})?(?:two-sided |bootstrap |exact )?"
    rf"(?:(?:confidence|credib(?:le|ility)|prediction) (?:intervals?|limits?)|CIs?\b|C\.I\.|CrIs?\b|CL\b)"
    rf"(?:\s?[\[(]\s?(?:\d\d% ?)?C(?:r)?I\s?[\])])?\s?"
    rf"(?:,|:|=|;|of|was|were|from|ranged from|between)?\s?[\[({{]?\s?[€$£]?(?P<low>{DECIMAL})\s?%?\s?"
    rf"(?:,|;|\bto\b|\band\b|{_DASHES}|\.{{2,3}})\s?[€$£]?(?P<high>{DECIMAL})"
)
"""As in: 95% CI 0.52-1.05."""
_UNIT = r"\s?(?:%|per ?cent|percentage points?|[^\W\d_][\w/%.\u00b2\u00b7-]{0,14}(?:\s[^\W\d_][\w/%-]{0,10})?)"
BARE_INTERVAL = re.compile(
    rf"(?<![\w.])(?P<value>{DECIMAL})(?:{_UNIT})?\s?[\[(,;]\s?(?:{LEVEL})?(?P<low>{DECIMAL})\s?%?\s?"
    rf"(?:(?<![,;] )\bto\b|,|;|{_DASHES})\s?(?P<high>{DECIMAL})(?![\w%]|[.·]\d)"
)
"""As in: 0.94 (0.69-1.28; p = 0.69)."""
_SPREAD = re.compile(r"(?i)\b(?:median|range[ds]?|IQR|interquartile|quartiles?|aged?|mean(?! diff))\b")
"""Words before numbers in brackets that are no interval. As in: median 5 (3-8)"""
_VALUE = re.compile(rf"(?<![\w.])(?<![\w]-)(?<!\d[,/]){DECIMAL}(?![\d.]*[\u00b1])")
"""A number that can be an estimate. As in: -0.46"""
_DIFFERENCE = re.compile(
    r"(?i)\b(?:differ\w*|lower|higher|more|less|fewer|greater|longer|shorter|better|worse|by|fell|rose|gain\w*|loss"
    r"|increas\w*|decreas\w*|reduc\w*|improv\w*|declin\w*|chang\w*|points|heavier|lighter)\b"
)
"""Words that make a number with an interval a difference. As in: fell by 5.6 points."""
_RATIO_AGAIN = re.compile(r"(?i)\b(?:ratios?|odds|risks?|it|this|these|those|that|associat\w*|adjust\w*|attenuat\w*)\b")
"""Words of a further ratio of the kind before. As in: after adjustment it was"""
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
AFTER_VALUE = 90
"""Characters between a value and its interval."""
LARGEST_RATIO = 1000
"""Larger numbers behind a ratio's name are lists or years."""
LARGEST_PERCENT = 100
"""The largest value of an accuracy in percent."""
SMALLEST_AUC = 0.4
"""The smallest area under a ROC curve; smaller areas are a drug's exposure."""
MOST_ESTIMATES = 40
"""Estimates of one sentence that are read."""
DIGIT = re.compile(r"\d")
"""As in: 0.79."""
HINTS = (
    "ratio", "risk", "differ", "hedges", "cohen", "curve", "index", "statistic", "kappa", "\u03ba", "coefficient",
    "correlation", "pearson", "spearman", "r =", "r=", "rho", "\u03c1", "rs =", "rs=", "beta", "\u03b2", "effect size",
    "needed to", "sensitivity", "auc", "auroc", "rg =", "g =", "g=", "d =", "d=",
)  # fmt: skip
"""Words of which every estimate without an interval has one; a quick check before the patterns."""
CAPITALS = ("HR", "OR", "RR", "PR", "MD", "RD", "ES", "ICC", "NNT")
"""Abbreviations of measures, for the same check."""
_CAN_BE_INTERVAL = re.compile(
    r"(?i)\bc\.?(?:r?i|l)s?\b|%ci\b|interval|limits|\d[^\d(\[,;]{0,24}[\[(,;]\s?[-\u2212\u2013+]?\s?\d*[.\u00b7]?\d"
)
"""As in: 0.94 (0.69."""


class _Name(NamedTuple):
    """A measure named in a sentence; offsets are those of the sentence."""

    measure: str
    start: int
    end: int


class _Interval(NamedTuple):
    """A value with its interval."""

    value: re.Match[str]
    interval: re.Match[str]

    @property
    def start(self) -> int:
        """The offset of the value."""
        return self.value.start("value") if self.value is self.interval else self.value.start()

    @property
    def value_end(self) -> int:
        """The offset behind the value."""
        return self.value.end("value") if self.value is self.interval else self.value.end()

    @property
    def number(self) -> float:
        """The value."""
        return decimal(self.value["value"] if self.value is self.interval else self.value[0])


class _Estimate(NamedTuple):
    """An estimate, and where it stands in its sentence."""

    start: int
    end: int
    measure: str
    value: float
    interval: re.Match[str] | None


def all_effects(document: Document) -> list[tuple[Sentence, Finding]]:
    """Every estimate, in the order of the text."""
    found: list[tuple[Sentence, Finding]] = []
    ratio = ""
    for sentence in document.sentences:
        if sentence.role in {"background", "objective"} or not DIGIT.search(sentence.text):
            continue
        for estimate in estimates_in(sentence, ratio):
            ratio = estimate.measure if estimate.measure in RATIOS else ratio
            found.append((sentence, _finding(sentence, estimate)))
    return found


def estimates_in(sentence: Sentence, ratio: str) -> list[_Estimate]:
    """The estimates of one sentence; ``ratio`` is the last one named before it, if any."""
    text = sentence.text
    names = list(_names_in(sentence)) if _can_name_measure(sentence) else []
    estimates: list[_Estimate] = []
    for pair in _intervals_in(text, names, is_ratio_known=bool(ratio)) if _CAN_BE_INTERVAL.search(text) else ():
        before = estimates[-1] if estimates else None
        if before is None or pair.start >= before.end:
            estimates.append(_with_measure(text, pair, names, before, ratio))
        if len(estimates) == MOST_ESTIMATES:
            break
    alone = [estimate for name in names if (estimate := _without_interval(sentence, name, estimates))]
    firsts = {estimate.start: estimate for estimate in reversed((*estimates, *alone))}  # one number, two names
    return [firsts[start] for start in sorted(firsts)][:MOST_ESTIMATES]


def _can_name_measure(sentence: Sentence) -> bool:
    """A quick check before the slower patterns."""
    return any(hint in sentence.lower for hint in HINTS) or any(hint in sentence.text for hint in CAPITALS)


def _names_in(sentence: Sentence) -> Iterator[_Name]:
    """The measures that a sentence names, each place once."""
    found = [
        (match.start(), place, match) for place, pattern in enumerate(MEASURES) for match in sentence.matches(pattern)
    ]
    end = 0
    for start, place, match in sorted(found, key=lambda entry: entry[:2]):
        if start >= end and (measure := _measure_of(NAMES[place].name, match[0])):
            end = match.end()
            yield _Name(measure, start, end)


def _measure_of(name: str, text: str) -> str | None:
    """The measure that was matched; none for a word that only looks like its abbreviation."""
    is_abbreviation = " " not in text and len(text) <= len(name) + 2
    bare = text.rstrip("s").lstrip("acsp")  # aHR is an adjusted HR, cOR a crude OR
    is_word = name in CASE_SENSITIVE and is_abbreviation and bare != bare.upper()
    return None if is_word or (name == "r" and text == "R") else name


def _intervals_in(text: str, names: Iterable[_Name], *, is_ratio_known: bool) -> list[_Interval]:
    """The intervals with such a word, and those right behind a value where a measure has been named."""
    found = [
        _Interval(value, interval)
        for interval in INTERVAL.finditer(text)
        if (value := _value_before(text, interval)) is not None
    ]
    first_name = min((name.start for name in names), default=len(text))
    taken = [(pair.start, pair.interval.end()) for pair in found]
    for match in BARE_INTERVAL.finditer(text):
        is_free = all(match.end() <= start or match.start() >= end for start, end in taken)
        is_known = first_name < match.start() or any(end <= match.start() for _, end in taken) or is_ratio_known
        if is_free and is_known and _is_around(decimal(match["value"]), match) and _is_estimate(text, match, names):
            found.append(_Interval(match, match))
    return sorted(found, key=lambda pair: pair.start)


def _value_before(text: str, interval: re.Match[str]) -> re.Match[str] | None:
    """The nearest number before an interval that is within it, or is so with the other sign: 5 lower (-9 to -1)."""
    values = [*_VALUE.finditer(text, max(0, interval.start() - AFTER_VALUE), interval.start())]
    return next((value for value in reversed(values) if _is_around(decimal(value[0]), interval)), None)


def _is_around(value: float, interval: re.Match[str]) -> bool:
    low, high = sorted((decimal(interval["low"]), decimal(interval["high"])))
    return low < high and (low <= value <= high or low <= -value <= high)


def _is_estimate(text: str, match: re.Match[str], names: Iterable[_Name]) -> bool:
    """Whether a number with two in brackets is no average with a spread, behind the last name of a measure."""
    start = max((name.end for name in names if name.end <= match.start()), default=0)
    words_before = text[max(start, match.start() - AFTER_VALUE) : match.start()]
    return not _SPREAD.search(words_before) and ("." in match["value"] or "." in match["low"])


def _with_measure(
    text: str, pair: _Interval, names: Iterable[_Name], before: _Estimate | None, ratio: str
) -> _Estimate:
    """An estimate by the measure named before it, else that of the one before, else by the words around it."""
    done = before.end if before else 0
    own = [name for name in names if done <= name.start and name.end <= pair.start]
    unit = text[pair.value_end : pair.value_end + 20].lstrip()
    is_percent = unit.startswith(("%", "per cent", "percent"))
    low = decimal(pair.interval["low"])
    start, measure = pair.start, ""
    if own and is_possible(own[-1].measure, pair.number, is_percent=is_percent):
        start, measure = own[-1].start, own[-1].measure
    elif (
        before is not None
        and is_possible(before.measure, pair.number, is_percent=is_percent)
        and not unit[:1].isalpha()
    ):
        measure = before.measure
    gap = text[done : pair.start]
    if not measure and ratio and not is_percent and low > 0 and not unit[:1].isalpha() and _RATIO_AGAIN.search(gap):
        measure = ratio
    if not measure:
        is_difference = _DIFFERENCE.search(text, done, pair.interval.end()) is not None
        measure = ("RD" if is_percent else "MD") if is_difference else "percentage" if is_percent else "estimate"
    return _Estimate(start, pair.interval.end(), measure, pair.number, pair.interval)


def _without_interval(sentence: Sentence, name: _Name, estimates: Iterable[_Estimate]) -> _Estimate | None:
    """The number right behind a measure's name, where it is in no estimate yet."""
    number = _number_after(sentence.text, name)
    if number is None or any(estimate.start <= number.start() < estimate.end for estimate in estimates):
        return None
    value, is_percent = decimal(number["value"]), bool(number["percent"])
    if REFERENCE.match(sentence.text, number.end()) or not is_possible(name.measure, value, is_percent=is_percent):
        return None
    is_loose = sentence.text[name.start : name.end].lower().startswith(("differen", "ratio"))
    is_other = name.measure in RATIOS and is_other_abbreviation(sentence.text, name, number)
    return None if is_loose or is_other else _Estimate(name.start, number.end(), name.measure, value, None)


def _number_after(text: str, name: _Name) -> re.Match[str] | None:
    """The number that belongs to the measure, close by or after ``was``."""
    for pattern in (SEPARATOR, FURTHER_ON, AFTER_COMMA):
        separator = pattern.match(text, name.end)
        number = NUMBER.match(text, separator.end()) if separator else None
        # the first end of an interval is no estimate
        if number and not INTERVAL.match(text, number.start()):
            return number
    return None


def is_other_abbreviation(text: str, name: _Name, number: re.Match[str]) -> bool:
    """Whether a bare abbreviation of a ratio means something else: as HR is a heart rate."""
    if " " in text[name.start : name.end]:
        return False
    return bool(OTHER_UNIT.match(text, number.end())) or not re.search(r"[.\u00b7]", number["value"])


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


def _finding(sentence: Sentence, estimate: _Estimate) -> Finding:
    """An estimate on the words from its measure to its interval, and on what it favours."""
    effect: dict[str, Value] = {"measure": estimate.measure, "value": plain_number(estimate.value)}
    if estimate.interval:
        effect |= limits(estimate.interval)
    start, end = estimate.start, estimate.end
    if favours := favoured_treatment(sentence, start, end):
        effect["favours"] = favours["favoured"].strip()
        start, end = min(start, favours.start()), max(end, favours.end())
    return Finding(effect, (sentence.evidence(sentence.start + start, sentence.start + end),))


def favoured_treatment(sentence: Sentence, start: int, end: int) -> re.Match[str] | None:
    """The treatment that the estimate favours: named behind it and before the next estimate, or before the first."""
    if "favo" not in sentence.lower:
        return None
    match = FAVOURS.search(sentence.text, end)
    if match and not any(pattern.search(sentence.text, end, match.start()) for pattern in MEASURES):
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


def fits_measure(name: str, effect: Any) -> bool:
    """Whether an effect has the measure that a schema's name asks for: ``hazard_ratio`` takes no odds ratio."""
    measures = next((measures for pattern, measures in _MEASURES_BY_NAME if re.search(pattern, name)), None)
    measure = effect.get("measure") if isinstance(effect, dict) else None
    return measures is None or measure is None or measure in measures


def of_measure(name: str, finding: Finding) -> Iterator[Finding]:
    """The finding, where it has the measure that a schema's name asks for."""
    if fits_measure(name, finding.value):
        yield finding


def limits(interval: re.Match[str]) -> dict[str, Value]:
    """Both ends and the level, 95 where none is stated."""
    low, high = decimal(interval.group("low")), decimal(interval.group("high"))
    level = interval.groupdict().get("level")
    stated_level = plain_number(decimal(level)) if level else 95
    return {"low": plain_number(low), "high": plain_number(high), "level": stated_level}


def plain_number(number: float) -> int | float:
    """A whole number without the point."""
    return int(number) if number == int(number) else number
