"""Scored articles to a ranking: filters that count what they remove, small boosts, one order. Pure; no numpy."""

from biofact.literature.ranking.boosts import LARGEST_BOOST, REVIEW_TYPES
from biofact.literature.ranking.candidates import Candidate, FilterStep, Flag, RankedRow, Ranking
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.records import (
    FilterMetadata,
    RankedArticle,
    RankedArticles,
    RankedSummary,
    ranked_articles,
)
from biofact.literature.ranking.request import ArticleFilters, OutputFormat, RankingCriteria, RankRequest

__all__ = [
    "LARGEST_BOOST",
    "REVIEW_TYPES",
    "ArticleFilters",
    "Candidate",
    "FilterMetadata",
    "FilterStep",
    "Flag",
    "OutputFormat",
    "RankRequest",
    "RankedArticle",
    "RankedArticles",
    "RankedRow",
    "RankedSummary",
    "Ranking",
    "RankingCriteria",
    "rank_articles",
    "ranked_articles",
]
