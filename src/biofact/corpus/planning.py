"""Files and settings to a plan, after a survey of all files; and the script by which a SLURM array does its parts."""

import asyncio
import re
import shlex
import tempfile
import time
from array import array
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biofact.core.quoting import listed
from biofact.corpus import inputs
from biofact.corpus.choices import PARTS, SHARD_SIZE
from biofact.corpus.folder import CorpusFolder, Places, packed
from biofact.corpus.inputs import NO_PMID, InputDamaged, sha256
from biofact.corpus.records import VERSION, CorpusPlan, InputFile, Settings, Shard
from biofact.literature import files
from biofact.literature.extraction.rule_reading import RuleReader
from biofact.literature.processes import Processes
from biofact.literature.review.plan import RULES

OnProgress = Callable[[str, int, int], None]
_SAMPLE = 50
_MOST_NAMED = 5
MOST_IN_ONE_PROCESS = 1 << 20
"""Bytes of files, however many; they are read before a process of its own has started."""
_LARGEST_IN_BITMAP = 1 << 28
"""PubMed's are below 100 million; what is larger is kept one by one."""
SCRIPT = "array.sbatch"
"""Its name in the folder of a run."""
AT_ONCE = 50
"""Tasks of an array side by side, so that others have a turn; `sbatch --array` overrules it."""
MEMORY = "1G"
"""Of a task; one process, with room to spare."""


class InputsRefused(Exception):
    """The input files cannot be used as they are; nothing was planned."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Survey:
    """What an input file is like."""

    size: int = 0
    """Bytes."""
    sha256: str = ""
    entries: int = 0
    fault: str = ""
    """Why it cannot be read to its end."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Which articles an input file has."""

    pmids: Places
    """Of its entries in their order; -1 for one without."""
    offsets: Places
    """Where each entry begins, in bytes; zeros where the file cannot be read from within."""
    deleted: Places


def survey(path: Path, kept: Path) -> Survey:
    """Read a file for its hash and its PMIDs, which are kept in another. A damaged one is an answer, too.

    Raises:
        WriteFailed: the system refuses the write.
    """
    pmids, offsets, deleted = array("q"), array("q"), array("q")
    try:
        size, digest = path.stat().st_size, sha256(path)
        for one in inputs.identifiers(path):
            number = int(one.pmid) if one.pmid else NO_PMID
            if one.is_deletion:
                deleted.append(number)
            else:
                pmids.append(number)
                offsets.append(one.offset)
    except InputDamaged as damage:
        return Survey(fault=f"{damage} Before it stand {len(pmids):,} articles.")
    except OSError as error:
        return Survey(fault=f"{path.name}: {(error.strerror or str(error)).lower()}.")
    files.write(kept, packed(pmids=_array(pmids), offsets=_array(offsets), deleted=_array(deleted)))
    return Survey(size, digest, len(pmids))


def identifiers(kept: Path) -> Identifiers:
    """What a survey kept."""
    with np.load(kept) as found:
        return Identifiers(found["pmids"], found["offsets"], found["deleted"])


def _array(numbers: "array[int]") -> Places:
    return np.frombuffer(numbers, dtype=np.int64) if numbers else np.empty(0, np.int64)


class LaterVersions:
    """What the files read so far have; the last file is read first."""

    def __init__(self) -> None:
        self._bits = np.zeros(1 << 16, dtype=np.bool_)
        self._others: set[int] = set()

    def superseded(self, file: Identifiers) -> Places:
        """The places of entries that a later file has again or deletes, or that this one has again further down.
        Entries without a PMID stay. The file then counts as read.
        """
        is_replaced = self._holds(file.pmids) | _is_repeated(file.pmids)
        self._add(file.pmids)
        self._add(file.deleted)
        return np.flatnonzero(is_replaced & (file.pmids != NO_PMID))

    def _holds(self, pmids: Places) -> NDArray[np.bool_]:
        is_within = (pmids >= 0) & (pmids < len(self._bits))
        found = self._bits[np.where(is_within, pmids, 0)] & is_within
        for place in np.flatnonzero(pmids >= _LARGEST_IN_BITMAP).tolist():
            found[place] = int(pmids[place]) in self._others
        return found

    def _add(self, pmids: Places) -> None:
        small = pmids[(pmids >= 0) & (pmids < _LARGEST_IN_BITMAP)]
        if small.size and small.max() >= len(self._bits):
            self._bits = np.concatenate([self._bits, np.zeros(2 * int(small.max()) - len(self._bits), np.bool_)])
        self._bits[small] = True
        self._others.update(pmids[pmids >= _LARGEST_IN_BITMAP].tolist())


