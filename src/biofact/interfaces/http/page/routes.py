"""The page for people at the root of a gateway, and what it shows: the state, the tools to try, and a sandbox.

The document is the same for all callers and holds no state. The rest needs the token that calls need, and holds no
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
STATE_SECONDS = 1.0
"""Between two readings of the state, however many people watch."""
CACHE_SECONDS = 10.0
"""Between two readings of the size of the cache, which has to be counted."""
PRIVATE = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of all responses here: for this page only, and not to be cached."""
_SERVICE_METRICS = {
    "biofact_upstream_requests_in_progress": "under_way",
    "biofact_budget_waiting_requests": "waiting",
    "biofact_breaker_open": "down",
    "biofact_upstream_requests_total": "requests",
    "biofact_upstream_rate_limits_total": "rate_limited",
}
_FOLDER = Path(__file__).parent
_SCRIPTS = ("elements", "gateway", "arguments", "answer", "provenance", "tools", "state", "start")
"""In the order of their dependencies."""


def page_route() -> Route:
    """The route of ``/``, the same on every server."""

    async def show(_: Request) -> Response:
        return Response(page(), headers=headers(), media_type="text/html")

    return Route("/", show, methods=["GET"])


def protected(
    server: FastMCP[Any], *, is_sandbox: bool = False, exposition: Exposition | None = None
) -> dict[str, ASGIApp]:
    """The applications at ``/state`` and ``/catalog``, and at ``/sandbox/mcp`` unless the server itself is a sandbox.

    They need the token that calls need. ``exposition`` is the text of the metrics; without it the page shows budgets,
    but no requests under way. Empty for a server without an offer of biofact.
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

    applications: dict[str, ASGIApp] = {"/state": _JsonView(state_body), "/catalog": _JsonView(catalog_body)}
    if not is_sandbox:  # a gateway on the sandbox needs no second one
        applications[SANDBOX_PATH] = SandboxEndpoint(lambda: on_demand.offer)
    return applications


class _JsonView:
    """An application that answers with a JSON body."""

    def __init__(self, body: Callable[[], Awaitable[Json]]) -> None:
        self._body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await JSONResponse(await self._body(), headers=PRIVATE)(scope, receive, send)


@functools.cache
def page() -> bytes:
    """The HTML document."""
    html = (_FOLDER / "page.html").read_text("utf-8")
    return html.replace("/* style */", _style()).replace("/* script */", _script()).encode()


@functools.cache
def headers() -> dict[str, str]:
    """The headers of the document: it runs only its own script, asks only its own server, and cannot be framed."""
    policy = (
        "default-src 'none'",
        f"script-src {_source_expression(_script())}",
        f"style-src {_source_expression(_style())}",
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


def _source_expression(text: str) -> str:
    """The source expression of an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def catalog(offer: Offer) -> list[Json]:
    """The toolsets of an offer in its order, each with its tools under their names there, and an example of each."""
    return [_toolset(offer, name) for name in offer.toolsets]


def _toolset(offer: Offer, name: str) -> Json:
    listing = offer.spelling.catalog.listing(name)
    tools = [_tool(offer, tool) for tool in listing.tools]
    return {"name": name, "title": listing.title, "about": listing.about, "tools": tools}


def _tool(offer: Offer, entry: ListedTool) -> Json:
    tool = offer.tools[offer.spelling.name(entry.ref)]
    return {
        "name": tool.name,
        "title": f"{entry.title[:1].upper()}{entry.title[1:]}",
        "description": tool.description,
        "input_schema": tool.parameters,
        "example": next(_examples(entry.ref), {}),
    }


def _examples(ref: ToolRef) -> Iterator[Mapping[str, Any]]:
    """The arguments of a tool's example calls that find something."""
    examples = every_source.examples(ref.source) if ref.source in every_source.toolsets() else ()
    return (example.arguments for example in examples if example.tool == ref.method and example.outcome == "found")


@dataclass(slots=True)
class _Snapshot:
    """A reading, and the time when it is too old."""

    body: Json = field(default_factory=dict)
    until: float = -math.inf


