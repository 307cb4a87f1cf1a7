"""What can be asked of NCBI Gene."""

import functools
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel

from biofact.core import identifiers
from biofact.core.envelopes import Cursor, ErrorEnvelope, PaginationEnvelope, page
from biofact.core.errors import BiofactError, EntityNotFound, RetryAfter, ToolRef, UpstreamError
from biofact.core.identifiers import IdKind
from biofact.core.organisms import OrganismName
from biofact.core.provenance import Notice, without
from biofact.core.tool import CursorText, PageSize, Query, tool
from biofact.dialects import eutils
from biofact.protocol.client import LifeSciencesClient
from biofact.sources.entrez import absence, parse, search
from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.records import EntrezGene, GeneSearchCandidate, PubMedLink, curie
from biofact.sources.entrez.search import SEARCH, Pages, Place
from biofact.transport.service import LIST_SECONDS, BatchCall, Batching, Keep, Refused
from biofact.transport.stack import Transport

LINKS = ToolRef("entrez", "get_pubmed_links")
_HOPS = 5  # merged into one that was merged itself; longer chains are NCBI's mistake
# efetch drops what it cannot get without a word: its silence is not believed for longer than a recovery waits.
RECORDS = Batching(
    "gene/1",
    limit=50,
    ask=lambda uids: BatchCall(eutils.efetch("gene", uids), parse.GeneSplitter()),
    absent_seconds=50.0,
)
DOCSUMS = Batching(
    "gene-docsum/1", limit=200, ask=lambda uids: BatchCall(eutils.esummary("gene", uids), eutils.DocsumSplitter())
)

ARTICLES = Batching(
    "pubmed-docsum/1", limit=200, ask=lambda uids: BatchCall(eutils.esummary("pubmed", uids), eutils.DocsumSplitter())
)
CALLED = eutils.joined_searches("gene", "gene-called/1", hits=search.LEAD_LIMIT)


def _repaired(text: str) -> str | None:
    uid = search.gene_id(text)
    return curie(uid) if uid else None


def _as_query(text: str) -> str:
    prefix, _, rest = text.strip().partition(":")
    is_prefixed = prefix.lower() in {"ncbigene", "ncbi", "geneid", "entrez"} and rest.strip()
    return search.runnable(rest.strip() if is_prefixed else text.strip())


GENE_ID = identifiers.declare(
    IdKind("NCBI Gene ID", r"NCBIGene:[1-9]\d{0,11}", "NCBIGene:7157", SEARCH, repair=_repaired, query=_as_query)
)


