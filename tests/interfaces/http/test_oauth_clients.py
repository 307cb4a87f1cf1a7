"""OAuth clients of others: from the 401 alone they find the issuer, sign in there, and return with more scopes."""

import asyncio
import socket
from contextlib import asynccontextmanager

import httpx2
import pytest
from fastmcp import Client
from fastmcp.client.auth.client_credentials import ClientCredentialsOAuthProvider
from fastmcp.utilities.tests import HeadlessOAuth

from biofact.core.settings import Settings
from biofact.interfaces.http import authentication
from biofact.interfaces.mcp.server import gateway
from tests.extras.clients.sign_in import provider
from tests.interfaces.ask import ERAS, body
from tests.interfaces.http.issuer import run_issuer
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

every_era = pytest.mark.parametrize("era", ERAS)


@asynccontextmanager
async def serve(issuer):
    """The address of a gateway on loopback that trusts the issuer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        issuer.audience = url
        settings = Settings({"BIOFACT_AUTH_ISSUER": issuer.url, "BIOFACT_HTTP_URL": url})
        server = gateway(catalog=TOYS)
        server.auth = authentication.provider(settings, url, catalog=TOYS)
        authentication.guard(server, catalog=TOYS)
        config = {"log_level": "warning", "access_log": False}
        server_task = asyncio.create_task(
            server.run_http_async(show_banner=False, sockets=[listener], uvicorn_config=config, log_level="WARNING")
        )
        try:
            yield url
        finally:
            server_task.cancel()
            await asyncio.gather(server_task, return_exceptions=True)


def run_client(ask):
    with run_issuer() as issuer:

        async def run():
            async with serve(issuer) as url:
                return await ask(issuer, url)

        return asyncio.run(run())


@every_era
def test_a_program_signs_in_by_its_credentials(era):
    async def ask(issuer, url):
        auth = ClientCredentialsOAuthProvider(client_id="robot", client_secret="s3cret", issuer=issuer.url)
        async with Client(url, auth=auth, mode=era, verify=False) as client:
            answer = await client.call_tool_mcp("toy_get_toy", {"toy_id": "TOY:8"})
        return body(answer), issuer.granted, url

    answer, granted, url = run_client(ask)

    assert answer == {"id": "TOY:8", "name": "doll"}
    assert [(grant["grant_type"], grant["scope"], grant["resource"]) for grant in granted] == [
        ("client_credentials", "doll toy", url)
    ]


@every_era
def test_a_person_signs_in_by_the_sdks_client(era):
    async def ask(issuer, url):
        async with Client(url, auth=provider("person", url, issuer.url, httpx2), mode=era, verify=False) as client:
            answer = await client.call_tool_mcp("toy_get_toy", {"toy_id": "TOY:8"})
        return body(answer), issuer.granted, url, issuer.request_counts["/register"]

    answer, granted, url, registered = run_client(ask)

    assert answer == {"id": "TOY:8", "name": "doll"}
    assert [(grant["grant_type"], grant["client_id"], grant["resource"]) for grant in granted] == [
        ("authorization_code", "registered", url)
    ]
    assert registered == 1


@pytest.mark.filterwarnings("ignore:Using in-memory token storage:UserWarning")  # which is what a test wants
def test_a_person_signs_in_by_fastmcps_client():
    async def ask(issuer, url):
        async with Client(url, auth=HeadlessOAuth(url), verify=False) as client:
            answer = await client.call_tool_mcp("toy_get_toy", {"toy_id": "TOY:8"})
        return body(answer), issuer.granted

    answer, granted = run_client(ask)

    assert answer == {"id": "TOY:8", "name": "doll"}
    assert [grant["scope"] for grant in granted] == ["doll toy"]


@every_era
def test_a_client_asks_for_the_scopes_that_a_call_needs(era):
    """A token for another source opens the list; the call's 403 names the missing scope, and the client gets it."""

    async def ask(issuer, url):
        issuer.scopes_by_grant = {1: "doll"}
        auth = ClientCredentialsOAuthProvider(client_id="robot", client_secret="s3cret", issuer=issuer.url)
        async with Client(url, auth=auth, mode=era, verify=False) as client:
            await client.list_tools()
            answer = await client.call_tool_mcp("toy_get_toy", {"toy_id": "TOY:8"})
        return body(answer), [set(grant["scope"].split()) for grant in issuer.granted]

    answer, scopes = run_client(ask)

    assert answer == {"id": "TOY:8", "name": "doll"}
    assert scopes[0] == {"doll", "toy"}
    assert "toy" in scopes[-1]
    assert len(scopes) == 2
