"""The page for people at the root of a gateway, and what it shows: the state, the tools to try, and a sandbox.

The document is the same for everybody and holds no state; what it shows takes the token that calls take, and holds no
address, path, key or query, and nothing of single callers. Nothing here asks a service.
"""

import asyncio
import base64
import contextvars
import functools
import hashlib
import math
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from fastmcp import FastMCP
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from biofact import __version__
from biofact.core.errors import ToolRef
from biofact.core.page_style import PAGE_STYLE
from biofact.interfaces import every_source
from biofact.interfaces.clients import Clients, open_clients
from biofact.interfaces.listing import ListedTool
from biofact.interfaces.mcp.offer import Offer
from biofact.interfaces.mcp.server import OnDemand, server
from biofact.protocol.client import LifeSciencesClient
from biofact.transport.ask.retry import OFFLINE
from biofact.transport.backends import REDIS_URL
from biofact.transport.service import Service
from biofact.transport.stack import Transport

SANDBOX_PATH = "/sandbox/mcp"
Json = dict[str, Any]
Exposition = Callable[[], bytes]
"""Prometheus' text of the gateway's metrics."""
LOOK_SECONDS = 1.0
"""Between two looks, however many people watch."""
CACHE_SECONDS = 10.0
"""Between two looks at how much the cache holds, which has to be counted."""
PRIVATE = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of all that is shown here: for this page, and for nobody's cache."""
_SERVICE_METRICS = {
    "biofact_upstream_requests_in_progress": "under_way",
    "biofact_budget_waiting_requests": "waiting",
    "biofact_breaker_open": "down",
    "biofact_upstream_requests_total": "requests",
    "biofact_upstream_rate_limits_total": "rate_limited",
}
_FOLDER = Path(__file__).parent
_SCRIPTS = ("elements", "gateway", "arguments", "answer", "provenance", "tools", "state", "start")
"""In the order in which each needs those before it."""


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


@functools.cache
def page() -> bytes:
    """The document."""
    html = (_FOLDER / "page.html").read_text("utf-8")
    return html.replace("/* style */", _style()).replace("/* script */", _script()).encode()


