"""What holds for the tools of every source, through a real MCP client on the sandbox."""

import asyncio
import functools
import json

import pytest
from fastmcp import Client
from jsonschema import Draft202012Validator
from rs_bpe.bpe import openai

from biofact import sources
from biofact.core.errors import ToolRef
from biofact.core.settings import Settings
from biofact.interfaces.clients import opened
from biofact.interfaces.gateway import gateway
from biofact.interfaces.mcp import source_server
from biofact.interfaces.spelling import prefixed
from biofact.sandbox import Sandbox
from tests.interfaces.ask import ERAS, body, listed, nulls
from tests.sandboxed import FAST, SPEED

TOKENS = openai.o200k_base()
SERVERS = {"gateway": gateway, **{name: functools.partial(source_server, name) for name in sources.names()}}
TOOLS = [(server, tool) for server, make in SERVERS.items() for tool in listed(make()).values()]
EXAMPLES = [(name, example) for name in sources.names() for example in sources.examples(name)]

every_tool = pytest.mark.parametrize("tool", [tool for _, tool in TOOLS], ids=[f"{s}-{t['name']}" for s, t in TOOLS])


def tokens(tool, *keys):
    """What some parts of a tool cost the agent that reads them."""
    return TOKENS.count(json.dumps({key: tool[key] for key in keys}, separators=(",", ":"), ensure_ascii=False))


@every_tool
def test_a_tool_costs_an_agent_little(tool):
    assert tokens(tool, "name", "description", "inputSchema") <= 250
    assert tokens(tool, "name", "description", "inputSchema", "outputSchema") <= 450


@every_tool
def test_a_tool_says_which_facts_it_gives(tool):
    Draft202012Validator.check_schema(tool["inputSchema"])
    Draft202012Validator.check_schema(tool["outputSchema"])
    properties = tool["outputSchema"]["properties"]
    item = properties["items"]["items"] if "items" in properties else tool["outputSchema"]
    record = item["anyOf"][0] if "anyOf" in item else item
    assert record["properties"]
    assert set(record["required"]) <= set(record["properties"])


@every_tool
def test_a_description_names_tools_as_they_are_called(tool):
    for name in sources.names():
        assert f"{name}." not in tool["description"]


@pytest.mark.parametrize("era", ERAS)
def test_every_example_is_answered_as_its_schema_says(era, tmp_path):
    calls = [(prefixed(ToolRef(name, example.tool)), example) for name, example in EXAMPLES]

    async def ask():
        async with Sandbox(rate_factor=SPEED * 1.2) as sandbox:
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": str(tmp_path)})
            async with Client(gateway(opener=functools.partial(opened, settings, timing=FAST)), mode=era) as client:
                schemas = {tool.name: tool.output_schema for tool in await client.list_tools()}
                return schemas, [await client.call_tool_mcp(tool, dict(example.arguments)) for tool, example in calls]

    schemas, results = asyncio.run(ask())

    for (tool, example), result in zip(calls, results, strict=True):
        answer = body(result)
        assert nulls(answer) == []
        if example.outcome == "found":
            Draft202012Validator(schemas[tool]).validate(answer)
            assert result.meta["biofact/provenance"]["from"] in {"sandbox", "cache"}
        else:
            assert (result.is_error, answer["error"]["code"]) == (True, example.outcome)
            assert answer["error"].get("recovery", {"tool": tool})["tool"] in schemas
