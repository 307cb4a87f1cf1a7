"""The event loop of programs that have none: one in each process, in a thread of its own, started when first needed.

A forked process starts its own. At the interpreter's exit everything open there is closed, then the loop.
Why it is not a portal of anyio stands in docs/decisions/0093.
"""

import asyncio
import contextlib
import contextvars
import functools
import os
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from biofact.core.errors import ClientClosed

T = TypeVar("T")

_EXIT_SECONDS = 5.0
"""The time that the interpreter waits at its exit for connections and files to be closed."""


class Closing(Protocol):
    """An object with open files or connections."""

    async def aclose(self) -> None:
        """Close them."""


class _Background:
    """A loop that runs in a daemon thread until ``close``."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="biofact", daemon=True)
        self.thread.start()

    def start(self, coroutine: Coroutine[Any, Any, T], future: "Future[T]") -> None:
        """Run a coroutine there for a future, with none of the context variables of the waiting thread."""
        self.loop.call_soon_threadsafe(self._begin, coroutine, future, context=contextvars.Context())

    def close(self, things: list[Closing]) -> None:
        """Close some objects, cancel everything under way, and end."""
        closed: Future[None] = Future()
        self.start(_end(things), closed)
        try:
            closed.exception(_EXIT_SECONDS)
        except TimeoutError:
            return  # a daemon thread ends with the process
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(_EXIT_SECONDS)
        if not self.thread.is_alive():
            self.loop.close()

    def _begin(self, coroutine: Coroutine[Any, Any, T], future: "Future[T]") -> None:
        if future.cancelled():
            coroutine.close()
            return
        task = self.loop.create_task(coroutine)
        task.add_done_callback(functools.partial(_set_outcome, future=future))
        future.add_done_callback(lambda future: future.cancelled() and self.loop.call_soon_threadsafe(task.cancel))


def wait_for(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that runs on the background loop; its error is raised.

    It may be called in any thread, with or without a loop. An interrupt (Ctrl-C) cancels the coroutine.

    Raises:
        RuntimeError: it is called on the background loop itself, which could not go on, or when the interpreter ends.
        ClientClosed: the interpreter ended before there was a result.
    """
    future: Future[T] = Future()
    try:
        _start(coroutine, future)
        failure = future.exception()
    except BaseException:
        future.cancel()
        raise
    if failure is None:
        return future.result()
    try:
        raise failure
    finally:
        del failure, future  # else the traceback, which has this frame, would hold itself


def each(items: AsyncIterator[T]) -> Iterator[T]:
    """The items of an asynchronous iterator, one after the other, as they come on the background loop."""
    end = object()

    async def following() -> T | object:
        return await anext(items, end)

    async def closed() -> None:
        if aclose := getattr(items, "aclose", None):
            await aclose()

    try:
        while (item := wait_for(following())) is not end:
            yield item  # type: ignore[misc]  # the end is none
    finally:
        wait_for(closed())


def close_at_exit(thing: Closing, owner: object = None) -> None:
    """Register an object of the background loop to be closed at the interpreter's exit, if ``close`` is not called
    before, or as soon as its owner is garbage.
    """
    _open.add(thing)
    if owner is not None:
        weakref.finalize(owner, _close_soon, thing).atexit = False


def close(thing: Closing) -> None:
    """Close an object of the background loop, now."""
    _open.discard(thing)
    wait_for(thing.aclose())


def _close_soon(thing: Closing) -> None:
    """Close an object without waiting: garbage is collected in any thread, at any moment."""
    background = _background
    if thing in _open and background is not None and not _is_over:
        _open.discard(thing)
        background.start(_close_all([thing]), Future())


async def _close_all(things: list[Closing]) -> None:
    _closings.add(task := asyncio.current_task())
    for thing in things:
        with contextlib.suppress(Exception):  # no caller is left to see it
            await thing.aclose()
    _closings.discard(task)


async def _end(things: list[Closing]) -> None:
    """Close some objects, wait for those that are being closed already, and cancel all other tasks."""
    await _close_all(things)
    await asyncio.gather(*filter(None, _closings), return_exceptions=True)
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    loop = asyncio.get_running_loop()
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()


def _set_outcome(task: "asyncio.Task[T]", *, future: "Future[T]") -> None:
    """Set a future to the outcome of a task, if the future is still awaited."""
    failure = ClientClosed() if task.cancelled() else task.exception()
    if not future.set_running_or_notify_cancel():
        return
    if failure is None:
        future.set_result(task.result())
    else:
        future.set_exception(failure)


def _start(coroutine: Coroutine[Any, Any, T], future: "Future[T]") -> None:
    global _background  # noqa: PLW0603  # one in each process
    with _lock:
        if _is_over:
            coroutine.close()
            raise RuntimeError("The interpreter is ending: nothing can be asked any more.")
        if _background is None:
            _background = _Background()
            _register_at_exit()
    if threading.current_thread() is _background.thread:
        coroutine.close()
        raise RuntimeError("biofact.sync cannot be used on its own event loop: await biofact's clients there.")
    _background.start(coroutine, future)


def _register_at_exit() -> None:
    """Register the loop to be closed while it can still use threads, which Python's executors refuse at ``atexit``."""
    global _is_registered  # noqa: PLW0603
    if not _is_registered:
        import concurrent.futures.thread  # noqa: F401, PLC0415  # registers itself, and has to come after us at the exit

        register: Callable[[Callable[[], None]], object] = threading._register_atexit  # type: ignore[attr-defined]  # noqa: SLF001
        register(_close)
        _is_registered = True


def _close() -> None:
    global _background, _is_over
    with _lock:
        background, _background, _is_over = _background, None, True
    if background is not None:
        background.close(list(_open))


def _forget() -> None:
    """Forget the loop after a fork: its thread stayed with the parent, where to close the loop would disturb it."""
    global _background, _lock  # noqa: PLW0603
    _lock = threading.Lock()
    if _background is not None:
        _inherited.append((_background, list(_open)))
        _background = None
        _open.clear()
        _closings.clear()


_lock = threading.Lock()
_background: _Background | None = None
_is_over = False
_is_registered = False
_open: set[Closing] = set()
_closings: "set[asyncio.Task[Any] | None]" = set()
_inherited: list[object] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
