"""Quotas through a real Redis: replicas count together, by its clock, and continue without it."""

import asyncio

import pytest
from benchmarks.redis_server import server

from biofact.core.settings import Settings
from biofact.gateway.counts import Charge
from biofact.gateway.link import REPLICAS
from biofact.gateway.quotas import QuotaCounts
from biofact.transport.backends import REDIS_URL
from biofact.transport.quotas import STEPS
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import Ledgers
from tests.extras.redis_scene import until

pytestmark = pytest.mark.extras

ANN = "calls/ann"
WINDOW = 3600.0


class Replica(Ledgers):
    """The ledgers of one replica, by which quotas are counted."""

    def __init__(self, settings, folder):
        timing = Timing()
        super().__init__(settings, timing, folder)
        self.charge = QuotaCounts(lambda: self, timing.wall_clock).charge


def run(url, scenario, count=2, folders=None, **environment):
    """The result of a scenario with the ledgers of this many replicas."""
    settings = Settings({REDIS_URL.name: url, **environment})

    async def main():
        replicas = [Replica(settings, folders[number] if folders else None) for number in range(count)]
        try:
            return await scenario(*replicas)
        finally:
            for replica in replicas:
                await replica.aclose()

    return asyncio.run(main())


async def granted(ledgers, count, name=ANN, limit=100, window=WINDOW):
    waits = await asyncio.gather(*(ledgers.charge(Charge(name, 1, limit, window)) for _ in range(count)))
    return waits.count(0.0)


def test_replicas_that_charge_at_once_are_never_over(redis_url):
    async def scenario(*replicas):
        for number in range(10):
            counts = await asyncio.gather(*(granted(replica, 60, f"calls/{number}") for replica in replicas))
            assert sum(counts) == 100, counts

    run(redis_url, scenario, count=3)


def test_callers_have_their_own_and_what_is_used_already_counts(redis_url):
    async def scenario(ledger, other):
        await ledger.charge(Charge(ANN, 1000, 100, WINDOW, is_used=True))
        return await granted(other, 5), await granted(other, 5, "calls/bob")

    assert run(redis_url, scenario) == (0, 5)


def test_the_wait_is_as_long_as_redis_says_and_counts_expire(redis_url, running_redis):
    async def scenario(ledger, other):
        await ledger.charge(Charge(ANN, 3, 3, WINDOW))
        wait = await other.charge(Charge(ANN, 1, 3, WINDOW))
        return wait, running_redis.command("TTL", f"biofact:quota:{ANN}")

    wait, expires = run(redis_url, scenario)

    assert WINDOW / 2 < wait <= WINDOW + WINDOW / STEPS
    assert 0 < expires <= WINDOW + WINDOW / STEPS


def test_after_the_wait_a_charge_fits_again(redis_url):
    async def scenario(ledger, other):
        window = 1.2
        # All three at once: charged one by one on a busy machine, they would expire one by one as well.
        await ledger.charge(Charge(ANN, 3, 3, window))
        wait = await other.charge(Charge(ANN, 1, 3, window))
        await asyncio.sleep(wait + 0.001)
        return await other.charge(Charge(ANN, 3, 3, window)) if wait else 0.0

    assert run(redis_url, scenario) == 0.0


@pytest.mark.usefixtures("patience")
def test_without_redis_each_replica_has_its_part_and_with_it_the_whole_again(tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in (*folders, place := tmp_path / "redis"):
        folder.mkdir()

    async def scenario(*replicas):
        before = await granted(replicas[0], 150)
        redis.stop()
        lost_counts = [await granted(replica, 150) for replica in replicas]
        redis.start()
        assert await until(lambda: all(replica.redis_state().lost_since is None for replica in replicas))
        return before, lost_counts, sum([await granted(replica, 150) for replica in replicas])

    with server(place) as redis:
        result = run(redis.url, scenario, folders=folders, **{REPLICAS.name: "2"})

    assert result == (100, [50, 50], 100)


def test_an_emptied_redis_counts_from_zero(redis_url, running_redis):
    async def scenario(ledger, other):
        first = await granted(ledger, 150)
        running_redis.command("FLUSHALL")
        return first, await granted(other, 150)

    assert run(redis_url, scenario) == (100, 100)
