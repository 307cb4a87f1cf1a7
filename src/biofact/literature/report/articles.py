"""The ranked articles one by one: citation, scores, features, and the abstract with the evidence marked. Pure.

Spans of evidence that overlap are cut where they begin and end.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.records import Evidence, FeatureScore
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
from biofact.literature.report.reading import Reading, anchor, signal_list
from biofact.literature.report.tables import score_bar
from biofact.sources.pubmed.records import CanonicalPubMedArticle

HUES = 8
"""Colours of fields; a ninth field has the first again, and its name beside it as all have."""

_LABEL = re.compile(r"[A-Z][A-Z&/,' -]{2,60}: ")


_GOAL = "\0goal"
"""Stands in the place of a field where a span is a word of the goal; no field is called so."""
_LABEL_SPAN = ""


class EvidenceSpan(NamedTuple):
    """Where a field's evidence lies."""

    start: int
    end: int
    field: str


def hues(fields: Iterable[str]) -> dict[str, int]:
    """A colour for each field, nested ones as the field that they are part of."""
    roots = sorted({field.partition(".")[0] for field in fields})
    return {root: place % HUES for place, root in enumerate(roots)}


def hue_class(field: str, colours: Mapping[str, int]) -> str:
    """The CSS class of a field's colour."""
    return f"m{colours.get(field.partition('.')[0], 0)}"


def spans(abstract: str, evidence: Mapping[str, Sequence[Evidence]]) -> list[EvidenceSpan]:
    """Where the abstract holds what a field stands on. A quote that is not where it should be, nor anywhere once, is
    not marked.
    """
    found_spans = []
    for field, places in evidence.items():
        for place in places:
            start = locate(abstract, place)
            if start is not None:
                found_spans.append(EvidenceSpan(start, start + len(place.quote), field))
    return sorted(set(found_spans))


def locate(abstract: str, place: Evidence) -> int | None:
    """Where a quote begins; None if it is not in the abstract, or more than once without a position."""
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
    """The abstract, a paragraph for each of its sections; ``goal`` is where it names what the goal is about."""
    abstract = article.abstract or ""
    found = [*spans(abstract, evidence), *(EvidenceSpan(start, end, _GOAL) for start, end in goal)]
    labels = tuple(f"{section.label}: " for section in article.sections if section.label)
    paragraphs, start = [], 0
    for line in abstract.split("\n"):
        end = start + len(line)
        label = _label_length(line, labels)
        pieces = _pieces(
            abstract, start, end, [*found, EvidenceSpan(start, start + label, _LABEL_SPAN)] if label else found
        )
        paragraphs.append(tag("p", *(_piece(piece, colours) for piece in pieces)))
        start = end + 1
    return join_markup(paragraphs)


def _label_length(line: str, labels: tuple[str, ...]) -> int:
    known = next((len(label) for label in labels if line.startswith(label)), 0)
    result = None if labels else _LABEL.match(line)
    return result.end() if result else known


class _Piece(NamedTuple):
    text: str
    fields: tuple[str, ...]
    beginning: tuple[str, ...]
    """Fields of which this is the first piece."""
    is_label: bool
    is_goal: bool


def _pieces(abstract: str, start: int, end: int, found: Sequence[EvidenceSpan]) -> list[_Piece]:
    """What lies between the places where spans begin or end."""
    fields = [span for span in found if span.field not in {_GOAL, _LABEL_SPAN}]
    edges = {edge for span in found for edge in span[:2] if start < edge < end} | {start, end}
    ordered = sorted(edges)
    return [
        _Piece(
            abstract[begin:stop],
            tuple(dict.fromkeys(span.field for span in fields if span.start <= begin < span.end)),
            tuple(dict.fromkeys(span.field for span in fields if span.start == begin)),
            *(any(span.field == kind and span.start <= begin < span.end for span in found)
              for kind in (_LABEL_SPAN, _GOAL)),
        )
        for begin, stop in itertools.pairwise(ordered)
    ]  # fmt: skip


def _labels(fields: Iterable[str]) -> Iterable[str]:
    """Names of fields, those of the same one together: value, low and high are one effect."""
    return dict.fromkeys(field_label(field.partition(".")[0]) for field in fields)


def _piece(piece: _Piece, colours: Mapping[str, int]) -> Markup:
    inside = tag("span", piece.text, class_="goal") if piece.is_goal else piece.text
    inside = tag("b", inside) if piece.is_label else inside
    if not piece.fields:
        return join_markup([inside])
    names = ", ".join(_labels(piece.fields))
    shade = hue_class(piece.fields[-1], colours) + (" several" if len(piece.fields) > 1 else "")
    begins = ", ".join(_labels(piece.beginning)) or None
    return tag("mark", inside, class_=shade, data_field=", ".join(piece.fields), data_begins=begins, title=names)


_FEW_AUTHORS = 3

EvidenceByField = Mapping[str, Sequence[Evidence]]
"""Evidence by field."""


