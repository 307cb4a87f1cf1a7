"""The starter facts: whole and consistent."""

import math
import re
from collections import Counter

import pytest

from biofact.sandbox.services.chembl import starters
from biofact.sandbox.services.chembl.starters import starter_facts

FACTS = starter_facts()
MOLECULES = {molecule.id: molecule for molecule in FACTS.molecules}
TARGETS = {target.id: target for target in FACTS.targets}
EGFR = [activity for activity in FACTS.activities if activity.target == "CHEMBL203"]

WEIGHTS = """
  H=1.008 He=4.0026 C=12.011 N=14.007 O=15.999 F=18.998 P=30.974 S=32.06 Cl=35.45 Ca=40.078 Fe=55.845 Br=79.904
  Pt=195.084
"""
"""Of atoms."""
WITH_PCHEMBL = {"IC50", "XC50", "EC50", "AC50", "Ki", "Kd", "Potency"}
TYPES = {
    *("Small molecule", "Protein", "Antibody", "Antibody drug conjugate", "Enzyme", "Oligonucleotide"),
    *("Oligosaccharide", "Cell", "Gene", "Unknown"),
}
NAMES = """
  aspirin=25 acetylsalicylic_acid=25 imatinib=941 gleevec=941,1642 glivec=941,1642 sti-571=941,1642 tylenol=112
  paracetamol=112 acetaminophen=112 vitamin_c=196 5-fu=185 ozempic=2108724 heparin=1909300 trastuzumab-dkst=1201585
  l-serine=11298 d-serine=285123 augmentin=1082,777 paxlovid=4802135,163 viagra=192,1737 cisplatin=11359,2068237
  glucose=1222250 ethanol=545 penicillin_g=29 valium=12 levocetirizine=1201191 esomeprazole=1201320 keytruda=3137343
"""
"""Names that people use, with the numbers of their ChEMBL IDs."""
UNICHEM_FORMS = {
    1: r"CHEMBL\d+",
    2: r"DB\d{5}",
    3: r"[A-Z0-9]{3}",
    6: r"C\d{5}",
    7: r"\d+",
    22: r"\d+",
}


