"""The answer of ``pubmed_filter_rank`` in its three formats, and rankings as flat rows."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from biofact.core.records import Frozen, Metadata, Number, Result, absent, absent_list
from biofact.literature.ranking.candidates import RankedRow, Ranking, is_preprint, is_retracted
from biofact.literature.ranking.order import DIGITS, REVIEW_TYPES
from biofact.literature.ranking.request import OutputFormat
from biofact.literature.records import FeatureScore
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.tables import TableHints

Cell = bool | int | float | str

LONGEST_TEXT = 200
"""Characters of a text in a cell."""

_FIXED_COLUMNS = (
    "rank", "item_id", "title", "first_author", "year", "journal", "doi", "final_score", "total_score", "completeness",
    "not_stated", "relevance", "evidence_strength", "boost_recent", "boost_high_impact", "prefer_review_articles",
    "citation_count", "relative_citation_ratio", "is_retracted", "is_preprint", "is_review", "flags",
)  # fmt: skip


def columns_of(rows: Sequence[RankedRow]) -> list[str]:
    """The fixed columns, a score for each feature, and a value for each field of any row."""
    feature_names = dict.fromkeys(name for row in rows for name in row.candidate.breakdown)
    field_names = dict.fromkeys(name for row in rows for name, _ in flatten(row.candidate.extraction))
    return [
        *_FIXED_COLUMNS,
        *(f"score:{name}" for name in feature_names),
        *(f"feature:{name}" for name in sorted(field_names)),
    ]


def flat_rows(rows: Sequence[RankedRow]) -> list[dict[str, Cell]]:
    """One row an article, with cells in the order of the columns and without unknown values."""
    columns = columns_of(rows)
    cells_by_row = [dict(_cells(row)) for row in rows]
    return [{name: cells[name] for name in columns if name in cells} for cells in cells_by_row]


def _cells(row: RankedRow) -> Iterator[tuple[str, Cell]]:
    candidate = row.candidate
    fixed_cells: dict[str, Cell | None] = {
        "rank": row.rank,
        "item_id": candidate.item_id,
        "final_score": row.final_score,
        "total_score": candidate.total_score,
        "completeness": _rounded(candidate.completeness),
        "not_stated": "; ".join(candidate.not_stated) or None,
        "relevance": candidate.relevance,
        "evidence_strength": _rounded(candidate.strength_beside_relevance),
        **row.boosts,
        "citation_count": row.citations.count if row.citations else None,
        "relative_citation_ratio": row.citations.relative_ratio if row.citations else None,
        "flags": "; ".join(row.flag_kinds) or None,
    }
    if candidate.article:
        fixed_cells |= _of_article(candidate.article, row)
    yield from ((name, value) for name, value in fixed_cells.items() if value is not None)
    scores = {name: feature.score for name, feature in candidate.breakdown.items()}
    yield from ((f"score:{name}", score) for name, score in scores.items() if score is not None)
    yield from ((f"feature:{name}", _short(value)) for name, value in flatten(candidate.extraction))


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, DIGITS)


def _of_article(article: CanonicalPubMedArticle, row: RankedRow) -> dict[str, Cell | None]:
    return {
        "title": _short(article.title),
        "first_author": _short(article.authors[0]) if article.authors else None,
        "year": article.year,
        "journal": _short(article.journal) if article.journal else None,
        "doi": article.doi,
        "is_retracted": is_retracted(row.flags),
        "is_preprint": is_preprint(row.flags),
        "is_review": not REVIEW_TYPES.isdisjoint(article.publication_types),
    }


def flatten(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Cell]]:
    """The values by their path, such as ``effect.value``; lists are joined by semicolons."""
    for name, entry in value.items():
        place = f"{path}{name}"
        if isinstance(entry, Mapping):
            yield from flatten(entry, f"{place}.")
        elif isinstance(entry, list | tuple):
            if entry:
                yield place, "; ".join(map(_text, entry))
        elif isinstance(entry, float) and not math.isfinite(entry):
            continue  # JSON has no such number
        elif isinstance(entry, bool | int | float | str):
            yield place, entry
        elif entry is not None:
            yield place, str(entry)


def _text(entry: Any) -> str:
    if isinstance(entry, Mapping):
        return ", ".join(f"{name}: {value}" for name, value in flatten(entry))
    return "true" if entry is True else "false" if entry is False else str(entry)


def _short(value: Cell) -> Cell:
    return shorten(value, LONGEST_TEXT) if isinstance(value, str) else value


def shorten(text: str, longest: int) -> str:
    """A text in one line, cut at a word where it is too long."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    whole = cut.rpartition(" ")[0]
    return f"{whole if len(whole) > longest // 2 else cut}\u2026"


SUMMARY_CHARACTERS = 72
"""Characters of title, journal and flags in a summary, which keep a line within 60 tokens."""
_LONGEST_JOURNAL = 30
_SHORTEST_TITLE = 32
_SHOWN_DIGITS = 3


class RankedSummary(Frozen):
    """One article in a line."""

    id: str
    title: str | None = absent("Cut at a word where it is long.")
    year: int | None = absent()
    journal: str | None = absent()
    total_score: Number
    final_score: Number
    """The total plus the boosts, which gives the order."""
    flags: list[str] = absent_list("What to know before citing it, such as retracted.")


