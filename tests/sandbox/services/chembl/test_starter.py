"""The starter facts: whole and consistent."""

import math
import re
from collections import Counter, defaultdict

import pytest

from biofact.sandbox.services.chembl.corpus import rows_of_starter, whole_rows

pytestmark = pytest.mark.quick

STARTER = rows_of_starter()
ROWS = whole_rows(STARTER)
MOLECULES = {row["molecule_chembl_id"]: row for row in ROWS["molecule"]}
STRUCTURES = {uid: row["molecule_structures"] for uid, row in MOLECULES.items() if row["molecule_structures"]}
TARGETS = {row["target_chembl_id"]: row for row in ROWS["target"]}
EGFR = [row for row in ROWS["activity"] if row["target_chembl_id"] == "CHEMBL203"]
OF_DRUGS = (*ROWS["mechanism"], *ROWS["drug_indication"], *ROWS["activity"])
KEYS = {"mechanism": "mec_id", "drug_indication": "drugind_id", "activity": "activity_id"}

WEIGHTS = """
  H=1.008 He=4.0026 C=12.011 N=14.007 O=15.999 F=18.998 P=30.974 S=32.06 Cl=35.45 Ca=40.078 Fe=55.845 Br=79.904
  Pt=195.084
"""
"""Masses of atoms."""
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
RELATIONSHIPS = {
    "SINGLE PROTEIN": "SINGLE PROTEIN",
    "PROTEIN COMPLEX": "PROTEIN SUBUNIT",
    "PROTEIN NUCLEIC-ACID COMPLEX": "PROTEIN SUBUNIT",
    "NUCLEIC-ACID": "RNA",
}
"""The relation of a component to a target of this type; it is a member of a group for all others."""
ENDPOINTS = {"GI50": "BAO_0000189", "IC50": "BAO_0000190"}
"""By standard type, as recorded."""
UNITS = {
    "nM": ("UO_0000065", "http://www.openphacts.org/units/Nanomolar"),
    "%": ("UO_0000187", None),
}
"""Ontology terms of units, as recorded."""
UNICHEM_FORMS = {
    1: r"CHEMBL\d+",
    2: r"DB\d{5}",
    3: r"[A-Z0-9]{3}",
    6: r"C\d{5}",
    7: r"\d+",
    22: r"\d+",
}


def atoms(formula: str) -> Counter[str]:
    counter: Counter[str] = Counter()
    for part in formula.split("."):
        match = re.fullmatch(r"(\d*)(.*)", part)
        assert match
        for symbol, count in re.findall(r"([A-Z][a-z]?)(\d*)", match[2]):
            counter[symbol] += int(match[1] or 1) * int(count or 1)
    return counter


def ids_named(name: str) -> set[str]:
    return {uid for uid, row in MOLECULES.items() if name.casefold() in names_of(row)}


def names_of(row: dict) -> set[str]:
    synonyms = (synonym["synonyms"] for synonym in row["molecule_synonyms"])
    return {pref_name.casefold() for pref_name in (row["pref_name"] or "", *synonyms) if pref_name}


def parent(uid: str) -> str:
    return MOLECULES[uid]["molecule_hierarchy"]["parent_chembl_id"]


def test_there_is_enough_of_everything():
    def molecules_of(table: str) -> Counter[str]:
        return Counter(row["molecule_chembl_id"] for row in ROWS[table])

    assert len(MOLECULES) == len(STARTER["molecule"]) >= 65
    assert len(TARGETS) == len(STARTER["target"]) >= 25
    assert len(molecules_of("mechanism")) >= 40
    assert len(ROWS["drug_indication"]) >= 60
    assert max(molecules_of("drug_indication").values()) > 20
    assert len(ROWS["activity"]) >= 250
    assert len(EGFR) > 120
    assert len({row["molecule_chembl_id"] for row in EGFR}) > 30
    assert max(molecules_of("activity").values()) > 60
    assert max(len(row["entries"]) for row in STARTER["pdb_ligand"]) > 20


def test_every_kind_of_molecule_is_there():
    rows = ROWS["molecule"]

    assert {row["molecule_type"] for row in rows} == TYPES
    assert {row["max_phase"] for row in rows} == {"4.0", "3.0", "2.0", "1.0", "0.5", "-1.0", None}
    assert any(row["withdrawn_flag"] for row in rows)
    assert any(row["black_box_warning"] for row in rows)
    assert any(row["cross_references"] for row in rows)
    assert any("also_smiles" in row for row in STARTER["molecule"])
    assert any(not names_of(row) for row in rows)
    assert len(names_of(MOLECULES["CHEMBL25"])) > 20


