"""The tiers of the suite. Every test is marked with one, and pytest runs those that ``--tier`` names, or all.

The mark of a function overrides that of its file. ``quick`` covers everything that a change can break, once, in this
process; ``processes`` starts others: child interpreters, installers, kills, servers on sockets; ``sweep`` goes through
whole recorded corpora, every fault times every tool, long fuzz and chaos; ``extras`` needs more than the extra ``test``
installs.
"""

import os
import platform
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

Row = TypeVar("Row")

TIERS = ("quick", "processes", "sweep", "extras")
MOST_PROCESSES = 12
"""The number of quick tests that may start a process; they are marked ``pytest.mark.quick(starts="what")``."""
SAMPLE = 100

_STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"})


def tier_of(item: pytest.Item) -> pytest.Mark:
    """The mark that says in which tier a test is.

    Raises:
        pytest.UsageError: it has none.
    """
    for mark in item.iter_markers():  # the function's own come first
        if mark.name in TIERS:
            return mark
    raise pytest.UsageError(f"{item.nodeid} has no tier: mark it, or its file, pytest.mark.quick, processes or sweep.")


def sample_and_rest(rows: Sequence[Row], size: int = SAMPLE) -> list[Any]:
    """Two sets of parameters: some of the rows, always the same, for the quick tier; the others for a sweep."""
    sample_places = set(random.Random(len(rows)).sample(range(len(rows)), min(size, len(rows))))
    sample = [row for place, row in enumerate(rows) if place in sample_places]
    rest = [row for place, row in enumerate(rows) if place not in sample_places]
    params = [pytest.param(sample, id="sample", marks=pytest.mark.quick)]
    return [*params, pytest.param(rest, id="rest", marks=pytest.mark.sweep)] if rest else params


class Tiers:
    """The plugin: chooses tests by tier, refuses those without, and processes that a quick test starts."""

    def __init__(self, tiers: Sequence[str]) -> None:
        self._chosen = frozenset(tiers or TIERS)
        self._quick_test: str | None = None
        platform.uname().processor  # noqa: B018  # Python asks the system by a process, once
        sys.addaudithook(self._refuse_process)

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Skip the import of a file without tests in the chosen tiers."""
        if not (collection_path.name.startswith("test_") and collection_path.suffix == ".py"):
            return None
        text = collection_path.read_text("utf-8")
        file_tiers = {tier for tier in TIERS if f"mark.{tier}" in text}
        if "sample_and_rest" in text:
            file_tiers |= {"quick", "sweep"}
        return True if file_tiers and not file_tiers & self._chosen else None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Skip the tests of other tiers."""
        marks = {item: tier_of(item) for item in items}
        process_tests = [
            item.nodeid for item, mark in marks.items() if mark.name == "quick" and mark.kwargs.get("starts")
        ]
        if len(process_tests) > MOST_PROCESSES:
            names = "\n".join(process_tests)
            raise pytest.UsageError(f"More than {MOST_PROCESSES} quick tests start a process:\n{names}")
        unselected_items = [item for item, mark in marks.items() if mark.name not in self._chosen]
        if unselected_items:
            config.hook.pytest_deselected(items=unselected_items)
            items[:] = [item for item, mark in marks.items() if mark.name in self._chosen]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run a quick test, and its setup, so that it can start no process."""
        mark = tier_of(item)
        self._quick_test = item.nodeid if mark.name == "quick" and not mark.kwargs.get("starts") else None
        try:
            return (yield)
        finally:
            self._quick_test = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Detect the processes of multiprocessing, too, which raise no audit event."""
        seconds = _children_seconds()
        result = yield
        if self._quick_test is not None and _children_seconds() > seconds:
            pytest.fail(_SENTENCE.format(self._quick_test))
        return result

    def _refuse_process(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._quick_test is not None and event in _STARTS:
            pytest.fail(_SENTENCE.format(self._quick_test))


_SENTENCE = "{} is a quick test and starts a process: mark it pytest.mark.processes."


def _children_seconds() -> float:
    """Seconds of processor time of ended children; those of multiprocessing are only seen here."""
    return os.times().children_user + os.times().children_system
