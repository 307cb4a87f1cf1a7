"""Rows for tables: numbers, truths and short texts in columns that do not depend on the values. Pure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biofact.literature.ranking.boosts import DIGITS, REVIEW_TYPES
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.ranking.flags import is_preprint, is_retracted
from biofact.sources.pubmed.records import CanonicalPubMedArticle

Cell = bool | int | float | str

LONGEST_TEXT = 200
"""Characters of a text in a cell."""

_OWN = (
    "rank",
    "item_id",
    "title",
    "first_author",
    "year",
    "journal",
    "doi",
    "final_score",
    "total_score",
    "completeness",
    "not_stated",
    "relevance",
    "evidence_strength",
    "boost_recent",
    "boost_high_impact",
    "prefer_review_articles",
    "citation_count",
    "relative_citation_ratio",
    "is_retracted",
    "is_preprint",
    "is_review",
    "flags",
)


def columns_of(rows: Sequence[RankedRow]) -> list[str]:
    """The columns: our own, a score for each feature, then a value for each field that any row states."""
    scored = dict.fromkeys(name for row in rows for name in row.candidate.breakdown)
    stated = dict.fromkeys(name for row in rows for name, _ in flatten(row.candidate.extraction))
    return [*_OWN, *(f"score:{name}" for name in scored), *(f"feature:{name}" for name in sorted(stated))]


def flat_rows(rows: Sequence[RankedRow]) -> list[dict[str, Cell]]:
    """Each article in one row, its cells in the order of the columns; what is not known is left out."""
    columns = columns_of(rows)
    results = []
    for row in rows:
        cells = dict(_cells(row))
        results.append({name: cells[name] for name in columns if name in cells})
    return results


def _cells(row: RankedRow) -> Iterator[tuple[str, Cell]]:
    candidate = row.candidate
    own: dict[str, Cell | None] = {
        "rank": row.rank,
        "item_id": candidate.item_id,
        "final_score": row.final_score,
        "total_score": candidate.total_score,
        "completeness": _rounded(candidate.completeness),
        "not_stated": "; ".join(candidate.not_stated) or None,
        "relevance": candidate.relevance,
        "evidence_strength": None if candidate.relevance is None else _rounded(candidate.evidence_strength),
        **row.boosts,
        "citation_count": row.citations.count if row.citations else None,
        "relative_citation_ratio": row.citations.relative_ratio if row.citations else None,
        "flags": "; ".join(row.flag_kinds) or None,
    }
    if candidate.article:
        own |= _of_article(candidate.article, row)
    yield from ((name, value) for name, value in own.items() if value is not None)
    yield from ((f"score:{name}", one.score) for name, one in candidate.breakdown.items() if one.score is not None)
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
    """Every stated value under its path, as ``effect.value``; lists are joined by semicolons."""
    for name, one in value.items():
        place = f"{path}{name}"
        if isinstance(one, Mapping):
            yield from flatten(one, f"{place}.")
        elif isinstance(one, list | tuple):
            if one:
                yield place, "; ".join(map(_text, one))
        elif isinstance(one, float) and not math.isfinite(one):
            continue  # JSON has no such number
        elif isinstance(one, bool | int | float | str):
            yield place, one
        elif one is not None:
            yield place, str(one)


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
