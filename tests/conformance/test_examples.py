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
from tests.conformance.cases import all_cases, each_case, each_source
from tests.conformance.claims import holds
from tests.interfaces.ask import ERAS, listed, nulls
from tests.marks import requirement
from tests.served import served

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
SPECS = [spec for name in every_source.toolsets() for spec in specs_of(every_source.client_class(name))]
SERVERS = {"gateway": gateway, **{name: functools.partial(source_server, name) for name in every_source.names()}}
OFFERED = {
    "gateway": [prefixed(spec.ref) for spec in SPECS],
    **{name: [spec.ref.method for spec in SPECS if spec.ref.source == name] for name in every_source.names()},
}
"""What each server lists, by its name there."""
TOOLS = [(server, name) for server, names in OFFERED.items() for name in names]

every_case = each_case(all_cases())
every_era = pytest.mark.parametrize("era", ERAS)
every_tool = pytest.mark.parametrize("tool", TOOLS, ids=" ".join, indirect=True)


@functools.cache
def listing(server):
    return listed(SERVERS[server]())


@pytest.fixture
def tool(request):
    """A tool as a server lists it."""
    server, name = request.param
    return listing(server)[name]


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_lists_the_tools_that_are_declared_and_no_others(server):
    assert sorted(listing(server)) == sorted(OFFERED[server])


@functools.cache
def answers(era, source):
    """Every example of a source, asked once in an era of the protocol; output schemas beside them."""
    own = [case for case in all_cases() if case.source == source]

    async def ask():
        async with served(protocol=era) as server:
            schemas = {tool.name: tool.output_schema for tool in await server.client.list_tools()}
            return schemas, {case: await server.call(prefixed(case.spec.ref), case.arguments) for case in own}

    return virtual_time.run(ask())


def answer(era, case):
    return answers(era, case.source)[1][case]


@requirement("003 RES-examples")
@holds("conformance")
@every_era
@every_case
def test_an_example_has_the_outcome_it_names(era, case):
    reply, example = answer(era, case), case.example

    assert reply.code == example.outcome, reply.text
    assert set(example.notices) <= {notice["code"] for notice in reply.body.get("notices", [])}
    if example.shows is not None:
        shown = case.rows(reply.body)[0]
        assert {key: shown.get(key) for key in example.shows} == dict(example.shows)


@every_era
@every_case
def test_an_answer_fits_its_output_schema(era, case):
    schemas, replies = answers(era, case.source)

    if not replies[case].is_failure:
        Draft202012Validator(schemas[prefixed(case.spec.ref)]).validate(replies[case].body)


@every_era
@every_case
def test_null_stands_only_in_pagination_and_in_the_echo_of_the_input(era, case):
    assert nulls(answer(era, case).body) == []


@every_era
@every_case
def test_an_answer_says_where_it_came_from(era, case):
    reply = answer(era, case)

    if not case.example.is_from_service:
        assert "biofact/provenance" not in reply.meta
    elif not reply.is_failure:
        provenance = reply.meta["biofact/provenance"]
        assert provenance["from"] in {"sandbox", "cache"}
        assert provenance["url"].startswith("http://127.0.0.1")
        assert not any(name in provenance["url"] for name in ("api_key=", "tool=", "email="))


@requirement("001 SC-005", "002 SC-005")
@every_era
@each_source
def test_a_failure_recovers_by_following_recovery_alone(era, source):
    replies = answers(era, source)[1].values()
    recoveries = [reply.body["error"].get("recovery", {}) for reply in replies if reply.is_failure]
    calls = [recovery for recovery in recoveries if "tool" in recovery]

    async def follow():
        async with served() as server:
            return [await server.call(call["tool"], call["arguments"]) for call in calls]

    assert calls
    assert [reply.text for reply in virtual_time.run(follow()) if reply.is_failure] == []


@pytest.mark.parametrize("spec", SPECS, ids=[str(spec.ref) for spec in SPECS])
def test_every_tool_has_an_example_that_finds_something_and_one_that_fails(spec):
    outcomes = {e.outcome for e in every_source.examples(spec.ref.source) if e.tool == spec.ref.method}

    assert "found" in outcomes
    assert outcomes - {"found"}


# A query comes with its lines, exports, peer review and missed articles: four names that an agent has to know of.
WHOLE_COSTS = {"pubmed_generate_query": 500}


@every_tool
def test_a_tool_costs_an_agent_little(tool):
    def cost(*keys):
        return TOKENS.count(json.dumps({key: tool[key] for key in keys}, separators=(",", ":"), ensure_ascii=False))

    assert cost("name", "description", "inputSchema") <= 250
    assert cost("name", "description", "inputSchema", "outputSchema") <= WHOLE_COSTS.get(tool["name"], 450)


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
    assert not any(f"{name}." in tool["description"] for name in every_source.toolsets())
