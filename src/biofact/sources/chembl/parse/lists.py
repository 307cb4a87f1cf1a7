"""Lists of ChEMBL, UniChem and PDBe: activities, targets, IDs elsewhere, and how batches are cut. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import orjson

from biofact.core.xrefs import REGISTRY
from biofact.dialects import json_values
from biofact.dialects.json_splitter import WholeAnswer
from biofact.dialects.json_values import decimal, document, flag, nested_object, number, objects, text, texts
from biofact.dialects.readable_rows import MissingField, ReadableRows
from biofact.sources.chembl.identifiers import curie, is_native
from biofact.sources.chembl.records import AssayType, Bioactivity
from biofact.transport.service import Transient


@dataclass(frozen=True, slots=True)
class ListPart:
    """A page of a list."""

    rows: list[dict[str, Any]]
    total: int
    """The number of rows of the whole list."""


class _Entry(Protocol):
    @property
    def id(self) -> str:
        """As ChEMBL writes it."""


Entry = TypeVar("Entry", bound=_Entry)


@dataclass(frozen=True, slots=True)
class Hits(Generic[Entry]):
    """A page of molecules or targets."""

    entries: tuple[Entry, ...]
    ids: tuple[str, ...]
    """The IDs of all rows, in the service's order; empty for a row without one, or that does not match the query."""
    total: int
    dropped_count: int = 0
    """Rows that did not match the query."""
    omissions: Counter[str] = field(default_factory=Counter)
    """The number of rows that were left out, by the field that they lack."""

    @classmethod
    def of(cls, page: ListPart, read: Callable[[dict[str, Any], int], Entry]) -> "Hits[Entry]":
        """The entries of a page, as ``read`` has them from a row and its place.

        Raises:
            MissingField: every row lacks a field.
        """
        found = ReadableRows.of(enumerate(page.rows), lambda placed_row: read(placed_row[1], placed_row[0]))
        ids = tuple("" if isinstance(entry, MissingField) else entry.id for entry in found.outcomes)
        entries = {entry.id: entry for entry in found.items}
        return Hits(tuple(entries.values()), ids, page.total, omissions=found.omissions)

    def filtered(self, answers: Callable[[Entry], bool]) -> "Hits[Entry]":
        """The entries that match the query; the others keep their places in the list."""
        matching = {entry.id: entry for entry in self.entries if answers(entry)}
        ids = tuple(entry_id if entry_id in matching else "" for entry_id in self.ids)
        dropped_count = len(self.entries) - len(matching)
        return replace(self, entries=tuple(matching.values()), ids=ids, dropped_count=dropped_count)


def list_part(body: bytes, name: str, offset: int = 0) -> ListPart:
    """The page of a list that ``body`` is.

    Raises:
        Transient: it is damaged, something else, or another page: ChEMBL answers an offset that it does not like with
            page one.
    """
    values = document(body)
    if not isinstance(values.get(name), list):
        raise Transient(f"sent no list of {name}")
    rows = [row if isinstance(row, dict) else {} for row in values[name]]  # offsets count entries that are no rows, too
    page_meta = nested_object(values, "page_meta")
    if number(page_meta, "offset") not in {None, offset}:
        raise Transient(f"sent another page of {name} than the one from {offset}")
    total = number(page_meta, "total_count")
    return ListPart(rows, len(rows) if total is None else total)


def required_text(values: dict[str, Any], name: str, record: str) -> str:
    """A text that every record must have.

    Raises:
        UpstreamError: it is missing.
    """
    return json_values.required_text({name: text(values, name)}, name, record, "ChEMBL")


def required_id(values: dict[str, Any], name: str, record: str) -> str:
    """An ID that every record must have, as ChEMBL writes it.

    Raises:
        MissingField: it is missing, or something else.
    """
    native_id = required_text(values, name, record)
    if not is_native(native_id):
        raise MissingField(f"ChEMBL sent {record} whose {name} is {native_id!r:.60}.", name)
    return native_id


