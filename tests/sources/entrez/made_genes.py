"""The Entrez client on a sandbox of genes made for one test."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.entrez.corpus import GeneCorpus, NcbiGeneFacts
from biofact.sandbox.services.entrez.datasets import DatasetsStandIn
from biofact.sandbox.services.entrez.standin import GeneDatabase
from biofact.sandbox.services.pubmed import standin as pubmed
from biofact.sources.entrez.client import EntrezClient
from tests.sandboxed import transported


def database(*genes: NcbiGeneFacts, kind: type[GeneDatabase] = GeneDatabase) -> GeneDatabase:
    """The Gene database of these genes alone."""
    return kind(GeneCorpus(genes))


def replaced_gene(gene_id: int, current_id: int, **facts) -> NcbiGeneFacts:
    """A gene that was replaced by another."""
    return NcbiGeneFacts(
        gene_id=str(gene_id),
        symbol=f"OLD{gene_id}",
        status="secondary",
        current_id=str(current_id),
        discontinued_on="2019-05-03",
        **facts,
    )


def withdrawn(gene_id: int, symbol: str) -> NcbiGeneFacts:
    """A gene that was withdrawn without a replacement."""
    return NcbiGeneFacts(gene_id=str(gene_id), symbol=symbol, status="discontinued", discontinued_on="2019-05-03")


@asynccontextmanager
async def open_entrez(genes: GeneDatabase | Iterable[NcbiGeneFacts]) -> AsyncIterator[EntrezClient]:
    """A client of the genes; the cache is new and is deleted afterwards."""
    owner = genes if isinstance(genes, GeneDatabase) else database(*genes)
    async with transported(stand_ins=[EutilsStandIn(owner), DatasetsStandIn(owner.corpus), *pubmed.stand_ins()]) as (
        transport,
        _,
    ):
        yield EntrezClient(transport)
