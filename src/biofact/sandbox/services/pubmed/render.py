"""Facts to the article that efetch gives: the inverse of ``parse``. Pure.

Elements stand in the order of NLM's DTD (pubmed_250101.dtd), attributes and dates as the recorded answers have them.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from biofact.sandbox.dialects.eutils.replies import Item
from biofact.sandbox.services.pubmed import facts
from biofact.sandbox.services.pubmed.facts import (
    ArticleFacts,
    AuthorFacts,
    BookFacts,
    Heading,
    Journal,
    NamedTerm,
    plain,
)
from biofact.sandbox.sizes import RecordSize, XmlPadding, scattered
from biofact.sandbox.word_index import folded


def node(name: str, *content: str, **attributes: str) -> str:
    """An element with content; attributes without a value are left out."""
    attribute_text = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items() if value)
    inner = "".join(content)
    return f"<{name}{attribute_text}>{inner}</{name}>" if inner else f"<{name}{attribute_text}/>"


def leaf(name: str, text: str, **attributes: str) -> str:
    """An element that holds plain words."""
    return node(name, escape(text), **attributes)


def optional(name: str, text: str, **attributes: str) -> str:
    """An element that holds plain words; nothing without words."""
    return leaf(name, text, **attributes) if text else ""


def list_node(name: str, items: Iterable[str], **attributes: str) -> str:
    """A list of elements; nothing when it is empty."""
    inner = "".join(items)
    return node(name, inner, **attributes) if inner else ""


_DATE_PARTS = ("Year", "Month", "Day", "Hour", "Minute")


def day(name: str, iso: str, **attributes: str) -> str:
    """A date with Year, Month and Day in two digits; nothing without one."""
    return node(name, *map(leaf, _DATE_PARTS, iso.split("-")), **attributes) if iso else ""


def unpadded_date(name: str, iso: str, **attributes: str) -> str:
    """A date, maybe with a time, in numbers without leading zeros; nothing without one."""
    numbers = (str(int(number)) for number in re.findall(r"\d+", iso))
    return node(name, *map(leaf, _DATE_PARTS, numbers), **attributes) if iso else ""


def author(person: AuthorFacts) -> str:
    """A person or a group, with where they work."""
    places = (node("AffiliationInfo", leaf("Affiliation", place)) for place in person.affiliations)
    return node(
        "Author", _author_name(person), optional("Identifier", person.orcid, Source="ORCID"), *places, ValidYN="Y"
    )


def _author_name(person: AuthorFacts) -> str:
    if person.collective:
        return leaf("CollectiveName", person.collective)
    parts = (("ForeName", person.fore), ("Initials", person.initials), ("Suffix", person.suffix))
    return leaf("LastName", person.last) + "".join(optional(name, text) for name, text in parts)


def abstract(article: ArticleFacts) -> str:
    """The abstract by its sections; nothing where there is none."""
    sections = [
        node("AbstractText", passage.text, Label=passage.label, NlmCategory=passage.category)
        for passage in article.abstract
    ]
    rights = node("CopyrightInformation", article.copyright) if article.copyright and sections else ""
    return list_node("Abstract", (*sections, rights))


def keyword(word: str) -> str:
    """A keyword; an asterisk before it marks a main point."""
    return node("Keyword", word.removeprefix("*"), MajorTopicYN="Y" if word.startswith("*") else "N")


def history(article: ArticleFacts) -> str:
    """The dated events; their months and days have no leading zero."""
    return list_node(
        "History", (unpadded_date("PubMedPubDate", iso, PubStatus=event) for event, iso in article.history)
    )


def id_list(ids: Iterable[tuple[str, str]]) -> str:
    """The IDs, each with its kind; nothing without any."""
    return list_node("ArticleIdList", (leaf("ArticleId", value, IdType=kind) for kind, value in ids))


def chapter(article: ArticleFacts, book: BookFacts) -> str:
    """One ``<PubmedBookArticle>``."""
    document = node(
        "BookDocument",
        leaf("PMID", article.pmid, Version="1"),
        id_list([("bookaccession", book.accession)]),
        node("Book", *_book_parts(book)),
        optional("LocationLabel", book.label, Type="chapter"),
        *_chapter_parts(article, book),
    )
    stage, pmid = leaf("PublicationStatus", article.stage), id_list([("pubmed", article.pmid)])
    return node("PubmedBookArticle", document, node("PubmedBookData", history(article), stage, pmid))


def _book_parts(book: BookFacts) -> Iterator[str]:
    """The book itself, in the order of the DTD."""
    place = optional("PublisherLocation", book.place)
    yield node("Publisher", leaf("PublisherName", book.publisher), place)
    yield node("BookTitle", book.title, book=book.code)
    yield node("PubDate", leaf("Year", book.published))
    yield list_node("BeginningDate", [optional("Year", book.begins)])
    yield list_node("EndingDate", [optional("Year", book.ends)])
    yield _people("editors", book.editors)
    yield optional("Volume", book.volume)
    yield optional("Edition", book.edition)
    yield node("CollectionTitle", book.collection) if book.collection else ""
    yield from (leaf("Isbn", number) for number in book.isbn)
    yield leaf("Medium", "Internet")


def _chapter_parts(article: ArticleFacts, book: BookFacts) -> Iterator[str]:
    yield node("ArticleTitle", article.title, book=book.code, part=book.part)
    yield from (leaf("Language", language) for language in article.languages)
    yield _people("authors", article.authors)
    yield from (_term("PublicationType", publication_type) for publication_type in article.types)
    yield abstract(article)
    yield list_node("KeywordList", map(keyword, article.keywords), Owner="NLM")
    yield unpadded_date("ContributionDate", book.contributed)
    yield unpadded_date("DateRevised", article.revised)


def _people(kind: str, people: Iterable[AuthorFacts]) -> str:
    return list_node("AuthorList", map(author, people), Type=kind, CompleteYN="Y")


PROLOG = (
    b'<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"'
    b' "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n<PubmedArticleSet>\n'
)
END = b"</PubmedArticleSet>\n"

_MONTH = r"Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|\d\d?"
_FULL_DATE = re.compile(rf"(\d{{4}})(?: ({_MONTH}))?(?: (\d\d?))?")
_SEASON = re.compile(r"(\d{4}) ([A-Z][a-z]+(?:-[A-Z][a-z]+)?)")
_PLACES = frozenset({"United States", "Sweden", "China", "United Kingdom", "Norway", "Germany"})
"""Descriptors that the recorded answers mark as geographic."""


def article_xml(article: ArticleFacts) -> bytes:
    """One ``<PubmedArticle>``, or of a chapter one ``<PubmedBookArticle>``."""
    if article.book:
        return f"{chapter(article, article.book)}\n".encode()
    citation = node("MedlineCitation", *_citation_parts(article), Status=article.status, Owner=article.owner)
    return f"{node('PubmedArticle', citation, _pubmed_part(article))}\n".encode()


def publication_date(text: str) -> str:
    """The content of a ``PubDate``: year with month and day or with season, else the text as a ``MedlineDate``."""
    if match := _FULL_DATE.fullmatch(text):
        return "".join(
            optional(name, part or "") for name, part in zip(("Year", "Month", "Day"), match.groups(), strict=True)
        )
    if match := _SEASON.fullmatch(text):
        return leaf("Year", match[1]) + leaf("Season", match[2])
    return leaf("MedlineDate", text)


def _citation_parts(article: ArticleFacts) -> Iterator[str]:
    """MEDLINE's elements, in the order of the DTD."""
    yield leaf("PMID", article.pmid, Version="1")
    yield day("DateCompleted", article.completed)
    yield day("DateRevised", article.revised)
    yield node("Article", *_article_parts(article), PubModel=article.model)
    if article.journal:
        yield _journal_names(article.journal)
    yield list_node("ChemicalList", (_substance(number, term) for number, term in article.substances))
    yield list_node("SupplMeshList", (_term("SupplMeshName", term, Type=kind) for kind, term in article.supplementary))
    yield leaf("CitationSubset", "IM") if article.status == "MEDLINE" else ""
    yield list_node("CommentsCorrectionsList", _relations(article))
    yield list_node("MeshHeadingList", map(_heading, article.mesh))
    for kind, language, text in article.other_abstracts:
        yield node("OtherAbstract", node("AbstractText", text), Type=kind, Language=language)
    yield list_node("KeywordList", map(keyword, article.keywords), Owner="NOTNLM")
    yield node("CoiStatement", article.conflict_of_interest) if article.conflict_of_interest else ""


