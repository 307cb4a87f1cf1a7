"""Elements of plain XML by name, and their text. Reads in a few microseconds what a tree needs hundreds for. Pure.

The document is known to be plain and well-formed (see ``dialects.xml``), and to be one line, as the splitter
leaves it. None of the elements that are asked for here stands inside another of its own name.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from biofact.core.records import Notice
from biofact.sources.pubmed.records import (
    Author,
    DataBank,
    Event,
    Grant,
    MeshHeading,
    MeshQualifier,
    OtherAbstract,
    Section,
    Substance,
)

_TAG = re.compile(r"""<[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>""")
_ATTRIBUTES = r"""\s(?:[^>"']*(?:"[^"]*"|'[^']*'))*[^>"']*"""  # may hold ">", as the label "P > 0.05" would
_PLAIN = re.compile(r">([^<]*)</([^>]*)")
_BLANKS = re.compile(r" {2,}")
_REFERENCE = re.compile(r"&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
# 10<sup>5</sup> is not 105: characters with a superscript form keep it.
_SUPERSCRIPT = re.compile(r"<sup>\s*([0-9+\-\u2212\u2013()=n]+)\s*</sup>")
_TO_SUPERSCRIPT = str.maketrans("0123456789+-\u2212\u2013()=n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾⁼ⁿ")


def text(raw: str) -> str:
    """The visible text of an element's content: without tags, on one line, superscript digits as such."""
    if "<" in raw:
        if "<sup>" in raw:
            raw = _SUPERSCRIPT.sub(lambda match: match[1].translate(_TO_SUPERSCRIPT), raw)
        raw = _TAG.sub("", raw)
    if "  " in raw:
        raw = _BLANKS.sub(" ", raw)
    if "&" in raw:
        raw = _REFERENCE.sub(_character, raw)
    return raw.strip()


def content(xml: str, name: str) -> str:
    """The content of the first element of this name, as it is written; empty where there is none."""
    start, end = _span(xml, name)
    return xml[start:end]


def extract(xml: str, name: str) -> tuple[str, str]:
    """The content of the first element of this name, and ``xml`` without it, which is faster to search."""
    start, end = _span(xml, name)
    return xml[start:end], xml[:start] + xml[end:]


def leaf(xml: str, name: str) -> str | None:
    """The text of the first element of this name; None where there is none."""
    start, end = _span(xml, name)
    return text(xml[start:end]) or None if end else None


def elements_named(xml: str, name: str) -> list[tuple[str, str]]:
    """The attributes and the content of each element of this name, as they are written."""
    return _element(name).findall(xml)


def contents(xml: str, name: str) -> list[str]:
    """The content of each element of this name, as it is written."""
    return [raw for _, raw in elements_named(xml, name)]


def leaves(xml: str, name: str) -> list[str]:
    """The texts of all elements of this name that have any."""
    return [value for _, raw in elements_named(xml, name) if (value := text(raw))] if name in xml else []


def languages(xml: str) -> list[str]:
    """The codes of the languages, in lower case as all but a few are."""
    return [code.lower() for code in leaves(xml, "Language")]


def reader(xml: str) -> Callable[[str], str]:
    """The parser for texts in ``xml`` that have no tags: ``text``, or a faster one where that is enough."""
    return text if "&" in xml or "  " in xml else str.strip


def plain(xml: str) -> dict[str, str]:
    """The texts of the elements that hold nothing but text, by name: all at one go.

    For names that stand there once, and attributes without ">", such as those that the DTD enumerates.
    """
    parser = reader(xml)
    return {name: parser(raw) for raw, name in _PLAIN.findall(xml)}


def attribute(attributes: str, name: str) -> str | None:
    """The attribute of this name among those that are written; None where there is none."""
    start = attributes.find(f' {name}="')
    if start >= 0:
        start += len(name) + 3
        return text(attributes[start : attributes.find('"', start)])
    match = _quoted(name).search(attributes)  # blanks or other quotes, which no real record has
    return text(match[1] or match[2] or "") if match else None


def _span(xml: str, name: str) -> tuple[int, int]:
    """The start and end of the content of the first element of this name; equal if there is none."""
    start = xml.find(f"<{name}")
    if start < 0:
        return 0, 0
    end = start + len(name) + 1
    if xml[end] == " ":
        end = xml.find(">", end)
        if xml[end - 1] != '"' or xml.count('"', start, end) % 2 or xml.find("'", start, end) >= 0:
            end = start  # ">" may be part of an attribute
    if xml[end] == ">" and (closing := xml.find(f"</{name}>", end)) >= 0:
        return end + 1, closing
    match = _element(name).search(xml, start)
    return match.span(2) if match else (0, 0)


@functools.cache
def _element(name: str) -> re.Pattern[str]:
    """Tag by tag, and text between tags at one go: ten times faster than letter by letter."""
    return re.compile(rf"""<{name}(|{_ATTRIBUTES}(?<!/))>([^<]*(?:<(?!/{name}>)[^<]*)*)</{name}>""")


@functools.cache
def _quoted(name: str) -> re.Pattern[str]:
    return re.compile(rf"""\s{name}\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return _CHARACTERS[name]  # expat has refused all others
    return chr(int(decimal) if decimal else int(hexadecimal, 16))


_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MONTHS = {
    form: f"{number:02}" for number, name in enumerate(_NAMES, 1) for form in (name, str(number), f"{number:02}")
}
_DAYS = {form: f"{number:02}" for number in range(1, 32) for form in (str(number), f"{number:02}")}
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_DATE_FORM = r"[^>]*>\s*<Year>(1[5-9][0-9]{2}|20[0-9]{2})</Year>\s*<Month>([^<]*)</Month>\s*(?:<Day>([^<]*)</Day>|)"
# Each begins with more than "<": a pattern of all three would stop at every tag.
_OF_RECORD, _ONLINE, _OF_ARTICLE = (
    re.compile(start + _DATE_FORM)
    for start in ("<Date(Created|Completed|Revised)", "<ArticleDate", '<PubMedPubDate[^>]*?PubStatus="([^"]*)"')
)


class Published(NamedTuple):
    """When a journal issue or a book came out."""

    year: int | None = None
    date: str | None = None
    """ISO 8601: 2019-11-05, 2019-11 or 2019."""
    display: str | None = None
    """As printed, where ISO 8601 cannot say it: a season, a span."""


def published(fields: Mapping[str, str]) -> Published:
    """The date of an issue: year, month and day; year and season; or whatever is printed on it."""
    date = day(fields)
    if date is None:
        return _read_date(fields.get("MedlineDate") or fields.get("Year"))
    season = fields.get("Season")
    return Published(int(date[:4]), date, f"{date[:4]} {season}" if season else None)


def day(fields: Mapping[str, str]) -> str | None:
    """The date that a Year, a Month and a Day say, as far as they are there."""
    year = fields.get("Year")
    return _iso(year, fields.get("Month", ""), fields.get("Day", "")) if year and _YEAR.fullmatch(year) else None


def events(journal: str, article: str, history: str) -> list[Event]:
    """The events of the record, of the online version and of the manuscript, each with its date."""
    found_events = [
        Event(f"record_{event_name.lower()}", _iso(year, month, number))
        for event_name, year, month, number in _OF_RECORD.findall(journal)
    ]
    if "<ArticleDate" in article:
        found_events += [
            Event("electronic", _iso(year, month, number)) for year, month, number in _ONLINE.findall(article)
        ]
    found_events += [
        Event(event_name.replace("-", "_"), _iso(year, month, number))
        for event_name, year, month, number in _OF_ARTICLE.findall(history)
    ]
    return found_events


def _iso(year: str, month_text: str, number: str) -> str:
    month = _MONTHS.get(month_text) or _MONTHS.get(month_text[:3].title())
    day = _DAYS.get(number)
    if month is None:  # such as a season
        return year
    return f"{year}-{month}-{day}" if day else f"{year}-{month}"


def _read_date(text: str | None) -> Published:
    """The beginning of a span such as "1998 Dec-1999 Jan"."""
    match = _YEAR.search(text) if text else None
    if text is None or match is None:
        return Published(display=text)
    month = re.match(r"\s+([A-Za-z]{3})", text[match.end() :])
    return Published(int(match[1]), _iso(match[1], month[1] if month else "", ""), text)


_ARTICLE_ID = re.compile(r"""<ArticleId\s[^>]*?IdType\s*=\s*["']([a-z]+)["'][^>]*>([^<]*)</""")
DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
"""A DOI as it is written, bare or as a link; the group is the DOI."""
_PMC = re.compile(r"(?:PMC)?(\d+)(?:\.\d+)?", re.IGNORECASE)  # PMC3706072.1 is the first version of PMC3706072
_IdPair = tuple[str, str]


def identifiers(places: str, id_list: str) -> tuple[dict[str, str | None], list[Notice]]:
    """The DOI, PMC ID and publisher's ID, and what to know of them; from where places stand, and where IDs do."""
    own_ids = [(kind, text(raw)) for kind, raw in _ARTICLE_ID.findall(id_list)]
    valid, refusals = _of_places(places)
    notices: list[Notice] = []
    dois = _distinct(_read("doi", DOI, [*own_ids, *valid], notices))
    pmcs = _distinct(f"PMC{number}" for number in _read("pmc", _PMC, [*own_ids, *valid], notices))
    if len(dois) > 1:
        message = f"The record gives several DOIs: {dois[0]} of its list stands, not {', '.join(dois[1:])}."
        notices.append(Notice(code="MISMATCH", message=message))
    if dois and dois[0].lower() in {doi.lower() for kind, doi in refusals if kind == "doi"}:
        message = f"The record gives the DOI {dois[0]}, and marks it as invalid elsewhere."
        notices.append(Notice(code="MISMATCH", message=message))
    if len(pmcs) > 1:
        notices.append(Notice(code="SEVERAL_VALUES", message=f"Also pmc {', '.join(pmcs[1:])}."))
    publishers = [value for kind, value in [*own_ids, *valid] if kind == "pii"]
    return {"doi": next(iter(dois), None), "pmc": next(iter(pmcs), None), "pii": next(iter(publishers), None)}, notices


def _of_places(xml: str) -> tuple[list[_IdPair], list[_IdPair]]:
    """The journal's own identifiers, and those that are marked as invalid."""
    if "<ELocationID" not in xml:
        return [], []
    valid: list[_IdPair] = []
    refusals: list[_IdPair] = []
    for attributes, raw in elements_named(xml, "ELocationID"):
        group = refusals if attribute(attributes, "ValidYN") == "N" else valid
        group.append((attribute(attributes, "EIdType") or "", text(raw)))
    return valid, refusals


def _read(kind: str, form: re.Pattern[str], pairs: Iterable[_IdPair], notices: list[Notice]) -> list[str]:
    """The identifiers of a kind, bare; a notice lists each invalid one."""
    bare_ids = []
    for value in dict.fromkeys(value for pair_kind, value in pairs if pair_kind == kind and value):
        if match := form.fullmatch(value):
            bare_ids.append(match[1])
        else:
            message = f"{value!r:.60} is no {kind} identifier, and left out."
            notices.append(Notice(code="INVALID_CROSS_REFERENCE", message=message))
    return bare_ids


def _distinct(values: Iterable[str]) -> list[str]:
    """Each value once, whatever its case, in its first spelling."""
    first_spellings: dict[str, str] = {}
    for value in values:
        first_spellings.setdefault(value.lower(), value)
    return list(first_spellings.values())


_MOST_NAMES = 6
_PARTS = {
    "last_name": "LastName",
    "fore_name": "ForeName",
    "initials": "Initials",
    "suffix": "Suffix",
    "collective_name": "CollectiveName",
}
# An empty branch, which is tried much sooner than what may be repeated, says that an element may be missing.
_NAME = r"(?:<{0}>([^<]*)</{0}>\s*|)"
_AUTHOR = re.compile(
    r"<Author([^>]*)>\s*"
    + "".join(map(_NAME.format, _PARTS.values()))
    + r'(?:<Identifier Source="ORCID">([^<]*)</Identifier>\s*|)'
    + r"(?:<AffiliationInfo>\s*<Affiliation>([^<]*)</Affiliation>\s*</AffiliationInfo>\s*|)"
    + r"(|<(?!/Author>)[^<]*(?:<(?!/Author>)[^<]*)*)</Author>"
)
_ORCID = re.compile(r"(?:^|\D)(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])$")


def authors(xml: str) -> list[Author]:
    """The people and groups of an author list, in its order, without spellings that were corrected since."""
    read_text = reader(xml)
    found_authors: list[Author] = []
    for attributes, last, fore, initials, suffix, group, orcid, first, rest in _AUTHOR.findall(xml):
        if "ValidYN" in attributes and attribute(attributes, "ValidYN") == "N":
            continue
        author = Author(
            read_text(last) or None,
            read_text(fore) or None,
            read_text(initials) or None,
            read_text(suffix) or None,
            read_text(group) or None,
            _orcid(orcid) if orcid else None,
            [read_text(first)] if first else [],
        )
        if rest:
            _add(author, rest)
        found_authors.append(author)
    return found_authors


def names(people: list[Author]) -> tuple[list[str], int | None]:
    """The first six as citations have them, and how many there are if that is more."""
    return [person.name for person in people[:_MOST_NAMES]], len(people) if len(people) > _MOST_NAMES else None


def _add(author: Author, xml: str) -> None:
    """Add the rest after the pattern: further affiliations, and every part from the first unexpected one."""
    author.affiliations += leaves(xml, "Affiliation")
    if xml.startswith("<AffiliationInfo"):  # which stand last
        return
    for name, element in _PARTS.items():
        setattr(author, name, getattr(author, name) or leaf(xml, element))
    orcids = (
        raw for attributes, raw in elements_named(xml, "Identifier") if attribute(attributes, "Source") == "ORCID"
    )
    author.orcid = author.orcid or next(filter(None, map(_orcid, orcids)), None)


def _orcid(raw: str) -> str | None:
    """An ORCID in its one form: services write it bare, as a URL, and without hyphens."""
    match = _ORCID.search(text(raw).rstrip("/").upper())
    return "-".join(match.groups()) if match else None


_GRANT = ("GrantID", "Acronym", "Agency", "Country")
_MESH = re.compile(r'<([DQ])[a-z]+Name(?: UI="([^"]*)"|)([^>]*)>([^<]*)<')
_SUBSTANCE = re.compile(  # the registry number 0 says that there is none
    r"<Chemical>\s*(?:<RegistryNumber>(?:0<|([^<]*)<)/RegistryNumber>\s*|)<NameOfSubstance([^>]*)>([^<]*)<"
)


def mesh(xml: str) -> list[MeshHeading]:
    """The headings, each with its qualifiers. A heading is major if it or one of its qualifiers is."""
    parser = reader(xml)
    headings: list[MeshHeading] = []
    for kind, first, attributes, raw in _MESH.findall(xml):
        ui, is_major = first or attribute(attributes, "UI"), ' MajorTopicYN="Y"' in attributes
        if kind == "D":
            heading = MeshHeading(parser(raw), is_major, ui, [])
            headings.append(heading)
        elif headings:
            heading.qualifiers.append(MeshQualifier(parser(raw), is_major, ui))
            # A major qualifier makes its heading major (UPSTREAMS 2.6.2).
            heading.is_major = heading.is_major or is_major
    return headings


def keywords(xml: str) -> list[str]:
    """Keywords of all lists, each once: the authors' first, then those of other indexers."""
    if "<KeywordList" not in xml:
        return []
    lists = sorted(elements_named(xml, "KeywordList"), key=lambda keyword_list: "NOTNLM" not in keyword_list[0])
    return list(dict.fromkeys(keyword for _, list_xml in lists for keyword in leaves(list_xml, "Keyword")))


def substances(xml: str) -> list[Substance]:
    """The substances in the chemical list."""
    return [
        Substance(text(raw), attribute(attributes, "UI"), text(number) or None)
        for number, attributes, raw in _SUBSTANCE.findall(xml)
    ]


def data_banks(xml: str) -> list[DataBank]:
    """Registers and repositories with the accessions there."""
    banks = contents(content(xml, "DataBankList"), "DataBank")
    return [DataBank(leaf(bank, "DataBankName") or "", leaves(bank, "AccessionNumber")) for bank in banks]


def grants(xml: str) -> list[Grant]:
    """The grants that paid for the article."""
    rows = map(plain, contents(content(xml, "GrantList"), "Grant"))
    return [Grant(*(row.get(name) or None for name in _GRANT)) for row in rows]


class Abstract(NamedTuple):
    """The abstract of an article."""

    text: str | None
    """One line for each section, its label in front."""
    sections: list[Section]
    """Empty unless one has a label or a category."""
    copyright: str | None


def abstract(xml: str) -> Abstract:
    """The abstract of a record."""
    lines: list[str] = []
    sections: list[Section] = []
    length = 0
    for attributes, raw in elements_named(xml, "AbstractText"):
        sentences = text(raw)
        if not sentences:
            continue
        section = _section(attributes) if attributes else Section(0, 0)
        line = f"{section.label}: {sentences}" if section.label else sentences
        length += len(line) + 1  # and the line end
        section.start, section.end = length - 1 - len(sentences), length - 1
        lines.append(line)
        sections.append(section)
    is_structured = any(section.label or section.category for section in sections)
    return Abstract("\n".join(lines) or None, sections if is_structured else [], leaf(xml, "CopyrightInformation"))


def other_abstracts(xml: str) -> list[OtherAbstract]:
    """Abstracts by others or for others than the journal's readers."""
    return [
        OtherAbstract(attribute(attributes, "Type") or "other", sentences, attribute(attributes, "Language"))
        for attributes, raw in elements_named(xml, "OtherAbstract")
        if (sentences := abstract(raw).text)
    ]


def _section(attributes: str) -> Section:
    label, category = attribute(attributes, "Label"), attribute(attributes, "NlmCategory")
    is_none = not label or label.upper() == "UNLABELLED"
    return Section(0, 0, None if is_none else label, None if category == "UNASSIGNED" else category)
