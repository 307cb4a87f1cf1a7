"""Calls as hosts write them, through a real MCP client: accepted if that is no guess, else refused with a recovery."""

import asyncio
import functools
import json

import pytest

from biofact.core.errors import ToolRef
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.hosts import HABITS, REFUSALS, WHOLE, short, specs
from tests.served import served

pytestmark = pytest.mark.quick

SPECS = {str(spec.ref): spec for spec in specs()}
_CHANGING_FIELDS = {"search_time_ms", "processing_time_ms"}


@pytest.fixture(scope="module")
def ask():
    """Calls a tool of one gateway for the whole module."""
    with asyncio.Runner(loop_factory=virtual_time.VirtualLoop) as runner:
        context = served()
        gateway = runner.run(context.__aenter__())
        yield lambda name, arguments: runner.run(gateway.call(name, arguments))
        runner.run(context.__aexit__(None, None, None))


def gateway_name(tool):
    return prefixed(ToolRef(*tool.split(".")))


def steady(value):
    """An answer without its durations."""
    if isinstance(value, dict):
        return {name: steady(part) for name, part in value.items() if name not in _CHANGING_FIELDS}
    return [steady(part) for part in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def expected(ask):
    """A tool's answer to a call in the form of its schema."""

    @functools.cache
    def cached_answer(tool, is_short):
        answer = ask(gateway_name(tool), call(tool, is_short))
        assert not answer.is_failure, answer.text
        return steady(answer.body)

    return cached_answer


def call(tool, is_short):
    return short(SPECS[tool], WHOLE[tool]) if is_short else WHOLE[tool]


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.sweep)])
@pytest.mark.parametrize(
    ("place", "habit"),
    list(enumerate(HABITS)),
    ids=lambda part: "" if isinstance(part, int) else f"{part.name}{' of short calls' * part.is_of_short_calls}",
)
def test_a_call_as_hosts_write_it_is_answered_like_one_as_the_schema_has_it(ask, expected, habit, place, step):
    variants = {tool: habit.write(SPECS[tool], call(tool, habit.is_of_short_calls)) for tool in WHOLE}
    changed = [tool for tool in WHOLE if json.dumps(variants[tool]) != json.dumps(call(tool, habit.is_of_short_calls))]
    wrong = {}
    for tool in changed[place % step :: step] or changed:
        answer = ask(gateway_name(tool), variants[tool])
        if steady(answer.body) != expected(tool, habit.is_of_short_calls):
            wrong[tool] = (variants[tool], answer.text[:500])

    assert wrong == {}
    assert changed


def test_a_call_that_would_be_a_guess_is_refused_with_the_call_that_helps(ask):
    wrong = {f"{case.tool} {case.arguments}": complaints for case in REFUSALS if (complaints := [*misses(ask, case)])}

    assert wrong == {}


def misses(ask, case):
    """The faults in the answer to a call with guessed arguments."""
    answer = ask(case.tool, case.arguments)
    if answer.code != case.code:
        yield answer.text
        return
    error = answer.body["error"]
    if case.message not in error["message"]:
        yield f"the message {error['message']}"
    if not error["recovery_hint"]:
        yield "no hint"
    if error.get("recovery", {}).get("arguments") != case.recovery:
        yield f"the recovery {error.get('recovery')}"
    elif case.recovery and (recovery_reply := ask(error["recovery"]["tool"], case.recovery)).is_failure:
        yield f"a recovery that fails: {recovery_reply.text}"
