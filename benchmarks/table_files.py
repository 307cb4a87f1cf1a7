"""A long table through ``biofact resolve``: memory that does not grow with its rows, and no question asked twice.

``python -m benchmarks.table_files [--rows N] [--json FILE]``. Names of the recorded human gene file, repeated as in
tables of measurements. The command runs in a process of its own, whose peak is its resident set. Another run is
killed half-way, and the same command finishes it. At the services' real rates, so that most of the time is waiting.
"""

import csv
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.on_sandbox import sandbox_process
from benchmarks.report import Result, at_most, run
from benchmarks.symbols import HUMAN, SEED, corpus, drawn_genes
from biofact.sandbox import SandboxProcess

_NAMES, _FEW_ROWS, _STOPPED_NAMES = 1000, 2_000, 2000
_MIB = 1 << 20
_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Finished:
    """A run of the command that came to its end."""

    peak_mib: float
    cpu_seconds: float
    requests: int
    rows: int


def measure(rows: int = 200_000) -> list[Result]:
    """A table of 20,000 rows and one of ``rows``, and one that is killed half-way."""
    with sandbox_process(recordings=corpus()) as sandbox, tempfile.TemporaryDirectory() as folder:
        names = [gene.symbol for gene in drawn_genes(HUMAN, _STOPPED_NAMES, is_signed=False)]
        few, many = (
            _finished(sandbox, Path(folder) / str(count), names[:_NAMES], count) for count in (_FEW_ROWS, rows)
        )
        whole = _finished(sandbox, Path(folder) / "whole", names, len(names))
        before, again = _killed(sandbox, Path(folder) / "killed", names, whole.requests // 2)
    return [
        at_most(
            f"peak of {rows:,} rows beside {_FEW_ROWS:,}",
            many.peak_mib / few.peak_mib,
            1.2,
            "times",
            note=f"{few.peak_mib:.0f} and {many.peak_mib:.0f} MiB, {many.cpu_seconds:.0f} s of CPU",
        ),
        at_most("rows that are missing", _FEW_ROWS - few.rows + rows - many.rows + len(names) - again.rows, 0, "rows"),
        at_most(
            "requests of a killed run and the next beside one",
            (before + again.requests) / whole.requests,
            1.1,  # questions under way are asked again
            "times",
            note=f"{before} and {again.requests}, and {whole.requests} at once",
        ),
    ]


def _write(folder: Path, names: Sequence[str], count: int) -> None:
    """Write a table with these names, each after the other until there are ``count`` rows."""
    folder.mkdir(exist_ok=True)
    draw = random.Random(SEED)  # a draw, no secret
    with (folder / "genes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["sample", "symbol", "fold change"])
        repeated = itertools.islice(itertools.cycle(names), count)
        writer.writerows([number, name, f"{draw.gauss(0, 1):.3f}"] for number, name in enumerate(repeated, 1))


def _started(sandbox: SandboxProcess, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "biofact", "resolve", "genes.csv", "--column", "symbol", "--kind", "gene"]
    environment = {**os.environ, **sandbox.environment(), "BIOFACT_CACHE_DIR": str(folder / "cache")}
    return subprocess.Popen([*command, "-o", "out.csv"], cwd=folder, env=environment, stderr=subprocess.DEVNULL)


def _end(sandbox: SandboxProcess, folder: Path) -> Finished:
    """Run the command in the folder to its end."""
    sandbox.forget_requests()
    process = _started(sandbox, folder)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise ValueError(f"the command ended with {process.returncode}")
    with (folder / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = sum(1 for _ in csv.reader(file)) - 1
    seconds = usage.ru_utime + usage.ru_stime
    return Finished(usage.ru_maxrss * 1024 / _MIB, seconds, _answered_count(sandbox), rows)


def _answered_count(sandbox: SandboxProcess) -> int:
    """The requests that were not refused, as some are where a run follows another with a budget of its own."""
    return sum(request["status"] == 200 for request in sandbox.requests())


def _finished(sandbox: SandboxProcess, folder: Path, names: Sequence[str], count: int) -> Finished:
    _write(folder, names, count)
    return _end(sandbox, folder)


def _killed(sandbox: SandboxProcess, folder: Path, names: Sequence[str], most: int) -> tuple[int, Finished]:
    """The requests of a run that is killed after ``most`` of them, and the next run of the same command."""
    _write(folder, names, len(names))
    sandbox.forget_requests()
    process = _started(sandbox, folder)
    while len(sandbox.requests()) < most and process.poll() is None:
        time.sleep(_LOOK_SECONDS)
    process.kill()
    process.wait()
    return _answered_count(sandbox), _end(sandbox, folder)


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
