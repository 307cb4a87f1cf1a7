"""The caller's options for filtering and ranking scored articles, and the names of a journal."""

import difflib
import functools
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from biofact.core import parameters
from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.quoting import quoted, summary
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_ISSN = re.compile(r"(?i)(?:e|p|l)?-?(?:issn)?[\s:(]*(\d{4})-?(\d{3}[\dX])\)?")
_PLACE = re.compile(r"\s*\([^()]*\)\s*$")  # PubMed's titles end with the place where names are shared
_FORMER = re.compile(r"\s*:\s*\d{4}(?:-\d{4})?\s*$")
_WORD = re.compile(r"[^\W_]+")


@functools.lru_cache(maxsize=16384)
def journal_key(name: str) -> str:
    """One form for all spellings of a journal's name that differ in case, accents, punctuation, "the" and "&" only."""
    issn = _ISSN.fullmatch(name.strip())
    if issn:
        return f"{issn[1]}-{issn[2].upper()}"
    letters = unicodedata.normalize("NFKD", name.replace("&", " and "))
    bare = "".join(letter for letter in letters.casefold() if not unicodedata.combining(letter))
    words = _WORD.findall(bare.replace("'", "").replace("\u2019", ""))
    return " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)


def journal_keys(article: CanonicalPubMedArticle) -> frozenset[str]:
    """Every form under which the article's journal, or the book that contains it, may be named."""
    return frozenset(filter(None, map(journal_key, _journal_names(article))))


def _journal_names(article: CanonicalPubMedArticle) -> Iterator[str]:
    titles = (article.journal, article.journal_title, article.book.title if article.book else None)
    for name in filter(None, titles):
        yield name
        yield _PLACE.sub("", name)
        yield _PLACE.sub("", _FORMER.sub("", name))
    if article.journal_id:
        yield article.journal_id
    yield from article.issn


OutputFormat = Literal["summary", "detailed", "analysis_ready"]

MOST_RESULTS = 10_000
_FIRST_YEAR, _LAST_YEAR = 1500, 2200
_LONGEST_NUMBER = 20
_LONGEST_NAME = 60  # characters of an unknown option that are compared, as many as the error shows


class _StrictOptions(BaseModel):
    """Options that refuse unknown names."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _check_names(cls, options: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        """The options, or all their faults, unknown names included."""
        unknown = [name for name in options if name not in cls.model_fields] if isinstance(options, Mapping) else []
        if not unknown:
            return validate(options)
        known_names = tuple(cls.model_fields)
        wrong = [
            InvalidPart((name,), options[name], _no_option(str(name), known_names), known_names=known_names)
            for name in unknown
        ]
        try:
            validate({name: value for name, value in options.items() if name not in unknown})
        except ValidationError as error:
            wrong += parameters.invalid_parts(options, cls.model_json_schema(), error)
        raise InvalidValues(wrong)


def _no_option(name: str, known_names: Iterable[str]) -> str:
    matches = difflib.get_close_matches(name[:_LONGEST_NAME], known_names, 1)
    question = f" Is {matches[0]!r} meant?" if matches else ""
    return f"There is no option {name!r:.60}.{question} Known are {', '.join(known_names)}."


def _whole(name: str, low: int, high: int | None, value: Any) -> Any:
    """A whole number within bounds; true and false are refused, though Python counts with them."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < _LONGEST_NUMBER:
        value = int(value)  # from a command line
    is_number = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    is_whole = is_number and not isinstance(value, bool) and value == value // 1
    if not is_whole or value < low or (high is not None and value > high):
        expected = f"a whole number, {low:d} or more" if high is None else f"a whole number from {low:d} to {high:d}"
        raise InvalidValues([InvalidPart((), value, f"{name} is {quoted(value)}; expected {expected}.", expected)])
    return int(value)


def _listed_journals(field: str, value: Any) -> Any:
    names = value.split(";") if isinstance(value, str) else value  # from a command line
    if not isinstance(names, list | tuple):
        expected = "a list of journals, such as ['N Engl J Med', '0028-4793']"
        raise InvalidValues([InvalidPart((), value, f"{field} is {summary(value)}; expected {expected}.", expected)])
    form = "a journal's title, abbreviation, NLM ID or ISSN"
    wrong = [
        InvalidPart((place,), name, f"{field} holds {summary(name)}; expected {form}.", form)
        for place, name in enumerate(names)
        if not isinstance(name, str) or not journal_key(name)
    ]
    if wrong:
        raise InvalidValues(wrong)
    return list(dict.fromkeys(" ".join(name.split()) for name in names))


class RankingCriteria(_StrictOptions):
    """Boosts that lift an article beside its score, each by 0.05 at most."""

    boost_recent: bool = False
    """The newer, the more: half of it for every three years."""
    boost_high_impact: bool = False
    """By the relative citation ratio of iCite: cited twice as often as its field, a third of it; eight times, all."""
    prefer_review_articles: bool = False
    """Reviews and meta-analyses."""


class ArticleFilters(_StrictOptions):
    """Filters of articles. A filter keeps an article only if the value that it requires or excludes is known."""

    min_citation_count: int | None = None
    """Citations that iCite counts; an article that iCite does not know is left out, and counted. 0 leaves out none."""
    journal_whitelist: list[str] = Field(default_factory=list)
    """Only these: by title, abbreviation, NLM ID or ISSN, whatever the case and punctuation."""
    journal_blacklist: list[str] = Field(default_factory=list)
    """None of these."""
    exclude_preprints: bool = False
    include_retracted: bool = False
    """Retracted articles stay, flagged; they are left out otherwise."""
    from_year: int | None = None
    """The earliest year of publication."""
    to_year: int | None = None
    """The latest year of publication."""

    @field_validator("min_citation_count", mode="before")
    @classmethod
    def _check_count(cls, value: Any) -> Any:
        return value if value is None else _whole("min_citation_count", 0, None, value)

    @field_validator("journal_whitelist", "journal_blacklist", mode="before")
    @classmethod
    def _check_journals(cls, value: Any, field: ValidationInfo) -> Any:
        return _listed_journals(field.field_name or "", value)

    @field_validator("from_year", "to_year", mode="before")
    @classmethod
    def _check_year(cls, value: Any) -> Any:
        return value if value is None else _whole("A year", _FIRST_YEAR, _LAST_YEAR, value)

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.from_year is not None and self.to_year is not None and self.from_year > self.to_year:
            raise ValueError(f"from_year is {self.from_year} and to_year is {self.to_year}; no year lies between them.")
        blacklist = {journal_key(name) for name in self.journal_blacklist}
        contradictory = [name for name in self.journal_whitelist if journal_key(name) in blacklist]
        if contradictory:
            raise ValueError(
                f"{contradictory[0]!r} stands in journal_whitelist and in journal_blacklist; take it out of one."
            )
        return self


def _threshold(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"min_score_threshold is {quoted(value)}; expected a number from 0 to 1.")
    return float(value)


class RankRequest(_StrictOptions):
    """The arguments of ``pubmed_filter_rank`` other than the articles."""

    min_score_threshold: Annotated[float | None, BeforeValidator(_threshold)] = None
    """The lowest ``total_score``, before any boost."""
    max_results: Annotated[int, BeforeValidator(functools.partial(_whole, "max_results", 1, MOST_RESULTS))] = 10
    ranking_criteria: RankingCriteria = Field(default_factory=RankingCriteria)
    filters: ArticleFilters = Field(default_factory=ArticleFilters)
    output_format: OutputFormat = "detailed"
