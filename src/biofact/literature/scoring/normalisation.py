"""Brings the scores of a feature into 0-1. Pure; definitions in docs/scoring.md."""

import math
from dataclasses import dataclass

import numpy as np

from biofact.literature.scoring.criteria import Normalization
from biofact.literature.scoring.functions import Column
from biofact.literature.scoring.options import Function
from biofact.literature.scoring.value_counts import ValueCounts
from biofact.literature.scoring.values import Array

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
