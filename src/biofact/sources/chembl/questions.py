"""Questions to ChEMBL, UniChem and PDBe by way of the transport: cached, joined, and parsed."""

import asyncio
import functools
import itertools
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, TypeVar

from biofact.core import call
from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.core.words import compact
from biofact.dialects.readable_rows import ReadableRows, omission_notices
from biofact.protocol.lookup import Lookup, Upstream, refusal
from biofact.sources.chembl import parse, service
from biofact.sources.chembl.parse import Hits, IdStatus, ListPart, MechanismRow, MoleculeHit, StructureIds, Target
from biofact.sources.chembl.service import (
    CHEMBL,
    NOTATION_NAMES,
    PDBE,
    Filters,
    NameComparison,
    NameKind,
    PdbeApi,
    QueryStructure,
    error_words,
)
from biofact.transport.service import DAY, RECORD_SECONDS, BatchCall, Batching, Refused, Request, Service, Transient
from biofact.transport.stack import Transport

Entry = TypeVar("Entry", MoleculeHit, Target)

_STRUCTURE_WORDS = re.compile(r"structure|smiles|inchi|molecul|molfile|too short|similarity", re.IGNORECASE)
"""Words in ChEMBL's errors about a structure that it refuses."""
_TITLE = "ChEMBL"
_PART_OF_SEARCH = 2 / 3  # of a call's time

