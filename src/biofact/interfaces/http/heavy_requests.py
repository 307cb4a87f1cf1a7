"""Requests that take long work, answered by a process beside the server's: all others are answered meanwhile.

Reading a body of megabytes, or two hundred abstracts by rules, holds an event loop for seconds. Such requests, and the
sessions of callers who lend a model, go whole to another process with the same application. It starts with the first
of them, shares the cache and the budgets of the services, and ends with the server. Messages go through a socket pair:
nothing listens.
"""

import asyncio
import functools
import itertools
import logging
import multiprocessing
import os
import pickle
import signal
import socket
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biofact.gateway.connections import ANSWER, UnderWay, come_again
from biofact.interfaces import terminal

log = logging.getLogger("biofact.http")

_SPAWN = multiprocessing.get_context("spawn")  # a fork copies locks, and macOS' libraries do not survive one
_LENGTH_BYTES = 8
_LEAST_NICE = 5
"""The process gives way to the server's own."""
_SCOPE = (
    *("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path"),
    *("headers", "client", "server", "user", "auth"),
)
"""The parts of a request's scope that go along: facts, and who its caller is."""
AT_ONCE = 8
"""Heavy requests of one caller that are answered at once; further ones wait for their turn."""
_LOST = "The process that answers heavy requests has ended. Call again."

Work = Callable[[socket.socket], None]
"""Answers the requests that come through a socket until its other end is closed; picklable."""


@dataclass(eq=False)
class _Link:
    """A running process, and the requests that it answers."""

    process: BaseProcess
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    answers: dict[int, asyncio.Queue[Message | None]] = field(default_factory=dict)
    listening: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        """Hand on the messages of the process until it ends."""
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                number, message = await _receive(self.reader)
                if number in self.answers:
                    self.answers[number].put_nowait(message)
        for answer in self.answers.values():
            answer.put_nowait({"type": "lost"})

    @property
    def is_alive(self) -> bool:
        """Whether it can take requests."""
        return self.listening is not None and not self.listening.done()

    def send(self, number: int, kind: str, content: object = None) -> None:
        """Send a message to the process."""
        if self.is_alive:
            self.writer.write(_packed((number, kind, content)))


class HeavyRequests:
    """The process for heavy requests, as the server sees it. ``aclose`` ends it."""

    def __init__(self, work: Work, on_end: Callable[[int], None] = lambda _: None) -> None:
        """``on_end`` is called with the ID of each process that ends."""
        self._work = work
        self._on_end = on_end
        self._link: _Link | None = None
        self._starting = asyncio.Lock()
        self._numbers = itertools.count()
        self._turns: defaultdict[str, _Turns] = defaultdict(lambda: _Turns(asyncio.Semaphore(AT_ONCE)))

    @property
    def process_id(self) -> int | None:
        """The ID of the process; None where there is none."""
        return self._link.process.pid if self._link else None

    async def answer(self, scope: Scope, body: bytes, receive: Receive, send: Send, caller: str | None = None) -> None:
        """Answer a request whose body was read, in the turn of its caller. Without one it waits for no turn: streams do
        no work, and the answers of a lent model are what other requests wait for.
        """
        if caller is None:
            await self._answer(scope, body, receive, send)
            return
        turns = self._turns[caller]
        turns.count += 1
        try:
            async with turns.semaphore:
                await self._answer(scope, body, receive, send)
        finally:
            turns.count -= 1
            if not turns.count:
                self._turns.pop(caller, None)

    async def aclose(self) -> None:
        """End the process."""
        if self._link is not None:
            await self._end(self._link)

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        link = await self._running_link()
        number = next(self._numbers)
        answer = link.answers[number] = asyncio.Queue()
        link.send(number, "request", ({name: scope[name] for name in _SCOPE if name in scope}, body))
        gone = asyncio.create_task(self._wait_for_end(receive, link, number))
        is_started = False
        try:
            while (message := await answer.get()) is not None:
                if message["type"] == "lost":
                    break
                if message["type"] == "http.response.start":
                    is_started = True
                await send(message)
            if message is not None and not is_started:
                await come_again(_LOST)(scope, receive, send)
        finally:
            gone.cancel()
            del link.answers[number]
            link.send(number, "cut")

    async def _wait_for_end(self, receive: Receive, link: _Link, number: int) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        link.send(number, "gone")

    async def _running_link(self) -> _Link:
        async with self._starting:
            if self._link is None or not self._link.is_alive:
                if self._link is not None:
                    log.warning("The process for heavy requests has ended; another takes its place.")
                    await self._end(self._link)
                self._link = await self._start()
            return self._link

    async def _start(self) -> _Link:
        own_end, their_end = socket.socketpair()
        process = _SPAWN.Process(target=_run, args=(self._work, their_end), daemon=True)
        await asyncio.to_thread(process.start)
        their_end.close()
        reader, writer = await asyncio.open_connection(sock=own_end)
        link = _Link(process, reader, writer)
        link.listening = asyncio.create_task(link.listen())
        return link

    async def _end(self, link: _Link) -> None:
        if link.listening is not None:
            link.listening.cancel()
        link.writer.close()
        link.process.kill()
        await asyncio.to_thread(link.process.join)
        self._on_end(link.process.pid or 0)


