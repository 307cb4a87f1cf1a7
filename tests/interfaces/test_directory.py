"""What directories of MCP servers look at: titles, annotations, names, capabilities, and words that steer nobody."""

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
"""By what they list; the first word is the capability."""
STEERING = {
    r"you (must|should|have to|need to)|must (be|use|call|first)|always|under no circumstances": "orders about",
    r"(ignore|disregard|forget|override) ": "sets other instructions aside",
    r"(instead of|rather than|before|over) (any |all |every )?other (tool|server|source)": "disparages",
    r"do not (use|call|ask|tell|say|mention|show|reveal)|never (use|call|tell|mention|show|reveal)": "forbids",
    r"(secretly|silently|without (asking|telling)|hidden|system prompt|instructions? to you)": "hides something",
    r"important|critical|warning|!": "shouts",
    r"(best|only|most accurate|official|leading) (tool|source|server|database)": "advertises",
    r"(remember|from now on|in every (answer|reply))": "speaks about more than this call",
}
"""Words that tell a model what to do beside choosing this tool, each with why none of our texts may hold them."""


def asked(server, question, era="auto"):
    async def ask():
        async with Client(server, mode=era) as client:
            return await question(client)

    return virtual_time.run(ask())


def whatever_is_listed(server):
    """Each entry of each list that the server has."""

    async def everything(client):
        announced = vars(client.session.server_capabilities)
        return {name: await ask(client) for name, ask in LISTS.items() if announced[name.split()[0]] is not None}

    return asked(server, everything)


@pytest.fixture(scope="module")
def listed():
    """What each server lists."""
    return {name: whatever_is_listed(made()) for name, made in SERVERS.items()}


def entries(listed):
    """Each entry of each list, and the server that it is of."""
    return [(name, entry) for name, lists in listed.items() for some in lists.values() for entry in some]


def test_everything_has_a_title_that_is_no_name(listed):
    titles = [(name, entry.title) for name, entry in entries(listed)]

    assert [one for one in titles if not re.fullmatch(r"[A-Z][\w,: ]*\w", one[1])] == []
    assert sorted(set(titles)) == sorted(titles)


def test_tools_say_that_they_only_read_and_whether_they_ask_a_service(listed):
    tools = [(name, tool) for name, lists in listed.items() for tool in lists["tools"]]

    def hints_of(tool):
        hints = tool.annotations
        return hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint

    assert {(name, tool.name): hints_of(tool) for name, tool in tools} == {
        (name, tool.name): (True, False, True, not any(one.endswith(tool.name) for one in WORKED_OUT_HERE))
        for name, tool in tools
    }


def test_names_are_as_hosts_take_them(listed):
    names = [(name, entry.name) for name, entry in entries(listed)]

    assert [one for one in names if not re.fullmatch(r"[a-z][a-z0-9_]*", one[1])] == []
    assert [one for one in names if len(one[1]) > LONGEST_NAME] == []


def words_of(values):
    """All titles and descriptions of an entry, those of its arguments too."""
    if isinstance(values, dict):
        for name, value in values.items():
            yield from [value] if name in {"title", "description"} and isinstance(value, str) else words_of(value)
    elif isinstance(values, list):
        for value in values:
            yield from words_of(value)


@pytest.mark.parametrize("pattern", STEERING, ids=STEERING.values())
def test_no_words_steer_a_model(listed, pattern):
    steering = re.compile(rf"(?<!\w)({pattern})", re.IGNORECASE)
    texts = [
        (entry.name, words) for _, entry in entries(listed) for words in words_of(entry.model_dump(exclude_none=True))
    ]

    assert [one for one in texts if steering.search(one[1])] == []
    assert len(texts) > 200


@pytest.mark.parametrize("era", [HANDSHAKE, "auto"])
def test_what_is_announced_is_there_and_nothing_else(era):
    async def both(client):
        rows = {}
        for name, ask in LISTS.items():
            with suppress(MCPError):  # Method not found
                rows[name] = len(await ask(client))
        return client.session.server_capabilities.model_dump(exclude_none=True), rows

    told = {name: asked(made(), both, era) for name, made in SERVERS.items()}

    announced = {name: set(capabilities) for name, (capabilities, _) in told.items()}
    counted = {name: rows for name, (_, rows) in told.items()}
    assert {
        name: {one.split()[0] for one, count in rows.items() if count} for name, rows in counted.items()
    } == announced
    assert {name: {one.split()[0] for one in rows} for name, rows in counted.items()} == announced
    changing = [name for name, (parts, _) in told.items() if any(any(part.values()) for part in parts.values())]
    assert changing == [], "no list changes"


@pytest.mark.filterwarnings("ignore:The logging capability is deprecated")
def test_a_level_of_log_messages_is_not_taken_where_none_are_sent():
    with pytest.raises(MCPError, match="Method not found"):
        asked(gateway(), lambda client: client.set_logging_level("info"), HANDSHAKE)


def test_a_server_without_resources_has_no_list_of_them():
    with pytest.raises(MCPError, match="Method not found"):
        asked(source_server("doll", catalog=TOYS), lambda client: client.list_resources())


@pytest.mark.parametrize(
    ("method", "text", "words"),
    [
        ("get_pubmed_links", "List the PubMed articles of a gene.", "get PubMed links"),
        ("get_generifs", "Generifs are GeneRIFs.", "get GeneRIFs"),
        ("resolve_id", "Tell all IDs, such as an rsID or CA ID.", "resolve ID"),
        ("toy_search", "Search toys.", "search"),
    ],
)
def test_a_title_is_spelt_as_the_text_spells_it(method, text, words):
    assert title_of(method, "toy", text) == words
