"""Fetching through all layers: the cache, failures replaced by an expired answer, provenance, side requests."""

import asyncio
import json
from dataclasses import replace

import httpx2
import pytest

from biofact.core import call
from biofact.core.errors import ClientClosed, RetryAfter, UpstreamError
from biofact.dialects.json_values import not_found, with_total
from biofact.transport.ask.retry import OFFLINE
from biofact.transport.keep.cache import Cache
from biofact.transport.keep.store import Entry
from biofact.transport.service import Keep, Refused, Request, Transient
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.transport.scene import ASK, KEEP, TOY, Gate, Scene, failure_reply, good, until

pytestmark = pytest.mark.quick

IMPATIENT = Timing(deadline_seconds=3.0)


async def fetch(transport, request=ASK, keep=KEEP, read=bytes.decode):
    """One tool call that fetches; its answer and its notices."""
    with call.session() as current:
        return await transport.fetch(request, read, keep=keep), current


async def asked_times(scene, *pauses):
    """Fetch, then again after each pause; the answers with their origins."""
    transport = scene.transport()
    answers = []
    for seconds in (0.0, *pauses):
        scene.clock.now += seconds
        answer, current = await fetch(transport)
        answers.append((answer, current.provenance().origin))
    await transport.aclose()
    return answers


def test_an_answer_is_kept_as_long_as_it_may_be(tmp_path):
    scene = Scene(tmp_path, good(b"first"), good(b"second"))

    answers = virtual_time.run(asked_times(scene, 99, 1))

    assert answers == [("first", "live"), ("first", "cache"), ("second", "live")]
    assert len(scene.requests) == 2


def test_an_answer_without_a_name_is_not_kept(tmp_path):
    scene = Scene(tmp_path, good(b"word"))

    async def scenario():
        transport = scene.transport()
        await fetch(transport, keep=None)
        await fetch(transport, keep=None)

    virtual_time.run(scenario())

    assert len(scene.requests) == 2


def test_provenance_has_service_address_moment_and_licence(tmp_path):
    scene = Scene(tmp_path, good())

    async def scenario():
        return (await fetch(scene.transport()))[1].provenance()

    assert virtual_time.run(scenario()).model_dump(by_alias=True) == {
        "source": "toy",
        "url": "https://toy.example.org/api/word?term=a",
        "retrieved_at": "2027-01-15T08:00:00Z",
        "from": "live",
        "licence": "CC0-1.0",
    }


def test_an_answer_of_a_stand_in_has_that_origin(tmp_path):
    scene = Scene(tmp_path, good(x_biofact_sandbox="1"))

    assert virtual_time.run(asked_times(scene, 1)) == [("word", "sandbox"), ("word", "cache")]


def test_a_stale_answer_replaces_a_failing_service_s_with_its_age(tmp_path):
    scene = Scene(tmp_path, good(b"word"), failure_reply(503), timing=IMPATIENT)

    async def scenario():
        transport = scene.transport()
        await fetch(transport)
        scene.clock.now += 3 * 86_400
        return await fetch(transport)

    answer, current = virtual_time.run(scenario())

    assert answer == "word"
    assert current.provenance().origin == "stale"
    assert current.provenance().retrieved_at == "2027-01-15T08:00:00Z"
    (notice,) = current.notices
    assert notice.code == "STALE"
    assert notice.message == "The Toy Database could not be asked; this is its answer of 3 days ago."


def test_with_an_expired_answer_at_hand_the_wait_for_a_new_one_is_short(tmp_path):
    timing = replace(IMPATIENT, deadline_seconds=30.0, stale_patience_seconds=2.0, breaker_failures=100)
    scene = Scene(tmp_path, good(b"word"), *[failure_reply(503)] * 100, timing=timing)

    async def scenario():
        transport = scene.transport()
        await fetch(transport)
        scene.clock.now += 3 * 86_400
        before = scene.clock.now
        answer, _ = await fetch(transport)
        return answer, scene.clock.now - before

    answer, seconds = virtual_time.run(scenario())

    assert answer == "word"
    assert seconds <= 2.0


def test_a_refusal_is_not_covered_by_a_stale_answer(tmp_path):
    scene = Scene(tmp_path, good(), failure_reply(404, b"no such word"))

    async def scenario():
        transport = scene.transport()
        await fetch(transport)
        scene.clock.now += 1000
        with pytest.raises(Refused) as refusal:
            await fetch(transport)
        return refusal.value.answer

    answer = virtual_time.run(scenario())

    assert (answer.status, answer.body) == (404, b"no such word")


def test_a_kept_answer_that_cannot_be_read_is_fetched_again(tmp_path):
    scene = Scene(tmp_path, good(b"sound"))

    def read(body):
        if body != b"sound":
            raise Transient("is damaged")
        return body.decode()

    async def scenario():
        transport = scene.transport()
        await transport.cache.keep(TOY, KEEP, Entry(b"unsound", "", scene.clock.now, scene.clock.now + 100))
        first = await fetch(transport, read=read)
        second = await fetch(transport, read=read)
        return first[0], second[1].provenance().origin

    assert virtual_time.run(scenario()) == ("sound", "cache")
    assert len(scene.requests) == 1


