"""The duration of answers at the services' rates, if each request takes a while: in virtual time."""

import asyncio

import pytest

from biofact.core.errors import UpstreamError
from biofact.sandbox.faults import Latency
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.marks import requirement
from tests.sandboxed import sandboxed
from tests.sources.chembl.test_client import STARTER
from tests.tiers import sample_and_rest

pytestmark = pytest.mark.quick

USUAL = Latency({"": 0.2})
"""A latency of a fifth of a second for every request to any service."""
GENES = (
    *("BRCA1", "TP53", "EGFR", "KRAS", "myc", "brca2", "Tp53", "APOE", "MT-CO1", "p53", "HER2", "PD-L1"),
    *("tumor protein", "insulin", "kinase", "growth factor", "zinc finger", "hemoglobin", "tumor necrosis factor"),
    "imatinb",
)
DRUGS = (
    *("aspirin", "imatinib", "metformin", "glivec", "ibuprofen", "warfarin", "dopamine", "viagra", "CHEMBL25"),
    *("acetylsalicylic acid", "acid", "sodium", "caffeine", "paracetamol", "morphine", "penicillin", "insulin"),
    *("im", "imatinb", "CC(=O)Oc1ccccc1C(=O)O"),
)


def seconds(source, *calls, **options):
    """The seconds of each call of a source's client, one after another with rests between; failures take time, too."""

    async def timed(call):
        loop = asyncio.get_running_loop()
        start = loop.time()
        answer = await call
        return answer, loop.time() - start

    async def run():
        durations = []
        async with sandboxed(source, **{"latency": USUAL, **options}) as (client, _):
            for tool, arguments in calls:
                durations.append(await timed(getattr(client, tool)(**arguments)))
                await asyncio.sleep(5.0)
        return durations

    return virtual_time.run(run())


@requirement("001 SC-001", "002 FR-030", "002 SC-001")
@pytest.mark.parametrize(
    ("source", "tool", "queries"), [("ensembl", "search_genes", GENES), ("chembl", "search_compounds", DRUGS)]
)
def test_nineteen_of_twenty_searches_end_in_two_seconds(source, tool, queries):
    durations = [duration for _, duration in seconds(source, *((tool, {"query": query}) for query in queries))]

    assert len(durations) == 20
    assert min(durations) > 0.19
    assert sum(duration < 2.0 for duration in durations) >= 19


@requirement("002 SC-002")
@pytest.mark.parametrize("compounds", sample_and_rest(STARTER, 12))
def test_a_compound_is_there_within_a_second(compounds):
    answers = seconds("chembl", *(("get_compound", {"chembl_id": compound}) for compound in compounds))

    assert [(compound.id, duration) for compound, duration in answers if duration >= 1.0] == []
    assert [compound.id for compound, _ in answers] == compounds
    assert max(duration for _, duration in answers) > 0.19


@requirement("002 SC-007")
def test_a_batch_of_compounds_saves_seven_tenths_of_the_time():
    ids = STARTER[:10]
    single_seconds = sum(
        duration for _, duration in seconds("chembl", *(("get_compound", {"chembl_id": i, "slim": True}) for i in ids))
    )
    ((short, batch_seconds),) = seconds("chembl", ("get_compounds_batch", {"chembl_ids": ids}))
    ((whole, whole_together),) = seconds("chembl", ("get_compounds_batch", {"chembl_ids": ids, "slim": False}))

    assert [item.id for item in short.items] == [item.id for item in whole.items] == ids
    assert batch_seconds < 0.3 * single_seconds
    assert max(batch_seconds, whole_together) < 3.0


@requirement("all deadline")
def test_a_service_that_refuses_connections_is_reported_within_the_deadline():
    unreachable = {"BIOFACT_CHEMBL_URL": "http://127.0.0.1:9/chembl/api/data"}

    async def run():
        async with sandboxed("chembl", settings=unreachable) as (chembl, _):
            loop = asyncio.get_running_loop()
            start = loop.time()
            with pytest.raises(UpstreamError):
                await chembl.search_compounds("imatinib")
            return loop.time() - start

    assert 0 < virtual_time.run(run()) <= Timing().deadline_seconds
