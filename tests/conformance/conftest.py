"""Chooses the tests of one source."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--source chembl`` runs the tests of that source only."""
    parser.addoption("--source", help="run the conformance suite's tests of this source only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of other sources, and those that are of none."""
    if source := config.getoption("source"):
        chosen = [item for item in items if _is_of(item, source)]
        config.hook.pytest_deselected(items=[item for item in items if not _is_of(item, source)])
        items[:] = chosen


def _is_of(item: pytest.Item, source: str) -> bool:
    """Whether a parameter of a test is the source, or belongs to it, as a case or a tool does."""
    callspec = getattr(item, "callspec", None)
    values = callspec.params.values() if callspec else ()
    return any(source in (value, getattr(value, "source", None)) for value in values)
