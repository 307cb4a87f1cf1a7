"""The esummary object of an article, with every key of a recorded one."""

import re
from typing import Any

from biofact.sandbox.services.pubmed import dates
from biofact.sandbox.services.pubmed.facts import ArticleFacts, AuthorFacts, Journal, plain
from biofact.sandbox.word_index import folded

_ID_CODES = {"pubmed": 1, "doi": 3, "pii": 4, "pmc": 8, "mid": 8}
_RECORD_STATES = {
    "MEDLINE": "PubMed - indexed for MEDLINE",
    "PubMed-not-MEDLINE": "PubMed",
    "In-Process": "PubMed - in process",
    "In-Data-Review": "PubMed - in process",
    "Publisher": "PubMed - as supplied by publisher",
}
_STAGES = {"epublish": "3", "ppublish": "4", "aheadofprint": "10"}
_BOOK_STATE = "12"


_KEYS = (
    *("uid", "pubdate", "epubdate", "source", "authors", "lastauthor", "title", "sorttitle", "volume", "issue"),
    *("pages", "lang", "nlmuniqueid", "issn", "essn", "pubtype", "recordstatus", "pubstatus", "articleids", "history"),
    *("references", "attributes", "pmcrefcount", "fulljournalname", "elocationid", "doctype", "srccontriblist"),
    *("booktitle", "medium", "edition", "publisherlocation", "publishername", "srcdate", "reportnumber"),
    *("availablefromurl", "locationlabel", "doccontriblist", "docdate", "bookname", "chapter", "sortpubdate"),
    *("sortfirstauthor", "vernaculartitle"),
)
"""In the order of a recorded answer."""


def docsum(article: ArticleFacts, pmc_cites: int) -> dict[str, Any]:
    """The object that esummary gives; ``pmc_cites`` counts the articles in PMC that cite it."""
    values = {**_article(article, pmc_cites), **_journal(article.journal), **_book(article)}
    return {key: values[key] for key in _KEYS}


def _article(article: ArticleFacts, pmc_cites: int) -> dict[str, Any]:
    title = plain(article.title)
    return {
        "uid": article.pmid,
        "pubdate": _unpadded(article.published),
        "epubdate": worded(article.electronic),
        "authors": [_person(one, _kind(one)) for one in article.authors],
        "lastauthor": article.authors[-1].short if article.authors else "",
        "title": title if article.journal else "",
        "sorttitle": re.sub(r"^(?:the|an?) ", "", folded(title)),
        "volume": article.volume,
        "issue": article.issue,
        "pages": article.pages,
        "lang": list(article.languages),
        "pubtype": list(article.type_names),
        "recordstatus": _RECORD_STATES.get(article.status, "PubMed"),
        "pubstatus": _STAGES.get(article.stage, "4") if article.journal else _BOOK_STATE,
        "articleids": [
            {"idtype": kind, "idtypen": _ID_CODES.get(kind, 8), "value": value}
            for kind, value in (("pubmed", article.pmid), *article.ids)
        ],
        "history": [{"pubstatus": event, "date": _stamped(date)} for event, date in article.history],
        "references": [
            {"refsource": one.source, "reftype": relation(one.kind), "pmid": one.pmid, "note": one.note}
            for one in article.relations
        ],
        "attributes": ["Has Abstract"] if article.abstract else [],
        "pmcrefcount": pmc_cites or "",
        "elocationid": _elocation(article),
        "doctype": "citation" if article.journal else "chapter",
        "sortpubdate": f"{dates.sorting(article):%Y/%m/%d} 00:00",
        "sortfirstauthor": article.authors[0].short if article.authors else "",
        "vernaculartitle": plain(article.vernacular),
    }


def _book(article: ArticleFacts) -> dict[str, Any]:
    """The members of a chapter; empty for an article."""
    book = article.book
    return {
        "srccontriblist": [_person(one, "Editor") for one in (book.editors if book else ())],
        "booktitle": plain(book.title) if book else "",
        "medium": "Internet" if book else "",
        "edition": book.edition if book else "",
        "publisherlocation": book.place if book else "",
        "publishername": book.publisher if book else "",
        "srcdate": book.published if book else "",
        "reportnumber": "",
        "availablefromurl": "",
        "locationlabel": book.label if book else "",
        "doccontriblist": [],
        "docdate": worded(book.contributed) if book else "",
        "bookname": book.code if book else "",
        "chapter": plain(article.title) if book else "",
    }


def _journal(journal: Journal | None) -> dict[str, str]:
    """The members of a journal; empty for a chapter."""
    return {
        "source": journal.short if journal else "",
        "fulljournalname": journal.title if journal else "",
        "nlmuniqueid": journal.nlm_id if journal else "",
        "issn": _issn(journal, "Print"),
        "essn": _issn(journal, "Electronic"),
    }


def _person(author: AuthorFacts, kind: str) -> dict[str, str]:
    return {"name": author.short, "authtype": kind, "clusterid": ""}


def _kind(author: AuthorFacts) -> str:
    return "CollectiveName" if author.collective else "Author"


def _issn(journal: Journal | None, edition: str) -> str:
    """The ISSN of an edition; of the printed one, the linking ISSN is what we know."""
    if journal is None:
        return ""
    if journal.issn_type == edition:
        return journal.issn
    return journal.issn_linking if edition == "Print" and journal.issn_linking != journal.issn else ""


def _elocation(article: ArticleFacts) -> str:
    locations = (f"{kind}: {value}" for kind, value in article.locations)
    return " ".join(locations)


def _unpadded(text: str) -> str:
    """``2019 Feb 1`` of ``2019 Feb 01``."""
    return re.sub(r"(?<= )0(?=\d$)", "", text)


def worded(iso: str) -> str:
    """A date in words: ``2019 Feb 1`` of ``2019-02-01``."""
    day = dates.begin(iso)
    return f"{day:%Y %b} {day.day}" if day else ""


def _stamped(iso: str) -> str:
    date, _, time = iso.partition(" ")
    return f"{date.replace('-', '/')} {time or '00:00'}"


def relation(kind: str) -> str:
    """A kind of relation in words: ``Retraction in`` of ``RetractionIn``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).capitalize()
