"""From a research goal in words to PubMed queries: by rules, with suggestions of a model among them."""

from biofact.literature.query.generation import generate_queries
from biofact.literature.query.records import CanonicalPubMedQuery, QueryGeneration, QueryMetadata
from biofact.literature.query.request import (
    Domain,
    ExcludeTerms,
    Goal,
    Keywords,
    MaxQueries,
    QueryRequest,
    QueryStrategy,
    StudyType,
    TimeFrame,
)

__all__ = [
    "CanonicalPubMedQuery",
    "Domain",
    "ExcludeTerms",
    "Goal",
    "Keywords",
    "MaxQueries",
    "QueryGeneration",
    "QueryMetadata",
    "QueryRequest",
    "QueryStrategy",
    "StudyType",
    "TimeFrame",
    "generate_queries",
]
