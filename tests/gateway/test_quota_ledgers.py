"""Counts of quotas: in memory, on the disk of several workers, in Redis, and of a part while Redis is lost."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from biofact.core.settings import Settings
from biofact.gateway.counts import Charge
from biofact.gateway.ledger import ReplicaLedger
from biofact.gateway.membership import Membership, SharedMembership
from biofact.gateway.quotas import QuotaCounts
from biofact.transport.quotas import STEPS
from biofact.transport.turns.ledgers import LOST_SECONDS, Ledgers
from tests import virtual_time
from tests.gateway.redis_stand_in import Link, Server

pytestmark = pytest.mark.quick

WINDOW = 60.0
LENGTH = WINDOW / STEPS
ANN, BOB = "calls/ann", "calls/bob"


def charge(name=ANN, amount=1, limit=3, **options):
    return Charge(name, amount, limit, WINDOW, **options)


async def granted(ledgers, count, name=ANN, limit=3):
    """The number of charges that fit."""
    waits = await asyncio.gather(*(ledgers.charge(charge(name, limit=limit)) for _ in range(count)))
    return waits.count(0.0)


class CountingLedgers(Ledgers):
    """Ledgers by which quotas are counted."""

    def __init__(self, folder=None):
        super().__init__(Settings({}), virtual_time.timing(), folder)
        self.charge = QuotaCounts(lambda: self, virtual_time.wall_now).charge


class Replica(CountingLedgers):
    """A replica with its own folder, or with none, and with a link to Redis."""

    def __init__(self, server, name, folder=None):
        timing = virtual_time.timing()
        super().__init__(folder)
        self.link = Link(server)
        shared = SharedMembership(self.link, Membership(self.link, timing, name))
        self._shared = ReplicaLedger(self.link, timing, shared=lambda: shared, local=self._take_here)


def server():
    used = Server()
    used.hset("biofact:replicas", "since", "1.0 before")
    return used


@pytest.fixture(params=["memory", "disk", "redis"])
def ledgers(request, tmp_path):
    if request.param == "redis":
        return lambda: Replica(server(), "a")
    return lambda: CountingLedgers(tmp_path if request.param == "disk" else None)


def test_counts_in_redis_that_cannot_be_read_are_none():
    async def scenario():
        redis = server()
        ledgers = Replica(redis, "a")
        redis.hset(f"biofact:quota:{charge().name}", "x", "y")
        return await granted(ledgers, 5), ledgers.redis_state().is_ok

    assert virtual_time.run(scenario()) == (3, True)


def test_each_caller_has_a_quota_of_their_own_and_gets_it_again(ledgers):
    async def scenario():
        counting_ledgers = ledgers()
        first = [await granted(counting_ledgers, 5), await granted(counting_ledgers, 5, BOB)]
        wait = await counting_ledgers.charge(charge())
        await asyncio.sleep(wait - 0.01)
        early = await granted(counting_ledgers, 1)
        await asyncio.sleep(0.02)
        granted_again = await granted(counting_ledgers, 5)
        await counting_ledgers.aclose()
        return first, wait, early, granted_again

    first, wait, early, granted_again = virtual_time.run(scenario())

    assert first == [3, 3]
    assert WINDOW - 1.0 < wait <= WINDOW + LENGTH
    assert (early, granted_again) == (0, 3)


def test_an_amount_that_is_used_already_counts_in_every_ledger(ledgers):
    async def scenario():
        counting_ledgers = ledgers()
        before = await counting_ledgers.charge(charge(amount=0))
        used = await counting_ledgers.charge(charge(amount=50, is_used=True))
        after = await counting_ledgers.charge(charge(amount=0))
        await counting_ledgers.aclose()
        return before, used, after > 0

    assert virtual_time.run(scenario()) == (0.0, 0.0, True)


def test_several_workers_of_a_folder_count_together(tmp_path):
    async def scenario():
        workers = [CountingLedgers(tmp_path) for _ in range(3)]
        counts = await asyncio.gather(*(granted(worker, 20, limit=10) for worker in workers))
        for worker in workers:
            await worker.aclose()
        return sum(counts)

    assert virtual_time.run(scenario()) == 10


_CHILD = """
import asyncio, sys
from pathlib import Path
from biofact.core.settings import Settings
from biofact.gateway.counts import Charge
from biofact.gateway.quotas import QuotaCounts
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import Ledgers

