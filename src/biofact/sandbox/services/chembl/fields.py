"""The fields of each resource: what they hold, and so how they can be filtered and ordered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "number", "flag"]
"""Numbers are compared as numbers, though the wire has many of them as text."""


@dataclass(frozen=True, slots=True)
class ResourceFields:
    """The fields of one resource."""

    kinds: Mapping[str, Kind]
    """By name; ``__`` goes down into an object or a list of objects."""
    top: frozenset[str]
    """The names at the top of a row, by which a reply is trimmed."""


def fields(*, text: str = "", number: str = "", flag: str = "", unfiltered: str = "") -> ResourceFields:
    """Fields from their names, with blanks between; those in ``unfiltered`` can only be left out of a reply."""
    named: tuple[tuple[Kind, str], ...] = (("text", text), ("number", number), ("flag", flag))
    kinds: dict[str, Kind] = {name: kind for kind, names in named for name in names.split()}
    return ResourceFields(kinds, frozenset((*(name.partition("__")[0] for name in kinds), *unfiltered.split())))


MOLECULE = fields(
    text="""
        molecule_chembl_id pref_name molecule_type structure_type indication_class helm_notation
        usan_stem usan_stem_definition usan_substem atc_classifications
        molecule_hierarchy__molecule_chembl_id molecule_hierarchy__parent_chembl_id
        molecule_hierarchy__active_chembl_id
        molecule_properties__full_molformula molecule_properties__molecular_species molecule_properties__ro3_pass
        molecule_structures__canonical_smiles molecule_structures__standard_inchi
        molecule_structures__standard_inchi_key
        molecule_synonyms__molecule_synonym molecule_synonyms__syn_type molecule_synonyms__synonyms
        cross_references__xref_id cross_references__xref_name cross_references__xref_src
        biotherapeutic__description biotherapeutic__helm_notation
    """,
    number="""
        max_phase first_approval usan_year chebi_par_id availability_type black_box_warning chemical_probe chirality
        first_in_class inorganic_flag natural_product orphan polymer_flag prodrug veterinary
        molecule_properties__full_mwt molecule_properties__mw_freebase molecule_properties__mw_monoisotopic
        molecule_properties__alogp molecule_properties__psa molecule_properties__hba molecule_properties__hbd
        molecule_properties__hba_lipinski molecule_properties__hbd_lipinski molecule_properties__rtb
        molecule_properties__aromatic_rings molecule_properties__heavy_atoms molecule_properties__qed_weighted
        molecule_properties__np_likeness_score molecule_properties__num_ro5_violations
        molecule_properties__num_lipinski_ro5_violations molecule_properties__cx_logd molecule_properties__cx_logp
        molecule_properties__cx_most_apka molecule_properties__cx_most_bpka
    """,
    flag="dosed_ingredient oral parenteral therapeutic_flag topical withdrawn_flag",
)
FOUND = ResourceFields(MOLECULE.kinds, MOLECULE.top | {"score"})
"""Of a hit: a molecule with how well it fits."""
TARGET = fields(
    text="""
        target_chembl_id pref_name target_type organism
        target_components__accession target_components__component_description target_components__component_type
        target_components__relationship
        target_components__target_component_synonyms__component_synonym
        target_components__target_component_synonyms__syn_type
    """,
    number="tax_id target_components__component_id",
    flag="species_group_flag",
    unfiltered="cross_references",
)
MECHANISM = fields(
    text="""
        molecule_chembl_id parent_molecule_chembl_id target_chembl_id mechanism_of_action action_type
        binding_site_comment mechanism_comment selectivity_comment
        mechanism_refs__ref_id mechanism_refs__ref_type
    """,
    number="mec_id record_id site_id max_phase direct_interaction disease_efficacy molecular_mechanism",
    unfiltered="variant_sequence",
)
INDICATION = fields(
    text="""
        molecule_chembl_id parent_molecule_chembl_id mesh_id mesh_heading efo_id efo_term
        indication_refs__ref_id indication_refs__ref_type
    """,
    number="drugind_id max_phase_for_ind",
)
ACTIVITY = fields(
    text="""
        molecule_chembl_id molecule_pref_name parent_molecule_chembl_id target_chembl_id target_pref_name
        target_organism target_tax_id assay_chembl_id assay_description assay_type document_chembl_id
        document_journal standard_type standard_relation standard_units standard_text_value
        type relation units text_value activity_comment data_validity_comment data_validity_description
        canonical_smiles bao_endpoint bao_format bao_label uo_units qudt_units
        assay_variant_accession assay_variant_mutation
    """,
    number="""
        activity_id standard_value standard_upper_value value upper_value pchembl_value potential_duplicate
        standard_flag document_year src_id record_id ligand_efficiency__bei ligand_efficiency__le
        ligand_efficiency__lle ligand_efficiency__sei
    """,
    unfiltered="action_type activity_properties toid",
)
LOOKUP = fields(text="chembl_id entity_type status resource_url", number="last_active")