def _is_repeated(pmids: Places) -> NDArray[np.bool_]:
    """Where the same PMID stands again further down."""
    result = np.ones(len(pmids), dtype=np.bool_)
    _, last_from_behind = np.unique(pmids[::-1], return_index=True)
    result[len(pmids) - 1 - last_from_behind] = False
    return result


async def plan(  # noqa: PLR0913  # what a plan is made of, by keyword
    folder: Path,
    paths: Sequence[Path],
    settings: Settings | None = None,
    *,
    jobs: int = 1,
    shard_size: int = SHARD_SIZE,
    parts: int = PARTS,
    skips_damaged: bool = False,
    on_progress: OnProgress = lambda step, done, total: None,
) -> tuple[CorpusPlan, list[str]]:
    """Survey the files, bind the folder to the plan, and give it with the faults of files that were left out.

    Files count in the natural order of their names: where several have an article, the last one does. Without settings
    articles are read and scored as a review's are.

    Raises:
        InputsRefused: a file is damaged, in no known format, given twice, or not there; or there is no article.
        ValueError: the settings make no plan, or a shard would have no article.
        FolderRefused: the folder holds something else, or another plan.
        WriteFailed: the system refuses a write.
    """
    if shard_size < 1 or parts < 1:
        raise ValueError("The size of shards and the number of parts are 1 or more.")
    settings = (settings or Settings()).fixed()
    ordered = _ordered(paths)
    with tempfile.TemporaryDirectory(prefix="biofact-corpus-") as kept:
        surveys = await _surveys(ordered, Path(kept), jobs, on_progress)
        faults = [one.fault for one in surveys if one.fault]
        if faults and not skips_damaged:
            hint = "Fetch them again, or leave them out with --skip-damaged. Nothing was planned."
            raise InputsRefused(_faults_in_words(faults), hint=hint)
        readable = [_input(path, one) for path, one in zip(ordered, surveys, strict=True) if not one.fault]
        places = [_kept(Path(kept), number) for number, one in enumerate(surveys) if not one.fault]
        surveyed = _resolved(readable, places, shard_size)
    shards = tuple(_shards(surveyed, shard_size))
    if not shards:
        raise InputsRefused("There is no article to read.", hint="Give --input files with articles.")
    made = CorpusPlan(
        settings=settings,
        version=VERSION,
        shard_size=shard_size,
        parts=min(parts, len(shards)),
        files=tuple(one.file for one in surveyed),
        shards=shards,
    )
    made = made.model_copy(update={"milliseconds": round(_measured(made), 2)})
    superseded = {number: one.superseded for number, one in enumerate(surveyed) if one.superseded.size}
    return CorpusFolder(folder).begin(made, superseded), faults


@dataclass(frozen=True, slots=True)
class _SurveyedFile:
    file: InputFile
    starts: list[int]
    """Where each of its shards begins, in bytes; zeros where it cannot be read from within."""
    superseded: Places


async def _surveys(paths: Sequence[Path], kept: Path, jobs: int, on_progress: OnProgress) -> list[Survey]:
    """Of all files, side by side; a process for one job takes longer to start than most files to read."""
    done = 0
    size = sum(path.stat().st_size for path in paths)
    count = min(jobs, len(paths)) if size > MOST_IN_ONE_PROCESS else 1

    async def one(read: Callable[[tuple[Path, Path]], Awaitable[Survey]], number: int, path: Path) -> Survey:
        nonlocal done
        found = await read((path, _kept(kept, number)))
        done += 1
        on_progress("survey", done, len(paths))
        return found

    if count == 1:
        return [await one(_survey_in_thread, *each) for each in enumerate(paths)]
    async with Processes(_survey, count) as processes:
        return await asyncio.gather(*(one(processes.call, *each) for each in enumerate(paths)))


async def _survey_in_thread(given: tuple[Path, Path]) -> Survey:
    return await asyncio.to_thread(_survey, given)


def _survey(given: tuple[Path, Path]) -> Survey:
    return survey(*given)


def _kept(folder: Path, number: int) -> Path:
    """Where the survey of a file keeps its PMIDs."""
    return folder / f"{number}.npz"


def _input(path: Path, found: Survey) -> InputFile:
    return InputFile(path=str(path), size=found.size, sha256=found.sha256, entries=found.entries)


