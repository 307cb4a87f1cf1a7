"""Lists on the wire: pages with cursors, batches, and no more of either than the caller can read. Pure, so that
parsers build rows with it.

``OffsetPages``: a list in the order of the service; scores never rise along it, across its pages too.
"""

import functools
import itertools
import json
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Protocol, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, RootModel

from biofact.core import call
from biofact.core.envelopes import Cursor, ErrorEnvelope, PaginationEnvelope, page
from biofact.core.errors import AmbiguousQuery, ToolRef
from biofact.core.identifiers import QUERY_LENGTH, is_letter
from biofact.core.kinds import MatchKind
from biofact.core.quoting import LONGEST_ECHO, length
from biofact.core.records import Notice, Number, Record
from biofact.protocol.ranking import NamedGene, match_query

Row = TypeVar("Row", bound=Record)
Short = TypeVar("Short", bound=Record)
Entry = TypeVar("Entry", bound=BaseModel)
Position = TypeVar("Position", bound=BaseModel)

_LONGEST_ID = 200  # in a cursor; services write IDs in forms of their own
_FAILURE_CHARACTERS = 200
"""Characters of a failure besides its sentences."""
_ENVELOPE_CHARACTERS = 2_000
"""Characters of a list besides its rows: pagination, and notices of the call and in another spelling."""


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row, Position]):
    """One page of a list as a source builds it."""

    rows: list[Row]
    position: Position | None = None
    """The position of the next page; None at the end."""
    total: int | None = None
    """Rows of the whole list; None when the service does not count them."""
    notices: list[Notice] = field(default_factory=list)

    @classmethod
    def empty(cls, *notices: Notice) -> Self:
        """A list without rows, and the reason."""
        return cls([], total=0, notices=list(notices))


class Pages(Protocol[Row, Position]):
    """A list that can be read page by page."""

    async def first(self, page_size: int) -> ListPage[Row, Position]:
        """Page 1."""

    async def after(self, position: Position, page_size: int) -> ListPage[Row, Position]:
        """The page that begins at ``position``."""


class Candidate(Record):
    """A hit of a search; a source's own adds names. Fields without a value are absent."""

    id: str
    score: Number
    """0-1; never increases along a list, later pages included."""
    match: MatchKind

    @classmethod
    def of(cls, record: NamedGene, query: str, **fields: Any) -> Self:
        """The hit that a record is for a query; ``fields`` are those that its class adds."""
        match = match_query(record, query)
        return cls(id=record.id, score=match.score, match=match.kind, **fields)


class OffsetPosition(BaseModel):
    """The position in a list at which the next page begins."""

    offset: int = Field(default=0, ge=0, le=100_000_000)
    score: float = Field(default=1.0, ge=0, le=1)
    """Score of the last row shown; no later row has a higher one."""
    last: str = Field(default="", max_length=_LONGEST_ID)
    """ID of the last row shown."""


@dataclass(frozen=True, slots=True)
class ListSlice(Generic[Row]):
    """The rows of a list from an offset on."""

    rows: Sequence[Row]
    total: int
    """Rows in the whole list."""
    notices: Sequence[Notice] = ()
    rows_read: int | None = None
    """Rows of the service that they were read from, where some were left out."""

    @classmethod
    def from_list(cls, rows: Sequence[Row], offset: int, size: int, notices: Sequence[Notice] = ()) -> Self:
        """The slice of a list that is known as a whole."""
        return cls(rows[offset : offset + size], len(rows), notices)


@dataclass(frozen=True, slots=True)
class OffsetPages(Generic[Row]):
    """A list that is read from an offset on, in the order of the service."""

    fetch: Callable[[OffsetPosition, int], Awaitable[ListSlice[Row]]]
    """The position and the number of rows, to the rows from there on."""

    async def first(self, page_size: int) -> ListPage[Row, OffsetPosition]:
        """Page 1."""
        return await self.after(OffsetPosition(), page_size)

    async def after(self, position: OffsetPosition, page_size: int) -> ListPage[Row, OffsetPosition]:
        """The page that begins at ``position``; the last where the service has no row there."""
        part = await self.fetch(position, page_size)
        is_scored = all(hasattr(row, "score") for row in part.rows)  # homologues, for one, are a list without scores
        rows = list(never_rising(distinct(part.rows), position.score)) if is_scored else list(part.rows)
        end = position.offset + (len(part.rows) if part.rows_read is None else part.rows_read)
        following = None
        if rows and end < part.total:
            score = getattr(rows[-1], "score", position.score)
            following = OffsetPosition(offset=end, score=score, last=_id(rows[-1])[:_LONGEST_ID])
        return ListPage(rows, following, part.total, list(part.notices))


def distinct(rows: Sequence[Row]) -> list[Row]:
    """Each entity once, at its first place in the list."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(_id(row), row)
    return list(first.values())


def never_rising(rows: Iterable[Row], limit: float) -> Iterator[Row]:
    """The rows in their order; a row with a better score than the one before it gets that one's."""
    for row in rows:
        score: float = getattr(row, "score", limit)
        limit = min(limit, score)
        yield row if score == limit else row.model_copy(update={"score": limit})


