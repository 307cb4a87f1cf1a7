"""The records in PubMed answers."""

from collections.abc import Collection
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar

from pydantic import ConfigDict, Field

from biofact.core.identifiers import of_record
from biofact.core.records import Metadata, Result, SlimRecord, absent, absent_list

StatusKind = Literal[
    "retracted",
    "partially_retracted",
    "retraction_notice",
    "corrected",
    "correction_notice",
    "expression_of_concern",
    "expression_of_concern_notice",
    "republished",
    "updated",
    "update",
    "preprint",
    "published_preprint",
]
"""The status of an article, or a statement of it about another: a ``notice`` is about the article it points to."""


_FOREIGN = r"(?!(?i:pmid)|\d+$)[\w([](?:[ -~]{0,98}[\w)\]])?"
"""An ID of another collection: printable, and never to be taken for a PMID. As in: PMC7022870."""


def curie(pmid: str) -> str:
    """The written form of a PMID: ``PMID:32087273``."""
    return f"PMID:{pmid}"


_is_none = Field(exclude_if=lambda value: value is None)
_is_empty = Field(exclude_if=lambda value: not value)
Fact = Annotated[str | None, _is_none]
"""A text that is left out of every answer where it is not known."""
Facts = Annotated[list[str], _is_empty]
"""Texts that are left out of every answer where there are none."""


@dataclass(slots=True)
class _Part:
    """A part of an article. Parts are plain dataclasses: a record has dozens, and models would take longer to make than
    to parse.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    def __reduce__(self) -> tuple[Any, ...]:
        """The class and its fields: older pickle protocols do not support slots."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


@dataclass(slots=True)
class Status(_Part):
    """One thing that became of an article."""

    kind: StatusKind
    points_to: Fact = None
    """The notice, or the article that it is about, such as PMID:20137807."""
    source: Fact = None
    """The citation of that notice."""
    note: Fact = None
    """PubMed's remark."""


@dataclass(slots=True)
class Section(_Part):
    """A section of a structured abstract."""

    start: int
    """The offset of its text in ``abstract``, from 0."""
    end: int
    """The first character that is no longer its own."""
    label: Fact = None
    """As the journal prints it, such as MAIN RESULTS."""
    category: Fact = None
    """NLM's: BACKGROUND, OBJECTIVE, METHODS, RESULTS or CONCLUSIONS."""


@dataclass(slots=True)
class OtherAbstract(_Part):
    """An abstract beside the journal's own."""

    kind: str
    """The author or audience, such as plain-language-summary."""
    text: str
    language: Fact = None
    """Three letters, such as eng."""


@dataclass(slots=True)
class Author(_Part):
    """A person, or a group in ``collective_name``."""

    last_name: Fact = None
    fore_name: Fact = None
    initials: Fact = None
    suffix: Fact = None
    """Such as Jr."""
    collective_name: Fact = None
    orcid: Fact = None
    """Such as 0000-0002-1825-0097."""
    affiliations: Facts = field(default_factory=list)

    @property
    def name(self) -> str:
        """As citations have it: ``Ioannidis JP``, ``Smith J Jr``, or the group's name."""
        parts = (self.last_name, self.initials or self.fore_name, self.suffix)
        return self.collective_name or " ".join(filter(None, parts))


@dataclass(slots=True)
class MeshQualifier(_Part):
    """The aspect of a heading that the article is about."""

    name: str
    is_major: bool
    ui: Fact = None
    """Such as Q000188."""


@dataclass(slots=True)
class MeshHeading(_Part):
    """A subject of the article in NLM's controlled words."""

    name: str
    is_major: bool
    """Whether it, or one of its qualifiers, is a main point of the article."""
    ui: Fact = None
    """Such as D009369."""
    qualifiers: Annotated[list[MeshQualifier], _is_empty] = field(default_factory=list)


@dataclass(slots=True)
class Substance(_Part):
    """A substance that the article is about."""

    name: str
    ui: Fact = None
    """MeSH's, such as D008687."""
    registry_number: Fact = None
    """CAS number, FDA's UNII or EC number."""


@dataclass(slots=True)
class Grant(_Part):
    """The funder."""

    id: Fact = None
    acronym: Fact = None
    agency: Fact = None
    country: Fact = None


@dataclass(slots=True)
class DataBank(_Part):
    """The registry of the study or its data."""

    name: str
    """Such as ClinicalTrials.gov, ISRCTN, GEO, PDB."""
    accessions: Facts = field(default_factory=list)
    """Such as NCT01234567."""


@dataclass(slots=True)
class Event(_Part):
    """Something that happened on a day."""

    event: str
    """Such as received, accepted, electronic (publication), pubmed, or record_revised."""
    date: str
    """ISO 8601."""


@dataclass(slots=True)
class Book(_Part):
    """The book that a chapter or report stands in."""

    title: str
    accession: Fact = None
    """NCBI Bookshelf's, such as NBK1116."""
    publisher: Fact = None
    place: Fact = None
    edition: Fact = None
    volume: Fact = None
    collection: Fact = None
    """The series that it belongs to."""
    isbn: Facts = field(default_factory=list)
    editors: Annotated[list[Author], _is_empty] = field(default_factory=list)
    authors: Annotated[list[Author], _is_empty] = field(default_factory=list)
    """The authors of the whole book."""
    first_year: Fact = None
    """The first year of a book that is still being added to."""
    last_year: Fact = None
    """The last year of a book that was added to over several years."""


