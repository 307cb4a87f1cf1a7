"""Child processes that call a function on one argument after another, and end with this process."""

import asyncio
import contextlib
import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, Self, TypeVar

Argument = TypeVar("Argument")
Value = TypeVar("Value")

# Not multiprocessing: its children run the program's main module again, which a script without a guard does not
# survive, and to fork a process that has threads is no way out. Here a child imports what the function needs, no more.
_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process decides, and closes
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from biofact.literature.processes import serve
serve()
"""
# Libraries of linear algebra start a thread for each core as they are imported, in each process.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

log = logging.getLogger(__name__)


def available_cores() -> int:
    """The cores that this process may use; 1 where it cannot start another Python."""
    if not sys.executable or getattr(sys, "frozen", False):  # a program of its own would start itself once more
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ProcessLost(Exception):
    """A process ended before it had the value: killed, out of memory, or never started."""


class Processes(Generic[Argument, Value]):
    """``async with Processes(function, count) as processes``, then ``await processes.call(argument)`` from many tasks.

    A process starts when it is first needed. Where one ends early or cannot start, what it was to do is done in this
    process, so that no argument is lost; with ``replaces`` another process starts for the next argument instead, and
    the call raises ProcessLost: what ended one process may end this one, too. The function, its arguments and its
    values are pickled; it must be one that can be imported, and needs no state of this process. All processes end with
    the block, and with this process.
    """

    def __init__(self, function: Callable[[Argument], Value], count: int, *, replaces: bool = False) -> None:
        self._workers = [_Worker(function, replaces=replaces) for _ in range(count)]
        self._free: asyncio.LifoQueue[_Worker[Argument, Value]] = asyncio.LifoQueue()
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="biofact-processes")

    async def __aenter__(self) -> Self:
        for worker in reversed(self._workers):
            self._free.put_nowait(worker)
        return self

    async def __aexit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(cancel_futures=True)  # the killed processes make waiting calls fail at once
        for worker in self._workers:
            worker.close()

    async def call(self, argument: Argument) -> Value:
        """The function's value for an argument.

        Raises:
            ProcessLost: its process ended, and is to be replaced.
        """
        worker = await self._free.get()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, worker.call, argument)
        finally:
            self._free.put_nowait(worker)


class _Worker(Generic[Argument, Value]):
    """One process, and this process or another in its place when it has ended."""

    def __init__(self, function: Callable[[Argument], Value], *, replaces: bool) -> None:
        self._function = function
        self._replaces = replaces
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()  # an abandoned call still runs until it has its value
        self._is_lost = False
        self._is_closed = False

    def call(self, argument: Argument) -> Value:
        """The value, from the process or from here."""
        with self._lock:
            if not (self._is_lost or self._is_closed):
                try:
                    return self._value(pickle.dumps(argument, pickle.HIGHEST_PROTOCOL))
                except (OSError, EOFError, pickle.UnpicklingError) as error:
                    self._lose(error)
            if self._is_closed:
                raise EOFError  # the call was abandoned
            return self._function(argument)

    def _lose(self, error: Exception) -> None:
        """Go on without the process.

        Raises:
            ProcessLost: another is to take its place.
        """
        self._is_lost = not self._replaces
        if self._is_closed:
            return
        if self._replaces:
            raise ProcessLost(f"its process ended ({self._end()})") from error
        log.warning("A process that was to help has ended (%r); this one does its work.", error)

    def _end(self) -> str:
        """The way in which the process ended; the process is forgotten."""
        process, self._process = self._process, None
        if process is None:
            return "it could not start"
        process.kill()  # if only its pipe failed
        code = process.wait()
        _close_pipes(process)
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _value(self, argument: bytes) -> Value:
        process = self._process or self._start()
        _write(process, argument)
        assert process.stdout is not None  # noqa: S101  # a pipe was asked for
        value: Value = pickle.load(process.stdout)  # noqa: S301  # from our own process
        return value

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-c", _PROGRAM]
        environment = {**ONE_THREAD, **os.environ}
        self._process = subprocess.Popen(  # noqa: S603  # our own
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        if self._is_closed:
            self._process.kill()
        _write(self._process, pickle.dumps(sys.path) + pickle.dumps(self._function))
        return self._process

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """Release the resources of a killed process."""
        if self._process is None:
            return
        self._process.wait()
        _close_pipes(self._process)


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # the process no longer reads it
            pipe.close()  # type: ignore[union-attr]  # pipes were asked for


def _write(process: subprocess.Popen[bytes], content: bytes) -> None:
    assert process.stdin is not None  # noqa: S101  # a pipe was asked for
    process.stdin.write(content)
    process.stdin.flush()


def serve() -> None:
    """Call the function until the process that started this one closes its end, or is gone."""
    calls, values = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # print must not write into the stream of values
    with contextlib.suppress(EOFError, BrokenPipeError):
        function: Callable[[Any], Any] = pickle.load(calls)  # noqa: S301  # from the process that started this one
        while True:
            value = pickle.dumps(function(pickle.load(calls)), pickle.HIGHEST_PROTOCOL)  # noqa: S301
            values.write(value)
            values.flush()
