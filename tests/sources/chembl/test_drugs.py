"""Mechanisms and indications of drugs: the recorded rows whole, then rows by hand."""

import json

import pytest
from hypothesis import given

from biofact.core.errors import UpstreamError
from biofact.sources.chembl import parse
from biofact.sources.chembl.records import Indication, Mechanism
from tests.recordings import recording
from tests.sources.chembl.spoilt import empty_values, of_any, spoilt

pytestmark = pytest.mark.quick

PEMBROLIZUMAB = "chembl/mechanisms_pembrolizumab_20260811.json"
OLAPARIB = "chembl/drug_indication_CHEMBL1094636_ws.json"


def rows(name, plural):
    return parse.list_part(recording(name), plural).rows


def hits(name):
    return [hit["_source"] for hit in json.loads(recording(f"chembl/{name}"))["hits"]["hits"]]


def test_the_recorded_mechanism_of_today_is_read_whole():
    (row,) = parse.mechanism_rows(rows(PEMBROLIZUMAB, "mechanisms")).items

    assert row == parse.MechanismRow(
        molecule="CHEMBL3137343",
        parent="CHEMBL3137343",
        words="Programmed cell death protein 1 inhibitor",
        action="INHIBITOR",
        target="CHEMBL3307223",
        max_phase=4.0,
    )


def test_a_mechanism_has_the_facts_of_its_target():
    mechanism_rows = parse.mechanism_rows(rows(PEMBROLIZUMAB, "mechanisms")).items
    pd_1 = parse.Target("CHEMBL3307223", "PD-1", "SINGLE PROTEIN", "Homo sapiens", ("Q15116",))

    (single_result,) = parse.mechanisms(mechanism_rows, {})
    (with_target,) = parse.mechanisms(mechanism_rows, {"CHEMBL3307223": pd_1})

    words = {"mechanism": "Programmed cell death protein 1 inhibitor", "action": "INHIBITOR"}
    assert single_result.model_dump(mode="json") == words | {"target": "CHEMBL:3307223"}
    assert with_target.model_dump(mode="json") == words | {
        "target": "CHEMBL:3307223",
        "target_name": "PD-1",
        "target_type": "SINGLE PROTEIN",
        "organism": "Homo sapiens",
        "uniprot": ["UniProtKB:Q15116"],
    }


def test_a_target_of_which_little_is_known_adds_nothing_that_is_not():
    bare = parse.Target("CHEMBL3307223", None, None, None, ())

    (result,) = parse.mechanisms(parse.mechanism_rows(rows(PEMBROLIZUMAB, "mechanisms")).items, {bare.id: bare})

    assert result.model_dump().keys() == {"mechanism", "action", "target"}


RECORDED_ROWS = {
    "es_MechanismsOfActionForCHEMBL190esResponse.json": 9,
    "ws_WSCollectionTestData0.json": 3,
    "ws_WSCollectionTestData2.json": 68,
}


@pytest.mark.parametrize("name", RECORDED_ROWS)
def test_every_recorded_row_of_another_shape_is_read_field_by_field(name):
    answer = hits(name) if name.startswith("es") else json.loads(recording(f"chembl/{name}"))

    mechanism_rows = parse.mechanism_rows(answer).items

    assert [(row.molecule, row.parent, row.words, row.action, row.target, row.max_phase) for row in mechanism_rows] == [
        (
            *(raw["molecule_chembl_id"], raw["molecule_chembl_id"]),  # of a time when rows named no parent
            *(raw["mechanism_of_action"], raw["action_type"], raw["target_chembl_id"], float(raw["max_phase"])),
        )
        for raw in answer
    ]
    assert len(mechanism_rows) == RECORDED_ROWS[name]


def test_a_mechanism_filed_on_several_forms_is_listed_once():
    mechanisms = parse.mechanisms(
        parse.mechanism_rows(hits("es_MechanismsOfActionForCHEMBL190esResponse.json")).items, {}
    )

    assert mechanisms == [
        Mechanism(mechanism="Phosphodiesterase 4 inhibitor", action="INHIBITOR", target="CHEMBL:2093863"),
        Mechanism(mechanism="Phosphodiesterase 3 inhibitor", action="INHIBITOR", target="CHEMBL:2094125"),
        Mechanism(mechanism="Adenosine receptor antagonist", action="ANTAGONIST", target="CHEMBL:2111329"),
    ]


@pytest.mark.parametrize(
    "missing", [{"mechanism_of_action": None}, {"molecule_chembl_id": ""}, {"molecule_chembl_id": 5}]
)
def test_a_mechanism_without_molecule_or_words_is_counted_beside_others_and_an_error_alone(missing):
    row = {"molecule_chembl_id": "CHEMBL1", "mechanism_of_action": "Unknown", "target_chembl_id": None}

    readable = parse.mechanism_rows([row | missing, row])
    with pytest.raises(UpstreamError, match=next(iter(missing))):
        parse.mechanism_rows([row | missing])

    assert parse.mechanisms(readable.items, {}) == [Mechanism(mechanism="Unknown")]
    assert f"1 without '{next(iter(missing))}'" in readable.notices("ChEMBL")[0].message


def test_a_mechanism_on_a_salt_names_the_parent():
    row = {"molecule_chembl_id": "CHEMBL1642", "parent_molecule_chembl_id": "CHEMBL941", "mechanism_of_action": "X"}

    (result,) = parse.mechanism_rows([row]).items

    assert (result.molecule, result.parent) == ("CHEMBL1642", "CHEMBL941")


