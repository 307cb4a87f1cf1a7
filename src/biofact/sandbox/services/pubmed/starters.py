"""The starter facts of PubMed and MeSH, written by hand for this project, in ``starter/``."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from biofact.sandbox.services.pubmed.facts import (
    AbstractSection,
    ArticleFacts,
    AuthorFacts,
    BookFacts,
    DescriptorFacts,
    GrantFacts,
    Heading,
    Journal,
    NamedTerm,
    Reference,
    Relation,
)
from biofact.sandbox.tables import Row, facts, frozen, starter_rows

ARTICLES = ("recorded", "well_known", "trials", "reviews", "machines", "forms")
"""The kinds of articles, each with a file."""
_rows = functools.partial(starter_rows, __package__)


@functools.cache
def starter_articles() -> tuple[ArticleFacts, ...]:
    """All articles and chapters, in the order of the files.

    Raises:
        ValueError: A row cannot be read; the message says which and why.
    """
    return tuple(article(row) for name in ARTICLES for row in _rows(f"article.{name}.jsonl"))


@functools.cache
def starter_descriptors() -> tuple[DescriptorFacts, ...]:
    """The MeSH descriptors, by UI."""
    return facts(DescriptorFacts, _rows("descriptor.jsonl"))


@functools.cache
def starter_citations() -> list[Row]:
    """How often the articles were cited, in iCite's form."""
    return _rows("citation.jsonl")


@functools.cache
def publication_types() -> dict[str, tuple[str, str]]:
    """By name, the UI of each publication type and the wider type that it belongs to."""
    return {row["name"]: (row["ui"], row["wider"]) for row in _rows("publication_type.jsonl")}


@functools.cache
def unrecorded_publication_types() -> frozenset[str]:
    """The names of those types whose UI no recording shows."""
    return frozenset(row["name"] for row in _rows("publication_type.jsonl") if not row["is_recorded"])


@functools.cache
def subheadings() -> dict[str, str]:
    """By name, the UI of each MeSH subheading."""
    return {row["name"]: row["ui"] for row in _rows("subheading.jsonl")}


@functools.cache
def _journals() -> dict[str, Journal]:
    return {one.short: one for one in facts(Journal, _rows("journal.jsonl"))}


@functools.cache
def _descriptor_uis() -> dict[str, str]:
    return {one.name: one.ui for one in starter_descriptors()}


def article(row: Row) -> ArticleFacts:
    """The facts of a row.

    Raises:
        ValueError: It has a field that there is not, or names a journal, heading or type that there is not.
    """
    try:
        return ArticleFacts(**{name: _READERS.get(name, frozen)(value) for name, value in row.items()})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"The article {row.get('pmid')} cannot be read: {error}.") from error


def _each(kind: Callable[..., Any]) -> Callable[[list[Row]], tuple[Any, ...]]:
    return functools.partial(facts, kind)


def _book(row: Row) -> BookFacts:
    return BookFacts(**{**frozen(row), "editors": facts(AuthorFacts, row.get("editors", ()))})


def _types(names: list[str]) -> tuple[NamedTerm, ...]:
    return tuple(NamedTerm(publication_types()[name][0], name) for name in names)


def _headings(texts: list[str]) -> tuple[Heading, ...]:
    return tuple(map(_heading, texts))


def _heading(text: str) -> Heading:
    """As MEDLINE writes it: ``Aspirin/adverse effects/*therapeutic use``; an asterisk marks a main point."""
    name, *aspects = text.split("/")
    return Heading(_term(name, _descriptor_uis()), tuple(_term(aspect, subheadings()) for aspect in aspects))


def _term(text: str, uis: Mapping[str, str]) -> NamedTerm:
    name = text.removeprefix("*")
    return NamedTerm(uis[name], name, text.startswith("*"))


def _numbered(pairs: list[tuple[str, Row]]) -> tuple[tuple[str, NamedTerm], ...]:
    """Registry numbers, or kinds, and terms."""
    return tuple((number, NamedTerm(**term)) for number, term in pairs)


_READERS: dict[str, Callable[[Any], Any]] = {
    "journal": lambda short: _journals()[short],
    "book": _book,
    "abstract": _each(AbstractSection),
    "authors": _each(AuthorFacts),
    "types": _types,
    "mesh": _headings,
    "substances": _numbered,
    "supplementary": _numbered,
    "grants": _each(GrantFacts),
    "relations": _each(Relation),
    "references": _each(Reference),
}
"""How the fields of an article are read that hold facts of their own."""
