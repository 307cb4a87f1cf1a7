"""From a query to what PubMed is asked, and notices about its answer. Pure."""

import calendar
import difflib
import functools
import re
from collections.abc import Sequence
from importlib.resources import files
from itertools import islice
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from biofact.core.errors import AmbiguousQuery, CallTool, ToolRef
from biofact.core.identifiers import LONGEST_TEXT, query_text
from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.records import Notice
from biofact.core.words import folded, plain
from biofact.dialects import eutils
from biofact.dialects.eutils import LARGEST_RETMAX, SearchAnswer

_MOST_SUGGESTED = 3
_LEAST_ALIKE = 0.6
_LONGEST = 80
_MOST_UNKNOWN = 10  # names that the nearest are looked for; an error reports fewer
_USUAL = ("Randomized Controlled Trial", "Systematic Review", "Meta-Analysis")


def publication_type(text: str) -> str | None:
    """NLM's name of a type, whatever its case, number and spelling; None where there is no such type.

    ``Randomised Controlled Trials`` and ``RCT`` are Randomized Controlled Trial.
    """
    return _names().get(_key(text)) if len(text) <= LONGEST_TEXT else None


def canonical_types(texts: list[str]) -> list[str]:
    """NLM's names of these types, each once.

    Raises:
        InvalidValues: some are none; each with the nearest that there are.
    """
    unknown = ((place, text) for place, text in enumerate(texts) if publication_type(text) is None)
    wrong = [
        InvalidPart((place,), text, "NLM has no such publication type", _in_words(_nearest(text)))
        for place, text in islice(unknown, _MOST_UNKNOWN)
    ]
    if wrong:
        raise InvalidValues(wrong)
    return list(dict.fromkeys(name for text in texts if (name := publication_type(text))))


def _in_words(nearest: list[str]) -> str:
    return f"one of NLM's publication types; the nearest are {', '.join(map(repr, nearest))}"


def _nearest(text: str) -> list[str]:
    """The types most like a text by their letters, then those that share a word; the usual ones where none is."""
    key, names = _key(text[:_LONGEST]), _names()
    similar_names = difflib.get_close_matches(key, names, _MOST_SUGGESTED, _LEAST_ALIKE)
    names_sharing_words = [name for name in names if set(key.split()) & set(name.split())]
    nearest = dict.fromkeys(names[similar_name] for similar_name in (*similar_names, *names_sharing_words))
    return list(nearest)[:_MOST_SUGGESTED] or list(_USUAL)