def atoms(formula: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for part in formula.split("."):
        match = re.fullmatch(r"(\d*)(.*)", part)
        assert match
        for symbol, count in re.findall(r"([A-Z][a-z]?)(\d*)", match[2]):
            counted[symbol] += int(match[1] or 1) * int(count or 1)
    return counted


def named(name: str) -> set[str]:
    wanted = name.casefold()
    return {
        molecule.id
        for molecule in FACTS.molecules
        if wanted in {molecule.name.casefold(), *(synonym.name.casefold() for synonym in molecule.synonyms)}
    }


def test_there_is_enough_of_everything():
    rows_of = Counter(row.molecule for row in FACTS.indications)

    assert len(MOLECULES) == len(FACTS.molecules) >= 65
    assert len(TARGETS) == len(FACTS.targets) >= 25
    assert len({row.molecule for row in FACTS.mechanisms}) >= 40
    assert len(FACTS.indications) >= 60
    assert max(rows_of.values()) > 20
    assert len(FACTS.activities) >= 250
    assert len(EGFR) > 120
    assert len({row.molecule for row in EGFR}) > 30
    assert max(Counter(row.molecule for row in FACTS.activities).values()) > 60
    assert max(len(entries) for entries in FACTS.ligands.values()) > 20


def test_every_kind_of_molecule_is_there():
    molecules = FACTS.molecules

    assert {molecule.type for molecule in molecules} == TYPES
    assert {molecule.max_phase for molecule in molecules} == {4.0, 3.0, 2.0, 1.0, 0.5, -1.0, None}
    assert any(molecule.is_withdrawn for molecule in molecules)
    assert any(molecule.has_black_box_warning for molecule in molecules)
    assert any(molecule.substance_ids for molecule in molecules)
    assert any(molecule.also_smiles for molecule in molecules)
    assert any(not molecule.name and not molecule.synonyms for molecule in molecules)
    assert len({synonym.name.casefold() for synonym in MOLECULES["CHEMBL25"].synonyms}) > 20


@pytest.mark.parametrize("line", NAMES.split())
def test_a_name_that_people_use_is_there(line):
    name, _, numbers = line.partition("=")

    assert named(name.replace("_", " ")) == {f"CHEMBL{number}" for number in numbers.split(",")}


def test_every_kind_of_measurement_is_there():
    rows = FACTS.activities
    measured = {(row.molecule, row.standard_type, row.units): set() for row in EGFR}
    for row in EGFR:
        measured[row.molecule, row.standard_type, row.units].add(row.value)

    assert {row.relation for row in rows} == {"=", ">", "<", ">=", "<=", "~", ""}
    assert {row.assay_type for row in rows} == {*"BFATPU"}
    assert len({row.units for row in rows}) > 5
    assert len({row.validity for row in rows}) > 4
    assert any(row.is_duplicate for row in rows)
    assert any(row.relation == "=" and row.units == "nM" and not row.pchembl for row in rows)
    assert sum(len(values) > 2 for values in measured.values()) > 5


def test_ids_are_well_formed_and_stand_for_one_thing():
    assays = {row.assay for row in FACTS.activities}
    documents = {row.document for row in FACTS.activities}
    known = [*MOLECULES, *TARGETS, *assays, *documents, *(row.id for row in FACTS.ids)]

    assert len(known) == len(set(known))
    assert all(re.fullmatch(r"CHEMBL[1-9]\d*", chembl_id) for chembl_id in known)
    assert {row.status for row in FACTS.ids if row.type == "COMPOUND"} == {"INACTIVE"}
    assert {"CELL", "TISSUE"} <= {row.type for row in FACTS.ids}
    for rows in (FACTS.mechanisms, FACTS.indications, FACTS.activities):
        assert len({row.id for row in rows}) == len(rows)
    assert all(int(chembl_id.removeprefix("CHEMBL")) > 9_990_000 for chembl_id in assays | documents)


def test_every_reference_resolves():
    for molecule in FACTS.molecules:
        assert not molecule.active or molecule.active in MOLECULES
        assert not molecule.parent or not MOLECULES[molecule.parent].parent
        assert not molecule.active or molecule.active != molecule.parent
    assert {row.molecule for row in (*FACTS.mechanisms, *FACTS.indications, *FACTS.activities)} <= MOLECULES.keys()
    assert {row.target for row in (*FACTS.mechanisms, *FACTS.activities)} - {""} <= TARGETS.keys()
    assert {molecule.id for molecule in FACTS.molecules if molecule.active} == {"CHEMBL578"}


def test_some_mechanisms_are_filed_on_a_salt_and_some_have_no_target():
    assert {row.molecule for row in FACTS.mechanisms if MOLECULES[row.molecule].parent == "CHEMBL941"} == {"CHEMBL1642"}
    assert not any(row.molecule == "CHEMBL941" for row in FACTS.mechanisms)
    assert any(not row.target for row in FACTS.mechanisms)


def test_a_pchembl_is_the_negative_logarithm_of_its_molar_value():
    for row in FACTS.activities:
        if row.pchembl:
            assert (row.relation, row.units) == ("=", "nM")
            assert row.standard_type in WITH_PCHEMBL
            assert row.validity in {"", "Manually validated"}
            assert row.pchembl == f"{9 - math.log10(float(row.value)):.2f}"


def test_formula_and_weight_agree():
    compared = [molecule for molecule in FACTS.molecules if molecule.properties]
    weights = {symbol: float(weight) for symbol, weight in (pair.split("=") for pair in WEIGHTS.split())}

    assert len(compared) > 90
    for molecule in compared:
        properties = molecule.properties
        heavier = -1.001 if molecule.id == "CHEMBL1201189" else 0.0  # its nitrogen is 13N
        weight = sum(weights[symbol] * count for symbol, count in atoms(properties.formula).items()) + heavier
        assert float(properties.weight) == pytest.approx(weight, abs=0.06), molecule.id
        assert re.fullmatch(r"\d+\.\d\d", properties.weight)


def test_structures_agree_with_their_formulas():
    structures = [molecule for molecule in FACTS.molecules if molecule.structure]
    keys = [molecule.structure.inchi_key for molecule in structures]

    assert len(set(keys)) == len(keys) > 90
    assert all(re.fullmatch(r"[A-Z]{14}-[A-Z]{8}SA-[A-Z]", key) for key in keys)
    for molecule in structures:
        prefix, layer, *layers = molecule.structure.inchi.split("/")
        protons = sum(int(text[1:]) for text in layers if re.fullmatch(r"p[+-]\d+", text))
        counted = atoms(layer)
        counted["H"] += protons
        assert prefix == "InChI=1S"
        assert +counted == atoms(molecule.properties.formula), molecule.id


def test_indications_have_ids_of_their_vocabularies():
    for row in FACTS.indications:
        assert re.fullmatch(r"D\d{6,9}", row.mesh_id)
        assert re.fullmatch(r"(EFO|MONDO|HP|GO|Orphanet|MP):\d+", row.efo_id)
        assert row.mesh_heading
        assert row.efo_term
        assert row.max_phase in {4.0, 3.0, 2.0, 1.0, 0.5}


def test_ids_elsewhere_belong_to_a_structure_of_ours():
    keys = {molecule.structure.inchi_key: molecule.id for molecule in FACTS.molecules if molecule.structure}
    codes = {value for row in FACTS.elsewhere for source, value in row.ids if source == 3}

    assert len(FACTS.elsewhere) > 60
    assert set(FACTS.ligands) <= codes
    assert all(re.fullmatch(r"[1-9][a-z0-9]{3}", entry) for entries in FACTS.ligands.values() for entry in entries)
    for row in FACTS.elsewhere:
        assert (1, keys[row.inchi_key]) in row.ids
        assert all(re.fullmatch(UNICHEM_FORMS[source], value) for source, value in row.ids), row


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"colour": "red"}, "expected one of"),
        ({"flags": "famous"}, "expected one of withdrawn"),
        ({"smiles": "O"}, "expected smiles, inchi, inchi_key together"),
        ({"formula": "H2O"}, "expected both"),
        ({"formula": "H2O", "weight": "18.02", "calculated": "mass=18"}, "expected forms like"),
    ],
)
def test_a_bad_compound_says_what_was_expected(entry, expected):
    with pytest.raises(ValueError, match=expected):
        starters._molecule("CHEMBL25", entry)


