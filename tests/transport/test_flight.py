"""Identical concurrent questions are one question."""

import asyncio
from dataclasses import replace

import pytest

from biofact.core import call
from biofact.core.errors import RateLimited, RetryAfter, UpstreamError
from biofact.transport.ask.flight import Flights
from biofact.transport.service import Request
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.transport.scene import ASK, KEEP, TOY, Gate, Scene, failure_reply, good

pytestmark = pytest.mark.quick


async def fetch(transport, request=ASK):
    with call.session() as current:
        return await transport.fetch(request, bytes.decode, keep=KEEP), current.provenance()


def test_ten_identical_questions_are_one_request_and_each_answer_has_its_provenance(tmp_path):
    scene = Scene(tmp_path, good())

    async def scenario():
        transport = scene.transport()
        return await asyncio.gather(*(fetch(transport) for _ in range(10)))

    outcomes = virtual_time.run(scenario())

    assert {answer for answer, _ in outcomes} == {"word"}
    assert {provenance.origin for _, provenance in outcomes} == {"live"}
    assert len(scene.requests) == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(ASK, path="/other"),
        replace(ASK, params=(("term", "b"),)),
        replace(ASK, method="POST"),
        replace(ASK, json={"term": "a"}),
        replace(ASK, accept="text/xml"),
        replace(ASK, service=replace(TOY, name="other")),
    ],
)
def test_questions_that_differ_are_not_joined(tmp_path, other):
    scene = Scene(tmp_path, good())

    async def scenario():
        transport = scene.transport()
        await asyncio.gather(fetch(transport), fetch(transport, other))

    virtual_time.run(scenario())

    assert len(scene.requests) == 2


def test_the_first_caller_may_be_cancelled_without_disturbing_the_others(tmp_path):
    async def scenario():
        gate = Gate(good())
        scene = Scene(tmp_path, gate)
        transport = scene.transport()
        first, *rest = (asyncio.create_task(fetch(transport)) for _ in range(3))
        await gate.is_asked.wait()
        first.cancel()
        await asyncio.sleep(0)
        gate.opens.set()
        return await asyncio.gather(first, *rest, return_exceptions=True), scene.requests

    (first, *rest), requests = virtual_time.run(scenario())

    assert isinstance(first, asyncio.CancelledError)
    assert [answer for answer, _ in rest] == ["word", "word"]
    assert len(requests) == 1


def test_a_request_without_a_waiting_caller_is_cancelled_and_can_be_repeated(tmp_path):
    async def scenario():
        gate = Gate(good(b"late"))
        scene = Scene(tmp_path, gate, good(b"new"))
        transport = scene.transport()
        lone_call = asyncio.create_task(fetch(transport))
        await gate.is_asked.wait()
        lone_call.cancel()
        await asyncio.sleep(0)
        answer, _ = await fetch(transport)
        return answer

    assert virtual_time.run(scenario()) == "new"


def test_a_failure_reaches_every_caller(tmp_path):
    scene = Scene(tmp_path, failure_reply(503))

    async def scenario():
        transport = scene.transport()
        return await asyncio.gather(*(fetch(transport) for _ in range(3)), return_exceptions=True)

    outcomes = virtual_time.run(scenario())

    assert [type(outcome) for outcome in outcomes] == [UpstreamError] * 3


def test_a_joiner_with_more_time_repeats_a_request_that_ran_out_of_its_starters_time(tmp_path):
    async def scenario():
        gate = Gate(failure_reply(429, retry_after="20"))
        scene = Scene(tmp_path, gate, good())
        transport = scene.transport()
        started_early = asyncio.create_task(fetch(transport))
        await gate.is_asked.wait()
        scene.clock.now += 25
        joined_late = asyncio.create_task(fetch(transport))
        await asyncio.sleep(0)
        gate.opens.set()
        return await asyncio.gather(started_early, joined_late, return_exceptions=True)

    early, late = virtual_time.run(scenario())

    assert isinstance(early, RateLimited)
    assert late[0] == "word"


def test_a_joiner_waits_no_longer_than_its_own_call_may_take(tmp_path):
    async def scenario():
        scene = Scene(tmp_path, Gate(good()), timing=Timing(backoff_seconds=0.01))
        transport = scene.transport()
        starter = asyncio.create_task(fetch(transport))
        await asyncio.sleep(0)
        with call.session() as current:
            current.deadline = scene.clock.now + 0.02
            with pytest.raises(UpstreamError, match=r"No answer of .* came within"):
                await transport.fetch(ASK, bytes.decode, keep=KEEP)
        still_waiting = not starter.done()
        await transport.aclose()
        return still_waiting

    assert virtual_time.run(scenario())


def test_the_first_caller_gets_the_error_of_a_flight_that_stalled_at_its_deadline():
    timing = virtual_time.timing(deadline_seconds=0.0)

    async def stall():
        await asyncio.sleep(0.6)  # longer than a joiner would wait
        raise RateLimited("TOY asked us to slow down.", hint="Wait 1 second.", recovery=RetryAfter(1))

    async def scenario():
        with call.session() as current:
            current.deadline = timing.clock()
            await Flights(timing).join("question", TOY, current, stall)

    with pytest.raises(RateLimited):
        virtual_time.run(scenario())


def test_json_questions_are_distinguished_by_their_json(tmp_path):
    scene = Scene(tmp_path, good())
    questions = [Request(TOY, "/x", json={"ids": [number]}) for number in (1, 1, 2)]

    async def scenario():
        transport = scene.transport()
        await asyncio.gather(*(transport.fetch(question, bytes.decode) for question in questions))

    virtual_time.run(scenario())

    assert len(scene.requests) == 2
