"""Questions to ChEMBL, UniChem and PDBe by way of the transport: kept, joined, and read."""

import asyncio
import functools
import operator
import re
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, TypeVar

from biofact.core.errors import AmbiguousQuery, BiofactError, UpstreamError
from biofact.core.words import compact
from biofact.protocol.lookup import Lookup, Upstream, refusal
from biofact.sources.chembl import parse, service
from biofact.sources.chembl.parse import (
    Hits,
    IdStatus,
    ListPart,
    MechanismRow,
    MoleculeHit,
    StructureIds,
    Target,
    TargetHits,
)
from biofact.sources.chembl.service import CHEMBL, AskedStructure, NameComparison, Of, Where, error_words
from biofact.transport.service import (
    DAY,
    RECORD_SECONDS,
    BatchCall,
    Batching,
    Refused,
    Request,
    Service,
    Transient,
)
from biofact.transport.stack import Transport

T = TypeVar("T")

_OF_STRUCTURE = re.compile(r"structure|smiles|inchi|molecul|molfile|too short|similarity", re.IGNORECASE)
"""In what ChEMBL says of a structure that it does not take."""
_PART_OF_SEARCH = 2 / 3  # of a call's time

MOLECULES = Batching(
    "molecule/1",
    limit=50,
    ask=lambda ids: BatchCall(service.molecules(ids), parse.molecule_records(ids)),
)
_MECHANISMS = Batching(
    "mechanisms/1",
    limit=50,
    ask=lambda ids: BatchCall(
        service.mechanisms_of(ids),
        parse.rows(ids, "mechanisms", "parent_molecule_chembl_id", "molecule_chembl_id"),
    ),
)
_INDICATIONS = Batching(
    "indications/1",
    limit=10,  # a drug has up to some 170, an answer 1,000
    ask=lambda ids: BatchCall(
        service.indications_of(ids),
        parse.rows(ids, "drug_indications", "parent_molecule_chembl_id", "molecule_chembl_id"),
    ),
)
_TARGETS = Batching(
    "targets/1",
    limit=20,  # one is up to 100 kB
    ask=lambda ids: BatchCall(service.targets(ids), parse.rows(ids, "targets", "target_chembl_id", may_be_none=False)),
)

_IDS = Batching(
    "ids/1",
    limit=100,
    ask=lambda ids: BatchCall(service.ids_lookup(ids), parse.rows(ids, parse.LOOKUPS, "chembl_id", may_be_none=False)),
)


