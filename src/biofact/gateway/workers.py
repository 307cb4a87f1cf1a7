"""Processes that answer side by side, and the one that starts them: it replaces those that die, and stops them all."""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess

from biofact.core.usage import WrongUsage

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection

log = logging.getLogger("biofact.http")

Work = Callable[[socket.socket, Callable[[], None]], None]
"""What a process does until it is stopped, with its socket; it calls the function once it answers. Can be pickled."""

_SPAWN = multiprocessing.get_context("spawn")  # a fork copies locks, and macOS' libraries do not survive one
_STOPPING = (signal.SIGTERM, signal.SIGINT)
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
_STEADY_SECONDS = 60.0
"""Who lived so long did not die of its start; the next pause is a short one again."""


class Workers:
    """So many processes, which share a socket."""

    def __init__(
        self,
        work: Work,
        listening: socket.socket,
        count: int,
        closing_seconds: float,
        on_end: Callable[[int], None] = lambda _: None,
    ) -> None:
        """``on_end`` is called with the ID of each process that has ended."""
        self._workers = [Worker(work, listening, on_end) for _ in range(count)]
        self._closing_seconds = closing_seconds
        self._has_answered = False
        """One of them could start; so it pays to try again where one ends."""
        self._is_announced = False

    def run(self, on_ready: Callable[[], None]) -> int:
        """Keep them running until a signal comes, whose number this returns; ``on_ready`` is called when all answer.

        Raises:
            WrongUsage: no process came so far as to answer; what one of them said.
        """
        with _signals() as (waker, numbers):
            try:
                for worker in self._workers:
                    worker.start()
                while not numbers:
                    self._watch(waker, on_ready)
                self._stop(waker, numbers)
            finally:
                for worker in self._workers:
                    worker.kill()
        return numbers[0]

    def _watch(self, waker: socket.socket, on_ready: Callable[[], None]) -> None:
        """Wait until something happens, and see to it."""
        pauses = [worker.restart_at - time.monotonic() for worker in self._workers if worker.process is None]
        seconds = max(0.0, min(pauses)) if pauses and self._has_answered else None
        wait([waker, *self._signs()], seconds)
        for worker in self._workers:
            worker.look()
        self._has_answered |= any(worker.is_ready for worker in self._workers)
        if not self._has_answered:
            if all(worker.process is None for worker in self._workers):
                raise self._failure()
            return
        if not self._is_announced and all(worker.is_ready for worker in self._workers):
            self._is_announced = True
            on_ready()
        for worker in self._workers:
            if worker.process is None and time.monotonic() >= worker.restart_at:
                worker.start()

    def _failure(self) -> WrongUsage:
        messages = [worker.failure for worker in self._workers if worker.failure]
        message, hint = messages[0] if messages else ("No process could start.", "Its error stands above.")
        return WrongUsage(message, hint=hint)

    def _stop(self, waker: socket.socket, numbers: Sequence[int]) -> None:
        """Have all finish what is under way; a further signal is passed on, too, and cuts it."""
        passed, end = 0, time.monotonic() + self._closing_seconds
        while any(worker.process for worker in self._workers) and time.monotonic() < end:
            while passed < len(numbers):
                passed += 1
                for worker in self._workers:
                    worker.terminate()
            wait([waker, *self._signs()], max(0.0, end - time.monotonic()))
            _drain(waker)
            for worker in self._workers:
                worker.look(is_expected=True)

    def _signs(self) -> list[Connection | int]:
        """What becomes readable when a process has something to say, or ends."""
        return [sign for worker in self._workers for sign in worker.signs()]


@dataclass(eq=False)
class Worker:
    """One place among the processes, and the one that fills it now."""

    work: Work
    listening: socket.socket
    on_end: Callable[[int], None]
    process: SpawnProcess | None = None
    is_ready: bool = False
    restart_at: float = 0.0
    """When another process takes the place of one that died, on the monotonic clock."""
    failure: tuple[str, str] | None = None
    """What the last process said that could not start, and what to do about it."""
    _pause_seconds: float = _FIRST_PAUSE_SECONDS
    _started_at: float = 0.0
    _exit_code: int | None = None
    _pipe: Connection | None = None

    def start(self) -> None:
        """Start a process. Ctrl-C is for the one that starts it: a terminal would send it to all."""
        if self._exit_code is not None:
            log.warning("A process ended with status %s; another takes its place.", self._exit_code)
        self._pipe, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_run, args=(self.work, self.listening, theirs))
        with _blocked(signal.SIGINT):
            self.process.start()
        theirs.close()
        self.is_ready = False
        self._started_at = time.monotonic()

    def signs(self) -> Iterator[Connection | int]:
        """What becomes readable when the process has something to say, or ends."""
        if self.process is not None:
            yield self.process.sentinel
            if self._pipe is not None:
                yield self._pipe

    def look(self, *, is_expected: bool = False) -> None:
        """Take note of what the process says, and of its end."""
        has_ended = self.process is None or not self.process.is_alive()
        while self._pipe is not None and self._pipe.poll():  # what it said before it ended, too
            self._listen(self._pipe)
        if self.process is None or not has_ended:
            return
        seconds = time.monotonic() - self._started_at
        self._exit_code = self.process.exitcode
        self.on_end(self.process.pid or 0)
        self.process, self.is_ready = None, False
        if is_expected:
            return
        if seconds >= _STEADY_SECONDS:
            self._pause_seconds = _FIRST_PAUSE_SECONDS
        self.restart_at = time.monotonic() + self._pause_seconds
        self._pause_seconds = min(2 * self._pause_seconds, _LONGEST_PAUSE_SECONDS)

    def terminate(self) -> None:
        """Have the process finish, and at the second time end."""
        if self.process is not None:
            self.process.terminate()

    def kill(self) -> None:
        """End the process, whatever it does."""
        if self.process is not None:
            self.process.kill()
            self.process.join()

    def _listen(self, pipe: Connection) -> None:
        try:
            self.failure = pipe.recv()
        except (EOFError, OSError):  # it has ended, or was killed
            pipe.close()
            self._pipe = None
        else:
            self.is_ready = self.failure is None


def _run(work: Work, listening: socket.socket, pipe: Connection) -> None:
    """Be such a process: say when it answers, or why it never will, and end with the one that started it."""
    threading.Thread(target=_end_with_parent, args=(pipe,), daemon=True).start()
    try:
        work(listening, lambda: pipe.send(None))
    except WrongUsage as wrong:
        pipe.send((str(wrong), wrong.hint))
        sys.exit(wrong.exit_code)


def _end_with_parent(pipe: Connection) -> None:
    with suppress(EOFError, OSError):
        pipe.recv()  # nothing is ever sent; it ends when the other side does
    os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def _signals() -> Iterator[tuple[socket.socket, list[int]]]:
    """The signals that come, and a socket that is readable when one has."""
    waker, woken = socket.socketpair()
    numbers: list[int] = []
    with waker, woken:
        woken.setblocking(False)
        waker.setblocking(False)
        before = {number: signal.signal(number, lambda sent, _: numbers.append(sent)) for number in _STOPPING}
        descriptor = signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
        try:
            yield waker, numbers
        finally:
            signal.set_wakeup_fd(descriptor)
            for number, handler in before.items():
                signal.signal(number, handler)


def _drain(waker: socket.socket) -> None:
    with suppress(BlockingIOError):
        waker.recv(64)


@contextmanager
def _blocked(number: signal.Signals) -> Iterator[None]:
    """Keep a signal from processes that are started within; Windows has no such thing."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
