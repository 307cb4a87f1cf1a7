"""Lookups that join, none of which may disturb the others."""

import asyncio

import httpx2
import pytest

from biofact.core import call
from biofact.core.errors import RateLimited, UpstreamError
from biofact.transport.ask.retry import OFFLINE
from biofact.transport.keep.store import Entry
from biofact.transport.service import Keep, Refused
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.transport.scene import (
    HEAD,
    TOY,
    Body,
    Gate,
    Scene,
    engine,
    failure_reply,
    lines,
    requested_ids,
    until,
    words,
)

pytestmark = pytest.mark.quick

IDS = [f"w{number}" for number in range(100)]
CUT = httpx2.RemoteProtocolError("")


def answer_all(request):
    return lines(requested_ids(request))


def look_up(scene, *rounds, limit=50):
    """Look up each round's IDs concurrently; every answer or failure."""

    async def scenario():
        transport = scene.transport()
        batch = transport.batched(words(limit))
        outcomes = [await asyncio.gather(*map(batch.get, ids), return_exceptions=True) for ids in rounds]
        await transport.aclose()
        return outcomes

    return virtual_time.run(scenario())


def test_a_hundred_lookups_are_two_requests(tmp_path):
    scene = Scene(tmp_path, answer_all)

    (answers,) = look_up(scene, IDS)

    assert answers == [f"body of {word}".encode() for word in IDS]
    assert [requested_ids(request) for request in scene.requests] == [IDS[:50], IDS[50:]]


def test_an_answer_of_a_batch_is_not_requested_again(tmp_path):
    scene = Scene(tmp_path, answer_all)

    first, second = look_up(scene, IDS, IDS)

    assert first == second
    assert len(scene.requests) == 2


def test_one_id_looked_up_ten_times_at_once_is_asked_for_once(tmp_path):
    scene = Scene(tmp_path, answer_all)

    (answers,) = look_up(scene, ["a"] * 10)

    assert answers == [b"body of a"] * 10
    assert [requested_ids(request) for request in scene.requests] == [["a"]]


def test_a_lone_lookup_does_not_wait_for_company(tmp_path):
    scene = Scene(tmp_path, answer_all, timing=Timing(batch_window_seconds=60.0))

    assert look_up(scene, ["a"], ["b"]) == [[b"body of a"], [b"body of b"]]


def test_lookups_that_come_while_one_is_under_way_wait_for_each_other(tmp_path):
    async def scenario():
        gate = Gate(answer_all)
        scene = Scene(tmp_path, gate, timing=Timing(batch_window_seconds=0.1))
        batch = scene.transport().batched(words())
        tasks = [asyncio.create_task(batch.get("a"))]
        await until(lambda: len(scene.requests) == 1)
        for word in ("b", "c", "d"):
            tasks.append(asyncio.create_task(batch.get(word)))
            await asyncio.sleep(0.001)
        await until(lambda: len(scene.requests) == 2)
        gate.opens.set()
        await asyncio.gather(*tasks)
        return [requested_ids(request) for request in scene.requests]

    assert virtual_time.run(scenario()) == [["a"], ["b", "c", "d"]]


def test_an_id_that_is_not_answered_is_absent_and_cached_as_absent_for_ten_minutes(tmp_path):
    scene = Scene(tmp_path, lambda request: lines(word for word in requested_ids(request) if word != "none"))

    async def scenario():
        batch = scene.transport().batched(words())
        answers = list(await asyncio.gather(batch.get("a"), batch.get("none")))
        for seconds in (599, 1):
            scene.clock.now += seconds
            answers.append(await batch.get("none"))
        return answers

    assert virtual_time.run(scenario()) == [b"body of a", None, None, None]
    assert [requested_ids(request) for request in scene.requests] == [["a", "none"], ["none"]]


def test_a_record_that_was_not_requested_answers_no_lookup(tmp_path):
    scene = Scene(tmp_path, lambda request: lines(["foreign", "a"]))

    async def scenario():
        transport = scene.transport()
        batch = transport.batched(words())
        answers = await asyncio.gather(batch.get("a"), batch.get("b"))
        return answers, await transport.cache.find(TOY, "word/1", "foreign")

    assert virtual_time.run(scenario()) == ([b"body of a", None], None)


def test_after_a_cut_only_what_is_missing_is_asked_again(tmp_path):
    scene = Scene(
        tmp_path,
        lambda request: lines(["a", "c"], error=CUT),
        lambda request: lines(["b"], error=CUT),
        answer_all,
    )

    (answers,) = look_up(scene, ["a", "b", "c", "d", "e"])

    assert answers == [b"body of a", b"body of b", b"body of c", b"body of d", b"body of e"]
    assert [requested_ids(request) for request in scene.requests] == [
        ["a", "b", "c", "d", "e"],
        ["b", "d", "e"],
        ["d", "e"],
    ]


