"""The second step: every query searched, its articles joined with those of the others in order of rank.

A query that finds more than PubMed lists is cut into windows of publication dates until each can be listed.
"""

import datetime as dt
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from biofact.core.records import Notice
from biofact.dialects.eutils import SearchAnswer
from biofact.literature.query.records import CanonicalPubMedQuery
from biofact.literature.review.questions import RememberedQuestions
from biofact.sources.pubmed import search

T = TypeVar("T")

CEILING = 10_000
"""The number of articles that PubMed lists of a query at most."""
FIRST, LAST = dt.date(1500, 1, 1), dt.date(3000, 12, 31)  # PubMed wants both ends, and these are the farthest

_FEW_BEFORE = 1945

CountArticles = Callable[["DateWindow"], Awaitable[int]]
"""How many articles were published in a window."""


@dataclass(frozen=True, slots=True)
class DateWindow:
    """Days of publication, both included."""

    first: dt.date = FIRST
    last: dt.date = LAST

    @property
    def days(self) -> tuple[str, str]:
        """As E-utilities take them."""
        return f"{self.first:%Y/%m/%d}", f"{self.last:%Y/%m/%d}"

    def halves(self, this_year: int) -> "tuple[DateWindow, DateWindow] | None":
        """Cut between years, else between months, else between days; None for a single day.

        Most articles were published between 1945 and ``this_year``, so that is what is cut in the middle.
        """
        first, last = self.first, self.last
        if first == last:
            return None
        if first.year < last.year:
            low, high = max(first.year, _FEW_BEFORE), min(last.year - 1, this_year)
            year = (low + high) // 2 if low <= high else (first.year + last.year - 1) // 2
            begin = dt.date(year + 1, 1, 1)
        elif first.month < last.month:
            begin = dt.date(first.year, (first.month + last.month + 1) // 2, 1)
        else:
            begin = first + dt.timedelta(days=((last - first).days + 1) // 2)
        return DateWindow(first, begin - dt.timedelta(days=1)), DateWindow(begin, last)


@dataclass(frozen=True, slots=True)
class CountedWindow:
    """A window, and how many articles were published in it."""

    window: DateWindow
    count: int


async def split_windows(count: CountArticles, *, this_year: int, ceiling: int = CEILING) -> list[CountedWindow]:
    """Windows that hold at most ``ceiling`` articles each, by date; those without any are left out.

    A single day that holds more stays as it is: only its first articles can be listed.
    """
    results: list[CountedWindow] = []
    pending = [DateWindow()]
    while pending:
        window = pending.pop()
        number = await count(window)
        halves = window.halves(this_year) if number > ceiling else None
        if halves:
            pending += reversed(halves)
        elif number:
            results.append(CountedWindow(window, number))
    return results


def merge_ranked(lists: Sequence[Sequence[T]]) -> list[T]:
    """One list of lists whose ranks cannot be compared: each has its share at every length, its best first."""
    positions = [
        ((place + 1) / len(ranked_list), number, value)
        for number, ranked_list in enumerate(lists)
        for place, value in enumerate(ranked_list)
    ]
    # by share of their list, then by list; values need not compare
    return [value for *_, value in sorted(positions, key=lambda entry: entry[:2])]


@dataclass(slots=True)
class SearchedQuery:
    """A query with its search result."""

    query: CanonicalPubMedQuery
    answer: SearchAnswer
    pmids: list[str]
    """In order of rank."""
    windows: list[tuple[CountedWindow, int]] = field(default_factory=list)
    """The windows of a query with more articles than one list holds, each with its number of listed articles."""
    taken: int = 0
    """The number of its articles that the run reads, with those that another query found, too."""

    @property
    def notices(self) -> list[Notice]:
        """Notices about its answer; a review reports a long list in another way."""
        notices = [
            notice for notice in search.query_notices(self.query.query_string, self.answer) if notice.code != "LIST_CUT"
        ]
        cut = [window for window, listed_count in self.windows if listed_count < window.count]
        if cut:
            days = ", ".join(f"{window.window.first}" for window in cut[:5])
            message = f"PubMed lists {CEILING:,} articles of a day at most; more were published on {days}."
            notices.append(Notice(code="LIST_CUT", message=message))
        return notices

    def manifest_entry(self) -> dict[str, Any]:
        """The entry of the query in the manifest."""
        windows = []
        for part, listed_count in self.windows:
            first, last = part.window.days
            windows.append({"first": first, "last": last, "found": part.count, "listed": listed_count})
        return {
            "query_string": self.query.query_string,
            "query_translation": self.answer.query_translation,
            "rationale": self.query.rationale,
            "confidence_score": self.query.confidence_score,
            "found": self.answer.count,
            "listed": len(self.pmids),
            "taken": self.taken,
            **({"windows": windows} if windows else {}),
        }


async def search_query(
    query: CanonicalPubMedQuery,
    questions: RememberedQuestions,
    limit: int,
    *,
    this_year: int,
    ceiling: int = CEILING,
) -> SearchedQuery:
    """The first ``limit`` articles of a query by relevance; window by window if PubMed does not list as many."""
    text = query.query_string
    answer = await questions.search(text, limit=min(limit, ceiling))
    if min(answer.count, limit) <= ceiling:
        return SearchedQuery(query, answer, list(answer.uids))

    async def count(window: DateWindow) -> int:
        if window == DateWindow():
            return answer.count
        return (await questions.search(text, limit=0, published=window.days)).count

    parts = await split_windows(count, this_year=this_year, ceiling=ceiling)
    lists = [await questions.search(text, limit=ceiling, published=part.window.days) for part in parts]
    pmids = list(dict.fromkeys(merge_ranked([answer_list.uids for answer_list in lists])))[:limit]
    return SearchedQuery(
        query, answer, pmids, [(part, len(answer_list.uids)) for part, answer_list in zip(parts, lists, strict=True)]
    )


def merge_pmids(queries: Sequence[SearchedQuery], limit: int) -> list[str]:
    """The PMIDs to read, each once: the first of every query, then the second, up to ``limit``. Sets ``taken`` of each
    query.
    """
    pmids: dict[str, None] = {}
    for rank in itertools.zip_longest(*(query.pmids for query in queries)):
        for query, pmid in zip(queries, rank, strict=True):
            # no break at the limit: articles that another query brought still count as taken
            if pmid is not None and (pmid in pmids or len(pmids) < limit):
                query.taken += 1
                pmids[pmid] = None
    return list(pmids)
