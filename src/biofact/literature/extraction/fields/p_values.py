"""P-values of results, with operator and number; not the thresholds that methods name."""

import re
from collections.abc import Iterator, Mapping

from biofact.literature.extraction.findings import Finding, Value
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.numbers import POWER

OPERATOR = (
    r"(?:<\s?(?:or|/)\s?=|>\s?(?:or|/)\s?=|<=|>=|≤|≥|⩽|⩾|≦|<|>|=|≈|~|&lt;|&gt;|(?:was |were |of )?"
    r"(?:less than or equal to|less than|lower than|greater than|more than|equal to|equals|below|above)|\bwas\b"
    r"|\bof\b|:)"
)
NUMBER = rf"(?:0,\d{{2,6}}|\d(?:[.·]\d{{1,12}})?|[.·]\d{{1,12}})(?:{POWER})?"
_OF_TEST = (
    r"(?:for[- ](?:[\w-]+[- ]?){1,3}|trends?|interaction|int|heterogeneity|adj(?:usted)?|corr(?:ected)?|fdr|bonferroni"
    r"|linear|overall|one-sided|two-sided|two-tailed|nominal|non-?inferiority|superiority|meta|combined|log-?rank"
    r"|an?c?ova|(?-i:[A-Z]{2,8}))"
)
"""The test that a p-value is of. As in: P for trend = 0.02, pANOVA < 0.01."""
P_VALUE = re.compile(
    rf"(?i)(?<![\w.])p['\u2019s]{{0,2}}(?P<word>[-\u2010\u2011\u2013\s]?val(?:ue)?s?)?"
    rf"(?:[-_\s]?(?:\(|\[)?\s?{_OF_TEST}\s?[)\]]?)?\s?,?\s?(?P<operator>{OPERATOR}|(?(word)(?=[\s(]\s?[01]?[.·,]\d)|(?!)))"
    rf"\s?\(?(?P<number>{NUMBER})(?P<percent>\s?%)?"
)
"""As in: p < 0.05."""
NEXT_NUMBER = re.compile(
    rf"(?i)\s?(?:,|;|,? and|,? or)\s?(?P<operator>{OPERATOR})?\s?(?P<number>(?:0?[.·]\d{{1,12}})(?:{POWER})?)"
    rf"(?![\d%]|\s?(?:to|[-\u2013])\s?\d)"
)
"""A further number after the same p.

As in: p = 0.03 and 0.04, respectively.
"""
THRESHOLD = re.compile(
    r"(?i)\b(?:consider|defin|regard|accept|deem|set|taken|establish|declar|judg)\w*\b[^.]{0,60}\bsignifican"
    r"|\bsignifican(?:ce|t)\b[^.]{0,60}\b(?:was|were|is|level)\b[^.]{0,30}\b"
    r"(?:set|defined|considered|accepted|established|declared|determined|assumed|fixed|at|as)\b|\b"
    r"(?:significance|alpha) (?:level|threshold)|\bthreshold\b|\bcut-?offs?\b|\bfiltered\b|\b(?:was|were|is) "
    r"(?:considered|regarded|deemed|accepted|taken|defined) (?:to be |as )?(?:statistically )?signific|\b"
    r"(?:entered|retained|included) (?:in|into) (?:the |a )?(?:multivari|model|logistic|regression)|\bsnps? "
    r"(?:with|at|associated)\b[^.]{0,40}\bp\s?<\s?5\s?[\u00d7x]|\bcriterion\b"
)
"""As in: p < 0.05 was considered significant."""
P_THEN_DIGIT = re.compile(r"(?<![\w.])[pP]['\u2019s(_-]?.{0,40}?\d")
"""As in: p = 0.03."""
GENOME_WIDE = 5e-8
"""The bound of genome-wide studies: p < 5e-8."""
SIGNIFICANT = 0.05
CONVENTIONAL_BOUNDS = frozenset((0.05, 0.01, 0.1, 0.2, 0.001))
"""Bounds that methods set: p < 0.05."""
NOT_SIGNIFICANT = re.compile(
    r"(?i)\b(?:no|not|without|neither|nor)\b[^.,;]{0,40}\bsignifican|\bnon-?significant|\binsignificant"
)
"""As in: no significant difference."""
STATED_SIGNIFICANT = re.compile(
    r"(?i)\bstatistical(?:ly)? significan(?:t|ce)\b"
    r"|\bsignificantly (?:more|less|higher|lower|better|worse|greater|longer|shorter|fewer|smaller|larger)\b"
    r"|\bsignificantly (?:reduced|increased|improved|decreased|associated|correlated|differen\w+)\b"
    r"|\bsignificant (?:differences?|associations?|correlations?|reductions?|increases?|improvements?|decreases?)\b"
)
"""As in: significantly reduced."""


