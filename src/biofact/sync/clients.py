"""The blocking clients of one program: they share one transport, and each is created at its first use."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

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


class Clients(ClientAttributes):
    """One client per source over one transport: ``clients.entrez``, ``clients.ensembl`` ...

    Any number of threads may share them: what they ask at the same time joins into few requests.
    """

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
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
            return self._clients[name]

    def close(self) -> None:
        """Let go of what the clients have beside the transport, and of the transport."""
        for client in self._clients.values():
            client.close()
        background.close(self.transport)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *toolsets.client_names()})


@contextmanager
def open(  # noqa: A001  # as files are
    settings: Mapping[str, str] | None = None, *, sandbox: "Sandbox | None" = None
) -> Iterator[Clients]:
    """The clients of all sources, which share one transport: cache, budgets and connections.

    >>> with biofact.sync.open() as clients:
    ...     gene = clients.entrez.get_gene("NCBIGene:7157")
    ...     gene.symbol == clients.ensembl.get_gene("ENSG00000141510").symbol
    True

    ``settings`` come before those of the environment, and are named like them: ``{"BIOFACT_OFFLINE": "1"}``.
    ``sandbox`` is asked in place of the real services, with a cache that goes afterwards.
    """
    with asynchronous.settings_of(settings, sandbox) as merged:
        clients = Clients(Transport(merged))
        background.close_at_exit(clients.transport, clients)
        try:
            yield clients
        finally:
            clients.close()
