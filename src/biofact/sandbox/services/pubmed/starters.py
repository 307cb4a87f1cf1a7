"""The starter facts of PubMed and MeSH, written by hand for this project, in ``starter/``."""

import functools
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from biofact.dialects import xml
from biofact.sandbox.dialects import starter
from biofact.sandbox.dialects.starter import decimal, integer
from biofact.sandbox.services.pubmed.facts import (
    STARTER_MARK,
    AbstractSection,
    ArticleFacts,
    AuthorFacts,
    BookFacts,
    CitationFacts,
    DescriptorFacts,
    GrantFacts,
    Heading,
    Journal,
    NamedTerm,
    Reference,
    Relation,
)
from biofact.transport.service import Transient

ARTICLES = ("recorded.toml", "well_known.toml", "trials.toml", "reviews.toml", "machines.toml", "forms.toml")
"""The files with articles."""

_AUTHOR = re.compile(
    r"(?P<name>[^<@=]+?)(?: =(?P<initials>[A-Z]+))?(?: <(?P<orcid>[\dX-]{19})>)?(?: @ (?P<places>.+))?"
)
_CATEGORIES = {
    "BACKGROUND": "BACKGROUND",
    "INTRODUCTION": "BACKGROUND",
    "IMPORTANCE": "BACKGROUND",
    "OBJECTIVE": "OBJECTIVE",
    "AIM": "OBJECTIVE",
    "DESIGN": "METHODS",
    "METHODS": "METHODS",
    "DATA SOURCES": "METHODS",
    "RESULTS": "RESULTS",
    "FINDINGS": "RESULTS",
    "CONCLUSION": "CONCLUSIONS",
    "CONCLUSIONS": "CONCLUSIONS",
    "INTERPRETATION": "CONCLUSIONS",
    "TRIAL REGISTRATION": "UNASSIGNED",
    "FUNDING": "UNASSIGNED",
}
"""NLM's categories of the labels that our abstracts have."""
_EDITIONS = {"P": "Print", "E": "Electronic"}
_rows = functools.partial(starter.rows, __package__)


@functools.cache
def starter_articles() -> tuple[ArticleFacts, ...]:
    """All articles and chapters, in the order of the files.

    Raises:
        ValueError: A file holds what cannot be read; the message says what was expected.
    """
    return tuple(
        _article(pmid, entry)
        for name in ARTICLES
        for pmid, entry in tomllib.loads(starter.text(__package__, name)).items()
    )


@functools.cache
def starter_descriptors() -> tuple[DescriptorFacts, ...]:
    """The MeSH descriptors, by UI. Several of a thing stand between bars."""
    return tuple(
        DescriptorFacts(ui, name, tuple(trees.split()), _parts(terms), f"{note} {STARTER_MARK}" if note else "")
        for ui, name, trees, terms, note in _rows("mesh.tsv", 5)
    )


@functools.cache
def starter_citations() -> tuple[CitationFacts, ...]:
    """How often the articles were cited."""
    return tuple(
        CitationFacts(
            pmid,
            integer(count),
            decimal(ratio) if ratio else None,
            decimal(percentile) if percentile else None,
            is_clinical="clinical" in flags,
            is_provisional="provisional" in flags,
        )
        for pmid, count, ratio, percentile, flags in _rows("citations.tsv", 5)
    )


@functools.cache
def publication_types() -> dict[str, tuple[str, str]]:
    """By name, the UI of each publication type and the wider type that it belongs to."""
    return {name: (ui, wider) for ui, name, wider in _rows("publication_types.tsv", 3)}


@functools.cache
def subheadings() -> dict[str, str]:
    """By name, the UI of each MeSH subheading."""
    return {name: ui for ui, name in _rows("subheadings.tsv", 2)}


@functools.cache
def _journals() -> dict[str, Journal]:
    return {cells[0]: _journal(cells) for cells in _rows("journals.tsv", 9)}


@functools.cache
def _descriptor_uis() -> dict[str, str]:
    return {one.name: one.ui for one in starter_descriptors()}


def _journal(cells: list[str]) -> Journal:
    short, title, iso, nlm_id, issn, edition, linking, country, medium = cells
    return Journal(short, title, iso, nlm_id, issn, _EDITIONS.get(edition, ""), linking, country, medium)


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("|") if part)


def _article(pmid: str, entry: Mapping[str, Any]) -> ArticleFacts:
    facts: dict[str, Any] = {}
    for key, text in entry.items():
        if key not in _READERS:
            raise ValueError(f"{pmid} has a field {key!r}; expected one of {', '.join(sorted(_READERS))}.")
        name, read = _READERS[key]
        try:
            facts[name] = read(text)
        except (KeyError, ValueError, Transient) as error:
            raise ValueError(f"{pmid} has a {key} that cannot be read: {error}.") from error
    return ArticleFacts(pmid=pmid, **facts)


def _each(read: Callable[[str], Any]) -> Callable[[list[str]], tuple[Any, ...]]:
    """Reads a list by its items."""
    return lambda text: tuple(map(read, text))


def _as_is(text: Any) -> Any:
    return text


def _markup(text: str) -> str:
    """XML text, which must be well-formed."""
    xml.tree(f"<text>{text}</text>".encode())
    return text


