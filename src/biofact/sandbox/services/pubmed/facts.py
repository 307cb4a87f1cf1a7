"""Facts about articles, journals and their subjects; dates as PubMed searches and sorts them. Pure.

Texts that may hold markup are XML text.
"""

import calendar
import datetime as dt
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_PAIR = 2
_TAG = re.compile(r"<[^>]*>")


def plain(markup: str) -> str:
    """The words of a text without its markup: ``D<sub>3</sub> &lt; 5`` is ``D3 < 5``."""
    return " ".join(html.unescape(_TAG.sub("", markup)).split())


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal as MEDLINE knows it."""

    short: str
    """MEDLINE's short name, such as ``N Engl J Med``."""
    title: str
    iso: str
    """The ISO abbreviation."""
    nlm_id: str
    issn: str
    issn_type: str
    """``Print`` or ``Electronic``: which edition ``issn`` names."""
    issn_linking: str
    country: str
    medium: str
    """``Print`` or ``Internet``."""


@dataclass(frozen=True, slots=True)
class AuthorFacts:
    """A person, or a group in ``collective``."""

    last: str = ""
    fore: str = ""
    suffix: str = ""
    collective: str = ""
    orcid: str = ""
    affiliations: tuple[str, ...] = ()
    known_initials: str = ""
    """Initials in PubMed if they differ from the first names: it left the third initial out for years."""

    @property
    def initials(self) -> str:
        """The first letters of the first names: ``JP`` of ``Jean-Paul``, ``SJM`` of ``Steven J M`` or ``Steven JM``."""
        parts = [part for part in re.split(r"[\s-]+", self.fore) if part[:1].isupper()]
        return self.known_initials or "".join(
            part if len(part) == _PAIR and part.isupper() else part[0] for part in parts
        )

    @property
    def short(self) -> str:
        """As citations have it: ``Smith J Jr``."""
        return self.collective or " ".join(filter(None, (self.last, self.initials, self.suffix)))


@dataclass(frozen=True, slots=True)
class AbstractSection:
    """A section of an abstract, or all of one without sections."""

    text: str
    label: str = ""
    category: str = ""
    """NLM's: ``METHODS`` and the like."""


@dataclass(frozen=True, slots=True)
class NamedTerm:
    """A word of a controlled vocabulary and the ID it has there."""

    ui: str
    name: str
    is_major: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A MeSH heading of an article, with its subheadings."""

    descriptor: NamedTerm
    qualifiers: tuple[NamedTerm, ...] = ()

    @property
    def is_major(self) -> bool:
        """Whether it, or a subheading of it, is a main point of the article."""
        return self.descriptor.is_major or any(qualifier.is_major for qualifier in self.qualifiers)


@dataclass(frozen=True, slots=True)
class GrantFacts:
    """A grant and its agency."""

    number: str
    acronym: str
    agency: str
    country: str


@dataclass(frozen=True, slots=True)
class Relation:
    """The relation of another publication to this one: MEDLINE's ``CommentsCorrections``."""

    kind: str
    """Such as ``RetractionIn``."""
    pmid: str
    """Empty where that publication is not in PubMed."""
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A work that the article cites."""

    citation: str
    ids: tuple[tuple[str, str], ...] = ()
    """Kind and ID, such as ``pubmed`` and ``doi``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookFacts:
    """The book that a chapter stands in."""

    title: str
    accession: str
    publisher: str
    place: str
    code: str = ""
    """The book's name in NCBI Bookshelf's addresses, such as ``gene``."""
    part: str = ""
    """The chapter's."""
    published: str = ""
    begins: str = ""
    """First year of a book that grows."""
    ends: str = ""
    edition: str = ""
    volume: str = ""
    collection: str = ""
    isbn: tuple[str, ...] = ()
    editors: tuple[AuthorFacts, ...] = ()
    label: str = ""
    """Such as ``Chapter 2``."""
    contributed: str = ""
    """ISO date on which the chapter was first there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFacts:
    """All facts about one article or chapter. Empty means not known."""

    pmid: str
    title: str
    journal: Journal | None = None
    """None for a chapter."""
    book: BookFacts | None = None
    volume: str = ""
    issue: str = ""
    pages: str = ""
    published: str = ""
    """As PubMed writes it: ``2019 Nov 05``, ``2013 Spring``, ``1998 Dec-1999 Jan``, ``1975``."""
    electronic: str = ""
    """ISO date."""
    model: str = "Print-Electronic"
    status: str = "MEDLINE"
    owner: str = "NLM"
    completed: str = ""
    revised: str = ""
    history: tuple[tuple[str, str], ...] = ()
    """Event and ISO date, maybe with a time: ``pubmed``, ``2019-11-05 06:00``."""
    stage: str = "ppublish"
    ids: tuple[tuple[str, str], ...] = ()
    """Kind and ID, such as ``doi``, ``pmc``, ``pii``."""
    located: tuple[str, ...] = ("doi",)
    """Electronic locations besides the pages: a kind of ``ids``, or ``pii:576`` if it is not an ID."""
    languages: tuple[str, ...] = ("eng",)
    vernacular: str = ""
    """The title in the article's own language."""
    abstract: tuple[AbstractSection, ...] = ()
    copyright: str = ""
    other_abstracts: tuple[tuple[str, str, str], ...] = ()
    """Kind, language and text."""
    authors: tuple[AuthorFacts, ...] = ()
    further_authors: int = 0
    """How many authors are left out of ``authors``."""
    types: tuple[NamedTerm, ...] = ()
    mesh: tuple[Heading, ...] = ()
    substances: tuple[tuple[str, NamedTerm], ...] = ()
    """Registry number and substance."""
    supplementary: tuple[tuple[str, NamedTerm], ...] = ()
    """Kind and name, such as ``Organism``."""
    keywords: tuple[str, ...] = ()
    data_banks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    grants: tuple[GrantFacts, ...] = ()
    conflict_of_interest: str = ""
    relations: tuple[Relation, ...] = ()
    references: tuple[Reference, ...] = ()

    @property
    def source(self) -> str:
        """The short name of the journal or the title of the book."""
        return self.journal.short if self.journal else plain(self.book.title) if self.book else ""

    @property
    def type_names(self) -> tuple[str, ...]:
        """The publication types by name."""
        return tuple(publication_type.name for publication_type in self.types)

    def one_id(self, kind: str) -> str:
        """The first ID of a kind; empty when there is none."""
        return next(self.all_ids(kind), "")

    def all_ids(self, kind: str) -> Iterator[str]:
        """The IDs of a kind."""
        return (value for name, value in self.ids if name == kind)

    @property
    def locations(self) -> Iterator[tuple[str, str]]:
        """Electronic locations of the article: kind and value."""
        for location in self.located:
            kind, _, value = location.partition(":")
            yield from [(kind, value)] if value else ((kind, uid) for uid in self.all_ids(kind))

    @property
    def cited_pmids(self) -> list[str]:
        """The PMIDs among the references."""
        return [value for reference in self.references for kind, value in reference.ids if kind == "pubmed"]

    def pmids(self, kind: str) -> list[str]:
        """The PMIDs of the publications that stand in this relation to the article."""
        return [relation.pmid for relation in self.relations if relation.kind == kind and relation.pmid]


