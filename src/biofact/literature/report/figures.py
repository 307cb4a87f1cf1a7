"""Figures of a report: the distribution of scores, the correlations, the flow of articles. Pure.

The flow has the boxes and words of PRISMA 2020, and marks phases that were not done: Page MJ and others, The PRISMA
2020 statement, BMJ 2021;372:n71, flow diagram for databases and registers only.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from biofact.literature.ranking.candidates import Candidate
from biofact.literature.report.content import Counts, Flow
from biofact.literature.report.markup import (
    Markup,
    count_in_words,
    field_label,
    isolate,
    join_markup,
    number,
    tag,
    web_link,
)

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
    every, listed = _counts(scores, bins), _counts(ranked, bins)
    most = _rounded_up(max(every, default=0))
    parts = [*_value_axis(most), *_bars(every, listed, most), *_score_axis(), *_median(distribution.get("median"))]
    shape = f"0 0 {_WIDTH} {_HEIGHT}"
    return tag("svg", *parts, viewBox=shape, role="img", aria_label=_in_words(every, bins))


def _counts(scores: Mapping[float, int], bins: int) -> list[int]:
    counts = [0] * bins
    for score, count in scores.items():
        counts[min(int(score * bins + 1e-9), bins - 1)] += count
    return counts


def _in_words(every: Sequence[int], bins: int) -> str:
    filled = [f"{i / bins:.2f} to {(i + 1) / bins:.2f}: {count}" for i, count in enumerate(every) if count]
    return f"Histogram of total scores from 0 to 1. Articles by score: {'; '.join(filled) or 'none'}."


def _rounded_up(count: int) -> int:
    """The next 1, 2, 4, 5 or 10 times a power of ten, so that the axis has whole steps."""
    size = int("1" + "0" * (len(str(max(count, 1))) - 1))
    return next(step * size for step in (1, 2, 4, 5, 6, 8, 10) if step * size >= count)


def _x(score: float) -> float:
    return round(_Y_AXIS_WIDTH + score * (_WIDTH - _Y_AXIS_WIDTH - _RIGHT_MARGIN), 2)


def _y(share: float) -> float:
    return round(_HEIGHT - _X_AXIS_HEIGHT - share * (_HEIGHT - _TOP_MARGIN - _X_AXIS_HEIGHT), 2)


def _value_axis(most: int) -> list[Markup]:
    marks = sorted({0, most, *([most // 2] if most % 2 == 0 else [])})
    parts = []
    for mark in marks:
        y = _y(mark / most)
        parts.append(
            tag("line", x1=_Y_AXIS_WIDTH, x2=_WIDTH - _RIGHT_MARGIN, y1=y, y2=y, class_="grid" if mark else "axis")
        )
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


def _bars(every: Sequence[int], listed: Sequence[int], most: int) -> list[Markup]:
    bins = len(every)
    parts = []
    for i, (count, ranked) in enumerate(zip(every, listed, strict=True)):
        shown = min(ranked, count)
        for low, high, shade in ((0, shown, "ranked"), (shown, count, "other")):
            if high > low:
                top, bottom = _y(high / most), _y(low / most)
                x, width = _x(i / bins) + 1, round(_x((i + 1) / bins) - _x(i / bins) - 2, 2)
                parts.append(
                    tag("rect", x=round(x, 2), y=top, width=width, height=round(bottom - top, 2), class_=shade)
                )
    return parts


def _median(median: float | None) -> list[Markup]:
    if median is None:
        return []
    x = _x(min(max(median, 0.0), 1.0))
    anchor = "end" if x > _WIDTH - 80 else "start"
    label = f"median {number(median)}"
    return [
        tag("line", x1=x, x2=x, y1=_TOP_MARGIN - 4, y2=_HEIGHT - _X_AXIS_HEIGHT, class_="median"),
        tag(
            "text",
            label,
            x=x + (4 if anchor == "start" else -4),
            y=_TOP_MARGIN + 4,
            text_anchor=anchor,
            class_="strong",
        ),
    ]


def known_correlations(
    correlations: Mapping[str, Mapping[str, float]], candidates: Sequence[Candidate]
) -> dict[str, Mapping[str, float]]:
    """Those over enough articles that state both features; of fewer a correlation is noise."""
    stated = {
        name: {
            row for row, one in enumerate(candidates) if name in one.breakdown and not one.breakdown[name].is_missing
        }
        for name in correlations
    }
    enough = {
        name: {other: value for other, value in row.items()
               if len(stated.get(name, set()) & stated.get(other, set())) >= FEWEST_CORRELATED}
        for name, row in correlations.items()
    }  # fmt: skip
    return between_features(enough)


def between_features(correlations: Mapping[str, Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    """Without the features of which no correlation with another is known."""
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


def summary(distribution: Mapping[str, float], scored: int) -> str:
    """The distribution in a line."""
    phrases = [count_in_words(scored, "article")]
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
    """None for what nobody did."""
    parts: Counts = ()


class _Box(NamedTuple):
    title: str
    items: tuple[_Item, ...] = ()
    note: str = ""


def prisma(flow: Flow) -> Markup:
    """The diagram: a band for each phase, what stays on the left, what is removed on the right."""
    bands: dict[str, list[tuple[_Box, _Box | None]]] = {
        "Identification": [(_identified(flow), _removed(flow))],
        "Screening": [
            (_Box("Records screened", note=_ready(flow)), _Box("Records excluded")),
            (_Box("Reports sought for retrieval"), _Box("Reports not retrieved")),
            (_Box("Reports assessed for eligibility"), _Box("Reports excluded")),
        ],
        "Included": [(_Box("Studies included in review", (_Item("Reports of included studies", None),)), None)],
    }
    drawn = (_band(name, steps) for name, steps in bands.items())
    source = join_markup([
        "Boxes and words of the ", web_link(_STATEMENT, "PRISMA 2020"),
        " flow diagram. A program found and ranked these records; nobody has screened them.",
    ])  # fmt: skip
    heading = tag("h3", TITLE)
    return tag("div", heading, tag("ol", *drawn, class_="prisma"), tag("p", source, class_="note"))


def _identified(flow: Flow) -> _Box:
    databases = _Item(flow.origin, flow.found, flow.identified)
    return _Box("Records identified from:", (databases, _Item("Registers", None)))


def _removed(flow: Flow) -> _Box:
    others = tuple((reason, count) for reason, count in flow.lost if count)
    by_rules = tuple((reason, count) for reason, count in flow.excluded if count)
    items = (
        _Item("Duplicate records removed", flow.duplicates),
        _Item("Records marked as ineligible by automation tools", flow.marked_ineligible, by_rules),
        _Item("Records removed for other reasons", sum(count for _, count in flow.lost), others),
    )
    return _Box("Records removed before screening:", items)


def _ready(flow: Flow) -> str:
    listed = "all are listed on this page" if not flow.cut else f"the first {flow.ranked:,} are listed on this page"
    if not flow.passed:
        return "No record is left to be screened."
    return f"{flow.passed:,} ranked and ready to be screened; {listed}."


def _band(name: str, steps: Sequence[tuple[_Box, _Box | None]]) -> Markup:
    lines = (tag("li", _box(kept, "box"), _box(removed, "left") if removed else None) for kept, removed in steps)
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
