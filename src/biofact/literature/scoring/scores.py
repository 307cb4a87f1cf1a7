"""Scores of all articles, with their distribution, percentiles and correlations. Pure.

Definitions in docs/scoring.md.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biofact.literature.records import FeatureScore
from biofact.literature.scoring.values import Array, Mask, ValueCounts

Matrix = dict[str, dict[str, float]]

FEWEST = 3
"""Fewest articles with both features for a correlation."""

_BLOCK = 8192  # articles at a time, so that what is worked on stays in the processor's cache
_STATISTICS_DIGITS = 6
_FLAT = 1e-12  # a variance of scores in 0-1 that rounding alone can bring


def distribution(totals: ValueCounts) -> dict[str, float]:
    """Minimum, quartiles, maximum, mean and standard deviation (of the population) of the totals.

    Empty without articles. Quartiles between two articles lie on the line between them.
    """
    if not len(totals):
        return {}
    places = np.array([0.0, 0.25, 0.5, 0.75, 1.0]) * (totals.total - 1)
    lower_places = np.floor(places).astype(np.int64)
    lower, upper = totals.at(lower_places), totals.at(np.ceil(places).astype(np.int64))
    quartiles = lower + (upper - lower) * (places - lower_places)
    spread = dict(zip(("min", "q1", "median", "q3", "max"), quartiles.tolist(), strict=True))
    spread |= {"mean": totals.mean(), "std": totals.deviation()}
    return {name: round(value, _STATISTICS_DIGITS) for name, value in spread.items()}


class CorrelationSums:
    """Sums for Pearson's r between the scores of features, added up over articles part by part."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self._centres: dict[str, float] = {}
        """Means of the first part, so that little is lost to rounding."""
        self._articles = 0
        self._sums = np.zeros((4, len(self.names), len(self.names)))

    def add(self, scores: Mapping[str, Array], missing: Mapping[str, Mask]) -> None:
        """Count further articles. Scores are 0 where they are missing."""
        articles = len(scores[self.names[0]])
        if articles and not self._centres:
            stated_counts = {name: max(articles - np.count_nonzero(missing[name]), 1) for name in self.names}
            self._centres = {name: scores[name].sum() / stated_counts[name] for name in self.names}
        self._articles += articles
        for start in range(0, articles, _BLOCK):
            self._add_block(scores, missing, slice(start, start + _BLOCK))

    def matrix(self, fewest: int = FEWEST) -> Matrix:
        """Pearson's r over articles that state both features, if at least ``fewest`` do and both features vary."""
        if len(self.names) <= 1:
            return {}
        correlations, is_known = self._correlations(fewest)
        values = correlations.tolist()
        return {
            name: {
                other: 1.0 if row == column else round(values[row][column], _STATISTICS_DIGITS)
                for column, other in enumerate(self.names)
                if is_known[row, column]
            }
            for row, name in enumerate(self.names)
            if is_known[row, row]
        }

    def omission_messages(self) -> list[str]:
        """Messages about the features that ``matrix`` leaves out."""
        if len(self.names) <= 1 or not self._articles:
            return []
        _, is_known = self._correlations(FEWEST)
        places = range(len(self.names))
        flat = [row for row in places if not is_known[row, row]]
        pairs = [
            f"{self.names[row]} with {self.names[column]}"
            for row, column in ((row, column) for row in places for column in range(row))
            if row not in flat and column not in flat and not is_known[row, column]
        ]
        omissions = (
            ([self.names[row] for row in flat], f"fewer than {FEWEST} articles, or one score for all"),
            (pairs, "too few articles state both, or one score for all"),
        )
        return [f"Correlations leave out {', '.join(names)}: {reason}." for names, reason in omissions if names]

    def _add_block(self, scores: Mapping[str, Array], missing: Mapping[str, Mask], part: slice) -> None:
        is_stated = np.array([~missing[name][part] for name in self.names], dtype=np.float64)
        centred = np.array([scores[name][part] - self._centres[name] for name in self.names])
        centred *= is_stated
        pairs = ((is_stated, is_stated), (centred, is_stated), (centred**2, is_stated), (centred, centred))
        self._sums += [np.einsum("ij,kj->ik", rows, columns) for rows, columns in pairs]  # BLAS's threads only wait

    def _correlations(self, fewest: int) -> tuple[Array, NDArray[np.bool_]]:
        """The correlation of each feature with each, and whether it is known."""
        joint_counts = self._sums[0]
        # of the row's feature, over the articles that state the column's
        mean, square, product = self._sums[1:] / np.maximum(joint_counts, 1.0)
        variance = square - mean**2
        with np.errstate(invalid="ignore", divide="ignore"):
            correlations = (product - mean * mean.T) / np.sqrt(variance * variance.T)
        is_known = (joint_counts >= fewest) & (variance > _FLAT) & (variance.T > _FLAT)
        return np.clip(correlations, -1.0, 1.0), is_known


_DIGITS = 6


def feature_score(score: float, weight: float, *, is_unstated: bool) -> FeatureScore:
    """The contribution of one feature to the total of one article."""
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
    """Articles without a score, by feature."""
    unstated: dict[str, Mask]
    """Articles that do not state a feature: without a score, or with a score of 0 for its absence."""
    weights: dict[str, float]
    """Each feature's share; they add up to 1. A feature that no article states has none, unless all are so."""
    messages: list[str]
    """Messages to the caller: missing and unread values, unknown categories, cut scores."""
    order: NDArray[np.intp]
    """The places in the input by rising total, equal ones in any order."""
    correlations: Matrix
    """Pearson's r between feature scores, by feature and feature; ``messages`` name the omitted ones."""

    def __len__(self) -> int:
        return len(self.total)

    def breakdown(self, article: int) -> dict[str, FeatureScore]:
        """The contribution of each feature to the total of one article, by its place in the input."""
        return {
            feature: feature_score(scores[article], self.weights[feature], is_unstated=self.unstated[feature][article])
            for feature, scores in self.by_feature.items()
        }

    def missing_in(self, article: int) -> list[str]:
        """The features that one article does not state."""
        return [feature for feature, mask in self.unstated.items() if mask[article]]

    def completeness(self, article: int) -> float:
        """The weights of the features that one article states: the highest weighted sum that it could have."""
        stated_weight = math.fsum(self.weights[feature] for feature, mask in self.unstated.items() if not mask[article])
        return round(stated_weight, _DIGITS)

    def percentiles(self) -> Array:
        """For each article the percentage of all articles that score no higher, itself included."""
        counts = ValueCounts.of_ordered(self.total[self.order]).counts
        result = np.empty(len(self))
        # equal totals have the place of the last of them
        result[self.order] = np.repeat(np.cumsum(counts), counts) * 100.0 / max(len(self), 1)
        return result

    def distribution(self) -> dict[str, float]:
        """The distribution of the totals: min, q1, median, q3, max, mean, std; empty without articles."""
        return distribution(ValueCounts.of_ordered(self.total[self.order]))

    def top(self, count: int) -> list[int]:
        """The places in the input of the ``count`` best, best first; equal ones in the order of the input."""
        count = min(count, len(self))
        if count <= 0:
            return []
        contenders = np.flatnonzero(self.total >= self.total[self.order[-count]])  # in the order of the input
        best: list[int] = contenders[np.argsort(-self.total[contenders], kind="stable")][:count].tolist()
        return best
