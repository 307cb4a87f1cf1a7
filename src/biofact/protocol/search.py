"""Searches and lists, page by page, once for every source.

``RankedSearch``: hits by name lead, and the service's own list follows without them. ``MergedPages``: several lists,
whose rows are filtered here, as one. Scores never rise along a list, across its pages too. A source declares its
questions, how well a hit answers, and how a hit becomes a row; what leads, what follows, and where the next page begins
is decided here. The simplest list, ``OffsetPages``, stands in ``listing``.
"""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from pydantic import BaseModel, Field, PlainSerializer, StringConstraints

from biofact.core.errors import BiofactError
from biofact.core.identifiers import IdKind
from biofact.core.records import Notice, Record
from biofact.protocol.listing import ListPage, ListSlice, OffsetPosition
from biofact.protocol.lookup import Upstream
from biofact.transport.service import Request

Hit = TypeVar("Hit")
Row = TypeVar("Row", bound=Record)


class Answer(Protocol):
    """A hit with how well it answers the query."""

    def score(self, maximum: float = 1.0) -> float:
        """The score of its row, 0-1, and never more than ``maximum``, that of the row before."""


class SearchPosition(BaseModel):
    """The position in a search at which the next page begins."""

    lead: list[Annotated[str, StringConstraints(pattern=r"^[\w.:()-]{1,60}$")]] = Field(default_factory=list)
    """IDs of the hits that lead, in their order: they come first, and are left out of the service's list."""
    shown: int = Field(default=0, ge=0)
    """How many of ``lead`` earlier pages have shown."""
    offset: int = Field(default=0, ge=0, le=1_000_000)
    """The offset at which the service's own list goes on."""
    total: int | None = None
    """Hits in the service's own list; None before the service was asked for it."""
    score: float = Field(default=1.0, ge=0, le=1)
    """Score of the last row shown; no later row has a higher one."""

    def leading(self, page_size: int) -> list[str]:
        """The IDs of ``lead`` that are on this page."""
        return self.lead[self.shown : self.shown + page_size]

    def after(self, page_size: int, score: float) -> Self | None:
        """The position after this page, whose last row has ``score``; None at the end."""
        following = self.model_copy(update={"shown": self.shown + page_size, "score": score})
        return None if following.is_end else following

    @property
    def has_more(self) -> bool:
        """The service's own list goes on, as far as is known."""
        return self.total is None or self.offset < self.total

    @property
    def is_end(self) -> bool:
        """There is no further row."""
        return self.shown >= len(self.lead) and not self.has_more


Position = TypeVar("Position", bound=SearchPosition)


@dataclass(frozen=True, slots=True)
class HitList(Generic[Hit]):
    """A part of the service's own list."""

    ids: Sequence[str]
    """In the order of the service, from the offset on that was asked for."""
    total: int
    """Hits in the whole list."""
    hits: Mapping[str, Hit] = field(default_factory=dict)
    """By ID, of a service that lists more than IDs."""
    notices: Sequence[Notice] = ()

    def following(self, excluded: Collection[str], offset: int, count: int) -> tuple[list[str], int]:
        """The next ``count`` IDs, without those ``excluded``, and the offset at which the list goes on after them.

        Excluded IDs that come next are passed over at once, so that no page is left without rows.
        """
        row_ids: list[str] = []
        end = offset
        for listed_id in self.ids:
            if listed_id not in excluded:
                if len(row_ids) >= count:
                    break
                row_ids.append(listed_id)
            end += 1
        # A service that sends no row where it counted some has no more of them: its list ends here.
        return row_ids, end if self.ids else self.total


@dataclass(frozen=True, slots=True)
class Candidates(Generic[Hit, Position]):
    """The hits from which page 1 of a search is made."""

    hits: Mapping[str, Hit]
    """By ID: of all questions that page 1 put."""
    position: Position
    """With the hits that lead."""
    hit_list: HitList[Hit]
    """The beginning of the service's own list."""
    notices: Sequence[Notice] = ()
    compared_count: int = 0
    """Leading hits that are read however few are asked for, as they may share the best match."""


