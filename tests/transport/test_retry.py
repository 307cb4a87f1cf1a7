"""Retries: the failures, the waits, their limits, and failures without a retry."""

import asyncio
from dataclasses import replace
from email.utils import formatdate

import httpx2
import pytest

from biofact.core import call
from biofact.core.errors import RateLimited, RetryAfter, UpstreamError
from biofact.transport.ask.retry import retry_after_seconds
from biofact.transport.service import Refused, Transient
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.each_of import each_of
from tests.marks import requirement
from tests.transport.scene import ASK, KEY, TOY, Clock, Scene, error_reply, failure_reply, good

pytestmark = pytest.mark.quick


def fetch(scene, read=bytes.decode):
    async def scenario():
        transport = scene.transport()
        try:
            return await transport.fetch(ASK, read)
        finally:
            await transport.aclose()

    return virtual_time.run(scenario())


PASSING_FAILURES = {
    "408": failure_reply(408),
    "429": failure_reply(429),
    "500": failure_reply(500),
    "502": failure_reply(502, b"<html><body>Bad Gateway"),
    "503": failure_reply(503),
    "504": failure_reply(504),
    "a web page under 200": good(b"\n <!DOCTYPE html><html>"),
    "a web page under 400": failure_reply(400, b"<HTML>"),
    "an XHTML page under 200": good(b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN">'),
    "the service's own transient body": good(b"backend trouble"),
    "the service's own rate limit under 200": good(b"slow down"),
    "connect refused": error_reply(httpx2.ConnectError("")),
    "connect timeout": error_reply(httpx2.ConnectTimeout("")),
    "read timeout": error_reply(httpx2.ReadTimeout("")),
    "pool timeout": error_reply(httpx2.PoolTimeout("")),
    "reset": error_reply(httpx2.ReadError("")),
    "cut body": error_reply(httpx2.RemoteProtocolError("")),
    "proxy failure": error_reply(httpx2.ProxyError("")),
    "damaged packing": good(b"this is not gzip", content_encoding="gzip"),
}


@requirement("000 R4-retries", "004 EH-2")
def test_a_passing_failure_is_tried_again(tmp_path, subtests):
    for place, (name, failure) in enumerate(PASSING_FAILURES.items()):
        with subtests.test(name=name):
            scene = Scene(tmp_path / str(place), failure, failure, good(b"at last"))

            assert fetch(scene) == "at last"
            assert len(scene.requests) == 3
            assert scene.budgets.lanes == ["interactive"] * 3  # a retry pays like any request


def test_a_relayed_failure_that_stays_is_reported_after_one_retry(tmp_path):
    relayed = failure_reply(400, b"backend trouble")
    scene = Scene(tmp_path / "stays", relayed)

    with pytest.raises(UpstreamError) as error:
        fetch(scene)

    assert str(error.value) == "The Toy Database relays the failure of a server behind it (HTTP 400)."
    assert isinstance(error.value.recovery, RetryAfter)
    assert len(scene.requests) == 2
    assert fetch(Scene(tmp_path / "passes", relayed, good(b"at last"))) == "at last"


def test_a_refusal_is_not_tried_again(tmp_path, subtests):
    for status in (400, 401, 403, 404, 414):
        with subtests.test(status=status):
            scene = Scene(tmp_path / str(status), failure_reply(status, b"what is that?"))

            with pytest.raises(Refused) as refusal:
                fetch(scene)

            assert (refusal.value.answer.status, refusal.value.answer.body) == (status, b"what is that?")
            assert len(scene.requests) == 1


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (failure_reply(502), "The Toy Database failed (HTTP 502)."),
        (good(b"<html>"), "The Toy Database sent a web page in place of data (HTTP 200)."),
        (error_reply(httpx2.ConnectError("no route")), "The Toy Database cannot be reached (no route)."),
    ],
)
def test_the_last_failure_is_named(tmp_path, reply, message):
    with pytest.raises(UpstreamError) as error:
        fetch(Scene(tmp_path, reply))

    assert str(error.value) == message


def test_a_redirect_is_not_followed(tmp_path):
    scene = Scene(tmp_path, failure_reply(301, location="https://evil.example.org/"))

    with pytest.raises(UpstreamError, match="HTTP 301: it has moved") as error:
        fetch(scene)

    assert error.value.hint == "Set BIOFACT_TOY_URL to its new address."
    assert [request.url.host for request in scene.requests] == ["toy.example.org"]


@requirement("000 R4-retries", "001 FR-018", "002 FR-003")
def test_waits_grow_to_the_cap_and_never_pass_the_deadline(tmp_path):
    scene = Scene(tmp_path, failure_reply(500), timing=Timing(breaker_failures=100))
    start = scene.clock.now

    with pytest.raises(UpstreamError) as error:
        fetch(scene)

    assert scene.clock.naps == [0.5, 1, 2, 4, 8, 8]
    assert scene.clock.now - start == 23.5  # the next wait of 8 seconds would end after 30
    assert str(error.value) == "The Toy Database failed (HTTP 500)."
    assert error.value.recovery == RetryAfter(8)