def _id(row: Record) -> str:
    return str(getattr(row, "id", id(row)))


@dataclass(frozen=True, slots=True)
class WholeList(Generic[Row]):
    """A list of a service that sends all of it at once: ``slice`` is the ``fetch`` of ``OffsetPages``. Each page asks
    again, of an answer that is kept.
    """

    fetch: Callable[[], Awaitable[Sequence[Row]]]

    async def slice(self, position: OffsetPosition, count: int) -> ListSlice[Row]:
        """The ``count`` rows from ``position`` on, or fewer at the end of the list."""
        return ListSlice.from_list(await self.fetch(), position.offset, count)


@dataclass(frozen=True, slots=True)
class NumberedPages(Generic[Row]):
    """A list of a service that sends it in numbered pages of a fixed size: ``slice`` is the ``fetch`` of
    ``OffsetPages``.
    """

    fetch: Callable[[int], Awaitable[ListSlice[Row]]]
    """The number of a page to all its rows, none left out."""
    size: int
    """Rows of a page."""
    first: int = 1
    """The number of the first page."""

    async def slice(self, position: OffsetPosition, count: int) -> ListSlice[Row]:
        """The ``count`` rows from ``position`` on, or fewer at the end of the list."""
        page, start = divmod(position.offset, self.size)
        rows, notices = list[Row](), list[Notice]()
        while True:
            part = await self.fetch(self.first + page)
            rows += part.rows
            notices += part.notices
            page += 1
            if len(rows) >= start + count or page * self.size >= part.total or not part.rows:
                return ListSlice(rows[start : start + count], part.total, notices)


class CutPosition(BaseModel, Generic[Position]):
    """The position within a page that was too long for its caller: the page is read again, without the rows shown."""

    model_config = ConfigDict(extra="forbid")

    page: Position | None
    """The position at which that page begins; None for page 1."""
    page_size: int = Field(ge=1, le=1000)
    rows_shown: int = Field(ge=1)


@functools.cache
def place_type(position_type: type[BaseModel]) -> type[RootModel[Any]]:
    """The type of a cursor's content: the beginning of a page, or a position within one."""
    cut: Any = CutPosition.__class_getitem__(position_type)
    union: Any = Annotated[cut | position_type, Field(union_mode="left_to_right")]
    kind: Any = RootModel.__class_getitem__(union)
    return cast("type[RootModel[Any]]", kind)


class Listing(Generic[Position]):
    """One call of a tool that lists: the position of its page, and the page as an envelope.

    ``query`` are the arguments that choose the rows: a cursor belongs to them, and is refused with others.
    """

    def __init__(  # noqa: PLR0913  # what a tool that lists is called with
        self,
        tool: ToolRef,
        query: Mapping[str, object],
        position_type: type[Position],
        *,
        cursor: str | None,
        page_size: int,
        size_argument: str | None = "page_size",
        is_slim: bool = False,
    ) -> None:
        """``size_argument`` is the tool's name for the page size; None leaves the size out of a corrected call.

        Raises:
            AmbiguousQuery: the cursor is damaged, or comes from another query.
        """
        size = {size_argument: page_size} if size_argument is not None else {}
        self._cursor = Cursor(tool, query, {**size, "slim": is_slim or None})
        self._is_slim = is_slim
        self._most_rows = page_size
        self._rows_shown = 0
        self.page_size = page_size
        """The size with which a page that is continued was begun."""
        self.position: Position | None = None
        if cursor:
            self._continue_at(self._cursor.read(cursor, place_type(position_type)).root)

    def _continue_at(self, place: "Position | CutPosition[Position]") -> None:
        if isinstance(place, CutPosition):
            self.position, self.page_size, self._rows_shown = place.page, place.page_size, place.rows_shown
        else:
            self.position = place

    async def page(self, pages: Pages[Row, Position]) -> ListPage[Row, Position]:
        """The page at the position of this call."""
        if self.position is None:
            return await pages.first(self.page_size)
        return await pages.after(self.position, self.page_size)

    def envelope(self, list_page: ListPage[Row, Position]) -> PaginationEnvelope[Row]:
        """The page on the wire, as much of it as the caller can read; the cursor continues after that."""
        rows, cursor, notices = self.cut(list_page, limit=self._most_rows)
        return page(rows, self._most_rows, total=list_page.total, cursor=cursor, notices=notices)

    def cut(
        self, list_page: ListPage[Row, Position], metadata: Sequence[BaseModel] = (), *, limit: int, order: str = ""
    ) -> tuple[list[Row], str | None, list[Notice]]:
        """The rows that the caller can read, ``limit`` at most, beside ``metadata`` of the page; the cursor that
        continues after them, in this ``order``; and all notices.
        """
        rows, notices = list_page.rows[self._rows_shown :], list_page.notices
        fits = fitting_count(rows, [*notices, *metadata])
        count = min(fits, limit)
        place: BaseModel | None = list_page.position
        if count < len(rows):
            rows_shown = self._rows_shown + count
            place = CutPosition(page=self.position, page_size=self.page_size, rows_shown=rows_shown)
        if fits < min(len(rows), limit):
            notices = [*notices, _cut_notice(count, len(list_page.rows), order)]
        return rows[:count], None if place is None else self._cursor.write(place), notices

    def envelope_in_form(
        self, list_page: ListPage[Row, Position], slim: Callable[[Row], Short]
    ) -> PaginationEnvelope[Row | Short]:
        """The page on the wire, with whole rows or with short ones that ``slim`` makes, as the call asked."""
        if not self._is_slim:
            return self.envelope(list_page)
        notices = [notice for notice in list_page.notices if notice.code != "LIST_CUT"]  # short rows have no lists
        return self.envelope(
            ListPage([slim(row) for row in list_page.rows], list_page.position, list_page.total, notices)
        )