def test_a_bad_line_says_what_was_expected():
    with pytest.raises(ValueError, match="expected a form like '22=2244'"):
        list(starters._elsewhere("CHEMBL25", "1=CHEMBL25 2244"))
    with pytest.raises(ValueError, match=r"expected one of assays\.tsv"):
        starters._activity(["1", "CHEMBL9990001", "CHEMBL25", "IC50", "=", "1", "nM", "", "", ""], {})
    with pytest.raises(ValueError, match="expected one like 42"):
        starters._target(["CHEMBL203", "EGFR", "SINGLE PROTEIN", "Homo sapiens", "human", "P00533"])
    with pytest.raises(ValueError, match=r"expected one like 0\.5"):
        starters._indication(["1", "CHEMBL25", "four", "D010146", "Pain", "EFO:0003843", "pain"])


@pytest.mark.parametrize(
    ("chembl_id", "name", "target"),
    [
        ("CHEMBL1201583", "BEVACIZUMAB", "CHEMBL1783"),  # the ID that specification 002 has for an example
        ("CHEMBL521686", "OLAPARIB", "CHEMBL3390820"),
        ("CHEMBL3137309", "VENETOCLAX", "CHEMBL4860"),
    ],
)
def test_what_others_try_first_is_there_with_its_target(chembl_id: str, name: str, target: str) -> None:
    facts = starter_facts()

    assert [one.name for one in facts.molecules if one.id == chembl_id] == [name]
    assert [one.target for one in facts.mechanisms if one.molecule == chembl_id] == [target]
