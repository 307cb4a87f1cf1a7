"""The stand-in for ChEMBL: its answers, compared with recorded ones; and recorded molecules among its rows."""

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from biofact.sandbox.services.chembl.corpus import recorded_molecules, rows_of_starter, whole_rows
from biofact.sandbox.services.chembl.standin import stand_ins
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sources.chembl.made_compounds import document_of

pytestmark = pytest.mark.quick

REMOVED_VALUES = {"withdrawn_class", "withdrawn_country", "withdrawn_reason", "withdrawn_year"}
"""Fields that a molecule does not have; they are drug warnings today (UPSTREAMS 4.3)."""
NEW = {"chemical_probe", "orphan", "veterinary"}
"""Fields of a molecule that came after the recordings (UPSTREAMS 4.3)."""
NUMBERS_NOW = {"polymer_flag"}
"""Fields of a molecule that are numbers today, and were true or false when recorded (UPSTREAMS 4.3)."""
RENAMED_FIELDS = {f"published_{name}": name for name in ("relation", "type", "units", "value")}
"""Fields of a measurement by their names in ChEMBL's index of 2018; no recording shows today's names."""
UNRECORDED_FIELDS = {
    "action_type",
    "activity_properties",
    "assay_variant_accession",
    "assay_variant_mutation",
    "data_validity_description",
    "standard_text_value",
    "standard_upper_value",
    "text_value",
    "toid",
    "upper_value",
}
"""Fields of a measurement in the web service that its index did not have."""


def recorded_json(name: str) -> Any:
    return json.loads(recording(f"chembl/{name}"))


STARTER = whole_rows(rows_of_starter())


def starter(uid: str) -> dict[str, Any]:
    [row] = [row for row in STARTER["molecule"] if row["molecule_chembl_id"] == uid]
    return row


def test_a_molecule_has_the_fields_of_a_recorded_one_and_those_of_today() -> None:
    other_values = recorded_json("client_demo_cell25_molecule.json")[1]

    for own_values in STARTER["molecule"]:
        assert own_values.keys() == other_values.keys() - REMOVED_VALUES | NEW
        assert own_values["molecule_hierarchy"].keys() == other_values["molecule_hierarchy"].keys() | {
            "active_chembl_id"
        }
        properties, structures = own_values["molecule_properties"] or {}, own_values["molecule_structures"] or {}
        assert not properties or properties.keys() == other_values["molecule_properties"].keys() | {"np_likeness_score"}
        assert not structures or structures.keys() == other_values["molecule_structures"].keys()
        for synonym in own_values["molecule_synonyms"]:
            assert synonym.keys() == other_values["molecule_synonyms"][0].keys()


def test_a_molecule_has_fields_of_the_recorded_types() -> None:
    other_values = recorded_json("client_demo_cell25_molecule.json")[1]

    names = {
        name
        for own_values in STARTER["molecule"]
        for name, value in own_values.items()
        if value is not None and other_values.get(name) is not None and type(value) is not type(other_values[name])
    }
    assert names == NUMBERS_NOW | {"max_phase"}
    assert (starter("CHEMBL25")["max_phase"], other_values["max_phase"]) == ("4.0", 4)


def test_substances_are_written_as_recorded() -> None:
    other_values = recorded_json("molecule_CHEMBL553_erlotinib.json")

    substances = [
        cross_reference
        for cross_reference in other_values["cross_references"]
        if cross_reference["xref_src"] == "PubChem"
    ]

    assert starter("CHEMBL553")["cross_references"] == substances
    assert len(substances) == 8


def test_a_biotherapeutic_has_the_recorded_fields() -> None:
    other_values = recorded_json("molecule_CHEMBL1201644_ws_protein.json")
    own_values = document_of("/molecule/CHEMBL3.json")

    assert own_values["biotherapeutic"].keys() == other_values["biotherapeutic"].keys()
    assert (own_values["molecule_structures"], own_values["molecule_properties"]) == (None, None)
    assert (other_values["molecule_structures"], other_values["molecule_properties"]) == (None, None)
    assert own_values["structure_type"] == other_values["structure_type"] == "SEQ"


def test_a_mechanism_is_as_recorded() -> None:
    other_values = recorded_json("mechanisms_pembrolizumab_20260811.json")
    [row] = other_values["mechanisms"]

    page = document_of(
        "/mechanism.json", standin=stand_ins()[0], limit=15, molecule_chembl_id=row["molecule_chembl_id"]
    )

    [own_values] = page["mechanisms"]
    assert page["page_meta"] == other_values["page_meta"]
    assert own_values.keys() == row.keys()
    unstated_fields = {"direct_interaction", "disease_efficacy", "mechanism_refs", "molecular_mechanism", "record_id"}
    assert {name for name in own_values if own_values[name] != row[name]} == unstated_fields


