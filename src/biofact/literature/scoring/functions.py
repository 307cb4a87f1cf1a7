"""The scoring functions of numbers, years, counts, truths and effects, and the choice of a function. Pure.

Definitions in docs/scoring.md.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from biofact.literature.scoring import criteria, measures, texts
from biofact.literature.scoring.measures import Scale, has_measure, measure_and_number, scale_of
from biofact.literature.scoring.values import (
    Array,
    Unfit,
    ValueCounts,
    at_once,
    counts,
    number,
    numbers,
    stated_value,
    truths,
    years,
)

Messages = list[str]
"""Messages about the scores, for the caller."""

HALF = 0.5


def log_scale(values: Sequence[Any], options: criteria.LogScale, unfit: Unfit, _messages: Messages) -> Array:
    """The order of magnitude, log10(1 + |x|) with the sign of x."""
    parsed = numbers(values, unfit)
    logs = _signed_log(np.abs(parsed) if options.magnitude else parsed)
    if options.low is None or options.high is None:
        return logs
    low, high = _signed_log(np.array([options.low, options.high])).tolist()
    return _scaled_between(logs, low, high)


def _signed_log(numbers: Array) -> Array:
    logs = np.abs(numbers)
    np.log1p(logs, out=logs)
    logs /= math.log(10.0)
    return np.copysign(logs, numbers, out=logs)


def linear(values: Sequence[Any], options: criteria.Linear, unfit: Unfit, _messages: Messages) -> Array:
    """The number itself, or its place between the ends."""
    parsed = numbers(values, unfit)
    parsed = np.abs(parsed) if options.magnitude else parsed
    return parsed if options.low is None or options.high is None else _scaled_between(parsed, options.low, options.high)


def _scaled_between(numbers: Array, low: float, high: float) -> Array:
    """0 at ``low``, 1 at ``high``, and no less or more beyond."""
    scale = max(abs(low), abs(high), 1.0)  # before subtracting, so that nothing overflows
    clipped = np.clip(numbers, min(low, high), max(low, high))
    return np.clip((clipped / scale - low / scale) / (high / scale - low / scale), 0.0, 1.0)


def inverse(values: Sequence[Any], options: criteria.Inverse, unfit: Unfit, _messages: Messages) -> Array:
    """1 for 0, 0.5 for ``half``, half / (half + x) in general; a negative number counts as 0."""
    parsed = numbers(values, unfit)
    return inverse_among(parsed, options, ValueCounts.of(parsed))


def inverse_among(numbers: Array, options: criteria.Inverse, all_values: ValueCounts) -> Array:
    """``inverse`` scores among the numbers of all articles, whose lower median is the default of ``half``."""
    numbers = np.maximum(numbers, 0.0)
    not_positive, positive = all_values.count(lambda values: values <= 0), all_values.count(lambda values: values > 0)
    median_place = not_positive + (positive - 1) // 2  # of the positive ones, the lower of two
    half = options.half or (float(all_values.at(np.array([median_place]))[0]) if positive else 1.0)
    with np.errstate(over="ignore"):  # half + infinity is infinity, which scores 0 as it should
        scores: Array = half / (half + numbers)
    return scores


def rank(values: Sequence[Any], options: criteria.Rank, unfit: Unfit, _messages: Messages) -> Array:
    """The share of other articles with a lower number, equal ones counting half; 0.5 for a single article."""
    parsed = numbers(values, unfit)
    return rank_among(parsed, options, ValueCounts.of(parsed))


def rank_among(numbers: Array, options: criteria.Rank, all_values: ValueCounts) -> Array:
    """``rank`` scores among the numbers of all articles."""
    stated_rows = np.flatnonzero(~np.isnan(numbers))
    up_to = np.cumsum(all_values.counts)
    share = np.full(len(all_values), HALF)
    if all_values.total > 1:
        share = (up_to - all_values.counts + up_to - 1) / 2 / (all_values.total - 1)
    scores = np.full(len(numbers), np.nan)
    scores[stated_rows] = share[np.searchsorted(all_values.values, numbers[stated_rows])]
    return 1.0 - scores if options.reverse else scores


def threshold(values: Sequence[Any], options: criteria.Threshold, unfit: Unfit, _messages: Messages) -> Array:
    """1 for numbers that reach the limit, 0 for others."""
    parsed = numbers(values, unfit)
    is_reached = parsed <= options.at if options.reverse else parsed >= options.at
    return np.where(np.isnan(parsed), np.nan, is_reached)


def in_range(values: Sequence[Any], options: criteria.InRange, unfit: Unfit, _messages: Messages) -> Array:
    """1 within the range; outside it falls to 0 over a distance as long as the range."""
    parsed = numbers(values, unfit)
    distance = np.maximum(options.low / 2 - parsed / 2, parsed / 2 - options.high / 2)  # halves cannot overflow
    return np.clip(1.0 - distance / (options.high / 2 - options.low / 2), 0.0, 1.0)


def recency(values: Sequence[Any], options: criteria.Recency, unfit: Unfit, _messages: Messages) -> Array:
    """A score that halves with every half-life since the newest year."""
    parsed = years(values, unfit)
    return recency_among(parsed, options, ValueCounts.of(parsed))


def recency_among(year_numbers: Array, options: criteria.Recency, all_values: ValueCounts) -> Array:
    """``recency`` scores among the years of all articles."""
    if not len(all_values):
        return year_numbers
    newest = options.newest or float(all_values.values[-1])
    return np.exp2(-np.maximum(newest - year_numbers, 0.0) / options.half_life)


def boolean(values: Sequence[Any], options: criteria.Boolean, unfit: Unfit, _messages: Messages) -> Array:
    """1 for yes, 0 for no."""
    parsed = truths(values, unfit)
    return 1.0 - parsed if options.reverse else parsed


def presence(values: Sequence[Any], _options: criteria.Presence, _unfit: Unfit, _messages: Messages) -> Array:
    """1 for a stated value, 0 for none; no score is missing."""
    return np.fromiter((_is_present(value) for value in values), np.float64, len(values))


def _is_present(value: Any) -> bool:
    value = stated_value(value)
    return value is not None and not (isinstance(value, list | tuple | dict | set) and not value)


def count(values: Sequence[Any], options: criteria.Count, unfit: Unfit, _messages: Messages) -> Array:
    """The number of entries, or their share of ``enough``."""
    parsed = counts(values, unfit)
    return parsed if options.enough is None else np.minimum(parsed / options.enough, 1.0)


COMPARATIVE_FUNCTIONS: Mapping[type[criteria.Function], Callable[[Array, Any, ValueCounts], Array]] = {
    criteria.Inverse: inverse_among,
    criteria.Rank: rank_among,
    criteria.Recency: recency_among,
}
"""The functions that compare a number with the numbers of all articles."""


LOG_ODDS_PER_DEVIATION = math.pi / math.sqrt(3)
"""A difference of one standard deviation as the logarithm of an odds ratio (Chinn 2000, PubMed 11113947)."""


def effect(values: Sequence[Any], options: criteria.Effect, unfit: Unfit, _messages: list[str]) -> Array:
    """The distance from no effect, as the logarithm of a ratio; for a plain difference its size."""
    distances = np.array([_distance(value, options, unfit) for value in values], dtype=float)
    if options.towards is not None:
        sign = -1.0 if options.towards == "lower" else 1.0
        distances = np.maximum(sign * distances, 0.0)
    distances = np.abs(distances)
    scores: Array = distances if options.full is None else np.minimum(distances / options.full, 1.0)
    return scores


def _distance(value: Any, options: criteria.Effect, unfit: Unfit) -> float:
    """The signed distance of one value, or of the first of a list; negative for less of the outcome."""
    value = value[0] if isinstance(value, list | tuple) and value else value
    stated_number = stated_value(value)
    if stated_number is None:
        return math.nan
    measure = str(value["measure"]) if has_measure(value) else ""
    if isinstance(stated_number, str) and not measure:
        measure, stated_number = measure_and_number(stated_number)
    scale = scale_of(measure) if measure else options.measure
    parsed = number(stated_number, Unfit())
    signed = _signed(parsed, scale, is_asked=options.measure == "difference")
    return unfit.add(value) if math.isnan(signed) else signed


def _signed(value_number: float, scale: Scale | None, *, is_asked: bool) -> float:
    """The distance on the scale; NaN if the number has none there."""
    if math.isnan(value_number) or scale is None:
        return math.nan
    if scale == "ratio":
        return math.log(value_number) if value_number > 0 else math.nan
    if scale == "standardised":
        return value_number * LOG_ODDS_PER_DEVIATION
    if scale == "correlation" and abs(value_number) < 1:
        return 2 * value_number / math.sqrt(1 - value_number * value_number) * LOG_ODDS_PER_DEVIATION
    return value_number if is_asked and scale == "difference" else math.nan


Compute = Callable[[Any, Any, Unfit, list[str]], Array]

_NUMBER, _YES_NO, _YEAR, _LIST, _TEXT = "a number", "yes or no", "a year", "a list", "a text"

_COMPUTED: dict[type[criteria.Function], tuple[Compute, str]] = {
    criteria.CategoricalScore: (texts.categorical_score, _TEXT),
    criteria.LogScale: (log_scale, _NUMBER),
    criteria.Linear: (linear, _NUMBER),
    criteria.Inverse: (inverse, _NUMBER),
    criteria.Rank: (rank, _NUMBER),
    criteria.Effect: (effect, "an effect on a common scale"),
    criteria.Threshold: (threshold, _NUMBER),
    criteria.InRange: (in_range, _NUMBER),
    criteria.Recency: (recency, _YEAR),
    criteria.Boolean: (boolean, _YES_NO),
    criteria.Presence: (presence, _TEXT),
    criteria.Count: (count, _LIST),
    criteria.KeywordMatch: (texts.keyword_match, _TEXT),
    criteria.TextSimilarity: (texts.text_similarity, _TEXT),
    criteria.TextQuality: (texts.text_quality, _TEXT),
}
"""Each function with its code and the kind of value that it expects."""

DEFAULTS: dict[str, criteria.Function] = {
    "number": criteria.LogScale(),
    "boolean": criteria.Boolean(),
    "array": criteria.Count(),
    "string": criteria.TextQuality(),
    "effect": criteria.Effect(),
}
"""The default functions by the kind of a feature's values."""

