"""What the query generator answers."""

from typing import ClassVar, Literal

from biofact.core.provenance import Metadata, Number, Result, absent
from biofact.literature.records import Method

Complexity = Literal["simple", "moderate", "complex"]


class CanonicalPubMedQuery(Result):
    """One query in PubMed's syntax, and what it finds. Its ``notices`` say where PubMed reads it otherwise."""

    table_fields: ClassVar[tuple[str, ...]] = ("query_string", "result_count")
    wrapped_fields: ClassVar[tuple[str, ...]] = ("query_string",)

    query_string: str
    rationale: str
    """What it looks for and where, and what its confidence is made of."""
    expected_scope: str
    """How many articles match, in words."""
    confidence_score: Number
    """0-1; docs/queries.md has the formula."""
    result_count: int | None = absent("Articles that match; absent where PubMed could not be asked.")


class QueryMetadata(Metadata):
    """How the queries came about."""

    domain_context: str
    """How words were read that mean different things in different fields."""
    synonyms_used: list[str]
    """Other words for the concepts that stand in the queries."""
    query_complexity: Complexity


class QueryGeneration(Result):
    """Queries for a research goal, the most trustworthy first."""

    listed: ClassVar[str | None] = "generated_queries"

    generated_queries: list[CanonicalPubMedQuery]
    mesh_terms: list[str]
    """MeSH headings that the queries search."""
    field_tags: list[str]
    """Fields that the queries search."""
    query_metadata: QueryMetadata
    method: Method = "rules"
    """By what the queries were made: rules alone, or with a model's suggestions among them."""