def test_a_body_that_ends_too_early_makes_no_record_absent(tmp_path):
    scene = Scene(tmp_path, lambda request: httpx2.Response(200, stream=Body(b"a=1\n")), answer_all)

    (answers,) = look_up(scene, ["a", "b"])

    assert answers == [b"1", b"body of b"]


def test_a_cut_behind_the_last_record_asks_for_nothing_more(tmp_path):
    scene = Scene(tmp_path, lambda request: lines(requested_ids(request), error=CUT))

    assert look_up(scene, ["a", "b"]) == [[b"body of a", b"body of b"]]
    assert len(scene.requests) == 1
    assert scene.clock.naps == []


def test_waiters_are_answered_as_their_records_arrive(tmp_path):
    async def scenario():
        rest_may_come = asyncio.Event()

        class Slow(Body):
            async def __aiter__(self):
                yield HEAD + b"a=1\n"
                await rest_may_come.wait()
                yield b"b=2\nend=\n"

        scene = Scene(tmp_path, lambda request: httpx2.Response(200, stream=Slow()))
        batch = scene.transport().batched(words())
        first, second = asyncio.create_task(batch.get("a")), asyncio.create_task(batch.get("b"))
        early, was_done = await first, second.done()
        rest_may_come.set()
        return early, was_done, await second

    assert virtual_time.run(scenario()) == (b"1", False, b"2")


def test_one_bad_id_does_not_spoil_the_others(tmp_path):
    scene = Scene(
        tmp_path,
        lambda request: (
            failure_reply(400, b"bad id")(request) if "bad" in requested_ids(request) else answer_all(request)
        ),
    )
    ids = [*IDS[:30], "bad", *IDS[30:49]]

    (answers,) = look_up(scene, ids)

    assert isinstance(answers.pop(30), Refused)
    assert answers == [f"body of {word}".encode() for word in IDS[:49]]
    assert len(scene.requests) <= 13  # halving fifty down to one: six refusals, six or seven answers


def test_an_oversized_record_fails_only_itself(tmp_path):
    def reply(request):
        text = "".join(f"{word}={'x' * 2000 if word == 'huge' else word}\n" for word in requested_ids(request))
        return httpx2.Response(200, stream=Body(text.encode() + b"end=\n"))

    scene = Scene(tmp_path, reply)

    (answers,) = look_up(scene, ["a", "b", "huge", "c", "d"])

    huge = answers.pop(2)
    assert isinstance(huge, UpstreamError)
    assert str(huge) == "The Toy Database sent a record that is too long."
    assert answers == [b"a", b"b", b"c", b"d"]


def test_a_service_that_refuses_everything_is_soon_asked_no_more(tmp_path):
    scene = Scene(tmp_path, failure_reply(400, b"bad key"))

    (answers,) = look_up(scene, IDS[:50])

    assert {type(answer) for answer in answers} == {Refused}
    assert len(scene.requests) <= 25


def test_many_ids_are_answered_or_failed_one_by_one_in_order(tmp_path):
    def reply(request):
        if "bad" in requested_ids(request):
            return failure_reply(404)(request)
        return lines(word for word in requested_ids(request) if word != "none")

    scene = Scene(tmp_path, reply)

    async def scenario():
        with call.session() as current:
            return await scene.transport().batched(words()).get_many(["b", "none", "bad", "a", "b"]), current

    answers, current = virtual_time.run(scenario())

    assert list(answers) == ["b", "none", "bad", "a"]
    assert (answers["b"], answers["none"], answers["a"]) == (b"body of b", None, b"body of a")
    assert isinstance(answers["bad"], UpstreamError)
    assert {answer.origin for answer in current.answers} == {"live"}


def test_many_ids_of_a_service_that_is_down_each_have_an_error(tmp_path):
    scene = Scene(tmp_path, failure_reply(429, retry_after="60"))

    answers = virtual_time.run(scene.transport().batched(words()).get_many(["a", "b"]))

    assert {type(answer) for answer in answers.values()} == {RateLimited}


@pytest.mark.parametrize(("count", "lanes"), [(50, ["interactive"]), (51, ["bulk", "bulk"])])
def test_more_ids_than_one_request_takes_are_bulk_work(tmp_path, count, lanes):
    scene = Scene(tmp_path, answer_all)

    virtual_time.run(scene.transport().batched(words()).get_many(IDS[:count]))

    assert scene.budgets.lanes == lanes


class Turnstile:
    """Grants slots one by one, on request."""

    def __init__(self, scene: Scene) -> None:
        self.lanes: list[str] = []
        self._slots = asyncio.Semaphore(0)
        scene.budgets.take = self.take

    async def take(self, service, lane):
        self.lanes.append(lane)
        await self._slots.acquire()

    def grant(self):
        self._slots.release()


async def look_up_one(batch, word, lane="interactive"):
    with call.session() as current:
        current.lane = lane
        return await batch.get(word)