_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    tuple: "array",
    set: "array",
    frozenset: "array",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One feature of all articles, scored by its function, not yet normalised."""

    scores: Array
    """NaN where the feature is missing."""
    function: criteria.Function
    messages: list[str]


def column(feature: str, values: Sequence[Any], requested: criteria.Function | None) -> Column:
    """The values of ``feature`` scored by the requested function, or by the default one for their kind."""
    messages: list[str] = []
    values_read: Sequence[Any] | Array = values
    function = requested or _of_effects(feature, values)
    if function is None and (numeric := _numeric(values)) is not None:
        function, values_read = numeric
    function = function or _default_function(feature, values, messages)
    compute, expected = _COMPUTED[type(function)]
    unfit, computed = Unfit(), list[str]()
    scores = compute(values_read, function, unfit, computed)
    messages += [f"{feature}: {sentence}" for sentence in computed]
    misfits = unfit.sentence(feature, expected)
    return Column(scores, function, [*messages, misfits] if misfits else messages)


def _of_effects(feature: str, values: Sequence[Any]) -> criteria.Function | None:
    """The function for effects, if the values or the name of the feature name a measure."""
    first = next((value for value in values if value is not None), None)
    if measures.has_measure(first):
        return DEFAULTS["effect"]
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    return criteria.Effect(measure="ratio") if is_number and measures.is_ratio_name(feature) else None


def _numeric(values: Sequence[Any]) -> tuple[criteria.Function, Array] | None:
    """The default function for values that begin with a number or a boolean and are all numbers; and the numbers."""
    first = next((value for value in values if value is not None), None)
    if not isinstance(first, int | float):
        return None
    parsed = at_once(values)
    if parsed is None:
        return None
    is_boolean = isinstance(first, bool) and ((parsed == 0) | (parsed == 1) | np.isnan(parsed)).all()
    return DEFAULTS["boolean" if is_boolean else "number"], parsed


def _default_function(feature: str, values: Sequence[Any], messages: list[str]) -> criteria.Function:
    """The default function for the most common kind of value."""
    types = set(map(type, values)) - {type(None)}
    if len(types) == 1 and types <= _KINDS.keys():  # the most common case; the values need no look one by one
        return DEFAULTS[_KINDS[types.pop()]]
    kinds = Counter(_KINDS.get(type(value), "") for value in map(stated_value, values) if value is not None)
    kinds.pop("", None)
    if not kinds:
        return DEFAULTS["number"]
    (kind, _), *other_kinds = kinds.most_common()
    if other_kinds:
        kind_counts = ", ".join(f"{count} {name}" for name, count in kinds.most_common())
        messages.append(f"{feature}: the values are of several kinds ({kind_counts}); scored as {kind}.")
    return DEFAULTS[kind]
