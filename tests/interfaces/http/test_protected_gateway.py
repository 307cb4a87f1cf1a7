"""The whole gateway on the sandbox, asked with static tokens over HTTP: the headers that services get, and do not."""

import functools
from contextlib import asynccontextmanager

import httpx2
import pytest

from biofact.interfaces import every_source
from biofact.interfaces.clients import open_clients
from biofact.interfaces.mcp.server import gateway
from tests import virtual_time
from tests.interfaces.http.protected import challenge, content, handshake, modern, protected, settings
from tests.interfaces.http.static import with_tokens
from tests.sandboxed import LIFE, machine

pytestmark = pytest.mark.quick

BOTH_ERAS = pytest.mark.parametrize("request_of", [modern, handshake])
GENE = {"name": "entrez_get_gene", "arguments": {"entrez_id": "NCBIGene:672", "slim": True}}
COMPOUND = {"name": "chembl_get_compound", "arguments": {"chembl_id": "CHEMBL:25"}}
PICTURE = {"uri": "chembl://compound/CHEMBL:25/structure.svg"}
NAMES = {"name": "resolve", "arguments": {"names": ["BRCA1"]}}


class RecordingTransport(httpx2.AsyncBaseTransport):
    """A network, and all bytes sent over it."""

    def __init__(self, network):
        self._network = network
        self.sent_requests = []

    async def handle_async_request(self, request):
        self.sent_requests.append(f"{request.url} {request.headers.multi_items()} {await request.aread()}")
        return await self._network.handle_async_request(request)


@asynccontextmanager
async def on_the_sandbox(auth_settings):
    async with machine() as (_, network, environment):
        transport = RecordingTransport(network)
        server = gateway(functools.partial(open_clients, environment, timing=LIFE, wire=transport))
        async with protected(auth_settings, catalog=every_source, server=server) as client:
            yield client, transport


def send_to_gateway(auth_settings, *requests):
    async def run():
        async with on_the_sandbox(auth_settings) as (client, transport):
            return [await request(client) for request in requests], transport.sent_requests

    return virtual_time.run(run())


@BOTH_ERAS
def test_a_token_asks_its_sources_and_no_other(tmp_path, request_of):
    (narrow,) = with_tokens(tmp_path, "narrow", scopes=["entrez"])
    call = functools.partial(request_of, "tools/call", narrow)

    (gene, compound, names, picture), sent_requests = send_to_gateway(
        settings(tmp_path),
        call(**GENE),
        call(**COMPOUND),
        call(**NAMES),
        request_of("resources/read", narrow, **PICTURE),
    )

    assert content(gene) == {"id": "NCBIGene:672", "symbol": "BRCA1", "organism": "Homo sapiens"}
    assert [response.status_code for response in (compound, names, picture)] == [403, 403, 403]
    assert challenge(compound)["scope"] == challenge(picture)["scope"] == "chembl"
    assert challenge(names)["scope"] == " ".join(sorted(every_source.names()))
    assert len(sent_requests) == 1
    assert narrow not in sent_requests[0]
    assert "authorization" not in sent_requests[0].lower()
    assert "narrow" not in sent_requests[0]
