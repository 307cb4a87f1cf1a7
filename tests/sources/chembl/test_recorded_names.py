"""200 recorded names of compounds at once: in few requests, with the same results as one by one."""

import json
import random
from collections import defaultdict

import pytest

from biofact.sandbox.services.chembl.corpus import recorded_molecules, rows_of_starter
from biofact.sources.chembl import search
from biofact.sources.chembl.names import spellings
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sources.chembl.naming import finder, run_lookup
from tests.sources.chembl.searching import on_sandbox

pytestmark = pytest.mark.quick

MOST_REQUESTS = 12


@pytest.fixture(scope="module")
def molecules():
    """The recorded molecules that are not among the starter rows."""
    molecule_chembl_ids = {row["molecule_chembl_id"] for row in rows_of_starter()["molecule"]}
    return [row for row in recorded_molecules(FOLDER) if row["molecule_chembl_id"] not in molecule_chembl_ids]


def names_of(row):
    return [
        (row["pref_name"], "PREFERRED"),
        *((item["molecule_synonym"], item["syn_type"]) for item in synonyms_of(row)),
    ]


def synonyms_of(row):
    return row.get("molecule_synonyms") or []


def in_another_case(name, chance):
    return chance.choice([name.lower(), name.upper(), name.title()])


def no_compounds(molecules):
    """Names of targets and of families of them, which no recorded molecule has."""
    rows = json.loads(recording("bulk/chembl20_table_target_dictionary.json"))
    names = {name.casefold() for row in molecules for name, _ in names_of(row) if name}
    return sorted({row["fields"]["pref_name"] for row in rows} - names)


@pytest.fixture(scope="module")
def drawn_names(molecules):
    """200 names by a fixed seed, each with the names that it was drawn from: 5 % are no compound's."""
    chance = random.Random(17)
    by_kind = defaultdict(set)
    for row in molecules:
        for name, kind in names_of(row):
            if name and len(name) <= 300:
                by_kind["trade" if kind.startswith(("TRADE", "BN")) else kind == "PREFERRED"].add(
                    " ".join(name.split())
                )
    preferred_names, trade, other_values = (sorted(by_kind[kind]) for kind in (True, "trade", False))
    fromkeys = dict.fromkeys(chance.sample(preferred_names, 70), "preferred")
    fromkeys |= {name: "synonym" for name in chance.sample(other_values, 90) if name not in fromkeys}
    fromkeys |= {name: "trade name" for name in chance.sample(trade, min(len(trade), 15)) if name not in fromkeys}
    while len(fromkeys) < 190:
        fromkeys.setdefault(in_another_case(chance.choice([*other_values, *trade]), chance), "another case")
    return fromkeys | dict.fromkeys(chance.sample(no_compounds(molecules), 10), "none")


@pytest.fixture(scope="module")
def joined_lookups(drawn_names):
    return run_lookup([*drawn_names], FOLDER)


@needs_recordings
def test_200_recorded_names_are_found_in_few_requests(drawn_names, joined_lookups):
    result, requests = joined_lookups

    assert len(drawn_names) == 200
    assert requests <= MOST_REQUESTS
    assert (result.failures, result.reasons, result.notices) == ({}, {}, [])
    names = [name for name, kind in drawn_names.items() if kind != "none" and name not in result.entities]
    assert names == []


@needs_recordings
def test_the_molecule_of_a_preferred_name_is_first(drawn_names, joined_lookups, molecules):
    pref_names = {row["molecule_chembl_id"]: row["pref_name"] for row in molecules}
    names = [name for name, kind in drawn_names.items() if kind == "preferred"]
    first = [joined_lookups[0].entities[name][0] for name in names]

    right = sum(pref_names[item.xrefs["chembl"]] == name for name, item in zip(names, first, strict=True))
    assert right / len(names) >= 0.99
    assert {item.match for item in first} == {"name"}


@needs_recordings
def test_every_molecule_has_the_name_and_none_of_its_namesakes_is_missing(drawn_names, joined_lookups, molecules):
    owners = defaultdict(set)
    for row in molecules:
        for name, _ in names_of(row):
            owners[" ".join((name or "").split()).casefold()].add(row["molecule_chembl_id"])
    molecule_chembl_ids = {row["molecule_chembl_id"] for row in molecules}
    for name, kind in drawn_names.items():
        chembls = {item.xrefs["chembl"] for item in joined_lookups[0].entities.get(name, ())} & molecule_chembl_ids
        if kind == "another case":
            assert chembls <= owners[name.casefold()], name
        else:
            assert chembls >= {uid for uid in owners[name.casefold()] if is_called(uid, name, molecules)}, name


def is_called(uid, name, molecules):
    """Whether a recorded molecule has the name in this spelling."""
    [row] = [row for row in molecules if row["molecule_chembl_id"] == uid]
    return name in {text for text, _ in names_of(row)}


@needs_recordings
def test_names_of_targets_and_of_families_are_no_compounds(drawn_names, joined_lookups):
    targets = [name for name, kind in drawn_names.items() if kind == "none"]

    assert len(targets) == 10
    assert not {*targets} & joined_lookups[0].entities.keys()


@needs_recordings
@pytest.mark.parametrize("count", [10, pytest.param(50, marks=pytest.mark.sweep)])
def test_each_name_has_the_answer_that_it_has_alone(drawn_names, joined_lookups, count):
    names = random.Random(18).sample([*drawn_names], count)

    async def scenario(chembl, _):
        return {name: await finder(chembl).find([name], "human") for name in names}

    sandbox = on_sandbox(scenario, FOLDER)
    assert {name: sandbox[name].entities.get(name) for name in names} == {
        name: joined_lookups[0].entities.get(name) for name in names
    }


@needs_recordings
def test_synonyms_are_found_in_any_letter_case(molecules):
    pref_names = {row["pref_name"] for row in molecules if row["pref_name"]}
    synonyms = {item["molecule_synonym"] for row in molecules for item in synonyms_of(row)}

    def share(names, typed):
        return sum(name in spellings(search.plan(typed(name)).whole) for name in names) / len(names)

    assert share(synonyms | pref_names, str) == 1.0
    assert share(synonyms, str.lower) == share(synonyms, str.upper) == 1.0
    in_capitals = {name for name in pref_names if "PLATINUM" not in name.upper() and len(name) < 60}
    assert share(in_capitals, str.lower) == 1.0
