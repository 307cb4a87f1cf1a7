"""The records that the steps of the literature pipeline hand on."""

from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import Field

from biofact.core.records import Frozen, Metadata, Number, Result, SlimRecord, absent, absent_list
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.tables import TableHints

Method = Literal["rules", "model", "sampling"]
"""The reader: rules alone, a configured language model, or the calling agent's own."""


class Evidence(Frozen):
    """The place of a value: a span of the title or abstract, or a field of the record."""

    where: str
    """``title``, ``abstract``, or the record's field, such as ``publication_types``."""
    quote: str
    """The text at that place, letter by letter."""
    start: int | None = absent("Of the quote in the title or abstract, counted from 0.")
    end: int | None = absent("The first character after it.")


class ExtractionMetadata(Frozen):
    """The origin of the values of one article."""

    method: Method
    evidence: dict[str, list[Evidence]] = Field(default_factory=dict)
    """By field, as ``effect.value`` where fields are nested."""
    derived: list[str] = absent_list("Fields whose value is worked out from several places.")
    missing: list[str] = absent_list("Fields without a value.")
    not_read: list[str] = absent_list(
        "Missing fields for which the text holds candidates, none of them sure; the other missing ones are not stated."
    )
    ungrounded: int = 0
    """Values that were dropped because their quote is not in the article."""
    errors: list[str] = absent_list("Values that break the schema.")


class SlimCanonicalPubMedExtraction(SlimRecord):
    """The features that one article states, without their evidence."""

    item_id: str
    """Such as PMID:32087273."""
    extraction: dict[str, Any]
    """By field of the schema; one that is not stated is not there."""

    def slim(self) -> "SlimCanonicalPubMedExtraction":
        """The short form."""
        return self.shortened(SlimCanonicalPubMedExtraction)


class CanonicalPubMedExtraction(SlimCanonicalPubMedExtraction):
    """The features that one article states, with their evidence."""

    table_hints: ClassVar[TableHints] = TableHints(first=("item_id", "extraction", "original_article.title"))

    original_article: CanonicalPubMedArticle | None = absent("Left out where the articles came as a collection.")
    extraction_metadata: ExtractionMetadata | None = absent("Left out of the short form.")


GOAL_RELEVANCE = "goal_relevance"
"""The feature of a review that says how much an article speaks of the goal; all others are of its evidence."""


class FeatureScore(Frozen):
    """The contribution of one feature to the total."""

    score: Number | None = absent("0-1 after normalisation; a missing feature has none.")
    weight: Number
    """The share of all weights; 0 for a feature that no article states."""
    is_missing: bool | None = absent("The article does not state the feature; it adds nothing to the total.")


class ArticleScoring(Frozen):
    """The origin of the total of one article."""

    scoring_method_used: str
    completeness: Number
    """The weights of the features that it states: the highest weighted sum that it could have."""
    missing_features: list[str] = absent_list("Weighted features that it does not state.")


class SlimCanonicalScoredArticle(SlimRecord):
    """One article and its total score."""

    item_id: str
    total_score: Number
    """0-1."""

    def slim(self) -> "SlimCanonicalScoredArticle":
        """The short form."""
        return self.shortened(SlimCanonicalScoredArticle)


class CanonicalScoredArticle(SlimCanonicalScoredArticle):
    """One article and what it scores."""

    table_hints: ClassVar[TableHints] = TableHints(
        first=("item_id", "total_score", "percentile_rank", "article_with_features.original_article.title")
    )

    article_with_features: CanonicalPubMedExtraction | None = absent("Left out where they came as a collection.")
    score_breakdown: dict[str, FeatureScore] = Field(default_factory=dict, exclude_if=lambda value: not value)
    percentile_rank: Number | None = absent("Percentage of articles that score no higher.")
    scoring_metadata: ArticleScoring | None = absent("Left out of the short form.")


Scored_co = TypeVar("Scored_co", bound=SlimCanonicalScoredArticle, covariant=True)


class ScoringStatistics(Metadata):
    """Statistics of the scores of all articles."""

    score_distribution: dict[str, float]
    """Distribution of the totals: min, q1, median, q3, max, mean, std."""
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
