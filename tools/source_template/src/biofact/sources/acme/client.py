"""The tools of Acme."""

import functools
from typing import Annotated, Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.tool import CursorText, PageSize, Query, tool
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import Listing, ListSlice, OffsetPages, OffsetPosition, unmatched
from biofact.protocol.lookup import Lookup, Upstream, unknown
from biofact.sources.acme import parse, records, service
from biofact.sources.acme.identifiers import ENTRY_ID, SEARCH
from biofact.sources.acme.records import AcmeCandidate, AcmeEntry
from biofact.transport.stack import Transport


class AcmeClient(LifeSciencesClient):
    """Names to Acme IDs, Acme IDs to checked entries.

    >>> with biofact.sync.AcmeClient() as acme:
    ...     acme.get_entry("ACME:1001").symbol
    'BRCA1'
    """

    source_name = "acme"
    title = "Acme"
    services = (service.ACME,)

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._upstream = Upstream(self.transport, self.title)
        self._entries = Lookup(
            self._upstream,
            service.ACME,
            service.ENTRIES,
            parse.entry,
            id_of=lambda entry: entry.id,
        )

    @overload
    async def search_entries(
        self, query: str, page_size: int = ..., cursor: str | None = ..., slim: Literal[False] = ...
    ) -> PaginationEnvelope[AcmeCandidate]: ...

    @overload
    async def search_entries(
        self, query: str, page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[records.SlimAcmeCandidate]: ...

    @tool
    async def search_entries(
        self, query: Query, page_size: PageSize = 50, cursor: CursorText | None = None, slim: bool = False
    ) -> PaginationEnvelope[AcmeCandidate | records.SlimAcmeCandidate]:
        """Find Acme entries by symbol, alias, words of the name, or ID: start here without an Acme ID.
        Best match first; `match` says what matched.

        Scores are 0-1 and never increase along the list, across pages too. The order is Acme's.

        Raises:
            AmbiguousQuery: the cursor comes from another query.

        Source: GET /search (https://acme.example/docs, read 2026-11-23).
        """
        listing = Listing(SEARCH, {"query": query}, OffsetPosition, cursor=cursor, page_size=page_size, is_slim=slim)
        page = await listing.page(OffsetPages(functools.partial(self._candidates, query)))
        if not page.rows:
            page.notices.append(unmatched(self.title, query))
        return listing.envelope_in_form(page, AcmeCandidate.slim)

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
        return await self._entry(acme_id, slim=slim)

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
        get, at_once = functools.partial(self._entry, slim=slim), service.ENTRIES.limit
        return await self._batch(ENTRY_ID, acme_ids, get, records.SlimAcmeEntry.slim, at_once=at_once)

    async def _entry(self, acme_id: str, *, slim: bool) -> AcmeEntry | records.SlimAcmeEntry:
        entry = await self._entries.get(acme_id)
        if entry is None:
            raise unknown(self.title, acme_id, SEARCH)
        return entry.slim() if slim else entry

    async def _candidates(self, query: str, position: OffsetPosition, size: int) -> ListSlice[AcmeCandidate]:
        acme_id = ENTRY_ID.match(query)
        request = service.search(ENTRY_ID.local(acme_id) if acme_id else query, position.offset, size)
        read_candidates = functools.partial(parse.candidates, query=acme_id or query)
        return await self._upstream.fetch(request, read_candidates, "search/1")
