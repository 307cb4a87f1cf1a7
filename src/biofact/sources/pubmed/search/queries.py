"""A PubMed query as a caller writes it, checked and narrowed. Pure."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from biofact.core.errors import AmbiguousQuery, CallTool, ToolRef
from biofact.core.identifiers import query_text
from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.words import plain
from biofact.dialects import eutils
from biofact.dialects.eutils import SearchAnswer
from biofact.sources.pubmed.search.publication_types import canonical_types

QUERY_LENGTH = range(2, 10_001)
"""Characters: a systematic review's query is longer than a name. See decisions 0026 and 0062."""
SortOrder = Literal["relevance", "date", "author", "journal"]
SORTS: dict[str, str] = {"relevance": "relevance", "date": "pub_date", "author": "Author", "journal": "JournalName"}
EARLIEST, LATEST = "1500", "3000"  # both ends have to be given

_DATE = re.compile(r"(1[5-9]\d\d|20\d\d|3000)(?:[/-](0?[1-9]|1[0-2])(?:[/-](0?[1-9]|[12]\d|3[01]))?)?", re.ASCII)

_PMC_VERSION = re.compile(r"\b(PMC\d+)\.\d+\b", re.IGNORECASE | re.ASCII)


def _as_query(text: str) -> str:
    query = query_text(text)
    if len(query) not in QUERY_LENGTH:
        expected = f"text of {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters"
        raise InvalidValues([InvalidPart((), text, f"its length is {len(query)}", expected)])
    return query


def _as_date(text: str) -> str:
    found = _DATE.fullmatch(text.strip())
    if found is None:
        raise InvalidValues([InvalidPart((), text, "it is no date", "a date: YYYY/MM/DD, YYYY/MM or YYYY")])
    return "/".join(part if len(part) > 1 else f"0{part}" for part in found.groups() if part)


SEARCH = ToolRef("pubmed", "pubmed_search")

ArticleTypes = Annotated[list[str], AfterValidator(canonical_types)]
"""NLM's publication types, in any spelling."""
SearchQuery = Annotated[str, AfterValidator(_as_query)]
"""A query in PubMed's syntax: trimmed, single-spaced."""
_Date = Annotated[str, AfterValidator(_as_date)]


class DateRange(BaseModel):
    """Days of publication, both included; either may be left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start_date: _Date | None = None
    end_date: _Date | None = None

    @model_validator(mode="after")
    def _in_order(self) -> "DateRange":
        if self.start_date is None and self.end_date is None:
            raise ValueError("a date range has a start_date, an end_date or both")
        if self.start_date and self.end_date and self.start_date[:10] > f"{self.end_date}/99/99":
            problem = f"{self.start_date} is after {self.end_date}"
            raise InvalidValues([InvalidPart((), self.model_dump(), problem, "a range whose start_date comes first")])
        return self

    @property
    def days(self) -> tuple[str, str]:
        """The first and the last day, as E-utilities take them."""
        return self.start_date or EARLIEST, self.end_date or LATEST


def check(query: str) -> None:
    """Refuse a query that PubMed would read otherwise than it is meant: it mends what does not match without a word.

    Raises:
        AmbiguousQuery: parentheses, brackets or quotes do not match.
    """
    problem = eutils.unbalanced(query)
    if problem is None:
        return
    words = plain(query)
    raise AmbiguousQuery(
        f"PubMed would not read the query as written: {problem}.",
        hint="Close every parenthesis, bracket and quote, or use plain words.",
        invalid_input=query,
        recovery=CallTool(SEARCH, {"search_query": words}) if len(words) in QUERY_LENGTH else None,
    )


def without_versions(query: str) -> str:
    """The query with articles of PubMed Central as PubMed knows them: PMC3706072.1 is a version of PMC3706072."""
    return _PMC_VERSION.sub(r"\1", query)


def narrowed(query: str, article_types: Sequence[str]) -> str:
    """``query`` among articles of these types, in NLM's words."""
    if not article_types:
        return query
    types = " OR ".join(f'"{name}"[Publication Type]' for name in article_types)
    return f"({query}) AND ({types})"


def check_types(article_types: Sequence[str], answer: SearchAnswer) -> None:
    """Refuse an answer that was not narrowed, because PubMed knows none of the types.

    Raises:
        AmbiguousQuery: so it is.
    """
    unknown = " ".join((*answer.phrases_not_found, *answer.phrases_ignored, *answer.quoted_phrases_not_found)).lower()
    if article_types and all(name.lower() in unknown for name in article_types):
        raise AmbiguousQuery(
            f"PubMed knows none of the publication types {', '.join(article_types):.200}.",
            hint="Leave article_types out, or name wider ones, such as Clinical Trial or Review.",
            invalid_input=list(article_types),
        )


def is_plain(query: str) -> bool:
    """Whether it is words alone, without PubMed's syntax."""
    return not re.search(r'[\[\]"():*]|\b(?:AND|OR|NOT)\b', query)
