"""Candidates to a ranking: filters, boosts, order, notices. Pure; formulas in docs/ranking.md."""

import difflib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from biofact.core.records import Notice
from biofact.literature.ranking.candidates import (
    Candidate,
    FilterStep,
    Flag,
    RankedRow,
    Ranking,
    article_flags,
    is_preprint,
    is_retracted,
)
from biofact.literature.ranking.request import RankingCriteria, RankRequest, journal_key, journal_keys
from biofact.sources.pubmed.parse.split import Citations
from biofact.sources.pubmed.records import CanonicalPubMedArticle

LARGEST_BOOST = 0.05
"""Upper limit of each boost: a higher total stays ahead if it leads by more than this for each active boost."""
HALF_LIFE_YEARS = 3.0
FULL_RATIO = 8.0
"""The citation ratio that earns the whole boost; a ratio of 1, the field's average, earns none."""
REVIEW_TYPES = frozenset({"Review", "Systematic Review", "Scoping Review", "Meta-Analysis", "Network Meta-Analysis"})
"""NLM's publication types."""

DIGITS = 6
"""Digits of scores and boosts."""

_DAYS_A_YEAR = 365.25
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_MID_MONTH, _MID_YEAR = 15, 7


def boosts(
    candidate: Candidate, criteria: RankingCriteria, citations: Mapping[str, Citations], today: date
) -> dict[str, float | None]:
    """The addition of each active boost; None if the fact behind it is unknown."""
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
    """A total with its boosts; an unknown boost adds nothing."""
    return min(round(total + sum(size for size in boosts if size), DIGITS), 1.0)


def citations_of(candidate: Candidate, citations: Mapping[str, Citations]) -> Citations | None:
    """The citations of a candidate; the counts may be under either form of its PMID."""
    return citations.get(candidate.item_id) or citations.get(candidate.item_id.removeprefix("PMID:"))


def _recent(article: CanonicalPubMedArticle | None, today: date) -> float | None:
    """The boost by age, which halves every three years; a date in the future counts as today."""
    published = publication_day(article) if article else None
    return None if published is None else recent_boost((today - published).days)


def recent_boost(days: int) -> float:
    """The boost of an article published ``days`` days ago."""
    return round(LARGEST_BOOST * math.exp2(-max(days, 0) / _DAYS_A_YEAR / HALF_LIFE_YEARS), DIGITS)


def _high_impact(citations: Citations | None) -> float | None:
    """The boost by doublings of the citation ratio above the field's average."""
    if citations is None or citations.relative_ratio is None:
        return None
    ratio = min(max(citations.relative_ratio, 1.0), FULL_RATIO)
    return LARGEST_BOOST * math.log(ratio) / math.log(FULL_RATIO)


def _review(article: CanonicalPubMedArticle | None) -> float | None:
    if article is None:
        return None
    return LARGEST_BOOST if REVIEW_TYPES.intersection(article.publication_types) else 0.0


def publication_day(article: CanonicalPubMedArticle) -> date | None:
    """The day of publication; the 15th of a month and 1 July of a year stand for an unknown day."""
    match = _DATE.match(article.publication_date or "")
    year, month, day = match.groups() if match else (article.year, None, None)
    if year is None:
        return None
    try:
        return date(int(year), int(month or _MID_YEAR), int(day or (_MID_MONTH if month else 1)))
    except ValueError:  # PubMed has dates such as 31 February
        return date(int(year), _MID_YEAR, 1) if int(year) else None


Condition = Callable[[Candidate], bool | None]
"""Whether a candidate meets a filter; None if the fact is unknown."""


@dataclass(frozen=True, slots=True)
class ArticleFilter:
    """One condition. A filter that excludes needs a known fact, and so does a filter that requires."""

    name: str
    condition: Condition
    setting: str = ""
    keeps_unknown: bool = False