def _article_parts(article: ArticleFacts) -> Iterator[str]:
    """The article's own elements, in the order of the DTD."""
    if article.journal:
        yield _journal_element(article, article.journal)
    yield node("ArticleTitle", article.title)
    yield _pages(article.pages)
    yield from (leaf("ELocationID", value, EIdType=kind, ValidYN="Y") for kind, value in article.locations)
    yield abstract(article)
    yield list_node("AuthorList", map(author, article.authors), CompleteYN="N" if article.further_authors else "Y")
    yield from (leaf("Language", language) for language in article.languages)
    yield list_node("DataBankList", _data_banks(article), CompleteYN="Y")
    yield list_node("GrantList", _grants(article), CompleteYN="Y")
    yield list_node("PublicationTypeList", (_term("PublicationType", kind) for kind in article.types))
    yield node("VernacularTitle", article.vernacular) if article.vernacular else ""
    yield day("ArticleDate", article.electronic, DateType="Electronic")


def _journal_element(article: ArticleFacts, journal: Journal) -> str:
    volume, number = optional("Volume", article.volume), optional("Issue", article.issue)
    published = node("PubDate", publication_date(article.published))
    issue = node("JournalIssue", volume, number, published, CitedMedium=journal.medium)
    issn = optional("ISSN", journal.issn, IssnType=journal.issn_type)
    return node("Journal", issn, issue, leaf("Title", journal.title), optional("ISOAbbreviation", journal.iso))