def all_p_values(document: Document) -> list[tuple[Sentence, Finding]]:
    """Every p-value stated for a result, in the order of the text."""
    sentences = filter(can_state_p_value, document.sentences)
    return [(sentence, finding) for sentence in sentences for finding in p_values_in(sentence)]


def can_state_p_value(sentence: Sentence) -> bool:
    """Whether the sentence can state the p-value of a result."""
    if sentence.role in {"background", "objective", "limitations"} or not P_THEN_DIGIT.search(sentence.text):
        return False
    return not sentence.search(THRESHOLD)


def p_values_in(sentence: Sentence) -> Iterator[Finding]:
    """The p-values of one sentence."""
    done = 0
    while match := P_VALUE.search(sentence.text, done):
        done = match.end()
        first = p_value_finding(sentence, match, match)
        if first is None or (sentence.role in {"methods", "participants"} and is_bound(first)):
            continue
        yield first
        while "respectively" in sentence.text and (next_number := NEXT_NUMBER.match(sentence.text, done)):
            next_finding = p_value_finding(sentence, next_number, match)
            if next_finding is None or P_VALUE.match(sentence.text, next_number.start("number")):
                break
            done = next_number.end()
            yield next_finding


def is_bound(finding: Finding) -> bool:
    """Whether it is an upper bound; in methods that is a threshold, not a result."""
    value = finding.value
    return isinstance(value, dict) and value["operator"] in {"<", "<="} and value["value"] in CONVENTIONAL_BOUNDS


def p_value_finding(sentence: Sentence, number: re.Match[str], first: re.Match[str]) -> Finding | None:
    """The p-value of a match; None if the number cannot be one."""
    value = parse_number(number.group("number"))
    sign = operator_sign(number.group("operator") or first.group("operator"))
    if first.group("percent") or not 0 <= value <= 1 or (sign == "<" and value == GENOME_WIDE):
        return None
    if value == 0 and sign != "=":
        return None
    evidence = sentence.evidence(sentence.start + number.start(), sentence.start + number.end())
    return Finding({"operator": sign, "value": value, "text": number.group().strip()}, (evidence,))


def operator_sign(text: str) -> str:
    """One of ``<``, ``<=``, ``=``, ``>=``, ``>``."""
    lower = text.lower() or "="
    is_less = (
        "<" in lower or "less" in lower or "lower" in lower or "below" in lower or "&lt" in lower or lower in "≤⩽≦"
    )
    is_more = (
        ">" in lower or "greater" in lower or "more" in lower or "above" in lower or "&gt" in lower or lower in "≥⩾"
    )
    is_equal = "=" in lower or "equal to" in lower or lower in "≤⩽≦≥⩾" or "/" in lower
    if is_less or is_more:
        return ("<" if is_less else ">") + ("=" if is_equal else "")
    return "="


def parse_number(text: str) -> float:
    """The number, with its power of ten."""
    match = re.match(r"[\d.,·]+", text)
    digits = (match.group() if match else "0").replace(",", ".").replace("·", ".").rstrip(".")
    power = re.search(POWER, text)
    exponent = (power.group(1) or power.group(2)) if power else "0"
    return float(f"{digits}e-{exponent}")


def significance(p_value: Mapping[str, Value]) -> bool | None:
    """Whether a p-value is below 0.05; None if either is possible."""
    sign, value = p_value.get("operator"), p_value.get("value")
    if not isinstance(value, float):
        return None
    is_below = value < SIGNIFICANT or (sign == "<" and value <= SIGNIFICANT)
    if sign in {"<", "<="} and not is_below:
        return None  # below a bound that is itself above 0.05: either is possible
    return is_below and sign not in {">", ">="}
