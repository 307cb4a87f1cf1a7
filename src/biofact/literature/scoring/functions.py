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
from biofact.literature.scoring.criteria import (
    Boolean,
    Count,
    Effect,
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


LOG_ODDS_PER_DEVIATION = math.pi / math.sqrt(3)
"""A difference of one standard deviation as the logarithm of an odds ratio (Chinn 2000, PubMed 11113947)."""


def effect(values: Sequence[Any], options: Effect, unfit: Unfit, _messages: list[str]) -> Array:
    """The distance from no effect, as the logarithm of a ratio; of a plain difference its size."""
    distances = np.array([_distance(value, options, unfit) for value in values], dtype=float)
    if options.towards is not None:
        wanted = -1.0 if options.towards == "lower" else 1.0
        distances = np.maximum(wanted * distances, 0.0)
    distances = np.abs(distances)
    scored: Array = distances if options.full is None else np.minimum(distances / options.full, 1.0)
    return scored


def _distance(value: Any, options: Effect, unfit: Unfit) -> float:
    """The signed distance of one value, of a list of its first; negative where less of the outcome is meant."""
    value = value[0] if isinstance(value, list | tuple) and value else value
    stated = stated_value(value)
    if stated is None:
        return math.nan
    measure = str(value["measure"]) if has_measure(value) else ""
    if isinstance(stated, str) and not measure:
        measure, stated = measure_and_number(stated)
    scale = scale_of(measure) if measure else options.measure
    read = number(stated, Unfit())
    signed = _signed(read, scale, is_asked=options.measure == "difference")
    return unfit.add(value) if math.isnan(signed) else signed


def _signed(read: float, scale: Scale | None, *, is_asked: bool) -> float:
    """The distance on the scale; NaN where the number has none there."""
    if math.isnan(read) or scale is None:
        return math.nan
    if scale == "ratio":
        return math.log(read) if read > 0 else math.nan
    if scale == "standardised":
        return read * LOG_ODDS_PER_DEVIATION
    if scale == "correlation":
        return 2 * read / math.sqrt(1 - read * read) * LOG_ODDS_PER_DEVIATION if abs(read) < 1 else math.nan
    return read if is_asked else math.nan


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
"""Each function with its code and what it reads."""

DEFAULTS: dict[str, criteria.Function] = {
    "number": criteria.LogScale(),
    "boolean": criteria.Boolean(),
    "array": criteria.Count(),
    "string": criteria.TextQuality(),
    "effect": criteria.Effect(),
}
"""What scores the values of a feature for which no function is named."""

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

    scored: Array
    """NaN where the feature is missing."""
    function: criteria.Function
    messages: list[str]


def column(feature: str, values: Sequence[Any], asked: criteria.Function | None) -> Column:
    """The values of ``feature`` scored by the function asked for, or by the one that fits them."""
    messages: list[str] = []
    read: Sequence[Any] | Array = values
    chosen = asked or _of_effects(feature, values)
    if chosen is None and (numeric := _numeric(values)) is not None:
        chosen, read = numeric
    chosen = chosen or _default_function(feature, values, messages)
    compute, wanted = _COMPUTED[type(chosen)]
    unfit, computed = Unfit(), list[str]()
    scored = compute(read, chosen, unfit, computed)
    messages += [f"{feature}: {sentence}" for sentence in computed]
    misfits = unfit.sentence(feature, wanted)
    return Column(scored, chosen, [*messages, misfits] if misfits else messages)


def _of_effects(feature: str, values: Sequence[Any]) -> criteria.Function | None:
    """The function for effects, where values name their measure or the feature's name does."""
    first = next((value for value in values if value is not None), None)
    if measures.has_measure(first):
        return DEFAULTS["effect"]
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    return criteria.Effect(measure="ratio") if is_number and measures.is_ratio_name(feature) else None


def _numeric(values: Sequence[Any]) -> tuple[criteria.Function, Array] | None:
    """The default for values that begin with a number, true or false, and all read as numbers; and what was read."""
    first = next((value for value in values if value is not None), None)
    if not isinstance(first, int | float):
        return None
    read = at_once(values)
    if read is None:
        return None
    is_boolean = isinstance(first, bool) and ((read == 0) | (read == 1) | np.isnan(read)).all()
    return DEFAULTS["boolean" if is_boolean else "number"], read


def _default_function(feature: str, values: Sequence[Any], messages: list[str]) -> criteria.Function:
    """The default for the kind that most values are of."""
    types = set(map(type, values)) - {type(None)}
    if len(types) == 1 and types <= _KINDS.keys():  # by far the most common; values are not looked at one by one
        return DEFAULTS[_KINDS[types.pop()]]
    kinds = Counter(_KINDS.get(type(value), "") for value in map(stated_value, values) if value is not None)
    kinds.pop("", None)
    if not kinds:
        return DEFAULTS["number"]
    (kind, _), *others = kinds.most_common()
    if others:
        held = ", ".join(f"{count} {name}" for name, count in kinds.most_common())
        messages.append(f"{feature}: the values are of several kinds ({held}); scored as {kind}.")
    return DEFAULTS[kind]
