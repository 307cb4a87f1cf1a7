"""The base class of every source's client."""

import asyncio
import functools
import inspect
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar

from pydantic import ValidationError

import biofact.tables  # noqa: F401  # gives results their data frames
from biofact.core import call
from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.errors import BiofactError, ToolRef
from biofact.core.identifiers import IdKind, unusable
from biofact.core.parameters import plain_signature
from biofact.core.records import Record
from biofact.core.tool import BATCH_LIMIT
from biofact.protocol.listing import Listing, ListSlice, OffsetPages, OffsetPosition, batch, unmatched
from biofact.protocol.lookup import Lookup, RecordKind, Short, Upstream, Whole, unknown
from biofact.protocol.names import is_finder
from biofact.protocol.releases import ReleaseTable
from biofact.transport.service import Request, Service
from biofact.transport.stack import Transport

Row = TypeVar("Row", bound=Record)
Answer = TypeVar("Answer")


class LifeSciencesClient:
    """A database that can be asked. Usable alone, as ``async with EntrezClient() as entrez:``."""

    source_name: ClassVar[str]
    """The name of its folder, tools and commands, such as ``entrez``."""
    title: ClassVar[str]
    """The name in sentences, such as ``NCBI Gene``."""
    services: ClassVar[tuple[Service, ...]]
    """The hosts that it asks."""
    probes: ClassVar[tuple[tuple[str, Request], ...]] = ()
    """Questions, each with a label, that only the live service can settle (``biofact doctor --probe``)."""

    releases: ClassVar[ReleaseTable | None] = None
    """The known releases of its database, where no more may come."""

    def __init_subclass__(cls) -> None:
        """Give methods that are iterators the signature that tools have."""
        for method in vars(cls).values():
            if inspect.isasyncgenfunction(method):
                method.__dict__["__signature__"] = plain_signature(inspect.signature(method))

    def __init__(self, transport: Transport | None = None) -> None:
        """Without a transport the client makes the default one, and closes it."""
        self.transport = transport or Transport()
        self._owns_transport = transport is None
        self._lookups: dict[RecordKind[Any, Any], Lookup[Any]] = {}

    def __dir__(self) -> list[str]:
        """The methods for programs, without the declarations that the interfaces read."""
        return [
            name
            for name in super().__dir__()
            if name not in LifeSciencesClient.__annotations__ and not is_finder(getattr(type(self), name, None))
        ]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the transport, if it is this client's own."""
        if self._owns_transport:
            await self.transport.aclose()

    @functools.cached_property
    def _upstream(self) -> Upstream:
        """Questions to its services, whose refusals are read from JSON."""
        return Upstream(self.transport, self.title)

    async def _get(self, kind: RecordKind[Whole, Short], record_id: str, *, slim: bool) -> Whole | Short:
        """The record of an ID, whole or short.

        Raises:
            EntityNotFound: there is none.
        """
        record = await self._find(kind, record_id)
        if record is None:
            raise unknown(self.title, record_id, kind.id_kind.search)
        return record.shortened(kind.short) if slim else record

    async def _find(self, kind: RecordKind[Whole, Short], record_id: str) -> Whole | None:
        """The record of an ID, or None if there is none."""
        if kind not in self._lookups:
            self._lookups[kind] = kind.lookup(self._upstream)
        record: Whole | None = await self._lookups[kind].get(record_id)
        return record

    async def _get_batch(
        self, kind: RecordKind[Whole, Short], ids: Sequence[object], *, slim: bool
    ) -> PaginationEnvelope[Whole | Short | ErrorEnvelope]:
        """One entry per ID in the order asked: the record, whole or short, or the failure of that ID."""

        async def get(record_id: str) -> Whole | Short:
            return await self._get(kind, record_id, slim=slim)

        def shorten(record: Whole | Short) -> Whole | Short:
            return record.shortened(kind.short)

        return await self._batch(kind.id_kind, ids, get, shorten, at_once=kind.limit)

    async def _page(
        self,
        tool: ToolRef,
        query: Mapping[str, object],
        fetch: Callable[[OffsetPosition, int], Awaitable[ListSlice[Row]]],
        *,
        cursor: str | None,
        page_size: int,
    ) -> PaginationEnvelope[Row]:
        """The page of a list in the order of the service, as ``OffsetPages`` reads it. ``query`` are the arguments that
        choose the rows; a notice reports that a list is empty whose arguments include ``query``.
        """
        listing = Listing(tool, query, OffsetPosition, cursor=cursor, page_size=page_size)
        page = await listing.page(OffsetPages(fetch))
        if not page.rows and "query" in query:
            page.notices.append(unmatched(self.title, str(query["query"])))
        return listing.envelope(page)

    async def _many(
        self, batch_method: Callable[[list[Any]], Awaitable[Answer]], ids: Iterable[object]
    ) -> AsyncIterator[Answer]:
        """The answers of a method that takes a batch of IDs, to any number of them, batch after batch.

        Raises:
            TypeError: they are one text.
        """
        if isinstance(ids, str | bytes):
            raise TypeError(f"{ids!r:.80} is one text: give a list of IDs.")
        rest = iter(ids)
        while part := list(itertools.islice(rest, BATCH_LIMIT)):
            yield await self._in_bulk(batch_method, part)

    async def _in_bulk(self, batch_method: Callable[[list[Any]], Awaitable[Answer]], ids: list[Any]) -> Answer:
        with call.bulk(self.transport.timing.deadline() + len(ids) * call.SECONDS_PER_ENTITY):
            return await batch_method(ids)

    async def _batch(
        self,
        kind: IdKind,
        ids: Sequence[object],
        get: Callable[[str], Awaitable[Row]],
        slim: Callable[[Row], Row],
        *,
        at_once: int,
    ) -> PaginationEnvelope[Row | ErrorEnvelope]:
        """One entry per ID in the order asked: what ``get`` answers, or the failure of that ID; all in the short form
        that ``slim`` gives where whole ones would be too long together.

        ``at_once`` IDs fit into one upstream request; a call that needs more is bulk work.
        """

        async def entry(raw_id: object) -> Row | ErrorEnvelope:
            answer = await outcome(raw_id)
            await counter.add()
            return answer

        async def outcome(raw_id: object) -> Row | ErrorEnvelope:
            try:
                return await get(kind.check(raw_id))
            except BiofactError as error:
                return ErrorEnvelope.of(error, raw_id)
            except ValidationError as error:
                if failure := unusable(self.title, error):
                    return ErrorEnvelope.of(failure, raw_id)
                raise

        keys = [raw_id if isinstance(raw_id, str) else place for place, raw_id in enumerate(ids)]
        distinct = dict(zip(keys, ids, strict=True))  # a value that is no text fails in each of its places
        if len(distinct) > at_once:
            call.current().lane = "bulk"
        counter = call.Counter(len(distinct), "IDs looked up")
        outcomes = dict(zip(distinct, await asyncio.gather(*map(entry, distinct.values())), strict=True))
        return batch([outcomes[key] for key in keys], slim)
