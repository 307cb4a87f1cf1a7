"""How far an effect lies from none, whichever way it points. Pure; definitions in docs/scoring.md."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from biofact.literature.scoring.measures import Scale, has_measure, measure_and_number, scale_of
from biofact.literature.scoring.options import Effect
from biofact.literature.scoring.values import Array, Unfit, number, stated_value

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
