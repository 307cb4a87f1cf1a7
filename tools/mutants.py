"""Plants mistakes in a copy of the package, and fails unless quick tests see each of them.

``python tools/mutants.py [WORD ...]`` plants those of ``tools/mutants.toml`` whose name holds one of the words, or all.
A mistake with ``sources`` is planted once for each of them and has to be seen by the conformance suite's tests of that
source; any other by the tests of its own folder, or of those that ``tests`` names. ``tier`` is where a mistake that no
quick test can see has to be seen. With ``--families`` no run ends at the first failure, and a table at the end has the
test files with the mistakes that they see, and those that they alone see. At last every test that saw a mistake is run
without any: one that fails there has seen nothing.
"""

import multiprocessing
import os
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tools" / "mutants.toml"
LEAST_MISTAKES, LEAST_SOURCES = 64, 2
_CONFORMANCE = "tests/conformance"
_HANG_SECONDS = 300
_WARM = [
    *("bm25s", "cyclopts", "defusedxml.ElementTree", "fastmcp", "fastmcp.client", "h11", "httpx2", "hypothesis"),
    *("jsonschema", "mcp", "numpy", "orjson", "pydantic", "pytest", "rich.console", "rich.table", "rs_bpe", "uvicorn"),
]
"""The imports of the process that all runs are forks of: nothing of ours."""
_TESTS_FAILED = 1  # pytest's exit code; any other means that the tests did not run


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake at one place."""

    mistake: str
    file: str
    """Below ``src/biofact``."""
    text: str
    """The text to replace, which the file has exactly once."""
    replacement: str
    tests: Sequence[str]
    """Folders or files, one of whose tests has to fail."""
    source: str = ""
    """The source whose tests alone are run."""
    tier: str = "quick"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of the tests for a mutant."""

    mutant: Mutant
    tests: Sequence[str]
    """The tests that failed."""
    reason: str
    """Why none did."""
    seconds: float


def main(words: Sequence[str]) -> int:
    """The number of mutants that were not caught."""
    is_whole = "--families" in words
    words = [word for word in words if word != "--families"]
    every_mutant = list(_mutants())
    _check(every_mutant)
    mutants = [mutant for mutant in every_mutant if not words or any(word in mutant.mistake for word in words)]
    start = time.monotonic()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_WARM)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context, max_tasks_per_child=1) as pool:
        runs = pool.map(_test, mutants, [is_whole] * len(mutants))
        outcomes = [_print(outcome) for outcome in runs]
        tests = sorted({test for outcome in outcomes for test in outcome.tests})
        blind = pool.submit(_test, Mutant("none", "__init__.py", "", "", tests, tier=""), True).result().tests
    for test in blind:
        print(f"{test} fails without a mistake, too.")
    misses = sum(not set(outcome.tests).difference(blind) for outcome in outcomes)
    minutes = (time.monotonic() - start) / 60
    mistakes = len({outcome.mutant.mistake for outcome in outcomes})
    print(f"{len(outcomes) - misses} of {len(outcomes)} mutants ({mistakes} mistakes) caught in {minutes:.1f} minutes.")
    if is_whole:
        _print_families(outcomes, blind)
    return misses


def _mutants() -> Iterator[Mutant]:
    for row in tomllib.loads(TABLE.read_text("utf-8"))["mutant"]:
        place = row["mistake"], row["file"], row["text"], row["replacement"]
        for source in row.get("sources", ()):
            yield Mutant(*place, [_CONFORMANCE], source)
        if "sources" not in row:
            yield Mutant(*place, row.get("tests") or [_own_tests(row["file"])], tier=row.get("tier", "quick"))


def _own_tests(file: str) -> str:
    """The folder of tests that corresponds to the nearest folder of a module."""
    folders = (ROOT / "tests" / parent for parent in Path(file).parents)
    return next(folder for folder in folders if folder.is_dir()).relative_to(ROOT).as_posix()


def _check(mutants: Sequence[Mutant]) -> None:
    """Refuse a table that does not fit the package, or proves less than it should."""
    wrong = [
        f"{mutant.mistake!r}: {count} times in {mutant.file}, not once: {mutant.text!r}"
        for mutant in mutants
        if (count := (ROOT / "src" / "biofact" / mutant.file).read_text("utf-8").count(mutant.text)) != 1
    ]
    wrong += [f"{mutant.mistake!r} is to be seen by the whole suite" for mutant in mutants if "tests" in mutant.tests]
    sources = {
        mutant.mistake: {other.source for other in mutants if other.mistake == mutant.mistake} for mutant in mutants
    }
    wrong += [
        f"{name!r} is planted in one source only"
        for name, mistake_sources in sources.items()
        if mistake_sources != {""} and len(mistake_sources) < LEAST_SOURCES
    ]
    if len(sources) < LEAST_MISTAKES:
        wrong.append(f"{len(sources)} mistakes are fewer than {LEAST_MISTAKES}")
    if wrong:
        sys.exit("tools/mutants.toml does not fit:\n" + "\n".join(wrong))