class State:
    """The state of one gateway, read once a second at most: services, budgets, cache and Redis."""

    def __init__(self, offer: Callable[[], Offer], exposition: Exposition | None = None) -> None:
        self._offer = offer
        self._exposition = exposition
        self._lock = asyncio.Lock()
        self._whole = _Snapshot()
        self._size = _Snapshot()

    async def body(self) -> Json:
        """The state, at most a second old."""
        async with self._lock:
            if _now() >= self._whole.until:
                self._whole = _Snapshot(await self._read_state(), _now() + STATE_SECONDS)
            return self._whole.body

    async def _read_state(self) -> Json:
        offer = self._offer()
        transport = await offer.transport()
        sources = await asyncio.to_thread(_services, offer)  # the first time, this imports them
        metrics = service_metrics(await run_in_threadpool(self._exposition)) if self._exposition else {}
        zeros = dict.fromkeys(_SERVICE_METRICS.values(), 0) if self._exposition else {}
        services = {service.name: service for services_of_source in sources.values() for service in services_of_source}
        budgets = await asyncio.gather(*(_budget(transport, service) for service in services.values()))
        return {
            "version": __version__,
            "is_offline": transport.settings.is_on(OFFLINE),
            "sources": {
                name: [service.name for service in services_of_source] for name, services_of_source in sources.items()
            },
            "services": {
                name: budget | zeros | metrics.get(name, {}) for name, budget in zip(services, budgets, strict=True)
            },
            "cache": await self._cache(transport),
            "has_redis": transport.settings.is_set(REDIS_URL),
        }

    async def _cache(self, transport: Transport) -> Json:
        if _now() >= self._size.until:
            stats = await transport.cache.stats()
            body = {"kept_in": stats.kind, "entries": stats.entries, "bytes": stats.bytes}
            self._size = _Snapshot(body, _now() + CACHE_SECONDS)
        return self._size.body


def service_metrics(exposition: bytes) -> dict[str, dict[str, int]]:
    """The metrics of each service: requests under way and waiting, and counters."""
    # An import before Metrics sets the folder of several processes would make each process count alone.
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415

    by_service: dict[str, dict[str, int]] = defaultdict(dict)
    for family in text_string_to_metric_families(exposition.decode()):
        for sample in family.samples:
            if name := _SERVICE_METRICS.get(sample.name):
                counts = by_service[sample.labels["service"]]
                counts[name] = counts.get(name, 0) + int(sample.value)
    return by_service


def _services(offer: Offer) -> dict[str, Iterable[Service]]:
    """The services of each source; toolsets above the sources have none of their own."""
    catalog = offer.spelling.catalog
    names = [name for name in offer.toolsets if name in catalog.names()]
    return {name: cast("type[LifeSciencesClient]", catalog.client_class(name)).services for name in names}


async def _budget(transport: Transport, service: Service) -> Json:
    stats = await transport.budgets.stats(service)
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
    """The limits of a sandbox within the process that serves it; its memory, folder and log end with it."""

    calls_at_once: int = 4
    body_bytes: int = 64 * 2**10
    calls: int = 1000
    """Before the sandbox is replaced."""
    seconds: float = 3600.0
    """Before the sandbox is replaced, however few calls it had."""
    idle_seconds: float = 300.0
    """Without a call, before the sandbox ends."""


class SandboxEndpoint:
    """Answers MCP over HTTP, without sessions, by a sandbox that the first call starts and that ends after the last."""

    def __init__(self, offer: Callable[[], Offer], bounds: Bounds = Bounds()) -> None:
        self._offer = offer
        self._bounds = bounds
        self._run: _Run | None = None

    @property
    def is_running(self) -> bool:
        """Whether a sandbox is running."""
        return self._run is not None and not self._run.task.done()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it while the sandbox is full."""
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
    """One sandbox, from its first call to its end. A task keeps it open, and ends with the event loop."""

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
        mcp_server = server("biofact sandbox", lambda: offer)
        # Without the first caller's context, which holds their token.
        self.task = self._loop.create_task(self._hold_open(mcp_server), context=contextvars.Context())
        self.task.add_done_callback(lambda _: self._manager.cancel())

    def is_full(self) -> bool:
        """Whether another call has to be refused: too many are under way, or the sandbox is about to be replaced."""
        return self._under_way >= self._bounds.calls_at_once or self._is_closing or self._is_used_up()

    @asynccontextmanager
    async def call(self) -> AsyncIterator[StreamableHTTPSessionManager]:
        """The manager that answers one call, counted as under way within."""
        self._spare_calls -= 1
        self._under_way += 1
        try:
            yield await asyncio.shield(self._manager)
        finally:
            self._under_way -= 1
            self._idle_until = self._loop.time() + self._bounds.idle_seconds
            self._call_ended.set()

    async def _hold_open(self, mcp_server: FastMCP[Any]) -> None:
        manager = _manager(mcp_server, self._bounds)
        async with manager.run():
            self._manager.set_result(manager)
            # a call under way keeps the sandbox open beyond its time
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


def _manager(mcp_server: FastMCP[Any], bounds: Bounds) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(
        mcp_server._mcp_server,  # noqa: SLF001  # as FastMCP does
        stateless=True,
        json_response=True,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the app has done that
        max_request_body_size=bounds.body_bytes,
    )


def _stand_ins() -> AbstractAsyncContextManager[Clients]:
    return open_clients(sandbox=True)
