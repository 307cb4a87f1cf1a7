"""The gateway of toys behind authentication, asked over HTTP without a socket, and its challenges parsed strictly."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx2
from fastmcp.server.auth import AccessToken
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser

from biofact.core.settings import Settings
from biofact.interfaces.http import authentication
from biofact.interfaces.mcp.server import gateway
from tests.interfaces.http.issuer import AUDIENCE
from tests.interfaces.toy import TOYS

URL = "http://127.0.0.1:8000/mcp"
ACCEPT = {"accept": "application/json, text/event-stream"}
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
METADATA = "https://biofact.example.org/.well-known/oauth-protected-resource/mcp"

_PARAMETER = re.compile(r'([a-z_]+)="([\x20-\x21\x23-\x5b\x5d-\x7e]*)"(?:, |$)')


def settings(tmp_path, issuer=None, **changes):
    """Settings that trust an issuer, without files of this machine's user."""
    issuer_settings = {"BIOFACT_AUTH_ISSUER": issuer.url, "BIOFACT_HTTP_URL": AUDIENCE} if issuer else {}
    environment = {"BIOFACT_TOKENS": str(tmp_path / "tokens.json"), **issuer_settings, **changes}
    return Settings({name: value for name, value in environment.items() if value is not None})


@asynccontextmanager
async def protected(environment, source=None, catalog=TOYS, server=None):
    """A client of a server with these settings of authentication."""
    mcp_server = server or gateway(catalog=catalog)
    mcp_server.auth = authentication.provider(environment, URL, source, catalog)
    authentication.guard(mcp_server, source, catalog)
    app = mcp_server.http_app(path="/mcp", stateless_http=True, json_response=True)
    transport = httpx2.ASGITransport(app=app)
    async with app.lifespan(app), httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        yield client


def send_all(environment, *requests, **options):
    """The answers to some requests, each a function of the client."""

    async def run():
        async with protected(environment, **options) as client:
            return [await request(client) for request in requests]

    return asyncio.run(run())


def modern(method, token=None, headers=(), **params):
    """A request as clients of the newest protocol make it."""
    name = params.get("name") or params.get("uri")
    protocol_headers = {
        "mcp-protocol-version": MODERN,
        "mcp-method": method,
        **({"mcp-name": name} if name else {}),
        **_bearer(token),
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": META, **params}}
    return lambda client: client.post("/mcp", json=body, headers=[*(ACCEPT | protocol_headers).items(), *headers])


def handshake(method, token=None, headers=(), **params):
    """A request as clients of older protocols make it."""
    protocol_headers = {"mcp-protocol-version": "2025-11-25", **_bearer(token)}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return lambda client: client.post("/mcp", json=body, headers=[*(ACCEPT | protocol_headers).items(), *headers])


def listing(token=None, headers=()):
    return modern("tools/list", token, headers)


def challenge(response):
    """The parameters of the only challenge, each once and in quotes as in RFC 6750 section 3."""
    (value,) = response.headers.get_list("www-authenticate")
    scheme, _, rest = value.partition(" ")
    assert scheme == "Bearer"
    assert "".join(match[0] for match in _PARAMETER.finditer(rest)) == rest
    parameters = _PARAMETER.findall(rest)
    assert len(dict(parameters)) == len(parameters)
    return dict(parameters)


@contextmanager
def carried(token: AccessToken) -> Iterator[None]:
    """Let calls within the block carry this token, as verified by the HTTP layer."""
    token_context = auth_context_var.set(AuthenticatedUser(token))
    try:
        yield
    finally:
        auth_context_var.reset(token_context)


def content(response):
    """The JSON of a tool's answer."""
    return json.loads(response.json()["result"]["content"][0]["text"])


def _bearer(token):
    """The header for a token of text, or of bytes that are no text."""
    if not token:
        return {}
    return {"authorization": b"Bearer " + (token if isinstance(token, bytes) else token.encode())}
