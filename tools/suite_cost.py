"""The cost of the suite by folder of tests and tier: the items and the seconds of processor that they use.

``python tools/suite_cost.py [FOLDER]`` runs all tiers but the extras; with a folder its files are the rows. The seconds
are of the test's own process and of those it has started and waited for; collection stands apart.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = "BIOFACT_SUITE_COST"
"""The file to which each process of pytest writes the cost of its tests; not ours to set by hand."""
_TIERS = ("quick", "processes", "sweep")


@dataclass(slots=True)
class Cost:
    """The cost of the tests of one row."""

    items: int = 0
    seconds: float = 0.0
    children_seconds: float = 0.0


def main(words: list[str]) -> int:
    """Pytest's exit code."""
    folder_prefix = words[0].rstrip("/") if words else "tests"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, FOLDER: folder, "PYTHONPATH": str(ROOT / "tools")}
        tiers = [word for tier in _TIERS for word in ("--tier", tier)]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-p", Path(__file__).stem]
        code = subprocess.run([*command, *tiers, folder_prefix], cwd=ROOT, env=environment, check=False).returncode
        _print_table(folder_prefix, Path(folder))
    return code


def _print_table(folder_prefix: str, folder: Path) -> None:
    costs: dict[str, dict[str, Cost]] = defaultdict(lambda: defaultdict(Cost))
    for file in folder.iterdir():
        for line in file.read_text("utf-8").splitlines():
            name, tier, seconds, children_seconds = json.loads(line)
            for row in {_row(folder_prefix, name), "all"} - {""}:
                cost = costs[row][tier]
                cost.items += bool(tier)
                cost.seconds += seconds
                cost.children_seconds += children_seconds
    print(f"| tests | {' | '.join(f'{tier}: items | s' for tier in _TIERS)} |")
    print(f"|---|{'---:|---:|' * len(_TIERS)}")
    for row, by_tier in sorted(costs.items(), key=lambda pair: -pair[1]["quick"].seconds):
        cells = (f"{by_tier[t].items} | {by_tier[t].seconds + by_tier[t].children_seconds:.1f}" for t in _TIERS)
        print(f"| {row} | {' | '.join(cells)} |")
    print(f"Collection took {costs['all'][''].seconds:.1f} s in all workers.")


def _row(folder_prefix: str, name: str) -> str:
    """The folder or file below ``within`` in which a test is."""
    file = name.partition("::")[0]
    if not file.startswith(f"{folder_prefix}/"):
        return file
    first, _, inner = file.removeprefix(f"{folder_prefix}/").partition("/")
    return f"{folder_prefix}/{first}" if inner or folder_prefix != "tests" else "tests/*.py"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Note what a test costs, with what is set up for it."""
    from tests.tiers import tier_of  # noqa: PLC0415  # only there once pytest has begun

    before = os.times()
    result = yield
    _note(item.nodeid, tier_of(item).name, before)
    return result


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note what comes before the first test."""
    if not hasattr(session.config, "workerinput") and session.config.getoption("numprocesses", None):
        return  # the process that hands out the tests collects none
    _note("", "", os.times_result((0.0,) * 5))


def _note(name: str, tier: str, before: os.times_result) -> None:
    now = os.times()
    seconds = now.user + now.system - before.user - before.system
    children = now.children_user + now.children_system - before.children_user - before.children_system
    with (Path(os.environ[FOLDER]) / str(os.getpid())).open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, tier, seconds, children]) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
