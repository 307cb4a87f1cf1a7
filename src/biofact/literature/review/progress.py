"""Progress of a run, for display, and concurrent work with a limit."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Literal, TypeVar

ReviewStep = Literal["queries", "search", "articles", "features", "scores", "ranking", "files"]

OnProgress = Callable[[ReviewStep, int, int], None]
"""Takes the step, how much of it is done, and of how much; done equals all exactly once, when the step ends."""


class ProgressTally:
    """Counts what is done of a step, and reports it."""

    def __init__(self, on_progress: OnProgress, step: ReviewStep, total: int) -> None:
        self._on_progress = on_progress
        self._step = step
        self._total = total
        self._done = 0
        if total:
            on_progress(step, 0, total)

    def add(self, count: int = 1) -> None:
        """So many more are done; the last ones are reported by ``end``."""
        self._done += count
        if self._done < self._total:
            self._on_progress(self._step, self._done, self._total)

    def end(self) -> None:
        """All of it is done."""
        self._on_progress(self._step, self._total, self._total)


S = TypeVar("S")
T = TypeVar("T")


async def gather_limited(work: Callable[[S], Awaitable[T]], items: Iterable[S], *, at_once: int) -> list[T]:
    """The results in the order of the items.

    After a failure nothing more is begun, what is under way is finished, and the first failure is raised.
    """
    seats = asyncio.Semaphore(at_once)
    failed = asyncio.Event()

    async def one(item: S) -> list[T]:
        async with seats:
            if failed.is_set():
                return []
            try:
                return [await work(item)]
            except BaseException:
                failed.set()
                raise

    results: list[T] = []
    for found in await asyncio.gather(*map(one, items), return_exceptions=True):
        if isinstance(found, BaseException):
            raise found
        results += found
    return results
