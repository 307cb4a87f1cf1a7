"""The Entrez client on a sandbox of genes made for one test."""

import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

from biofact.core.settings import Settings
from biofact.dialects.eutils_standin import EutilsStandIn
from biofact.sandbox import Sandbox
from biofact.sources.entrez.client import EntrezClient
from biofact.sources.entrez.standin import GeneDatabase
from biofact.sources.entrez.standin.corpus import Corpus
from biofact.sources.entrez.standin.facts import GeneFacts
from biofact.sources.pubmed import standin as pubmed
from biofact.transport.stack import Transport
from tests.sandboxed import FAST, SPEED


def database(*genes: GeneFacts, kind: type[GeneDatabase] = GeneDatabase) -> GeneDatabase:
    """The Gene database of these genes alone."""
    return kind(Corpus(genes))


def replaced(gene_id: int, current_id: int, **facts) -> GeneFacts:
    """A gene that another took the place of."""
    return GeneFacts(
        gene_id=str(gene_id),
        symbol=f"OLD{gene_id}",
        status="secondary",
        current_id=str(current_id),
        discontinued_on="2019-05-03",
        **facts,
    )


def withdrawn(gene_id: int, symbol: str) -> GeneFacts:
    """A gene that nothing took the place of."""
    return GeneFacts(gene_id=str(gene_id), symbol=symbol, status="discontinued", discontinued_on="2019-05-03")


@asynccontextmanager
async def asked(genes: GeneDatabase | Iterable[GeneFacts], **timing) -> AsyncIterator[EntrezClient]:
    """A client of the genes; the cache is new and goes afterwards."""
    of = genes if isinstance(genes, GeneDatabase) else database(*genes)
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(stand_ins=[EutilsStandIn(of), *pubmed.stand_ins()], rate_factor=SPEED * 1.2) as sandbox:
            transport = Transport(
                Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder}), timing=replace(FAST, **timing)
            )
            try:
                yield EntrezClient(transport)
            finally:
                await transport.aclose()
