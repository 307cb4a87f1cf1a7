"""MCP over standard input and output: every line is answered, and the server waits for a client that does not read.

The session is the library's. The library's own reader drops lines that it cannot parse, and keeps answers without bound
for a client that does not read them.
"""

import asyncio
import json
import os
import re
import select
import stat
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from fastmcp import FastMCP
from fastmcp.server.context import reset_transport, set_transport
from fastmcp.utilities.logging import temporary_log_level
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json

LONGEST_LINE_BYTES = 64 * 2**20
MOST_UNDER_WAY = 256
"""Requests at once, without those whose answers are written; more wait, as lines."""
_MOST_WAITING_BYTES = 256 * 2**10  # beyond that nothing is read; until then the client's answers overtake its requests
_MOST_UNWRITTEN_BYTES = 256 * 2**10
_LAST_WORDS_SECONDS = 2.0
_CHUNK_BYTES = 64 * 2**10
_LONG_BYTES = 64 * 2**10  # parsing of longer lines runs in a thread
_LONGEST_NUMBER = 300  # digits of an ID
_STANDARD_ERROR = 2
_BOM = b"\xef\xbb\xbf"
_EXPECTED = (
    'Expected one JSON-RPC 2.0 message: an object with "jsonrpc": "2.0", a method as text, params as an object, and '
    "an integer or text as id."
)
_BATCH = "Batches are not supported. Write each message on a line of its own."
# A string (to the end of the line where it is never closed), a number, or what brackets and separates them.
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[{}\[\]:,]', re.DOTALL)
Incoming = MemoryObjectSendStream[SessionMessage | Exception]


async def serve(server: FastMCP[Any]) -> None:
    """Answer until the client closes its end of either pipe."""
    token = set_transport("stdio")
    try:
        with temporary_log_level("WARNING"), _private_pipes() as (source, sink):
            async with server._lifespan_manager():  # noqa: SLF001  # run_stdio_async takes no streams
                await _run_session(server, source, sink)
    finally:
        reset_transport(token)


async def _run_session(server: FastMCP[Any], source: int, sink: int) -> None:
    session, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    writer = Writer(sink)
    reader = Reader(session, writer)
    mcp_server = server._mcp_server  # noqa: SLF001
    async with anyio.create_task_group() as tasks:

        async def run() -> None:
            await mcp_server.run(incoming, writer, mcp_server.create_initialization_options())
            await writer.flush()
            tasks.cancel_scope.cancel()

        async def leave() -> None:
            await writer.client_closed.wait()
            tasks.cancel_scope.cancel()

        tasks.start_soon(run)
        tasks.start_soon(leave)
        tasks.start_soon(reader.admit)
        tasks.start_soon(reader.read, source)


class Writer:
    """Writes the session's answers in a thread of its own, because a full pipe blocks."""

    def __init__(self, sink: int) -> None:
        self.client_closed = asyncio.Event()
        """Set when the client has closed its end."""
        self.on_answered: Callable[[], object] = lambda: None
        """Called for each answer of the session, when it was written."""
        self._sink = sink
        self._loop = asyncio.get_running_loop()
        self._lines: SimpleQueue[tuple[bytes, bool]] = SimpleQueue()
        self._unwritten_bytes = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._is_empty = asyncio.Event()
        self._is_empty.set()
        threading.Thread(target=self._write, daemon=True).start()
        self._watch()

    async def send(self, item: SessionMessage, /) -> None:
        """Queue a message; returns when there is room for more."""
        await self._put(item.message, is_answer=isinstance(item.message, JSONRPCResponse | JSONRPCError))

    async def refuse(self, error: JSONRPCError) -> None:
        """Answer a line that the session does not get."""
        await self._put(error, is_answer=False)

    async def flush(self) -> None:
        """Wait until all is written, for a limited time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS_SECONDS):
                await self._is_empty.wait()

    async def aclose(self) -> None:
        """Do nothing: queued messages are still written."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _put(self, message: JSONRPCMessage, *, is_answer: bool) -> None:
        if self.client_closed.is_set():
            raise anyio.BrokenResourceError
        line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        self._count(len(line))
        self._lines.put((line, is_answer))
        await self._has_room.wait()

    def _count(self, size: int) -> None:
        self._unwritten_bytes += size
        # both are set while no more than the limit waits
        for event, limit in ((self._has_room, _MOST_UNWRITTEN_BYTES), (self._is_empty, 0)):
            if self._unwritten_bytes > limit:
                event.clear()
            else:
                event.set()

    def _write(self) -> None:
        with suppress(RuntimeError):  # the loop has ended before us
            while True:
                line, is_answer = self._lines.get()
                if not _write_all(self._sink, line):
                    self._loop.call_soon_threadsafe(self.client_closed.set)
                    return
                self._loop.call_soon_threadsafe(self._on_written, len(line), is_answer)

    def _on_written(self, size: int, is_answer: bool) -> None:
        self._count(-size)
        if is_answer:
            self.on_answered()

    def _watch(self) -> None:
        """Notice a client that closes its end while there is nothing to write; not possible on Windows."""
        if sys.platform == "win32":
            return
        if stat.S_ISFIFO(mode := os.fstat(self._sink).st_mode) or stat.S_ISSOCK(mode):
            self._loop.add_reader(self._sink, self._check_for_hangup)

    def _check_for_hangup(self) -> None:
        if sys.platform != "win32":  # which has no poll, and never calls this
            self._loop.remove_reader(self._sink)
            poll = select.poll()
            poll.register(self._sink, 0)
            if poll.poll(0):
                self.client_closed.set()


