"""Notices about a ranking. Pure."""

import difflib
from collections.abc import Iterator, Mapping, Sequence

from biofact.core.records import Notice
from biofact.literature.ranking import journals
from biofact.literature.ranking.candidates import Candidate, RankedRow
from biofact.literature.ranking.filter_chain import FilteredCandidates
from biofact.literature.ranking.request import RankRequest
from biofact.sources.pubmed.parse.citations import Citations

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
    known = frozenset().union(*map(journals.journal_keys, articles))
    journal_names = {journals.journal_key(name): name for article in articles if (name := article.journal)}
    for field in ("journal_whitelist", "journal_blacklist"):
        for name in getattr(request.filters, field):
            if (key := journals.journal_key(name)) in known:
                continue
            near = difflib.get_close_matches(key, known, 1, _ALIKE)
            shown = journal_names.get(near[0], near[0]) if near else ""
            meant = f" Is {shown!r} meant?" if near else ""
            yield Notice(code="UNMATCHED", message=f"No article is in {name!r:.80}, named in {field}.{meant}")


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
