"""The rules of directories of MCP servers: titles, annotations, names, capabilities, and no words that steer agents."""

import re
from contextlib import suppress

import pytest
from fastmcp import Client
from mcp import MCPError

from biofact.core.tool import title_of
from biofact.interfaces import every_source
from biofact.interfaces.mcp.server import gateway, source_server
from tests import virtual_time
from tests.interfaces.ask import HANDSHAKE
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

LONGEST_NAME = 64
"""Hosts refuse longer ones."""
SERVERS = {"gateway": gateway, **{name: lambda name=name: source_server(name) for name in every_source.names()}}
WORKED_OUT_HERE = {"pubmed_score_articles", "igvf_list_sources"}
LISTS = {
    "tools": lambda client: client.list_tools(),
    "resources": lambda client: client.list_resources(),
    "resources of IDs": lambda client: client.list_resource_templates(),
    "prompts": lambda client: client.list_prompts(),
}
"""Lists of the protocol by their entries; the first word is the capability."""
STEERING_WORDS = {
    r"you (must|should|have to|need to)|must (be|use|call|first)|always|under no circumstances": "orders about",
    r"(ignore|disregard|forget|override) ": "sets other instructions aside",
    r"(instead of|rather than|before|over) (any |all |every )?other (tool|server|source)": "disparages",
    r"do not (use|call|ask|tell|say|mention|show|reveal)|never (use|call|tell|mention|show|reveal)": "forbids",
    r"(secretly|silently|without (asking|telling)|hidden|system prompt|instructions? to you)": "hides something",
    r"important|critical|warning|!": "shouts",
    r"(best|only|most accurate|official|leading) (tool|source|server|database)": "advertises",
    r"(remember|from now on|in every (answer|reply))": "speaks about more than this call",
}
"""Words that instruct a model beyond the choice of this tool, each with the reason that our texts may not have it."""


def ask_server(server, question, era="auto"):
    async def ask():
        async with Client(server, mode=era) as client:
            return await question(client)

    return virtual_time.run(ask())


def whatever_is_listed(server):
    """Each entry of each list that the server has."""

    async def list_everything(client):
        capabilities_announced = vars(client.session.server_capabilities)
        return {
            name: await ask(client)
            for name, ask in LISTS.items()
            if capabilities_announced[name.split()[0]] is not None
        }

    return ask_server(server, list_everything)


@pytest.fixture(scope="module")
def lists_of_servers():
    """The lists of each server."""
    return {name: whatever_is_listed(make_server()) for name, make_server in SERVERS.items()}


def entries(lists_of_servers):
    """Each entry of each list, with its server."""
    return [
        (name, entry)
        for name, lists in lists_of_servers.items()
        for entries_of_kind in lists.values()
        for entry in entries_of_kind
    ]


def test_everything_has_a_title_that_is_no_name(lists_of_servers):
    titles = [(name, entry.title) for name, entry in entries(lists_of_servers)]

    assert [row for row in titles if not re.fullmatch(r"[A-Z][\w,: ]*\w", row[1])] == []
    assert sorted(set(titles)) == sorted(titles)


def test_tools_say_that_they_only_read_and_whether_they_ask_a_service(lists_of_servers):
    tools = [(name, tool) for name, lists in lists_of_servers.items() for tool in lists["tools"]]

    def hints_of(tool):
        hints = tool.annotations
        return hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint

    assert {(name, tool.name): hints_of(tool) for name, tool in tools} == {
        (name, tool.name): (True, False, True, not any(row.endswith(tool.name) for row in WORKED_OUT_HERE))
        for name, tool in tools
    }


def test_names_are_as_hosts_take_them(lists_of_servers):
    names = [(name, entry.name) for name, entry in entries(lists_of_servers)]

    assert [row for row in names if not re.fullmatch(r"[a-z][a-z0-9_]*", row[1])] == []
    assert [row for row in names if len(row[1]) > LONGEST_NAME] == []


def words_of(values):
    """All titles and descriptions of an entry and of its arguments."""
    if isinstance(values, dict):
        for name, value in values.items():
            yield from [value] if name in {"title", "description"} and isinstance(value, str) else words_of(value)
    elif isinstance(values, list):
        for value in values:
            yield from words_of(value)


@pytest.mark.parametrize("pattern", STEERING_WORDS, ids=STEERING_WORDS.values())
def test_no_words_steer_a_model(lists_of_servers, pattern):
    pattern_found = re.compile(rf"(?<!\w)({pattern})", re.IGNORECASE)
    texts = [
        (entry.name, words)
        for _, entry in entries(lists_of_servers)
        for words in words_of(entry.model_dump(exclude_none=True))
    ]

    assert [row for row in texts if pattern_found.search(row[1])] == []
    assert len(texts) > 200


@pytest.mark.parametrize("era", [HANDSHAKE, "auto"])
def test_the_announced_capabilities_are_exactly_those_that_exist(era):
    async def capabilities_and_lists(client):
        rows = {}
        for name, ask in LISTS.items():
            with suppress(MCPError):  # Method not found
                rows[name] = len(await ask(client))
        return client.session.server_capabilities.model_dump(exclude_none=True), rows

    answers = {name: ask_server(make_server(), capabilities_and_lists, era) for name, make_server in SERVERS.items()}

    capabilities_announced = {name: set(capabilities) for name, (capabilities, _) in answers.items()}
    rows_by_server = {name: rows for name, (_, rows) in answers.items()}
    assert {
        name: {row.split()[0] for row, count in rows.items() if count} for name, rows in rows_by_server.items()
    } == capabilities_announced
    assert {name: {row.split()[0] for row in rows} for name, rows in rows_by_server.items()} == capabilities_announced
    servers_with_options = [
        name for name, (parts, _) in answers.items() if any(any(part.values()) for part in parts.values())
    ]
    assert servers_with_options == [], "no list changes"


@pytest.mark.filterwarnings("ignore:The logging capability is deprecated")
def test_a_level_of_log_messages_is_not_taken_where_none_are_sent():
    with pytest.raises(MCPError, match="Method not found"):
        ask_server(gateway(), lambda client: client.set_logging_level("info"), HANDSHAKE)


def test_a_server_without_resources_has_no_list_of_them():
    with pytest.raises(MCPError, match="Method not found"):
        ask_server(source_server("doll", catalog=TOYS), lambda client: client.list_resources())


@pytest.mark.parametrize(
    ("method", "text", "words"),
    [
        ("get_pubmed_links", "List the PubMed articles of a gene.", "get PubMed links"),
        ("get_generifs", "Generifs are GeneRIFs.", "get GeneRIFs"),
        ("resolve_id", "Tell all IDs, such as an rsID or CA ID.", "resolve ID"),
        ("toy_search", "Search toys.", "search"),
    ],
)
def test_a_title_has_the_case_of_the_text(method, text, words):
    assert title_of(method, "toy", text) == words
