"""Features and criteria to totals: each feature scored, brought into 0-1 and weighed. Pure.

Definitions in docs/scoring.md.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from biofact.literature.choices import ScoringMethod
from biofact.literature.scoring.criteria import Function, Normalization, Presence, ScoringCriteria
from biofact.literature.scoring.functions import Column, column
from biofact.literature.scoring.scores import CorrelationSums, Scores
from biofact.literature.scoring.values import Array, Mask, ValueCounts

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

NEUTRAL_SCORE = 0.5
"""The score of a number that all articles share, so that there is nothing to compare."""

_ROOT_OF_TWO = math.sqrt(2.0)


@dataclass(frozen=True, slots=True)
class Spread:
    """Statistics over all articles that the normalisation of one score needs."""

    lowest: float
    highest: float
    mean: float = 0.0
    """The mean of the scores divided by ``size``, as is ``deviation``; both are for z_score alone."""
    deviation: float = 0.0

    @property
    def size(self) -> float:
        """The largest score without its sign."""
        return max(abs(self.lowest), abs(self.highest))

    @property
    def is_flat(self) -> bool:
        """Whether all articles have the same score."""
        return self.lowest == self.highest


def spread_of(scores: Array, method: Normalization) -> Spread | None:
    """The spread of the scores of all articles; None if no score is known, or no spread needed."""
    if method == "z_score":
        return spread(ValueCounts.of(scores), method)
    if method == "none" or np.isnan(scores).all():
        return None
    return Spread(float(np.nanmin(scores)), float(np.nanmax(scores)))


def spread(scores: ValueCounts, method: Normalization) -> Spread | None:
    """The spread of counted scores."""
    if method == "none" or not len(scores):
        return None
    bounds = Spread(float(scores.values[0]), float(scores.values[-1]))
    if method == "min_max" or bounds.is_flat:
        return bounds
    scaled = scores.mapped(lambda values: values / bounds.size)
    return Spread(bounds.lowest, bounds.highest, scaled.mean(), scaled.deviation())


def normalised(scores: Array, function: Function, method: Normalization, spread_of_all: Spread | None) -> Array:
    """Scores in 0-1 by the spread of those of all articles; NaN stays. ``scores`` may be written over."""
    if method == "none":
        return np.clip(scores, 0.0, 1.0)
    if spread_of_all is None:
        return scores
    if spread_of_all.is_flat:
        return scores * 0.0 + _constant(function, spread_of_all.lowest)
    # before subtracting, so that no difference overflows; in place, since new pages of memory cost more
    scores /= spread_of_all.size
    return _min_max(scores, spread_of_all) if method == "min_max" else _z_score(scores, spread_of_all)


def normalise(feature: str, column: Column, method: Normalization, messages: list[str]) -> Array:
    """The scores of all articles in 0-1; NaN stays where the feature is missing."""
    scores, function = column.scores, column.function
    spread_of_all = spread_of(scores, method)
    if method == "none":
        outside_count = int(np.count_nonzero((scores < 0) | (scores > 1)))
        messages += cut_message(feature, function, outside_count, len(scores))
    messages += flat_message(feature, function, spread_of_all, len(scores))
    return normalised(scores, function, method, spread_of_all)


def _min_max(scores: Array, spread_of_all: Spread) -> Array:
    lowest, highest = spread_of_all.lowest / spread_of_all.size, spread_of_all.highest / spread_of_all.size
    if lowest == highest:  # the difference is lost in the division
        return scores * 0.0 + NEUTRAL_SCORE
    scores -= lowest
    scores /= highest - lowest
    return np.clip(scores, 0.0, 1.0, out=scores)


def _z_score(scores: Array, spread_of_all: Spread) -> Array:
    """Standard scores through the normal distribution: 0.5 for the mean, 0.84 one standard deviation above."""
    if spread_of_all.deviation == 0:
        return scores * 0.0 + NEUTRAL_SCORE
    standard = (scores - spread_of_all.mean) / (spread_of_all.deviation * _ROOT_OF_TWO)
    return 0.5 + 0.5 * np.fromiter(map(math.erf, standard.tolist()), np.float64, len(standard))


def _constant(function: Function, value: float) -> float:
    """A bounded score stays what it is; an unbounded one carries no information and gets the middle."""
    return min(max(value, 0.0), 1.0) if function.is_bounded else NEUTRAL_SCORE


def flat_message(feature: str, function: Function, spread_of_all: Spread | None, article_count: int) -> list[str]:
    """A message that all articles have the same score, if there are several."""
    if spread_of_all is None or not spread_of_all.is_flat or article_count <= 1:
        return []
    neutral = _constant(function, spread_of_all.lowest)
    reason = "its own score" if function.is_bounded else "the middle, for it tells no two articles apart"
    return [f"{feature}: all articles that state it have the same value; it scores {neutral:g}, {reason}."]


def cut_message(feature: str, function: Function, outside_count: int, score_count: int) -> list[str]:
    """A message with the number of scores cut to 0-1, without normalisation."""
    if not outside_count:
        return []
    remedy = "give low and high" if "low" in type(function).model_fields else "use min_max"
    cut = f"{outside_count:,} of {score_count:,} scores of {function.name} lay outside 0-1 and were cut to it"
    return [f"{feature}: {cut}, as nothing was normalised; {remedy} to keep them apart."]


FLOOR = 0.1
"""Added to every score under the geometric mean, so that a single 0 weighs heavily without deciding alone."""

_DIGITS = 12
"""Digits of a total, so that articles that differ in the last bits only are equal."""


def score_articles(
    features: Sequence[Mapping[str, Any]],
    criteria: ScoringCriteria,
    method: ScoringMethod,
    model: "TrainedModel | None",
) -> Scores:
    """Every article with its total, and messages about them."""
    messages: list[str] = []
    if idle := [repr(feature) for feature in criteria.scoring_functions if feature not in criteria.weights]:
        verb = "has a scoring function but no weight and does"
        verbs = "have scoring functions but no weights and do"
        messages.append(f"{', '.join(idle)} {verb if len(idle) == 1 else verbs} not count.")
    shares = criteria.shares
    by_feature: dict[str, Array] = {}
    missing: dict[str, Mask] = {}
    not_stated: dict[str, Mask] = {}
    for feature in shares:
        raw = column(feature, _values(feature, features), criteria.function(feature))
        messages += raw.messages
        scores = normalise(feature, raw, criteria.normalization_method, messages)
        missing[feature] = np.isnan(scores)
        scores[missing[feature]] = 0.0
        is_presence = isinstance(raw.function, Presence)  # which scores 0 where others score nothing
        not_stated[feature] = missing[feature] | (scores == 0) if is_presence else missing[feature]
        by_feature[feature] = scores
    shares = stated_shares(shares, {feature for feature, mask in missing.items() if mask.all()})
    other_features = (
        name for article_features in features for name in article_features if name not in criteria.weights
    )
    messages += missing_messages(_counts(missing), _counts(not_stated), len(features), criteria, other_features)
    if method == "ml_model":
        total = _rounded(_model_probabilities(features, model, messages))
    else:
        total = totals(by_feature, missing, shares, method)
    correlations = CorrelationSums(list(by_feature))
    correlations.add(by_feature, missing)
    messages += correlations.omission_messages()
    return Scores(
        total=total,
        by_feature=by_feature,
        missing=missing,
        unstated=not_stated,
        weights=shares,
        messages=messages,
        order=np.argsort(total),
        correlations=correlations.matrix(),
    )


def _values(feature: str, features: Sequence[Mapping[str, Any]]) -> list[Any]:
    try:
        return list(map(dict.get, features, repeat(feature)))  # type: ignore[arg-type]  # a tenth faster than the comprehension below
    except TypeError:  # mappings other than dicts
        return [article_features.get(feature) for article_features in features]


def _counts(masks: Mapping[str, Mask]) -> dict[str, int]:
    return {feature: int(np.count_nonzero(mask)) for feature, mask in masks.items()}


def totals(
    scores: Mapping[str, Array], missing: Mapping[str, Mask], shares: Mapping[str, float], method: ScoringMethod
) -> Array:
    """The total of each article by its scores in 0-1, which are 0 where they are missing."""
    return _rounded((_weighted_sum if method == "weighted_sum" else _composite)(scores, missing, shares))


def _rounded(total: Array) -> Array:
    return np.clip(np.round(total, _DIGITS), 0.0, 1.0)


def _weighted_sum(scores: Mapping[str, Array], _missing: Mapping[str, Mask], shares: Mapping[str, float]) -> Array:
    """Added up feature by feature, for matrix products sum in an order of their own."""
    total = np.zeros(len(next(iter(scores.values()))))
    part = np.empty_like(total)
    for feature, share in shares.items():
        total += np.multiply(scores[feature], share, out=part)
    return total


def _composite(scores: Mapping[str, Array], missing: Mapping[str, Mask], shares: Mapping[str, float]) -> Array:
    """The geometric mean of what is stated, times how much is."""
    total = np.zeros(len(next(iter(scores.values()))))
    complete = np.zeros_like(total)
    for feature, share in shares.items():
        is_stated = ~missing[feature]
        total += share * np.where(is_stated, np.log(scores[feature] * (1 - FLOOR) + FLOOR), 0.0)
        complete += share * is_stated
    mean = np.exp(total / np.where(complete > 0, complete, 1.0))
    composite: Array = complete * (mean - FLOOR) / (1 - FLOOR)
    return composite


def _model_probabilities(
    features: Sequence[Mapping[str, Any]], model: "TrainedModel | None", messages: list[str]
) -> Array:
    if model is None:
        raise ValueError(
            "ml_model needs a trained model and none was given; train one with 'biofact literature train', "
            "or score by weighted_sum or composite."
        )
    messages.append(
        "The totals are the model's probabilities; the weights and feature scores beside them did not count."
    )
    return model.probabilities(features)


def stated_shares(shares: dict[str, float], never_stated: Collection[str]) -> dict[str, float]:
    """The shares without features that no article states, raised so that they add up to 1.

    If no feature is stated the shares stay as they are, and every total is 0.
    """
    whole = math.fsum(share for feature, share in shares.items() if feature not in never_stated)
    if not 0 < whole < 1:
        return shares
    return {feature: 0.0 if feature in never_stated else share / whole for feature, share in shares.items()}


def missing_messages(
    missing: Mapping[str, int],
    not_stated: Mapping[str, int],
    article_count: int,
    criteria: ScoringCriteria,
    other_features: Iterable[str] = (),
) -> list[str]:
    """Messages about features that articles lack: in how many articles, and the effect on the totals.

    ``other_features`` are features of the articles without a weight.
    """
    messages = [
        f"{feature}: missing in {count:,} of {article_count:,} articles, where it adds nothing."
        for feature, count in not_stated.items()
        if count > 0 and missing[feature] < article_count
    ]
    never_stated = [
        feature for feature, count in missing.items() if count == article_count > 0 and criteria.weights[feature]
    ]
    if not never_stated:
        return messages
    other_names = ", ".join(map(repr, dict.fromkeys(other_features)))
    hint = f" The articles also have {other_names}." if other_names else ""
    return [f"{_never_stated_in_words(never_stated, article_count, criteria)}{hint}", *messages]


def _never_stated_in_words(features: Sequence[str], article_count: int, criteria: ScoringCriteria) -> str:
    """The effect on the totals of features that no article states."""
    names = ", ".join(features)
    reachable = math.fsum(share for feature, share in criteria.shares.items() if feature not in features)
    if not reachable:
        return f"{names}: missing in all articles ({article_count:,}), so that every total is 0."
    pronoun = "it" if len(features) == 1 else "them"
    return (
        f"{names}: missing in all articles ({article_count:,}) and left out of the weights; with {pronoun} totals could"
        f" reach {reachable:.3g} at most, without {pronoun} 1."
    )
