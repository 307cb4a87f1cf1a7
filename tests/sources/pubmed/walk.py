"""The content of a record, found by walking its XML as a tree: slow and plain, to compare the quick parser with."""

import re
from xml.etree import ElementTree as ET

SCRIPTS = str.maketrans("0123456789+-\u2212\u2013()=n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾⁼ⁿ")
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
KINDS = {
    "RetractionIn": "retracted",
    "RetractionOf": "retraction_notice",
    "ErratumIn": "corrected",
    "ErratumFor": "correction_notice",
    "CorrectedandRepublishedIn": "corrected",
    "CorrectedandRepublishedFrom": "republished",
    "RepublishedIn": "republished",
    "RepublishedFrom": "republished",
    "ExpressionOfConcernIn": "expression_of_concern",
    "UpdateIn": "updated",
    "UpdateOf": "update",
}
CHANGE_NOTHING = {"Cites", "CommentIn", "CommentOn", "SummaryForPatientsIn", "AssociatedDataset", "OriginalReportIn"}
SILENT = {
    "Retracted Publication": "retracted",
    "Retraction of Publication": "retraction_notice",
    "Published Erratum": "correction_notice",
    "Corrected and Republished Article": "republished",
}


def text(element):
    """The text of an element and its descendants, single-spaced; raised digits as such."""
    if element is None:
        return ""
    return re.sub(r"[ \t\r\n]+", " ", "".join(letters(element))).strip()


def letters(element, *, is_whole=True):
    if (
        element.tag == "sup"
        and element.text
        and not len(element)
        and re.fullmatch(r"[\d+\-\u2212\u2013()=n\s]+", element.text)
    ):
        yield element.text.strip().translate(SCRIPTS)
    else:
        yield element.text or ""
        for child in element:
            yield from letters(child, is_whole=False)
    if not is_whole:
        yield element.tail or ""


def present_facts(**facts):
    return {name: value for name, value in facts.items() if value not in (None, "", [])}


def records(body):
    """Every article and book in a document, which may be one of them."""
    root = ET.fromstring(body)
    return [root] if root.tag.endswith("Article") else [item for item in root if item.tag != "DeleteCitation"]


def pmid(record):
    return text(record.find(".//PMID"))


def article(record):
    """The facts of a ``PubmedArticle`` by field of the record."""
    citation, element = record.find("MedlineCitation"), record.find("MedlineCitation/Article")
    types = [text(item) for item in element.findall("PublicationTypeList/PublicationType")]
    people = [author(item) for item in element.findall("AuthorList/Author") if item.get("ValidYN") != "N"]
    if people and element.find("Affiliation") is not None:
        people[0].setdefault("affiliations", [text(element.find("Affiliation"))])
    article_status = status(citation, types)
    return present_facts(
        id=f"PMID:{pmid(record)}",
        category="biolink:Article",
        title=text(element.find("ArticleTitle")) or text(element.find("VernacularTitle")),
        vernacular_title=text(element.find("VernacularTitle")),
        **journal(element.find("Journal"), citation.find("MedlineJournalInfo")),
        pages=part(element, "Pagination/MedlinePgn") or part(element, "Pagination/StartPage"),
        **date_of(record, element),
        **identifiers(record),
        **authors(people),
        **abstract(element.find("Abstract")),
        other_abstracts=[other_abstract(item) for item in citation.findall("OtherAbstract")],
        language=[code.lower() for code in parts(element, "Language")],
        publication_types=types,
        status=article_status,
        retracted=True if "retracted" in {item["kind"] for item in article_status} else None,
        mesh=[heading(item) for item in citation.findall("MeshHeadingList/MeshHeading")],
        supplementary_mesh=parts(citation, "SupplMeshList/SupplMeshName"),
        keywords=keywords(citation),
        substances=[substance(item) for item in citation.findall("ChemicalList/Chemical")],
        data_banks=[bank(item) for item in element.findall("DataBankList/DataBank")],
        grants=[grant(item) for item in element.findall("GrantList/Grant")],
        conflict_of_interest=part(citation, "CoiStatement"),
    )


def journal(issue, listing):
    return present_facts(
        journal=part(listing, "MedlineTA") or part(issue, "ISOAbbreviation") or part(issue, "Title"),
        journal_title=part(issue, "Title"),
        journal_id=part(listing, "NlmUniqueID") or part(listing, "NLMUniqueID"),
        issn=unique([*parts(issue, "ISSN"), *parts(listing, "ISSNLinking")]),
        country=part(listing, "Country"),
        volume=part(issue, "JournalIssue/Volume"),
        issue=part(issue, "JournalIssue/Issue"),
    )


