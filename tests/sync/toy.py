"""A client with all forms of methods, for tests of the generated blocking form."""

from collections.abc import AsyncIterator
from typing import Annotated, Literal, overload

from biofact.core.records import Record
from biofact.core.tool import PageSize, tool
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.names import NameResults, finds

_DEFAULT_COUNT = 7
Finish = Literal["matt", "gloss"]


class SlimPaint(Record):
    """The short form of a paint."""

    id: str


class Paint(SlimPaint):
    """A paint with its finish."""

    finish: Finish = "matt"


class PaintClient(LifeSciencesClient):
    """The paints on the shelf."""

    source_name = "paint"
    title = "Paint"
    services = ()

    @overload
    async def get_paint(self, paint_id: str, slim: Literal[False] = ...) -> Paint: ...

    @overload
    async def get_paint(self, paint_id: str, slim: Literal[True]) -> SlimPaint: ...

    @overload
    async def get_paint(self, paint_id: str, slim: bool = ...) -> Paint | SlimPaint: ...

    @tool
    async def get_paint(self, paint_id: Annotated[str, "an ID"], slim: bool = False) -> Paint | SlimPaint:
        """Describe one paint.

        Raises:
            EntityNotFound: there is none.
        """
        return SlimPaint(id=paint_id) if slim else Paint(id=paint_id)

    async def mix(
        self, first: str, second: "str", parts: dict[str, Annotated[float, "0-1"]], *, size: PageSize = _DEFAULT_COUNT
    ) -> list[Paint]:
        """Mix two paints that have names long enough."""
        return [Paint(id=f"{first} and {second}") for _ in range(size) if parts]

    async def each_paint(self, finish: Finish | None = None) -> AsyncIterator[Paint]:
        """Paints one after the other."""
        yield Paint(id="white", finish=finish or "gloss")

    @finds("gene")
    async def paints_named(self, names: list[str], organism: str) -> NameResults:
        """Paints by name, for other sources."""
        raise NotImplementedError

    async def _hidden(self) -> None:
        pass
