"""The ranked articles one by one: citation, scores, features, and the abstract with the evidence marked. Pure.

Spans of evidence that overlap are cut where they begin and end.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.records import Evidence
from biofact.literature.report.effects import effect_in_words, effects_of, in_words
from biofact.literature.report.markup import (
    Markup,
    doi_link,
    field_label,
    isolate,
    join_markup,
    number,
    plain_number,
    pubmed_link,
    tag,
)
from biofact.literature.report.tables import score_bar
from biofact.literature.report.view import ArticleView, anchor, signal_list
from biofact.sources.pubmed.records import CanonicalPubMedArticle

HUES = 8
"""Colours of fields; a ninth field has the first again, and its name beside it as all have."""

_LABEL = re.compile(r"[A-Z][A-Z&/,' -]{2,60}: ")


_GOAL_SPAN = "\0goal"
"""Stands for the field of a span that is a word of the goal; no field has this name."""
_LABEL_SPAN = ""


class EvidenceSpan(NamedTuple):
    """A span of the abstract with evidence of a field."""

    start: int
    end: int
    field: str


def hues(fields: Iterable[str]) -> dict[str, int]:
    """A colour for each field; nested fields have the colour of their parent."""
    roots = sorted({field.partition(".")[0] for field in fields})
    return {root: place % HUES for place, root in enumerate(roots)}


def hue_class(field: str, colours: Mapping[str, int]) -> str:
    """The CSS class of a field's colour."""
    return f"m{colours.get(field.partition('.')[0], 0)}"


def spans(abstract: str, evidence: Mapping[str, Sequence[Evidence]]) -> list[EvidenceSpan]:
    """Spans of evidence in the abstract, without quotes that are neither at their position nor in it exactly once."""
    starts = ((locate(abstract, place), place, field) for field, places in evidence.items() for place in places)
    return sorted(
        {EvidenceSpan(start, start + len(place.quote), field) for start, place, field in starts if start is not None}
    )


def locate(abstract: str, place: Evidence) -> int | None:
    """The start of a quote; None if it is not in the abstract, or more than once without a position."""
    if place.where != "abstract" or not place.quote:
        return None
    if place.start is not None and abstract.startswith(place.quote, place.start) and place.start >= 0:
        return place.start
    return abstract.find(place.quote) if abstract.count(place.quote) == 1 else None


def mark_evidence(
    article: CanonicalPubMedArticle,
    evidence: Mapping[str, Sequence[Evidence]],
    colours: Mapping[str, int],
    goal: Sequence[tuple[int, int]] = (),
) -> Markup:
    """The abstract, a paragraph for each of its sections; ``goal`` has the spans of words of the goal."""
    abstract = article.abstract or ""
    all_spans = [*spans(abstract, evidence), *(EvidenceSpan(start, end, _GOAL_SPAN) for start, end in goal)]
    labels = tuple(f"{section.label}: " for section in article.sections if section.label)
    paragraphs, start = [], 0
    for line in abstract.split("\n"):
        end = start + len(line)
        label = _label_length(line, labels)
        label_spans = [EvidenceSpan(start, start + label, _LABEL_SPAN)] if label else []
        pieces = _pieces(abstract, start, end, [*all_spans, *label_spans])
        paragraphs.append(tag("p", *(_piece(piece, colours) for piece in pieces)))
        # behind the line break
        start = end + 1
    return join_markup(paragraphs)


def _label_length(line: str, labels: tuple[str, ...]) -> int:
    length = next((len(label) for label in labels if line.startswith(label)), 0)
    result = None if labels else _LABEL.match(line)
    return result.end() if result else length


class _Piece(NamedTuple):
    text: str
    fields: tuple[str, ...]
    beginning: tuple[str, ...]
    """Fields of which this is the first piece."""
    is_label: bool
    is_goal: bool


def _pieces(abstract: str, start: int, end: int, all_spans: Sequence[EvidenceSpan]) -> list[_Piece]:
    """The pieces of text between the ends of spans."""
    fields = [span for span in all_spans if span.field not in {_GOAL_SPAN, _LABEL_SPAN}]
    edges = {edge for span in all_spans for edge in span[:2] if start < edge < end} | {start, end}
    positions = sorted(edges)
    return [
        _Piece(
            abstract[begin:stop],
            tuple(dict.fromkeys(span.field for span in fields if span.start <= begin < span.end)),
            tuple(dict.fromkeys(span.field for span in fields if span.start == begin)),
            *(any(span.field == kind and span.start <= begin < span.end for span in all_spans)
              for kind in (_LABEL_SPAN, _GOAL_SPAN)),
        )
        for begin, stop in itertools.pairwise(positions)
    ]  # fmt: skip


def _labels(fields: Iterable[str]) -> Iterable[str]:
    """Labels of fields, one for all parts of a field: value, low and high are one effect."""
    return dict.fromkeys(field_label(field.partition(".")[0]) for field in fields)


def _piece(piece: _Piece, colours: Mapping[str, int]) -> Markup:
    content = tag("span", piece.text, class_="goal") if piece.is_goal else piece.text
    content = tag("b", content) if piece.is_label else content
    if not piece.fields:
        return join_markup([content])
    names = ", ".join(_labels(piece.fields))
    shade = hue_class(piece.fields[-1], colours) + (" several" if len(piece.fields) > 1 else "")
    begins = ", ".join(_labels(piece.beginning)) or None
    return tag("mark", content, class_=shade, data_field=", ".join(piece.fields), data_begins=begins, title=names)


