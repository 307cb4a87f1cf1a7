"""The facts of the recorded molecules, read off the files by hand; and all recorded molecules unchanged."""

import json
from collections.abc import Iterator

from tests.recordings import FOLDER, recording

MOLECULES = sorted(path.name for path in FOLDER.glob("chembl/molecule_*.json"))
ALSO_MOLECULES = ["glados_CHEMBL25Attributes.json", "glados_CHEMBL2107978Attributes.json"]
LISTS = [
    *("client_demo_cell9_other.json", "client_demo_cell13_other.json", "client_demo_cell17_molecule.json"),
    *("client_demo_cell21_other.json", "client_demo_cell25_molecule.json", "search_results_Dopamine.json"),
]
PAGES = ["similarity_Page1_ws.json", "similarity_Page2_ws.json"]
OTHER_SHAPE = [
    *("es_CHEMBL1201644proteinesResponse.json", "es_CHEMBL2108122OligosaccharidgeesResponse.json"),
    *("es_CHEMBL2109133UnknownesResponse.json", "es_CHEMBL2109414AntibodyesResponse.json"),
    *("es_CHEMBL2296002esResponse.json", "es_CHEMBL364516MetalContainingesResponse.json"),
]


def all_molecules() -> Iterator[dict]:
    """Every molecule of every recording; a list that was cut ends with a text."""
    for name in [*MOLECULES, *ALSO_MOLECULES]:
        yield json.loads(recording(f"chembl/{name}"))
    for name in LISTS:
        yield from (item for item in json.loads(recording(f"chembl/{name}")) if isinstance(item, dict))
    for name in PAGES:
        yield from json.loads(recording(f"chembl/{name}"))["molecules"]
    for name in OTHER_SHAPE:
        yield json.loads(recording(f"chembl/{name}"))["_source"]


