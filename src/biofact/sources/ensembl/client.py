"""The Ensembl client: its tools and its lookups by name."""

import asyncio
import functools
import re
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from typing import Annotated, Literal, overload

from pydantic import Field

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.errors import EntityNotFound, RateLimited, UpstreamError
from biofact.core.identifiers import check_single, is_words
from biofact.core.organisms import OrganismName
from biofact.core.records import Notice
from biofact.core.tool import NARROWS, CursorText, GeneQuery, PageSize, tool
from biofact.core.xrefs import uniprot_curie
from biofact.dialects.ebi_search import EBI_SEARCH
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import Listing, ListPage, OffsetPages, OffsetPosition, check_letter
from biofact.protocol.lookup import verify
from biofact.protocol.names import NameResults, each_name, finds
from biofact.sources.ensembl import parse, resolver, search, sequences
from biofact.sources.ensembl.homologues import HomologueKind, HomologueList
from biofact.sources.ensembl.identifiers import (
    BATCH,
    GENE_ID,
    GET_HOMOLOGUES,
    REGION_FORM,
    SEARCH,
    SEQUENCE_OF,
    TRANSCRIPT_ID,
    EnsemblRegion,
    Kind,
    bare,
    kind_of,
    parse_stable_id,
    stable_id_of_kind,
)
from biofact.sources.ensembl.names import (
    REFSEQ_TRANSCRIPT,
    NamedGenes,
    NamedProducts,
    SearchedGenes,
    genes_of_nomenclature,
    nomenclature_id,
    protein_of_uniprot,
    transcripts_of_refseq,
)
from biofact.sources.ensembl.parse import Row
from biofact.sources.ensembl.questions import GENES, RELEASES, EnsemblQuestions
from biofact.sources.ensembl.records import (
    BiologicalSequence,
    EnsemblGeneCandidate,
    Gene,
    Homologue,
    RegionMapping,
    SequenceType,
    SlimEnsemblGeneCandidate,
    SlimGene,
    SlimTranscript,
    Transcript,
)
from biofact.sources.ensembl.resolver import CurrentRecord, NamedSpecies, current_record, gene_of
from biofact.sources.ensembl.search import EnsemblPage, EnsemblPosition, Reach
from biofact.sources.ensembl.sequences import SequencePart
from biofact.sources.ensembl.service import ENSEMBL, PROBES
from biofact.transport.stack import Transport

GeneParts = list[Literal["cross_references", "all"]]
AnyRegion = Annotated[str, Field(min_length=3, max_length=300)]
AssemblyName = Annotated[str, Field(min_length=2, max_length=40, pattern=r"^\s*[A-Za-z][\w.-]*\s*$")]
SegmentParts = list[Literal["segments", "all"]]
TranscriptParts = list[Literal["exons", "cross_references", "all"]]


