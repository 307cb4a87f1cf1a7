"""The structures of ChEMBL's starter facts, calculated anew; needs RDKit."""

import importlib
import re

import pytest

from biofact.sandbox.services.chembl.starters import starter_facts
from tests.extras import needs

needs.rdkit()

chem = importlib.import_module("rdkit.Chem")
inchis = importlib.import_module("rdkit.Chem.inchi")
descriptors = importlib.import_module("rdkit.Chem.rdMolDescriptors")

DRAWN = [molecule for molecule in starter_facts().molecules if molecule.structure]


@pytest.mark.parametrize("molecule", DRAWN, ids=lambda molecule: molecule.id)
def test_every_smiles_gives_the_stated_inchi_and_formula(molecule):
    drawn = chem.MolFromSmiles(molecule.structure.smiles)
    inchi = inchis.MolToInchi(drawn)

    assert inchi == molecule.structure.inchi
    assert inchis.InchiToInchiKey(inchi) == molecule.structure.inchi_key
    assert re.sub(r"[+-]\d*$", "", descriptors.CalcMolFormula(drawn)) == molecule.properties.formula
    assert descriptors._CalcMolWt(drawn) == pytest.approx(float(molecule.properties.weight), abs=0.06)


@pytest.mark.parametrize(
    ("smiles", "inchi_key"),
    [(smiles, molecule.structure.inchi_key) for molecule in DRAWN for smiles in molecule.also_smiles],
)
def test_every_other_spelling_is_the_same_structure(smiles, inchi_key):
    assert inchis.InchiToInchiKey(inchis.MolToInchi(chem.MolFromSmiles(smiles))) == inchi_key
