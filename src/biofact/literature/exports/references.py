"""What RIS and BibTeX both need to know of an article: names in parts, pages, and what to warn of. Pure."""

import re
import unicodedata
from typing import Literal, NamedTuple

from biofact.literature.ranking.flags import flags, is_preprint
from biofact.sources.pubmed.records import Author, CanonicalPubMedArticle

Kind = Literal["article", "chapter", "book", "preprint"]

_CITED_NAME = re.compile(
    r"(?P<last>.+?) (?P<initials>[^\W\d_a-zß-ÿ]{1,5})(?: (?P<suffix>Jr|Sr|I{2,3}|IV|[23](?:nd|rd)|[4-9]th))?"
)
_RANGE = re.compile(r"([A-Za-z]*)(\d+)([A-Za-z]*)\s*[-\u2013]\s*([A-Za-z]*)(\d+)([A-Za-z]*)")
_WARNINGS = {
    "retracted": "Retracted",
    "partially_retracted": "Retracted in part",
    "expression_of_concern": "Expression of concern",
    "corrected": "Corrected",
    "preprint": "Preprint, not peer-reviewed",
    "retraction_notice": "Notice of retraction",
}


class AuthorName(NamedTuple):
    """An author's name in parts; of a group only ``group``."""

    last: str = ""
    fore: str = ""
    suffix: str = ""
    group: str = ""


class PageRange(NamedTuple):
    """First and last page, the last in full."""

    first: str
    last: str


def kind(article: CanonicalPubMedArticle) -> Kind:
    """What sort of publication it is."""
    if article.book:
        book, title = plain_title(article.book.title), plain_title(article.title)
        return "book" if book.casefold() == title.casefold() else "chapter"
    return "preprint" if is_preprint(flags(article)) else "article"


def line(text: str) -> str:
    """A text in one line, without control characters."""
    kept = (" " if unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} else letter for letter in text)
    return " ".join("".join(kept).split())


def plain_title(title: str) -> str:
    """A title in one line, without the full stop that PubMed ends it with."""
    text = line(title)
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def names(article: CanonicalPubMedArticle) -> list[AuthorName]:
    """All authors that the record has, in parts."""
    if article.author_details:
        return [author_name for author in article.author_details if any(author_name := _detailed_name(author))]
    return [_cited_name(line(name)) for name in article.authors]


def is_cut(article: CanonicalPubMedArticle) -> bool:
    """Whether there are more authors than the record lists."""
    return not article.author_details and (article.author_count or 0) > len(article.authors)


def _detailed_name(author: Author) -> AuthorName:
    if author.collective_name:
        return AuthorName(group=line(author.collective_name))
    return AuthorName(
        line(author.last_name or ""), line(author.fore_name or author.initials or ""), line(author.suffix or "")
    )


def _cited_name(name: str) -> AuthorName:
    """Of ``Smith JP Jr``; a name without initials is a group's."""
    match = _CITED_NAME.fullmatch(name)
    if not match:
        return AuthorName(group=name)
    return AuthorName(match["last"], ". ".join(match["initials"]) + ".", match["suffix"] or "")


def pages(article: CanonicalPubMedArticle) -> PageRange | None:
    """``201`` and ``212`` of ``201-12``; one alone where there is no range."""
    text = line(article.pages or "")
    match = _RANGE.match(text)
    if not match:
        return PageRange(text, "") if text else None
    before, first, after, before_last, last, after_last = match.groups()
    whole = first[: max(len(first) - len(last), 0)] + last if not before_last or before_last == before else last
    return PageRange(f"{before}{first}{after}", f"{before_last or before}{whole}{after_last}")


def warnings(article: CanonicalPubMedArticle) -> list[str]:
    """What a reader should know before citing it, each in a phrase with the PMIDs that say so."""
    return [
        _WARNINGS[flag.kind] + (f": see {', '.join(flag.points_to)}" if flag.points_to else "")
        for flag in flags(article)
        if flag.kind in _WARNINGS
    ]


def url(article: CanonicalPubMedArticle) -> str | None:
    """The article at PubMed, if it is there."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{article.pmid}/" if article.pmid else None


def date_parts(article: CanonicalPubMedArticle) -> list[str]:
    """Year, month and day as far as they are known."""
    known = article.publication_date or (str(article.year) if article.year else "")
    return known.split("-") if known else []
