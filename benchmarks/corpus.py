"""A corpus by processes, by Dask and by ``multiprocessing.Pool`` over the same function, in one run.

    python -m benchmarks.corpus [--articles N] [--json FILE]

The abstracts are made of the recorded ones: other numbers, names and PMIDs, sentences in another order. All four write
the same bytes, which is looked at. Each is a process of its own, whose workers are asked for their peaks by Linux. One
article takes some 4 ms: 50,000 take twelve minutes in all.
"""

import asyncio
import functools
import gzip
import hashlib
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import pubmed_parsing
from benchmarks.report import Result, at_most
from benchmarks.report import run as run_benchmark
from biofact.corpus.choices import SHARD_SIZE
from biofact.corpus.dask_engine import DaskEngine
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.planning import plan
from biofact.corpus.records import Settings
from biofact.corpus.runs import ProcessEngine, run
from biofact.corpus.shards import run_shard

ARTICLES = 50_000
SHARDS = 20
TENTH = 10
"""The part of the articles that memory is compared with: a tenth."""
_EVERY_SECONDS = 0.2
_FIRST_PMID = 50_000_000
_ABSTRACT = re.compile(rb"(<AbstractText[^>]*>)([^<]+)(?=</AbstractText>)")
_NUMBER = re.compile(rb"\b[1-9]\d{1,3}\b")
_NAME = re.compile(rb"(?<=<LastName>)[^<]+")
_SENTENCE = re.compile(rb"(?<=[a-z)]\.) (?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Run:
    """The figures of one way."""

    seconds: float
    work: float
    """Seconds of processors, all processes together."""
    peaks: tuple[int, ...]
    """Bytes, of each worker, the largest first."""
    content: str
    """The hash of all that was written."""

    @property
    def peak(self) -> float:
        """The largest worker's memory, in MiB."""
        return self.peaks[0] / (1 << 20)


def measure(articles: int = ARTICLES) -> list[Result]:
    """Speeds beside each other, and what a worker takes of memory."""
    size = max(articles // SHARDS, 1)
    with tempfile.TemporaryDirectory(prefix="biofact-corpus-") as temporary:
        place = Path(temporary)
        files = list(written_files(place, articles, size))
        ways = (("pool", 2), ("jobs", 2), ("dask", 2), ("jobs", 1))
        runs = {way: in_a_process(*way, planned(place / "-".join(map(str, way)), files, size)) for way in ways}
        small = in_a_process("jobs", 2, planned(place / "few", files[: SHARDS // TENTH], size))
        whole = in_a_process("jobs", 1, planned(place / "whole", [join(place, files)], SHARD_SIZE))
    assert len({run.content for run in runs.values()}) == 1, "not the same bytes"
    return [*speeds(runs, articles), *memory(runs, small, whole, articles)]


def speeds(runs: Mapping[tuple[str, int], Run], articles: int) -> list[Result]:
    """Each way beside another."""
    pool, two, dask, one_process = (runs[way] for way in (("pool", 2), ("jobs", 2), ("dask", 2), ("jobs", 1)))
    bars = (
        ("two processes beside one", one_process, two, 1.8),
        ("two workers of Dask beside two processes", two, dask, 0.85),
        ("two processes beside multiprocessing.Pool(2)", pool, two, 0.95),
    )
    return [
        Result(f"a corpus, {label}", other.seconds / run.seconds, bar, "x", note=_times(run, other, articles))
        for label, other, run, bar in bars
    ]


def _times(run: Run, other: Run, articles: int) -> str:
    clock = f"{run.seconds:.0f} and {other.seconds:.0f} s, start and end included"
    return f"{articles:,} articles in {clock}; {run.work:.0f} and {other.work:.0f} s of processors"


def memory(runs: Mapping[tuple[str, int], Run], small: Run, whole: Run, articles: int) -> list[Result]:
    """The largest worker of each way, and whether more articles need more."""
    two = runs["jobs", 2]
    small_articles = articles * (SHARDS // TENTH) // SHARDS
    note = f"{small.peak:.0f} MiB with {small_articles:,} articles, {two.peak:.0f} with {articles:,}"
    limit = functools.partial(at_most, bar=400, unit="MiB")
    return [
        limit("a corpus, peak of a process", two.peak),
        limit("a corpus, peak of a worker of Dask", runs["dask", 2].peak),
        limit(f"a corpus, peak of a process with shards of {SHARD_SIZE:,}", whole.peak),
        Result("a corpus, peak of a process beside a tenth of it", two.peak / small.peak, 1.15, "x", True, note),
    ]


def written_files(folder: Path, articles: int, size: int) -> Iterator[Path]:
    """PubMed's files with this many articles each."""
    rng = random.Random(21)
    recorded_articles = [
        article for article in pubmed_parsing.recorded_payloads().values() if _ABSTRACT.search(article)
    ]
    names = sorted({name for article in recorded_articles for name in _NAME.findall(article)})
    for number in range(articles // size):
        first = _FIRST_PMID + number * size
        made = [vary(rng.choice(recorded_articles), pmid, names, rng) for pmid in range(first, first + size)]
        path = folder / f"pubmed{number:04}.xml.gz"
        path.write_bytes(gzip.compress(pubmed_parsing.document(made), 1))
        yield path


def vary(record: bytes, pmid: int, names: Sequence[bytes], rng: random.Random) -> bytes:
    """A recorded article with another PMID, other authors, and an abstract with other numbers in another order."""
    record = pubmed_parsing.PMID.sub(rb"\g<1>%d" % pmid, record, count=1)
    record = _NAME.sub(lambda _: rng.choice(names), record)
    return _ABSTRACT.sub(lambda match: match[1] + _other_text(match[2], rng), record)


def _other_text(text: bytes, rng: random.Random) -> bytes:
    sentences = _SENTENCE.split(text)
    rng.shuffle(sentences)
    return _NUMBER.sub(lambda match: b"%d" % max(1, round(int(match[0]) * rng.uniform(0.7, 1.3))), b" ".join(sentences))


def join(folder: Path, files: Sequence[Path]) -> Path:
    """A file with the articles of all others, as far as one shard takes them."""
    records = [
        article for path in files for article in pubmed_parsing.ARTICLE.findall(gzip.decompress(path.read_bytes()))
    ]
    path = folder / "joined.xml.gz"
    path.write_bytes(gzip.compress(pubmed_parsing.document(records[:SHARD_SIZE]), 1))
    return path


def planned(folder: Path, files: Sequence[Path], size: int) -> Path:
    """A folder with a plan."""
    asyncio.run(plan(folder, files, Settings(), jobs=2, shard_size=size))
    return folder


def in_a_process(way: str, workers: int, folder: Path) -> Run:
    """One way, measured by a process that did nothing before."""
    command = [sys.executable, "-m", "benchmarks.corpus", "way", way, str(workers), str(folder)]
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    digest = hashlib.sha256()
    for path in sorted((folder / "shards").iterdir()):
        digest.update(path.name.encode() + path.read_bytes().replace(CorpusFolder(folder).plan().key.encode(), b""))
    return Run(report["seconds"], report["work"], tuple(sorted(report["peaks"], reverse=True)), digest.hexdigest())


def print_run(way: str, workers: int, folder: Path) -> None:
    """Be that process: print seconds, and the peaks of the workers in bytes."""
    with peaks_of_workers() as peaks:
        start = time.perf_counter()
        WAYS[way](folder, workers)
        seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "work": sum(os.times()[:4]), "peaks": list(peaks.values())}))


def by_pool(folder: Path, workers: int) -> None:
    """As one would write it by hand: forked at once, each takes the next shard."""
    shards = CorpusFolder(folder).plan().shards
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        run_one = functools.partial(run_shard, folder)
        assert sum(end.read for end in pool.imap_unordered(run_one, [shard.number for shard in shards]))


def by_processes(folder: Path, workers: int) -> None:
    """``biofact corpus run --jobs``."""
    assert asyncio.run(run(folder, ProcessEngine(workers))).is_complete


def by_dask(folder: Path, workers: int) -> None:
    """``biofact corpus run --dask local``."""
    assert asyncio.run(run(folder, DaskEngine(workers=workers))).is_complete


WAYS: Mapping[str, Callable[[Path, int], None]] = {"pool": by_pool, "jobs": by_processes, "dask": by_dask}


@contextmanager
def peaks_of_workers() -> Iterator[dict[int, int]]:
    """The peak of everyone that this process starts, by their PIDs; looked at until the end of the block."""
    peaks: dict[int, int] = {}
    is_over = threading.Event()

    def look() -> None:
        while not is_over.wait(_EVERY_SECONDS):
            for pid in descendants():
                peaks[pid] = max(peaks.get(pid, 0), _peak(pid))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield peaks
    finally:
        is_over.set()
        thread.join()


def descendants() -> list[int]:
    """Processes that this one has started, and those that they have."""
    command = ["ps", "-A", "-o", "pid=,ppid="]
    listing = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    parents = {int(pid): int(parent) for pid, parent in map(str.split, listing.splitlines())}
    pids = {os.getpid()}
    while children := {pid for pid, parent in parents.items() if parent in pids} - pids:
        pids |= children
    return sorted(pid for pid in pids if pid != os.getpid())


def _peak(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:  # it has ended
        return 0
    match = re.search(r"VmHWM:\s*(\d+)", status)
    return int(match[1]) << 10 if match else 0


def main() -> int:
    """Print the table; the exit status says whether every promise is kept."""
    match sys.argv[1:]:
        case ["way", way, workers, folder]:
            print_run(way, int(workers), Path(folder))
        case _:
            return run_benchmark(measure, __doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