def date_of(record, answer):
    online = [iso(item) for item in answer.findall("ArticleDate")]
    date, output = published(answer.find("Journal/JournalIssue/PubDate"))
    date = date or (online[0] if online else None)
    return present_facts(
        year=int(date[:4]) if date else None,
        publication_date=date,
        publication_date_text=output,
        dates=date_of_event(record, online),
    )


def book(record):
    """The facts of a ``PubmedBookArticle`` by field of the record."""
    element, whole = record.find("BookDocument"), record.find("BookDocument/Book")
    date, output = published(whole.find("PubDate"))
    contribution_date = iso(element.find("ContributionDate"))
    title = part(whole, "BookTitle")
    people = [author(item) for item in element.findall("AuthorList/Author")]
    writers = [author(item) for item in whole.findall("AuthorList[@Type='authors']/Author")]
    result = present_facts(
        id=f"PMID:{pmid(record)}",
        category="biolink:Article",
        title=part(element, "ArticleTitle") or part(element, "VernacularTitle") or title,
        year=int((contribution_date or date)[:4]),
        publication_date=contribution_date or date,
        publication_date_text=output,
        dates=[
            *date_of_event(record, []),
            *([{"event": "contributed", "date": contribution_date}] if contribution_date else []),
        ],
        journal=title,
        doi=next(iter([*ids(element, "doi"), *ids(whole, "doi")]), None),
        **abstract(element.find("Abstract")),
        language=[code.lower() for code in parts(element, "Language")],
        publication_types=parts(element, "PublicationType"),
        keywords=keywords(element),
        grants=[grant(item) for item in element.findall("GrantList/Grant")],
        pages=part(element, "Pagination/MedlinePgn"),
        book=whole_book(element, whole),
    )
    return result | present_facts(**{**authors(people or writers), "author_details": people})


def whole_book(answer, whole):
    return present_facts(
        title=part(whole, "BookTitle"),
        accession=next(iter(ids(answer, "bookaccession")), None),
        publisher=part(whole, "Publisher/PublisherName"),
        place=part(whole, "Publisher/PublisherLocation"),
        edition=part(whole, "Edition"),
        volume=part(whole, "Volume"),
        collection=part(whole, "CollectionTitle"),
        isbn=parts(whole, "Isbn"),
        editors=[author(item) for item in whole.findall("AuthorList[@Type='editors']/Author")],
        authors=[author(item) for item in whole.findall("AuthorList[@Type='authors']/Author")],
        first_year=part(whole, "BeginningDate/Year"),
        last_year=part(whole, "EndingDate/Year"),
    )


def other_abstract(element):
    return present_facts(
        kind=element.get("Type"), text=abstract(element).get("abstract"), language=element.get("Language")
    )


def part(element, path):
    return None if element is None else text(element.find(path)) or None


def parts(element, path):
    return [] if element is None else [answer for item in element.findall(path) if (answer := text(item))]


def unique(values):
    return list(dict.fromkeys(values))


def month(text):
    if text is None or (not text.isdecimal() and text[:3].lower() not in MONTHS):
        return None
    return int(text) if text.isdecimal() else MONTHS.index(text[:3].lower()) + 1


def iso(element):
    if element is None or not part(element, "Year"):
        return None
    number = month(part(element, "Month"))
    if number is None:
        return part(element, "Year")
    day = part(element, "Day")
    return f"{part(element, 'Year')}-{number:02}" + (f"-{int(day):02}" if day else "")


def published(element):
    """The date of a ``PubDate``, and its printed form if that differs."""
    if (output := part(element, "MedlineDate")) is not None:
        match = re.search(r"\d{4}(?: ([A-Z][a-z]{2}))?", output)
        number = month(match[1])
        return match[0][:4] + (f"-{number:02}" if number else ""), output
    season = part(element, "Season")
    return iso(element), f"{part(element, 'Year')} {season}" if season else None


def date_of_event(record, online):
    pairs = [
        (f"record_{name[4:].lower()}", iso(record.find(f"*/{name}")))
        for name in ("DateCreated", "DateCompleted", "DateRevised")
    ]
    pairs += [("electronic", date) for date in online]
    pairs += [(item.get("PubStatus").replace("-", "_"), iso(item)) for item in record.iter("PubMedPubDate")]
    return [{"event": event, "date": date} for event, date in pairs if date]


def ids(element, kind):
    pairs = [
        (item.get("IdType") or item.get("EIdType"), text(item))
        for path in ("ArticleIdList/ArticleId", "ELocationID")
        for item in element.findall(path)
    ]
    return [value for owner, value in pairs if owner == kind]


