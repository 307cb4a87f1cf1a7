"""Concurrent work with a limit, which finishes what is under way when one item fails."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

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
