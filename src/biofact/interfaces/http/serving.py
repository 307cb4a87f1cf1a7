"""A server that answers over HTTP until it is stopped, finishes requests under way, and is watched by metrics and logs.

Each request at ``/mcp`` is answered by the one of the library's managers that fits its protocol and caller. Requests
are stateless, in every protocol. An answer as JSON costs a third less than one in a stream, so a stream is for callers
who want progress reports. Only a caller who lends a model over a protocol before 2026-07-28 needs a session, for the
server's questions; without one, rules answer in place of the model.
"""

import asyncio
import functools
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any, NamedTuple, cast

import orjson
import uvicorn
from fastmcp import FastMCP
from fastmcp.server.auth import AuthProvider
from fastmcp.server.auth.middleware import RequireAuthMiddleware
from fastmcp.server.http import HostOriginGuardMiddleware, _served_resource_metadata_url, create_base_app
from fastmcp.utilities.logging import temporary_log_level
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, check_accept_headers
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from biofact.core import events
from biofact.core.settings import Settings
from biofact.gateway import health
from biofact.gateway.connections import ANSWER, Answer, Connection, Connections, Refusals, UnderWay, come_again, refusal
from biofact.gateway.health import START_SECONDS, Part, Readiness, RedisPart, ShutdownPart, kept_parts
from biofact.gateway.hosting import MOST_WAITING, PATH, Hosting, is_loopback
from biofact.gateway.limits import (
    LIGHT_BYTES,
    RETRY_AFTER_SECONDS,
    Bodies,
    BodyTooLong,
    CallerGone,
    Limits,
    NoRoomForBodies,
    NoRoomForRequests,
    RequestsUnderWay,
    replayed,
)
from biofact.gateway.metrics import Metrics
from biofact.gateway.streams import Streams
from biofact.interfaces import log_output, telemetry
from biofact.interfaces.http.audit import audit_of
from biofact.interfaces.http.heavy_requests import HeavyRequests, answer_requests
from biofact.interfaces.http.page import routes
from biofact.interfaces.mcp.offer import Offer
from biofact.interfaces.mcp.server import OnDemand
from biofact.interfaces.mcp.subject import subject
from biofact.transport.backends import REDIS_URL

_TAKEN_AT_ONCE = 16
"""Connections accepted in one turn of the event loop. Without a bound, one of several processes could take all that
wait; with one at a time, each new connection would wait for a turn of its own while many callers are answered.
"""
_SPARE_SECONDS = 1.0  # for the answers of requests that are cut
Manager = StreamableHTTPSessionManager
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Observation:
    """The metrics of a server, and the parts of its readiness."""

    metrics: Metrics
    """An ASGI app, which needs a token where calls do."""
    parts: tuple[Part, ...]
    """For ``health.Readiness``."""


async def serve(  # noqa: PLR0913  # the parts of a server
    server: FastMCP[Any],
    listener: socket.socket,
    hosting: Hosting,
    limits: Limits | None = None,
    *,
    provider: AuthProvider | None = None,
    heavy: HeavyRequests | None = None,
    on_ready: Callable[[], None] = lambda: None,
) -> None:
    """Answer until stopped, with ``provider`` only known callers; ``on_ready`` is called when the server answers.
    Requests that take long work are answered by ``heavy``, if it is given.

    Raises:
        WrongUsage: a setting cannot be used.
    """
    limits = limits or Limits()
    closing = asyncio.Event()
    with observed(server, Settings(), subject, multiprocess_folder=hosting.metrics_folder) as observation:
        readiness = Readiness((*observation.parts, ShutdownPart(closing.is_set)))
        open_routes = health.routes(readiness)
        protected: dict[str, ASGIApp] = {}
        if provider or is_loopback(hosting.address):
            metrics = observation.metrics
            page_apps = routes.protected(server, is_sandbox=hosting.is_sandbox, exposition=lambda: metrics.page()[0])
            protected = {"/metrics": metrics, **page_apps}
            open_routes += [routes.page_route()] if page_apps else []
        further_routes = FurtherRoutes(protected, open_routes)
        app = http_app(
            server, hosting, limits, provider=provider, heavy=heavy, further_routes=further_routes, closing=closing
        )
        with temporary_log_level("WARNING"):
            await readiness.states(START_SECONDS)  # so that the first /readyz has an answer of each part
            await Server(config(app, limits), app, limits, on_ready).serve(sockets=[listener])