_FEW_AUTHORS = 3

EvidenceByField = Mapping[str, Sequence[Evidence]]
"""Evidence by field."""


def card(
    row: RankedRow, evidence: EvidenceByField, colours: Mapping[str, int], view: ArticleView, *, is_open: bool
) -> Markup:
    """One article: citation and conclusion, then in a closed part its scores, its features, and its abstract."""
    article, candidate = row.candidate.article, row.candidate
    title = view.with_goal_marked(article.title) if article else isolate(candidate.item_id)
    claim = view.claim(row)
    head = tag(
        "header",
        tag("h3", tag("span", str(row.rank), class_="place"), pubmed_link(candidate.item_id, title)),
        tag("p", _citation(article), class_="citation") if article else None,
        tag("p", tag("q", view.with_goal_marked(claim), class_="says")) if claim else None,
        signal_list(view.signals(row), is_linked=True),
    )
    facts = tag("div", _scores(row), _features(candidate.extraction, evidence, colours, article), class_="facts")
    body = tag("div", facts, _abstract(article, evidence, colours, view), class_="body")
    details = tag("details", tag("summary", "Scores, features and abstract"), body, open=is_open)
    return tag("article", head, details, id=anchor(row), class_="card")


def _citation(article: CanonicalPubMedArticle) -> Markup:
    """Authors, journal, year, volume, pages, DOI and PMID in a line."""
    count = article.author_count or len(article.authors)
    authors = ", ".join(article.authors[:_FEW_AUTHORS]) + (" et al." if count > _FEW_AUTHORS else "")
    issue = f"{article.volume or ''}{f'({article.issue})' if article.issue else ''}"
    place = ":".join(filter(None, (issue, article.pages)))
    date = "; ".join(filter(None, (str(article.year) if article.year else None, place)))
    parts = [
        isolate(authors) if authors else None,
        tag("i", isolate(article.journal)) if article.journal else None,
        date or None,
        join_markup(["doi ", doi_link(article.doi)]) if article.doi else None,
        article.id,
    ]
    return Markup(" \u00b7 ".join(join_markup([part]) for part in parts if part))


def _scores(row: RankedRow) -> Markup:
    lines = []
    for name, score in row.candidate.breakdown.items():
        value = tag("td", "not stated", class_="missing") if score.score is None else tag("td", score_bar(score.score))
        weight = tag("td", f"{plain_number(round(100 * score.weight, 1))}%", class_="n")
        lines.append(tag("tr", tag("th", field_label(name), scope="row"), value, weight))
    parts = [tag("b", f"{number(row.candidate.total_score, 3)}"), " total"]
    for name, size in row.boosts.items():
        parts += [] if not size else [f" + {number(size, 3)} {field_label(name)}"]
    if any(row.boosts.values()):
        parts += [" = ", tag("b", number(row.final_score, 3)), " final"]
    final = tag("p", *parts, class_="sum")
    columns = (("Feature", None), ("Score", None), ("Weight", "n"))
    head = tag("tr", *(tag("th", name, scope="col", class_=shade) for name, shade in columns))
    table = tag("table", tag("thead", head), tag("tbody", *lines), class_="scores") if lines else None
    return tag("section", tag("h4", "Score"), final, table)


def _features(
    extraction: Mapping[str, Any],
    evidence: EvidenceByField,
    colours: Mapping[str, int],
    article: CanonicalPubMedArticle | None,
) -> Markup:
    abstract = (article.abstract if article else None) or ""
    lines = [_feature(name, value, evidence, colours, abstract) for name, value in extraction.items()]
    table = tag("table", tag("tbody", *lines), class_="features") if lines else None
    content = table or tag("p", "None stated.", class_="quiet")
    return tag("section", tag("h4", "Extracted features"), content)


def _feature(name: str, value: Any, evidence: EvidenceByField, colours: Mapping[str, int], abstract: str) -> Markup:
    places = [place for field, quotes in evidence.items() if field.partition(".")[0] == name for place in quotes]
    other_places = dict.fromkeys(_place(place) for place in places if locate(abstract, place) is None)
    is_marked = any(locate(abstract, place) is not None for place in places)
    swatch = tag("span", class_=f"swatch {hue_class(name, colours)}", aria_hidden="true") if is_marked else None
    notes = [tag("span", place, class_="where") for place in other_places]
    if not places:
        notes = [tag("span", "no evidence given", class_="where")]
    effects = effects_of({name: value}) if canonical_field(name) == "effect_size" else []
    text = "; ".join(map(effect_in_words, effects)) or in_words(value)
    return tag("tr", tag("th", swatch, field_label(name), scope="row"), tag("td", isolate(text), *notes))


def _place(place: Evidence) -> str:
    source = place.where.replace("_", " ")
    missing = " (not found there)" if place.where == "abstract" else ""
    return f"{source}: \u201c{place.quote}\u201d{missing}"


def _abstract(
    article: CanonicalPubMedArticle | None, evidence: EvidenceByField, colours: Mapping[str, int], view: ArticleView
) -> Markup:
    if article is None or not article.abstract:
        content = tag("p", "PubMed has no abstract of it.", class_="quiet")
    else:
        paragraphs = mark_evidence(article, evidence, colours, view.goal_spans(article.abstract))
        content = tag("div", paragraphs, class_="abstract", dir="auto")
    owner = tag("p", article.copyright, class_="copyright") if article and article.copyright else None
    return tag("section", tag("h4", "Abstract"), content, owner)
