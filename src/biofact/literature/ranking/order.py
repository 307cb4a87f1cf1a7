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


Judge = Callable[[Candidate], bool | None]
"""Whether a candidate meets a filter; None where that is not known."""


@dataclass(frozen=True, slots=True)
class ArticleFilter:
    """One condition. What it excludes has to be known, what it requires too."""

    name: str
    judge: Judge
    setting: str = ""
    keeps_unknown: bool = False


@dataclass(slots=True)
class FilteredCandidates:
    """What passed, and what did not."""

    kept: list[Candidate]
    steps: list[FilterStep] = field(default_factory=list)
    removed: dict[str, list[str]] = field(default_factory=dict)
    """IDs by the name of the filter."""
    unknown: dict[str, list[str]] = field(default_factory=dict)
    """IDs that a filter could not judge, by its name."""


def apply_filters(
    candidates: Sequence[Candidate], request: RankRequest, citations: Mapping[str, Citations]
) -> FilteredCandidates:
    """The candidates that pass every filter. Each is counted by the first filter that removes it."""
    result = _each_once(candidates)
    for condition in filters(request, citations):
        judged = [(candidate, condition.judge(candidate)) for candidate in result.kept]
        kept = [candidate for candidate, meets in judged if (condition.keeps_unknown if meets is None else meets)]
        unknown = [candidate.item_id for candidate, meets in judged if meets is None]
        lost = 0 if condition.keeps_unknown else len(unknown)
        result.steps.append(FilterStep(condition.name, condition.setting, len(judged) - len(kept), lost))
        result.removed[condition.name] = [candidate.item_id for candidate, meets in judged if meets is False]
        result.unknown[condition.name] = unknown
        result.kept = kept
    return result


