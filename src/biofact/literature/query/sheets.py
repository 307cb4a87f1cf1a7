"""The facts beside a query: its lines, exports, missed articles, and a review by the PRESS 2015 checklist.

The checklist for peer review of search strategies has six elements: McGowan et al., J Clin Epidemiol 2016;75:40-6,
https://doi.org/10.1016/j.jclinepi.2016.01.021 (read 2026-11-26). A program can check only what stands here; whether a
concept is the right one remains for a reader to judge.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from biofact.core.records import Notice
from biofact.literature.query import lines, terms
from biofact.literature.query.concepts import MOST_TOPICS
from biofact.literature.query.counts import CheckedQuery, QueryCounter
from biofact.literature.query.lines import BlockQuery
from biofact.literature.query.records import CanonicalPubMedQuery, MissedArticle, PressCheck, QueryRequest, Verdict
from biofact.literature.query.subjects import Subject


@dataclass(frozen=True, slots=True)
class ReviewedQuery:
    """The facts of a query for its review."""

    query: BlockQuery
    check: CheckedQuery
    missing_subjects: Sequence[str]
    """Subjects of the goal that the query does not search for."""
    omitted_subjects: Sequence[str]
    """Optional subjects that the query leaves out."""


def peer_review(review: ReviewedQuery) -> list[PressCheck]:
    """A verdict for each element, in the checklist's order."""
    return [check(review) for check in (_translation, _operators, _headings, _words, _spelling, _limits)]


def _translation(review: ReviewedQuery) -> PressCheck:
    element = "Translation of the research question"
    if review.missing_subjects:
        return _check(element, "revision required", f"It does not look for {_joined_names(review.missing_subjects)}.")
    names = [block.about for block in review.query.blocks]
    offer = f" Left out, and offered: {_joined_names(review.omitted_subjects)}." if review.omitted_subjects else ""
    if len(names) > MOST_TOPICS:
        message = (
            f"{len(names)} concepts are required ({_joined_names(names)}); each loses articles that do not name it."
        )
        return _check(element, "revision suggested", message + offer)
    return _check(element, "no revision", f"One block for each concept: {_joined_names(names)}.{offer}")


def _operators(review: ReviewedQuery) -> PressCheck:
    element = "Boolean and proximity operators"
    if review.query.filters.excluded:
        words = _joined_names(review.query.filters.excluded)
        return _check(element, "revision suggested", f"NOT leaves out articles that name {words} beside the subject.")
    adjacency = (
        " Words side by side ([:~0]) stand where PubMed has no such phrase." if ":~0]" in review.check.query else ""
    )
    return _check(element, "no revision", f"OR within blocks, AND between them, in parentheses.{adjacency}")


def _headings(review: ReviewedQuery) -> PressCheck:
    element = "Subject headings"
    names = [block.about for block in review.query.blocks if not terms.headings(block.text)]
    if names:
        message = f"No MeSH heading for {_joined_names(names)}: look for one in the MeSH browser."
        return _check(element, "revision suggested", message)
    major = any(f"[{terms.MAJOR}]" in block.text for block in review.query.blocks)
    if major:
        note = "Main points only: articles that are indexed with it as a side issue are lost."
        return _check(element, "revision suggested", note)
    return _check(element, "no revision", "Each is exploded.")


def _words(review: ReviewedQuery) -> PressCheck:
    element = "Text word searching"
    places = {terms.ABSTRACT, f"{terms.ABSTRACT}{terms.PROXIMITY}"}
    names = [block.about for block in review.query.blocks if not places & set(terms.fields(block.text))]
    if names:
        message = f"No words of title and abstract for {_joined_names(names)}: what is not indexed yet is lost."
        return _check(element, "revision suggested", message)
    counts = ", ".join(f"{len(terms.words_of(block.text))} for {block.about}" for block in review.query.blocks)
    return _check(element, "no revision", f"Forms in title and abstract: {counts}.")


