"""A source whose answers contain markup, scripts and instructions."""

from typing import ClassVar

from biofact.core import call
from biofact.core.envelopes import Pagination, PaginationEnvelope
from biofact.core.errors import CallTool, EntityNotFound, ToolRef
from biofact.core.records import Notice, Provenance, Record
from biofact.core.tool import CursorText, Query, tool
from biofact.protocol.client import LifeSciencesClient
from tests.interfaces.toy import ToyBox

SCRIPT = "<script>window.hit = 1</script>"
PICTURE = "<img src=x onerror='window.hit = 1'>"
LINK = "javascript:window.hit=1"
READ = Provenance(source=PICTURE, url=LINK, retrieved_at=SCRIPT, origin="live", licence=PICTURE, release=SCRIPT)
SECOND_PAGE = "second"


class Trap(Record):
    """One trap."""

    id: str
    label: str
    link: str
    fake: str
    page: str
    turned: str
    parts: list[dict[str, str]]


class TrapClient(LifeSciencesClient):
    """Traps, and a failure that is one."""

    source_name = "trap"
    title = "Traps"
    services = ()

    @tool
    async def search_traps(self, query: Query, cursor: CursorText | None = None) -> PaginationEnvelope[Trap]:
        """Find traps; `more` of them are on a second page."""
        call.current().answers.append(READ)
        trap = Trap(
            id="TRAP:2" if cursor else "TRAP:1",
            label=SCRIPT,
            link=LINK,
            fake="https://user:secret@example.org/",
            page="https://example.org/a?b=<c>",
            turned="\u202eevil",
            parts=[{"name": PICTURE, "of": LINK}],
        )
        pagination = Pagination(cursor=None if cursor else SECOND_PAGE, total_count=2, page_size=1)
        return PaginationEnvelope(items=[trap], pagination=pagination, notices=[Notice(code="ORDER", message=PICTURE)])

    @tool
    async def break_trap(self, trap_id: str = SCRIPT) -> Trap:
        """Fail with a recovery."""
        way_out = CallTool(ToolRef("trap", "search_traps"), {"query": PICTURE})
        raise EntityNotFound(f"No {trap_id}.", hint=PICTURE, invalid_input=trap_id, recovery=way_out)


class TrapBox(ToyBox):
    """The catalog of traps."""

    clients: ClassVar = {"trap": TrapClient}


TRAPS = TrapBox()
