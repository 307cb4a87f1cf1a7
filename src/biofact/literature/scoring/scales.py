"""Scores of numbers, years, counts, and yes or no. Pure; definitions in docs/scoring.md."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from biofact.literature.scoring.options import (
    Boolean,
    Count,
    Function,
    InRange,
    Inverse,
    Linear,
    LogScale,
    Presence,
    Rank,
    Recency,
    Threshold,
)
from biofact.literature.scoring.value_counts import ValueCounts
from biofact.literature.scoring.values import Array, Unfit, counts, numbers, stated_value, truths, years

Messages = list[str]
"""Messages about the scores, for the caller."""

HALF = 0.5


def log_scale(values: Sequence[Any], options: LogScale, unfit: Unfit, _messages: Messages) -> Array:
    """The order of magnitude, log10(1 + |x|) with the sign of x."""
    read = numbers(values, unfit)
    logs = _signed_log(np.abs(read) if options.magnitude else read)
    if options.low is None or options.high is None:
        return logs
    low, high = _signed_log(np.array([options.low, options.high])).tolist()
    return _between(logs, low, high)


def _signed_log(read: Array) -> Array:
    logs = np.abs(read)
    np.log1p(logs, out=logs)
    logs /= math.log(10.0)
    return np.copysign(logs, read, out=logs)


def linear(values: Sequence[Any], options: Linear, unfit: Unfit, _messages: Messages) -> Array:
    """The number itself, or its place between the ends."""
    read = numbers(values, unfit)
    read = np.abs(read) if options.magnitude else read
    return read if options.low is None or options.high is None else _between(read, options.low, options.high)


def _between(read: Array, low: float, high: float) -> Array:
    """0 at ``low``, 1 at ``high``, and no less or more beyond."""
    scale = max(abs(low), abs(high), 1.0)  # before subtracting, so that nothing overflows
    inside = np.clip(read, min(low, high), max(low, high))
    return np.clip((inside / scale - low / scale) / (high / scale - low / scale), 0.0, 1.0)


def inverse(values: Sequence[Any], options: Inverse, unfit: Unfit, _messages: Messages) -> Array:
    """1 for nothing, 0.5 for ``half``, half / (half + x) in general; less than nothing counts as nothing."""
    read = numbers(values, unfit)
    return inverse_among(read, options, ValueCounts.of(read))


def inverse_among(read: Array, options: Inverse, every: ValueCounts) -> Array:
    """The same for numbers among those of all articles, whose lower median is the half unless one is given."""
    read = np.maximum(read, 0.0)
    half = options.half or _median_of_positive(every)
    with np.errstate(over="ignore"):  # half + infinity is infinity, which scores 0 as it should
        scored: Array = half / (half + read)
    return scored


def _median_of_positive(every: ValueCounts) -> float:
    others, positive = every.count(lambda values: values <= 0), every.count(lambda values: values > 0)
    return float(every.at(np.array([others + (positive - 1) // 2]))[0]) if positive else 1.0


def rank(values: Sequence[Any], options: Rank, unfit: Unfit, _messages: Messages) -> Array:
    """The share of the others that are lower, equal ones counting half; 0.5 for a single one."""
    read = numbers(values, unfit)
    return rank_among(read, options, ValueCounts.of(read))


def rank_among(read: Array, options: Rank, every: ValueCounts) -> Array:
    """The same for numbers among those of all articles."""
    known = np.flatnonzero(~np.isnan(read))
    up_to = np.cumsum(every.counts)
    share = (up_to - every.counts + up_to - 1) / 2 / (every.total - 1) if every.total > 1 else np.full(len(every), HALF)
    scored = np.full(len(read), np.nan)
    scored[known] = share[np.searchsorted(every.values, read[known])]
    return 1.0 - scored if options.reverse else scored


def threshold(values: Sequence[Any], options: Threshold, unfit: Unfit, _messages: Messages) -> Array:
    """1 where the limit is reached."""
    read = numbers(values, unfit)
    reached = read <= options.at if options.reverse else read >= options.at
    return np.where(np.isnan(read), np.nan, reached)


def in_range(values: Sequence[Any], options: InRange, unfit: Unfit, _messages: Messages) -> Array:
    """1 within the range; outside it falls to 0 over a distance as long as the range."""
    read = numbers(values, unfit)
    distance = np.maximum(options.low / 2 - read / 2, read / 2 - options.high / 2)  # halves cannot overflow
    return np.clip(1.0 - distance / (options.high / 2 - options.low / 2), 0.0, 1.0)


def recency(values: Sequence[Any], options: Recency, unfit: Unfit, _messages: Messages) -> Array:
    """A half for every half-life since the newest year."""
    read = years(values, unfit)
    return recency_among(read, options, ValueCounts.of(read))


def recency_among(read: Array, options: Recency, every: ValueCounts) -> Array:
    """The same for years among those of all articles."""
    if not len(every):
        return read
    newest = options.newest or float(every.values[-1])
    return np.exp2(-np.maximum(newest - read, 0.0) / options.half_life)


def boolean(values: Sequence[Any], options: Boolean, unfit: Unfit, _messages: Messages) -> Array:
    """1 for yes, 0 for no."""
    read = truths(values, unfit)
    return 1.0 - read if options.reverse else read


def presence(values: Sequence[Any], _options: Presence, _unfit: Unfit, _messages: Messages) -> Array:
    """1 where something is stated; nothing is missing here."""
    return np.fromiter((_is_present(value) for value in values), np.float64, len(values))


def _is_present(value: Any) -> bool:
    value = stated_value(value)
    return value is not None and not (isinstance(value, list | tuple | dict | set) and not value)


def count(values: Sequence[Any], options: Count, unfit: Unfit, _messages: Messages) -> Array:
    """How many entries, or their share of what is enough."""
    read = counts(values, unfit)
    return read if options.enough is None else np.minimum(read / options.enough, 1.0)


AMONG: Mapping[type[Function], Callable[[Array, Any, ValueCounts], Array]] = {
    Inverse: inverse_among,
    Rank: rank_among,
    Recency: recency_among,
}
"""The functions that compare a number with those of all articles."""
