"""What comes with a query: its lines with counts, exports, a peer review, the articles that it misses."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from biofact.core.provenance import Notice
from biofact.literature.query import exports, lines, press
from biofact.literature.query.checks import CheckedQuery
from biofact.literature.query.counts import QueryCounter
from biofact.literature.query.lines import BlockQuery
from biofact.literature.query.press import ReviewedQuery
from biofact.literature.query.records import CanonicalPubMedQuery, MissedArticle
from biofact.literature.query.request import QueryRequest
from biofact.literature.query.subjects import Subject


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
        offered = press.offered_subjects(self._subjects, one.blocks)
        reviewed = ReviewedQuery(one.blocks, one.checked, one.lost, offered)
        return one.shown.model_copy(
            update={
                "lines": numbered,
                "exports": exports.exports(one.shown.query_string, numbered, self._today.year),
                "peer_review": press.peer_review(reviewed) if self._request.peer_review else [],
                "missed": missed,
            }
        )

    def notices(self) -> list[Notice]:
        """What could not be counted, and what is to be said of the articles that must be found."""
        return [*dict.fromkeys(self._notices), *lines.uncounted(self._counter)]
