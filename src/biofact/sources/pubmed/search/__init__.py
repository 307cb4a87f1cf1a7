"""From a query to what PubMed is asked, and what has to be said about its answer. Pure."""

from biofact.sources.pubmed.search import notices
from biofact.sources.pubmed.search.queries import (
    SEARCH,
    SORTS,
    DateRange,
    SearchQuery,
    SortOrder,
    check,
    is_plain,
    narrowed,
    publication_type,
)

__all__ = [
    "SEARCH",
    "SORTS",
    "DateRange",
    "SearchQuery",
    "SortOrder",
    "check",
    "is_plain",
    "narrowed",
    "notices",
    "publication_type",
]
