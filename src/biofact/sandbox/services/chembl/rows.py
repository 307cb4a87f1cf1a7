"""ChEMBL's starter rows, and what they leave out because other rows have it."""

import functools
from collections.abc import Iterable, Mapping

from biofact.sandbox.services.chembl.requests import BASE_PATH
from biofact.sandbox.tables import Row, Rows, merged, starter_tables, usual_row

_PUBLISHED = ("relation", "type", "units", "value")
"""Fields of a measurement that have what is standardised: the published is not kept apart."""


@functools.cache
def rows_of_starter() -> Rows:
    """The starter rows, by resource; UniChem's and PDBe's are among them. Read once in a process."""
    return starter_tables(__package__)


def whole_rows(rows: Rows, recorded: Iterable[Row] = ()) -> dict[str, list[Row]]:
    """The rows of each resource as they are sent; ``recorded`` molecules are as they are and come last."""
    own = {row["molecule_chembl_id"]: _molecule(row) for row in rows.get("molecule", ())}
    targets = {row["target_chembl_id"]: row for row in rows.get("target", ())}
    components = {row["accession"]: row for row in rows.get("target_component", ())}
    assays = {row["assay_chembl_id"]: row for row in rows.get("assay", ())}
    whole = {
        "molecule": [*own.values(), *(row for row in recorded if row["molecule_chembl_id"] not in own)],
        "target": [_target(row, components) for row in targets.values()],
        "mechanism": [_with_parent(row, own) for row in rows.get("mechanism", ())],
        "drug_indication": [_with_parent(row, own) for row in rows.get("drug_indication", ())],
        "activity": [
            _activity({**assays.get(row["assay_chembl_id"], {}), **row}, own, targets)
            for row in rows.get("activity", ())
        ],
    }
    return {**whole, "chembl_id_lookup": _lookups(whole, rows.get("chembl_id_lookup", ()))}


def _molecule(row: Row) -> Row:
    """With its own ID where it is its own parent, and the other's where it is active as another."""
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
    """With the names of its components, which several targets share."""
    return {**row, "target_components": [_component(one, components) for one in row["target_components"]]}


def _component(component: Row, components: Mapping[str, Row]) -> Row:
    names = components.get(component["accession"], {}).get("target_component_synonyms", {})
    synonyms = [{"component_synonym": name, "syn_type": kind} for kind in names for name in names[kind]]
    return {**component, "target_component_synonyms": [*component.get("target_component_synonyms", ()), *synonyms]}


def _with_parent(row: Row, molecules: Mapping[str, Row]) -> Row:
    uid = row["molecule_chembl_id"]
    parent = molecules[uid]["molecule_hierarchy"]["parent_chembl_id"] if uid in molecules else uid
    return {**row, "parent_molecule_chembl_id": parent}


def _activity(row: Row, molecules: Mapping[str, Row], targets: Mapping[str, Row]) -> Row:
    """With what it repeats of its molecule and target."""
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
        "target_tax_id": None if taxon is None else str(taxon),
    }


def _lookups(whole: Rows, others: Iterable[Row]) -> list[Row]:
    """What every ID stands for that the rows mention; what the starter rows say of one counts most."""
    mentions = {
        **{row["molecule_chembl_id"]: "COMPOUND" for row in whole["molecule"]},
        **{row["target_chembl_id"]: "TARGET" for row in whole["target"]},
        **{row["assay_chembl_id"]: "ASSAY" for row in whole["activity"]},
        **{row["document_chembl_id"]: "DOCUMENT" for row in whole["activity"]},
    }
    usual = usual_row(__package__, "chembl_id_lookup.jsonl")
    found = {uid: merged(usual, _lookup(uid, kind)) for uid, kind in mentions.items() if uid}
    return list((found | {row["chembl_id"]: row for row in others}).values())


def _lookup(uid: str, kind: str) -> Row:
    resource = "molecule" if kind == "COMPOUND" else kind.lower()
    return {"chembl_id": uid, "entity_type": kind, "resource_url": f"{BASE_PATH}/{resource}/{uid}"}
