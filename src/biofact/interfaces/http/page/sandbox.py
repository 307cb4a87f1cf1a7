"""The tools of a gateway a second time, answered by stand-ins: a sandbox that the first call starts, within bounds."""

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from fastmcp import FastMCP
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from biofact.interfaces.clients import Clients, opened
from biofact.interfaces.mcp.offer import Offer
from biofact.interfaces.mcp.server import server


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
    return opened(sandbox=True)