def _journal_names(journal: Journal) -> str:
    country, name = optional("Country", journal.country), leaf("MedlineTA", journal.short)
    ids = (optional("NlmUniqueID", journal.nlm_id), optional("ISSNLinking", journal.issn_linking))
    return node("MedlineJournalInfo", country, name, *ids)


def _pages(pages: str) -> str:
    """First and last page apart, the last written out, where they are numbers."""
    if not pages:
        return ""
    first, _, last = pages.partition("-")
    if last and len(last) < len(first):
        last = first[: -len(last)] + last  # 1979-87 ends on page 1987
    whole = leaf("MedlinePgn", pages)
    return node("Pagination", leaf("StartPage", first), optional("EndPage", last), whole)


def _term(name: str, term: NamedTerm, **attributes: str) -> str:
    return leaf(name, term.name, **attributes, UI=term.ui)


def _substance(number: str, term: NamedTerm) -> str:
    return node("Chemical", leaf("RegistryNumber", number), _term("NameOfSubstance", term))


def _data_banks(article: ArticleFacts) -> Iterator[str]:
    for name, accessions in article.data_banks:
        numbers = list_node("AccessionNumberList", (leaf("AccessionNumber", number) for number in accessions))
        yield node("DataBank", leaf("DataBankName", name), numbers)


def _grants(article: ArticleFacts) -> Iterator[str]:
    for grant in article.grants:
        number, acronym = optional("GrantID", grant.number), optional("Acronym", grant.acronym)
        yield node("Grant", number, acronym, leaf("Agency", grant.agency), leaf("Country", grant.country))


def _relations(article: ArticleFacts) -> Iterator[str]:
    for relation in article.relations:
        pmid = optional("PMID", relation.pmid, Version="1")
        source, note = leaf("RefSource", relation.source), optional("Note", relation.note)
        yield node("CommentsCorrections", source, pmid, note, RefType=relation.kind)


def _heading(heading: Heading) -> str:
    place = "Geographic" if heading.descriptor.name in _PLACES else ""
    qualifiers = (_aspect("QualifierName", qualifier) for qualifier in heading.qualifiers)
    return node("MeshHeading", _aspect("DescriptorName", heading.descriptor, Type=place), *qualifiers)


def _aspect(name: str, term: NamedTerm, **attributes: str) -> str:
    return leaf(name, term.name, UI=term.ui, MajorTopicYN="Y" if term.is_major else "N", **attributes)


def _pubmed_part(article: ArticleFacts) -> str:
    return node(
        "PubmedData",
        history(article),
        leaf("PublicationStatus", article.stage),
        id_list((("pubmed", article.pmid), *article.ids)),
        list_node("ReferenceList", _references(article)),
    )


