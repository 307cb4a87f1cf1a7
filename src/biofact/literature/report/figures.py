"""Figures of a report: distribution of scores, correlations, flow of articles, forest plots. Pure.

The flow has the boxes and words of PRISMA 2020, and marks phases that were not done: Page MJ and others, The PRISMA
2020 statement, BMJ 2021;372:n71, flow diagram for databases and registers only.
A forest plot has a panel for each measure, and nothing is pooled.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from biofact.literature.extraction.fields.effects import RATIOS
from biofact.literature.ranking.candidates import Candidate, RankedRow
from biofact.literature.report.content import Counts, Flow
from biofact.literature.report.effects import IN_UNITS, Effect, comparison_of, effect_numbers, effects_of
from biofact.literature.report.markup import (
    Markup,
    count_in_words,
    field_label,
    isolate,
    join_markup,
    measure_label,
    number,
    plain_number,
    tag,
    web_link,
)
from biofact.literature.report.view import ArticleView, study_name

_WIDTH, _HEIGHT = 360, 210
_Y_AXIS_WIDTH, _RIGHT_MARGIN, _TOP_MARGIN, _X_AXIS_HEIGHT = 36, 8, 14, 40
_MANY_SCORES = 60
_STRENGTHS = 4
_LONG_NUMBER, _MILLION = 10_000, 1_000_000

FEWEST_CORRELATED = 10
"""Articles that state both features, below which no correlation is shown."""


def histogram(scores: Mapping[float, int], ranked: Mapping[float, int], distribution: Mapping[str, float]) -> Markup:
    """How many articles scored what, with ranked articles highlighted; an SVG with an equivalent text."""
    bins = 20 if sum(scores.values()) >= _MANY_SCORES else 10
    all_counts, ranked_counts = _counts(scores, bins), _counts(ranked, bins)
    top_count = _rounded_up(max(all_counts, default=0))
    parts = [*_value_axis(top_count), *_bars(all_counts, ranked_counts, top_count), *_score_axis()]
    parts += _median(distribution.get("median"))
    shape = f"0 0 {_WIDTH} {_HEIGHT}"
    ranges = [f"{i / bins:.2f} to {(i + 1) / bins:.2f}: {count}" for i, count in enumerate(all_counts) if count]
    label = f"Histogram of total scores from 0 to 1. Articles by score: {'; '.join(ranges) or 'none'}."
    return tag("svg", *parts, viewBox=shape, role="img", aria_label=label)


def _counts(scores: Mapping[float, int], bins: int) -> list[int]:
    counts = [0] * bins
    for score, count in scores.items():
        # a product of floats may fall just short of a whole number
        counts[min(int(score * bins + 1e-9), bins - 1)] += count
    return counts


def _rounded_up(count: int) -> int:
    """The next 1, 2, 4, 5 or 10 times a power of ten, so that the axis has whole steps."""
    size = int("1" + "0" * (len(str(max(count, 1))) - 1))
    return next(step * size for step in (1, 2, 4, 5, 6, 8, 10) if step * size >= count)


def _x(score: float) -> float:
    return round(_Y_AXIS_WIDTH + score * (_WIDTH - _Y_AXIS_WIDTH - _RIGHT_MARGIN), 2)


def _y(share: float) -> float:
    return round(_HEIGHT - _X_AXIS_HEIGHT - share * (_HEIGHT - _TOP_MARGIN - _X_AXIS_HEIGHT), 2)


def _value_axis(top_count: int) -> list[Markup]:
    marks = sorted({0, top_count, *([top_count // 2] if top_count % 2 == 0 else [])})
    parts = []
    for mark in marks:
        y, shade = _y(mark / top_count), "grid" if mark else "axis"
        parts.append(tag("line", x1=_Y_AXIS_WIDTH, x2=_WIDTH - _RIGHT_MARGIN, y1=y, y2=y, class_=shade))
        parts.append(tag("text", _in_short(mark), x=_Y_AXIS_WIDTH - 5, y=y + 3.5, text_anchor="end"))
    middle = _y(0.5)
    parts.append(tag("text", "Articles", x=9, y=middle, transform=f"rotate(-90 9 {middle})", text_anchor="middle"))
    return parts


def _in_short(mark: int) -> str:
    """A round number that fits beside the axis: ``400``, ``2,000``, ``25k``, ``1.5M``."""
    if mark < _LONG_NUMBER:
        return f"{mark:,}"
    return f"{mark / 1e6:g}M" if mark >= _MILLION else f"{mark / 1e3:g}k"


def _score_axis() -> list[Markup]:
    bottom = _HEIGHT - _X_AXIS_HEIGHT
    marks = [tag("text", number(i / 5, 1), x=_x(i / 5), y=bottom + 15, text_anchor="middle") for i in range(6)]
    middle = _x(0.5)
    return [*marks, tag("text", "Total score", x=middle, y=_HEIGHT - 8, text_anchor="middle")]


def _bars(all_counts: Sequence[int], ranked_counts: Sequence[int], top_count: int) -> list[Markup]:
    bins = len(all_counts)
    parts = []
    for i, (count, ranked) in enumerate(zip(all_counts, ranked_counts, strict=True)):
        ranked_part = min(ranked, count)
        for low, high, shade in ((0, ranked_part, "ranked"), (ranked_part, count, "other")):
            if high > low:
                top, bottom = _y(high / top_count), _y(low / top_count)
                x, width = round(_x(i / bins) + 1, 2), round(_x((i + 1) / bins) - _x(i / bins) - 2, 2)
                parts.append(tag("rect", x=x, y=top, width=width, height=round(bottom - top, 2), class_=shade))
    return parts


def _median(median: float | None) -> list[Markup]:
    if median is None:
        return []
    x = _x(min(max(median, 0.0), 1.0))
    anchor, shift = ("end", -4) if x > _WIDTH - 80 else ("start", 4)
    label = f"median {number(median)}"
    return [
        tag("line", x1=x, x2=x, y1=_TOP_MARGIN - 4, y2=_HEIGHT - _X_AXIS_HEIGHT, class_="median"),
        tag("text", label, x=x + shift, y=_TOP_MARGIN + 4, text_anchor=anchor, class_="strong"),
    ]


def known_correlations(
    correlations: Mapping[str, Mapping[str, float]], candidates: Sequence[Candidate]
) -> dict[str, Mapping[str, float]]:
    """The correlations over enough articles with both features; over fewer they are noise."""
    stating_rows = {
        name: {
            row
            for row, candidate in enumerate(candidates)
            if name in candidate.breakdown and not candidate.breakdown[name].is_missing
        }
        for name in correlations
    }
    reliable = {
        name: {other: value for other, value in row.items()
               if len(stating_rows.get(name, set()) & stating_rows.get(other, set())) >= FEWEST_CORRELATED}
        for name, row in correlations.items()
    }  # fmt: skip
    return between_features(reliable)


def between_features(correlations: Mapping[str, Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    """The correlations without features that have none with another feature."""
    return {name: row for name, row in correlations.items() if len(row) > 1}


def heat_map(correlations: Mapping[str, Mapping[str, float]]) -> Markup:
    """Pearson's r between feature scores as a table whose cells are the darker the stronger."""
    names = list(dict.fromkeys((*correlations, *(name for row in correlations.values() for name in row))))
    head = tag("tr", tag("td"), *(tag("th", field_label(name), scope="col") for name in names))
    body = (
        tag("tr", tag("th", field_label(name), scope="row"), *(_cell(correlations, name, other) for other in names))
        for name in names
    )
    caption = tag("caption", "Correlation of feature scores, Pearson\u2019s r")
    return tag("table", caption, tag("thead", head), tag("tbody", *body), class_="heat")


