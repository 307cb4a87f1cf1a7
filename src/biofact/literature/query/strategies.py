"""Which queries a strategy tries, in which order, and how one is made wider or narrower. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from biofact.literature.choices import QueryStrategy
from biofact.literature.query.drafts import Draft, QueryPart, Style, draft
from biofact.literature.query.filters import QueryFilters
from biofact.literature.query.subjects import Subject

_PAIR = 2


def drafts(strategy: QueryStrategy, subjects: Sequence[Subject], filters: QueryFilters) -> list[Draft]:
    """Queries for these subjects, each another, the strategy's own first."""
    make_drafts = {"comprehensive": _comprehensive, "focused": _focused, "exploratory": _exploratory}[strategy]
    by_text = {str(one): one for one in reversed(list(make_drafts(subjects, filters)))}
    return list(reversed(by_text.values()))


def main(subjects: Sequence[Subject]) -> list[Subject]:
    """Those that a broad query is about: without aspects, unless there is nothing else."""
    return [one for one in subjects if not one.is_aspect] or list(subjects)


def widen(one: Draft) -> Draft | None:
    """A query that asks for less; None where it cannot."""
    topics = [subject for subject in one.subjects if not subject.is_aspect]
    if topics and len(topics) < len(one.parts):
        return one.about(topics).in_style("broad")
    if any(part.style != "broad" for part in one.parts):
        return one.in_style("broad")
    optional = [subject for subject in one.subjects if not subject.is_required]
    if len(one.parts) > 1 and optional:
        return one.about([subject for subject in one.subjects if subject is not optional[-1]])
    return None


def narrow(one: Draft, subjects: Sequence[Subject]) -> Draft | None:
    """A query that asks for more: the aspects left out so far, else main points only; None where it cannot."""
    missing = [subject for subject in subjects if subject.is_aspect and subject not in one.subjects]
    if missing:
        return replace(one, parts=(*one.parts, *(QueryPart(subject, "plain") for subject in missing)))
    return one.in_style("major") if any(part.style != "major" for part in one.parts) else None


def _comprehensive(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    topics = main(subjects)
    yield draft(topics, "broad", filters)
    if len(topics) < len(subjects):
        yield draft(subjects, "broad", filters)
    yield draft(topics, "words", filters)
    if any(one.headings for one in topics):
        yield draft(topics, "indexed", filters)
    yield from _in_styles(subjects, ("plain", "major", "title"), filters)
    yield from _smaller(topics, filters)


def _focused(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    topics = main(subjects)
    yield from _in_styles(subjects, ("major", "plain"), filters)
    for leading in topics if len(topics) > 1 else ():
        ahead: Style = "title" if leading.is_required and not leading.headings else "major"
        yield Draft(tuple(QueryPart(one, ahead if one is leading else "plain") for one in topics), filters)
    yield from _in_styles(subjects, ("title",), filters)
    yield from _in_styles(topics, ("indexed", "broad"), filters)


def _exploratory(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    topics = main(subjects)
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