def _author(text: str) -> AuthorFacts:
    """``Brighton, Timothy A, Jr =T <0000-0002-1825-0097> @ Where @ Where else``, or ``group: Name``."""
    found = _AUTHOR.fullmatch(text.removeprefix("group: "))
    if not found:
        raise ValueError(f"{text!r} is not an author; expected a form like 'Brighton, Timothy A'")
    places = tuple((found["places"] or "").split(" @ ")) if found["places"] else ()
    if text.startswith("group: "):
        return AuthorFacts(collective=found["name"], affiliations=places)
    last, fore, suffix = (*(part.strip() for part in found["name"].split(",")), "", "")[:3]
    return AuthorFacts(last, fore, suffix, "", found["orcid"] or "", places, found["initials"] or "")


def _passage(text: str) -> AbstractSection:
    """A section as ``RESULTS: what was found``."""
    label, _, text = text.partition(": ")
    if label not in _CATEGORIES:
        raise ValueError(f"{label!r} is not a label; expected one of {', '.join(_CATEGORIES)}")
    return AbstractSection(_markup(text), label, _CATEGORIES[label])


def _sections(text: list[str]) -> tuple[AbstractSection, ...]:
    *others, last = map(_passage, text)
    return (*others, AbstractSection(f"{last.text} {STARTER_MARK}", last.label, last.category))


def _abstract(text: str) -> tuple[AbstractSection, ...]:
    return (AbstractSection(f"{_markup(text)} {STARTER_MARK}"),)


def _other_abstract(text: str) -> tuple[str, str, str]:
    """``plain-language-summary eng: text``."""
    head, _, text = text.partition(": ")
    kind, language = head.split()
    return kind, language, f"{_markup(text)} {STARTER_MARK}"


def _type(text: str) -> NamedTerm:
    return NamedTerm(publication_types()[text][0], text)


def _heading(text: str) -> Heading:
    """As MEDLINE writes it: ``Aspirin/adverse effects/*therapeutic use``; an asterisk marks a main point."""
    name, *aspects = text.split("/")
    return Heading(_term(name, _descriptor_uis()), tuple(_term(aspect, subheadings()) for aspect in aspects))


def _term(text: str, uis: Mapping[str, str]) -> NamedTerm:
    name = text.removeprefix("*")
    return NamedTerm(uis[name], name, text.startswith("*"))


def _numbered(text: str) -> tuple[str, NamedTerm]:
    """``R16CO5Y76E D001241 Aspirin``: registry number, which may hold a blank, or kind; UI and name."""
    found = re.fullmatch(r"(.+?) ([CD]\d{6,9}) (.+)", text)
    if not found:
        raise ValueError(f"{text!r} is not a substance; expected a form like 'R16CO5Y76E D001241 Aspirin'")
    return found[1], NamedTerm(found[2], found[3])


def _named(text: str) -> tuple[str, str]:
    """``doi:10.1056/NEJMoa1210384``: kind and ID."""
    kind, _, value = text.partition(":")
    return kind, value


def _event(text: str) -> tuple[str, str]:
    """``pubmed 2012-11-06 06:00``: event and date."""
    event, _, date = text.partition(" ")
    return event, date


def _data_bank(text: str) -> tuple[str, tuple[str, ...]]:
    """``ClinicalTrials.gov: NCT02149199``."""
    name, _, accessions = text.partition(": ")
    return name, tuple(accessions.split())


def _grant(text: str) -> GrantFacts:
    """``J 3545|FWF_|Austrian Science Fund FWF|Austria``; a bar between blanks belongs to a name."""
    number, acronym, agency, country = re.split(r"(?<! )\|(?! )", text)
    return GrantFacts(number, acronym, agency, country)


def _relation(text: str) -> Relation:
    """``RetractionIn 20137807 Lancet. 2010 Feb 6;375(9713):445 (Note)``; a hyphen where there is no PMID."""
    kind, pmid, rest = text.split(" ", 2)
    source, _, note = rest.partition(" -- ")
    return Relation(kind, pmid.strip("-"), source, note)


def _reference(text: str) -> Reference:
    """``A citation. -- pubmed:1234 doi:10.1/x``."""
    citation, _, ids = text.partition(" -- ")
    return Reference(citation, tuple(map(_named, ids.split())))


def _book(text: Mapping[str, Any]) -> BookFacts:
    facts = dict(text)
    editors = tuple(map(_author, facts.pop("editors", ())))
    return BookFacts(**{**facts, "isbn": tuple(facts.get("isbn", ())), "editors": editors})


_READERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    **{key: (key, _as_is) for key in ("volume", "issue", "pages", "published", "electronic", "model", "status")},
    **{key: (key, _as_is) for key in ("owner", "completed", "revised", "stage", "further_authors")},
    **{key: (key, _markup) for key in ("title", "vernacular", "copyright", "conflict_of_interest")},
    **{key: (key, _each(_as_is)) for key in ("located", "languages")},
    "journal": ("journal", lambda text: _journals()[text]),
    "book": ("book", _book),
    "history": ("history", _each(_event)),
    "ids": ("ids", _each(_named)),
    "abstract": ("abstract", _abstract),
    "sections": ("abstract", _sections),
    "other_abstracts": ("other_abstracts", _each(_other_abstract)),
    "authors": ("authors", _each(_author)),
    "types": ("types", _each(_type)),
    "mesh": ("mesh", _each(_heading)),
    "substances": ("substances", _each(_numbered)),
    "supplementary": ("supplementary", _each(_numbered)),
    "keywords": ("keywords", _each(_markup)),
    "data_banks": ("data_banks", _each(_data_bank)),
    "grants": ("grants", _each(_grant)),
    "corrections": ("relations", _each(_relation)),
    "references": ("references", _each(_reference)),
}
"""By the key in a file, the field of the facts, and how it is read."""
