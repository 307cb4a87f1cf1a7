"""Finds what the extras need; where CI requires it, its absence is a failure and no skip."""

import importlib.util
import os
import shutil
from typing import NoReturn

import pytest


def redis_server() -> str:
    """The redis-server binary; skips the whole module, in one line, where it or the redis package is missing."""
    binary = shutil.which("redis-server")
    if binary is None or importlib.util.find_spec("redis") is None:
        _missing("no redis: make test-extras installs the package; redis-server comes from the system")
    return binary


def rdkit() -> None:
    """Skips the whole module, in one line, where RDKit is missing."""
    if importlib.util.find_spec("rdkit") is None:
        _missing("no rdkit: make test-extras installs it")


def scikit_learn() -> None:
    """Skips the whole module, in one line, where scikit-learn or skops is missing."""
    if importlib.util.find_spec("sklearn") is None or importlib.util.find_spec("skops") is None:
        _missing("no scikit-learn: make test-extras installs it and skops")


def chromium() -> str:
    """The browser; skips the whole module, in one line, where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    binary = next(filter(None, map(shutil.which, names)), None)
    if binary is None:
        _missing("no chromium: it comes from the system (apt-get install chromium)")
    return binary


def _missing(what: str) -> NoReturn:
    if os.environ.get("BIOFACT_REQUIRE_EXTRAS", "") == "1":
        raise RuntimeError(what)
    pytest.skip(what, allow_module_level=True)
