"""HTTP, and the only place that speaks it: one client per service, bounded bodies, no cookies, no redirects.

Imported when the first request is due: the HTTP library takes longer to load than everything else here.
"""

import errno
import logging
import re
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

import httpcore2
import httpx2
import orjson

from biofact.core import events
from biofact.core.errors import UpstreamError
from biofact.core.events import RequestBegan, RequestEnded
from biofact.core.settings import Settings
from biofact.transport.ask.in_flight import FREE_BYTES, bytes_in_flight
from biofact.transport.service import (
    MIB,
    NO_ANSWER_IN_TIME,
    WHOLE_CAP,
    Answer,
    BodyTooLarge,
    Ready,
    Request,
    Service,
    Transient,
    Unreachable,
    address,
    redacted,
    shown_url,
)
from biofact.transport.timing import Timing

STREAM_CAP = 1024 * MIB
"""Bytes after decompression; httpx2 unpacks 1 MiB at a time, so that a bomb is met, not swallowed."""

_LONGEST_QUERY = 1800  # longer ones go as a form: servers and proxies refuse long addresses
_HEAD_BYTES = 1024  # of a stream, for the judge of the service
_REFUSAL_BYTES = 64 * 1024
_LINES_AT_ONCE = 256
"""Lines that the HTTP library parses before other tasks run: it makes an event of each chunk, which takes 30 µs."""
_MOST_HEAD_LINES = 1000  # before an answer has a status, such as those of "100 Continue"
_FREE_CHUNKS = 20_000
_CHUNK_BYTES = 256
"""Bytes of a chunk on average, after the first 20,000: smaller ones are there to keep us busy."""

Network: TypeAlias = httpx2.AsyncBaseTransport
"""The carrier of requests: httpx2's own, or a test's."""

_under_way: ContextVar["_Exchange | None"] = ContextVar("biofact_exchange", default=None)
"""The exchange of the current task."""


async def _no_slot() -> None:
    """Do nothing: the request is counted nowhere."""


