"""Subjects and filters to the text of a query, and which queries a strategy tries. Pure.

Every concept is a clause ``("Heading"[MeSH Terms] OR "phrase"[Title/Abstract] OR ...)``; clauses are joined by AND.
The caller's words stand in quotes and have no quotes in them, so they can never be read as syntax.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeVar

from biofact.literature.choices import QueryStrategy
from biofact.literature.query import synonyms, terms
from biofact.literature.query.filters import QueryFilters
from biofact.literature.query.subjects import Subject
from biofact.literature.query.terms import ABSTRACT, HEADING, MAJOR, TITLE, AllWords, Alternative, FieldTerm, any_of

LONGEST_QUERY = 10_000
"""Characters; ``pubmed_search`` takes no more."""
_LONGEST_PHRASE = 5  # words; a longer phrase is searched for by its words
_FORMS_AT_MOST = (None, 60, 25, 8, 2)  # forms of a subject's names, until the query is short enough

T = TypeVar("T")
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
"""The styles of searching for a subject, in words."""


@dataclass(frozen=True, slots=True)
class QueryPart:
    """A subject and the style of the search for it."""

    subject: Subject
    style: Style


@dataclass(frozen=True, slots=True)
class Draft:
    """A query before it is written."""

    parts: tuple[QueryPart, ...]
    filters: QueryFilters
    unknown: frozenset[str] = frozenset()
    """Phrases that PubMed does not know, as in ``CheckedQuery``; left out, or replaced by their words."""

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """The subjects of its parts."""
        return tuple(part.subject for part in self.parts)

    @property
    def clauses(self) -> tuple[tuple[Alternative, ...], ...]:
        """The alternatives for each subject, with all forms."""
        return self._clauses_with(limit=None)

    @property
    def most_forms(self) -> int | None:
        """How many forms of a subject's names the query has at most; None for all, fewer where it would be too long."""
        return self._within_length()[0]

    @property
    def written_clauses(self) -> list[str]:
        """The clauses as they stand in the query."""
        return [any_of(clause) for clause in self._clauses_with(self.most_forms)]

    def _within_length(self) -> tuple[int | None, str]:
        """The limit on forms of a subject's names that makes the query short enough, and the query."""
        for limit in _FORMS_AT_MOST:
            text = self.filters.applied(" AND ".join(any_of(clause) for clause in self._clauses_with(limit)))
            if len(text) <= LONGEST_QUERY:
                break
        return limit, text

    def __str__(self) -> str:
        return self._within_length()[1]

    def _clauses_with(self, limit: int | None) -> tuple[tuple[Alternative, ...], ...]:
        return tuple(tuple(self._known_alternatives(part, limit)) for part in self.parts)

    def _known_alternatives(self, part: QueryPart, limit: int | None) -> Iterator[Alternative]:
        """The alternatives of a clause, with the words side by side of phrases that PubMed does not know.

        A single word that it does not know stays: it costs nothing, and tomorrow's articles may have it.
        """
        options = _options(part, limit)
        alternatives: list[Alternative] = []
        side_by_side: set[str] = set()
        for alternative in options:
            if not isinstance(alternative, FieldTerm) or not alternative.is_in(self.unknown):
                alternatives.append(alternative)
            elif alternative.is_phrase:
                adjacent = [(term, term.text.replace("-", " ").lower()) for term in alternative.side_by_side()]
                alternatives += [term for term, words in adjacent if words not in side_by_side]
                side_by_side |= {words for _, words in adjacent}
            elif alternative.field in {ABSTRACT, TITLE}:
                alternatives.append(alternative)
        # never none, for a clause of a query cannot be empty
        yield from dict.fromkeys(alternatives) or options or [FieldTerm(part.subject.concept.names[0], ABSTRACT)]

    def subjects_without_terms(self, unknown: frozenset[str]) -> list[Subject]:
        """Subjects without a term that PubMed knows: PubMed leaves them out, and searches for the rest."""
        pairs = zip(self.parts, self.clauses, strict=True)
        return [
            part.subject for part, clause in pairs if all(_is_unknown(alternative, unknown) for alternative in clause)
        ]

    def side_by_side(self, before: "Draft") -> list[str]:
        """The phrases of an earlier draft that this draft has as words side by side."""
        own_texts = {str(term) for clause in self.clauses for term in clause}
        phrases = [
            term for clause in before.clauses for term in clause if isinstance(term, FieldTerm) and term.is_phrase
        ]
        return list(dict.fromkeys(term.text for term in phrases if str(term) not in own_texts))

    def without_unknown(self, unknown: frozenset[str]) -> "Draft":
        """The draft without phrases that PubMed does not know."""
        return replace(self, unknown=self.unknown | unknown)

    def broad(self) -> "Draft":
        """The draft with the same subjects, each in the broad style."""
        return replace(self, parts=tuple(replace(part, style="broad") for part in self.parts))

    def on_subjects(self, subjects: Sequence[Subject]) -> "Draft":
        """The draft on a part of its subjects."""
        return replace(self, parts=tuple(part for part in self.parts if part.subject in subjects))


