"""A list that a service ranks by itself and gives from an offset on: its pages, with scores that never rise."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, Field

from biofact.core.kinds import MatchKind
from biofact.core.records import Number, Record
from biofact.protocol.listing import ListPage


class Candidate(Record):
    """What every hit of a search has; a source's own adds names. Fields without a value are absent."""

    id: str
    score: Number
    """0-1; never increases along a list, later pages included."""
    match: MatchKind


Hit = TypeVar("Hit", bound=Candidate)


class OffsetPosition(BaseModel):
    """Where the next page begins."""

    offset: int = Field(default=0, ge=0, le=1_000_000)
    score: float = Field(default=1.0, ge=0, le=1)
    """Of the last row; none after it is higher."""


@dataclass(frozen=True, slots=True)
class OffsetPages(Generic[Hit]):
    """The pages of such a list. ``fetch(offset, size)`` gives its rows from there on, and how many it has in all."""

    fetch: Callable[[int, int], Awaitable[tuple[list[Hit], int]]]

    async def first(self, page_size: int) -> ListPage[Hit, OffsetPosition]:
        """Page 1."""
        return await self.after(OffsetPosition(), page_size)

    async def after(self, position: OffsetPosition, page_size: int) -> ListPage[Hit, OffsetPosition]:
        """The page that begins at ``position``; the last where the service has no row there."""
        listed, total = await self.fetch(position.offset, page_size)
        rows = list(never_rising(distinct(listed), position.score))
        end = position.offset + len(listed)
        has_more = bool(rows) and end < total
        return ListPage(rows, OffsetPosition(offset=end, score=rows[-1].score) if has_more else None, total)


def distinct(rows: Sequence[Hit]) -> list[Hit]:
    """Each entity once, where the service lists it first."""
    first: dict[str, Hit] = {}
    for row in rows:
        first.setdefault(row.id, row)
    return list(first.values())


def never_rising(rows: Iterable[Hit], most: float = 1.0) -> Iterable[Hit]:
    """The rows in the service's order; one that answers better than those before it is scored as they are."""
    for row in rows:
        most = min(most, row.score)
        yield row if row.score == most else row.model_copy(update={"score": most})