def _each_once(candidates: Sequence[Candidate]) -> FilteredCandidates:
    """Every article at its best score, in the order given; repeats are a step of their own where there are any."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        known = best.setdefault(candidate.item_id, candidate)
        if candidate.total_score > known.total_score:
            best[candidate.item_id] = candidate
    repeated = len(candidates) - len(best)
    return FilteredCandidates(list(best.values()), [FilterStep("duplicates", "", repeated)] if repeated else [])


def filters(request: RankRequest, citations: Mapping[str, Citations]) -> Iterator[ArticleFilter]:
    """The filters that are on, in the order in which they work."""
    asked = request.filters
    if not asked.include_retracted:
        yield ArticleFilter("retracted", _is_not(is_retracted), keeps_unknown=True)
    if (least := request.min_score_threshold) is not None:
        yield ArticleFilter("min_score_threshold", lambda candidate: candidate.total_score >= least, f"{least:g}")
    if asked.from_year is not None:
        yield ArticleFilter("from_year", _year_within(asked.from_year, 9999), str(asked.from_year))
    if asked.to_year is not None:
        yield ArticleFilter("to_year", _year_within(0, asked.to_year), str(asked.to_year))
    if asked.exclude_preprints:
        yield ArticleFilter("exclude_preprints", _is_not(is_preprint), keeps_unknown=True)
    if names := asked.journal_whitelist:
        yield ArticleFilter("journal_whitelist", _in_journals(names, wanted=True), _journals(names))
    if names := asked.journal_blacklist:
        judge = _in_journals(names, wanted=False)
        yield ArticleFilter("journal_blacklist", judge, _journals(names), keeps_unknown=True)
    if (count := asked.min_citation_count) is not None and (citations or not count):
        yield ArticleFilter("min_citation_count", _is_cited(count, citations), str(count))


def _journals(names: Sequence[str]) -> str:
    return f"({len(names)} journal{'s' if len(names) > 1 else ''})"


def _is_not(claim: Callable[[tuple[Flag, ...]], bool]) -> Judge:
    def judge(candidate: Candidate) -> bool | None:
        return None if candidate.article is None else not claim(article_flags(candidate.article))

    return judge


def _year_within(first: int, last: int) -> Judge:
    def judge(candidate: Candidate) -> bool | None:
        year = candidate.article.year if candidate.article else None
        return None if year is None else first <= year <= last

    return judge


def _in_journals(names: Sequence[str], *, wanted: bool) -> Judge:
    asked = frozenset(map(journal_key, names))

    def judge(candidate: Candidate) -> bool | None:
        known = journal_keys(candidate.article) if candidate.article else frozenset()
        return None if not known else bool(known & asked) is wanted

    return judge


def _is_cited(least: int, citations: Mapping[str, Citations]) -> Judge:
    def judge(candidate: Candidate) -> bool | None:
        known = citations_of(candidate, citations)
        if known is None:
            return None if least else True  # no count is below 0
        return known.count >= least

    return judge


_MOST_NAMED = 5
_ALIKE = 0.8  # difflib's ratio from which a journal is suggested for a name that none has

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
    found: FilteredCandidates,
    citations: Mapping[str, Citations],
) -> Iterator[Notice]:
    """What to know about the filters."""
    repeated = sum(step.removed for step in found.steps if step.name == "duplicates")
    if repeated:
        were = "1 candidate was" if repeated == 1 else f"{repeated} candidates were"
        yield Notice(code="DROPPED", message=f"{were} repeated; the best score of each counts.")
    retracted = found.removed.get("retracted")
    if retracted:
        message = f"{_articles(retracted)} left out as retracted; include_retracted keeps and flags them."
        yield Notice(code="DROPPED", message=message)
    for name, ids in found.unknown.items():
        if ids:
            yield _unknown_notice(name, ids)
    if request.filters.min_citation_count and not citations:
        message = "min_citation_count was not applied: no citation counts are known of any article."
        yield Notice(code="LEG_FAILED", message=message)
    yield from _unmatched_journals(request, candidates)
    if candidates and not found.kept:
        most = max(found.steps, key=lambda step: step.removed)
        yield Notice(code="UNMATCHED", message=f"No article passed the filters. Most fell to one: {most}.")


def _unknown_notice(name: str, ids: Sequence[str]) -> Notice:
    if name in _UNKNOWN_REMOVED:
        return Notice(code="DROPPED", message=f"{name} also left out {_articles(ids)}, {_UNKNOWN_REMOVED[name]}.")
    return Notice(code="NOT_COVERED", message=f"{_UNKNOWN_KEPT[name]}, and kept: {_articles(ids)}.")


def _unmatched_journals(request: RankRequest, candidates: Sequence[Candidate]) -> Iterator[Notice]:
    if not (request.filters.journal_whitelist or request.filters.journal_blacklist):
        return
    articles = [candidate.article for candidate in candidates if candidate.article]
    known = frozenset().union(*map(journal_keys, articles))
    journal_names = {journal_key(name): name for article in articles if (name := article.journal)}
    for option in ("journal_whitelist", "journal_blacklist"):
        for name in getattr(request.filters, option):
            if (key := journal_key(name)) in known:
                continue
            near = difflib.get_close_matches(key, known, 1, _ALIKE)
            shown = journal_names.get(near[0], near[0]) if near else ""
            meant = f" Is {shown!r} meant?" if near else ""
            yield Notice(code="UNMATCHED", message=f"No article is in {name!r:.80}, named in {option}.{meant}")


def order_notices(rows: Sequence[RankedRow], passed: int, unjudged: Mapping[str, Sequence[str]]) -> Iterator[Notice]:
    """What to know about the order."""
    for name, ids in unjudged.items():
        if ids:
            message = f"{name} could not lift {_articles(ids)} of {passed}: {_BOOST_LACKS[name]}."
            yield Notice(code="NOT_COVERED", message=message)
    if passed > len(rows):
        message = f"{len(rows)} of {passed} articles that passed the filters are listed; raise max_results for more."
        yield Notice(code="LIST_CUT", message=message)


def _articles(ids: Sequence[str]) -> str:
    """``2 articles (PMID:1, PMID:2)``; of many the first five are named."""
    named = ", ".join(ids[:_MOST_NAMED]) + (", ..." if len(ids) > _MOST_NAMED else "")
    return f"{len(ids)} article{'s' if len(ids) > 1 else ''} ({named})"


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

    ``citations`` are filed by item ID or bare PMID; an empty mapping says that none could be had.
    Order: final score, then total score, then the newer, then the lower PMID.
    """
    filtered = apply_filters(candidates, request, citations)
    criteria = request.ranking_criteria
    boosted = sorted(
        (_BoostedCandidate(one, boosts(one, criteria, citations, today)) for one in filtered.kept), key=_key
    )
    shown = boosted[: request.max_results]
    rows = tuple(_row(rank, one, citations) for rank, one in enumerate(shown, start=1))
    cut = len(boosted) - len(rows)
    steps = (*filtered.steps, *([FilterStep("max_results", str(request.max_results), cut)] if cut else []))
    ranking_notices = (
        *filter_notices(request, candidates, filtered, citations),
        *order_notices(rows, len(boosted), _idle(boosted)),
    )
    return Ranking(rows, len(candidates), len(boosted), steps, order_in_words(criteria), ranking_notices)


def _key(one: _BoostedCandidate) -> tuple[float, float, int, int, str]:
    """What sorts the best first."""
    candidate = one.candidate
    published = publication_day(candidate.article) if candidate.article else None
    number = _NUMBER.fullmatch(candidate.item_id)
    return (
        -one.final_score,
        -candidate.total_score,
        -published.toordinal() if published else 0,
        int(number[1]) if number else 0,
        candidate.item_id,
    )


def _row(rank: int, one: _BoostedCandidate, citations: Mapping[str, Citations]) -> RankedRow:
    return RankedRow(
        rank,
        one.candidate,
        one.final_score,
        {name: size for name, size in one.boosts.items() if size is not None},
        article_flags(one.candidate.article),
        citations_of(one.candidate, citations),
    )


def _idle(boosted: Sequence[_BoostedCandidate]) -> dict[str, list[str]]:
    """The articles that a boost could not judge, by the boost."""
    names = list(boosted[0].boosts) if boosted else []
    return {name: [one.candidate.item_id for one in boosted if one.boosts[name] is None] for name in names}


def order_in_words(criteria: RankingCriteria) -> str:
    """By what the articles are in order."""
    asked = [name for name, is_on in criteria if is_on]
    lifts = f"total_score + {' + '.join(asked)} (each at most {LARGEST_BOOST:g})" if asked else "total_score"
    return f"{lifts}; ties by total_score, then the newer, then the lower PMID"
