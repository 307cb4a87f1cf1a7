"""A source without a service, to test the interfaces on any declaration."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, Field

from biofact.core import call
from biofact.core.envelopes import ErrorEnvelope, Pagination, PaginationEnvelope
from biofact.core.errors import BiofactError, CallTool, EntityNotFound, RateLimited, RetryAfter, ToolRef, UpstreamError
from biofact.core.identifiers import IdKind
from biofact.core.records import Notice, Provenance, Record, Result, SlimRecord, absent, absent_list
from biofact.core.tool import CursorText, PageSize, Query, resource, tool
from biofact.core.xrefs import CrossReferences
from biofact.interfaces import declarations
from biofact.interfaces.journey import Journey
from biofact.interfaces.listing import SourceListing
from biofact.protocol.client import LifeSciencesClient

SEARCH = ToolRef("toy", "search_toys")
TOY_ID = IdKind("toy ID", r"TOY:\d+", "TOY:7", SEARCH)
READ = Provenance(source="toy", url="toy://box", retrieved_at="2026-01-01T00:00:00Z", origin="live", release="9")


class SlimToy(SlimRecord):
    """One toy in short."""

    id: str
    name: str

    def slim(self) -> "SlimToy":
        """The short form."""
        return self.shortened(SlimToy)


class Toy(SlimToy):
    """One toy."""

    colour: str | None = absent("As painted.")
    parts: list[str] = absent_list()
    weight: float | None = absent()
    cross_references: CrossReferences | None = absent()
    category: Literal["biolink:Toy"] | None = absent()


BALL = Toy(
    id="TOY:7",
    name="ball",
    colour="red",
    parts=["skin", "air"],
    weight=0.5,
    cross_references=CrossReferences(hgnc="HGNC:7"),
    category="biolink:Toy",
)
DOLL = Toy(id="TOY:8", name="doll")


class ToyClient(LifeSciencesClient):
    """Toys by name and ID, and every way to fail."""

    source_name = "toy"
    title = "Toy Box"
    services = ()

    @tool
    async def search_toys(
        self,
        query: Query,
        colour: Annotated[str | None, Field(description="as painted")] = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[Toy | SlimToy]:
        """Find toys by name; toy.get_toy describes one. Here ``page_size`` and `slim=false` matter.

        Not for the agent.
        """
        notice = Notice(code="QUERY_UNDERSTOOD", message=f"Understood as {query!r}; toy.get_toy takes the ID.")
        items = [toy.slim() if slim else toy for toy in (BALL, DOLL) if query in toy.name or query == "toys"]
        pagination = Pagination(cursor=None, total_count=len(items), page_size=page_size)
        return PaginationEnvelope(items=items, pagination=pagination, notices=[notice])

    @tool
    async def get_toy(self, toy_id: Annotated[str, TOY_ID], slim: bool = False) -> Toy | SlimToy:
        """Describe one toy by its ID."""
        call.current().answers.append(READ)
        toy = self._toy(toy_id)
        return toy.slim() if slim else toy

    @tool
    async def get_toys_batch(
        self, toy_ids: Annotated[list[str], TOY_ID], slim: bool = True
    ) -> PaginationEnvelope[Toy | SlimToy | ErrorEnvelope]:
        """Describe up to 200 toys, one item per ID."""
        items = [self._entry(toy_id) for toy_id in toy_ids]
        pagination = Pagination(cursor=None, total_count=len(items), page_size=len(items))
        return PaginationEnvelope(items=items, pagination=pagination)

    @tool
    async def break_toy(self, how: Literal["busy", "down", "defect", "elsewhere"], key: str = "") -> Toy:
        """Fail in the way that is asked for."""
        if how == "busy":
            raise RateLimited("The box is busy.", hint="Wait 7 seconds.", recovery=RetryAfter(7))
        if how == "down":
            raise UpstreamError("The box is shut.", hint="Call toy.get_toy later.")
        if how == "elsewhere":
            doll = CallTool(ToolRef("doll", "search_dolls"), {"query": "doll"})
            raise EntityNotFound(
                "No toy.", hint="Call doll.search_dolls, not doll.search or toy.nothing.", recovery=doll
            )
        raise KeyError(f"spring {key}")

    @resource("toy://toys/{toy_id}/drawing.svg", "image/svg+xml")
    async def draw(self, toy_id: Annotated[str, TOY_ID]) -> str:
        """Draw one toy; toy.get_toy describes it. The drawing is as red as the ``toy_id`` allows.

        Raises:
            EntityNotFound: there is no such toy.
        """
        current = call.current()
        current.answers.append(READ)
        current.notices.append(Notice(code="STALE", message="An old drawing; toy.get_toy knows more."))
        return f"<svg>\u2022 {self._toy(toy_id).name}</svg>"

    @resource("toy://toys/{toy_id}/photo", "image/png")
    async def photograph(self, toy_id: Annotated[str, TOY_ID]) -> bytes:
        """Take a picture of one toy."""
        return b"\x89PNG " + self._toy(toy_id).name.encode()

    @resource("toy://wrecks/{how}", "text/plain")
    async def wreck(self, how: Literal["busy", "down", "defect", "elsewhere"]) -> str:
        """Fail in the way that is asked for."""
        return (await self.break_toy(how)).name

    @resource("toy://rules", "text/markdown")
    async def rules(self) -> str:
        """Describe how toys are played with; toy.search_toys finds one."""
        return "# Be kind"

    def _toy(self, toy_id: str) -> Toy:
        for toy in (BALL, DOLL):
            if toy.id == toy_id:
                return toy
        raise EntityNotFound(f"There is no {toy_id}.", hint=f"Call {SEARCH} with its name.", invalid_input=toy_id)

    def _entry(self, toy_id: object) -> Toy | ErrorEnvelope:
        try:
            return self._toy(TOY_ID.check(toy_id))
        except BiofactError as error:
            return ErrorEnvelope.of(error)


class DollClient(LifeSciencesClient):
    """A second source, so that names can clash."""

    source_name = "doll"
    title = "Doll House"
    services = ()

    @tool
    async def search_dolls(self, query: Query) -> PaginationEnvelope[Toy]:
        """Find dolls."""
        return PaginationEnvelope(items=[DOLL], pagination=Pagination(cursor=None, total_count=1, page_size=1))

    @tool
    async def doll_rank(self, pmids: list[str], top: Annotated[int, Field(ge=1, le=9)] = 3) -> PaginationEnvelope[Toy]:
        """Rank dolls; this tool names its source already."""
        return PaginationEnvelope(items=[DOLL], pagination=Pagination(cursor=None, total_count=1, page_size=top))


class Box(Record):
    """One box of toys."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id",)

    id: str
    toys: list[str] = absent_list()