class ChEMBLQuestions:
    """What the tools and the search ask; each question is one upstream request at most."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._upstream = Upstream(transport, "ChEMBL", _refusal)
        kinds = (MOLECULES, _MECHANISMS, _INDICATIONS, _TARGETS)
        self._lookups = {kind: Lookup(self._upstream, CHEMBL, kind, bytes) for kind in kinds}
        id_of = operator.attrgetter("id")
        self._molecules = Lookup(self._upstream, CHEMBL, MOLECULES, parse.molecule_hit, id_of=id_of)
        self._known = Lookup(self._upstream, CHEMBL, _IDS, parse.known_row, id_of=id_of)

    async def molecule(self, native_id: str) -> bytes | None:
        """One molecule; None when ChEMBL positively has no such. Joins with others."""
        return await self._lookups[MOLECULES].get(native_id)

    async def lookup(self, ids: Sequence[str]) -> list[MoleculeHit]:
        """The molecules with these IDs, in their order; those that do not exist are left out."""
        payloads = await asyncio.gather(*map(self.molecule, ids))
        molecules = [parse.molecule_hit(payload) for payload in payloads if payload is not None]
        return [molecule for molecule in molecules if molecule.id in ids]

    async def molecule_outcomes(self, ids: Sequence[str]) -> dict[str, MoleculeHit | BiofactError | None]:
        """The molecule with each ID, None where there is none, or why it is not known."""
        return await self._molecules.get_many(ids)

    async def known_outcomes(self, ids: Sequence[str]) -> dict[str, IdStatus | BiofactError | None]:
        """What each ID stands for, None where it never was one, or why it is not known."""
        return await self._known.get_many(ids)

    async def search(self, words: str, offset: int, limit: int) -> Hits:
        """What ChEMBL's search finds; it may take a part of the call's time, for names can be looked up without it."""
        hits = self._hits(service.search(words, offset, limit), offset)
        return await self._transport.in_part(hits, _PART_OF_SEARCH)

    async def named(
        self, name: str, comparison: NameComparison, offset: int, limit: int, *, of: Of = "synonym", where: Where = ()
    ) -> Hits:
        """Molecules with a name of this kind that is, begins or ends like this."""
        request = service.named(name, comparison, offset, limit, of=of, where=where)
        return _held(await self._hits(request, offset), functools.partial(_has_name, name, comparison))

    async def called(self, spellings: Sequence[str], of: Of) -> Hits:
        """Molecules with a name of this kind that is written in one of these ways."""
        wanted = frozenset(spellings)
        hits = await self._hits(service.called(spellings, of))
        return _joined(hits, lambda molecule: not wanted.isdisjoint(molecule.spellings))

    async def with_keys(self, inchi_keys: Sequence[str]) -> Hits:
        """Molecules of the structures with these InChIKeys."""
        hits = await self._hits(service.with_inchi_keys(inchi_keys))
        return _joined(hits, lambda molecule: molecule.inchi_key in inchi_keys)

    async def structured(self, notation: str, text: str) -> Hits:
        """Molecules of a structure, written as InChIKey, InChI or SMILES.

        Raises:
            AmbiguousQuery: ChEMBL cannot read it.
        """
        request = {
            "inchi_key": service.with_inchi_key,
            "inchi": service.with_inchi,
            "smiles": service.with_smiles,
        }[notation](text)
        try:
            hits = await self._hits(request)
        except UpstreamError as error:
            if words := _words_of_refusal(error):
                raise _unreadable(notation, text, words) from error
            raise
        if hits.total > len(hits.ids):
            raise _too_many("molecules", hits.total)
        return _held(hits, lambda molecule: notation == "smiles" or getattr(molecule, notation) == text)

    async def mechanisms_of(self, parent: str) -> list[MechanismRow]:
        """How a drug works, with what is filed on its salts."""
        return parse.mechanism_rows(await self._rows(_MECHANISMS, parent, "mechanisms"))

    async def indications_of(self, parent: str) -> list[dict[str, Any]]:
        """What a drug is for, with what is filed on its salts."""
        return await self._rows(_INDICATIONS, parent, "drug_indications")

    async def targets(self, ids: Sequence[str]) -> list[Target]:
        """The targets with these IDs, in their order; those that do not exist are left out."""
        rows = await asyncio.gather(*(self._rows(_TARGETS, entity_id, "targets") for entity_id in ids))
        return [parse.target(row) for found in rows for row in found]

    async def targets_with(self, accession: str) -> list[Target]:
        """Targets that have this UniProt entry as a component, single proteins first."""
        read = functools.partial(_targets_with, accession)
        return await self._upstream.fetch(service.targets_with(accession), read, "targets_with/1") or []

    async def search_targets(self, words: str, offset: int, limit: int, where: Where = ()) -> TargetHits:
        """What ChEMBL's search for targets finds; it may take a part of the call's time."""
        read = functools.partial(parse.target_hits, offset=offset)
        hits = self._upstream.fetch(service.target_search(words, offset, limit, where), read, "target_hits/1")
        return await self._transport.in_part(hits, _PART_OF_SEARCH)

    async def targets_called(self, name: str, of: Of, where: Where = ()) -> TargetHits:
        """Targets of exactly this name."""
        hits = await self._upstream.fetch(service.targets_called(name, of, where), parse.target_hits, "target_hits/1")
        if hits.total > len(hits.ids):
            raise _too_many("targets", hits.total)
        return hits

    async def alike(self, structure: AskedStructure, threshold: int | None, offset: int, limit: int) -> Hits:
        """Molecules that are similar to a structure, or hold it where no ``threshold`` is given.

        Raises:
            AmbiguousQuery: ChEMBL cannot read it.
        """
        if threshold is None:
            request = service.holding(structure, offset, limit)
        else:
            request = service.similar(structure, threshold, offset, limit)
        read = functools.partial(_whole_hits, offset=offset, limit=limit)
        try:
            return await self._upstream.fetch(request, read, "alike/1")
        except UpstreamError as error:
            if words := _words_of_refusal(error):
                raise _unreadable(structure.notation, structure.text, words) from error
            raise

    async def mechanisms_on(self, targets: Sequence[str]) -> list[MechanismRow]:
        """Which drugs work on these targets."""
        read = functools.partial(_whole, name="mechanisms")
        return parse.mechanism_rows(await self._upstream.fetch(service.mechanisms_on(targets), read, "mechanisms_on/1"))

    async def activities(self, order: str, offset: int, limit: int, **filters: str) -> ListPart:
        """Measurements, in this order."""
        request = service.activities(order, offset, limit, **filters)
        read = functools.partial(_page, name="activities", offset=offset, limit=limit)
        return await self._upstream.fetch(request, read, "activities/1")

    async def known(self, native_id: str) -> IdStatus | None:
        """What an ID stands for; None when it never was one."""
        read = _if_there(functools.partial(_known, native_id))
        return await self._upstream.fetch(service.id_lookup(native_id), read, "id/1", RECORD_SECONDS)

    async def release(self) -> str:
        """The release that answers."""
        return await self._upstream.fetch(service.status(), parse.release, "release/1", DAY)

    async def elsewhere(self, inchi_key: str) -> StructureIds:
        """A structure's IDs in other databases."""
        read = functools.partial(parse.elsewhere, inchi_key)
        return await self._upstream.fetch(service.elsewhere(inchi_key), read, "elsewhere/1", RECORD_SECONDS)

    async def entries_with(self, inchi_key: str) -> list[str]:
        """The PDB entries that hold a structure, by the ligand codes that UniChem knows."""
        codes = (await self.elsewhere(inchi_key)).ligands
        found = await asyncio.gather(*map(self._entries, codes))
        return list(dict.fromkeys(entry for entries in found for entry in entries))

    async def _entries(self, ligand: str) -> list[str]:
        read = _if_there(functools.partial(parse.entries, ligand))
        return await self._upstream.fetch(service.entries_with(ligand), read, "entries/1", RECORD_SECONDS) or []

    async def _rows(self, batching: Batching, one: str, name: str) -> list[dict[str, Any]]:
        """The rows of one ID; asked for by itself where those of many did not fit into one answer."""
        payload = await self._lookups[batching].get(one)
        rows, is_cut = parse.kept(payload or b"{}", name)
        if not is_cut:
            return rows
        read = functools.partial(_alone, batching, one, name)
        return await self._upstream.fetch(batching.ask((one,)).request, read, f"{name}_of_one/1", RECORD_SECONDS)

    async def _hits(self, request: Request, offset: int = 0) -> Hits:
        read = functools.partial(parse.hits, offset=offset)
        return await self._upstream.fetch(request, read, "hits/1")


