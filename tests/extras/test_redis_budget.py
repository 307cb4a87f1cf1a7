"""The shared limiter through a real Redis: what several machines see. In real time, ten times faster than life, or a
thousand times slower, so that a stop of the test's process is no matter.
"""

import asyncio
import time

import pytest

from biofact.core import call
from biofact.core.settings import Setting, Settings
from biofact.gateway.ledger import RedisLedger
from biofact.gateway.link import REPLICAS, RedisLink
from biofact.transport.backends import REDIS_URL
from biofact.transport.service import Service
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import GUARD, Budgets
from biofact.transport.turns.ledgers import SlotRequest
from tests.extras.redis_scene import LONGEST_SECONDS, redis, until, until_budget

pytestmark = pytest.mark.extras

FAST = Timing(rate_factor=10.0)
UNHURRIED = Timing(rate_factor=2.0)
"""A question to Redis takes no time beside a gap, on a busy machine, too."""
SLOW = Timing(rate_factor=0.001)
GAP = GUARD / 3.0 / 10.0
PAUSE_SECONDS = 300.0
URL = Setting("TEST_URL", "Nothing.", default="https://example.org/api")
NCBI = Service("ncbi", "NCBI", URL, per_second=3.0, judge=lambda answer: "good")


def run(url, test, *, count=2, timing=FAST):
    """Run ``test`` with the budgets of ``count`` machines that share only a Redis."""

    async def test_then_close():
        machines = [Budgets(Settings({REDIS_URL.name: url}), timing, None) for _ in range(count)]
        try:
            await test(*machines)
        finally:
            for machine in machines:
                await machine.aclose()

    asyncio.run(test_then_close())


def test_machines_share_one_budget(redis_url):
    async def test(*machines):
        await asyncio.gather(*(machine.ledgers.join() for machine in machines))
        start = time.monotonic()
        await asyncio.gather(*(machine.take(NCBI, "bulk") for machine in machines for _ in range(8)))

        assert time.monotonic() - start >= 30 * GAP
        assert {(await machine.stats(NCBI)).kept for machine in machines} == {"redis"}

    run(redis_url, test, count=4)


def test_a_slot_of_another_machine_is_not_counted_as_own(redis_url):
    async def test(first, second):
        await asyncio.gather(first.take(NCBI, "bulk"), second.ledgers.join())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await second.take(NCBI, "bulk")

        assert 370.0 - LONGEST_SECONDS < (await second.stats(NCBI)).next_slot_seconds <= 370.0

    run(redis_url, test, timing=SLOW)


def test_an_interactive_call_goes_before_bulk_of_another_machine(redis_url):
    async def test(busy, urgent):
        await asyncio.gather(busy.ledgers.join(), urgent.ledgers.join())
        order = []

        async def take(budgets, lane):
            await budgets.take(NCBI, lane)
            order.append(lane)

        bulk = [asyncio.create_task(take(busy, "bulk")) for _ in range(40)]
        assert await until(lambda: len(order) >= 2)
        before = len(order)
        await take(urgent, "interactive")

        assert len(order) - before <= 3
        for task in bulk:
            task.cancel()

    run(redis_url, test, timing=UNHURRIED)


def test_a_pause_moves_the_next_slot_for_every_machine(redis_url):
    async def test(paused_budgets, other):
        paused_budgets.pause(NCBI, PAUSE_SECONDS)
        assert await until_budget(other, lambda budget: budget.next_slot_seconds > 1.0)

        assert PAUSE_SECONDS - LONGEST_SECONDS < (await other.stats(NCBI)).next_slot_seconds <= PAUSE_SECONDS

    run(redis_url, test)


def test_a_row_expires_long_after_any_pause(redis_url):
    async def test(budgets):
        await budgets.take(NCBI, "bulk")

    run(redis_url, test, count=1)

    with redis.Redis.from_url(redis_url) as client:
        (key,) = client.keys("biofact:budget:*")
        assert 3600 < client.ttl(key) <= 7200


def take_all(time, most_slots, window):
    return most_slots


def test_racing_askers_never_take_the_same_slot(redis_url):
    async def race():
        links = [RedisLink(redis_url, patience_seconds=LONGEST_SECONDS) for _ in range(10)]
        ledgers = [RedisLedger(link, Timing()) for link in links]
        asks = [SlotRequest("ncbi", str(number), gap=100.0, limit=3, lane="bulk") for number in range(10)]
        replies = await asyncio.gather(*(ledger.take(ask, take_all) for ledger, ask in zip(ledgers, asks, strict=True)))
        for link in links:
            await link.aclose()

        assert sum(reply.is_taken for reply in replies) == 1

    asyncio.run(race())


@pytest.mark.parametrize("absent", ["redis://:secret@127.0.0.1:1/0", "unix:///nowhere/secret"])
def test_without_redis_a_known_share_comes_from_the_disk_and_the_notice_has_no_secret(absent, tmp_path):
    async def test():
        budgets = Budgets(Settings({REDIS_URL.name: absent, REPLICAS.name: "3"}), FAST, tmp_path)
        with call.session() as session:
            await asyncio.wait_for(budgets.take(NCBI, "interactive"), LONGEST_SECONDS)

        assert (await budgets.stats(NCBI)).kept == "sqlite"
        assert [notice.code for notice in session.notices] == ["CACHE_IN_MEMORY"]
        assert "1/3" in session.notices[0].message
        assert "secret" not in session.notices[0].message
        await budgets.aclose()

    asyncio.run(test())
