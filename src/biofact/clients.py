"""The clients of one program: they share one transport, and each is created on first use."""

import tempfile
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from biofact import toolsets
from biofact.core.settings import Settings
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

if TYPE_CHECKING:
    from biofact.protocol.client import LifeSciencesClient
    from biofact.sandbox import Sandbox
    from biofact.transport.ask.wire import Network

# clients: by make docs
if TYPE_CHECKING:
    from biofact.identity.client import IdentityClient
    from biofact.literature.pipeline import Pipeline
    from biofact.sources.chembl.client import ChEMBLClient
    from biofact.sources.ensembl.client import EnsemblClient
    from biofact.sources.entrez.client import EntrezClient
    from biofact.sources.igvf.client import IGVFClient
    from biofact.sources.pubmed.client import PubMedClient


class ClientAttributes:
    """Each client by the name of its source."""

    chembl: "ChEMBLClient"
    ensembl: "EnsemblClient"
    entrez: "EntrezClient"
    identity: "IdentityClient"
    igvf: "IGVFClient"
    literature: "Pipeline"
    pubmed: "PubMedClient"


# end

C = TypeVar("C", bound="LifeSciencesClient")
_REAL_TIME = Timing()


class Clients(ClientAttributes):
    """One client per source over one transport: ``clients.entrez``, ``clients.ensembl`` ..."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._clients: dict[type, Any] = {}
        self._lock = threading.Lock()

    if not TYPE_CHECKING:  # else it would have any attribute

        def __getattr__(self, name: str) -> "LifeSciencesClient":
            names = toolsets.client_names()
            if name not in names:
                raise AttributeError(f"There is no client {name!r}; there are {', '.join(names)}.")
            return self.of(toolsets.client_class(name))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *toolsets.client_names()})

    def of(self, client_class: type[C]) -> C:
        """The client of this class; the same one every time, in whatever thread."""
        with self._lock:
            if client_class not in self._clients:
                self._clients[client_class] = client_class(self.transport)
        client: C = self._clients[client_class]
        return client

    def beside(self, own_settings: Mapping[str, str]) -> "Clients":
        """The clients for a caller with settings of their own; close them before these."""
        return Clients(self.transport.beside(own_settings))

    async def aclose(self) -> None:
        """Close the clients and the transport."""
        for client in self._clients.values():
            await client.aclose()
        await self.transport.aclose()


@asynccontextmanager
async def open(  # noqa: A001  # as files are
    settings: Mapping[str, str] | None = None, *, sandbox: "Sandbox | None" = None
) -> AsyncIterator[Clients]:
    """The clients of all sources, which share one transport: cache, budgets and connections.

    >>> async def symbols() -> set[str]:
    ...     async with biofact.open() as clients:
    ...         gene = await clients.entrez.get_gene("NCBIGene:7157")
    ...         return {gene.symbol, (await clients.ensembl.get_gene("ENSG00000141510")).symbol}
    >>> asyncio.run(symbols())
    {'TP53'}

    ``settings`` come before those of the environment, and are named like them: ``{"BIOFACT_OFFLINE": "1"}``.
    ``sandbox`` is asked in place of the real services, with a cache that goes afterwards.
    """
    with settings_of(settings, sandbox) as merged:
        async with open_clients(merged) as clients:
            yield clients


@contextmanager
def settings_of(settings: Mapping[str, str] | None, sandbox: "Sandbox | None") -> Iterator[Settings]:
    """The settings of ``open``; with a sandbox, for as long as its cache exists."""
    merged = Settings().with_changes(settings or {})
    if sandbox is None:
        yield merged
        return
    with tempfile.TemporaryDirectory(prefix="biofact-") as folder:
        yield merged.with_changes(sandbox_settings(sandbox, folder))


@asynccontextmanager
async def open_clients(
    settings: Settings | None = None, *, timing: Timing = _REAL_TIME, wire: "Network | None" = None
) -> AsyncIterator[Clients]:
    """The clients of the services that the settings name. ``wire`` takes the place of the network."""
    clients = Clients(Transport(settings, timing=timing, wire=wire))
    try:
        yield clients
    finally:
        await clients.aclose()


def sandbox_settings(sandbox: "Sandbox", folder: str) -> dict[str, str]:
    """The settings that lead to a sandbox, with its cache and budgets in ``folder``."""
    return {
        **sandbox.environment(),
        "BIOFACT_CACHE_DIR": folder,
        "BIOFACT_REDIS_URL": "",
        "BIOFACT_OFFLINE": "",
    }
