"""Types a command as a person does."""

import asyncio
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass

from biofact.__main__ import main
from biofact.core.usage import WrongUsage
from biofact.interfaces.cli import app as cli
from biofact.interfaces.cli import resolve_command, review_commands, tool_command
from biofact.interfaces.clients import open_clients
from tests import virtual_time
from tests.interfaces.toy import TOYS
from tests.sandboxed import LIFE, machine


def run(capsys, *tokens: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of one command."""
    try:
        code = cli.run(tokens, TOYS)
    except WrongUsage as wrong:
        code = wrong.exit_code
        sys.stderr.write(f"error: {wrong}\nhint: {wrong.hint}\n")
    return code, *capsys.readouterr()


@dataclass(frozen=True)
class Done:
    """The exit code and the output of a command."""

    returncode: int
    stdout: str
    stderr: str


def biofact(capsys, monkeypatch, *words: str) -> Done:
    """The command ``biofact``, without a process of its own, which would take half a second for its imports."""
    monkeypatch.setattr(sys, "argv", ["biofact", *words])
    return Done(main(), *capsys.readouterr())


def at_a_terminal(monkeypatch) -> None:
    """Make stdout a terminal."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "dumb")


def ask_in_virtual_time(monkeypatch) -> None:
    """Let commands ask a sandbox in this process, in virtual time."""
    monkeypatch.setattr(asyncio, "run", virtual_time.run)
    for module in (tool_command, resolve_command, review_commands):
        monkeypatch.setattr(module, "open_clients", _open_in_process)


@asynccontextmanager
async def _open_in_process(*, sandbox=False):
    async with machine() as (_, network, settings), open_clients(settings, timing=LIFE, wire=network) as clients:
        yield clients