ERLOTINIB = {
    "id": "CHEMBL:553",
    "name": "ERLOTINIB",
    "canonical_name": "ERLOTINIB",
    "molecular_formula": "C22H23N3O4",
    "molecular_weight": 393.44,
    "smiles": "COCCOc1cc2ncnc(Nc3cccc(c3)C#C)c2cc1OCCOC",
    "inchi": (
        "InChI=1S/C22H23N3O4/c1-4-16-6-5-7-17(12-16)25-22-18-13-20(28-10-8-26-2)21(29-11-9-27-3)14-19(18)23-15-24-22"
        "/h1,5-7,12-15H,8-11H2,2-3H3,(H,23,24,25)"
    ),
    "inchi_key": "AAKJLRGGTJKAMG-UHFFFAOYSA-N",
    "synonyms": ["Tarceva", "CP-358774", "OSI-774", "R-1415", "RG-1415", "Ro-508231"],
    "molecule_type": "Small molecule",
    "max_phase": 4.0,
    "first_approval": 2004,
    "withdrawn": False,
    "black_box_warning": False,
    "alogp": 3.41,
    "hba": 7,
    "hbd": 1,
    "ro5_violations": 0,
    "cross_references": {
        "chembl": "CHEMBL553",
        "pubchem_substance": [
            *("103905339", "124893165", "124893166", "144205755"),
            *("170465434", "26757996", "50100099", "85267493"),
        ],
    },
    "category": "biolink:SmallMolecule",
}
ASPIRIN = {
    "id": "CHEMBL:25",
    "name": "ASPIRIN",
    "canonical_name": "ASPIRIN",
    "molecular_formula": "C9H8O4",
    "molecular_weight": 180.16,
    "smiles": "CC(=O)Oc1ccccc1C(=O)O",
    "inchi": "InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)",
    "inchi_key": "BSYNRYMUTXBXSQ-UHFFFAOYSA-N",
    "synonyms": [
        *("Acetylsalicylic Acid", "8-Hour Bayer", "Acetosalic Acid", "Bayer Extra Strength"),
        *("Ecotrin", "Equi-Prin", "Measurin", "Salicylic Acid Acetate"),
    ],
    "molecule_type": "Small molecule",
    "max_phase": 4.0,
    "first_approval": 1950,
    "withdrawn": False,
    "black_box_warning": False,
    "alogp": 1.23,
    "hba": 4,
    "hbd": 1,
    "ro5_violations": 0,
    "cross_references": {"chembl": "CHEMBL25"},
    "category": "biolink:SmallMolecule",
}
_WITHOUT_STRUCTURE = {"withdrawn": False, "black_box_warning": False}
INSULIN = _WITHOUT_STRUCTURE | {
    "id": "CHEMBL:1201644",
    "name": "INSULIN ZINC SUSP RECOMBINANT HUMAN",
    "canonical_name": "INSULIN ZINC SUSP RECOMBINANT HUMAN",
    "synonyms": ["Humulin L", "Novolin L"],
    "molecule_type": "Protein",
    "max_phase": 4.0,
    "first_approval": 1985,
    "cross_references": {"chembl": "CHEMBL1201644"},
    "category": "biolink:Protein",
}
ANTIBODY = _WITHOUT_STRUCTURE | {
    "id": "CHEMBL:2109414",
    "name": "IMGN-853",
    "canonical_name": "IMGN-853",
    "molecule_type": "Antibody",
    "max_phase": 1.0,
    "cross_references": {"chembl": "CHEMBL2109414"},
    "category": "biolink:Protein",
}
OLIGOSACCHARIDE = _WITHOUT_STRUCTURE | {
    "id": "CHEMBL:2108122",
    "name": "PENTASTARCH",
    "canonical_name": "PENTASTARCH",
    "synonyms": ["Pentaspan", "ASL-607"],
    "molecule_type": "Oligosaccharide",
    "max_phase": 4.0,
    "cross_references": {"chembl": "CHEMBL2108122"},
    "category": "biolink:ChemicalEntity",
}
POLYMER = _WITHOUT_STRUCTURE | {
    "id": "CHEMBL:2108458",
    "name": "NELFILCON A",
    "canonical_name": "NELFILCON A",
    "molecule_type": "Small molecule",
    "max_phase": 3.0,
    "cross_references": {"chembl": "CHEMBL2108458"},
    "category": "biolink:SmallMolecule",
}
UNKNOWN = _WITHOUT_STRUCTURE | {
    "id": "CHEMBL:2109133",
    "name": "MAGNESIUM SILICATE",
    "canonical_name": "MAGNESIUM SILICATE",
    "molecule_type": "Unknown",
    "cross_references": {"chembl": "CHEMBL2109133"},
    "category": "biolink:ChemicalEntity",
}
PEPPERMINT = _WITHOUT_STRUCTURE | {
    "id": "CHEMBL:2107978",
    "name": "PEPPERMINT SPIRIT",
    "canonical_name": "PEPPERMINT SPIRIT",
    "molecule_type": "Unknown",
    "cross_references": {"chembl": "CHEMBL2107978"},
    "category": "biolink:ChemicalEntity",
}
PYROTINIB = _WITHOUT_STRUCTURE | {
    "id": "CHEMBL:3544956",
    "name": "Pyrotinib",
    "canonical_name": "Pyrotinib",
    "molecule_type": "Small molecule",
    "max_phase": 2.0,
    "cross_references": {"chembl": "CHEMBL3544956"},
    "category": "biolink:SmallMolecule",
}
BY_FILE = {
    "molecule_CHEMBL553_erlotinib.json": ERLOTINIB,
    "molecule_CHEMBL25_ws.json": ASPIRIN,
    "glados_CHEMBL25Attributes.json": ASPIRIN,
    "glados_CHEMBL2107978Attributes.json": PEPPERMINT,
    "molecule_CHEMBL1201644_ws_protein.json": INSULIN,
    "molecule_CHEMBL2109414_ws_Antibody.json": ANTIBODY,
    "molecule_CHEMBL2108122_ws_Oligosaccharidge.json": OLIGOSACCHARIDE,
    "molecule_CHEMBL2108458_ws_SmallPolymer.json": POLYMER,
    "molecule_CHEMBL2109133_ws_Unknown.json": UNKNOWN,
    "molecule_CHEMBL3544956_ws_smallMolecule.json": PYROTINIB,
}

