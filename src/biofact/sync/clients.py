"""The blocking clients of one program: they share one transport, and each is created at its first use."""

import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from biofact import clients as asynchronous
from biofact import sync, toolsets
from biofact.sync.blocking import BlockingClient
from biofact.transport import background
from biofact.transport.stack import Transport

if TYPE_CHECKING:
    from biofact.sandbox import Sandbox

# clients: by make docs
if TYPE_CHECKING:
    from biofact.sync.chembl import ChEMBLClient
    from biofact.sync.ensembl import EnsemblClient
    from biofact.sync.entrez import EntrezClient
    from biofact.sync.identity import IdentityClient
    from biofact.sync.igvf import IGVFClient
    from biofact.sync.literature import Pipeline
    from biofact.sync.pubmed import PubMedClient


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


@dataclass(eq=False)
class _Closing:
    """The parts to close with the clients: the transport, then the folder of a sandbox's cache, if there is one."""

    transport: Transport
    folders: ExitStack = field(default_factory=ExitStack)

    async def aclose(self) -> None:
        await self.transport.aclose()
        self.folders.close()


class Clients(ClientAttributes):
    """One client per source over one transport: ``clients.entrez``, ``clients.ensembl`` ...

    Any number of threads may share them: what they ask at the same time joins into few requests.
    """

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._closing = _Closing(transport)
        self._clients: dict[str, BlockingClient] = {}
        self._lock = threading.Lock()

    if not TYPE_CHECKING:  # else it would have any attribute

        def __getattr__(self, name: str) -> BlockingClient:
            if name not in toolsets.client_names():
                raise AttributeError(f"There is no client {name!r}; there are {', '.join(toolsets.client_names())}.")
            with self._lock:
                if name not in self._clients:
                    class_name = toolsets.client_class(name).__name__
                    self._clients[name] = getattr(sync, class_name)(self.transport)
                    self._clients[name]._siblings = self  # as garbage they would be closed
            return self._clients[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what the clients have beside the transport, and of the transport."""
        for client in self._clients.values():
            client.close()
        background.close(self._closing)

    def __dir__(self) -> list[str]:
        return sorted(["close", "transport", *toolsets.client_names()])


def open(  # noqa: A001  # as files are
    settings: Mapping[str, str] | None = None, *, sandbox: "Sandbox | None" = None
) -> Clients:
    """The clients of all sources, which share one transport: cache, budgets and connections.

    >>> with biofact.sync.open() as clients:
    ...     gene = clients.entrez.get_gene("NCBIGene:7157")
    ...     gene.symbol == clients.ensembl.get_gene("ENSG00000141510").symbol
    True

    ``with`` closes them at once; in a notebook, ``clients = biofact.sync.open()`` is closed when Python ends.
    ``settings`` come before those of the environment, and are named like them: ``{"BIOFACT_OFFLINE": "1"}``.
    ``sandbox`` is asked in place of the real services, with a cache that goes afterwards.
    """
    with ExitStack() as folders:
        clients = Clients(Transport(folders.enter_context(asynchronous.settings_of(settings, sandbox))))
        clients._closing.folders = folders.pop_all()
    background.close_at_exit(clients._closing, clients)
    return clients
