"""Where the slots of a replica come from, as Redis goes and comes; what is said of that, and pauses meanwhile."""

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

GAP, MOST = 0.37, 3


class Machine:
    """A replica, and its way to Redis."""

    def __init__(self, server: Server, name: str, *, declared: int = 0):
        self.link = Link(server)
        timing = virtual_time.timing()
        membership = Membership(self.link, timing, name, declared=declared)
        shared = SharedMembership(self.link, membership)
        self.local = MemoryLedger(wall_now)
        self.ledger = ReplicaLedger(self.link, timing, shared=lambda: shared, local=self._local)

    async def _local(self, ask, processes):
        return await self.local.take(ask)

    async def take(self, **changes):
        return await self.ledger.take(SlotRequest("toy", "me", GAP, MOST, **changes))

    async def taken(self, seconds: float) -> list[float]:
        """When slots were taken by somebody who wants them all the time."""
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


async def settled(*machines: Machine) -> None:
    await asyncio.gather(*(each.taken(8.0) for each in machines))


async def closed(*machines: Machine) -> None:
    for each in machines:
        await each.ledger.aclose()


def test_a_replica_that_lost_redis_takes_its_share_and_then_from_redis_again():
    async def scenario():
        own = server()
        machines = [Machine(own, name) for name in "ab"]
        await settled(*machines)
        own.is_up = False
        await asyncio.gather(*(each.taken(5.0) for each in machines))
        lost = await asyncio.gather(*(each.taken(22.2) for each in machines))
        state = machines[0].ledger.state()
        own.is_up = True
        await asyncio.gather(*(each.taken(8.0) for each in machines))
        back = await asyncio.gather(*(each.taken(11.1) for each in machines))
        after = machines[0].ledger.state()
        await closed(*machines)
        return lost, state, back, after

    lost, state, back, after = virtual_time.run(scenario())

    assert sorted(len(times) / 20 for times in lost) == pytest.approx([1, 2], rel=0.15)
    assert sum(map(len, back)) == pytest.approx(30, abs=2)
    assert (state.is_ok, state.is_ready, state.fault, state.replicas, state.share) == (False, True, "away", 2, 0.5)
    assert state.lost_since == pytest.approx(wall_now_at(8.0), abs=1.0)
    assert (after.is_ok, after.lost_since, after.share) == (True, None, 1.0)


def wall_now_at(seconds: float) -> float:
    return virtual_time.EPOCH + seconds


def test_loss_and_return_are_said_once_each(caplog):
    caplog.set_level(logging.WARNING, "biofact.redis")

    async def scenario():
        own = server()
        one = Machine(own, "a")
        await settled(one)
        notices = [one.ledger.take_notice()]
        own.is_up = False
        await one.taken(20.0)
        notices += [one.ledger.take_notice(), one.ledger.take_notice()]
        own.is_up = True
        await one.taken(10.0)
        notices.append(one.ledger.take_notice())
        await closed(one)
        return notices

    first, lost, again, back = virtual_time.run(scenario())

    assert (first, again, back) == (None, None, None)
    assert (lost.code, "Redis" in lost.message) == ("CACHE_IN_MEMORY", True)
    assert [record.message.split(":")[0].split(" after")[0] for record in caplog.records] == [
        "Redis is lost for rate limits",
        "Redis is back for rate limits",
    ]


@pytest.mark.parametrize("declared", [0, 3])
def test_without_redis_at_the_start_there_are_slots_only_where_the_number_is_known(declared):
    async def scenario():
        own = server()
        own.is_up = False
        one = Machine(own, "a", declared=declared)
        refusal = await one.ledger.refusal(SlotRequest("toy", "me", GAP, MOST))
        taken = await one.taken(11.2)
        own.is_up = True
        await one.taken(8.0)
        is_ready = one.ledger.state().is_ready, await one.ledger.refusal(SlotRequest("toy", "me", GAP, MOST))
        await closed(one)
        return refusal, taken, is_ready

    refusal, taken, is_ready = virtual_time.run(scenario())

    assert is_ready == (True, None)
    if declared:
        assert refusal is None
        assert 9 <= len(taken) <= 10
    else:
        assert "BIOFACT_REPLICAS does not say" in refusal.reason
        assert 0 < refusal.retry_after_seconds <= 5
        assert taken == []