def _references(article: ArticleFacts) -> Iterator[str]:
    for reference in article.references:
        yield node("Reference", node("Citation", reference.citation), id_list(reference.ids))


@functools.cache
def _further_references() -> tuple[bytes, ...]:
    """Some 60 kB of references to articles that do not exist, no two the same."""
    numbers = [99_500_000 + scattered(n, 400_000) for n in range(256)]
    return tuple(_made_up_reference(number).encode() for number in numbers)


def _made_up_reference(pmid: int) -> str:
    words = " ".join(f"{scattered(9 * pmid + place, 1 << 28):x}" for place in range(9))
    citation = f"{words}. J Sandbox. {1990 + pmid % 35};{pmid % 97}({pmid % 12}):{pmid % 1000}-{pmid % 1000 + 9}."
    ids = (("doi", f"10.9999/sandbox.{pmid}"), ("pubmed", str(pmid)))
    return node("Reference", node("Citation", citation), id_list(ids))


ARTICLE_PADDING = XmlPadding(
    path="/efetch.fcgi",
    size=RecordSize(10_100, 211_000, "286 recorded articles of 2017-26: 2.0, median 10.1, at most 211 kB"),
    uid=re.compile(rb"<PMID[^>]*>(\d+)<"),
    place=b"</PubmedData>",  # a book chapter has none, and no list of references
    elements=_further_references,
    wrapper=(b"<ReferenceList>", b"</ReferenceList>"),
)

_ID_CODES = {"pubmed": 1, "doi": 3, "pii": 4, "pmc": 8, "mid": 8}
_RECORD_STATES = {
    "MEDLINE": "PubMed - indexed for MEDLINE",
    "PubMed-not-MEDLINE": "PubMed",
    "In-Process": "PubMed - in process",
    "In-Data-Review": "PubMed - in process",
    "Publisher": "PubMed - as supplied by publisher",
}
_STAGE_CODES = {"epublish": "3", "ppublish": "4", "aheadofprint": "10"}
_BOOK_STATE = "12"


_NO_JOURNAL = Journal("", "", "", "", "", "", "", "", "")
_NO_BOOK = BookFacts(title="", accession="", publisher="", place="")


def docsum(article: ArticleFacts, pmc_cites: int) -> dict[str, Any]:
    """The object that esummary gives; ``pmc_cites`` counts the articles in PMC that cite it."""
    journal, book, title = article.journal or _NO_JOURNAL, article.book or _NO_BOOK, plain(article.title)
    return {  # in the order of a recorded answer; a chapter has no journal's members, an article no book's
        "uid": article.pmid,
        "pubdate": re.sub(r"(?<= )0(?=\d$)", "", article.published),  # 2019 Feb 1, for 2019 Feb 01
        "epubdate": date_in_words(article.electronic),
        "source": journal.short,
        "authors": [_person(author, "CollectiveName" if author.collective else "Author") for author in article.authors],
        "lastauthor": article.authors[-1].short if article.authors else "",
        "title": title if article.journal else "",
        "sorttitle": re.sub(r"^(?:the|an?) ", "", folded(title)),  # without its article
        "volume": article.volume,
        "issue": article.issue,
        "pages": article.pages,
        "lang": list(article.languages),
        "nlmuniqueid": journal.nlm_id,
        "issn": _issn(journal, "Print"),
        "essn": _issn(journal, "Electronic"),
        "pubtype": list(article.type_names),
        "recordstatus": _RECORD_STATES.get(article.status, "PubMed"),
        "pubstatus": _STAGE_CODES.get(article.stage, "4") if article.journal else _BOOK_STATE,
        "articleids": [
            {"idtype": kind, "idtypen": _ID_CODES.get(kind, 8), "value": value}
            for kind, value in (("pubmed", article.pmid), *article.ids)
        ],
        "history": [{"pubstatus": event, "date": timestamp(date)} for event, date in article.history],
        "references": [
            {"refsource": item.source, "reftype": relation(item.kind), "pmid": item.pmid, "note": item.note}
            for item in article.relations
        ],
        "attributes": ["Has Abstract"] if article.abstract else [],
        "pmcrefcount": pmc_cites or "",  # a number, or an empty text for none (UPSTREAMS 2.5)
        "fulljournalname": journal.title,
        "elocationid": " ".join(f"{kind}: {value}" for kind, value in article.locations),
        "doctype": "citation" if article.journal else "chapter",
        "srccontriblist": [_person(editor, "Editor") for editor in book.editors],
        "booktitle": plain(book.title),
        "medium": "Internet" if article.book else "",
        "edition": book.edition,
        "publisherlocation": book.place,
        "publishername": book.publisher,
        "srcdate": book.published,
        "reportnumber": "",
        "availablefromurl": "",
        "locationlabel": book.label,
        "doccontriblist": [],
        "docdate": date_in_words(book.contributed),
        "bookname": book.code,
        "chapter": title if article.book else "",
        "sortpubdate": f"{facts.sort_date(article):%Y/%m/%d} 00:00",
        "sortfirstauthor": article.authors[0].short if article.authors else "",
        "vernaculartitle": plain(article.vernacular),
    }


