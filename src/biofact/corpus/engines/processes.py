"""Processes of this machine, one for each core."""

import asyncio
import functools
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from biofact.corpus.engines.engine import IN_FLIGHT, ShardLost
from biofact.corpus.shard_run import ShardEnd, run_shard
from biofact.literature.folder_errors import WriteFailed
from biofact.literature.processes import Processes, ProcessLost

Call = Processes[int, ShardEnd | WriteFailed]


class ProcessEngine:
    """Shards by so many processes; one that ends early is replaced."""

    def __init__(self, jobs: int) -> None:
        self.workers = jobs

    async def ends(self, folder: Path, numbers: Sequence[int]) -> AsyncIterator[ShardEnd | ShardLost]:
        """How each shard ends, as it does."""
        function = functools.partial(_run, folder)
        async with Processes(function, min(self.workers, max(len(numbers), 1)), replaces=True) as processes:
            waiting, under_way = iter(numbers), set[asyncio.Task[ShardEnd | ShardLost]]()
            try:
                while True:
                    while len(under_way) < IN_FLIGHT * self.workers and (number := next(waiting, None)) is not None:
                        under_way.add(asyncio.ensure_future(_end(processes, number)))
                    if not under_way:
                        return
                    done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        yield task.result()
            finally:
                for task in under_way:
                    task.cancel()


async def _end(processes: Call, number: int) -> ShardEnd | ShardLost:
    try:
        end = await processes.call(number)
    except ProcessLost as lost:
        return ShardLost(number, str(lost))
    if isinstance(end, WriteFailed):
        raise end
    return end


def _run(folder: Path, number: int) -> ShardEnd | WriteFailed:
    """The end of a shard; a process tells an error by its value."""
    try:
        return run_shard(folder, number)
    except WriteFailed as failure:
        return failure
