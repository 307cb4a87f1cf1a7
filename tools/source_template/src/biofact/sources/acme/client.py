"""The tools of Acme."""

from typing import Annotated, Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.tool import CursorText, PageSize, Query, tool
from biofact.protocol.client import LifeSciencesClient
from biofact.sources.acme import records, service
from biofact.sources.acme.identifiers import ENTRY_ID, SEARCH
from biofact.sources.acme.records import AcmeCandidate, AcmeEntry


class AcmeClient(LifeSciencesClient):
    """Names to Acme IDs, Acme IDs to checked entries.

    >>> with biofact.sync.AcmeClient() as acme:
    ...     acme.get_entry("ACME:1001").symbol
    'BRCA1'
    """

    source_name = "acme"
    title = "Acme"
    services = (service.ACME,)

    @tool
    async def search_entries(
        self, query: Query, page_size: PageSize = 50, cursor: CursorText | None = None
    ) -> PaginationEnvelope[AcmeCandidate]:
        """Find Acme entries by symbol, alias, words of the name, or ID: start here without an Acme ID.
        Best match first; `match` says what matched.

        Scores are 0-1 and never increase along the list, across pages too. The order is Acme's.

        Raises:
            AmbiguousQuery: the cursor comes from another query.

        Source: GET /search (https://acme.example/docs, read 2026-11-23).
        """
        fetch = service.HITS.fetch(self._upstream, query)
        return await self._page(SEARCH, {"query": query}, fetch, cursor=cursor, page_size=page_size)

    @overload
    async def get_entry(self, acme_id: str, slim: Literal[False] = ...) -> AcmeEntry: ...
    @overload
    async def get_entry(self, acme_id: str, slim: bool = ...) -> records.SlimAcmeEntry: ...
    @tool
    async def get_entry(
        self,
        acme_id: Annotated[str, ENTRY_ID],
        slim: bool = False,
    ) -> AcmeEntry | records.SlimAcmeEntry:
        """Describe one gene by its Acme ID: symbol, name, aliases, cross-references.

        Cross-reference keys without a value are absent. ``slim`` keeps ID and symbol.

        Raises:
            UnresolvedEntity: ``acme_id`` is not written like ``ACME:1001``.
            EntityNotFound: Acme has no such entry.

        Source: GET /fetch (https://acme.example/docs, read 2026-11-23).
        """
        return await self._get(service.ENTRIES, acme_id, slim=slim)

    @tool
    async def get_entries_batch(
        self, acme_ids: Annotated[list[str], ENTRY_ID], slim: bool = True
    ) -> PaginationEnvelope[AcmeEntry | records.SlimAcmeEntry | ErrorEnvelope]:
        """Describe up to 200 genes by their Acme IDs; one item per ID in the order asked, each an entry or the
        failure of that ID. Slim by default: ID and symbol; `slim=false` gives whole entries.

        Duplicates are kept. One malformed or unknown ID never fails the others.

        Raises:
            AmbiguousQuery: no IDs, or more than 200.

        Source: GET /fetch (https://acme.example/docs, read 2026-11-23).
        """
        return await self._get_batch(service.ENTRIES, acme_ids, slim=slim)
