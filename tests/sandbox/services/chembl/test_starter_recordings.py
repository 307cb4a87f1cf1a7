"""The starter facts are as the recordings have them, wherever these know the same."""

import contextlib
import functools
import json
import sqlite3
from typing import Any

from biofact.sandbox.services.chembl.facts import MoleculeFacts
from biofact.sandbox.services.chembl.starters import starter_facts
from tests.recordings import needs_recordings, recording
from tests.sources.chembl.recorded_molecules import all_molecules

FACTS = starter_facts()
MOLECULES = {molecule.id: molecule for molecule in FACTS.molecules}
TARGETS = {target.id: target for target in FACTS.targets}
UNICHEM_SOURCES = {1, 2, 3, 6, 7, 22}

OLDER = {
    **{("CHEMBL2109414", field): "not yet approved, and not yet a type" for field in ("name", "type", "phase")},
    ("CHEMBL2109414", "approved"): "not yet approved",
    ("CHEMBL2109414", "black_box"): "not yet approved",
    ("CHEMBL2103827", "black_box"): "the recorded warnings, which are younger, have it",
    ("CHEMBL3544956", "phase"): "has reached phase 3 since",
    ("CHEMBL3545010", "phase"): "0.5 is younger than the recording",
    **{(chembl_id, "phase"): "-1 is younger" for chembl_id in ("CHEMBL2107084", "CHEMBL2109133", "CHEMBL337702")},
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


def answer(name: str):
    return json.loads(recording(f"chembl/{name}"))


def jsonl(name: str) -> list[dict]:
    return [json.loads(line) for line in recording(name).splitlines()]


def table(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


@functools.cache
def recorded() -> list[tuple[MoleculeFacts, dict[str, Any]]]:
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
        phase = float(row["max_phase"]) or None if "max_phase" in row else None
        hierarchy = row.get("molecule_hierarchy") or {}
        pairs = {
            "name": ("pref_name", row.get("pref_name") or "", molecule.name),
            "type": ("molecule_type", row.get("molecule_type"), molecule.type),
            "phase": ("max_phase", phase, molecule.max_phase),
            "approved": ("first_approval", row.get("first_approval"), molecule.first_approval),
            "withdrawn": ("withdrawn_flag", row.get("withdrawn_flag"), molecule.is_withdrawn),
            "black_box": (
                "black_box_warning",
                row.get("black_box_warning") in {1, "1"},
                molecule.has_black_box_warning,
            ),
            "prodrug": ("prodrug", row.get("prodrug") in {1, "1"}, molecule.is_prodrug),
            "parent": ("molecule_hierarchy", hierarchy.get("parent_chembl_id"), molecule.parent or molecule.id),
        }
        for field, (theirs, told, ours) in pairs.items():
            if theirs in row and told != ours:
                differences[molecule.id, field] = (told, ours)

    assert len({molecule.id for molecule, _ in recorded()}) > 40
    assert differences.keys() == OLDER.keys(), differences


@needs_recordings
def test_recorded_structures_agree():
    compared = [(molecule, row) for molecule, row in recorded() if row.get("molecule_structures")]

    assert len(compared) > 30
    for molecule, row in compared:
        told, properties = row["molecule_structures"], row.get("molecule_properties")
        assert molecule.structure.smiles == told["canonical_smiles"]
        assert molecule.structure.inchi == told["standard_inchi"]
        assert molecule.structure.inchi_key == told["standard_inchi_key"]
        if properties:
            ours = molecule.properties
            assert (ours.formula, float(ours.weight)) == (properties["full_molformula"], float(properties["full_mwt"]))
            assert ours.alogp == (f"{float(properties['alogp']):.2f}" if properties["alogp"] else "")
            assert ours.psa == (f"{float(properties['psa']):.2f}" if properties["psa"] else "")
            assert (ours.hba, ours.hbd, ours.rtb) == tuple(properties[key] for key in ("hba", "hbd", "rtb"))
            assert ours.ro5_violations == properties["num_ro5_violations"]


@needs_recordings
def test_recorded_synonyms_agree():
    younger = {}
    for molecule, row in recorded():
        if "molecule_synonyms" in row and molecule.id != "CHEMBL25":
            known = names_of(row)
            ours = {synonym.name for synonym in molecule.synonyms if synonym.name.casefold() not in known}
            younger |= {molecule.id: ours} if ours else {}
        if row.get("cross_references"):
            told = {ref["xref_id"] for ref in row["cross_references"] if ref["xref_src"] == "PubChem"}
            assert set(molecule.substance_ids) == told

    assert younger == YOUNGER


@needs_recordings
def test_the_recorded_answer_for_viagra_agrees():
    ours = {molecule.id for molecule in FACTS.molecules for synonym in molecule.synonyms if synonym.name == "Viagra"}

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
        flags = [ours.has_black_box_warning, ours.is_withdrawn]
        assert [ours.name, ours.max_phase, ours.type, ours.first_approval, *flags, ours.is_prodrug] == [*told, prodrug]
        assert {(synonym.kind, synonym.name) for synonym in ours.synonyms} == {
            (kind, name) for owner, kind, name in synonyms if owner == number
        }
    known = [row for row in FACTS.indications if row.molecule in numbers]
    assert len(known) > 80
    for row in known:
        terms = (row.mesh_id, row.mesh_heading, row.efo_id, row.efo_term)
        assert (row.id, numbers[row.molecule], *terms, row.max_phase) in indications


@needs_recordings
def test_recorded_indications_and_warnings_agree():
    ours = {(row.molecule, row.efo_id): row for row in FACTS.indications}
    told = {(row["molecule_chembl_id"], row["efo_id"]): row for row in jsonl("chembl/es_drug_indication_30.jsonl")}
    niraparib = {row["drugind_id"]: row for row in answer("drug_indication_CHEMBL1094636_ws.json")["drug_indications"]}

    assert len(ours.keys() & told.keys()) == 3
    for key in ours.keys() & told.keys():
        assert ours[key].max_phase == told[key]["max_phase_for_ind"]
    for row in FACTS.indications:
        if row.molecule == "CHEMBL1094636":
            same = niraparib[row.id]
            assert (row.max_phase, row.mesh_id, row.efo_id) == tuple(
                same[key] for key in ("max_phase_for_ind", "mesh_id", "efo_id")
            )
            assert (row.mesh_heading.upper(), row.efo_term.upper()) == (same["mesh_heading"], same["efo_term"])
    warned = {row["molecule_chembl_id"] for row in jsonl("chembl/es_drug_warning_30.jsonl")} & MOLECULES.keys()
    assert len(warned) == 3
    assert all(MOLECULES[chembl_id].has_black_box_warning for chembl_id in warned)


@needs_recordings
def test_recorded_mechanisms_agree():
    told = {row["mec_id"]: row for row in answer("mechanisms_pembrolizumab_20260811.json")["mechanisms"]}
    told |= {row["mec_id"]: row for row in answer("ws_WSCollectionTestData2.json")}
    hits = answer("es_MechanismsOfActionForCHEMBL190esResponse.json")["hits"]["hits"]
    told |= {hit["_source"]["mec_id"]: hit["_source"] for hit in hits}
    keys = ("molecule_chembl_id", "target_chembl_id", "mechanism_of_action", "action_type", "max_phase")

    known = {row.id: row for row in FACTS.mechanisms if row.molecule in {one[keys[0]] for one in told.values()}}
    assert set(known) == {number for number, row in told.items() if row[keys[0]] in MOLECULES}
    for number, row in known.items():
        ours = (row.molecule, row.target, row.mechanism, row.action, row.max_phase)
        assert ours == tuple(told[number][key] for key in keys)


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
    for target in FACTS.targets:
        accessions = set(target.accessions)
        assert bool(accessions) == (target.id in mapped)
        assert not accessions or mapped[target.id] == (target.name, target.type, accessions)
        if row := dumped.get(target.id):
            assert (row["pref_name"], row["target_type"]) == (target.name, target.type)
            assert {part["accession"] for part in row["target_components"] or ()} == accessions
        if row := older.get(target.id):
            told = tuple(row[key] for key in ("pref_name", "target_type", "organism", "tax_id"))
            assert told == (target.name, target.type, target.organism, target.tax_id)


@needs_recordings
def test_what_was_recorded_on_sars_cov_2_agrees():
    rows = [row["_source"] for row in answer("es_chembl_28_activity_records.json")]
    molecules = {row["molecule_chembl_id"]: row for row in rows if row["molecule_chembl_id"] in MOLECULES}
    targets = {row["target_chembl_id"]: row for row in rows if row["target_chembl_id"] in TARGETS}

    assert len(molecules) == 5
    assert len(targets) == 4
    for chembl_id, row in molecules.items():
        ours = MOLECULES[chembl_id]
        assert (ours.name, ours.structure.smiles) == (row["molecule_pref_name"], row["canonical_smiles"])
    for chembl_id, row in targets.items():
        target = TARGETS[chembl_id]
        assert (target.name, target.organism) == (row["target_pref_name"], row["target_organism"] or "")
        assert target.type == row["_metadata"]["target_data"]["target_type"]


@needs_recordings
def test_recorded_ids_agree():
    rows = json.loads(recording("bulk/chembl20_table_chembl_id_lookup.json"))
    told = {row["pk"]: (row["fields"]["entity_type"], row["fields"]["status"]) for row in rows}
    ours = {row.id: (row.type, row.status) for row in FACTS.ids}

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

    compared = {row.inchi_key: set(row.ids) for row in FACTS.elsewhere if row.inchi_key in told}
    assert len(compared) == 3
    assert compared == {key: told[key] for key in compared}
