"""Articles and rankings in the formats of other programs: RIS, BibTeX, CSV, JSON Lines. Pure, same input same text."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel

from biofact.literature.ranking.candidates import RankedRow, article_flags, is_preprint
from biofact.literature.ranking.records import Cell, columns_of, flat_rows, flatten
from biofact.literature.records import CanonicalPubMedExtraction
from biofact.sources.pubmed.records import Author, CanonicalPubMedArticle
from biofact.tables.spreadsheet import csv_text

PublicationKind = Literal["article", "chapter", "book", "preprint"]

_CITED_NAME = re.compile(
    r"(?P<last>.+?) (?P<initials>[^\W\d_a-zß-ÿ]{1,5})(?: (?P<suffix>Jr|Sr|I{2,3}|IV|[23](?:nd|rd)|[4-9]th))?"
)
_RANGE = re.compile(r"([A-Za-z]*)(\d+)([A-Za-z]*)\s*[-\u2013]\s*([A-Za-z]*)(\d+)([A-Za-z]*)")
_FLAG_WARNINGS = {
    "retracted": "Retracted",
    "partially_retracted": "Retracted in part",
    "expression_of_concern": "Expression of concern",
    "corrected": "Corrected",
    "preprint": "Preprint, not peer-reviewed",
    "retraction_notice": "Notice of retraction",
}


class AuthorName(NamedTuple):
    """An author's name in parts; a group has ``group`` only."""

    last: str = ""
    fore: str = ""
    suffix: str = ""
    group: str = ""


class PageRange(NamedTuple):
    """First and last page, the last in full."""

    first: str
    last: str


def publication_kind(article: CanonicalPubMedArticle) -> PublicationKind:
    """The kind of publication of an article."""
    if article.book:
        book, title = plain_title(article.book.title), plain_title(article.title)
        return "book" if book.casefold() == title.casefold() else "chapter"
    return "preprint" if is_preprint(article_flags(article)) else "article"


def one_line(text: str) -> str:
    """A text in one line, without control characters."""
    letters = (" " if unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} else letter for letter in text)
    return " ".join("".join(letters).split())


def plain_title(title: str) -> str:
    """A title in one line, without the full stop that PubMed ends it with."""
    text = one_line(title)
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def author_names(article: CanonicalPubMedArticle) -> list[AuthorName]:
    """All authors of the record, in parts."""
    if article.author_details:
        return [author_name for author in article.author_details if any(author_name := _detailed_name(author))]
    return [_cited_name(one_line(name)) for name in article.authors]


def is_cut(article: CanonicalPubMedArticle) -> bool:
    """Whether there are more authors than the record lists."""
    return not article.author_details and (article.author_count or 0) > len(article.authors)


def _detailed_name(author: Author) -> AuthorName:
    if author.collective_name:
        return AuthorName(group=one_line(author.collective_name))
    return AuthorName(
        one_line(author.last_name or ""),
        one_line(author.fore_name or author.initials or ""),
        one_line(author.suffix or ""),
    )


def _cited_name(name: str) -> AuthorName:
    """The parts of a name such as ``Smith JP Jr``; a name without initials is a group's."""
    match = _CITED_NAME.fullmatch(name)
    if not match:
        return AuthorName(group=name)
    return AuthorName(match["last"], ". ".join(match["initials"]) + ".", match["suffix"] or "")


def page_range(article: CanonicalPubMedArticle) -> PageRange | None:
    """``201`` and ``212`` of ``201-12``; one alone where there is no range."""
    text = one_line(article.pages or "")
    match = _RANGE.match(text)
    if not match:
        return PageRange(text, "") if text else None
    before, first, after, before_last, last, after_last = match.groups()
    whole = first[: max(len(first) - len(last), 0)] + last if not before_last or before_last == before else last
    return PageRange(f"{before}{first}{after}", f"{before_last or before}{whole}{after_last}")


def citation_warnings(article: CanonicalPubMedArticle) -> list[str]:
    """Warnings before a citation, each a phrase with the PMIDs that support it."""
    return [
        _FLAG_WARNINGS[flag.kind] + (f": see {', '.join(flag.points_to)}" if flag.points_to else "")
        for flag in article_flags(article)
        if flag.kind in _FLAG_WARNINGS
    ]


