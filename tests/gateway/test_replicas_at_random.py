"""Replicas that lose Redis and return in any order: no window ever has more slots than the limit."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress

import pytest

from biofact.gateway.ledger import ReplicaLedger
from biofact.gateway.membership import Membership, SharedMembership
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import MemoryLedger, SlotReply, SlotRequest
from tests import virtual_time
from tests.gateway.redis_stand_in import Link, Server
from tests.virtual_time import now, wall_now

pytestmark = pytest.mark.quick

GAP = 0.37
SECONDS = 90.0


class Process:
    """A process that takes slots all the time; other processes of its replica use the same ledger without Redis."""

    def __init__(self, world: "World", replica: str):
        self.world = world
        self.replica = replica
        self.link = Link(world.server)
        timing = Timing(clock=now, wall_clock=wall_now, random=world.random.random)
        membership = Membership(self.link, timing, replica)
        shared = SharedMembership(self.link, membership)
        self.ledger = ReplicaLedger(self.link, timing, shared=lambda: shared, local=self._local)
        self.task = asyncio.create_task(self._run())

    async def _local(self, ask: SlotRequest, processes: int) -> SlotReply:
        return await self.world.ledgers.setdefault(self.replica, MemoryLedger(wall_now)).take(ask)

    async def _run(self) -> None:
        world = self.world
        while True:
            reply = await self.ledger.take(SlotRequest("ncbi", str(id(self)), GAP, world.limit, "bulk"))
            if reply.is_taken:
                world.taken.append(now())
            await asyncio.sleep(max(0.01, min(reply.wait, 1.0)) * world.random.uniform(0.9, 1.1))

    async def stop(self) -> None:
        """Stop like a process that signs off if it can."""
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task
        await self.ledger.aclose()

    async def kill(self) -> None:
        """Stop like a process that was killed: no other is notified."""
        self.link.state = "cut"
        await self.stop()


class World:
    """Replicas, the Redis that they share, and the events that they meet."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.server = Server()
        self.limit = self.random.choice((1, 2, 3, 5, 10))
        self.ledgers: dict[str, MemoryLedger] = {}
        self.taken: list[float] = []
        names = [f"replica {number}" for number in range(self.random.randint(2, 5))]
        self.processes = [Process(self, name) for name in names for _ in range(self.random.choice((1, 1, 2)))]

    async def run(self) -> None:
        await asyncio.sleep(10.0)
        while now() < SECONDS:
            await self.random.choice(self.events())()
            await asyncio.sleep(self.random.choice((0.1, 1.0, 3.0, 6.0)) * self.random.random())
        self.server.is_up = True
        for process in self.processes:
            process.link.state = "open"
        await asyncio.sleep(10.0)
        self.calm_from = now()
        await asyncio.sleep(10.0)
        for process in self.processes:
            await process.stop()

    def events(self) -> list[Callable[[], object]]:
        return [
            self.cut,
            self.cut,
            self.cut,
            self.mend,
            self.mend,
            self.fail,
            self.recover,
            self.empty,
            self.restart,
            self.grow,
        ]

    async def cut(self) -> None:
        self.random.choice(self.processes).link.state = self.random.choice(("cut", "deaf"))

    async def mend(self) -> None:
        for process in self.random.sample(self.processes, self.random.randint(1, len(self.processes))):
            process.link.state = "open"

    async def fail(self) -> None:
        self.server.is_up = False

    async def recover(self) -> None:
        if not self.server.is_up and self.random.random() < 0.5:
            self.server.empty()
        self.server.is_up = True

    async def empty(self) -> None:
        if self.server.is_up:
            self.server.empty()

    async def grow(self) -> None:
        """An additional replica, just before all lose Redis."""
        if not self.is_calm() or len(self.processes) > 7:
            return
        self.processes.append(Process(self, f"replica {len(self.processes) + 5}"))
        await asyncio.sleep(self.random.choice((0.1, 0.3, 3.0)))
        self.server.is_up = False
        await asyncio.sleep(8.0)
        self.server.is_up = True
        await asyncio.sleep(6.0)

    def is_calm(self) -> bool:
        return self.server.is_up and all(process.link.state == "open" for process in self.processes)

    async def restart(self) -> None:
        if not self.is_calm():
            return
        number = self.random.randrange(len(self.processes))
        process = self.processes[number]
        await self.random.choice((process.stop, process.kill))()
        self.processes[number] = Process(self, process.replica)
        await asyncio.sleep(6.0)  # a new replica, whose Redis is emptied while others are cut off, cannot know of them

    def over(self) -> list[float]:
        times = sorted(self.taken)
        window = self.limit * GAP
        return [end for earlier, end in zip(times, times[self.limit :], strict=False) if end - earlier < window - 0.01]

    def used(self) -> float:
        return sum(time >= self.calm_from for time in self.taken) / (10.0 / GAP)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(1, 12))])
def test_no_window_has_more_slots_than_the_limit(seed):
    async def scenario():
        world = World(seed)
        await world.run()
        return world

    world = virtual_time.run(scenario())

    assert world.over() == []
    assert len(world.taken) > 0