@dataclass
class _Turns:
    """The turns of one caller, and how many requests have or want one."""

    semaphore: asyncio.Semaphore
    count: int = 0


def _run(work: Work, link: socket.socket) -> None:
    """The main function of the process: it ends when the server closes its end, or is gone."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # a terminal or an init system sends them to all processes
    if hasattr(os, "nice"):
        os.nice(_LEAST_NICE)
    terminal.open_streams()
    work(link)


async def answer_requests(link: socket.socket, app: ASGIApp) -> None:
    """Answer the requests that come through a socket by an application, until the other end is closed."""
    reader, writer = await asyncio.open_connection(sock=link)
    under_way: dict[int, _Request] = {}
    tracked = UnderWay(app, asyncio.Event())
    with suppress(asyncio.IncompleteReadError, OSError):
        while True:
            number, kind, content = await _receive(reader)
            if kind == "request":
                scope, body = content
                request = under_way[number] = _Request(number, {**scope, "state": {}}, body, writer)
                request.task = asyncio.create_task(request.answer(tracked))
                request.task.add_done_callback(functools.partial(_forget, under_way, number))
            elif number in under_way:
                under_way[number].end(is_cut=kind == "cut")
    for request in list(under_way.values()):
        request.end(is_cut=True)


def _forget(under_way: "dict[int, _Request]", number: int, task: "asyncio.Task[None]") -> None:
    del under_way[number]
    if not task.cancelled() and (error := task.exception()):
        log.error("A heavy request failed.", exc_info=error)


class _Request:
    """One request in the process that answers it."""

    def __init__(self, number: int, scope: Scope, body: bytes, writer: asyncio.StreamWriter) -> None:
        self.task: asyncio.Task[None] | None = None
        self._number = number
        self._scope = scope
        self._body: bytes | None = body
        self._writer = writer
        self._is_gone = asyncio.Event()

    async def answer(self, app: ASGIApp) -> None:
        """Answer it, and say when that is done."""
        try:
            await app(self._scope, self._receive, self._send)
        finally:
            self._writer.write(_packed((self._number, None)))

    def end(self, *, is_cut: bool) -> None:
        """Stop: the caller is gone, or the answer has no reader any more."""
        self._is_gone.set()
        if answer := self._scope.get(ANSWER):
            answer.on_hangup()
        if is_cut and self.task is not None:
            self.task.cancel()

    async def _receive(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._is_gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self._writer.write(_packed((self._number, dict(message))))
        await self._writer.drain()


def _packed(message: object) -> bytes:
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(_LENGTH_BYTES, "big") + content


async def _receive(reader: asyncio.StreamReader) -> Any:
    length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES), "big")
    return pickle.loads(await reader.readexactly(length))  # noqa: S301  # from our own process
