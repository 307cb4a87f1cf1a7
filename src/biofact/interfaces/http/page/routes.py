"""What the page takes of a server: itself, which says nothing, and for those who may call all that it shows."""

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

SANDBOX_PATH = "/sandbox/mcp"


def page_route() -> Route:
    """``/``, the same of every server."""

    async def show(_: Request) -> Response:
        return Response(page(), headers=headers(), media_type="text/html")

    return Route("/", show, methods=["GET"])


def protected(
    server: FastMCP[Any], *, is_sandbox: bool = False, exposition: Exposition | None = None
) -> dict[str, ASGIApp]:
    """``/state`` and ``/catalog`` as applications, and ``/sandbox/mcp`` where the server itself ``is_sandbox`` not.

    They take the token that calls take. ``exposition`` is the text of the metrics; without it the page shows budgets,
    but not what is under way. None of a server that has no offer of ours.
    """
    on_demand = next((provider for provider in server.providers if isinstance(provider, OnDemand)), None)
    if on_demand is None:
        return {}
    state = State(lambda: on_demand.offer, exposition)
    place = {"is_sandbox": is_sandbox, "sandbox": None if is_sandbox else SANDBOX_PATH.removeprefix("/")}

    async def state_body() -> Json:
        return place | await state.body()

    async def catalog_body() -> Json:
        return {"toolsets": catalog(on_demand.offer)}

    shown: dict[str, ASGIApp] = {"/state": _JsonView(state_body), "/catalog": _JsonView(catalog_body)}
    if not is_sandbox:
        shown[SANDBOX_PATH] = SandboxEndpoint(lambda: on_demand.offer)
    return shown


class _JsonView:
    """An application that answers with a body."""

    def __init__(self, body: Callable[[], Awaitable[Json]]) -> None:
        self._body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await JSONResponse(await self._body(), headers=PRIVATE)(scope, receive, send)
