"""The conditions under which a service counts as down, and as up again."""

import asyncio
from dataclasses import replace

import pytest

from biofact.core import call
from biofact.core.errors import RateLimited, RetryAfter, UpstreamError
from biofact.transport.ask.retry import Breaker
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.transport.scene import ASK, Clock, Gate, Scene, failure_reply, good, until

pytestmark = pytest.mark.quick

DOWN = "is down: 5 different requests in a row failed."


def question(number):
    return replace(ASK, params=(("term", str(number)),))


async def outcome(scene, transport, number, *, part=""):
    """The message of a call that has time for one attempt, and the number of its requests."""
    before = len(scene.requests)
    try:
        with call.session() as current:
            current.deadline = scene.clock.now + 0.1
            await transport.fetch(replace(question(number), part=part), bytes.decode)
    except (RateLimited, UpstreamError) as error:
        return str(error).removeprefix("The Toy Database "), len(scene.requests) - before
    return "well", len(scene.requests) - before


def outcomes(scene, *steps):
    """The outcomes of calls in turn, each with its own question; a number among them is a pause in seconds."""

    async def scenario():
        transport = scene.transport()
        results = []
        for step in steps:
            if isinstance(step, float):
                scene.clock.now += step
            else:
                results.append(await outcome(scene, transport, step))
        await transport.aclose()
        return results

    return virtual_time.run(scenario())


def test_the_breaker_opens_lets_one_probe_through_and_closes(tmp_path):
    scene = Scene(tmp_path, *[failure_reply(500)] * 6, good())

    results = outcomes(scene, *"abcde", "f", 10.1, "g", "h", 10.1, "i", "j")

    assert results == [
        *[("failed (HTTP 500).", 1)] * 5,
        (DOWN, 0),
        ("failed (HTTP 500).", 1),  # half open, and open again
        (DOWN, 0),
        ("well", 1),
        ("well", 1),
    ]


def test_a_request_that_fails_again_and_again_counts_once(tmp_path):
    scene = Scene(tmp_path, *[failure_reply(500)] * 14, good())

    results = outcomes(scene, *"ab" * 7, "c")

    assert results == [*[("failed (HTTP 500).", 1)] * 14, ("well", 1)]


def test_retries_of_one_call_do_not_close_the_service_for_others(tmp_path):
    scene = Scene(tmp_path, *[failure_reply(500)] * 7, good())

    async def scenario():
        transport = scene.transport()
        with pytest.raises(UpstreamError, match="failed"):
            await transport.fetch(question("bad"), bytes.decode)
        return len(scene.requests), await transport.fetch(question("good"), bytes.decode)

    assert virtual_time.run(scenario()) == (7, "word")


def test_a_part_that_fails_leaves_the_rest_of_the_service_alone(tmp_path):
    scene = Scene(tmp_path, *[failure_reply(500)] * 5, good())

    async def scenario():
        transport = scene.transport()
        for number in range(6):
            await outcome(scene, transport, number, part="search")
        request_count = len(scene.requests)
        return request_count, await transport.fetch(ASK, bytes.decode)

    assert virtual_time.run(scenario()) == (5, "word")


def test_while_a_probe_is_under_way_the_others_are_answered_at_once(tmp_path):
    async def scenario():
        gate = Gate(good())
        scene = Scene(tmp_path, *[failure_reply(500)] * 5, gate)
        transport = scene.transport()
        for number in range(5):
            await outcome(scene, transport, number)
        scene.clock.now += 10.1
        probe = asyncio.create_task(transport.fetch(ASK, bytes.decode))
        await until(lambda: len(scene.requests) == 6)
        with pytest.raises(UpstreamError, match="is down") as error:
            await transport.fetch(replace(ASK, path="/other"), bytes.decode)
        gate.opens.set()
        return await probe, error.value.recovery

    answer, recovery = virtual_time.run(scenario())

    assert answer == "word"
    assert recovery == RetryAfter(10)


def test_rate_limits_do_not_open_the_breaker(tmp_path):
    scene = Scene(tmp_path, *[failure_reply(429)] * 6, good())

    async def scenario():
        transport = scene.transport()
        for number in range(6):
            await outcome(scene, transport, number)
        return len(scene.requests), await transport.fetch(ASK, bytes.decode)

    assert virtual_time.run(scenario()) == (6, "word")


def test_failures_of_requests_sent_before_an_outage_ended_do_not_count():
    clock = Clock()
    breaker = Breaker(Timing(clock=clock), "toy")
    times = [clock.now + number / 10 for number in range(8)]
    clock.now += 20.0
    breaker.add_answer()  # the outage is over; what was sent within it still runs into its time limit
    for number, time in enumerate(times):
        clock.now += 0.1
        breaker.add_failure(number, time)

    assert breaker.wait_seconds() == 0.0


def test_failures_of_requests_sent_before_it_opened_do_not_keep_the_breaker_open():
    clock = Clock()
    breaker = Breaker(Timing(clock=clock), "toy")
    times = [clock.now + number for number in range(15)]
    for number, time in enumerate(times):  # each fails 20 seconds after it was sent
        clock.now = time + 20.0
        breaker.add_failure(number, time)
    opened_at = times[4] + 20.0

    assert breaker.wait_seconds() == opened_at + 10.0 - clock.now == 0.0