class Wire:
    """Sends requests and reads answers; knows no caches, budgets or retries."""

    def __init__(self, settings: Settings, timing: Timing, network: Network | None = None) -> None:
        self._settings = settings
        self._timing = timing
        self._network = network
        self._clients: dict[str, httpx2.AsyncClient] = {}

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """The certificates that the system trusts; read once, as that takes longer than a request."""
        return httpx2.create_ssl_context()

    async def exchange(self, request: Request, ready: Ready = _no_slot) -> Answer:
        """The answer with its whole body. Awaits ``ready`` when the connection stands, just before it sends.

        Raises:
            Transient: the connection, the transfer or the packing failed.
            BodyTooLarge: the body is beyond 16 MiB.
        """
        async with self._response(request, ready, WHOLE_CAP) as (response, chunks):
            answer = self._answer(request, response, await _joined(chunks))
        if len(answer.body) > FREE_BYTES:  # joined in one round of the event loop, parsed in another
            await bytes_in_flight().turn()
        return answer

    @asynccontextmanager
    async def stream(
        self, request: Request, ready: Ready = _no_slot
    ) -> AsyncIterator[tuple[Answer, AsyncIterator[bytes]]]:
        """The answer with the head of its body, and the whole body in chunks of at most 1 MiB. Awaits ``ready`` when
        the connection stands, just before it sends.

        Raises:
            Transient: the connection, the transfer or the packing failed, at the latest when the context is left.
            BodyTooLarge: the body is beyond 1 GiB.
        """
        async with self._response(request, ready, STREAM_CAP) as (response, chunks):
            head = await _head(chunks, _HEAD_BYTES if response.is_success else _REFUSAL_BYTES)
            yield self._answer(request, response, head), _join(head, chunks)

    async def aclose(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()

    @asynccontextmanager
    async def _response(
        self, request: Request, ready: Ready, cap: int
    ) -> AsyncIterator[tuple[httpx2.Response, AsyncIterator[bytes]]]:
        """The response, and its body in chunks."""
        exchange = _Exchange(request, self._timing.clock)
        with exchange.current(), _transient_failures(exchange, self._settings), exchange.report(self._settings):
            client = self._client(request.service)
            message = self._signed(client, request)
            exchange.method, exchange.host = message.method, message.url.raw_host.decode("ascii")

            async def start() -> None:
                await ready()
                exchange.start()

            if self._network is None or isinstance(self._network, httpx2.AsyncHTTPTransport):
                message.extensions["trace"] = exchange.trace(start)
            else:
                await start()
            response = await client.send(message, stream=True)
            exchange.status = response.status_code
            try:
                async with aclosing(exchange.body(response, cap)) as chunks:
                    yield response, chunks
            finally:
                await response.aclose()

    def _signed(self, client: httpx2.AsyncClient, request: Request) -> httpx2.Request:
        url = address(request, self._settings)
        params = [*request.params, *request.service.sign(self._settings).items()]
        query = urlencode(params)
        headers = {"Accept": request.accept, **request.service.sign_headers(self._settings)}
        full_url = f"{url}?{query}" if query else url
        if typed_body := _typed_body(request):
            headers["Content-Type"], body = typed_body
            return client.build_request("POST", full_url, content=body, headers=headers)
        forms = request.service.form_headers
        if request.method == "POST" or (forms is not None and len(query) > _LONGEST_QUERY):
            kind, content = "application/x-www-form-urlencoded", query.encode()
            if request.service.reads_pairs:
                kind, content = (
                    "application/json",
                    orjson.dumps([(name, quote(value, safe="")) for name, value in params]),
                )
            headers |= {"Content-Type": kind, **dict(forms or ())}
            return client.build_request("POST", url, content=content, headers=headers)
        return client.build_request("GET", full_url, headers=headers)

    def _answer(self, request: Request, response: httpx2.Response, body: bytes) -> Answer:
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status_code, headers, body, shown_url(request, self._settings))

    def _client(self, service: Service) -> httpx2.AsyncClient:
        if service.name not in self._clients:
            try:
                self._clients[service.name] = self._new_client(service)
            except (OSError, ValueError, ImportError) as error:
                raise UpstreamError(
                    f"{service.title} was not asked: the proxy or certificate settings here cannot be used.",
                    hint="Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR.",
                ) from error
        return self._clients[service.name]

    def _new_client(self, service: Service) -> httpx2.AsyncClient:
        client = self._plain_client(service)
        for carrier in (client._transport, *client._mounts.values()):  # noqa: SLF001  # else no proxy of the environment
            if isinstance(carrier, httpx2.AsyncHTTPTransport):
                _Network.install(carrier)
        return client

    def _plain_client(self, service: Service) -> httpx2.AsyncClient:
        is_encrypted = self._network is None and not self._settings[service.base_url].lower().startswith("http:")
        return httpx2.AsyncClient(
            transport=self._network,
            verify=self._trust if is_encrypted else False,  # else there is no certificate to verify
            timeout=httpx2.Timeout(self._timing.read_seconds, connect=self._timing.connect_seconds, pool=None),
            limits=httpx2.Limits(max_connections=service.max_connections, keepalive_expiry=30.0),
            headers={"User-Agent": f"biofact/{_version()}", "Accept-Encoding": "gzip, deflate"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            mounts={"all://localhost": None, "all://127.0.0.1": None},  # no proxy leads back to this machine
        )


def _typed_body(request: Request) -> tuple[str, bytes] | None:
    """Type and bytes of the ``json`` or ``text`` of a request; None where neither is sent."""
    if request.text is not None:
        return "text/plain; charset=utf-8", request.text.encode()
    return None if request.json is None else ("application/json", orjson.dumps(request.json))


@dataclass(slots=True)
class _Exchange:
    """The state of a request under way."""

    request: Request
    clock: Callable[[], float]
    method: str = ""
    host: str = ""
    connected_host: str = ""
    """The other end of its connection: a proxy's, if that is not its host."""
    status: int = 0
    size: int = 0
    sent_at: float | None = None
    head_lines: int = 0

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make it the exchange of the current task."""
        token = _under_way.set(self)
        try:
            yield
        finally:
            _under_way.reset(token)

    def add_lines(self, count: int) -> None:
        """Count lines that are about to be read.

        Raises:
            RemoteProtocolError: there are too many, and still no answer.
        """
        if self.status:
            return
        if self.head_lines > _MOST_HEAD_LINES:
            raise httpcore2.RemoteProtocolError(f"no answer within {_MOST_HEAD_LINES} lines")
        self.head_lines += count

    def start(self) -> None:
        """Note that it is sent now."""
        self.sent_at = self.clock()

    def trace(self, ready: Ready) -> Callable[[str, dict[str, Any]], Awaitable[None]]:
        """A listener for httpcore2's stages of a request, which awaits it: the request is sent when ``ready`` returns.

        The connection stands by then, and is this request's. A proxy's CONNECT makes the connection: it is no request.
        """

        async def stage(name: str, details: dict[str, Any]) -> None:
            if name.endswith(".connect_tcp.started"):
                self.connected_host = details["host"]
            if name.endswith(".send_request_headers.started") and details["request"].method != b"CONNECT":
                await ready()

        return stage

    async def body(self, response: httpx2.Response, cap: int) -> AsyncGenerator[bytes]:
        """The body in chunks, as far as the cap allows."""
        response.stream = _CountedChunks(response.stream)
        async for chunk in response.aiter_bytes():
            self.size += len(chunk)
            if self.size > cap:
                raise BodyTooLarge(f"sent more than {cap // MIB} MiB")
            yield chunk

    @contextmanager
    def report(self, settings: Settings) -> Iterator[None]:
        """Report its outcome to the log and listeners."""
        start_time = self.clock()
        failure = ""
        events.emit(RequestBegan(self.request.service.name))
        try:
            yield
        except BaseException as error:
            failure = type(error).__name__
            raise
        finally:
            if events.listeners or events.REQUESTS.isEnabledFor(logging.DEBUG):
                self._report_end(failure, self.clock() - (self.sent_at or start_time), settings)

    def _report_end(self, failure: str, seconds: float, settings: Settings) -> None:
        service, endpoint, attempt = self.request.service, self.request.endpoint, events.attempt.get()
        method = self.method or self.request.method
        events.REQUESTS.debug(
            "%s %s %s: %s%s, %d bytes in %.2f s, attempt %d",
            method,
            service.name,
            endpoint,
            self.status or "no answer",
            failure and f", {failure}",
            self.size,
            seconds,
            attempt,
        )
        url = redacted(f"{settings[service.base_url].rstrip('/')}/{endpoint.lstrip('/')}", settings)
        events.emit(RequestEnded(service.name, method, url, self.status, failure, attempt, self.size, seconds))


@contextmanager
def _transient_failures(exchange: _Exchange, settings: Settings) -> Iterator[None]:
    """Raise the HTTP library's failures as ours. Its errors end here: they hold the signed request."""
    service = exchange.request.service
    try:
        yield
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol):
        raise UpstreamError(
            f"The address of {service.title} cannot be understood.",
            hint=f"Set {service.base_url.name} to an address like {service.base_url.default}.",
        ) from None
    except (httpx2.TransportError, httpx2.DecodingError) as error:
        if failure := _unreachable(error, exchange):
            raise failure from None
        detail = redacted(str(error), settings)
        raise Transient(_reason(error) + (f" ({detail})" if detail else "")) from None


