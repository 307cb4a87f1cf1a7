"""A measurement as ChEMBL writes it today. What the facts do not tell is null."""

from biofact.sandbox.services.chembl.facts import ActivityFacts, MoleculeFacts, TargetFacts
from biofact.sandbox.services.chembl.requests import Row

_ENDPOINTS = {"GI50": "BAO_0000189", "IC50": "BAO_0000190"}
"""By standard type, as recorded."""
_UNITS = {
    "nM": ("UO_0000065", "http://www.openphacts.org/units/Nanomolar"),
    "%": ("UO_0000187", None),
}
"""Ontology terms of units, as recorded."""
_LITERATURE = 1
"""ChEMBL's number of the source that is the scientific literature."""


def activity(facts: ActivityFacts, molecule: MoleculeFacts | None, target: TargetFacts | None) -> Row:
    """One row of ``activity``, with what it repeats of its molecule and target."""
    return {
        **_measured(facts),
        **_molecule(facts, molecule),
        **_target(facts, target),
        "action_type": None,
        "activity_comment": None,
        "activity_id": facts.id,
        "activity_properties": [],
        "assay_chembl_id": facts.assay or None,
        "assay_description": facts.description or None,
        "assay_type": facts.assay_type,
        "assay_variant_accession": None,
        "assay_variant_mutation": None,
        "bao_endpoint": _ENDPOINTS.get(facts.standard_type),
        "bao_format": "BAO_0000019",  # any assay: the facts do not tell which
        "bao_label": "assay format",
        "data_validity_comment": facts.validity or None,
        "data_validity_description": None,
        "document_chembl_id": facts.document or None,
        "document_journal": None,
        "document_year": facts.year,
        "ligand_efficiency": None,
        "potential_duplicate": int(facts.is_duplicate),
        "record_id": None,
        "src_id": _LITERATURE,
        "toid": None,
    }


def _measured(facts: ActivityFacts) -> Row:
    """The value, as standardised; what was published is not told apart."""
    ontology, quantity = _UNITS.get(facts.units, (None, None))
    value, units, relation = facts.value or None, facts.units or None, facts.relation or None
    return {
        "pchembl_value": facts.pchembl or None,
        "qudt_units": quantity,
        "relation": relation,
        "standard_flag": int(value is not None),
        "standard_relation": relation,
        "standard_text_value": None,
        "standard_type": facts.standard_type,
        "standard_units": units,
        "standard_upper_value": None,
        "standard_value": value,
        "text_value": None,
        "type": facts.standard_type,
        "units": units,
        "uo_units": ontology,
        "upper_value": None,
        "value": value,
    }


def _molecule(facts: ActivityFacts, molecule: MoleculeFacts | None) -> Row:
    structure = molecule and molecule.structure
    return {
        "canonical_smiles": structure.smiles if structure else None,
        "molecule_chembl_id": facts.molecule,
        "molecule_pref_name": (molecule and molecule.name) or None,
        "parent_molecule_chembl_id": (molecule and molecule.parent) or facts.molecule,
    }


def _target(facts: ActivityFacts, target: TargetFacts | None) -> Row:
    taxon = target.tax_id if target else None
    return {
        "target_chembl_id": facts.target or None,
        "target_organism": (target and target.organism) or None,
        "target_pref_name": (target and target.name) or None,
        "target_tax_id": None if taxon is None else str(taxon),
    }
