"""Facts to the article that efetch gives: the inverse of ``parse``. Pure.

Elements stand in the order of NLM's DTD (pubmed_250101.dtd), attributes and dates as the recorded answers have them.
"""

import re
from collections.abc import Iterator

from biofact.sandbox.services.pubmed import render_book
from biofact.sandbox.services.pubmed.facts import ArticleFacts, Heading, Journal, NamedTerm
from biofact.sandbox.services.pubmed.markup import day, leaf, listed, node, optional
from biofact.sandbox.services.pubmed.render_parts import abstract, author, history, ids, keyword

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
        return f"{render_book.chapter(article, article.book)}\n".encode()
    return f"{node('PubmedArticle', _citation(article), _pubmed_part(article))}\n".encode()


def publication_date(text: str) -> str:
    """What stands in a ``PubDate``: year with month and day or with season, else the words in a ``MedlineDate``."""
    if found := _FULL_DATE.fullmatch(text):
        return "".join(
            optional(name, part or "") for name, part in zip(("Year", "Month", "Day"), found.groups(), strict=True)
        )
    if found := _SEASON.fullmatch(text):
        return leaf("Year", found[1]) + leaf("Season", found[2])
    return leaf("MedlineDate", text)


def _citation(article: ArticleFacts) -> str:
    return node("MedlineCitation", *_citation_parts(article), Status=article.status, Owner=article.owner)


def _citation_parts(article: ArticleFacts) -> Iterator[str]:
    """What is MEDLINE's, in the order of the DTD."""
    yield leaf("PMID", article.pmid, Version="1")
    yield day("DateCompleted", article.completed)
    yield day("DateRevised", article.revised)
    yield node("Article", *_article_parts(article), PubModel=article.model)
    if article.journal:
        yield _journal_names(article.journal)
    yield listed("ChemicalList", (_substance(number, term) for number, term in article.substances))
    yield listed("SupplMeshList", (_term("SupplMeshName", term, Type=kind) for kind, term in article.supplementary))
    yield leaf("CitationSubset", "IM") if article.status == "MEDLINE" else ""
    yield listed("CommentsCorrectionsList", _relations(article))
    yield listed("MeshHeadingList", map(_heading, article.mesh))
    for kind, language, text in article.other_abstracts:
        yield node("OtherAbstract", node("AbstractText", text), Type=kind, Language=language)
    yield listed("KeywordList", map(keyword, article.keywords), Owner="NOTNLM")
    yield node("CoiStatement", article.conflict_of_interest) if article.conflict_of_interest else ""


def _article_parts(article: ArticleFacts) -> Iterator[str]:
    """What the journal printed, in the order of the DTD."""
    if article.journal:
        yield _journal(article, article.journal)
    yield node("ArticleTitle", article.title)
    yield _pages(article.pages)
    yield from (leaf("ELocationID", value, EIdType=kind, ValidYN="Y") for kind, value in article.locations)
    yield abstract(article)
    yield listed("AuthorList", map(author, article.authors), CompleteYN="N" if article.further_authors else "Y")
    yield from (leaf("Language", language) for language in article.languages)
    yield listed("DataBankList", _data_banks(article), CompleteYN="Y")
    yield listed("GrantList", _grants(article), CompleteYN="Y")
    yield listed("PublicationTypeList", (_type(one) for one in article.types))
    yield node("VernacularTitle", article.vernacular) if article.vernacular else ""
    yield day("ArticleDate", article.electronic, DateType="Electronic")


def _journal(article: ArticleFacts, journal: Journal) -> str:
    issue = node(
        "JournalIssue",
        optional("Volume", article.volume),
        optional("Issue", article.issue),
        node("PubDate", publication_date(article.published)),
        CitedMedium=journal.medium,
    )
    return node(
        "Journal",
        optional("ISSN", journal.issn, IssnType=journal.issn_type),
        issue,
        leaf("Title", journal.title),
        optional("ISOAbbreviation", journal.iso),
    )


def _journal_names(journal: Journal) -> str:
    return node(
        "MedlineJournalInfo",
        optional("Country", journal.country),
        leaf("MedlineTA", journal.short),
        optional("NlmUniqueID", journal.nlm_id),
        optional("ISSNLinking", journal.issn_linking),
    )


def _pages(pages: str) -> str:
    """First and last page apart, the last written out, where they are numbers."""
    if not pages:
        return ""
    first, _, last = pages.partition("-")
    if last and len(last) < len(first):
        last = first[: -len(last)] + last  # 1979-87 ends on page 1987
    whole = leaf("MedlinePgn", pages)
    return node("Pagination", leaf("StartPage", first), optional("EndPage", last), whole)


def _type(one: NamedTerm) -> str:
    return leaf("PublicationType", one.name, UI=one.ui)


def _term(name: str, one: NamedTerm, **attributes: str) -> str:
    return leaf(name, one.name, **attributes, UI=one.ui)


def _substance(number: str, one: NamedTerm) -> str:
    return node("Chemical", leaf("RegistryNumber", number), _term("NameOfSubstance", one))


def _data_banks(article: ArticleFacts) -> Iterator[str]:
    for name, accessions in article.data_banks:
        numbers = listed("AccessionNumberList", (leaf("AccessionNumber", number) for number in accessions))
        yield node("DataBank", leaf("DataBankName", name), numbers)


def _grants(article: ArticleFacts) -> Iterator[str]:
    for grant in article.grants:
        number, acronym = optional("GrantID", grant.number), optional("Acronym", grant.acronym)
        yield node("Grant", number, acronym, leaf("Agency", grant.agency), leaf("Country", grant.country))


def _relations(article: ArticleFacts) -> Iterator[str]:
    for one in article.relations:
        pmid = optional("PMID", one.pmid, Version="1")
        source, note = leaf("RefSource", one.source), optional("Note", one.note)
        yield node("CommentsCorrections", source, pmid, note, RefType=one.kind)


def _heading(heading: Heading) -> str:
    place = "Geographic" if heading.descriptor.name in _PLACES else ""
    qualifiers = (_aspect("QualifierName", one) for one in heading.qualifiers)
    return node("MeshHeading", _aspect("DescriptorName", heading.descriptor, Type=place), *qualifiers)


def _aspect(name: str, one: NamedTerm, **attributes: str) -> str:
    return leaf(name, one.name, UI=one.ui, MajorTopicYN="Y" if one.is_major else "N", **attributes)


def _pubmed_part(article: ArticleFacts) -> str:
    return node(
        "PubmedData",
        history(article),
        leaf("PublicationStatus", article.stage),
        ids(article),
        listed("ReferenceList", _references(article)),
    )


def _references(article: ArticleFacts) -> Iterator[str]:
    for one in article.references:
        numbers = listed("ArticleIdList", (leaf("ArticleId", value, IdType=kind) for kind, value in one.ids))
        yield node("Reference", node("Citation", one.citation), numbers)
