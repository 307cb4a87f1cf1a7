"""What every source promises, run on its own examples through a real MCP client on the sandbox."""

import functools
import json

import pytest
from jsonschema import Draft202012Validator
from rs_bpe.bpe import openai

from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from biofact.interfaces.mcp.gateway import gateway
from biofact.interfaces.mcp.server import source_server
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.interfaces.ask import ERAS, listed, nulls
from tests.served import served

TOKENS = openai.o200k_base()
SPECS = [spec for name in every_source.names() for spec in specs_of(every_source.client_class(name))]
CASES = {
    f"{spec.ref} {dict(example.arguments)}": (prefixed(spec.ref), example)
    for spec in SPECS
    for example in every_source.examples(spec.ref.source)
    if example.tool == spec.ref.method
}
SERVERS = {"gateway": gateway, **{name: functools.partial(source_server, name) for name in every_source.names()}}
TOOLS = {f"{name} {tool['name']}": tool for name, make in SERVERS.items() for tool in listed(make()).values()}

every_case = pytest.mark.parametrize("case", CASES)
every_tool = pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)


@pytest.fixture(scope="module", params=ERAS)
def answers(request):
    """Every example of every source, asked once in each era of the protocol; output schemas beside them."""

    async def ask():
        async with served(protocol=request.param) as server:
            schemas = {tool.name: tool.output_schema for tool in await server.client.list_tools()}
            said = {case: await server.call(tool, example.arguments) for case, (tool, example) in CASES.items()}
            return schemas, said

    return virtual_time.run(ask())


@every_case
def test_an_example_has_the_outcome_it_names(answers, case):
    said, (_, example) = answers[1][case], CASES[case]

    assert said.code == example.outcome, said.text
    if example.shows is not None:
        spec = next(spec for spec in SPECS if prefixed(spec.ref) == CASES[case][0])
        shown = said.body[spec.returns.listed][0] if spec.returns.listed else said.body
        assert {key: shown.get(key) for key in example.shows} == dict(example.shows)


@every_case
def test_an_answer_fits_its_output_schema(answers, case):
    schemas, said = answers

    if not said[case].is_failure:
        Draft202012Validator(schemas[CASES[case][0]]).validate(said[case].body)


@every_case
def test_null_stands_only_in_pagination_and_in_the_echo_of_the_input(answers, case):
    assert nulls(answers[1][case].body) == []


@every_case
def test_an_answer_says_where_it_came_from(answers, case):
    said, (_, example) = answers[1][case], CASES[case]

    if not example.is_from_service:
        assert "biofact/provenance" not in said.meta
    elif not said.is_failure:
        provenance = said.meta["biofact/provenance"]
        assert provenance["from"] in {"sandbox", "cache"}
        assert provenance["url"].startswith("http://127.0.0.1")
        assert not any(name in provenance["url"] for name in ("api_key=", "tool=", "email="))


def test_a_failure_recovers_by_following_recovery_alone(answers):
    recoveries = [said.body["error"].get("recovery", {}) for said in answers[1].values() if said.is_failure]
    calls = [recovery for recovery in recoveries if "tool" in recovery]

    async def follow():
        async with served() as server:
            return [await server.call(call["tool"], call["arguments"]) for call in calls]

    assert len(calls) >= 3
    assert [said.text for said in virtual_time.run(follow()) if said.is_failure] == []


@pytest.mark.parametrize("spec", SPECS, ids=[str(spec.ref) for spec in SPECS])
def test_every_tool_has_an_example_that_finds_something_and_one_that_fails(spec):
    outcomes = {e.outcome for e in every_source.examples(spec.ref.source) if e.tool == spec.ref.method}

    assert "found" in outcomes
    assert outcomes - {"found"}


@every_tool
def test_a_tool_costs_an_agent_little(tool):
    def cost(*keys):
        return TOKENS.count(json.dumps({key: tool[key] for key in keys}, separators=(",", ":"), ensure_ascii=False))

    assert cost("name", "description", "inputSchema") <= 250
    assert cost("name", "description", "inputSchema", "outputSchema") <= 450


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
    assert not any(f"{name}." in tool["description"] for name in every_source.names())
