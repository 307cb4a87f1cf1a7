"""The cost of a change: processor time of the same work by an earlier revision and by this tree, measured by turns.

``python -m benchmarks.revisions REVISION [--rounds 7] [--json FILE]``. The revision is checked out into a temporary
folder. Each round runs ``benchmarks/revision_work.py`` once with either tree, in processes of their own and in
alternating order, so that a busy machine slows both. A figure is the median of the rounds' ratios; 1.05 is the bar.
"""

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from benchmarks.report import Result, at_most, write_report

ROOT = Path(__file__).parents[1]
WORK = Path(__file__).with_name("revision_work.py")
BAR = 1.05
Seconds = dict[str, float]
"""Processor seconds, by the kind of work."""


def main() -> int:
    """Measure, print the table, and fail when something has become slower."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", help="the earlier commit")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    return write_report(measure(options.revision, options.rounds), options.json)


def measure(revision: str, rounds: int) -> list[Result]:
    """The ratio of this tree to the revision, for each kind of work."""
    with tempfile.TemporaryDirectory(prefix="biofact-revision-") as folder:
        check_out(revision, Path(folder))
        trees = (Path(folder), ROOT)
        _round(trees)  # compiles both to bytecode, and fills the file cache
        turns = [_round(trees, is_turned=bool(number % 2)) for number in range(rounds)]
    return [_result(kind, [(before[kind], after[kind]) for before, after in turns]) for kind in turns[0][0]]


def check_out(revision: str, folder: Path) -> None:
    """Write the sources of a revision into a folder."""
    command = ["git", "-C", str(ROOT), "archive", "--format=tar", revision, "src"]
    archive = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")


def _round(trees: tuple[Path, ...], *, is_turned: bool = False) -> tuple[Seconds, ...]:
    seconds = {tree: work_seconds(tree) for tree in (trees[::-1] if is_turned else trees)}
    return tuple(seconds[tree] for tree in trees)


def work_seconds(tree: Path) -> Seconds:
    """The processor seconds of all work by one tree."""
    with tempfile.TemporaryDirectory(prefix="biofact-work-") as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPATH": str(tree / "src"), "BIOFACT_CACHE_DIR": folder}
        command = [sys.executable, "-P", str(WORK), str(tree / "src")]  # -P: this folder has an http.py
        output = subprocess.run(command, stdout=subprocess.PIPE, env=environment, cwd=folder, check=True).stdout
    seconds: Seconds = json.loads(output)
    return seconds


def _result(kind: str, turns: list[tuple[float, float]]) -> Result:
    before, after = (statistics.median(seconds) for seconds in zip(*turns, strict=True))
    figure = statistics.median(after / before for before, after in turns)
    note = f"medians {after * 1000:.0f} ms beside {before * 1000:.0f} ms"
    return at_most(kind, figure, BAR, "x", note=note)


if __name__ == "__main__":
    sys.exit(main())
