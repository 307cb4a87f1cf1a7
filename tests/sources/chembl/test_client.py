"""The client on the sandbox: short and whole records, batches, joined requests, cached answers, pages."""

import asyncio
import functools
import itertools
from dataclasses import replace

import pytest

from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, UnresolvedEntity
from biofact.sandbox import Fault
from biofact.sandbox.services.chembl.corpus import rows_of_starter
from tests.marks import requirement
from tests.notices import codes, message
from tests.sandboxed import LIFE, WHOLE
from tests.sources.chembl.made_client import all_pages, run
from tests.sources.chembl.made_compounds import FACTS, molecule

pytestmark = pytest.mark.quick

STARTER = [f"CHEMBL:{row['molecule_chembl_id'][6:]}" for row in rows_of_starter()["molecule"]]


def made_facts(count, **options):
    """``count`` compounds without a structure."""
    numbers = range(1, count + 1)
    return {"molecule": [molecule(f"CHEMBL{n}", f"AAANOL {n}", **options) for n in numbers]}


def ids(count):
    return [f"CHEMBL:{number}" for number in range(1, count + 1)]


def batch(request, *faults, facts=None, timing=LIFE, **options):
    return run(lambda chembl: chembl.get_compounds_batch(request, **options), *faults, facts=facts, timing=timing)


def outcome(item):
    return item.error.code if isinstance(item, ErrorEnvelope) else item.id


# Records


def test_the_short_form_is_identity_only_and_one_request():
    client_run = run(lambda chembl: chembl.get_compound("CHEMBL:25", slim=True))

    assert client_run.answer.model_dump(exclude_none=True, exclude={"notices"}) == {
        "id": "CHEMBL:25",
        "name": "ASPIRIN",
        "molecular_formula": "C9H8O4",
    }
    assert [request.path for request in client_run.requests] == ["/molecule/set/CHEMBL25.json"]


def test_a_whole_record_has_every_part_and_asks_each_question_once():
    client_run = run(lambda chembl: chembl.get_compound("CHEMBL:941", include=["all"]))
    compound = client_run.answer

    assert (compound.name, compound.max_phase, compound.first_approval) == ("IMATINIB", 4.0, 2001)
    assert {mechanism.target for mechanism in compound.mechanisms} == {
        "CHEMBL:2096618",
        "CHEMBL:1936",
        "CHEMBL:2095189",
    }
    assert compound.indications[0].max_phase == 4.0
    assert (compound.category, compound.release) == ("biolink:SmallMolecule", "ChEMBL_37")
    assert dict(client_run.counts) == {
        ("chembl", "molecule"): 1,
        ("chembl", "mechanism"): 1,
        ("chembl", "drug_indication"): 1,
        ("chembl", "target"): 1,
        ("chembl", "status"): 1,
        ("unichem", "compounds"): 1,
        ("pdbe", "compound"): 1,
    }


def test_a_compound_without_a_name_is_called_by_its_id_and_one_without_structure_has_none():
    answer = run(lambda chembl: chembl.get_compound("CHEMBL:5"), facts=FACTS).answer
    antibody = run(lambda chembl: chembl.get_compound("CHEMBL:3"), facts=FACTS).answer

    assert (answer.name, answer.canonical_name, answer.smiles) == ("CHEMBL5", None, "CC")
    assert (antibody.smiles, antibody.molecular_formula, antibody.category) == (None, None, "biolink:Protein")


def test_ten_identical_calls_ask_once_and_a_repeat_not_at_all():
    async def ask(chembl):
        compounds = await asyncio.gather(*(chembl.get_compound("CHEMBL:941") for _ in range(10)))
        compound = await chembl.get_compound("CHEMBL:941")
        return {compound.model_dump_json() for compound in (*compounds, compound)}

    client_run = run(ask)

    assert len(client_run.answer) == 1
    assert set(client_run.counts.values()) == {1}


def test_the_short_form_of_a_known_record_costs_nothing():
    async def ask(chembl):
        await chembl.get_compound("CHEMBL:25")
        return await chembl.get_compound("CHEMBL:25", slim=True)

    assert run(ask).counts["chembl", "molecule"] == 1


