"""Calls as hosts write them, through a real MCP client: taken where that is no guess, else refused with a way on."""

import asyncio

import pytest

from biofact.core.errors import ToolRef
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.hosts import HABITS, REFUSED, WHOLE, short, specs
from tests.served import served

pytestmark = pytest.mark.quick

SPECS = {str(spec.ref): spec for spec in specs()}
_CHANGING = {"search_time_ms", "processing_time_ms"}


@pytest.fixture(scope="module")
def ask():
    """Calls a tool of one gateway that lasts for the whole module."""
    with asyncio.Runner(loop_factory=virtual_time.VirtualLoop) as runner:
        context = served()
        gateway = runner.run(context.__aenter__())
        yield lambda name, arguments: runner.run(gateway.call(name, arguments))
        runner.run(context.__aexit__(None, None, None))


def gateway_name(tool):
    return prefixed(ToolRef(*tool.split(".")))


def steady(value):
    """An answer without the times that it took."""
    if isinstance(value, dict):
        return {name: steady(part) for name, part in value.items() if name not in _CHANGING}
    return [steady(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("is_short", [False, True], ids=["whole", "short"])
@pytest.mark.parametrize("tool", WHOLE)
def test_a_call_as_hosts_write_it_is_answered_like_one_as_the_schema_has_it(ask, tool, is_short):
    arguments = short(SPECS[tool], WHOLE[tool]) if is_short else WHOLE[tool]
    expected = ask(gateway_name(tool), arguments)
    assert not expected.is_failure, expected.text

    for habit in (habit for habit in HABITS if habit.is_of_short_calls == is_short):
        written = habit.write(SPECS[tool], arguments)
        answer = ask(gateway_name(tool), written)

        assert steady(answer.body) == steady(expected.body), (habit.name, written, answer.text[:500])


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case.tool}-{str(case.arguments)[:60]}")
def test_what_would_be_a_guess_is_refused_with_the_call_that_helps(ask, case):
    answer = ask(case.tool, case.arguments)

    assert answer.code == case.code
    error = answer.body["error"]
    assert case.message in error["message"]
    assert error["recovery_hint"]
    assert error.get("recovery", {}).get("arguments") == case.recovery
    if case.recovery:
        assert not ask(error["recovery"]["tool"], case.recovery).is_failure
