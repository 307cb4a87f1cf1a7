"""The ranking and the evidence table. Rows are sorted without a script: by total, relevance, strength, year. Pure."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from biofact.literature.extraction.fields import FIELDS
from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.records import Evidence
from biofact.literature.report.effects import Effect, effect_numbers, effects_of, in_words, shown_values, values_of
from biofact.literature.report.markup import (
    Markup,
    count_in_words,
    isolate,
    join_markup,
    measure_label,
    number,
    plain_number,
    tag,
)
from biofact.literature.report.view import ArticleView, canonical_fields, in_short, signal_list, study_name

_DASH = "\u2013"


class SortKey(NamedTuple):
    """A way to order the articles; the letter names its CSS variable."""

    letter: str
    name: str
    value: Callable[[RankedRow], float | None]


SORT_KEYS = (
    SortKey("t", "Total", lambda row: row.final_score),
    SortKey("r", "Relevance", lambda row: row.candidate.relevance),
    SortKey("e", "Strength of evidence", lambda row: row.candidate.strength_beside_relevance),
    SortKey("y", "Newest", lambda row: row.candidate.article.year if row.candidate.article else None),
)
SORT_RULES = "".join(
    f"main:has(#sort-{key.letter}:checked) .sortable>*{{order:var(--{key.letter})}}" for key in SORT_KEYS[1:]
)
"""CSS that moves rows; ``reading-flow`` makes the keyboard and screen readers follow."""


def sort_control(rows: Sequence[RankedRow]) -> Markup | None:
    """The choice of an order; None if there is only one."""
    keys = [key for key in SORT_KEYS if len({key.value(row) for row in rows}) > 1]
    if len(keys) <= 1:
        return None
    choices = []
    for key in keys:
        button = tag("input", type="radio", name="sort", id=f"sort-{key.letter}", checked=key.letter == "t")
        choices.append(tag("label", button, tag("span", key.name)))
    return tag("fieldset", tag("legend", "Sort by"), *choices, class_="sort")


def sort_styles(rows: Sequence[RankedRow]) -> list[str]:
    """For each row its place in every order, as CSS variables; equal ones keep the order of the ranking."""
    places: list[list[str]] = [[] for _ in rows]
    for key in SORT_KEYS[1:]:
        values = [-math.inf if (value := key.value(row)) is None else value for row in rows]  # unknown ones last
        for place, row in enumerate(sorted(range(len(rows)), key=values.__getitem__, reverse=True)):
            places[row].append(f"--{key.letter}:{place}")
    return [";".join(variables) for variables in places]


class _RankingColumn(NamedTuple):
    """A column after the article's; it is left out if no article has a value."""

    name: str
    cell: Callable[[RankedRow], Markup | str | None]
    short_name: str = ""
    """On a telephone."""


def _ranking_columns(rows: Sequence[RankedRow]) -> list[_RankingColumn]:
    has_relevance = any(row.candidate.relevance is not None for row in rows)
    columns = [
        *([_RankingColumn("Relevance", _relevance), _RankingColumn("Strength of evidence", _strength, "Strength")]
          if has_relevance else []),
        _RankingColumn("Total", lambda row: score_bar(row.final_score, row.candidate.completeness)),
        _RankingColumn("Boosts", lambda row: f"+{number(sum(row.boosts.values()), 3)}" if row.boosts else None),
        _RankingColumn("Citations", lambda row: f"{row.citations.count:,}" if row.citations else None),
        _RankingColumn("Citation ratio", _ratio),
    ]  # fmt: skip
    return [column for column in columns if any(column.cell(row) is not None for row in rows)]


def ranking_table(rows: Sequence[RankedRow], view: ArticleView) -> Markup | None:
    """All ranked articles, one a row, with their conclusions; None if there are none."""
    if not rows:
        return None
    columns = _ranking_columns(rows)
    widths = f"--columns:2.4rem minmax(0,1fr) {' '.join(['var(--score)'] * len(columns))}"
    names = ("#", "Article", *(column.name for column in columns))
    head = tag("tr", *(tag("th", name, role="columnheader", scope="col") for name in names), role="row")
    lines = (_ranking_line(row, columns, view, style) for row, style in zip(rows, sort_styles(rows), strict=True))
    body = tag("tbody", *lines, role="rowgroup", class_="sortable")
    table = tag("table", tag("thead", head, role="rowgroup"), body, class_="rows ranking", role="table", style=widths,
                aria_label="Ranked articles")  # fmt: skip
    return join_markup([sort_control(rows), table])


def _ranking_line(row: RankedRow, columns: Sequence[_RankingColumn], view: ArticleView, style: str) -> Markup:
    cells = (
        tag("td", column.cell(row) or _DASH, role="cell", class_="score", data_label=column.short_name or column.name)
        for column in columns
    )
    place = tag("td", str(row.rank), role="cell", class_="rank")
    return tag("tr", place, tag("td", *_article_cell(row, view), role="cell"), *cells, role="row", style=style)


def _article_cell(row: RankedRow, view: ArticleView) -> Iterator[Markup | None]:
    article = row.candidate.article
    title = view.with_goal_marked(article.title) if article else isolate(row.candidate.item_id)
    yield view.link(row, title, class_="title")
    yield isolate(", ".join(in_short(article)), class_="by") if article else None
    claim = view.claim(row)
    yield tag("q", view.with_goal_marked(claim), class_="says") if claim else None
    yield signal_list(view.signals(row), is_linked=False)


def _relevance(row: RankedRow) -> Markup | None:
    return None if row.candidate.relevance is None else score_bar(row.candidate.relevance)


