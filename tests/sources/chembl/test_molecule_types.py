"""Kinds of molecules: those without a recording, and those that another service describes in its own shape."""

import json

import pytest

from biofact.core.records import Notice
from biofact.core.xrefs import CrossReferences
from biofact.sources.chembl import parse
from biofact.sources.chembl.records import Indication, Mechanism
from tests.recordings import recording
from tests.sources.chembl.recorded_molecules import BY_FILE

pytestmark = pytest.mark.quick


def molecule_body(**fields) -> bytes:
    return json.dumps({"molecule_chembl_id": "CHEMBL1"} | fields).encode()


def record(side_facts=None, **fields):
    return parse.compound(molecule_body(**fields), side_facts or parse.SideFacts())


# Made up in today's shape; no recording has these kinds.
SEQUENCE = {"molecule_structures": None, "molecule_properties": None, "structure_type": "SEQ", "max_phase": "4.0"}


def test_a_molecule_of_any_kind_is_read_and_has_a_class(subtests):
    for kind, category in [
        ("Small molecule", "biolink:SmallMolecule"),
        ("Protein", "biolink:Protein"),
        ("Antibody", "biolink:Protein"),
        ("Enzyme", "biolink:Protein"),
        ("Antibody drug conjugate", "biolink:ChemicalEntity"),
        ("Oligonucleotide", "biolink:ChemicalEntity"),
        ("Oligosaccharide", "biolink:ChemicalEntity"),
        ("Cell", "biolink:ChemicalEntity"),
        ("Gene", "biolink:ChemicalEntity"),
        ("Unknown", "biolink:ChemicalEntity"),
        ("A kind of next year", "biolink:ChemicalEntity"),
    ]:
        with subtests.test(kind=kind, category=category):
            result = record(molecule_type=kind, pref_name="XYZ", biotherapeutic={"description": "Made up."}, **SEQUENCE)

            assert result.model_dump(mode="json") == {
                "id": "CHEMBL:1",
                "name": "XYZ",
                "canonical_name": "XYZ",
                "molecule_type": kind,
                "max_phase": 4.0,
                "cross_references": {"chembl": "CHEMBL1"},
                "category": category,
            }
            assert parse.molecule_hit(molecule_body(molecule_type=kind)).type == kind


def test_a_molecule_of_no_kind_has_the_widest_class(subtests):
    for kind in [None, "", 7, ["Protein"]]:
        with subtests.test(kind=kind):
            result = record(molecule_type=kind)

            assert (result.molecule_type, result.category) == (None, "biolink:ChemicalEntity")


def test_an_oligonucleotide_with_a_structure_has_it():
    structure = {"canonical_smiles": "C", "standard_inchi": "InChI=1S/CH4/h1H4", "standard_inchi_key": "VNWKTOKETHGBQD"}

    result = record(molecule_type="Oligonucleotide", structure_type="BOTH", molecule_structures=structure)

    assert (result.smiles, result.inchi, result.inchi_key) == tuple(structure.values())


REPEAT = {
    "es_CHEMBL1201644proteinesResponse.json": "molecule_CHEMBL1201644_ws_protein.json",
    "es_CHEMBL2108122OligosaccharidgeesResponse.json": "molecule_CHEMBL2108122_ws_Oligosaccharidge.json",
    "es_CHEMBL2109133UnknownesResponse.json": "molecule_CHEMBL2109133_ws_Unknown.json",
    "es_CHEMBL2109414AntibodyesResponse.json": "molecule_CHEMBL2109414_ws_Antibody.json",
}


def document(name):
    return json.dumps(json.loads(recording(f"chembl/{name}"))["_source"]).encode()


def with_sorted_names(result):
    return result.model_copy(update={"synonyms": sorted(result.synonyms)})


def test_two_services_describe_a_recorded_molecule_alike(subtests):
    for name, value in REPEAT.items():
        with subtests.test(name=name):
            other = parse.compound(document(name), parse.SideFacts())

            compound = parse.compound(recording(f"chembl/{value}"), parse.SideFacts())

            assert with_sorted_names(other) == with_sorted_names(compound)  # theirs have no order
            assert other.name == BY_FILE[value]["name"]


def test_a_recorded_complex_of_a_metal_has_a_formula_and_a_weight_and_no_structure():
    compound = parse.compound(document("es_CHEMBL364516MetalContainingesResponse.json"), parse.SideFacts())

    assert (compound.molecular_formula, compound.molecular_weight) == ("C26H25FeN3O2", 467.34)
    assert (
        compound.model_dump()
        .keys()
        .isdisjoint({"smiles", "inchi", "inchi_key", "alogp", "hba", "max_phase", "synonyms"})
    )


