"""Servers without sockets: httpx2's own connections, and the sandbox's own server at their other end."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpcore2
import httpx2

from biofact.sandbox import Sandbox
from biofact.sandbox.scripted_model import ScriptedModel, ScriptLine

_SANDBOX_PORT, MODEL_PORT = 80, 81  # no server listens on them
_HIGH_WATER_BYTES = 64 * 1024  # bytes that may be under way to a client that does not read


class Server(Protocol):
    """A server that accepts connections without a port."""

    url: str

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None: ...


class _ServerEnd(asyncio.Transport):
    """The server's end of a connection; the client's end reads it. ``abort`` resets, as unsent bytes are lost then."""

    def __init__(self, protocol: asyncio.StreamReaderProtocol, client: "_ClientEnd") -> None:
        super().__init__({"peername": ("127.0.0.1", 0)})
        self._protocol = protocol
        self._client = client
        self._is_paused = False
        self._is_closing = False

    def write(self, data: Any) -> None:
        if self._is_closing:
            return
        self._client.arrived += data
        self._client.changed.set()
        if len(self._client.arrived) > _HIGH_WATER_BYTES and not self._is_paused:
            self._is_paused = True
            self._protocol.pause_writing()

    def resume_reading(self) -> None:
        """Whether the client has read all bytes."""
        if self._is_paused:
            self._is_paused = False
            self._protocol.resume_writing()

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        self.end(None)

    def abort(self) -> None:
        self.end(httpcore2.ReadError())

    def end(self, failure: Exception | None) -> None:
        """Close both ends, once; the client gets the failure, or the end."""
        if not self._is_closing:
            self._is_closing = True
            self._client.has_ended = True
            self._client.failure = failure
            self._client.changed.set()
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)


class _ClientEnd(httpcore2.AsyncNetworkStream):
    """The stream that httpcore2 reads and writes in place of a socket."""

    def __init__(self, server: Server) -> None:
        self.arrived = bytearray()
        self.has_ended = False
        self.failure: Exception | None = None
        self.changed = asyncio.Event()
        self._protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader(), server.accept)
        self._server = _ServerEnd(self._protocol, self)
        self._protocol.connection_made(self._server)

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109  # as httpcore2 has it
        try:
            async with asyncio.timeout(timeout):
                while not self.arrived and not self.has_ended:
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError as error:
            raise httpcore2.ReadTimeout from error
        if not self.arrived and self.failure is not None:
            raise self.failure
        chunk = bytes(self.arrived[:max_bytes])
        del self.arrived[:max_bytes]
        if not self.arrived:
            self._server.resume_reading()
        return chunk

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        if self.has_ended:
            raise httpcore2.WriteError
        self._protocol.data_received(buffer)

    async def aclose(self) -> None:
        self._server.end(httpcore2.ReadError())

    def get_extra_info(self, info: str) -> Any:
        return bool(self.arrived) or self.has_ended if info == "is_readable" else None


class _Backend(httpcore2.AsyncNetworkBackend):
    """Leads to each server by its port, as on loopback."""

    def __init__(self, servers: dict[int | None, Server]) -> None:
        self.servers = servers
        self.fault: OSError | None = None
        self.fault_seconds = 0.0
        self.connect_seconds: Callable[[], float] = float
        self.attempts: list[float] = []

    async def connect_tcp(self, host: str, port: int, *address: Any, **options: Any) -> _ClientEnd:
        self.attempts.append(asyncio.get_running_loop().time())
        if self.fault is not None:
            await asyncio.sleep(self.fault_seconds)
            raise httpcore2.ConnectError(self.fault) from self.fault
        if seconds := self.connect_seconds():
            await asyncio.sleep(seconds)
        if port not in self.servers:
            raise httpcore2.ConnectError("All connection attempts failed")
        return _ClientEnd(self.servers[port])

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class InProcess(httpx2.AsyncHTTPTransport):
    """For ``Transport(wire=…)``: statuses, timeouts, cuts and resets come as they do through sockets."""

    def __init__(self, *servers: Server) -> None:
        self._backend = _Backend({urlsplit(server.url).port: server for server in servers})
        self._pool = httpcore2.AsyncConnectionPool(max_connections=None, network_backend=self._backend)

    @property
    def attempts(self) -> list[float]:
        """The times at which connections were tried."""
        return self._backend.attempts

    def set_fault(self, fault: OSError | None, seconds: float = 0.0) -> None:
        """Let each connection fail like this after these seconds, until the fault is None again."""
        self._backend.fault, self._backend.fault_seconds = fault, seconds

    def set_connect_seconds(self, connect_seconds: Callable[[], float]) -> None:
        """Let each connection stand only after these seconds, and end when it was idle for a second."""
        self._backend.connect_seconds = connect_seconds
        self._pool = httpcore2.AsyncConnectionPool(
            max_connections=None, keepalive_expiry=1.0, network_backend=self._backend
        )

    def cut_off(self) -> None:
        """Refuse every further connection, as a machine without a server does."""
        self._backend.servers.clear()


@asynccontextmanager
async def in_process(*servers: Server, **options: Any) -> AsyncIterator[tuple[Sandbox, InProcess]]:
    """A sandbox without a port, and the network that leads to it and to other servers."""
    async with aclosing(Sandbox(**{"port": _SANDBOX_PORT, **options})) as sandbox:
        network = InProcess(sandbox, *servers)
        yield sandbox, network
        network.cut_off()


@asynccontextmanager
async def scripted_model(*script: ScriptLine, **options: Any) -> AsyncIterator[ScriptedModel]:
    """A model without a port; ``in_process`` and ``InProcess`` lead to it."""
    async with aclosing(ScriptedModel(*script, port=MODEL_PORT, **options)) as model:
        yield model
