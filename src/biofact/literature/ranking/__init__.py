"""Scored articles to a ranking: filters that count what they remove, small boosts, one order. Pure; no numpy."""

from biofact.literature.ranking.boosts import LARGEST_BOOST, REVIEW_TYPES
from biofact.literature.ranking.candidates import Candidate, Flag, RankedRow, Ranking, Step
from biofact.literature.ranking.order import ranked
from biofact.literature.ranking.records import (
    FilterMetadata,
    RankedArticle,
    RankedArticles,
    RankedSummary,
    ranked_articles,
)
from biofact.literature.ranking.request import Filters, OutputFormat, RankingCriteria, RankRequest

__all__ = [
    "LARGEST_BOOST",
    "REVIEW_TYPES",
    "Candidate",
    "FilterMetadata",
    "Filters",
    "Flag",
    "OutputFormat",
    "RankRequest",
    "RankedArticle",
    "RankedArticles",
    "RankedRow",
    "RankedSummary",
    "Ranking",
    "RankingCriteria",
    "Step",
    "ranked",
    "ranked_articles",
]