async def serve_heavy(server: FastMCP[Any], link: socket.socket, hosting: Hosting, limits: Limits) -> None:
    """Answer the requests that the process of ``serve`` sends through a socket, until it closes its end."""
    with observed(server, Settings(), subject, multiprocess_folder=hosting.metrics_folder):
        endpoint = Endpoint(server, limits, has_sessions=hosting.workers == 1)
        routes: list[BaseRoute] = [Route(PATH, endpoint, methods=None)]
        with temporary_log_level("WARNING"):
            async with endpoint.run():
                await answer_requests(link, create_base_app(routes, [Middleware(AuthContextMiddleware)]))


@contextmanager
def observed(
    server: FastMCP[Any], settings: Settings, subject: Callable[[], str], *, multiprocess_folder: Path | None = None
) -> Iterator[Observation]:
    """Watch a server within, by the settings: metrics, health, traces, log and audit log.

    Each worker has its own; ``multiprocess_folder`` is that of ``Metrics``. ``subject`` gives the caller of a call.

    Raises:
        WrongUsage: a setting cannot be used.
    """
    audit = audit_of(settings, subject)
    if audit is not None:
        server.middleware.insert(0, audit)
    offers = offers_of(server)
    metrics = Metrics(multiprocess_folder)
    audited = events.subscription(audit.listener) if audit else nullcontext()
    with log_output.of_a_server(settings), telemetry.traced(settings), events.subscription(metrics.listener), audited:
        parts: tuple[Part, ...] = tuple(part for offer in offers for part in kept_parts(offer.transport))
        if settings[REDIS_URL]:
            parts += tuple(RedisPart(offer.transport) for offer in offers)
        yield Observation(metrics, (*parts, audit) if audit else parts)


def offers_of(server: FastMCP[Any]) -> list[Offer]:
    """The offers of a server; none of one that is not ours."""
    all_offers = (provider.offer for provider in server.providers if isinstance(provider, OnDemand))
    return [offer for offer in all_offers if isinstance(offer, Offer)]


def config(app: UnderWay, limits: Limits) -> uvicorn.Config:
    """The configuration of uvicorn."""
    return uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", functools.partial(Connection, Connections(limits))),
        ws="none",
        lifespan="on",
        loop="asyncio",
        log_config=None,
        log_level="error",  # warnings about clients that send no HTTP would fill the log
        access_log=False,
        proxy_headers=False,  # the caller's address is not used
        server_header=False,
        backlog=_TAKEN_AT_ONCE,
        timeout_keep_alive=cast("int", limits.idle_seconds),
        h11_max_incomplete_event_size=limits.head_bytes,
        timeout_graceful_shutdown=cast("int", limits.closing_seconds + _SPARE_SECONDS),
    )


