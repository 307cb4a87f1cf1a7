"""Measurements. Pure."""

from dataclasses import dataclass
from typing import Any

from biofact.dialects.json_values import decimal, flag, number, text
from biofact.sources.chembl.identifiers import curie
from biofact.sources.chembl.records import Bioactivity

_ASSAY_TYPES = {
    "B": "binding",
    "F": "functional",
    "A": "ADME",
    "T": "toxicity",
    "P": "physicochemical",
    "U": "unclassified",
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement, with what rows are told apart by."""

    molecule: str
    parent: str
    name: str | None
    target: str | None
    pchembl: float | None
    activity: Bioactivity


def measured(values: dict[str, Any]) -> Measured | None:
    """The measurement that a row describes; None for a row without number or molecule, which says nothing."""
    activity_id, molecule = number(values, "activity_id"), text(values, "molecule_chembl_id")
    if activity_id is None or molecule is None:
        return None
    target = text(values, "target_chembl_id")
    pchembl = decimal(values, "pchembl_value")
    activity = Bioactivity(
        activity_id=activity_id,
        molecule=curie(molecule),
        target=curie(target) if target else None,
        target_name=text(values, "target_pref_name"),
        organism=text(values, "target_organism"),
        assay_type=_ASSAY_TYPES.get(text(values, "assay_type") or ""),
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
    parent = text(values, "parent_molecule_chembl_id") or molecule
    return Measured(molecule, parent, text(values, "molecule_pref_name"), target, pchembl, activity)


def _id(values: dict[str, Any], name: str) -> str | None:
    found = text(values, name)
    return curie(found) if found else None