# Batches


def test_a_batch_answers_each_id_in_its_place_and_keeps_duplicates():
    request = ["CHEMBL:941", "CHEMBL:25", "CHEMBL25", "CHEMBL:941", "CHEMBL:99999999", "CHEMBL:203", "CHEMBL:100000"]
    page = batch(request).answer

    assert [outcome(item) for item in page.items] == [
        *("CHEMBL:941", "CHEMBL:25", "UNRESOLVED_ENTITY", "CHEMBL:941"),
        *("ENTITY_NOT_FOUND", "UNRESOLVED_ENTITY", "ENTITY_NOT_FOUND"),
    ]
    assert page.pagination.model_dump() == {"cursor": None, "total_count": 7, "page_size": 7}
    assert page.items[4].error.invalid_input == "CHEMBL:99999999"
    assert page.items[5].error.recovery == {
        "tool": "chembl.find_compounds_for_target",
        "arguments": {"target_id": "CHEMBL:203"},
    }


def test_a_value_that_is_no_id_fails_alone():
    odd = [25, None, 2.5, True, ["CHEMBL:25"], {"id": "CHEMBL:25"}, "", "CHEMBL:25 ", "aspirin"]
    first, *other_values, last = batch(["CHEMBL:25", *odd, "CHEMBL:25"]).answer.items

    assert (first.id, last.id) == ("CHEMBL:25", "CHEMBL:25")
    assert [outcome(item) for item in other_values] == ["UNRESOLVED_ENTITY"] * len(odd)
    assert [item.error.invalid_input for item in other_values] == odd


@pytest.mark.parametrize("chembl_ids", [[], ids(201), "aspirin"])
def test_no_ids_too_many_or_no_list_are_refused_without_a_request(chembl_ids):
    async def ask(chembl):
        with pytest.raises((AmbiguousQuery, UnresolvedEntity)):
            await chembl.get_compounds_batch(chembl_ids)

    assert run(ask, facts=FACTS).requests == []


@requirement("002 FR-011")
@pytest.mark.parametrize(
    ("count", "requests"),
    [(50, 1), (51, 2), *(pytest.param(*pair, marks=pytest.mark.sweep) for pair in [(1, 1), (100, 2), (200, 4)])],
)
def test_fifty_short_records_are_one_request(count, requests):
    run = batch(ids(count), facts=made_facts(count))

    assert [outcome(item) for item in run.answer.items] == ids(count)
    assert dict(run.counts) == {("chembl", "molecule"): requests}


@pytest.mark.parametrize(("count", "lists"), [(12, 2), pytest.param(50, 5, marks=pytest.mark.sweep)])
def test_whole_records_ask_chembl_few_questions_and_unichem_one_for_each_structure(count, lists):
    starter = STARTER[:count]
    run = batch(starter, include=["indications", "chemistry"], timing=WHOLE)
    structures = {item.inchi_key for item in run.answer.items if item.inchi_key}

    assert [outcome(item) for item in run.answer.items] == starter
    assert run.counts["chembl", "molecule"] == 1
    assert run.counts["chembl", "mechanism"] == 1
    assert run.counts["chembl", "drug_indication"] == lists
    assert 1 <= run.counts["chembl", "target"] <= 4
    assert run.counts["chembl", "status"] == 1
    assert run.counts["unichem", "compounds"] == len(structures) > 0.8 * count


@pytest.mark.parametrize("count", [6, pytest.param(20, marks=pytest.mark.sweep)])
def test_records_of_a_batch_are_those_of_single_calls(count):
    async def ask(chembl):
        page = await chembl.get_compounds_batch(STARTER[:count], slim=False)
        return page.items, [await chembl.get_compound(chembl_id) for chembl_id in STARTER[:count]]

    joint_result, single = run(ask, timing=WHOLE).answer

    assert [item.model_dump() for item in joint_result] == [item.model_dump() for item in single]