def test_the_structure_type_of_a_molecule_agrees_with_its_parts():
    for uid, row in MOLECULES.items():
        parts = (bool(row["molecule_structures"]), bool(row["biotherapeutic"]))
        kinds = {(True, True): "BOTH", (True, False): "MOL", (False, True): "SEQ", (False, False): "NONE"}
        assert row["structure_type"] == kinds[parts], uid
        assert row["therapeutic_flag"] == (row["max_phase"] == "4.0"), uid
        assert not row["biotherapeutic"] or row["biotherapeutic"]["molecule_chembl_id"] == uid


def test_repeated_facts_agree():
    for row in ROWS["target"]:
        relationships = {component["relationship"] for component in row["target_components"]}
        assert not relationships or relationships == {RELATIONSHIPS.get(row["target_type"], "GROUP MEMBER")}
        descriptions = {component["component_description"] for component in row["target_components"]}
        assert descriptions <= ({row["pref_name"]} if len(row["target_components"]) == 1 else {None})
    for row in ROWS["activity"]:
        assert row["bao_endpoint"] == ENDPOINTS.get(row["standard_type"])
        assert (row["uo_units"], row["qudt_units"]) == UNITS.get(row["standard_units"], (None, None))
        assert row["standard_flag"] == int(row["standard_value"] is not None)
    assert {row["last_active"] for row in ROWS["chembl_id_lookup"] if row["status"] == "ACTIVE"} == {37}


def test_a_name_that_people_use_is_there(subtests):
    for line in NAMES.split():
        with subtests.test(line=line):
            name, _, numbers = line.partition("=")

            assert ids_named(name.replace("_", " ")) == {f"CHEMBL{number}" for number in numbers.split(",")}


def test_every_kind_of_measurement_is_there():
    rows = ROWS["activity"]
    figures: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for row in EGFR:
        figures[row["molecule_chembl_id"], row["standard_type"], row["standard_units"]].add(row["standard_value"])

    assert {row["standard_relation"] for row in rows} == {"=", ">", "<", ">=", "<=", "~", None}
    assert {row["assay_type"] for row in rows} == {*"BFATPU"}
    assert len({row["standard_units"] for row in rows}) > 5
    assert len({row["data_validity_comment"] for row in rows}) > 4
    assert any(row["potential_duplicate"] for row in rows)
    assert any((row["relation"], row["units"], row["pchembl_value"]) == ("=", "nM", None) for row in rows)
    assert sum(len(values) > 2 for values in figures.values()) > 5


def test_ids_are_well_formed_and_stand_for_one_thing():
    assays = {row["assay_chembl_id"] for row in STARTER["assay"]}
    documents = {row["document_chembl_id"] for row in STARTER["assay"]}
    chembl_id_lookup = STARTER["chembl_id_lookup"]
    moleculess = [*MOLECULES, *TARGETS, *assays, *documents, *(row["chembl_id"] for row in chembl_id_lookup)]

    assert len(moleculess) == len(set(moleculess))
    assert all(re.fullmatch(r"CHEMBL[1-9]\d*", chembl_id) for chembl_id in moleculess)
    assert {row["status"] for row in chembl_id_lookup if row["entity_type"] == "COMPOUND"} == {"INACTIVE"}
    assert {"CELL", "TISSUE"} <= {row["entity_type"] for row in chembl_id_lookup}
    for table, key in KEYS.items():
        assert len({row[key] for row in ROWS[table]}) == len(ROWS[table])
    assert all(int(chembl_id.removeprefix("CHEMBL")) > 9_990_000 for chembl_id in assays | documents)


def test_every_reference_resolves():
    hierarchies = [row["molecule_hierarchy"] for row in ROWS["molecule"]]
    active = {hierarchy["molecule_chembl_id"]: hierarchy["active_chembl_id"] for hierarchy in hierarchies}

    assert {*map(parent, MOLECULES), *active.values()} <= MOLECULES.keys()
    assert all(parent(parent(uid)) == parent(uid) for uid in MOLECULES)
    assert {row["molecule_chembl_id"] for row in OF_DRUGS} <= MOLECULES.keys()
    assert {row.get("target_chembl_id") for row in OF_DRUGS} - {None} <= TARGETS.keys()
    assert {row["assay_chembl_id"] for row in ROWS["activity"]} <= {row["assay_chembl_id"] for row in STARTER["assay"]}
    assert {uid for uid, other in active.items() if other != parent(uid)} == {"CHEMBL578"}


