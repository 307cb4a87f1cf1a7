"""Chooses the tests of one source."""

import re

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--source chembl`` runs the tests of that source only."""
    parser.addoption("--source", help="run the conformance suite's tests of this source only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip the tests of other sources, and those without a source."""
    if source := config.getoption("source"):
        selected = [item for item in items if _is_of(item, source)]
        config.hook.pytest_deselected(items=[item for item in items if not _is_of(item, source)])
        items[:] = selected


def _is_of(item: pytest.Item, source: str) -> bool:
    """Whether a parameter of a test is the source, or belongs to it, as a case or a tool does: by the test's ID."""
    callspec = getattr(item, "callspec", None)
    return callspec is not None and re.search(rf"(?:^|-){source}(?:[.-]|$)", callspec.id) is not None
