"""Where the contents of a region go on: of each kind a page of the service, and how many of its rows are done."""

from typing import NamedTuple

from pydantic import BaseModel


class KindPosition(NamedTuple):
    """Where one kind goes on."""

    page: int = 0
    done: int = 0
    """Rows of the page."""
    window: int = 0
    """Of variants, which are looked for window by window."""


class RegionPosition(BaseModel):
    """Where a region goes on, by kind; a kind that is not named begins, one that is None has ended."""

    kinds: dict[str, KindPosition | None] = {}
