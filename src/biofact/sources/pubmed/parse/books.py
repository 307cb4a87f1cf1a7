"""Chapters and reports of the NCBI Bookshelf, which have a layout of their own."""

from typing import Any

from biofact.core.records import Notice
from biofact.sources.pubmed.parse import dates, people, subjects
from biofact.sources.pubmed.parse.abstracts import abstract
from biofact.sources.pubmed.parse.elements import attribute, content, languages, leaf, leaves, marked, plain, text
from biofact.sources.pubmed.parse.identifiers import identifiers
from biofact.sources.pubmed.records import Author, Book, Event


def book(xml: str) -> dict[str, Any]:
    """The facts of a ``<PubmedBookArticle>``."""
    whole = content(xml, "Book")
    chapter = xml.replace(whole, "", 1)
    printed = dates.published(plain(content(whole, "PubDate")))
    contributed = dates.day(plain(content(chapter, "ContributionDate")))
    title = leaf(whole, "BookTitle")
    own = abstract(content(chapter, "Abstract"))
    writers = [person for _, written in marked(chapter, "AuthorList") for person in people.authors(written)]
    names, count = people.names(writers or _people(whole, "authors"))
    ids, notices = _identifiers(chapter, whole)
    return {
        "title": leaf(chapter, "ArticleTitle") or leaf(chapter, "VernacularTitle") or title,
        "year": int(contributed[:4]) if contributed else printed.year,
        "publication_date": contributed or printed.date,
        "publication_date_text": printed.printed,
        "dates": dates.events(chapter, "", chapter) + _contribution(contributed),
        "journal": title,
        "authors": names,
        "author_count": count,
        "author_details": writers,
        "doi": ids["doi"],
        "notices": notices,
        "abstract": own.text,
        "sections": own.sections,
        "copyright": own.copyright,
        "language": languages(chapter),
        "publication_types": leaves(chapter, "PublicationType"),
        "keywords": subjects.keywords(chapter),
        "grants": subjects.grants(chapter),
        "pages": leaf(chapter, "MedlinePgn"),
        "book": _book(whole, title, _accession(chapter)) if title else None,
    }


def _contribution(date: str | None) -> list[Event]:
    return [Event("contributed", date)] if date else []


def _identifiers(chapter: str, whole: str) -> tuple[dict[str, str | None], list[Notice]]:
    """The chapter's own, else those of the book."""
    ids, notices = identifiers(chapter, chapter)
    return (ids, notices) if ids["doi"] else identifiers(whole, whole)


def _accession(chapter: str) -> str | None:
    given = ((attribute(at, "IdType"), raw) for at, raw in marked(chapter, "ArticleId"))
    return next((text(raw) for kind, raw in given if kind == "bookaccession"), None)


def _book(whole: str, title: str, accession: str | None) -> Book:
    return Book(
        title=title,
        accession=accession,
        publisher=leaf(whole, "PublisherName"),
        place=leaf(whole, "PublisherLocation"),
        edition=leaf(whole, "Edition"),
        volume=leaf(whole, "Volume"),
        collection=leaf(whole, "CollectionTitle"),
        isbn=leaves(whole, "Isbn"),
        editors=_people(whole, "editors"),
        authors=_people(whole, "authors"),
        first_year=leaf(content(whole, "BeginningDate"), "Year"),
        last_year=leaf(content(whole, "EndingDate"), "Year"),
    )


def _people(whole: str, kind: str) -> list[Author]:
    lists = (written for at, written in marked(whole, "AuthorList") if attribute(at, "Type") == kind)
    return [person for written in lists for person in people.authors(written)]
