"""The promises of every source, run on its own examples through a real MCP client on the sandbox."""

import functools
import json

import pytest
from jsonschema import Draft202012Validator
from rs_bpe.bpe import openai

from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from biofact.interfaces.mcp.server import gateway, source_server
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.conformance.cases import all_cases, each_source, first_of_each_tool
from tests.conformance.claims import holds
from tests.conformance.items import check_each, each_tool
from tests.interfaces.ask import HANDSHAKE, MODERN, list_tools, nulls
from tests.marks import requirement
from tests.served import replies, served

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
SPECS = [spec for name in every_source.toolsets() for spec in specs_of(every_source.client_class(name))]
SERVERS = {"gateway": gateway, **{name: functools.partial(source_server, name) for name in every_source.names()}}
SERVED_CASES = {
    "gateway": [prefixed(spec.ref) for spec in SPECS],
    **{name: [spec.ref.method for spec in SPECS if spec.ref.source == name] for name in every_source.names()},
}
"""The tools of each server, by their names there."""

each_server = pytest.mark.parametrize("server", SERVERS)
every_toolset = pytest.mark.parametrize("source", every_source.toolsets())


@functools.cache
def listing(server):
    return list_tools(SERVERS[server]())


@each_server
def test_a_server_lists_the_tools_that_are_declared_and_no_others(server):
    assert sorted(listing(server)) == sorted(SERVED_CASES[server])


@functools.cache
def answers(era, cases):
    """Cases with their answers in an era of the protocol, requested once; and output schemas."""

    async def ask():
        async with served(protocol=era) as server:
            schemas = {tool.name: tool.output_schema for tool in await server.client.list_tools()}
            return schemas, {case: await server.call(prefixed(case.spec.ref), case.arguments) for case in cases}

    return virtual_time.run(ask())


def has_the_outcome_it_names(case, reply, _):
    example = case.example

    assert reply.code == example.outcome, reply.text
    assert set(example.notices) <= {notice["code"] for notice in reply.body.get("notices", [])}
    if example.outcome == "found" and case.spec.returns.listed:
        assert bool(case.rows(reply.body)) != example.is_empty, "an example that finds no row says is_empty=True"
    if example.shows is not None:
        row = case.rows(reply.body)[0]
        assert {key: row.get(key) for key in example.shows} == dict(example.shows)


def fits_its_output_schema(_, reply, schema):
    if not reply.is_failure:
        Draft202012Validator(schema).validate(reply.body)


def has_null_only_in_pagination_and_in_the_echo_of_the_input(_, reply, __):
    assert nulls(reply.body) == []


def names_its_origin(case, reply, _):
    if not case.example.is_from_service:
        assert "biofact/provenance" not in reply.meta
    elif not reply.is_failure:
        provenance = reply.meta["biofact/provenance"]
        assert provenance["from"] in {"sandbox", "cache"}
        assert provenance["url"].startswith("http://127.0.0.1")
        assert not any(name in provenance["url"] for name in ("api_key=", "tool=", "email="))


RULES = (
    has_the_outcome_it_names,
    fits_its_output_schema,
    has_null_only_in_pagination_and_in_the_echo_of_the_input,
    names_its_origin,
)


def of_source(source, choose=all_cases):
    return tuple(case for case in choose() if case.source == source)


def first_of_all_tools():
    return first_of_each_tool(all_cases())


def first_of_all_sources():
    return [*{case.source: case for case in reversed(first_of_all_tools())}.values()]


def assert_every_rule(tool, cases, era):
    schemas, replies = answers(era, cases)
    schema = schemas[prefixed(tool.spec.ref)]
    checks = {f"{rule.__name__} {case}": (rule, case) for case in tool.cases for rule in RULES}

    def check(name):
        rule, case = checks[name]
        rule(case, replies[case], schema)

    check_each(checks, check)


@requirement("003 RES-examples")
@holds("conformance")
@each_tool(all_cases())
def test_an_example_has_the_outcome_it_names(tool):
    assert_every_rule(tool, of_source(tool.source), MODERN)


@holds("conformance")
@each_tool(first_of_all_sources())
def test_an_example_has_the_outcome_it_names_in_the_older_protocol(tool):
    assert_every_rule(tool, of_source(tool.source, first_of_all_sources), HANDSHAKE)


@pytest.mark.sweep
@each_tool(all_cases())
def test_every_example_has_the_outcome_it_names_in_the_older_protocol(tool):
    assert_every_rule(tool, of_source(tool.source), HANDSHAKE)


@requirement("001 SC-005", "002 SC-005")
@pytest.mark.parametrize("era", [MODERN, pytest.param(HANDSHAKE, marks=pytest.mark.sweep)])
@each_source
def test_a_failure_recovers_by_following_recovery_alone(era, source):
    failures = [reply for reply in answers(era, of_source(source))[1].values() if reply.is_failure]
    recoveries = [reply.body["error"].get("recovery", {}) for reply in failures]
    calls = [(recovery["tool"], recovery["arguments"]) for recovery in recoveries if "tool" in recovery]

    assert calls, "no example that fails leads on to another call, as a malformed ID does"
    assert [reply.text for reply in replies(*calls) if reply.is_failure] == []


@every_toolset
def test_every_tool_has_an_example_that_finds_something_and_one_that_fails(source):
    examples = every_source.examples(source)
    outcomes = {
        spec.ref.method: {
            example.outcome for example in examples if example.tool == spec.ref.method and not example.is_empty
        }
        for spec in SPECS
        if spec.ref.source == source
    }

    assert {name for name, tool_outcomes in outcomes.items() if "found" not in tool_outcomes} == set()
    assert {name for name, tool_outcomes in outcomes.items() if not tool_outcomes - {"found"}} == set()


# A query comes with its lines, exports, peer review and missed articles: four names that an agent has to know of.
WHOLE_COSTS = {"pubmed_generate_query": 500}


@each_server
def test_a_tool_costs_an_agent_little(server):
    tools = listing(server)

    def cost(tool, *keys):
        return TOKENS.count(json.dumps({key: tool[key] for key in keys}, separators=(",", ":"), ensure_ascii=False))

    to_call = {name: cost(tool, "name", "description", "inputSchema") for name, tool in tools.items()}
    whole = {name: cost(tool, "name", "description", "inputSchema", "outputSchema") for name, tool in tools.items()}
    assert {name: tokens for name, tokens in to_call.items() if tokens > 250} == {}
    assert {name: tokens for name, tokens in whole.items() if tokens > WHOLE_COSTS.get(name, 450)} == {}


@each_server
def test_a_tool_says_which_facts_it_gives(server):
    def check(name):
        tool = listing(server)[name]
        Draft202012Validator.check_schema(tool["inputSchema"])
        Draft202012Validator.check_schema(tool["outputSchema"])
        properties = tool["outputSchema"]["properties"]
        item = properties["items"]["items"] if "items" in properties else tool["outputSchema"]
        record = item["anyOf"][0] if "anyOf" in item else item

        assert record["properties"]
        assert set(record["required"]) <= set(record["properties"])

    check_each(SERVED_CASES[server], check)


@each_server
def test_a_description_names_tools_as_they_are_called(server):
    descriptions = {name: tool["description"] for name, tool in listing(server).items()}
    dotted_names = [f"{source}." for source in every_source.toolsets()]

    assert [
        name for name, text in descriptions.items() if any(dotted_name in text for dotted_name in dotted_names)
    ] == []
