"""One record of PubMed, an article or a book chapter."""

import re
from collections.abc import Iterator
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.core.records import Notice
from biofact.sources.pubmed.parse import elements
from biofact.sources.pubmed.parse.elements import (
    abstract,
    attribute,
    content,
    elements_named,
    extract,
    identifiers,
    languages,
    leaf,
    leaves,
    other_abstracts,
    plain,
    text,
)
from biofact.sources.pubmed.records import Author, Book, CanonicalPubMedArticle, Event, Status, StatusKind


def book(xml: str) -> dict[str, Any]:
    """The facts of a ``<PubmedBookArticle>``."""
    whole = content(xml, "Book")
    chapter = xml.replace(whole, "", 1)
    publication = elements.published(plain(content(whole, "PubDate")))
    contribution_date = elements.day(plain(content(chapter, "ContributionDate")))
    contribution = [Event("contributed", contribution_date)] if contribution_date else []
    title = leaf(whole, "BookTitle")
    writers = [person for _, list_xml in elements_named(chapter, "AuthorList") for person in elements.authors(list_xml)]
    names, count = elements.names(writers or _book_people(whole, "authors"))
    ids, notices = identifiers(chapter, chapter)
    if not ids["doi"]:
        ids, notices = identifiers(whole, whole)
    return {
        "title": leaf(chapter, "ArticleTitle") or leaf(chapter, "VernacularTitle") or title,
        "year": int(contribution_date[:4]) if contribution_date else publication.year,
        "publication_date": contribution_date or publication.date,
        "publication_date_text": publication.display,
        "dates": elements.events(chapter, "", chapter) + contribution,
        "journal": title,
        "authors": names,
        "author_count": count,
        "author_details": writers,
        "doi": ids["doi"],
        "notices": notices,
        **_abstract_fields(content(chapter, "Abstract")),
        "language": languages(chapter),
        "publication_types": leaves(chapter, "PublicationType"),
        "keywords": elements.keywords(chapter),
        "grants": elements.grants(chapter),
        "pages": leaf(chapter, "MedlinePgn"),
        "book": _book(whole, title, _accession(chapter)) if title else None,
    }


def _accession(chapter: str) -> str | None:
    ids = ((attribute(attributes, "IdType"), raw) for attributes, raw in elements_named(chapter, "ArticleId"))
    return next((text(raw) for kind, raw in ids if kind == "bookaccession"), None)


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
        editors=_book_people(whole, "editors"),
        authors=_book_people(whole, "authors"),
        first_year=leaf(content(whole, "BeginningDate"), "Year"),
        last_year=leaf(content(whole, "EndingDate"), "Year"),
    )


def _book_people(whole: str, kind: str) -> list[Author]:
    lists = (
        list_xml
        for attributes, list_xml in elements_named(whole, "AuthorList")
        if attribute(attributes, "Type") == kind
    )
    return [person for list_xml in lists for person in elements.authors(list_xml)]


# RefType of CommentsCorrections (DTD of January 2025). Those that are left out, such as CommentIn, change nothing.
_KINDS: dict[str, StatusKind] = {
    "RetractionIn": "retracted",
    "RetractedandRepublishedIn": "retracted",
    "PartialRetractionIn": "partially_retracted",
    "RetractionOf": "retraction_notice",
    "PartialRetractionOf": "retraction_notice",
    "ErratumIn": "corrected",
    "CorrectedandRepublishedIn": "corrected",
    "ErratumFor": "correction_notice",
    "ExpressionOfConcernIn": "expression_of_concern",
    "ExpressionOfConcernFor": "expression_of_concern_notice",
    "RepublishedIn": "republished",
    "RepublishedFrom": "republished",
    "CorrectedandRepublishedFrom": "republished",
    "RetractedandRepublishedFrom": "republished",
    "UpdateIn": "updated",
    "UpdateOf": "update",
}
# Publication types that say the same where nothing is pointed to.
_TYPES: dict[str, StatusKind] = {
    "Retracted Publication": "retracted",
    "Retraction of Publication": "retraction_notice",
    "Retraction Notice": "retraction_notice",
    "Published Erratum": "correction_notice",
    "Expression of Concern": "expression_of_concern_notice",
    "Corrected and Republished Article": "republished",
    "Preprint": "preprint",
}
_LINK = re.compile(
    rf"""<CommentsCorrections\s[^>]*?RefType\s*=\s*["']({"|".join(_KINDS)})["'][^>]*>(.*?)</CommentsCorrections>""",
    re.DOTALL,
)
_PREPRINT_SERVER = re.compile(r"\b\w{0,6}rxiv\b|\bres(?:earch)? sq(?:uare)?\b|\bssrn\b|\bpreprints?\b", re.IGNORECASE)


def status(xml: str, publication_types: list[str]) -> list[Status]:
    """All that became of the article, those that point somewhere first."""
    links = list(_linked_statuses(content(xml, "CommentsCorrectionsList"), is_preprint="Preprint" in publication_types))
    kinds = {link.kind for link in links}
    if "partially_retracted" in kinds:
        kinds.add("retracted")
    silent = dict.fromkeys(kind for name, kind in _TYPES.items() if name in publication_types)
    return [*links, *(Status(kind) for kind in silent if kind not in kinds)]


