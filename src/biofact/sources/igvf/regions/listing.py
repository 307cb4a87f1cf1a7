"""One call of the search of regions: where its page begins, and as much of the page as its caller can read."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel

from biofact.core.envelopes import Cursor
from biofact.core.errors import ToolRef
from biofact.protocol.listing import CutPosition, cut_notice, fitting, place_type
from biofact.sources.igvf.records import Entity, RegionContents
from biofact.sources.igvf.regions.contents import Include
from biofact.sources.igvf.regions.positions import RegionPosition

_KINDS: tuple[str, ...] = get_args(Include)


class RegionListing:
    """A list of several kinds, each of up to ``limit`` rows; a page is read kind by kind where it is too long."""

    def __init__(
        self,
        tool: ToolRef,
        query: Mapping[str, object],
        options: Mapping[str, object],
        *,
        cursor: str | None,
        limit: int,
    ) -> None:
        """``query`` are the arguments that choose the rows.

        Raises:
            AmbiguousQuery: the cursor is damaged, or comes from another query.
        """
        self._cursor = Cursor(tool, query, options)
        self._rows_shown = 0
        self.limit = limit
        self.position: RegionPosition | None = None
        place = self._cursor.read(cursor, place_type(RegionPosition)).root if cursor else None
        if isinstance(place, CutPosition):
            self.position, self.limit, self._rows_shown = place.page, place.page_size, place.rows_shown
        else:
            self.position = place

    def page(self, contents: RegionContents, following: RegionPosition | None) -> RegionContents:
        """The page as the caller can read it, with the cursor that leads on: to its rest, or to ``following``."""
        rows = [entity for _, entity in _rows(contents)]
        count = fitting(rows[self._rows_shown :], [*contents.notices, *contents.variant_windows])
        end = self._rows_shown + count
        place: BaseModel | None = following
        changes: dict[str, Any] = {}
        if end < len(rows):
            place = CutPosition(page=self.position, page_size=self.limit, rows_shown=end)
            notice = cut_notice(count, len(rows), "The cursor leads to the others, kind by kind.")
            changes["notices"] = [*contents.notices, notice]
        if self._rows_shown or end < len(rows):
            changes |= _between(contents, self._rows_shown, end)
        return contents.model_copy(update={**changes, "cursor": self._cursor.write(place) if place else None})


def _rows(contents: RegionContents) -> Iterator[tuple[str, Entity]]:
    """All rows of a page by kind, in the order of its fields."""
    for kind in _KINDS:
        for entity in getattr(contents, kind) or ():
            yield kind, entity


def _between(contents: RegionContents, start: int, end: int) -> dict[str, list[Entity] | None]:
    """The rows from ``start`` to ``end``, by kind. A kind without one of them is absent, but what has no row at all is
    said to have none where the page begins.
    """
    parts: dict[str, list[Entity]] = {kind: [] for kind in _KINDS if getattr(contents, kind) == [] and not start}
    for kind, entity in list(_rows(contents))[start:end]:
        parts.setdefault(kind, []).append(entity)
    return {kind: parts.get(kind) for kind in _KINDS}