def _whole_hits(body: bytes, *, offset: int, limit: int) -> Hits:
    """A page of molecules, with as many rows as the list's own count leaves for it."""
    _page(body, name="molecules", offset=offset, limit=limit)
    hits = parse.hits(body, offset)
    if hits.ids and not hits.molecules:
        raise Transient("sent molecules without an ID")
    return hits


def _page(body: bytes, *, name: str, offset: int, limit: int) -> ListPart:
    """A page of a list, with as many rows as the list's own count leaves for it.

    Raises:
        Transient: it contradicts itself.
    """
    page = parse.listed(body, name, offset)
    promised = max(0, min(limit, page.total - offset))
    if len(page.rows) != promised:
        raise Transient(f"sent {len(page.rows)} {name} from {offset} on where it counts {promised}")
    return page


def _whole(body: bytes, *, name: str) -> list[dict[str, Any]]:
    """The rows of a list that has to be there as a whole.

    Raises:
        UpstreamError: it goes on; ChEMBL may have ignored the filter, and given the beginning of its whole table.
    """
    page = parse.listed(body, name)
    if page.total > len(page.rows):
        raise _too_many(name, page.total)
    return page.rows


def _alone(batching: Batching, one: str, name: str, body: bytes) -> list[dict[str, Any]]:
    """The rows of one ID, of an answer for it alone.

    Raises:
        UpstreamError: rows are missing.
    """
    splitter = batching.ask((one,)).splitter
    records = dict(splitter.feed(body))
    splitter.close()
    rows, is_cut = parse.kept(records.get(one, b"{}"), name)
    if is_cut:
        raise _too_many(name)
    return rows


