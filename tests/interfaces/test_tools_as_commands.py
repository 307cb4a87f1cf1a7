"""Every tool of every source is a command below it."""

import re

import pytest

from biofact import sources
from biofact.interfaces import every_source
from tests.interfaces.terminal import biofact
from tests.marks import requirement


@requirement("all cli")
@pytest.mark.parametrize("source", sources.names())
def test_every_tool_is_a_command_of_its_source(capsys, monkeypatch, source):
    monkeypatch.setenv("COLUMNS", "120")

    done = biofact(capsys, monkeypatch, source, "--help")

    commands = {name.replace("-", "_") for name in re.findall(r"^│ ([a-z-]+) ", done.stdout, re.MULTILINE)}
    tools = {tool.ref.method.removeprefix(f"{source}_") for tool in every_source.listing(source).tools}
    assert done.returncode == 0
    assert tools
    assert tools <= commands
