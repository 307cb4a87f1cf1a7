"""A small HTTP/1.1 server on loopback: h11 over asyncio streams, so that an answer can also go wrong on purpose."""

import asyncio
import contextlib
import socket
import struct
import zlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal, Self

import h11

HOST = "127.0.0.1"

_MIB = 1 << 20
_LARGEST_HEAD = 64 * 1024
_LARGEST_BODY = 8 * _MIB
_LONGEST_TARGET = 8190
_METHODS = {b"GET", b"POST", b"DELETE"}
_READ_BYTES = 64 * 1024
_WRITE_BYTES = 64 * 1024
_SMALLEST_ZIPPED = 1000
_IDLE_SECONDS = 75.0


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it came in."""

    method: str
    target: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes
    caller: str
    """Address of who asks."""


class Pipe:
    """The line of one service, which its connections share: the bytes of bodies, packed where they are packed."""

    def __init__(self, bytes_per_second: float | None = None) -> None:
        self.sent_bytes = 0
        self._bytes_per_second = bytes_per_second
        self._free_at = 0.0

    async def carry(self, count: int) -> None:
        """Wait until these bytes have passed, behind those of other connections that came before."""
        self.sent_bytes += count
        if self._bytes_per_second is None:
            return
        now = asyncio.get_running_loop().time()
        self._free_at = max(self._free_at, now) + count / self._bytes_per_second
        await asyncio.sleep(self._free_at - now)


@dataclass(slots=True)
class Outgoing:
    """An answer, and how it goes onto the wire."""

    body: bytes | Iterable[bytes] = b""
    content_type: str = "text/plain; charset=UTF-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    is_zipped: bool = True
    """Whether it may be sent with gzip, to those who accept it."""
    promised_bytes: int | None = None
    """A Content-Length to claim, also a wrong one."""
    is_silent: bool = False
    """Nothing is sent, not even a status."""
    drip_bytes: int = 0
    """With ``drip_seconds``: number of bytes at a time, with a pause between."""
    drip_seconds: float = 0.0
    pipe: Pipe | None = None
    """The line that its body takes; None for one without a limit."""
    ending: Literal["whole", "cut", "reset"] = "whole"
    """End of the answer: complete as in HTTP, by closing the connection early, or by resetting it."""


Respond = Callable[[Incoming], Awaitable[Outgoing]]


class LoopbackServer(ABC):
    """``async with`` serves on a free port; without entering it, it serves the connections passed to ``accept``.

    Raises:
        OSError: on entering, the port is taken.
    """

    def __init__(self, *, port: int = 0) -> None:
        self._port = port  # the requested one until it listens
        self._listener: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self.accept, HOST, self._port, backlog=1024)
        self._port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stop listening and drop all connections at once."""
        if self._listener is not None:
            self._listener.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection of the port or from elsewhere, such as one in memory, until ``aclose``."""
        task = asyncio.get_running_loop().create_task(_Connection(reader, writer, self._respond).serve())
        self._connections.add(task)  # a loop holds its tasks weakly
        task.add_done_callback(self._connections.discard)

    @abstractmethod
    async def _respond(self, request: Incoming) -> Outgoing:
        """The answer to a request."""


class _ConnectionDropped(Exception):
    """The connection is over."""


class _Connection:
    """One connection, kept alive for one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, respond: Respond) -> None:
        self._reader = reader
        self._writer = writer
        self._respond = respond
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_LARGEST_HEAD)

    async def serve(self) -> None:
        """Answer until either side closes."""
        try:
            with contextlib.suppress(_ConnectionDropped, ConnectionError):
                await self._answer_all()
            self._writer.close()
            with contextlib.suppress(ConnectionError):
                await self._writer.wait_closed()
        finally:
            self._writer.transport.abort()  # on stop, clients that do not read must not delay the server

    async def _answer_all(self) -> None:
        try:
            while True:
                await self._answer_one()
                if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                    return  # one side wants to close
                self._http.start_next_cycle()
        except h11.RemoteProtocolError as error:
            await self._complain(HTTPStatus(error.error_status_hint))

    async def _answer_one(self) -> None:
        request = await self._read()
        if isinstance(request, HTTPStatus):
            await self._complain(request)
            raise _ConnectionDropped
        outgoing = await self._respond(request)
        accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
        await self._send(outgoing, accepts_gzip=accepts_gzip)

    async def _read(self) -> Incoming | HTTPStatus:
        head = await self._event()
        if not isinstance(head, h11.Request):
            raise _ConnectionDropped
        if head.method not in _METHODS:
            return HTTPStatus.NOT_IMPLEMENTED
        if len(head.target) > _LONGEST_TARGET:
            return HTTPStatus.REQUEST_URI_TOO_LONG
        body, length = bytearray(), 0
        while isinstance(event := await self._event(), h11.Data):
            length += len(event.data)
            body += event.data if length <= _LARGEST_BODY else b""  # read to its end: a reset would hide our answer
        if length > _LARGEST_BODY:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        headers = {name.decode(): value.decode("latin-1") for name, value in head.headers}
        caller = self._writer.get_extra_info("peername")[0]
        return Incoming(head.method.decode(), head.target.decode("latin-1"), headers, bytes(body), caller)

    async def _event(self) -> h11.Event:
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Event):
                return event
            if self._http.they_are_waiting_for_100_continue:
                await self._write(h11.InformationalResponse(status_code=100, headers=[]))
            try:
                async with asyncio.timeout(_IDLE_SECONDS):
                    chunk = await self._reader.read(_READ_BYTES)
            except TimeoutError as error:
                raise _ConnectionDropped from error
            self._http.receive_data(chunk)

    async def _write(self, event: h11.Event) -> None:
        if data := self._http.send(event):
            self._writer.write(data)
            await self._writer.drain()

    async def _complain(self, status: HTTPStatus) -> None:
        if self._http.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            await self._send(Outgoing(status=status), accepts_gzip=False)

    async def _send(self, outgoing: Outgoing, *, accepts_gzip: bool) -> None:
        if not outgoing.is_silent:
            pieces, headers = _framed(outgoing, accepts_gzip=accepts_gzip)
            reason = _reason(outgoing.status)
            await self._write(h11.Response(status_code=outgoing.status, headers=headers, reason=reason))
            for piece in _split(pieces, outgoing.drip_bytes or _WRITE_BYTES):
                if outgoing.pipe is not None:
                    await outgoing.pipe.carry(len(piece))
                await self._write(h11.Data(data=piece))
                await asyncio.sleep(outgoing.drip_seconds)  # also lets the other connections have their turn
        match outgoing.ending:
            case "whole":
                await self._write(h11.EndOfMessage())
            case "reset":
                self._reset()
                raise _ConnectionDropped
            case "cut":
                raise _ConnectionDropped

    def _reset(self) -> None:
        """Close with RST: what is unsent is thrown away."""
        connection: socket.socket | None = self._writer.get_extra_info("socket")
        if connection is not None:  # in memory there is none, and what is unsent is lost anyway
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