def _unreachable(error: Exception, exchange: _Exchange) -> Unreachable | None:
    match error:
        case httpx2.ConnectError():
            return connection_fault(error, exchange.host, exchange.connected_host or exchange.host)
        case httpx2.ProxyError() if re.match(r"4\d\d\b", str(error)):  # as 407: it wants a login, or forbids the way
            return Unreachable(
                f"the proxy refused the connection (HTTP {str(error)[:3]})", "proxy refused", exchange.host
            )
        case _:
            return None


def _reason(error: Exception) -> str:
    match error:
        case httpx2.TimeoutException():
            return NO_ANSWER_IN_TIME
        case httpx2.ConnectError():
            return "cannot be reached"
        case httpx2.DecodingError():
            return "sent a body that cannot be unpacked"
        case _:
            return "broke off the connection"


async def _joined(chunks: AsyncIterator[bytes]) -> bytes:
    in_flight = bytes_in_flight()
    parts: list[bytes] = []
    try:
        with in_flight.body() as body:
            async for chunk in chunks:
                parts.append(chunk)
                await in_flight.add(body, len(chunk))
            return b"".join(parts)
    finally:
        parts.clear()  # the traceback of a failure would hold them


async def _head(chunks: AsyncIterator[bytes], size: int) -> bytes:
    head = b""
    async for chunk in chunks:
        head += chunk
        if len(head) >= size:
            break
    return head


