"""A call that is cancelled while a real Redis is asked ends at once, at any step."""

import asyncio
import random

import pytest

from biofact.core.settings import Setting, Settings
from biofact.gateway.link import RedisLink, RedisLost
from biofact.transport.backends import REDIS_URL
from biofact.transport.service import Service
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from tests.extras.redis_scene import LONGEST_SECONDS

pytestmark = pytest.mark.extras

ROUNDS = 25
CALLERS = 40
URL = Setting("TEST_URL", "Nothing.", default="https://example.org/api")
FAST = Service("ncbi", "NCBI", URL, per_second=1000.0, judge=lambda answer: "good")


async def unended_tasks(take_slot, moments):
    """How many of many who ask again and again go on for good after they were cancelled, at the first moment at which
    some do.
    """

    async def take_again():
        while True:
            await take_slot()

    for _ in range(ROUNDS):
        tasks = [asyncio.create_task(take_again()) for _ in range(CALLERS)]
        await asyncio.sleep(moments.uniform(0.0, 0.05))
        if count := len(rest := await cancelled(tasks, LONGEST_SECONDS)):
            while rest:
                rest = await cancelled(rest, 0.1)
            return count
    return 0


async def cancelled(tasks, seconds):
    """Cancel the tasks; the ones that have not ended after some seconds."""
    for task in tasks:
        task.cancel()
    _, unended_tasks = await asyncio.wait(tasks, timeout=seconds)
    return unended_tasks


@pytest.mark.parametrize("options", ["", "?socket_timeout=0.5"], ids=["as it is", "with a timeout of the client's"])
def test_a_cancelled_redis_command_ends(redis_url, options):
    async def scenario():
        link = RedisLink(redis_url + options, patience_seconds=LONGEST_SECONDS)
        count = await unended_tasks(lambda: link.ask(lambda redis: redis.set("biofact:test", 1)), random.Random(1))
        await link.aclose()
        return count

    assert asyncio.run(scenario()) == 0


@pytest.mark.parametrize("options", ["", "?socket_timeout=0.5"], ids=["as it is", "with a timeout of the client's"])
def test_a_cancelled_wait_for_a_slot_ends(redis_url, options):
    async def scenario():
        budgets = [Budgets(Settings({REDIS_URL.name: redis_url + options}), Timing(), None) for _ in range(2)]
        turns = random.Random(2)
        count = await unended_tasks(lambda: turns.choice(budgets).take(FAST, "bulk"), turns)
        async with asyncio.timeout(LONGEST_SECONDS):
            for budget in budgets:
                await budget.aclose()
        return count

    assert asyncio.run(scenario()) == 0


def test_a_transaction_in_which_redis_stalls_ends(redis_url, running_redis):
    """A transaction watches keys, and redis-py would wait without a limit for the end of the watch."""

    async def stall_and_get(pipe):
        running_redis.stall()
        return await pipe.get("biofact:test")

    async def scenario():
        link = RedisLink(redis_url, patience_seconds=0.2)
        await link.ask(lambda client: client.ping())
        with pytest.raises(RedisLost, match="it does not answer in time"):
            async with asyncio.timeout(LONGEST_SECONDS):
                await link.ask(lambda client: client.transaction(stall_and_get, "biofact:test"))
        running_redis.go_on()
        await link.ask(lambda client: client.ping())
        await link.aclose()

    try:
        asyncio.run(scenario())
    finally:
        running_redis.go_on()
