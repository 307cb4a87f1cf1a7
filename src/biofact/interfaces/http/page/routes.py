"""The routes of the page: itself, open to all as it says nothing, and what it shows, for those who may call."""

from collections.abc import Awaitable, Callable
from typing import Any

from fastmcp import FastMCP
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from biofact.interfaces.http.page.catalog import Json, catalog
from biofact.interfaces.http.page.page import PRIVATE, headers, page
from biofact.interfaces.http.page.sandbox import SandboxEndpoint
from biofact.interfaces.http.page.state import Exposition, State
from biofact.interfaces.mcp.server import OnDemand

Guard = Callable[[ASGIApp], ASGIApp]
"""Answers in place of an application those who may not call."""

SANDBOX_PATH = "/sandbox/mcp"


def routes(
    server: FastMCP[Any], *, is_sandbox: bool = False, guard: Guard | None = None, exposition: Exposition | None = None
) -> list[Route]:
    """``/``, ``/state``, ``/catalog``, and ``/sandbox/mcp`` where the server itself ``is_sandbox`` not.

    All but the first are behind ``guard``, as calls are. ``exposition`` is the text of the metrics; without it the page
    shows budgets, but not what is under way.
    """
    (on_demand,) = (provider for provider in server.providers if isinstance(provider, OnDemand))
    state = State(lambda: on_demand.offer, exposition)
    place = {"is_sandbox": is_sandbox, "sandbox": None if is_sandbox else SANDBOX_PATH.removeprefix("/")}

    async def show_page(_: Request) -> Response:
        return Response(page(), headers=headers(), media_type="text/html")

    async def state_body() -> Json:
        return place | await state.body()

    async def catalog_body() -> Json:
        return {"toolsets": catalog(on_demand.offer)}

    def guarded(path: str, app: ASGIApp, method: str) -> Route:
        return Route(path, guard(app) if guard else app, methods=[method])

    shown = [
        Route("/", show_page, methods=["GET"]),
        guarded("/state", _JsonView(state_body), "GET"),
        guarded("/catalog", _JsonView(catalog_body), "GET"),
    ]
    if not is_sandbox:
        shown.append(guarded(SANDBOX_PATH, SandboxEndpoint(lambda: on_demand.offer), "POST"))
    return shown


class _JsonView:
    """An application that answers with a body; a guard takes no function of a request."""

    def __init__(self, body: Callable[[], Awaitable[Json]]) -> None:
        self._body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await JSONResponse(await self._body(), headers=PRIVATE)(scope, receive, send)