class Reader:
    """Reads lines, answers those that are no message, and passes the others to the session, within its limits."""

    def __init__(self, session: Incoming, writer: Writer) -> None:
        self._session = session
        self._writer = writer
        self._under_way = 0
        self._queue: deque[bytes] = deque()
        self._queue_bytes = 0
        self._changed = asyncio.Condition()
        self._has_free_slot = asyncio.Event()
        writer.on_answered = self._settle

    async def read(self, source: int) -> None:
        """Read until the end of the input, in a thread: a read that waits for input cannot be cancelled."""
        loop = asyncio.get_running_loop()
        chunks: asyncio.Queue[bytes] = asyncio.Queue()
        read_permits = threading.Semaphore(0)

        def pump() -> None:
            with suppress(RuntimeError):  # the loop has ended before us
                while chunk := _chunk(source):
                    loop.call_soon_threadsafe(chunks.put_nowait, chunk)
                    # the next read waits until this chunk is accepted: a flood stays in the pipe
                    read_permits.acquire()
                loop.call_soon_threadsafe(chunks.put_nowait, b"")

        threading.Thread(target=pump, daemon=True).start()
        lines = Lines()
        with suppress(anyio.BrokenResourceError):  # the session has ended before us
            async with self._session:
                while chunk := await chunks.get():
                    await self._accept_lines(lines.split(chunk))
                    read_permits.release()
                await self._accept_lines(lines.rest())

    async def admit(self) -> None:
        """Start waiting requests as others are answered."""
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # the input or the session has ended
            while True:
                await self._has_free_slot.wait()
                self._has_free_slot.clear()
                await self._start_waiting()

    async def _start_waiting(self) -> None:
        while self._queue and self._under_way < MOST_UNDER_WAY:
            line = self._queue.popleft()
            self._queue_bytes -= len(line)
            await self._start(_message(line))
        async with self._changed:
            self._changed.notify_all()

    async def _accept_lines(self, lines: list[bytes | None]) -> None:
        for line in lines:
            if line is None:
                await self._writer.refuse(too_long(LONGEST_LINE_BYTES))
            elif line.strip():
                await self._accept(line)

    async def _accept(self, line: bytes) -> None:
        try:
            message = _message(line)
        except ValidationError:
            await self._refuse(line)
            return
        if isinstance(message, JSONRPCRequest):
            await self._request(message, line)
        elif isinstance(message, JSONRPCNotification) and has_unusable_id(line):
            await self._refuse(line)
        else:
            await self._session.send(SessionMessage(message))

    async def _refuse(self, line: bytes) -> None:
        is_long = len(line) > _LONG_BYTES
        errors = await asyncio.to_thread(answers, line) if is_long else answers(line)
        for error in errors:
            await self._writer.refuse(error)

    async def _request(self, message: JSONRPCRequest, line: bytes) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._queue_bytes < _MOST_WAITING_BYTES)
        if self._queue or self._under_way >= MOST_UNDER_WAY:
            self._queue.append(line)
            self._queue_bytes += len(line)
        else:
            await self._start(message)

    async def _start(self, message: JSONRPCMessage) -> None:
        self._under_way += 1
        await self._session.send(
            SessionMessage(message, ServerMessageMetadata(on_request_unanswered=self._on_cancelled))
        )

    async def _on_cancelled(self) -> None:
        """Count a request that the client has cancelled, to which no answer will be written."""
        self._settle()

    def _settle(self) -> None:
        self._under_way -= 1
        self._has_free_slot.set()