class RankedSearch(ABC, Generic[Hit, Row, Position]):
    """A search for a name: the hits that it names lead, best first, and the service's own list follows.

    A source declares its questions (``candidates``, ``next_hits``, ``records``) and how a hit reads (``answers``,
    ``row``).
    """

    __slots__ = ()

    @abstractmethod
    async def candidates(self, page_size: int) -> Candidates[Hit, Position] | ListPage[Row, Position]:
        """The hits for page 1, among them those that lead; or page 1 itself, where there is no list behind it."""

    @abstractmethod
    async def next_hits(self, position: Position, size: int) -> HitList[Hit]:
        """The next ``size`` hits of the service's own list."""

    @abstractmethod
    async def records(
        self, ids: Sequence[str], known_hits: Mapping[str, Hit], position: Position
    ) -> tuple[list[Hit], list[Notice]]:
        """The hits with these IDs, in their order, and notices of those left out. ``known_hits`` are those that the
        search has read already.
        """

    @abstractmethod
    def answers(self, hits: Sequence[Hit], position: Position) -> Sequence[Answer]:
        """The hits as they are shown: those that lead in their order, then the others."""

    @abstractmethod
    def row(self, answer: Any, score: float) -> Row:
        """The row of an answer, with this score."""

    def excluded(self, hit_list: HitList[Hit], position: Position) -> Collection[str]:
        """IDs of listed hits that get no row of their own, besides those that lead."""
        return ()

    def advance(self, position: Position, offset: int, total: int) -> Position:
        """The position once the service's list has been read up to ``offset``."""
        return position.model_copy(update={"offset": offset, "total": total})

    def remember(self, position: Position, answers: Sequence[Any]) -> Position:
        """The position with what later pages have to know of the rows shown."""
        return position

    def total_count(self, position: Position) -> int | None:
        """Rows of the whole search; None where they are not known."""
        return position.total

    def first_notices(self, candidates: Candidates[Hit, Position], hits: Sequence[Hit]) -> Sequence[Notice]:
        """Notices of page 1; ``hits`` are those on it and those that ``compared_count`` adds."""
        return candidates.notices

    async def first(self, page_size: int) -> ListPage[Row, Position]:
        """Page 1."""
        candidates = await self.candidates(page_size)
        if isinstance(candidates, ListPage):
            return candidates
        position = candidates.position
        excluded = [*position.lead, *self.excluded(candidates.hit_list, position)]
        count = max(0, page_size - len(position.lead))
        ids, offset = candidates.hit_list.following(excluded, 0, count)
        on_page = self.records([*position.leading(page_size), *ids], candidates.hits, position)
        compared_ids = position.lead[page_size : candidates.compared_count]
        if compared_ids:
            compared = self.records(compared_ids, candidates.hits, position)
            (hits, notices), (compared_hits, _) = await asyncio.gather(on_page, compared)
        else:  # without tasks, which would double the time of a kept answer
            (hits, notices), compared_hits = await on_page, []
        following = self.advance(position, offset, candidates.hit_list.total)
        first_notices = self.first_notices(candidates, [*hits, *compared_hits])
        return self.page(hits, following, page_size, [*first_notices, *notices], origin=position)

    async def after(self, position: Position, page_size: int) -> ListPage[Row, Position]:
        """The page that begins at ``position``."""
        lead = position.leading(page_size)
        origin, ids = position, list[str]()
        known_hits: dict[str, Hit] = {}
        notices: list[Notice] = []
        # A part of the service's list may hold only hits that get no row: the page is filled from the next part.
        while len(lead) < page_size and not ids and position.has_more:
            origin, count = position, page_size - len(lead)
            listed_hits = await self.next_hits(position, count + len(position.lead))
            excluded = [*position.lead, *self.excluded(listed_hits, position)]
            ids, offset = listed_hits.following(excluded, position.offset, count)
            known_hits |= {
                listed_id: hit for listed_id, hit in listed_hits.hits.items() if listed_id in {*position.lead, *ids}
            }
            notices += listed_hits.notices
            position = self.advance(position, offset, listed_hits.total)
        hits, omissions = await self.records([*lead, *ids], known_hits, origin)
        return self.page(hits, position, page_size, [*notices, *omissions], origin=origin)

    def page(
        self,
        hits: Sequence[Hit],
        position: Position,
        page_size: int,
        notices: Sequence[Notice],
        *,
        origin: Position | None = None,
    ) -> ListPage[Row, Position]:
        """The rows of these hits, which were read from ``origin`` on, with the position of the next page."""
        answers = self.answers(hits, origin or position)
        score, rows = position.score, list[Row]()
        for answer in answers:
            score = answer.score(score)
            rows.append(self.row(answer, score))
        following = self.remember(position, answers).after(page_size, score)
        return ListPage(rows, following, self.total_count(position), list(notices))