@functools.cache
def _names() -> dict[str, str]:
    """NLM's name of each type by the keys of all that it is called.

    The table's third column is the UI that recordings give the type; where it is empty the name is from memory and
    no recording shows it, so PubMed may not have it under that name. A test holds the column against the recordings.
    """
    lines = files(__package__).joinpath("publication_types.tsv").read_text("utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    short = {_key(form): name for name, forms, _ in rows for form in forms.split("|") if form}
    return short | {_key(name): name for name, _, _ in rows}


def _key(text: str) -> str:
    """One form for all spellings that differ in case, hyphens, marks, number, and British or American use."""
    words = re.findall(r"[a-z0-9]+", folded(text).replace("'", ""))
    return " ".join(map(_stem, words))


def _stem(word: str) -> str:
    word = re.sub(r"is(?=e|ing|ation)", "iz", word)  # randomised
    word = re.sub(r"centre$", "center", word)
    word = re.sub(r"yses$", "ysis", word)  # analyses
    word = re.sub(r"ies$", "y", word)  # studies
    return word.removesuffix("s") if len(word) > 2 and not word.endswith(("ss", "is")) else word  # noqa: PLR2004  # RCTs


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
    match = _DATE.fullmatch(text.strip())
    if match is None:
        raise InvalidValues([InvalidPart((), text, "it is no date", "a date: YYYY/MM/DD, YYYY/MM or YYYY")])
    year, month, day = (int(part or 1) for part in match.groups())
    last_day = calendar.monthrange(year, month)[1]
    if day > last_day:
        expected = f"a day that there is: that month has {last_day}"
        raise InvalidValues([InvalidPart((), text, "it is no date", expected)])
    return "/".join(part if len(part) > 1 else f"0{part}" for part in match.groups() if part)


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
        # An end such as 2003 includes all days of the year, none of which comes after 2003/99/99.
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
    if problem := eutils.syntax_problem(query):
        message = f"PubMed would not read the query as written: {problem}."
        raise _refused(query, message, "Close every parenthesis, bracket and quote, or use plain words.")


def without_versions(query: str) -> str:
    """The query with articles of PubMed Central as PubMed knows them: PMC3706072.1 is a version of PMC3706072."""
    return _PMC_VERSION.sub(r"\1", query)


def with_article_types(query: str, article_types: Sequence[str]) -> str:
    """``query`` among articles of these types, in NLM's words."""
    if not article_types:
        return query
    types = " OR ".join(f'"{name}"[Publication Type]' for name in article_types)
    return f"({query}) AND ({types})"


def check_types(article_types: Sequence[str], answer: SearchAnswer) -> None:
    """Refuse an answer that was not narrowed, because PubMed knows none of the types.

    Raises:
        AmbiguousQuery: PubMed ignored them all.
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


_TAG = re.compile(r"\[([^\]]+)\]")
_OUR_DATES = re.compile(r"\s+and\s+\(?[\d/]+\s*:\s*[\d/]+\[date - publication\]\)?\s*$")
"""The dates that mindate and maxdate add to the end of a translation."""
_DATES = re.compile(r"([\d/]+)(?:\[date - publication\])?\s*:\s*(\d{4})(?:/12/31)?\[date - publication\]")
"""A range, with its field once or twice, and with or without the last day of its last year."""
_FIELD_ALIASES = {  # short forms of fields; PubMed's translation has the long ones
    "tiab": "title/abstract",
    "ti": "title",
    "mesh": "mesh terms",
    "mh": "mesh terms",
    "majr": "mesh major topic",
    "pt": "publication type",
    "ptyp": "publication type",
    "dp": "date - publication",
    "pdat": "date - publication",
    "pdat:": "date - publication",
    "au": "author",
    "ta": "journal",
    "la": "language",
    "tw": "text word",
    "sb": "filter",
    "sh": "mesh subheading",
    "aid": "article identifier",
}


def query_notices(query: str, answer: SearchAnswer) -> list[Notice]:
    """Notices about the answer as a whole."""
    notices = eutils.ignored("PubMed", answer)
    if (searched_query := without_versions(query)) != query:
        message = (
            f"Searched as {searched_query!r:.120}: PubMed knows articles of PubMed Central without their versions."
        )
        notices.append(Notice(code="QUERY_UNDERSTOOD", message=message))
    if not is_plain(query) and answer.query_translation and is_read_otherwise(query, answer.query_translation):
        message = "PubMed read more or other than is written: see query_translation."
        notices.append(Notice(code="QUERY_UNDERSTOOD", message=message))
    notices += eutils.messages("PubMed", answer)
    if answer.count > LARGEST_RETMAX:
        message = (
            f"PubMed lists the first {LARGEST_RETMAX:,} of {answer.count:,} records only: narrow the query, or ask"
            " for a date_range at a time."
        )
        notices.append(Notice(code="LIST_CUT", message=message))
    return notices


def is_read_otherwise(query: str, translation: str) -> bool:
    """Whether a query as PubMed understood it differs from what is written in more than spelling."""
    return _bare(query) != _bare(translation)


def unmatched(query: str, spelling: str) -> Notice:
    """A notice without hits, and what to try."""
    advice = f"Did you mean {spelling!r:.200}?" if spelling else "Try fewer words or a wider range of dates."
    return Notice(code="UNMATCHED", message=f"No article matches {query!r:.120}. {advice}")


def not_understood(query: str, problem: str) -> AmbiguousQuery:
    """The error of a query that PubMed cannot run."""
    message = f"PubMed could not run the query: {problem:.200}."
    return _refused(query, message, "Use plain words, or check brackets and field tags such as [tiab], [mesh], [pdat].")


def _refused(query: str, message: str, hint: str) -> AmbiguousQuery:
    """The way on from a refused query is the same words without syntax."""
    words = plain(query)
    is_other = words != query and len(words) in QUERY_LENGTH
    recovery = CallTool(SEARCH, {"search_query": words}) if is_other else None
    return AmbiguousQuery(message, hint=hint, invalid_input=query, recovery=recovery)


def _bare(query: str) -> str:
    """A query without what may be written in one way or another: quotes, blanks, stops, case, short fields."""
    text = query.lower().replace('"', "")
    text = _TAG.sub(lambda tag: f"[{_FIELD_ALIASES.get(tag[1].strip(), tag[1].strip())}]", text)
    text = _DATES.sub(r"\1:\2[date - publication]", _OUR_DATES.sub("", text))
    return re.sub(r"[\s().,']+", "", text)