def _cell(correlations: Mapping[str, Mapping[str, float]], name: str, other: str) -> Markup:
    value = correlations.get(name, {}).get(other)
    if value is None:
        return tag("td", tag("span", "\u2013", aria_label="not known"))
    if name == other:
        return tag("td", "1", class_="self")
    strength = min(math.ceil(abs(value) * _STRENGTHS - 0.5), _STRENGTHS)
    sign = "n" if value < 0 else "p"
    return tag("td", number(value), class_=f"{sign}{strength}" if strength > 0 else None)


def summary(distribution: Mapping[str, float], article_count: int) -> str:
    """The distribution in a line."""
    phrases = [count_in_words(article_count, "article")]
    if {"mean", "std"} <= distribution.keys():
        phrases.append(f"mean {number(distribution['mean'])}, standard deviation {number(distribution['std'])}")
    if {"q1", "q3"} <= distribution.keys():
        phrases.append(f"middle half {number(distribution['q1'])} to {number(distribution['q3'])}")
    if {"min", "max"} <= distribution.keys():
        phrases.append(f"all {number(distribution['min'])} to {number(distribution['max'])}")
    return "; ".join(phrases) + "."


TITLE = "Identification of studies via databases and registers"
NOT_DONE = "not done"
_STATEMENT = "https://doi.org/10.1136/bmj.n71"


