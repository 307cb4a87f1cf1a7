"""A served gateway with its page."""

import json
from contextlib import asynccontextmanager

import httpx2
from fastmcp.server.auth import StaticTokenVerifier

from biofact.gateway.hosting import Hosting
from biofact.gateway.limits import Limits
from biofact.interfaces.http.page.routes import page_route, protected
from biofact.interfaces.http.serving import FurtherRoutes, http_app

ORIGIN = "http://127.0.0.1"
TOKEN = "page-token-0a1b2c3d4e5f"


def page_app(server, *, needs_token=False, **options):
    """The app of a server; options are those of ``protected``."""
    provider = StaticTokenVerifier({TOKEN: {"client_id": "reader", "scopes": []}}) if needs_token else None
    further_routes = FurtherRoutes(protected(server, **options), [page_route()])
    return http_app(server, Hosting("127.0.0.1:0"), Limits(), provider=provider, further_routes=further_routes)


@asynccontextmanager
async def opened_app(app):
    """A client of an app that is running within the block."""
    async with (
        app._app.router.lifespan_context(app._app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN) as client,
    ):
        yield client


def message(method, **params):
    """A request of the newest protocol, with its required headers."""
    version = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
        "Mcp-Method": method,
        **({"Mcp-Name": params["name"]} if "name" in params else {}),
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    return {"content": json.dumps(body), "headers": headers}
