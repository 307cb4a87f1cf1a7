"""Fair shares through a real Redis: callers of three replicas. In real time, three times faster than life.

It ends after a number of slots, at any speed; a stop of a few seconds makes no caller late.
"""

import asyncio
import itertools
import re
import time
from collections import Counter

import pytest

from biofact.core.call import Call
from biofact.core.settings import Setting, Settings
from biofact.transport.backends import REDIS_URL
from biofact.transport.service import Service, SlotTooLate
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from tests.extras.redis_scene import LONGEST_SECONDS, redis, until

pytestmark = pytest.mark.extras

FACTOR = 3.0
RATE = 10.0
URL = Setting("TEST_URL", "Nothing.", default="https://example.org/api")
NCBI = Service("ncbi", "NCBI", URL, per_second=RATE, judge=lambda answer: "good")
CALLERS = [f"{number:016x}" for number in range(20)]
SLOTS = 200
DEADLINE_SECONDS = 75.0
"""In the service's time: less than the 110 that an admitted flood would wait; the others wait for 5."""


class Crowd:
    """Callers who take slots all the time, each by the next replica, and their slots."""

    def __init__(self, url: str, count: int) -> None:
        timing = Timing(rate_factor=FACTOR, deadline_seconds=DEADLINE_SECONDS / FACTOR)
        self.replicas = [Budgets(Settings({REDIS_URL.name: url}), timing, None) for _ in range(count)]
        self.slots: list[str] = []
        """The caller of each slot."""
        self.refused: Counter[str] = Counter()
        self._tasks: list[asyncio.Task[None]] = []

    def ask(self, subject, count, *replicas):
        """Let a caller keep this many requests going."""
        turns = [itertools.cycle([*replicas[number:], *replicas[:number]]) for number in range(len(replicas))]
        for number in range(count):
            self._tasks.append(asyncio.create_task(self._ask_again(subject, turns[number % len(turns)])))

    async def _ask_again(self, subject, replicas):
        for budgets in replicas:
            try:
                deadline = time.monotonic() + (DEADLINE_SECONDS - 0.5) / FACTOR
                async with budgets.slot(NCBI, Call(subject=subject, deadline=deadline)) as ready:
                    await ready()
                    self.slots.append(subject)
                    await asyncio.sleep(0.3 / FACTOR)
            except SlotTooLate as late:
                self.refused[subject] += 1
                await asyncio.sleep(late.retry_after_seconds or 1.0 / FACTOR)

    async def end(self):
        """End all callers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.wait_for(asyncio.gather(*self._tasks, return_exceptions=True), LONGEST_SECONDS)
        for budgets in self.replicas:
            await budgets.aclose()

    async def take(self, count):
        """Wait until ``count`` slots are taken."""
        assert await until(lambda: len(self.slots) >= count)

    def counts(self):
        """Slots by caller."""
        return Counter(self.slots)


@pytest.mark.parametrize("is_spread", [True, False], ids=["anywhere", "each on one"])
def test_of_one_flood_and_nineteen_others_every_caller_gets_a_twentieth(redis_url, is_spread):
    async def test():
        crowd = Crowd(redis_url, 3)
        start = time.monotonic()
        for number, caller in enumerate(CALLERS):
            caller_replicas = crowd.replicas if is_spread else crowd.replicas[number % 3 : number % 3 + 1]
            crowd.ask(caller, 1 + number % 2 if number else 50, *caller_replicas)
        await crowd.take(SLOTS)
        keepers = {(await budgets.stats(NCBI)).kept for budgets in crowd.replicas}
        await crowd.end()
        seconds = time.monotonic() - start
        counts, fair = crowd.counts(), len(crowd.slots) / len(CALLERS)

        assert keepers == {"redis"}
        assert len(counts) == len(CALLERS)
        assert min(counts.values()) >= 0.5 * fair  # tests/transport has the bars: a busy machine changes these
        assert counts[CALLERS[0]] <= 2.0 * fair  # by the number of its requests it would be twelve times
        assert len(crowd.slots) <= seconds * RATE * FACTOR
        assert crowd.refused.keys() <= {CALLERS[0]}

    asyncio.run(test())


def test_one_caller_here_and_nineteen_there_share_one_to_nineteen(redis_url):
    async def test():
        crowd = Crowd(redis_url, 2)
        first_replica, second_replica = crowd.replicas
        crowd.ask(CALLERS[0], 20, first_replica)
        for caller in CALLERS[1:]:
            crowd.ask(caller, 1, second_replica)
        await crowd.take(SLOTS / 2)
        await crowd.end()

        # A twentieth, and a slot or two for each stop, after which the others seem gone. By replicas it is half.
        assert crowd.counts()[CALLERS[0]] <= len(crowd.slots) / 4

    asyncio.run(test())


def test_the_row_is_small_and_holds_nothing_but_digests(redis_url):
    async def test():
        crowd = Crowd(redis_url, 3)
        for caller in CALLERS:
            crowd.ask(caller, 3, *crowd.replicas)
        await crowd.take(len(CALLERS))
        with redis.Redis.from_url(redis_url) as client:
            (key,) = client.keys("biofact:budget:*")
            assert await until(lambda: set(re.findall('"([^"]*)"', row_in(client, key))) >= set(CALLERS))
            row = row_in(client, key)
        await crowd.end()

        assert len(row) < 6_000
        assert all(re.fullmatch("[0-9a-f]{16}", text) for text in re.findall('"([^"]*)"', row))

    asyncio.run(test())


def row_in(client, key):
    return client.get(key).decode()
