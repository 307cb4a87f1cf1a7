"""The whole gateway on the sandbox, asked with static tokens over HTTP: what goes on to the services, and what not."""

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

BOTH = pytest.mark.parametrize("request_of", [modern, handshake])
GENE = {"name": "entrez_get_gene", "arguments": {"entrez_id": "NCBIGene:672", "slim": True}}
COMPOUND = {"name": "chembl_get_compound", "arguments": {"chembl_id": "CHEMBL:25"}}
PICTURE = {"uri": "chembl://compound/CHEMBL:25/structure.svg"}
NAMES = {"name": "resolve", "arguments": {"names": ["BRCA1"]}}


class Watched(httpx2.AsyncBaseTransport):
    """A network, and whatever was sent over it."""

    def __init__(self, network):
        self._network = network
        self.sent = []

    async def handle_async_request(self, request):
        self.sent.append(f"{request.url} {request.headers.multi_items()} {await request.aread()}")
        return await self._network.handle_async_request(request)


@asynccontextmanager
async def on_the_sandbox(given):
    async with machine() as (_, network, environment):
        watched = Watched(network)
        server = gateway(functools.partial(open_clients, environment, timing=LIFE, wire=watched))
        async with protected(given, catalog=every_source, server=server) as client:
            yield client, watched


def asked(given, *requests):
    async def run():
        async with on_the_sandbox(given) as (client, watched):
            return [await request(client) for request in requests], watched.sent

    return virtual_time.run(run())


@BOTH
def test_a_token_asks_its_sources_and_no_other(tmp_path, request_of):
    (narrow,) = with_tokens(tmp_path, "narrow", scopes=["entrez"])
    call = functools.partial(request_of, "tools/call", narrow)

    (gene, compound, names, picture), sent = asked(
        settings(tmp_path),
        call(**GENE),
        call(**COMPOUND),
        call(**NAMES),
        request_of("resources/read", narrow, **PICTURE),
    )

    assert content(gene) == {"id": "NCBIGene:672", "symbol": "BRCA1", "organism": "Homo sapiens"}
    assert [one.status_code for one in (compound, names, picture)] == [403, 403, 403]
    assert challenge(compound)["scope"] == challenge(picture)["scope"] == "chembl"
    assert challenge(names)["scope"] == "chembl ensembl entrez igvf pubmed"
    assert len(sent) == 1
    assert narrow not in sent[0]
    assert "authorization" not in sent[0].lower()
    assert "narrow" not in sent[0]
