"""Finds what the extras need; where CI requires it, its absence is a failure and no skip."""

import importlib.util
import os
import shutil

import pytest


def redis_server() -> str:
    """The redis-server binary; skips the whole module, in one line, where it or the redis package is missing."""
    binary = shutil.which("redis-server")
    if binary is not None and importlib.util.find_spec("redis") is not None:
        return binary
    missing = "no redis: make test-extras installs the package; redis-server comes from the system"
    if os.environ.get("BIOFACT_REQUIRE_EXTRAS", "") == "1":
        raise RuntimeError(missing)
    pytest.skip(missing, allow_module_level=True)