MOLECULES = Batching(
    "molecule/1", limit=50, ask=lambda ids: BatchCall(service.molecules(ids), parse.molecule_records(ids))
)
_MECHANISMS = Batching(
    "mechanisms/1",
    limit=50,
    ask=lambda ids: BatchCall(
        service.mechanisms_of(ids), parse.rows(ids, "mechanisms", "parent_molecule_chembl_id", "molecule_chembl_id")
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
    """The requests of the tools and the search; each method sends one upstream request at most."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._has_pdbe_moved = False
        self._upstream = Upstream(transport, _TITLE, _refusal)
        kinds = (MOLECULES, _MECHANISMS, _INDICATIONS, _TARGETS)
        self._lookups = {kind: Lookup(self._upstream, CHEMBL, kind, bytes) for kind in kinds}
        id_of = operator.attrgetter("id")
        self.molecules = Lookup(self._upstream, CHEMBL, MOLECULES, parse.molecule_hit, id_of=id_of)
        self.id_statuses = Lookup(self._upstream, CHEMBL, _IDS, parse.id_status_in_list, id_of=id_of)

    async def molecule(self, native_id: str) -> bytes | None:
        """One molecule; None if ChEMBL reports that there is none. Concurrent look-ups share a request."""
        return await self._lookups[MOLECULES].get(native_id)

    async def lookup(self, ids: Sequence[str], *, is_whole: bool = True) -> list[MoleculeHit]:
        """The molecules with these IDs, in their order; those that do not exist are left out."""
        payloads = await asyncio.gather(*map(self.molecule, ids))
        present = (payload for payload in payloads if payload is not None)
        found = ReadableRows.of(present, parse.molecule_hit, is_whole=is_whole)
        return [molecule for molecule in found.noted(_TITLE) if molecule.id in ids]

    async def search(self, words: str, offset: int, limit: int) -> Hits[MoleculeHit]:
        """The hits of ChEMBL's search; it may take a part of the call's time, for names can be looked up without it."""
        hits = self._molecules(service.search(words, offset, limit), offset)
        return await self.transport.in_part(hits, _PART_OF_SEARCH)

    async def molecules_by_name(
        self,
        name: str,
        comparison: NameComparison,
        offset: int,
        limit: int,
        *,
        name_kind: NameKind = "synonym",
        filters: Filters = (),
    ) -> Hits[MoleculeHit]:
        """Molecules with a name of this kind that is, begins or ends like this."""
        request = service.molecules_by_name(name, comparison, offset, limit, name_kind=name_kind, filters=filters)
        return _check_filter(await self._molecules(request, offset), functools.partial(_has_name, name, comparison))

    async def molecules_by_spelling(self, spellings: Sequence[str], name_kind: NameKind) -> Hits[MoleculeHit]:
        """Molecules with a name of this kind that is written in one of these ways."""
        spelling_set = frozenset(spellings)
        hits = await self._molecules(service.molecules_by_spelling(spellings, name_kind))
        return _check_joined_filter(hits, lambda molecule: not spelling_set.isdisjoint(molecule.spellings))

    async def with_keys(self, inchi_keys: Sequence[str]) -> Hits[MoleculeHit]:
        """Molecules of the structures with these InChIKeys."""
        hits = await self._molecules(service.with_inchi_keys(inchi_keys))
        return _check_joined_filter(hits, lambda molecule: molecule.inchi_key in inchi_keys)

    async def structured(self, notation: str, text: str) -> Hits[MoleculeHit]:
        """Molecules of a structure, written as InChIKey, InChI or SMILES.

        Raises:
            AmbiguousQuery: ChEMBL cannot read it.
        """
        with _unreadable_if_refused(notation, text):
            hits = await self._molecules(service.with_structure(notation, text))
        if hits.total > len(hits.ids):
            raise _too_many("molecules", hits.total)
        # A SMILES is compared by ChEMBL, whose spelling may be another: no row can be held against it here.
        return _check_filter(hits, lambda molecule: notation == "smiles" or getattr(molecule, notation) == text)

    async def mechanisms_of(self, parent: str) -> list[MechanismRow]:
        """The mechanisms of a drug and its salts."""
        return parse.mechanism_rows(await self._rows(_MECHANISMS, parent, "mechanisms")).noted(_TITLE)

    async def indications_of(self, parent: str) -> list[dict[str, Any]]:
        """The indications of a drug and its salts."""
        return await self._rows(_INDICATIONS, parent, "drug_indications")

    async def targets(self, ids: Sequence[str], *, is_whole: bool = True) -> list[Target]:
        """The targets with these IDs, in their order; those that do not exist are left out."""
        rows = await asyncio.gather(*(self._rows(_TARGETS, entity_id, "targets") for entity_id in ids))
        return ReadableRows.of(itertools.chain.from_iterable(rows), parse.target, is_whole=is_whole).noted(_TITLE)

    async def targets_with(self, accession: str) -> list[Target]:
        """Targets that have this UniProt entry as a component, single proteins first."""
        reader = functools.partial(_targets_with, accession)
        found = await self._upstream.fetch(service.targets_with(accession), reader, "targets_with/1")
        return found.noted(_TITLE) if found else []

    async def search_targets(self, words: str, offset: int, limit: int, filters: Filters = ()) -> Hits[Target]:
        """The hits of ChEMBL's search for targets; it may take a part of the call's time."""
        reader = functools.partial(parse.target_hits, offset=offset)
        hits = self._hits(service.target_search(words, offset, limit, filters), reader, "target_hits/1")
        return await self.transport.in_part(hits, _PART_OF_SEARCH)

    async def targets_by_name(self, name: str, name_kind: NameKind, filters: Filters = ()) -> Hits[Target]:
        """Targets of exactly this name."""
        hits = await self._hits(service.targets_by_name(name, name_kind, filters), parse.target_hits, "target_hits/1")
        if hits.total > len(hits.ids):
            raise _too_many("targets", hits.total)
        return hits

    async def related_molecules(
        self, structure: QueryStructure, threshold: int | None, offset: int, limit: int
    ) -> Hits[MoleculeHit]:
        """Molecules that are similar to a structure, or hold it where no ``threshold`` is given.

        Raises:
            AmbiguousQuery: ChEMBL cannot read it.
        """
        if threshold is None:
            request = service.superstructures(structure, offset, limit)
        else:
            request = service.similar(structure, threshold, offset, limit)
        reader = functools.partial(_whole_hits, offset=offset, limit=limit)
        with _unreadable_if_refused(structure.notation, structure.text):
            return await self._hits(request, reader, "alike/1")

    async def mechanisms_on(self, targets: Sequence[str]) -> list[MechanismRow]:
        """Which drugs work on these targets."""
        reader = functools.partial(_whole, name="mechanisms")
        rows = await self._upstream.fetch(service.mechanisms_on(targets), reader, "mechanisms_on/1")
        return parse.mechanism_rows(rows).noted(_TITLE)

    async def activities(self, order: str, offset: int, limit: int, **filters: str) -> ListPart:
        """Measurements, in this order."""
        request = service.activities(order, offset, limit, **filters)
        reader = functools.partial(_page, name="activities", offset=offset, limit=limit)
        return await self._upstream.fetch(request, reader, "activities/1")

    async def id_status(self, native_id: str) -> IdStatus | None:
        """The status of an ID, or None if it never existed."""
        reader = functools.partial(_checked_id_status, native_id)
        return await self._upstream.find(service.id_lookup(native_id), reader, "id/1", RECORD_SECONDS)

    async def release(self) -> str:
        """The current release of ChEMBL."""
        return await self._upstream.fetch(service.status(), parse.release, "release/1", DAY)

    async def structure_ids(self, inchi_key: str) -> StructureIds:
        """A structure's IDs in other databases."""
        reader = functools.partial(parse.structure_ids, inchi_key)
        return await self._upstream.fetch(service.structure_ids(inchi_key), reader, "elsewhere/1", RECORD_SECONDS)

    async def ids_of_structures_with(self, source: int, compound_id: str) -> list[str]:
        """ChEMBL's IDs of the structures with an ID in another database, by UniChem's number of that."""
        reader = functools.partial(parse.chembl_ids, source, compound_id)
        request = service.structures_with(source, compound_id)
        return await self._upstream.fetch(request, reader, "structures/1", RECORD_SECONDS)

    async def entries_with(self, inchi_key: str) -> list[str]:
        """The PDB entries that hold a structure, by the ligand codes that UniChem knows."""
        codes = (await self.structure_ids(inchi_key)).ligands
        entry_lists = await asyncio.gather(*map(self._entries, codes))
        return list(dict.fromkeys(entry for entries in entry_lists for entry in entries))

    async def _entries(self, ligand: str) -> list[str]:
        """The PDB entries that hold a ligand; once PDBe's API v1 is gone and v2 has answered, v2 alone is asked."""
        if not self._has_pdbe_moved:
            try:
                return await self._entries_by("v1", ligand)
            except _PathGone as gone:
                try:
                    entries = await self._entries_by("v2", ligand)
                except _PathGone:
                    raise gone from gone.__cause__
                self._has_pdbe_moved = True
                return entries
        return await self._entries_by("v2", ligand)

    async def _entries_by(self, api: PdbeApi, ligand: str) -> list[str]:
        reader = functools.partial(parse.entries, ligand)
        return await self._upstream.find(service.entries_with(ligand, api), reader, "entries/1", RECORD_SECONDS) or []

    async def _rows(self, batching: Batching, native_id: str, name: str) -> list[dict[str, Any]]:
        """The rows of one ID; requested separately if the rows of a batch did not fit into one answer."""
        payload = await self._lookups[batching].get(native_id)
        rows, is_cut = parse.rows_of_id(payload or b"{}", name)
        if not is_cut:
            return rows
        reader = functools.partial(_single_id_rows, batching, native_id, name)
        return await self._upstream.fetch(
            batching.ask((native_id,)).request, reader, f"{name}_of_one/1", RECORD_SECONDS
        )

    async def _molecules(self, request: Request, offset: int = 0) -> Hits[MoleculeHit]:
        return await self._hits(request, functools.partial(parse.hits, offset=offset), "hits/1")

    async def _hits(self, request: Request, reader: Callable[[bytes], Hits[Entry]], kind: str) -> Hits[Entry]:
        """A page of hits; the answer of the call says which rows were left out."""
        hits = await self._upstream.fetch(request, reader, kind)
        call.current().notices.extend(omission_notices(_TITLE, hits.omissions))
        return hits


def _whole_hits(body: bytes, *, offset: int, limit: int) -> Hits[MoleculeHit]:
    """A page of molecules, with as many rows as the list's own count leaves for it."""
    _page(body, name="molecules", offset=offset, limit=limit)
    return parse.hits(body, offset)


def _page(body: bytes, *, name: str, offset: int, limit: int) -> ListPart:
    """A page of a list, with as many rows as the list's own count leaves for it.

    Raises:
        Transient: it contradicts itself.
    """
    page = parse.list_part(body, name, offset)
    # A list that counts more rows than it sends is not believed (README, Quirks).
    expected_count = max(0, min(limit, page.total - offset))
    if len(page.rows) != expected_count:
        raise Transient(f"sent {len(page.rows)} {name} from {offset} on where it counts {expected_count}")
    return page


def _whole(body: bytes, *, name: str) -> list[dict[str, Any]]:
    """The rows of a list that has to be there as a whole.

    Raises:
        UpstreamError: it goes on; ChEMBL may have ignored the filter, and given the beginning of its whole table.
    """
    page = parse.list_part(body, name)
    if page.total > len(page.rows):
        raise _too_many(name, page.total)
    return page.rows


def _single_id_rows(batching: Batching, native_id: str, name: str, body: bytes) -> list[dict[str, Any]]:
    """The rows of one ID, of an answer for it alone.

    Raises:
        UpstreamError: rows are missing.
    """
    splitter = batching.ask((native_id,)).splitter
    records = dict(splitter.feed(body))
    splitter.close()
    rows, is_cut = parse.rows_of_id(records.get(native_id, b"{}"), name)
    if is_cut:
        raise _too_many(name)
    return rows


def _targets_with(accession: str, body: bytes) -> ReadableRows[Target] | None:
    """The targets; None where there are none."""
    _whole(body, name="targets")
    found = parse.targets_with(accession, body)
    return found if found.outcomes else None


def _checked_id_status(native_id: str, body: bytes) -> IdStatus:
    id_status = parse.id_status(body)
    if id_status.id != native_id:
        raise Transient(f"answered {native_id} with {id_status.id:.40}")
    return id_status


def _too_many(name: str, count: int | None = None) -> UpstreamError:
    message = f"ChEMBL lists more {name} than fit into one answer{f': {count}' if count else ''}."
    return UpstreamError(message, hint="Report it: no question is expected to have so many.")


def _check_filter(hits: Hits[MoleculeHit], answers: Callable[[MoleculeHit], bool]) -> Hits[MoleculeHit]:
    """The molecules that match the query.

    Raises:
        UpstreamError: none of them does, as if the filter were ignored.
    """
    # ChEMBL ignores an unknown field and sends the whole table from its beginning (README, Quirks).
    matching_hits = hits.filtered(answers)
    if hits.entries and not matching_hits.entries:
        raise UpstreamError("ChEMBL listed molecules that were not asked for.", hint="Call again later, or report it.")
    return matching_hits


def _check_joined_filter(hits: Hits[MoleculeHit], answers: Callable[[MoleculeHit], bool]) -> Hits[MoleculeHit]:
    """The molecules that match a query for several names or structures.

    Raises:
        UpstreamError: none of them does, or the list goes on and holds others, as if the filter were ignored.
    """
    matching_hits = _check_filter(hits, answers)
    if matching_hits.dropped_count and hits.total > len(hits.ids):
        raise _too_many("molecules", hits.total)
    return matching_hits


def _has_name(name: str, comparison: NameComparison, molecule: MoleculeHit) -> bool:
    """Whether a molecule has a name that is, begins or ends like this; hyphens and blanks are ignored."""
    query_name = compact(name)
    own_names = [
        compact(own_name)
        for own_name in (molecule.preferred_name, *(synonym for synonym, _ in molecule.synonyms))
        if own_name
    ]
    if comparison == "iexact":
        return query_name in own_names
    return any(
        own_name.startswith(query_name) if comparison == "istartswith" else own_name.endswith(query_name)
        for own_name in own_names
    )


@contextmanager
def _unreadable_if_refused(notation: str, text: str) -> Iterator[None]:
    """Turn ChEMBL's refusal of a structure into the error that it cannot be read, with ChEMBL's words."""
    try:
        yield
    except UpstreamError as error:
        cause = error.__cause__
        is_refused = isinstance(cause, Refused) and cause.answer.status == HTTPStatus.BAD_REQUEST
        words = error_words(cause.answer.body) if isinstance(cause, Refused) and is_refused else None
        if not words or not _STRUCTURE_WORDS.search(words):  # the query is not the cause
            raise
        notation_name = NOTATION_NAMES[notation]
        raise AmbiguousQuery(
            f"ChEMBL cannot read {text!r:.120} as {notation_name}. It says: {words:.200}",
            hint=f"Check the {notation_name}, or search for a name.",
            invalid_input=text,
        ) from error


class _PathGone(UpstreamError):
    """PDBe has the path no more."""


def _refusal(host: Service, error: Refused) -> UpstreamError:
    refused = refusal(host, error_words(error.answer.body), error)
    if host is PDBE and service.is_gone(error.answer):
        return _PathGone(str(refused), hint=refused.hint)
    return refused
