"""What can be asked of Ensembl."""

import asyncio
import functools
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.errors import EntityNotFound, RateLimited, UpstreamError
from biofact.core.identifiers import check_single
from biofact.core.organisms import OrganismName
from biofact.core.provenance import Notice
from biofact.core.tool import CursorText, PageSize, Query, tool
from biofact.dialects.ebi_search import EBI_SEARCH
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import Listing, ListPage
from biofact.protocol.lookup import ReplacementTrail, unsent, verify
from biofact.sources.ensembl import absence, parse, requests, search
from biofact.sources.ensembl.identifiers import GENE_ID, TRANSCRIPT_ID
from biofact.sources.ensembl.parse import Found, Row
from biofact.sources.ensembl.questions import BRIEFS, EnsemblQuestions
from biofact.sources.ensembl.records import EnsemblGeneCandidate, Gene, Transcript
from biofact.sources.ensembl.search import SEARCH, EnsemblPage, EnsemblPosition, Reach
from biofact.sources.ensembl.service import ENSEMBL
from biofact.sources.ensembl.stable_ids import PARENTS, Kind, bare, kind_of, recognised
from biofact.transport.service import Request
from biofact.transport.stack import Transport

GeneParts = list[Literal["cross_references", "all"]]
TranscriptParts = list[Literal["exons", "cross_references", "all"]]