class _Item(NamedTuple):
    """A line of a box: its label, its number, what it is made of."""

    label: str
    number: int | None
    """None for a phase that was not done."""
    parts: Counts = ()


class _Box(NamedTuple):
    title: str
    items: tuple[_Item, ...] = ()
    note: str = ""


def prisma(flow: Flow) -> Markup:
    """The diagram: a band for each phase, what stays on the left, what is removed on the right."""
    databases = _Item(flow.origin, flow.found, flow.identified)
    identified = _Box("Records identified from:", (databases, _Item("Registers", None)))
    bands: dict[str, list[tuple[_Box, _Box | None]]] = {
        "Identification": [(identified, _removed_box(flow))],
        "Screening": [
            (_Box("Records screened", note=_screening_note(flow)), _Box("Records excluded")),
            (_Box("Reports sought for retrieval"), _Box("Reports not retrieved")),
            (_Box("Reports assessed for eligibility"), _Box("Reports excluded")),
        ],
        "Included": [(_Box("Studies included in review", (_Item("Reports of included studies", None),)), None)],
    }
    band_elements = (_band(name, steps) for name, steps in bands.items())
    source = join_markup([
        "Boxes and words of the ", web_link(_STATEMENT, "PRISMA 2020"),
        " flow diagram. A program found and ranked these records; nobody has screened them.",
    ])  # fmt: skip
    heading = tag("h3", TITLE)
    return tag("div", heading, tag("ol", *band_elements, class_="prisma"), tag("p", source, class_="note"))


def _removed_box(flow: Flow) -> _Box:
    other_reasons = tuple((reason, count) for reason, count in flow.other_removals if count)
    by_rules = tuple((reason, count) for reason, count in flow.excluded if count)
    items = (
        _Item("Duplicate records removed", flow.duplicates),
        _Item("Records marked as ineligible by automation tools", flow.marked_ineligible, by_rules),
        _Item("Records removed for other reasons", sum(count for _, count in flow.other_removals), other_reasons),
    )
    return _Box("Records removed before screening:", items)


def _screening_note(flow: Flow) -> str:
    list_note = "all are listed on this page" if not flow.cut else f"the first {flow.ranked:,} are listed on this page"
    if not flow.passed_count:
        return "No record is left to be screened."
    return f"{flow.passed_count:,} ranked and ready to be screened; {list_note}."


def _band(name: str, steps: Sequence[tuple[_Box, _Box | None]]) -> Markup:
    lines = (
        tag("li", _box(first_box, "box"), _box(second_box, "left") if second_box else None)
        for first_box, second_box in steps
    )
    return tag("li", tag("h4", name, class_="phase"), tag("ol", *lines, class_="flow"), class_="band")


def _box(box: _Box, shade: str) -> Markup:
    title = join_markup([box.title]) if box.title.endswith(":") else _with_count(box.title, None)
    lines = tag("ul", *map(_item, box.items)) if box.items else None
    note = tag("p", box.note, class_="ready") if box.note else None
    return tag("div", tag("p", title, class_="what"), lines, note, class_=shade)