@dataclass(frozen=True, slots=True)
class WordSearch(Generic[Row]):
    """A search of a service that takes words and answers from an offset on, best first: ``fetch`` is that of
    ``OffsetPages``. A query that is an ID is asked for in the service's form.
    """

    id_kind: IdKind
    ask: Callable[[str, int, int], Request]
    """Words, offset and size of a page, to its request."""
    parser: Callable[[bytes, str], ListSlice[Row]]
    """The body and the query, to the hits."""
    kind: str = "search/1"
    """As in ``Keep.kind``."""

    def fetch(self, upstream: Upstream, query: str) -> Callable[[OffsetPosition, int], Awaitable[ListSlice[Row]]]:
        """The hits of a query by their place."""
        record_id = self.id_kind.match(query)
        words = self.id_kind.local(record_id) if record_id else query

        def fetch(position: OffsetPosition, size: int) -> Awaitable[ListSlice[Row]]:
            request = self.ask(words, position.offset, size)
            return upstream.fetch(request, lambda body: self.parser(body, record_id or query), self.kind)

        return fetch


class PagePosition(NamedTuple):
    """The position in a list that the service sends in pages of a fixed size."""

    page: int = 0
    done: int = 0
    """Rows of that page that are done, among those that may be shown."""
    part: int = 0
    """The part of the list, of one that the service takes only part by part."""


# Most lists have one part, and cursors are read by agents, who pay for each letter.
_ShortPosition = Annotated[PagePosition, PlainSerializer(lambda position: position if position.part else position[:2])]


class MergedPosition(BaseModel):
    """The position in several lists that are shown as one."""

    out: int = 0
    """Rows shown of all the lists."""
    legs: dict[str, _ShortPosition | None] = {}
    """By the key of a list: one without an entry starts, and one with None has ended."""

    def start(self, key: str) -> PagePosition | None:
        """The position of the next row of one list; None at its end."""
        return self.legs.get(key, PagePosition())


@dataclass(slots=True)
class FilteredList(Generic[Row]):
    """The next rows of a list that is read page by page, without those that do not answer the question."""

    key: str
    """The name of the list in cursors."""
    start: PagePosition
    rest: PagePosition | None = field(init=False)
    """The position after ``rows``; None at the end."""
    rows: list[Row] = field(init=False, default_factory=list)
    failure: BiofactError | None = field(init=False, default=None)
    _ends: list[PagePosition] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.rest = self.start

    @property
    def is_all(self) -> bool:
        """The list has no other rows."""
        return self.rest is None and self.start == PagePosition()

    def pages(self, need: int, most: int) -> Iterator[PagePosition]:
        """The pages to read until there are ``need`` rows, ``most`` at a time; ``add`` each before the next."""
        for _ in range(most):
            if self.rest is None or len(self.rows) >= need:
                return
            yield self.rest

    def add(self, page_rows: Sequence[Row], following: PagePosition | None) -> None:
        """Add the rows of the page at ``rest``, without those that are done; the list goes on at ``following``."""
        position = self.rest or self.start
        rows = page_rows[position.done :]
        self.rows += rows
        self._ends += [position._replace(done=position.done + count) for count in range(1, len(rows) + 1)]
        self.rest = following

    def after(self, count: int) -> PagePosition | None:
        """The position after the first ``count`` of the rows; a list that only failed is not asked again."""
        if self.failure is not None and not self.rows:
            return None
        if count >= len(self.rows):
            return self.rest
        return self._ends[count - 1] if count else self.start


