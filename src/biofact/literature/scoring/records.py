"""What scoring answers."""

from typing import ClassVar, Generic, TypeVar

from biofact.core.records import Metadata, Result, absent
from biofact.literature.records import CanonicalScoredArticle, SlimCanonicalScoredArticle

Scored_co = TypeVar("Scored_co", bound=SlimCanonicalScoredArticle, covariant=True)


class ScoringStatistics(Metadata):
    """What the scores of all articles look like together."""

    score_distribution: dict[str, float]
    """Of the totals: min, q1, median, q3, max, mean, std."""
    feature_correlations: dict[str, dict[str, float]]
    """Pearson's r between feature scores, by feature and feature."""
    scoring_method_used: str


class ScoredArticleList(Result, Generic[Scored_co]):
    """Articles with their scores, in the order given."""

    listed: ClassVar[str | None] = "scored_articles"

    scored_articles: list[Scored_co]
    scoring_metadata: ScoringStatistics
    collection: str | None = absent("The handle of this list, for the next step.")


class SlimScoredArticles(ScoredArticleList[SlimCanonicalScoredArticle]):
    """Articles with their total scores alone."""


class ScoredArticles(ScoredArticleList[CanonicalScoredArticle]):
    """Articles with their scores and how these came about."""
