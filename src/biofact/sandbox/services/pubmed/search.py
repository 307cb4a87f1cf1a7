"""The search fields of PubMed and what each finds. Names and descriptions are starter rows."""

import datetime as dt
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from biofact.sandbox.dialects.eutils.database import FieldTable, SearchField
from biofact.sandbox.services.pubmed import facts
from biofact.sandbox.services.pubmed.corpus import (
    ArticleCorpus,
    Texts,
    all_texts,
    publication_types,
    text_words,
    title_and_abstract,
)
from biofact.sandbox.services.pubmed.facts import ArticleFacts, AuthorFacts, Heading, plain
from biofact.sandbox.tables import starter_rows
from biofact.sandbox.word_index import folded


@dataclass(frozen=True, slots=True)
class HeadingFinder:
    """Finds the articles under a MeSH heading such as ``neoplasms`` or ``neoplasms/drug therapy``."""

    is_major: bool = False
    """Whether the heading has to be a main point of the article."""
    is_exploded: bool = True
    """Whether articles under narrower headings count, too."""

    def __call__(self, corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
        """The PMIDs; none for an unknown heading."""
        name, _, aspect = phrase.partition("/")
        if name.endswith("*"):
            prefix = folded(name)
            uis = {term.ui for term in corpus.mesh.descriptors if folded(term.name).startswith(prefix)}
        else:
            descriptor = corpus.mesh.find(name)
            uis = {descriptor.ui} if descriptor else set()
        if self.is_exploded:
            uis = {narrower_ui for ui in uis for narrower_ui in corpus.mesh.narrower_uis(ui)}
        for pmid in dict.fromkeys(pmid for ui in uis for pmid in corpus.by_descriptor.get(ui, ())):
            if any(self._fits(heading, uis, aspect.strip()) for heading in corpus.articles[pmid].mesh):
                yield pmid

    def _fits(self, heading: Heading, uis: set[str], aspect: str) -> bool:
        aspects = [term for term in heading.qualifiers if term.name == aspect] if aspect else [heading]
        return heading.descriptor.ui in uis and any(part.is_major or not self.is_major for part in aspects)


def find_subheading(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
    """The articles of which some heading has this subheading."""
    for pmid, article in corpus.articles.items():
        if any(qualifier.name == phrase for heading in article.mesh for qualifier in heading.qualifiers):
            yield pmid


def find_type(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
    """The articles of a publication type, or of one that belongs to it, such as trials of phase III to trials."""
    type_names = {name for name in publication_types() if _is_of(name, folded(phrase), is_prefix=phrase.endswith("*"))}
    for pmid, article in corpus.articles.items():
        if type_names & {*article.type_names}:
            yield pmid


def _is_of(name: str, phrase: str, *, is_prefix: bool) -> bool:
    while name:
        if folded(name) == phrase or (is_prefix and folded(name).startswith(phrase)):
            return True
        name = publication_types()[name][1]
    return False


def author_names(author: AuthorFacts) -> Iterable[str]:
    """Searchable names of an author: ``Smith``, ``Smith J``, ``Smith JP``, the full name, the group's name."""
    if author.collective:
        return (author.collective,)
    initials = author.initials
    short_names = (f"{author.last} {initials[:count]}" for count in range(1, len(initials) + 1))
    full = (f"{author.last} {author.fore}", f"{author.fore} {author.last}")
    return (author.last, author.short, *short_names, *full)


Claim = Callable[[ArticleFacts], bool]


def find_filter(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
    """The articles that pass a filter; none for an unknown filter."""
    claim = _CLAIMS.get(folded(phrase))
    if claim:
        yield from (pmid for pmid, article in corpus.articles.items() if claim(article))


def _has_type(*names: str) -> Claim:
    return lambda article: bool({*names} & {*article.type_names})


def _has_heading(*names: str) -> Claim:
    return lambda article: any(heading.descriptor.name in names for heading in article.mesh)


_CLAIMS: dict[str, Claim] = {
    "all": lambda _article: True,
    "hasabstract": lambda article: bool(article.abstract),
    "has abstract": lambda article: bool(article.abstract),
    "free full text": lambda article: bool(article.one_id("pmc")),
    "full text": lambda article: bool(article.one_id("doi")),
    "pubmed pmc": lambda article: bool(article.one_id("pmc")),
    "medline": lambda article: article.status == "MEDLINE",
    "inprocess": lambda article: article.status == "In-Process",
    "publisher": lambda article: article.status == "Publisher",
    "pubmednotmedline": lambda article: article.status == "PubMed-not-MEDLINE",
    "pubmed books": lambda article: article.book is not None,
    "pmcbook": lambda article: article.book is not None,
    "humans": _has_heading("Humans"),
    "animals": _has_heading("Animals"),
    "female": _has_heading("Female"),
    "male": _has_heading("Male"),
    "english": lambda article: "eng" in article.languages,
    "clinicaltrial": _has_type("Clinical Trial", "Clinical Trial, Phase II", "Clinical Trial, Phase III"),
    "randomizedcontrolledtrial": _has_type("Randomized Controlled Trial"),
    "meta analysis": _has_type("Meta-Analysis"),
    "metaanalysis": _has_type("Meta-Analysis"),
    "review": _has_type("Review", "Systematic Review"),
    "systematicreview": _has_type("Systematic Review"),
    "systematic": _has_type("Systematic Review"),
    "casereports": _has_type("Case Reports"),
    "preprint": _has_type("Preprint"),
    "books and documents": lambda article: article.book is not None,
}
"""By their folded names. Each is a selection's claim about one article; NCBI has thousands more."""


Find = Callable[[ArticleCorpus, str], Iterable[str]]
"""PMIDs that match a phrase in lower case; ``*`` at its end stands for more."""
_MOST_TURNED = 4
Dates = Callable[[ArticleFacts], Iterable[dt.date]]


def _words(texts: Texts) -> Find:
    """Matches words that stand side by side in a text."""
    return lambda corpus, phrase: corpus.with_phrase(phrase, texts)


def _side_by_side(texts: Texts) -> Find:
    """Matches words next to each other in any order; of many words in the order of the phrase alone."""

    def find_side_by_side(corpus: ArticleCorpus, phrase: str) -> Iterable[str]:
        words = phrase.split()
        orders = itertools.permutations(words) if len(words) <= _MOST_TURNED else [words]  # 5 words: 120 orders
        return dict.fromkeys(pmid for order in orders for pmid in corpus.with_phrase(" ".join(order), texts))

    return find_side_by_side


def _whole(texts: Texts) -> Find:
    """Matches a value as a whole."""
    return lambda corpus, phrase: corpus.with_value(phrase, texts)


def _dates(dates_of: Dates) -> Find:
    """Matches a day, month or year, or all from one to another."""

    def find_dates(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
        span = facts.date_span(phrase, dt.datetime.now(dt.UTC).date())
        if span:
            first, last = span
            articles = corpus.articles.items()
            yield from (pmid for pmid, article in articles if any(first <= date <= last for date in dates_of(article)))

    return find_dates


def _any_field(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
    yield from _uid(corpus, phrase)
    yield from corpus.with_phrase(phrase, all_texts)


def _uid(corpus: ArticleCorpus, phrase: str) -> Iterable[str]:
    return [phrase] if phrase in corpus.articles else []


def _journal(article: ArticleFacts) -> Iterable[str]:
    if (journal := article.journal) is None:
        return ()
    names = (journal.short, journal.title, journal.iso, journal.nlm_id, journal.issn, journal.issn_linking)
    return filter(None, names)


def _names(people: Iterable[AuthorFacts]) -> Iterable[str]:
    """``Smith JP`` and ``Smith J``; a surname alone finds its bearers, too."""
    return (name for person in people for name in author_names(person))


def _full_names(article: ArticleFacts) -> Iterator[str]:
    for author in article.authors:
        yield from (f"{author.last}, {author.fore}", f"{author.fore} {author.last}")


def _languages(article: ArticleFacts) -> Iterator[str]:
    for code in article.languages:
        yield from (code, facts.LANGUAGES.get(code, code))


def _grants(article: ArticleFacts) -> Iterator[str]:
    for grant in article.grants:
        yield from filter(None, (grant.number, grant.acronym, grant.agency, grant.country))


def _data_banks(article: ArticleFacts) -> Iterator[str]:
    for name, numbers in article.data_banks:
        yield name
        for number in numbers:
            yield from (number, f"{name}/{number}")


def _book(article: ArticleFacts) -> Iterable[str]:
    return (article.book.accession, article.book.code, plain(article.book.title)) if article.book else ()


_FINDERS: Mapping[str, Find] = {
    "ALL": _any_field,
    "UID": _uid,
    "FILT": find_filter,
    "TITL": _words(lambda article: (plain(article.title),)),
    "WORD": _words(text_words),
    "MESH": HeadingFinder(),
    "MAJR": HeadingFinder(is_major=True),
    "AUTH": _whole(lambda article: _names(article.authors)),
    "JOUR": _whole(_journal),
    "AFFL": _words(lambda article: (place for author in article.authors for place in author.affiliations)),
    "ECNO": _whole(lambda article: (number for number, _ in article.substances)),
    "SUBS": _whole(lambda article: (term.name for _, term in (*article.substances, *article.supplementary))),
    "PDAT": _dates(facts.publication_dates),
    "EDAT": _dates(facts.entry_dates),
    "VOL": _whole(lambda article: (article.volume,)),
    "PAGE": _whole(lambda article: (article.pages,)),
    "PTYP": find_type,
    "LANG": _whole(_languages),
    "ISS": _whole(lambda article: (article.issue,)),
    "SUBH": find_subheading,
    "SI": _whole(_data_banks),
    "MHDA": _dates(lambda article: facts.event_dates(article, "medline")),
    "TIAB": _words(title_and_abstract),
    "OTRM": _words(lambda article: article.keywords),
    "COLN": _words(lambda article: (author.collective for author in article.authors if author.collective)),
    "CNTY": _whole(lambda article: (article.journal.country,) if article.journal else ()),
    "GRNT": _whole(_grants),
    "MDAT": _dates(lambda article: facts.days(article.revised)),
    "CDAT": _dates(lambda article: facts.days(article.completed)),
    "PID": _whole(lambda article: (value for _, value in article.ids)),
    "FAUT": _whole(lambda article: _names(article.authors[:1])),
    "FULL": _words(_full_names),
    "TT": _words(lambda article: (article.vernacular,)),
    "LAUT": _whole(lambda article: _names(article.authors[-1:] if not article.further_authors else ())),
    "PPDT": _dates(facts.printed_dates),
    "EPDT": _dates(lambda article: facts.days(article.electronic)),
    "LID": _whole(lambda article: (value for _, value in article.locations)),
    "CRDT": _dates(facts.entry_dates),
    "BOOK": _whole(_book),
    "ED": _whole(lambda article: _names(article.book.editors if article.book else ())),
    "ISBN": _whole(lambda article: article.book.isbn if article.book else ()),
    "PUBN": _words(lambda article: (article.book.publisher,) if article.book else ()),
    "AUID": _whole(lambda article: (author.orcid for author in article.authors if author.orcid)),
    "COIS": _words(lambda article: (plain(article.conflict_of_interest),)),
}
"""By tag; PubMed has further fields, for which we hold no facts."""
_NOT_EXPLODED = (
    SearchField("MESH:noexp", "MeSH Terms:noexp", HeadingFinder(is_exploded=False), ("mh:noexp",)),
    SearchField("MAJR:noexp", "MeSH Major Topic:noexp", HeadingFinder(is_major=True, is_exploded=False)),
)
_PROXIMITY_FIELDS = (
    SearchField("TIAB:~0", "Title/Abstract:~0", _side_by_side(title_and_abstract), ("tiab:~0",)),
    SearchField("TITL:~0", "Title:~0", _side_by_side(lambda article: (plain(article.title),)), ("ti:~0",)),
)
FIELDS = FieldTable(
    starter_rows(__package__, "field.jsonl"), _FINDERS, hidden_fields=(*_NOT_EXPLODED, *_PROXIMITY_FIELDS)
)
HEADING_FIELDS: Sequence[str] = tuple(
    spelling for spelling, field in FIELDS.by_spelling.items() if field.tag.startswith(("MESH", "MAJR"))
)
"""The spellings of the fields that file by headings."""