def _targets_with(accession: str, body: bytes) -> list[Target] | None:
    """The targets; None where there are none."""
    _whole(body, name="targets")
    return parse.targets_with(accession, body) or None


def _known(native_id: str, body: bytes) -> IdStatus:
    id_status = parse.known(body)
    if id_status.id != native_id:
        raise Transient(f"answered {native_id} with {id_status.id:.40}")
    return id_status


def _too_many(name: str, count: int | None = None) -> UpstreamError:
    message = f"ChEMBL lists more {name} than fit into one answer{f': {count}' if count else ''}."
    return UpstreamError(message, hint="Report it: no question is expected to have so many.")


def _if_there(read: Callable[[bytes], T]) -> Callable[[bytes], T | None]:
    """Reads an answer to a question about what may not exist, which comes as an empty body then."""
    return lambda body: read(body) if body else None


def _held(hits: Hits, answers: Callable[[MoleculeHit], bool]) -> Hits:
    """The molecules that answer the question.

    Raises:
        UpstreamError: none of them does, as if the filter were ignored.
    """
    kept_hits = hits.only(answers)
    if hits.molecules and not kept_hits.molecules:
        raise UpstreamError("ChEMBL listed molecules that were not asked for.", hint="Call again later, or report it.")
    return kept_hits


def _joined(hits: Hits, answers: Callable[[MoleculeHit], bool]) -> Hits:
    """The molecules that answer a question in which several are joined.

    Raises:
        UpstreamError: none of them does, or the list goes on and holds others, as if the filter were ignored.
    """
    kept_hits = _held(hits, answers)
    if kept_hits.dropped and hits.total > len(hits.ids):
        raise _too_many("molecules", hits.total)
    return kept_hits


def _has_name(name: str, comparison: NameComparison, molecule: MoleculeHit) -> bool:
    """Whether a molecule has a name that is, begins or ends like this; hyphens and blanks count for nothing."""
    asked = compact(name)
    own = [compact(one) for one in (molecule.preferred, *(synonym for synonym, _ in molecule.synonyms)) if one]
    if comparison == "iexact":
        return asked in own
    return any(one.startswith(asked) if comparison == "istartswith" else one.endswith(asked) for one in own)


def _words_of_refusal(error: UpstreamError) -> str | None:
    """What ChEMBL says of a question that it does not take; None where the question is not to blame."""
    refused = error.__cause__
    if not isinstance(refused, Refused) or refused.answer.status != HTTPStatus.BAD_REQUEST:
        return None
    words = error_words(refused.answer.body) or ""
    return words if _OF_STRUCTURE.search(words) else None


def _unreadable(notation: str, text: str, words: str) -> AmbiguousQuery:
    named = {"inchi_key": "InChIKey", "inchi": "InChI", "smiles": "SMILES", "chembl_id": "ID"}[notation]
    return AmbiguousQuery(
        f"ChEMBL cannot read {text!r:.120} as {named}. It says: {words:.200}",
        hint=f"Check the {named}, or search for a name.",
        invalid_input=text,
    )


def _refusal(service: Service, refused: Refused) -> UpstreamError:
    return refusal(service, error_words(refused.answer.body), refused)
