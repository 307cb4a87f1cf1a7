"""Names of fields, features and functions as people read them. Pure."""

import re
from collections.abc import Mapping

_KNOWN = {
    "goal_relevance": "Relevance to the goal",
    "study_type": "Study type",
    "sample_size": "Sample size",
    "p_value": "P value",
    "follow_up": "Follow-up",
    "effect_size": "Effect",
    "confidence_interval": "Confidence interval",
    "registration": "Registration",
    "n": "n",
    "weighted_sum": "weighted sum",
    "boost_recent": "recent",
    "boost_high_impact": "impact",
    "prefer_review_articles": "review",
    "total_score": "total score",
}
_MEASURES = {
    "HR": "Hazard ratio",
    "OR": "Odds ratio",
    "IRR": "Incidence rate ratio",
    "rate ratio": "Rate ratio",
    "RR": "Risk ratio",
    "PR": "Prevalence ratio",
    "SMD": "Standardised mean difference",
    "WMD": "Weighted mean difference",
    "MD": "Mean difference",
    "RD": "Risk difference",
    "AUC": "Area under the curve",
    "ICC": "Intraclass correlation",
    "kappa": "Kappa",
    "r": "Correlation",
    "beta": "Regression coefficient",
    "ES": "Effect size",
    "NNT": "Number needed to treat",
    "sensitivity": "Sensitivity",
}
_CAPITALS = {"id", "n", "ci", "hr", "or", "rr", "mri", "ct", "auc", "bmi", "rct", "dna", "rna", "ai"}
_BREAKS = re.compile(r"[_\s]+")
_BEGINNING = re.compile(r"([a-z][a-z0-9_]{2,40}): ")
_IN_TEXT = re.compile(r"\b(?:[a-z]+(?:_[a-z0-9]+)+)\b")


def field_label(name: str) -> str:
    """``study_type`` as "Study type", ``effect.value`` as "Effect: value"; names in words stay as they are."""
    if name in _KNOWN:
        return _KNOWN[name]
    if "." in name:
        first, _, rest = name.partition(".")
        return f"{field_label(first)}: {field_label(rest).lower()}"
    words = [word.upper() if word in _CAPITALS - {"or"} else word for word in _BREAKS.split(name) if word]
    joined = " ".join(words) or name
    return joined[:1].upper() + joined[1:]


def weights_in_words(method: str, shares: Mapping[str, float]) -> str:
    """What a total is made of, such as "weighted_sum of Study type 40%, Sample size 25%"."""
    parts = (f"{field_label(name)} {100 * share:.3g}%" for name, share in shares.items() if share)
    return f"{method} of {', '.join(parts)}"


def measure_label(measure: str) -> str:
    """``HR`` as "Hazard ratio"; a measure that is not known stays as it is written."""
    return _MEASURES.get(measure, measure[:1].upper() + measure[1:])


def sentence_with_labels(text: str) -> str:
    """A sentence with names of fields as words: the one that it begins with, as ``registration: missing``, and known
    ones within, such as ``weighted_sum of sample_size``.
    """
    name = _BEGINNING.match(text)
    if name:
        text = f"{field_label(name[1])}{text[name.end(1) :]}"
    return _IN_TEXT.sub(lambda match: _KNOWN.get(match[0], match[0]), text)