def test_some_mechanisms_are_filed_on_a_salt_and_some_have_no_target():
    imatinib = [row for row in ROWS["mechanism"] if row["parent_molecule_chembl_id"] == "CHEMBL941"]

    assert {row["molecule_chembl_id"] for row in imatinib} == {"CHEMBL1642"}
    assert any(not row["target_chembl_id"] for row in ROWS["mechanism"])


def test_a_pchembl_is_the_negative_logarithm_of_its_molar_value():
    for row in ROWS["activity"]:
        if row["pchembl_value"]:
            assert (row["relation"], row["units"]) == ("=", "nM")
            assert row["standard_type"] in WITH_PCHEMBL
            assert row["data_validity_comment"] in {None, "Manually validated"}
            assert row["pchembl_value"] == f"{9 - math.log10(float(row['value'])):.2f}"


def test_formula_and_weight_agree():
    molecule_properties = {
        uid: row["molecule_properties"] for uid, row in MOLECULES.items() if row["molecule_properties"]
    }
    weights = {symbol: float(weight) for symbol, weight in (pair.split("=") for pair in WEIGHTS.split())}

    assert len(molecule_properties) > 90
    for uid, properties in molecule_properties.items():
        heavier = -1.001 if uid == "CHEMBL1201189" else 0.0  # its nitrogen is 13N
        counts = atoms(properties["full_molformula"])
        weight = sum(weights[symbol] * count for symbol, count in counts.items()) + heavier
        assert float(properties["full_mwt"]) == pytest.approx(weight, abs=0.06), uid
        assert re.fullmatch(r"\d+\.\d\d", properties["full_mwt"])


def test_structures_agree_with_their_formulas():
    keys = [structure["standard_inchi_key"] for structure in STRUCTURES.values()]

    assert len(set(keys)) == len(keys) > 90
    assert all(re.fullmatch(r"[A-Z]{14}-[A-Z]{8}SA-[A-Z]", key) for key in keys)
    for uid, structure in STRUCTURES.items():
        prefix, layer, *layers = structure["standard_inchi"].split("/")
        protons = sum(int(text[1:]) for text in layers if re.fullmatch(r"p[+-]\d+", text))
        counts = atoms(layer)
        counts["H"] += protons
        assert prefix == "InChI=1S"
        assert +counts == atoms(MOLECULES[uid]["molecule_properties"]["full_molformula"]), uid


def test_indications_have_ids_of_their_vocabularies():
    for row in ROWS["drug_indication"]:
        assert re.fullmatch(r"D\d{6,9}", row["mesh_id"])
        assert re.fullmatch(r"(EFO|MONDO|HP|GO|Orphanet|MP):\d+", row["efo_id"])
        assert row["mesh_heading"]
        assert row["efo_term"]
        assert row["max_phase_for_ind"] in {"4.0", "3.0", "2.0", "1.0", "0.5"}


def test_ids_of_other_databases_belong_to_a_structure_of_the_facts():
    keys = {structure["standard_inchi_key"]: uid for uid, structure in STRUCTURES.items()}
    compounds, ligands = STARTER["unichem_compound"], STARTER["pdb_ligand"]
    codes = {source["compoundId"] for row in compounds for source in row["sources"] if source["id"] == 3}

    assert len(compounds) > 60
    assert {row["code"] for row in ligands} <= codes
    assert all(re.fullmatch(r"[1-9][a-z0-9]{3}", entry) for row in ligands for entry in row["entries"])
    for row in compounds:
        assert {"id": 1, "compoundId": keys[row["standardInchiKey"]]} in row["sources"]
        assert all(re.fullmatch(UNICHEM_FORMS[source["id"]], source["compoundId"]) for source in row["sources"]), row


def test_well_known_drugs_are_there_with_their_targets(subtests: pytest.Subtests) -> None:
    cases = [
        ("CHEMBL1201583", "BEVACIZUMAB", "CHEMBL1783"),  # the ID that specification 002 has for an example
        ("CHEMBL521686", "OLAPARIB", "CHEMBL3390820"),
        ("CHEMBL3137309", "VENETOCLAX", "CHEMBL4860"),
    ]
    for chembl_id, name, target in cases:
        with subtests.test(name=name):
            mechanisms = [row for row in ROWS["mechanism"] if row["molecule_chembl_id"] == chembl_id]

            assert MOLECULES[chembl_id]["pref_name"] == name
            assert [row["target_chembl_id"] for row in mechanisms] == [target]
