"""From a query to what PubMed is asked, and what has to be said about its answer. Pure."""

from biofact.sources.pubmed.search import notices
from biofact.sources.pubmed.search.queries import (
    SEARCH,
    SORTS,
    ArticleTypes,
    DateRange,
    SearchQuery,
    SortOrder,
    check,
    check_types,
    is_plain,
    narrowed,
    without_versions,
)

__all__ = [
    "SEARCH",
    "SORTS",
    "ArticleTypes",
    "DateRange",
    "SearchQuery",
    "SortOrder",
    "check",
    "check_types",
    "is_plain",
    "narrowed",
    "notices",
    "without_versions",
]
