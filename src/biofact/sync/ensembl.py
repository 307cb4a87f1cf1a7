"""EnsemblClient, blocking. Written by make docs from biofact.sources.ensembl.client."""

from collections.abc import Iterable, Iterator
from typing import Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.organisms import OrganismName
from biofact.core.tool import CursorText, GeneQuery, PageSize
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
from biofact.transport.background import each, wait_for


class EnsemblClient(BlockingClient):
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
        query: GeneQuery,
        species: OrganismName | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[EnsemblGeneCandidate | SlimEnsemblGeneCandidate]:
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
        return wait_for(self._client.get_gene(ensembl_id, slim, include))

    def get_genes_batch(
        self, ensembl_ids: list[str], slim: bool = True, include: asynchronous.GeneParts | None = None
    ) -> PaginationEnvelope[Gene | SlimGene | ErrorEnvelope]:
        return wait_for(self._client.get_genes_batch(ensembl_ids, slim, include))

    def get_genes_many(
        self, ensembl_ids: Iterable[object], slim: bool = True, include: asynchronous.GeneParts | None = None
    ) -> Iterator[PaginationEnvelope[Gene | SlimGene | ErrorEnvelope]]:
        return each(self._client.get_genes_many(ensembl_ids, slim, include))

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
        return wait_for(self._client.get_transcript(transcript_id, slim, include))

    def get_sequence(
        self,
        id_or_region: str,
        type: SequenceType | None = None,
        species: OrganismName = "human",
        first: int = 1,
        last: int | None = None,
    ) -> BiologicalSequence:
        return wait_for(self._client.get_sequence(id_or_region, type, species, first, last))

    def map_region(
        self,
        region: asynchronous.AnyRegion,
        from_assembly: asynchronous.AssemblyName,
        to_assembly: asynchronous.AssemblyName,
        include: asynchronous.SegmentParts | None = None,
    ) -> RegionMapping:
        return wait_for(self._client.map_region(region, from_assembly, to_assembly, include))

    def get_homologues(
        self,
        ensembl_id: str,
        target_species: OrganismName | None = None,
        kind: HomologueKind | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
    ) -> PaginationEnvelope[Homologue]:
        return wait_for(self._client.get_homologues(ensembl_id, target_species, kind, page_size, cursor))
