"""UniProt entries of approved drugs against ChEMBL's own mapping of targets, recorded (SC-006), value by value.

The drugs are the approved starter compounds, and those whose mechanisms the recordings have. Expected values are read
from the raw rows and the mapping. No recording has IDs of PubChem, DrugBank, KEGG or the PDB: those are compared with
starter facts only.
"""

import asyncio
import json
from collections import Counter, defaultdict

import pytest

from biofact.sandbox.services.chembl.corpus import rows_of_starter
from tests.marks import requirement
from tests.recordings import needs_recordings, recording
from tests.sandboxed import WHOLE
from tests.sources.chembl.made_client import run
from tests.sources.chembl.made_compounds import made_row, molecule

pytestmark = [pytest.mark.sweep, needs_recordings]

TEXT = ("chembl/ws_WSCollectionTestData0.json", "chembl/ws_WSCollectionTestData2.json")
"""Mechanisms with the name and phase of their molecule."""
XANTHINES = "chembl/es_MechanismsOfActionForCHEMBL190esResponse.json"
ANTIBODY = "chembl/mechanisms_pembrolizumab_20260811.json"
RIBOSOME = "chembl/es_CHEMBL2363965-ES-Response.json"
"""The only target of these that is not among the starter rows."""
APPROVED = 4.0
STARTER_DRUGS, RECORDED_DRUGS, DRUGS, TARGETS = 80, 69, 145, 55
GLUCOCORTICOIDS = ("CHEMBL2034", 62)
"""The receptor of glucocorticoids, and the number of drugs on it."""


def mapping():
    """The accessions of each target of release 32."""
    result = defaultdict(set)
    for line in recording("bulk/chembl_32_uniprot_mapping.txt").decode().splitlines():
        if not line.startswith("#"):
            accession, target, *_ = line.split("\t")
            result[target].add(f"UniProtKB:{accession}")
    return result


def recorded_mechanisms():
    """The recorded mechanisms of approved drugs."""
    rows = [row for name in TEXT for row in json.loads(recording(name))]
    rows += [hit["_source"] for hit in json.loads(recording(XANTHINES))["hits"]["hits"]]
    rows += json.loads(recording(ANTIBODY))["mechanisms"]
    return [row for row in rows if row["max_phase"] == APPROVED]


def parent(row):
    return row["molecule_hierarchy"].get("parent_chembl_id", row["molecule_chembl_id"])


def targets_of_drugs():
    """The targets of each approved drug, by the raw rows: rows of its salts count, rows of its parent do not."""
    starter = rows_of_starter()
    approved = [row for row in starter["molecule"] if row["max_phase"] == f"{APPROVED}"]
    forms = defaultdict(set)
    for row in starter["molecule"]:
        forms[parent(row)].add(row["molecule_chembl_id"])
    filed_entries = defaultdict(set)
    for row in (*starter["mechanism"], *recorded_mechanisms()):
        filed_entries[row["molecule_chembl_id"]].add(row["target_chembl_id"])
    result = {row["molecule_chembl_id"]: filed_entries[row["molecule_chembl_id"]] for row in recorded_mechanisms()}
    for row in approved:
        molecule_chembl_id = row["molecule_chembl_id"]
        result[molecule_chembl_id] = set().union(
            *(
                filed_entries[item]
                for item in (forms[molecule_chembl_id] if parent(row) == molecule_chembl_id else {molecule_chembl_id})
            )
        )
    return result


def facts():
    """The starter rows, the recorded mechanisms, and the needed rows of their molecules and of the ribosome."""
    starter = rows_of_starter()
    numbers = {row["mec_id"] for row in starter["mechanism"]}
    molecule_chembl_ids = {row["molecule_chembl_id"] for row in starter["molecule"]}
    rows = recorded_mechanisms()
    names = {row["molecule_chembl_id"]: row.get("pref_name") for row in rows}
    ribosome = json.loads(recording(RIBOSOME))["_source"]
    return {
        **starter,
        "molecule": [
            *starter["molecule"],
            *(
                molecule(item, name, max_phase=f"{APPROVED}")
                for item, name in names.items()
                if item not in molecule_chembl_ids
            ),
        ],
        "mechanism": [
            *starter["mechanism"],
            *(made_row("mechanism", **row) for row in rows if row["mec_id"] not in numbers),
        ],
        "target": [*starter["target"], made_row("target", **ribosome)],
    }


@pytest.fixture(scope="module")
def entries():
    """The UniProt entries of each drug: ours, and those of the mapping."""
    targets, known_values = targets_of_drugs(), mapping()

    async def ask(chembl):
        ids = [f"CHEMBL:{target[6:]}" for target in targets]
        return await asyncio.gather(*(chembl.get_compound(item, include=["cross_references"]) for item in ids))

    answer = run(ask, facts=facts(), timing=WHOLE).answer
    assert [item.id for item in answer] == [f"CHEMBL:{target[6:]}" for target in targets]
    uniprots = [set(item.cross_references.uniprot or ()) for item in answer]
    expected = [{entry for target in target for entry in known_values[target]} for target in targets.values()]
    return {target: pair for target, *pair in zip(targets, uniprots, expected, strict=True)}


@requirement("002 SC-006")
def test_more_than_95_of_100_uniprot_entries_of_approved_drugs_are_those_of_the_recorded_mapping(entries):
    pairs = [(drug, entry) for drug, (answer, expected) in entries.items() for entry in answer | expected]
    right = [(drug, entry) for drug, entry in pairs if entry in entries[drug][0] & entries[drug][1]]
    drugs = {drug for drug, _ in pairs}
    print(f"{len(drugs)} approved drugs, {len(right)} of {len(pairs)} UniProt entries right")  # noqa: T201

    assert len(drugs) >= 100
    assert len(right) > 0.95 * len(pairs)
    assert sorted(set(pairs) - set(right)) == []


def test_as_many_approved_drugs_are_compared_as_are_known(entries):
    """Drugs with proteins as targets; most recorded ones are glucocorticoids, so that targets are counted, too."""
    molecule_chembl_ids = {row["molecule_chembl_id"] for row in recorded_mechanisms()}
    drugs = {drug for drug, (_, expected) in entries.items() if expected}
    starter = drugs & {row["molecule_chembl_id"] for row in rows_of_starter()["molecule"]}
    targets, known_values = targets_of_drugs(), mapping()
    of_target = Counter(target for drug in drugs for target in targets[drug] & known_values.keys())

    assert (len(starter), len(molecule_chembl_ids & drugs), len(drugs)) == (STARTER_DRUGS, RECORDED_DRUGS, DRUGS)
    assert (len(of_target), of_target.most_common(1)) == (TARGETS, [GLUCOCORTICOIDS])
