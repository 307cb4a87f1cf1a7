"""A lookup runs through few modules: those that a reader has to open to follow one."""

import asyncio
import importlib
import pkgutil
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from biofact.core.settings import Settings
from biofact.sandbox import Sandbox
from biofact.sources.entrez.client import EntrezClient
from biofact.transport.stack import Transport

pytestmark = pytest.mark.quick

COLD, MOST_CACHED = 43, 18
"""The most modules that ``get_gene`` may run through when the service is asked, and when the cache has the record;
a gene is made of the answers of two services."""
LAYERS = ("core", "dialects", "protocol", "sources.entrez", "transport")


@contextmanager
def traced_modules() -> Iterator[set[str]]:
    """The modules of biofact in which a Python function runs, in any thread; the sandbox is not counted."""
    modules: set[str] = set()

    def profile(frame: FrameType, event: str, _argument: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.startswith("biofact.") and not name.startswith("biofact.sandbox"):
            modules.add(name)

    before = sys.getprofile()
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        yield modules
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def import_layers() -> None:
    """Import every module that a lookup could import when it is first called."""
    for layer in LAYERS:
        package = importlib.import_module(f"biofact.{layer}")
        for module in pkgutil.walk_packages(package.__path__, f"biofact.{layer}."):
            importlib.import_module(module.name)


async def lookup_paths(folder: str) -> tuple[list[str], list[str]]:
    """The modules of a cold ``get_gene`` on the sandbox, and those of the next one by the same client."""
    import_layers()
    async with Sandbox() as sandbox:
        client = EntrezClient(Transport(Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})))
        lookup: Callable[[str], Awaitable[object]] = client.get_gene
        paths = []
        for _ in range(2):
            with traced_modules() as modules:
                await lookup("NCBIGene:7157")
            paths.append(sorted(modules))
        await client.transport.aclose()
    cold, cached = paths
    return cold, cached


def test_a_lookup_runs_through_few_modules(tmp_path):
    cold, cached = asyncio.run(lookup_paths(str(tmp_path)))

    assert len(cold) <= COLD, "\n".join(cold)
    assert len(cached) <= MOST_CACHED, "\n".join(cached)


def test_a_lookup_without_shared_backends_loads_and_runs_nothing_of_hosting(tmp_path):
    cold, cached = asyncio.run(lookup_paths(str(tmp_path)))

    assert not [module for module in cold + cached if module.startswith("biofact.gateway")]
    assert "biofact.transport.turns.shares" not in cold


if __name__ == "__main__":  # python -m tests.test_module_paths: the two lists
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        for title, path in zip(("cold", "kept"), asyncio.run(lookup_paths(temporary)), strict=True):
            print(f"{title}: {len(path)} modules", *path, sep="\n  ")  # noqa: T201  # it is all that is asked for
