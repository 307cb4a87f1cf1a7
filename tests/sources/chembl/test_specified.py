"""The fields and examples of a compound in specification 002."""

import pytest

from tests.marks import requirement
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

FIELDS = {
    *("id", "name", "molecular_formula", "molecular_weight", "smiles", "inchi", "canonical_name", "synonyms"),
    "cross_references",
}
CORE = {"uniprot", "pdb", "pubchem_compound", "drugbank", "kegg", "chembl"}


def compound(chembl_id, **options):
    record = on_sandbox("chembl", lambda chembl, _: chembl.get_compound(chembl_id, **options))
    return record.model_dump(mode="json")


@requirement("002 FR-014", "002 KE-Compound", "002 KE-XRef")
def test_a_compound_has_the_specified_fields():
    record = compound("CHEMBL:25", include=["chemistry"])  # its InChI takes it beyond the budget of a record

    assert record.keys() >= FIELDS
    assert record["category"] == "biolink:SmallMolecule"
    assert [name for name in FIELDS if isinstance(record[name], dict)] == ["cross_references"]  # all else is flat
    assert record["cross_references"].keys() >= CORE
    assert all(record["cross_references"].values())


@requirement("002 US1-1")
def test_a_candidate_of_a_drug_has_molecular_properties():
    row = on_sandbox("chembl", lambda chembl, _: chembl.search_compounds("imatinib")).items[0].model_dump(mode="json")

    assert (row["id"], row["name"], row["score"]) == ("CHEMBL:941", "IMATINIB", 1.0)
    assert (row["molecular_formula"], row["molecular_weight"]) == ("C29H31N7O", 493.62)
    assert (row["molecule_type"], row["max_phase"]) == ("Small molecule", 4.0)


@requirement("002 FR-008")
@pytest.mark.parametrize(("chembl_id", "name"), [("CHEMBL:25", "ASPIRIN"), ("CHEMBL:1201583", "BEVACIZUMAB")])
def test_the_ids_of_the_specification_are_answered(chembl_id, name):
    record = compound(chembl_id)

    assert (record["id"], record["name"]) == (chembl_id, name)
