"""Candidates to a ranking. Pure; see docs/ranking.md."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from biofact.literature.ranking import notices
from biofact.literature.ranking.boosts import LARGEST_BOOST, boosts, citations_of, final_score, publication_day
from biofact.literature.ranking.candidates import Candidate, FilterStep, RankedRow, Ranking
from biofact.literature.ranking.filter_chain import apply_filters
from biofact.literature.ranking.flags import flags
from biofact.literature.ranking.request import RankingCriteria, RankRequest
from biofact.sources.pubmed.parse.citations import Citations

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
        *notices.filter_notices(request, candidates, filtered, citations),
        *notices.order_notices(rows, len(boosted), _idle(boosted)),
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
        flags(one.candidate.article),
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
