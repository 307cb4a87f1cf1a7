"""UniChem's and PDBe's answers. There are no recordings of them: bodies by hand, as the services describe them."""

import json

import pytest
from hypothesis import given

from biofact.sources.chembl import parse
from biofact.transport.service import Transient
from tests.sources.chembl.spoilt import of_any, spoilt

pytestmark = pytest.mark.quick

ASPIRIN = "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"
OTHER = "AAKJLRGGTJKAMG-UHFFFAOYSA-N"
NAMES = {
    1: "chembl",
    2: "drugbank",
    3: "pdb",
    6: "kegg_ligand",
    7: "chebi",
    14: "fdasrs",
    22: "pubchem",
    31: "bindingdb",
}


def answer(*ids, inchi_key=ASPIRIN, response="Success", **fields):
    """The answer to ``/compounds`` with these numbers and IDs of sources."""
    sources = [{"id": number, "compoundId": value, "shortName": NAMES[number], "url": "x"} for number, value in ids]
    compound = {"uci": 1, "inchi": {}, "standardInchiKey": inchi_key, "sources": sources}
    return {"response": response, "totalCompounds": 1, "compounds": [compound]} | fields


def read(answer):
    return parse.structure_ids(ASPIRIN, json.dumps(answer).encode())


def test_the_ids_of_a_structure_are_listed_by_key_without_those_of_other_databases():
    body = answer(
        *((1, "CHEMBL25"), (2, "DB00945"), (3, "AIN"), (6, "C01405"), (7, "15365"), (14, "R16CO5Y76E"), (22, "2244"))
    )

    assert read(body) == parse.StructureIds(
        (("drugbank", "DB00945"), ("kegg", "C01405"), ("pubchem_compound", "2244")), ("AIN",)
    )


@pytest.mark.parametrize("words", ["Not found", "not found", "NOT FOUND"])
def test_a_structure_that_is_not_known_is_nowhere(words):
    assert read({"response": words}) == parse.NO_STRUCTURE_IDS
    assert read({"response": words, "totalCompounds": 0, "compounds": []}) == parse.NO_STRUCTURE_IDS


def test_an_answer_without_the_structure_that_was_asked_for_is_none(subtests):
    for body in [
        answer((22, "176870"), inchi_key=OTHER),
        answer((22, "2244"), inchi_key=None),
        answer(compounds=[]),
        answer(compounds=None),
        answer(compounds={"sources": []}),
    ]:
        with subtests.test(told=body), pytest.raises(Transient, match="without the structure"):
            read(body)


def test_something_else_in_place_of_an_answer_is_none(subtests):
    for answer in [{}, {"compounds": []}, {"error": "x"}, {"response": None}, {"response": ["Success"]}, []]:
        with subtests.test(told=answer), pytest.raises(Transient):
            read(answer)


def test_another_structure_in_the_answer_adds_no_ids():
    compounds = answer((22, "2244"))["compounds"] + answer((22, "176870"), inchi_key=OTHER)["compounds"]

    assert read(answer(compounds=compounds)).ids == (("pubchem_compound", "2244"),)


def test_several_ids_of_a_source_are_listed_once_each_in_their_order():
    body = answer((22, "2244"), (22, "10917"), (22, "2244"), (3, "AIN"), (3, "AIN"), (3, "ASA"))

    assert read(body) == parse.StructureIds(
        (("pubchem_compound", "2244"), ("pubchem_compound", "10917")), ("AIN", "ASA")
    )


def test_ligand_codes_have_one_to_three_characters_or_five(subtests):
    for code, is_ligand in [
        *(("AIN", True), ("00A", True), ("ZN", True), ("K", True), ("A1AAA", True), ("12345", True)),
        *(
            ("1OXR", False),
            ("ABCD", False),
            ("A1AAAA", False),
            ("AI-", False),
            ("ain", False),
            ("", False),
            (" ", False),
        ),
    ]:
        with subtests.test(code=code, is_ligand=is_ligand):
            assert read(answer((3, code))).ligands == ((code,) if is_ligand else ())


def test_a_row_without_source_or_id_is_passed_over(subtests):
    for row in [
        *({}, {"id": None, "compoundId": "2244"}, {"id": 22, "compoundId": None}, {"id": 22, "compoundId": ""}),
        *({"id": 22, "compoundId": 2244}, {"id": "pubchem", "compoundId": "2244"}, {"id": 99, "compoundId": "2244"}),
    ]:
        with subtests.test(row=row):
            body = answer()
            body["compounds"][0]["sources"] = [row, {"id": "2", "compoundId": "DB00945"}, None]

            assert read(body) == parse.StructureIds((("drugbank", "DB00945"),), ())


@pytest.mark.parametrize("examples", [60, pytest.param(300, marks=pytest.mark.sweep)])
def test_any_value_anywhere_in_an_answer_makes_up_no_blank(examples):
    @given(spoilt(answer((2, "DB00945"), (3, "AIN"), (22, "2244"))))
    @of_any(examples)
    def holds(answer):
        try:
            cross_ids = read(answer)
        except Transient:
            return

        assert all(value.strip() for _, value in cross_ids.ids)
        assert all(code.strip() for code in cross_ids.ligands)

    holds()


def entries(answer, ligand="AIN"):
    return parse.entries(ligand, json.dumps(answer).encode())


def test_entries_are_listed_in_capitals_and_in_their_order():
    assert entries({"AIN": ["1oxr", "1tgm", "6mqf"]}) == ["1OXR", "1TGM", "6MQF"]
    assert entries({"A1AAA": ["8abc"]}, "A1AAA") == ["8ABC"]


def test_entries_of_the_longer_form_are_unchanged():
    assert entries({"AIN": ["pdb_00001oxr", "1oxr"]}) == ["pdb_00001oxr", "1OXR"]


def test_a_ligand_is_found_in_any_case():
    assert entries({"ain": ["1oxr"]}) == ["1OXR"]


def test_a_value_that_is_no_entry_is_skipped():
    assert entries({"AIN": [None, "", " ", 1, ["2abc"], " 1oxr "]}) == ["1OXR"]
    assert entries({"AIN": []}) == []


def test_an_answer_about_another_ligand_or_without_entries_is_none(subtests):
    for answer in [{}, {"ASA": ["1oxr"]}, {"error": "x"}, {"AIN": None}, {"AIN": "1oxr"}, {"AIN": {}}, []]:
        with subtests.test(told=answer), pytest.raises(Transient):
            entries(answer)
