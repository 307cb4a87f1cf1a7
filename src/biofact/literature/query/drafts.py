"""Subjects and filters to the text of a query. Pure.

Every concept is a clause ``("Heading"[MeSH Terms] OR "phrase"[Title/Abstract] OR ...)``; clauses are joined by AND.
What a caller wrote stands in quotes and has no quotes in it, so it can never be read as syntax.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biofact.literature.query.filters import QueryFilters
from biofact.literature.query.subjects import Subject
from biofact.literature.query.terms import ABSTRACT, HEADING, MAJOR, TITLE, AllWords, Alternative, FieldTerm, any_of

LONGEST_QUERY = 4000
"""Characters; ``pubmed_search`` takes no more."""
_LONGEST_PHRASE = 5  # words; a longer phrase is searched for by its words
_SPLIT_FROM = 3  # words: from here on the words of a phrase may well stand apart

Style = Literal["broad", "plain", "words", "indexed", "major", "title", "related"]
STYLES: dict[Style, str] = {
    "broad": "Broad, with synonyms",
    "plain": "Without synonyms",
    "words": "Words of title and abstract alone, so that articles not yet indexed are found, too",
    "indexed": "MeSH headings alone where there are any",
    "major": "Main points",
    "title": "Titles",
    "related": "Related subjects",
}
"""What searching for subjects in one way comes to."""


@dataclass(frozen=True, slots=True)
class QueryPart:
    """A subject, and how it is searched for."""

    subject: Subject
    style: Style


@dataclass(frozen=True, slots=True)
class Draft:
    """A query before it is written."""

    parts: tuple[QueryPart, ...]
    filters: QueryFilters
    unknown: frozenset[str] = frozenset()
    """Phrases that PubMed does not know, as ``CheckedQuery`` has them; left out, or searched for by their words."""

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """What it is about."""
        return tuple(part.subject for part in self.parts)

    @property
    def clauses(self) -> tuple[tuple[Alternative, ...], ...]:
        """What the query asks of each subject."""
        return self._clauses(most=None)

    def __str__(self) -> str:
        for most in (None, 2, 0):
            query = self.filters.applied(" AND ".join(any_of(clause) for clause in self._clauses(most)))
            if len(query) <= LONGEST_QUERY:
                break
        return query

    def _clauses(self, most: int | None) -> tuple[tuple[Alternative, ...], ...]:
        return tuple(tuple(self._known(part, most)) for part in self.parts)

    def _known(self, part: QueryPart, most: int | None) -> Iterator[Alternative]:
        """The alternatives of a clause that PubMed knows; its names by their words where it knows none of them."""
        options = list(dict.fromkeys(alternatives(part, most)))
        kept = [one for one in options if not (isinstance(one, FieldTerm) and one.is_in(self.unknown))]
        names = [one for one in options if isinstance(one, FieldTerm) and one.text in part.subject.concept.names]
        lost = [one for one in names if one not in kept]
        by_words = [AllWords(one.text, one.field) for one in lost if len(AllWords(one.text, one.field).words) > 1]
        yield from dict.fromkeys((*kept, *by_words)) or options

    def mended(self, unknown: frozenset[str]) -> "Draft":
        """Without phrases that PubMed does not know."""
        return replace(self, unknown=self.unknown | unknown)

    def in_style(self, style: Style) -> "Draft":
        """The same subjects, each searched for in this way."""
        return replace(self, parts=tuple(replace(part, style=style) for part in self.parts))

    def about(self, subjects: Sequence[Subject]) -> "Draft":
        """The same about these of its subjects alone."""
        return replace(self, parts=tuple(part for part in self.parts if part.subject in subjects))


def draft(subjects: Sequence[Subject], style: Style, filters: QueryFilters) -> Draft:
    """A query about all of these subjects."""
    return Draft(tuple(QueryPart(subject, style) for subject in subjects), filters)


def alternatives(part: QueryPart, most: int | None = None) -> Iterator[Alternative]:
    """What finds a subject, with at most so many synonyms. A keyword's own words are always among it."""
    subject, style = part.subject, part.style
    names = subject.concept.names
    if style == "related":
        yield from (FieldTerm(name, ABSTRACT) for name in subject.related)
        return
    if subject.is_aspect:
        yield from _phrases(names, ABSTRACT)
        return
    if style in {"broad", "plain", "indexed"}:
        yield from (FieldTerm(heading, HEADING) for heading in subject.headings)
    if style == "major":
        yield from (FieldTerm(heading, MAJOR) for heading in subject.headings)
    if style == "title" or (style == "major" and not subject.is_required):
        closest = () if subject.is_required else subject.synonyms[:1]
        yield from _phrases((*names, *closest), TITLE)
    elif style != "indexed" or subject.is_required or not subject.headings:
        yield from _phrases(names, ABSTRACT)
    if style in {"broad", "words"}:
        yield from (FieldTerm(name, ABSTRACT) for name in subject.synonyms[:most])
        if not subject.headings:
            parted = (AllWords(name, ABSTRACT) for name in names if "*" not in name)
            yield from (words for words in parted if len(words.words) >= _SPLIT_FROM)


def _phrases(names: Sequence[str], field: str) -> Iterator[Alternative]:
    for name in names:
        is_long = len(name.split()) > _LONGEST_PHRASE
        yield AllWords(name, field) if is_long else FieldTerm(name, field)
