"""Every tool of every source is a command below it."""

import re

import pytest

from biofact import sources
from biofact.interfaces import every_source
from biofact.interfaces.spelling import above_sources, subcommand
from tests.interfaces.terminal import biofact, run
from tests.interfaces.toy import ShelfClient, ToyBox, ToyClient
from tests.marks import requirement

pytestmark = pytest.mark.quick


class BelowShelves(ToyBox):
    """Toys, and a client above all sources."""

    clients = {"toy": ToyClient, "identity": type("Shelves", (ShelfClient,), {"source_name": "identity"})}  # noqa: RUF012

    def names(self):
        return ("toy",)

    def toolsets(self):
        return ("identity", "toy")


@requirement("all cli")
def test_every_tool_is_a_command_of_its_source(capsys, monkeypatch, subtests):
    monkeypatch.setenv("COLUMNS", "120")

    for source in sources.names():
        with subtests.test(source):
            done = biofact(capsys, monkeypatch, source, "--help")
            commands = {name.replace("-", "_") for name in re.findall(r"^│ ([a-z-]+) ", done.stdout, re.MULTILINE)}
            tools = {tool.ref.method.removeprefix(f"{source}_") for tool in every_source.listing(source).tools}
            assert done.returncode == 0
            assert tools
            assert tools <= commands


def test_every_tool_that_asks_all_sources_is_a_command_below_none(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    words = [subcommand(tool.ref) for name in above_sources(every_source) for tool in every_source.listing(name).tools]

    overview = biofact(capsys, monkeypatch, "--help").stdout

    assert "resolve" in words
    for word in words:
        assert f"│ {word} " in overview
        assert f"Usage: biofact {word} " in biofact(capsys, monkeypatch, word, "--help").stdout


def test_such_a_command_needs_nothing_but_its_declaration(capsys, monkeypatch):
    monkeypatch.setattr("tests.interfaces.terminal.TOYS", BelowShelves())

    code, out, _ = run(capsys, "look", "top", "--include", "toys", "--format", "tsv")
    help_text = run(capsys, "look", "--help")[1]

    assert code == 0
    assert out.splitlines()[0].startswith("list\tid\tname")
    assert "Usage: biofact look SHELF... [OPTIONS]" in help_text
    assert "│ look " in run(capsys, "--help")[1]
    assert run(capsys, "toy", "get-toy", "TOY:8")[0] == 0