def _item(item: _Item) -> Markup:
    parts = tag("ul", *(tag("li", isolate(f"{name}: {count:,}")) for name, count in item.parts)) if item.parts else None
    return tag("li", tag("p", _with_count(item.label, item.number)), parts)


def _with_count(label: str, count: int | None) -> Markup:
    number = tag("b", f"(n = {count:,})") if count is not None else tag("span", f"({NOT_DONE})", class_="none")
    return join_markup([label, " ", number])


_NULLS = {"SMD": 0.0, "r": 0.0, "ICC": 0.0, "kappa": 0.0, "AUC": 0.5, **dict.fromkeys(RATIOS, 1.0)}
"""The value of no effect by measure; other measures have none."""
_OWN_SCALE_NULL = 0.0
_FARTHEST_RATIO = 30.0
"""An interval that reaches farther from 1 ends in an arrow, so that it does not compress all others."""
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
    """The position of no effect."""
    ticks: tuple[float, ...]

    def position(self, value: float) -> float:
        """The position of a value; beyond an end it is that end."""
        low, high, scaled = (
            self._scaled(bound) for bound in (self.low, self.high, min(max(value, self.low), self.high))
        )
        share = (scaled - low) / (high - low)
        return round(100 * (_MARGIN + share * (1 - 2 * _MARGIN)), 2)

    def is_beyond(self, value: float) -> bool:
        """Whether a value lies outside, where an arrow stands for it."""
        return not self.low <= value <= self.high

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.is_logarithmic else value


def shared_axis(measure: str, effects: Sequence[Effect]) -> Axis:
    """The axis of all effects of one measure that are on one scale."""
    values = [number for effect in effects for number in (effect.value, effect.low, effect.high) if number is not None]
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
    reach = max(abs(number) for number in (effect.value, effect.low, effect.high) if number is not None) or 1.0
    return Axis(-reach, reach, is_logarithmic=False, null=_OWN_SCALE_NULL, ticks=())


def _ratio_axis(values: Sequence[float]) -> Axis:
    """An axis as long to the left as to the right, so that 0.5 and 2 are equally far from no effect."""
    reach = max(max(value, 1 / value) for value in values if value > 0)
    reach = min(max(reach, 1.25), _FARTHEST_RATIO)
    ticks = next((tick_set for tick_set in _RATIO_TICKS if tick_set[-1] >= reach), _RATIO_TICKS[-1])
    return Axis(1 / max(reach, ticks[-1]), max(reach, ticks[-1]), is_logarithmic=True, null=1.0, ticks=ticks)


def _round_steps(low: float, high: float) -> Iterator[float]:
    """Multiples of 1, 2 or 5 times a power of ten, from the last one below to the first one above."""
    span = (high - low) or abs(high) or 1.0
    size = 10 ** math.floor(math.log10(span / _MOST_TICKS))
    step = next(size * factor for factor in (1, 2, 5, 10, 20) if span / (size * factor) <= _MOST_TICKS - 1)
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


def forest(rows: Sequence[RankedRow], view: ArticleView) -> Markup | None:
    """The panels, those with most studies first; None if no article states an effect with an interval."""
    panels: dict[str, list[_PlottedEffect]] = {}
    undrawn_count = 0
    for row in rows:
        for effect in effects_of(row.candidate.extraction):
            if effect.can_be_drawn:
                panels.setdefault(effect.measure, []).append(_PlottedEffect(row, effect))
            else:
                undrawn_count += 1
    if not panels:
        return None
    sorted_panels = sorted(panels.items(), key=lambda panel: -len(panel[1]))
    panel_elements = join_markup(_panel(measure, effects, view) for measure, effects in sorted_panels)
    return join_markup([_introduction(undrawn_count), tag("div", panel_elements, class_="panels")])


def _introduction(undrawn_count: int) -> Markup:
    words = (
        "Each line is one article\u2019s estimate with its confidence interval, as stated. Nothing is pooled: squares"
        " are of one size, and there is no summary. Intervals are of 95% where no other level is named."
    )
    if undrawn_count:
        words += f" {count_in_words(undrawn_count, 'effect')} without an interval: see the evidence table."
    return tag("p", words, class_="note")


