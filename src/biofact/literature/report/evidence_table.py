"""The evidence table: each study with its design, population, comparison, outcome and effects, as stated. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.records import Evidence
from biofact.literature.report.effects import Effect, effects_of
from biofact.literature.report.labels import measure_label
from biofact.literature.report.markup import Markup, count_in_words, isolate, join_markup, plain_number, tag
from biofact.literature.report.ranking_table import sort_styles
from biofact.literature.report.reading import Reading
from biofact.literature.report.signals import canonical_fields
from biofact.literature.report.studies import signal_list, study_name
from biofact.literature.report.summaries import effect_numbers, in_words, more_than, values_of

_MOST_EFFECTS = 4
_MISSING = "not stated"
_STUDY_WIDTH = "minmax(0,1.15fr)"


class _Column(NamedTuple):
    """A column after the study's; it is left out where no article states anything of it."""

    name: str
    width: str
    fields: tuple[str, ...]


_COLUMNS = (
    _Column("Design", "minmax(0,1fr)", ("study_type", "sample_size", "follow_up")),
    _Column("Population", "minmax(0,1.2fr)", ("population",)),
    _Column("Intervention", "minmax(0,1.1fr)", ("intervention",)),
    _Column("Comparator", "minmax(0,.9fr)", ("comparator",)),
    _Column("Outcome", "minmax(0,1.1fr)", ("outcome",)),
    _Column("Effect as stated", "minmax(0,1.4fr)", ()),
)
_SIGN = re.compile("[<>=\u2264\u2265]")
_PREFIXES = {"sample_size": "n = ", "follow_up": "Follow-up "}


def evidence_table(
    rows: Sequence[RankedRow], reading: Reading, evidence: Mapping[str, Mapping[str, Sequence[Evidence]]]
) -> Markup | None:
    """A row for each article that states any of it, and columns that any article fills; None without either."""
    cells = {row.rank: _cells(row, evidence.get(row.candidate.item_id, {})) for row in rows}
    columns = [column for column in _COLUMNS if any(column.name in one for one in cells.values())]
    if not columns:
        return None
    widths = f"--columns:{' '.join((_STUDY_WIDTH, *(column.width for column in columns)))}"
    names = ("Study", *(column.name for column in columns))
    head = tag("tr", *(tag("th", name, role="columnheader", scope="col") for name in names), role="row")
    lines = (
        _line(row, [(column.name, cells[row.rank].get(column.name)) for column in columns], reading, style)
        for row, style in zip(rows, sort_styles(rows), strict=True)
        if cells[row.rank]
    )
    silent = sum(not one for one in cells.values())
    body = tag("tbody", *lines, role="rowgroup", class_="sortable")
    table = tag("table", tag("thead", head, role="rowgroup"), body, class_="rows evidence", role="table", style=widths,
                aria_label="Evidence table")  # fmt: skip
    return join_markup([_note(silent), table])


def _note(silent: int) -> Markup:
    omitted = f" {count_in_words(silent, 'article')} without any of it left out." if silent else ""
    return tag("p", f"What each article states, in its own terms, and no more.{omitted}", class_="note")


def _line(row: RankedRow, cells: Sequence[tuple[str, Markup | None]], reading: Reading, style: str) -> Markup:
    name = reading.link(row, isolate(study_name(row)))
    study = tag("th", name, signal_list(reading.signals(row), is_linked=False), role="rowheader", scope="row")
    missing = tag("span", _MISSING, class_="missing")
    others = (tag("td", content or missing, role="cell", data_label=label) for label, content in cells)
    return tag("tr", study, *others, role="row", style=style)


def _cells(row: RankedRow, evidence: Mapping[str, Sequence[Evidence]]) -> dict[str, Markup]:
    stated = canonical_fields(row.candidate.extraction)
    found = {column.name: _values(stated, column.fields) for column in _COLUMNS[:-1]}
    found[_COLUMNS[-1].name] = _effects(row, stated, _p_sign(evidence))
    return {name: content for name, content in found.items() if content}


def _values(stated: Mapping[str, Any], fields: Sequence[str]) -> Markup:
    lines: list[str] = []
    for field in fields:
        values = values_of(stated.get(field))
        prefix = _PREFIXES.get(field, "")
        lines += [prefix + value if place == 0 else value for place, value in enumerate(more_than(values))]
    return join_markup(isolate(line, class_="value") for line in lines)


def _effects(row: RankedRow, stated: Mapping[str, Any], p_sign: str) -> Markup:
    effects = effects_of(row.candidate.extraction)
    lines = [tag("span", *_effect(effect), class_="value") for effect in effects[:_MOST_EFFECTS]]
    if len(effects) > _MOST_EFFECTS:
        lines.append(tag("span", f"and {len(effects) - _MOST_EFFECTS} more", class_="value"))
    p_value = stated.get("p_value")
    if p_value is not None and not any(effect.p_value is not None for effect in effects):
        lines.append(isolate(f"P {_p_value(p_value, p_sign)}", class_="value"))
    return join_markup(lines)


def _effect(effect: Effect) -> Iterator[Markup | str]:
    if effect.outcome:
        yield isolate(effect.outcome, class_="by")
    name = effect.measure or "Effect"
    yield isolate(name, title=measure_label(name))
    yield f" {effect_numbers(effect)}"
    if effect.p_value is not None:
        yield f", P {_p_value(effect.p_value)}"
    if effect.comparator:
        yield isolate(f"v {effect.comparator}", class_="by")


def _p_sign(evidence: Mapping[str, Sequence[Evidence]]) -> str:
    """The sign before the p-value where it was quoted: a number alone would make P<0.001 more than it is."""
    quotes = (
        place.quote for name, places in evidence.items() if canonical_field(name) == "p_value" for place in places
    )
    match = next((match for quote in quotes if (match := _SIGN.search(quote))), None)
    return match[0] if match else "="


def _p_value(value: Any, sign: str = "=") -> str:
    """``= 0.009``; a text that has its own sign, such as ``< 0.001``, keeps it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        text = in_words(value).strip()
        return text if text[:1] in "<>=\u2264\u2265" else f"= {text}"
    return f"{sign} {plain_number(value)}"
