"""From the input lists of steps to the arguments of the pure parts, and back."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from biofact.core.errors import BiofactError
from biofact.core.records import Notice
from biofact.literature import scoring, step_input
from biofact.literature.choices import ScoringMethod
from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import ArticleScoring, CanonicalPubMedExtraction, CanonicalScoredArticle, FeatureScore
from biofact.literature.scoring import ScoringCriteria
from biofact.literature.scoring.measures import with_measures
from biofact.literature.scoring.records import ScoredArticles, ScoringStatistics, SlimScoredArticles
from biofact.literature.step_input import StepInput
from biofact.protocol.lookup import side_request
from biofact.sources.pubmed.parse import Citations
from biofact.sources.pubmed.questions import Questions
from biofact.transport.stack import Transport

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

_DIGITS = 6
_KEPT = ("extraction", "extraction_metadata")


def score_items(
    given: StepInput,
    criteria: ScoringCriteria,
    method: ScoringMethod,
    learned: "TrainedModel | None",
    *,
    include_percentiles: bool,
    slim: bool,
) -> tuple[ScoredArticles | SlimScoredArticles, list[dict[str, Any]]]:
    """The answer of the scoring step, and what its collection holds.

    Raises:
        UnresolvedEntity: an item is no extraction.
    """
    items = list(given.items) if given.is_collection else _extractions(given)
    scores = scoring.score(list(map(_features, items)), criteria, method=method, model=learned)
    percentiles = scores.percentiles() if include_percentiles else None
    rows: list[CanonicalScoredArticle] = []
    kept: list[dict[str, Any]] = []
    for place, item in enumerate(items):
        row: dict[str, Any] = {
            "item_id": item["item_id"],
            "total_score": round(float(scores.total[place]), _DIGITS),
            "score_breakdown": scores.breakdown(place),
        }
        if percentiles is not None:
            row["percentile_rank"] = round(float(percentiles[place]), 2)
        breakdown = {name: score.model_dump() for name, score in row["score_breakdown"].items()}
        kept.append({**row, "score_breakdown": breakdown, **{name: item[name] for name in _KEPT if name in item}})
        features = None if given.is_collection else CanonicalPubMedExtraction.model_validate(item)
        origin = ArticleScoring(
            scoring_method_used=method,
            completeness=scores.completeness(place),
            missing_features=scores.missing_in(place),
        )
        rows.append(CanonicalScoredArticle(**row, article_with_features=features, scoring_metadata=origin))
    statistics = ScoringStatistics(
        score_distribution={name: round(value, _DIGITS) for name, value in scores.distribution().items()},
        feature_correlations=scores.correlations(),
        scoring_method_used=method,
    )
    about: dict[str, Any] = {"scoring_metadata": statistics, "notices": list(map(_not_covered, scores.messages))}
    if slim:
        return SlimScoredArticles(scored_articles=[row.slim() for row in rows], **about), kept
    return ScoredArticles(scored_articles=rows, **about), kept


def _features(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an item states, effects with the measure that their quotes name."""
    evidence: Mapping[str, Any] = (item.get("extraction_metadata") or {}).get("evidence") or {}
    quotes = {name: [str(each["quote"]) for each in places if "quote" in each] for name, places in evidence.items()}
    return with_measures(item["extraction"], quotes)


def _not_covered(message: str) -> Notice:
    return Notice(code="NOT_COVERED", message=message)


def scored_items(items: Sequence[Any], name: str = "collection") -> list[dict[str, Any]]:
    """Scored articles in one shape, whether an answer or a collection holds them.

    Raises:
        UnresolvedEntity: an item is none.
    """
    hint = "Call pubmed.pubmed_score_articles, and pass on its scored_articles, or its collection."
    return step_input.check_items(items, name, "no scored article", _scored_item, hint)


async def candidates(
    items: Sequence[Mapping[str, Any]], questions: Questions, name: str = "collection"
) -> tuple[list[Candidate], list[Notice]]:
    """The articles to rank, with their records; a notice lists those that PubMed did not give."""
    found, lost = await step_input.whole_articles(
        [item.get("original_article") or item["item_id"] for item in items], questions, name
    )
    by_id = {article.id: article for article in found}
    return [
        Candidate(
            item["item_id"],
            by_id.get(item["item_id"]),
            item.get("extraction", {}),
            item["total_score"],
            item.get("score_breakdown", {}),
        )
        for item in items
    ], lost


async def citations_for(
    found: Sequence[Candidate], request: RankRequest, questions: Questions, transport: Transport
) -> tuple[Mapping[str, Citations], list[Notice]]:
    """Citation counts by item, where the request needs them. A boost does without; a filter cannot.

    Raises:
        RateLimited, UpstreamError: citations are to be filtered by, and iCite could not tell them.
    """
    is_filter = bool(request.filters.min_citation_count)
    if not (is_filter or request.ranking_criteria.boost_high_impact):
        return {}, []
    articles = (candidate.article for candidate in found)
    question = questions.citations([one.pmid for one in articles if one is not None and one.pmid])
    if is_filter:
        return _by_item(await question), []
    name = "citation counts: boost_high_impact lifted nothing"
    citations, failure = await side_request(transport.side_leg(question), name, failures=(BiofactError,))
    return _by_item(citations or {}), failure


def _by_item(citations: Mapping[str, Citations]) -> dict[str, Citations]:
    return {f"PMID:{pmid}": counts for pmid, counts in citations.items()}


def _extractions(given: StepInput) -> list[dict[str, Any]]:
    hint = "Call pubmed.pubmed_extract_features, and pass on its extractions, or its collection."
    return step_input.check_items(given.items, given.name, "no extraction", _extraction, hint)


def _extraction(item: Any) -> dict[str, Any]:
    return CanonicalPubMedExtraction.model_validate(item, extra="ignore").model_dump()


class _Features(BaseModel):
    """What of an extraction a ranking shows."""

    extraction: dict[str, Any] = Field(default_factory=dict)
    extraction_metadata: Any = None
    original_article: Any = None


class _Scored(_Features):
    """A scored article, as the step shows it or its collection keeps it."""

    item_id: str
    total_score: float = Field(ge=0, le=1)
    score_breakdown: dict[str, FeatureScore] | None = None
    article_with_features: _Features | None = None


def _scored_item(item: Any) -> dict[str, Any]:
    read = _Scored.model_validate(item)
    features = read.article_with_features or read
    return {
        "item_id": read.item_id,
        "total_score": read.total_score,
        "score_breakdown": read.score_breakdown or {},
        "extraction": features.extraction,
        "extraction_metadata": features.extraction_metadata,
        "original_article": features.original_article,
    }
