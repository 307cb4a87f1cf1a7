"""The structures of ChEMBL's starter facts, recalculated; needs RDKit."""

import importlib
import re

import pytest

from biofact.sandbox.services.chembl.corpus import rows_of_starter
from tests.extras import needs

pytestmark = pytest.mark.extras

needs.rdkit()

chem = importlib.import_module("rdkit.Chem")
inchis = importlib.import_module("rdkit.Chem.inchi")
descriptors = importlib.import_module("rdkit.Chem.rdMolDescriptors")

DRAWN_MOLECULES = [row for row in rows_of_starter()["molecule"] if row["molecule_structures"]]


@pytest.mark.parametrize("molecule", DRAWN_MOLECULES, ids=lambda row: row["molecule_chembl_id"])
def test_every_smiles_gives_the_stated_inchi_and_formula(molecule):
    structure, properties = molecule["molecule_structures"], molecule["molecule_properties"]
    drawn_molecule = chem.MolFromSmiles(structure["canonical_smiles"])
    inchi = inchis.MolToInchi(drawn_molecule)

    assert inchi == structure["standard_inchi"]
    assert inchis.InchiToInchiKey(inchi) == structure["standard_inchi_key"]
    assert re.sub(r"[+-]\d*$", "", descriptors.CalcMolFormula(drawn_molecule)) == properties["full_molformula"]
    assert descriptors._CalcMolWt(drawn_molecule) == pytest.approx(float(properties["full_mwt"]), abs=0.06)


@pytest.mark.parametrize(
    ("smiles", "inchi_key"),
    [
        (smiles, row["molecule_structures"]["standard_inchi_key"])
        for row in DRAWN_MOLECULES
        for smiles in row.get("also_smiles", ())
    ],
)
def test_every_other_spelling_is_the_same_structure(smiles, inchi_key):
    assert inchis.InchiToInchiKey(inchis.MolToInchi(chem.MolFromSmiles(smiles))) == inchi_key
