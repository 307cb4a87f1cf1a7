"""Targets, mechanisms, indications and ID look-ups as ChEMBL writes them. What the facts do not tell is null."""

from biofact.sandbox.services.chembl.facts import IdFacts, IndicationFacts, MechanismFacts, TargetFacts
from biofact.sandbox.services.chembl.requests import BASE_PATH, Row

_RELATIONSHIPS = {
    "SINGLE PROTEIN": "SINGLE PROTEIN",
    "PROTEIN COMPLEX": "PROTEIN SUBUNIT",
    "PROTEIN NUCLEIC-ACID COMPLEX": "PROTEIN SUBUNIT",
}
"""What a component is to a target of this type; a member of a group to all others."""
_RESOURCES = {"COMPOUND": "molecule", "CELL": "cell_line"}
"""Where the resource is not called as the type is."""


def phase(value: float | None) -> str | None:
    """A phase as the molecules and indications of today have it: ``4.0``, ``0.5``, ``-1.0``."""
    return None if value is None else f"{value:.1f}"


def target(facts: TargetFacts) -> Row:
    """One row of ``target``."""
    is_single = len(facts.accessions) == 1
    return {
        "cross_references": [],
        "organism": facts.organism or None,
        "pref_name": facts.name,
        "species_group_flag": False,
        "target_chembl_id": facts.id,
        "target_components": [
            {
                "accession": accession,
                "component_description": facts.name if is_single else None,
                "component_id": None,
                "component_type": "PROTEIN",
                "relationship": _RELATIONSHIPS.get(facts.type, "GROUP MEMBER"),
                "target_component_synonyms": [],
                "target_component_xrefs": [],
            }
            for accession in facts.accessions
        ],
        "target_type": facts.type,
        "tax_id": facts.tax_id,
    }


def mechanism(facts: MechanismFacts, parent: str) -> Row:
    """One row of ``mechanism``; ``parent`` is the molecule without its salt."""
    return {
        "action_type": facts.action or None,
        "binding_site_comment": None,
        "direct_interaction": None,
        "disease_efficacy": None,
        "max_phase": facts.max_phase,
        "mec_id": facts.id,
        "mechanism_comment": None,
        "mechanism_of_action": facts.mechanism,
        "mechanism_refs": [],
        "molecular_mechanism": None,
        "molecule_chembl_id": facts.molecule,
        "parent_molecule_chembl_id": parent,
        "record_id": None,
        "selectivity_comment": None,
        "site_id": None,
        "target_chembl_id": facts.target or None,
        "variant_sequence": None,
    }


def indication(facts: IndicationFacts, parent: str) -> Row:
    """One row of ``drug_indication``; ``parent`` is the molecule without its salt."""
    return {
        "drugind_id": facts.id,
        "efo_id": facts.efo_id or None,
        "efo_term": facts.efo_term or None,
        "indication_refs": [],
        "max_phase_for_ind": phase(facts.max_phase),
        "mesh_heading": facts.mesh_heading,
        "mesh_id": facts.mesh_id,
        "molecule_chembl_id": facts.molecule,
        "parent_molecule_chembl_id": parent,
    }


def id_lookup(facts: IdFacts, release: str) -> Row:
    """One row of ``chembl_id_lookup``; ``release`` is such as ``ChEMBL_37``."""
    number = release.rpartition("_")[2]
    is_numbered = facts.status == "ACTIVE" and number.isdecimal()
    resource = _RESOURCES.get(facts.type, facts.type.lower())
    return {
        "chembl_id": facts.id,
        "entity_type": facts.type,
        "last_active": int(number) if is_numbered else None,
        "resource_url": f"{BASE_PATH}/{resource}/{facts.id}",
        "status": facts.status,
    }
