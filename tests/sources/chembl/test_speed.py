"""The seconds for compounds at 300 ms a request, from an empty cache, in virtual time; and nameless ones."""

import asyncio
import functools
from collections import Counter
from itertools import pairwise

import pytest

from biofact.core.errors import EntityNotFound
from biofact.sandbox.faults import Latency
from biofact.sandbox.services.chembl.standin import stand_ins
from biofact.sources.chembl.client import ChEMBLClient
from biofact.sources.chembl.service import CHEMBL
from tests import virtual_time
from tests.notices import codes
from tests.sandboxed import transported
from tests.sources.chembl.made_client import resource, run

pytestmark = pytest.mark.quick

LATENCY = Latency({"": 0.300})
TEN = ["CHEMBL:25", "CHEMBL:941", "CHEMBL:553", "CHEMBL:1431", "CHEMBL:521", "CHEMBL:59", "CHEMBL:12", "CHEMBL:40"]
TEN += ["CHEMBL:190", "CHEMBL:3"]
BIOLOGIC, NAMELESS, UNKNOWN = "CHEMBL:1201583", "CHEMBL:3671537", "CHEMBL:999999999"


def timed(ask):
    """Seconds of a call by a new client, its answer, and its requests."""

    async def scenario():
        async with transported(stand_ins=stand_ins(), latency=LATENCY) as (transport, sandbox):
            start = virtual_time.now()
            answer = await ask(ChEMBLClient(transport))
            return virtual_time.now() - start, answer, list(sandbox.requests)

    return virtual_time.run(scenario())


def after_another(chembl_id):
    """As ``timed``, for a compound that is not the first one of its client."""

    async def scenario():
        async with transported(stand_ins=stand_ins(), latency=LATENCY) as (transport, sandbox):
            chembl = ChEMBLClient(transport)
            await chembl.get_compound("CHEMBL:1082")
            start, request_count = virtual_time.now(), len(sandbox.requests)
            compound = await chembl.get_compound(chembl_id)
            return virtual_time.now() - start, compound, sandbox.requests[request_count:]

    return virtual_time.run(scenario())


def resources(requests):
    return Counter(resource(request) for request in requests)


FIRST = [TEN[0], BIOLOGIC, NAMELESS, *(pytest.param(item, marks=pytest.mark.sweep) for item in TEN[1:])]


@functools.cache
def first_of_a_day(chembl_id):
    return timed(lambda chembl: chembl.get_compound(chembl_id))


@pytest.mark.parametrize("chembl_id", FIRST)
def test_the_first_compound_of_a_day_takes_no_longer_than_the_next(chembl_id):
    """The release is requested once a day, in the turn after the molecule's, and delays no other request."""
    seconds, first, requests = first_of_a_day(chembl_id)
    later_seconds, second_result, later_requests = after_another(chembl_id)

    assert seconds == pytest.approx(later_seconds)
    assert seconds == pytest.approx(0.6 if chembl_id == NAMELESS else 0.9)
    assert (first.model_dump(), codes(first)) == (second_result.model_dump(), codes(second_result))
    assert "LEG_FAILED" not in codes(first)
    assert resources(requests) == resources(later_requests) + Counter(["status"])


@pytest.mark.parametrize("chembl_id", FIRST)
def test_the_first_compound_of_a_day_keeps_to_the_budget_of_the_service(chembl_id):
    _, _, requests = first_of_a_day(chembl_id)
    times = sorted(request.at for request in requests if request.service == CHEMBL.name)

    assert len(times) >= 3
    assert min(second_result - earlier for earlier, second_result in pairwise(times)) >= 1 / CHEMBL.per_second


def test_the_provenance_of_a_record_is_the_molecule_s_answer_in_any_order_of_arrival():
    """The answer with the release comes first when it is cached or quicker, and must not replace the molecule's."""

    async def provenances(latency):
        async with transported(stand_ins=stand_ins(), latency=latency) as (transport, _):
            chembl = ChEMBLClient(transport)
            return [(await chembl.get_compound(item)).provenance for item in ("CHEMBL:25", "CHEMBL:941", "CHEMBL:25")]

    for latency in (LATENCY, Latency({"": 0.900, "status.json": 0.050})):
        result = virtual_time.run(provenances(latency))

        assert [item.url.rpartition("/")[2] for item in result] == ["CHEMBL25.json", "CHEMBL941.json", "CHEMBL25.json"]
        assert [sum("status.json" in other.url for other in item.others) for item in result] == [1, 1, 1]


def test_an_unknown_id_asks_for_the_release_of_the_day_at_most():
    async def ask(chembl):
        for chembl_id in (UNKNOWN, "CHEMBL:999999998"):
            with pytest.raises(EntityNotFound):
                await chembl.get_compound(chembl_id)
        return await chembl.get_compound("CHEMBL:25")

    _, compound, requests = timed(ask)

    assert (compound.release, resources(requests)["status"]) == ("ChEMBL_37", 1)
    assert resources(run(ask).requests)["status"] == 1


@pytest.mark.parametrize("slim", [True, False])
def test_a_batch_of_ten_takes_less_than_three_tenths_of_single_calls_and_three_seconds(slim):
    async def single(chembl):
        return [await chembl.get_compound(item, slim=slim) for item in TEN]

    joint_result, page, _ = timed(lambda chembl: chembl.get_compounds_batch(TEN, slim=slim))
    single_seconds, _, _ = timed(single)

    assert [item.id for item in page.items] == TEN
    assert joint_result < 3.0
    assert joint_result <= 0.3 * single_seconds


def test_a_nameless_compound_is_found_by_its_id_its_key_and_its_structure_and_is_called_by_its_id():
    async def ask(chembl):
        whole = await chembl.get_compound(NAMELESS, include=["chemistry"])
        queries = ("CHEMBL3671537", whole.inchi_key, whole.smiles, whole.inchi)
        return whole, await asyncio.gather(*(chembl.search_compounds(query) for query in queries if len(query) <= 300))

    whole, pages = run(ask).answer

    assert (whole.name, whole.canonical_name, whole.synonyms) == ("CHEMBL3671537", None, [])
    assert [(page.items[0].id, page.items[0].name) for page in pages] == [(whole.id, "CHEMBL3671537")] * len(pages)
    assert len(pages) >= 3


def test_the_specification_s_own_example_is_a_compound():
    assert run(lambda chembl: chembl.get_compound(BIOLOGIC)).answer.id == BIOLOGIC
