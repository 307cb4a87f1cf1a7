"""HTTP, and the only place that speaks it: one client per service, bounded bodies, no cookies, no redirects.

Imported when the first request is due: the HTTP library takes longer to load than everything else here.
"""

import logging
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import cache, cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

import httpx2
import orjson

from biofact.core.errors import UpstreamError
from biofact.core.settings import Settings
from biofact.transport.redaction import address, redacted, shown_url
from biofact.transport.scheduler import Ready
from biofact.transport.service import MIB, Answer, BodyTooLarge, Request, Service, Transient
from biofact.transport.timing import Timing

BUFFERED_CAP = 64 * MIB
STREAM_CAP = 1024 * MIB
"""Bytes after decompression; httpx2 unpacks 1 MiB at a time, so that a bomb is met, not swallowed."""

_LONGEST_QUERY = 1800  # longer ones go as a form: servers and proxies refuse long addresses
_HEAD_BYTES = 1024  # of a stream, for the judge of the service
_REFUSAL_BYTES = 64 * 1024

Network: TypeAlias = httpx2.AsyncBaseTransport
"""What carries requests: httpx2's own, or one that a test makes up."""

_is_ours: ContextVar[bool] = ContextVar("biofact_wire", default=False)


async def _uncounted() -> None:
    """Nobody counts this request."""


class Wire:
    """Sends requests and reads answers; knows nothing of caches, budgets or second attempts."""

    def __init__(self, settings: Settings, timing: Timing, network: Network | None = None) -> None:
        self._settings = settings
        self._timing = timing
        self._network = network
        self._clients: dict[str, httpx2.AsyncClient] = {}

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """What the system trusts; read once, as that takes longer than a request."""
        return httpx2.create_ssl_context()

    async def exchange(self, request: Request, ready: Ready = _uncounted) -> Answer:
        """The answer with its whole body. Awaits ``ready`` when the connection stands, just before it sends.

        Raises:
            Transient: the connection, the transfer or the packing failed.
            BodyTooLarge: the body is beyond 64 MiB.
        """
        async with self._response(request, ready) as response, _chunks(response, BUFFERED_CAP) as chunks:
            return self._answer(request, response, b"".join([chunk async for chunk in chunks]))

    @asynccontextmanager
    async def stream(
        self, request: Request, ready: Ready = _uncounted
    ) -> AsyncIterator[tuple[Answer, AsyncIterator[bytes]]]:
        """The answer with the head of its body, and the whole body in chunks of at most 1 MiB. Awaits ``ready`` when
        the connection stands, just before it sends.

        Raises:
            Transient: the connection, the transfer or the packing failed, at the latest when the context is left.
            BodyTooLarge: the body is beyond 1 GiB.
        """
        async with self._response(request, ready) as response, _chunks(response, STREAM_CAP) as chunks:
            head = await _head(chunks, _HEAD_BYTES if response.is_success else _REFUSAL_BYTES)
            yield self._answer(request, response, head), _joined(head, chunks)

    async def aclose(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()

    @asynccontextmanager
    async def _response(self, request: Request, ready: Ready) -> AsyncIterator[httpx2.Response]:
        service = request.service
        with _quiet(), _transient_failures(service, self._settings):
            client = self._client(service)
            message = self._signed(client, request)
            if self._network is None or isinstance(self._network, httpx2.AsyncHTTPTransport):
                message.extensions["trace"] = _before_sending(ready)
            else:
                await ready()
            response = await client.send(message, stream=True)
            try:
                yield response
            finally:
                await response.aclose()

    def _signed(self, client: httpx2.AsyncClient, request: Request) -> httpx2.Request:
        url = address(request, self._settings)
        params = [*request.params, *request.service.sign(self._settings).items()]
        query = urlencode(params)
        headers = {"Accept": request.accept, **request.service.sign_headers(self._settings)}
        whole = f"{url}?{query}" if query else url
        if request.json is not None:
            headers["Content-Type"] = "application/json"
            return client.build_request("POST", whole, content=orjson.dumps(request.json), headers=headers)
        forms = request.service.form_headers
        if request.method == "POST" or (forms is not None and len(query) > _LONGEST_QUERY):
            is_json = request.service.reads_pairs
            kind = "application/json" if is_json else "application/x-www-form-urlencoded"
            headers |= {"Content-Type": kind, **dict(forms or ())}
            return client.build_request(
                "POST", url, content=_pairs(params) if is_json else query.encode(), headers=headers
            )
        return client.build_request("GET", whole, headers=headers)

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


def _pairs(params: Iterable[tuple[str, str]]) -> bytes:
    return orjson.dumps([(name, quote(value, safe="")) for name, value in params])


def _before_sending(ready: Ready) -> Callable[[str, dict[str, Any]], Awaitable[None]]:
    """What httpcore2 tells of the stages of a request. It awaits us, so that the request leaves when we return.

    The connection stands by then, and is this request's. A proxy's CONNECT makes the connection: it is no request.
    """

    async def stage(name: str, details: dict[str, Any]) -> None:
        if name.endswith(".send_request_headers.started") and details["request"].method != b"CONNECT":
            await ready()

    return stage


@contextmanager
def _transient_failures(service: Service, settings: Settings) -> Iterator[None]:
    """Name the HTTP library's failures in our words. Its errors end here: they hold the signed request."""
    try:
        yield
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol):
        raise UpstreamError(
            f"The address of {service.title} cannot be understood.",
            hint=f"Set {service.base_url.name} to an address like {service.base_url.default}.",
        ) from None
    except (httpx2.TransportError, httpx2.DecodingError) as error:
        detail = redacted(str(error), settings)
        raise Transient(_reason(error) + (f" ({detail})" if detail else "")) from None


def _reason(error: Exception) -> str:
    match error:
        case httpx2.TimeoutException():
            return "did not answer in time"
        case httpx2.ConnectError():
            return "cannot be reached"
        case httpx2.DecodingError():
            return "sent a body that cannot be unpacked"
        case _:
            return "broke off the connection"


def _chunks(response: httpx2.Response, cap: int) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
    async def capped() -> AsyncGenerator[bytes]:
        size = 0
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > cap:
                raise BodyTooLarge(f"sent more than {cap // MIB} MiB")
            yield chunk

    return aclosing(capped())


async def _head(chunks: AsyncIterator[bytes], size: int) -> bytes:
    head = b""
    async for chunk in chunks:
        head += chunk
        if len(head) >= size:
            break
    return head


async def _joined(head: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if head:
        yield head
    async for chunk in rest:
        yield chunk


class _NotOurs(logging.Filter):
    """Drops what the HTTP library would log of our requests: whole addresses, with queries and keys."""

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002
        return not _is_ours.get()


for _name in ("httpx2", "httpcore2.connection", "httpcore2.http11", "httpcore2.proxy", "httpcore2.socks"):
    logging.getLogger(_name).addFilter(_NotOurs())


@contextmanager
def _quiet() -> Iterator[None]:
    token = _is_ours.set(True)
    try:
        yield
    finally:
        _is_ours.reset(token)


@cache
def _version() -> str:
    """Of this package; read once, as that takes longer than a request."""
    try:
        return version("biofact")
    except PackageNotFoundError:
        return "0"