async def main():
    ledgers = Ledgers(Settings({}), Timing(), Path(sys.argv[1]))
    counts = QuotaCounts(lambda: ledgers, lambda: 1.8e9)
    waits = [await counts.charge(Charge("calls/ann", 1, 100, 60.0)) for _ in range(80)]
    print(waits.count(0.0))
    await ledgers.aclose()

asyncio.run(main())
"""


@pytest.mark.processes
def test_two_real_processes_together_are_never_over(tmp_path):
    command = [sys.executable, "-c", _CHILD, str(tmp_path)]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]

    assert sum(int(child.communicate(timeout=120)[0]) for child in children) == 100


def test_rows_on_the_disk_go_when_they_matter_no_more(tmp_path):
    async def scenario():
        ledgers = CountingLedgers(tmp_path)
        for number in range(50):
            await ledgers.charge(charge(f"calls/{number}"))
            await asyncio.sleep(10.0)
        await ledgers.aclose()

    virtual_time.run(scenario())
    with closing(sqlite3.connect(tmp_path / "budgets.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM quota").fetchone()[0] <= 8


def test_a_refused_charge_writes_nothing_in_redis():
    async def scenario():
        redis = server()
        replica = Replica(redis, "a")
        await granted(replica, 3)
        version = redis.versions["biofact:quota:calls/ann"]
        await granted(replica, 10)
        await replica.aclose()
        return redis.versions["biofact:quota:calls/ann"] - version

    assert virtual_time.run(scenario()) == 0


def test_replicas_that_charge_at_once_are_never_over_and_forget_old_steps():
    async def scenario():
        redis = server()
        replicas = [Replica(redis, name) for name in "abc"]
        counts = []
        for _ in range(4):
            counts.append(sum(await asyncio.gather(*(granted(replica, 20, limit=30) for replica in replicas))))
            await asyncio.sleep(WINDOW + LENGTH)
        fields = redis.hgetall("biofact:quota:calls/ann")
        for replica in replicas:
            await replica.aclose()
        return counts, fields

    counts, fields = virtual_time.run(scenario())

    assert counts == [30] * 4
    assert list(map(int, fields.values())) == [30]


@pytest.mark.parametrize("has_folder", [True, False])
def test_while_redis_is_lost_each_replica_has_its_part(tmp_path, has_folder):
    async def scenario():
        redis = server()
        replicas = [Replica(redis, name, tmp_path / name if has_folder else None) for name in "ab"]
        for name in "ab":
            (tmp_path / name).mkdir()
        await asyncio.gather(*(replica.join() for replica in replicas))
        await asyncio.sleep(10.0)
        before = await granted(replicas[0], 20, limit=10)
        redis.is_up = False
        while_lost = [await granted(replica, 20, limit=10) for replica in replicas]
        redis.is_up = True
        await asyncio.sleep(10.0)
        when_back = await granted(replicas[0], 20, limit=10)
        await asyncio.sleep(WINDOW)
        a_window_later = sum([await granted(replica, 20, limit=10) for replica in replicas])
        for replica in replicas:
            await replica.aclose()
        return before, while_lost, when_back, a_window_later

    assert virtual_time.run(scenario()) == (10, [5, 5], 0, 10)


def test_a_lost_disk_is_replaced_by_memory_for_a_while(tmp_path):
    (tmp_path / "budgets.sqlite").mkdir()

    async def scenario():
        ledgers = CountingLedgers(tmp_path)
        counts = [await granted(ledgers, 5)]
        (tmp_path / "budgets.sqlite").rmdir()
        await asyncio.sleep(LOST_SECONDS + 0.1)
        counts.append(await granted(ledgers, 5))
        await ledgers.aclose()
        return counts

    assert virtual_time.run(scenario()) == [3, 3]