@dataclass(frozen=True, slots=True)
class DescriptorFacts:
    """A MeSH descriptor."""

    ui: str
    name: str
    tree_numbers: tuple[str, ...] = ()
    entry_terms: tuple[str, ...] = ()
    scope_note: str = ""

    @property
    def uid(self) -> str:
        """UID in NCBI's MeSH database: ``68008687`` for ``D008687``.

        UIDs of descriptors since 2015, with nine digits, are not documented; ours are formed the same way.
        """
        return f"68{self.ui[1:]}"


LANGUAGES = {"eng": "English", "ger": "German", "nor": "Norwegian", "spa": "Spanish", "swe": "Swedish"}
_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_SEASONS = {"winter": 1, "spring": 4, "summer": 7, "fall": 10, "autumn": 10}
"""The first month of each season in PubMed's order of dates."""
_PUBLICATION_DATE = re.compile(r"(\d{4})(?:[ /-](\w+))?(?:[ /-](\d\d?)(?!\d))?")  # not the year of 1998 Dec-1999 Jan
_LAST_DAYS = re.compile(r"last (\d+) (day|month|year)s?")
_DAYS = {"day": 1, "month": 30, "year": 365}
_MOST_DAYS = 365 * 1000  # so that no date falls before the year 1

DateSpan = tuple[dt.date, dt.date]


def first_day(text: str) -> dt.date | None:
    """The first day of what ``2019 Nov-Dec``, ``2013 Spring`` or ``2019-11-05 06:00`` names; None for no date."""
    match = _PUBLICATION_DATE.match(text)
    if not match:
        return None
    return _valid_date(int(match[1]), _month(match[2] or ""), int(match[3] or 1))


def _month(text: str) -> int:
    word = text.lower()
    if word.isdecimal():
        return int(word)
    return _MONTHS.get(word[:3]) or _SEASONS.get(word, 1)


def _valid_date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def date_span(phrase: str, today: dt.date) -> DateSpan | None:
    """The first and last day that a phrase such as ``2020:2024``, ``2020/05`` or ``last 5 years`` names."""
    recent = _LAST_DAYS.fullmatch(phrase)
    if recent:
        days = min(int(recent[1]) * _DAYS[recent[2]], _MOST_DAYS)
        return today - dt.timedelta(days=days), today
    low, _, high = phrase.replace('"', "").partition(":")
    first, last = _edge(low.strip(), is_end=False), _edge((high or low).strip(), is_end=True)
    return (first, last) if first and last else None


def _edge(text: str, *, is_end: bool) -> dt.date | None:
    """The first day of a year, month or day; or the last one."""
    match = re.fullmatch(r"(\d{4})(?:[/-](\d\d?))?(?:[/-](\d\d?))?", text)
    if not match:
        return None
    year, month = int(match[1]), int(match[2] or (12 if is_end else 1))
    last_day = calendar.monthrange(year, month)[1] if month in range(1, 13) else 1
    return _valid_date(year, month, int(match[3] or (last_day if is_end else 1)))


def days(*texts: str) -> list[dt.date]:
    """The first day of each text that names a date."""
    return [day for day in map(first_day, texts) if day]


def event_dates(article: ArticleFacts, event: str) -> list[dt.date]:
    """The dates of one kind of event in the article's history, such as ``entrez``."""
    return days(*(date for name, date in article.history if name == event))


def printed_dates(article: ArticleFacts) -> list[dt.date]:
    """Date on which the issue, or the book, was printed."""
    return days(article.published or (article.book.published if article.book else ""))


def publication_dates(article: ArticleFacts) -> list[dt.date]:
    """Printed and electronic dates; the printed one first."""
    return [*printed_dates(article), *days(article.electronic)]


def entry_dates(article: ArticleFacts) -> list[dt.date]:
    """Date of entry into PubMed; without a history, the dates of publication."""
    has_entry = any(event == "entrez" for event, _ in article.history)
    return event_dates(article, "entrez") if has_entry else publication_dates(article)


def sort_date(article: ArticleFacts) -> dt.date:
    """The date by which PubMed orders: of the issue, else online."""
    return next(iter(publication_dates(article)), dt.date.min)
