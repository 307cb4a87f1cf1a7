"""An event loop in virtual time: when nothing can happen before the next timer, its clock jumps there.

An hour takes no time, and a busy machine changes nothing. ``asyncio.sleep``, ``asyncio.timeout``, ``call_later`` and
the ``Timing`` made here share the loop's clock. The loop runs the work of its own executor itself, in the order of
submission: threads would end in any order; a test of threads sets an executor. The clock stands still while threads
work, and follows the real one while sockets or children are open, whose events the loop cannot foresee.
"""

import asyncio
import selectors
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from anyio._backends._asyncio import WorkerThread

from biofact.transport.timing import Timing

T = TypeVar("T")
C = TypeVar("C", bound="Closing")

EPOCH = 1_800_000_000.0
"""The wall clock when a loop begins."""

_HANG_SECONDS = 300.0  # of real time; only a thread that never ends works for so long
_MOST_JUMPS = 1_000_000  # a loop polls for an event that never comes


class _Selector(selectors.DefaultSelector):
    """A selector that moves the clock when the loop can only wait."""

    def __init__(self, has_children: Callable[[], bool], has_threads: Callable[[], bool]) -> None:
        super().__init__()
        self.now = 0.0
        self._has_children = has_children
        self._has_threads = has_threads
        self._jumps = 0

    def select(self, timeout: float | None = None) -> list[Any]:
        is_busy = timeout is not None and timeout <= 0
        has_sockets = len(self.get_map()) > 1  # one is the loop's own, by which threads wake it from waiting
        if is_busy and not has_sockets:
            return []
        if (events := super().select(0)) or is_busy:
            return events
        if has_sockets or self._has_children():
            return self._select_waiting(timeout)
        if self._has_threads():
            events = super().select(_HANG_SECONDS)
            assert events, "a thread that the loop waits for does not end"
            return events
        assert timeout is not None, "everybody waits, and nothing is going to happen"
        self.now += timeout
        self._jumps += 1
        assert self._jumps < _MOST_JUMPS, "somebody waits for ever"
        return []

    def _select_waiting(self, timeout: float | None) -> list[Any]:
        start = time.monotonic()
        events = super().select(timeout)
        seconds = time.monotonic() - start
        self.now += seconds if timeout is None or events else max(seconds, timeout)
        return events


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop whose clock starts at 0 seconds."""

    def __init__(self) -> None:
        self._under_way: set[object] = set()
        self._children: list[asyncio.SubprocessTransport] = []
        self._virtual = _Selector(self._has_children, self._has_threads)
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> "asyncio.Future[T]":
        if executor is None and self._default_executor is None:
            future: asyncio.Future[T] = self.create_future()
            self.call_soon(_work_off, future, func, args)
            return future
        future = super().run_in_executor(executor, func, *args)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    async def shutdown_default_executor(self, *args: Any) -> None:
        with self._work():  # a thread of its own joins the others
            await super().shutdown_default_executor(*args)

    async def _make_subprocess_transport(self, *args: Any, **options: Any) -> asyncio.SubprocessTransport:
        child = await super()._make_subprocess_transport(*args, **options)
        self._children.append(child)
        return child

    @contextmanager
    def _work(self) -> Iterator[None]:
        work = object()
        self._under_way.add(work)
        try:
            yield
        finally:
            self._under_way.discard(work)

    def _has_children(self) -> bool:
        self._children = [child for child in self._children if child.get_returncode() is None]
        return bool(self._children)

    def _has_threads(self) -> bool:
        """Whether a thread works for this loop: an executor's, or one of anyio's."""
        return bool(self._under_way) or any(
            isinstance(thread, WorkerThread)
            and thread.loop is self
            and not thread.stopping
            and thread not in thread.idle_workers
            for thread in threading.enumerate()
        )


def _work_off(future: "asyncio.Future[T]", func: Callable[..., T], args: tuple[Any, ...]) -> None:
    """Set the result or exception of the function on the future, as an executor does."""
    if future.cancelled():
        return
    try:
        future.set_result(func(*args))
    except Exception as error:  # noqa: BLE001  # whoever waits gets it
        future.set_exception(error)


class Closing(Protocol):
    """Objects that hold files or connections."""

    async def aclose(self) -> None: ...


_open: list[Closing] = []


def closed_at_end(thing: C) -> C:
    """``thing``, which the running loop, or the next one, closes when it ends."""
    _open.append(thing)
    return thing


def run(main: Coroutine[Any, Any, T]) -> T:
    """As ``asyncio.run``, in virtual time."""

    async def main_then_close() -> T:
        try:
            return await main
        finally:
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:  # as they would be a moment later: what is closed must not be opened by them again
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            while _open:
                await _open.pop().aclose()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main_then_close())


def now() -> float:
    """Seconds on the running loop's clock."""
    return asyncio.get_running_loop().time()


def wall_now() -> float:
    """The time of day on the same clock."""
    return EPOCH + now()


def timing(**changes: Any) -> Timing:
    """The deadlines and waits of real use, on the running loop's clock; jitter is always half of its maximum."""
    return Timing(**{"clock": now, "wall_clock": wall_now, "random": lambda: 0.5, **changes})