def _strength(row: RankedRow) -> Markup | None:
    candidate = row.candidate
    strength = candidate.evidence_strength
    return None if strength is None else score_bar(strength, candidate.evidence_completeness)


def _ratio(row: RankedRow) -> str | None:
    citations = row.citations
    return number(citations.relative_ratio) if citations and citations.relative_ratio is not None else None


def score_bar(score: float, completeness: float | None = None) -> Markup:
    """A score with its bar; the share that the article does not state is hatched and given in words."""
    filled_share = min(max(score, 0.0), 1.0)
    unknown = min(1 - completeness, 1 - filled_share) if completeness is not None else 0.0
    parts = [tag("span", style=f"width:{_percent(filled_share)}")]
    if unknown > 0:
        parts.append(tag("span", class_="unknown", style=f"width:{_percent(unknown)}"))
    bar = tag("span", *parts, class_="bar", aria_hidden="true")
    is_partial = completeness is not None and round(completeness, 2) < 1
    share = f"{plain_number(round(100 * (completeness or 0)))}% stated" if is_partial else None
    return join_markup([
        number(score), bar, tag("span", share, class_="stated") if share else None
    ])  # fmt: skip


def _percent(share: float) -> str:
    return f"{number(100 * share, 1)}%"


_MOST_EFFECTS = 4
_MISSING = "not stated"
_STUDY_WIDTH = "minmax(0,1.15fr)"


class _EvidenceColumn(NamedTuple):
    """A column after the study's; it is left out if no article states a value."""

    name: str
    width: str

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that it shows."""
        return tuple(field.name for field in FIELDS.values() if field.column and field.column.group == self.name)


_EVIDENCE_COLUMNS = (
    _EvidenceColumn("Design", "minmax(0,1fr)"),
    _EvidenceColumn("Population", "minmax(0,1.2fr)"),
    _EvidenceColumn("Intervention", "minmax(0,1.1fr)"),
    _EvidenceColumn("Comparator", "minmax(0,.9fr)"),
    _EvidenceColumn("Outcome", "minmax(0,1.1fr)"),
    _EvidenceColumn("Effect as stated", "minmax(0,1.4fr)"),
)
_SIGN = re.compile("[<>=\u2264\u2265]")
_PREFIXES = {field.name: field.column.prefix for field in FIELDS.values() if field.column}


def evidence_table(
    rows: Sequence[RankedRow], view: ArticleView, evidence: Mapping[str, Mapping[str, Sequence[Evidence]]]
) -> Markup | None:
    """A row for each article with any value, and a column for each value of any article; None without values."""
    cells = {row.rank: _evidence_cells(row, evidence.get(row.candidate.item_id, {})) for row in rows}
    columns = [column for column in _EVIDENCE_COLUMNS if any(column.name in cell_map for cell_map in cells.values())]
    if not columns:
        return None
    widths = f"--columns:{' '.join((_STUDY_WIDTH, *(column.width for column in columns)))}"
    names = ("Study", *(column.name for column in columns))
    head = tag("tr", *(tag("th", name, role="columnheader", scope="col") for name in names), role="row")
    lines = (
        _evidence_line(row, [(column.name, cells[row.rank].get(column.name)) for column in columns], view, style)
        for row, style in zip(rows, sort_styles(rows), strict=True)
        if cells[row.rank]
    )
    silent = sum(not cell_map for cell_map in cells.values())
    body = tag("tbody", *lines, role="rowgroup", class_="sortable")
    table = tag("table", tag("thead", head, role="rowgroup"), body, class_="rows evidence", role="table", style=widths,
                aria_label="Evidence table")  # fmt: skip
    omission = f" {count_in_words(silent, 'article')} without any of it left out." if silent else ""
    note = tag("p", f"What each article states, in its own terms, and no more.{omission}", class_="note")
    return join_markup([note, table])


def _evidence_line(row: RankedRow, cells: Sequence[tuple[str, Markup | None]], view: ArticleView, style: str) -> Markup:
    name = view.link(row, isolate(study_name(row)))
    study = tag("th", name, signal_list(view.signals(row), is_linked=False), role="rowheader", scope="row")
    missing = tag("span", _MISSING, class_="missing")
    cell_elements = (tag("td", content or missing, role="cell", data_label=label) for label, content in cells)
    return tag("tr", study, *cell_elements, role="row", style=style)


def _evidence_cells(row: RankedRow, evidence: Mapping[str, Sequence[Evidence]]) -> dict[str, Markup]:
    fields = canonical_fields(row.candidate.extraction)
    cells = {column.name: _values(fields, column.fields) for column in _EVIDENCE_COLUMNS[:-1]}
    cells[_EVIDENCE_COLUMNS[-1].name] = _effects(row, fields, _p_sign(evidence))
    return {name: content for name, content in cells.items() if content}


def _values(field_values: Mapping[str, Any], fields: Sequence[str]) -> Markup:
    lines: list[str] = []
    for field in fields:
        values = values_of(field_values.get(field))
        prefix = _PREFIXES.get(field, "")
        lines += [prefix + value if place == 0 else value for place, value in enumerate(shown_values(values))]
    return join_markup(isolate(line, class_="value") for line in lines)


def _effects(row: RankedRow, fields: Mapping[str, Any], p_sign: str) -> Markup:
    effects = effects_of(row.candidate.extraction)
    lines = [tag("span", *_effect(effect), class_="value") for effect in effects[:_MOST_EFFECTS]]
    if len(effects) > _MOST_EFFECTS:
        lines.append(tag("span", f"and {len(effects) - _MOST_EFFECTS} more", class_="value"))
    p_value = fields.get("p_value")
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
