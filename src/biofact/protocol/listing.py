"""A list, page by page: what a source found, and the cursor that leads to the next page of the same query."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeVar

from pydantic import BaseModel

from biofact.core.envelopes import Cursor, PaginationEnvelope, page
from biofact.core.errors import ToolRef
from biofact.core.records import Notice, Record
from biofact.protocol.sizes import CutPosition, cut_notice, fitting, place_type

Row = TypeVar("Row", bound=Record)
Short = TypeVar("Short", bound=Record)
Position = TypeVar("Position", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row, Position]):
    """One page as a source found it."""

    rows: list[Row]
    position: Position | None = None
    """Where the next page begins; None at the end."""
    total: int | None = None
    """Rows of the whole list; None when the service does not tell."""
    notices: list[Notice] = field(default_factory=list)

    @classmethod
    def empty(cls, *notices: Notice) -> Self:
        """A list without rows, and why."""
        return cls([], total=0, notices=list(notices))


def unmatched(title: str, query: str) -> Notice:
    """Says that a search found nothing, and what to try."""
    message = f"{title} has nothing for {query!r:.120}. Try another spelling, fewer words, or an ID."
    return Notice(code="UNMATCHED", message=message)


class Pages(Protocol[Row, Position]):
    """A search that is planned, and can be read page by page."""

    async def first(self, page_size: int) -> ListPage[Row, Position]:
        """Page 1."""

    async def after(self, position: Position, page_size: int) -> ListPage[Row, Position]:
        """The page that begins at ``position``."""


class Listing(Generic[Position]):
    """One call of a tool that lists: where its page begins, and how the page goes out.

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
        size_argument: str = "page_size",
        is_slim: bool = False,
    ) -> None:
        """``size_argument`` is what the tool calls the page size.

        Raises:
            AmbiguousQuery: the cursor is damaged, or comes from another query.
        """
        self._cursor = Cursor(tool, query, {size_argument: page_size, "slim": is_slim or None})
        self._is_slim = is_slim
        self._most_rows = page_size
        self._rows_shown = 0
        self.page_size = page_size
        """Of the page that is read; of one that goes on, as it was asked for first."""
        self.position: Position | None = None
        if cursor:
            self._go_on(self._cursor.read(cursor, place_type(position_type)).root)

    def _go_on(self, place: "Position | CutPosition[Position]") -> None:
        if isinstance(place, CutPosition):
            self.position, self.page_size, self._rows_shown = place.page, place.page_size, place.rows_shown
        else:
            self.position = place

    async def page(self, pages: Pages[Row, Position]) -> ListPage[Row, Position]:
        """The page that this call is for."""
        if self.position is None:
            return await pages.first(self.page_size)
        return await pages.after(self.position, self.page_size)

    def envelope(self, found: ListPage[Row, Position]) -> PaginationEnvelope[Row]:
        """The page on the wire, as much of it as the caller can read; the cursor goes on behind that."""
        rows, notices = found.rows[self._rows_shown :], found.notices
        fits = fitting(rows, notices)
        count = min(fits, self._most_rows)
        place: BaseModel | None = found.position
        if count < len(rows):
            shown = self._rows_shown + count
            place = CutPosition(page=self.position, page_size=self.page_size, rows_shown=shown)
        if fits < min(len(rows), self._most_rows):
            notices = [*notices, cut_notice(count, len(found.rows), "The cursor leads to the others.")]
        cursor = None if place is None else self._cursor.write(place)
        return page(rows[:count], self._most_rows, total=found.total, cursor=cursor, notices=notices)

    def envelope_in_form(
        self, found: ListPage[Row, Position], slim: Callable[[Row], Short]
    ) -> PaginationEnvelope[Row | Short]:
        """The page on the wire, of whole rows or as ``slim`` makes them, as the call asked; of short rows nothing is
        cut.
        """
        if not self._is_slim:
            return self.envelope(found)
        notices = [notice for notice in found.notices if notice.code != "LIST_CUT"]  # of what rows leave out
        return self.envelope(ListPage([slim(row) for row in found.rows], found.position, found.total, notices))