def test_a_damaged_answer_is_asked_for_again_and_never_kept(tmp_path):
    scene = Scene(tmp_path, good(b"dam"), good(b"whole"))

    def read(body):
        if body == b"dam":
            raise Transient("sent half an answer")
        return body.decode()

    async def scenario():
        transport = scene.transport()
        await fetch(transport, read=read)
        return await transport.cache.find(TOY, KEEP.kind, KEEP.id)

    assert virtual_time.run(scenario()).body == b"whole"
    assert len(scene.requests) == 2


def test_an_error_of_the_reader_goes_up_and_nothing_is_kept(tmp_path):
    scene = Scene(tmp_path, good())

    def read(body):
        raise UpstreamError("The toy is out of order.", hint="Mend it.")

    async def scenario():
        transport = scene.transport()
        with pytest.raises(UpstreamError, match="out of order"):
            await fetch(transport, read=read)
        return await transport.cache.find(TOY, KEEP.kind, KEEP.id)

    assert virtual_time.run(scenario()) is None


def test_offline_only_what_is_kept_is_answered(tmp_path):
    before = Scene(tmp_path, good(b"word"))
    virtual_time.run(asked_times(before))
    scene = Scene(tmp_path, good(), **{OFFLINE.name: "1"})

    async def scenario():
        transport = scene.transport()
        origins = []
        for seconds in (50, 100):
            scene.clock.now += seconds
            origins.append((await fetch(transport))[1].provenance().origin)
        with pytest.raises(UpstreamError, match="BIOFACT_OFFLINE is set"):
            await fetch(transport, keep=Keep("word/1", "never asked", 100.0))
        return origins

    assert virtual_time.run(scenario()) == ["cache", "stale"]
    assert scene.requests == []


def test_every_answer_passes_its_headers_to_the_budget(tmp_path):
    scene = Scene(tmp_path, failure_reply(429, x_ratelimit_remaining="0"), good(x_ratelimit_remaining="9"))

    virtual_time.run(asked_times(scene))

    assert scene.budgets.observed == ["0", "9"]
    assert scene.budgets.lanes == ["interactive", "interactive"]


def test_the_priority_of_the_call_is_that_of_its_requests(tmp_path):
    scene = Scene(tmp_path, good())

    async def scenario():
        with call.session() as current:
            current.lane = "bulk"
            await scene.transport().fetch(ASK, bytes.decode)

    virtual_time.run(scenario())

    assert scene.budgets.lanes == ["bulk"]


def test_a_side_request_in_time_is_answered(tmp_path):
    scene = Scene(tmp_path, good())

    async def scenario():
        transport = scene.transport()
        return await transport.side_leg(transport.fetch(ASK, bytes.decode))

    assert virtual_time.run(scenario()) == "word"


def test_a_late_side_request_finishes_in_the_background_and_fills_the_cache(tmp_path):
    async def scenario():
        gate = Gate(good())
        transport = Scene(tmp_path, gate, timing=Timing(side_leg_seconds=0.01)).transport()
        with pytest.raises(UpstreamError, match=r"no answer within 0\.01 seconds") as late:
            await transport.side_leg(transport.fetch(ASK, bytes.decode, keep=KEEP))
        gate.opens.set()
        await until(lambda: not transport._sessions.current._side_requests)
        cached = await transport.cache.find(TOY, KEEP.kind, KEEP.id)
        await transport.aclose()
        return late.value.recovery, cached.body

    assert virtual_time.run(scenario()) == (RetryAfter(1), b"word")


def test_a_side_request_of_two_questions_gets_its_expired_answers_in_time(tmp_path):
    scene = Scene(tmp_path, good(b"one"), good(b"two"), failure_reply(503))

    async def fetch_both(transport):
        keeps = [Keep("word/1", name, 60.0) for name in ("first", "second")]
        return [await transport.fetch(ASK, bytes.decode, keep=keep) for keep in keeps]

    async def scenario():
        transport = scene.transport()
        fresh = await transport.side_leg(fetch_both(transport))
        scene.clock.now += 3600
        stale = await transport.side_leg(fetch_both(transport))
        await transport.aclose()
        return fresh, stale

    assert virtual_time.run(scenario()) == (["one", "two"], ["one", "two"])
    assert sum(scene.clock.naps) <= scene.timing.side_leg_seconds


@pytest.mark.parametrize(("reply", "failure"), [(failure_reply(404), Refused), (failure_reply(500), UpstreamError)])
def test_a_side_request_that_fails_raises_its_error(tmp_path, reply, failure):
    scene = Scene(tmp_path, reply)

    async def scenario():
        transport = scene.transport()
        return await transport.side_leg(transport.fetch(ASK, bytes.decode))

    with pytest.raises(failure):
        virtual_time.run(scenario())


