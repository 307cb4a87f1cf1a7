"""Which candidates stay, filter by filter, and how many each one removes. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from biofact.literature.ranking import flags
from biofact.literature.ranking.boosts import citations_of
from biofact.literature.ranking.candidates import Candidate, FilterStep, Flag
from biofact.literature.ranking.journals import journal_key, journal_keys
from biofact.literature.ranking.request import RankRequest
from biofact.sources.pubmed.parse.citations import Citations

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
        yield ArticleFilter("retracted", _is_not(flags.is_retracted), keeps_unknown=True)
    if (least := request.min_score_threshold) is not None:
        yield ArticleFilter("min_score_threshold", lambda candidate: candidate.total_score >= least, f"{least:g}")
    if asked.from_year is not None:
        yield ArticleFilter("from_year", _year_within(asked.from_year, 9999), str(asked.from_year))
    if asked.to_year is not None:
        yield ArticleFilter("to_year", _year_within(0, asked.to_year), str(asked.to_year))
    if asked.exclude_preprints:
        yield ArticleFilter("exclude_preprints", _is_not(flags.is_preprint), keeps_unknown=True)
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
        return None if candidate.article is None else not claim(flags.flags(candidate.article))

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
