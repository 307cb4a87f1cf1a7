"""What can be asked of the query generator."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from biofact.core.argument_faults import InvalidPart, InvalidValues
from biofact.literature.choices import Domain, QueryStrategy, StudyType, TimeFrame
from biofact.literature.query import wording

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
"""Articles that a query has to find; bare numbers here."""
MaxQueries = Annotated[int, Field(ge=1, le=10)]


class QueryRequest(BaseModel):
    """A research goal, and what queries for it have to keep to."""

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
