"""The ranked articles of a report, as a table and one by one. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biofact.literature.ranking.candidates import Flag, RankedRow
from biofact.literature.ranking.flat import flatten
from biofact.literature.records import Evidence, FeatureScore
from biofact.literature.report import highlights
from biofact.literature.report.markup import (
    Markup,
    breakable,
    doi_link,
    isolate,
    join_markup,
    number,
    pubmed_link,
    tag,
)
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_SHADES = {
    **dict.fromkeys(("retracted", "partially_retracted"), "grave"),
    **dict.fromkeys(("expression_of_concern", "preprint", "retraction_notice"), "doubtful"),
}
_BOOSTS = {"boost_recent": "recent", "boost_high_impact": "impact", "prefer_review_articles": "review"}
_FEW_AUTHORS = 3
_LARGEST_PLAIN = 9999  # without separators, so that years have none

EvidenceByField = Mapping[str, Sequence[Evidence]]
"""Evidence by field."""


def table(rows: Sequence[RankedRow]) -> Markup | None:
    """All ranked articles, one a line; it scrolls in a box of its own where it is wide. None where there are none."""
    if not rows:
        return None
    heads = ("Rank", "Final score", "Article", "Total", "Boosts", "Citations", "Ratio")
    classes = (None, None, None, "n", "n", "n", "n")
    head = tag("tr", *(tag("th", name, scope="col", class_=shade) for name, shade in zip(heads, classes, strict=True)))
    body = tag("tbody", *map(_line, rows))
    whole = tag("table", tag("thead", head), body, class_="ranking")
    return tag("div", whole, class_="scroll", tabindex=0, role="region", aria_label="Ranked articles")


def _line(row: RankedRow) -> Markup:
    article = row.candidate.article
    title = isolate(article.title if article else row.candidate.item_id)
    about = tag("span", ", ".join(_in_short(article)), class_="by") if article else None
    known = row.citations
    boosts = sum(row.boosts.values())
    return tag(
        "tr",
        tag("td", str(row.rank), class_="rank"),
        tag("td", tag("span", number(row.final_score, 3), class_="figure"), _bar(row.final_score)),
        tag("td", tag("a", title, href=f"#{anchor(row)}"), about, _flags(row.flags, is_linked=False)),
        tag("td", number(row.candidate.total_score, 3), class_="n"),
        tag("td", f"+{number(boosts, 3)}" if boosts else "\u2013", class_="n"),
        tag("td", f"{known.count:,}" if known else "\u2013", class_="n"),
        tag("td", number(known.relative_ratio) if known and known.relative_ratio is not None else "\u2013", class_="n"),
    )


def _in_short(article: CanonicalPubMedArticle) -> Iterator[str]:
    if article.authors:
        others = len(article.authors) > 1 or (article.author_count or 0) > 1
        yield article.authors[0] + (" et al." if others else "")
    yield from filter(None, (article.journal, str(article.year) if article.year else None))


def anchor(row: RankedRow) -> str:
    """The place of an article on the page."""
    return f"article-{row.rank}"


def _bar(share: float, shade: str = "") -> Markup:
    width = number(100 * min(max(share, 0.0), 1.0), 1)
    return tag("span", tag("span", style=f"width:{width}%"), class_=f"bar {shade}".strip(), aria_hidden="true")


def card(row: RankedRow, evidence: EvidenceByField, colours: Mapping[str, int]) -> Markup:
    """One article: what it is, what it scored, what it states, and where."""
    article, candidate = row.candidate.article, row.candidate
    title = isolate(article.title if article else candidate.item_id)
    head = tag(
        "header",
        tag("h3", tag("span", str(row.rank), class_="place"), pubmed_link(candidate.item_id, title)),
        tag("p", _citation(article), class_="citation") if article else None,
        _flags(row.flags, is_linked=True),
    )
    facts = tag("div", _scores(row), _features(candidate.extraction, evidence, colours, article), class_="facts")
    body = tag("div", facts, _abstract(article, evidence, colours), class_="body")
    return tag("article", head, body, id=anchor(row), class_="card")


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


def _flags(flags: Sequence[Flag], *, is_linked: bool) -> Markup | None:
    if not flags:
        return None
    listed = (tag("li", *_flag(flag, is_linked=is_linked), class_=_SHADES.get(flag.kind, "mild")) for flag in flags)
    return tag("ul", *listed, class_="flags")


def _flag(flag: Flag, *, is_linked: bool) -> Iterator[str]:
    yield flag.kind.replace("_", " ").capitalize()
    if is_linked and flag.points_to:
        yield ": "
        yield Markup(", ".join(pubmed_link(pmid) for pmid in flag.points_to))


def _scores(row: RankedRow) -> Markup:
    lines = [_score_line(name, one) for name, one in row.candidate.breakdown.items()]
    parts = [tag("b", f"{number(row.candidate.total_score, 3)}"), " total"]
    for name, size in row.boosts.items():
        parts += [] if not size else [f" + {number(size, 3)} {_BOOSTS.get(name, name)}"]
    final = tag("p", *parts, " = ", tag("b", number(row.final_score, 3)), " final", class_="sum")
    head = tag("tr", *(tag("th", name, scope="col", class_=shade) for name, shade in
                       (("Feature", None), ("Score", None), ("Weight", "n"))))  # fmt: skip
    listed = tag("table", tag("thead", head), tag("tbody", *lines), class_="scores") if lines else None
    return tag("section", tag("h4", "Score"), final, listed)


def _score_line(name: str, one: FeatureScore) -> Markup:
    value = tag("span", "not stated" if one.score is None else number(one.score), class_="figure")
    return tag(
        "tr",
        tag("th", breakable(name), scope="row"),
        tag("td", value, _bar(one.score or 0.0, "missing" if one.score is None else "")),
        tag("td", number(one.weight), class_="n"),
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
    return tag("tr", tag("th", swatch, breakable(name), scope="row"), tag("td", isolate(in_words(value)), *notes))


def _place(place: Evidence) -> str:
    where = place.where.replace("_", " ")
    missing = " (not found there)" if place.where == "abstract" else ""
    return f"{where}: \u201c{place.quote}\u201d{missing}"


def in_words(value: Any) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(one)}" for name, one in flatten(value))
    if isinstance(value, list | tuple):
        return "; ".join(map(in_words, value))
    return f"{value:,}" if isinstance(value, int) and value > _LARGEST_PLAIN else str(value)


def _abstract(article: CanonicalPubMedArticle | None, evidence: EvidenceByField, colours: Mapping[str, int]) -> Markup:
    if article is None or not article.abstract:
        inside = tag("p", "PubMed has no abstract of it.", class_="quiet")
    else:
        inside = tag("div", highlights.mark_evidence(article, evidence, colours), class_="abstract", dir="auto")
    owner = tag("p", article.copyright, class_="copyright") if article and article.copyright else None
    return tag("section", tag("h4", "Abstract"), inside, owner)
