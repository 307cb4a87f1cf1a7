"""Questions to Ensembl and EBI Search by way of the transport: kept, joined, and read."""

import asyncio
import functools
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from biofact.core.errors import AmbiguousQuery, BiofactError, UpstreamError
from biofact.sources.ensembl import parse, requests
from biofact.sources.ensembl.parse import Archived, Found, Hits, Row
from biofact.sources.ensembl.search import SpeciesTable
from biofact.sources.ensembl.service import ENSEMBL, error_words, is_about_species
from biofact.sources.ensembl.stable_ids import GENE_FORM
from biofact.transport.service import (
    ABSENT_SECONDS,
    LIST_SECONDS,
    RECORD_SECONDS,
    BatchCall,
    Batching,
    Keep,
    Refused,
    Request,
    Service,
)
from biofact.transport.stack import Transport

T = TypeVar("T")

_PART_OF_SEARCH = 2 / 3  # of a call's time

BRIEFS = Batching(
    "lookup/1",
    limit=requests.MOST_IDS,
    ask=lambda ids: BatchCall(requests.lookup(ids), parse.LookupSplitter(ids)),
)
EXPANDED = Batching(
    "expanded/1",
    limit=100,  # an expanded gene is 100 kB and more
    ask=lambda ids: BatchCall(requests.lookup(ids, expanded=True), parse.LookupSplitter(ids)),
)


class EnsemblQuestions:
    """What the tools and the search ask; each question is one upstream request (of 1,000 IDs) at most."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._briefs = transport.batched(BRIEFS)
        self._expanded = transport.batched(EXPANDED)

    async def brief(self, stable_id: str) -> bytes | None:
        """The lookup of one ID; None when Ensembl positively has no such record. Joins with others."""
        return await _told(ENSEMBL, self._briefs.get(stable_id))

    async def expanded(self, stable_id: str) -> bytes | None:
        """The lookup of one ID with what it is made of; None when there is no such record. Joins with others."""
        return await _told(ENSEMBL, self._expanded.get(stable_id))

    async def lookup(self, ids: Sequence[str]) -> list[Found]:
        """The genes with these IDs, in their order; those that do not exist, or come damaged, are left out.

        Raises:
            UpstreamError: all that exist come damaged.
        """
        asked = [gene_id for gene_id in ids if re.fullmatch(GENE_FORM, gene_id, re.ASCII)]
        payloads = await asyncio.gather(*map(self.brief, asked))
        told = [(gene_id, payload) for gene_id, payload in zip(asked, payloads, strict=True) if payload is not None]
        found, damage = [], None
        for gene_id, payload in told:
            try:
                found.append(_looked_up(gene_id, payload))
            except UpstreamError as error:
                damage = error
        if damage and not found:
            raise damage
        return found

    async def xrefs(self, gene_id: str) -> list[Row]:
        """What other databases call a gene, its transcripts and translations."""
        read = functools.partial(parse.xref_rows, gene_id)
        return await self._fetched(requests.xrefs(gene_id), read, Keep("xrefs/1", gene_id, RECORD_SECONDS))

    async def archived(self, stable_id: str) -> Archived | None:
        """What became of an ID; None when it never was one."""
        read = functools.partial(parse.archived, stable_id)
        return await self._fetched(requests.archive(stable_id), read, Keep("archive/1", stable_id, ABSENT_SECONDS))

    async def symbols(self, species: str, symbols: Sequence[str]) -> list[Found]:
        """The genes of one species that display one of these symbols."""
        read = functools.partial(parse.with_symbols, symbols)
        keep = Keep("symbols/1", f"{species}:{' '.join(symbols)}", LIST_SECONDS)
        return await self._fetched(requests.lookup_symbols(species, symbols), read, keep)

    async def carriers(self, species: str, symbol: str, database: str | None = None) -> list[str]:
        """IDs of the genes of one species that carry a symbol, synonym or external name; or an ID of ``database``."""
        read = functools.partial(parse.ids_with_symbol, symbol)
        keep = Keep("carriers/1", f"{species}:{database or ''}:{symbol}", LIST_SECONDS)
        return await self._fetched(requests.xrefs_of_symbol(species, symbol, database), read, keep)

    async def hits(self, term: str, start: int, size: int) -> Hits:
        """What EBI Search finds; it may take a part of the call's time, for symbols can be looked up without it."""
        keep = Keep("hits/1", f"{start}:{size}:{term}", LIST_SECONDS)
        asked = self._fetched(requests.gene_search(term, start, size), functools.partial(parse.hits, start), keep)
        return await self._transport.in_part(asked, _PART_OF_SEARCH)

    async def species(self) -> SpeciesTable:
        """All species there are."""
        keep = Keep("species/1", "vertebrates", RECORD_SECONDS)
        return SpeciesTable.of(await self._fetched(requests.species(), parse.species, keep))

    async def _fetched(self, request: Request, read: Callable[[bytes], T], keep: Keep) -> T:
        return await _told(request.service, self._transport.fetch(request, read, keep=keep))


def _looked_up(gene_id: str, payload: bytes) -> Found:
    found = parse.looked_up(payload)
    if found.id != gene_id:
        raise UpstreamError(f"Ensembl answered {gene_id} with {found.id}.", hint="Call again later.")
    return found


async def _told(service: Service, answer: Awaitable[T]) -> T:
    """The answer; a refusal as the error that it is."""
    try:
        return await answer
    except Refused as refused:
        raise _refusal(service, refused) from refused


def _refusal(service: Service, refused: Refused) -> BiofactError:
    words = error_words(refused.answer.body) or f"HTTP {refused.answer.status}"
    if is_about_species(words):
        return AmbiguousQuery(
            f"This Ensembl server does not have the species: {words:.200}.",
            hint="The server of GRCh37 has human genes only; unset BIOFACT_ENSEMBL_URL for all species.",
        )
    return UpstreamError(
        f"{service.title} refused the request: {words:.200}.", hint="Asking again will not help; report it."
    )
