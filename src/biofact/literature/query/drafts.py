"""Subjects and filters to the text of a query, and which queries a strategy tries. Pure.

Every concept is a clause ``("Heading"[MeSH Terms] OR "phrase"[Title/Abstract] OR ...)``; clauses are joined by AND.
The caller's words stand in quotes and have no quotes in them, so they can never be read as syntax.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from biofact.literature.choices import QueryStrategy
from biofact.literature.query import synonyms, terms
from biofact.literature.query.filters import QueryFilters
from biofact.literature.query.subjects import Subject
from biofact.literature.query.terms import ABSTRACT, HEADING, MAJOR, TITLE, AllWords, Alternative, FieldTerm, any_of

LONGEST_QUERY = 10_000
"""Characters; ``pubmed_search`` takes no more."""
_LONGEST_PHRASE = 5  # words; a longer phrase is searched for by its words
_FORMS_AT_MOST = (None, 60, 25, 8, 2)  # forms of a subject's names, until the query is short enough

Style = Literal["broad", "plain", "words", "indexed", "major", "title", "related"]
STYLES: dict[Style, str] = {
    "broad": "Sensitive, with all names and their forms",
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

    @property
    def most_forms(self) -> int | None:
        """How many forms of a subject's names the query has at most; None for all, fewer where it would be too long."""
        return self._fitting()[0]

    @property
    def written_clauses(self) -> list[str]:
        """The clauses as they stand in the query."""
        return [any_of(clause) for clause in self._clauses(self.most_forms)]

    def _fitting(self) -> tuple[int | None, str]:
        """How many forms of a subject's names are short enough, and the query with these."""
        written = ((most, self._written(most)) for most in _FORMS_AT_MOST)
        return next(
            ((most, text) for most, text in written if len(text) <= LONGEST_QUERY or most == _FORMS_AT_MOST[-1])
        )

    def _written(self, most: int | None) -> str:
        return self.filters.applied(" AND ".join(any_of(clause) for clause in self._clauses(most)))

    def __str__(self) -> str:
        return self._fitting()[1]

    def _clauses(self, most: int | None) -> tuple[tuple[Alternative, ...], ...]:
        return tuple(tuple(self._known(part, most)) for part in self.parts)

    def _known(self, part: QueryPart, most: int | None) -> Iterator[Alternative]:
        """The alternatives of a clause, phrases that PubMed does not know by their words side by side.

        A single word that it does not know stays: it costs nothing, and may stand in tomorrow's articles.
        """
        options = _options(part, most)
        kept: list[Alternative] = []
        side_by_side: set[str] = set()
        for one in options:
            if not isinstance(one, FieldTerm) or not one.is_in(self.unknown):
                kept.append(one)
            elif one.is_phrase:
                kept += [near for near in one.side_by_side() if near.text.replace("-", " ").lower() not in side_by_side]
                side_by_side |= {near.text.replace("-", " ").lower() for near in one.side_by_side()}
            elif one.field in {ABSTRACT, TITLE}:
                kept.append(one)
        yield from dict.fromkeys(kept) or options or [FieldTerm(part.subject.concept.names[0], ABSTRACT)]

    def lost(self, unknown: frozenset[str]) -> list[Subject]:
        """Subjects of which PubMed knows no term: it leaves them out, and searches for the rest."""
        pairs = zip(self.parts, self.clauses, strict=True)
        return [part.subject for part, clause in pairs if all(_is_unknown(one, unknown) for one in clause)]

    def side_by_side(self, before: "Draft") -> list[str]:
        """The phrases that another draft has as phrases, and this one by their words side by side."""
        own = {str(one) for clause in self.clauses for one in clause}
        phrases = [one for clause in before.clauses for one in clause if isinstance(one, FieldTerm) and one.is_phrase]
        return list(dict.fromkeys(one.text for one in phrases if str(one) not in own))

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


@functools.lru_cache(maxsize=1024)  # a query is written again and again until PubMed knows all of it
def _options(part: QueryPart, most: int | None) -> tuple[Alternative, ...]:
    return tuple(dict.fromkeys(alternatives(part, most)))


def alternatives(part: QueryPart, most: int | None = None) -> Iterator[Alternative]:
    """What finds a subject, with at most so many forms of its names. A keyword's own words are always among it."""
    subject, style = part.subject, part.style
    names = subject.concept.names
    if style == "related":
        yield from (FieldTerm(name, ABSTRACT) for name in subject.related)
        return
    if style in {"broad", "plain", "indexed"}:
        yield from (FieldTerm(heading, HEADING) for heading in subject.headings)
    if style == "major":
        yield from (FieldTerm(heading, MAJOR) for heading in subject.headings)
    field = TITLE if style in {"title", "major"} and not (style == "major" and subject.is_required) else ABSTRACT
    if subject.is_required:
        yield from (FieldTerm(name, field) for name in names if not _is_long(name))
    if field == TITLE:
        closest = () if subject.is_required else subject.synonyms[:1]
        yield from _phrases((*names, *closest), TITLE)
    elif style in {"broad", "words"}:
        yield from _phrases(subject.every_name, ABSTRACT, most, is_wide=True)
        yield from _parted(subject)
    elif style != "indexed" or subject.is_required or not subject.headings:
        yield from _phrases(names, ABSTRACT)


