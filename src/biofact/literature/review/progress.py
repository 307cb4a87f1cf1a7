"""Progress of a run, for display, and concurrent work with a limit."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Literal, TypeVar

ReviewStep = Literal["queries", "search", "articles", "features", "scores", "ranking", "files"]

OnProgress = Callable[[ReviewStep, int, int], None]
"""Takes the step, the finished items and all items; both are equal exactly once, at the end of the step."""


class ProgressTally:
    """Counts the finished items of a step, and reports them."""

    def __init__(self, on_progress: OnProgress, step: ReviewStep, total: int) -> None:
        self._on_progress = on_progress
        self._step = step
        self._total = total
        self._done = 0
        if total:
            on_progress(step, 0, total)

    def add(self, count: int = 1) -> None:
        """Count further items as done; ``end`` reports the last ones."""
        self._done += count
        if self._done < self._total:
            self._on_progress(self._step, self._done, self._total)

    def end(self) -> None:
        """Report the step as complete."""
        self._on_progress(self._step, self._total, self._total)


S = TypeVar("S")
T = TypeVar("T")


async def gather_limited(work: Callable[[S], Awaitable[T]], items: Iterable[S], *, at_once: int) -> list[T]:
    """The results in the order of the items.

    After a failure no further item begins, running items finish, and the first failure is raised.
    """
    slots = asyncio.Semaphore(at_once)
    failed = asyncio.Event()

    async def run_item(item: S) -> list[T]:
        async with slots:
            if failed.is_set():
                return []
            try:
                return [await work(item)]
            except BaseException:
                failed.set()
                raise

    results: list[T] = []
    for result in await asyncio.gather(*map(run_item, items), return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
        results += result
    return results
