"""What a record holds, found by walking its XML as a tree: the slow and plain way, to hold the quick one against."""

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
    """Its letters and those of what it holds, single-spaced; raised digits as such."""
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


def given(**facts):
    return {name: value for name, value in facts.items() if value not in (None, "", [])}


def records(body):
    """Every article and book in a document, which may be one of them."""
    root = ET.fromstring(body)
    return [root] if root.tag.endswith("Article") else [one for one in root if one.tag != "DeleteCitation"]


def pmid(record):
    return text(record.find(".//PMID"))


def article(record):
    """The facts of a ``PubmedArticle`` by field of the record."""
    citation, told = record.find("MedlineCitation"), record.find("MedlineCitation/Article")
    types = [text(one) for one in told.findall("PublicationTypeList/PublicationType")]
    people = [author(one) for one in told.findall("AuthorList/Author") if one.get("ValidYN") != "N"]
    if people and told.find("Affiliation") is not None:
        people[0].setdefault("affiliations", [text(told.find("Affiliation"))])
    became = status(citation, types)
    return given(
        id=f"PMID:{pmid(record)}",
        category="biolink:Article",
        title=text(told.find("ArticleTitle")) or text(told.find("VernacularTitle")),
        vernacular_title=text(told.find("VernacularTitle")),
        **journal(told.find("Journal"), citation.find("MedlineJournalInfo")),
        pages=part(told, "Pagination/MedlinePgn") or part(told, "Pagination/StartPage"),
        **when(record, told),
        **identifiers(record),
        **authors(people),
        **abstract(told.find("Abstract")),
        other_abstracts=[other_abstract(one) for one in citation.findall("OtherAbstract")],
        language=[code.lower() for code in parts(told, "Language")],
        publication_types=types,
        status=became,
        retracted=True if "retracted" in {one["kind"] for one in became} else None,
        mesh=[heading(one) for one in citation.findall("MeshHeadingList/MeshHeading")],
        supplementary_mesh=parts(citation, "SupplMeshList/SupplMeshName"),
        keywords=keywords(citation),
        substances=[substance(one) for one in citation.findall("ChemicalList/Chemical")],
        data_banks=[bank(one) for one in told.findall("DataBankList/DataBank")],
        grants=[grant(one) for one in told.findall("GrantList/Grant")],
        conflict_of_interest=part(citation, "CoiStatement"),
    )


def journal(issue, listing):
    return given(
        journal=part(listing, "MedlineTA") or part(issue, "ISOAbbreviation") or part(issue, "Title"),
        journal_title=part(issue, "Title"),
        journal_id=part(listing, "NlmUniqueID") or part(listing, "NLMUniqueID"),
        issn=once([*parts(issue, "ISSN"), *parts(listing, "ISSNLinking")]),
        country=part(listing, "Country"),
        volume=part(issue, "JournalIssue/Volume"),
        issue=part(issue, "JournalIssue/Issue"),
    )


def when(record, told):
    online = [iso(one) for one in told.findall("ArticleDate")]
    date, printed = published(told.find("Journal/JournalIssue/PubDate"))
    date = date or (online[0] if online else None)
    return given(
        year=int(date[:4]) if date else None,
        publication_date=date,
        publication_date_text=printed,
        dates=happened(record, online),
    )


