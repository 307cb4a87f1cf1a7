"""The test behind each claim of a source's ``quality.toml``."""

import importlib
import pkgutil
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tests
from biofact import sources
from tests import conformance
from tests.marks import Test, mark

FOLDER = Path(sources.__file__).parent


def holds(claim: str) -> Callable[[Test], Test]:
    """Mark a test as the proof of ``claim`` for the sources that it runs on."""
    return mark("claim", claim)


def quality(source: str) -> dict[str, dict[str, str]]:
    """The ``quality.toml`` of a source: tier, claim, ``done`` or why it is exempt."""
    return tomllib.loads((FOLDER / source / "quality.toml").read_text())


def done(source: str) -> set[str]:
    """The claims that a source makes."""
    return {claim for tier in quality(source).values() for claim, value in tier.items() if value == "done"}


def exempt(source: str) -> set[str]:
    """The claims that a source says it cannot make; none of a toolset that is no source."""
    if source not in sources.names():
        return set()
    return {claim for tier in quality(source).values() for claim, value in tier.items() if value.startswith("exempt")}


OWN_TESTS = Path(tests.__path__[0]) / "sources"


def held_claims() -> dict[tuple[str, str], set[str]]:
    """The tests behind each claim of each source, read off the decorators of this folder's tests and of its own."""
    tests_by_claim: dict[tuple[str, str], set[str]] = defaultdict(set)
    for source in sources.names():
        for test in _own_tests(source):
            tests_by_claim[source, test.claim].add(test.__name__)
    for test in _shared_tests():
        for source in _sources_of(test):
            tests_by_claim[source, test.claim].add(test.__name__)
    return tests_by_claim


def _shared_tests() -> Iterator[Any]:
    for module in pkgutil.iter_modules(conformance.__path__, f"{conformance.__name__}."):
        if module.name.rpartition(".")[2].startswith("test_"):
            yield from _marked_tests(module.name)


def _own_tests(source: str) -> Iterator[Any]:
    """The files in the source's folder with tests of its claims; the other files need not be imported for this."""
    for path in sorted((OWN_TESTS / source).glob("test_*.py")):
        if "@holds(" in path.read_text("utf-8"):
            yield from _marked_tests(f"tests.sources.{source}.{path.stem}")


def _marked_tests(module: str) -> Iterator[Any]:
    members = vars(importlib.import_module(module)).items()
    return (member for name, member in members if name.startswith("test_") and hasattr(member, "claim"))


def _sources_of(test: Any) -> set[str]:
    """The sources with a case of a test: the cases are in its first argument."""
    marks = [mark for mark in test.pytestmark if mark.name == "parametrize"]
    (rows,) = (mark.args[1] for mark in marks if _names(mark)[0] in _BY_SOURCE)
    values = [row.values[0] if isinstance(row, pytest.ParameterSet) else row for row in rows]
    return {getattr(value, "source", value) for value in values}


def _names(mark: pytest.Mark) -> list[str]:
    names = mark.args[0]
    return names.split(",") if isinstance(names, str) else [*names]


_BY_SOURCE = {"case", "tool", "source"}
