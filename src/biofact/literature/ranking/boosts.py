"""Small additions to a score: how new, how much cited, whether a review. Pure; formulas in docs/ranking.md."""

import math
import re
from collections.abc import Iterable, Mapping
from datetime import date

from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.request import RankingCriteria
from biofact.sources.pubmed.parse.citations import Citations
from biofact.sources.pubmed.records import CanonicalPubMedArticle

LARGEST_BOOST = 0.05
"""Of each boost: no article overtakes another whose total is higher by more than this for each boost asked for."""
HALF_LIFE_YEARS = 3.0
FULL_RATIO = 8.0
"""The citation ratio that earns the whole boost; a ratio of 1, the field's average, earns none."""
REVIEW_TYPES = frozenset({"Review", "Systematic Review", "Scoping Review", "Meta-Analysis", "Network Meta-Analysis"})
"""NLM's publication types."""

DIGITS = 6
"""Of scores and boosts."""

_DAYS_A_YEAR = 365.25
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_MID_MONTH, _MID_YEAR = 15, 7


def boosts(
    candidate: Candidate, criteria: RankingCriteria, citations: Mapping[str, Citations], today: date
) -> dict[str, float | None]:
    """What each boost that is asked for adds; None where it cannot be judged."""
    article = candidate.article
    results: dict[str, float | None] = {}
    if criteria.boost_recent:
        results["boost_recent"] = _recent(article, today)
    if criteria.boost_high_impact:
        results["boost_high_impact"] = _high_impact(citations_of(candidate, citations))
    if criteria.prefer_review_articles:
        results["prefer_review_articles"] = _review(article)
    return {name: size if size is None else round(size, DIGITS) for name, size in results.items()}


def final_score(total: float, boosts: Iterable[float | None]) -> float:
    """A total with its boosts; one that could not be judged adds nothing."""
    return min(round(total + sum(size for size in boosts if size), DIGITS), 1.0)


def citations_of(candidate: Candidate, citations: Mapping[str, Citations]) -> Citations | None:
    """How often a candidate is cited; the counts are filed under either written form of its PMID."""
    return citations.get(candidate.item_id) or citations.get(candidate.item_id.removeprefix("PMID:"))


def _recent(article: CanonicalPubMedArticle | None, today: date) -> float | None:
    """A half for every three years since publication; nothing is newer than today."""
    published = publication_day(article) if article else None
    if published is None:
        return None
    return recent_boost((today - published).days)


def recent_boost(days: int) -> float:
    """What an article that was published so many days ago gains."""
    return round(LARGEST_BOOST * math.exp2(-max(days, 0) / _DAYS_A_YEAR / HALF_LIFE_YEARS), DIGITS)


def _high_impact(known: Citations | None) -> float | None:
    """By doublings of the field's average."""
    if known is None or known.relative_ratio is None:
        return None
    ratio = min(max(known.relative_ratio, 1.0), FULL_RATIO)
    return LARGEST_BOOST * math.log(ratio) / math.log(FULL_RATIO)


def _review(article: CanonicalPubMedArticle | None) -> float | None:
    if article is None:
        return None
    return LARGEST_BOOST if REVIEW_TYPES.intersection(article.publication_types) else 0.0


def publication_day(article: CanonicalPubMedArticle) -> date | None:
    """The day of publication; of a month its 15th and of a year 1 July, where no more is known."""
    match = _DATE.match(article.publication_date or "")
    year, month, day = match.groups() if match else (article.year, None, None)
    if year is None:
        return None
    try:
        return date(int(year), int(month or _MID_YEAR), int(day or (_MID_MONTH if month else 1)))
    except ValueError:  # a day that no calendar has
        return date(int(year), _MID_YEAR, 1) if int(year) else None
