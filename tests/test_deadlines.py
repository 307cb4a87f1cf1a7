"""How long a call takes when a service refuses connections, or asks for a longer pause than a call can wait."""

import asyncio

import pytest

from biofact import sources
from biofact.core.tool import specs_of
from biofact.interfaces.spelling import prefixed
from biofact.sandbox import Fault
from tests import virtual_time
from tests.served import served

DEADLINE_SECONDS = 30.0  # ruling 6
PAUSE_SECONDS = 120
NOBODY = 82  # a port on which nobody listens
BUSY = Fault("status", status=429, headers={"Retry-After": str(PAUSE_SECONDS)}, times=None)

each_source = pytest.mark.parametrize("source", sources.names())


def calls(source):
    """For each tool of a source that asks a service the first example that finds something."""
    for spec in specs_of(sources.client_class(source)):
        example = next(e for e in sources.examples(source) if e.tool == spec.ref.method and e.outcome == "found")
        if example.is_from_service:
            yield prefixed(spec.ref), dict(example.arguments)


async def timed(gateway, tool, arguments):
    """What a tool answers, and how many seconds it takes."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    return await gateway.call(tool, arguments), loop.time() - began


def failures(answer):
    """The failure, or those of all items of a batch."""
    if answer.is_failure:
        return [answer.body["error"]]
    return [item["error"] for item in answer.body.get("items", []) if item.get("success") is False]


@each_source
def test_a_call_ends_within_its_deadline_where_connections_are_refused(source):
    services = sources.client_class(source).services
    nowhere = {service.base_url.name: f"http://127.0.0.1:{NOBODY}" for service in services}

    async def scenario(tool, arguments):
        async with served(settings=nowhere) as gateway:
            return await timed(gateway, tool, arguments)

    for tool, arguments in calls(source):
        answer, seconds = virtual_time.run(scenario(tool, arguments))

        assert {failure["code"] for failure in failures(answer)} == {"UPSTREAM_ERROR"}, (tool, answer.text)
        assert seconds <= DEADLINE_SECONDS, tool


@each_source
def test_a_pause_beyond_the_deadline_is_told_at_once_and_to_the_next_call_too(source):
    async def scenario(tool, arguments):
        async with served() as gateway:
            gateway.sandbox.faults.set(BUSY)
            first = await timed(gateway, tool, arguments)
            await asyncio.sleep(20.0)
            return first, await timed(gateway, tool, arguments)

    for tool, arguments in calls(source):
        for (answer, seconds), rest in zip(
            virtual_time.run(scenario(tool, arguments)), (PAUSE_SECONDS, PAUSE_SECONDS - 20), strict=True
        ):
            found = failures(answer)
            assert {failure["code"] for failure in found} == {"RATE_LIMITED"}, (tool, answer.text)
            waits = {failure["recovery"]["retry_after_seconds"] for failure in found}
            assert max(waits) == pytest.approx(rest, abs=5), tool
            assert min(waits) > DEADLINE_SECONDS, tool
            assert seconds < 5.0, tool
