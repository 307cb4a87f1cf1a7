"""What the specifications ask of every source: its client, its rate, and failures that the service brings about."""

import asyncio

import pytest

from biofact import LifeSciencesClient, sources
from biofact.core.settings import Settings
from biofact.dialects.eutils import NCBI
from biofact.sandbox import Fault
from biofact.sources.chembl.service import CHEMBL
from biofact.sources.ensembl.service import ENSEMBL
from tests import virtual_time
from tests.marks import requirement
from tests.served import served

DOWN = Fault("status", status=503, times=None)
GETS = {
    "entrez_get_gene": ("entrez_id", "NCBIGene:7157", "NCBIGene:672"),
    "ensembl_get_gene": ("ensembl_id", "ENSG00000141510", "ENSG00000012048"),
    "chembl_get_compound": ("chembl_id", "CHEMBL:25", "CHEMBL:941"),
}
BATCHES = {
    "entrez_get_genes_batch": ("entrez_ids", ["NCBIGene:7157", "NCBIGene:672"]),
    "ensembl_get_genes_batch": ("ensembl_ids", ["ENSG00000141510", "ENSG00000012048"]),
    "chembl_get_compounds_batch": ("chembl_ids", ["CHEMBL:25", "CHEMBL:941"]),
}


def throttled(seconds):
    return Fault("status", status=429, headers={"Retry-After": str(seconds)}, times=None)


def answers(*calls, faults, pause_seconds=0.0):
    """What the gateway says to these calls, one after another, while a service fails; pauses lie between them."""

    async def ask():
        async with served() as gateway:
            gateway.sandbox.faults.set(*faults)
            said = []
            for tool, arguments in calls:
                said.append(await gateway.call(tool, arguments))
                await asyncio.sleep(pause_seconds)
            return said

    return virtual_time.run(ask())


@requirement("000 R4-class", "002 FR-001")
@pytest.mark.parametrize("source", sources.names())
def test_a_client_is_a_life_sciences_client(source):
    assert issubclass(sources.client_class(source), LifeSciencesClient)


@requirement("000 R4-3rps", "000 R4-10rps", "001 FR-017", "002 FR-003", "002 FR-004", "004 S-rate")
def test_services_are_asked_at_the_specified_rates():
    bare, keyed = Settings({}), Settings({"NCBI_API_KEY": "any"})

    assert (NCBI.rate(bare), NCBI.rate(keyed)) == (3.0, 10.0)
    assert (ENSEMBL.rate(bare), CHEMBL.rate(bare)) == (15.0, 10.0)
    assert CHEMBL.max_connections == 10


@requirement("000 R4-long-RA", "001 US4-2", "001 EC-ratelimit", "002 US4-2", "004 S-err-net")
@pytest.mark.parametrize("tool", GETS)
def test_a_long_pause_is_told_to_the_next_call_with_what_is_left_of_it(tool):
    name, first, other = GETS[tool]
    calls = [(tool, {name: first}), (tool, {name: other})]
    said = answers(*calls, faults=[throttled(120)], pause_seconds=30.0)
    failures = [one.body["error"] for one in said]

    assert [failure["code"] for failure in failures] == ["RATE_LIMITED"] * 2
    waits = [failure["recovery"]["retry_after_seconds"] for failure in failures]
    assert waits[0] == 120
    assert 85 <= waits[1] <= 91  # of 120 seconds, 30 have passed
    assert [str(wait) in failure["recovery_hint"] for wait, failure in zip(waits, failures, strict=True)] == [True] * 2


@requirement("001 FR-014", "002 US4-5", "002 FR-023")
@pytest.mark.parametrize("fault", [DOWN, throttled(120)], ids=["down", "limited"])
@pytest.mark.parametrize("tool", GETS)
def test_a_failure_of_the_service_echoes_what_was_asked(tool, fault):
    name, written, _ = GETS[tool]
    (said,) = answers((tool, {name: written}), faults=[fault])

    assert said.body["error"]["code"] in {"UPSTREAM_ERROR", "RATE_LIMITED"}
    assert said.body["error"]["invalid_input"] == written


@requirement("002 US4-5", "002 FR-023")
@pytest.mark.parametrize("fault", [DOWN, throttled(120)], ids=["down", "limited"])
@pytest.mark.parametrize("tool", BATCHES)
def test_each_failed_entry_of_a_batch_echoes_its_own_id(tool, fault):
    name, written = BATCHES[tool]
    (said,) = answers((tool, {name: written}), faults=[fault])

    assert [item["error"]["invalid_input"] for item in said.body["items"]] == written