def _test(mutant: Mutant, is_whole: bool) -> Outcome:
    """Run the tests of a mutant, until one fails or all of them. In a process of its own, which imports the mutant."""
    start = time.monotonic()
    with _plant(mutant) as folder, tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
        sys.path[:0] = [str(folder / "src"), str(folder)]
        os.environ["PYTHONPATH"] = str(folder / "src")  # for processes that tests start
        os.environ.setdefault("BIOFACT_RECORDINGS", str(ROOT.parent / "shared" / "upstream"))
        os.chdir(folder)
        signal.signal(signal.SIGALRM, _end_hanging)
        signal.alarm(_HANG_SECONDS)
        code, failed = _pytest(mutant, is_whole=is_whole)
        signal.alarm(0)
        imported = sys.modules["biofact"].__file__ or ""
        if not Path(imported).is_relative_to(folder):
            raise RuntimeError(f"the tests imported {imported!r}, not the mutant")
        output.seek(0)
        reason = output.read().strip().rpartition("\n")[2]
    return Outcome(mutant, failed if code == _TESTS_FAILED else (), reason, time.monotonic() - start)


def _end_hanging(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt("the tests do not end")


def _pytest(mutant: Mutant, *, is_whole: bool) -> tuple[int, Sequence[str]]:
    """The exit code, and which tests failed."""
    import pytest  # noqa: PLC0415  # the process that starts the runs needs none

    words = ["-q", "-p", "no:cacheprovider", "--tb=no"]
    words += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis and anyio are there already
    words += ["--tier", mutant.tier] if mutant.tier else []
    if mutant.source:
        words += ["--source", mutant.source]
    if not is_whole:
        words.append("-x")
    plugin = _Failures(Path(mutant.file).stem)
    return int(pytest.main([*words, *mutant.tests], plugins=[plugin])), [*plugin.failed]


class _Failures:
    """Notes the tests that fail; has pytest begin with the files that name the mutated module most often."""

    def __init__(self, name: str) -> None:
        self.failed: dict[str, None] = {}
        self._name = name
        self._counts: dict[Path, int] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Put the nearest first; else they keep their order."""
        items.sort(key=lambda item: -self._count(item.path))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure."""
        if report.failed:
            self.failed[report.nodeid] = None

    def _count(self, path: Path) -> int:
        if path not in self._counts:
            self._counts[path] = path.read_text("utf-8").count(self._name)
        return self._counts[path]


@contextmanager
def _plant(mutant: Mutant) -> Iterator[Path]:
    """A copy of the repository with the mistake in it. All other files are links, so that their bytecode serves."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mutant-", dir=build) as folder:
        copy = Path(folder) / "biofact"
        copytree(ROOT, copy, copy_function=_linked, ignore=ignore_patterns(".*", "build", "*.egg-info"))
        path = copy / "src" / "biofact" / mutant.file
        text = path.read_text("utf-8")
        path.unlink()
        path.write_text(text.replace(mutant.text, mutant.replacement) if mutant.text else text, "utf-8")
        yield copy


def _linked(source: str, target: str) -> None:
    """Copy by reference; where the file systems differ, by value."""
    try:
        os.link(source, target)
    except OSError:
        Path(target).write_bytes(Path(source).read_bytes())


def _print(outcome: Outcome) -> Outcome:
    verdict = "caught" if outcome.tests else "MISSED"
    mutant = outcome.mutant
    place = mutant.source or mutant.file.partition("/")[0]
    first_test = next(iter(outcome.tests), outcome.reason)
    print(f"{verdict}  {place:10} {mutant.mistake:50.50} {outcome.seconds:4.0f} s  {first_test:.110}", flush=True)
    return outcome


def _print_families(outcomes: Sequence[Outcome], blind: Sequence[str]) -> None:
    """The test files with the number of mutants that they see, and that no other sees."""
    catches: Counter[str] = Counter()
    sole_catches: Counter[str] = Counter()
    for outcome in outcomes:
        files = {test.partition("::")[0] for test in outcome.tests if test not in blind}
        catches.update(files)
        sole_catches.update(files if len(files) == 1 else ())
    for file, count in catches.most_common():
        print(f"{count:4} seen, {sole_catches[file]:3} by it alone  {file}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
