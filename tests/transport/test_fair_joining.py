"""Requests with several callers: a caller that joins a flood's request does not wait for the flood."""

import asyncio
from dataclasses import replace
from functools import partial

import httpx2
import pytest

from biofact.core import call
from biofact.core.call import Caller
from biofact.core.errors import BiofactError
from biofact.core.settings import Settings
from biofact.transport.ask.batch import PendingLookup, by_priority
from biofact.transport.keep.cache import CACHE_DIR
from biofact.transport.service import BatchCall, Batching, Request
from biofact.transport.stack import Transport
from biofact.transport.turns.budget import GUARD
from tests import virtual_time
from tests.transport.scene import TOY, Lines, lines, requested_ids
from tests.virtual_time import closed_at_end, now

pytestmark = pytest.mark.quick

SLOW = replace(TOY, per_second=10.0)
GAP = GUARD / 10.0


def words(limit):
    return Batching("word/1", limit, lambda ids: BatchCall(Request(SLOW, "/words", (("id", ",".join(ids)),)), Lines()))


class Toy:
    """Answers after a moment, and records its requests."""

    def __init__(self, folder):
        self.requests = []
        settings = Settings({CACHE_DIR.name: str(folder)})
        network = httpx2.MockTransport(self._reply)
        self.transport = closed_at_end(Transport(settings, timing=virtual_time.timing(), wire=network))

    async def _reply(self, request):
        self.requests.append(request)
        await asyncio.sleep(0.3)
        return (
            lines(requested_ids(request))
            if request.url.path.endswith("/words")
            else httpx2.Response(200, content=b"word")
        )

    async def word(self, number, subject):
        """The seconds that a caller waits for an answer of its own request."""
        start = now()
        with call.on_behalf_of(Caller(subject=subject)), call.session():
            await self.transport.fetch(Request(SLOW, "/word", (("term", str(number)),)), bytes.decode)
        return now() - start


async def with_a_flood(flood, late):
    """The result of ``late``, started two seconds after a flood began; the flood then ends."""
    under_way = [asyncio.create_task(call_task) for call_task in flood]
    await asyncio.sleep(2.0)
    try:
        return await late
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


@pytest.mark.parametrize(
    "number", [150, 1000, *(pytest.param(call_task, marks=pytest.mark.sweep) for call_task in (100, 199))]
)
def test_a_caller_with_a_question_of_a_flood_is_answered_as_soon_as_alone(tmp_path, number):
    async def test():
        toy = Toy(tmp_path)
        seconds = await with_a_flood(
            (toy.word(caller_number, "flood") for caller_number in range(200)), toy.word(number, "late")
        )

        assert seconds < 0.3 + 4 * GAP

    virtual_time.run(test())


def test_a_caller_with_too_little_time_for_a_slot_is_refused_at_once(tmp_path):
    async def test():
        toy = Toy(tmp_path)

        async def word(number):
            with call.on_behalf_of(Caller(subject="hasty")), call.session() as current:
                current.deadline = now() + 2.0
                try:
                    await toy.transport.fetch(Request(SLOW, "/word", (("term", str(number)),)), bytes.decode)
                except BiofactError as error:
                    return str(error), now()

        outcomes = await asyncio.gather(*map(word, range(40)))

        assert outcomes[:10] == [None] * 10
        assert (
            outcomes[25:] == [("The Toy Database was not asked: its turn comes after the end of the call.", 0.0)] * 15
        )

    virtual_time.run(test())


def test_a_flood_continues_when_a_joiner_gives_up(tmp_path):
    async def test():
        toy = Toy(tmp_path)

        async def joined_then_gave_up():
            joiner = asyncio.create_task(toy.word(30, "late"))
            await asyncio.sleep(0.01)
            joiner.cancel()

        async with asyncio.TaskGroup() as group:
            flood = [group.create_task(toy.word(number, "flood")) for number in range(40)]
            group.create_task(joined_then_gave_up())

        assert len(toy.requests) == 40
        assert flood[30].result() > 20 * GAP  # at its own place again, or all but

    virtual_time.run(test())


def test_a_lookup_joins_the_next_request_beside_a_flood_s(tmp_path):
    async def test():
        toy = Toy(tmp_path)
        lookups = toy.transport.batched(words(10))

        async def lookup(number, subject):
            start = now()
            with call.on_behalf_of(Caller(subject=subject)), call.session():
                try:
                    await lookups.get(str(number))
                except BiofactError:
                    return 0.0
            return now() - start

        seconds = await with_a_flood(
            (lookup(caller_number, "flood") for caller_number in range(500)), lookup("other", "late")
        )

        assert 0.0 < seconds < 0.3 + 4 * GAP
        assert any("other" in requested_ids(request) and len(requested_ids(request)) == 10 for request in toy.requests)

    virtual_time.run(test())


def test_places_in_a_request_go_to_each_caller_in_turn_and_to_the_urgent_first():
    async def test():
        lookup = partial(PendingLookup, deadline=0.0, began_at=0.0)
        pending = [lookup(f"a{number}", "interactive", number, ["a"]) for number in range(3)]
        pending += [lookup("b0", "bulk", 3, ["b"]), lookup("c0", "interactive", 4, ["c"])]
        pending += [lookup("ad", "interactive", 5, ["a", "d"]), lookup("c1", "interactive", 6, ["c"])]

        assert [lookup.id for lookup in by_priority(pending)] == ["a0", "c0", "ad", "a1", "c1", "a2", "b0"]

    virtual_time.run(test())
