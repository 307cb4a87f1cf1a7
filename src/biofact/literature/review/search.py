"""The second step: every query searched, its articles joined with those of the others in order of rank.

A query that finds more than PubMed lists is cut into windows of publication dates until each can be listed.
"""

import datetime as dt
import itertools
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from biofact.core.records import Notice
from biofact.dialects.eutils import SearchAnswer
from biofact.literature.query.records import CanonicalPubMedQuery
from biofact.literature.review.questions import RememberedQuestions
from biofact.sources.pubmed import search

T = TypeVar("T")

CEILING = 10_000
"""PubMed lists no more of a query."""
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
    waiting = [DateWindow()]
    while waiting:
        window = waiting.pop()
        number = await count(window)
        halves = window.halves(this_year) if number > ceiling else None
        if halves:
            waiting += reversed(halves)
        elif number:
            results.append(CountedWindow(window, number))
    return results


def merge_ranked(lists: Sequence[Sequence[T]]) -> list[T]:
    """Lists that cannot be compared as one: each brings its share at every length, its best first."""
    placed = [
        ((place + 1) / len(one), number, value) for number, one in enumerate(lists) for place, value in enumerate(one)
    ]
    return [value for *_, value in sorted(placed, key=lambda each: each[:2])]


@dataclass(slots=True)
class SearchedQuery:
    """A query and what it found."""

    query: CanonicalPubMedQuery
    answer: SearchAnswer
    pmids: list[str]
    """In order of rank."""
    windows: list[tuple[CountedWindow, int]] = field(default_factory=list)
    """Where one list could not hold them: each window, and how many of it were listed."""
    taken: int = 0
    """How many of its articles the run reads, those that another query found, too, among them."""

    @property
    def notices(self) -> list[Notice]:
        """What to know about its answer; a review reports a long list in another way."""
        notices = [one for one in search.about(self.query.query_string, self.answer) if one.code != "LIST_CUT"]
        cut = [counted for counted, listed in self.windows if listed < counted.count]
        if cut:
            days = ", ".join(f"{counted.window.first}" for counted in cut[:5])
            message = f"PubMed lists {CEILING:,} articles of a day at most; more were published on {days}."
            notices.append(Notice(code="LIST_CUT", message=message))
        return notices

    def manifest_entry(self) -> dict[str, Any]:
        """For the manifest."""
        query = self.query
        entry: dict[str, Any] = {
            "query_string": query.query_string,
            "query_translation": self.answer.query_translation,
            "rationale": query.rationale,
            "confidence_score": query.confidence_score,
            "found": self.answer.count,
            "listed": len(self.pmids),
            "taken": self.taken,
        }
        if self.windows:
            entry["windows"] = [
                {"first": one.window.days[0], "last": one.window.days[1], "found": one.count, "listed": listed}
                for one, listed in self.windows
            ]
        return entry


async def search_query(
    query: CanonicalPubMedQuery,
    questions: RememberedQuestions,
    most: int,
    *,
    this_year: int,
    ceiling: int = CEILING,
) -> SearchedQuery:
    """The first ``most`` articles of a query by relevance; window by window where PubMed does not list as many."""
    text = query.query_string
    answer = await questions.search(text, limit=min(most, ceiling))
    if min(answer.count, most) <= ceiling:
        return SearchedQuery(query, answer, list(answer.uids))

    async def count(window: DateWindow) -> int:
        if window == DateWindow():
            return answer.count
        return (await questions.search(text, limit=0, published=window.days)).count

    parts = await split_windows(count, this_year=this_year, ceiling=ceiling)
    lists = [await questions.search(text, limit=ceiling, published=part.window.days) for part in parts]
    pmids = list(dict.fromkeys(merge_ranked([one.uids for one in lists])))[:most]
    return SearchedQuery(query, answer, pmids, [(part, len(one.uids)) for part, one in zip(parts, lists, strict=True)])


def merge_pmids(found: Sequence[SearchedQuery], most: int) -> list[str]:
    """The PMIDs to read, each once: the first of every query, then the second, up to ``most``. Says in each what was
    taken of it.
    """
    pmids: dict[str, None] = {}
    for one, pmid in _in_turn(found):
        if pmid not in pmids and len(pmids) >= most:
            continue
        one.taken += 1
        pmids[pmid] = None
    return list(pmids)


def _in_turn(found: Sequence[SearchedQuery]) -> Iterator[tuple[SearchedQuery, str]]:
    for rank in itertools.zip_longest(*(one.pmids for one in found)):
        yield from ((one, pmid) for one, pmid in zip(found, rank, strict=True) if pmid is not None)
