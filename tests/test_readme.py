"""The examples of the README run, and print the output shown there."""

import json

import pytest

from tests import documents
from tests.documents import is_shown, run_program

pytestmark = pytest.mark.quick

README = documents.read("README.md")
COMMANDS = documents.commands(README)
PROGRAMS = documents.blocks(README, "python")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.line)
def test_a_command_prints_what_the_readme_shows(command, capsys, monkeypatch):
    assert "--sandbox" in command.words

    done = documents.typed(command, capsys, monkeypatch)

    assert is_shown(command.expected_output, done.stdout + done.stderr), done.stdout + done.stderr
    assert done.returncode == (1 if "error:" in command.expected_output else 0)


def test_the_programs_run(on_sandbox):
    blocking, asynchronous = PROGRAMS

    first, second = run_program(blocking).splitlines()

    assert first == "TP53 HGNC:11998"
    assert "search_genes" in second
    assert run_program(asynchronous) == "['BRCA1', 'TP53']\n"


def test_the_entry_is_json():
    (entry,) = documents.blocks(README, "json")

    assert json.loads(entry) == {"mcpServers": {"biofact": {"command": "biofact", "args": ["serve"]}}}


def test_the_readme_has_commands_and_programs():
    assert len(COMMANDS) >= 9
    assert len(PROGRAMS) == 2