class Gap(BaseModel):
    """An empty place; it has no ID."""

    width: int


class Shelf(Result):
    """The things on a shelf, a list for each kind; a kind that was not requested is absent."""

    shelf: str
    toys: list[Toy] | None = absent()
    boxes: list[Box] | None = absent()
    gaps: list[Gap] = absent_list()


class ShelfClient(LifeSciencesClient):
    """A source whose arguments are mappings and lists of words, and whose answers are several lists."""

    source_name = "shelf"
    title = "Shelf"
    services = ()

    @tool
    async def look(
        self,
        shelf: str,
        include: Annotated[list[Literal["toys", "boxes"]], Field(min_length=1)] | None = None,
        filters: dict[str, Any] | None = None,
    ) -> Shelf:
        """List what stands on a shelf; `filters` are of toys."""
        values = filters or {}
        toys = [toy for toy in (BALL, DOLL) if all(str(getattr(toy, name)) == values[name] for name in values)]
        kinds = {"toys": toys, "boxes": [Box(id="BOX:1", toys=["TOY:7", "TOY:8"])]}
        lists = {kind: [] if shelf == "empty" else kinds[kind] for kind in include or kinds}
        return Shelf(shelf=shelf, **lists, gaps=[Gap(width=3)])


class ToyBox:
    """The catalog of toys and dolls."""

    clients: ClassVar = {"toy": ToyClient, "doll": DollClient}

    def names(self) -> tuple[str, ...]:
        return tuple(self.clients)

    def toolsets(self) -> tuple[str, ...]:
        return self.names()

    def client_class(self, name: str) -> type:
        return self.clients[name]

    def listing(self, name: str) -> SourceListing:
        return declarations.listing(self.clients[name])

    def journeys(self) -> tuple[Journey, ...]:
        return ()

    def commands(self, name):
        return declarations.commands(self.client_class(name))


TOYS = ToyBox()


class ShelfRoom(ToyBox):
    """The catalog of shelves."""

    clients: ClassVar = {"shelf": ShelfClient}


SHELVES = ShelfRoom()
