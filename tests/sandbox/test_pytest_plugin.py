"""The fixture for other people's tests, in a separate run of pytest."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from biofact import pytest_plugin

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide.md").read_text()
(OF_GUIDE,) = re.findall(r"<!-- run by tests/sandbox/test_pytest_plugin.py -->\n```python\n(.*?)```", GUIDE, re.DOTALL)
REPLACE = """
import asyncio, os, subprocess, sys
import biofact, biofact.sync

IMPORTED = {name for name in sys.modules if name.startswith("biofact.")}
ASK = "from biofact.sync import EntrezClient as E; print(E().get_gene('NCBIGene:7157').symbol)"


def test_nothing_was_imported_before_it_is_used():
    assert IMPORTED == {"biofact.pytest_plugin", "biofact.sync"}  # and no client, nor a sandbox


def test_blocking(biofact_sandbox):
    with biofact.sync.EntrezClient() as entrez:
        assert entrez.get_gene("NCBIGene:7157").symbol == "TP53"
    assert len(biofact_sandbox.requests) == 2  # a summary and a report


def test_asynchronous_and_as_new(biofact_sandbox):
    async def ask():
        async with biofact.open() as clients:
            return await clients.entrez.get_gene("NCBIGene:7157")

    assert biofact_sandbox.requests == []
    assert asyncio.run(ask()).provenance.origin == "sandbox"


def test_in_another_process(biofact_sandbox):
    run = subprocess.run([sys.executable, "-W", "error", "-c", ASK], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("TP53\\\\n", "")
    assert len(biofact_sandbox.requests) == 2  # a summary and a report


def test_the_settings_are_gone_afterwards():
    assert not [name for name in os.environ if name.startswith("BIOFACT_") and name.endswith("_URL")]
""".replace("\\\\n", "\\n")


@pytest.mark.processes
def test_a_test_of_others_asks_a_sandbox_of_its_own(tmp_path):
    (tmp_path / "test_theirs.py").write_text(REPLACE)
    (tmp_path / "test_that_of_the_guide.py").write_text(OF_GUIDE)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-W",
        "error",
        "test_theirs.py",
        "test_that_of_the_guide.py",
    ]

    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert run.returncode == 0, run.stdout
    assert "6 passed" in run.stdout


def test_pytest_finds_it_by_its_entry_point():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project["entry-points"]["pytest11"] == {"biofact": pytest_plugin.__name__}
