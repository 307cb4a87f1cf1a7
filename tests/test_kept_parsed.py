"""Cached parsed records change no answer of any source."""

from typing import Any

import pytest
from pydantic import BaseModel

from biofact.core.tool import spec_of
from biofact.interfaces import every_source
from tests import virtual_time
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick


def spoil(value: Any) -> None:
    """Change every list and dictionary within, in place, as a caller can."""
    if isinstance(value, BaseModel):
        for inner in value.__dict__.values():
            spoil(inner)
    elif isinstance(value, dict):
        for inner in list(value.values()):
            spoil(inner)
        value["spoilt"] = "spoilt"
    elif isinstance(value, list):
        for inner in value:
            spoil(inner)
        value[:] = ["spoilt"]


def body_and_meta(answer: Any) -> tuple[Any, Any]:
    """All of an answer except for its duration."""
    return timeless(answer.model_dump()), answer.provenance and answer.provenance.model_dump()


def timeless(value: Any) -> Any:
    if isinstance(value, list):
        return [timeless(inner) for inner in value]
    if isinstance(value, dict):
        return {key: timeless(inner) for key, inner in value.items() if not str(key).endswith("_ms")}
    return value


def one_of_a_tool(examples):
    """The first example of each tool."""
    return list({example.tool: example for example in reversed(examples)}.values())


@pytest.mark.parametrize(
    "choose", [pytest.param(one_of_a_tool, id="one of a tool"), pytest.param(list, id="all", marks=pytest.mark.sweep)]
)
@pytest.mark.parametrize("source", every_source.names())
def test_a_caller_cannot_change_what_the_next_one_gets(source, choose):
    examples = choose([example for example in every_source.examples(source) if example.outcome == "found"])

    async def scenario():
        async with sandboxed(source) as (client, _):

            async def ask(example):
                spec = spec_of(type(client), example.tool)
                return await spec.call(client, example.arguments)

            outcomes = []
            for example in examples:
                await ask(example)  # from the service
                first = await ask(example)  # read from what is kept
                client.transport.cache._recent.clear()
                fetched_again, cached_answer = await ask(example), await ask(example)
                answers = [body_and_meta(answer) for answer in (first, fetched_again, cached_answer)]
                spoil(first)
                spoil(cached_answer)
                outcomes.append((example, [*answers, body_and_meta(await ask(example))]))
            return outcomes

    outcomes = virtual_time.run(scenario())

    for example, (first, *other_answers) in outcomes:
        assert [other == first for other in other_answers] == [True, True, True], example