def batch(
    entries: Sequence[Entry | ErrorEnvelope], slim: Callable[[Entry], Entry], notices: Sequence[Notice] = ()
) -> PaginationEnvelope[Entry | ErrorEnvelope]:
    """The answer to a batch, an entry for each thing asked, in order.

    Where it is too long for its caller all rows are short, with a notice: a whole row next to a short one would look
    as if the other had no such facts.
    """
    limit = call.caller().most_characters
    if limit == math.inf:
        return _batch_page(list(entries), notices)
    envelope_characters = len(_batch_page([], notices).model_dump_json(by_alias=True))
    total = envelope_characters + sum(map(characters, entries))
    if total <= limit:
        return _batch_page(list(entries), notices)
    rows = [entry if isinstance(entry, ErrorEnvelope) else slim(entry) for entry in entries]
    if rows == list(entries):  # they are short already, or failures
        return _batch_page(rows, notices)
    count = max(1, int(len(rows) * limit // total))
    message = (
        f"All rows are short: whole ones have {total:,} characters together, more than {limit:,}. "
        f"Ask for some {count} at a time to have them whole."
    )
    return _batch_page(rows, [*notices, Notice(code="SLIM_ROWS", message=message)])


def _batch_page(
    entries: list[Entry | ErrorEnvelope], notices: Sequence[Notice]
) -> PaginationEnvelope[Entry | ErrorEnvelope]:
    return page(entries, len(entries), total=len(entries), notices=notices)


def fitting_count(rows: Sequence[BaseModel], notices: Sequence[BaseModel]) -> int:
    """How many of the first rows the caller can read in one answer, together with the notices; at least one."""
    limit = call.caller().most_characters
    if limit == math.inf:
        return len(rows)
    room = limit - _ENVELOPE_CHARACTERS - sum(map(characters, notices))
    sums = itertools.accumulate(map(characters, rows))
    return max(1, sum(1 for _ in itertools.takewhile(lambda total: total <= room, sums)))


def characters(entry: BaseModel) -> int:
    """Characters of an entry as JSON, with the comma after it. A failure may echo an input that JSON cannot hold."""
    if isinstance(entry, ErrorEnvelope):
        texts = (entry.error.message, entry.error.recovery_hint, entry.error.invalid_input)
        return _FAILURE_CHARACTERS + sum(int(min(length(text), LONGEST_ECHO)) for text in texts)
    try:
        return len(entry.model_dump_json(by_alias=True)) + 1
    except ValueError:  # half a character, which is escaped on the wire
        return len(json.dumps(entry.model_dump(by_alias=True), default=repr)) + 1


def _cut_notice(count: int, rows: int, order: str) -> Notice:
    """The notice that ``count`` of the page's ``rows`` are shown, and that the cursor leads on, in this order."""
    limit = call.caller().most_characters
    reason = f"more would be over {limit:,} characters. The cursor leads to the others{order}"
    return Notice(code="LIST_CUT", message=f"{count} of the {rows} rows of this page are shown: {reason}.")


def check_letter(query: str, matches: Iterable[MatchKind]) -> None:
    """Refuse a query of one letter that is the symbol or alias of no hit; ``matches`` are those of the hits.

    Raises:
        AmbiguousQuery: it is.
    """
    if is_letter(query) and {"symbol", "alias"}.isdisjoint(matches):
        raise AmbiguousQuery(
            f"No gene has the symbol {query!r}; words have {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters.",
            hint="Give the symbol in its own letter case with its organism, or more of the name.",
            invalid_input=query,
        )


def unmatched(title: str, query: str) -> Notice:
    """The notice that a search has no hit, with what to try."""
    message = f"{title} has nothing for {query!r:.120}. Try another spelling, fewer words, or an ID."
    return Notice(code="UNMATCHED", message=message)
