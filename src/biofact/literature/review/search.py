"""The second step: every query searched, its articles joined with those of the others in order of rank."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.records import Notice
from biofact.dialects.eutils import SearchAnswer
from biofact.literature.query.records import CanonicalPubMedQuery
from biofact.literature.review import windows
from biofact.literature.review.questions import RememberedQuestions
from biofact.literature.review.windows import CountedWindow, DateWindow
from biofact.sources.pubmed import search


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
        notices = [one for one in search.notices.about(self.query.query_string, self.answer) if one.code != "LIST_CUT"]
        cut = [counted for counted, listed in self.windows if listed < counted.count]
        if cut:
            days = ", ".join(f"{counted.window.first}" for counted in cut[:5])
            message = f"PubMed lists {windows.CEILING:,} articles of a day at most; more were published on {days}."
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
    ceiling: int = windows.CEILING,
) -> SearchedQuery:
    """The first ``most`` articles of a query by relevance; window by window where PubMed does not list as many."""
    text = query.query_string
    answer = await questions.found(text, most=min(most, ceiling))
    if min(answer.count, most) <= ceiling:
        return SearchedQuery(query, answer, list(answer.uids))

    async def count(window: DateWindow) -> int:
        if window == DateWindow():
            return answer.count
        return (await questions.found(text, most=0, published=window.days)).count

    parts = await windows.split_windows(count, this_year=this_year, ceiling=ceiling)
    lists = [await questions.found(text, most=ceiling, published=part.window.days) for part in parts]
    pmids = list(dict.fromkeys(windows.merge_ranked([one.uids for one in lists])))[:most]
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
