"""What can be asked of NCBI Gene."""

import functools
from typing import Annotated

from pydantic import BaseModel

from biofact.core import identifiers
from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.errors import EntityNotFound, ToolRef
from biofact.core.identifiers import IdKind
from biofact.core.organisms import OrganismName
from biofact.core.provenance import Notice
from biofact.core.tool import CursorText, PageSize, Query, tool
from biofact.dialects import eutils
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import Listing, ListPage
from biofact.sources.entrez import search
from biofact.sources.entrez.questions import DOCSUMS, RECORDS, EntrezQuestions
from biofact.sources.entrez.records import EntrezGene, GeneSearchCandidate, PubMedLink, curie, uid_of
from biofact.sources.entrez.search import SEARCH, GenePage, GenePosition, Pages, Plan
from biofact.transport.stack import Transport

LINKS = ToolRef("entrez", "get_pubmed_links")


def _repaired(text: str) -> str | None:
    uid = search.gene_id(text)
    return curie(uid) if uid else None


def _as_query(text: str) -> str:
    prefix, _, rest = text.strip().partition(":")
    is_prefixed = prefix.lower() in {"ncbigene", "ncbi", "geneid", "entrez"} and rest.strip()
    return search.runnable(rest.strip() if is_prefixed else text.strip())


GENE_ID = identifiers.declare(
    IdKind(
        "NCBI Gene ID",
        r"NCBIGene:[1-9]\d{0,11}",
        "NCBIGene:7157",
        SEARCH,
        repair=_repaired,
        query=_as_query,
        local=uid_of,
    )
)


class LinkPosition(BaseModel):
    """Where the next page of links begins: a number, not a count, as new links come in at the head."""

    below: int