class SlimArticle(SlimRecord):
    """One article or book chapter in short. Fields without a value are absent."""

    id: Annotated[str, of_record("PubMed ID", rf"PMID:[1-9]\d{{0,8}}|{_FOREIGN}", "PMID:32087273")]
    """``PMID:`` and the number; an article that a caller brings from elsewhere keeps its own, such as PMC7022870."""
    title: str
    """In English; square brackets where it was translated."""
    year: int | None = absent("Of the journal issue, else of the first publication online.")
    journal: str | None = absent("Short name, as citations have it; of a chapter, the book's title.")
    retracted: Literal[True] | None = absent("Only where it was, wholly or in part.")

    def slim(self) -> "SlimArticle":
        """The short form."""
        return self.shortened(SlimArticle)


class Article(SlimArticle):
    """The standard set of facts about an article or book chapter. Fields without a value are absent."""

    standard_fields: ClassVar[tuple[str, ...]] = (
        *SlimArticle.slim_fields,
        "abstract",
        "authors",
        "author_count",
        "doi",
        "publication_types",
        "status",
    )

    abstract: str | None = absent("Labels of its sections stand in front of them.")
    authors: list[str] = absent_list("As citations have them: the first six.")
    author_count: int | None = absent("Of all authors, where there are more.")
    doi: str | None = absent()
    publication_types: list[str] = absent_list("NLM's words, such as Randomized Controlled Trial.")
    status: list[Status] = absent_list("Retracted, corrected, preprint ...; absent: nothing is known against it.")


class CanonicalPubMedArticle(Article):
    """One article or book chapter as PubMed describes it, with all that ``fields`` can ask for."""

    publication_date: str | None = absent("ISO 8601 as far as it is known: 2019-11-05, 2019-11, 2019.")
    publication_date_text: str | None = absent("As printed, where ISO 8601 cannot say it: 1998 Dec-1999 Jan.")
    dates: list[Event] = absent_list("What happened to the manuscript and to the record, and when.")
    journal_title: str | None = absent("In full.")
    journal_id: str | None = absent("NLM's, which outlives changes of name.")
    issn: list[str] = absent_list("Of this edition, then the linking one.")
    country: str | None = absent("Of the journal.")
    volume: str | None = absent()
    issue: str | None = absent()
    pages: str | None = absent()
    pmc: str | None = absent("PubMed Central's full text, such as PMC7022870.")
    pii: str | None = absent("The publisher's.")
    language: list[str] = absent_list("Of the article, three letters, such as eng.")
    vernacular_title: str | None = absent("In the article's own language.")
    sections: list[Section] = absent_list("Of a structured abstract.")
    other_abstracts: list[OtherAbstract] = absent_list()
    author_details: list[Author] = absent_list("All of them, in order.")
    mesh: list[MeshHeading] = absent_list()
    supplementary_mesh: list[str] = absent_list("Protocols, diseases and organisms beside the headings.")
    keywords: list[str] = absent_list("The authors', else those of other indexers.")
    substances: list[Substance] = absent_list()
    data_banks: list[DataBank] = absent_list()
    grants: list[Grant] = absent_list()
    conflict_of_interest: str | None = absent("What the authors declare.")
    copyright: str | None = absent("Whose the abstract is.")
    book: Book | None = absent("Where it is a chapter or report.")
    category: Literal["biolink:Article"] | None = absent("Biolink class.")

    @property
    def pmid(self) -> str:
        """The bare number; empty where the article is from elsewhere."""
        return self.id.removeprefix("PMID:") if self.id.startswith("PMID:") else ""

    @property
    def is_preprint(self) -> bool:
        """Whether it was not reviewed by peers."""
        return any(status.kind == "preprint" for status in self.status)

    def standard(self, more: Collection[str] = ()) -> Self:
        """The standard set of facts, and those named in ``more``."""
        kept_fields = {*self.standard_fields, *more}
        values = {name: getattr(self, name) for name in kept_fields & self.model_fields_set}
        return type(self)(**values, notices=self.notices)


FURTHER_FIELDS: tuple[str, ...] = tuple(
    name for name in CanonicalPubMedArticle.model_fields if name not in {*Article.model_fields, "category"}
)
"""The names that ``fields`` takes beyond the standard set."""


class SearchMetadata(Metadata):
    """PubMed's reading of a query, and the time that it took."""

    query_translation: str | None = absent("The query as PubMed understood it.")
    search_time_ms: int
    """Until the last article was there; short where they were kept from before."""
    api_version: str | None = absent("Of the form of E-utilities' answers, which have no other.")


Found_co = TypeVar("Found_co", bound=SlimArticle, covariant=True)


class FoundArticles(Result, Generic[Found_co]):
    """The articles that a query found."""

    listed: ClassVar[str | None] = "articles"

    articles: list[Found_co]
    total_results: int
    """The number of all articles that match; PubMed lists the first 10,000."""
    search_metadata: SearchMetadata
    collection: str | None = absent("The handle of this list, for the next step.")


class SlimArticleSearch(FoundArticles[SlimArticle]):
    """The articles that a query found, in short."""


class ArticleSearch(FoundArticles[CanonicalPubMedArticle]):
    """The articles that a query found, each with its standard set of facts and those asked for."""
