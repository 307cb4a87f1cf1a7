"""The NCBI Gene client: its tools and its lookups by name."""

import functools
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from typing import Annotated, Literal, overload

from pydantic import BaseModel

from biofact.core import identifiers
from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.errors import EntityNotFound, ToolRef
from biofact.core.identifiers import IdKind, is_words
from biofact.core.organisms import OrganismName
from biofact.core.records import Notice
from biofact.core.tool import CursorText, GeneQuery, PageSize, tool
from biofact.dialects import datasets, eutils
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import Listing, ListPage, check_letter
from biofact.protocol.lookup import missing_record
from biofact.protocol.names import NameResults, finds
from biofact.sources.entrez import parse, search
from biofact.sources.entrez.names import NamedGenes, SearchedGenes
from biofact.sources.entrez.questions import DOCSUMS, REPORTS, EntrezQuestions
from biofact.sources.entrez.records import (
    GENE_FORM,
    EntrezGene,
    GeneRif,
    GeneSearchCandidate,
    PubMedLink,
    SlimEntrezGene,
    SlimGeneSearchCandidate,
    curie,
    uid_of,
)
from biofact.sources.entrez.search import SEARCH, EntrezSearch, GenePage, GenePosition, Plan
from biofact.transport.stack import Transport

LINKS = ToolRef("entrez", "get_pubmed_links")
GENERIFS = ToolRef("entrez", "get_generifs")

GeneParts = list[Literal["aliases", "other_designations", "cross_references", "go_terms", "phenotypes", "all"]]


def _normalise(text: str) -> str | None:
    uid = search.gene_id(text)
    return curie(uid) if uid else None


def _as_query(text: str) -> str:
    prefix, _, rest = text.strip().partition(":")
    is_prefixed = prefix.lower() in {"ncbigene", "ncbi", "geneid", "entrez"} and rest.strip()
    return search.runnable(rest.strip() if is_prefixed else text.strip())


GENE_ID = identifiers.declare(
    IdKind(
        "NCBI Gene ID",
        GENE_FORM,
        "NCBIGene:7157",
        SEARCH,
        repair=_normalise,
        query=_as_query,
        local=uid_of,
        pages=(
            "ncbi.nlm.nih.gov/gene/{}",
            "ncbi.nlm.nih.gov/gene?term={}",
            "ncbi.nlm.nih.gov/gene?list_uids={}",
            "ncbi.nlm.nih.gov/datasets/gene/{}",
            "ncbi.nlm.nih.gov/datasets/gene/id/{}",
        ),
    )
)


class LinkPosition(BaseModel):
    """The start of the next page of links: a PMID, not a count, as new links come in at the head."""

    below: int


class RifPosition(BaseModel):
    """The start of the next page of GeneRIFs: a PMID, as new ones come in at the head."""

    pmid: int
    """The newest of the last one shown."""
    shown: int
    """GeneRIFs of that PMID that have been shown."""