def optional_id(values: dict[str, Any], name: str) -> str | None:
    """An ID that may be missing, as ChEMBL writes it; a text of another form is none."""
    native_id = text(values, name)
    return native_id if native_id and is_native(native_id) else None


LOOKUPS = "chembl_id_lookups"
"""ChEMBL's name of a list of IDs."""


@dataclass(frozen=True, slots=True)
class IdStatus:
    """An ID that was given out."""

    id: str
    type: str
    """COMPOUND, TARGET, ASSAY, DOCUMENT, CELL, TISSUE."""
    is_active: bool


def id_status(body: bytes) -> IdStatus:
    """The status of an ID.

    Raises:
        Transient: the body is damaged, or something else.
        UpstreamError: the kind of the ID is missing.
    """
    values = document(body)
    if "chembl_id" not in values:
        raise Transient("sent something other than an ID")
    return _id_status(values)


def id_status_in_list(payload: bytes) -> IdStatus:
    """The status of an ID, from a cached row of a list.

    Raises:
        Transient: the payload is damaged.
        UpstreamError: the kind of the ID is missing.
    """
    return _id_status(next(iter(objects(document(payload), LOOKUPS)), {}))


def _id_status(values: dict[str, Any]) -> IdStatus:
    status = text(values, "status") or "ACTIVE"
    return IdStatus(
        required_text(values, "chembl_id", "an ID"),
        required_text(values, "entity_type", "an ID").upper(),
        status == "ACTIVE",
    )


def release(body: bytes) -> str:
    """The release, such as ``ChEMBL_37``.

    Raises:
        Transient: the body is damaged, or something else.
    """
    version = text(document(body), "chembl_db_version")
    if version is None:
        raise Transient("sent no version")
    return version


ASSAY_TYPES: dict[str, AssayType] = {
    "B": "binding",
    "F": "functional",
    "A": "ADME",
    "T": "toxicity",
    "P": "physicochemical",
    "U": "unclassified",
}
"""ChEMBL's letters of the kinds of assays."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement, with the fields that distinguish rows."""

    molecule: str
    parent: str
    name: str | None
    target: str | None
    pchembl: float | None
    activity: Bioactivity


def measurement(values: dict[str, Any]) -> Measurement:
    """The measurement that a row describes.

    Raises:
        MissingField: it has no number or molecule.
    """
    activity_id, molecule = number(values, "activity_id"), required_id(values, "molecule_chembl_id", "a measurement")
    if activity_id is None:
        raise MissingField(f"ChEMBL sent a measurement of {molecule} without 'activity_id'.", "activity_id")
    target = optional_id(values, "target_chembl_id")
    pchembl = decimal(values, "pchembl_value")
    activity = Bioactivity(
        activity_id=activity_id,
        molecule=curie(molecule),
        target=curie(target) if target else None,
        target_name=text(values, "target_pref_name"),
        organism=text(values, "target_organism"),
        assay_type=ASSAY_TYPES.get(text(values, "assay_type") or ""),
        standard_type=text(values, "standard_type"),
        relation=text(values, "standard_relation"),
        value=decimal(values, "standard_value"),
        units=text(values, "standard_units"),
        pchembl=pchembl,
        activity_comment=text(values, "activity_comment"),
        validity_comment=text(values, "data_validity_comment"),
        possible_duplicate=flag(values, "potential_duplicate") or None,
        assay=_id(values, "assay_chembl_id"),
        document=_id(values, "document_chembl_id"),
    )
    parent = optional_id(values, "parent_molecule_chembl_id") or molecule
    return Measurement(molecule, parent, text(values, "molecule_pref_name"), target, pchembl, activity)


def _id(values: dict[str, Any], name: str) -> str | None:
    native_id = optional_id(values, name)
    return curie(native_id) if native_id else None


_SINGLE = "SINGLE PROTEIN"

