"""Plants mistakes in a copy of the package, and fails unless the conformance suite sees each of them.

``python tools/mutants.py [WORD ...]`` plants those of ``tools/mutants.toml`` whose name holds one of the words, or all.
Each is planted once for every source that it names, and only the shared tests of that source are run on it.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tools" / "mutants.toml"
LEAST_MISTAKES, LEAST_SOURCES = 15, 2
_HANG_SECONDS = 300.0
_EXAMPLES = "tests/conformance/test_examples.py"
_TESTS = (("tests/conformance", f"--ignore={_EXAMPLES}"), (_EXAMPLES,))
"""Those that need no server first: nearly every mutant is caught by them."""
_TESTS_FAILED = 1  # pytest's exit code; any other means that the tests did not run
_FAILED_TEST = re.compile(r"^FAILED tests/conformance/(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake at one place, for one source."""

    mistake: str
    file: str
    """Below ``src/biofact``."""
    text: str
    """What is replaced; it stands there exactly once."""
    replacement: str
    source: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the suite made of a mutant."""

    mutant: Mutant
    is_caught: bool
    test: str
    """The first test that failed, or why none did."""
    seconds: float


def main(words: Sequence[str]) -> int:
    """The number of mutants that were not caught."""
    every_mutant = list(_mutants())
    _check(every_mutant)
    chosen = [one for one in every_mutant if not words or any(word in one.mistake for word in words)]
    began = time.monotonic()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = [_printed(outcome) for outcome in pool.map(_tested, chosen)]
    missed = sum(not outcome.is_caught for outcome in outcomes)
    minutes = (time.monotonic() - began) / 60
    print(f"{len(outcomes) - missed} of {len(outcomes)} mutants caught in {minutes:.1f} minutes.")
    return missed


def _mutants() -> Iterator[Mutant]:
    for row in tomllib.loads(TABLE.read_text("utf-8"))["mutant"]:
        for source in row["sources"]:
            yield Mutant(row["mistake"], row["file"], row["text"], row["replacement"], source)


def _check(mutants: Sequence[Mutant]) -> None:
    """Refuse a table that does not fit the package, or proves less than it should."""
    wrong = [
        f"{mutant.mistake!r}: {count} times in {mutant.file}, not once: {mutant.text!r}"
        for mutant in mutants
        if (count := (ROOT / "src" / "biofact" / mutant.file).read_text("utf-8").count(mutant.text)) != 1
    ]
    sources = {one.mistake: {other.source for other in mutants if other.mistake == one.mistake} for one in mutants}
    wrong += [f"{name!r} is planted in one source only" for name, own in sources.items() if len(own) < LEAST_SOURCES]
    if len(sources) < LEAST_MISTAKES:
        wrong.append(f"{len(sources)} mistakes are fewer than {LEAST_MISTAKES}")
    if wrong:
        sys.exit("tools/mutants.toml does not fit:\n" + "\n".join(wrong))


def _tested(mutant: Mutant) -> Outcome:
    """Run the shared tests of the mutant's source until one fails."""
    began = time.monotonic()
    code, output = 0, ""
    with _planted(mutant) as folder:
        for tests in _TESTS:
            if code == 0:
                code, output = _pytest(folder, mutant.source, tests)
    failed = _FAILED_TEST.search(output)
    is_caught = code == _TESTS_FAILED and failed is not None
    test = failed[1] if failed else output.strip().rpartition("\n")[2]
    return Outcome(mutant, is_caught, test, time.monotonic() - began)


@contextmanager
def _planted(mutant: Mutant) -> Iterator[Path]:
    """A copy of ``src`` with the mistake in it. All other files are links, so that their bytecode serves."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder) / "src"
        copytree(ROOT / "src", copy, copy_function=_linked)
        path = copy / "biofact" / mutant.file
        text = path.read_text("utf-8")
        path.unlink()
        path.write_text(text.replace(mutant.text, mutant.replacement), "utf-8")
        yield copy


def _linked(source: str, target: str) -> None:
    """Copy by reference; where the file systems differ, by value."""
    try:
        os.link(source, target)
    except OSError:
        Path(target).write_bytes(Path(source).read_bytes())


def _pytest(folder: Path, source: str, tests: Sequence[str]) -> tuple[int, str]:
    """The exit code and what was printed; 124, as of ``timeout``, for tests that do not end."""
    chosen = f"[{source}. or -{source}. or [{source}] or [{source}-"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=no", "-k", chosen]
    environment = {**os.environ, "PYTHONPATH": str(folder), "BIOFACT_MUTANT": str(folder)}
    try:
        finished = subprocess.run(
            [*command, *tests],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_HANG_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, "the tests do not end"
    return finished.returncode, finished.stdout + finished.stderr


def _printed(outcome: Outcome) -> Outcome:
    verdict = "caught" if outcome.is_caught else "MISSED"
    mutant = outcome.mutant
    print(f"{verdict}  {mutant.source:8} {mutant.mistake:44} {outcome.seconds:4.0f} s  {outcome.test:.110}", flush=True)
    return outcome


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