def _panel(measure: str, effects: Sequence[_PlottedEffect], view: ArticleView) -> Markup:
    is_shared = measure not in IN_UNITS
    axis = shared_axis(measure, [effect.effect for effect in effects]) if is_shared else None
    lines = (_line(effect, axis or own_axis(effect.effect), view) for effect in effects)
    title = tag("h3", measure_label(measure), tag("span", f" {count_in_words(len(effects), 'estimate')}"))
    is_of_amount = measure in RATIOS or measure in IN_UNITS or measure == "SMD"
    direction = "\u2190 less  \u00b7  more \u2192" if is_of_amount else "\u2190 lower  \u00b7  higher \u2192"
    heads = (("Study", "study"), (direction, "plot"), ("Estimate (interval)", "n"))
    head = tag("tr", *(tag("th", name, scope="col", class_=shade) for name, shade in heads))
    foot = tag("tfoot", tag("tr", tag("td"), tag("td", _scale(axis), class_="plot"), tag("td"))) if axis else None
    table = tag("table", tag("thead", head), tag("tbody", *lines), foot, class_="forest")
    return tag("div", title, tag("p", _panel_note(measure), class_="note"), table, class_="panel")


def _panel_note(measure: str) -> str:
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


def _line(estimate: _PlottedEffect, axis: Axis, view: ArticleView) -> Markup:
    row, effect = estimate
    context = effect.outcome or comparison_of(row.candidate.extraction)
    name = view.link(row, isolate(study_name(row)))
    context_element = isolate(context, class_="by") if context else None
    return tag("tr", tag("th", name, context_element, scope="row"), tag("td", _drawing(effect, axis), class_="plot"),
               tag("td", effect_numbers(effect), class_="n"))  # fmt: skip


def _drawing(effect: Effect, axis: Axis) -> Markup:
    """The interval as a line, the estimate as a square; the numbers beside it serve screen readers."""
    low, high = effect.low or 0.0, effect.high or 0.0
    ends = [axis.position(bound) for bound in (low, high)]
    position = axis.position(effect.value)
    return tag(
        "svg",
        *_null_line(axis),
        tag("line", x1=f"{ends[0]}%", x2=f"{ends[1]}%", y1="50%", y2="50%", class_="interval"),
        *(_arrow(end, side) for end, value, side in zip(ends, (low, high), (-1, 1), strict=True)
          if axis.is_beyond(value)),
        tag("svg", tag("rect", x=-_MARK, y=-_MARK, width=2 * _MARK, height=2 * _MARK, class_="estimate"),
            x=f"{position}%", y="50%", overflow="visible", class_="at"),
        aria_hidden="true",
    )  # fmt: skip


def _arrow(position: float, side: int) -> Markup:
    """An arrow for an interval that continues outside the axis."""
    shape = f"{side * _ARROW},0 0,{-_ARROW / 2} 0,{_ARROW / 2}"
    arrow = tag("polygon", points=shape, class_="beyond")
    return tag("svg", arrow, x=f"{position}%", y="50%", overflow="visible", class_="at")


def _null_line(axis: Axis) -> Iterator[Markup]:
    if axis.null is not None and not axis.is_beyond(axis.null):
        position = f"{axis.position(axis.null)}%"
        yield tag("line", x1=position, x2=position, y1="0", y2="100%", class_="null")


def _scale(axis: Axis) -> Markup:
    ends = f"{axis.position(axis.low)}%", f"{axis.position(axis.high)}%"
    parts = [tag("line", x1=ends[0], x2=ends[1], y1=1, y2=1, class_="axis")]
    for tick in axis.ticks:
        position = f"{axis.position(tick)}%"
        parts.append(tag("line", x1=position, x2=position, y1=1, y2=6, class_="axis"))
        parts.append(tag("text", plain_number(tick), x=position, y=19, text_anchor="middle"))
    kind = "Logarithmic axis" if axis.is_logarithmic else "Axis"
    label = f"{kind} from {plain_number(axis.ticks[0])} to {plain_number(axis.ticks[-1])}"
    return tag("svg", *parts, class_="scale", role="img", aria_label=label)