class Server(uvicorn.Server):
    """uvicorn's server, which would cut unfinished requests without an answer."""

    def __init__(self, config: uvicorn.Config, app: UnderWay, limits: Limits, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        # sse_starlette would end every stream as soon as a signal comes, even one whose answer is about to be sent.
        AppStatus.enable_automatic_graceful_drain = False
        self._app = app
        self._limits = limits
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(MOST_WAITING)  # asyncio has used uvicorn's backlog for it
        if self.started:
            self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on a signal; cut requests under way on a second one."""
        if self.should_exit:
            asyncio.get_running_loop().call_soon_threadsafe(self._app.cut)
            return
        super().handle_exit(sig, frame)
        self._app.closing.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more requests, finish those under way, and cut those that take too long."""
        self._app.close()
        limit = asyncio.get_running_loop().call_later(self._limits.closing_seconds, self._app.cut)
        await super().shutdown(sockets)
        limit.cancel()


class FurtherRoutes(NamedTuple):
    """The applications and routes of a server besides MCP."""

    protected: Mapping[str, ASGIApp] = MappingProxyType({})
    """Applications by path, for callers with access."""
    open: Sequence[BaseRoute] = ()
    """Routes for everyone, under any host name."""


def http_app(  # noqa: PLR0913  # the parts of a server
    server: FastMCP[Any],
    hosting: Hosting,
    limits: Limits,
    *,
    provider: AuthProvider | None = None,
    heavy: HeavyRequests | None = None,
    further_routes: FurtherRoutes = FurtherRoutes(),  # noqa: B008  # immutable
    closing: asyncio.Event | None = None,
) -> UnderWay:
    """The application with MCP at ``/mcp`` and the further routes.

    The check of Host and Origin comes first, then that of the token. ``closing`` is set as soon as the server is to
    stop.
    """
    endpoint = Endpoint(server, limits, has_sessions=hosting.workers == 1, heavy=heavy)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with endpoint.run(), aclosing(heavy) if heavy else nullcontext():
            yield

    guard = Middleware(
        HostOriginGuardMiddleware,
        allowed_hosts=hosting.allowed_hosts,
        allowed_origins=hosting.allowed_origins,
        mode="strict",
    )
    own_routes, own_middleware = _protected(endpoint, further_routes.protected, provider)
    refusals = Middleware(Refusals, paths=[route.path for route in own_routes if isinstance(route, Route)])
    app = create_base_app(routes=own_routes, middleware=[refusals, guard, *own_middleware], lifespan=lifespan)
    app.state.transport_type = "streamable-http"
    whole = Starlette(routes=[*further_routes.open, Mount("", app)], lifespan=app.lifespan)
    return UnderWay(whole, closing or asyncio.Event())


def _protected(
    endpoint: ASGIApp, applications: Mapping[str, ASGIApp], provider: AuthProvider | None
) -> tuple[list[BaseRoute], list[Middleware]]:
    """The routes of MCP and the other applications, for callers that ``provider`` knows; and its middleware."""
    if provider is None:
        return [Route(PATH, endpoint, methods=None), *(Route(path, app) for path, app in applications.items())], []
    routes: list[BaseRoute] = list(provider.get_routes(mcp_path=PATH))
    metadata_url = _served_resource_metadata_url(provider, routes, PATH)
    mcp_app = RequireAuthMiddleware(endpoint, provider.required_scopes, metadata_url, provider.challenge_scopes)
    further_routes = (Route(path, RequireAuthMiddleware(app, [], metadata_url)) for path, app in applications.items())
    return [*routes, Route(PATH, mcp_app), *further_routes], list(provider.get_middleware())


class Endpoint:
    """The application at ``/mcp``."""

    def __init__(
        self, server: FastMCP[Any], limits: Limits, *, has_sessions: bool, heavy: HeavyRequests | None = None
    ) -> None:
        """Heavy requests, those of sessions among them, are answered by ``heavy``, if it is given."""
        self._limits = limits
        self._heavy = heavy
        self._has_sessions = has_sessions
        self._offers = offers_of(server)
        self._bodies = Bodies(limits)
        self._under_way = RequestsUnderWay(limits)
        self._streams = Streams(limits)
        make = _maker(server, limits)
        self._json = make(stateless=True, json_response=True)
        self._stream = make(stateless=True)
        self._sessions = (
            Sessions(make(max_sessions=None, session_idle_timeout=limits.session_seconds), limits)
            if has_sessions and not heavy
            else None
        )

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Run the managers within."""
        async with AsyncExitStack() as stack:
            for manager in (self._json, self._stream, *([self._sessions.manager] if self._sessions else [])):
                await stack.enter_async_context(manager.run())
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse one request."""
        request = Request(scope, receive)
        if scope["method"] == "GET" and self._is_in_session(request):
            session_id = request.headers[MCP_SESSION_ID_HEADER]
            await self._streams.serve(
                self._answer_in_session, scope, receive, send, subject=subject(), session_id=session_id
            )
            return
        try:
            await self._answer(request, receive, send)
        except NoRoomForRequests as full:
            await come_again(str(full))(scope, receive, send)

    async def _answer(self, request: Request, receive: Receive, send: Send) -> None:
        scope = request.scope
        if request.method == "POST":
            await self._answer_post(request, receive, send)
        elif self._is_in_session(request):
            with self._under_way.one_more(subject()):
                await self._answer_in_session(scope, receive, send)
        else:
            answer = refusal(405, "There is no session here; send messages with POST.", allow="POST")
            await answer(scope, receive, send)

    async def _answer_post(self, request: Request, receive: Receive, send: Send) -> None:
        scope, session_id = request.scope, request.headers.get(MCP_SESSION_ID_HEADER, "")
        try:
            async with self._bodies.read(scope, receive, subject()) as body:
                # Not before its body is here: who sends half of one and waits must not take the place of a call.
                with self._under_way.one_more(subject()), self._streams.call(session_id):
                    await self._answer_body(request, body, receive, send)
        except BodyTooLong:
            limit = f"{self._limits.body_bytes:,} bytes"
            answer = refusal(413, f"The body is longer than {limit}. Ask for less at once.", connection="close")
            await answer(scope, receive, send)
        except NoRoomForBodies:
            await asyncio.sleep(RETRY_AFTER_SECONDS)  # or who asks again at once would keep us reading
            await come_again("The server holds as many long requests as it can.")(scope, receive, send)
        except CallerGone:
            return

    async def _answer_body(self, request: Request, body: bytes, receive: Receive, send: Send) -> None:
        if self._heavy and self.is_heavy(request, body):
            caller = None if self._is_in_session(request) else subject()
            await self._heavy.answer(request.scope, body, receive, send, caller)
        else:
            app = self._app(request, body)
            await app(request.scope, replayed(body, receive), send)

    async def _answer_in_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of a session that has no body."""
        if self._heavy:
            await self._heavy.answer(scope, b"", receive, send)
        elif self._sessions:
            await self._sessions.manager.handle_request(scope, receive, send)

    def _is_in_session(self, request: Request) -> bool:
        return self._has_sessions and MCP_SESSION_ID_HEADER in request.headers

    def is_heavy(self, request: Request, body: bytes) -> bool:
        """Whether a request may take long work, or belongs to the sessions, which are where that is done."""
        if len(body) > LIGHT_BYTES or self._is_in_session(request):
            return True
        message = _message(body)
        if self._has_sessions and not _is_modern(request) and _lends_model(message):
            return True
        name = _object(message, "params").get("name")
        return message.get("method") == "tools/call" and any(name in offer.heavy_tools for offer in self._offers)

    def _app(self, request: Request, body: bytes) -> ASGIApp:
        """The application for a request; it also refuses a body that is no message."""
        message = _message(body)
        answer: Answer = request.scope[ANSWER]
        answer.request_id = message.get("id")  # for an answer that a shutdown cuts
        is_modern = _is_modern(request)
        if self._sessions is not None and not is_modern:
            if MCP_SESSION_ID_HEADER in request.headers:
                return self._sessions.manager.handle_request
            if _lends_model(message) and self._sessions.has_room(subject()):
                return self._sessions.open
        if _wants_stream(message) and all(check_accept_headers(request)):
            return self._stream.handle_request
        answer.ends_with_caller = is_modern  # in older protocols a lost connection does not cancel a request
        return self._json.handle_request


@dataclass(eq=False, slots=True)
class _Session:
    """A session, or the handshake that asks for one."""

    subject: str
    session_id: str | None = None
    """None until the answer to the handshake begins."""


class Sessions:
    """The sessions of callers of older protocols who lend a model, as many as all and each of them may have."""

    def __init__(self, manager: Manager, limits: Limits) -> None:
        """``manager`` holds them, and ends those that are idle."""
        self.manager = manager
        self._limits = limits
        self._sessions: list[_Session] = []

    def has_room(self, subject: str) -> bool:
        """Whether a caller may open one more; ``subject`` is empty where callers are not known."""
        live_ids = {None, *self.manager._server_instances}  # noqa: SLF001  # FastMCP uses it too
        self._sessions = [session for session in self._sessions if session.session_id in live_ids]
        count = sum(session.subject == subject for session in self._sessions)
        is_caller_full = bool(subject) and count >= self._limits.sessions_of_a_caller
        return not is_caller_full and len(self._sessions) < self._limits.sessions

    async def open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a handshake in a session of its own."""
        session = _Session(subject())
        self._sessions.append(session)  # before the first await, so that handshakes at once are counted

        async def observed_send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                session.session_id = Headers(raw=message["headers"]).get(MCP_SESSION_ID_HEADER, "")
            await send(message)

        try:
            await self.manager.handle_request(scope, receive, observed_send)
        finally:
            session.session_id = session.session_id or ""  # of none that lives


def _message(body: bytes) -> Message:
    """The message in a body; empty where that is no JSON object."""
    try:
        message = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return message if isinstance(message, dict) else {}


def _is_modern(request: Request) -> bool:
    """Whether the request is of a protocol since 2026-07-28, by the library's own rule."""
    version = request.headers.get(MCP_PROTOCOL_VERSION_HEADER)
    return version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS


def _wants_stream(message: Message) -> bool:
    """Whether the caller wants progress reports."""
    return "progressToken" in _object(_object(message, "params"), "_meta")


def _lends_model(message: Message) -> bool:
    """Whether a handshake offers the caller's model."""
    capabilities = _object(_object(message, "params"), "capabilities")
    return message.get("method") == "initialize" and "sampling" in capabilities


def _object(holder: Message, name: str) -> Message:
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def _maker(server: FastMCP[Any], limits: Limits) -> Callable[..., Manager]:
    """A function that creates managers of the server."""
    # FastMCP has checked Host and Origin; a second list could only contradict the first.
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return functools.partial(
        Manager,
        server._mcp_server,  # noqa: SLF001  # as FastMCP does
        security_settings=security,
        max_request_body_size=limits.body_bytes,
    )