def test_one_damaged_molecule_does_not_fail_the_others():
    body = b"""{"molecules":[{"molecule_chembl_id":"CHEMBL1","pref_name":"A"},
      {"molecule_chembl_id":"CHEMBL2","pref_name":5,"molecule_properties":[],"molecule_structures":"x"}]}"""
    page = batch(["CHEMBL:1", "CHEMBL:2"], Fault("body", path="set", body=body), facts=FACTS).answer

    assert [(item.id, item.name) for item in page.items] == [("CHEMBL:1", "A"), ("CHEMBL:2", "CHEMBL2")]


# Searches that find hundreds


@requirement("002 US1-5")
def test_of_hundreds_of_hits_the_first_fifty_come_by_rank_and_the_others_by_cursor():
    facts = made_facts(300, molecule_synonyms={"OTHER": ["Beta blocker"]})

    async def ask(chembl):
        async def get_page(**options):
            return await chembl.search_compounds("blocker", **options)

        return await all_pages(get_page, 50)

    pages = run(ask, facts=facts).answer
    rows = [row for page in pages for row in page.items]

    assert [len(page.items) for page in pages] == [50] * 6
    assert len({row.id for row in rows}) == 300
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    assert "300 molecules" in message(pages[0], "ORDER")


def test_a_cursor_of_another_search_is_refused():
    facts = made_facts(60)

    async def ask(chembl):
        page = await chembl.search_compounds("aaanol", page_size=10)
        with pytest.raises(AmbiguousQuery, match="cursor"):
            await chembl.search_compounds("betanol", cursor=page.pagination.cursor)

    run(ask, facts=facts)


def test_a_list_of_ids_is_refused_with_the_batch_for_it():
    with pytest.raises(AmbiguousQuery) as raises:
        run(lambda chembl: chembl.search_compounds("CHEMBL25, CHEMBL:941"))

    assert raises.value.recovery.arguments == {"chembl_ids": ["CHEMBL:25", "CHEMBL:941"]}


# Failures that pass


TRANSIENT_FAULTS = {
    "429": Fault("status", status=429, headers={"Retry-After": "0.05"}),
    "500": Fault("status", status=500, body=b'{"error_message":"Sorry, this request could not be processed."}'),
    "a page": Fault("html"),
    "cut": Fault("truncate", at=60),
    "closed": Fault("close"),
    "another shape": Fault("body", body=b'{"hits":[]}'),
    "an empty object": Fault("body", body=b"{}"),
    "no JSON": Fault("body", body=b"<result/>"),
}


ONE_OF_EACH = [*(("chembl", name) for name in TRANSIENT_FAULTS), ("unichem", "500"), ("pdbe", "cut")]
PRODUCT = [pair for pair in itertools.product(("unichem", "pdbe"), TRANSIENT_FAULTS) if pair not in ONE_OF_EACH]


@functools.cache
def undisturbed_answer():
    return run(lambda chembl: chembl.get_compound("CHEMBL:941")).answer.model_dump()


@pytest.mark.parametrize(
    ("service", "name"), [*ONE_OF_EACH, *(pytest.param(*pair, marks=pytest.mark.sweep) for pair in PRODUCT)]
)
def test_a_fault_that_passes_is_not_noticed(service, name):
    fault = replace(TRANSIENT_FAULTS[name], service=service, times=1)

    answer = run(lambda chembl: chembl.get_compound("CHEMBL:941"), fault).answer

    assert answer.model_dump() == undisturbed_answer()


def test_a_fault_that_strikes_each_question_once_is_not_noticed():
    paths = ("molecule", "mechanism", "indication", "target", "status")
    faults = [Fault("status", status=503, path=path) for path in paths]
    client_run = run(lambda chembl: chembl.get_compound("CHEMBL:941", include=["all"]), *faults)
    record = client_run.answer

    assert record.mechanisms
    assert record.indications
    assert record.release == "ChEMBL_37"
    assert codes(record) == []
    assert [
        sum(request.status == 503 and path in request.path for request in client_run.requests) for path in paths
    ] == [1] * 5
