"""The starter facts equal those of the recordings, if these have the same facts."""

import contextlib
import functools
import json
import sqlite3

import pytest

from biofact.sandbox.services.chembl.corpus import rows_of_starter, whole_rows
from biofact.sandbox.tables import Row
from tests.recordings import needs_recordings, recording
from tests.sources.chembl.recorded_molecules import all_molecules

pytestmark = pytest.mark.quick

ROWS = whole_rows(rows_of_starter())
MOLECULES = {row["molecule_chembl_id"]: row for row in ROWS["molecule"]}
TARGETS = {row["target_chembl_id"]: row for row in ROWS["target"]}
UNICHEM_SOURCES = {1, 2, 3, 6, 7, 22}

OLDER = {
    **{
        ("CHEMBL2109414", field): "not yet approved, and not yet a type"
        for field in ("pref_name", "molecule_type", "max_phase")
    },
    ("CHEMBL2109414", "first_approval"): "not yet approved",
    ("CHEMBL2109414", "black_box_warning"): "not yet approved",
    ("CHEMBL2103827", "black_box_warning"): "the recorded warnings, which are younger, have it",
    ("CHEMBL3544956", "max_phase"): "has reached phase 3 since",
    ("CHEMBL3545010", "max_phase"): "0.5 is younger than the recording",
    **{(chembl_id, "max_phase"): "-1 is younger" for chembl_id in ("CHEMBL2107084", "CHEMBL2109133", "CHEMBL337702")},
}
"""Differences of our facts from an older recording, and the reasons."""
YOUNGER = {
    "CHEMBL1009": {"L-dopa"},
    "CHEMBL2103827": {"Northera"},
    "CHEMBL2109414": {"Elahere", "Mirvetuximab soravtansine", "Mirvetuximab soravtansine-gynx"},
    "CHEMBL337702": {"6-Hydroxydopamine"},
    "CHEMBL3544956": {"SHR-1258"},
}
"""Synonyms that the recordings of 2018 did not have; aspirin's are in the excerpt of release 33."""


PAIRS = ("pref_name", "molecule_type", "first_approval", "withdrawn_flag", "black_box_warning", "prodrug")


def phase(value: float | str) -> str | None:
    """A phase in today's form; 0 meant none."""
    return f"{float(value):.1f}" if float(value) else None


def answer(name: str):
    return json.loads(recording(f"chembl/{name}"))


def jsonl(name: str) -> list[dict]:
    return [json.loads(line) for line in recording(name).splitlines()]


