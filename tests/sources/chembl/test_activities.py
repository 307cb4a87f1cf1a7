"""Measurements: every recorded row by a second way, then rows by hand. Recorded ones have another service's shape."""

import json
from contextlib import suppress

import pytest
from hypothesis import given

from biofact.dialects.readable_rows import MissingField
from biofact.sources.chembl import parse
from tests.recordings import FOLDER, recording
from tests.sources.chembl.spoilt import empty_values, of_any, spoilt

pytestmark = pytest.mark.quick

SINGLE = sorted(path.name for path in FOLDER.glob("chembl/es_activity*.json"))
LARGE = "chembl/es_chembl_28_activity_records.json"
TYPES = {"B": "binding", "F": "functional", "T": "toxicity", "A": "ADME", "P": "physicochemical", "U": "unclassified"}


def recorded_activities():
    return [hit["_source"] for hit in json.loads(recording(LARGE))] + [
        json.loads(recording(f"chembl/{name}")) for name in SINGLE
    ]


def colon(native):
    return native and native.replace("CHEMBL", "CHEMBL:")


def read_off(raw):
    """The record, built without the parser."""
    fields = {
        "activity_id": raw["activity_id"],
        "molecule": colon(raw["molecule_chembl_id"]),
        "target": colon(raw["target_chembl_id"]),
        "target_name": raw["target_pref_name"],
        "organism": raw["target_organism"],
        "assay_type": TYPES[raw["assay_type"]],
        "standard_type": raw["standard_type"],
        "relation": raw["standard_relation"],
        "value": raw["standard_value"] and float(raw["standard_value"]),
        "units": raw["standard_units"],
        "pchembl": raw["pchembl_value"] and float(raw["pchembl_value"]),
        "activity_comment": raw["activity_comment"],
        "validity_comment": raw["data_validity_comment"],
        "possible_duplicate": raw["potential_duplicate"] or None,
        "assay": colon(raw["assay_chembl_id"]),
        "document": colon(raw["document_chembl_id"]),
    }
    return {name: value for name, value in fields.items() if value is not None}


def test_every_field_of_every_recorded_row_is_what_a_second_reading_says():
    answer = recorded_activities()

    result = [parse.measurement(row) for row in answer]

    assert [item.activity.model_dump(mode="json") for item in result] == [read_off(row) for row in answer]
    assert (len(result), len(SINGLE)) == (506, 7)
    assert sum(item.pchembl is not None for item in result) >= 16


def test_the_distinguishing_fields_of_recorded_rows_are_read():
    for raw in recorded_activities():
        result = parse.measurement(raw)

        parent = raw.get("parent_molecule_chembl_id") or raw["molecule_chembl_id"]
        assert (result.molecule, result.parent) == (raw["molecule_chembl_id"], parent)
        assert (result.name, result.target) == (raw.get("molecule_pref_name"), raw["target_chembl_id"])
        assert result.pchembl == result.activity.pchembl


def test_a_recorded_row_whose_value_is_doubted_is_read_whole():
    body = recording("chembl/es_activityWithNormalImageSampleESResponse.json")

    fields = parse.measurement(json.loads(body)).activity.model_dump(mode="json")

    assert fields.pop("validity_comment") == json.loads(body)["data_validity_comment"]
    assert fields.pop("value") == float(json.loads(body)["standard_value"])
    assert fields == {
        "activity_id": 15612821,
        "molecule": "CHEMBL:428647",
        "target": "CHEMBL:614925",
        "target_name": "SK-OV-3",
        "organism": "Homo sapiens",
        "assay_type": "functional",
        "standard_type": "IC50",
        "relation": "=",
        "units": "nM",
        "assay": "CHEMBL:3584147",
        "document": "CHEMBL:3580605",
    }


EXAMPLES = [60, pytest.param(400, marks=pytest.mark.sweep)]
ROW = {
    "activity_id": 1,
    "molecule_chembl_id": "CHEMBL941",
    "parent_molecule_chembl_id": "CHEMBL941",
    "molecule_pref_name": "IMATINIB",
    "target_chembl_id": "CHEMBL1862",
    "target_pref_name": "Tyrosine-protein kinase ABL1",
    "target_organism": "Homo sapiens",
    "assay_type": "B",
    "standard_type": "IC50",
    "standard_relation": "=",
    "standard_value": "38.0",
    "standard_units": "nM",
    "pchembl_value": "7.42",
    "activity_comment": None,
    "data_validity_comment": None,
    "potential_duplicate": 0,
    "assay_chembl_id": "CHEMBL2",
    "document_chembl_id": "CHEMBL3",
}


def read(**fields):
    return parse.measurement(ROW | fields).activity.model_dump(mode="json")


def test_a_row_of_two_fields_is_a_measurement():
    result = parse.measurement({"activity_id": 7, "molecule_chembl_id": "CHEMBL25"})

    assert result.activity.model_dump(mode="json") == {"activity_id": 7, "molecule": "CHEMBL:25"}
    assert (result.parent, result.name, result.target, result.pchembl) == ("CHEMBL25", None, None, None)


def test_a_row_without_number_or_molecule_says_nothing(subtests):
    for missing in [
        *({"activity_id": value} for value in (None, "", "x", True, 1.5, [])),
        {"molecule_chembl_id": None},
    ]:
        with subtests.test(missing=missing), pytest.raises(MissingField):
            parse.measurement(ROW | missing)


def test_the_type_of_an_assay_is_a_word(subtests):
    for letter, words in TYPES.items():
        with subtests.test(letter=letter, words=words):
            assert read(assay_type=letter)["assay_type"] == words


def test_a_type_of_assay_that_is_not_known_is_absent(subtests):
    for letter in [None, "", "X", "binding", 1, ["B"]]:
        with subtests.test(letter=letter):
            assert "assay_type" not in read(assay_type=letter)


def test_a_bound_stays_a_bound(subtests):
    for relation in ["=", "<", ">", "<=", ">=", "~", "<<", ">>"]:
        with subtests.test(relation=relation):
            assert read(standard_relation=relation)["relation"] == relation


def test_a_value_is_a_number_or_absent(subtests):
    for value, number in [
        ("38.0", 38.0),
        (38, 38.0),
        ("0", 0.0),
        ("-2.5", -2.5),
        ("1e-3", 0.001),
        (None, None),
        ("", None),
        ("nan", None),
    ]:
        with subtests.test(value=value, number=number):
            assert read(standard_value=value).get("value") == number
            assert read(pchembl_value=value).get("pchembl") == number


def test_only_a_possible_duplicate_is_marked(subtests):
    for value, is_claimed in [
        (True, True),
        (1, True),
        ("1", True),
        (0, None),
        (False, None),
        ("0", None),
        (None, None),
    ]:
        with subtests.test(value=value, claimed=is_claimed):
            assert read(potential_duplicate=value).get("possible_duplicate") == is_claimed


def test_a_row_on_a_salt_names_the_parent():
    result = parse.measurement(ROW | {"molecule_chembl_id": "CHEMBL1642"})

    assert (result.molecule, result.parent, result.activity.molecule) == ("CHEMBL1642", "CHEMBL941", "CHEMBL:1642")


@pytest.mark.parametrize("examples", EXAMPLES)
def test_any_value_anywhere_in_a_row_crashes_nothing_and_leaves_no_blank_behind(examples):
    @given(spoilt(ROW))
    @of_any(examples)
    def holds(row):
        with suppress(MissingField):
            assert empty_values(parse.measurement(row).activity.model_dump(mode="json")) == []

    holds()