TargetName = tuple[str, str]
"""A name and its kind, such as GENE_SYMBOL."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target."""

    id: str
    name: str | None
    type: str | None
    organism: str | None
    accessions: tuple[str, ...]
    """UniProt, of its components; a family or complex has several, a cell line none."""
    tax_id: int | None = None
    names: tuple[TargetName, ...] = ()
    """The names of its components."""
    place: int = 0
    """In the service's own list."""

    @property
    def is_protein(self) -> bool:
        """One protein, neither a complex nor a family."""
        return self.type == _SINGLE


def target(values: dict[str, Any], place: int = 0) -> Target:
    """The target that a row describes, at this place in the list.

    Raises:
        MissingField: it has no ID.
    """
    components = objects(values, "target_components")
    accessions = [text(component, "accession") for component in components]
    # Components of RNA have Ensembl genes (in the mapping of release 32 too).
    proteins = [accession for accession in accessions if accession and REGISTRY["uniprot"].normalise(accession)]
    return Target(
        required_id(values, "target_chembl_id", "a target"),
        text(values, "pref_name"),
        text(values, "target_type"),
        text(values, "organism"),
        tuple(dict.fromkeys(proteins)),
        number(values, "tax_id"),
        tuple(dict.fromkeys(name for component in components for name in _names(component))),
        place,
    )


def _names(component: dict[str, Any]) -> Iterator[TargetName]:
    for row in objects(component, "target_component_synonyms"):
        if name := text(row, "component_synonym"):
            yield name, text(row, "syn_type") or "OTHER"


def target_hits(body: bytes, offset: int = 0) -> Hits[Target]:
    """The page of targets that ``body`` is.

    Raises:
        Transient: the body is damaged, or has fewer or more rows than it counts.
        MissingField: no target has an ID.
    """
    page = list_part(body, "targets", offset)
    if len(page.rows) > page.total or (page.total > offset and not page.rows):
        raise Transient(f"sent {len(page.rows)} targets from {offset} on where it counts {page.total}")
    return Hits.of(page, target)


def targets_with(accession: str, body: bytes) -> ReadableRows[Target]:
    """The targets that have this UniProt entry as a component, single proteins first.

    Raises:
        Transient: the body is damaged.
        MissingField: no target has an ID.
    """
    found = ReadableRows.of(list_part(body, "targets").rows, target)
    targets = [target_row for target_row in found.items if accession in target_row.accessions]
    return found.with_items(sorted(targets, key=lambda target_row: not target_row.is_protein))


_KEYS = {2: "drugbank", 6: "kegg", 22: "pubchem_compound"}
"""UniChem's numbers of the databases that the registry knows (UPSTREAMS 5, read 2026-11-20)."""
_CHEMBL, _LIGANDS = 1, 3
_LIGAND = re.compile(r"[A-Z0-9]{1,3}|[A-Z0-9]{5}")


@dataclass(frozen=True, slots=True)
class StructureIds:
    """UniChem's IDs of one structure."""

    ids: tuple[tuple[str, str], ...]
    """Key of the registry and the ID there, as it came."""
    ligands: tuple[str, ...]
    """Codes of the PDB's ligands, of one to three characters, or five."""


NO_STRUCTURE_IDS = StructureIds((), ())


def structure_ids(inchi_key: str, body: bytes) -> StructureIds:
    """The IDs in UniChem's answer; none for an unknown structure, which UniChem reports with status 200.

    Raises:
        Transient: the body is damaged, or something else.
    """
    compounds = _structures(body, lambda compound: text(compound, "standardInchiKey") == inchi_key)
    sources = [source_id for compound in compounds for source_id in _source_ids(compound)]
    known_ids = [(_KEYS[source], value) for source, value in sources if source in _KEYS and value]
    ligands = [value for source, value in sources if source == _LIGANDS and value and _LIGAND.fullmatch(value)]
    return StructureIds(tuple(dict.fromkeys(known_ids)), tuple(dict.fromkeys(ligands)))


