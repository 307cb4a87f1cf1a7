"""What the query generator answers."""

from typing import ClassVar, Literal

from biofact.core.provenance import Frozen, Metadata, Number, Result, absent, absent_list
from biofact.literature.records import Method

Complexity = Literal["simple", "moderate", "complex"]


LineKind = Literal["block", "combination", "limit", "exclusion", "filter"]
Verdict = Literal["no revision", "revision suggested", "revision required"]
"""As the PRESS assessment form has them."""


class QueryLine(Frozen):
    """One numbered line of a query, as specialists write it."""

    line: int
    kind: LineKind
    about: str
    text: str
    """In PubMed's syntax; ``#1 AND #2`` combines lines."""
    count: int | None = absent("Articles that the line finds; with a filter, those of the lines before that pass it.")
    adds: int | None = absent("Articles that the block's words find beyond its headings.")
    costs: int | None = absent("Articles that the query would find more without this line.")
    source: str | None = absent("Where a filter is published.")
    is_offered: bool | None = absent("True for a filter that the query does not have yet.")


class QueryExports(Frozen):
    """The query for other places."""

    pubmed_url: str
    ovid: str
    """Line by line; free text searches title, abstract and author keywords."""
    embase: str
    """Line by line for Embase.com; its headings are Emtree's and marked to be chosen."""


class PressCheck(Frozen):
    """What one element of the PRESS 2015 checklist says of a query."""

    element: str
    verdict: Verdict
    comment: str


class MissedArticle(Frozen):
    """An article that must be found and is not, and the lines that do not find it."""

    pmid: str
    lines: list[int]


class CanonicalPubMedQuery(Result):
    """One query in PubMed's syntax, and what it finds. Its ``notices`` say where PubMed reads it otherwise."""

    table_fields: ClassVar[tuple[str, ...]] = ("query_string", "result_count")
    wrapped_fields: ClassVar[tuple[str, ...]] = ("query_string", "exports.ovid", "exports.embase")

    query_string: str
    rationale: str
    """What it looks for and where, and what its confidence is made of."""
    expected_scope: str
    """How many articles match, in words."""
    confidence_score: Number
    """0-1; docs/queries.md has the formula."""
    result_count: int | None = absent("Articles that match; absent where PubMed could not be asked.")
    lines: list[QueryLine] = absent_list("The query line by line.")
    exports: QueryExports | None = absent("For PubMed's page, Ovid and Embase.")
    peer_review: list[PressCheck] = absent_list("By the PRESS list, where asked for.")
    missed: list[MissedArticle] = absent_list("Articles of must_find that it does not find.")


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
