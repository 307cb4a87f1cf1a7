"""Light tools, answered on a server's event loop with their largest arguments and records: none holds it for long."""

import asyncio
import time
from asyncio import events
from contextlib import contextmanager

import pytest

from biofact.interfaces import every_source
from biofact.interfaces.answer import tool_answer
from biofact.interfaces.schemas import argument_schema
from biofact.interfaces.spelling import Spelling, prefixed
from tests import virtual_time
from tests.conformance.cases import SIZES, all_cases
from tests.conformance.items import each_tool
from tests.sandboxed import WHOLE, sandboxed

pytestmark = pytest.mark.sweep

LONGEST_SECONDS = 0.050
LIGHT = [case for case in all_cases() if not case.spec.is_heavy]
SPELLING = Spelling(every_source, prefixed)


@contextmanager
def processor_times():
    """The processor time of each callback of event loops in this thread, as a list that grows."""
    seconds = []
    run = events.Handle._run

    def timed(handle):
        start = time.thread_time()
        run(handle)
        seconds.append(time.thread_time() - start)

    events.Handle._run = timed
    try:
        yield seconds
    finally:
        events.Handle._run = run


def largest(case):
    """The call with its longest page, whole records and all their parts."""
    maximums = {
        parameter.name: argument_schema(parameter)["maximum"]
        for parameter in case.spec.parameters
        if parameter.name in SIZES
    }
    names = {parameter.name for parameter in case.spec.parameters}
    parts = {"include": ["all"]} if "include" in names else {}
    return case.with_arguments(**maximums, **parts, **({"slim": False} if "slim" in names else {}))


async def answered(client, case):
    call = case.spec.call(client, case.arguments)
    return await tool_answer(call, case.spec.ref, SPELLING, case.arguments)


async def longest_step(client, case):
    """The processor time of the longest step of a call."""
    with processor_times() as seconds:
        await asyncio.sleep(0)  # from here on each step is timed, up to the next one
        await answered(client, case)
        await asyncio.sleep(0)
    return max(seconds)


@each_tool(LIGHT)
def test_a_light_tool_holds_the_event_loop_no_longer_than_declared(tool):
    async def scenario():
        async with sandboxed(tool.source, timing=WHOLE, sizes="real") as (client, _):
            await answered(client, tool.cases[0])  # its modules are imported before a server is ready for many
            calls = [*tool.cases, *map(largest, tool.cases)]
            return {
                f"{case}, {state}": await longest_step(client, case) for case in calls for state in ("asked", "kept")
            }

    longest = virtual_time.run(scenario())

    assert {call: seconds for call, seconds in longest.items() if seconds > LONGEST_SECONDS} == {}
