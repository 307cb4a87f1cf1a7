"""Streams that cannot be read or written: the exit status is the documented one, and there is no traceback."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.each_of import each_of

pytestmark = pytest.mark.processes

COMMANDS = {
    "--version": 0,
    "--help": 0,
    "completion bash": 0,
    "find gene": 0,
    "entrez get-gene NCBIGene:672 --sandbox": 0,
    "entrez get-gene p53 --sandbox": 1,
    "literature review": 2,
    "robot": 2,
}
"""The exit status of each command where its streams work."""
NO_ANSWER = (">&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full", ">/dev/full 2>/dev/full")
"""Redirections with which no answer is written."""
NO_MESSAGES = ("2>&-", "2>/dev/full", "<&-", "<&- 2>&-")
NO_READERS = ("| head -c 1", "2>&1 | head -c 1", "| true", "2>&1 | true")
NO_FULL_DEVICE = not Path("/dev/full").exists()
CTRL_C = {130, -signal.SIGINT}
"""Python ends itself by the signal where it came in generated code; a shell shows 130 for both."""


def mixed(redirections):
    """Every redirection with half of the commands, in turn."""
    pairs = [(command, redirection) for redirection in redirections for command in COMMANDS]
    return [pair for place, pair in enumerate(pairs) if (place + place // len(COMMANDS)) % 2 == 0]


def run(command, redirection, folder):
    """The exit status of a command in a shell, and everything that is written where it can be."""
    line = f"set -o pipefail; {shlex.quote(sys.executable)} -m biofact {command} {redirection}"
    environment = {**os.environ, "HOME": str(folder), "BIOFACT_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        ["bash", "-c", line],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def test_the_sandbox_blames_no_port_where_its_address_cannot_be_written(tmp_path):
    check("sandbox --port 0", ">&-", 1, tmp_path)
    check("sandbox --port 0", ">/dev/full", 1, tmp_path)


def check(command, redirection, status, folder):
    if NO_FULL_DEVICE and "/dev/full" in redirection:
        return
    returned, output = run(command, redirection, folder)

    assert "Traceback" not in output, output
    assert "Exception ignored" not in output, output
    assert returned == status, output


@each_of(("command", "redirection"), mixed(NO_ANSWER))
def test_an_answer_that_cannot_be_written_is_a_failure(command, redirection, tmp_path):
    check(command, redirection, COMMANDS[command] or 1, tmp_path)


@each_of(("command", "redirection"), mixed(NO_MESSAGES))
def test_messages_that_cannot_be_written_change_no_exit_status(command, redirection, tmp_path):
    check(command, redirection, COMMANDS[command], tmp_path)


@each_of(("command", "redirection"), mixed(NO_READERS))
def test_a_reader_that_has_read_enough_is_no_failure(command, redirection, tmp_path):
    check(command, redirection, COMMANDS[command], tmp_path)


INTERRUPTED = """
import os, signal, sys
from biofact.__main__ import main

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

module = sys.argv.pop(1)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupt())
sys.exit(main())
"""
"""The command ``biofact``, which gets a Ctrl-C when it imports a module."""
IMPORTS = (
    ("--help", "biofact.interfaces.terminal"),
    ("--help", "biofact.interfaces.log_output"),
    ("--help", "cyclopts"),
    ("find gene", "biofact.interfaces.cli.find_command"),
    ("entrez get-gene NCBIGene:672 --sandbox", "pydantic"),
    ("entrez get-gene NCBIGene:672 --sandbox", "biofact.sources.entrez.client"),
    ("entrez get-gene NCBIGene:672 --sandbox", "httpx2"),
    ("serve --sandbox", "mcp.server"),
)


@each_of(("command", "module"), IMPORTS)
def test_ctrl_c_while_a_module_loads_ends_with_130(command, module, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, module, *command.split()],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "BIOFACT_CACHE_DIR": str(tmp_path)},
        timeout=120,
        check=False,
    )

    assert done.stderr == ""
    assert done.returncode in CTRL_C