@functools.cache
def headers() -> dict[str, str]:
    """How a browser is to hold it: it runs its own script alone, asks its own server alone, and nobody frames it."""
    policy = (
        "default-src 'none'",
        f"script-src {_source(_script())}",
        f"style-src {_source(_style())}",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return {"Content-Security-Policy": "; ".join(policy), "X-Frame-Options": "DENY", **PRIVATE}


@functools.cache
def _style() -> str:
    return PAGE_STYLE + (_FOLDER / "style.css").read_text("utf-8")


@functools.cache
def _script() -> str:
    parts = ((_FOLDER / "script" / f"{name}.js").read_text("utf-8") for name in _SCRIPTS)
    return '"use strict";\n{\n' + "\n".join(parts) + "}\n"


def _source(text: str) -> str:
    """The source expression of what stands between two tags."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def catalog(offer: Offer) -> list[Json]:
    """The toolsets of an offer in its order, each with its tools under the names that they have there."""
    return [_toolset(offer, name) for name in offer.toolsets]


def _toolset(offer: Offer, name: str) -> Json:
    listing = offer.spelling.catalog.listing(name)
    tools = [_tool(offer, tool) for tool in listing.tools]
    return {"name": name, "title": listing.title, "about": listing.about, "tools": tools}


def _tool(offer: Offer, listed: ListedTool) -> Json:
    tool = offer.tools[offer.spelling.name(listed.ref)]
    return {
        "name": tool.name,
        "title": f"{listed.title[:1].upper()}{listed.title[1:]}",
        "description": tool.description,
        "input_schema": tool.parameters,
        "example": next(_examples(listed.ref), {}),
    }


def _examples(ref: ToolRef) -> Iterator[Mapping[str, Any]]:
    """The arguments of calls of a tool that find something, as declared beside it."""
    declared = every_source.examples(ref.source) if ref.source in every_source.toolsets() else ()
    return (example.arguments for example in declared if example.tool == ref.method and example.outcome == "found")


@dataclass(slots=True)
class _Look:
    """What was seen, and when that is too old."""

    body: Json = field(default_factory=dict)
    until: float = -math.inf


class State:
    """The state of one gateway, looked at once a second at most."""

    def __init__(self, offer: Callable[[], Offer], exposition: Exposition | None = None) -> None:
        self._offer = offer
        self._exposition = exposition
        self._looking = asyncio.Lock()
        self._whole = _Look()
        self._size = _Look()

    async def body(self) -> Json:
        """How it stands now, or stood a second ago."""
        async with self._looking:
            if _now() >= self._whole.until:
                self._whole = _Look(await self._seen(), _now() + LOOK_SECONDS)
            return self._whole.body

    async def _seen(self) -> Json:
        offer = self._offer()
        transport = await offer.transport()
        sources = await asyncio.to_thread(_services, offer)  # the first time, this imports them
        metrics = service_metrics(await run_in_threadpool(self._exposition)) if self._exposition else {}
        uncounted = dict.fromkeys(_SERVICE_METRICS.values(), 0) if self._exposition else {}
        services = {service.name: service for of_one in sources.values() for service in of_one}
        budgets = await asyncio.gather(*(_budget(transport, service) for service in services.values()))
        return {
            "version": __version__,
            "is_offline": transport.settings.is_on(OFFLINE),
            "sources": {name: [service.name for service in of_one] for name, of_one in sources.items()},
            "services": {
                name: budget | uncounted | metrics.get(name, {}) for name, budget in zip(services, budgets, strict=True)
            },
            "cache": await self._cache(transport),
            "has_redis": transport.settings.is_set(REDIS_URL),
        }

    async def _cache(self, transport: Transport) -> Json:
        if _now() >= self._size.until:
            stats = await transport.cache.stats()
            body = {"kept_in": stats.kind, "entries": stats.entries, "bytes": stats.bytes}
            self._size = _Look(body, _now() + CACHE_SECONDS)
        return self._size.body


def service_metrics(exposition: bytes) -> dict[str, dict[str, int]]:
    """What is counted of each service: requests that are under way or waiting, and how often things happened."""
    # Whoever imports it before the metrics know where several processes count makes them count alone.
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415

    found: dict[str, dict[str, int]] = defaultdict(dict)
    for family in text_string_to_metric_families(exposition.decode()):
        for sample in family.samples:
            if name := _SERVICE_METRICS.get(sample.name):
                counts = found[sample.labels["service"]]
                counts[name] = counts.get(name, 0) + int(sample.value)
    return found


def _services(offer: Offer) -> dict[str, Iterable[Service]]:
    """The services that each source asks; none for what asks all sources."""
    catalog = offer.spelling.catalog
    names = [name for name in offer.toolsets if name in catalog.names()]
    return {name: cast("type[LifeSciencesClient]", catalog.client_class(name)).services for name in names}


async def _budget(transport: Transport, service: Service) -> Json:
    stats = await transport.budgets.look(service)
    return {
        "title": service.title,
        "per_second": stats.per_second,
        "next_slot_seconds": round(stats.next_slot_seconds, 1),
        "is_paused": stats.is_paused,
        "kept_in": stats.kept,
    }


def _now() -> float:
    return asyncio.get_running_loop().time()


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a sandbox may take of the process that serves it; its memory, its folder and its log end with it."""

    calls_at_once: int = 4
    body_bytes: int = 64 * 2**10
    calls: int = 1000
    """Until a new one takes its place."""
    seconds: float = 3600.0
    """Until a new one takes its place, however few the calls were."""
    idle_seconds: float = 300.0
    """Without a call, until it ends."""


class SandboxEndpoint:
    """Answers MCP over HTTP, without sessions. No sandbox runs before the first call, and none long after the last."""

    def __init__(self, offer: Callable[[], Offer], bounds: Bounds = Bounds()) -> None:
        self._offer = offer
        self._bounds = bounds
        self._run: _Run | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is a sandbox now."""
        return self._run is not None and not self._run.task.done()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or say that there is no room."""
        if self._run is None or self._run.task.done():
            self._run = _Run(self._offer().with_opener(_stand_ins), self._bounds)
        if self._run.is_full():
            refusal = JSONResponse(
                {"error": "The sandbox has as many calls as it can take."}, 503, {"Retry-After": "1"}
            )
            await refusal(scope, receive, send)
            return
        async with self._run.call() as manager:
            await manager.handle_request(scope, receive, send)


class _Run:
    """One sandbox from its first call to its end. A task holds it open, and ends with the event loop."""

    def __init__(self, offer: Offer, bounds: Bounds) -> None:
        self._bounds = bounds
        self._loop = asyncio.get_running_loop()
        self._ends_at = self._loop.time() + bounds.seconds
        self._idle_until = self._loop.time() + bounds.idle_seconds
        self._spare_calls = bounds.calls
        self._under_way = 0
        self._is_closing = False
        self._call_ended = asyncio.Event()
        self._manager: asyncio.Future[StreamableHTTPSessionManager] = self._loop.create_future()
        made = server("biofact sandbox", lambda: offer)
        # Without the first caller's context: their token is there.
        self.task = self._loop.create_task(self._hold_open(made), context=contextvars.Context())
        self.task.add_done_callback(lambda _: self._manager.cancel())

    def is_full(self) -> bool:
        """Whether a further call has to come again: to others that are under way, or to the next sandbox."""
        return self._under_way >= self._bounds.calls_at_once or self._is_closing or self._is_used_up()

    @asynccontextmanager
    async def call(self) -> AsyncIterator[StreamableHTTPSessionManager]:
        """What answers one call within."""
        self._spare_calls -= 1
        self._under_way += 1
        try:
            yield await asyncio.shield(self._manager)
        finally:
            self._under_way -= 1
            self._idle_until = self._loop.time() + self._bounds.idle_seconds
            self._call_ended.set()

    async def _hold_open(self, made: FastMCP[Any]) -> None:
        manager = _manager(made, self._bounds)
        async with manager.run():
            self._manager.set_result(manager)
            while self._under_way or not (self._is_used_up() or self._loop.time() >= self._idle_until):
                await self._until_a_call_ends(None if self._under_way else min(self._idle_until, self._ends_at))
            self._is_closing = True

    async def _until_a_call_ends(self, latest: float | None) -> None:
        self._call_ended.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(latest):
                await self._call_ended.wait()

    def _is_used_up(self) -> bool:
        return self._spare_calls <= 0 or self._loop.time() >= self._ends_at


def _manager(made: FastMCP[Any], bounds: Bounds) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(
        made._mcp_server,  # noqa: SLF001  # as FastMCP does
        stateless=True,
        json_response=True,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the app has done that
        max_request_body_size=bounds.body_bytes,
    )


def _stand_ins() -> AbstractAsyncContextManager[Clients]:
    return open_clients(sandbox=True)
