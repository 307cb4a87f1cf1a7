"""The event loop of programs that have none: one in each process, in a thread of its own, begun when first needed.

A process that was forked begins its own. At the interpreter's exit what is open there is closed, then the loop.
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
"""How long the interpreter waits at its exit for connections and files to be closed."""


class Closing(Protocol):
    """What holds on to files or connections."""

    async def aclose(self) -> None:
        """Let go of them."""


class _Background:
    """A loop that runs in a daemon thread until ``close``."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="biofact", daemon=True)
        self.thread.start()

    def start(self, coroutine: Coroutine[Any, Any, T], future: "Future[T]") -> None:
        """Run a coroutine there for a future, with none of the context variables of whoever waits for it."""
        self.loop.call_soon_threadsafe(self._begin, coroutine, future, context=contextvars.Context())

    def close(self, things: list[Closing]) -> None:
        """Close these, call off what is under way, and end."""
        closed: Future[None] = Future()
        self.start(_ended(things), closed)
        try:
            closed.exception(_EXIT_SECONDS)
        except TimeoutError:
            return  # the thread is a daemon's, and goes with the process
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(_EXIT_SECONDS)
        if not self.thread.is_alive():
            self.loop.close()

    def _begin(self, coroutine: Coroutine[Any, Any, T], future: "Future[T]") -> None:
        if future.cancelled():
            coroutine.close()
            return
        task = self.loop.create_task(coroutine)
        task.add_done_callback(functools.partial(_hand_over, future=future))
        future.add_done_callback(lambda future: future.cancelled() and self.loop.call_soon_threadsafe(task.cancel))


def wait_for(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns or raises, run on the background loop.

    It may be called in any thread, with or without a loop. Whoever is interrupted (Ctrl-C) has the coroutine cancelled.

    Raises:
        RuntimeError: it is called on the background loop itself, which could not go on, or when the interpreter ends.
        ClientClosed: the interpreter ended before there was an answer.
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
    """Have something that lives on the background loop closed at the interpreter's exit, if ``close`` was not called;
    or as soon as nobody uses its owner any more.
    """
    _open.add(thing)
    if owner is not None:
        weakref.finalize(owner, _close_soon, thing).atexit = False


def close(thing: Closing) -> None:
    """Close something that lives on the background loop, now."""
    _open.discard(thing)
    wait_for(thing.aclose())


def _close_soon(thing: Closing) -> None:
    """As ``close``, without waiting: garbage is collected in any thread, whatever it is at."""
    background = _background
    if thing in _open and background is not None and not _is_over:
        _open.discard(thing)
        background.start(_closed([thing]), Future())


async def _closed(things: list[Closing]) -> None:
    _closings.add(task := asyncio.current_task())
    for thing in things:
        with contextlib.suppress(Exception):  # nobody is there to be told
            await thing.aclose()
    _closings.discard(task)


async def _ended(things: list[Closing]) -> None:
    """Close these, wait for what is being closed already, and call off all else that is under way."""
    await _closed(things)
    await asyncio.gather(*filter(None, _closings), return_exceptions=True)
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    loop = asyncio.get_running_loop()
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()


def _hand_over(task: "asyncio.Task[T]", *, future: "Future[T]") -> None:
    """What came of a task, to whoever waits for it, if they still do."""
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
    """Have the loop closed while it can still use threads, which Python's own executors refuse at ``atexit``."""
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
    """After a fork: the thread stayed with the parent, and to close the loop would disturb it there."""
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
