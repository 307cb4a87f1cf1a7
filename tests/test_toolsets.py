"""A new layer adds an entry to the registry of toolsets, and no other code: every interface finds its tools."""

import asyncio
import json
import sys

import pytest
from fastmcp import Client
from tools import generated_parts, tools_page

from biofact import toolsets
from biofact.clients import open_clients
from biofact.interfaces import every_source
from biofact.interfaces.mcp.server import gateway, source_server
from biofact.toolsets import Toolset
from tests.interfaces.terminal import biofact

pytestmark = pytest.mark.quick

ADVICE = "Ask `moon_phase` before a night shift."
ALMANAC = '''
from biofact.core.records import Record
from biofact.core.tool import tool
from biofact.protocol.client import LifeSciencesClient


class Phase(Record):
    """The moon on one day."""

    id: str
    phase: str


class AlmanacClient(LifeSciencesClient):
    """Days to phases of the moon."""

    source_name = "almanac"
    title = "The Almanac"
    services = ()

    @tool
    async def moon_phase(self, day: str) -> Phase:
        """Name the phase of the moon on a day."""
        return Phase(id=f"day:{day}", phase="full")
'''
NOTES = '''
from biofact.core.records import Record
from biofact.core.tool import tool
from biofact.sources.entrez.client import EntrezClient


class Note(Record):
    """A note on a gene."""

    id: str


class NotesClient(EntrezClient):
    """Genes to notes."""

    @tool
    async def get_note(self, gene: str) -> Note:
        """Show the note on a gene."""
        return Note(id=gene)
'''
EXAMPLES = """
from biofact.core.tool import Example

EXAMPLES = (Example({tool!r}, {arguments!r}),)
"""


@pytest.fixture
def registered(tmp_path, monkeypatch):
    """Two more toolsets: an independent one, and one that extends a source."""
    _write_package(tmp_path / "toy_almanac", ALMANAC, "moon_phase", {"day": "2026-11-28"})
    _write_package(tmp_path / "toy_notes", NOTES, "get_note", {"gene": "NCBIGene:672"})
    monkeypatch.syspath_prepend(tmp_path)
    entries = (
        Toolset("almanac", "toy_almanac.client:AlmanacClient", advice=ADVICE),
        Toolset("notes", "toy_notes.client:NotesClient", extends="entrez"),
    )
    monkeypatch.setattr(toolsets, "REGISTERED", (*toolsets.REGISTERED, *entries))
    for file, text in every_source.files("almanac", "entrez").items():
        if file.is_relative_to(tmp_path):
            file.write_text(text, "utf-8")
    _forget_listings()
    yield
    _forget_listings()
    for name in [name for name in sys.modules if name.startswith("toy_")]:
        del sys.modules[name]


def _write_package(folder, client, tool, arguments):
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "client.py").write_text(client, "utf-8")
    (folder / "examples.py").write_text(EXAMPLES.format(tool=tool, arguments=arguments), "utf-8")


def _forget_listings():
    every_source.listing.cache_clear()
    every_source.commands.cache_clear()


async def _tools(server):
    async with Client(server) as client:
        return client.instructions, [tool.name for tool in await client.list_tools()]


def test_its_tools_are_on_the_gateway_under_their_own_names(registered):
    server = gateway()

    async def ask():
        async with Client(server) as client:
            return await client.call_tool("moon_phase", {"day": "2026-11-28"})

    _, names = asyncio.run(_tools(server))
    assert names[:3] == ["resolve", "check_identity", "moon_phase"]
    assert asyncio.run(ask()).structured_content["phase"] == "full"
    assert ADVICE in server.instructions


def test_an_extension_is_listed_with_its_source_on_both_servers(registered):
    _, all_tools = asyncio.run(_tools(gateway()))
    _, own_tools = asyncio.run(_tools(source_server("entrez")))

    assert "entrez_get_note" in all_tools
    assert own_tools[-1] == "get_note"
    assert "moon_phase" not in own_tools


def test_its_tools_are_commands(registered, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")

    run = biofact(capsys, monkeypatch, "moon-phase", "2026-11-28", "--format", "json")
    note = biofact(capsys, monkeypatch, "entrez", "get-note", "NCBIGene:672", "--format", "json")

    assert json.loads(run.stdout)["phase"] == "full"
    assert json.loads(note.stdout)["id"] == "NCBIGene:672"
    assert "│ moon-phase " in biofact(capsys, monkeypatch, "--help").stdout


def test_its_client_is_an_attribute_of_all_clients(registered):
    async def ask():
        async with open_clients() as clients:
            return await clients.almanac.moon_phase("today"), type(clients.notes).__name__, dir(clients)

    phase, notes, names = asyncio.run(ask())

    assert phase.phase == "full"
    assert notes == "NotesClient"
    assert {"almanac", "notes", "identity", "literature", "entrez"} <= set(names)


def test_a_registered_toolset_is_in_the_tables_of_the_docs(registered):
    lines = [*generated_parts.tools_table(), *generated_parts.client_attributes(), *generated_parts.commands_line()]
    page = tools_page.text()

    assert "| `moon_phase` | Name the phase of the moon on a day |" in lines
    assert '    notes: "NotesClient"' in lines
    assert "`biofact moon-phase`" in lines[-1]
    assert "## The Almanac" in page
    assert '| `{"day": "2026-11-28"}` | found |' in page
    assert "### `entrez_get_note`" in page


def test_registered_and_unregistered_names_do_not_meet():
    names = [toolset.name for toolset in toolsets.REGISTERED]

    assert len(set(names)) == len(names)
    assert not set(names) & set(every_source.names())
    assert {toolset.extends for toolset in toolsets.REGISTERED} <= {None, *every_source.names()}
