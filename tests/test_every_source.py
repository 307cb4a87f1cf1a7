"""What every source promises, run on its own examples through a real MCP client on the sandbox."""

import asyncio

import jsonschema
import pytest

from biofact import sources
from biofact.core.tool import specs_of
from tests.served import served

CASES = [(source, example) for source in sources.names() for example in sources.examples(source)]
NAMES = [f"{source}_{example.tool}-{dict(example.arguments)}" for source, example in CASES]


def wire_name(source, method):
    return method if method.startswith(f"{source}_") else f"{source}_{method}"


@pytest.fixture(scope="module")
def answers():
    """Every example of every source, asked once."""

    async def ask():
        async with served() as gateway:
            tools = {tool.name: tool for tool in await gateway.client.list_tools()}
            said = [await gateway.call(wire_name(s, e.tool), e.arguments) for s, e in CASES]
            return tools, dict(zip(NAMES, said, strict=True))

    return asyncio.run(ask())


@pytest.mark.parametrize(("name", "case"), list(zip(NAMES, CASES, strict=True)), ids=NAMES)
def test_an_example_has_the_outcome_it_names(answers, name, case):
    said = answers[1][name]
    _, example = case

    assert said.code == example.outcome, said.text
    if example.shows is not None:
        shown = said.body["items"][0] if "items" in said.body else said.body
        assert {key: shown.get(key) for key in example.shows} == dict(example.shows)


@pytest.mark.parametrize(("name", "case"), list(zip(NAMES, CASES, strict=True)), ids=NAMES)
def test_an_answer_fits_its_output_schema(answers, name, case):
    tools, said = answers
    source, example = case

    if not said[name].is_failure:
        jsonschema.validate(said[name].body, tools[wire_name(source, example.tool)].output_schema)


@pytest.mark.parametrize("name", NAMES)
def test_null_stands_only_in_pagination_and_in_the_echo_of_the_input(answers, name):
    def nulls(value, path=()):
        if value is None:
            yield path
        children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, child in children:
            yield from nulls(child, (*path, key))

    outside = [p for p in nulls(answers[1][name].body) if "pagination" not in p and "invalid_input" not in p]

    assert outside == []


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_says_where_it_came_from(answers, name):
    said = answers[1][name]

    if not said.is_failure and said.body.get("items") != []:
        provenance = said.meta["biofact/provenance"]
        assert provenance["from"] in {"sandbox", "cache"}
        assert provenance["url"].startswith("http://127.0.0.1")
        assert "api_key" not in provenance["url"]
        assert "tool=" not in provenance["url"]
        assert "release" not in provenance or provenance["release"]


def test_every_tool_has_an_example_that_is_found_and_one_that_fails():
    for source in sources.names():
        for spec in specs_of(sources.client_class(source)):
            outcomes = {e.outcome for e in sources.examples(source) if e.tool == spec.ref.method}
            assert "found" in outcomes, spec.ref
            assert outcomes - {"found"}, spec.ref


def test_a_failure_recovers_by_following_recovery_alone(answers):
    async def follow():
        async with served() as gateway:
            for name, said in answers[1].items():
                recovery = said.body["error"].get("recovery") if said.is_failure else None
                if recovery and "tool" in recovery:
                    recovered = await gateway.call(recovery["tool"], recovery["arguments"])
                    assert not recovered.is_failure, (name, recovery, recovered.text)
                    yield_count.append(name)

    yield_count: list[str] = []
    asyncio.run(follow())

    assert len(yield_count) >= 3
