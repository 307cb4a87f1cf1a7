"""Runs the quick tests near a change: those of the folders of tests that belong to the modules it touches, by imports.

``python tools/near.py [BASE]`` looks at what a branch has changed since it left main, or BASE: its commits, what is not
committed yet, and untracked files.
A changed module brings the folder of tests that is named after its own, and the test files that import it, or a helper
that does; one of a source brings the conformance suite's tests of that source, too. A changed test file brings itself.
"""

import ast
import functools
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
_SHARED_FILES = {"pyproject.toml", "constraints.txt", "tests/conftest.py", "tests/tiers.py"}
"""Files that every test needs."""


@dataclass(slots=True)
class Selection:
    """The tests to run."""

    paths: set[str] = field(default_factory=set)
    """Files and folders, from the root."""
    sources: set[str] = field(default_factory=set)
    """The source whose tests of the conformance suite are run."""


def main(words: list[str]) -> int:
    """Pytest's exit code; 0 where nothing is near."""
    changed = list(_changed(_fork(words[0] if words else "main")))
    selection = select(changed)
    if not selection.paths and not selection.sources:
        print(f"No test is near {', '.join(changed) or 'no change'}.")
        return 0
    print("near:", *sorted(selection.paths), *(f"conformance of {name}" for name in sorted(selection.sources)))
    codes = [_pytest(*sorted(selection.paths))] if selection.paths else []
    codes += [_pytest("tests/conformance", "--source", name) for name in sorted(selection.sources)]
    return max(codes)


def select(changed: Iterable[str]) -> Selection:
    """The tests near changed files, which are named from the root."""
    selection = Selection()
    modules = set()
    for name in changed:
        path = Path(name)
        if name in _SHARED_FILES:
            return Selection({"tests"})
        if path.suffix == ".py" and path.parts[0] == "tests":
            if path.name.startswith("test_") and (ROOT / path).exists():
                selection.paths.add(name)
            modules.add(_module(path))
        elif path.parts[:2] == ("src", "biofact"):
            inner = Path(*path.parts[2:])
            selection.paths |= _own_folder(inner)
            selection.sources |= _sources(inner)
            modules.add(_module(Path(*path.parts[1:])))
        elif path.suffix == ".py":
            modules.add(_module(path))
    selection.paths |= set(_importers(modules))
    selection.paths = {path for path in selection.paths if not _is_within(path, selection.paths)}
    return selection


def _fork(base: str) -> str:
    """The commit at which the branch left ``base``; the last one where there is no such branch."""
    command = ("git", "merge-base", "HEAD", base)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "HEAD"


def _changed(base: str) -> Iterator[str]:
    """Files that differ from a commit, or are new; the old name of a moved one, too."""
    tracked_command = ("git", "diff", "--name-only", "--no-renames", base)
    untracked_command = ("git", "ls-files", "--others", "--exclude-standard")
    for command in (tracked_command, untracked_command):
        yield from subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def _own_folder(inner: Path) -> set[str]:
    """The folder of tests of the nearest folder of a module that has one."""
    folders = (TESTS / parent for parent in inner.parents if parent.parts)
    nearest = next((folder for folder in folders if folder.is_dir()), None)
    shared = {TESTS / "sources", TESTS / "sandbox" / "services"}
    return set() if nearest is None or nearest in shared else {nearest.relative_to(ROOT).as_posix()}


def _sources(inner: Path) -> set[str]:
    """The source that a module, its own or its stand-in's, belongs to."""
    match inner.parts:
        case ("sources", name, _, *_) | ("sandbox", "services", name, _, *_):
            return {name}
    return set()


def _importers(modules: set[str]) -> Iterator[str]:
    """Test files that import one of the modules by name, or a helper of the tests that does."""
    helpers = {_module(path.relative_to(ROOT)) for path in _texts() if _imports_any(path, modules)}
    for path in _texts():
        if path.name.startswith("test_") and "extras" not in path.parts and _imports_any(path, modules | helpers):
            yield path.relative_to(ROOT).as_posix()


@functools.cache
def _texts() -> dict[Path, str]:
    """The text of each file of the tests and benchmarks."""
    return {path: path.read_text("utf-8") for path in (*TESTS.rglob("*.py"), *(ROOT / "benchmarks").glob("*.py"))}


def _imports_any(path: Path, modules: Iterable[str]) -> bool:
    """Whether a file imports one of the modules, as far as the names in it tell."""
    # A file is parsed only if the last part of a name stands in it: parsing them all takes seconds.
    named = {module for module in modules if module.rpartition(".")[2] in _texts()[path]}
    return bool(named) and not named.isdisjoint(_imports(path))


@functools.cache
def _imports(path: Path) -> frozenset[str]:
    """The modules that a file imports."""
    return frozenset(_imported(ast.parse(_texts()[path])))


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):  # no import stands within an expression
            yield from _imported(child)


def _module(path: Path) -> str:
    """The dotted name of a file: ``biofact/core/words.py`` is ``biofact.core.words``."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _is_within(path: str, folders: set[str]) -> bool:
    return any(parent.as_posix() in folders for parent in Path(path).parents)


def _pytest(*words: str) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "--tier", "quick", *words]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
