"""200 recorded names of compounds at once: in few requests, and each as if it were asked for alone."""

import json
import random
from collections import defaultdict

import pytest

from biofact.sandbox.services.chembl.corpus import recorded_molecules, rows_of_starter
from biofact.sources.chembl import search
from biofact.sources.chembl.names import spellings
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sources.chembl.naming import asked, finder
from tests.sources.chembl.searching import on_sandbox

pytestmark = pytest.mark.quick

MOST_REQUESTS = 12


@pytest.fixture(scope="module")
def molecules():
    """The recorded molecules that the starter rows say nothing of."""
    known = {row["molecule_chembl_id"] for row in rows_of_starter()["molecule"]}
    return [row for row in recorded_molecules(FOLDER) if row["molecule_chembl_id"] not in known]


def names_of(row):
    return [(row["pref_name"], "PREFERRED"), *((one["molecule_synonym"], one["syn_type"]) for one in synonyms_of(row))]


def synonyms_of(row):
    return row.get("molecule_synonyms") or []


def in_another_case(name, chance):
    return chance.choice([name.lower(), name.upper(), name.title()])


def no_compounds(molecules):
    """Names of targets and of families of them, which no recorded molecule has."""
    rows = json.loads(recording("bulk/chembl20_table_target_dictionary.json"))
    called = {name.casefold() for row in molecules for name, _ in names_of(row) if name}
    return sorted({row["fields"]["pref_name"] for row in rows} - called)


@pytest.fixture(scope="module")
def drawn(molecules):
    """200 names by a fixed seed, each with the names that it was drawn from: 5 % are no compound's."""
    chance = random.Random(17)
    by_kind = defaultdict(set)
    for row in molecules:
        for name, kind in names_of(row):
            if name and len(name) <= 300:
                by_kind["trade" if kind.startswith(("TRADE", "BN")) else kind == "PREFERRED"].add(
                    " ".join(name.split())
                )
    preferred, trade, others = (sorted(by_kind[kind]) for kind in (True, "trade", False))
    found = dict.fromkeys(chance.sample(preferred, 70), "preferred")
    found |= {name: "synonym" for name in chance.sample(others, 90) if name not in found}
    found |= {name: "trade name" for name in chance.sample(trade, min(len(trade), 15)) if name not in found}
    while len(found) < 190:
        found.setdefault(in_another_case(chance.choice([*others, *trade]), chance), "another case")
    return found | dict.fromkeys(chance.sample(no_compounds(molecules), 10), "none")


@pytest.fixture(scope="module")
def together(drawn):
    return asked([*drawn], FOLDER)


@needs_recordings
def test_200_recorded_names_are_found_in_few_requests(drawn, together):
    found, requests = together

    assert len(drawn) == 200
    assert requests <= MOST_REQUESTS
    assert (found.failures, found.reasons, found.notices) == ({}, {}, [])
    unmet = [name for name, kind in drawn.items() if kind != "none" and name not in found.entities]
    assert unmet == []


@needs_recordings
def test_the_molecule_of_a_preferred_name_is_first(drawn, together, molecules):
    preferred = {row["molecule_chembl_id"]: row["pref_name"] for row in molecules}
    names = [name for name, kind in drawn.items() if kind == "preferred"]
    first = [together[0].entities[name][0] for name in names]

    right = sum(preferred[one.elsewhere["chembl"]] == name for name, one in zip(names, first, strict=True))
    assert right / len(names) >= 0.99
    assert {one.match for one in first} == {"name"}


@needs_recordings
def test_every_molecule_has_the_name_and_none_of_its_namesakes_is_missing(drawn, together, molecules):
    owners = defaultdict(set)
    for row in molecules:
        for name, _ in names_of(row):
            owners[" ".join((name or "").split()).casefold()].add(row["molecule_chembl_id"])
    recorded = {row["molecule_chembl_id"] for row in molecules}
    for name, kind in drawn.items():
        own = {one.elsewhere["chembl"] for one in together[0].entities.get(name, ())} & recorded
        if kind == "another case":
            assert own <= owners[name.casefold()], name
        else:
            assert own >= {uid for uid in owners[name.casefold()] if is_called(uid, name, molecules)}, name


def is_called(uid, name, molecules):
    """Whether a recorded molecule has the name as it is written."""
    [row] = [row for row in molecules if row["molecule_chembl_id"] == uid]
    return name in {written for written, _ in names_of(row)}


@needs_recordings
def test_names_of_targets_and_of_families_are_no_compounds(drawn, together):
    targets = [name for name, kind in drawn.items() if kind == "none"]

    assert len(targets) == 10
    assert not {*targets} & together[0].entities.keys()


@needs_recordings
@pytest.mark.parametrize("count", [10, pytest.param(50, marks=pytest.mark.sweep)])
def test_each_name_has_the_answer_that_it_has_alone(drawn, together, count):
    names = random.Random(18).sample([*drawn], count)

    async def scenario(chembl, _):
        return {name: await finder(chembl).find([name], "human") for name in names}

    alone = on_sandbox(scenario, FOLDER)
    assert {name: alone[name].entities.get(name) for name in names} == {
        name: together[0].entities.get(name) for name in names
    }


@needs_recordings
def test_synonyms_are_found_in_whatever_letter_case_they_are_typed(molecules):
    preferred = {row["pref_name"] for row in molecules if row["pref_name"]}
    synonyms = {one["molecule_synonym"] for row in molecules for one in synonyms_of(row)}

    def share(names, typed):
        return sum(name in spellings(search.plan(typed(name)).whole) for name in names) / len(names)

    assert share(synonyms | preferred, str) == 1.0
    assert share(synonyms, str.lower) == share(synonyms, str.upper) == 1.0
    in_capitals = {name for name in preferred if "PLATINUM" not in name.upper() and len(name) < 60}
    assert share(in_capitals, str.lower) == 1.0
