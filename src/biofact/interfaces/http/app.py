"""The HTTP application: what is refused at once, who may call, and where MCP is answered."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from fastmcp import FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.server.auth.middleware import RequireAuthMiddleware
from fastmcp.server.http import HostOriginGuardMiddleware, _served_resource_metadata_url, create_base_app
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from biofact.gateway.hosting import PATH, Hosting
from biofact.gateway.limits import Limits
from biofact.gateway.requests import Refusals, UnderWay
from biofact.interfaces.http.endpoint import Endpoint


class Beside(NamedTuple):
    """What a server answers beside MCP."""

    protected: Mapping[str, ASGIApp]
    """By path, for those who may call."""
    open: Sequence[BaseRoute]
    """For whoever asks, under whatever name."""


def http_app(
    server: FastMCP[Any],
    hosting: Hosting,
    limits: Limits,
    *,
    provider: AuthProvider | None = None,
    beside: Beside | None = None,
    closing: asyncio.Event | None = None,
) -> UnderWay:
    """The application that serves at ``/mcp``, and what stands ``beside``.

    A request meets the check of Host and Origin first, then that of its token. ``closing`` is set from the moment that
    the server is to stop.
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
    own_routes, own_middleware = _protected(endpoint, beside.protected if beside else {}, provider)
    refusals = Middleware(Refusals, paths=[route.path for route in own_routes if isinstance(route, Route)])
    app = create_base_app(routes=own_routes, middleware=[refusals, guard, *own_middleware], lifespan=lifespan)
    app.state.transport_type = "streamable-http"
    whole = Starlette(routes=[*(beside.open if beside else ()), Mount("", app)], lifespan=app.lifespan)
    return UnderWay(whole, closing or asyncio.Event())


def _protected(
    endpoint: ASGIApp, further: Mapping[str, ASGIApp], provider: AuthProvider | None
) -> tuple[list[BaseRoute], list[Middleware]]:
    """Where MCP and the rest are answered, for those alone whom ``provider`` knows; and what tells who they are."""
    if provider is None:
        return [Route(PATH, endpoint, methods=None), *(Route(path, app) for path, app in further.items())], []
    routes: list[BaseRoute] = list(provider.get_routes(mcp_path=PATH))
    metadata_url = _served_resource_metadata_url(provider, routes, PATH)
    guarded = RequireAuthMiddleware(endpoint, provider.required_scopes, metadata_url, provider.challenge_scopes)
    known = (Route(path, RequireAuthMiddleware(app, [], metadata_url)) for path, app in further.items())
    return [*routes, Route(PATH, guarded), *known], list(provider.get_middleware())
