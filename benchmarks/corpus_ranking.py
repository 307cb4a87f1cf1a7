"""The best 1,000 of 250,000, 500,000 and 1,000,000 rows of a corpus: time and memory grow as they should.

``python -m benchmarks.corpus_ranking [--json FILE]``. The shards have 10,000 rows each, with columns of our own making
in a temporary folder: the five features of the usual criteria, of which sample sizes have thousands of values, and
days and marks for all filters and boosts. The rows behind them are one block over and over, for they are read of the
winners alone. Each ranking runs in a process of its own, which reads its own peak (``VmHWM``).
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.memory import MIB, status_bytes
from benchmarks.report import Result, at_most, run
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.ranking import TOP, rank
from biofact.corpus.records import VERSION, CorpusPlan, InputFile, Settings, Shard
from biofact.corpus.shards import BLOCK, PREPRINT, RETRACTED, REVIEW, Columns, compressed_rows
from biofact.literature.ranking.request import ArticleFilters, RankingCriteria, RankRequest

SIZES = (250_000, 500_000, 1_000_000)
SHARD = 10_000
TODAY = date(2026, 11, 26)
MOST_SECONDS = 60.0
MOST_MIB = 300.0

_FIRST_DAY = date(1975, 1, 1).toordinal()


def measure() -> list[Result]:
    """Every figure, in one run."""
    runs = [_ranked(size) for size in SIZES]
    (_, least_used, least_peak), *_, (seconds, used, peak) = runs
    note = "; ".join(
        f"{size:,}: {run[0]:.2f} s, {run[1]:.2f} s of the processor, {run[2] / MIB:.0f} MiB"
        for size, run in zip(SIZES, runs, strict=True)
    )
    factor = SIZES[-1] / SIZES[0]
    name = f"the best {TOP:,} of {SIZES[-1]:,} rows of a corpus"
    return [
        at_most(name, seconds, MOST_SECONDS, "s", note=note),
        at_most(f"{name}, peak", peak / MIB, MOST_MIB, "MiB"),
        at_most(f"processor time of {factor:g} times the rows", used / least_used, 1.25 * factor, "times"),
        at_most(f"peak of {factor:g} times the rows", peak / least_peak, 1.25, "times"),
    ]


def _ranked(size: int) -> tuple[float, float, int]:
    """Seconds, those of the processor, and bytes at the peak."""
    with tempfile.TemporaryDirectory(prefix="biofact-benchmark-") as folder:
        make_corpus(Path(folder) / "run", size)
        command = [sys.executable, "-m", "benchmarks.corpus_ranking", "rank", str(Path(folder) / "run")]
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    seconds, used, peak = json.loads(answer)
    return seconds, used, peak


def make_corpus(folder: Path, size: int) -> None:
    """A run over this many articles, all of whose shards are done."""
    file = InputFile(path="/articles.ndjson", size=1, sha256="0" * 64, entries=size)
    count = size // SHARD
    shards = [Shard(number=n, file=0, first=n * SHARD, count=SHARD, is_last=n == count - 1) for n in range(count)]
    plan = CorpusPlan(settings=Settings().fixed(), version=VERSION, files=(file,), shards=tuple(shards))
    place = CorpusFolder(folder)
    place.begin(plan, {})
    row = {"pmid": 1, "version": 1, "file": "articles.ndjson", "status": "read", "features": {"n": 1}, "evidence": {}}
    block = compressed_rows([row] * BLOCK)
    chance = np.random.default_rng(1)
    for shard in shards:
        columns = _columns(chance, shard.number, len(block))
        contents = {
            place.rows_file(shard.number): block * (SHARD // BLOCK),
            place.columns_file(shard.number): columns.content(),
        }
        for path, content in contents.items():
            path.replace(content)
        header = {
            path.name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in contents.items()
        }
        end = {"shard": shard.number, "key": plan.key, "counts": {"read": SHARD}, "files": header}
        place.keep_done(shard.number, {**end, "summaries": columns.summaries()})


def _columns(chance: np.random.Generator, shard: int, block: int) -> Columns:
    days = _FIRST_DAY + chance.integers(0, 18_900, SHARD)
    marks = ((0.001, RETRACTED), (0.02, PREPRINT), (0.15, REVIEW))
    logs = np.clip((np.log10(1 + np.round(10 ** chance.normal(2, 0.8, SHARD))) - 1) / 3, 0, 1)
    parts = {
        "study_type": chance.choice([0.1, 0.3, 0.5, 0.6, 0.9, 1.0], SHARD),
        "sample_size": logs,
        "registration": chance.integers(0, 2, SHARD).astype(np.float64),
        "comparator": chance.integers(0, 2, SHARD).astype(np.float64),
        "follow_up": chance.integers(0, 2, SHARD).astype(np.float64),
    }
    for name in ("study_type", "sample_size"):
        parts[name][chance.random(SHARD) < 0.4] = np.nan  # as often as abstracts do not state it
    return Columns(
        places=np.arange(SHARD, dtype=np.int32),
        pmids=shard * SHARD + chance.permutation(SHARD) + 1,
        days=days.astype(np.int32),
        years=np.array([date.fromordinal(day).year for day in days.tolist()], np.int16),
        marks=sum((chance.random(SHARD) < share) * bit for share, bit in marks).astype(np.uint8),  # type: ignore[union-attr]
        parts=parts,
        blocks=np.arange(SHARD // BLOCK) * block,
    )


def _rank(folder: Path) -> None:
    """Rank, and print the seconds that it took, those of the processor, and this process's peak."""
    request = RankRequest(
        max_results=TOP,
        min_score_threshold=0.2,
        ranking_criteria=RankingCriteria(boost_recent=True, prefer_review_articles=True),
        filters=ArticleFilters(from_year=1980, to_year=2026, exclude_preprints=True),
    )
    start, used = time.perf_counter(), time.process_time()
    ranking = rank(folder, request, today=TODAY)
    seconds, used = time.perf_counter() - start, time.process_time() - used
    if ranking.rows != TOP:
        raise ValueError(f"{ranking.rows} rows instead of {TOP}")
    print(json.dumps([seconds, used, status_bytes("VmHWM")]))


def main() -> int:
    """Measure, or be the process that is measured."""
    match sys.argv[1:]:
        case ["rank", folder]:
            _rank(Path(folder))
        case _:
            return run(measure, __doc__)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
