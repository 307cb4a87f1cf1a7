"""The fifth and the sixth step: scores, and the ranking. Worked out anew at every start: nothing is asked for them but
citations, and those are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from biofact.core.records import Notice
from biofact.literature import steps
from biofact.literature.ranking.candidates import Candidate, Ranking
from biofact.literature.ranking.order import rank_articles
from biofact.literature.records import GOAL_RELEVANCE, CanonicalPubMedExtraction
from biofact.literature.relevance import GoalConcept, relevance
from biofact.literature.review.folder import RunStart
from biofact.literature.review.plan import ReviewPlan
from biofact.literature.review.questions import RememberedQuestions
from biofact.literature.step_input import StepInput
from biofact.sources.pubmed.parse import Citations
from biofact.sources.pubmed.records import CanonicalPubMedArticle

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

_MOST_RANKED = 10_000


@dataclass(slots=True)
class ReviewScores:
    """What the articles score."""

    candidates: list[Candidate] = field(default_factory=list)
    distribution: dict[str, float] = field(default_factory=dict)
    correlations: dict[str, dict[str, float]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReviewRanking:
    """All that passed the filters, and the best of them."""

    whole: Ranking
    top: Ranking


def score_articles(
    articles: Sequence[CanonicalPubMedArticle],
    rows: Sequence[CanonicalPubMedExtraction],
    plan: ReviewPlan,
    concepts: Sequence[GoalConcept],
    learned: "TrainedModel | None",
) -> ReviewScores:
    """The score of every article, its relevance to the goal among its features."""
    if not rows:
        return ReviewScores()
    by_id = {article.id: article for article in articles}
    relevant = dict(zip(by_id, relevance(articles, concepts), strict=True))
    given = StepInput([_with_relevance(row, relevant[row.item_id]) for row in rows], is_collection=True)
    answer, kept = steps.score_items(
        given, plan.criteria, plan.score_function, learned, include_percentiles=True, slim=False
    )
    features = {row.item_id: row.extraction for row in rows}
    candidates = [
        Candidate(
            (name := item["item_id"]),
            by_id[name],
            features[name],
            item["total_score"],
            item["score_breakdown"],
            relevant[name],
        )
        for item in steps.scored_items(kept)
    ]
    statistics = answer.scoring_metadata
    return ReviewScores(
        candidates, statistics.score_distribution, statistics.feature_correlations, list(answer.notices)
    )


def _with_relevance(row: CanonicalPubMedExtraction, relevant: float) -> dict[str, Any]:
    item = row.model_dump()
    item["extraction"] = {**item["extraction"], GOAL_RELEVANCE: relevant}
    return item


async def rank_candidates(
    candidates: Sequence[Candidate], run_start: RunStart, questions: RememberedQuestions
) -> ReviewRanking:
    """The candidates in their order.

    Raises:
        RateLimited, UpstreamError: citations are asked for, and iCite could not tell them.
    """
    request = run_start.plan.ranking
    counts: Mapping[str, Citations] = {}
    if request.filters.min_citation_count or request.ranking_criteria.boost_high_impact:
        pmids = [one.article.pmid for one in candidates if one.article is not None and one.article.pmid]
        counts = {f"PMID:{pmid}": citations for pmid, citations in (await questions.citations(pmids)).items()}
    all_of_them = request.model_copy(update={"max_results": _MOST_RANKED})
    return ReviewRanking(
        whole=rank_articles(candidates, all_of_them, counts, today=run_start.today),
        top=rank_articles(candidates, request, counts, today=run_start.today),
    )
