"""Features and criteria to scores. Pure; definitions in docs/scoring.md."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, Protocol

import numpy as np

from biofact.literature.choices import ScoringMethod
from biofact.literature.scoring.criteria import ScoringCriteria
from biofact.literature.scoring.functions import column
from biofact.literature.scoring.normalisation import normalise
from biofact.literature.scoring.options import Presence
from biofact.literature.scoring.scores import Scores
from biofact.literature.scoring.statistics import CorrelationSums
from biofact.literature.scoring.values import Array, Mask

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
