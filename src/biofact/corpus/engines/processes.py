"""Processes of this machine."""

import functools
from collections.abc import Sequence
from pathlib import Path

from biofact.corpus.engines.engine import Ends, ShardLost, in_flight, shard_end
from biofact.corpus.shard_run import ShardEnd
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.processes import Processes, ProcessLost, available_cores

Call = Processes[int, ShardEnd | WriteFailed | FolderRefused]


class ProcessEngine:
    """Shards by so many processes, by default one for each core; one that ends early is replaced."""

    def __init__(self, jobs: int | None = None) -> None:
        self.workers = available_cores() if jobs is None else jobs

    async def ends(self, folder: Path, numbers: Sequence[int]) -> Ends:
        """How each shard ends, as it does."""
        count = min(self.workers, max(len(numbers), 1))
        async with Processes(functools.partial(shard_end, folder), count, replaces=True) as processes:
            async for end in in_flight(numbers, functools.partial(_end, processes), lambda: count):
                yield end


async def _end(processes: Call, number: int) -> ShardEnd | ShardLost:
    try:
        end = await processes.call(number)
    except ProcessLost as lost:
        return ShardLost(number, str(lost))
    if isinstance(end, WriteFailed | FolderRefused):
        raise end
    return end
