"""Structures among names, by their form."""

import pytest

from biofact.sandbox.services.chembl.corpus import rows_of_starter
from biofact.sources.chembl.search import Structure
from biofact.sources.chembl.search.structures import is_smiles, structure_in
from tests.recordings import needs_recordings
from tests.sources.chembl.recorded_molecules import all_molecules

pytestmark = pytest.mark.quick

SMILES = [
    *("C=C", "C#N", "N#N", "O=O", "C=O", "CC(C)C", "C1CC1", "c1ccccc1", "C1=CC=CC=C1", "CC(=O)O", "O=C=O", "N#C[O-]"),
    *(
        "[He]",
        "[13NH3]",
        "[Na+].[Cl-]",
        "[Ca+2]",
        "[Fe+++]",
        "[NH4+]",
        "[O-][N+](=O)c1ccccc1",
        "[2H]C([2H])[2H]",
        "[18F]CC=O",
    ),
    *(
        "F/C=C/F",
        r"F/C=C\F",
        "N[C@@H](C)C(=O)O",
        "C[S@@+]([O-])c1ccccc1",
        "c1ccc2ccccc2c1",
        "C%10CCCCC%10",
        "[nH]1cccc1",
    ),
    *("CC1=NN(C(=O)/C/1=N\\Nc1ccccc1)C", "BrCCBr.C=C", "ClC(Cl)Cl", "OB(O)c1ccccc1", "CS(=O)(=O)O.C1CC1", "[Pt](Cl)Cl"),
    *("C1CC2CC1CC2", "[CH3:1][OH:2]", "IC(I)I", "c1cc[se]c1"),
]
NAMES = [
    *("NSC-1122", "CCO", "S1P", "B12", "C60", "SN-38", "CP-55940", "INS", "COPS", "NO", "F18", "Bcl-2", "5-FU", "Cs"),
    *("N-acetylcysteine", "CBD", "P2Y12", "C-peptide", "BI-1002", "NN", "CC", "O2", "N2O", "CO2", "SO2", "H2O", "CN-1"),
    *("CI-981", "CCI-779", "CC-10004", "CC-1065", "SNC-80", "BN-52021", "SC-58635", "C-225", "S-1360", "NSC-11-11"),
    *("CCCP", "FCCP", "CNO", "PCP", "BSO", "IC50", "NO-1886", "PBN", "ICI-118551", "SCOP", "OCN", "CCl4", "CHCl3"),
    *("Co(II)", "Co(III)", "P(III)", "Os(III)", "[11C]PIB", "[18F]FBB", "[aspirin]", "[Sar1]", "[Leu5]", "N/A", "C/O"),
    *(
        "B(OH)3",
        "(S)-nicotine",
        "(+)-nicotine",
        "C1-INH",
        "C2C12",
        "I-131",
        "P-I",
        "C3",
        "c-Src",
        "S1",
        "N1N1",
        "C1",
        "",
    ),
    *("CC(", "CC)", "C1CC", "(C)C", "C==", "=CC", "C(1)", "C C=C", "aspirin", "vitamin C", "C(C", "1CC1", "C-"),
]


def test_a_smiles_with_a_bond_branch_bracket_or_ring_is_one(subtests):
    for text in SMILES:
        with subtests.test(text=text):
            assert structure_in(text) == Structure("smiles", text)


def test_a_name_that_looks_like_a_smiles_is_a_name(subtests):
    for text in NAMES:
        with subtests.test(text=text):
            assert structure_in(text) is None


def test_the_table_is_large_enough():
    assert len({*SMILES, *NAMES}) >= 60


def test_every_starter_smiles_that_shows_what_it_is_is_recognised():
    rows = [row for row in rows_of_starter()["molecule"] if row["molecule_structures"]]
    structures = [row["molecule_structures"]["canonical_smiles"] for row in rows]
    smiles = [smiles for row in rows for smiles in row.get("also_smiles", ())]
    bare = [smiles for smiles in (*structures, *smiles) if smiles.isalpha()]

    assert sorted(bare) == ["CCO", "N", "NN", "O"]
    assert [smiles for smiles in (*structures, *smiles) if smiles not in bare and not is_smiles(smiles)] == []
    assert [smiles for smiles in bare if structure_in(smiles)] == []


def test_no_starter_name_is_read_as_a_structure():
    rows = rows_of_starter()["molecule"]
    synonyms = {name for row in rows for names in row["molecule_synonyms"].values() for name in names}
    names = synonyms | {row["pref_name"] or "" for row in rows}

    assert [name for name in names if structure_in(name)] == []
    assert len(names) > 300


@needs_recordings
def test_recorded_structures_are_recognized_and_recorded_names_are_not():
    structures, names = [], []
    for molecule in all_molecules():
        molecule_structures = molecule.get("molecule_structures") or {}
        structures += [
            molecule_structures[key] for key in ("canonical_smiles", "standard_inchi") if molecule_structures.get(key)
        ]
        names += [
            molecule.get("pref_name"),
            *(synonym.get("synonyms") for synonym in molecule.get("molecule_synonyms") or ()),
        ]

    output = [text for text in structures if not text.isalpha()]
    assert [text for text in output if structure_in(text) is None] == []
    assert [name for name in names if name and structure_in(name)] == []
    assert len(output) > 200


@pytest.mark.parametrize(("query", "text"), [("SMILES: CCO", "CCO"), ("smiles=N", "N"), ("Smiles:CC(=O)O", "CC(=O)O")])
def test_a_query_marked_as_a_smiles_is_read_as_one(query, text):
    assert structure_in(query) == Structure("smiles", text)


def test_but_not_when_it_can_be_none(subtests):
    for query in ["SMILES: aspirin", "SMILES:", "smiles: NSC-1122", "smilesCCO"]:
        with subtests.test(query=query):
            assert structure_in(query) is None


def test_an_inchi_key_is_recognised_in_any_case(subtests):
    for query in [
        "BSYNRYMUTXBXSQ-UHFFFAOYSA-N",
        "bsynrymutxbxsq-uhfffaoysa-n",
        " InChIKey=BSYNRYMUTXBXSQ-UHFFFAOYSA-N ",
        "inchikey: BSYNRYMUTXBXSQ-UHFFFAOYSA-N",
    ]:
        with subtests.test(query=query):
            assert structure_in(query) == Structure("inchi_key", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N")


@pytest.mark.parametrize("query", ["BSYNRYMUTXBXSQ", "BSYNRYMUTXBXSQ-UHFFFAOYSA", "BSYNRYMUTXBXSQ-UHFFFAOYSA-NN"])
def test_a_part_of_an_inchi_key_is_none(query):
    assert structure_in(query) is None


def test_an_inchi_is_recognised_and_begins_as_inchis_do(subtests):
    for query, text in [
        ("InChI=1S/H2O/h1H2", "InChI=1S/H2O/h1H2"),
        ("inchi=1S/H2O/h1H2", "InChI=1S/H2O/h1H2"),
        ("InChI=1S/C4H11N5.ClH/c1-9(2)4(7)8-3(5)6;/h1-2H3,(H5,5,6,7,8);1H", None),
        ("InChI=1S/C3H7NO3/c4-2(1-5)3(6)7/h2,5H,1,4H2,(H,6,7)/t2-/m0/s1", None),
    ]:
        with subtests.test(query=query, text=text):
            assert structure_in(query) == Structure("inchi", text or query)
