"""The starter facts are as the recordings have them, wherever these know the same."""

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
"""Where our facts and an older recording differ, and why."""
YOUNGER = {
    "CHEMBL1009": {"L-dopa"},
    "CHEMBL2103827": {"Northera"},
    "CHEMBL2109414": {"Elahere", "Mirvetuximab soravtansine", "Mirvetuximab soravtansine-gynx"},
    "CHEMBL337702": {"6-Hydroxydopamine"},
    "CHEMBL3544956": {"SHR-1258"},
}
"""Synonyms that the recordings of 2018 did not have; aspirin's stand in the excerpt of release 33."""


COMPARED = ("pref_name", "molecule_type", "first_approval", "withdrawn_flag", "black_box_warning", "prodrug")


def phase(value: float | str) -> str | None:
    """As it is written today; 0 was none."""
    return f"{float(value):.1f}" if float(value) else None


def answer(name: str):
    return json.loads(recording(f"chembl/{name}"))


def jsonl(name: str) -> list[dict]:
    return [json.loads(line) for line in recording(name).splitlines()]


def table(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


@functools.cache
def recorded() -> list[tuple[Row, Row]]:
    """Our molecules, each with what one recording says of it."""
    pairs = ((MOLECULES.get(row.get("molecule_chembl_id")), row) for row in all_molecules())
    return [(molecule, row) for molecule, row in pairs if molecule]


def names_of(row: dict) -> set[str]:
    spellings = [synonym.get("molecule_synonym") or synonym["synonyms"] for synonym in row["molecule_synonyms"]]
    return {name.casefold() for name in (*spellings, row.get("pref_name") or "")}


@needs_recordings
def test_recorded_molecules_agree():
    differences = {}
    for molecule, row in recorded():
        told = row | {name: int(row[name] in {1, "1"}) for name in ("black_box_warning", "prodrug") if name in row}
        if "max_phase" in row:
            told["max_phase"] = phase(row["max_phase"])
        for field in (*COMPARED, "max_phase"):
            if field in told and told[field] != molecule[field]:
                differences[molecule["molecule_chembl_id"], field] = (told[field], molecule[field])
        if parent := (row.get("molecule_hierarchy") or {}).get("parent_chembl_id"):
            assert parent == molecule["molecule_hierarchy"]["parent_chembl_id"]

    assert len({molecule["molecule_chembl_id"] for molecule, _ in recorded()}) > 40
    assert differences.keys() == OLDER.keys(), differences


@needs_recordings
def test_recorded_structures_agree():
    compared = [(molecule, row) for molecule, row in recorded() if row.get("molecule_structures")]

    assert len(compared) > 30
    for molecule, row in compared:
        told, properties = row["molecule_structures"], row.get("molecule_properties")
        for name in ("canonical_smiles", "standard_inchi", "standard_inchi_key"):
            assert molecule["molecule_structures"][name] == told[name]
        if properties:
            ours = molecule["molecule_properties"]
            assert float(ours["full_mwt"]) == float(properties["full_mwt"])
            for name in ("full_molformula", "hba", "hbd", "rtb", "num_ro5_violations"):
                assert ours[name] == properties[name]
            for name in ("alogp", "psa", "mw_freebase"):
                assert ours[name] == (f"{float(properties[name]):.2f}" if properties[name] else None)


@needs_recordings
def test_recorded_synonyms_agree():
    younger = {}
    for molecule, row in recorded():
        if "molecule_synonyms" in row and molecule["molecule_chembl_id"] != "CHEMBL25":
            known = names_of(row)
            ours = {one["synonyms"] for one in molecule["molecule_synonyms"] if one["synonyms"].casefold() not in known}
            younger |= {molecule["molecule_chembl_id"]: ours} if ours else {}
        if row.get("cross_references"):
            told = {ref["xref_id"] for ref in row["cross_references"] if ref["xref_src"] == "PubChem"}
            assert {ref["xref_id"] for ref in molecule["cross_references"]} == told

    assert younger == YOUNGER


@needs_recordings
def test_the_recorded_answer_for_viagra_agrees():
    ours = {uid for uid, row in MOLECULES.items() if "viagra" in names_of(row)}

    assert ours == {row["molecule_chembl_id"] for row in answer("client_demo_cell9_other.json")}


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
    for number, prodrug, chembl_id, *told in molecules:
        ours = MOLECULES[chembl_id]
        name, best, *others = told
        assert (ours["pref_name"], ours["max_phase"]) == (name, None if best is None else phase(best))
        fields = ("molecule_type", "first_approval", "black_box_warning", "withdrawn_flag", "prodrug")
        assert [ours[field] for field in fields] == [*others, prodrug]
        assert {(synonym["syn_type"], synonym["synonyms"]) for synonym in ours["molecule_synonyms"]} == {
            (kind, name) for owner, kind, name in synonyms if owner == number
        }
    known = [row for row in ROWS["drug_indication"] if row["molecule_chembl_id"] in numbers]
    assert len(known) > 80
    for row in known:
        written = tuple(row[name] for name in ("mesh_id", "mesh_heading", "efo_id", "efo_term"))
        ours = (row["drugind_id"], numbers[row["molecule_chembl_id"]], *written, float(row["max_phase_for_ind"]))
        assert ours in indications


@needs_recordings
def test_recorded_indications_and_warnings_agree():
    ours = {(row["molecule_chembl_id"], row["efo_id"]): row for row in ROWS["drug_indication"]}
    told = {(row["molecule_chembl_id"], row["efo_id"]): row for row in jsonl("chembl/es_drug_indication_30.jsonl")}
    niraparib = {row["drugind_id"]: row for row in answer("drug_indication_CHEMBL1094636_ws.json")["drug_indications"]}

    assert len(ours.keys() & told.keys()) == 3
    for key in ours.keys() & told.keys():
        assert float(ours[key]["max_phase_for_ind"]) == told[key]["max_phase_for_ind"]
    for row in ROWS["drug_indication"]:
        if row["molecule_chembl_id"] == "CHEMBL1094636":
            same = niraparib[row["drugind_id"]]
            assert float(row["max_phase_for_ind"]) == same["max_phase_for_ind"]
            assert (row["mesh_id"], row["efo_id"]) == (same["mesh_id"], same["efo_id"])
            assert (row["mesh_heading"].upper(), row["efo_term"].upper()) == (same["mesh_heading"], same["efo_term"])
    warned = {row["molecule_chembl_id"] for row in jsonl("chembl/es_drug_warning_30.jsonl")} & MOLECULES.keys()
    assert len(warned) == 3
    assert all(MOLECULES[chembl_id]["black_box_warning"] for chembl_id in warned)


@needs_recordings
def test_recorded_mechanisms_agree():
    told = {row["mec_id"]: row for row in answer("mechanisms_pembrolizumab_20260811.json")["mechanisms"]}
    told |= {row["mec_id"]: row for row in answer("ws_WSCollectionTestData2.json")}
    hits = answer("es_MechanismsOfActionForCHEMBL190esResponse.json")["hits"]["hits"]
    told |= {hit["_source"]["mec_id"]: hit["_source"] for hit in hits}
    keys = ("molecule_chembl_id", "target_chembl_id", "mechanism_of_action", "action_type", "max_phase")

    ids = {one["molecule_chembl_id"] for one in told.values()}
    known = {row["mec_id"]: row for row in ROWS["mechanism"] if row["molecule_chembl_id"] in ids}
    assert set(known) == {number for number, row in told.items() if row[keys[0]] in MOLECULES}
    for number, row in known.items():
        assert [row[key] for key in keys] == [told[number][key] for key in keys]


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
    """The dump and we share two components: what we state of them is what it states, each of our names among its."""
    dumped = {row["target_chembl_id"]: row for row in jsonl("chembl/es_target_100.jsonl.gz")}
    told = {part["accession"]: part for row in dumped.values() for part in row["target_components"] or ()}
    ours = {part["accession"]: part for row in TARGETS.values() for part in row["target_components"]}
    shared = ours.keys() & told.keys()

    assert TARGETS.keys() & dumped.keys() == {"CHEMBL3390821", "CHEMBL4296641", "CHEMBL614835"}
    assert shared == {"P15391", "ENSG00000197386"}
    for accession in shared:
        names = [(one["syn_type"], one["component_synonym"]) for one in told[accession]["target_component_synonyms"]]
        assert ours[accession]["component_type"] == told[accession]["component_type"]
        assert ours[accession]["component_description"] in {None, told[accession]["component_description"]}
        assert ours[accession]["component_id"] in {None, told[accession]["component_id"]}
        for one in ours[accession]["target_component_synonyms"]:
            assert (one["syn_type"], one["component_synonym"]) in names
    for chembl_id in TARGETS.keys() & dumped.keys():
        relations = [
            {part["accession"]: part["relationship"] for part in rows[chembl_id]["target_components"] or ()}
            for rows in (TARGETS, dumped)
        ]
        assert relations[0] == relations[1]


@needs_recordings
def test_what_was_recorded_on_sars_cov_2_agrees():
    rows = [row["_source"] for row in answer("es_chembl_28_activity_records.json")]
    molecules = {row["molecule_chembl_id"]: row for row in rows if row["molecule_chembl_id"] in MOLECULES}
    targets = {row["target_chembl_id"]: row for row in rows if row["target_chembl_id"] in TARGETS}

    assert len(molecules) == 5
    assert len(targets) == 4
    for chembl_id, row in molecules.items():
        ours = MOLECULES[chembl_id]
        smiles = ours["molecule_structures"]["canonical_smiles"]
        assert (ours["pref_name"], smiles) == (row["molecule_pref_name"], row["canonical_smiles"])
    for chembl_id, row in targets.items():
        target = TARGETS[chembl_id]
        assert (target["pref_name"], target["organism"]) == (row["target_pref_name"], row["target_organism"])
        assert target["target_type"] == row["_metadata"]["target_data"]["target_type"]


@needs_recordings
def test_recorded_ids_agree():
    rows = json.loads(recording("bulk/chembl20_table_chembl_id_lookup.json"))
    told = {row["pk"]: (row["fields"]["entity_type"], row["fields"]["status"]) for row in rows}
    ours = {row["chembl_id"]: (row["entity_type"], row["status"]) for row in rows_of_starter()["chembl_id_lookup"]}

    assert {key: ours[key] for key in ours.keys() & told.keys()} == {
        "CHEMBL100000": ("COMPOUND", "INACTIVE"),
        "CHEMBL1000000": ("ASSAY", "ACTIVE"),
    }
    assert ours[answer("client_demo_cell58_other.json")[0]["cell_chembl_id"]] == ("CELL", "ACTIVE")
    assert ours[answer("client_demo_cell49_other.json")[0]["tissue_chembl_id"]] == ("TISSUE", "ACTIVE")


@needs_recordings
def test_the_recorded_answer_of_unichem_agrees():
    sources = answer("unichem_connectivity_key_search_JJBCTCGUOQYZHK-ZSCHJXSPSA-N.json")["1"]
    told: dict[str, set[tuple[int, str]]] = {}
    for source in sources:
        for match in source["src_matches"]:
            if int(source["src_id"]) in UNICHEM_SOURCES:
                ids = told.setdefault(match["CpdId_InChIKey"], set())
                ids.add((int(source["src_id"]), match["src_compound_id"]))

    compared = {
        row["standardInchiKey"]: {(one["id"], one["compoundId"]) for one in row["sources"]}
        for row in rows_of_starter()["unichem_compound"]
        if row["standardInchiKey"] in told
    }
    assert len(compared) == 3
    assert compared == {key: told[key] for key in compared}
