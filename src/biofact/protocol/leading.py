"""A list in which some hits lead and the service's own list follows without them, page by page. Pure."""

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import BaseModel, Field, StringConstraints


class PagePosition(BaseModel):
    """Where the next page begins, of a list in which some hits lead."""

    lead: list[Annotated[str, StringConstraints(pattern=r"^[\w.()-]{1,60}$")]] = Field(default_factory=list)
    """Exact hits in their order: they come first, and are left out of the rest."""
    shown: int = Field(default=0, ge=0)
    """How many of ``lead`` earlier pages have shown."""
    offset: int = Field(default=0, ge=0, le=1_000_000)
    """Where the service's own list goes on."""
    total: int | None = None
    """Of the service's own list; None before it was asked."""
    score: float = Field(default=1.0, ge=0, le=1)
    """Of the last row; none after it is higher."""

    def leading(self, page_size: int) -> list[str]:
        """Those of ``lead`` that are on this page."""
        return self.lead[self.shown : self.shown + page_size]

    def after(self, page_size: int, score: float) -> Self | None:
        """Where the page after this one begins, whose last row has ``score``; None at the end."""
        following = self.model_copy(update={"shown": self.shown + page_size, "score": score})
        return None if following.is_end else following

    @property
    def has_more(self) -> bool:
        """The service's own list goes on, as far as is known."""
        return self.total is None or self.offset < self.total

    @property
    def is_end(self) -> bool:
        """Nothing is left to show."""
        return self.shown >= len(self.lead) and not self.has_more


def rest(listed: Sequence[str], count: int, lead: Sequence[str], start: int, wanted: int) -> tuple[list[str], int]:
    """The next ``wanted`` IDs of ``listed`` that are not in ``lead``, and where the service's list goes on after them.

    ``listed`` begins at ``start`` of the service's list, which has ``count``. Leading IDs that come next are skipped
    at once, so that no page is left with nothing to show.
    """
    taken: list[str] = []
    offset = start
    for listed_id in listed:
        if listed_id not in lead:
            if len(taken) >= wanted:
                break
            taken.append(listed_id)
        offset += 1
    is_cut_short = not listed  # fewer records than counted: the list has ended
    return taken, count if is_cut_short else offset
