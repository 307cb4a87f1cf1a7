"""EntrezClient, blocking. Written by make docs from biofact.sources.entrez.client."""

from typing import Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.organisms import OrganismName
from biofact.core.tool import CursorText, PageSize, Query
from biofact.sources.entrez import client as asynchronous
from biofact.sources.entrez.records import (
    EntrezGene,
    GeneRif,
    GeneSearchCandidate,
    PubMedLink,
    SlimEntrezGene,
    SlimGeneSearchCandidate,
)
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import wait_for


class EntrezClient(BlockingClient):
    """Names to GeneIDs, GeneIDs to checked records and their papers.

    >>> with biofact.sync.EntrezClient() as entrez:
    ...     entrez.get_gene("NCBIGene:7157").symbol
    'TP53'
    """

    _asynchronous = asynchronous.EntrezClient
    _client: asynchronous.EntrezClient

    @overload
    def search_genes(
        self,
        query: str,
        organism: str | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[GeneSearchCandidate]: ...

    @overload
    def search_genes(
        self, query: str, organism: str | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimGeneSearchCandidate]: ...

    def search_genes(
        self,
        query: Query,
        organism: OrganismName | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[GeneSearchCandidate | SlimGeneSearchCandidate]:
        """Find genes by symbol, alias, name or words: start here when you have no NCBIGene ID. Best match first,
        human before other organisms; `match` says what matched. A SHARED_MATCH notice names genes that match
        equally well: do not guess between them. Entrez syntax such as `BRCA1[sym]` passes through.

        Scores are 0-1 and never increase along the list, across pages too. ``organism`` restricts the search
        ("human" means taxon 9606 alone); without it all organisms are searched. An organism at the end of the query
        ("TP53 zebrafish") counts as one, and a notice says so. Plain words find live records only.

        Raises:
            AmbiguousQuery: the organism is unknown, or the cursor comes from another query.

        Source: esearch and esummary, db=gene (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        return wait_for(self._client.search_genes(query, organism, page_size, cursor, slim))

    @overload
    def get_gene(
        self, entrez_id: str, slim: Literal[False] = ..., include: asynchronous.GeneParts | None = ...
    ) -> EntrezGene: ...

    @overload
    def get_gene(
        self, entrez_id: str, slim: bool = ..., include: asynchronous.GeneParts | None = ...
    ) -> SlimEntrezGene: ...

    def get_gene(
        self, entrez_id: str, slim: bool = False, include: asynchronous.GeneParts | None = None
    ) -> EntrezGene | SlimEntrezGene:
        """Describe one gene by its NCBIGene ID: names, organism, type, location, summary, cross-references; `include`
        adds GO terms and phenotypes, and lists whole. A cross-reference `entrez: "7157"` is written `NCBIGene:7157`
        here. A replaced ID leads to the current record, which says so in `replaces`.

        ``start`` and ``end`` are 1-based and inclusive, on the assembly named in the record; ``strand`` is +1 or -1.
        Cross-reference keys without a value are absent. ``slim`` keeps ID, symbol and organism; ``include`` asks for
        the whole record. A list that ``include`` does not name is cut to the record's budget, and counted.

        Raises:
            UnresolvedEntity: ``entrez_id`` is not written like ``NCBIGene:7157``.
            EntityNotFound: NCBI knows no such gene, or withdrew it; the message says when.

        Source: efetch db=gene as XML; slim: esummary (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        return wait_for(self._client.get_gene(entrez_id, slim, include))

    def get_genes_batch(
        self, entrez_ids: list[str], slim: bool = True, include: asynchronous.GeneParts | None = None
    ) -> PaginationEnvelope[EntrezGene | SlimEntrezGene | ErrorEnvelope]:
        """Describe up to 200 genes by NCBIGene ID; one item per ID, in order: the gene or its failure. Slim without
        `include`.

        Slim is ID, symbol and organism; ``slim=false`` and ``include`` give whole records. Duplicates are kept. One
        malformed, unknown or withdrawn ID never fails the others.

        Raises:
            AmbiguousQuery: no IDs, or more than 200.

        Source: esummary (slim) and efetch, db=gene (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        return wait_for(self._client.get_genes_batch(entrez_ids, slim, include))

    def get_pubmed_links(
        self, entrez_id: str, limit: PageSize = 10, cursor: CursorText | None = None
    ) -> PaginationEnvelope[PubMedLink]:
        """List the PubMed articles that NCBI links to a gene, by its NCBIGene ID: newest first (highest PMID),
        `limit` a page, with the total count. Each `id` is a PMID as PubMed tools take it; `retracted` marks articles
        that were.

        The links are NCBI's own choice (curators and GeneRIFs), not a text search, and not complete.

        Raises:
            UnresolvedEntity: ``entrez_id`` is not written like ``NCBIGene:7157``.
            EntityNotFound: NCBI knows no such gene. A gene without links is an empty list.

        Source: elink gene_pubmed (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        return wait_for(self._client.get_pubmed_links(entrez_id, limit, cursor))

    def get_generifs(
        self, entrez_id: str, page_size: PageSize = 10, cursor: CursorText | None = None
    ) -> PaginationEnvelope[GeneRif]:
        """List what papers say of a gene's function, by its NCBIGene ID: GeneRIFs, one sentence each, with its
        PMIDs as PubMed tools take them. Newest PMID first, with the total count.

        GeneRIFs are written by indexers and submitters for NCBI Gene; ``date`` is the day on which it took them in.
        Two that say the same of the same articles are one. A cursor stays right when new ones come in at the head.

        Raises:
            UnresolvedEntity: ``entrez_id`` is not written like ``NCBIGene:7157``.
            EntityNotFound: NCBI knows no such gene, or withdrew it. A gene without GeneRIFs is an empty list.

        Source: efetch db=gene as XML (https://www.ncbi.nlm.nih.gov/gene/about-generif, read 2026-11-23).
        """
        return wait_for(self._client.get_generifs(entrez_id, page_size, cursor))