_LIGHTEST = {
    "molecule_type": "Small molecule",
    "max_phase": 4.0,
    "withdrawn": False,
    "black_box_warning": False,
    "category": "biolink:SmallMolecule",
}
HELIUM = _LIGHTEST | {
    "id": "CHEMBL:1796997",
    "name": "HELIUM",
    "canonical_name": "HELIUM",
    "molecular_formula": "He",
    "molecular_weight": 4.0,
    "smiles": "[He]",
    "inchi": "InChI=1S/He",
    "inchi_key": "SWQJXJOGLNCZEY-UHFFFAOYSA-N",
    "synonyms": ["E939", "E-939", "INS-939", "INS NO.939"],
    "first_approval": 2015,
    "cross_references": {"chembl": "CHEMBL1796997"},
}
AMMONIA = _LIGHTEST | {
    "id": "CHEMBL:1160819",
    "name": "AMMONIA SOLUTION, STRONG",
    "canonical_name": "AMMONIA SOLUTION, STRONG",
    "molecular_formula": "H3N",
    "molecular_weight": 17.03,
    "smiles": "N",
    "inchi": "InChI=1S/H3N/h1H3",
    "inchi_key": "QGZKDVFQNNGYKY-UHFFFAOYSA-N",
    "synonyms": ["Ammonia", "Ammonia water", "Ammonia spirit, aromatic", "E-527", "INS-527", "INS NO.527"],
    "first_approval": 2007,
    "alogp": 0.16,
    "hba": 1,
    "hbd": 1,
    "ro5_violations": 0,
    "cross_references": {"chembl": "CHEMBL1160819"},
}
AMMONIA_N_13 = AMMONIA | {
    "id": "CHEMBL:1201189",
    "name": "AMMONIA N 13",
    "canonical_name": "AMMONIA N 13",
    "molecular_weight": 16.03,
    "smiles": "[13NH3]",
    "inchi": "InChI=1S/H3N/h1H3/i1-1",
    "inchi_key": "QGZKDVFQNNGYKY-BJUDXGSMSA-N",
    "synonyms": ["Ammonia n-13", "13n", "Ammonia (13N)"],
    "parent": "CHEMBL:1160819",
    "cross_references": {"chembl": "CHEMBL1201189"},
}
WATER = _LIGHTEST | {
    "id": "CHEMBL:1098659",
    "name": "WATER",
    "canonical_name": "WATER",
    "molecular_formula": "H2O",
    "molecular_weight": 18.02,
    "smiles": "O",
    "inchi": "InChI=1S/H2O/h1H2",
    "inchi_key": "XLYOFNOQVPJJNP-UHFFFAOYSA-N",
    "synonyms": [
        *("Purified water", "Sterile purified water", "Sterile water for injection", "Sterile water for irrigation"),
        *("Water for injection", "Pur-wash", "Sterile water"),
        *("Water purified", "Water, purified", "B1217", "NSC-147337", "R-718"),
    ],
    "first_approval": 2011,
    "alogp": -0.82,
    "hba": 0,
    "hbd": 0,
    "ro5_violations": 0,
    "cross_references": {"chembl": "CHEMBL1098659"},
}
LIGHTEST_DRUGS = [HELIUM, AMMONIA, AMMONIA_N_13, WATER]
DOPAMINE_HYDROCHLORIDE = {
    "id": "CHEMBL:1557",
    "name": "DOPAMINE HYDROCHLORIDE",
    "canonical_name": "DOPAMINE HYDROCHLORIDE",
    "molecular_formula": "C8H12ClNO2",
    "molecular_weight": 189.64,
    "smiles": "Cl.NCCc1ccc(O)c(O)c1",
    "inchi": "InChI=1S/C8H11NO2.ClH/c9-4-3-6-1-2-7(10)8(11)5-6;/h1-2,5,10-11H,3-4,9H2;1H",
    "inchi_key": "CTENFNNZBMHDDG-UHFFFAOYSA-N",
    "synonyms": ["Dopamin-Natterman", "Dopamine HCl", "Dynatra", "Intropin", "Sabax Dopamin", "ASL-279"],
    "molecule_type": "Small molecule",
    "max_phase": 4.0,
    "first_approval": 1974,
    "withdrawn": False,
    "black_box_warning": True,
    "parent": "CHEMBL:59",
    "alogp": 0.77,
    "hba": 3,
    "hbd": 3,
    "ro5_violations": 0,
    "cross_references": {"chembl": "CHEMBL1557"},
    "category": "biolink:SmallMolecule",
}