def table(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


@functools.cache
def recorded_rows() -> list[tuple[Row, Row]]:
    """Our molecules, each with the facts of one recording."""
    pairs = ((MOLECULES.get(row.get("molecule_chembl_id")), row) for row in all_molecules())
    return [(molecule, row) for molecule, row in pairs if molecule]


def names_of(row: dict) -> set[str]:
    spellings = [synonym.get("molecule_synonym") or synonym["synonyms"] for synonym in row["molecule_synonyms"]]
    return {name.casefold() for name in (*spellings, row.get("pref_name") or "")}


@needs_recordings
def test_recorded_molecules_agree():
    differences = {}
    for molecule, row in recorded_rows():
        answer = row | {name: int(row[name] in {1, "1"}) for name in ("black_box_warning", "prodrug") if name in row}
        if "max_phase" in row:
            answer["max_phase"] = phase(row["max_phase"])
        for field in (*PAIRS, "max_phase"):
            if field in answer and answer[field] != molecule[field]:
                differences[molecule["molecule_chembl_id"], field] = (answer[field], molecule[field])
        if parent := (row.get("molecule_hierarchy") or {}).get("parent_chembl_id"):
            assert parent == molecule["molecule_hierarchy"]["parent_chembl_id"]

    assert len({molecule["molecule_chembl_id"] for molecule, _ in recorded_rows()}) > 40
    assert differences.keys() == OLDER.keys(), differences


@needs_recordings
def test_recorded_structures_agree():
    pairs = [(molecule, row) for molecule, row in recorded_rows() if row.get("molecule_structures")]

    assert len(pairs) > 30
    for molecule, row in pairs:
        molecule_structures, properties = row["molecule_structures"], row.get("molecule_properties")
        for name in ("canonical_smiles", "standard_inchi", "standard_inchi_key"):
            assert molecule["molecule_structures"][name] == molecule_structures[name]
        if properties:
            molecule_properties = molecule["molecule_properties"]
            assert float(molecule_properties["full_mwt"]) == float(properties["full_mwt"])
            for name in ("full_molformula", "hba", "hbd", "rtb", "num_ro5_violations"):
                assert molecule_properties[name] == properties[name]
            for name in ("alogp", "psa", "mw_freebase"):
                assert molecule_properties[name] == (f"{float(properties[name]):.2f}" if properties[name] else None)


@needs_recordings
def test_recorded_synonyms_agree():
    younger = {}
    for molecule, row in recorded_rows():
        if "molecule_synonyms" in row and molecule["molecule_chembl_id"] != "CHEMBL25":
            known_values = names_of(row)
            synonyms = {
                molecule_synonym["synonyms"]
                for molecule_synonym in molecule["molecule_synonyms"]
                if molecule_synonym["synonyms"].casefold() not in known_values
            }
            younger |= {molecule["molecule_chembl_id"]: synonyms} if synonyms else {}
        if row.get("cross_references"):
            xref_ids = {ref["xref_id"] for ref in row["cross_references"] if ref["xref_src"] == "PubChem"}
            assert {ref["xref_id"] for ref in molecule["cross_references"]} == xref_ids

    assert younger == YOUNGER


@needs_recordings
def test_the_recorded_answer_for_viagra_agrees():
    uids = {uid for uid, row in MOLECULES.items() if "viagra" in names_of(row)}

    assert uids == {row["molecule_chembl_id"] for row in answer("client_demo_cell9_other.json")}


@needs_recordings
def test_the_excerpt_of_release_33_agrees():
    with contextlib.closing(sqlite3.connect(":memory:")) as release:
        release.deserialize(recording("chembl/chembl_33_excerpt.db"))
        fields = "chembl_id, pref_name, max_phase, molecule_type, first_approval, black_box_warning, withdrawn_flag"
        molecules = release.execute(f"SELECT molregno, prodrug = 1, {fields} FROM molecule_dictionary").fetchall()
        synonyms = release.execute("SELECT molregno, syn_type, synonyms FROM molecule_synonyms").fetchall()
        terms = "mesh_id, mesh_heading, efo_id, efo_term, max_phase_for_ind"
        indications = set(release.execute(f"SELECT drugind_id, molregno, {terms} FROM drug_indication").fetchall())

    numbers = {row[2]: row[0] for row in molecules}
    for number, prodrug, chembl_id, *answer in molecules:
        own_values = MOLECULES[chembl_id]
        name, best, *other_values = answer
        assert (own_values["pref_name"], own_values["max_phase"]) == (name, None if best is None else phase(best))
        fields = ("molecule_type", "first_approval", "black_box_warning", "withdrawn_flag", "prodrug")
        assert [own_values[field] for field in fields] == [*other_values, prodrug]
        assert {(synonym["syn_type"], synonym["synonyms"]) for synonym in own_values["molecule_synonyms"]} == {
            (kind, name) for owner, kind, name in synonyms if owner == number
        }
    drug_indication = [row for row in ROWS["drug_indication"] if row["molecule_chembl_id"] in numbers]
    assert len(drug_indication) > 80
    for row in drug_indication:
        text = tuple(row[name] for name in ("mesh_id", "mesh_heading", "efo_id", "efo_term"))
        own_values = (row["drugind_id"], numbers[row["molecule_chembl_id"]], *text, float(row["max_phase_for_ind"]))
        assert own_values in indications


@needs_recordings
def test_recorded_indications_and_warnings_agree():
    drug_indication = {(row["molecule_chembl_id"], row["efo_id"]): row for row in ROWS["drug_indication"]}
    recorded_indications = {
        (row["molecule_chembl_id"], row["efo_id"]): row for row in jsonl("chembl/es_drug_indication_30.jsonl")
    }
    niraparib = {row["drugind_id"]: row for row in answer("drug_indication_CHEMBL1094636_ws.json")["drug_indications"]}

    assert len(drug_indication.keys() & recorded_indications.keys()) == 3
    for key in drug_indication.keys() & recorded_indications.keys():
        assert float(drug_indication[key]["max_phase_for_ind"]) == recorded_indications[key]["max_phase_for_ind"]
    for row in ROWS["drug_indication"]:
        if row["molecule_chembl_id"] == "CHEMBL1094636":
            repeat = niraparib[row["drugind_id"]]
            assert float(row["max_phase_for_ind"]) == repeat["max_phase_for_ind"]
            assert (row["mesh_id"], row["efo_id"]) == (repeat["mesh_id"], repeat["efo_id"])
            assert (row["mesh_heading"].upper(), row["efo_term"].upper()) == (
                repeat["mesh_heading"],
                repeat["efo_term"],
            )
    molecule_chembl_ids = {
        row["molecule_chembl_id"] for row in jsonl("chembl/es_drug_warning_30.jsonl")
    } & MOLECULES.keys()
    assert len(molecule_chembl_ids) == 3
    assert all(MOLECULES[chembl_id]["black_box_warning"] for chembl_id in molecule_chembl_ids)


@needs_recordings
def test_recorded_mechanisms_agree():
    mechanisms = {row["mec_id"]: row for row in answer("mechanisms_pembrolizumab_20260811.json")["mechanisms"]}
    mechanisms |= {row["mec_id"]: row for row in answer("ws_WSCollectionTestData2.json")}
    hits = answer("es_MechanismsOfActionForCHEMBL190esResponse.json")["hits"]["hits"]
    mechanisms |= {hit["_source"]["mec_id"]: hit["_source"] for hit in hits}
    keys = ("molecule_chembl_id", "target_chembl_id", "mechanism_of_action", "action_type", "max_phase")

    ids = {item["molecule_chembl_id"] for item in mechanisms.values()}
    mechanism = {row["mec_id"]: row for row in ROWS["mechanism"] if row["molecule_chembl_id"] in ids}
    assert set(mechanism) == {number for number, row in mechanisms.items() if row[keys[0]] in MOLECULES}
    for number, row in mechanism.items():
        assert [row[key] for key in keys] == [mechanisms[number][key] for key in keys]


@needs_recordings
def test_recorded_targets_agree():
    mapped: dict[str, tuple[str, str, set[str]]] = {}
    for accession, chembl_id, name, kind in table(recording("bulk/chembl_32_uniprot_mapping.txt").decode()):
        mapped.setdefault(chembl_id, (name, kind, set()))[2].add(accession)
    dumped = {row["target_chembl_id"]: row for row in jsonl("chembl/es_target_100.jsonl.gz")}
    fields = [row["fields"] for row in json.loads(recording("bulk/chembl20_table_target_dictionary.json"))]
    older = {row["chembl"]: row for row in fields}

    assert len(TARGETS.keys() & mapped.keys()) > 60
    assert len(TARGETS.keys() & older.keys()) > 10
    for chembl_id, target in TARGETS.items():
        accessions = {part["accession"] for part in target["target_components"]}
        assert bool(accessions) == (chembl_id in mapped)
        assert not accessions or mapped[chembl_id] == (target["pref_name"], target["target_type"], accessions)
        if row := dumped.get(chembl_id):
            assert (row["pref_name"], row["target_type"]) == (target["pref_name"], target["target_type"])
            assert {part["accession"] for part in row["target_components"] or ()} == accessions
        if row := older.get(chembl_id):
            assert all(row[key] == target[key] for key in ("pref_name", "target_type", "organism", "tax_id"))


@needs_recordings
def test_recorded_components_agree():
    """The dump and we share two components: our facts about them are its facts, and our names are among its names."""
    dumped = {row["target_chembl_id"]: row for row in jsonl("chembl/es_target_100.jsonl.gz")}
    parts = {part["accession"]: part for row in dumped.values() for part in row["target_components"] or ()}
    own_parts = {part["accession"]: part for row in TARGETS.values() for part in row["target_components"]}
    shared = own_parts.keys() & parts.keys()

    assert TARGETS.keys() & dumped.keys() == {"CHEMBL3390821", "CHEMBL4296641", "CHEMBL614835"}
    assert shared == {"P15391", "ENSG00000197386"}
    for accession in shared:
        names = [
            (target_component_synonym["syn_type"], target_component_synonym["component_synonym"])
            for target_component_synonym in parts[accession]["target_component_synonyms"]
        ]
        assert own_parts[accession]["component_type"] == parts[accession]["component_type"]
        assert own_parts[accession]["component_description"] in {None, parts[accession]["component_description"]}
        assert own_parts[accession]["component_id"] in {None, parts[accession]["component_id"]}
        for target_component_synonym in own_parts[accession]["target_component_synonyms"]:
            assert (target_component_synonym["syn_type"], target_component_synonym["component_synonym"]) in names
    for chembl_id in TARGETS.keys() & dumped.keys():
        relations = [
            {part["accession"]: part["relationship"] for part in rows[chembl_id]["target_components"] or ()}
            for rows in (TARGETS, dumped)
        ]
        assert relations[0] == relations[1]


@needs_recordings
def test_facts_recorded_on_sars_cov_2_agree():
    rows = [row["_source"] for row in answer("es_chembl_28_activity_records.json")]
    molecules = {row["molecule_chembl_id"]: row for row in rows if row["molecule_chembl_id"] in MOLECULES}
    targets = {row["target_chembl_id"]: row for row in rows if row["target_chembl_id"] in TARGETS}

    assert len(molecules) == 5
    assert len(targets) == 4
    for chembl_id, row in molecules.items():
        own_values = MOLECULES[chembl_id]
        smiles = own_values["molecule_structures"]["canonical_smiles"]
        assert (own_values["pref_name"], smiles) == (row["molecule_pref_name"], row["canonical_smiles"])
    for chembl_id, row in targets.items():
        target = TARGETS[chembl_id]
        assert (target["pref_name"], target["organism"]) == (row["target_pref_name"], row["target_organism"])
        assert target["target_type"] == row["_metadata"]["target_data"]["target_type"]


@needs_recordings
def test_recorded_ids_agree():
    rows = json.loads(recording("bulk/chembl20_table_chembl_id_lookup.json"))
    pairs = {row["pk"]: (row["fields"]["entity_type"], row["fields"]["status"]) for row in rows}
    own_ids = {row["chembl_id"]: (row["entity_type"], row["status"]) for row in rows_of_starter()["chembl_id_lookup"]}

    assert {key: own_ids[key] for key in own_ids.keys() & pairs.keys()} == {
        "CHEMBL100000": ("COMPOUND", "INACTIVE"),
        "CHEMBL1000000": ("ASSAY", "ACTIVE"),
    }
    assert own_ids[answer("client_demo_cell58_other.json")[0]["cell_chembl_id"]] == ("CELL", "ACTIVE")
    assert own_ids[answer("client_demo_cell49_other.json")[0]["tissue_chembl_id"]] == ("TISSUE", "ACTIVE")


@needs_recordings
def test_the_recorded_answer_of_unichem_agrees():
    sources = answer("unichem_connectivity_key_search_JJBCTCGUOQYZHK-ZSCHJXSPSA-N.json")["1"]
    recorded_sources: dict[str, set[tuple[int, str]]] = {}
    for source in sources:
        for match in source["src_matches"]:
            if int(source["src_id"]) in UNICHEM_SOURCES:
                ids = recorded_sources.setdefault(match["CpdId_InChIKey"], set())
                ids.add((int(source["src_id"]), match["src_compound_id"]))

    pairs = {
        row["standardInchiKey"]: {(source["id"], source["compoundId"]) for source in row["sources"]}
        for row in rows_of_starter()["unichem_compound"]
        if row["standardInchiKey"] in recorded_sources
    }
    assert len(pairs) == 3
    assert pairs == {key: recorded_sources[key] for key in pairs}
