"""The ranked articles of a report, one by one: citation, scores, features with their evidence, abstract. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.records import Evidence, FeatureScore
from biofact.literature.report import highlights
from biofact.literature.report.effects import effects_of
from biofact.literature.report.labels import field_label
from biofact.literature.report.markup import (
    Markup,
    doi_link,
    isolate,
    join_markup,
    number,
    plain_number,
    pubmed_link,
    tag,
)
from biofact.literature.report.ranking_table import score_bar
from biofact.literature.report.reading import Reading
from biofact.literature.report.studies import anchor, signal_list
from biofact.literature.report.summaries import effect_in_words, in_words
from biofact.sources.pubmed.records import CanonicalPubMedArticle

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
    elsewhere = dict.fromkeys(_place(place) for place in places if highlights.locate(abstract, place) is None)
    is_marked = any(highlights.locate(abstract, place) is not None for place in places)
    swatch = (
        tag("span", class_=f"swatch {highlights.hue_class(name, colours)}", aria_hidden="true") if is_marked else None
    )
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
            highlights.mark_evidence(article, evidence, colours, reading.goal_spans(article.abstract)),
            class_="abstract",
            dir="auto",
        )
    owner = tag("p", article.copyright, class_="copyright") if article and article.copyright else None
    return tag("section", tag("h4", "Abstract"), inside, owner)
