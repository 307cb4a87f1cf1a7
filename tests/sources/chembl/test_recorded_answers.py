"""Recorded answers, requested by a real MCP client through the whole stack; values are read off the files."""

import pytest

from biofact.sandbox.services.chembl.standin import stand_ins
from tests.recordings import FOLDER, needs_recordings
from tests.served import replies
from tests.sources.chembl import recorded_molecules as recordings

pytestmark = [pytest.mark.quick, needs_recordings]

MOLECULES = {
    "CHEMBL:553": recordings.ERLOTINIB,
    "CHEMBL:25": recordings.ASPIRIN,
    "CHEMBL:1201644": recordings.INSULIN,
    "CHEMBL:2109414": recordings.ANTIBODY,
    "CHEMBL:2108122": recordings.OLIGOSACCHARIDE,
    "CHEMBL:2108458": recordings.POLYMER,
    "CHEMBL:2109133": recordings.UNKNOWN,
    "CHEMBL:2107978": recordings.PEPPERMINT,
    "CHEMBL:3544956": recordings.PYROTINIB,
}
OTHER_FIELDS = {"mechanisms", "indications", "cross_references", "release", "notices"}
"""Fields whose facts are not in the recorded molecule alone."""
CALLS = {
    **{chembl_id: ("chembl_get_compound", {"chembl_id": chembl_id, "include": ["all"]}) for chembl_id in MOLECULES},
    "pembrolizumab": ("chembl_get_compound", {"chembl_id": "CHEMBL:3137343", "include": ["mechanisms"]}),
    "niraparib": ("chembl_get_compound", {"chembl_id": "CHEMBL:1094636", "include": ["indications"]}),
    "dopamine": ("chembl_search_compounds", {"query": "dopamine"}),
    "palmitoyl dopamine": ("chembl_search_compounds", {"query": "palmitoyl dopamine"}),
    "a recorded hit": ("chembl_get_compound", {"chembl_id": "CHEMBL:457419", "slim": True}),
    "batch": ("chembl_get_compounds_batch", {"chembl_ids": ["CHEMBL:2109133", "CHEMBL:553", "CHEMBL:2107978"]}),
}


@pytest.fixture(scope="module")
def answers():
    return dict(zip(CALLS, replies(*CALLS.values(), recordings=FOLDER, stand_ins=stand_ins(FOLDER)), strict=True))


def test_a_recorded_molecule_comes_as_it_stands_in_its_file(answers, subtests):
    for chembl_id, expected in MOLECULES.items():
        with subtests.test(chembl_id=chembl_id):
            record = answers[chembl_id].body

            assert {name: record[name] for name in record.keys() - OTHER_FIELDS} == {
                name: expected[name] for name in expected.keys() - OTHER_FIELDS
            }
            assert record["release"] == "ChEMBL_37"


def test_cross_references_of_the_file_are_among_those_of_the_record(answers, subtests):
    for chembl_id, molecule in MOLECULES.items():
        with subtests.test(chembl_id=chembl_id):
            expected = molecule["cross_references"]
            cross_references = answers[chembl_id].body["cross_references"]

            assert {name: cross_references[name] for name in expected} == expected


def test_erlotinib_has_its_eight_substance_numbers_and_what_others_know(answers):
    xrefs = answers["CHEMBL:553"].body["cross_references"]

    assert len(xrefs["pubchem_substance"]) == 8
    assert (xrefs["uniprot"], xrefs["pubchem_compound"]) == (["UniProtKB:P00533"], "176870")


def test_a_compound_without_a_structure_has_no_other_cross_references(answers, subtests):
    for chembl_id in ["CHEMBL:2109414", "CHEMBL:2108122", "CHEMBL:1201644", "CHEMBL:2107978"]:
        with subtests.test(chembl_id=chembl_id):
            record = answers[chembl_id].body

            assert set(record["cross_references"]) <= {"chembl", "uniprot"}
            assert not {"smiles", "inchi", "inchi_key", "molecular_formula"} & record.keys()


def test_the_recorded_mechanism_comes_with_its_target(answers):
    [mechanism] = answers["pembrolizumab"].body["mechanisms"]

    assert mechanism == {
        "mechanism": "Programmed cell death protein 1 inhibitor",
        "action": "INHIBITOR",
        "target": "CHEMBL:3307223",
        "target_name": "Programmed cell death protein 1",
        "target_type": "SINGLE PROTEIN",
        "organism": "Homo sapiens",
        "uniprot": ["UniProtKB:Q15116"],
    }


def test_the_recorded_indications_come_highest_phase_first(answers):
    indications = answers["niraparib"].body["indications"]
    phases = [indication["max_phase"] for indication in indications]

    assert indications[0] == {
        "disease": "OVARIAN CARCINOMA",
        "max_phase": 4.0,
        "efo": "EFO:0001075",
        "mesh": "D010051",
    }
    assert phases == sorted(phases, reverse=True)
    assert {indication["disease"] for indication in indications} >= {"FALLOPIAN TUBE CARCINOMA", "PERITONEAL NEOPLASM"}


def test_a_search_among_recorded_molecules_leads_with_the_drug_and_names_its_salt(answers):
    page = answers["dopamine"].body
    first, *other_values = page["items"]

    assert (first["id"], first["name"], first["match"], first["score"]) == ("CHEMBL:59", "DOPAMINE", "name", 1.0)
    assert {"id": "CHEMBL:1557", "name": "DOPAMINE HYDROCHLORIDE"} in first["salt_forms"]
    assert "CHEMBL:1557" not in [row["id"] for row in other_values]
    assert {row["name"] for row in other_values} >= {
        "ARACHIDONOYL DOPAMINE",
        "LINOLEOYL DOPAMINE",
        "PALMITOYL DOPAMINE",
    }


def test_a_recorded_hit_is_found_by_its_name_and_described_by_its_id(answers):
    first = answers["palmitoyl dopamine"].body["items"][0]

    assert (first["id"], first["match"], first["score"]) == ("CHEMBL:457419", "name", 1.0)
    assert answers["a recorded hit"].body == {
        "id": "CHEMBL:457419",
        "name": "PALMITOYL DOPAMINE",
        "molecular_formula": "C24H41NO3",
    }


def test_recorded_molecules_are_joined_to_a_batch(answers):
    items = answers["batch"].body["items"]

    assert [(item["id"], item["name"]) for item in items] == [
        ("CHEMBL:2109133", "MAGNESIUM SILICATE"),
        ("CHEMBL:553", "ERLOTINIB"),
        ("CHEMBL:2107978", "PEPPERMINT SPIRIT"),
    ]


def test_every_answer_names_the_sandbox_as_its_origin(answers):
    for answer in answers.values():
        assert not answer.is_failure
        assert answer.meta["biofact/provenance"]["from"] in {"sandbox", "cache"}
        assert "CC BY-SA 3.0" in answer.meta["biofact/provenance"]["licence"]