def _framed(outgoing: Outgoing, *, accepts_gzip: bool) -> tuple[Iterable[bytes], list[tuple[str, str]]]:
    """The body in pieces, and the headers of its length: chunked if that is not known beforehand."""
    headers = list({"Content-Type": outgoing.content_type, **outgoing.headers}.items())
    body = outgoing.body
    is_long = not isinstance(body, bytes) or len(body) >= _SMALLEST_ZIPPED
    is_plain = outgoing.ending == "whole" and outgoing.promised_bytes is None
    if accepts_gzip and outgoing.is_zipped and is_long and is_plain:
        pieces = [body] if isinstance(body, bytes) else body
        return _zipped(pieces), [*headers, ("Content-Encoding", "gzip")]
    if outgoing.promised_bytes is not None:
        headers.append(("Content-Length", str(outgoing.promised_bytes)))
    elif isinstance(body, bytes):
        headers.append(("Content-Length", str(len(body))))
    return [body] if isinstance(body, bytes) else body, headers


def _zipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(1, wbits=16 + zlib.MAX_WBITS)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def _split(pieces: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), max_bytes):
            yield piece[start : start + max_bytes]


def _reason(status: int) -> bytes:
    try:
        return HTTPStatus(status).phrase.encode()
    except ValueError:
        return b""
