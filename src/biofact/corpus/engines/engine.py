"""What every engine does: shards in, their ends out, in any order."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Protocol

from biofact.corpus.shard_run import ShardEnd, run_shard
from biofact.literature.files import FolderRefused, WriteFailed

IN_FLIGHT = 2
"""Shards a worker: the next is at hand when one ends, and no more are lost with it."""


class ShardLost(Exception):
    """Whoever did a shard is gone; nobody knows whether the shard was why."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number
        self.reason = reason


class EngineUnavailable(Exception):
    """There are no workers that could do the shards; what is done so far is kept."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


Ends = AsyncGenerator[ShardEnd | ShardLost]


class Engine(Protocol):
    """Does shards of one folder side by side."""

    workers: int

    def ends(self, folder: Path, numbers: Sequence[int]) -> Ends:
        """How each of these shards ends, as it does. Nothing but counts comes back from a worker.

        Raises:
            EngineUnavailable: nobody is there to do them.
            WriteFailed: the system refuses a write; shards under way may not be done.
        """


async def in_flight(
    numbers: Sequence[int],
    end: Callable[[int], Coroutine[Any, Any, ShardEnd | ShardLost]],
    workers: Callable[[], int],
) -> Ends:
    """How shards end, as they do: no more of them are under way than these workers, as many as there are now, need."""
    waiting, under_way = iter(numbers), set[asyncio.Task[ShardEnd | ShardLost]]()
    try:
        while True:
            while len(under_way) < IN_FLIGHT * max(workers(), 1) and (number := next(waiting, None)) is not None:
                under_way.add(asyncio.create_task(end(number)))
            if not under_way:
                return
            done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                under_way.remove(task)
                yield task.result()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)  # each may fail as the first of them did


def shard_end(folder: Path, number: int) -> ShardEnd | WriteFailed | FolderRefused:
    """The end of a shard, for a worker: what stops the whole run is a value that is brought back."""
    try:
        return run_shard(folder, number)
    except (WriteFailed, FolderRefused) as failure:
        return failure
