"""The ranked articles in short, which can be sorted without a script: by total, relevance, strength or year. Pure."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.report.markup import Markup, isolate, join_markup, number, plain_number, tag
from biofact.literature.report.reading import Reading
from biofact.literature.report.studies import in_short, signal_list

_DASH = "\u2013"


def _strength_beside_relevance(row: RankedRow) -> float | None:
    """The strength of the evidence; None where that is all that the total is."""
    return None if row.candidate.relevance is None else row.candidate.evidence_strength


class SortKey(NamedTuple):
    """A way to order the articles; the letter names its CSS variable."""

    letter: str
    name: str
    value: Callable[[RankedRow], float | None]


SORT_KEYS = (
    SortKey("t", "Total", lambda row: row.final_score),
    SortKey("r", "Relevance", lambda row: row.candidate.relevance),
    SortKey("e", "Strength of evidence", _strength_beside_relevance),
    SortKey("y", "Newest", lambda row: row.candidate.article.year if row.candidate.article else None),
)
SORT_RULES = "".join(
    f"main:has(#sort-{key.letter}:checked) .sortable>*{{order:var(--{key.letter})}}" for key in SORT_KEYS[1:]
)
"""CSS that moves rows; ``reading-flow`` has the keyboard and screen readers follow."""


def sort_control(rows: Sequence[RankedRow]) -> Markup | None:
    """The choice of an order; None where there is nothing to choose."""
    keys = [key for key in SORT_KEYS if len({key.value(row) for row in rows}) > 1]
    if len(keys) < len(SORT_KEYS[:2]):
        return None
    choices = (
        tag(
            "label",
            tag("input", type="radio", name="sort", id=f"sort-{key.letter}", checked=key.letter == "t"),
            tag("span", key.name),
        )
        for key in keys
    )
    return tag("fieldset", tag("legend", "Sort by"), *choices, class_="sort")


def sort_styles(rows: Sequence[RankedRow]) -> list[str]:
    """For each row its place in every order, as CSS variables; equal ones keep the order of the ranking."""
    places: list[list[str]] = [[] for _ in rows]
    for key in SORT_KEYS[1:]:
        ordered = sorted(range(len(rows)), key=lambda row: _unknown_last(key.value(rows[row])))
        for place, row in enumerate(ordered):
            places[row].append(f"--{key.letter}:{place}")
    return [";".join(one) for one in places]


def _unknown_last(value: float | None) -> tuple[bool, float]:
    return (True, 0.0) if value is None else (False, -value)


class _Column(NamedTuple):
    """A column after the article's; it is left out where no article has a value."""

    name: str
    cell: Callable[[RankedRow], Markup | str | None]
    short_name: str = ""
    """On a telephone."""


def _columns(rows: Sequence[RankedRow]) -> list[_Column]:
    has_relevance = any(row.candidate.relevance is not None for row in rows)
    known = [
        *([_Column("Relevance", _relevance), _Column("Strength of evidence", _strength, "Strength")]
          if has_relevance else []),
        _Column("Total", _total),
        _Column("Boosts", lambda row: f"+{number(sum(row.boosts.values()), 3)}" if row.boosts else None),
        _Column("Citations", lambda row: f"{row.citations.count:,}" if row.citations else None),
        _Column("Citation ratio", _ratio),
    ]  # fmt: skip
    return [column for column in known if any(column.cell(row) is not None for row in rows)]


def ranking_table(rows: Sequence[RankedRow], reading: Reading) -> Markup | None:
    """All ranked articles, one a row, with the sentence that each concludes with; None where there are none."""
    if not rows:
        return None
    columns = _columns(rows)
    widths = f"--columns:2.4rem minmax(0,1fr) {' '.join(['var(--score)'] * len(columns))}"
    names = ("#", "Article", *(column.name for column in columns))
    head = tag("tr", *(tag("th", name, role="columnheader", scope="col") for name in names), role="row")
    lines = (_line(row, columns, reading, style) for row, style in zip(rows, sort_styles(rows), strict=True))
    body = tag("tbody", *lines, role="rowgroup", class_="sortable")
    table = tag("table", tag("thead", head, role="rowgroup"), body, class_="rows ranking", role="table", style=widths,
                aria_label="Ranked articles")  # fmt: skip
    return join_markup([sort_control(rows), table])


def _line(row: RankedRow, columns: Sequence[_Column], reading: Reading, style: str) -> Markup:
    cells = (
        tag("td", column.cell(row) or _DASH, role="cell", class_="score", data_label=column.short_name or column.name)
        for column in columns
    )
    place = tag("td", str(row.rank), role="cell", class_="rank")
    return tag("tr", place, tag("td", *_about(row, reading), role="cell"), *cells, role="row", style=style)


def _about(row: RankedRow, reading: Reading) -> Iterator[Markup | None]:
    article = row.candidate.article
    title = reading.marked(article.title) if article else isolate(row.candidate.item_id)
    yield reading.link(row, title, class_="title")
    yield isolate(", ".join(in_short(article)), class_="by") if article else None
    claim = reading.claim(row)
    yield tag("q", reading.marked(claim), class_="says") if claim else None
    yield signal_list(reading.signals(row), is_linked=False)


def _relevance(row: RankedRow) -> Markup | None:
    return None if row.candidate.relevance is None else score_bar(row.candidate.relevance)


def _strength(row: RankedRow) -> Markup | None:
    candidate = row.candidate
    strength = candidate.evidence_strength
    return None if strength is None else score_bar(strength, candidate.evidence_completeness)


def _total(row: RankedRow) -> Markup:
    return score_bar(row.final_score, row.candidate.completeness)


def _ratio(row: RankedRow) -> str | None:
    known = row.citations
    return number(known.relative_ratio) if known and known.relative_ratio is not None else None


def score_bar(score: float, completeness: float | None = None) -> Markup:
    """A score with its bar; what the article does not state is hatched at the bar's end, and said."""
    filled = min(max(score, 0.0), 1.0)
    unknown = min(1 - completeness, 1 - filled) if completeness is not None else 0.0
    parts = [tag("span", style=f"width:{_percent(filled)}")]
    if unknown > 0:
        parts.append(tag("span", class_="unknown", style=f"width:{_percent(unknown)}"))
    bar = tag("span", *parts, class_="bar", aria_hidden="true")
    is_partial = completeness is not None and round(completeness, 2) < 1
    share = f"{plain_number(round(100 * (completeness or 0)))}% stated" if is_partial else None
    return join_markup([
        number(score), bar, tag("span", share, class_="stated") if share else None,
    ])  # fmt: skip


def _percent(share: float) -> str:
    return f"{number(100 * share, 1)}%"