def _person(author: AuthorFacts, kind: str) -> dict[str, str]:
    return {"name": author.short, "authtype": kind, "clusterid": ""}


def _issn(journal: Journal, edition: str) -> str:
    """The ISSN of an edition; of the printed one, the linking ISSN is what we know."""
    if journal.issn_type == edition:
        return journal.issn
    return journal.issn_linking if edition == "Print" and journal.issn_linking != journal.issn else ""


def date_in_words(iso: str) -> str:
    """A date in words: ``2019 Feb 1`` of ``2019-02-01``."""
    day = facts.first_day(iso)
    return f"{day:%Y %b} {day.day}" if day else ""


def timestamp(iso: str) -> str:
    """``2012/10/09 06:00`` of ``2012-10-09 06:00``; midnight where no time is known."""
    date, _, time = iso.partition(" ")
    return f"{date.replace('-', '/')} {time or '00:00'}"


def relation(kind: str) -> str:
    """A kind of relation in words: ``Retraction in`` of ``RetractionIn``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).capitalize()


_STAGE_NAMES = {code: stage for stage, code in _STAGE_CODES.items()}


def docsum_items(article: ArticleFacts, summary: dict[str, Any]) -> Iterator[Item]:
    """The items of an article, of which ``summary`` is the second version."""
    yield from (("PubDate", "Date", summary["pubdate"]), ("EPubDate", "Date", summary["epubdate"]))
    yield "Source", "String", summary["source"]
    yield _item_list("AuthorList", "Author", [author["name"] for author in summary["authors"]])
    for name in ("LastAuthor", "Title", "Volume", "Issue", "Pages"):
        yield name, "String", summary[name.lower()]
    yield _item_list("LangList", "Lang", [facts.LANGUAGES.get(code, code) for code in summary["lang"]])
    for name in ("NlmUniqueID", "ISSN", "ESSN"):
        yield name, "String", summary[name.lower()]
    yield _item_list("PubTypeList", "PubType", summary["pubtype"])
    yield "RecordStatus", "String", summary["recordstatus"]
    yield "PubStatus", "String", _STAGE_NAMES.get(summary["pubstatus"], "")
    ids = summary["articleids"]
    yield "ArticleIds", "List", [(row["idtype"], "String", row["value"]) for row in ids]
    yield from (("DOI", "String", row["value"]) for row in ids if row["idtype"] == "doi")
    yield "History", "List", [(event["pubstatus"], "Date", event["date"]) for event in summary["history"]]
    related = [f"{row['reftype']}: {row['refsource']}" for row in summary["references"]]
    yield _item_list("References", "Reference", related)
    yield "HasAbstract", "Integer", str(int("Has Abstract" in summary["attributes"]))
    yield "PmcRefCount", "Integer", str(summary["pmcrefcount"] or 0)
    yield "FullJournalName", "String", summary["fulljournalname"]
    yield "ELocationID", "String", summary["elocationid"]
    yield "SO", "String", printed_place(article)


def _item_list(name: str, member: str, values: list[str]) -> Item:
    return name, "List", [(member, "String", value) for value in values]


def printed_place(article: ArticleFacts) -> str:
    """Date, volume, issue and pages: ``2012 Oct;39(10):5795-813``."""
    issue = f"({article.issue})" if article.issue else ""
    pages = f":{article.pages}" if article.pages else ""
    return ";".join(filter(None, (article.published, f"{article.volume}{issue}{pages}")))
