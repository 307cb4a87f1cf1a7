"""Questions to Ensembl and EBI Search by way of the transport: kept, joined, and read."""

import functools
import operator
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Literal

from biofact.core import call
from biofact.core.errors import AmbiguousQuery, BiofactError, RateLimited, UpstreamError
from biofact.dialects.ebi_search import MOST_HITS
from biofact.dialects.readable_rows import ReadableRows, omission_notices
from biofact.protocol.lookup import Lookup, Upstream, refusal
from biofact.protocol.releases import CurrentRelease, DatedUpstream, ReleaseTable
from biofact.sources.ensembl import parse, service
from biofact.sources.ensembl.identifiers import GENE_FORM, EnsemblRegion, Kind
from biofact.sources.ensembl.parse import (
    Archived,
    GeneHit,
    Hits,
    Letters,
    Molecule,
    RegionLetters,
    Row,
    Species,
)
from biofact.sources.ensembl.records import Homologue, MappedSegment
from biofact.sources.ensembl.service import ENSEMBL, error_words, is_about_place, is_about_species
from biofact.transport.service import ABSENT_SECONDS, RECORD_SECONDS, BatchCall, Batching, Refused, Service
from biofact.transport.stack import Transport

RELEASES = ReleaseTable(
    "Ensembl",
    {
        "105": "2021-12",
        "106": "2022-04",
        "107": "2022-07",
        "108": "2022-10",
        "109": "2023-02",
        "110": "2023-07",
        "111": "2024-01",
        "112": "2024-05",
        "113": "2024-10",
        "114": "2025-05",
        "115": "2025-09",
        "116": "2026-06",
    },
    read_on="2026-11-29",
)
"""Ensembl's list of archives, as biomaRt's listEnsemblArchives() shows it."""

TITLE = "Ensembl"
CarrierKind = Literal["gene", "transcript"]

_PART_OF_SEARCH = 2 / 3  # of a call's time


def _lookups(kind: Kind, *, limit: int, expanded: bool = False) -> Batching:
    """Lookups of one kind: records of several kinds may have the same ID, and an answer has one record for an ID."""

    def ask(ids: Sequence[str]) -> BatchCall:
        return BatchCall(service.lookup(ids, kind, expanded=expanded), parse.lookup_splitter(ids))

    return Batching(f"{kind.lower()}-{'expanded' if expanded else 'lookup'}/1", limit, ask)


GENES = _lookups("Gene", limit=service.MOST_IDS)
TRANSCRIPTS = _lookups("Transcript", limit=service.MOST_IDS)
PROTEINS = _lookups("Translation", limit=service.MOST_IDS)
# An expanded gene is 100 kB and more.
EXPANDED_GENES = _lookups("Gene", limit=100, expanded=True)
EXPANDED_TRANSCRIPTS = _lookups("Transcript", limit=100, expanded=True)