def _resolved(files: Sequence[InputFile], kept: Sequence[Path], shard_size: int) -> list[_SurveyedFile]:
    """The files with what is superseded in each, for which they are gone through from the last to the first."""
    later = LaterVersions()
    result: list[_SurveyedFile] = []
    for file, path in zip(reversed(files), reversed(kept), strict=True):
        found = identifiers(path)
        superseded = later.superseded(found)
        starts = found.offsets[::shard_size].tolist()
        result.append(_SurveyedFile(file.model_copy(update={"superseded": superseded.size}), starts, superseded))
    return result[::-1]


def _shards(files: Sequence[_SurveyedFile], size: int) -> Iterator[Shard]:
    starts = (
        (place, each, number, offset) for place, each in enumerate(files) for number, offset in enumerate(each.starts)
    )
    for number, (place, each, number_in_file, offset) in enumerate(starts):
        first = number_in_file * size
        count = min(size, each.file.entries - first)
        is_last = first + count == each.file.entries
        yield Shard(number=number, file=place, first=first, count=count, offset=offset, is_last=is_last)


def _measured(plan: CorpusPlan) -> float:
    """Milliseconds that the rules take for an article here, by a sample of the first file; 0 where a model reads."""
    if plan.settings.reader != RULES:
        return 0.0
    reader = RuleReader(plan.settings.schema_read)
    entries = inputs.entries(Path(plan.files[0].path), inputs.Slice(count=_SAMPLE))
    articles = [one.article for one in islice(entries, _SAMPLE) if one.article is not None]
    if not articles:
        return 0.0
    reader.read(articles[0])  # the first of all loads what the rules need
    start = time.perf_counter()
    for article in articles:
        reader.read(article)
    return 1000 * (time.perf_counter() - start) / len(articles)


def _ordered(paths: Sequence[Path]) -> list[Path]:
    """The files in the natural order of their names.

    Raises:
        InputsRefused: there is none, one is given twice, is not there, or is in no known format.
    """
    if not paths:
        raise InputsRefused("There is no input file.", hint="Give --input files with articles.")
    whole = [path.resolve() for path in paths]
    repeated = [path.name for path in dict.fromkeys(whole) if whole.count(path) > 1]
    if repeated:
        raise InputsRefused(f"Given more than once: {listed(repeated, _MOST_NAMED)}.", hint="Give each file once.")
    absent = [path.name for path in whole if not path.exists()]
    if absent:
        raise InputsRefused(f"There is no {listed(absent, _MOST_NAMED)}.", hint="Give --input files that are there.")
    for path in whole:
        try:
            inputs.format_of(path)
        except ValueError as error:
            raise InputsRefused(str(error), hint="Give files of PubMed, NDJSON or Parquet.") from error
    return sorted(whole, key=lambda path: (_natural(path.name), str(path)))


def _natural(name: str) -> list[tuple[int, str]]:
    """File 9 before file 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def _faults_in_words(faults: Sequence[str]) -> str:
    shown = " ".join(faults[:_MOST_NAMED])
    more = f" And {len(faults) - _MOST_NAMED} more." if len(faults) > _MOST_NAMED else ""
    return f"{len(faults)} of the input files cannot be read. {shown}{more}"


def write_array_script(
    folder: Path,
    plan: CorpusPlan,
    *,
    command: Sequence[str] = ("biofact",),
    at_once: int = AT_ONCE,
    memory: str = MEMORY,
) -> Path:
    """Write ``array.sbatch`` into the folder of a plan, and say where it is.

    ``command`` starts biofact on a node. How many parts there are is the plan's to say: an array that is submitted
    for some of them, because others are done, counts fewer.

    Raises:
        WriteFailed: the system refuses the write.
    """
    path = folder.absolute() / SCRIPT
    files.write(path, array_script(path.parent, plan, command=command, at_once=at_once, memory=memory).encode())
    return path


def array_script(folder: Path, plan: CorpusPlan, *, command: Sequence[str], at_once: int, memory: str) -> str:
    """The text of the script; ``folder`` is its place on every node."""
    run = shlex.join([*command, "corpus", "run", str(folder)])
    return f"""\
#!/bin/bash
# {len(plan.shards):,} shards in {plan.parts:,} parts, a task for each; submit it by sbatch. What is done is not done
# again: submit it once more where tasks were lost, or some with --array=3,17.
#SBATCH --job-name=biofact-corpus
#SBATCH --array=1-{plan.parts}%{min(at_once, plan.parts)}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem={memory}
exec {run} --jobs 1 --part "$SLURM_ARRAY_TASK_ID/{plan.parts}"
"""