def card(
    row: RankedRow, evidence: EvidenceByField, colours: Mapping[str, int], reading: Reading, *, is_open: bool
) -> Markup:
    """One article: what it is and says, and behind it what it scored, what it states, and where."""
    article, candidate = row.candidate.article, row.candidate
    title = reading.marked(article.title) if article else isolate(candidate.item_id)
    claim = reading.claim(row)
    head = tag(
        "header",
        tag("h3", tag("span", str(row.rank), class_="place"), pubmed_link(candidate.item_id, title)),
        tag("p", _citation(article), class_="citation") if article else None,
        tag("p", tag("q", reading.marked(claim), class_="says")) if claim else None,
        signal_list(reading.signals(row), is_linked=True),
    )
    facts = tag("div", _scores(row), _features(candidate.extraction, evidence, colours, article), class_="facts")
    body = tag("div", facts, _abstract(article, evidence, colours, reading), class_="body")
    more = tag("details", tag("summary", "Scores, features and abstract"), body, open=is_open)
    return tag("article", head, more, id=anchor(row), class_="card")


def _citation(article: CanonicalPubMedArticle) -> Markup:
    """Authors, journal, year, volume, pages, DOI and PMID in a line."""
    count = article.author_count or len(article.authors)
    authors = ", ".join(article.authors[:_FEW_AUTHORS]) + (" et al." if count > _FEW_AUTHORS else "")
    issue = f"{article.volume or ''}{f'({article.issue})' if article.issue else ''}"
    place = ":".join(filter(None, (issue, article.pages)))
    when = "; ".join(filter(None, (str(article.year) if article.year else None, place)))
    parts = [
        isolate(authors) if authors else None,
        tag("i", isolate(article.journal)) if article.journal else None,
        when or None,
        join_markup(["doi ", doi_link(article.doi)]) if article.doi else None,
        article.id,
    ]
    return Markup(" \u00b7 ".join(join_markup([part]) for part in parts if part))


def _scores(row: RankedRow) -> Markup:
    lines = [_score_line(name, one) for name, one in row.candidate.breakdown.items()]
    parts = [tag("b", f"{number(row.candidate.total_score, 3)}"), " total"]
    for name, size in row.boosts.items():
        parts += [] if not size else [f" + {number(size, 3)} {field_label(name)}"]
    if any(row.boosts.values()):
        parts += [" = ", tag("b", number(row.final_score, 3)), " final"]
    final = tag("p", *parts, class_="sum")
    head = tag("tr", *(tag("th", name, scope="col", class_=shade) for name, shade in
                       (("Feature", None), ("Score", None), ("Weight", "n"))))  # fmt: skip
    listed = tag("table", tag("thead", head), tag("tbody", *lines), class_="scores") if lines else None
    return tag("section", tag("h4", "Score"), final, listed)


def _score_line(name: str, one: FeatureScore) -> Markup:
    value = tag("td", "not stated", class_="missing") if one.score is None else tag("td", score_bar(one.score))
    return tag(
        "tr",
        tag("th", field_label(name), scope="row"),
        value,
        tag("td", f"{plain_number(round(100 * one.weight, 1))}%", class_="n"),
    )


def _features(
    extraction: Mapping[str, Any],
    evidence: EvidenceByField,
    colours: Mapping[str, int],
    article: CanonicalPubMedArticle | None,
) -> Markup:
    abstract = (article.abstract if article else None) or ""
    lines = [_feature(name, value, evidence, colours, abstract) for name, value in extraction.items()]
    inside = (
        tag("table", tag("tbody", *lines), class_="features") if lines else tag("p", "None stated.", class_="quiet")
    )
    return tag("section", tag("h4", "Extracted features"), inside)


def _feature(name: str, value: Any, evidence: EvidenceByField, colours: Mapping[str, int], abstract: str) -> Markup:
    places = [place for field, quotes in evidence.items() if field.partition(".")[0] == name for place in quotes]
    elsewhere = dict.fromkeys(_place(place) for place in places if locate(abstract, place) is None)
    is_marked = any(locate(abstract, place) is not None for place in places)
    swatch = tag("span", class_=f"swatch {hue_class(name, colours)}", aria_hidden="true") if is_marked else None
    notes = [tag("span", place, class_="where") for place in elsewhere]
    if not places:
        notes = [tag("span", "no evidence given", class_="where")]
    return tag(
        "tr",
        tag("th", swatch, field_label(name), scope="row"),
        tag("td", isolate(_value_in_words(name, value)), *notes),
    )


def _value_in_words(name: str, value: Any) -> str:
    effects = effects_of({name: value}) if canonical_field(name) == "effect_size" else []
    return "; ".join(map(effect_in_words, effects)) or in_words(value)


def _place(place: Evidence) -> str:
    where = place.where.replace("_", " ")
    missing = " (not found there)" if place.where == "abstract" else ""
    return f"{where}: \u201c{place.quote}\u201d{missing}"


def _abstract(
    article: CanonicalPubMedArticle | None, evidence: EvidenceByField, colours: Mapping[str, int], reading: Reading
) -> Markup:
    if article is None or not article.abstract:
        inside = tag("p", "PubMed has no abstract of it.", class_="quiet")
    else:
        inside = tag(
            "div",
            mark_evidence(article, evidence, colours, reading.goal_spans(article.abstract)),
            class_="abstract",
            dir="auto",
        )
    owner = tag("p", article.copyright, class_="copyright") if article and article.copyright else None
    return tag("section", tag("h4", "Abstract"), inside, owner)
