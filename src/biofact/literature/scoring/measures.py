"""Measures of effect: ratios, standardised or plain differences, correlations. Pure; loads no numpy."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Scale = Literal["ratio", "standardised", "correlation", "difference"]

_RATIO = re.compile(
    r"(?i:\b(?:(?:hazards?|odds|risk|rate|prevalence) )?ratios?\b|\brelative risks?\b)|\b[acs]?(?:HR|OR|RR|IRR|PR)s?\b"
)
"""Ratios, such as hazard ratio 0.74."""
_STANDARDISED_DIFFERENCE = re.compile(
    r"(?i:\b(?:standardi[sz]ed mean differences?|cohen\W?s? d|hedges\W{0,2}g|effect sizes?)\b)|\b(?:SMDs?|ES)\b"
)
"""Standardised mean differences, such as SMD 0.4."""
_CORRELATION = re.compile(r"(?i:\b(?:correlations?|pearson|spearman|rho)\b)|\br\b")
"""Correlations, such as Pearson's r."""
_SCALES: tuple[tuple[re.Pattern[str], Scale], ...] = (
    (_RATIO, "ratio"),
    (_STANDARDISED_DIFFERENCE, "standardised"),
    (_CORRELATION, "correlation"),
)
_DIFFERENCE = re.compile(r"(?i:\b(?:differences?|beta)\b)|\b(?:W?MDs?|RDs?)\b|\u03b2")
"""Differences, such as mean difference 1.2."""
_NO_EFFECT = re.compile(r"(?i)\b(?:AUC|sensitivity|specificity|kappa|ICC|NNT|numbers? needed)\b")
"""Measures of agreement and accuracy, and measures without a symmetric value of no effect."""
_RATIO_NAME = re.compile(
    r"(?:hazards?|odds|risk|rate|prevalence)_ratio|relative_risk|^(?:adjusted_|a)?(?:hr|or|rr|irr)(?:_value|_estimate)?$"
)
"""Feature names of ratios, such as hazard_ratio."""
_EFFECT_NAME = re.compile(r"(?:^|_)effects?(?:_|$)")
"""Feature names of effects, such as effect_size."""
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d+)?|\.\d+)")
"""A decimal number, such as 0.74."""
SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00b7": "."})


def scale_of(measure: str) -> Scale | None:
    """The scale of a measure; None for one of accuracy or agreement."""
    if _NO_EFFECT.search(measure):
        return None
    return next((scale for pattern, scale in _SCALES if pattern.search(measure)), "difference")


def is_ratio_name(feature: str) -> bool:
    """Whether a feature's own name says that its numbers are ratios."""
    return _RATIO_NAME.search(re.sub(r"[^a-z0-9]+", "_", feature.lower())) is not None


def is_effect_name(feature: str) -> bool:
    """Whether a feature's own name says that it is an effect."""
    return _EFFECT_NAME.search(feature.lower()) is not None


def has_measure(value: Any) -> bool:
    """Whether a value is an object that names its measure."""
    return isinstance(value, Mapping) and bool(value.get("measure")) and "value" in value


def with_measures(features: Mapping[str, Any], quotes: Mapping[str, Sequence[str]]) -> Mapping[str, Any]:
    """The features, with the measure from its quote beside each effect that is a number alone."""
    effects = {
        name: {"measure": measure, "value": value}
        for name, value in features.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and is_effect_name(name)
        if (measure := next(filter(None, map(measure_in, quotes.get(name, ()))), ""))
    }
    return {**features, **effects} if effects else features


def measure_in(text: str) -> str:
    """The measure that a text names; empty for none."""
    patterns = (*(pattern for pattern, _ in _SCALES), _DIFFERENCE, _NO_EFFECT)
    return next((match.group() for pattern in patterns if (match := pattern.search(text))), "")


def measure_and_number(text: str) -> tuple[str, str]:
    """The measure and the first number after it in a text: HR and 0.74 of HR 0.74 (95% CI 0.52-1.05)."""
    plain = text.translate(SIGNS)
    for pattern, _ in _SCALES:
        name = pattern.search(plain)
        number = _NUMBER.search(plain, name.end()) if name else None
        if name and number:
            return name.group(), number.group()
    return "", text