def pubmed_url(article: CanonicalPubMedArticle) -> str | None:
    """The address of the article at PubMed; None without a PMID."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{article.pmid}/" if article.pmid else None


def date_parts(article: CanonicalPubMedArticle) -> list[str]:
    """Year, month and day of publication, without unknown parts."""
    date = article.publication_date or (str(article.year) if article.year else "")
    return date.split("-") if date else []


_RIS_TYPES: dict[PublicationKind, str] = {"article": "JOUR", "chapter": "CHAP", "book": "BOOK", "preprint": "UNPB"}
_RIS_LINE_END = "\r\n"


def ris(articles: Iterable[CanonicalPubMedArticle]) -> str:
    """All articles, each from TY to ER; lines end with CR LF as the format has it."""
    return "".join(_RIS_LINE_END.join((*_ris_lines(article), "ER  - ", "", "")) for article in articles)


def _ris_lines(article: CanonicalPubMedArticle) -> Iterator[str]:
    for tag, value in _ris_values(article):
        text = one_line(value or "")
        if text:
            yield f"{tag}  - {text}"


def _ris_values(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str | None]]:
    yield "TY", _RIS_TYPES[publication_kind(article)]
    yield from (("AU", _ris_name(name)) for name in author_names(article))
    yield "TI", plain_title(article.title)
    yield from _ris_container(article)
    parts = date_parts(article)
    yield "PY", parts[0] if parts else None
    yield "DA", "/".join([*parts, "", "", ""][:3]) + "/" if parts else None
    yield from (("VL", article.volume), ("IS", article.issue))
    pages = page_range(article)
    yield from (("SP", pages.first), ("EP", pages.last)) if pages else ()
    yield from (("SN", number) for number in article.issn)
    yield from (("DO", article.doi), ("UR", pubmed_url(article)), ("AB", article.abstract))
    subjects = (*article.keywords, *(heading.name for heading in article.mesh))
    yield from (("KW", subject) for subject in dict.fromkeys(subjects))
    yield from (("LA", language) for language in article.language)
    yield from (("AN", article.pmid or None), ("C2", article.pmc), ("DB", "PubMed" if article.pmid else None))
    yield from (("N1", f"{warning}.") for warning in citation_warnings(article))
    if is_cut(article):
        yield "N1", f"{len(article.authors)} of {article.author_count} authors are listed."


def _ris_container(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str | None]]:
    """The journal, or the book with its editors and publisher."""
    book = article.book
    if book is None:
        yield "T2", article.journal_title or article.journal
        yield "JO", article.journal
        return
    if publication_kind(article) == "chapter":
        yield "T2", plain_title(book.title)
    yield from (("ED", editor.name) for editor in book.editors)
    yield from (("PB", book.publisher), ("CY", book.place), ("ET", book.edition))
    yield from (("SN", isbn) for isbn in book.isbn)


def _ris_name(name: AuthorName) -> str:
    """``Last, Fore, Suffix``; a group as it is."""
    return name.group or ", ".join(filter(None, (name.last, name.fore, name.suffix)))


_BIBTEX_TYPES: dict[PublicationKind, str] = {"chapter": "incollection", "preprint": "misc"}
"""The entry types of kinds that have another name there."""
_BIBTEX_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LATEX_ESCAPES = str.maketrans(
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
    """All articles as entries, each under its own key."""
    keys = citation_keys(articles)
    by_id = {article.id: article for article in articles}
    return "\n".join(_bibtex_entry(keys[pmid], article) for pmid, article in by_id.items())


def citation_keys(articles: Iterable[CanonicalPubMedArticle]) -> dict[str, str]:
    """Keys such as Smith2019a by ID: first author, year, and a letter by rising PMID, whatever the order given."""
    groups: dict[str, set[str]] = defaultdict(set)
    for article in articles:
        groups[_citation_key_stem(article)].add(article.id)
    results = {}
    for stem, ids in groups.items():
        for place, article_id in enumerate(sorted(ids, key=lambda pmid: (len(pmid), pmid))):
            results[article_id] = stem + _suffix_letters(place)
    return results


def _citation_key_stem(article: CanonicalPubMedArticle) -> str:
    first = next(iter(author_names(article)), AuthorName())
    name = (first.last or first.group).translate(_LETTERS)
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if letter.isascii() and letter.isalpha())
    return f"{plain or 'Anonymous'}{article.year or 0:04d}"


def _suffix_letters(place: int) -> str:
    """Letters from a to z, then aa, ab and so on."""
    result = ""
    while place >= 0:
        result = _ALPHABET[place % 26] + result
        place = place // 26 - 1
    return result


def _bibtex_entry(key: str, article: CanonicalPubMedArticle) -> str:
    fields = [f"  {name} = {value}" for name, value in _bibtex_fields(article) if value]
    kind = publication_kind(article)
    return f"@{_BIBTEX_TYPES.get(kind, kind)}{{{key},\n" + ",\n".join(fields) + "\n}\n"


def _bibtex_fields(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str]]:
    yield "author", _bibtex_names(author_names(article), is_cut=is_cut(article))
    yield "title", f"{{{{{latex_escaped(plain_title(article.title))}}}}}"  # twice, so that capitals stay
    yield from _bibtex_container(article)
    parts = date_parts(article)
    yield "year", _in_braces(parts[0] if parts else None)
    if len(parts) > 1 and parts[1].isdigit() and 1 <= int(parts[1]) <= len(_BIBTEX_MONTHS):
        yield "month", _BIBTEX_MONTHS[int(parts[1]) - 1]
    yield "volume", _in_braces(article.volume)
    yield "number", _in_braces(article.issue)
    pages = page_range(article)
    yield "pages", _in_braces("--".join(filter(None, pages)) if pages else None)
    yield "issn", _in_braces(article.issn[0] if article.issn else None)
    yield "doi", _verbatim(article.doi)
    yield "url", _verbatim(pubmed_url(article))
    yield "pmid", _in_braces(article.pmid)
    yield "pmcid", _in_braces(article.pmc)
    yield "keywords", _in_braces(", ".join(article.keywords))
    yield "abstract", _in_braces(article.abstract)
    yield "note", _in_braces("; ".join(citation_warnings(article)))


def _bibtex_container(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str]]:
    book, kind = article.book, publication_kind(article)
    if book is None:
        name = "howpublished" if kind == "preprint" else "journal"
        yield name, _in_braces(article.journal_title or article.journal)
        return
    if kind == "chapter":
        yield "booktitle", f"{{{{{latex_escaped(plain_title(book.title))}}}}}"
    editors = [
        AuthorName(one_line(editor.last_name or ""), one_line(editor.fore_name or editor.initials or ""))
        for editor in book.editors
    ]
    yield "editor", _bibtex_names([name for name in editors if name.last], is_cut=False)
    yield "publisher", _in_braces(book.publisher)
    yield "address", _in_braces(book.place)
    yield "edition", _in_braces(book.edition)
    yield "isbn", _in_braces(book.isbn[0] if book.isbn else None)


def _bibtex_names(names: Sequence[AuthorName], *, is_cut: bool) -> str:
    people = [*map(_bibtex_name, names), *(["others"] if is_cut and names else [])]
    return f"{{{' and '.join(people)}}}" if people else ""


def _bibtex_name(name: AuthorName) -> str:
    """``Last, Suffix, Fore``; a group in braces, so that it is not cut into names."""
    if name.group:
        return f"{{{latex_escaped(name.group)}}}"
    return ", ".join(_bibtex_name_part(part) for part in (name.last, name.suffix, name.fore) if part)


def _bibtex_name_part(text: str) -> str:
    """A part of a name; braces protect one with a comma or an "and"."""
    return f"{{{latex_escaped(text)}}}" if "," in text or _AND.search(text) else latex_escaped(text)


def latex_escaped(text: str) -> str:
    """A text in one line as LaTeX prints it."""
    return one_line(text).translate(_LATEX_ESCAPES)


def _in_braces(text: str | None) -> str:
    return f"{{{escaped}}}" if text and (escaped := latex_escaped(text)) else ""


def _verbatim(text: str | None) -> str:
    return f"{{{one_line(text).translate(_VERBATIM)}}}" if text else ""


def json_lines(records: Iterable[BaseModel]) -> str:
    """Each record in a line of its own, absent facts left out; no line break within a record."""
    return "".join(record.model_dump_json() + "\n" for record in records)


def ranking_table(rows: Sequence[RankedRow]) -> str:
    """The ranking, one article a line, in the columns of the format analysis_ready."""
    return table(columns_of(rows), flat_rows(rows))


def features_table(extractions: Sequence[CanonicalPubMedExtraction]) -> str:
    """The features of the articles, one article a line: the value of each field and its evidence."""
    results = []
    for row in extractions:
        cells: dict[str, Cell] = {"item_id": row.item_id}
        article = row.original_article
        bibliography = {"title": article.title, "year": article.year, "journal": article.journal} if article else {}
        cells |= {name: value for name, value in bibliography.items() if value is not None}
        cells |= dict(flatten(row.extraction, "feature:"))
        evidence = row.extraction_metadata.evidence if row.extraction_metadata else {}
        for field, places in evidence.items():
            cells[f"evidence:{field}"] = " | ".join(place.quote for place in places)
        results.append(cells)
    fields = dict.fromkeys(name.partition(":")[2] for cells in results for name in cells if ":" in name)
    pairs = [f"{kind}:{field}" for field in sorted(fields) for kind in ("feature", "evidence")]
    return table(["item_id", "title", "year", "journal", *pairs], results)


def table(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> str:
    """Header and rows as CSV."""
    return csv_text([columns, *([row.get(name) for name in columns] for row in rows)])
