"""Which queries a strategy tries, in which order, and how one is made wider. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from biofact.literature.choices import QueryStrategy
from biofact.literature.query.drafts import Draft, QueryPart, Style, draft
from biofact.literature.query.filters import QueryFilters
from biofact.literature.query.subjects import Subject

_PAIR = 2


def drafts(strategy: QueryStrategy, subjects: Sequence[Subject], filters: QueryFilters) -> list[Draft]:
    """Queries for these subjects, each another, the strategy's own first."""
    make_drafts = {"comprehensive": _comprehensive, "focused": _focused, "exploratory": _exploratory}[strategy]
    by_text: dict[str, Draft] = {}
    for one in make_drafts(subjects, filters):
        by_text.setdefault(str(one), one)
    return list(by_text.values())


def main(subjects: Sequence[Subject]) -> list[Subject]:
    """Those that a broad query is about: without what is optional, unless there is nothing else."""
    return [one for one in subjects if not one.is_optional] or list(subjects)


def widen(one: Draft) -> Draft | None:
    """A query on the same main subjects that asks for less; None where it cannot."""
    topics = main(one.subjects)
    if len(topics) < len(one.parts):
        return one.about(topics).in_style("broad")
    return one.in_style("broad") if any(part.style != "broad" for part in one.parts) else None


def with_fewer_subjects(one: Draft) -> Iterator[Draft]:
    """The query on ever fewer of its subjects: those first without of which PubMed knows no word, then the last."""
    subjects = list(main(one.subjects))
    unknown = one.lost(one.unknown)
    while dropped := [subject for subject in subjects if not subject.is_required][-1:]:
        dropped = [subject for subject in subjects if subject in unknown and not subject.is_required][:1] or dropped
        subjects = [subject for subject in subjects if subject not in dropped]
        if not subjects:
            return
        yield one.about(subjects).in_style("broad")


def _comprehensive(subjects: Sequence[Subject], filters: QueryFilters) -> Iterator[Draft]:
    """All main subjects in every form; then the focused variant, which requires what is optional, too."""
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