@dataclass(slots=True)
class FilteredCandidates:
    """The candidates that passed, and the removed ones by filter."""

    remaining: list[Candidate]
    steps: list[FilterStep] = field(default_factory=list)
    removed: dict[str, list[str]] = field(default_factory=dict)
    """IDs by the name of the filter."""
    unknown: dict[str, list[str]] = field(default_factory=dict)
    """IDs with an unknown fact, by the name of the filter."""


def apply_filters(
    candidates: Sequence[Candidate], request: RankRequest, citations: Mapping[str, Citations]
) -> FilteredCandidates:
    """The candidates that pass every filter. Each is counted by the first filter that removes it."""
    result = _each_once(candidates)
    for article_filter in filters(request, citations):
        outcomes = [(candidate, article_filter.condition(candidate)) for candidate in result.remaining]
        remaining = [
            candidate for candidate, meets in outcomes if (article_filter.keeps_unknown if meets is None else meets)
        ]
        unknown = [candidate.item_id for candidate, meets in outcomes if meets is None]
        removed_as_unknown = 0 if article_filter.keeps_unknown else len(unknown)
        result.steps.append(
            FilterStep(article_filter.name, article_filter.setting, len(outcomes) - len(remaining), removed_as_unknown)
        )
        result.removed[article_filter.name] = [candidate.item_id for candidate, meets in outcomes if meets is False]
        result.unknown[article_filter.name] = unknown
        result.remaining = remaining
    return result