def book(record):
    """The facts of a ``PubmedBookArticle`` by field of the record."""
    told, whole = record.find("BookDocument"), record.find("BookDocument/Book")
    date, printed = published(whole.find("PubDate"))
    contributed = iso(told.find("ContributionDate"))
    title = part(whole, "BookTitle")
    people = [author(one) for one in told.findall("AuthorList/Author")]
    writers = [author(one) for one in whole.findall("AuthorList[@Type='authors']/Author")]
    found = given(
        id=f"PMID:{pmid(record)}",
        category="biolink:Article",
        title=part(told, "ArticleTitle") or part(told, "VernacularTitle") or title,
        year=int((contributed or date)[:4]),
        publication_date=contributed or date,
        publication_date_text=printed,
        dates=[*happened(record, []), *([{"event": "contributed", "date": contributed}] if contributed else [])],
        journal=title,
        doi=next(iter([*ids(told, "doi"), *ids(whole, "doi")]), None),
        **abstract(told.find("Abstract")),
        language=[code.lower() for code in parts(told, "Language")],
        publication_types=parts(told, "PublicationType"),
        keywords=keywords(told),
        grants=[grant(one) for one in told.findall("GrantList/Grant")],
        pages=part(told, "Pagination/MedlinePgn"),
        book=whole_book(told, whole),
    )
    return found | given(**{**authors(people or writers), "author_details": people})


def whole_book(told, whole):
    return given(
        title=part(whole, "BookTitle"),
        accession=next(iter(ids(told, "bookaccession")), None),
        publisher=part(whole, "Publisher/PublisherName"),
        place=part(whole, "Publisher/PublisherLocation"),
        edition=part(whole, "Edition"),
        volume=part(whole, "Volume"),
        collection=part(whole, "CollectionTitle"),
        isbn=parts(whole, "Isbn"),
        editors=[author(one) for one in whole.findall("AuthorList[@Type='editors']/Author")],
        authors=[author(one) for one in whole.findall("AuthorList[@Type='authors']/Author")],
        first_year=part(whole, "BeginningDate/Year"),
        last_year=part(whole, "EndingDate/Year"),
    )


def other_abstract(element):
    return given(kind=element.get("Type"), text=abstract(element).get("abstract"), language=element.get("Language"))


def part(element, path):
    return None if element is None else text(element.find(path)) or None


def parts(element, path):
    return [] if element is None else [told for one in element.findall(path) if (told := text(one))]


def once(values):
    return list(dict.fromkeys(values))


def month(written):
    if written is None or (not written.isdecimal() and written[:3].lower() not in MONTHS):
        return None
    return int(written) if written.isdecimal() else MONTHS.index(written[:3].lower()) + 1


def iso(element):
    if element is None or not part(element, "Year"):
        return None
    number = month(part(element, "Month"))
    if number is None:
        return part(element, "Year")
    day = part(element, "Day")
    return f"{part(element, 'Year')}-{number:02}" + (f"-{int(day):02}" if day else "")


def published(element):
    """The date of a ``PubDate``, and how it is printed where that says more or less."""
    if (printed := part(element, "MedlineDate")) is not None:
        found = re.search(r"\d{4}(?: ([A-Z][a-z]{2}))?", printed)
        number = month(found[1])
        return found[0][:4] + (f"-{number:02}" if number else ""), printed
    season = part(element, "Season")
    return iso(element), f"{part(element, 'Year')} {season}" if season else None


def happened(record, online):
    named = [
        (f"record_{name[4:].lower()}", iso(record.find(f"*/{name}")))
        for name in ("DateCreated", "DateCompleted", "DateRevised")
    ]
    named += [("electronic", date) for date in online]
    named += [(one.get("PubStatus").replace("-", "_"), iso(one)) for one in record.iter("PubMedPubDate")]
    return [{"event": event, "date": date} for event, date in named if date]


def ids(element, kind):
    named = [
        (one.get("IdType") or one.get("EIdType"), text(one))
        for path in ("ArticleIdList/ArticleId", "ELocationID")
        for one in element.findall(path)
    ]
    return [value for of, value in named if of == kind]


def identifiers(record):
    own = [(one.get("IdType"), text(one)) for one in record.findall("PubmedData/ArticleIdList/ArticleId")]
    own += [(one.get("EIdType"), text(one)) for one in record.findall(".//ELocationID") if one.get("ValidYN") != "N"]
    first = dict(reversed(own))
    return given(doi=first.get("doi"), pmc=first.get("pmc", "").split(".")[0], pii=first.get("pii"))


