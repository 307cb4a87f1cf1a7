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
    """What is known of a query when it is reviewed."""

    query: BlockQuery
    checked: CheckedQuery
    lost: Sequence[str]
    """Subjects of the goal that it does not look for."""
    offered: Sequence[str]
    """Subjects that it leaves out on purpose."""


def peer_review(one: ReviewedQuery) -> list[PressCheck]:
    """A verdict for each element, in the checklist's order."""
    return [_translation(one), _operators(one), _headings(one), _words(one), _spelling(one), _limits(one)]


def offered_subjects(subjects: Sequence[Subject], blocks: BlockQuery) -> list[str]:
    """The optional subjects that a query has no block for."""
    own = {block.about for block in blocks.blocks}
    return [one.concept.name for one in subjects if one.is_optional and one.concept.name not in own]


def _translation(one: ReviewedQuery) -> PressCheck:
    element = "Translation of the research question"
    if one.lost:
        return _check(element, "revision required", f"It does not look for {_listed(one.lost)}.")
    names = [block.about for block in one.query.blocks]
    offered = f" Left out, and offered: {_listed(one.offered)}." if one.offered else ""
    if len(names) > MOST_TOPICS:
        message = f"{len(names)} concepts are required ({_listed(names)}); each loses articles that do not name it."
        return _check(element, "revision suggested", message + offered)
    return _check(element, "no revision", f"One block for each concept: {_listed(names)}.{offered}")


def _operators(one: ReviewedQuery) -> PressCheck:
    element = "Boolean and proximity operators"
    if one.query.filters.excluded:
        words = _listed(one.query.filters.excluded)
        return _check(element, "revision suggested", f"NOT leaves out articles that name {words} beside the subject.")
    near = " Words side by side ([:~0]) stand where PubMed has no such phrase." if ":~0]" in one.checked.query else ""
    return _check(element, "no revision", f"OR within blocks, AND between them, in parentheses.{near}")


def _headings(one: ReviewedQuery) -> PressCheck:
    element = "Subject headings"
    without = [block.about for block in one.query.blocks if not terms.headings(block.text)]
    if without:
        message = f"No MeSH heading for {_listed(without)}: look for one in the MeSH browser."
        return _check(element, "revision suggested", message)
    major = any(f"[{terms.MAJOR}]" in block.text for block in one.query.blocks)
    note = (
        "Main points only: articles that are indexed with it as a side issue are lost."
        if major
        else "Each is exploded."
    )
    return _check(element, "revision suggested" if major else "no revision", note)


def _words(one: ReviewedQuery) -> PressCheck:
    element = "Text word searching"
    places = {terms.ABSTRACT, f"{terms.ABSTRACT}{terms.PROXIMITY}"}
    without = [block.about for block in one.query.blocks if not places & set(terms.fields(block.text))]
    if without:
        message = f"No words of title and abstract for {_listed(without)}: what is not indexed yet is lost."
        return _check(element, "revision suggested", message)
    counts = ", ".join(f"{len(terms.words_of(block.text))} for {block.about}" for block in one.query.blocks)
    return _check(element, "no revision", f"Forms in title and abstract: {counts}.")


def _spelling(one: ReviewedQuery) -> PressCheck:
    element = "Spelling, syntax and line numbers"
    if one.checked.count is None:
        return _check(element, "revision suggested", "PubMed could not be asked how it reads the query.")
    if not one.checked.is_as_written:
        return _check(
            element, "revision required", "PubMed reads the query otherwise than it is written; see its notices."
        )
    if one.checked.unknown:
        message = f"PubMed has no article with {_listed(sorted(one.checked.unknown))}: check their spelling."
        return _check(element, "revision suggested", message)
    return _check(element, "no revision", "PubMed knows every term and reads the query as written.")


def _limits(one: ReviewedQuery) -> PressCheck:
    element = "Limits and filters"
    filters = one.query.filters
    stated = filters.in_words()
    if filters.trials == "applied":
        return _check(element, "no revision", f"Limited to articles {stated}; the filter is published and named.")
    if filters.types:
        message = f"Limited to articles {stated}; articles that are not indexed yet have no such type."
        return _check(element, "revision suggested", message)
    return _check(element, "no revision", f"Limited to articles {stated}." if stated else "No limits.")


def _check(element: str, verdict: Verdict, comment: str) -> PressCheck:
    return PressCheck(element=element, verdict=verdict, comment=comment)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names):.300}"


@dataclass(frozen=True, slots=True)
class GoalQuery:
    """A query for a goal, and what it is made of."""

    shown: CanonicalPubMedQuery
    blocks: BlockQuery
    checked: CheckedQuery
    lost: tuple[str, ...] = ()
    """Subjects of the goal that it does not look for."""
    is_own: bool = False
    """It is what the strategy is named for."""

    @property
    def rank(self) -> tuple[bool, bool, bool, float]:
        """Its place among others, smaller first."""
        return bool(self.lost), self.shown.result_count is None, not self.is_own, -self.shown.confidence_score


class SheetWriter:
    """Writes what comes with the queries of one goal."""

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
        """Which of the articles that must be found PubMed has; a notice names the others."""
        pmids = self._request.must_find
        found = await self._counter.found_among("", pmids) if pmids else set()
        self._present = [pmid for pmid in pmids if found is None or pmid in found]
        if absent := [pmid for pmid in pmids if pmid not in self._present]:
            message = f"PubMed has no article {', '.join(absent):.200}, which must_find names."
            self._notices.append(Notice(code="UNMATCHED", message=message))

    async def fill(self, one: GoalQuery, *, is_first: bool) -> CanonicalPubMedQuery:
        """The query with its lines. Those of the first say what each block adds and costs, too."""
        numbered = await lines.write_lines(one.blocks, one.checked.count, self._counter, is_weighed=is_first)
        missed: list[MissedArticle] = []
        if self._present:
            missed, is_complete = await lines.find_missed(one.blocks, self._present, self._counter)
            if not is_complete:
                message = "Not every line could be asked for the articles of must_find."
                self._notices.append(Notice(code="LEG_FAILED", message=message))
        offered = offered_subjects(self._subjects, one.blocks)
        reviewed = ReviewedQuery(one.blocks, one.checked, one.lost, offered)
        return one.shown.model_copy(
            update={
                "lines": numbered,
                "exports": lines.exports(one.shown.query_string, numbered, self._today.year),
                "peer_review": peer_review(reviewed) if self._request.peer_review else [],
                "missed": missed,
            }
        )

    def notices(self) -> list[Notice]:
        """What could not be counted, and what is to be said of the articles that must be found."""
        return [*dict.fromkeys(self._notices), *lines.uncounted(self._counter)]
