"""Runs the official conformance suite of MCP against our server, under every version of the protocol that it knows.

``python tools/conformance.py FOLDER`` takes the suite from a folder that npm has filled. Exit status 0: every failing
check stands in the baseline, and every row of the baseline still fails.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[1]
BASELINE = ROOT / "tests" / "conformance_baseline.toml"
VERSIONS = ("2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
"""Versions of the protocol, as the suite names them."""
EXTENSIONS = "extensions"
"""In place of a version: the scenarios that belong to none."""
_SECONDS = 300
_TIME = re.compile(r"-\d{4}-\d\d-\d\dT[\dZ-]+$")


@dataclass(frozen=True, slots=True, order=True)
class Check:
    """One check of one scenario under one version."""

    version: str
    scenario: str
    check: str
    status: str = "FAILURE"
    message: str = ""

    @property
    def place(self) -> tuple[str, str, str]:
        """The place in the suite."""
        return self.version, self.scenario, self.check


@dataclass(frozen=True, slots=True)
class Row:
    """Checks of one scenario that fail, and why they cannot apply."""

    scenario: str
    checks: tuple[str, ...]
    versions: tuple[str, ...]
    reason: str

    @classmethod
    def read(cls, row: dict[str, Any]) -> Self:
        """A row of the file."""
        return cls(row["scenario"], tuple(row["checks"]), tuple(row["versions"]), row["why"])

    def places(self) -> Iterator[tuple[str, str, str]]:
        """The checks, one by one."""
        for version in self.versions:
            for check in self.checks:
                yield version, self.scenario, check


@dataclass(frozen=True, slots=True)
class Verdict:
    """The disagreements of a run with the baseline."""

    unexpected: list[Check]
    """Failures that stand in no row."""
    stale: list[tuple[str, str, str]]
    """Places of rows at which nothing fails any more."""


def baseline(file: Path = BASELINE) -> tuple[Row, ...]:
    """The rows of the baseline."""
    return tuple(map(Row.read, tomllib.loads(file.read_text("utf-8"))["row"]))


def verdict(checks: Sequence[Check], rows: Sequence[Row]) -> Verdict:
    """The checks of a run compared with the baseline."""
    expected = {place for row in rows for place in row.places()}
    failed = {check.place: check for check in checks if check.status == "FAILURE"}
    unexpected = [check for place, check in failed.items() if place not in expected]
    return Verdict(sorted(unexpected), sorted(expected - failed.keys()))


def figures(checks: Sequence[Check], rows: Sequence[Row]) -> Iterator[str]:
    """A table of what was checked under each version."""
    expected = {place for row in rows for place in row.places()}
    yield f"{'version':<12}{'passed':>8}{'failed':>8}{'baseline':>10}{'warnings':>10}{'skipped':>9}"
    for version in (*VERSIONS, EXTENSIONS, "all"):
        version_checks = [check for check in checks if version in (check.version, "all")]
        count = Counter(check.status for check in version_checks)
        known_failures = len({check.place for check in version_checks if check.status == "FAILURE"} & expected)
        numbers = (
            f"{count['SUCCESS']:>8}{count['FAILURE']:>8}{known_failures:>10}{count['WARNING']:>10}{count['SKIPPED']:>9}"
        )
        yield f"{version:<12}{numbers}"


def checks_of(results: Path, version: str) -> Iterator[Check]:
    """The checks that the suite has written into a folder: ``server-<scenario>-<time>/checks.json``."""
    for file in sorted(results.glob("server-*/checks.json")):
        scenario = _TIME.sub("", file.parent.name.removeprefix("server-"))
        for check in json.loads(file.read_text("utf-8")):
            yield Check(version, scenario, check["id"], check["status"], check.get("errorMessage") or "")


def run(suite: Path) -> list[Check]:
    """All checks: each version's own, and those of the scenarios that belong to none."""
    with suite_server() as url, tempfile.TemporaryDirectory() as folder:
        results = Path(folder)

        def run_version(version: str) -> list[Check]:
            _ask(suite, url, results / version, version)
            return list(checks_of(results / version, version))

        with ThreadPoolExecutor(2) as pool:
            checks_by_version = dict(
                zip((*VERSIONS, EXTENSIONS), pool.map(run_version, (*VERSIONS, EXTENSIONS)), strict=True)
            )
    versioned = {check.scenario for version in VERSIONS for check in checks_by_version[version]}
    checks_by_version[EXTENSIONS] = [
        check for check in checks_by_version[EXTENSIONS] if check.scenario not in versioned
    ]
    return [check for checks in checks_by_version.values() for check in checks]


@contextmanager
def suite_server() -> Iterator[str]:
    """The URL of a server of ours that offers all that the suite expects."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.mcp_suite", "127.0.0.1:0"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None  # noqa: S101  # it is a pipe
            yield server.stderr.readline().split()[-1]
        finally:
            server.terminate()


def _ask(suite: Path, url: str, results: Path, version: str) -> None:
    """Let the suite write its results. It ends with 1 where a check fails, and they are judged here."""
    binaries = suite / "node_modules" / ".bin"
    version_options = [] if version == EXTENSIONS else ["--spec-version", version]
    subprocess.run(
        [binaries / "conformance", "server", "--url", url, "--suite", "all", *version_options, "--output-dir", results],
        env={**os.environ, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.DEVNULL,
        timeout=_SECONDS,
        check=False,
    )
    if not results.is_dir():
        sys.exit(f"The suite wrote no results for {version}; is it installed in {suite}?")


def main() -> int:
    """Run, and say what does not agree with the baseline."""
    rows = baseline()
    checks = run(Path(sys.argv[1]))
    print(*figures(checks, rows), sep="\n")
    judgement = verdict(checks, rows)
    for check in judgement.unexpected:
        print(f"fails: {check.scenario}:{check.check} ({check.version})\n  {check.message}", file=sys.stderr)
    for version, scenario, name in judgement.stale:
        print(f"no longer fails: {scenario}:{name} ({version}); take it out of the baseline", file=sys.stderr)
    return 1 if judgement.unexpected or judgement.stale else 0


if __name__ == "__main__":
    sys.exit(main())
