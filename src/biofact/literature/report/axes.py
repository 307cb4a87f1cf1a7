"""Axes of a forest plot: which range it covers, where its ticks stand, and at what share of the width a value. Pure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from biofact.literature.report.effects import RATIOS, Effect

_NULLS = {"SMD": 0.0, "r": 0.0, "ICC": 0.0, "kappa": 0.0, "AUC": 0.5, **dict.fromkeys(RATIOS, 1.0)}
"""Where a measure means no effect; of those that are not named here it means nothing at all."""
_OWN_SCALE_NULL = 0.0
_FARTHEST_RATIO = 30.0
"""An interval that goes farther from 1 ends in an arrow, so that one of them does not squeeze all others."""
_RATIO_TICKS = (
    (0.8, 0.9, 1, 1.1, 1.25),
    (0.5, 0.7, 1, 1.4, 2),
    (0.25, 0.5, 1, 2, 4),
    (0.1, 0.3, 1, 3, 10),
    (0.03, 0.1, 0.3, 1, 3, 10, 30),
)
_MARGIN = 0.04
_MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis. Positions are percentages of the width."""

    low: float
    high: float
    is_logarithmic: bool
    null: float | None
    """Where no effect lies."""
    ticks: tuple[float, ...]

    def position(self, value: float) -> float:
        """Where a value stands; beyond an end it stands at that end."""
        low, high, at = (self._scaled(one) for one in (self.low, self.high, min(max(value, self.low), self.high)))
        share = (at - low) / (high - low)
        return round(100 * (_MARGIN + share * (1 - 2 * _MARGIN)), 2)

    def is_beyond(self, value: float) -> bool:
        """Whether a value lies outside, where an arrow stands for it."""
        return not self.low <= value <= self.high

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.is_logarithmic else value


def shared_axis(measure: str, effects: Sequence[Effect]) -> Axis:
    """The axis of all effects of one measure that are on one scale."""
    values = [one for effect in effects for one in (effect.value, effect.low, effect.high) if one is not None]
    null = _NULLS.get(measure)
    if measure in RATIOS:
        return _ratio_axis(values)
    if null is not None:
        values.append(null)
    low, high = min(values), max(values)
    room = (high - low) * 0.05 or abs(high) * 0.1 or 1.0
    ticks = tuple(_round_steps(low, high))
    return Axis(min(low - room, ticks[0]), max(high + room, ticks[-1]), is_logarithmic=False, null=null, ticks=ticks)


def own_axis(effect: Effect) -> Axis:
    """The axis of one effect in its own unit: no effect is in the middle, the farther end of the interval outside."""
    reach = max(abs(one) for one in (effect.value, effect.low, effect.high) if one is not None) or 1.0
    return Axis(-reach, reach, is_logarithmic=False, null=_OWN_SCALE_NULL, ticks=())


def _ratio_axis(values: Sequence[float]) -> Axis:
    """As far to the left as to the right, so that a half and twice as much are equally far from no effect."""
    reach = max(max(value, 1 / value) for value in values if value > 0)
    reach = min(max(reach, 1.25), _FARTHEST_RATIO)
    ticks = next((one for one in _RATIO_TICKS if one[-1] >= reach), _RATIO_TICKS[-1])
    return Axis(1 / max(reach, ticks[-1]), max(reach, ticks[-1]), is_logarithmic=True, null=1.0, ticks=ticks)


def _round_steps(low: float, high: float) -> Iterator[float]:
    """Multiples of 1, 2 or 5 times a power of ten, from the last one below to the first one above."""
    span = (high - low) or abs(high) or 1.0
    size = 10 ** math.floor(math.log10(span / _MOST_TICKS))
    step = next(size * one for one in (1, 2, 5, 10, 20) if span / (size * one) <= _MOST_TICKS - 1)
    digits = max(0, -math.floor(math.log10(step)))
    first, last = math.floor(low / step), math.ceil(high / step)
    for place in range(first, last + 1):
        yield round(place * step, digits)
