"""Brings the scores of a feature into 0-1. Pure; definitions in docs/scoring.md."""

import math

import numpy as np

from biofact.literature.scoring.criteria import Normalization
from biofact.literature.scoring.functions import Column
from biofact.literature.scoring.values import Array

UNDECIDED = 0.5
"""What a number scores that cannot be compared, since all articles have the same."""

_ROOT_OF_TWO = math.sqrt(2.0)


def normalise(feature: str, column: Column, method: Normalization, messages: list[str]) -> Array:
    """The scores in 0-1; NaN stays where the feature is missing."""
    if method == "none":
        return _clip(feature, column, messages)
    if np.isnan(column.scored).all():
        return column.scored
    lowest, highest = float(np.nanmin(column.scored)), float(np.nanmax(column.scored))
    if lowest == highest:
        return _constant(feature, column, lowest, messages)
    scored = column.scored  # in place: pages of new memory cost more than the arithmetic
    scored /= max(abs(lowest), abs(highest))  # first, so that no difference overflows
    return _min_max(scored) if method == "min_max" else _z_score(scored)


def _min_max(scored: Array) -> Array:
    lowest, highest = np.nanmin(scored), np.nanmax(scored)
    if lowest == highest:  # they differ by less than dividing keeps
        return scored * 0.0 + UNDECIDED
    scored -= lowest
    scored /= highest - lowest
    return np.clip(scored, 0.0, 1.0, out=scored)


def _z_score(scored: Array) -> Array:
    """Standard scores through the normal distribution: 0.5 for the mean, 0.84 one standard deviation above."""
    spread = float(np.nanstd(scored))
    if spread == 0:
        return scored * 0.0 + UNDECIDED
    standard = (scored - np.nanmean(scored)) / (spread * _ROOT_OF_TWO)
    return 0.5 + 0.5 * np.fromiter(map(math.erf, standard.tolist()), np.float64, len(standard))


def _constant(feature: str, column: Column, value: float, messages: list[str]) -> Array:
    """A bounded score stays what it is; an unbounded one carries no information and gets the middle."""
    kept = min(max(value, 0.0), 1.0) if column.function.is_bounded else UNDECIDED
    if len(column.scored) > 1:
        reason = "its own score" if column.function.is_bounded else "the middle, for it tells no two articles apart"
        messages.append(f"{feature}: all articles that state it have the same value; it scores {kept:g}, {reason}.")
    return column.scored * 0.0 + kept


def _clip(feature: str, column: Column, messages: list[str]) -> Array:
    outside = int(np.count_nonzero((column.scored < 0) | (column.scored > 1)))
    if outside:
        remedy = "give low and high" if "low" in type(column.function).model_fields else "use min_max"
        messages.append(
            f"{feature}: {outside} of {len(column.scored)} scores of {column.function.name} lay outside 0-1 and were "
            f"cut to it, as nothing was normalised; {remedy} to keep them apart."
        )
    return np.clip(column.scored, 0.0, 1.0)
