"""The duration of a call when a service refuses connections, or asks for a longer pause than a call can wait."""

import asyncio

import pytest

from biofact import sources
from biofact.core.tool import specs_of
from biofact.interfaces.spelling import prefixed
from biofact.sandbox import Fault
from tests import virtual_time
from tests.marks import requirement
from tests.served import served

pytestmark = pytest.mark.quick

DEADLINE_SECONDS = 30.0  # ruling 6
PAUSE_SECONDS, PASSED_SECONDS = 120, 20
UNUSED_PORT = 82  # a port without a server
BUSY = Fault("status", status=429, headers={"Retry-After": str(PAUSE_SECONDS)}, times=None)

each_source = pytest.mark.parametrize("source", sources.names())


def selection(tools):
    """The first tool, the first that takes a list, and the last."""
    lists = [(spec, first, other) for spec, first, other in tools if isinstance(with_deadline(spec, first), list)]
    return [tools[0], *lists[:1], tools[-1]]


each_tool = pytest.mark.parametrize(
    "chosen", [pytest.param(selection, id="several"), pytest.param(list, id="all", marks=pytest.mark.sweep)]
)


def calls(source):
    """Tools of a source that ask a service, each with its first and its last example; the first twice for a batch, as
    entries of the others fail by themselves.
    """
    for spec in specs_of(sources.client_class(source)):
        examples = [e for e in sources.examples(source) if e.tool == spec.ref.method and e.outcome == "found"]
        if examples[0].is_from_service:
            first, *_, last = [dict(e.arguments) for e in examples if e.is_from_service] * 2
            yield spec, first, first if isinstance(with_deadline(spec, first), list) else last


def with_deadline(spec, arguments):
    """The input that a failure repeats: the only required argument, else all of them."""
    required = [parameter.name for parameter in spec.parameters if parameter.is_required]
    return arguments[required[0]] if len(required) == 1 else arguments


async def timed(gateway, spec, arguments):
    """The answer of a tool, and its seconds."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    return await gateway.call(prefixed(spec.ref), arguments), loop.time() - start


def failures(answer):
    """The failure, or those of all items of a batch."""
    if answer.is_failure:
        return [answer.body["error"]]
    return [item["error"] for item in answer.body.get("items", []) if item.get("success") is False]


def waits(answer):
    """The seconds after which to call again, by each failure."""
    return [failure["recovery"]["retry_after_seconds"] for failure in failures(answer)]


def inputs(spec, answer, arguments):
    """The input that the failures have to repeat; for a batch, each its ID."""
    return [with_deadline(spec, arguments)] if answer.is_failure else with_deadline(spec, arguments)


@each_tool
@each_source
def test_a_call_ends_within_its_deadline_where_connections_are_refused(source, chosen):
    services = sources.client_class(source).services
    unreachable_settings = {service.base_url.name: f"http://127.0.0.1:{UNUSED_PORT}" for service in services}

    async def scenario(spec, arguments):
        async with served(settings=unreachable_settings) as gateway:
            return await timed(gateway, spec, arguments)

    for spec, arguments, _ in chosen([*calls(source)]):
        answer, seconds = virtual_time.run(scenario(spec, arguments))

        assert {failure["code"] for failure in failures(answer)} == {"UPSTREAM_ERROR"}, (spec.ref, answer.text)
        assert [failure["invalid_input"] for failure in failures(answer)] == inputs(spec, answer, arguments), spec.ref
        assert seconds <= DEADLINE_SECONDS, spec.ref


@requirement("000 R4-long-RA", "001 US4-2", "001 EC-ratelimit", "002 US4-2", "004 S-err-net")
@each_tool
@each_source
def test_a_long_pause_is_reported_at_once_and_to_the_next_call_and_a_call_after_that_wait_succeeds(source, chosen):
    async def scenario(spec, arguments, other):
        async with served() as gateway:
            gateway.sandbox.faults.set(BUSY)
            first = await timed(gateway, spec, arguments)
            gateway.sandbox.faults.clear()  # the pause holds although nothing is wrong any more
            request_count = len(gateway.sandbox.requests)
            await asyncio.sleep(PASSED_SECONDS)
            second = await timed(gateway, spec, other)
            assert len(gateway.sandbox.requests) == request_count, spec.ref
            await asyncio.sleep(max(waits(second[0])))
            return first, second, await gateway.call(prefixed(spec.ref), other)

    for spec, arguments, other in chosen([*calls(source)]):
        first, second, answer = virtual_time.run(scenario(spec, arguments, other))

        check_pause(spec, *first, arguments, PAUSE_SECONDS)
        check_pause(spec, *second, other, PAUSE_SECONDS - PASSED_SECONDS)
        assert (answer.is_failure, failures(answer)) == (False, []), (spec.ref, answer.text)


def check_pause(spec, answer, seconds, arguments, rest):
    """Check that the answer reports at once the rest of a pause of these seconds, in its hint too, and the input."""
    failure_codes = failures(answer)
    assert {failure["code"] for failure in failure_codes} == {"RATE_LIMITED"}, (spec.ref, answer.text)
    assert max(waits(answer)) == pytest.approx(rest, abs=5), spec.ref
    assert min(waits(answer)) > DEADLINE_SECONDS, spec.ref
    for failure in failure_codes:
        assert str(failure["recovery"]["retry_after_seconds"]) in failure["recovery_hint"], spec.ref
    assert [failure["invalid_input"] for failure in failure_codes] == inputs(spec, answer, arguments), spec.ref
    assert seconds < 5.0, spec.ref