class EntrezClient(LifeSciencesClient):
    """Names to GeneIDs, GeneIDs to checked records and their papers.

    >>> with biofact.sync.EntrezClient() as entrez:
    ...     entrez.get_gene("NCBIGene:7157").symbol
    'TP53'
    """

    source_name = "entrez"
    title = "NCBI Gene"
    services = (eutils.NCBI, datasets.DATASETS)
    probes = (
        ("how a search answers", eutils.esearch("gene", "BRCA1 AND alive[prop]", retmax=3, sort="relevance")),
        ("a symbol with brackets in quotes", eutils.esearch("gene", '"l(2)gl"[Gene Name] AND fly[orgn]', retmax=3)),
        ("its words in quotes", eutils.esearch("gene", '"l 2 gl"[Gene Name] AND fly[orgn]', retmax=3)),
        ("a symbol with a colon in quotes", eutils.esearch("gene", '"zgc:171673"[Gene Name]', retmax=3)),
        ("whether regions can be told", eutils.esearch("gene", '"genetype biological region"[Properties]', retmax=3)),
        ("status codes of a replaced and a withdrawn gene", eutils.esummary("gene", ("9606", "544580"))),
        ("efetch of an unknown GeneID", eutils.efetch("gene", ("999999999",))),
        ("whether GO terms and GeneRIFs are in the XML", eutils.efetch("gene", ("7157",))),
        (
            "how Datasets reports on genes, a withdrawn one among them",
            datasets.dataset_reports(("672", "9606", "544580")),
        ),
        ("the order of links", eutils.elink("gene", "pubmed", "672", "gene_pubmed")),
    )

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._questions = EntrezQuestions(self.transport)

    @overload
    async def search_genes(
        self,
        query: str,
        organism: str | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[GeneSearchCandidate]: ...

    @overload
    async def search_genes(
        self, query: str, organism: str | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimGeneSearchCandidate]: ...

    @tool
    async def search_genes(
        self,
        query: GeneQuery,
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
        search.notices.check(query, organism)
        arguments = {"query": query, "organism": organism}
        listing = Listing(SEARCH, arguments, GenePosition, cursor=cursor, page_size=page_size, is_slim=slim)
        uid = search.gene_id(query)
        page = await self._search_by_id(uid, query, organism) if uid else None
        plan = search.plan(query, organism)
        if page is None and plan:
            page = await listing.page(self._pages(plan.names_only if uid else plan, query, organism))
        page = page or ListPage.empty(search.notices.unmatched(query))
        if cursor is None:
            check_letter(query, [row.match for row in page.rows])
        return listing.envelope_in_form(page, GeneSearchCandidate.slim)

    @overload
    async def get_gene(
        self, entrez_id: str, slim: Literal[False] = ..., include: GeneParts | None = ...
    ) -> EntrezGene: ...

    @overload
    async def get_gene(self, entrez_id: str, slim: bool = ..., include: GeneParts | None = ...) -> SlimEntrezGene: ...

    @tool
    async def get_gene(
        self, entrez_id: Annotated[str, GENE_ID], slim: bool = False, include: GeneParts | None = None
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
        return await self._gene(entrez_id, slim=slim, include=include or ())

    @tool(is_heavy=True)
    async def get_genes_batch(
        self, entrez_ids: Annotated[list[str], GENE_ID], slim: bool = True, include: GeneParts | None = None
    ) -> PaginationEnvelope[EntrezGene | SlimEntrezGene | ErrorEnvelope]:
        """Describe up to 200 genes by NCBIGene ID; one item per ID, in order: the gene or its failure. Slim without
        `include`.

        Slim is ID, symbol and organism; ``slim=false`` and ``include`` give whole records. Duplicates are kept. One
        malformed, unknown or withdrawn ID never fails the others.

        Raises:
            AmbiguousQuery: no IDs, or more than 200.

        Source: esummary (slim) and efetch, db=gene (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        is_slim = slim and not include
        get = functools.partial(self._gene, slim=is_slim, include=include or ())
        at_once = (DOCSUMS if is_slim else REPORTS).limit
        return await self._batch(GENE_ID, entrez_ids, get, SlimEntrezGene.slim, at_once=at_once)

    async def get_genes_many(
        self, entrez_ids: Iterable[object], slim: bool = True, include: GeneParts | None = None
    ) -> AsyncIterator[PaginationEnvelope[EntrezGene | SlimEntrezGene | ErrorEnvelope]]:
        """Describe any number of genes: answers of ``get_genes_batch``, 200 rows each, as they are known.

        ``entrez_ids`` may be an iterator. Answers are kept: a program that was stopped goes on where it was.
        """
        ask = functools.partial(self.get_genes_batch, slim=slim, include=include)
        async for answer in self._many(ask, entrez_ids):
            yield answer

    @tool
    async def get_pubmed_links(
        self,
        entrez_id: Annotated[str, GENE_ID],
        limit: PageSize = 10,
        cursor: CursorText | None = None,
        *,
        titles: bool = False,
    ) -> PaginationEnvelope[PubMedLink]:
        """List the PubMed articles that NCBI links to a gene, by its NCBIGene ID: newest first (highest PMID),
        `limit` a page, with the total count. Each `id` is a PMID as PubMed tools take it; `retracted` marks articles
        that were; `titles` adds title, year and journal.

        The links are NCBI's own choice (curators and GeneRIFs), not a text search, and not complete. ``titles`` takes
        no further request; a notice names articles of which PubMed has no summary.

        Raises:
            UnresolvedEntity: ``entrez_id`` is not written like ``NCBIGene:7157``.
            EntityNotFound: NCBI knows no such gene. A gene without links is an empty list.

        Source: elink gene_pubmed, esummary db=pubmed (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
        arguments = {"entrez_id": entrez_id}
        listing = Listing(LINKS, arguments, LinkPosition, cursor=cursor, page_size=limit, size_argument="limit")
        pmids, notices = await self._pmids(entrez_id)
        upper_bound = listing.position.below if listing.position else None
        following = [pmid for pmid in pmids if upper_bound is None or int(pmid) < upper_bound]
        page_pmids = following[: listing.page_size]
        articles, remarks = await self._questions.articles(page_pmids, has_titles=titles)
        rows = [_link(pmid, articles.get(pmid), has_title=titles) for pmid in page_pmids]
        position = LinkPosition(below=int(page_pmids[-1])) if len(following) > len(page_pmids) else None
        order = Notice(code="ORDER", message="Newest first, by descending PMID.")
        return listing.envelope(ListPage(rows, position, len(pmids), [*notices, *remarks, order]))

    @tool(is_heavy=True)
    async def get_generifs(
        self, entrez_id: Annotated[str, GENE_ID], page_size: PageSize = 10, cursor: CursorText | None = None
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
        listing = Listing(GENERIFS, {"entrez_id": entrez_id}, RifPosition, cursor=cursor, page_size=page_size)
        rows, notices = await self._rifs(entrez_id)
        start = _place(rows, listing.position) if listing.position else 0
        shown_gene_rifs = list(rows[start : start + listing.page_size])
        end = start + len(shown_gene_rifs)
        position = _position(rows, end) if end < len(rows) else None
        order = Notice(code="ORDER", message="Newest first, by descending PMID.")
        return listing.envelope(ListPage(shown_gene_rifs, position, len(rows), [*notices, order]))

    @finds("gene")
    async def genes_named(self, names: Sequence[str], organism: str) -> NameResults:
        """Live genes by GeneID, symbol, alias or full name; many names in few requests."""
        return await NamedGenes(self._questions, names, organism).find()

    @finds("gene", is_joined=False, takes=is_words)
    async def genes_searched(self, names: Sequence[str], organism: str) -> NameResults:
        """Live genes that lead a search; a request a name, and one for all that are words of no gene."""
        return await SearchedGenes(self._questions, self.search_genes, organism).find(names)

    async def _gene(self, entrez_id: str, *, slim: bool, include: Collection[str]) -> EntrezGene | SlimEntrezGene:
        is_slim = slim and not include
        if is_slim:
            docsum = await self._questions.docsum(uid_of(entrez_id))
            if docsum is not None and docsum.is_live:
                return docsum.slim_gene()
            return (await self._questions.current(entrez_id)).slim()
        return await self._questions.current(entrez_id, include=include)

    async def _rifs(self, entrez_id: str) -> tuple[Sequence[GeneRif], list[Notice]]:
        """The GeneRIFs of the gene, newest first, or of its replacement."""
        sent_gene_rifs = await self._questions.generifs(uid_of(entrez_id))
        if sent_gene_rifs is not None and sent_gene_rifs.is_live:
            return sent_gene_rifs.rows, []
        gene = await self._questions.current(entrez_id)
        sent_gene_rifs = await self._questions.generifs(uid_of(gene.id))
        if sent_gene_rifs is None:
            raise missing_record("NCBI", entrez_id, gene.id)
        return sent_gene_rifs.rows, _replacement_notices(gene)

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
        return await self._questions.links(uid_of(gene.id)), _replacement_notices(gene)

    def _pages(self, plan: Plan, query: str, organism: str | None) -> EntrezSearch:
        ask = functools.partial(self._questions.search, query, organism)
        ask_joined = functools.partial(self._questions.search_exact_names, query, organism)
        return EntrezSearch(plan, ask, ask_joined, self._questions.docsums)

    async def _search_by_id(self, uid: str, query: str, organism: str | None) -> GenePage | None:
        """The gene that the query names by its GeneID: found by one summary, its replacement by following it. None for
        a number that is no GeneID, and may be an alias: Gm3053 of the mouse has 100040940.
        """
        docsum = await self._questions.docsum(uid)
        if docsum is None:
            return None if uid == query.strip() else ListPage.empty(search.notices.unmatched(query))
        notices: list[Notice] = []
        if not docsum.is_live:
            try:
                gene = await self._questions.current(curie(uid))
            except EntityNotFound as withdrawn:
                return ListPage.empty(Notice(code="UNMATCHED", message=withdrawn.message))
            notices = _replacement_notices(gene)
            # The row of a replaced gene shows the current one.
            docsum = await self._questions.docsum(uid_of(gene.id)) or docsum
        chosen_organism = search.read_organism(organism) if organism else None
        if chosen_organism and not search.is_of(docsum, chosen_organism, is_sure=True):
            return ListPage.empty(search.notices.FOREIGN(docsum=docsum, organism=chosen_organism))
        answer = search.by_id(docsum, query)
        row = docsum.candidate(match=answer.match.kind, score=answer.score())
        return ListPage([row], total=1, notices=notices)


def _link(pmid: str, article: eutils.ArticleSummary | None, *, has_title: bool) -> PubMedLink:
    """The row of an article."""
    if article is None:
        return PubMedLink(id=f"PMID:{pmid}")
    row = PubMedLink(
        id=f"PMID:{pmid}",
        title=article.title,
        year=article.year,
        journal=article.journal,
        retracted=True if article.is_retracted else None,
    )
    return row if has_title else PubMedLink(id=row.id, retracted=row.retracted)


def _replacement_notices(gene: EntrezGene) -> list[Notice]:
    """The notices of a gene's replacement, which lists of its papers repeat."""
    return [notice for notice in gene.notices if notice.code == "REPLACED"]


def _position(rows: Sequence[GeneRif], end: int) -> RifPosition:
    """The place of ``rows[end]``."""
    pmid = parse.newest(rows[end - 1])
    return RifPosition(pmid=pmid, shown=sum(parse.newest(row) == pmid for row in rows[:end]))


def _place(rows: Sequence[GeneRif], position: RifPosition) -> int:
    """The offset of the first row after a position."""
    newer = sum(parse.newest(row) > position.pmid for row in rows)
    return newer + min(position.shown, sum(parse.newest(row) == position.pmid for row in rows))
