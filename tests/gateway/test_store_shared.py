"""The cache that replicas share, while Redis is there, lost, deaf, slow or full, and when it is back."""

import asyncio

import pytest

from biofact.gateway.store import ReplicaStore
from biofact.transport.keep.store import Entry
from tests import virtual_time
from tests.gateway.redis_stand_in import Link, Server
from tests.virtual_time import now, wall_now

pytestmark = pytest.mark.quick

KEYS = {b"a": None, b"b": None}


def entry(body: bytes) -> Entry:
    return Entry(body, "https://toy/a", wall_now(), wall_now() + 100.0)


class Shelf:
    """One process's way to the store."""

    def __init__(self, server: Server):
        self.link = Link(server)
        self.store = ReplicaStore(self.link, virtual_time.timing())

    async def put(self, name: bytes, body: bytes) -> None:
        await self.store.put({name: entry(body)}, wall_now())

    async def bodies(self, keys=KEYS) -> dict[bytes, bytes | None]:
        return {key: found.body for key, found in (await self.store.get(keys, wall_now())).items()}


def run(scenario):
    async def with_shelves():
        server = Server()
        shelves = [Shelf(server) for _ in range(2)]
        try:
            return await scenario(server, *shelves)
        finally:
            for shelf in shelves:
                await shelf.store.aclose()

    return virtual_time.run(with_shelves())


def test_what_one_puts_the_other_finds():
    async def scenario(server, one, other):
        await one.put(b"a", b"1")
        return await other.bodies(), await other.store.size(), other.store.kind, await other.store.clear()

    bodies, (count, size), kind, cleared = run(scenario)

    assert (bodies, count, kind, cleared) == ({b"a": b"1"}, 1, "redis", 1)
    assert size > 10


@pytest.mark.parametrize("state", ["cut", "deaf"])
def test_nobody_waits_for_a_redis_that_is_lost_and_what_is_at_hand_is_found(state):
    async def scenario(server, one, other):
        await one.put(b"a", b"1")
        at_hand = await one.store.get(KEYS, wall_now())
        one.link.state = state
        seconds = []
        for _ in range(20):
            began = now()
            assert await one.bodies({b"a": at_hand[b"a"], b"b": None}) == {b"a": b"1"}
            seconds.append(now() - began)
            await asyncio.sleep(0.01)
        return seconds, one.store.kind, one.store.fault

    (first, *others), kind, fault = run(scenario)

    assert first <= 0.51
    assert max(others) == 0.0
    assert (kind, fault) == ("memory", "away" if state == "cut" else "slow")


def test_what_was_put_meanwhile_follows_when_redis_is_back():
    async def scenario(server, one, other):
        server.is_up = False
        for number in range(120):
            await one.put(b"%d" % number, b"1")
        while_lost = len(await one.bodies({b"%d" % number: None for number in range(120)})), await one.store.size()
        server.is_up = True
        await asyncio.sleep(5.0)
        found = await other.bodies({b"%d" % number: None for number in range(120)})
        return while_lost, len(found), one.store.kind, one.store.pending(), one.store.fault

    (while_lost, (count, _)), followed, kind, pending, fault = run(scenario)

    assert while_lost == count == followed == 120
    assert (kind, pending, fault) == ("redis", {}, None)


def test_a_full_redis_is_read_and_written_again_when_it_has_room():
    async def scenario(server, one, other):
        await other.put(b"a", b"1")
        server.is_full = True
        await one.put(b"b", b"2")
        while_full = await one.bodies(), one.store.kind
        await asyncio.sleep(10.0)
        still = one.store.kind
        server.is_full = False
        await asyncio.sleep(5.0)
        return while_full, still, await other.bodies(), one.store.kind

    while_full, still, after, kind = run(scenario)

    assert while_full == ({b"a": b"1", b"b": b"2"}, "redis, read only")
    assert still == "redis, read only"
    assert (after, kind) == ({b"a": b"1", b"b": b"2"}, "redis")


def test_each_loss_is_said_once():
    async def scenario(server, one, other):
        notices = []
        for _ in range(2):
            server.is_up = False
            await one.bodies()
            await one.bodies()
            notices.append([one.store.take_notice(), one.store.take_notice()])
            server.is_up = True
            await asyncio.sleep(5.0)
            await one.bodies()
            notices.append([one.store.take_notice()])
        return notices

    (lost, none), (back,), (again, _), _ = run(scenario)

    assert lost.code == again.code == "CACHE_IN_MEMORY"
    assert "redis://stand-in" in lost.message
    assert none is back is None


def test_what_is_cleared_while_redis_is_lost_is_what_is_here():
    async def scenario(server, one, other):
        server.is_up = False
        await one.put(b"a", b"1")
        return await one.store.clear(), await one.bodies()

    assert run(scenario) == (1, {})
