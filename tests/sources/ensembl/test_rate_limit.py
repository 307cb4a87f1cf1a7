"""A pause that Ensembl asks for, over MCP: how long it is, told at once, and kept by a caller who only follows that."""

import asyncio

import pytest

from biofact.sandbox import Fault
from tests import virtual_time
from tests.served import served

TP53, BRCA1 = "ENSG00000141510", "ENSG00000012048"
PAUSE = 120
CALLS = {
    "ensembl_get_gene": {"ensembl_id": TP53},
    "ensembl_get_transcript": {"transcript_id": "ENST00000269305"},
    "ensembl_get_sequence": {"id_or_region": "17:7661779-7661800"},
    "ensembl_map_region": {"region": "17:7577000", "from_assembly": "GRCh37", "to_assembly": "GRCh38"},
    "ensembl_get_homologues": {"ensembl_id": TP53},
    "ensembl_search_genes": {"query": "TP53"},
}
THROTTLED = Fault(
    "status", service="ensembl", status=429, body=b"Too many requests", headers={"Retry-After": str(PAUSE)}
)


def outcome(scenario, *faults):
    async def on_gateway():
        async with served() as gateway:
            gateway.sandbox.faults.set(*faults)
            return await scenario(gateway.call, asyncio.get_running_loop().time)

    return virtual_time.run(on_gateway())


@pytest.mark.parametrize("tool", CALLS)
def test_a_long_pause_is_told_at_once_with_its_length_and_the_input(tool):
    async def scenario(call, now):
        started = now()
        failure = await call(tool, CALLS[tool])
        return failure, now() - started

    failure, seconds = outcome(scenario, THROTTLED)

    error = failure.body["error"]
    assert error["code"] == "RATE_LIMITED"
    assert PAUSE - 5 <= error["recovery"]["retry_after_seconds"] <= PAUSE + 1
    assert seconds < 5
    expected = CALLS[tool] if len(CALLS[tool]) > 1 else next(iter(CALLS[tool].values()))
    assert error["invalid_input"] == expected


def test_everybody_after_it_is_told_what_is_left_of_the_pause():
    async def scenario(call, now):
        await call("ensembl_get_gene", {"ensembl_id": TP53})
        await asyncio.sleep(50)
        started = now()
        return await call("ensembl_get_gene", {"ensembl_id": BRCA1}), now() - started

    failure, seconds = outcome(scenario, THROTTLED)

    assert failure.code == "RATE_LIMITED"
    assert PAUSE - 56 <= failure.body["error"]["recovery"]["retry_after_seconds"] <= PAUSE - 49
    assert seconds < 1


@pytest.mark.parametrize("tool", CALLS)
def test_a_caller_who_waits_as_told_gets_the_answer(tool):
    async def scenario(call, now):
        failure = await call(tool, CALLS[tool])
        await asyncio.sleep(failure.body["error"]["recovery"]["retry_after_seconds"])
        return await call(tool, CALLS[tool])

    assert outcome(scenario, THROTTLED).code == "found"


@pytest.mark.parametrize("tool", CALLS)
def test_a_service_that_is_down_is_an_error_with_the_input(tool):
    async def scenario(call, now):
        return await call(tool, CALLS[tool])

    failure = outcome(scenario, Fault("status", status=503, times=None))

    assert failure.code == "UPSTREAM_ERROR"
    expected = CALLS[tool] if len(CALLS[tool]) > 1 else next(iter(CALLS[tool].values()))
    assert failure.body["error"]["invalid_input"] == expected