class EnsemblClient(LifeSciencesClient):
    """Names to stable IDs, stable IDs to checked genes and transcripts."""

    source_name = "ensembl"
    title = "Ensembl"
    services = (ENSEMBL, EBI_SEARCH)
    probes = (
        ("a gene with all levels of cross-references", requests.xrefs("ENSG00000141510")),
        ("whether POST lookup takes expand and mane", requests.lookup(("ENSG00000141510",), expanded=True)),
        ("genes that carry a synonym", requests.xrefs_of_symbol("homo_sapiens", "p53")),
        ("genes of a symbol with brackets", requests.xrefs_of_symbol("drosophila_melanogaster", "l(2)gl")),
        ("genes of a symbol with a slash", requests.xrefs_of_symbol("danio_rerio", "il17a/f1")),
        ("a symbol with brackets in quotes", requests.gene_search('"l(2)gl" AND TAXONOMY:7227', 0, 3)),
        ("a symbol with a colon in quotes", requests.gene_search('"si:dkey-204f11.64" OR "zgc:171673"', 0, 3)),
        ("what the archive says of an unknown ID", requests.archive("ENSG99999999999")),
        ("the fields of the gene index", Request(EBI_SEARCH, "/ensembl_gene", (("format", "json"),))),
        ("a filter by taxon", requests.gene_search("tumor AND protein AND TAXONOMY:9606", 0, 3)),
        ("wildcards", requests.gene_search("(br?a1 OR brc?1) AND TAXONOMY:9606", 0, 3)),
    )

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._questions = EnsemblQuestions(self.transport)

    @tool
    async def search_genes(
        self,
        query: Query,
        species: OrganismName | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[EnsemblGeneCandidate]:
        """Find Ensembl genes by symbol, synonym, words of the name, or any stable ID: start here when you have no ENSG
        ID. Best match first, human before other species; `match` says what matched: `near` is a letter away, for you
        to confirm. A SHARED_MATCH notice names genes that match equally well: do not guess between them.

        Scores are 0-1 and never increase along the list, across pages too. ``species`` is a common, Latin or Ensembl
        name or an NCBI taxon ID, and restricts the search; without it all species are searched, human first. A species
        beside a symbol ("TP53 chicken") counts as one, and a notice says so. ``start`` and ``end`` are 1-based and
        inclusive. When the search by words is down, genes found by symbol are listed with a LEG_FAILED notice.

        Raises:
            AmbiguousQuery: Ensembl has no such species, or the cursor comes from another query.

        Source: POST /lookup/symbol, GET /xrefs/symbol, EBI Search domain ensembl_gene, POST /lookup/id
        (https://rest.ensembl.org/documentation, https://www.ebi.ac.uk/ebisearch/documentation, read 2026-11-20).
        """
        asked = {"query": query, "species": species}
        listing = Listing(SEARCH, asked, EnsemblPosition, cursor=cursor, page_size=page_size, is_slim=slim)
        reach = await self._reach(species) if species else None
        words, searched = (query, reach) if reach else await self._species_in(query)
        if named := recognised(words):
            return listing.envelope(await self._search_by_id(*named, searched))
        check_single(query, _gene_id, absence.BATCH, "ensembl_ids")
        plan = search.plan(words, searched, is_reach_from_query=reach is None)
        if plan is None:
            return listing.envelope(EnsemblPage.empty(search.notices.nothing(query)))
        found = await listing.page(search.Pages(plan, self._questions))
        if not (found.rows or searched):
            found.notices.extend(await self._species_meant(query))
        return listing.envelope(found)

    @tool
    async def get_gene(
        self, ensembl_id: Annotated[str, GENE_ID], slim: bool = False, include: GeneParts | None = None
    ) -> Gene:
        """Describe one gene by its Ensembl gene ID (vertebrates, fly, worm, yeast): symbol, name, biotype, location,
        assembly, transcripts, cross-references. A cross-reference `ensembl_gene` is such an ID as it stands. A replaced
        ID leads to the current record, which says so in `replaces`.

        ``start`` and ``end`` are 1-based and inclusive, on the assembly named in the record; ``strand`` is +1 or -1.
        Cross-reference keys without a value are absent; transcripts are listed canonical first, 20 at most unless
        ``include`` asks for the cross-references, and counted. A version (``.18``) that is not current gets the current
        record and a notice. ``slim`` keeps ID, symbol and biotype; ``include`` asks for the whole record.

        Raises:
            UnresolvedEntity: ``ensembl_id`` is not written like ``ENSG00000141510``.
            EntityNotFound: Ensembl never had such a gene, or withdrew it; the message names what may stand in.

        Source: POST /lookup/id, GET /xrefs/id, GET /archive/id (https://rest.ensembl.org/documentation,
        read 2026-11-20).
        """
        return await self._gene(ensembl_id, slim=slim, include=include or ())

    @tool
    async def get_genes_batch(
        self, ensembl_ids: Annotated[list[str], GENE_ID], slim: bool = True, include: GeneParts | None = None
    ) -> PaginationEnvelope[Gene | ErrorEnvelope]:
        """Describe up to 200 genes by their Ensembl gene IDs in one call; one item per ID in the order asked, each a
        gene or the failure of that ID. Slim by default: ID, symbol and biotype; `slim=false` and `include` give whole
        records.

        Duplicates are kept, species may be mixed. One malformed, unknown or withdrawn ID never fails the others.

        Raises:
            AmbiguousQuery: no IDs, or more than 200.

        Source: POST /lookup/id; whole records also GET /xrefs/id (https://rest.ensembl.org/documentation,
        read 2026-11-20).
        """
        is_slim = slim and not include
        at_once = BRIEFS.limit if is_slim else 1  # a whole record needs its cross-references besides
        get = functools.partial(self._gene, slim=is_slim, include=include or ())
        return await self._each(GENE_ID, ensembl_ids, get, at_once=at_once)

    @tool
    async def get_transcript(
        self, transcript_id: Annotated[str, TRANSCRIPT_ID], slim: bool = False, include: TranscriptParts | None = None
    ) -> Transcript:
        """Describe one transcript by its Ensembl transcript ID: parent gene, biotype, location,
        exons, length, protein, and whether it is canonical or MANE. A cross-reference `ensembl_transcript` is such an
        ID as it stands; `parent_gene` is an Ensembl gene ID.

        Coordinates are 1-based and inclusive, on the assembly named in the record; ``strand`` is +1 or -1. ``length``
        is in bases, spliced; the translation's in amino acids. Exons stand in the order of transcription, 40 at most
        unless ``include`` asks for them. Cross-references are of the transcript and its protein, `ensembl_gene` is its
        gene. ``slim`` keeps ID, gene ID and biotype.

        Raises:
            UnresolvedEntity: ``transcript_id`` is not written like ``ENST00000269305``.
            EntityNotFound: Ensembl never had such a transcript, or withdrew it.

        Source: POST /lookup/id, GET /xrefs/id, GET /archive/id (https://rest.ensembl.org/documentation,
        read 2026-11-20).
        """
        if slim and not include:
            current = await self._current(transcript_id, "Transcript", slim=True)
            transcript = parse.transcript(current.payload, replaces=current.replaces)
            remarks: list[Notice] = []
        else:
            current, xrefs, remarks = await self._whole(transcript_id, "Transcript")
            transcript = parse.transcript(current.payload, xrefs, replaces=current.replaces)
        verify(self.title, current.id, transcript.id)
        noted = transcript.noted([*current.notices(), *remarks])
        return noted.slim() if slim and not include else noted.selected(include or ())

    async def _gene(self, ensembl_id: str, *, slim: bool, include: Collection[str]) -> Gene:
        if slim and not include:
            current = await self._current(ensembl_id, "Gene", slim=True)
            gene = parse.slim_gene(current.payload, replaces=current.replaces)
            remarks: list[Notice] = []
        else:
            current, xrefs, remarks = await self._whole(ensembl_id, "Gene")
            gene = parse.gene(current.payload, xrefs, replaces=current.replaces)
        verify(self.title, current.id, gene.id)
        return gene.noted([*current.notices(), *remarks]).selected(include)

    async def _whole(self, ensembl_id: str, kind: Kind) -> "tuple[_Current, Sequence[Row], list[Notice]]":
        """A record and its cross-references, asked for side by side; a retired ID's own are of no use."""
        ahead = asyncio.create_task(self._xrefs(bare(ensembl_id), kind))
        try:
            current = await self._current(ensembl_id, kind)
            return current, *await (self._xrefs(current.id, kind) if current.replaces else ahead)
        finally:
            ahead.cancel()

    async def _xrefs(self, stable_id: str, kind: Kind) -> tuple[Sequence[Row], list[Notice]]:
        """The cross-references of a gene or transcript; none and a notice when they cannot be had."""
        try:
            return await self._questions.xrefs(stable_id), []
        except (EntityNotFound, RateLimited, UpstreamError) as failure:
            return (), [absence.without_xrefs(failure.message, kind)]

    async def _current(self, asked: str, kind: Kind, *, slim: bool = False) -> "_Current":
        """The record that an ID leads to, by way of its replacements."""
        look_up = self._questions.brief if slim else self._questions.expanded
        trail, score = ReplacementTrail(bare(asked)), 1.0
        try:
            while (payload := await look_up(trail.current_id)) is None:
                score = await self._follow(trail, asked)
        except (RateLimited, UpstreamError) as failure:
            if trail.is_replaced:
                raise absence.unreached(asked, trail.ids, failure) from failure
            raise
        sent_kind = parse.kind(payload)
        if sent_kind and sent_kind != kind:
            raise absence.of_another_kind(asked, trail.current_id, kind, sent_kind)
        return _Current(asked, trail, payload, score)

    async def _follow(self, trail: ReplacementTrail, asked: str) -> float:
        """Go on to what replaced the current ID of the trail; Ensembl's mapping score of that step.

        Raises:
            EntityNotFound: it never was, or has no successor, or several.
        """
        archived = await self._questions.archived(trail.current_id)
        if archived is None:
            raise absence.lost(asked, trail.ids) if trail.is_replaced else absence.never_was(asked)
        if archived.is_current:
            raise unsent(self.title, asked, trail.current_id, status="as current")
        if len(archived.replacements) != 1:
            raise absence.gone(asked, trail.ids, archived)
        ((replacement, score),) = archived.replacements
        if not trail.follow(replacement):
            raise absence.endless(asked, trail.ids)
        return score

    async def _reach(self, species: str) -> Reach:
        """The species that the caller means; the well-known ones without asking."""
        if known := search.well_known(species):
            return known
        table = await self._questions.species()
        found = table.find(species)
        if found is None:
            raise table.refused(species)
        return found

    async def _species_in(self, query: str) -> tuple[str, Reach | None]:
        """The query without the species that it names, if it names one."""
        rest, known = search.well_known_in(query)
        if known or not search.may_name_species(query):
            return rest, known
        try:
            return (await self._questions.species()).split_off(query)
        except (RateLimited, UpstreamError):  # that the words may name a species is no reason to fail
            return query, None

    async def _species_meant(self, query: str) -> list[Notice]:
        """Says that a word of a query that found nothing may be a species."""
        if len(query.split()) == 1:
            return []
        try:
            reach = (await self._questions.species()).named_in(query)
        except (RateLimited, UpstreamError):  # the answer stands without it
            return []
        return [search.notices.may_be_species(reach)] if reach else []

    async def _search_by_id(self, stable_id: str, version: str | None, reach: Reach | None) -> EnsemblPage:
        """The gene that the query names by a stable ID, its own or that of a transcript or protein."""
        written = f"{stable_id}.{version}" if version else stable_id
        kind = kind_of(stable_id)
        try:
            current = await self._current(written, kind, slim=True)
            gene = await self._gene_of(current, kind)
        except EntityNotFound as error:
            return ListPage.empty(Notice(code="UNMATCHED", message=error.message))
        if reach and gene.species != reach.name:
            return ListPage.empty(search.notices.foreign(gene, reach))
        remarks = [] if kind == "Gene" else [search.notices.led(current.id, gene)]
        row = gene.candidate(match="id", score=1.0, replaces=current.replaces if kind == "Gene" else None)
        return ListPage([row], total=1, notices=[*remarks, *current.notices()])

    async def _gene_of(self, current: "_Current", kind: Kind) -> Found:
        """The gene itself, or the one that a transcript or protein is of."""
        for parent_kind in PARENTS[kind]:
            parent = parse.parent(current.payload)
            if parent is None:
                raise UpstreamError(f"Ensembl does not say what {current.id} is a part of.", hint="Call again later.")
            current = await self._current(parent, parent_kind, slim=True)
        gene = parse.looked_up(current.payload)
        verify(self.title, current.id, gene.id)
        return gene


def _gene_id(text: str) -> str | None:
    """The gene's stable ID that ``text`` is; None when it is something else."""
    found = recognised(text)
    return found[0] if found and kind_of(found[0]) == "Gene" else None


@dataclass(frozen=True, slots=True)
class _Current:
    """A current record, and how the asked ID led to it."""

    asked: str
    trail: ReplacementTrail
    payload: bytes
    score: float
    """Ensembl's mapping score of the last step, 0-1."""

    @property
    def id(self) -> str:
        """Of the record."""
        return self.trail.current_id

    @property
    def replaces(self) -> str | None:
        """The asked ID, when the record has taken its place."""
        return self.asked if self.trail.is_replaced else None

    def notices(self) -> list[Notice]:
        """What has to be said of how it was reached."""
        if self.replaces:
            return [absence.replaced(self.asked, self.id, self.score)]
        if self.asked == self.id:
            return []
        version = parse.version(self.payload)
        is_current = version is None or self.asked == f"{self.id}.{version}"
        return [] if is_current else [absence.other_version(self.asked, version or 0)]
