"""Tasks that wait for a service: each can be refused at any stage, whatever it awaits then."""

import asyncio
import math
from collections.abc import Coroutine
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Self, TypeVar

from biofact.core.call import Call

T = TypeVar("T")

_enclosing: "ContextVar[Waiter | None]" = ContextVar("biofact_waiter", default=None)


class Waiter:
    """The task that enters it waits for a service as long as its call has time; ``refuse`` raises an error there.

    As ``asyncio.timeout``, it cancels the task and replaces the CancelledError; a cancellation by others prevails.
    """

    def __init__(self, call: Call, deadline: float | None = None) -> None:
        """``deadline`` is its own, sooner than the call's."""
        self.call = call
        self.error: Exception | None = None
        self._deadline = deadline
        self._enclosing = _enclosing.get()  # waits for the side request of this waiter, with less time
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0

    @property
    def deadline(self) -> float:
        """The time until which it waits; a call's may change on the way."""
        deadline = self.call.deadline if self._deadline is None else self._deadline
        return math.inf if deadline is None else deadline

    def __enter__(self) -> Self:
        self._task = asyncio.current_task()
        assert self._task is not None  # noqa: S101  # coroutines run in tasks
        self._cancelling = self._task.cancelling()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        task, self._task = self._task, None
        if self.error is None or task is None:
            return
        if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise self.error from self.error.__cause__

    def refuse(self, error: Exception) -> None:
        """Raise an error in its task, the first time this is called; do nothing if it does not wait any more."""
        if self._task is not None and self.error is None:
            self.error = error
            self._task.cancel()

    def refuse_before(self, time: float, error: Exception) -> None:
        """Refuse it if its time is over before ``time``, else the first one enclosing it whose time is."""
        if self.deadline < time:
            self.refuse(error)
        elif self._enclosing is not None:
            self._enclosing.refuse_before(time, error)

    def start(self, coroutine: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """A task of a side request that this waiter waits for."""
        token = _enclosing.set(self)
        try:
            return asyncio.create_task(coroutine)
        finally:
            _enclosing.reset(token)