OF_OLAPARIB = [
    ("OVARIAN CARCINOMA", 4.0, "EFO:0001075", "D010051"),
    ("FALLOPIAN TUBE CARCINOMA", 4.0, "EFO:1000251", "D005185"),
    ("PERITONEAL NEOPLASM", 4.0, "EFO:1001100", "D010534"),
    ("HEREDITARY BREAST AND OVARIAN CANCER SYNDROME", 3.0, "Orphanet:145", "D061325"),
    ("PROSTATE ADENOCARCINOMA", 2.0, "EFO:0000673", "D011471"),
    ("BREAST CARCINOMA", 2.0, "EFO:0000305", "D001943"),
    ("LYMPHOMA", 2.0, "EFO:0000574", "D008223"),
    ("NEOPLASM", 1.0, "EFO:0000616", "D009369"),
    ("CANCER", 1.0, "EFO:0000311", "D009369"),
]


def test_the_recorded_indications_are_read_whole_the_highest_phase_first():
    indications = parse.indications(rows(OLAPARIB, "drug_indications"))

    assert [item.model_dump(mode="json") for item in indications] == [
        dict(zip(("disease", "max_phase", "efo", "mesh"), row, strict=True)) for row in OF_OLAPARIB
    ]


def test_indications_of_other_forms_are_omitted_for_a_form():
    answer = rows(OLAPARIB, "drug_indications")

    assert len(parse.indications(answer, "CHEMBL1094636")) == 9
    assert parse.indications(answer, "CHEMBL1") == []


def indication_documents():
    return [json.loads(line) for line in recording("chembl/es_drug_indication_30.jsonl").splitlines()]


def test_each_recorded_indication_of_another_shape_is_read_field_by_field():
    answer = indication_documents()

    indications = [parse.indications([row]) for row in answer]

    assert [item.model_dump(mode="json") for (item,) in indications] == [
        {"disease": row["efo_id"], "max_phase": float(row["max_phase_for_ind"]), "efo": row["efo_id"]} for row in answer
    ]
    assert len(answer) == 30


def test_indications_of_many_drugs_are_in_order_of_phase_and_none_is_lost():
    answer = indication_documents()

    indications = parse.indications(answer)

    phases = [item.max_phase for item in indications]
    assert phases == sorted(phases, reverse=True)
    assert {item.efo for item in indications} == {row["efo_id"] for row in answer}
    for item in indications:
        assert item.max_phase == max(row["max_phase_for_ind"] for row in answer if row["efo_id"] == item.efo)


def test_an_indication_has_the_fields_of_its_row(subtests):
    for row, expected in [
        ({"mesh_heading": "Pain", "mesh_id": "D010146"}, Indication(disease="Pain", mesh="D010146")),
        ({"efo_term": "pain", "mesh_heading": "Pain"}, Indication(disease="pain")),
        ({"efo_term": "pain", "max_phase_for_ind": "0.5"}, Indication(disease="pain", max_phase=0.5)),
        ({"efo_term": "pain", "max_phase_for_ind": "-1.0"}, Indication(disease="pain", max_phase=-1.0)),
        ({"efo_term": "pain", "max_phase_for_ind": None}, Indication(disease="pain")),
        ({"efo_term": "pain", "max_phase_for_ind": 0}, Indication(disease="pain")),
    ]:
        with subtests.test(row=row, expected=expected):
            assert parse.indications([row]) == [expected]


@pytest.mark.parametrize(
    "row", [{}, {"efo_term": None, "efo_id": None, "mesh_heading": ""}, {"max_phase_for_ind": "4.0"}]
)
def test_an_indication_without_a_disease_says_nothing(row):
    assert parse.indications([row]) == []


def test_unknown_phases_stand_last():
    answer = [
        {"efo_term": name, "max_phase_for_ind": phase} for name, phase in (("a", "-1.0"), ("b", None), ("c", "0.5"))
    ]

    assert [indication.disease for indication in parse.indications(answer)] == ["c", "b", "a"]


EXAMPLES = [40, pytest.param(150, marks=pytest.mark.sweep)]
MECHANISM = {
    "molecule_chembl_id": "CHEMBL1",
    "parent_molecule_chembl_id": "CHEMBL1",
    "mechanism_of_action": "X inhibitor",
    "action_type": "INHIBITOR",
    "target_chembl_id": "CHEMBL2",
    "max_phase": 4,
}
INDICATION = {
    "molecule_chembl_id": "CHEMBL1",
    "efo_id": "EFO:0001075",
    "efo_term": "x",
    "mesh_id": "D1",
    "mesh_heading": "X",
    "max_phase_for_ind": "4.0",
}
TARGET = {
    "target_chembl_id": "CHEMBL2",
    "pref_name": "X",
    "target_type": "SINGLE PROTEIN",
    "organism": "Homo sapiens",
    "target_components": [{"accession": "P04637"}, {"accession": None}],
}


@pytest.mark.parametrize("examples", EXAMPLES)
def test_any_value_anywhere_in_a_mechanism_or_target_leaves_no_blank_behind(examples):
    @given(spoilt(MECHANISM), spoilt(TARGET))
    @of_any(examples)
    def holds(row, answer):
        try:
            known_values = {"CHEMBL2": parse.target(answer)}
        except UpstreamError:
            known_values = {}

        for mechanism in parse.mechanisms(parse.mechanism_rows([row, MECHANISM]).items, known_values):
            assert empty_values(mechanism.model_dump(mode="json")) == []

    holds()


@pytest.mark.parametrize("examples", EXAMPLES)
def test_any_value_anywhere_in_an_indication_leaves_no_blank_behind(examples):
    @given(spoilt(INDICATION))
    @of_any(examples)
    def holds(row):
        for indication in parse.indications([row, INDICATION]):
            assert empty_values(indication.model_dump(mode="json")) == []

    holds()