def test_a_recorded_salt_without_any_name_goes_by_its_id_and_names_its_parent():
    compound = parse.compound(document("es_CHEMBL2296002esResponse.json"), parse.SideFacts())

    assert (compound.id, compound.name, compound.canonical_name) == ("CHEMBL:2296002", "CHEMBL2296002", None)
    assert (compound.parent, compound.molecular_formula, compound.molecular_weight) == (
        "CHEMBL:25",
        "C15H22N2O6",
        326.34,
    )
    assert [notice.code for notice in compound.notices] == ["FORM_OF"]


MECHANISM = Mechanism(
    mechanism="Cyclooxygenase inhibitor",
    action="INHIBITOR",
    target="CHEMBL:2094253",
    uniprot=("UniProtKB:P23219", "UniProtKB:P35354"),
)


def test_a_compound_holds_the_facts_of_its_side_requests():
    side_facts = parse.SideFacts(
        mechanisms=[MECHANISM, MECHANISM.model_copy(update={"target": "CHEMBL:221", "uniprot": ("UniProtKB:P23219",)})],
        indications=[Indication(disease="PAIN", max_phase=4.0, efo="EFO:0003843", mesh="D010146")],
        structure_ids=parse.StructureIds(
            (("drugbank", "DB00945"), ("kegg", "C01405"), ("pubchem_compound", "2244")), ligands=("AIN",)
        ),
        entries=["1OXR", "1TGM"],
        release="ChEMBL_37",
    )

    result = record(side_facts)

    assert result.cross_references.model_dump() == {
        "chembl": "CHEMBL1",
        "uniprot": ["UniProtKB:P23219", "UniProtKB:P35354"],
        "pubchem_compound": "2244",
        "drugbank": "DB00945",
        "kegg": "C01405",
        "pdb": ["1OXR", "1TGM"],
    }
    assert (result.mechanisms, result.indications, result.release) == (
        side_facts.mechanisms,
        side_facts.indications,
        "ChEMBL_37",
    )
    assert result.notices == []


def test_several_ids_of_one_database_give_the_lowest_and_name_the_rest():
    side_facts = parse.SideFacts(
        structure_ids=parse.StructureIds((("pubchem_compound", "10917"), ("pubchem_compound", "2244")), ())
    )

    result = record(side_facts)

    assert result.cross_references.model_dump() == {"chembl": "CHEMBL1", "pubchem_compound": "2244"}
    assert result.cross_references.every("pubchem_compound") == ("2244", "10917")
    assert [notice.message for notice in result.notices] == ["Also pubchem_compound 10917."]


def test_lists_are_whole_where_they_are_asked_for():
    side_facts = parse.SideFacts(
        indications=[Indication(disease=f"Disease {number}") for number in range(22)],
        entries=[f"1A{number}" for number in range(10, 40)],
    )

    result = record(side_facts)
    cut = result.selected()

    assert result.selected(["all"]) == result
    assert ([indication.disease for indication in result.indications], result.notices) == (
        [f"Disease {position}" for position in range(22)],
        [],
    )
    assert result.cross_references.pdb == [f"1A{number}" for number in range(10, 40)]
    assert (cut.indications, cut.cross_references.pdb) == ([], [f"1A{number}" for number in range(10, 15)])
    assert [notice.message for notice in cut.notices] == [
        'Listed: pdb 5 of 30; include=["cross_references"] lists all.'
    ]


def test_values_of_a_wrong_form_are_reported_and_fail_nothing():
    side_facts = parse.SideFacts(
        structure_ids=parse.StructureIds((("drugbank", "945"), ("kegg", "C01405")), ()), entries=["AIN", "1OXR"]
    )

    result = record(side_facts)

    assert result.cross_references == CrossReferences(chembl="CHEMBL1", kegg="C01405", pdb=["1OXR"])
    assert [notice.code for notice in result.notices] == ["INVALID_CROSS_REFERENCE", "INVALID_CROSS_REFERENCE"]


def test_the_notice_of_a_failed_side_request_comes_last():
    failed = Notice(code="LEG_FAILED", message="UniChem did not answer.")

    result = record(parse.SideFacts(entries=["AIN"], notices=[failed]))

    assert [notice.code for notice in result.notices] == ["INVALID_CROSS_REFERENCE", "LEG_FAILED"]