class EnsemblClient(LifeSciencesClient):
    """Names to stable IDs, stable IDs to checked genes and transcripts.

    >>> with biofact.sync.EnsemblClient() as ensembl:
    ...     ensembl.get_gene("ENSG00000141510").symbol
    'TP53'
    """

    source_name = "ensembl"
    title = "Ensembl"
    services = (ENSEMBL, EBI_SEARCH)
    probes = PROBES
    releases = RELEASES

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._questions = EnsemblQuestions(self.transport)
        self._species = NamedSpecies(self._questions)

    @overload
    async def search_genes(
        self,
        query: str,
        species: str | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[EnsemblGeneCandidate]: ...

    @overload
    async def search_genes(
        self, query: str, species: str | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimEnsemblGeneCandidate]: ...

    @tool
    async def search_genes(
        self,
        query: GeneQuery,
        species: OrganismName | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[EnsemblGeneCandidate | SlimEnsemblGeneCandidate]:
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
        arguments = {"query": query, "species": species}
        listing = Listing(SEARCH, arguments, EnsemblPosition, cursor=cursor, page_size=page_size, is_slim=slim)
        reach = await self._species.reach(species) if species else None
        words, searched_reach = (query, reach) if reach else await self._species.split_off(query)
        if stable_id := parse_stable_id(words):
            page = await self._search_by_id(*stable_id, searched_reach)
            return listing.envelope_in_form(page, EnsemblGeneCandidate.slim)
        check_single(query, functools.partial(stable_id_of_kind, kind="Gene"), BATCH, "ensembl_ids")
        plan = search.plan(words, searched_reach, is_reach_from_query=reach is None)
        if plan is None:
            return listing.envelope(EnsemblPage.empty(search.notices.no_match(query)))
        page = await listing.page(search.EnsemblSearch(plan, self._questions))
        if cursor is None:
            check_letter(query, [row.match for row in page.rows])
        if not (page.rows or searched_reach):
            page.notices.extend(await self._species.species_hints(query))
        return listing.envelope_in_form(page, EnsemblGeneCandidate.slim)

    @overload
    async def get_gene(self, ensembl_id: str, slim: Literal[False] = ..., include: GeneParts | None = ...) -> Gene: ...

    @overload
    async def get_gene(self, ensembl_id: str, slim: bool = ..., include: GeneParts | None = ...) -> SlimGene: ...

    @tool
    async def get_gene(
        self, ensembl_id: Annotated[str, GENE_ID], slim: bool = False, include: GeneParts | None = None
    ) -> Gene | SlimGene:
        """Describe one gene by its Ensembl gene ID (vertebrates, fly, worm, yeast): symbol, name, biotype, location,
        assembly, transcripts, cross-references. A cross-reference `ensembl_gene` is such an ID as it stands. A replaced
        ID leads to the current record, which says so in `replaces`.

        ``start`` and ``end`` are 1-based and inclusive, on the assembly named in the record; ``strand`` is +1 or -1.
        Cross-reference keys without a value are absent; transcripts are listed canonical first, 6 at most unless
        ``include`` asks for the cross-references, and counted. A version (``.18``) that is not current gets the current
        record and a notice. ``slim`` keeps ID, symbol and biotype; ``include`` asks for the whole record.

        Raises:
            UnresolvedEntity: ``ensembl_id`` is not written like ``ENSG00000141510``.
            EntityNotFound: Ensembl never had such a gene, or withdrew it; the message names what may stand in.

        Source: POST /lookup/id, GET /xrefs/id, GET /archive/id (https://rest.ensembl.org/documentation,
        read 2026-11-20).
        """
        return await self._gene(ensembl_id, slim=slim, include=include or ())

    @tool(is_heavy=True)
    async def get_genes_batch(
        self, ensembl_ids: Annotated[list[str], GENE_ID], slim: bool = True, include: GeneParts | None = None
    ) -> PaginationEnvelope[Gene | SlimGene | ErrorEnvelope]:
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
        at_once = GENES.limit if is_slim else 1  # a whole record needs its cross-references besides
        get = functools.partial(self._gene, slim=is_slim, include=include or ())
        return await self._batch(GENE_ID, ensembl_ids, get, SlimGene.slim, at_once=at_once)

    async def get_genes_many(
        self, ensembl_ids: Iterable[object], slim: bool = True, include: GeneParts | None = None
    ) -> AsyncIterator[PaginationEnvelope[Gene | SlimGene | ErrorEnvelope]]:
        """Describe any number of genes: answers of ``get_genes_batch``, 200 rows each, as they are known.

        ``ensembl_ids`` may be an iterator. Answers are kept: a program that was stopped goes on where it was.
        """
        ask = functools.partial(self.get_genes_batch, slim=slim, include=include)
        async for answer in self._many(ask, ensembl_ids):
            yield answer

    @overload
    async def get_transcript(
        self, transcript_id: str, slim: Literal[False] = ..., include: TranscriptParts | None = ...
    ) -> Transcript: ...

    @overload
    async def get_transcript(
        self, transcript_id: str, slim: bool = ..., include: TranscriptParts | None = ...
    ) -> SlimTranscript: ...

    @tool
    async def get_transcript(
        self, transcript_id: Annotated[str, TRANSCRIPT_ID], slim: bool = False, include: TranscriptParts | None = None
    ) -> Transcript | SlimTranscript:
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
        is_slim = slim and not include
        current, xrefs, remarks = await self._current(transcript_id, "Transcript", is_slim=is_slim)
        parser = parse.slim_transcript if is_slim else functools.partial(parse.transcript, xrefs=xrefs)
        transcript = parser(current.payload, replaces=current.replaces)
        verify(self.title, current.id, transcript.id)
        return transcript.noted([*current.notices(), *remarks]).selected(include or ())

    @tool
    async def get_sequence(
        self,
        id_or_region: Annotated[str, SEQUENCE_OF],
        type: SequenceType | None = None,  # noqa: A002  # as Ensembl calls it
        species: OrganismName = "human",
        first: Annotated[int, Field(ge=1)] = 1,
        last: Annotated[int, Field(ge=1)] | None = None,
    ) -> BiologicalSequence:
        """Read the DNA or protein sequence of an Ensembl gene, transcript or protein ID, or of a region of `species`
        (17:7661779-7661800, :-1 behind it for the reverse strand). A gene's cdna, cds and protein are its canonical
        transcript's. Gives 2,000 letters from `first` on, up to 10,000 with `last`; LIST_CUT says how to continue.

        Without ``type`` a gene or region is genomic, a transcript its cdna, a protein ID the protein. Letters are
        counted from 1 along the strand, 5' to 3'; ``start`` and ``end`` are 1-based and inclusive on the assembly named
        in the record. ``species`` counts for regions alone. A replaced ID leads to the current record.

        Raises:
            UnresolvedEntity: it is neither such an ID nor a region.
            EntityNotFound: Ensembl has no such ID, or no such sequence of it.
            AmbiguousQuery: no such species, chromosome or letters.

        Source: GET /sequence/id, GET /sequence/region, POST /lookup/id (https://rest.ensembl.org/documentation,
        read 2026-11-23).
        """
        part = SequencePart(first, last)
        if not re.fullmatch(REGION_FORM, id_or_region, re.ASCII):
            return await self._questions.release.beside(sequences.of_id(self._questions, id_or_region, type, part))
        region = EnsemblRegion.parse(id_or_region)
        if type not in {None, "genomic"}:
            raise resolver.no_sequence(id_or_region, type, "is a region", "A region's sequence is genomic.")
        name = (await self._species.reach(species)).name
        return await self._questions.release.beside(sequences.of_region(self._questions, name, region, part))

    @tool
    async def map_region(
        self,
        region: AnyRegion,
        from_assembly: AssemblyName,
        to_assembly: AssemblyName,
        include: SegmentParts | None = None,
    ) -> RegionMapping:
        """Find where a region (17:7661779-7661800) of one assembly lies on another: GRCh37 and GRCh38, GRCm38 and
        GRCm39, or any two that Ensembl has of a species. Parts that the other assembly lacks are listed as `unmapped`.

        Positions are 1-based and inclusive on both; each segment has the same length on both, ``strand`` -1 where it is
        turned round. hg19, hg38, mm10 and mm39 are taken. Forty segments and gaps at most are listed unless ``include``
        asks for all. The assemblies tell the species: one of them is today's, unless it is human or mouse.

        Raises:
            AmbiguousQuery: no such region or assembly.

        Source: GET /map, GET /info/species (https://rest.ensembl.org/documentation, read 2026-11-23).
        """
        mapping = sequences.mapped(
            self._questions, sequences.region_on(from_assembly, region), (from_assembly, to_assembly)
        )
        region_mapping = await self._questions.release.beside(mapping)
        return region_mapping.selected(include or ())

    @tool(is_heavy=True)
    async def get_homologues(  # two filters and a page
        self,
        ensembl_id: Annotated[str, GENE_ID],
        target_species: OrganismName | None = None,
        kind: Annotated[HomologueKind | None, NARROWS] = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
    ) -> PaginationEnvelope[Homologue]:
        """List the orthologues and paralogues of a gene by its Ensembl gene ID, with type and percent identity of
        the proteins; of one `target_species` or all, model organisms first.

        ``one_to_one`` are orthologues of which each species has one. ``percent_identity`` is of the homologue's
        protein, ``percent_identity_of_query`` of the one asked for: they differ where one is longer. A replaced ID
        leads to the current gene.

        Raises:
            UnresolvedEntity: ``ensembl_id`` is not written like ``ENSG00000141510``.
            EntityNotFound: Ensembl never had such a gene, or withdrew it.
            AmbiguousQuery: Ensembl has no such species, or the cursor comes from another query.

        Source: GET /homology/id, POST /lookup/id (https://rest.ensembl.org/documentation, read 2026-11-23).
        """
        arguments = {"ensembl_id": ensembl_id, "target_species": target_species, "kind": kind}
        listing = Listing(GET_HOMOLOGUES, arguments, OffsetPosition, cursor=cursor, page_size=page_size)
        reach = await self._species.reach(target_species) if target_species else None
        current = await current_record(self._questions, ensembl_id, "Gene", slim=True)
        gene = parse.gene_hit(current.payload)
        verify(self.title, current.id, gene.id)
        target = reach.name if reach else None
        homologues = HomologueList(self._questions, gene.id, gene.species, kind, target, tuple(current.notices()))
        page = listing.page(OffsetPages(homologues.page_from))
        return listing.envelope(await self._questions.release.beside(page))

    @finds("gene")
    async def genes_named(self, names: Sequence[str], organism: str) -> NameResults:
        """Genes by stable ID or displayed symbol; many names in few requests."""
        return await NamedGenes(self._questions, names, await self._species.reach(organism)).find()

    @finds("gene", takes=nomenclature_id)
    async def genes_of_nomenclature(self, names: Sequence[str], _: str) -> NameResults:
        """Genes by the ID of a species' nomenclature, such as HGNC:1100; a request each, and one more for all."""
        find = functools.partial(genes_of_nomenclature, self._questions)
        return await each_name(names, find, self.transport.afresh)

    @finds("gene", is_joined=False, takes=is_words)
    async def genes_searched(self, names: Sequence[str], organism: str) -> NameResults:
        """Genes that lead a search by words, by symbol, synonym or full name; some requests a name."""
        return await SearchedGenes(self._questions, await self._species.reach(organism)).find(names)

    @finds("transcript", takes=functools.partial(stable_id_of_kind, kind="Transcript"))
    async def transcripts_named(self, names: Sequence[str], _: str) -> NameResults:
        """Transcripts by stable ID; many in one request."""
        return await NamedProducts(self._questions, names, "Transcript").find()

    @finds("transcript", takes=REFSEQ_TRANSCRIPT.fullmatch)
    async def transcripts_of_refseq(self, names: Sequence[str], organism: str) -> NameResults:
        """Transcripts of the same sequence as RefSeq's; a request a name, and one more for many."""
        find = functools.partial(transcripts_of_refseq, self._questions, reach=await self._species.reach(organism))
        return await each_name(names, find, self.transport.afresh)

    @finds("protein", takes=functools.partial(stable_id_of_kind, kind="Translation"))
    async def proteins_named(self, names: Sequence[str], _: str) -> NameResults:
        """Proteins by stable ID; many in two requests."""
        return await NamedProducts(self._questions, names, "Translation").find()

    @finds("protein", is_joined=False, takes=uniprot_curie)
    async def proteins_of_uniprot(self, names: Sequence[str], organism: str) -> NameResults:
        """Reviewed proteins by UniProt's accession; two requests a name."""
        find = functools.partial(protein_of_uniprot, self._questions, reach=await self._species.reach(organism))
        return await each_name(names, find, self.transport.afresh)

    async def _gene(self, ensembl_id: str, *, slim: bool, include: Collection[str]) -> Gene | SlimGene:
        is_slim = slim and not include
        current, xrefs, remarks = await self._current(ensembl_id, "Gene", is_slim=is_slim)
        parser = parse.slim_gene if is_slim else functools.partial(parse.gene, xrefs=xrefs)
        gene = parser(current.payload, replaces=current.replaces)
        verify(self.title, current.id, gene.id)
        return gene.noted([*current.notices(), *remarks]).selected(include)

    async def _current(
        self, ensembl_id: str, kind: Kind, *, is_slim: bool
    ) -> tuple[CurrentRecord, Sequence[Row], list[Notice]]:
        """A record and, where it is not short, its cross-references, asked for side by side; a retired ID's own are of
        no use.
        """
        if is_slim:
            return await current_record(self._questions, ensembl_id, kind, slim=True), (), []
        return await self._questions.release.beside(self._whole(ensembl_id, kind))

    async def _whole(self, ensembl_id: str, kind: Kind) -> tuple[CurrentRecord, Sequence[Row], list[Notice]]:
        xrefs_task = asyncio.create_task(self._xrefs(bare(ensembl_id), kind))
        try:
            current = await current_record(self._questions, ensembl_id, kind)
            return current, *await (self._xrefs(current.id, kind) if current.replaces else xrefs_task)
        finally:
            xrefs_task.cancel()

    async def _xrefs(self, stable_id: str, kind: Kind) -> tuple[Sequence[Row], list[Notice]]:
        """The cross-references of a gene or transcript; none and a notice when they cannot be had."""
        try:
            return await self._questions.xrefs(stable_id, kind), []
        except (EntityNotFound, RateLimited, UpstreamError) as failure:
            remaining = "its gene and MANE partners" if kind == "Transcript" else "transcripts"
            return (), [resolver.WITHOUT_XREFS(remaining=remaining, reason=failure.message)]

    async def _search_by_id(self, stable_id: str, version: str | None, reach: Reach | None) -> EnsemblPage:
        """The gene that the query names by a stable ID, its own or that of a transcript or protein."""
        query_id = f"{stable_id}.{version}" if version else stable_id
        kind = kind_of(stable_id)
        try:
            current = await current_record(self._questions, query_id, kind, slim=True)
            gene = await gene_of(self._questions, current, kind)
        except EntityNotFound as error:
            return ListPage.empty(Notice(code="UNMATCHED", message=error.message))
        if reach and gene.species != reach.name:
            return ListPage.empty(search.notices.FOREIGN(gene=gene, reach=reach))
        remarks = [] if kind == "Gene" else [search.notices.PRODUCT(product_id=current.id, gene=gene)]
        row = gene.candidate(match="id", score=1.0, replaces=current.replaces if kind == "Gene" else None)
        return ListPage([row], total=1, notices=[*remarks, *current.notices()])