def test_a_pause_holds_wherever_it_was_heard_of():
    async def scenario():
        own = server()
        first, second = Machine(own, "a"), Machine(own, "b")
        await settled(first, second)
        await first.take(hold=60.0)
        await second.take()
        own.is_up = False
        await asyncio.sleep(10.0)
        while_lost = [(await each.take(lane="bulk")).wait for each in (first, second)]
        await first.take(hold=120.0)
        own.is_up = True
        await asyncio.gather(*(each.taken(10.0) for each in (first, second)))
        when_back = [(await each.take(lane="bulk")).wait for each in (first, second)]
        await first.take(is_lifting=True)
        lifted = (await second.take(lane="interactive")).wait
        await closed(first, second)
        return while_lost, when_back, lifted

    while_lost, when_back, lifted = virtual_time.run(scenario())

    assert while_lost == pytest.approx([50.0, 50.0], abs=0.5)
    assert when_back == pytest.approx([110.0, 110.0], abs=1.0)
    assert lifted < 1.0


def test_a_row_that_redis_forgot_gives_no_burst():
    async def scenario():
        own = server()
        machines = [Machine(own, name) for name in "abc"]
        await settled(*machines)
        tasks = [asyncio.create_task(each.taken(8.0)) for each in machines]
        for _ in range(3):
            await asyncio.sleep(2.0)
            own.empty()
        taken = sorted(at for times in await asyncio.gather(*tasks) for at in times)
        await closed(*machines)
        return taken

    taken = virtual_time.run(scenario())

    assert min(later - earlier for earlier, later in zip(taken, taken[MOST:], strict=False)) > MOST * GAP - 0.01
    assert len(taken) > 10


def test_a_call_without_a_share_is_refused_and_says_when_to_come_back(tmp_path):
    async def scenario():
        settings = Settings({"BIOFACT_REDIS_URL": "redis://127.0.0.1:9/0", CACHE_DIR.name: str(tmp_path)})
        async with Transport(settings) as transport:
            with pytest.raises(UpstreamError) as refused:
                await transport.fetch(Request(TOY, "/word"), bytes)
            return refused.value, transport.redis_state

    pytest.importorskip("redis")
    error, state = asyncio.run(scenario())

    assert error.message.startswith("The Toy Database is not asked: Redis")
    assert 1 <= error.recovery.seconds <= 5
    assert not state.is_ready


def test_slots_are_as_much_further_apart_as_the_share_is_smaller():
    async def scenario():
        own = server()
        machines = [Machine(own, name) for name in "abc"]
        await settled(*machines)
        ask = SlotRequest("toy", "me", GAP, MOST)
        with_redis = machines[0].ledger.stretch(ask)
        own.is_up = False
        await asyncio.gather(*(each.taken(6.0) for each in machines))
        without = machines[0].ledger.stretch(ask)
        await closed(*machines)
        return with_redis, without

    assert virtual_time.run(scenario()) == (1.0, 3.0)


def test_processes_without_a_folder_share_what_is_their_replica_s(tmp_path):
    async def scenario():
        settings = Settings({})
        ledgers = Ledgers(settings, virtual_time.timing(), None)
        asks = [SlotRequest("toy", "me", GAP, MOST, lane="bulk") for _ in range(4)]
        alone = [await ledgers._take_here(ask, 1) for ask in asks[:1]]
        await asyncio.sleep(10.0)
        among_two, too_many = await ledgers._take_here(asks[1], 2), await ledgers._take_here(asks[2], 4)
        return alone[0], among_two, too_many

    alone, among_two, too_many = virtual_time.run(scenario())

    assert (alone.is_taken, alone.wait) == (True, pytest.approx(GAP))
    assert (among_two.is_taken, among_two.wait) == (True, pytest.approx(MOST * GAP))
    assert not too_many.is_taken


def test_one_folder_is_one_replica_and_another_folder_another(tmp_path):
    first, again, other = (replica_id(tmp_path / name) for name in ("a", "a", "b"))

    assert first == again != other
    assert replica_id(None) != replica_id(None)
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["replica"]
    assert (tmp_path / "a" / "replica").stat().st_mode & 0o077 == 0