def notices(record):
    """The codes of what has to be said: DOIs that disagree, lists of authors that the record itself cuts."""
    if record.tag != "PubmedArticle":
        return []
    dois = [*record.findall("PubmedData/ArticleIdList/ArticleId"), *record.findall(".//ELocationID")]
    valid = {
        text(one).lower()
        for one in dois
        if "doi" in {one.get("IdType"), one.get("EIdType")} and one.get("ValidYN") != "N"
    }
    is_cut = record.find("MedlineCitation/Article/AuthorList[@CompleteYN='N']") is not None
    return [*["MISMATCH"] * (len(valid) > 1), *["NOT_COVERED"] * is_cut]


def author(element):
    orcids = [re.sub(r"\D(?!$)", "", text(one)) for one in element.findall("Identifier[@Source='ORCID']")]
    return given(
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
        one.get("collective_name")
        or " ".join(
            filter(None, (one.get("last_name"), one.get("initials") or one.get("fore_name"), one.get("suffix")))
        )
        for one in people
    ]
    return given(authors=names[:6], author_count=len(names) if len(names) > 6 else None, author_details=people)


def abstract(element):
    if element is None:
        return {}
    lines, sections, start = [], [], 0
    for one in element.findall("AbstractText"):
        if not text(one):
            continue
        label = one.get("Label") if (one.get("Label") or "").upper() != "UNLABELLED" else None
        lines.append(f"{label}: {text(one)}" if label else text(one))
        category = one.get("NlmCategory") if one.get("NlmCategory") != "UNASSIGNED" else None
        end = start + len(lines[-1])
        sections.append(given(start=end - len(text(one)), end=end, label=label, category=category) | {"end": end})
        sections[-1]["start"] = end - len(text(one))
        start = end + 1
    is_structured = any("label" in section or "category" in section for section in sections)
    return given(
        abstract="\n".join(lines),
        sections=sections if is_structured else [],
        copyright=part(element, "CopyrightInformation"),
    )


def status(citation, types):
    told = []
    for one in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        kind = one.get("RefType")
        assert kind in KINDS or kind in CHANGE_NOTHING, kind
        if kind in KINDS:
            to = part(one, "PMID")
            named = given(points_to=f"PMID:{to}" if to else None, source=part(one, "RefSource"), note=part(one, "Note"))
            is_preprint = kind == "UpdateOf" and named["source"].startswith(("Res Sq", "medRxiv"))  # the recorded ones
            told.append({"kind": "published_preprint" if is_preprint else KINDS[kind], **named})
    there = {one["kind"] for one in told}
    return [*told, *({"kind": kind} for name, kind in SILENT.items() if name in types and kind not in there)]


def heading(element):
    descriptor, qualifiers = element.find("DescriptorName"), element.findall("QualifierName")
    return given(
        **term(descriptor),
        qualifiers=[term(one) for one in qualifiers],
    ) | {"is_major": any(one.get("MajorTopicYN") == "Y" for one in [descriptor, *qualifiers])}


def term(element):
    return given(name=text(element), ui=element.get("UI")) | {"is_major": element.get("MajorTopicYN") == "Y"}


def keywords(element):
    lists = sorted(element.findall("KeywordList"), key=lambda one: one.get("Owner") != "NOTNLM")
    return once([keyword for one in lists for keyword in parts(one, "Keyword")])


def substance(element):
    name, number = element.find("NameOfSubstance"), part(element, "RegistryNumber")
    return given(name=text(name), ui=name.get("UI"), registry_number=None if number == "0" else number)


def bank(element):
    accessions = parts(element, "AccessionNumberList/AccessionNumber")
    return given(name=part(element, "DataBankName"), accessions=accessions)


def grant(element):
    return given(
        id=part(element, "GrantID"),
        acronym=part(element, "Acronym"),
        agency=part(element, "Agency"),
        country=part(element, "Country"),
    )