class Lines:
    """Splits chunks into lines. A line that is too long is dropped, and None in its place."""

    def __init__(self) -> None:
        self._partial_line = bytearray()
        self._is_too_long = False
        self._is_first = True

    def split(self, chunk: bytes) -> list[bytes | None]:
        """The lines that end in this chunk."""
        *complete, partial = chunk.split(b"\n")
        lines = []
        for part in complete:
            self._add(part)
            lines.append(self._line())
        self._add(partial)
        return lines

    def rest(self) -> list[bytes | None]:
        """The last line, which had no end."""
        return [self._line()]

    def _add(self, part: bytes) -> None:
        if len(self._partial_line) + len(part) > LONGEST_LINE_BYTES:
            self._is_too_long = True
            self._partial_line.clear()
        elif not self._is_too_long:
            self._partial_line += part

    def _line(self) -> bytes | None:
        line = None if self._is_too_long else bytes(self._partial_line)
        if line is not None and self._is_first:
            line = line.removeprefix(_BOM)  # some clients write a byte order mark
        self._partial_line.clear()
        self._is_too_long = self._is_first = False
        return line


def _message(line: bytes) -> JSONRPCMessage:
    return jsonrpc_message_adapter.validate_json(line, by_name=False)


def _chunk(source: int) -> bytes:
    try:
        return os.read(source, _CHUNK_BYTES)
    except OSError:
        return b""  # the terminal is closed


def _write_all(sink: int, line: bytes) -> bool:
    """Write a line; False where the client has closed its end."""
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(sink, rest) :]
    except OSError:
        return False
    return True


@contextmanager
def _private_pipes() -> Iterator[tuple[int, int]]:
    """Private copies of both pipes: other readers of standard input find its end, and prints go to standard error."""
    sys.stdout.flush()
    null_device = os.open(os.devnull, os.O_RDWR)  # becomes standard error, if there was none
    source, sink = os.dup(0), os.dup(1)
    os.dup2(null_device, 0)
    os.dup2(_STANDARD_ERROR, 1)
    if null_device > _STANDARD_ERROR:
        os.close(null_device)
    try:
        yield source, sink
    finally:  # reader and writer threads may still use the private copies
        sys.stdout.flush()
        os.dup2(source, 0)
        os.dup2(sink, 1)


def answers(line: bytes) -> list[JSONRPCError]:
    """The errors for a line: one for each request that it may hold; at least one."""
    try:
        message = from_json(line)
    except ValueError as error:
        return [_error(PARSE_ERROR, f"This line is not JSON that can be read: {error}.", _readable_id(line))]
    if isinstance(message, list):
        return [_error(INVALID_REQUEST, _BATCH, request_id) for request_id in list(map(_request_id, message)) or [None]]
    return [_error(INVALID_REQUEST, _EXPECTED, _request_id(message))]


def too_long(most_bytes: int) -> JSONRPCError:
    """The error for a line that is too long."""
    return _error(INVALID_REQUEST, f"This line is longer than {most_bytes:,} bytes. Write a shorter message.", None)


def has_unusable_id(line: bytes) -> bool:
    """Whether a line that parses as a notification has an invalid ID, such as null, and so expects an answer."""
    return b'"id"' in line and "id" in from_json(line)


def _error(code: int, message: str, request_id: RequestId | None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message))


def _request_id(message: Any) -> RequestId | None:
    """The ID of a message that may be a request. The ID of a response is one of the server's own."""
    if not isinstance(message, dict) or ("method" not in message and {"result", "error"} & message.keys()):
        return None
    request_id = message.get("id")
    return (
        request_id
        if isinstance(request_id, str) or (isinstance(request_id, int) and not isinstance(request_id, bool))
        else None
    )


def _readable_id(line: bytes) -> RequestId | None:
    """The value of the outermost object's ``id`` in a line that is not valid JSON."""
    tokens = _outermost(line)
    if next(tokens, b"") != b"{":
        return None
    before: tuple[bytes, ...] = (b"", b"")
    for token in tokens:
        if before == (b'"id"', b":"):
            return _id(token)
        before = (before[1], token)
    return None


def _outermost(line: bytes) -> Iterator[bytes]:
    """The tokens within the first bracket, without those of nested brackets."""
    depth = 0
    for match in _TOKEN.finditer(line):
        token = match[0]
        depth -= token in b"]}"  # a closing bracket stands at the depth outside it, an opening one too
        if depth <= 1:
            yield token
        depth += token in b"[{"


def _id(token: bytes) -> RequestId | None:
    try:
        request_id = json.loads(token) if len(token) <= _LONGEST_NUMBER else None
        str(request_id).encode()  # fails for a lone surrogate, which cannot be written
    except ValueError:
        return None
    return request_id if isinstance(request_id, str | int) else None