def test_an_indication_has_the_recorded_fields_and_its_parent() -> None:
    [other_values, *_] = recorded_json("drug_indication_CHEMBL1094636_ws.json")["drug_indications"]

    assert document_of("/drug_indication/21.json").keys() == other_values.keys() | {"parent_molecule_chembl_id"}


def test_a_target_has_the_recorded_fields() -> None:
    rows = [json.loads(line) for line in recording("chembl/es_target_100.jsonl.gz").splitlines()]
    other_values = next(row for row in rows if row["target_type"] == "PROTEIN FAMILY")
    own_values = document_of("/target/CHEMBL101.json")

    # the excerpt is cut to some fields; the others follow UPSTREAMS 4.5
    assert own_values.keys() == other_values.keys() - {"_metadata"} | {
        "cross_references",
        "organism",
        "species_group_flag",
        "tax_id",
    }
    assert own_values["target_components"][0].keys() == other_values["target_components"][0].keys()
    for row in rows:
        for component in row["target_components"]:
            if component["component_type"] == "PROTEIN":
                assert component["relationship"] in {"SINGLE PROTEIN", "PROTEIN SUBUNIT", "GROUP MEMBER"}


def test_a_measurement_has_the_recorded_fields_and_those_of_the_web_service() -> None:
    index = recorded_json("es_activityWithNormalImageSampleESResponse.json")
    _source = json.loads(recording("chembl/es_chembl_28_activity_records.json"))[0]["_source"]
    indexed = (index.keys() | _source.keys()) - {"_metadata", "_score"}
    own_values = document_of("/activity/1.json")

    assert own_values.keys() == indexed - RENAMED_FIELDS.keys() | set(RENAMED_FIELDS.values()) | UNRECORDED_FIELDS | {
        "molecule_pref_name"
    }
    repeat = ("uo_units", "qudt_units", "bao_endpoint", "standard_units", "standard_type", "src_id")
    assert {name: own_values[name] for name in repeat} == {name: index[name] for name in repeat}
    assert isinstance(index["target_tax_id"], str)
    assert isinstance(index["standard_value"], str)


def test_links_of_a_page_are_as_recorded() -> None:
    page_meta = recorded_json("similarity_Page2_ws.json")["page_meta"]
    own_meta = document_of("/molecule.json", limit=2, offset=2)["page_meta"]

    assert own_meta.keys() == page_meta.keys()
    for name, offset in (("previous", 0), ("next", 4)):
        link, like = urlsplit(own_meta[name]), urlsplit(page_meta[name])
        assert (link.scheme, link.netloc, link.path.rpartition("/")[0]) == ("", "", like.path.rpartition("/")[0])
        assert dict(parse_qsl(link.query)) == {"limit": "2", "offset": str(offset)}


@needs_recordings
def test_the_recorded_molecules_are_taken_in_once_each() -> None:
    rows = recorded_molecules(FOLDER)
    ids = [row["molecule_chembl_id"] for row in rows]

    assert len(ids) == len(set(ids)) == 188
    assert all("similarity" not in row for row in rows)
    aspirin = next(row for row in rows if row["molecule_chembl_id"] == "CHEMBL25")
    assert aspirin == recorded_json("glados_CHEMBL25Attributes.json")


@needs_recordings
def test_dopamine_searches_the_recorded_molecules() -> None:
    standin = stand_ins(FOLDER)[0]

    molecules = document_of("/molecule/search.json", standin=standin, q="dopamine", limit=1000)["molecules"]

    assert molecules[0]["molecule_chembl_id"] == "CHEMBL59"
    assert len(molecules) > 5
    table = document_of("/molecule.json", standin=standin)["page_meta"]["total_count"]
    assert table > 188
    assert document_of("/molecule/CHEMBL59.json", standin=standin)["molecule_structures"]["canonical_smiles"]
    assert document_of("/molecule.json", standin=standin, prodrug=0, max_phase=4)["page_meta"]["total_count"] > 40


def test_without_recordings_there_are_the_starter_facts() -> None:
    services = [standin.service.name for standin in stand_ins()]

    assert services == ["chembl", "unichem", "pdbe"]
    assert document_of("/status.json", standin=stand_ins()[0])["disinct_compounds"] >= 40