async def _join(head: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if head:
        yield head
    async for chunk in rest:
        yield chunk


# The HTTP library logs whole addresses, with queries and keys: what it says of our requests is dropped.
for _name in ("httpx2", "httpcore2.connection", "httpcore2.http11", "httpcore2.proxy", "httpcore2.socks"):
    logging.getLogger(_name).addFilter(lambda record: _under_way.get() is None)


class _CountedChunks(httpx2.AsyncByteStream):
    """The chunks of a body before they are unpacked, as many as its bytes need."""

    def __init__(self, chunks: Any) -> None:
        self._chunks = chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = size = 0
        async for chunk in self._chunks:
            count += 1
            size += len(chunk)
            if count > _FREE_CHUNKS + size // _CHUNK_BYTES:
                raise Transient(f"sent {size} bytes in {count} chunks")
            yield chunk

    async def aclose(self) -> None:
        """Close the connection, or free it for the next request."""
        await self._chunks.aclose()


class _Network(httpcore2.AsyncNetworkBackend):
    """A network on which no service holds the event loop by many small events in few bytes."""

    def __init__(self, network: httpcore2.AsyncNetworkBackend) -> None:
        self._network = network

    @classmethod
    def install(cls, carrier: httpx2.AsyncHTTPTransport) -> None:
        """Let a carrier use it for its connections."""
        pool: Any = carrier._pool  # noqa: SLF001  # httpx2 2.x takes no network of one's own
        if not isinstance(pool._network_backend, cls):  # noqa: SLF001
            pool._network_backend = cls(pool._network_backend)  # noqa: SLF001

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # as httpcore2 has it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A connection."""
        return _Stream(await self._network.connect_tcp(host, port, timeout, local_address, socket_options))

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._network.sleep(seconds)


class _Stream(httpcore2.AsyncNetworkStream):
    """A connection that is read in pieces of few lines, between which other tasks run and deadlines count."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream = stream
        self._rest = b""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109  # as httpcore2 has it
        """The next piece."""
        if self._rest:
            piece, self._rest = self._rest[:max_bytes], self._rest[max_bytes:]
        else:
            piece = await self._stream.read(max_bytes, timeout)
        lines = piece.count(b"\n")
        if lines > _LINES_AT_ONCE:
            rest = piece.split(b"\n", _LINES_AT_ONCE)[-1]
            piece, self._rest = piece[: len(piece) - len(rest)], rest + self._rest
            await bytes_in_flight().turn()
        if exchange := _under_way.get():
            exchange.add_lines(min(lines, _LINES_AT_ONCE))
        return piece

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Send bytes."""
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        """The same connection, encrypted from now on."""
        return _Stream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        """A fact about the connection; an idle one that has sent more than its answer counts as closed."""
        return (info == "is_readable" and bool(self._rest)) or self._stream.get_extra_info(info)


@cache
def _version() -> str:
    """The version of this package; read once, as that takes longer than a request."""
    try:
        return version("biofact")
    except PackageNotFoundError:
        return "0"


_NO_ROUTE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL})
_NO_ROUTE_WINDOWS = frozenset({1231, 1232})  # ERROR_NETWORK_UNREACHABLE and ERROR_HOST_UNREACHABLE, as asyncio has them


def connection_fault(error: BaseException, host: str, connected_host: str) -> Unreachable | None:
    """The obstacle on the way, if the service cannot mend it; None if it perhaps can, as after a timeout.

    ``connected_host`` differs from ``host`` where a proxy is between.
    """
    causes = list(_first_causes(error))
    untrusted = next((cause for cause in causes if isinstance(cause, ssl.SSLCertVerificationError)), None)
    if untrusted is not None:
        return Unreachable(f"has a certificate that is not trusted here: {untrusted.verify_message}", "untrusted", host)
    if connected_host != host and all(
        isinstance(cause, ConnectionRefusedError) or _is_no_way(cause) for cause in causes
    ):
        return Unreachable("is behind a proxy that cannot be reached", "no proxy", connected_host)
    if all(map(_is_no_way, causes)):
        is_unnamed = any(isinstance(cause, socket.gaierror) for cause in causes)
        return Unreachable("cannot be reached", "no name" if is_unnamed else "no route", host)
    return None


def _first_causes(error: BaseException) -> Iterator[BaseException]:
    """The first causes of an error: several if several addresses were tried."""
    causes = error.exceptions if isinstance(error, BaseExceptionGroup) else (error.__cause__ or _wrapped(error),)
    for cause in causes:
        if cause is None:
            yield error
        else:
            yield from _first_causes(cause)


def _wrapped(error: BaseException) -> BaseException | None:
    """The error that httpcore2 has put into one of its own, which its pool of connections strips of its cause."""
    (first, *_) = (*error.args, None)
    return first if isinstance(first, BaseException) else None


def _is_no_way(error: BaseException) -> bool:
    """Whether the host has no name here, or no packet leads to it."""
    if isinstance(error, socket.gaierror):
        return True
    is_no_route = isinstance(error, OSError) and error.errno in _NO_ROUTE
    return is_no_route or getattr(error, "winerror", None) in _NO_ROUTE_WINDOWS