def test_a_lookup_made_while_a_request_waits_for_its_turn_still_joins_it(tmp_path):
    async def scenario():
        scene = Scene(tmp_path, answer_all, timing=Timing(batch_window_seconds=0.001))
        turnstile = Turnstile(scene)
        batch = scene.transport().batched(words(3))
        tasks = []
        for number, word in enumerate("abcd", 1):
            tasks.append(asyncio.create_task(look_up_one(batch, word)))
            await until(lambda number=number: len(engine(batch)._pending) == number and engine(batch)._window is None)
        await until(lambda: len(turnstile.lanes) == 2)
        turnstile.grant()
        turnstile.grant()
        await asyncio.gather(*tasks)
        return [requested_ids(request) for request in scene.requests], len(turnstile.lanes)

    assert virtual_time.run(scenario()) == ([["a", "b", "c"], ["d"]], 2)


def test_urgent_lookups_come_first_and_request_a_turn_of_their_own(tmp_path):
    async def scenario():
        scene = Scene(tmp_path, answer_all, timing=Timing(batch_window_seconds=0.001))
        turnstile = Turnstile(scene)
        batch = scene.transport().batched(words(2))
        tasks = [asyncio.create_task(look_up_one(batch, word, "bulk")) for word in ("a", "b", "c")]
        await until(lambda: len(turnstile.lanes) == 2)
        tasks.append(asyncio.create_task(look_up_one(batch, "d")))
        await until(lambda: len(turnstile.lanes) == 3)
        lanes = list(turnstile.lanes)
        turnstile.grant()
        turnstile.grant()
        await asyncio.gather(*tasks)
        await until(lambda: not engine(batch)._jobs)  # the third request is cancelled: two had room for all
        return lanes, [requested_ids(request) for request in scene.requests]

    assert virtual_time.run(scenario()) == (["bulk", "bulk", "interactive"], [["d", "a"], ["b", "c"]])


def test_a_request_without_a_waiting_caller_is_not_sent(tmp_path):
    async def scenario():
        scene = Scene(tmp_path, answer_all)
        turnstile = Turnstile(scene)
        batch = scene.transport().batched(words())
        cancelled_call = asyncio.create_task(look_up_one(batch, "a"))
        await until(lambda: turnstile.lanes)
        cancelled_call.cancel()
        turnstile.grant()
        await until(lambda: not engine(batch)._jobs)
        return scene.requests, engine(batch)._jobs

    assert virtual_time.run(scenario()) == ([], {})


def test_those_who_wait_learn_why_their_request_never_got_a_turn(tmp_path):
    scene = Scene(tmp_path, answer_all, **{OFFLINE.name: "1"})

    (answers,) = look_up(scene, IDS)

    assert {type(answer) for answer in answers} == {UpstreamError}
    assert "BIOFACT_OFFLINE" in str(answers[99])


def test_a_stale_record_stands_in_but_a_stale_absence_does_not(tmp_path):
    scene = Scene(tmp_path, failure_reply(500), timing=Timing(deadline_seconds=3.0))

    async def scenario():
        transport = scene.transport()
        batch = transport.batched(words())
        old = scene.clock.now - 1000
        await transport.cache.keep(TOY, Keep("word/1", "a", 100), Entry(b"old", "", old, old + 100))
        await transport.cache.keep(TOY, Keep("word/1", "b", 100), Entry(None, "", old, old + 100))
        with call.session() as current:
            outcomes = await asyncio.gather(batch.get("a"), batch.get("b"), return_exceptions=True)
        return outcomes, [notice.code for notice in current.notices], [a.origin for a in current.answers]

    (record, absent), notices, origins = virtual_time.run(scenario())

    assert record == b"old"
    assert isinstance(absent, UpstreamError)
    assert (notices, origins) == (["STALE"], ["stale"])


def test_a_cancelled_lookup_does_not_cancel_the_others(tmp_path):
    async def scenario():
        gate = Gate(answer_all)
        scene = Scene(tmp_path, gate)
        transport = scene.transport()
        batch = transport.batched(words())
        cancelled_call, waiting_call = asyncio.create_task(batch.get("a")), asyncio.create_task(batch.get("b"))
        await until(lambda: scene.requests)
        cancelled_call.cancel()
        gate.opens.set()
        answer = await waiting_call
        cached = await transport.cache.find(TOY, "word/1", "a")
        return answer, cached.body

    assert virtual_time.run(scenario()) == (b"body of b", b"body of a")


def test_a_defect_of_a_splitter_reaches_those_who_wait(tmp_path):
    scene = Scene(tmp_path, lambda request: httpx2.Response(200, stream=Body(b"\xff=1\nend=\n")))

    (answers,) = look_up(scene, ["a", "b"])

    assert [type(answer) for answer in answers] == [UnicodeDecodeError] * 2


def test_records_are_released_after_they_are_returned(tmp_path):
    scene = Scene(tmp_path, answer_all)

    async def scenario():
        transport = scene.transport()
        batch = transport.batched(words())
        await batch.get_many(IDS)
        await asyncio.sleep(0)
        return engine(batch)._pending, engine(batch)._jobs, engine(batch)._flights._flights

    assert virtual_time.run(scenario()) == ([], {}, {})
