"""biofact for scripts: the same clients with the same methods, which wait for their answers.

    >>> with biofact.sync.EntrezClient() as entrez:
    ...     entrez.get_gene("NCBIGene:7157").symbol
    'TP53'

They work in notebooks, in any number of threads, and after a fork. Each name is imported when it is first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any

# public names: by make docs
if TYPE_CHECKING:
    from biofact.sync.chembl import ChEMBLClient as ChEMBLClient
    from biofact.sync.clients import Clients as Clients
    from biofact.sync.clients import open as open
    from biofact.sync.ensembl import EnsemblClient as EnsemblClient
    from biofact.sync.entrez import EntrezClient as EntrezClient
    from biofact.sync.identity import IdentityClient as IdentityClient
    from biofact.sync.igvf import IGVFClient as IGVFClient
    from biofact.sync.literature import Pipeline as Pipeline
    from biofact.sync.pubmed import PubMedClient as PubMedClient

_HOMES = {
    "ChEMBLClient": "biofact.sync.chembl",
    "Clients": "biofact.sync.clients",
    "EnsemblClient": "biofact.sync.ensembl",
    "EntrezClient": "biofact.sync.entrez",
    "IGVFClient": "biofact.sync.igvf",
    "IdentityClient": "biofact.sync.identity",
    "Pipeline": "biofact.sync.literature",
    "PubMedClient": "biofact.sync.pubmed",
    "open": "biofact.sync.clients",
}
# end

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'biofact.sync' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
