"""One record of PubMed, an article or a book chapter."""

import re
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.core.provenance import Notice
from biofact.sources.pubmed.parse import dates, people, subjects
from biofact.sources.pubmed.parse.abstracts import abstract, other_abstracts
from biofact.sources.pubmed.parse.books import book
from biofact.sources.pubmed.parse.elements import attribute, content, languages, leaf, leaves, marked, text
from biofact.sources.pubmed.parse.standing import status
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_PMID = re.compile(r"<PMID(?:\s[^>]*)?>\s*([0-9]+)\s*<")
_ARTICLE = re.compile(r"<Article(?:\s[^>]*)?>")
_FORMS = {"doi": re.compile(r"10\.\d{4,9}/\S+"), "pmc": re.compile(r"PMC\d+")}


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
    return CanonicalPubMedArticle(id=f"PMID:{pmid[1]}", **facts, category="biolink:Article")


def _article(xml: str) -> dict[str, Any]:
    opening = _ARTICLE.search(xml)
    start = opening.end() if opening else 0
    end = max(xml.find("</Article>", start), start)
    middle = xml.find("</MedlineCitation>", end)
    told, after, later = xml[start:end], xml[end:middle], xml[middle:]
    vernacular = leaf(told, "VernacularTitle")
    types = leaves(content(told, "PublicationTypeList"), "PublicationType")
    return {
        "title": leaf(told, "ArticleTitle") or vernacular,
        "vernacular_title": vernacular,
        **_journal(told, after),
        **_when(xml[:start], told, later),
        **_identifiers(told, later),
        **_people(told),
        **_abstracts(told, after),
        "language": languages(told),
        "publication_types": types,
        **_standing(after, types),
        "mesh": subjects.mesh(content(after, "MeshHeadingList")),
        "supplementary_mesh": leaves(content(after, "SupplMeshList"), "SupplMeshName"),
        "keywords": subjects.keywords(after),
        "substances": subjects.substances(content(after, "ChemicalList")),
        "data_banks": subjects.data_banks(told),
        "grants": subjects.grants(told),
        "conflict_of_interest": leaf(after, "CoiStatement"),
    }


def _journal(told: str, after: str) -> dict[str, Any]:
    journal, pages = content(told, "Journal"), content(told, "Pagination")
    listing = content(after, "MedlineJournalInfo")
    title = leaf(journal, "Title")
    return {
        "journal": leaf(listing, "MedlineTA") or leaf(journal, "ISOAbbreviation") or title,
        "journal_title": title,
        "journal_id": leaf(listing, "NlmUniqueID") or leaf(listing, "NLMUniqueID"),
        "issn": list(dict.fromkeys((*leaves(journal, "ISSN"), *leaves(listing, "ISSNLinking")))),
        "country": leaf(listing, "Country"),
        "volume": leaf(journal, "Volume"),
        "issue": leaf(journal, "Issue"),
        "pages": leaf(pages, "MedlinePgn") or _span(pages),
    }


def _span(pages: str) -> str | None:
    start, end = leaf(pages, "StartPage"), leaf(pages, "EndPage")
    return f"{start}-{end}" if start and end else start


def _when(before: str, told: str, later: str) -> dict[str, Any]:
    found = dates.published(content(told, "PubDate"))
    events = dates.events(before, told[max(told.rfind("</AuthorList>"), 0) :], later)
    online = next((event.date for event in events if event.event == "electronic"), None)
    return {
        "year": found.year or (int(online[:4]) if online else None),
        "publication_date": found.date or online,
        "publication_date_text": found.printed,
        "dates": events,
    }


def _identifiers(told: str, later: str) -> dict[str, Any]:
    """The article's own: those of the articles that it cites stand in its references, which are cut."""
    given = [(attribute(at, "IdType"), text(raw)) for at, raw in marked(content(later, "ArticleIdList"), "ArticleId")]
    places = marked(told, "ELocationID")
    given += [(attribute(at, "EIdType"), text(raw)) for at, raw in places if attribute(at, "ValidYN") != "N"]
    notices: list[Notice] = []
    return {
        "doi": _one("doi", given, notices),
        "pmc": _one("pmc", given, notices),
        "pii": next((value for kind, value in given if kind == "pii"), None),
        "notices": notices,
    }


def _one(kind: str, given: list[tuple[str | None, str]], notices: list[Notice]) -> str | None:
    """The identifier of this kind; a notice tells of another, and of what is none."""
    values = {value.lower(): value for of, value in reversed(given) if of == kind}  # each once, in whatever case
    good = [value for value in reversed(values.values()) if _FORMS[kind].fullmatch(value)]
    for value in values.values():
        if value not in good:
            message = f"{value!r:.60} is no {kind} identifier, and left out."
            notices.append(Notice(code="INVALID_CROSS_REFERENCE", message=message))
    if len(good) > 1:
        notices.append(Notice(code="SEVERAL_VALUES", message=f"Also {kind} {', '.join(good[1:])}."))
    return good[0] if good else None


def _standing(after: str, types: list[str]) -> dict[str, Any]:
    found = status(after, types)
    is_retracted = any(one.kind in {"retracted", "partially_retracted"} for one in found)
    return {"status": found, "retracted": is_retracted or None}


def _people(told: str) -> dict[str, Any]:
    found = people.authors(content(told, "AuthorList"))
    former = "" if "<AffiliationInfo>" in told else leaf(told, "Affiliation")  # of the first author, before 2014
    if former and found:
        found[0].affiliations = found[0].affiliations or [former]
    names, count = people.names(found)
    return {"authors": names, "author_count": count, "author_details": found}


def _abstracts(told: str, after: str) -> dict[str, Any]:
    found = abstract(content(told, "Abstract"))
    others = other_abstracts(after) if "<OtherAbstract" in after else []
    return {
        "abstract": found.text,
        "sections": found.sections,
        "copyright": found.copyright,
        "other_abstracts": others,
    }
