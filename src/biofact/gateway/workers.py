"""Worker processes that share a socket, and their supervisor: it replaces those that die, and stops them all."""

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
"""The work of a process until it is stopped, given the socket and a function to call once it answers; picklable."""

_SPAWN = multiprocessing.get_context("spawn")  # a fork copies locks, and macOS' libraries do not survive one
_STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
_STEADY_SECONDS = 60.0
"""A process that lived so long did not die of its start; the next pause is the first one again."""


class Workers:
    """The supervisor of ``count`` processes, which share a socket."""

    def __init__(
        self,
        work: Work,
        listener: socket.socket,
        count: int,
        closing_seconds: float,
        on_end: Callable[[int], None] = lambda _: None,
    ) -> None:
        """``on_end`` is called with the ID of each process that ends."""
        self._workers = [Worker(work, listener, on_end) for _ in range(count)]
        self._closing_seconds = closing_seconds
        self._has_answered = False
        """Whether any process could start, so that it makes sense to replace one that ends."""
        self._is_announced = False

    def run(self, on_ready: Callable[[], None]) -> int:
        """Keep the processes running until a signal, and return its number; ``on_ready`` is called when all answer.

        Raises:
            WrongUsage: no process could start; the message is that of one of them.
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
        """Wait for a process to become ready or end, and replace one that ended."""
        pauses = [worker.restart_at - time.monotonic() for worker in self._workers if worker.process is None]
        seconds = max(0.0, min(pauses)) if pauses and self._has_answered else None
        wait([waker, *self._events()], seconds)
        for worker in self._workers:
            worker.update()
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
        """Let all finish their requests under way; a further signal is passed on too, and cuts these."""
        passed_count, end = 0, time.monotonic() + self._closing_seconds
        while any(worker.process for worker in self._workers) and time.monotonic() < end:
            while passed_count < len(numbers):
                passed_count += 1
                for worker in self._workers:
                    worker.terminate()
            wait([waker, *self._events()], max(0.0, end - time.monotonic()))
            _drain(waker)  # a byte for each signal, which would wake every later wait
            for worker in self._workers:
                worker.update(is_expected=True)

    def _events(self) -> list[Connection | int]:
        """The pipes and sentinels that become readable when a process sends a message or ends."""
        return [event for worker in self._workers for event in worker.events()]


@dataclass(eq=False)
class Worker:
    """One of the places for a process, and the process that has it now."""

    work: Work
    listener: socket.socket
    on_end: Callable[[int], None]
    process: SpawnProcess | None = None
    is_ready: bool = False
    restart_at: float = 0.0
    """When a process that died is replaced, on the monotonic clock."""
    failure: tuple[str, str] | None = None
    """The message and hint of the last process that could not start."""
    _pause_seconds: float = _FIRST_PAUSE_SECONDS
    _started_at: float = 0.0
    _exit_code: int | None = None
    _pipe: Connection | None = None

    def start(self) -> None:
        """Start a process. Ctrl-C is left to the supervisor: a terminal would send it to all processes."""
        if self._exit_code is not None:
            log.warning("A process ended with status %s; another takes its place.", self._exit_code)
        self._pipe, their_end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_run, args=(self.work, self.listener, their_end))
        with _blocked(signal.SIGINT):
            self.process.start()
        their_end.close()
        self.is_ready = False
        self._started_at = time.monotonic()

    def events(self) -> Iterator[Connection | int]:
        """The pipe and sentinel that become readable when the process sends a message or ends."""
        if self.process is not None:
            yield self.process.sentinel
            if self._pipe is not None:
                yield self._pipe

    def update(self, *, is_expected: bool = False) -> None:
        """Read the messages of the process, and note its end."""
        has_ended = self.process is None or not self.process.is_alive()
        while self._pipe is not None and self._pipe.poll():  # messages from before its end too
            self._read_message(self._pipe)
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
        """Ask the process to finish; asked a second time, it ends at once."""
        if self.process is not None:
            self.process.terminate()

    def kill(self) -> None:
        """Kill the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()

    def _read_message(self, pipe: Connection) -> None:
        try:
            self.failure = pipe.recv()
        except (EOFError, OSError):  # the process has ended
            pipe.close()
            self._pipe = None
        else:
            self.is_ready = self.failure is None


def _run(work: Work, listener: socket.socket, pipe: Connection) -> None:
    """The main function of a process: report readiness or failure, and end together with the supervisor."""
    threading.Thread(target=_end_with_parent, args=(pipe,), daemon=True).start()
    try:
        work(listener, lambda: pipe.send(None))
    except WrongUsage as wrong:
        pipe.send((str(wrong), wrong.hint))
        sys.exit(wrong.exit_code)


def _end_with_parent(pipe: Connection) -> None:
    with suppress(EOFError, OSError):
        pipe.recv()  # the supervisor sends nothing; this ends when the supervisor does
    os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def _signals() -> Iterator[tuple[socket.socket, list[int]]]:
    """The list of signals received, and a socket that becomes readable with each."""
    waker, wakeup = socket.socketpair()
    numbers: list[int] = []
    with waker, wakeup:
        wakeup.setblocking(False)
        waker.setblocking(False)
        before = {number: signal.signal(number, lambda number, _: numbers.append(number)) for number in _STOP_SIGNALS}
        descriptor = signal.set_wakeup_fd(wakeup.fileno(), warn_on_full_buffer=False)
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
    """Block a signal in processes that are started within; not possible on Windows."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
