"""Articles as BibTeX. Letters stay UTF-8; what LaTeX would read as a command is escaped. Pure."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from biofact.literature.exports import references
from biofact.literature.exports.references import AuthorName, line
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_ENTRIES: dict[references.Kind, str] = {
    "article": "article",
    "chapter": "incollection",
    "book": "book",
    "preprint": "misc",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ESCAPES = str.maketrans(
    {
        # BibTeX counts braces even behind a backslash, so they are named instead.
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)
_VERBATIM = str.maketrans({"\\": "%5C", "{": "%7B", "}": "%7D", " ": "%20"})  # links are not typeset
_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"}
    | {"ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "\u0131": "i"}
)
_AND = re.compile(r"(?i)(?<!\S)and(?!\S)")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def bibtex(articles: Sequence[CanonicalPubMedArticle]) -> str:
    """All articles, each as an entry under a key of its own."""
    named = keys(articles)
    once = {article.id: article for article in articles}
    return "\n".join(_entry(named[pmid], article) for pmid, article in once.items())


def keys(articles: Iterable[CanonicalPubMedArticle]) -> dict[str, str]:
    """Keys such as Smith2019a by ID: first author, year, and a letter by rising PMID, whatever the order given."""
    groups: dict[str, set[str]] = defaultdict(set)
    for article in articles:
        groups[_stem(article)].add(article.id)
    results = {}
    for stem, ids in groups.items():
        for place, one in enumerate(sorted(ids, key=lambda pmid: (len(pmid), pmid))):
            results[one] = stem + _letters(place)
    return results


def _stem(article: CanonicalPubMedArticle) -> str:
    first = next(iter(references.names(article)), AuthorName())
    name = (first.last or first.group).translate(_LETTERS)
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if letter.isascii() and letter.isalpha())
    return f"{plain or 'Anonymous'}{article.year or 0:04d}"


def _letters(place: int) -> str:
    """Letters from a to z, then aa, ab and so on."""
    result = ""
    while place >= 0:
        result = _ALPHABET[place % 26] + result
        place = place // 26 - 1
    return result


def _entry(key: str, article: CanonicalPubMedArticle) -> str:
    fields = [f"  {name} = {value}" for name, value in _fields(article) if value]
    return f"@{_ENTRIES[references.kind(article)]}{{{key},\n" + ",\n".join(fields) + "\n}\n"


def _fields(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str]]:
    yield "author", _people(references.names(article), is_cut=references.is_cut(article))
    yield "title", f"{{{{{escape(references.plain_title(article.title))}}}}}"  # twice, so that capitals stay
    yield from _place(article)
    parts = references.date_parts(article)
    yield "year", _in_braces(parts[0] if parts else None)
    if len(parts) > 1 and parts[1].isdigit() and 1 <= int(parts[1]) <= len(_MONTHS):
        yield "month", _MONTHS[int(parts[1]) - 1]
    yield "volume", _in_braces(article.volume)
    yield "number", _in_braces(article.issue)
    pages = references.pages(article)
    yield "pages", _in_braces("--".join(filter(None, pages)) if pages else None)
    yield "issn", _in_braces(article.issn[0] if article.issn else None)
    yield "doi", _verbatim(article.doi)
    yield "url", _verbatim(references.url(article))
    yield "pmid", _in_braces(article.pmid)
    yield "pmcid", _in_braces(article.pmc)
    yield "keywords", _in_braces(", ".join(article.keywords))
    yield "abstract", _in_braces(article.abstract)
    yield "note", _in_braces("; ".join(references.warnings(article)))


def _place(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str]]:
    book, kind = article.book, references.kind(article)
    if book is None:
        yield (
            ("howpublished" if kind == "preprint" else "journal"),
            _in_braces(article.journal_title or article.journal),
        )
        return
    if kind == "chapter":
        yield "booktitle", f"{{{{{escape(references.plain_title(book.title))}}}}}"
    editors = [AuthorName(line(one.last_name or ""), line(one.fore_name or one.initials or "")) for one in book.editors]
    yield "editor", _people([name for name in editors if name.last], is_cut=False)
    yield "publisher", _in_braces(book.publisher)
    yield "address", _in_braces(book.place)
    yield "edition", _in_braces(book.edition)
    yield "isbn", _in_braces(book.isbn[0] if book.isbn else None)


def _people(names: Sequence[AuthorName], *, is_cut: bool) -> str:
    people = [*map(_name, names), *(["others"] if is_cut and names else [])]
    return f"{{{' and '.join(people)}}}" if people else ""


def _name(name: AuthorName) -> str:
    """``Last, Suffix, Fore``; a group in braces, so that it is not cut into names."""
    if name.group:
        return f"{{{escape(name.group)}}}"
    return ", ".join(_part(part) for part in (name.last, name.suffix, name.fore) if part)


def _part(text: str) -> str:
    """A part of a name; one with a comma or an "and" of its own is held together."""
    return f"{{{escape(text)}}}" if "," in text or _AND.search(text) else escape(text)


def escape(text: str) -> str:
    """A text in one line as LaTeX prints it."""
    return line(text).translate(_ESCAPES)


def _in_braces(text: str | None) -> str:
    return f"{{{escaped}}}" if text and (escaped := escape(text)) else ""


def _verbatim(text: str | None) -> str:
    return f"{{{line(text).translate(_VERBATIM)}}}" if text else ""