class _LinkPlace(BaseModel):
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
        self._records = self.transport.batched(RECORDS)
        self._docsums = self.transport.batched(DOCSUMS)
        self._articles = self.transport.batched(ARTICLES)
        self._called = self.transport.batched(CALLED)

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
        options = {"page_size": page_size, "slim": slim or None}
        here = Cursor(SEARCH, {"query": query, "organism": organism}, options)
        place = here.read(cursor, Place) if cursor else None
        if uid := search.gene_id(query):
            return await self._search_by_id(uid, query, organism, page_size, slim=slim)
        plan = search.plan(query, organism)
        if plan is None:
            return page([], page_size, total=0, notices=[search.notices.unmatched(query)])
        ask = functools.partial(self._esearch, query, organism)
        ask_joined = functools.partial(self._joined_esearch, query, organism)
        pages = Pages(plan, ask, ask_joined, self._summaries)
        found = await (pages.after(place, page_size) if place else pages.first(page_size))
        return page(
            [row.slim() for row in found.rows] if slim else found.rows,
            page_size,
            total=found.place.total,
            cursor=None if found.place.is_end else here.write(found.place),
            notices=[notice for notice in found.notices if not (slim and notice.code == "LIST_CUT")],
        )

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
        here = Cursor(LINKS, {"entrez_id": entrez_id}, {"limit": limit})
        below = here.read(cursor, _LinkPlace).below if cursor else None
        pmids, notices = await self._pmids(entrez_id)
        left = [pmid for pmid in pmids if below is None or int(pmid) < below]
        retracted, remarks = await self._retracted(left[:limit])
        return page(
            [PubMedLink(id=f"PMID:{pmid}", retracted=pmid in retracted or None) for pmid in left[:limit]],
            limit,
            total=len(pmids),
            cursor=here.write(_LinkPlace(below=int(left[limit - 1]))) if len(left) > limit else None,
            notices=[*notices, *remarks, Notice(code="ORDER", message="Newest first, by descending PMID.")],
        )

    async def _gene(self, entrez_id: str, *, slim: bool) -> EntrezGene:
        if slim:
            docsum = await self._docsum(_uid(entrez_id))
            if docsum is not None and docsum.is_live:
                return docsum.slim_gene()
        gene = await self._current(entrez_id)
        return gene.slim() if slim else gene

    async def _current(self, entrez_id: str) -> EntrezGene:
        """The live record that the ID leads to, by way of its replacements."""
        trail = [_uid(entrez_id)]
        parsed = await self._parsed(trail[-1], entrez_id)
        while parsed.status != "live":
            if parsed.current_id is None or parsed.current_id in trail or len(trail) > _HOPS:
                raise absence.gone(entrez_id, trail, parsed)
            trail.append(parsed.current_id)
            parsed = await self._parsed(trail[-1], entrez_id)
        return parsed.gene

    async def _parsed(self, uid: str, entrez_id: str) -> parse.ParsedGene:
        """The record ``uid``, to which ``entrez_id`` leads."""
        read = functools.partial(parse.gene, replaces=entrez_id if curie(uid) != entrez_id else None)
        with eutils.refusals_as_errors():
            parsed = await self._records.get(uid, read)
        if parsed is None:
            await self._check_known(uid, entrez_id)
            raise UpstreamError(
                f"NCBI lists {curie(uid)} but did not send its record.",
                hint="Call again later.",
                invalid_input=entrez_id,
                recovery=RetryAfter(60),
            )
        self._verify(parsed.gene.id, curie(uid))
        return parsed

    async def _check_known(self, uid: str, entrez_id: str) -> None:
        """Raise unless NCBI has a summary: a record missing from efetch alone proves nothing."""
        if await self._docsum(uid) is None:
            raise absence.unknown(entrez_id, uid)

    async def _pmids(self, entrez_id: str) -> tuple[list[str], list[Notice]]:
        """PMIDs of the gene, highest first; of its replacement where it has been replaced."""
        uid = _uid(entrez_id)
        pmids = await self._links(uid)
        if pmids:
            return pmids, []
        docsum = await self._docsum(uid)
        if docsum is not None and docsum.is_live:
            return [], []
        gene = await self._current(entrez_id)
        return await self._links(_uid(gene.id)), list(gene.notices)

    async def _links(self, uid: str) -> list[str]:
        keep = Keep("gene-pubmed/1", uid, LIST_SECONDS)
        request = eutils.elink("gene", "pubmed", uid, parse.GENE_PUBMED)
        with eutils.refusals_as_errors():
            return await self.transport.fetch(request, functools.partial(parse.pmids, uid), keep=keep)

    async def _retracted(self, pmids: Sequence[str]) -> tuple[set[str], list[Notice]]:
        """Which of the articles were retracted; a notice where PubMed did not say in time."""
        try:
            found = await self.transport.side_leg(self._articles.get_many(pmids, parse.is_retracted))
        except BiofactError as error:
            return set(), [without("whether any was retracted", error.message)]
        failed = next((answer for answer in found.values() if isinstance(answer, BiofactError)), None)
        notices = [without("whether all were retracted", failed.message)] if failed else []
        return {pmid for pmid, answer in found.items() if answer is True}, notices

    async def _docsum(self, uid: str) -> Docsum | None:
        with eutils.refusals_as_errors():
            docsum = await self._docsums.get(uid, parse.docsum)
        if docsum is None:
            return None
        self._verify(curie(docsum.uid), curie(uid))
        return docsum

    async def _summaries(self, uids: Sequence[str]) -> list[Docsum]:
        found = await self._docsums.get_many(uids, parse.docsum)
        docsums: list[Docsum] = []
        for uid, answer in found.items():
            if isinstance(answer, BiofactError):
                raise answer
            if answer is not None:
                self._verify(answer.id, curie(uid))
                docsums.append(answer)
        return docsums

    async def _joined_esearch(self, query: str, organism: str | None, term: str) -> eutils.SearchAnswer:
        try:
            answer = await self._called.get(term, eutils.search_answer)
        except Refused as refused:
            raise search.notices.refused(query, organism, refused) from refused
        return _understood(answer or eutils.SearchAnswer(), query, organism)

    async def _esearch(self, query: str, organism: str | None, term: str, start: int, most: int) -> eutils.SearchAnswer:
        request = eutils.esearch("gene", term, retstart=start, retmax=most, sort="relevance")
        keep = Keep("gene-search/1", f"{start}:{most}:{term}", LIST_SECONDS)
        try:
            answer = await self.transport.fetch(request, eutils.search_answer, keep=keep)
        except Refused as refused:
            raise search.notices.refused(query, organism, refused) from refused
        return _understood(answer, query, organism)

    async def _search_by_id(
        self, uid: str, query: str, organism: str | None, page_size: int, *, slim: bool
    ) -> PaginationEnvelope[GeneSearchCandidate]:
        """The gene that the query names by its GeneID: found by one summary, its replacement by following it."""
        docsum = await self._docsum(uid)
        if docsum is None:
            return page([], page_size, total=0, notices=[search.notices.unmatched(query)])
        notices: list[Notice] = []
        if not docsum.is_live:
            try:
                gene = await self._current(curie(uid))
            except EntityNotFound as withdrawn:
                notices = [Notice(code="UNMATCHED", message=withdrawn.message)]
                return page([], page_size, total=0, notices=notices)
            notices = [notice for notice in gene.notices if notice.code == "REPLACED"]
            docsum = await self._docsum(_uid(gene.id)) or docsum
        chosen = search.organism(organism) if organism else None
        if chosen and not search.is_of(docsum, chosen, is_sure=True):
            return page([], page_size, total=0, notices=[search.notices.foreign(docsum, chosen)])
        row = search.candidate(search.by_id(docsum, query))
        return page([row.slim() if slim else row], page_size, total=1, notices=notices)


def _understood(answer: eutils.SearchAnswer, query: str, organism: str | None) -> eutils.SearchAnswer:
    """The answer, unless NCBI says that it could not run the query."""
    if answer.error:
        raise search.notices.not_understood(query, organism, answer.error)
    return answer


def _uid(entrez_id: str) -> str:
    return entrez_id.removeprefix("NCBIGene:")