class EnsemblQuestions:
    """The questions of the tools and the search; each is one upstream request (of 1,000 IDs) at most."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.release = CurrentRelease(transport, ENSEMBL, RELEASES, self._data_release)
        self._upstream = DatedUpstream(transport, TITLE, _refusal, self.release)
        self._places = DatedUpstream(transport, TITLE, _place_refusal, self.release)
        of_id = operator.attrgetter("id")
        self.genes = Lookup(self._upstream, ENSEMBL, GENES, parse.gene_hit, id_of=of_id)
        self.transcripts = Lookup(self._upstream, ENSEMBL, TRANSCRIPTS, parse.product, id_of=of_id)
        self.proteins = Lookup(self._upstream, ENSEMBL, PROTEINS, parse.product, id_of=of_id)
        briefs: dict[Kind, Batching] = {"Gene": GENES, "Transcript": TRANSCRIPTS, "Translation": PROTEINS}
        expanded: dict[Kind, Batching] = {"Gene": EXPANDED_GENES, "Transcript": EXPANDED_TRANSCRIPTS}
        self._briefs = {kind: Lookup(self._upstream, ENSEMBL, batching, bytes) for kind, batching in briefs.items()}
        self._expanded = {kind: Lookup(self._upstream, ENSEMBL, batching, bytes) for kind, batching in expanded.items()}

    async def _data_release(self) -> str:
        upstream = Upstream(self.transport, TITLE, _refusal)
        return await upstream.fetch(service.data_release(), parse.data_release, "release/1", RECORD_SECONDS)

    async def brief(self, stable_id: str, kind: Kind) -> bytes | None:
        """The lookup of one ID; None if Ensembl has no such record. Batched with concurrent lookups of its kind."""
        return await self._briefs[kind].get(stable_id)

    async def expanded(self, stable_id: str, kind: Kind) -> bytes | None:
        """The lookup of a gene or transcript with what it is made of; None if there is no such record. Batched."""
        return await self._expanded[kind].get(stable_id)

    async def lookup(self, ids: Sequence[str], *, is_whole: bool = True) -> ReadableRows[GeneHit]:
        """The genes with these IDs, in their order; those that do not exist are left out.

        Raises:
            RateLimited, UpstreamError: one of the lookups failed, or every gene lacks a field.
        """
        gene_ids = [gene_id for gene_id in ids if re.fullmatch(GENE_FORM, gene_id, re.ASCII)]
        found = await self.genes.get_present(gene_ids, is_whole=is_whole)
        return found.with_items(gene for _, gene in found.items)

    async def xrefs(self, stable_id: str, kind: Kind) -> list[Row]:
        """The cross-references of a gene or transcript, and of what is below it."""
        parser = functools.partial(parse.xref_rows, stable_id)
        return await self._upstream.fetch(service.xrefs(stable_id, kind), parser, "xrefs/1", RECORD_SECONDS)

    async def archived(self, stable_id: str) -> Archived | None:
        """The archive's record of an ID; None if it never was one."""
        parser = functools.partial(parse.archived, stable_id)
        return await self._upstream.fetch(service.archive(stable_id), parser, "archive/1", ABSENT_SECONDS)

    async def symbols(self, species: str, symbols: Sequence[str]) -> list[GeneHit]:
        """The genes of one species that display one of these symbols."""
        parser = functools.partial(parse.with_symbols, symbols)
        return (await self._upstream.fetch(service.lookup_symbols(species, symbols), parser, "symbols/1")).noted(TITLE)

    async def carriers(
        self, species: str, symbol: str, database: str | None = None, *, kind: CarrierKind = "gene"
    ) -> list[str]:
        """IDs of the genes or transcripts of one species that carry a symbol, synonym or external name; or an ID of
        ``database``.
        """
        parser = functools.partial(parse.ids_with_symbol, symbol, kind=kind)
        request = service.xrefs_of_symbol(species, symbol, database, kind=kind)
        return (await self._upstream.fetch(request, parser, "carriers/1")).noted(TITLE)

    async def hits(self, term: str, start: int, size: int) -> Hits:
        """The hits of EBI Search; it may use a part of the call's time, as symbols can be looked up without it."""
        request = service.gene_search(term, start, size)
        answer = self._upstream.fetch(request, functools.partial(parse.hits, start), "hits/1")
        hits = await self.transport.in_part(answer, _PART_OF_SEARCH)
        call.current().notices.extend(omission_notices("EBI Search", hits.omissions))
        return hits

    async def synonyms(self, gene_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The synonyms of genes by ID, as they are written; none where EBI Search has none."""
        # In one order, so that the same genes are one key of the cache.
        batch_ids = sorted(gene_ids)[:MOST_HITS]
        try:
            return await self._upstream.fetch(service.synonyms(batch_ids), parse.synonyms, "synonyms/1")
        except (RateLimited, UpstreamError):  # without them genes are found all the same, in another order
            return {}

    async def letters(self, stable_id: str, sequence_type: str) -> Letters | None:
        """The whole cdna, cds or protein with this ID; None when Ensembl has none."""
        molecule: Molecule = "protein" if sequence_type == "protein" else "dna"
        parser = functools.partial(parse.letters, stable_id, molecule)
        return await self._upstream.fetch(
            service.sequence(stable_id, sequence_type), parser, "sequence/1", RECORD_SECONDS
        )

    async def region_letters(self, species: str, region: EnsemblRegion) -> RegionLetters:
        """The sequence of a region, as far as the chromosome goes."""
        parser = functools.partial(parse.region_letters, region)
        return await self._places.fetch(service.region_sequence(species, region), parser, "region/1", RECORD_SECONDS)

    async def segments(self, species: str, assembly: str, region: EnsemblRegion, other: str) -> list[MappedSegment]:
        """The parts of a region that the other assembly has."""
        parser = functools.partial(parse.segments, region, (assembly, other))
        return await self._places.fetch(
            service.assembly_map(species, assembly, region, other), parser, "map/1", RECORD_SECONDS
        )

    async def homologues(
        self, species: str, gene_id: str, kind: str, target_species: str | None
    ) -> ReadableRows[Homologue]:
        """The homologues of a gene, of one species or all."""
        parser = functools.partial(parse.homologues, gene_id)
        return await self._upstream.fetch(
            service.homologies(species, gene_id, kind, target_species), parser, "homologies/1", RECORD_SECONDS
        )

    async def species(self) -> list[Species]:
        """All species there are."""
        return await self._upstream.fetch(service.species(), parse.species, "species/1", RECORD_SECONDS)


def _refusal(service: Service, refused_call: Refused) -> BiofactError:
    words = error_words(refused_call.answer.body)
    if words and is_about_species(words):
        return AmbiguousQuery(
            f"This Ensembl server does not have the species: {words:.200}.",
            hint="The server of GRCh37 has human genes only; unset BIOFACT_ENSEMBL_URL for all species.",
        )
    return refusal(service, words, refused_call)


def _place_refusal(service: Service, refused_call: Refused) -> BiofactError:
    """Ensembl refuses a chromosome or an assembly that it does not have as a bad request."""
    words = error_words(refused_call.answer.body)
    if not words or not is_about_place(words) or refused_call.answer.status != HTTPStatus.BAD_REQUEST:
        return _refusal(service, refused_call)
    return AmbiguousQuery(
        f"Ensembl does not take the region or assembly: {words:.200}.",
        hint="Name chromosomes as Ensembl does (17, X, MT) and assemblies of the species (GRCh37, GRCh38).",
    )
