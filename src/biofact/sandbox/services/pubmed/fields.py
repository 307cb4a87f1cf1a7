"""The search fields of PubMed and what each finds. Names and descriptions as einfo gives them."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence

from biofact.sandbox.dialects.eutils.fields import FieldTable, SearchField
from biofact.sandbox.services.pubmed import dates, headings
from biofact.sandbox.services.pubmed.corpus import ArticleCorpus, Texts, everything, text_words, title_and_abstract
from biofact.sandbox.services.pubmed.facts import ArticleFacts, plain
from biofact.sandbox.services.pubmed.filters import find_filter

Find = Callable[[ArticleCorpus, str], Iterable[str]]
"""PMIDs that match a phrase in lower case; ``*`` at its end stands for more."""
Dates = Callable[[ArticleFacts], Iterable[dt.date]]


def _words(texts: Texts) -> Find:
    """Matches words that stand side by side in a text."""

    def find_words(corpus: ArticleCorpus, phrase: str) -> Iterable[str]:
        return corpus.with_phrase(phrase, texts)

    return find_words


def _whole(texts: Texts) -> Find:
    """Matches a value as a whole."""

    def find_whole(corpus: ArticleCorpus, phrase: str) -> Iterable[str]:
        return corpus.with_value(phrase, texts)

    return find_whole


def _dates(when: Dates) -> Find:
    """Matches a day, month or year, or all from one to another."""

    def find_dates(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
        span = dates.span(phrase, dt.datetime.now(dt.UTC).date())
        if span:
            first, last = span
            articles = corpus.articles.items()
            yield from (pmid for pmid, article in articles if any(first <= date <= last for date in when(article)))

    return find_dates


def _everywhere(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
    yield from _uid(corpus, phrase)
    yield from corpus.with_phrase(phrase, everything)


def _nowhere(_corpus: ArticleCorpus, _phrase: str) -> Iterable[str]:
    """A field that PubMed has and for which we hold no facts."""
    return ()


def _uid(corpus: ArticleCorpus, phrase: str) -> Iterable[str]:
    return [phrase] if phrase in corpus.articles else []


def _journal(article: ArticleFacts) -> Iterable[str]:
    journal = article.journal
    names = (
        (journal.short, journal.title, journal.iso, journal.nlm_id, journal.issn, journal.issn_linking)
        if journal
        else ()
    )
    return (name for name in names if name)


def _authors(article: ArticleFacts) -> Iterator[str]:
    """``Smith JP`` and ``Smith J``; a surname alone finds its bearers, too."""
    for author in article.authors:
        yield from headings.author_names(author)


def _first_author(article: ArticleFacts) -> Iterator[str]:
    for author in article.authors[:1]:
        yield from headings.author_names(author)


def _last_author(article: ArticleFacts) -> Iterator[str]:
    for author in article.authors[-1:] if not article.further_authors else ():
        yield from headings.author_names(author)


def _full_names(article: ArticleFacts) -> Iterator[str]:
    for author in article.authors:
        yield from (f"{author.last}, {author.fore}", f"{author.fore} {author.last}")


def _affiliations(article: ArticleFacts) -> Iterable[str]:
    return (place for author in article.authors for place in author.affiliations)


def _orcids(article: ArticleFacts) -> Iterable[str]:
    return (author.orcid for author in article.authors if author.orcid)


def _groups(article: ArticleFacts) -> Iterable[str]:
    return (author.collective for author in article.authors if author.collective)


def _ids(article: ArticleFacts) -> Iterable[str]:
    return (value for _, value in article.ids)


def _located(article: ArticleFacts) -> Iterable[str]:
    return (value for _, value in article.locations)


def _languages(article: ArticleFacts) -> Iterator[str]:
    for code in article.languages:
        yield from (code, _LANGUAGES.get(code, code))


_LANGUAGES = {"eng": "english", "ger": "german", "nor": "norwegian", "swe": "swedish", "spa": "spanish"}


def _country(article: ArticleFacts) -> Iterable[str]:
    return (article.journal.country,) if article.journal else ()


def _grants(article: ArticleFacts) -> Iterator[str]:
    for grant in article.grants:
        yield from filter(None, (grant.number, grant.acronym, grant.agency, grant.country))


def _substances(article: ArticleFacts) -> Iterable[str]:
    return (term.name for _, term in (*article.substances, *article.supplementary))


def _numbers(article: ArticleFacts) -> Iterable[str]:
    return (number for number, _ in article.substances)


def _data_banks(article: ArticleFacts) -> Iterator[str]:
    for name, numbers in article.data_banks:
        yield name
        for number in numbers:
            yield from (number, f"{name}/{number}")


def _book(article: ArticleFacts) -> Iterable[str]:
    return (article.book.accession, article.book.code, plain(article.book.title)) if article.book else ()


def _editors(article: ArticleFacts) -> Iterator[str]:
    for editor in article.book.editors if article.book else ():
        yield from headings.author_names(editor)


_LISTED = (
    SearchField("ALL", "All Fields", "All terms from all searchable fields", _everywhere),
    SearchField("UID", "UID", "Unique number assigned to publication", _uid, ("pmid",)),
    SearchField("FILT", "Filter", "Limits the records", find_filter, ("sb", "subset")),
    SearchField("TITL", "Title", "Words in title of publication", _words(lambda one: (plain(one.title),)), ("ti",)),
    SearchField("WORD", "Text Word", "Free text associated with publication", _words(text_words), ("tw", "text")),
    SearchField(
        "MESH",
        "MeSH Terms",
        "Medical Subject Headings assigned to publication",
        headings.Filed(),
        ("mh", "mesh:exp", "mesh term"),
    ),
    SearchField(
        "MAJR", "MeSH Major Topic", "MeSH terms of major importance to publication", headings.Filed(is_major=True)
    ),
    SearchField("AUTH", "Author", "Author(s) of publication", _whole(_authors), ("au", "author name")),
    SearchField("JOUR", "Journal", "Journal abbreviation of publication", _whole(_journal), ("ta", "journal name")),
    SearchField(
        "AFFL", "Affiliation", "Author's institutional affiliation and address", _words(_affiliations), ("ad", "affil")
    ),
    SearchField("ECNO", "EC/RN Number", "EC number for enzyme or CAS registry number", _whole(_numbers), ("rn",)),
    SearchField(
        "SUBS", "Supplementary Concept", "CAS chemical name or MEDLINE Substance Name", _whole(_substances), ("nm",)
    ),
    SearchField(
        "PDAT", "Date - Publication", "Date of publication", _dates(dates.published), ("dp", "publication date")
    ),
    SearchField("EDAT", "Date - Entrez", "Date publication first accessible through Entrez", _dates(dates.entered)),
    SearchField("VOL", "Volume", "Volume number of publication", _whole(lambda one: (one.volume,)), ("vi",)),
    SearchField("PAGE", "Pagination", "Page number(s) of publication", _whole(lambda one: (one.pages,)), ("pg",)),
    SearchField("PTYP", "Publication Type", "Type of publication (e.g., review)", headings.find_type, ("pt",)),
    SearchField("LANG", "Language", "Language of publication", _whole(_languages), ("la",)),
    SearchField("ISS", "Issue", "Issue number of publication", _whole(lambda one: (one.issue,)), ("ip",)),
    SearchField("SUBH", "MeSH Subheading", "Additional specificity for MeSH term", headings.find_subheading, ("sh",)),
    SearchField(
        "SI", "Secondary Source ID", "Cross-reference from publication to other databases", _whole(_data_banks)
    ),
    SearchField("MHDA", "Date - MeSH", "Date publication was indexed with MeSH terms", _dates(dates.indexed)),
    SearchField("TIAB", "Title/Abstract", "Free text associated with Abstract/Title", _words(title_and_abstract)),
    SearchField(
        "OTRM", "Other Term", "Other terms associated with publication", _words(lambda one: one.keywords), ("ot",)
    ),
    SearchField("COLN", "Author - Corporate", "Corporate Author of publication", _words(_groups), ("cn",)),
    SearchField("CNTY", "Place of Publication", "Country of publication", _whole(_country), ("pl",)),
    SearchField("PAPX", "Pharmacological Action", "MeSH pharmacological action pre-explosions", _nowhere, ("pa",)),
    SearchField("GRNT", "Grant Number", "NIH Grant Numbers", _whole(_grants), ("gr",)),
    SearchField("MDAT", "Date - Modification", "Date of last modification", _dates(dates.changed), ("lr",)),
    SearchField("CDAT", "Date - Completion", "Date of completion", _dates(dates.completed), ("dcom",)),
    SearchField("PID", "Publisher ID", "Publisher ID", _whole(_ids), ("aid", "doi", "article identifier")),
    SearchField("FAUT", "Author - First", "First Author of publication", _whole(_first_author), ("1au",)),
    SearchField("FULL", "Author - Full", "Full Author Name(s) of publication", _words(_full_names), ("fau",)),
    SearchField(
        "TT",
        "Transliterated Title",
        "Words in transliterated title of publication",
        _words(lambda one: (one.vernacular,)),
    ),
    SearchField("LAUT", "Author - Last", "Last Author of publication", _whole(_last_author), ("lastau",)),
    SearchField("PPDT", "Print Publication Date", "Date of print publication", _dates(dates.printed)),
    SearchField("EPDT", "Electronic Publication Date", "Date of Electronic publication", _dates(dates.online)),
    SearchField("LID", "Location ID", "ELocation ID", _whole(_located)),
    SearchField("CRDT", "Date - Create", "Date publication first accessible through Entrez", _dates(dates.entered)),
    SearchField("BOOK", "Book", "ID of the book that contains the document", _whole(_book)),
    SearchField("ED", "Editor", "Section's Editor", _whole(_editors)),
    SearchField("ISBN", "ISBN", "ISBN", _whole(lambda one: one.book.isbn if one.book else ())),
    SearchField("PUBN", "Publisher", "Publisher's name", _words(lambda one: (one.book.publisher,) if one.book else ())),
    SearchField("AUID", "Author - Identifier", "Author Identifier", _whole(_orcids)),
    SearchField(
        "COIS",
        "Conflict of Interest Statements",
        "Conflict of interest",
        _words(lambda one: (plain(one.conflict_of_interest),)),
    ),
)

_NOT_EXPLODED = (
    SearchField("MESH:noexp", "MeSH Terms:noexp", "headings alone", headings.Filed(is_exploded=False), ("mh:noexp",)),
    SearchField(
        "MAJR:noexp", "MeSH Major Topic:noexp", "headings alone", headings.Filed(is_major=True, is_exploded=False)
    ),
)
FIELDS = FieldTable(_LISTED, unlisted=_NOT_EXPLODED)
HEADED: Sequence[str] = tuple(
    spelling for spelling, field in FIELDS.by_spelling.items() if field.tag.startswith(("MESH", "MAJR"))
)
"""The spellings of the fields that file by headings."""