class EntrezClient(LifeSciencesClient):
    """Names to GeneIDs, GeneIDs to checked records and their papers."""

    source_name = "entrez"
    title = "NCBI Gene"
    services = (eutils.NCBI,)
    probes = (
        ("how a search answers", eutils.esearch("gene", "BRCA1 AND alive[prop]", retmax=3, sort="relevance")),
        ("a symbol with brackets in quotes", eutils.esearch("gene", '"l(2)gl"[Gene Name] AND fly[orgn]', retmax=3)),
        ("its words in quotes", eutils.esearch("gene", '"l 2 gl"[Gene Name] AND fly[orgn]', retmax=3)),
        ("a symbol with a colon in quotes", eutils.esearch("gene", '"zgc:171673"[Gene Name]', retmax=3)),
        ("whether regions can be told", eutils.esearch("gene", '"genetype biological region"[Properties]', retmax=3)),
        ("status codes of a replaced and a withdrawn gene", eutils.esummary("gene", ("9606", "544580"))),
        ("efetch of an unknown GeneID", eutils.efetch("gene", ("999999999",))),
        ("the order of links", eutils.elink("gene", "pubmed", "672", "gene_pubmed")),
    )

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._questions = EntrezQuestions(self.transport)

    @tool
    async def search_genes(
        self,
        query: Query,
        organism: OrganismName | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[GeneSearchCandidate]:
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
        search.notices.check(query, organism)
        asked = {"query": query, "organism": organism}
        listing = Listing(SEARCH, asked, GenePosition, cursor=cursor, page_size=page_size, is_slim=slim)
        if uid := search.gene_id(query):
            found = await self._search_by_id(uid, query, organism)
        elif plan := search.plan(query, organism):
            found = await listing.page(self._pages(plan, query, organism))
        else:
            found = ListPage.empty(search.notices.unmatched(query))
        return listing.envelope(found)

    @tool
    async def get_gene(self, entrez_id: Annotated[str, GENE_ID], slim: bool = False) -> EntrezGene:
        """Describe one gene by its NCBIGene ID: names, organism, type, location, summary, cross-references.
        A cross-reference `entrez: "7157"` is written `NCBIGene:7157` here. A replaced ID leads to the current record,
        which says so in `replaces`.

        ``start`` and ``end`` are 1-based and inclusive, on the assembly named in the record; ``strand`` is +1 or -1.
        Cross-reference keys without a value are absent. ``slim`` keeps ID, symbol and organism.

        Raises:
            UnresolvedEntity: ``entrez_id`` is not written like ``NCBIGene:7157``.
            EntityNotFound: NCBI knows no such gene, or withdrew it; the message says when.

        Source: efetch db=gene as XML; slim: esummary (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        return await self._gene(entrez_id, slim=slim)

    @tool
    async def get_genes_batch(
        self, entrez_ids: Annotated[list[str], GENE_ID], slim: bool = True
    ) -> PaginationEnvelope[EntrezGene | ErrorEnvelope]:
        """Describe up to 200 genes by their NCBIGene IDs in one call; one item per ID in the order asked, each a gene
        or the failure of that ID. Slim by default: ID, symbol and organism; `slim=false` gives whole records.

        Duplicates are kept. One malformed, unknown or withdrawn ID never fails the others.

        Raises:
            AmbiguousQuery: no IDs, or more than 200.

        Source: esummary (slim) and efetch, db=gene (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        at_once = (DOCSUMS if slim else RECORDS).limit
        return await self._each(GENE_ID, entrez_ids, functools.partial(self._gene, slim=slim), at_once=at_once)

    @tool
    async def get_pubmed_links(
        self,
        entrez_id: Annotated[str, GENE_ID],
        limit: PageSize = 10,
        cursor: CursorText | None = None,
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
        asked = {"entrez_id": entrez_id}
        listing = Listing(LINKS, asked, LinkPosition, cursor=cursor, page_size=limit, size_argument="limit")
        pmids, notices = await self._pmids(entrez_id)
        below = listing.position.below if listing.position else None
        following = [pmid for pmid in pmids if below is None or int(pmid) < below]
        shown = following[:limit]
        retracted, remarks = await self._questions.retracted(shown)
        rows = [PubMedLink(id=f"PMID:{pmid}", retracted=pmid in retracted or None) for pmid in shown]
        position = LinkPosition(below=int(shown[-1])) if len(following) > limit else None
        order = Notice(code="ORDER", message="Newest first, by descending PMID.")
        return listing.envelope(ListPage(rows, position, len(pmids), [*notices, *remarks, order]))

    async def _gene(self, entrez_id: str, *, slim: bool) -> EntrezGene:
        if slim:
            docsum = await self._questions.docsum(uid_of(entrez_id))
            if docsum is not None and docsum.is_live:
                return docsum.slim_gene()
        gene = await self._questions.current(entrez_id)
        return gene.slim() if slim else gene

    async def _pmids(self, entrez_id: str) -> tuple[list[str], list[Notice]]:
        """PMIDs of the gene, highest first; of its replacement where it has been replaced."""
        uid = uid_of(entrez_id)
        pmids = await self._questions.links(uid)
        if pmids:
            return pmids, []
        docsum = await self._questions.docsum(uid)
        if docsum is not None and docsum.is_live:
            return [], []
        gene = await self._questions.current(entrez_id)
        return await self._questions.links(uid_of(gene.id)), list(gene.notices)

    def _pages(self, plan: Plan, query: str, organism: str | None) -> Pages:
        ask = functools.partial(self._questions.search, query, organism)
        ask_joined = functools.partial(self._questions.search_exact_names, query, organism)
        return Pages(plan, ask, ask_joined, self._questions.docsums)

    async def _search_by_id(self, uid: str, query: str, organism: str | None) -> GenePage:
        """The gene that the query names by its GeneID: found by one summary, its replacement by following it."""
        docsum = await self._questions.docsum(uid)
        if docsum is None:
            return ListPage.empty(search.notices.unmatched(query))
        notices: list[Notice] = []
        if not docsum.is_live:
            try:
                gene = await self._questions.current(curie(uid))
            except EntityNotFound as withdrawn:
                return ListPage.empty(Notice(code="UNMATCHED", message=withdrawn.message))
            notices = [notice for notice in gene.notices if notice.code == "REPLACED"]
            docsum = await self._questions.docsum(uid_of(gene.id)) or docsum
        chosen = search.organism(organism) if organism else None
        if chosen and not search.is_of(docsum, chosen, is_sure=True):
            return ListPage.empty(search.notices.foreign(docsum, chosen))
        return ListPage([search.candidate(search.by_id(docsum, query))], total=1, notices=notices)
