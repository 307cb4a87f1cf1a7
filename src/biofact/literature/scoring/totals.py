"""Features and criteria to totals: each feature scored, brought into 0-1 and weighed. Pure.

Definitions in docs/scoring.md.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Protocol

import numpy as np

from biofact.literature.choices import ScoringMethod
from biofact.literature.scoring.criteria import Function, Normalization, Presence, ScoringCriteria
from biofact.literature.scoring.functions import Column, column
from biofact.literature.scoring.scores import CorrelationSums, Scores
from biofact.literature.scoring.values import Array, Mask, ValueCounts

UNDECIDED = 0.5
"""What a number scores that cannot be compared, since all articles have the same."""

_ROOT_OF_TWO = math.sqrt(2.0)


@dataclass(frozen=True, slots=True)
class Spread:
    """What has to be known of the scores of all articles to normalise that of one."""

    lowest: float
    highest: float
    mean: float = 0.0
    """Of the scores divided by ``size``, as is ``deviation``; both for z_score alone."""
    deviation: float = 0.0

    @property
    def size(self) -> float:
        """The largest score without its sign."""
        return max(abs(self.lowest), abs(self.highest))

    @property
    def is_flat(self) -> bool:
        """All articles score the same."""
        return self.lowest == self.highest


def spread_of(scored: Array, method: Normalization) -> Spread | None:
    """Of the scores of all articles; None where none is known, or none needed."""
    if method == "z_score":
        return spread(ValueCounts.of(scored), method)
    if method == "none" or np.isnan(scored).all():
        return None
    return Spread(float(np.nanmin(scored)), float(np.nanmax(scored)))


def spread(scores: ValueCounts, method: Normalization) -> Spread | None:
    """The same of scores that are counted."""
    if method == "none" or not len(scores):
        return None
    bounds = Spread(float(scores.values[0]), float(scores.values[-1]))
    if method == "min_max" or bounds.is_flat:
        return bounds
    scaled = scores.mapped(lambda values: values / bounds.size)
    return Spread(bounds.lowest, bounds.highest, scaled.mean(), scaled.deviation())


def normalised(scored: Array, function: Function, method: Normalization, among: Spread | None) -> Array:
    """Scores in 0-1 by the spread of those of all articles; NaN stays. ``scored`` may be written over."""
    if method == "none":
        return np.clip(scored, 0.0, 1.0)
    if among is None:
        return scored
    if among.is_flat:
        return scored * 0.0 + _constant(function, among.lowest)
    scored /= among.size  # first, so that no difference overflows; in place, for pages of new memory cost more
    return _min_max(scored, among) if method == "min_max" else _z_score(scored, among)


def normalise(feature: str, column: Column, method: Normalization, messages: list[str]) -> Array:
    """The scores of all articles in 0-1; NaN stays where the feature is missing."""
    scored, function = column.scored, column.function
    among = spread_of(scored, method)
    if method == "none":
        outside = int(np.count_nonzero((scored < 0) | (scored > 1)))
        messages += cut_message(feature, function, outside, len(scored))
    messages += flat_message(feature, function, among, len(scored))
    return normalised(scored, function, method, among)


def _min_max(scored: Array, among: Spread) -> Array:
    lowest, highest = among.lowest / among.size, among.highest / among.size
    if lowest == highest:  # they differ by less than dividing keeps
        return scored * 0.0 + UNDECIDED
    scored -= lowest
    scored /= highest - lowest
    return np.clip(scored, 0.0, 1.0, out=scored)


def _z_score(scored: Array, among: Spread) -> Array:
    """Standard scores through the normal distribution: 0.5 for the mean, 0.84 one standard deviation above."""
    if among.deviation == 0:
        return scored * 0.0 + UNDECIDED
    standard = (scored - among.mean) / (among.deviation * _ROOT_OF_TWO)
    return 0.5 + 0.5 * np.fromiter(map(math.erf, standard.tolist()), np.float64, len(standard))


def _constant(function: Function, value: float) -> float:
    """A bounded score stays what it is; an unbounded one carries no information and gets the middle."""
    return min(max(value, 0.0), 1.0) if function.is_bounded else UNDECIDED


def flat_message(feature: str, function: Function, among: Spread | None, every: int) -> list[str]:
    """Says that all articles score the same, where there are others to score."""
    if among is None or not among.is_flat or every <= 1:
        return []
    kept = _constant(function, among.lowest)
    reason = "its own score" if function.is_bounded else "the middle, for it tells no two articles apart"
    return [f"{feature}: all articles that state it have the same value; it scores {kept:g}, {reason}."]


def cut_message(feature: str, function: Function, outside: int, every: int) -> list[str]:
    """Says how many of all scores were cut to 0-1, where nothing was normalised."""
    if not outside:
        return []
    remedy = "give low and high" if "low" in type(function).model_fields else "use min_max"
    cut = f"{outside:,} of {every:,} scores of {function.name} lay outside 0-1 and were cut to it"
    return [f"{feature}: {cut}, as nothing was normalised; {remedy} to keep them apart."]


FLOOR = 0.1
"""Added to every score under the geometric mean, so that a single 0 weighs heavily without deciding alone."""

_DIGITS = 12
"""Of a total: articles that differ in the last bits only are equal."""


class InclusionModel(Protocol):
    """What has learned from labels which articles to include."""

    def probabilities(self, features: Sequence[Mapping[str, Any]]) -> Array:
        """0-1 for each article."""


def score_articles(
    features: Sequence[Mapping[str, Any]],
    criteria: ScoringCriteria,
    method: ScoringMethod,
    model: InclusionModel | None,
) -> Scores:
    """Every article with its total, and messages about them."""
    messages = _unweighted_functions(criteria)
    shares = criteria.shares
    by_feature: dict[str, Array] = {}
    missing: dict[str, Mask] = {}
    unstated: dict[str, Mask] = {}
    for feature in shares:
        raw = column(feature, _values(feature, features), criteria.function(feature))
        messages += raw.messages
        scores = normalise(feature, raw, criteria.normalization_method, messages)
        missing[feature] = np.isnan(scores)
        scores[missing[feature]] = 0.0
        unstated[feature] = missing[feature] | (scores == 0) if isinstance(raw.function, Presence) else missing[feature]
        by_feature[feature] = scores
    shares = stated_shares(shares, {feature for feature, mask in missing.items() if mask.all()})
    others = (name for one in features for name in one if name not in criteria.weights)
    messages += missing_messages(_counts(missing), _counts(unstated), len(features), criteria, others)
    total = (
        totals(by_feature, missing, shares, method)
        if method != "ml_model"
        else _rounded(_model_probabilities(features, model, messages))
    )
    correlations = CorrelationSums(list(by_feature))
    correlations.add(by_feature, missing)
    messages += correlations.omitted()
    return Scores(
        total=total,
        by_feature=by_feature,
        missing=missing,
        unstated=unstated,
        weights=shares,
        messages=messages,
        order=np.argsort(total),
        matrix=correlations.matrix(),
    )


def _values(feature: str, features: Sequence[Mapping[str, Any]]) -> list[Any]:
    try:
        return list(map(dict.get, features, repeat(feature)))  # type: ignore[arg-type]  # a tenth quicker than below
    except TypeError:  # mappings that are no dicts
        return [one.get(feature) for one in features]


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
    features: Sequence[Mapping[str, Any]], model: InclusionModel | None, messages: list[str]
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


def _unweighted_functions(criteria: ScoringCriteria) -> list[str]:
    idle = [repr(feature) for feature in criteria.scoring_functions if feature not in criteria.weights]
    if not idle:
        return []
    verb = (
        "has a scoring function but no weight and does"
        if len(idle) == 1
        else "have scoring functions but no weights and do"
    )
    return [f"{', '.join(idle)} {verb} not count."]


def stated_shares(shares: dict[str, float], by_nobody: Collection[str]) -> dict[str, float]:
    """The shares without features that no article states, raised so that they add up to 1.

    Where none is stated the shares stay as they are, and every total is 0.
    """
    whole = math.fsum(share for feature, share in shares.items() if feature not in by_nobody)
    if not 0 < whole < 1:
        return shares
    return {feature: 0.0 if feature in by_nobody else share / whole for feature, share in shares.items()}


def missing_messages(
    missing: Mapping[str, int],
    unstated: Mapping[str, int],
    every: int,
    criteria: ScoringCriteria,
    others: Iterable[str] = (),
) -> list[str]:
    """Which features are missing in how many of all articles, and what that does to the totals.

    ``others`` are features that the articles have and that have no weight.
    """
    messages = [
        f"{feature}: missing in {count:,} of {every:,} articles, where it adds nothing."
        for feature, count in unstated.items()
        if count > 0 and missing[feature] < every
    ]
    by_nobody = [feature for feature, count in missing.items() if count == every > 0 and criteria.weights[feature]]
    if not by_nobody:
        return messages
    named = ", ".join(map(repr, dict.fromkeys(others)))
    hint = f" The articles also have {named}." if named else ""
    return [f"{_unstated_in_words(by_nobody, every, criteria)}{hint}", *messages]


def _unstated_in_words(unstated: Sequence[str], every: int, criteria: ScoringCriteria) -> str:
    """What features that no article states do to the totals."""
    names = ", ".join(unstated)
    reachable = math.fsum(share for feature, share in criteria.shares.items() if feature not in unstated)
    if not reachable:
        return f"{names}: missing in all articles ({every:,}), so that every total is 0."
    them = "it" if len(unstated) == 1 else "them"
    return (
        f"{names}: missing in all articles ({every:,}) and left out of the weights; with {them} totals could reach"
        f" {reachable:.3g} at most, without {them} 1."
    )