def chembl_ids(source: int, compound_id: str, body: bytes) -> list[str]:
    """ChEMBL's IDs of the structures that have an ID in another database; none for an unknown one.

    Raises:
        Transient: the body is damaged, or something else.
    """
    compounds = _structures(body, lambda compound: (source, compound_id) in _source_ids(compound))
    sources = (source_id for compound in compounds for source_id in _source_ids(compound))
    return list(dict.fromkeys(value for number_of_source, value in sources if number_of_source == _CHEMBL and value))


def _structures(body: bytes, is_meant: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """The structures in UniChem's answer that are meant; none where it reports that there are none."""
    values = document(body)
    message = text(values, "response")
    if message is None:
        raise Transient("sent something other than an answer of UniChem")
    if message.casefold() == "not found":
        return []
    compounds = [compound for compound in objects(values, "compounds") if is_meant(compound)]
    if not compounds:
        raise Transient(f"answered {message!r:.60} without the structure that was asked for")
    return compounds


def _source_ids(compound: dict[str, Any]) -> list[tuple[int | None, str | None]]:
    """UniChem's number of each database and the ID there."""
    return [(number(row, "id"), text(row, "compoundId")) for row in objects(compound, "sources")]


def entries(ligand: str, body: bytes) -> list[str]:
    """The PDB entries that hold a ligand, in PDBe's order.

    Raises:
        Transient: the body is damaged, or speaks of another ligand.
    """
    values = document(body)
    key = next((name for name in values if name.casefold() == ligand.casefold()), None)
    if key is None or not isinstance(values[key], list):
        raise Transient("sent no entries of the ligand that was asked for")
    return [_entry(code) for code in texts(values, key)]


def _entry(code: str) -> str:
    """Codes of four characters are written in capitals, the longer new ones as they are."""
    return code.upper() if len(code) == 4 else code  # noqa: PLR2004  # the length is the form


def molecule_records(ids: Sequence[str]) -> WholeAnswer:
    """A splitter of ``molecule/set`` into molecules; those listed as not found are left out, and count as absent."""

    def read(body: bytes) -> Iterator[tuple[str, bytes]]:
        by_id = {text(row, "molecule_chembl_id"): row for row in list_part(body, "molecules").rows}
        yield from ((native_id, orjson.dumps(trimmed(by_id[native_id]))) for native_id in ids if native_id in by_id)
        if missing := {*ids} - by_id.keys() - {*texts(document(body), "not_found")}:
            raise Transient(f"left out {len(missing)} of the molecules that were asked for")

    return WholeAnswer(read)


def rows(ids: Sequence[str], name: str, *keys: str, may_be_none: bool = True) -> WholeAnswer:
    """A splitter of a list filtered by IDs: the rows of each ID, by the first of ``keys`` that a row has.

    ``is_cut`` says that the list goes on, so that rows may be missing. An ID without rows has an empty list, or is left
    out, so that it counts as absent.
    """

    def read(body: bytes) -> Iterator[tuple[str, bytes]]:
        page = list_part(body, name)
        by_id: dict[str, list[dict[str, Any]]] = {native_id: [] for native_id in ids}
        for row in page.rows:
            key = next((value for value in (text(row, key) for key in keys) if value), "")
            if key in by_id:
                by_id[key].append(row)
        is_cut = page.total > len(page.rows)
        for native_id, id_rows in by_id.items():
            if id_rows or may_be_none or is_cut:
                yield native_id, orjson.dumps({name: id_rows, "is_cut": is_cut})

    return WholeAnswer(read)


def rows_of_id(payload: bytes, name: str) -> tuple[list[dict[str, Any]], bool]:
    """The rows of one ID, and whether the list that they were read from was cut."""
    values = document(payload)
    return objects(values, name), values.get("is_cut") is True


def trimmed(values: dict[str, Any]) -> dict[str, Any]:
    """A molecule without the coordinates of its drawing, which are most of its bytes."""
    structures = values.get("molecule_structures")
    if not isinstance(structures, dict):
        return values
    return {**values, "molecule_structures": {name: structures[name] for name in structures if name != "molfile"}}
