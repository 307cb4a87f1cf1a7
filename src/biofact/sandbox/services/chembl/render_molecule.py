"""A molecule as ChEMBL writes it today. What the facts do not tell is null, -1 for a flag that is a number."""

from typing import Any

from biofact.sandbox.services.chembl.facts import MoleculeFacts, Properties
from biofact.sandbox.services.chembl.render import phase
from biofact.sandbox.services.chembl.requests import Row

_UNKNOWN = -1
_APPROVED = 4


def molecule(facts: MoleculeFacts) -> Row:
    """One row of ``molecule``."""
    parent = facts.parent or facts.id
    return {
        "atc_classifications": [],
        "biotherapeutic": _biotherapeutic(facts),
        "chebi_par_id": None,
        "cross_references": [
            {"xref_id": sid, "xref_name": f"SID: {sid}", "xref_src": "PubChem"} for sid in facts.substance_ids
        ],
        "first_approval": facts.first_approval,
        "helm_notation": None,
        "indication_class": None,
        "max_phase": phase(facts.max_phase),
        "molecule_chembl_id": facts.id,
        "molecule_hierarchy": {
            "active_chembl_id": facts.active or parent,  # what is no prodrug acts as its parent
            "molecule_chembl_id": facts.id,
            "parent_chembl_id": parent,
        },
        "molecule_properties": _properties(facts.properties),
        "molecule_structures": _structures(facts),
        "molecule_synonyms": [
            {"molecule_synonym": one.name, "syn_type": one.kind, "synonyms": one.name} for one in facts.synonyms
        ],
        "molecule_type": facts.type,
        "pref_name": facts.name or None,
        "structure_type": _structure_type(facts),
        "usan_stem": None,
        "usan_stem_definition": None,
        "usan_substem": None,
        "usan_year": None,
        **_flags(facts),
    }


def _flags(facts: MoleculeFacts) -> Row:
    unknown = (
        "availability_type",
        "chemical_probe",
        "chirality",
        "first_in_class",
        "inorganic_flag",
        "natural_product",
        "orphan",
        "polymer_flag",
        "veterinary",
    )
    return {
        **dict.fromkeys(unknown, _UNKNOWN),
        "black_box_warning": int(facts.has_black_box_warning),
        "dosed_ingredient": False,
        "oral": False,
        "parenteral": False,
        "prodrug": int(facts.is_prodrug),
        "therapeutic_flag": facts.max_phase == _APPROVED,
        "topical": False,
        "withdrawn_flag": facts.is_withdrawn,
    }


def _biotherapeutic(facts: MoleculeFacts) -> Row | None:
    if not facts.biotherapeutic:
        return None
    return {
        "biocomponents": [],
        "description": facts.biotherapeutic,
        "helm_notation": None,
        "molecule_chembl_id": facts.id,
    }


def _structures(facts: MoleculeFacts) -> Row | None:
    if facts.structure is None:
        return None
    return {
        "canonical_smiles": facts.structure.smiles,
        "molfile": None,
        "standard_inchi": facts.structure.inchi,
        "standard_inchi_key": facts.structure.inchi_key,
    }


def _structure_type(facts: MoleculeFacts) -> str:
    has_sequence = bool(facts.biotherapeutic)
    if facts.structure is None:
        return "SEQ" if has_sequence else "NONE"
    return "BOTH" if has_sequence else "MOL"


def _properties(properties: Properties | None) -> Row | None:
    if properties is None:
        return None
    unknown: dict[str, Any] = dict.fromkeys(
        (
            "aromatic_rings",
            "cx_logd",
            "cx_logp",
            "cx_most_apka",
            "cx_most_bpka",
            "hba_lipinski",
            "hbd_lipinski",
            "heavy_atoms",
            "molecular_species",
            "mw_freebase",
            "mw_monoisotopic",
            "np_likeness_score",
            "num_lipinski_ro5_violations",
            "qed_weighted",
            "ro3_pass",
        )
    )
    return {
        **unknown,
        "alogp": properties.alogp or None,
        "full_molformula": properties.formula or None,
        "full_mwt": properties.weight or None,
        "hba": properties.hba,
        "hbd": properties.hbd,
        "num_ro5_violations": properties.ro5_violations,
        "psa": properties.psa or None,
        "rtb": properties.rtb,
    }
