"""What directories of MCP servers look at: titles, annotations, names, capabilities, and words that steer nobody."""

import re
from contextlib import suppress

import pytest
from fastmcp import Client
from mcp import MCPError

from biofact.core.titles import title
from biofact.interfaces import every_source
from biofact.interfaces.mcp.gateway import gateway
from biofact.interfaces.mcp.server import source_server
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


@pytest.fixture(scope="module", params=SERVERS)
def listed(request):
    return whatever_is_listed(SERVERS[request.param]())


def entries(listed):
    return [entry for some in listed.values() for entry in some]


def test_everything_has_a_title_that_is_no_name(listed):
    titles = [entry.title for entry in entries(listed)]

    assert all(re.fullmatch(r"[A-Z][\w,: ]*\w", one) for one in titles), titles
    assert len(set(titles)) == len(titles)


def test_tools_say_that_they_only_read_and_whether_they_ask_a_service(listed):
    for tool in listed["tools"]:
        hints = tool.annotations
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (True, False, True)
        is_worked_out_here = any(name.endswith(tool.name) for name in WORKED_OUT_HERE)
        assert hints.open_world_hint is not is_worked_out_here, tool.name


def test_names_are_as_hosts_take_them(listed):
    for entry in entries(listed):
        assert re.fullmatch(r"[a-z][a-z0-9_]*", entry.name)
        assert len(entry.name) <= LONGEST_NAME


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
    for entry in entries(listed):
        for words in words_of(entry.model_dump(exclude_none=True)):
            assert not re.search(rf"(?<!\w)({pattern})", words, re.IGNORECASE), (entry.name, words)


@pytest.mark.parametrize("era", [HANDSHAKE, "auto"])
@pytest.mark.parametrize("source", [None, *every_source.names()])
def test_what_is_announced_is_there_and_nothing_else(source, era):
    async def both(client):
        rows = {}
        for name, ask in LISTS.items():
            with suppress(MCPError):  # Method not found
                rows[name] = len(await ask(client))
        return client.session.server_capabilities.model_dump(exclude_none=True), rows

    announced, rows = asked(source_server(source) if source else gateway(), both, era)

    assert {name.split()[0] for name, count in rows.items() if count} == set(announced)
    assert {name.split()[0] for name in rows} == set(announced)
    assert not any(value for parts in announced.values() for value in parts.values()), "no list changes"


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
    assert title(method, "toy", text) == words