def _each_once(candidates: Sequence[Candidate]) -> FilteredCandidates:
    """Every article at its best score, in the order given; repeated articles are a step of their own."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        candidate_before = best.setdefault(candidate.item_id, candidate)
        if candidate.total_score > candidate_before.total_score:
            best[candidate.item_id] = candidate
    repeats = len(candidates) - len(best)
    return FilteredCandidates(list(best.values()), [FilterStep("duplicates", "", repeats)] if repeats else [])


def filters(request: RankRequest, citations: Mapping[str, Citations]) -> Iterator[ArticleFilter]:
    """The active filters, in their order."""
    options = request.filters
    if not options.include_retracted:
        yield ArticleFilter("retracted", _is_not(is_retracted), keeps_unknown=True)
    if (threshold := request.min_score_threshold) is not None:
        yield ArticleFilter("min_score_threshold", lambda article: article.total_score >= threshold, f"{threshold:g}")
    if options.from_year is not None:
        yield ArticleFilter("from_year", _year_within(options.from_year, 9999), str(options.from_year))
    if options.to_year is not None:
        yield ArticleFilter("to_year", _year_within(0, options.to_year), str(options.to_year))
    if options.exclude_preprints:
        yield ArticleFilter("exclude_preprints", _is_not(is_preprint), keeps_unknown=True)
    if names := options.journal_whitelist:
        yield ArticleFilter("journal_whitelist", _in_journals(names, is_included=True), _journals(names))
    if names := options.journal_blacklist:
        condition = _in_journals(names, is_included=False)
        yield ArticleFilter("journal_blacklist", condition, _journals(names), keeps_unknown=True)
    # without any counts of iCite's it would remove every article
    if (count := options.min_citation_count) is not None and (citations or not count):
        yield ArticleFilter("min_citation_count", _is_cited(count, citations), str(count))


def _journals(names: Sequence[str]) -> str:
    return f"({len(names)} journal{'s' if len(names) > 1 else ''})"


def _is_not(claim: Callable[[tuple[Flag, ...]], bool]) -> Condition:
    return lambda candidate: None if candidate.article is None else not claim(article_flags(candidate.article))


def _year_within(first: int, last: int) -> Condition:
    def condition(candidate: Candidate) -> bool | None:
        year = candidate.article.year if candidate.article else None
        return None if year is None else first <= year <= last

    return condition


def _in_journals(names: Sequence[str], *, is_included: bool) -> Condition:
    keys = frozenset(map(journal_key, names))

    def condition(candidate: Candidate) -> bool | None:
        article_keys = journal_keys(candidate.article) if candidate.article else frozenset()
        return None if not article_keys else bool(article_keys & keys) is is_included

    return condition


def _is_cited(minimum: int, citations: Mapping[str, Citations]) -> Condition:
    def condition(candidate: Candidate) -> bool | None:
        counts = citations_of(candidate, citations)
        if counts is None:
            return None if minimum else True  # no count is below 0
        return counts.count >= minimum

    return condition


_MOST_NAMED = 5
_LONGEST_JOURNAL, _MOST_COMPARED = 200, 20  # characters of a journal that none has, and how many are compared
_LEAST_SIMILARITY = 0.8  # difflib's ratio from which a journal is suggested for a name that none has

_UNKNOWN_REMOVED = {
    "min_citation_count": "whose citations iCite does not count",
    "journal_whitelist": "whose journal is not known",
    "from_year": "whose year is not known",
    "to_year": "whose year is not known",
}
_UNKNOWN_KEPT = {
    "retracted": "Not known to be retracted or not",
    "exclude_preprints": "Not known to be preprints or not",
    "journal_blacklist": "In a journal that is not known",
}
_BOOST_LACKS = {
    "boost_recent": "no date of publication is known",
    "boost_high_impact": "iCite has no relative citation ratio yet",
    "prefer_review_articles": "no publication type is known",
}


def filter_notices(
    request: RankRequest,
    candidates: Sequence[Candidate],
    filtered: FilteredCandidates,
    citations: Mapping[str, Citations],
) -> Iterator[Notice]:
    """Notices about the filters."""
    repeats = sum(step.removed for step in filtered.steps if step.name == "duplicates")
    if repeats:
        clause = "1 candidate was" if repeats == 1 else f"{repeats} candidates were"
        yield Notice(code="DROPPED", message=f"{clause} repeated; the best score of each counts.")
    retracted = filtered.removed.get("retracted")
    if retracted:
        message = f"{_count_with_ids(retracted)} left out as retracted; include_retracted keeps and flags them."
        yield Notice(code="DROPPED", message=message)
    for name, ids in filtered.unknown.items():
        if ids and name in _UNKNOWN_REMOVED:
            message = f"{name} also left out {_count_with_ids(ids)}, {_UNKNOWN_REMOVED[name]}."
            yield Notice(code="DROPPED", message=message)
        elif ids:
            message = f"{_UNKNOWN_KEPT[name]}, and kept: {_count_with_ids(ids)}."
            yield Notice(code="NOT_COVERED", message=message)
    if request.filters.min_citation_count and not citations:
        message = "min_citation_count was not applied: no citation counts are known of any article."
        yield Notice(code="LEG_FAILED", message=message)
    yield from _unmatched_journals(request, candidates)
    if candidates and not filtered.remaining:
        strictest = max(filtered.steps, key=lambda step: step.removed)
        yield Notice(code="UNMATCHED", message=f"No article passed the filters. Most fell to one: {strictest}.")


def _unmatched_journals(request: RankRequest, candidates: Sequence[Candidate]) -> Iterator[Notice]:
    if not (request.filters.journal_whitelist or request.filters.journal_blacklist):
        return
    articles = [candidate.article for candidate in candidates if candidate.article]
    known_keys = frozenset().union(*map(journal_keys, articles))
    journal_names = {journal_key(name): name for article in articles if (name := article.journal)}
    options = ("journal_whitelist", "journal_blacklist")
    named_journals = ((option, name) for option in options for name in getattr(request.filters, option))
    unmatched = ((option, name) for option, name in named_journals if journal_key(name) not in known_keys)
    for place, (option, name) in enumerate(unmatched):
        key = journal_key(name)[:_LONGEST_JOURNAL]
        is_compared = place < _MOST_COMPARED
        matches = difflib.get_close_matches(key, known_keys, 1, _LEAST_SIMILARITY) if is_compared else ()
        suggestion = journal_names.get(matches[0], matches[0]) if matches else ""
        question = f" Is {suggestion!r} meant?" if matches else ""
        yield Notice(code="UNMATCHED", message=f"No article is in {name!r:.80}, named in {option}.{question}")


def order_notices(
    rows: Sequence[RankedRow], passed_count: int, unknown_by_boost: Mapping[str, Sequence[str]]
) -> Iterator[Notice]:
    """Notices about the order."""
    for name, ids in unknown_by_boost.items():
        if ids:
            message = f"{name} could not lift {_count_with_ids(ids)} of {passed_count}: {_BOOST_LACKS[name]}."
            yield Notice(code="NOT_COVERED", message=message)
    if passed_count > len(rows):
        message = (
            f"{len(rows)} of {passed_count} articles that passed the filters are listed; raise max_results for more."
        )
        yield Notice(code="LIST_CUT", message=message)


def _count_with_ids(ids: Sequence[str]) -> str:
    """``2 articles (PMID:1, PMID:2)``, with at most five IDs."""
    listed_ids = ", ".join(ids[:_MOST_NAMED]) + (", ..." if len(ids) > _MOST_NAMED else "")
    return f"{len(ids)} article{'s' if len(ids) > 1 else ''} ({listed_ids})"


_NUMBER = re.compile(r"(?:PMID:)?(\d{1,18})")


class _BoostedCandidate(NamedTuple):
    """A candidate and its boosts."""

    candidate: Candidate
    boosts: dict[str, float | None]

    @property
    def final_score(self) -> float:
        return final_score(self.candidate.total_score, self.boosts.values())


def rank_articles(
    candidates: Sequence[Candidate], request: RankRequest, citations: Mapping[str, Citations], *, today: date
) -> Ranking:
    """The candidates that pass the filters, best first.

    ``citations`` are by item ID or bare PMID; empty if iCite did not answer.
    Order: final score, then total score, then the newer, then the lower PMID.
    """
    filtered = apply_filters(candidates, request, citations)
    criteria = request.ranking_criteria
    remaining = filtered.remaining
    candidates_with_boosts = [
        _BoostedCandidate(candidate, boosts(candidate, criteria, citations, today)) for candidate in remaining
    ]
    ranked = sorted(candidates_with_boosts, key=_key)
    top = ranked[: request.max_results]
    rows = tuple(_row(rank, candidate, citations) for rank, candidate in enumerate(top, start=1))
    cut = len(ranked) - len(rows)
    steps = (*filtered.steps, *([FilterStep("max_results", str(request.max_results), cut)] if cut else []))
    ranking_notices = (
        *filter_notices(request, candidates, filtered, citations),
        *order_notices(rows, len(ranked), _unknown_boosts(ranked)),
    )
    return Ranking(rows, len(candidates), len(ranked), steps, order_in_words(criteria), ranking_notices)


def _key(ranked: _BoostedCandidate) -> tuple[float, float, int, int, str]:
    """The key that sorts the best first."""
    candidate = ranked.candidate
    published = publication_day(candidate.article) if candidate.article else None
    number = _NUMBER.fullmatch(candidate.item_id)
    return (
        -ranked.final_score,
        -candidate.total_score,
        -published.toordinal() if published else 0,
        int(number[1]) if number else 0,
        candidate.item_id,
    )


def _row(rank: int, ranked: _BoostedCandidate, citations: Mapping[str, Citations]) -> RankedRow:
    return RankedRow(
        rank,
        ranked.candidate,
        ranked.final_score,
        {name: size for name, size in ranked.boosts.items() if size is not None},
        article_flags(ranked.candidate.article),
        citations_of(ranked.candidate, citations),
    )


def _unknown_boosts(ranked: Sequence[_BoostedCandidate]) -> dict[str, list[str]]:
    """IDs of articles without the fact behind a boost, by the boost."""
    names = list(ranked[0].boosts) if ranked else []
    return {
        name: [candidate.candidate.item_id for candidate in ranked if candidate.boosts[name] is None] for name in names
    }


def order_in_words(criteria: RankingCriteria) -> str:
    """The order of the articles, in words."""
    active = [name for name, is_on in criteria if is_on]
    lifts = f"total_score + {' + '.join(active)} (each at most {LARGEST_BOOST:g})" if active else "total_score"
    return f"{lifts}; ties by total_score, then the newer, then the lower PMID"