def draft(subjects: Sequence[Subject], style: Style, filters: QueryFilters) -> Draft:
    """A query about all of these subjects."""
    return Draft(tuple(QueryPart(subject, style) for subject in subjects), filters)


@functools.lru_cache(maxsize=1024)  # a query is written again and again until PubMed knows all of it
def _options(part: QueryPart, limit: int | None) -> tuple[Alternative, ...]:
    return tuple(dict.fromkeys(alternatives(part, limit)))


def alternatives(part: QueryPart, limit: int | None = None) -> Iterator[Alternative]:
    """The alternatives for a subject, with at most ``limit`` forms of its names; always with a keyword's own words."""
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
        yield from _phrases(subject.every_name, ABSTRACT, limit, is_wide=True)
        yield from _words_anywhere(subject)
    elif style != "indexed" or subject.is_required or not subject.headings:
        yield from _phrases(names, ABSTRACT)


def _phrases(
    names: Sequence[str], field: str, limit: int | None = None, *, is_wide: bool = False
) -> Iterator[Alternative]:
    """All forms of the names; a keyword with an asterisk as it is, a very long name by its words, too."""
    for form in terms.free_text(names, is_wide=is_wide)[:limit]:
        yield FieldTerm(form.text, field, form.whole)
    yield from (AllWords(name, field) for name in names[:1] if _is_long(name))


def _is_long(name: str) -> bool:
    words = name.split()
    return len(words) > _LONGEST_PHRASE and min(map(len, words)) > 1 and not synonyms.has_stops(name)


def _words_anywhere(subject: Subject) -> Iterator[AllWords]:
    """The words of a name anywhere in title and abstract, if MeSH has no heading for it: mutations in TP53."""
    for name in subject.concept.names:
        words = AllWords(name, ABSTRACT)
        is_whole = "*" in name or synonyms.has_stops(name) or any(len(word) == 1 for word in name.split())
        is_known = bool(subject.headings) or synonyms.synonym_entry(name) is not None
        if not is_whole and not is_known and len(words.words) > 1:
            yield words


def _is_unknown(alternative: Alternative, unknown: frozenset[str]) -> bool:
    if isinstance(alternative, AllWords):
        return any(FieldTerm(word, alternative.field).is_in(unknown) for word in alternative.words)
    return isinstance(alternative, FieldTerm) and alternative.is_in(unknown)


_PAIR = 2


def strategy_drafts(strategy: QueryStrategy, subjects: Sequence[Subject], filters: QueryFilters) -> list[Draft]:
    """Different queries for these subjects, the strategy's own first."""
    return each_once(_STRATEGIES[strategy](subjects, filters), str)


