"""EnsemblClient, blocking. Written by make docs from biofact.sources.ensembl.client."""

from typing import Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.organisms import OrganismName
from biofact.core.tool import CursorText, PageSize, Query
from biofact.sources.ensembl import client as asynchronous
from biofact.sources.ensembl.homologues import HomologueKind
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
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import wait_for


class EnsemblClient(BlockingClient):
    """Names to stable IDs, stable IDs to checked genes and transcripts.

    >>> with biofact.sync.EnsemblClient() as ensembl:
    ...     ensembl.get_gene("ENSG00000141510").symbol
    'TP53'
    """

    _asynchronous = asynchronous.EnsemblClient
    _client: asynchronous.EnsemblClient

    @overload
    def search_genes(
        self,
        query: str,
        species: str | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[EnsemblGeneCandidate]: ...

    @overload
    def search_genes(
        self, query: str, species: str | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimEnsemblGeneCandidate]: ...

    def search_genes(
        self,
        query: Query,
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
        return wait_for(self._client.search_genes(query, species, page_size, cursor, slim))

    @overload
    def get_gene(
        self, ensembl_id: str, slim: Literal[False] = ..., include: asynchronous.GeneParts | None = ...
    ) -> Gene: ...

    @overload
    def get_gene(self, ensembl_id: str, slim: bool = ..., include: asynchronous.GeneParts | None = ...) -> SlimGene: ...

    def get_gene(
        self, ensembl_id: str, slim: bool = False, include: asynchronous.GeneParts | None = None
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
        return wait_for(self._client.get_gene(ensembl_id, slim, include))

    def get_genes_batch(
        self, ensembl_ids: list[str], slim: bool = True, include: asynchronous.GeneParts | None = None
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
        return wait_for(self._client.get_genes_batch(ensembl_ids, slim, include))

    @overload
    def get_transcript(
        self, transcript_id: str, slim: Literal[False] = ..., include: asynchronous.TranscriptParts | None = ...
    ) -> Transcript: ...

    @overload
    def get_transcript(
        self, transcript_id: str, slim: bool = ..., include: asynchronous.TranscriptParts | None = ...
    ) -> SlimTranscript: ...

    def get_transcript(
        self, transcript_id: str, slim: bool = False, include: asynchronous.TranscriptParts | None = None
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
        return wait_for(self._client.get_transcript(transcript_id, slim, include))

    def get_sequence(
        self,
        id_or_region: str,
        type: SequenceType | None = None,
        species: OrganismName = "human",
        first: int = 1,
        last: int | None = None,
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
        return wait_for(self._client.get_sequence(id_or_region, type, species, first, last))

    def map_region(
        self,
        region: asynchronous.AnyRegion,
        from_assembly: asynchronous.AssemblyName,
        to_assembly: asynchronous.AssemblyName,
        include: asynchronous.SegmentParts | None = None,
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
        return wait_for(self._client.map_region(region, from_assembly, to_assembly, include))

    def get_homologues(
        self,
        ensembl_id: str,
        target_species: OrganismName | None = None,
        kind: HomologueKind | None = None,
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
        return wait_for(self._client.get_homologues(ensembl_id, target_species, kind, page_size, cursor))
