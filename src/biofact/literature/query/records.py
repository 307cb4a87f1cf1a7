"""The request to the query generator and its answer."""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.records import Frozen, Metadata, Number, Result, absent, absent_list
from biofact.literature.choices import Domain, QueryStrategy, StudyType, TimeFrame
from biofact.literature.query import wording
from biofact.literature.records import Method
from biofact.tables import TableHints

MOST_MUST_FIND = 200
_PMID = re.compile(r"(?:PMID:\s?)?([1-9]\d{0,8})", re.IGNORECASE | re.ASCII)


def _with_words(text: str) -> str:
    text = " ".join(text.split())
    if not wording.clean(text):
        raise InvalidValues([InvalidPart((), text, "it has no word to search for", "text with words")])
    return text


def _each_once(terms: list[str]) -> list[str]:
    return list({wording.key(term): term for term in reversed(terms)}.values())[::-1]


Goal = Annotated[str, Field(min_length=2, max_length=2000), AfterValidator(_with_words)]
"""A goal in words; it may be a paragraph."""
SearchPhrase = Annotated[str, Field(min_length=1, max_length=wording.LONGEST_PHRASE), AfterValidator(_with_words)]
Keywords = Annotated[list[SearchPhrase], Field(max_length=8), AfterValidator(_each_once)]
ExcludeTerms = Annotated[list[SearchPhrase], Field(max_length=12), AfterValidator(_each_once)]


def _pmid(text: str) -> str:
    match = _PMID.fullmatch(text.strip())
    if match is None:
        raise InvalidValues([InvalidPart((), text, "it is no PMID", "a PMID such as PMID:32087273 or 32087273")])
    return match[1]


MustFind = Annotated[
    list[Annotated[str, Field(coerce_numbers_to_str=True), AfterValidator(_pmid)]], Field(max_length=MOST_MUST_FIND)
]
"""PMIDs that a query has to find, here without prefix."""
MaxQueries = Annotated[int, Field(ge=1, le=10)]


class QueryRequest(BaseModel):
    """A research goal, and the conditions on queries for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    research_goal: Goal
    domain: Domain | None = None
    time_frame: TimeFrame | None = None
    study_types: list[StudyType] = Field(default_factory=list)
    keywords: Keywords = Field(default_factory=list)
    exclude_terms: ExcludeTerms = Field(default_factory=list)
    max_queries: MaxQueries = 3
    query_strategy: QueryStrategy = "comprehensive"
    peer_review: bool = False
    must_find: MustFind = Field(default_factory=list)


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
    """The query for other services."""

    pubmed_url: str
    ovid: str
    """Line by line; free text searches title, abstract and author keywords."""
    embase: str
    """Line by line for Embase.com; its headings are Emtree's and marked to be chosen."""


class PressCheck(Frozen):
    """The verdict of one element of the PRESS 2015 checklist on a query."""

    element: str
    verdict: Verdict
    comment: str


class MissedArticle(Frozen):
    """An article of ``must_find`` that the query misses, and the lines that miss it."""

    pmid: str
    lines: list[int]


class CanonicalPubMedQuery(Result):
    """One query in PubMed's syntax, and what it finds. Its ``notices`` say where PubMed reads it otherwise."""

    table_hints: ClassVar[TableHints] = TableHints(
        first=("query_string", "result_count"), wrapped=("query_string", "exports.ovid", "exports.embase")
    )

    query_string: str
    rationale: str
    """The subjects and fields of the search, and the parts of its confidence."""
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
    """The origin of the queries."""

    domain_context: str
    """The meaning given to words that differ between fields."""
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
    """The origin of the queries: rules alone, or with a model's suggestions among them."""