def each_once(queries: Iterable[T], text_of: Callable[[T], str]) -> list[T]:
    """The queries without those whose text an earlier one has."""
    by_text: dict[str, T] = {}
    for query in queries:
        by_text.setdefault(text_of(query), query)
    return list(by_text.values())


def main_subjects(subjects: Sequence[Subject]) -> list[Subject]:
    """The subjects of a broad query: all but the optional ones, or those if there are no others."""
    return [subject for subject in subjects if not subject.is_optional] or list(subjects)


def widen(query: Draft) -> Draft | None:
    """A wider query on the same main subjects; None if there is none."""
    topics = main_subjects(query.subjects)
    if len(topics) < len(query.parts):
        return query.on_subjects(topics).broad()
    return query.broad() if any(part.style != "broad" for part in query.parts) else None


def with_fewer_subjects(query: Draft) -> Iterator[Draft]:
    """The query on ever fewer subjects: without those of which PubMed knows no word, then without the last."""
    subjects = list(main_subjects(query.subjects))
    unknown = query.subjects_without_terms(query.unknown)
    while last := [subject for subject in subjects if not subject.is_required][-1:]:
        last = [subject for subject in subjects if subject in unknown and not subject.is_required][:1] or last
        subjects = [subject for subject in subjects if subject not in last]
        if not subjects:
            return
        yield query.on_subjects(subjects).broad()


def _comprehensive_drafts(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    """All main subjects in every form; then the focused variant, which requires what is optional, too."""
    topics = main_subjects(subjects)
    yield draft(topics, "broad", filters)
    if len(topics) < len(subjects):
        yield draft(subjects, "broad", filters)
    yield draft(topics, "words", filters)
    if any(subject.headings for subject in topics):
        yield draft(topics, "indexed", filters)
    yield from _in_styles(subjects, ("plain", "major", "title"), filters)
    yield from _topic_pairs(topics, filters)


def _focused_drafts(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    topics = main_subjects(subjects)
    yield from _in_styles(subjects, ("major", "plain"), filters)
    for leading in topics if len(topics) > 1 else ():
        leading_style: Style = "title" if leading.is_required and not leading.headings else "major"
        yield Draft(
            tuple(QueryPart(subject, leading_style if subject is leading else "plain") for subject in topics), filters
        )
    yield from _in_styles(subjects, ("title",), filters)
    yield from _in_styles(topics, ("indexed", "broad"), filters)


def _exploratory_drafts(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    topics = main_subjects(subjects)
    yield draft(topics, "broad", filters)
    for topic in topics:
        if topic.related and len(topics) > 1:
            parts = (QueryPart(subject, "related" if subject is topic else "broad") for subject in topics)
            yield Draft(tuple(parts), filters)
    yield from _topic_pairs(topics, filters)
    if any(subject.headings for subject in topics):
        yield draft(topics, "indexed", filters)
    yield from _in_styles(topics, ("title", "words"), filters)
    for topic in topics:
        if topic.related and len(topics) == 1:
            yield Draft((QueryPart(topic, "related"),), filters)
    yield from _in_styles(subjects, ("plain", "major"), filters)


_STRATEGIES: dict[QueryStrategy, Callable[[Sequence[Subject], QueryFilters], Iterator[Draft]]] = {
    "comprehensive": _comprehensive_drafts,
    "focused": _focused_drafts,
    "exploratory": _exploratory_drafts,
}


def _in_styles(subjects: Sequence[Subject], styles: Iterable[Style], filters: QueryFilters) -> Iterator[Draft]:
    for style in styles:
        yield draft(subjects, style, filters)


def _topic_pairs(topics: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    """Pairs of topics where there are more, each with all that is required."""
    optional = [subject for subject in topics if not subject.is_required]
    if len(optional) > _PAIR:  # fewer are a pair already
        for pair in combinations(optional, _PAIR):
            yield draft([subject for subject in topics if subject.is_required or subject in pair], "broad", filters)
