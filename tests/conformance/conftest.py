"""Chooses the tests of one source."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--source chembl`` runs the tests of that source only."""
    parser.addoption("--source", help="run the conformance suite's tests of this source only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of other sources, and those that are of none."""
    if source := config.getoption("source"):
        others = [item for item in items if source not in _sources(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]


def _sources(item: pytest.Item) -> set[object]:
    """The source of each parameter of a test: it is one, or belongs to one, as a case or tool does."""
    callspec = getattr(item, "callspec", None)
    return {getattr(value, "source", value) for value in callspec.params.values()} if callspec else set()
