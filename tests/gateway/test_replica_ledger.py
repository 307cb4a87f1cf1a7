"""The source of a replica's slots, as Redis goes and comes; notices of that, and pauses meanwhile."""

import asyncio
import logging

import pytest

from biofact.core.errors import UpstreamError
from biofact.core.settings import Settings
from biofact.gateway.ledger import ReplicaLedger
from biofact.gateway.membership import Membership, SharedMembership, replica_id
from biofact.transport.keep.cache import CACHE_DIR
from biofact.transport.service import Request
from biofact.transport.stack import Transport
from biofact.transport.turns.ledgers import Ledgers, MemoryLedger, SlotRequest
from tests import virtual_time
from tests.gateway.redis_stand_in import Link, Server
from tests.transport.scene import TOY
from tests.virtual_time import now, wall_now

pytestmark = pytest.mark.quick

GAP, MOST_CALLS = 0.37, 3


class Machine:
    """A replica, and its link to Redis."""

    def __init__(self, server: Server, name: str, *, configured_count: int = 0):
        self.link = Link(server)
        timing = virtual_time.timing()
        membership = Membership(self.link, timing, name, configured_count=configured_count)
        shared = SharedMembership(self.link, membership)
        self.local = MemoryLedger(wall_now)
        self.ledger = ReplicaLedger(self.link, timing, shared=lambda: shared, local=self._local)

    async def _local(self, ask, processes):
        return await self.local.take(ask)

    async def take(self, **changes):
        return await self.ledger.take(SlotRequest("toy", "me", GAP, MOST_CALLS, **changes))

    async def taken(self, seconds: float) -> list[float]:
        """The times of the slots of a process that takes them all the time."""
        times, end = [], now() + seconds
        while now() < end:
            reply = await self.take(lane="bulk")
            if reply.is_taken:
                times.append(now())
            await asyncio.sleep(min(reply.wait, 0.2))
        return times


def server() -> Server:
    used = Server()
    used.hset("biofact:replicas", "since", "1.0 before")
    return used


async def settle(*machines: Machine) -> None:
    await asyncio.gather(*(machine.taken(8.0) for machine in machines))


async def closed(*machines: Machine) -> None:
    for machine in machines:
        await machine.ledger.aclose()


def test_a_replica_that_lost_redis_takes_its_share_and_then_from_redis_again():
    async def scenario():
        redis = server()
        machines = [Machine(redis, name) for name in "ab"]
        await settle(*machines)
        redis.is_up = False
        await asyncio.gather(*(machine.taken(5.0) for machine in machines))
        while_lost = await asyncio.gather(*(machine.taken(22.2) for machine in machines))
        state = machines[0].ledger.state()
        redis.is_up = True
        await asyncio.gather(*(machine.taken(8.0) for machine in machines))
        when_back = await asyncio.gather(*(machine.taken(11.1) for machine in machines))
        after = machines[0].ledger.state()
        await closed(*machines)
        return while_lost, state, when_back, after

    while_lost, state, when_back, after = virtual_time.run(scenario())

    assert sorted(len(times) / 20 for times in while_lost) == pytest.approx([1, 2], rel=0.15)
    assert sum(map(len, when_back)) == pytest.approx(30, abs=2)
    assert (state.is_ok, state.is_ready, state.fault, state.replicas, state.share) == (False, True, "away", 2, 0.5)
    assert state.lost_since == pytest.approx(wall_now_at(8.0), abs=1.0)
    assert (after.is_ok, after.lost_since, after.share) == (True, None, 1.0)


def wall_now_at(seconds: float) -> float:
    return virtual_time.EPOCH + seconds


def test_loss_and_return_are_reported_once_each(caplog):
    caplog.set_level(logging.WARNING, "biofact.redis")

    async def scenario():
        redis = server()
        machine = Machine(redis, "a")
        await settle(machine)
        notices = [machine.ledger.take_notice()]
        redis.is_up = False
        await machine.taken(20.0)
        notices += [machine.ledger.take_notice(), machine.ledger.take_notice()]
        redis.is_up = True
        await machine.taken(10.0)
        notices.append(machine.ledger.take_notice())
        await closed(machine)
        return notices

    first, while_lost, second, when_back = virtual_time.run(scenario())

    assert (first, second, when_back) == (None, None, None)
    assert (while_lost.code, "Redis" in while_lost.message) == ("CACHE_IN_MEMORY", True)
    assert [record.message.split(":")[0].split(" after")[0] for record in caplog.records] == [
        "Redis is lost for rate limits",
        "Redis is back for rate limits",
    ]


@pytest.mark.parametrize("configured_count", [0, 3])
def test_without_redis_at_the_start_there_are_slots_only_where_the_number_is_known(configured_count):
    async def scenario():
        redis = server()
        redis.is_up = False
        machine = Machine(redis, "a", configured_count=configured_count)
        refusal = await machine.ledger.refusal(SlotRequest("toy", "me", GAP, MOST_CALLS))
        times = await machine.taken(11.2)
        redis.is_up = True
        await machine.taken(8.0)
        is_ready = (
            machine.ledger.state().is_ready,
            await machine.ledger.refusal(SlotRequest("toy", "me", GAP, MOST_CALLS)),
        )
        await closed(machine)
        return refusal, times, is_ready

    refusal, times, is_ready = virtual_time.run(scenario())

    assert is_ready == (True, None)
    if configured_count:
        assert refusal is None
        assert 9 <= len(times) <= 10
    else:
        assert "BIOFACT_REPLICAS does not say" in refusal.reason
        assert 0 < refusal.retry_after_seconds <= 5
        assert times == []