def identifiers(record):
    pairs = [(item.get("IdType"), text(item)) for item in record.findall("PubmedData/ArticleIdList/ArticleId")]
    pairs += [
        (item.get("EIdType"), text(item)) for item in record.findall(".//ELocationID") if item.get("ValidYN") != "N"
    ]
    first = dict(reversed(pairs))
    return present_facts(doi=first.get("doi"), pmc=first.get("pmc", "").split(".")[0], pii=first.get("pii"))


def notices(record):
    """The codes of the expected notices: DOIs that disagree, lists of authors that the record itself cuts."""
    if record.tag != "PubmedArticle":
        return []
    dois = [*record.findall("PubmedData/ArticleIdList/ArticleId"), *record.findall(".//ELocationID")]
    valid = {
        text(item).lower()
        for item in dois
        if "doi" in {item.get("IdType"), item.get("EIdType")} and item.get("ValidYN") != "N"
    }
    is_cut = record.find("MedlineCitation/Article/AuthorList[@CompleteYN='N']") is not None
    return [*["MISMATCH"] * (len(valid) > 1), *["NOT_COVERED"] * is_cut]


def author(element):
    orcids = [re.sub(r"\D(?!$)", "", text(item)) for item in element.findall("Identifier[@Source='ORCID']")]
    return present_facts(
        last_name=part(element, "LastName"),
        fore_name=part(element, "ForeName"),
        initials=part(element, "Initials"),
        suffix=part(element, "Suffix"),
        collective_name=part(element, "CollectiveName"),
        orcid="-".join(re.findall(".{4}", orcids[0])) if orcids else None,
        affiliations=parts(element, "AffiliationInfo/Affiliation"),
    )


def authors(people):
    names = [
        person.get("collective_name")
        or " ".join(
            filter(
                None, (person.get("last_name"), person.get("initials") or person.get("fore_name"), person.get("suffix"))
            )
        )
        for person in people
    ]
    return present_facts(authors=names[:6], author_count=len(names) if len(names) > 6 else None, author_details=people)


def abstract(element):
    if element is None:
        return {}
    lines, sections, start = [], [], 0
    for item in element.findall("AbstractText"):
        if not text(item):
            continue
        label = item.get("Label") if (item.get("Label") or "").upper() != "UNLABELLED" else None
        lines.append(f"{label}: {text(item)}" if label else text(item))
        category = item.get("NlmCategory") if item.get("NlmCategory") != "UNASSIGNED" else None
        end = start + len(lines[-1])
        sections.append(
            present_facts(start=end - len(text(item)), end=end, label=label, category=category) | {"end": end}
        )
        sections[-1]["start"] = end - len(text(item))
        start = end + 1
    is_structured = any("label" in section or "category" in section for section in sections)
    return present_facts(
        abstract="\n".join(lines),
        sections=sections if is_structured else [],
        copyright=part(element, "CopyrightInformation"),
    )


def status(citation, types):
    answer = []
    for item in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        kind = item.get("RefType")
        assert kind in KINDS or kind in CHANGE_NOTHING, kind
        if kind in KINDS:
            pmid = part(item, "PMID")
            names = present_facts(
                points_to=f"PMID:{pmid}" if pmid else None, source=part(item, "RefSource"), note=part(item, "Note")
            )
            is_preprint = kind == "UpdateOf" and names["source"].startswith(("Res Sq", "medRxiv"))  # the recorded ones
            answer.append({"kind": "published_preprint" if is_preprint else KINDS[kind], **names})
    kinds = {item["kind"] for item in answer}
    return [*answer, *({"kind": kind} for name, kind in SILENT.items() if name in types and kind not in kinds)]


def heading(element):
    descriptor, qualifiers = element.find("DescriptorName"), element.findall("QualifierName")
    return present_facts(
        **term(descriptor),
        qualifiers=[term(qualifier) for qualifier in qualifiers],
    ) | {"is_major": any(descriptor.get("MajorTopicYN") == "Y" for descriptor in [descriptor, *qualifiers])}


def term(element):
    return present_facts(name=text(element), ui=element.get("UI")) | {"is_major": element.get("MajorTopicYN") == "Y"}


def keywords(element):
    lists = sorted(element.findall("KeywordList"), key=lambda item: item.get("Owner") != "NOTNLM")
    return unique([keyword for item in lists for keyword in parts(item, "Keyword")])


def substance(element):
    name, number = element.find("NameOfSubstance"), part(element, "RegistryNumber")
    return present_facts(name=text(name), ui=name.get("UI"), registry_number=None if number == "0" else number)


def bank(element):
    accessions = parts(element, "AccessionNumberList/AccessionNumber")
    return present_facts(name=part(element, "DataBankName"), accessions=accessions)


def grant(element):
    return present_facts(
        id=part(element, "GrantID"),
        acronym=part(element, "Acronym"),
        agency=part(element, "Agency"),
        country=part(element, "Country"),
    )
