"""A run over the shards of a folder: what is missing is done, what fails is tried again, and then listed."""

from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from biofact.corpus.engines import Engine, ShardLost
from biofact.corpus.engines.processes import ProcessEngine
from biofact.corpus.folder import MOST_ATTEMPTS, CorpusFolder
from biofact.corpus.records import CorpusPlan, Shard
from biofact.corpus.shard_run import ShardEnd
from biofact.literature.files import FolderRefused
from biofact.literature.review.plan import RULES


@dataclass(slots=True)
class RunProgress:
    """How far a run is."""

    shards: int
    """To be done by this run and before."""
    done: int = 0
    read: int = 0
    """Articles that this run has read."""
    errors: int = 0
    """Articles that this run could not read."""
    failures: int = 0
    """How often a shard failed in this run."""


OnProgress = Callable[[RunProgress], None]


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ended."""

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
        EngineUnavailable: nobody is there to do the shards.
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
        async with aclosing(engine.ends(folder, missing)) as ends:  # whatever happens here, no worker is left
            missing = sorted([end.number async for end in ends if not _count(progress, place, end, on_progress)])
    numbers = {shard.number for shard in shards}
    return RunEnd(progress, {number: why for number, why in place.failed(plan).items() if number in numbers})


def retry(folder: Path) -> int:
    """Forget that shards have failed, so that the next run tries them again; how many it will try.

    Raises:
        FolderRefused: the folder holds no plan.
    """
    place = CorpusFolder(folder)
    key = place.plan().key
    return sum(place.done(shard, key) is None for shard in place.forget_failures())


def _count(progress: RunProgress, place: CorpusFolder, end: ShardEnd | ShardLost, on_progress: OnProgress) -> bool:
    """Count how a shard ended; says whether it is done."""
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
