"""The HTTP application: what is refused at once, who may call, and where MCP is answered."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastmcp import FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.server.auth.middleware import RequireAuthMiddleware
from fastmcp.server.http import HostOriginGuardMiddleware, _served_resource_metadata_url, create_base_app
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from biofact.interfaces.http.endpoint import Endpoint
from biofact.interfaces.http.hosting import PATH, Hosting
from biofact.interfaces.http.limits import Limits
from biofact.interfaces.http.under_way import UnderWay


def http_app(
    server: FastMCP[Any],
    hosting: Hosting,
    limits: Limits,
    *,
    provider: AuthProvider | None = None,
    routes: Sequence[BaseRoute] = (),
    middleware: Sequence[Middleware] = (),
) -> UnderWay:
    """The application that serves at ``/mcp``, and what ``routes`` add.

    A request meets the check of Host and Origin first, then that of its token, then the ``middleware``, in this order.
    ``app.state.closing`` is an event, set from the moment that the server is to stop.
    """
    endpoint = Endpoint(server, limits, has_sessions=hosting.workers == 1)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with endpoint.run():
            yield

    guard = Middleware(
        HostOriginGuardMiddleware,
        allowed_hosts=hosting.allowed_hosts,
        allowed_origins=hosting.allowed_origins,
        mode="strict",
    )
    own_routes, own_middleware = _protected(endpoint, provider)
    app = create_base_app(
        routes=[*own_routes, *routes, *server._get_additional_http_routes()],  # noqa: SLF001  # as FastMCP's own app
        middleware=[guard, *own_middleware, *middleware],
        lifespan=lifespan,
    )
    app.state.transport_type = "streamable-http"
    under_way = UnderWay(app)
    app.state.closing = under_way.closing
    return under_way


def _protected(endpoint: ASGIApp, provider: AuthProvider | None) -> tuple[list[BaseRoute], list[Middleware]]:
    """Where MCP is answered, for those alone whom ``provider`` knows; and what tells who they are."""
    if provider is None:
        return [Route(PATH, endpoint, methods=None)], []
    routes: list[BaseRoute] = list(provider.get_routes(mcp_path=PATH))
    metadata_url = _served_resource_metadata_url(provider, routes, PATH)
    guarded = RequireAuthMiddleware(endpoint, provider.required_scopes, metadata_url, provider.challenge_scopes)
    return [*routes, Route(PATH, guarded)], list(provider.get_middleware())