def test_a_pause_holds_wherever_it_was_heard_of():
    async def scenario():
        redis = server()
        first, second = Machine(redis, "a"), Machine(redis, "b")
        await settle(first, second)
        await first.take(hold=60.0)
        await second.take()
        redis.is_up = False
        await asyncio.sleep(10.0)
        while_lost = [(await machine.take(lane="bulk")).wait for machine in (first, second)]
        await first.take(hold=120.0)
        redis.is_up = True
        await asyncio.gather(*(machine.taken(10.0) for machine in (first, second)))
        when_back = [(await machine.take(lane="bulk")).wait for machine in (first, second)]
        await first.take(is_lifting=True)
        when_lifted = (await second.take(lane="interactive")).wait
        await closed(first, second)
        return while_lost, when_back, when_lifted

    while_lost, when_back, when_lifted = virtual_time.run(scenario())

    assert while_lost == pytest.approx([50.0, 50.0], abs=0.5)
    assert when_back == pytest.approx([110.0, 110.0], abs=1.0)
    assert when_lifted < 1.0


def test_a_pause_that_redis_could_not_take_is_written_when_it_is_back():
    async def scenario():
        redis = server()
        machine, other = Machine(redis, "a"), Machine(redis, "b")
        await settle(machine, other)
        redis.is_up = False
        first_wait = (await machine.take(hold=60.0)).wait
        redis.is_up = True
        await asyncio.sleep(4.0)
        waits = [(await process.take(lane="bulk")).wait for process in (machine, other)]
        await closed(machine, other)
        return first_wait, waits

    first_wait, waits = virtual_time.run(scenario())

    assert first_wait == pytest.approx(60.0, abs=0.1)
    assert waits == pytest.approx([56.0, 56.0], abs=0.5)


def test_a_row_that_redis_forgot_gives_no_burst():
    async def scenario():
        redis = server()
        machines = [Machine(redis, name) for name in "abc"]
        await settle(*machines)
        tasks = [asyncio.create_task(machine.taken(8.0)) for machine in machines]
        for _ in range(3):
            await asyncio.sleep(2.0)
            redis.empty()
        times = sorted(time for times in await asyncio.gather(*tasks) for time in times)
        await closed(*machines)
        return times

    times = virtual_time.run(scenario())

    assert min(end - earlier for earlier, end in zip(times, times[MOST_CALLS:], strict=False)) > MOST_CALLS * GAP - 0.01
    assert len(times) > 10


def test_a_call_without_a_share_is_refused_and_says_when_to_come_back(tmp_path):
    async def scenario():
        settings = Settings({"BIOFACT_REDIS_URL": "redis://127.0.0.1:9/0", CACHE_DIR.name: str(tmp_path)})
        async with Transport(settings) as transport:
            with pytest.raises(UpstreamError) as error:
                await transport.fetch(Request(TOY, "/word"), bytes)
            return error.value, transport.redis_state

    pytest.importorskip("redis")
    error, state = asyncio.run(scenario())

    assert error.message.startswith("The Toy Database is not asked: Redis")
    assert 1 <= error.recovery.seconds <= 5
    assert not state.is_ready


def test_slots_are_as_much_further_apart_as_the_share_is_smaller():
    async def scenario():
        redis = server()
        machines = [Machine(redis, name) for name in "abc"]
        await settle(*machines)
        ask = SlotRequest("toy", "me", GAP, MOST_CALLS)
        with_redis = machines[0].ledger.stretch(ask)
        redis.is_up = False
        await asyncio.gather(*(machine.taken(6.0) for machine in machines))
        without_redis = machines[0].ledger.stretch(ask)
        await closed(*machines)
        return with_redis, without_redis

    assert virtual_time.run(scenario()) == (1.0, 3.0)


def test_processes_without_a_folder_share_what_is_their_replica_s(tmp_path):
    async def scenario():
        settings = Settings({})
        ledgers = Ledgers(settings, virtual_time.timing(), None)
        asks = [SlotRequest("toy", "me", GAP, MOST_CALLS, lane="bulk") for _ in range(4)]
        lone = [await ledgers._take_here(ask, 1) for ask in asks[:1]]
        await asyncio.sleep(10.0)
        among_two, too_many = await ledgers._take_here(asks[1], 2), await ledgers._take_here(asks[2], 4)
        return lone[0], among_two, too_many

    lone, among_two, too_many = virtual_time.run(scenario())

    assert (lone.is_taken, lone.wait) == (True, pytest.approx(GAP))
    assert (among_two.is_taken, among_two.wait) == (True, pytest.approx(MOST_CALLS * GAP))
    assert not too_many.is_taken


def test_one_folder_is_one_replica_and_another_folder_another(tmp_path):
    first, second, other = (replica_id(tmp_path / name) for name in ("a", "a", "b"))

    assert first == second != other
    assert replica_id(None) != replica_id(None)
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["replica"]
    assert (tmp_path / "a" / "replica").stat().st_mode & 0o077 == 0