def test_a_question_that_gets_a_part_of_the_time_leaves_the_rest_to_the_next(tmp_path):
    scene = Scene(tmp_path, failure_reply(503), timing=Timing(deadline_seconds=30.0, breaker_failures=100))

    async def scenario():
        transport = scene.transport()
        with call.session() as current:
            with pytest.raises(UpstreamError):
                await transport.in_part(transport.fetch(ASK, bytes.decode), 0.5)
            end_time = scene.clock.now
            with pytest.raises(UpstreamError):
                await transport.fetch(ASK, bytes.decode)
            return end_time, scene.clock.now, current.deadline

    start = scene.clock.now
    end_time, end, deadline = virtual_time.run(scenario())

    assert end_time - start <= 15
    assert end > start + 15
    assert deadline is not None


def test_that_there_is_no_such_thing_is_kept_for_ten_minutes(tmp_path):
    scene = Scene(tmp_path, failure_reply(404, b"{}"), good(b"by now"))
    request = replace(ASK, is_absent=not_found())

    async def scenario():
        transport = scene.transport()
        results = []
        for pause in (0, 599, 2):
            scene.clock.now += pause
            results.append((await fetch(transport, request, replace(KEEP, seconds=3600.0)))[0])
        return results

    assert virtual_time.run(scenario()) == ["", "", "by now"]
    assert len(scene.requests) == 2


def test_a_404_of_a_proxy_does_not_say_that_there_is_no_such_thing(tmp_path):
    scene = Scene(tmp_path, failure_reply(404, b"<html>Not Found</html>"), failure_reply(404, b"not here"))

    async def scenario():
        with pytest.raises(Refused) as refusal:
            await fetch(scene.transport(), replace(ASK, is_absent=not_found()))
        return refusal.value.answer.body

    assert virtual_time.run(scenario()) == b"not here"


def test_a_total_in_a_header_is_read_and_kept_with_the_rows(tmp_path):
    def reply(_):
        return httpx2.Response(200, content=b"[1, 2]", headers={"X-Total": "7"})

    scene = Scene(tmp_path, lambda _: httpx2.Response(200, content=b"[1]"), reply)
    request = replace(ASK, payload=with_total("x-total"))

    async def scenario():
        transport = scene.transport()
        return [(await fetch(transport, request, read=json.loads))[0] for _ in range(2)]

    assert virtual_time.run(scenario()) == [{"total": 7, "rows": [1, 2]}] * 2
    assert len(scene.requests) == 2  # the first without its total, and none for what is kept


def rows_or_none(body):
    return json.loads(body) or None


@pytest.mark.parametrize(("body", "requests"), [(b" []\n", 2), (b"[1]", 1)])
def test_an_empty_list_is_kept_for_ten_minutes(tmp_path, body, requests):
    scene = Scene(tmp_path, good(body), good(b"[2]"))

    async def scenario():
        transport = scene.transport()
        for pause in (0, 599, 2):
            scene.clock.now += pause
            await fetch(transport, keep=replace(KEEP, seconds=3600.0), read=rows_or_none)

    virtual_time.run(scenario())

    assert len(scene.requests) == requests


def test_an_empty_body_does_not_say_that_there_is_no_such_thing(tmp_path):
    scene = Scene(tmp_path, good(b" "), good(b"word"))

    async def scenario():
        return await fetch(scene.transport(), replace(ASK, is_absent=not_found()))

    assert virtual_time.run(scenario())[0] == "word"


def test_a_cache_that_cannot_be_used_is_reported_once_and_the_answer_comes(tmp_path):
    (tmp_path / "file").write_text("in the way")
    scene = Scene(tmp_path / "file" / "cache", good())

    async def scenario():
        transport = scene.transport()
        return [[notice.code for notice in (await fetch(transport))[1].notices] for _ in range(2)]

    assert virtual_time.run(scenario()) == [["CACHE_IN_MEMORY"], []]
    assert len(scene.requests) == 1


def test_closing_ends_calls_under_way(tmp_path):
    async def wait_forever(request):
        await asyncio.Event().wait()

    scene = Scene(tmp_path, wait_forever)

    async def scenario():
        transport = scene.transport()
        pending = asyncio.create_task(transport.fetch(ASK, bytes.decode))
        leg = asyncio.create_task(transport.side_leg(transport.fetch(Request(TOY, "/leg"), bytes.decode)))
        await until(lambda: len(scene.requests) == 2)
        await transport.aclose()
        return await asyncio.gather(pending, leg, return_exceptions=True)

    outcomes = virtual_time.run(asyncio.wait_for(scenario(), 5))

    assert [type(outcome) for outcome in outcomes] == [ClientClosed, ClientClosed]


def test_transports_of_other_settings_do_not_share_answers(tmp_path):
    scene = Scene(tmp_path, good(b"here"))
    virtual_time.run(asked_times(scene))
    mirror = Scene(tmp_path, good(b"there"), BIOFACT_TOY_URL="http://127.0.0.1:1/api")

    assert virtual_time.run(asked_times(mirror)) == [("there", "live")]


def test_a_cache_of_ones_own_is_used(tmp_path):
    scene = Scene(tmp_path, good())
    transport = scene.transport()
    cache = Cache(scene.settings, scene.timing)

    assert type(transport)(scene.settings, cache=cache, budgets=scene.budgets).cache is cache
