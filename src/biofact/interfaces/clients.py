"""The clients of one process: they share one transport, and each is made when first asked for."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from biofact.core.settings import Settings
from biofact.interfaces.shutdown import removed_at_exit
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

if TYPE_CHECKING:
    from biofact.transport.wire import Network

_REAL_TIME = Timing()


class Clients:
    """One client per source over one transport."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._made: dict[type, Any] = {}

    def of(self, client_class: type) -> Any:
        """The client of this class."""
        if client_class not in self._made:
            self._made[client_class] = client_class(self.transport)
        return self._made[client_class]

    async def aclose(self) -> None:
        """Let go of what the clients have beside the transport, and of the transport."""
        for client in self._made.values():
            await client.aclose()
        await self.transport.aclose()


@asynccontextmanager
async def opened(
    settings: Settings | None = None,
    *,
    timing: Timing = _REAL_TIME,
    sandbox: bool = False,
    wire: "Network | None" = None,
) -> AsyncIterator[Clients]:
    """The clients of the real services; with ``sandbox``, of stand-ins that last as long as this does.

    ``wire`` takes the place of the network.
    """
    if sandbox:
        async with _sandboxed(settings or Settings()) as sandboxed, opened(sandboxed, timing=timing) as clients:
            yield clients
        return
    clients = Clients(Transport(settings, timing=timing, wire=wire))
    try:
        yield clients
    finally:
        await clients.aclose()


@asynccontextmanager
async def _sandboxed(settings: Settings) -> AsyncIterator[Settings]:
    """Settings that lead to a sandbox, with a cache and budgets of its own; both are gone afterwards."""
    from biofact.sandbox import Sandbox  # noqa: PLC0415  # only where it is asked for

    with tempfile.TemporaryDirectory(prefix="biofact-") as folder, removed_at_exit(folder):
        async with Sandbox() as sandbox:
            own = {"BIOFACT_CACHE_DIR": folder, "BIOFACT_REDIS_URL": "", "BIOFACT_OFFLINE": ""}
            yield settings.replaced({**sandbox.environment(), **own})
