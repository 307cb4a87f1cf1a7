"""The search fields of PubMed and what each finds. Names and descriptions are starter rows."""

import datetime as dt
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from biofact.sandbox.dialects.eutils.database import FieldTable, SearchField
from biofact.sandbox.services.pubmed import dates, headings
from biofact.sandbox.services.pubmed.corpus import ArticleCorpus, Texts, everything, text_words, title_and_abstract
from biofact.sandbox.services.pubmed.facts import ArticleFacts, plain
from biofact.sandbox.services.pubmed.filters import find_filter
from biofact.sandbox.tables import starter_rows

Find = Callable[[ArticleCorpus, str], Iterable[str]]
"""PMIDs that match a phrase in lower case; ``*`` at its end stands for more."""
_MOST_TURNED = 4
Dates = Callable[[ArticleFacts], Iterable[dt.date]]


def _words(texts: Texts) -> Find:
    """Matches words that stand side by side in a text."""

    def find_words(corpus: ArticleCorpus, phrase: str) -> Iterable[str]:
        return corpus.with_phrase(phrase, texts)

    return find_words


def _side_by_side(texts: Texts) -> Find:
    """Matches words next to each other in any order; of many words in the order of the phrase alone."""

    def find_side_by_side(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
        words = phrase.split()
        orders = itertools.permutations(words) if len(words) <= _MOST_TURNED else [words]
        found = dict.fromkeys(pmid for order in orders for pmid in corpus.with_phrase(" ".join(order), texts))
        yield from found

    return find_side_by_side


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


_FINDERS: Mapping[str, Find] = {
    "ALL": _everywhere,
    "UID": _uid,
    "FILT": find_filter,
    "TITL": _words(lambda one: (plain(one.title),)),
    "WORD": _words(text_words),
    "MESH": headings.Filed(),
    "MAJR": headings.Filed(is_major=True),
    "AUTH": _whole(_authors),
    "JOUR": _whole(_journal),
    "AFFL": _words(_affiliations),
    "ECNO": _whole(_numbers),
    "SUBS": _whole(_substances),
    "PDAT": _dates(dates.published),
    "EDAT": _dates(dates.entered),
    "VOL": _whole(lambda one: (one.volume,)),
    "PAGE": _whole(lambda one: (one.pages,)),
    "PTYP": headings.find_type,
    "LANG": _whole(_languages),
    "ISS": _whole(lambda one: (one.issue,)),
    "SUBH": headings.find_subheading,
    "SI": _whole(_data_banks),
    "MHDA": _dates(dates.indexed),
    "TIAB": _words(title_and_abstract),
    "OTRM": _words(lambda one: one.keywords),
    "COLN": _words(_groups),
    "CNTY": _whole(_country),
    "GRNT": _whole(_grants),
    "MDAT": _dates(dates.changed),
    "CDAT": _dates(dates.completed),
    "PID": _whole(_ids),
    "FAUT": _whole(_first_author),
    "FULL": _words(_full_names),
    "TT": _words(lambda one: (one.vernacular,)),
    "LAUT": _whole(_last_author),
    "PPDT": _dates(dates.printed),
    "EPDT": _dates(dates.online),
    "LID": _whole(_located),
    "CRDT": _dates(dates.entered),
    "BOOK": _whole(_book),
    "ED": _whole(_editors),
    "ISBN": _whole(lambda one: one.book.isbn if one.book else ()),
    "PUBN": _words(lambda one: (one.book.publisher,) if one.book else ()),
    "AUID": _whole(_orcids),
    "COIS": _words(lambda one: (plain(one.conflict_of_interest),)),
}
"""By tag; PubMed has further fields, for which we hold no facts."""
_NOT_EXPLODED = (
    SearchField("MESH:noexp", "MeSH Terms:noexp", headings.Filed(is_exploded=False), ("mh:noexp",)),
    SearchField("MAJR:noexp", "MeSH Major Topic:noexp", headings.Filed(is_major=True, is_exploded=False)),
)
_NEAR = (
    SearchField("TIAB:~0", "Title/Abstract:~0", _side_by_side(title_and_abstract), ("tiab:~0",)),
    SearchField("TITL:~0", "Title:~0", _side_by_side(lambda one: (plain(one.title),)), ("ti:~0",)),
)
FIELDS = FieldTable(starter_rows(__package__, "field.jsonl"), _FINDERS, unlisted=(*_NOT_EXPLODED, *_NEAR))
HEADED: Sequence[str] = tuple(
    spelling for spelling, field in FIELDS.by_spelling.items() if field.tag.startswith(("MESH", "MAJR"))
)
"""The spellings of the fields that file by headings."""
