"""A run over the shards of a folder, by processes of this machine or another engine.

Missing shards are done; a shard that fails is tried again, and then listed.
"""

import asyncio
import functools
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from biofact.core.usage import HintedError
from biofact.corpus.folder import MOST_ATTEMPTS, CorpusFolder
from biofact.corpus.records import CorpusPlan, Shard
from biofact.corpus.shards import ShardEnd, shard_end
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.processes import Processes, ProcessLost, available_cores
from biofact.literature.review.plan import RULES

IN_FLIGHT = 2
"""Shards a worker: the next is at hand when one ends, and no more are lost with it."""


class ShardLost(Exception):
    """The worker of a shard is gone; whether the shard was the cause is unknown."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number
        self.reason = reason


class EngineUnavailable(HintedError):
    """There are no workers for the shards; shards that are done are kept."""


Ends = AsyncGenerator[ShardEnd | ShardLost]


class Engine(Protocol):
    """Does shards of one folder side by side."""

    workers: int

    def ends(self, folder: Path, numbers: Sequence[int]) -> Ends:
        """The end of each of these shards, as it comes. A worker returns nothing but counts.

        Raises:
            EngineUnavailable: there are no workers.
            WriteFailed: the system refuses a write; shards under way may not be done.
        """


async def in_flight(
    numbers: Sequence[int],
    end: Callable[[int], Coroutine[Any, Any, ShardEnd | ShardLost]],
    workers: Callable[[], int],
) -> Ends:
    """The ends of shards, as they come; no more shards are under way than the present number of workers needs."""
    pending, under_way = iter(numbers), set[asyncio.Task[ShardEnd | ShardLost]]()
    try:
        while True:
            # workers of a cluster come and go
            while len(under_way) < IN_FLIGHT * max(workers(), 1) and (number := next(pending, None)) is not None:
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


Call = Processes[int, ShardEnd | WriteFailed | FolderRefused]


class ProcessEngine:
    """Does shards by processes of this machine, by default one for each core; one that ends early is replaced."""

    def __init__(self, jobs: int | None = None) -> None:
        self.workers = available_cores() if jobs is None else jobs

    async def ends(self, folder: Path, numbers: Sequence[int]) -> Ends:
        """The end of each shard, as it comes."""
        count = min(self.workers, max(len(numbers), 1))
        async with Processes(functools.partial(shard_end, folder), count, replaces=True) as processes:
            async for end in in_flight(numbers, functools.partial(_end, processes), lambda: count):
                yield end


async def _end(processes: Call, number: int) -> ShardEnd | ShardLost:
    try:
        end = await processes.call(number)
    except ProcessLost as loss:
        return ShardLost(number, str(loss))
    if isinstance(end, WriteFailed | FolderRefused):
        raise end
    return end


@dataclass(slots=True)
class RunProgress:
    """The progress of a run."""

    shards: int
    """Shards of this run and earlier ones."""
    done: int = 0
    read: int = 0
    """Articles that this run has read."""
    errors: int = 0
    """Articles that this run could not read."""
    failures: int = 0
    """Failures of shards in this run."""


OnProgress = Callable[[RunProgress], None]


@dataclass(frozen=True, slots=True)
class RunEnd:
    """The end of a run."""

    progress: RunProgress
    failed: dict[int, str]
    """Shards of its part that have failed as often as is tried, with the last reason."""

    @property
    def is_complete(self) -> bool:
        """Whether every shard is done."""
        return self.progress.done == self.progress.shards


async def run(
    folder: Path,
    engine: Engine | None = None,
    *,
    part: int | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> RunEnd:
    """Do the shards that are not done: all, or those of a part of the array, counted from 1.

    Without an engine they are done by processes of this machine, one for each core.

    Raises:
        EngineUnavailable: there are no workers.
        FolderRefused: the folder holds no plan, one of another version of biofact, or one by which a model reads.
        ValueError: there is no such part.
        WriteFailed: the system refuses a write; what is done stays.
    """
    place = CorpusFolder(folder)
    plan = place.plan_to_run()
    if plan.settings.reader != RULES:
        raise FolderRefused(
            f"{str(folder)!r} is to be read by the model {plan.settings.reader!r}, which one process asks.",
            hint="Run it without --jobs, --dask and --part; to have rules read, plan it in another folder.",
        )
    place.sweep()
    shards = _shards(plan, part)
    missing = [shard.number for shard in shards if place.done(shard.number, plan.key) is None]
    progress = RunProgress(len(shards), done=len(shards) - len(missing))
    on_progress(progress)
    engine = engine or ProcessEngine()
    while missing := [number for number in missing if place.attempts(number) < MOST_ATTEMPTS]:
        async with aclosing(engine.ends(folder, missing)) as ends:  # an error here leaves no worker behind
            missing = sorted([end.number async for end in ends if not _count(progress, place, end, on_progress)])
    numbers = {shard.number for shard in shards}
    return RunEnd(progress, {number: reason for number, reason in place.failed(plan).items() if number in numbers})


def retry(folder: Path) -> int:
    """Forget failures, so that the next run tries their shards again; returns the number of these shards.

    Raises:
        FolderRefused: the folder holds no plan.
    """
    place = CorpusFolder(folder)
    key = place.plan().key
    return sum(place.done(shard, key) is None for shard in place.forget_failures())


def _count(progress: RunProgress, place: CorpusFolder, end: ShardEnd | ShardLost, on_progress: OnProgress) -> bool:
    """Count the end of a shard; returns whether it is done."""
    if isinstance(end, ShardLost):
        place.keep_failure(end.number, end.reason)
    is_done = isinstance(end, ShardEnd) and not end.failure
    if isinstance(end, ShardEnd) and is_done:
        progress.done += 1
        progress.read += end.read
        progress.errors += end.errors
    else:
        progress.failures += 1
    on_progress(progress)
    return is_done


def _shards(plan: CorpusPlan, part: int | None) -> Sequence[Shard]:
    if part is None:
        return plan.shards
    if not 1 <= part <= plan.parts:
        raise ValueError(f"There is no part {part}: the plan has parts 1 to {plan.parts}.")
    return plan.part(part)