def _spelling(review: ReviewedQuery) -> PressCheck:
    element = "Spelling, syntax and line numbers"
    if review.check.count is None:
        return _check(element, "revision suggested", "PubMed could not be asked how it reads the query.")
    if not review.check.is_as_written:
        message = "PubMed reads the query otherwise than it is written; see its notices."
        return _check(element, "revision required", message)
    if review.check.unknown:
        message = f"PubMed has no article with {_joined_names(sorted(review.check.unknown))}: check their spelling."
        return _check(element, "revision suggested", message)
    return _check(element, "no revision", "PubMed knows every term and reads the query as written.")


def _limits(review: ReviewedQuery) -> PressCheck:
    element = "Limits and filters"
    filters = review.query.filters
    words = filters.in_words()
    limits = f"Limited to articles {words}" if words else "No limits"
    if filters.trials == "applied":
        return _check(element, "no revision", f"{limits}; the filter is published and named.")
    if filters.types:
        message = f"{limits}; articles that are not indexed yet have no such type."
        return _check(element, "revision suggested", message)
    return _check(element, "no revision", f"{limits}.")


def _check(element: str, verdict: Verdict, comment: str) -> PressCheck:
    return PressCheck(element=element, verdict=verdict, comment=comment)


def _joined_names(names: Sequence[str]) -> str:
    return f"{', '.join(names):.300}"


@dataclass(frozen=True, slots=True)
class GoalQuery:
    """A query for a goal, and its parts."""

    record: CanonicalPubMedQuery
    blocks: BlockQuery
    check: CheckedQuery
    missing_subjects: tuple[str, ...] = ()
    """Subjects of the goal that the query does not search for."""
    is_main: bool = False
    """Whether it is the strategy's main query."""

    @property
    def rank(self) -> tuple[bool, bool, bool, float]:
        """The key that sorts the best query first."""
        return (
            bool(self.missing_subjects),
            self.record.result_count is None,
            not self.is_main,
            -self.record.confidence_score,
        )


class SheetWriter:
    """Adds lines, exports, reviews and missed articles to the queries of one goal."""

    def __init__(
        self, request: QueryRequest, subjects: Sequence[Subject], counter: QueryCounter, today: dt.date
    ) -> None:
        self._request = request
        self._subjects = subjects
        self._counter = counter
        self._today = today
        self._notices: list[Notice] = []
        self._present: list[str] = []

    async def check_articles(self) -> None:
        """Look up the ``must_find`` articles; a notice lists those that PubMed does not have."""
        pmids = self._request.must_find
        indexed = await self._counter.found_among("", pmids) if pmids else set()
        self._present = [pmid for pmid in pmids if indexed is None or pmid in indexed]
        if absent := [pmid for pmid in pmids if pmid not in self._present]:
            message = f"PubMed has no article {', '.join(absent):.200}, which must_find names."
            self._notices.append(Notice(code="UNMATCHED", message=message))

    async def fill(self, query: GoalQuery, *, is_first: bool) -> CanonicalPubMedQuery:
        """The query with its lines; those of the first query also have what each block adds and costs."""
        query_lines = await lines.write_lines(query.blocks, query.check.count, self._counter, is_weighed=is_first)
        missed_articles: list[MissedArticle] = []
        if self._present:
            missed_articles, is_complete = await lines.find_missed(query.blocks, self._present, self._counter)
            if not is_complete:
                message = "Not every line could be asked for the articles of must_find."
                self._notices.append(Notice(code="LEG_FAILED", message=message))
        block_names = {block.about for block in query.blocks.blocks}
        optional_names = [subject.concept.name for subject in self._subjects if subject.is_optional]
        omitted_subjects = [name for name in optional_names if name not in block_names]
        review = ReviewedQuery(query.blocks, query.check, query.missing_subjects, omitted_subjects)
        return query.record.model_copy(
            update={
                "lines": query_lines,
                "exports": lines.exports(query.record.query_string, query_lines, self._today.year),
                "peer_review": peer_review(review) if self._request.peer_review else [],
                "missed": missed_articles,
            }
        )

    def notices(self) -> list[Notice]:
        """Notices of lines without a count and of ``must_find`` articles."""
        return [*dict.fromkeys(self._notices), *lines.uncounted_notices(self._counter)]
