"""A list, page by page: what a source found, and the cursor that leads to the next page of the same query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeVar

from pydantic import BaseModel

from biofact.core.envelopes import Cursor, PaginationEnvelope, page
from biofact.core.errors import ToolRef
from biofact.core.provenance import Notice


class Slimmable(Protocol):
    """A row that has a short form."""

    def slim(self) -> Self:
        """The row with the fields that tell which entity it is, and no others."""


Row = TypeVar("Row")
SlimRow = TypeVar("SlimRow", bound=Slimmable)
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


class Pages(Protocol[Row, Position]):
    """A search that is planned, and can be read page by page."""

    async def first(self, page_size: int) -> ListPage[Row, Position]:
        """Page 1."""

    async def after(self, position: Position, page_size: int) -> ListPage[Row, Position]:
        """The page that begins at ``position``."""


class Listing(Generic[Position]):
    """One call of a tool that lists: where its page begins, and how the page goes out.

    ``query`` are the arguments that choose the rows: a cursor belongs to them, and is refused with others. The page
    size may change from page to page.
    """

    def __init__(
        self,
        tool: ToolRef,
        query: Mapping[str, object],
        position_type: type[Position],
        *,
        cursor: str | None,
        page_size: int,
        options: Mapping[str, object] | None = None,
    ) -> None:
        """``options`` are arguments that a recovery keeps, beside the query; the page size by default.

        Raises:
            AmbiguousQuery: the cursor is damaged, or comes from another query.
        """
        self._cursor = Cursor(tool, query, options or {"page_size": page_size})
        self.page_size = page_size
        self.position = self._cursor.read(cursor, position_type) if cursor else None

    async def page(self, pages: Pages[Row, Position]) -> ListPage[Row, Position]:
        """The page that this call is for."""
        if self.position is None:
            return await pages.first(self.page_size)
        return await pages.after(self.position, self.page_size)

    def envelope(self, found: ListPage[Row, Position]) -> PaginationEnvelope[Row]:
        """The page on the wire."""
        return self._envelope(found.rows, found, found.notices)

    def slim_envelope(self, found: ListPage[SlimRow, Position]) -> PaginationEnvelope[SlimRow]:
        """The page on the wire with short rows, of which nothing is cut."""
        notices = [notice for notice in found.notices if notice.code != "LIST_CUT"]
        return self._envelope([row.slim() for row in found.rows], found, notices)

    def _envelope(
        self, rows: list[Row], found: ListPage[Row, Position], notices: Sequence[Notice]
    ) -> PaginationEnvelope[Row]:
        cursor = None if found.position is None else self._cursor.write(found.position)
        return page(rows, self.page_size, total=found.total, cursor=cursor, notices=notices)
