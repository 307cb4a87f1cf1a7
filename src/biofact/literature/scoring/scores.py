"""What articles scored, article by article. Pure."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biofact.literature.records import FeatureScore
from biofact.literature.scoring import statistics
from biofact.literature.scoring.value_counts import ValueCounts
from biofact.literature.scoring.values import Array, Mask

_DIGITS = 6


def feature_score(score: float, weight: float, *, is_unstated: bool) -> FeatureScore:
    """What one feature adds to the total of one article."""
    return FeatureScore(
        score=None if is_unstated else round(float(score), _DIGITS),
        weight=round(weight, _DIGITS),
        is_missing=True if is_unstated else None,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of articles, in the order in which they were given."""

    total: Array
    """0-1."""
    by_feature: dict[str, Array]
    """0-1 after normalisation, 0 where the feature is missing."""
    missing: dict[str, Mask]
    """Where a feature has no score."""
    unstated: dict[str, Mask]
    """Where an article does not state it: where it is missing, and where its absence is what scores 0."""
    weights: dict[str, float]
    """Each feature's share; they add up to 1. A feature that no article states has none, unless all are so."""
    messages: list[str]
    """What should be said to the caller: missing and unread values, unknown categories, cut scores."""
    order: NDArray[np.intp]
    """The places in the input by rising total, equal ones in any order."""
    matrix: statistics.Matrix
    """Correlations by feature and feature."""

    def __len__(self) -> int:
        return len(self.total)

    def breakdown(self, article: int) -> dict[str, FeatureScore]:
        """What each feature adds to the total of one article, by its place in the input."""
        return {
            feature: feature_score(scores[article], self.weights[feature], is_unstated=self.unstated[feature][article])
            for feature, scores in self.by_feature.items()
        }

    def missing_in(self, article: int) -> list[str]:
        """The features that one article does not state."""
        return [feature for feature, mask in self.unstated.items() if mask[article]]

    def completeness(self, article: int) -> float:
        """The weights of the features that one article states: the highest weighted sum that it could have."""
        stated = math.fsum(self.weights[feature] for feature, mask in self.unstated.items() if not mask[article])
        return round(stated, _DIGITS)

    def percentiles(self) -> Array:
        """For each article the percentage of all articles that score no higher."""
        return statistics.percentiles(self.total, self.order)

    def distribution(self) -> dict[str, float]:
        """Of the totals: min, q1, median, q3, max, mean, std; empty without articles."""
        return statistics.distribution(ValueCounts.of_ordered(self.total[self.order]))

    def correlations(self) -> statistics.Matrix:
        """Pearson's r between feature scores, by feature and feature; what it leaves out is in ``messages``."""
        return self.matrix

    def top(self, count: int) -> list[int]:
        """The places in the input of the ``count`` best, best first; equal ones in the order of the input."""
        count = min(count, len(self))
        if count <= 0:
            return []
        near = np.flatnonzero(self.total >= self.total[self.order[-count]])  # in the order of the input
        best: list[int] = near[np.argsort(-self.total[near], kind="stable")][:count].tolist()
        return best
