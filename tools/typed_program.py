"""A program as others write it, which mypy reads in strict mode with the package: what it must refuse is marked.

It is not run. A mark that is not needed is an error as well.
"""

from typing import assert_type

import biofact
from biofact import sync
from biofact.core.envelopes import ErrorEnvelope


def blocking() -> None:
    """Clients of scripts have the types of the asynchronous ones."""
    with sync.EntrezClient() as entrez:
        assert_type(entrez, sync.EntrezClient)
        assert_type(entrez.get_gene("NCBIGene:7157").symbol, str)
        genes = entrez.get_genes_batch(["NCBIGene:7157"], slim=False)
        assert_type([gene for gene in genes.items if isinstance(gene, ErrorEnvelope)], list[ErrorEnvelope])
        entrez.get_gene(7157)  # type: ignore[call-overload]
        entrez.get_gene("NCBIGene:7157", colour=True)  # type: ignore[call-overload]
    with biofact.Sandbox() as sandbox, sync.open(sandbox=sandbox) as clients:
        assert_type(clients.igvf, sync.IGVFClient)
        clients.nothing  # type: ignore[attr-defined]  # noqa: B018
    for answer in sync.IdentityClient().resolve_many(["p53"]):
        assert_type(answer, biofact.PaginationEnvelope[biofact.ResolvedName | ErrorEnvelope])


async def asynchronous() -> None:
    """All clients at once."""
    async with biofact.open({"BIOFACT_OFFLINE": "1"}) as clients:
        assert_type(clients.literature, biofact.Pipeline)
        assert_type((await clients.ensembl.get_gene("ENSG00000141510")).chromosome, str)
        clients.nothing  # type: ignore[attr-defined]  # noqa: B018
