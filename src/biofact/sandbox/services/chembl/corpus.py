"""The resources and their fields, the starter rows with what other rows have already, and recorded molecules."""

import csv
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import orjson

from biofact.sandbox.services.chembl.requests import BASE_PATH
from biofact.sandbox.tables import Row, Rows, merged, starter_rows, starter_tables, usual_row

Kind = Literal["text", "number", "flag"]
"""Numbers are compared as numbers, though the wire has many of them as text."""
_KINDS: tuple[Kind, ...] = ("text", "number", "flag")


@dataclass(frozen=True, slots=True)
class ResourceFields:
    """The fields of one resource."""

    kinds: Mapping[str, Kind]
    """By name; ``__`` goes down into an object or a list of objects."""
    top: frozenset[str]
    """The names at the top of a row, by which a reply is trimmed."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names that only filters have, each of one of ``kinds``."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource: the names in its payloads, and its fields."""

    plural: str
    """Name of the list of its rows in a payload."""
    key: str
    """The field that identifies a row."""
    fields: ResourceFields


@functools.cache
def resources() -> Mapping[str, Resource]:
    """By name."""
    rows = starter_rows(__package__, "resource.jsonl")
    return {row["name"]: Resource(row["plural"], row["key"], _fields(row)) for row in rows}


def _fields(row: Row) -> ResourceFields:
    """The fields of a resource; those in ``unfiltered`` can only be left out of a reply."""
    kinds = {name: kind for kind in _KINDS for name in row[kind]}
    top = frozenset((*(name.partition("__")[0] for name in kinds), *row["unfiltered"]))
    return ResourceFields(kinds, top, row["alias"])


_PUBLISHED = ("relation", "type", "units", "value")
"""Fields of a measurement that have what is standardised: the published is not kept apart."""


rows_of_starter = functools.cache(functools.partial(starter_tables, __package__))
"""The starter rows, by resource; UniChem's and PDBe's are among them. Read once in a process."""


def whole_rows(rows: Rows, recorded_molecules: Iterable[Row] = ()) -> dict[str, list[Row]]:
    """The rows of each resource as they are sent; ``recorded_molecules`` are complete and come last."""
    molecules = {row["molecule_chembl_id"]: _molecule(row) for row in rows.get("molecule", ())}
    targets = {row["target_chembl_id"]: row for row in rows.get("target", ())}
    components = {row["accession"]: row for row in rows.get("target_component", ())}
    assays = {row["assay_chembl_id"]: row for row in rows.get("assay", ())}
    whole = {
        "molecule": [
            *molecules.values(),
            *(row for row in recorded_molecules if row["molecule_chembl_id"] not in molecules),
        ],
        "target": [_target(row, components) for row in targets.values()],
        "mechanism": [_with_parent(row, molecules) for row in rows.get("mechanism", ())],
        "drug_indication": [_with_parent(row, molecules) for row in rows.get("drug_indication", ())],
        "activity": [
            _activity({**assays.get(row["assay_chembl_id"], {}), **row}, molecules, targets)
            for row in rows.get("activity", ())
        ],
    }
    return {**whole, "chembl_id_lookup": _lookups(whole, rows.get("chembl_id_lookup", ()))}


def _molecule(row: Row) -> Row:
    """The molecule, its own parent where its row names none, and active as its parent where it names no other form."""
    uid = row["molecule_chembl_id"]
    parent = row["molecule_hierarchy"].get("parent_chembl_id", uid)
    hierarchy = {"active_chembl_id": parent, "molecule_chembl_id": uid, "parent_chembl_id": parent}
    return {
        **{name: value for name, value in row.items() if name != "also_smiles"},
        "molecule_hierarchy": hierarchy | row["molecule_hierarchy"],
        "molecule_synonyms": [
            {"molecule_synonym": name, "syn_type": kind, "synonyms": name}
            for kind, names in row["molecule_synonyms"].items()
            for name in names
        ],
    }


def _target(row: Row, components: Mapping[str, Row]) -> Row:
    """The target with the names of its components, which several targets share."""
    return {**row, "target_components": [_component(component, components) for component in row["target_components"]]}


def _component(component: Row, components: Mapping[str, Row]) -> Row:
    names = components.get(component["accession"], {}).get("target_component_synonyms", {})
    synonyms = [{"component_synonym": name, "syn_type": kind} for kind in names for name in names[kind]]
    return {**component, "target_component_synonyms": [*component.get("target_component_synonyms", ()), *synonyms]}


