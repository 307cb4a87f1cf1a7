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

from biofact.core.quoting import name_list
from biofact.core.usage import HintedError
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
"""The name of the script in the folder of a run."""
AT_ONCE = 50
"""Tasks of an array that run side by side, so that other users have a turn; `sbatch --array` overrules it."""
MEMORY = "1G"
"""The memory of a task: one process, with room to spare."""


class InputsRefused(HintedError):
    """The input files cannot be used as they are; nothing was planned."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The size, hash and count of entries of an input file, or its fault."""

    size: int = 0
    """Bytes."""
    sha256: str = ""
    entries: int = 0
    fault: str = ""
    """The reason why it cannot be read to its end; empty for a whole file."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """The PMIDs of an input file."""

    pmids: Places
    """PMIDs of its entries in their order; -1 for an entry without one."""
    offsets: Places
    """The offset of each entry in bytes; zeros where the file cannot be read from within."""
    deleted: Places


def survey(path: Path, target: Path) -> Survey:
    """The survey of a file, whose PMIDs are written to ``target``. A damaged file has a survey, too.

    Raises:
        WriteFailed: the system refuses the write.
    """
    pmids, offsets, deleted = array("q"), array("q"), array("q")
    try:
        size, digest = path.stat().st_size, sha256(path)
        for identifier in inputs.identifiers(path):
            pmid = int(identifier.pmid) if identifier.pmid else NO_PMID
            if identifier.is_deletion:
                deleted.append(pmid)
            else:
                pmids.append(pmid)
                offsets.append(identifier.offset)
    except InputDamaged as damage:
        return Survey(fault=f"{damage} Before it stand {len(pmids):,} articles.")
    except OSError as error:
        return Survey(fault=f"{path.name}: {(error.strerror or str(error)).lower()}.")
    files.write(target, packed(pmids=_array(pmids), offsets=_array(offsets), deleted=_array(deleted)))
    return Survey(size, digest, len(pmids))


def identifiers(path: Path) -> Identifiers:
    """The PMIDs that a survey wrote."""
    with np.load(path) as arrays:
        return Identifiers(arrays["pmids"], arrays["offsets"], arrays["deleted"])


def _array(numbers: "array[int]") -> Places:
    return np.frombuffer(numbers, dtype=np.int64) if numbers else np.empty(0, np.int64)


class LaterVersions:
    """The PMIDs of the files read so far, of which the last is read first."""

    def __init__(self) -> None:
        self._bits = np.zeros(1 << 16, dtype=np.bool_)
        self._large_pmids: set[int] = set()

    def superseded(self, file: Identifiers) -> Places:
        """The places of entries that a later file has again or deletes, or that this file has again further down.
        Entries without a PMID stay. The file then counts as read.
        """
        is_replaced = self._holds(file.pmids) | _is_repeated(file.pmids)
        self._add(file.pmids)
        self._add(file.deleted)
        return np.flatnonzero(is_replaced & (file.pmids != NO_PMID))

    def _holds(self, pmids: Places) -> NDArray[np.bool_]:
        is_within = (pmids >= 0) & (pmids < len(self._bits))
        is_present = self._bits[np.where(is_within, pmids, 0)] & is_within
        for place in np.flatnonzero(pmids >= _LARGEST_IN_BITMAP).tolist():  # in real files none
            is_present[place] = int(pmids[place]) in self._large_pmids
        return is_present

    def _add(self, pmids: Places) -> None:
        small = pmids[(pmids >= 0) & (pmids < _LARGEST_IN_BITMAP)]
        if small.size and small.max() >= len(self._bits):
            # to twice what is needed: each growth copies all
            self._bits = np.concatenate([self._bits, np.zeros(2 * int(small.max()) - len(self._bits), np.bool_)])
        self._bits[small] = True
        self._large_pmids.update(pmids[pmids >= _LARGEST_IN_BITMAP].tolist())


def _is_repeated(pmids: Places) -> NDArray[np.bool_]:
    """Whether the same PMID stands again further down, for each."""
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
    inputs_in_order = _in_natural_order(paths)
    with tempfile.TemporaryDirectory(prefix="biofact-corpus-") as place:
        surveys = await _surveys(inputs_in_order, Path(place), jobs, on_progress)
        faults = [file.fault for file in surveys if file.fault]
        if faults and not skips_damaged:
            hint = "Fetch them again, or leave them out with --skip-damaged. Nothing was planned."
            raise InputsRefused(_faults_in_words(faults), hint=hint)
        readable = [
            InputFile(path=str(path), size=file.size, sha256=file.sha256, entries=file.entries)
            for path, file in zip(inputs_in_order, surveys, strict=True)
            if not file.fault
        ]
        pmids = [_identifiers_file(Path(place), number) for number, file in enumerate(surveys) if not file.fault]
        surveyed_files = _with_superseded(readable, pmids, shard_size)
    shards = tuple(_shards(surveyed_files, shard_size))
    if not shards:
        raise InputsRefused("There is no article to read.", hint="Give --input files with articles.")
    corpus_plan = CorpusPlan(
        settings=settings,
        version=VERSION,
        shard_size=shard_size,
        parts=min(parts, len(shards)),
        files=tuple(file.input_file for file in surveyed_files),
        shards=shards,
    )
    corpus_plan = corpus_plan.model_copy(update={"milliseconds": round(_milliseconds_an_article(corpus_plan), 2)})
    superseded = {number: file.superseded for number, file in enumerate(surveyed_files) if file.superseded.size}
    return CorpusFolder(folder).begin(corpus_plan, superseded), faults


@dataclass(frozen=True, slots=True)
class _SurveyedFile:
    input_file: InputFile
    starts: list[int]
    """The offset of each of its shards in bytes; zeros where it cannot be read from within."""
    superseded: Places


async def _surveys(paths: Sequence[Path], folder: Path, jobs: int, on_progress: OnProgress) -> list[Survey]:
    """Surveys of all files, side by side; a process for one job takes longer to start than most files to read."""
    done = 0
    size = sum(path.stat().st_size for path in paths)
    count = min(jobs, len(paths)) if size > MOST_IN_ONE_PROCESS else 1

    async def survey_file(read: Callable[[tuple[Path, Path]], Awaitable[Survey]], number: int, path: Path) -> Survey:
        nonlocal done
        result = await read((path, _identifiers_file(folder, number)))
        done += 1
        on_progress("survey", done, len(paths))
        return result

    if count == 1:
        return [
            await survey_file(lambda paths: asyncio.to_thread(_survey, paths), number, path)
            for number, path in enumerate(paths)
        ]
    async with Processes(_survey, count) as processes:
        return await asyncio.gather(*(survey_file(processes.call, number, path) for number, path in enumerate(paths)))


def _survey(paths: tuple[Path, Path]) -> Survey:
    return survey(*paths)


def _identifiers_file(folder: Path, number: int) -> Path:
    """The file for the PMIDs of an input file."""
    return folder / f"{number}.npz"


def _with_superseded(files: Sequence[InputFile], pmids: Sequence[Path], shard_size: int) -> list[_SurveyedFile]:
    """The files with the places of superseded entries, which are known when later files have been read."""
    later_versions = LaterVersions()
    result: list[_SurveyedFile] = []
    # the last file first: it has the last versions
    for file, path in zip(reversed(files), reversed(pmids), strict=True):
        file_identifiers = identifiers(path)
        superseded = later_versions.superseded(file_identifiers)
        starts = file_identifiers.offsets[::shard_size].tolist()
        result.append(_SurveyedFile(file.model_copy(update={"superseded": superseded.size}), starts, superseded))
    return result[::-1]


def _shards(files: Sequence[_SurveyedFile], size: int) -> Iterator[Shard]:
    starts = (
        (place, file.input_file.entries, number, offset)
        for place, file in enumerate(files)
        for number, offset in enumerate(file.starts)
    )
    for number, (place, entries, number_in_file, offset) in enumerate(starts):
        first = number_in_file * size
        count = min(size, entries - first)
        is_last = first + count == entries
        yield Shard(number=number, file=place, first=first, count=count, offset=offset, is_last=is_last)


def _milliseconds_an_article(plan: CorpusPlan) -> float:
    """The time of the rules for an article here, by a sample of the first file; 0 where a model reads."""
    if plan.settings.reader != RULES:
        return 0.0
    reader = RuleReader(plan.settings.schema_read)
    entries = inputs.entries(Path(plan.files[0].path), inputs.Slice(count=_SAMPLE))
    articles = [entry.article for entry in islice(entries, _SAMPLE) if entry.article is not None]
    if not articles:
        return 0.0
    reader.read(articles[0])  # the first of all loads what the rules need
    start = time.perf_counter()
    for article in articles:
        reader.read(article)
    return 1000 * (time.perf_counter() - start) / len(articles)


def _in_natural_order(paths: Sequence[Path]) -> list[Path]:
    """The files in the natural order of their names.

    Raises:
        InputsRefused: there is none, one is given twice, is not there, or is in no known format.
    """
    if not paths:
        raise InputsRefused("There is no input file.", hint="Give --input files with articles.")
    resolved = [path.resolve() for path in paths]
    duplicates = [path.name for path in dict.fromkeys(resolved) if resolved.count(path) > 1]
    if duplicates:
        raise InputsRefused(f"Given more than once: {name_list(duplicates, _MOST_NAMED)}.", hint="Give each file once.")
    absent = [path.name for path in resolved if not path.exists()]
    if absent:
        raise InputsRefused(f"There is no {name_list(absent, _MOST_NAMED)}.", hint="Give --input files that are there.")
    for path in resolved:
        try:
            inputs.format_of(path)
        except ValueError as error:
            raise InputsRefused(str(error), hint="Give files of PubMed, NDJSON or Parquet.") from error
    return sorted(resolved, key=lambda path: (_natural(path.name), str(path)))


def _natural(name: str) -> list[tuple[int, str]]:
    """File 9 before file 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def _faults_in_words(faults: Sequence[str]) -> str:
    first = " ".join(faults[:_MOST_NAMED])
    rest = f" And {len(faults) - _MOST_NAMED} more." if len(faults) > _MOST_NAMED else ""
    return f"{len(faults)} of the input files cannot be read. {first}{rest}"


def write_array_script(
    folder: Path,
    plan: CorpusPlan,
    *,
    command: Sequence[str] = ("biofact",),
    at_once: int = AT_ONCE,
    memory: str = MEMORY,
) -> Path:
    """Write ``array.sbatch`` into the folder of a plan; returns its path.

    ``command`` starts biofact on a node. The number of parts is the plan's: an array that is submitted for those
    alone that are not done counts fewer.

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
