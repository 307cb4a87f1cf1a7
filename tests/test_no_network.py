"""Without a network every tool reports that within seconds, and names a way to try biofact."""

import asyncio
import socket

import pytest

from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from biofact.interfaces.spelling import prefixed
from biofact.sandbox import Fault
from tests import virtual_time
from tests.served import served

pytestmark = pytest.mark.quick

UNKNOWN_HOST = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
SLOW_SECONDS = 0.5  # of a name server that takes its time to say no
SOON_SECONDS = 3.0
DAY_SECONDS = 86_400.0
GENE = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
WITHOUT_ANSWERS = "pubmed_generate_query"  # generates queries anyway, and reports the missing counts
WAY_OUT = "To try biofact without a network, have it started as `biofact serve --sandbox`."


def calls(toolset):
    """Each tool that asks a service, with its first example that finds something."""
    for spec in specs_of(every_source.client_class(toolset)):
        examples = [e for e in every_source.examples(toolset) if e.tool == spec.ref.method and e.outcome == "found"]
        if examples[0].is_from_service:
            yield prefixed(spec.ref), dict(examples[0].arguments)


async def timed(gateway, tool, arguments):
    """The answer of a tool, its seconds and attempts to connect."""
    loop, before = asyncio.get_running_loop(), len(gateway.network.attempts)
    start = loop.time()
    answer = await gateway.call(tool, arguments)
    return answer, loop.time() - start, len(gateway.network.attempts) - before


def failures(answer):
    """The failure, or those of all items of a batch."""
    if answer.is_failure:
        return [answer.body["error"]]
    return [item["error"] for item in answer.body.get("items", ()) if "error" in item]


async def cut_off(tool, arguments):
    async with served() as gateway:
        gateway.network.set_fault(UNKNOWN_HOST, SLOW_SECONDS)
        return await timed(gateway, tool, arguments)


@pytest.mark.parametrize("toolset", every_source.toolsets())
def test_every_tool_says_soon_that_there_is_no_network(toolset):
    tools = [*calls(toolset)]

    for tool, arguments in tools:
        answer, seconds, attempts = virtual_time.run(cut_off(tool, arguments))

        assert failures(answer) or tool == WITHOUT_ANSWERS, (tool, answer.text)
        assert "there seems to be no network (the name 127.0.0.1 is not known)" in answer.text, tool
        for failure in failures(answer):
            assert failure["code"] == "UPSTREAM_ERROR", tool
            assert failure["recovery_hint"].endswith(WAY_OUT), tool
            assert "recovery" not in failure, tool
        assert seconds <= SOON_SECONDS, tool
        assert attempts <= 4 * len(every_source.names()), tool
    assert tools


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("resolve", {"names": [f"GENE{number}" for number in range(200)], "kind": "gene"}),
        ("resolve", {"names": [f"compound {number}" for number in range(200)], "kind": "compound"}),
        ("resolve", {"names": [f"rs{number}" for number in range(1000, 1200)], "kind": "variant"}),
        ("entrez_get_genes_batch", {"entrez_ids": [f"NCBIGene:{number}" for number in range(1, 201)]}),
        ("chembl_get_compounds_batch", {"chembl_ids": [f"CHEMBL:{number}" for number in range(1, 201)], "slim": False}),
        ("ensembl_get_genes_batch", {"ensembl_ids": [f"ENSG{number:011}" for number in range(1, 201)]}),
    ],
    ids=["names of genes", "names of compounds", "names of variants", "entrez", "chembl", "ensembl"],
)
def test_200_rows_fail_as_soon_as_one(tool, arguments):
    answer, seconds, attempts = virtual_time.run(cut_off(tool, arguments))

    assert len(failures(answer)) == len(answer.body["items"]) == 200
    assert seconds <= SOON_SECONDS
    assert attempts <= 4 * len(every_source.names())


def test_a_network_that_is_back_is_used_within_a_second():
    async def scenario():
        async with served() as gateway:
            gateway.network.set_fault(UNKNOWN_HOST)
            first, _, _ = await timed(gateway, *GENE)
            gateway.network.set_fault(None)
            await asyncio.sleep(1.0)
            return first, await timed(gateway, *GENE)

    first, (answer, seconds, _) = virtual_time.run(scenario())

    assert (first.code, answer.code) == ("UPSTREAM_ERROR", "found")
    assert seconds < 1.0


def test_an_answer_that_is_kept_stands_in_soon():
    async def scenario():
        async with served() as gateway:
            await gateway.call(*GENE)
            await asyncio.sleep(2 * DAY_SECONDS)
            gateway.network.set_fault(UNKNOWN_HOST, SLOW_SECONDS)
            return await timed(gateway, *GENE)

    answer, seconds, _ = virtual_time.run(scenario())

    assert "STALE" in {notice["code"] for notice in answer.body["notices"]}
    assert seconds <= SOON_SECONDS


def test_a_timeout_as_the_network_went_does_not_make_a_service_look_down():
    async def scenario():
        async with served() as gateway:
            gateway.sandbox.faults.set(Fault("delay", "ncbi", seconds=3600.0, times=None))
            genes = [{"entrez_id": f"NCBIGene:{number}"} for number in (672, 675, 7157, 1956)]
            searches = [{"query": query} for query in ("BRCA1", "TP53", "EGFR")]
            await asyncio.gather(
                *(gateway.call("entrez_get_gene", gene) for gene in genes),
                *(gateway.call("entrez_search_genes", search) for search in searches),
                *(gateway.call("pubmed_search", search) for search in searches),
            )
            down, _, _ = await timed(gateway, *GENE)
            gateway.sandbox.faults.clear()
            gateway.network.set_fault(UNKNOWN_HOST)
            await timed(gateway, "ensembl_get_gene", {"ensembl_id": "ENSG00000012048"})
            gateway.network.set_fault(None)
            await asyncio.sleep(1.0)
            return down, await timed(gateway, *GENE)

    down, (answer, seconds, _) = virtual_time.run(scenario())

    assert "is down" in down.body["error"]["message"]
    assert answer.code == "found"
    assert seconds < 1.0
