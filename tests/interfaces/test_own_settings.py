"""The settings of callers over HTTP, which apply to their own calls only."""

import asyncio
import itertools
from contextlib import asynccontextmanager

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from biofact.clients import sandbox_settings
from biofact.core.call import Caller, on_behalf_of
from biofact.core.errors import UnresolvedEntity
from biofact.core.settings import Settings
from biofact.dialects.eutils.service import API_KEY
from biofact.gateway.hosting import Hosting, listening_socket
from biofact.interfaces import clients
from biofact.interfaces.http.serving import serve
from biofact.interfaces.mcp.calls import HEADER, CallerClients
from biofact.interfaces.mcp.server import gateway
from biofact.sandbox import Fault, Sandbox
from tests.interfaces.ask import body

pytestmark = pytest.mark.quick

KEY = "0a1b2c3d4e5f60718293a4b5c6d7e8f90123"


IDS = ("NCBIGene:672", "NCBIGene:7157", "NCBIGene:675")


@asynccontextmanager
async def serve_gateway(settings):
    """The URL of a gateway whose clients have these settings."""
    with listening_socket("127.0.0.1:0") as listener:
        server = asyncio.create_task(
            serve(gateway(lambda: clients.open_clients(settings)), listener, Hosting("127.0.0.1:0"))
        )
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            server.cancel()
            await asyncio.gather(server, return_exceptions=True)


async def gene(url, number, headers):
    async with Client(StreamableHttpTransport(url, headers=headers)) as client:
        return body(await client.call_tool_mcp("entrez_get_gene", {"entrez_id": IDS[number]}))


async def answers(folder, *headers, faults=()):
    """The answers to calls for genes, each with its own headers, and the requests to the service."""
    async with Sandbox(rate_factor=50.0) as sandbox:
        sandbox.faults.set(*faults)
        async with serve_gateway(Settings(sandbox_settings(sandbox, str(folder)))) as url:
            answers_found = [await gene(url, number, caller_clients) for number, caller_clients in enumerate(headers)]
        return answers_found, list(sandbox.requests)


def test_a_key_in_a_header_is_sent_with_its_callers_requests_alone(tmp_path):
    answers_found, requests = asyncio.run(answers(tmp_path, {}, {HEADER: KEY}, {}))

    assert [answer["symbol"] for answer in answers_found] == ["BRCA1", "TP53", "BRCA2"]
    assert ["api_key" in dict(request.params) for request in requests if request.service == "ncbi"] == [
        False,
        True,
        False,
    ]
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_callers_with_different_keys_at_the_same_time_have_each_their_own(tmp_path):
    async def scenario():
        caller_clients = CallerClients()
        async with (
            Sandbox() as sandbox,
            clients.open_clients(Settings(sandbox_settings(sandbox, str(tmp_path)))) as common,
            caller_clients.clients(common, {API_KEY.name: KEY}) as first,
            caller_clients.clients(common, {API_KEY.name: KEY[::-1]}) as second,
            caller_clients.clients(common, {API_KEY.name: KEY}) as third,
        ):
            assert third is first
            return [clients.transport.settings[API_KEY] for clients in (first, second)]

    assert asyncio.run(scenario()) == [KEY, KEY[::-1]]


def test_a_text_that_is_no_key_is_refused_and_not_shown(tmp_path):
    answers_found, requests = asyncio.run(answers(tmp_path, {HEADER: "my secret: 12"}))

    assert answers_found[0]["error"]["code"] == "AMBIGUOUS_QUERY"
    assert HEADER in answers_found[0]["error"]["message"]
    assert "secret" not in str(answers_found[0])
    assert not requests


def test_a_refusal_of_a_callers_own_key_is_not_blamed_on_the_hosts(tmp_path):
    refusal = b'{"error":"API key invalid","api-key":"' + KEY.encode() + b'","type":"client","status":"unknown"}'
    refusal_fault = Fault("status", "ncbi", status=400, body=refusal, times=2)
    answers_found, _ = asyncio.run(answers(tmp_path, {HEADER: KEY}, {}, faults=[refusal_fault]))

    assert answers_found[0]["error"]["code"] == "UPSTREAM_ERROR"
    assert (
        "It was sent with the call, or else it is the setting NCBI_API_KEY."
        in answers_found[0]["error"]["recovery_hint"]
    )
    assert KEY not in str(answers_found[0])
    assert answers_found[1]["symbol"] == "TP53"


def test_a_collection_is_its_callers_alone(tmp_path):
    async def scenario():
        async with (
            Sandbox(rate_factor=50.0) as sandbox,
            clients.open_clients(Settings(sandbox_settings(sandbox, str(tmp_path)))) as open_clients,
        ):
            keep, find = open_clients.pubmed.collections.keep, open_clients.pubmed.collections.find
            handles = {}
            for subject in ("", "a" * 16, "b" * 16):
                with on_behalf_of(Caller(subject=subject)):
                    handles[subject] = await keep("articles", [subject], {})
            for subject, other in itertools.permutations(handles, 2):
                with on_behalf_of(Caller(subject=other)), pytest.raises(UnresolvedEntity):
                    await find(handles[subject], "articles")
            for subject, handle in handles.items():
                with on_behalf_of(Caller(subject=subject)):
                    assert (await find(handle, "articles")).items == [subject]

    asyncio.run(scenario())