def _phrases(
    names: Sequence[str], field: str, most: int | None = None, *, is_wide: bool = False
) -> Iterator[Alternative]:
    """All forms of the names; a keyword with an asterisk as it is, a very long name by its words, too."""
    for form in terms.free_text(names, is_wide=is_wide)[:most]:
        yield FieldTerm(form.text, field, form.whole)
    yield from (AllWords(name, field) for name in names[:1] if _is_long(name))


def _is_long(name: str) -> bool:
    words = name.split()
    return len(words) > _LONGEST_PHRASE and min(map(len, words)) > 1 and not synonyms.has_stops(name)


def _parted(subject: Subject) -> Iterator[AllWords]:
    """The words of a name anywhere in title and abstract, where MeSH has no heading for it: mutations in TP53."""
    for name in subject.concept.names:
        words = AllWords(name, ABSTRACT)
        is_whole = "*" in name or synonyms.has_stops(name) or any(len(word) == 1 for word in name.split())
        is_known = bool(subject.headings) or synonyms.synonym_entry(name) is not None
        if not is_whole and not is_known and len(words.words) > 1:
            yield words


def _is_unknown(one: Alternative, unknown: frozenset[str]) -> bool:
    if isinstance(one, AllWords):
        return any(FieldTerm(word, one.field).is_in(unknown) for word in one.words)
    return isinstance(one, FieldTerm) and one.is_in(unknown)


_PAIR = 2


def strategy_drafts(strategy: QueryStrategy, subjects: Sequence[Subject], filters: QueryFilters) -> list[Draft]:
    """Queries for these subjects, each another, the strategy's own first."""
    make_drafts = {"comprehensive": _comprehensive, "focused": _focused, "exploratory": _exploratory}[strategy]
    by_text: dict[str, Draft] = {}
    for one in make_drafts(subjects, filters):
        by_text.setdefault(str(one), one)
    return list(by_text.values())


def main_subjects(subjects: Sequence[Subject]) -> list[Subject]:
    """Those that a broad query is about: without what is optional, unless there is nothing else."""
    return [one for one in subjects if not one.is_optional] or list(subjects)


def widen(one: Draft) -> Draft | None:
    """A query on the same main subjects that asks for less; None where it cannot."""
    topics = main_subjects(one.subjects)
    if len(topics) < len(one.parts):
        return one.about(topics).in_style("broad")
    return one.in_style("broad") if any(part.style != "broad" for part in one.parts) else None


def with_fewer_subjects(one: Draft) -> Iterator[Draft]:
    """The query on ever fewer of its subjects: those first without of which PubMed knows no word, then the last."""
    subjects = list(main_subjects(one.subjects))
    unknown = one.lost(one.unknown)
    while dropped := [subject for subject in subjects if not subject.is_required][-1:]:
        dropped = [subject for subject in subjects if subject in unknown and not subject.is_required][:1] or dropped
        subjects = [subject for subject in subjects if subject not in dropped]
        if not subjects:
            return
        yield one.about(subjects).in_style("broad")


def _comprehensive(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    """All main subjects in every form; then the focused variant, which requires what is optional, too."""
    topics = main_subjects(subjects)
    yield draft(topics, "broad", filters)
    if len(topics) < len(subjects):
        yield draft(subjects, "broad", filters)
    yield draft(topics, "words", filters)
    if any(one.headings for one in topics):
        yield draft(topics, "indexed", filters)
    yield from _in_styles(subjects, ("plain", "major", "title"), filters)
    yield from _smaller(topics, filters)


def _focused(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    topics = main_subjects(subjects)
    yield from _in_styles(subjects, ("major", "plain"), filters)
    for leading in topics if len(topics) > 1 else ():
        ahead: Style = "title" if leading.is_required and not leading.headings else "major"
        yield Draft(tuple(QueryPart(one, ahead if one is leading else "plain") for one in topics), filters)
    yield from _in_styles(subjects, ("title",), filters)
    yield from _in_styles(topics, ("indexed", "broad"), filters)


def _exploratory(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    topics = main_subjects(subjects)
    yield draft(topics, "broad", filters)
    for swapped in topics:
        if swapped.related and len(topics) > 1:
            parts = (QueryPart(one, "related" if one is swapped else "broad") for one in topics)
            yield Draft(tuple(parts), filters)
    yield from _smaller(topics, filters)
    if any(one.headings for one in topics):
        yield draft(topics, "indexed", filters)
    yield from _in_styles(topics, ("title", "words"), filters)
    for swapped in topics:
        if swapped.related and len(topics) == 1:
            yield Draft((QueryPart(swapped, "related"),), filters)
    yield from _in_styles(subjects, ("plain", "major"), filters)


def _in_styles(subjects: Sequence[Subject], styles: Iterable[Style], filters: QueryFilters) -> Iterator[Draft]:
    for style in styles:
        yield draft(subjects, style, filters)


def _smaller(topics: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    """Pairs of topics where there are more, each with all that is required."""
    optional = [one for one in topics if not one.is_required]
    if len(optional) > _PAIR:  # fewer are a pair already
        for pair in combinations(optional, _PAIR):
            yield draft([one for one in topics if one.is_required or one in pair], "broad", filters)