@dataclass(frozen=True, slots=True)
class ListGroup(Generic[Row]):
    """The next rows of several lists."""

    lists: Sequence[FilteredList[Row]]
    notices: Sequence[Notice] = ()
    failures: Sequence[BiofactError] = ()
    """Failures of requests that would have led to further lists."""

    def check(self) -> None:
        """Raise the first failure if there is nothing else: a failure never yields an empty list."""
        failures = [*self.failures, *(part.failure for part in self.lists if part.failure is not None)]
        if failures and all(part.failure is not None for part in self.lists):
            raise failures[0]


@dataclass(frozen=True, slots=True)
class MergedPages(Generic[Row]):
    """Several lists as one: their rows in turn, or all of them in an order."""

    fetch: Callable[[MergedPosition, int], Awaitable[ListGroup[Row]]]
    """The position and the number of rows, to the lists that have not ended there."""
    sort: Callable[[Sequence[Row]], list[Row]] | None = None
    """The order of the rows. Each list is then to begin with its best rows, those of earlier pages too."""

    async def first(self, page_size: int) -> ListPage[Row, MergedPosition]:
        """Page 1."""
        return await self.after(MergedPosition(), page_size)

    async def after(self, position: MergedPosition, page_size: int) -> ListPage[Row, MergedPosition]:
        """The page that begins at ``position``.

        Raises:
            BiofactError: no list could be read.
        """
        group = await self.fetch(position, page_size)
        group.check()
        if self.sort is None:
            rows, following = _rows_in_turn(group.lists, position, page_size)
        else:
            rows, following = _rows_in_order(group.lists, position, page_size, self.sort)
        is_whole = not position.legs and not group.failures and all(part.is_all for part in group.lists)
        total = sum(len(part.rows) for part in group.lists) if is_whole else None
        return ListPage(rows, following, total, list(group.notices))


def _rows_in_turn(
    lists: Sequence[FilteredList[Row]], position: MergedPosition, page_size: int
) -> tuple[list[Row], MergedPosition | None]:
    first = position.out % max(1, len(lists))  # so that no list leads every page
    columns = [[(part, row) for row in part.rows] for part in (*lists[first:], *lists[:first])]
    turns = itertools.chain.from_iterable(itertools.zip_longest(*columns))
    entries = list(itertools.islice(filter(None, turns), page_size))
    counts = Counter(id(part) for part, _ in entries)
    legs = position.legs | {part.key: part.after(counts[id(part)]) for part in lists}
    is_end = all(place is None for place in legs.values())
    legs = {key: place for key, place in legs.items() if place != PagePosition()}
    following = None if is_end else MergedPosition(out=position.out + len(entries), legs=legs)
    return [row for _, row in entries], following


def _rows_in_order(
    lists: Sequence[FilteredList[Row]],
    position: MergedPosition,
    page_size: int,
    sort: Callable[[Sequence[Row]], list[Row]],
) -> tuple[list[Row], MergedPosition | None]:
    failures = {part.key: part.failure for part in lists if part.failure is not None}
    if failures and position.out:
        raise next(iter(failures.values()))  # its rows are among those shown: what follows depends on them
    rows = sort([row for part in lists for row in part.rows])
    end = position.out + page_size
    legs = position.legs | dict.fromkeys(failures)  # a list that failed is left out of later pages, too
    return rows[position.out : end], MergedPosition(out=end, legs=legs) if len(rows) > end else None
