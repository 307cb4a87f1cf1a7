"""Features and criteria to scores. Pure; definitions in docs/scoring.md."""

import math
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, Protocol

import numpy as np

from biofact.literature.choices import ScoringMethod
from biofact.literature.scoring.criteria import ScoringCriteria
from biofact.literature.scoring.functions import column
from biofact.literature.scoring.normalisation import normalise
from biofact.literature.scoring.options import Presence
from biofact.literature.scoring.scores import Scores
from biofact.literature.scoring.statistics import correlate
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
    shares = _stated_shares(shares, missing)
    messages += _missing_messages(missing, unstated, features, criteria)
    total = (
        _total(by_feature, missing, shares, method)
        if method != "ml_model"
        else _model_probabilities(features, model, messages)
    )
    matrix, omitted = correlate(by_feature, missing)
    messages += omitted
    total = np.clip(np.round(total, _DIGITS), 0.0, 1.0)
    return Scores(
        total=total,
        by_feature=by_feature,
        missing=missing,
        unstated=unstated,
        weights=shares,
        messages=messages,
        order=np.argsort(total),
        matrix=matrix,
    )


def _values(feature: str, features: Sequence[Mapping[str, Any]]) -> list[Any]:
    try:
        return list(map(dict.get, features, repeat(feature)))  # type: ignore[arg-type]  # a tenth quicker than below
    except TypeError:  # mappings that are no dicts
        return [one.get(feature) for one in features]


def _total(
    scores: dict[str, Array], missing: dict[str, Mask], shares: dict[str, float], method: ScoringMethod
) -> Array:
    """The total of each article; added up feature by feature, for matrix products sum in an order of their own."""
    total = np.zeros(len(next(iter(scores.values()))))
    if method == "weighted_sum":
        part = np.empty_like(total)
        for feature, share in shares.items():
            total += np.multiply(scores[feature], share, out=part)
        return total
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


def _stated_shares(shares: dict[str, float], missing: dict[str, Mask]) -> dict[str, float]:
    """The shares without features that no article states, raised so that they add up to 1.

    Where none is stated the shares stay as they are, and every total is 0.
    """
    whole = math.fsum(share for feature, share in shares.items() if not missing[feature].all())
    if not 0 < whole < 1:
        return shares
    return {feature: 0.0 if missing[feature].all() else share / whole for feature, share in shares.items()}


def _missing_messages(
    missing: dict[str, Mask],
    unstated: dict[str, Mask],
    features: Sequence[Mapping[str, Any]],
    criteria: ScoringCriteria,
) -> list[str]:
    """Which features are missing in how many articles, and what that does to the totals."""
    every = len(features)
    counts = {feature: int(np.count_nonzero(mask)) for feature, mask in missing.items()}
    messages = [
        f"{feature}: missing in {count} of {every} articles, where it adds nothing."
        for feature, mask in unstated.items()
        if (count := int(np.count_nonzero(mask))) > 0 and counts[feature] < every
    ]
    by_nobody = [feature for feature, count in counts.items() if count == every > 0 and criteria.weights[feature]]
    if not by_nobody:
        return messages
    others = dict.fromkeys(name for one in features for name in one if name not in criteria.weights)
    hint = f" The articles also have {', '.join(map(repr, others))}." if others else ""
    return [f"{_unstated_in_words(by_nobody, every, criteria)}{hint}", *messages]


def _unstated_in_words(unstated: Sequence[str], every: int, criteria: ScoringCriteria) -> str:
    """What features that no article states do to the totals."""
    names = ", ".join(unstated)
    reachable = math.fsum(share for feature, share in criteria.shares.items() if feature not in unstated)
    if not reachable:
        return f"{names}: missing in all articles ({every}), so that every total is 0."
    them = "it" if len(unstated) == 1 else "them"
    return (
        f"{names}: missing in all articles ({every}) and left out of the weights; with {them} totals could reach"
        f" {reachable:.3g} at most, without {them} 1."
    )
