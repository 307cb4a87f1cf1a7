"""Which code computes which scoring function, and which function fits the values of a feature. Pure."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from biofact.literature.scoring import categories, effects, measures, options, scales, texts
from biofact.literature.scoring.values import Array, Unfit, at_once, stated_value

Compute = Callable[[Any, Any, Unfit, list[str]], Array]

_NUMBER, _YES_NO, _YEAR, _LIST, _TEXT = "a number", "yes or no", "a year", "a list", "a text"

_COMPUTED: dict[type[options.Function], tuple[Compute, str]] = {
    options.CategoricalScore: (categories.categorical_score, _TEXT),
    options.LogScale: (scales.log_scale, _NUMBER),
    options.Linear: (scales.linear, _NUMBER),
    options.Inverse: (scales.inverse, _NUMBER),
    options.Rank: (scales.rank, _NUMBER),
    options.Effect: (effects.effect, "an effect on a common scale"),
    options.Threshold: (scales.threshold, _NUMBER),
    options.InRange: (scales.in_range, _NUMBER),
    options.Recency: (scales.recency, _YEAR),
    options.Boolean: (scales.boolean, _YES_NO),
    options.Presence: (scales.presence, _TEXT),
    options.Count: (scales.count, _LIST),
    options.KeywordMatch: (texts.keyword_match, _TEXT),
    options.TextSimilarity: (texts.text_similarity, _TEXT),
    options.TextQuality: (texts.text_quality, _TEXT),
}
"""Each function with its code and what it reads."""

DEFAULTS: dict[str, options.Function] = {
    "number": options.LogScale(),
    "boolean": options.Boolean(),
    "array": options.Count(),
    "string": options.TextQuality(),
    "effect": options.Effect(),
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
    function: options.Function
    messages: list[str]


def column(feature: str, values: Sequence[Any], asked: options.Function | None) -> Column:
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


def _of_effects(feature: str, values: Sequence[Any]) -> options.Function | None:
    """The function for effects, where values name their measure or the feature's name does."""
    first = next((value for value in values if value is not None), None)
    if measures.has_measure(first):
        return DEFAULTS["effect"]
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    return options.Effect(measure="ratio") if is_number and measures.is_ratio_name(feature) else None


def _numeric(values: Sequence[Any]) -> tuple[options.Function, Array] | None:
    """The default for values that begin with a number, true or false, and all read as numbers; and what was read."""
    first = next((value for value in values if value is not None), None)
    if not isinstance(first, int | float):
        return None
    read = at_once(values)
    if read is None:
        return None
    is_boolean = isinstance(first, bool) and ((read == 0) | (read == 1) | np.isnan(read)).all()
    return DEFAULTS["boolean" if is_boolean else "number"], read


def _default_function(feature: str, values: Sequence[Any], messages: list[str]) -> options.Function:
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
