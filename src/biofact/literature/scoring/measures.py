"""What measures of effect are: ratios, standardised or plain differences, correlations. Pure; loads no numpy."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Scale = Literal["ratio", "standardised", "correlation", "difference"]

_RATIO = re.compile(
    r"(?i:\b(?:(?:hazards?|odds|risk|rate|prevalence) )?ratios?\b|\brelative risks?\b)|\b[acs]?(?:HR|OR|RR|IRR|PR)s?\b"
)
"""As in: hazard ratio."""
_STANDARDISED = re.compile(
    r"(?i:\b(?:standardi[sz]ed mean differences?|cohen\W?s? d|hedges\W{0,2}g|effect sizes?)\b)|\b(?:SMDs?|ES)\b"
)
"""As in: SMD."""
_CORRELATION = re.compile(r"(?i:\b(?:correlations?|pearson|spearman|rho)\b)|\br\b")
"""As in: Pearson's r."""
_DIFFERENCE = re.compile(r"(?i:\b(?:differences?|beta)\b)|\b(?:W?MDs?|RDs?)\b|\u03b2")
"""As in: mean difference."""
_NO_EFFECT = re.compile(r"(?i)\b(?:AUC|sensitivity|specificity|kappa|ICC|NNT|numbers? needed)\b")
"""Measures of agreement and accuracy, and what is not symmetric about any value of no effect."""
_RATIO_NAME = re.compile(
    r"(?:hazards?|odds|risk|rate|prevalence)_ratio|relative_risk|^(?:adjusted_|a)?(?:hr|or|rr|irr)(?:_value|_estimate)?$"
)
"""As in: hazard_ratio."""
_EFFECT_NAME = re.compile(r"(?:^|_)effects?(?:_|$)")
"""As in: effect_size."""
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d+)?|\.\d+)")
"""As in: 0.74."""
_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00b7": "."})


def scale_of(measure: str) -> Scale | None:
    """What kind of number a measure is; None for one that says nothing of an effect."""
    if _NO_EFFECT.search(measure):
        return None
    for pattern, scale in ((_RATIO, "ratio"), (_STANDARDISED, "standardised"), (_CORRELATION, "correlation")):
        if pattern.search(measure):
            return scale  # type: ignore[return-value]  # one of the literals above
    return "difference"


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
    """The features with the measure that its quote names beside each effect that is a number alone."""
    named = {
        name: {"measure": measure, "value": value}
        for name, value in features.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and is_effect_name(name)
        if (measure := next((found for quote in quotes.get(name, ()) if (found := measure_in(quote))), ""))
    }
    return {**features, **named} if named else features


def measure_in(text: str) -> str:
    """The measure that a text names; empty for none."""
    found = (pattern.search(text) for pattern in (_RATIO, _STANDARDISED, _CORRELATION, _DIFFERENCE, _NO_EFFECT))
    return next((match.group() for match in found if match), "")


def measure_and_number(text: str) -> tuple[str, str]:
    """The measure that a text names, and the first number behind it: HR 0.74 (95% CI 0.52-1.05)."""
    plain = text.translate(_SIGNS)
    for pattern in (_RATIO, _STANDARDISED, _CORRELATION):
        name = pattern.search(plain)
        found = _NUMBER.search(plain, name.end()) if name else None
        if name and found:
            return name.group(), found.group()
    return "", text