class ArticleWithFeatures(Frozen):
    """An article and its features."""

    item_id: str
    original_article: CanonicalPubMedArticle | None = absent("Its standard set of facts.")
    extraction: dict[str, Any]


class RankedArticle(Frozen):
    """One article with its features, its score and its boosts."""

    table_hints: ClassVar[TableHints] = TableHints(
        first=(
            *("rank", "id", "item_id", "final_score", "title", "article_with_features.original_article.title"),
            *("year", "journal", "flags"),
        )
    )
    """The fields of both forms."""

    item_id: str
    rank: int
    total_score: Number
    final_score: Number
    """The total plus the boosts, which gives the order."""
    boosts: dict[str, Number] = Field(default_factory=dict, exclude_if=lambda value: not value)
    """The additions by boost; an unknown boost is absent."""
    flags: dict[str, list[str]] = Field(default_factory=dict, exclude_if=lambda value: not value)
    """The PMIDs behind each kind of flag, such as retracted."""
    citation_count: int | None = absent("By iCite.")
    relative_citation_ratio: Number | None = absent("Against its field's average, which is 1; by iCite.")
    completeness: Number | None = absent("The share of all weights whose features it states.")
    not_stated: list[str] = absent_list("Weighted features that it does not state; each adds nothing.")
    score_breakdown: dict[str, FeatureScore] = Field(default_factory=dict)
    article_with_features: ArticleWithFeatures


class FilterMetadata(Metadata):
    """The effect of the filters."""

    initial_count: int
    """Before any filter."""
    filtered_count: int
    """After all of them; more than are listed where max_results cut the list."""
    filters_applied: list[str]
    """In their order, each with what it removed."""
    ranking_method: str


def _row(value: Any) -> Any:
    """A row of any format, read back from JSON; flat rows stay as they are."""
    if not isinstance(value, dict):
        return value
    if "article_with_features" in value:
        return RankedArticle.model_validate(value)
    return value if "item_id" in value else RankedSummary.model_validate(value)


class RankedArticles(Result):
    """The best articles, best first."""

    listed: ClassVar[str | None] = "ranked_articles"
    row_types: ClassVar[tuple[type[Frozen], ...]] = (RankedArticle, RankedSummary)
    """The types of rows; flat rows have none, their ``columns`` are in the answer."""

    ranked_articles: list[Annotated[Any, BeforeValidator(_row)]]
    """RankedSummary, RankedArticle or flat rows, by the format asked for."""
    columns: list[str] = absent_list("Of analysis_ready rows, in their order; a row leaves out what is not known.")
    filter_metadata: FilterMetadata


def ranked_articles(ranking: Ranking, output_format: OutputFormat) -> RankedArticles:
    """The answer in the format asked for."""
    metadata = FilterMetadata(
        initial_count=ranking.initial_count,
        filtered_count=ranking.filtered_count,
        filters_applied=list(map(str, ranking.steps)),
        ranking_method=ranking.method,
    )
    rows: list[Any]
    match output_format:
        case "summary":
            rows = list(map(_summary, ranking.rows))
        case "detailed":
            rows = list(map(_ranked_article, ranking.rows))
        case "analysis_ready":
            rows = flat_rows(ranking.rows)
    columns = columns_of(ranking.rows) if output_format == "analysis_ready" else []
    notices = list(ranking.notices)
    return RankedArticles(ranked_articles=rows, columns=columns, filter_metadata=metadata, notices=notices)


def _summary(row: RankedRow) -> RankedSummary:
    article = row.candidate.article
    journal = shorten(article.journal, _LONGEST_JOURNAL) if article and article.journal else None
    # a flag costs its quotes, its comma and a blank, too
    used_characters = len(journal or "") + sum(len(kind) + 4 for kind in row.flag_kinds)
    return RankedSummary(
        id=row.candidate.item_id,
        title=shorten(article.title, max(SUMMARY_CHARACTERS - used_characters, _SHORTEST_TITLE)) if article else None,
        year=article.year if article else None,
        journal=journal,
        total_score=round(row.candidate.total_score, _SHOWN_DIGITS),
        final_score=round(row.final_score, _SHOWN_DIGITS),
        flags=row.flag_kinds,
    )


def _ranked_article(row: RankedRow) -> RankedArticle:
    candidate = row.candidate
    features = ArticleWithFeatures(
        item_id=candidate.item_id,
        original_article=candidate.article.standard() if candidate.article else None,
        extraction=dict(candidate.extraction),
    )
    return RankedArticle(
        item_id=candidate.item_id,
        rank=row.rank,
        total_score=candidate.total_score,
        final_score=row.final_score,
        boosts=row.boosts,
        flags={flag.kind: list(flag.points_to) for flag in row.flags},
        citation_count=row.citations.count if row.citations else None,
        relative_citation_ratio=row.citations.relative_ratio if row.citations else None,
        completeness=None if candidate.completeness is None else round(candidate.completeness, DIGITS),
        not_stated=candidate.not_stated,
        score_breakdown=dict(candidate.breakdown),
        article_with_features=features,
    )