def _with_parent(row: Row, molecules: Mapping[str, Row]) -> Row:
    uid = row["molecule_chembl_id"]
    parent = molecules[uid]["molecule_hierarchy"]["parent_chembl_id"] if uid in molecules else uid
    return {**row, "parent_molecule_chembl_id": parent}


def _activity(row: Row, molecules: Mapping[str, Row], targets: Mapping[str, Row]) -> Row:
    """The activity with the fields that it repeats of its molecule and target."""
    molecule = molecules.get(row["molecule_chembl_id"], {})
    target = targets.get(row["target_chembl_id"], {})
    taxon = target.get("tax_id")
    return {
        **_with_parent(row, molecules),
        **{name: row[f"standard_{name}"] for name in _PUBLISHED},
        "canonical_smiles": (molecule.get("molecule_structures") or {}).get("canonical_smiles"),
        "molecule_pref_name": molecule.get("pref_name"),
        "target_organism": target.get("organism"),
        "target_pref_name": target.get("pref_name"),
        "target_tax_id": None if taxon is None else str(taxon),  # a number in targets, text in activities
    }


def _lookups(whole: Rows, rows: Iterable[Row]) -> list[Row]:
    """The entity type of every ID in the rows; a starter row of the ID itself overrides it."""
    mentions = {
        **{row["molecule_chembl_id"]: "COMPOUND" for row in whole["molecule"]},
        **{row["target_chembl_id"]: "TARGET" for row in whole["target"]},
        **{row["assay_chembl_id"]: "ASSAY" for row in whole["activity"]},
        **{row["document_chembl_id"]: "DOCUMENT" for row in whole["activity"]},
    }
    usual = usual_row(__package__, "chembl_id_lookup.jsonl")
    lookups = {uid: merged(usual, _lookup(uid, kind)) for uid, kind in mentions.items() if uid}
    return list((lookups | {row["chembl_id"]: row for row in rows}).values())


def _lookup(uid: str, kind: str) -> Row:
    resource = "molecule" if kind == "COMPOUND" else kind.lower()  # the only kind whose resource has another name
    return {"chembl_id": uid, "entity_type": kind, "resource_url": f"{BASE_PATH}/{resource}/{uid}"}


_SEARCH_RESULT = "chembl/search_results_Dopamine.json"
"""A list of 139 molecules; which request it answers is not recorded."""
_RECORD_PATH = re.compile(re.escape(BASE_PATH) + r"/molecule/CHEMBL\d+(\.json)?")
_LIST_PATH = re.compile(re.escape(BASE_PATH) + r"/(molecule|similarity)\.json")
_WHOLE_FIELDS = {"molecule_chembl_id", "pref_name", "molecule_structures"}
"""Without these a row was trimmed."""
_QUERY_FIELDS = {"score", "similarity"}
"""Fields of a search's rows that are about the match, not the molecule."""


def recorded_molecules(recordings: Path) -> list[Row]:
    """Every molecule in a folder of recordings, once, as recorded; single answers come before lists."""
    molecules: dict[str, Row] = {}
    for name in _recorded_files(recordings):
        rows = [
            row for row in _recorded_rows(orjson.loads((recordings / name).read_bytes())) if row.keys() >= _WHOLE_FIELDS
        ]
        for row in rows:
            molecule = {key: value for key, value in row.items() if key not in _QUERY_FIELDS}
            molecules.setdefault(row["molecule_chembl_id"], molecule)
    return list(molecules.values())


def _recorded_files(recordings: Path) -> Iterator[str]:
    with (recordings / "REQUESTS.tsv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    whole = [row for row in rows if row["service"] == "chembl" and row["fidelity"] in {"body", "rewrapped"}]
    best_first = sorted(whole, key=lambda row: (row["era"] != "today", row["file"]))  # today's first: False before True
    for form in (_RECORD_PATH, _LIST_PATH):
        yield from (row["file"] for row in best_first if form.fullmatch(row["path"]) and row["status"] == "200")
    if (recordings / _SEARCH_RESULT).is_file():
        yield _SEARCH_RESULT


def _recorded_rows(document: Any) -> list[Row]:
    if isinstance(document, list):
        return document
    rows: list[Row] = document.get("molecules", [document])
    return rows