@requirement("001 FR-018")
def test_waits_are_jittered_down_to_half(tmp_path):
    scene = Scene(tmp_path, failure_reply(500), failure_reply(500), good())
    scene.timing = Timing(
        clock=scene.clock, wall_clock=scene.clock, sleep=scene.clock.sleep, random=iter([0.0, 0.5]).__next__
    )

    fetch(scene)

    assert scene.clock.naps == [0.25, 0.75]


@requirement("000 R4-retries")
def test_retry_after_is_read_in_every_form(subtests):
    cases = [
        ("2", 2.0),
        ("40.0", 40.0),
        (" 7 ", 7.0),
        (formatdate(1_800_000_005, usegmt=True), 5.0),
        (formatdate(1_800_000_005), 5.0),
        (formatdate(1_700_000_000, usegmt=True), 0.0),
        ("-3", 0.0),
        ("86400000", 300.0),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
        ("Wed, 21 Oct 99999999999999999999 07:28:00 GMT", None),
        ("Wed, 21 Oct 2026 07:28:00 +99999999999999999999", None),
    ]
    for text, seconds in cases:
        with subtests.test(text=text):
            assert retry_after_seconds(text, TOY, Timing(wall_clock=Clock())) == seconds


def test_a_service_with_a_longer_window_may_ask_for_a_longer_pause():
    hourly = replace(TOY, longest_pause_seconds=3600.0)

    assert retry_after_seconds("1800", hourly, Timing()) == 1800.0
    assert retry_after_seconds("7200", hourly, Timing()) == 3600.0


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_makes_every_caller_wait(tmp_path, status):
    scene = Scene(tmp_path, failure_reply(status, retry_after="7"), good())

    assert fetch(scene) == "word"
    assert scene.budgets.pauses == [7.0]
    assert scene.clock.naps == [7.0]


@each_of("text", ["0", "-3", "0.001", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_retry_after_no_time_is_no_leave_to_ask_without_a_pause(tmp_path, text):
    scene = Scene(tmp_path / text, failure_reply(503, retry_after=text))

    with pytest.raises(UpstreamError):
        fetch(scene)

    assert scene.clock.naps[:6] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]


@requirement("000 R4-long-RA")
def test_a_wish_beyond_the_deadline_ends_the_call_at_once(tmp_path):
    scene = Scene(tmp_path, failure_reply(429, retry_after="31.5"))

    with pytest.raises(RateLimited) as error:
        fetch(scene)

    assert str(error.value) == "The Toy Database asked us to slow down."
    assert error.value.hint == "Wait 32 seconds, then call again. Setting TOY_API_KEY raises the limit."
    assert error.value.recovery == RetryAfter(32)
    assert scene.clock.naps == []


def test_the_hint_for_a_caller_with_a_key_does_not_suggest_to_get_one(tmp_path):
    scene = Scene(tmp_path, failure_reply(429, retry_after="60"), **{KEY.name: "k"})

    with pytest.raises(RateLimited) as error:
        fetch(scene)

    assert error.value.hint == "Wait 60 seconds, then call again."


def test_the_deadline_is_the_calls_not_the_requests(tmp_path):
    scene = Scene(tmp_path, failure_reply(500))

    async def scenario():
        transport = scene.transport()
        with call.session() as current:
            for _ in range(2):
                with pytest.raises(UpstreamError):
                    await transport.fetch(ASK, bytes.decode)
                scene.clock.now += 20
            return current.deadline

    start = scene.clock.now
    assert virtual_time.run(scenario()) == start + 29.5  # the rest is for last words


def test_an_attempt_that_hangs_ends_with_the_deadline(tmp_path):
    async def wait_forever(request):
        await asyncio.Event().wait()

    scene = Scene(tmp_path, wait_forever)

    with pytest.raises(UpstreamError, match="The Toy Database did not answer in time"):
        fetch(scene)


def test_a_slot_that_never_comes_is_a_rate_limit(tmp_path):
    scene = Scene(tmp_path, good())

    async def wait_forever(service, lane):
        await asyncio.Event().wait()

    scene.budgets.take = wait_forever

    with pytest.raises(RateLimited, match="more requests waiting than its rate allows"):
        fetch(scene)

    assert scene.requests == []


def test_a_damaged_body_is_tried_again_until_the_deadline(tmp_path):
    scene = Scene(tmp_path, good())

    def read(body):
        raise Transient("sent an answer without a 'result'")

    with pytest.raises(UpstreamError, match="The Toy Database sent an answer without a 'result'"):
        fetch(scene, read)

    assert len(scene.requests) > 3


@pytest.mark.parametrize(("seconds", "naps"), [(60.0, [0.5, 1, 2, 4, 8, 8, 8, 8, 8, 8]), (5.0, [0.5, 1, 2])])
def test_a_transport_has_the_deadline_that_it_is_made_with(tmp_path, seconds, naps):
    scene = Scene(tmp_path, failure_reply(500), timing=Timing(breaker_failures=100))

    async def scenario():
        transport_with_deadline = Transport(
            scene.settings, timing=scene.timing, deadline_seconds=seconds, wire=scene.transport().network
        )
        async with transport_with_deadline as transport:
            with pytest.raises(UpstreamError):
                await transport.fetch(ASK, bytes)

    virtual_time.run(scenario())

    assert [nap for nap in scene.clock.naps if nap >= 0.5] == naps
