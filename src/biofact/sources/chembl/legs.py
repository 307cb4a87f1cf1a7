"""What further answers tell of a compound: mechanisms, indications, IDs elsewhere; all asked for at once."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.provenance import Notice, without
from biofact.sources.chembl import parse
from biofact.sources.chembl.parse import NOWHERE, Elsewhere, Legs
from biofact.sources.chembl.questions import ChEMBLQuestions
from biofact.sources.chembl.records import Indication, Mechanism
from biofact.transport.stack import Transport

T = TypeVar("T")

_IDENTIFIERS = "identifiers in PubChem, DrugBank, KEGG and the PDB (UniChem)"
_ENTRIES = "PDB entries (PDBe)"


@dataclass(frozen=True, slots=True)
class Gathering:
    """Asks for the legs of compounds. ChEMBL's own are waited for; those of other services for two seconds at most,
    and are left to finish into the cache.
    """

    ask: ChEMBLQuestions
    transport: Transport

    async def legs(self, native_id: str, payload: bytes) -> Legs:
        """What is told of a compound beside its molecule. Of a salt only what is filed on the salt itself."""
        parent = parse.parent_of(payload)
        own = native_id if parent else None
        told, (indications, unsaid), (elsewhere, entries, nowhere), (release, _) = await asyncio.gather(
            self._mechanisms(parent or native_id, own),
            _told(self._indications(parent or native_id, own), "indications"),
            self._elsewhere(parse.inchi_key(payload)),
            _told(self.transport.side_leg(self.ask.release()), "the release"),
        )
        mechanisms, unknown = told
        return Legs(mechanisms, indications or (), elsewhere, entries, release, [*unknown, *unsaid, *nowhere])

    async def _mechanisms(self, parent: str, own: str | None) -> tuple[list[Mechanism], list[Notice]]:
        """How it works, with what is known of the targets; their IDs alone when that cannot be had."""
        rows, unsaid = await _told(self.ask.mechanisms_of(parent), "mechanisms")
        kept = [row for row in rows or () if own is None or row.molecule == own]
        wanted = dict.fromkeys(row.target for row in kept if row.target)
        targets, unknown = await _told(self.ask.targets(list(wanted)), "names and UniProt entries of targets")
        return parse.mechanisms(kept, {target.id: target for target in targets or ()}), [*unsaid, *unknown]

    async def _indications(self, parent: str, own: str | None) -> list[Indication]:
        return parse.indications(await self.ask.indications_of(parent), own)

    async def _elsewhere(self, inchi_key: str | None) -> tuple[Elsewhere, Sequence[str], list[Notice]]:
        """IDs in other databases and PDB entries; a biotherapeutic has no structure that could be known elsewhere."""
        if inchi_key is None:
            return NOWHERE, (), []
        (elsewhere, unknown), (entries, unsaid) = await asyncio.gather(
            _told(self.transport.side_leg(self.ask.elsewhere(inchi_key)), _IDENTIFIERS),
            _told(self.transport.side_leg(self.ask.entries_with(inchi_key)), _ENTRIES),
        )
        return elsewhere or NOWHERE, entries or (), unknown or unsaid  # the entries hang on the identifiers


async def _told(leg: Awaitable[T], what: str) -> tuple[T | None, list[Notice]]:
    """What a leg tells; nothing and a notice when it cannot be had."""
    try:
        return await leg, []
    except (RateLimited, UpstreamError) as failure:
        return None, [without(what, failure.message)]
