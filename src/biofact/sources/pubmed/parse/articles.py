"""One record of PubMed, an article or a book chapter."""

import re
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.core.records import Notice
from biofact.sources.pubmed.parse import dates, people, subjects
from biofact.sources.pubmed.parse.abstracts import abstract, other_abstracts
from biofact.sources.pubmed.parse.books import book
from biofact.sources.pubmed.parse.elements import (
    apart,
    content,
    languages,
    leaf,
    leaves,
    plain,
)
from biofact.sources.pubmed.parse.identifiers import identifiers
from biofact.sources.pubmed.parse.standing import status
from biofact.sources.pubmed.records import CanonicalPubMedArticle, Event

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
    found = book(xml) if xml.startswith("<PubmedBookArticle") else _article(xml)
    if pmid is None or not found["title"]:
        missing = "title" if pmid else "PMID"
        raise UpstreamError(f"PubMed sent a record without a {missing}.", hint="Call again later, or report it.")
    facts = {name: value for name, value in found.items() if value}
    return CanonicalPubMedArticle.model_validate(facts | {"id": f"PMID:{pmid[1]}", "category": "biolink:Article"})


def _article(xml: str) -> dict[str, Any]:
    opening = _ARTICLE.search(xml)
    start = opening.end() if opening else 0
    end = max(xml.find("</Article>", start), start)
    middle = xml.find("</MedlineCitation>", end)
    before, article, after, later = xml[:start], xml[start:end], xml[end:middle], xml[middle:]
    notices = _incomplete(article)
    writers, article = apart(article, "AuthorList")
    own_abstract, article = apart(article, "Abstract")
    journal, article = apart(article, "Journal")
    headings, after = apart(after, "MeshHeadingList")
    listed = plain(journal + content(article, "Pagination") + content(after, "MedlineJournalInfo"))
    vernacular = leaf(article, "VernacularTitle")
    types = leaves(content(article, "PublicationTypeList"), "PublicationType")
    own, disagreements = identifiers(article, content(later, "ArticleIdList"))
    return {
        "title": leaf(article, "ArticleTitle") or vernacular,
        "vernacular_title": vernacular,
        **_journal(listed),
        "pages": _pages(listed),
        **_when(listed, dates.events(before, article, later)),
        **own,
        **_people(writers, article),
        "notices": [*disagreements, *notices],
        **_abstracts(own_abstract, after),
        "language": languages(article),
        "publication_types": types,
        **_standing(after, types),
        "mesh": subjects.mesh(headings),
        "supplementary_mesh": leaves(content(after, "SupplMeshList"), "SupplMeshName"),
        "keywords": subjects.keywords(after),
        "substances": subjects.substances(content(after, "ChemicalList")),
        "data_banks": subjects.data_banks(article),
        "grants": subjects.grants(article),
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


def _when(fields: dict[str, str], events: list[Event]) -> dict[str, Any]:
    found = dates.published(fields)
    online = next((event.date for event in events if event.event == "electronic"), None)
    return {
        "year": found.year or (int(online[:4]) if online else None),
        "publication_date": found.date or online,
        "publication_date_text": found.printed,
        "dates": events,
    }


def _standing(after: str, types: list[str]) -> dict[str, Any]:
    found = status(after, types)
    is_retracted = any(one.kind in {"retracted", "partially_retracted"} for one in found)
    return {"status": found, "retracted": is_retracted or None}


def _people(writers: str, article: str) -> dict[str, Any]:
    found = people.authors(writers)
    former = leaf(article, "Affiliation")  # of the first author, before 2014
    if former and found:
        found[0].affiliations = found[0].affiliations or [former]
    names, count = people.names(found)
    return {"authors": names, "author_count": count, "author_details": found}


def _incomplete(article: str) -> list[Notice]:
    """Says where the record itself names some of the authors only."""
    if not _INCOMPLETE.search(article):
        return []
    return [Notice(code="NOT_COVERED", message="PubMed does not list all authors of this article.")]


def _abstracts(own: str, after: str) -> dict[str, Any]:
    found = abstract(own)
    others = other_abstracts(after) if "<OtherAbstract" in after else []
    return {
        "abstract": found.text,
        "sections": found.sections,
        "copyright": found.copyright,
        "other_abstracts": others,
    }
