"""Articles as RIS, which reference managers import. Pure."""

from collections.abc import Iterable, Iterator

from biofact.literature.exports import references
from biofact.literature.exports.references import AuthorName, line
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_TYPES: dict[references.Kind, str] = {"article": "JOUR", "chapter": "CHAP", "book": "BOOK", "preprint": "UNPB"}
_END = "\r\n"


def ris(articles: Iterable[CanonicalPubMedArticle]) -> str:
    """All articles, each from TY to ER; lines end with CR LF as the format has it."""
    return "".join(_END.join((*_lines(article), "ER  - ", "", "")) for article in articles)


def _lines(article: CanonicalPubMedArticle) -> Iterator[str]:
    for tag, value in _values(article):
        text = line(value or "")
        if text:
            yield f"{tag}  - {text}"


def _values(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str | None]]:
    yield "TY", _TYPES[references.kind(article)]
    yield from (("AU", _name(name)) for name in references.names(article))
    yield "TI", references.plain_title(article.title)
    yield from _place(article)
    parts = references.date_parts(article)
    yield "PY", parts[0] if parts else None
    yield "DA", "/".join([*parts, "", "", ""][:3]) + "/" if parts else None
    yield from (("VL", article.volume), ("IS", article.issue))
    pages = references.pages(article)
    yield from (("SP", pages.first), ("EP", pages.last)) if pages else ()
    yield from (("SN", number) for number in article.issn)
    yield from (("DO", article.doi), ("UR", references.url(article)), ("AB", article.abstract))
    subjects = (*article.keywords, *(heading.name for heading in article.mesh))
    yield from (("KW", subject) for subject in dict.fromkeys(subjects))
    yield from (("LA", language) for language in article.language)
    yield from (("AN", article.pmid or None), ("C2", article.pmc), ("DB", "PubMed" if article.pmid else None))
    yield from (("N1", f"{warning}.") for warning in references.warnings(article))
    if references.is_cut(article):
        yield "N1", f"{len(article.authors)} of {article.author_count} authors are listed."


def _place(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str | None]]:
    """Journal, or the book with those who made it."""
    book = article.book
    if book is None:
        yield "T2", article.journal_title or article.journal
        yield "JO", article.journal
        return
    if references.kind(article) == "chapter":
        yield "T2", references.plain_title(book.title)
    yield from (("ED", editor.name) for editor in book.editors)
    yield from (("PB", book.publisher), ("CY", book.place), ("ET", book.edition))
    yield from (("SN", isbn) for isbn in book.isbn)


def _name(name: AuthorName) -> str:
    """``Last, Fore, Suffix``; a group as it is."""
    return name.group or ", ".join(filter(None, (name.last, name.fore, name.suffix)))
