"""The examples of the README run, and print what it says they print."""

import asyncio
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from biofact.sandbox import Sandbox
from tests.interfaces.terminal import biofact

README = (Path(__file__).parents[1] / "README.md").read_text()
CONSOLE = "".join(re.findall(r"```console\n(.*?)```", README, re.DOTALL))
COMMANDS = [block.split("\n", 1) for block in re.split(r"^\$ ", CONSOLE, flags=re.MULTILINE)[1:]]
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def run(command, **environment):
    whole = {**os.environ, "COLUMNS": "200", **environment}
    return subprocess.run(command, capture_output=True, text=True, env=whole, timeout=300, check=False)


def is_shown(shown, printed):
    """Whether these lines are printed; ``...`` stands for any number of lines, or for the rest of one."""
    pattern = re.escape(shown.strip()).replace(re.escape("..."), r"(?s:.*?)")
    return re.search(pattern, printed) is not None


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_a_command_prints_what_the_readme_shows(command, shown, capsys, monkeypatch):
    program, *words = shlex.split(command)
    assert program == "biofact"
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NCBI_API_KEY", "made-up")  # makes the sandbox three times as quick, and shows nowhere

    done = biofact(capsys, monkeypatch, *words)

    assert is_shown(shown, done.stdout + done.stderr), done.stdout + done.stderr
    assert done.returncode == (1 if "error:" in shown else 0)


def test_the_program_runs(tmp_path):
    async def on_sandbox():
        async with Sandbox() as sandbox:
            settings = {**sandbox.environment(), "BIOFACT_CACHE_DIR": str(tmp_path)}
            return await asyncio.to_thread(run, [sys.executable, "-c", PYTHON[0]], **settings)

    done = asyncio.run(on_sandbox())

    first, second = done.stdout.splitlines()
    assert first == "TP53 HGNC:11998 sandbox"
    assert "search_genes" in second
    assert done.stderr == ""


def test_the_readme_has_commands_and_a_program():
    assert len(COMMANDS) >= 4
    assert len(PYTHON) == 1
