"""A server that answers over HTTP until it is stopped, and finishes what is under way."""

import asyncio
import functools
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, cast

import uvicorn
from fastmcp import FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.utilities.logging import temporary_log_level
from sse_starlette.sse import AppStatus
from starlette.types import ASGIApp

from biofact.core import events
from biofact.core.settings import Settings
from biofact.gateway import health
from biofact.gateway.connections import Connection, Connections
from biofact.gateway.health import Part, RedisPart, ShutdownPart, kept_parts
from biofact.gateway.hosting import MOST_WAITING, Hosting, is_loopback
from biofact.gateway.limits import Limits
from biofact.gateway.metrics import Metrics
from biofact.gateway.requests import UnderWay
from biofact.interfaces import log_output, telemetry
from biofact.interfaces.http.app import Beside, http_app
from biofact.interfaces.http.audit import audit_of
from biofact.interfaces.http.page import routes
from biofact.interfaces.mcp.offer import Offer
from biofact.interfaces.mcp.server import OnDemand
from biofact.interfaces.mcp.subject import subject
from biofact.transport.backends import REDIS_URL

_TAKEN_AT_ONCE = 16
"""Connections in one turn of the event loop. Without a bound, one of several processes could have all that wait; with
one at a time, newcomers would wait for a turn each while many callers are answered.
"""
_SPARE_SECONDS = 1.0  # for answers that say that there will be no other


@dataclass(frozen=True, slots=True)
class Observation:
    """What an app shows of its server."""

    metrics: Metrics
    """An ASGI app, which needs a token wherever calls do."""
    parts: tuple[Part, ...]
    """For ``health.routes``, with the parts that the app knows of."""


async def serve(
    server: FastMCP[Any],
    listening: socket.socket,
    hosting: Hosting,
    limits: Limits | None = None,
    *,
    provider: AuthProvider | None = None,
    on_ready: Callable[[], None] = lambda: None,
) -> None:
    """Answer until stopped, those whom ``provider`` knows; ``on_ready`` is called when the server answers.

    Raises:
        WrongUsage: a setting cannot be followed.
    """
    limits = limits or Limits()
    # It would end every stream as soon as a signal comes, those whose answer is about to be sent among them.
    AppStatus.enable_automatic_graceful_drain = False
    closing = asyncio.Event()
    with observed(server, Settings(), subject, multiprocess_folder=hosting.metrics_folder) as observation:
        open_routes = health.routes((*observation.parts, ShutdownPart(closing.is_set)))
        protected: dict[str, ASGIApp] = {}
        if provider or is_loopback(hosting.address):
            exposition = functools.partial(_exposition, observation)
            shown = routes.protected(server, is_sandbox=hosting.is_sandbox, exposition=exposition)
            protected = {"/metrics": observation.metrics, **shown}
            open_routes += [routes.page_route()] if shown else []
        beside = Beside(protected, open_routes)
        app = http_app(server, hosting, limits, provider=provider, beside=beside, closing=closing)
        with temporary_log_level("WARNING"):
            await Server(config(app, limits), app, limits, on_ready).serve(sockets=[listening])


def _exposition(observation: Observation) -> bytes:
    return observation.metrics.page()[0]


def config(app: UnderWay, limits: Limits) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", functools.partial(Connection, Connections(limits))),
        ws="none",
        lifespan="on",
        loop="asyncio",
        log_config=None,
        log_level="error",  # whoever sends no HTTP would fill the log
        access_log=False,
        proxy_headers=False,  # nothing here depends on the address that a request comes from
        server_header=False,
        backlog=_TAKEN_AT_ONCE,
        timeout_keep_alive=cast("int", limits.idle_seconds),
        h11_max_incomplete_event_size=limits.head_bytes,
        timeout_graceful_shutdown=cast("int", limits.closing_seconds + _SPARE_SECONDS),
    )


class Server(uvicorn.Server):
    """uvicorn's, which would cut what is not finished in time without a word."""

    def __init__(self, config: uvicorn.Config, app: UnderWay, limits: Limits, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._limits = limits
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(MOST_WAITING)  # asyncio has taken uvicorn's figure for it
        if self.started:
            self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, on a signal; on a second one at once."""
        if self.should_exit:
            asyncio.get_running_loop().call_soon_threadsafe(self._app.cut)
            return
        super().handle_exit(sig, frame)
        self._app.closing.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more, finish what is under way, cut what takes too long."""
        self._app.close()
        limit = asyncio.get_running_loop().call_later(self._limits.closing_seconds, self._app.cut)
        await super().shutdown(sockets)
        limit.cancel()


@contextmanager
def observed(
    server: FastMCP[Any], settings: Settings, subject: Callable[[], str], *, multiprocess_folder: Path | None = None
) -> Iterator[Observation]:
    """Watch a server within, as the settings ask for it.

    Each worker has its own; ``multiprocess_folder`` is that of ``Metrics``. ``subject`` is whose call is under way.

    Raises:
        WrongUsage: a setting cannot be followed.
    """
    audit = audit_of(settings, subject)
    if audit is not None:
        server.middleware.insert(0, audit)
    made = (provider.offer for provider in server.providers if isinstance(provider, OnDemand))
    offers = [offer for offer in made if isinstance(offer, Offer)]  # others keep nothing
    metrics = Metrics(multiprocess_folder)
    audited = events.heard_by(audit.listener) if audit else nullcontext()
    with log_output.of_a_host(settings), telemetry.traced(settings), events.heard_by(metrics.listener), audited:
        parts: tuple[Part, ...] = tuple(part for offer in offers for part in kept_parts(offer.transport))
        if settings[REDIS_URL]:
            parts += tuple(RedisPart(offer.transport) for offer in offers)
        yield Observation(metrics, (*parts, audit) if audit else parts)
