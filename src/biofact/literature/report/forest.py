"""Effects with their intervals, study by study: a panel for each measure, its axis, and nothing pooled. Pure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.report.effects import IN_UNITS, RATIOS, Effect, comparison_of, effect_numbers, effects_of
from biofact.literature.report.markup import (
    Markup,
    count_in_words,
    isolate,
    join_markup,
    measure_label,
    plain_number,
    tag,
)
from biofact.literature.report.reading import Reading, study_name

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


_MARK = 4.5
"""Half the width of a square, in pixels; all are alike, for none weighs more than another."""
_ARROW = 7


class _PlottedEffect(NamedTuple):
    row: RankedRow
    effect: Effect


def forest(rows: Sequence[RankedRow], reading: Reading) -> Markup | None:
    """The panels, those with most studies first; None where no effect with an interval is stated."""
    panels: dict[str, list[_PlottedEffect]] = {}
    without = 0
    for row in rows:
        for effect in effects_of(row.candidate.extraction):
            if effect.can_be_drawn:
                panels.setdefault(effect.measure, []).append(_PlottedEffect(row, effect))
            else:
                without += 1
    if not panels:
        return None
    ordered = sorted(panels.items(), key=lambda one: -len(one[1]))
    drawn = join_markup(_panel(measure, plotted, reading) for measure, plotted in ordered)
    return join_markup([_introduction(without), tag("div", drawn, class_="panels")])


def _introduction(without: int) -> Markup:
    words = (
        "Each line is one article\u2019s estimate with its confidence interval, as stated. Nothing is pooled: squares"
        " are of one size, and there is no summary. Intervals are of 95% where no other level is named."
    )
    others = f" {count_in_words(without, 'effect')} without an interval: see the evidence table." if without else ""
    return tag("p", words + others, class_="note")


def _panel(measure: str, plotted: Sequence[_PlottedEffect], reading: Reading) -> Markup:
    is_shared = measure not in IN_UNITS
    axis = shared_axis(measure, [one.effect for one in plotted]) if is_shared else None
    lines = (_line(one, axis or own_axis(one.effect), reading) for one in plotted)
    title = tag("h3", measure_label(measure), tag("span", f" {count_in_words(len(plotted), 'estimate')}"))
    heads = (("Study", "study"), (_direction(measure), "plot"), ("Estimate (interval)", "n"))
    head = tag("tr", *(tag("th", name, scope="col", class_=shade) for name, shade in heads))
    foot = tag("tfoot", tag("tr", tag("td"), tag("td", _scale(axis), class_="plot"), tag("td"))) if axis else None
    table = tag("table", tag("thead", head), tag("tbody", *lines), foot, class_="forest")
    return tag("div", title, tag("p", _reading(measure), class_="note"), table, class_="panel")


def _direction(measure: str) -> str:
    if measure in RATIOS or measure in IN_UNITS or measure == "SMD":
        return "\u2190 less  \u00b7  more \u2192"
    return "\u2190 lower  \u00b7  higher \u2192"


def _reading(measure: str) -> str:
    """How to read the panel, in a sentence."""
    if measure in RATIOS:
        return (
            "Logarithmic axis; the line at 1 is no effect. Below 1 there is less of the outcome: good or bad as the"
            " outcome is."
        )
    if measure in IN_UNITS:
        return (
            "Each in the unit of its article and on a scale of its own: compare on which side of 0 intervals lie, not"
            " how far."
        )
    if measure == "AUC":
        return "The line at 0.5 is chance."
    return "No line of no effect." if measure == "sensitivity" else "The line at 0 is no effect."


def _line(one: _PlottedEffect, axis: Axis, reading: Reading) -> Markup:
    row, effect = one
    context = effect.outcome or comparison_of(row.candidate.extraction)
    name = reading.link(row, isolate(study_name(row)))
    about = isolate(context, class_="by") if context else None
    return tag("tr", tag("th", name, about, scope="row"), tag("td", _drawn(effect, axis), class_="plot"),
               tag("td", effect_numbers(effect), class_="n"))  # fmt: skip


def _drawn(effect: Effect, axis: Axis) -> Markup:
    """The interval as a line, the estimate as a square; the numbers beside it say the same to those who cannot see."""
    low, high = effect.low or 0.0, effect.high or 0.0
    ends = [axis.position(one) for one in (low, high)]
    at = axis.position(effect.value)
    return tag(
        "svg",
        *_null_line(axis),
        tag("line", x1=f"{ends[0]}%", x2=f"{ends[1]}%", y1="50%", y2="50%", class_="interval"),
        *(_arrow(end, side) for end, value, side in zip(ends, (low, high), (-1, 1), strict=True)
          if axis.is_beyond(value)),
        tag("svg", tag("rect", x=-_MARK, y=-_MARK, width=2 * _MARK, height=2 * _MARK, class_="estimate"),
            x=f"{at}%", y="50%", overflow="visible", class_="at"),
        aria_hidden="true",
    )  # fmt: skip


def _arrow(at: float, side: int) -> Markup:
    """Says that the interval goes on."""
    shape = f"{side * _ARROW},0 0,{-_ARROW / 2} 0,{_ARROW / 2}"
    inside = tag("polygon", points=shape, class_="beyond")
    return tag("svg", inside, x=f"{at}%", y="50%", overflow="visible", class_="at")


def _null_line(axis: Axis) -> Iterator[Markup]:
    if axis.null is not None and not axis.is_beyond(axis.null):
        at = f"{axis.position(axis.null)}%"
        yield tag("line", x1=at, x2=at, y1="0", y2="100%", class_="null")


def _scale(axis: Axis) -> Markup:
    ends = f"{axis.position(axis.low)}%", f"{axis.position(axis.high)}%"
    parts = [tag("line", x1=ends[0], x2=ends[1], y1=1, y2=1, class_="axis")]
    for tick in axis.ticks:
        at = f"{axis.position(tick)}%"
        parts.append(tag("line", x1=at, x2=at, y1=1, y2=6, class_="axis"))
        parts.append(tag("text", plain_number(tick), x=at, y=19, text_anchor="middle"))
    return tag("svg", *parts, class_="scale", role="img", aria_label=_in_words(axis))


def _in_words(axis: Axis) -> str:
    kind = "Logarithmic axis" if axis.is_logarithmic else "Axis"
    return f"{kind} from {plain_number(axis.ticks[0])} to {plain_number(axis.ticks[-1])}"