def _linked_statuses(xml: str, *, is_preprint: bool) -> Iterator[Status]:
    for name, link in _LINK.findall(xml):
        kind, pmid, source = _KINDS[name], leaf(link, "PMID"), leaf(link, "RefSource")
        if kind == "updated" and is_preprint:
            kind = "preprint"
        if kind == "update" and source and _PREPRINT_SERVER.search(source):
            kind = "published_preprint"
        yield Status(kind, f"PMID:{pmid}" if pmid else None, source, leaf(link, "Note"))


_PMID = re.compile(r"<PMID(?:\s[^>]*)?>\s*([0-9]+)\s*<")
_ARTICLE = re.compile(r"<Article(?:\s[^>]*)?>")
_INCOMPLETE = re.compile(r"""<AuthorList\s[^>]*CompleteYN\s*=\s*["']N["']""")


def article(payload: bytes) -> CanonicalPubMedArticle:
    """The record in one ``<PubmedArticle>`` or ``<PubmedBookArticle>`` element, as ``ArticleSplitter`` trims it.

    Raises:
        UpstreamError: it has no PMID or no title of any kind.
    """
    xml = payload.decode()
    pmid = _PMID.search(xml)
    values = book(xml) if xml.startswith("<PubmedBookArticle") else _article(xml)
    if pmid is None or not values["title"]:
        missing = "title" if pmid else "PMID"
        raise UpstreamError(f"PubMed sent a record without a {missing}.", hint="Call again later, or report it.")
    facts = {name: value for name, value in values.items() if value}
    return CanonicalPubMedArticle.model_validate(facts | {"id": f"PMID:{pmid[1]}", "category": "biolink:Article"})


def _article(xml: str) -> dict[str, Any]:
    opening = _ARTICLE.search(xml)
    start = opening.end() if opening else 0
    end = max(xml.find("</Article>", start), start)
    middle = xml.find("</MedlineCitation>", end)
    before, article, after, history = xml[:start], xml[start:end], xml[end:middle], xml[middle:]
    notices = _incomplete(article)
    writers, article = extract(article, "AuthorList")
    own_abstract, article = extract(article, "Abstract")
    journal, article = extract(article, "Journal")
    headings, after = extract(after, "MeshHeadingList")
    journal_fields = plain(journal + content(article, "Pagination") + content(after, "MedlineJournalInfo"))
    vernacular = leaf(article, "VernacularTitle")
    types = leaves(content(article, "PublicationTypeList"), "PublicationType")
    ids, disagreements = identifiers(article, content(history, "ArticleIdList"))
    return {
        "title": leaf(article, "ArticleTitle") or vernacular,
        "vernacular_title": vernacular,
        **_journal(journal_fields),
        "pages": _pages(journal_fields),
        **_publication_dates(journal_fields, elements.events(before, article, history)),
        **ids,
        **_people(writers, article),
        "notices": [*disagreements, *notices],
        **_abstract_fields(own_abstract),
        "other_abstracts": other_abstracts(after) if "<OtherAbstract" in after else [],
        "language": languages(article),
        "publication_types": types,
        **_statuses(after, types),
        "mesh": elements.mesh(headings),
        "supplementary_mesh": leaves(content(after, "SupplMeshList"), "SupplMeshName"),
        "keywords": elements.keywords(after),
        "substances": elements.substances(content(after, "ChemicalList")),
        "data_banks": elements.data_banks(article),
        "grants": elements.grants(article),
        "conflict_of_interest": leaf(after, "CoiStatement"),
    }


def _journal(fields: dict[str, str]) -> dict[str, Any]:
    title, issns = fields.get("Title"), (fields.get("ISSN"), fields.get("ISSNLinking"))
    return {
        "journal": fields.get("MedlineTA") or fields.get("ISOAbbreviation") or title,
        "journal_title": title,
        "journal_id": fields.get("NlmUniqueID") or fields.get("NLMUniqueID"),
        "issn": [issn for issn in dict.fromkeys(issns) if issn],
        "country": fields.get("Country"),
        "volume": fields.get("Volume"),
        "issue": fields.get("Issue"),
    }


def _pages(fields: dict[str, str]) -> str | None:
    start, end = fields.get("StartPage"), fields.get("EndPage")
    return fields.get("MedlinePgn") or (f"{start}-{end}" if start and end else start)


def _publication_dates(fields: dict[str, str], events: list[Event]) -> dict[str, Any]:
    published = elements.published(fields)
    online = next((event.date for event in events if event.event == "electronic"), None)
    return {
        "year": published.year or (int(online[:4]) if online else None),
        "publication_date": published.date or online,
        "publication_date_text": published.display,
        "dates": events,
    }


def _statuses(after: str, types: list[str]) -> dict[str, Any]:
    statuses = status(after, types)
    is_retracted = any(status_entry.kind in {"retracted", "partially_retracted"} for status_entry in statuses)
    return {"status": statuses, "retracted": is_retracted or None}


def _people(writers: str, article: str) -> dict[str, Any]:
    authors = elements.authors(writers)
    former = leaf(article, "Affiliation")  # of the first author, before 2014
    if former and authors:
        authors[0].affiliations = authors[0].affiliations or [former]
    names, count = elements.names(authors)
    return {"authors": names, "author_count": count, "author_details": authors}


def _incomplete(article: str) -> list[Notice]:
    """A notice if the record itself is marked as naming only some of the authors."""
    if not _INCOMPLETE.search(article):
        return []
    return [Notice(code="NOT_COVERED", message="PubMed does not list all authors of this article.")]


def _abstract_fields(xml: str) -> dict[str, Any]:
    own = abstract(xml)
    return {"abstract": own.text, "sections": own.sections, "copyright": own.copyright}
