"""Several things at once, without losing what is under way when one of them fails."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


async def each(work: Callable[[S], Awaitable[T]], items: Iterable[S], *, at_once: int) -> list[T]:
    """The results in the order of the items.

    After a failure nothing more is begun, what is under way is finished, and the first failure is raised.
    """
    seats = asyncio.Semaphore(at_once)
    failures: list[Exception] = []

    async def one(item: S) -> list[T]:
        async with seats:
            if failures:
                return []
            try:
                return [await work(item)]
            except Exception as failure:  # noqa: BLE001  # raised below, when the others are done
                failures.append(failure)
                return []

    found = await asyncio.gather(*map(one, items))
    if failures:
        raise failures[0]
    return [value for values in found for value in values]
