"""What every source's client inherits."""

from types import TracebackType
from typing import ClassVar, Self

from biofact.transport.service import Request, Service
from biofact.transport.stack import Transport


class LifeSciencesClient:
    """A database that can be asked. Usable alone, as ``async with EntrezClient() as entrez:``."""

    source_name: ClassVar[str]
    """The name of its folder, tools and commands, such as ``entrez``."""
    title: ClassVar[str]
    """What a sentence calls it, such as ``NCBI Gene``."""
    services: ClassVar[tuple[Service, ...]]
    """The hosts that it asks."""
    probes: ClassVar[tuple[tuple[str, Request], ...]] = ()
    """Questions, each with a label, that only the live service can settle (``biofact doctor --probe``)."""

    def __init__(self, transport: Transport | None = None) -> None:
        """Without a transport the client makes the default one, and closes it."""
        self.transport = transport or Transport()
        self._owns_transport = transport is None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the transport, if it is this client's own."""
        if self._owns_transport:
            await self.transport.aclose()
