"""docs/hosting.md as a new host follows it: its five commands, then its metrics; on the sandbox, and on a free port."""

import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.extras

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "hosting.md").read_text("utf-8")


def blocks() -> list[str]:
    return re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def test_five_commands_lead_to_a_gateway_that_asks_for_tokens_and_shows_metrics(tmp_path):
    commands, metrics = blocks()[:2]
    install, *other_commands = commands.splitlines()
    installed = subprocess.run(
        [sys.executable, "-m", *shlex.split(install), "--dry-run", "--no-deps", "--no-build-isolation"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    script = "\n".join(["set -e", "trap 'kill %1' EXIT", *other_commands, metrics]).replace(" &\n", " --sandbox &\n")
    environment = {
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "HOME": str(tmp_path),
        "NO_PROXY": "127.0.0.1",
    }
    run = subprocess.run(
        ["bash", "-c", script.replace(":8000", f":{free_port()}")],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )

    assert installed.returncode == 0, installed.stderr
    assert "Would install biofact" in installed.stdout
    assert len(other_commands) == 4
    assert run.returncode == 0, run.stdout + run.stderr
    assert '"status"' in run.stdout
    assert "NCBIGene:672" in run.stdout
    assert "biofact_calls_total" in run.stdout
