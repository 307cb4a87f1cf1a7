"""Servers that write any bytes, without a port and with one: what stands in them is up to the test."""

import asyncio
import socket
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import TypeVar

from biofact.core.settings import Settings
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.in_process import InProcess
from tests.transport.scene import URL

T = TypeVar("T")

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNK = b"1\r\n#\r\n"
CONTINUE = b"HTTP/1.1 100 \r\n\r\n"


class RawServer:
    """Answers every request with the same pieces, then closes the connection; ``seconds`` pass before each piece."""

    url = "http://127.0.0.1:80"

    def __init__(self, pieces: Callable[[], Iterable[bytes]], seconds: float = 0.0) -> None:
        self.requests = 0
        self.is_answering = asyncio.Event()
        self.sent_pieces = 0
        self._pieces = pieces
        self._seconds = seconds
        self._tasks: set[asyncio.Task[None]] = set()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            self.requests += 1
            self.is_answering.set()
            try:
                await self._answer(writer)
            finally:
                self.is_answering.clear()
        writer.close()

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        for piece in self._pieces():
            if writer.is_closing():
                break
            if self._seconds:
                await asyncio.sleep(self._seconds)
            writer.write(piece)
            self.sent_pieces += 1
            await writer.drain()

    async def aclose(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def with_server(server: RawServer, scenario: Callable[[Transport], Awaitable[T]], timing: Timing | None = None) -> T:
    """The result of a scenario with a transport to the server, and a new cache, in virtual time."""

    async def run() -> T:
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings({"BIOFACT_CACHE_DIR": folder, URL.name: server.url})
            transport = Transport(settings, timing=timing or virtual_time.timing(), wire=InProcess(server))
            async with aclosing(server), aclosing(transport):
                return await scenario(transport)

    return virtual_time.run(run())


@contextmanager
def socket_server(pieces: Callable[[], Iterable[bytes]], seconds: float = 0.0) -> Iterator[str]:
    """The address of a server on a real socket, with a thread for each connection, that answers as ``RawServer``."""

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=listener.accept(), daemon=True).start()

    def answer(connection: socket.socket, _: object) -> None:
        with connection, suppress(OSError):
            connection.recv(65536)
            for piece in pieces():
                time.sleep(seconds)
                connection.sendall(piece)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/api"
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
