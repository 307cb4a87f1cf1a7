"""Recorded articles as facts: the inverse of ``render``, but for the marks of formulas. Chapters are left out."""

import csv
import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biofact.dialects import xml
from biofact.sandbox.services.pubmed.facts import (
    AbstractSection,
    ArticleFacts,
    AuthorFacts,
    GrantFacts,
    Heading,
    Journal,
    NamedTerm,
    Reference,
    Relation,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_WHOLE = frozenset({"body", "rewrapped", "record", "dump"})
"""How near a file is to what was sent; others were cut or altered."""
_ARTICLE = "MedlineCitation/Article"


def recorded_articles(recordings: Path) -> list[ArticleFacts]:
    """Every article in a folder of recordings, once; of several the one in the first file. None without a manifest."""
    found: dict[str, ArticleFacts] = {}
    for name in _files(recordings):
        body = (recordings / name).read_bytes()
        root = xml.tree(gzip.decompress(body) if name.endswith(".gz") else body)
        for record in root.iter("PubmedArticle"):
            if record.findtext(f"{_ARTICLE}/Journal/JournalIssue/PubDate/*"):
                facts = article(record)
                found.setdefault(facts.pmid, facts)
    return list(found.values())


def _files(recordings: Path) -> Iterator[str]:
    manifest = recordings / "MANIFEST.tsv"
    if not manifest.is_file():
        return
    with manifest.open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["wire"] in _WHOLE and re.fullmatch(r"pubmed/(?!sul_esearch).*\.xml(\.gz)?", row["path"]):
                yield row["path"]


def article(record: "Element") -> ArticleFacts:
    """The facts that a ``<PubmedArticle>`` tells."""
    citation, details = record.find("MedlineCitation"), record.find(_ARTICLE)
    assert citation is not None  # noqa: S101  # nobody sends an article without
    assert details is not None  # noqa: S101
    events = record.iterfind("PubmedData/History/PubMedPubDate")
    return ArticleFacts(
        pmid=citation.findtext("PMID", ""),
        title=_markup(details.find("ArticleTitle")),
        vernacular=_markup(details.find("VernacularTitle")),
        journal=_journal(citation, details),
        volume=details.findtext("Journal/JournalIssue/Volume", ""),
        issue=details.findtext("Journal/JournalIssue/Issue", ""),
        pages=details.findtext("Pagination/MedlinePgn", ""),
        published=" ".join(part.text or "" for part in details.iterfind("Journal/JournalIssue/PubDate/*")),
        electronic=_date(details.find("ArticleDate")),
        model=details.get("PubModel", ""),
        status=citation.get("Status", ""),
        owner=citation.get("Owner", ""),
        completed=_date(citation.find("DateCompleted")),
        revised=_date(citation.find("DateRevised")),
        history=tuple((event.get("PubStatus", ""), _date(event)) for event in events),
        stage=record.findtext("PubmedData/PublicationStatus", ""),
        ids=tuple(_ids(record.find("PubmedData/ArticleIdList"), "pubmed")),
        located=tuple(f"{one.get('EIdType')}:{one.text}" for one in details.iterfind("ELocationID")),
        languages=tuple(one.text or "" for one in details.iterfind("Language")),
        types=tuple(_term(one) for one in details.iterfind("PublicationTypeList/PublicationType")),
        **_words(citation, details),
        **_lists(citation, details),
        references=tuple(_reference(one) for one in record.iterfind("PubmedData/ReferenceList/Reference")),
    )


def _words(citation: "Element", details: "Element") -> dict[str, Any]:
    """Abstracts, keywords and what else is text."""
    other = citation.iterfind("OtherAbstract")
    return {
        "abstract": tuple(
            AbstractSection(_markup(one), one.get("Label", ""), one.get("NlmCategory", ""))
            for one in details.iterfind("Abstract/AbstractText")
        ),
        "copyright": _markup(details.find("Abstract/CopyrightInformation")),
        "other_abstracts": tuple(
            (one.get("Type", ""), one.get("Language", "eng"), " ".join(map(_markup, one.iterfind("AbstractText"))))
            for one in other
        ),
        "keywords": tuple(
            f"{'*' if one.get('MajorTopicYN') == 'Y' else ''}{_markup(one)}"
            for one in citation.iterfind("KeywordList/Keyword")
        ),
        "conflict_of_interest": _markup(citation.find("CoiStatement")),
    }


def _lists(citation: "Element", details: "Element") -> dict[str, Any]:
    """Who, about what, paid by whom, and what became of it."""
    return {
        "authors": tuple(_author(one) for one in details.iterfind("AuthorList/Author")),
        "mesh": tuple(
            Heading(_term(one[0]), tuple(_term(aspect) for aspect in one[1:]))
            for one in citation.iterfind("MeshHeadingList/MeshHeading")
        ),
        "substances": tuple(
            (one.findtext("RegistryNumber", ""), _term(one[1])) for one in citation.iterfind("ChemicalList/Chemical")
        ),
        "supplementary": tuple(
            (one.get("Type", ""), _term(one)) for one in citation.iterfind("SupplMeshList/SupplMeshName")
        ),
        "data_banks": tuple(
            (one.findtext("DataBankName", ""), tuple(number.text or "" for number in one.iter("AccessionNumber")))
            for one in details.iterfind("DataBankList/DataBank")
        ),
        "grants": tuple(
            GrantFacts(*(one.findtext(name, "") for name in ("GrantID", "Acronym", "Agency", "Country")))
            for one in details.iterfind("GrantList/Grant")
        ),
        "relations": tuple(
            Relation(one.get("RefType", ""), *(one.findtext(name, "") for name in ("PMID", "RefSource", "Note")))
            for one in citation.iterfind("CommentsCorrectionsList/CommentsCorrections")
        ),
    }


def _markup(element: "Element | None") -> str:
    """What an element holds, as XML text; of formulas only their letters."""
    if element is None:
        return ""
    parts = [escape(element.text or "", quote=False)]
    for child in element:
        name = child.tag.rpartition("}")[2]
        inner = _markup(child)
        parts.append(f"<{name}>{inner}</{name}>" if child.tag in _INLINE else inner)
        parts.append(escape(child.tail or "", quote=False))
    return "".join(parts)


_INLINE = frozenset({"b", "i", "sup", "sub", "u"})


def _journal(citation: "Element", details: "Element") -> Journal:
    issn, issue = details.find("Journal/ISSN"), details.find("Journal/JournalIssue")
    return Journal(
        short=citation.findtext("MedlineJournalInfo/MedlineTA", ""),
        title=details.findtext("Journal/Title", ""),
        iso=details.findtext("Journal/ISOAbbreviation", ""),
        nlm_id=citation.findtext("MedlineJournalInfo/NlmUniqueID", ""),
        issn=(issn.text or "") if issn is not None else "",
        issn_type=issn.get("IssnType", "") if issn is not None else "",
        issn_linking=citation.findtext("MedlineJournalInfo/ISSNLinking", ""),
        country=citation.findtext("MedlineJournalInfo/Country", ""),
        medium=issue.get("CitedMedium", "") if issue is not None else "",
    )


def _date(element: "Element | None") -> str:
    """As ISO has it, with a time where there is one."""
    if element is None:
        return ""
    parts = [element.findtext(name, "") for name in ("Year", "Month", "Day")]
    day = "-".join(part.zfill(2) for part in parts if part)
    hour = element.findtext("Hour", "")
    return f"{day} {hour.zfill(2)}:{element.findtext('Minute', '0').zfill(2)}" if hour else day


def _ids(element: "Element | None", own: str) -> Iterator[tuple[str, str]]:
    """The IDs in a list, but for those of the kind ``own``."""
    for one in element if element is not None else ():
        if one.text and one.get("IdType") != own:
            yield one.get("IdType", ""), one.text


def _term(element: "Element") -> NamedTerm:
    return NamedTerm(element.get("UI", ""), element.text or "", element.get("MajorTopicYN") == "Y")


def _author(element: "Element") -> AuthorFacts:
    orcid = next((one.text or "" for one in element.iterfind("Identifier") if one.get("Source") == "ORCID"), "")
    collective = element.find("CollectiveName")
    facts = AuthorFacts(
        last=element.findtext("LastName", ""),
        fore=element.findtext("ForeName", ""),
        suffix=element.findtext("Suffix", ""),
        collective="".join(collective.itertext()) if collective is not None else "",
        orcid=orcid.strip(),
        affiliations=tuple("".join(one.itertext()) for one in element.iterfind("AffiliationInfo/Affiliation")),
    )
    initials = element.findtext("Initials", "")
    return facts if facts.initials == initials else replace(facts, known_initials=initials)


def _reference(element: "Element") -> Reference:
    return Reference(_markup(element.find("Citation")), tuple(_ids(element.find("ArticleIdList"), "")))
