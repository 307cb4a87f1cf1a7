"""Fixtures and hooks of the whole suite."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from biofact.protocol.releases import CurrentRelease
from biofact.sandbox import Sandbox
from tests.tiers import TIERS, Tiers

# How long examples take to make says how busy the machine is, and nothing of the code.
settings.register_profile("any machine", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

# Hundreds of caches wait for the disk at each commit; in memory, where there is room, they do not.
MEMORY, ROOM = Path("/dev/shm"), 2 << 30
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("TMPDIR", str(MEMORY))
    tempfile.tempdir = None  # pytest has asked for it already, to capture output

# Tokens that the user has for a gateway would close those that are tested.
os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).parent / "no-configuration")

# A shell starts its background jobs with interrupts ignored, and so would be what tests start to interrupt it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Some tests move the clock by years: the notice of an overdue release would be in whichever answer comes first.
CurrentRelease.noted_titles.add("Ensembl")

gc.disable()  # until all tests are there: 13,000 of them make much that lasts and next to no garbage


def pytest_addoption(parser: pytest.Parser) -> None:
    """Choose the tests to run."""
    parser.addoption("--tier", action="append", choices=TIERS, help="run this tier; may be repeated; all without it")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse tests without a tier."""
    config.pluginmanager.register(Tiers(config.getoption("tier")))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests with the corpus of all recorded genes first: one worker of xdist has them then, and builds it."""
    symbols = sys.modules.get("benchmarks.symbols")
    modules = {getattr(item, "module", None) for item in items} - {None}
    corpus_modules = {
        module for module in modules if symbols and any(value is symbols.corpus for value in vars(module).values())
    }
    items.sort(key=lambda item: getattr(item, "module", None) not in corpus_modules)


def pytest_collection_finish() -> None:
    """Exempt long-lived objects from garbage collection, which scanned them again in every test."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def _sandbox():
    """A sandbox on a port, for all code of this process."""
    with Sandbox(rate_factor=100) as sandbox:
        yield sandbox


@pytest.fixture
def on_sandbox(_sandbox, monkeypatch, tmp_path):
    """Point programs of a test at the sandbox, with a new cache; with a key NCBI takes ten requests a second."""
    test_settings = {"BIOFACT_CACHE_DIR": str(tmp_path / "cache"), "NCBI_API_KEY": "made-up"}
    for name, value in {**_sandbox.environment(), **test_settings}.items():
        monkeypatch.setenv(name, value)
