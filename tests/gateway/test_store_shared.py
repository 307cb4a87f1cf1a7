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
    """One process's link to the store."""

    def __init__(self, server: Server):
        self.link = Link(server)
        self.store = ReplicaStore(self.link, virtual_time.timing())

    async def put(self, name: bytes, body: bytes) -> None:
        await self.store.put({name: entry(body)}, wall_now())

    async def bodies(self, keys=KEYS) -> dict[bytes, bytes | None]:
        return {key: entries.body for key, entries in (await self.store.get(keys, wall_now())).items()}


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


def test_an_entry_of_one_replica_is_found_by_the_other():
    async def scenario(server, shelf, other):
        await shelf.put(b"a", b"1")
        return await other.bodies(), await other.store.size(), other.store.kind, await other.store.clear()

    bodies, (count, size), kind, cleared_count = run(scenario)

    assert (bodies, count, kind, cleared_count) == ({b"a": b"1"}, 1, "redis", 1)
    assert size > 10


@pytest.mark.parametrize("state", ["cut", "deaf"])
def test_no_caller_waits_for_a_lost_redis_and_entries_in_memory_are_found(state):
    async def scenario(server, shelf, other):
        await shelf.put(b"a", b"1")
        at_hand = await shelf.store.get(KEYS, wall_now())
        shelf.link.state = state
        seconds = []
        for _ in range(20):
            start = now()
            assert await shelf.bodies({b"a": at_hand[b"a"], b"b": None}) == {b"a": b"1"}
            seconds.append(now() - start)
            await asyncio.sleep(0.01)
        return seconds, shelf.store.kind, shelf.store.fault

    (first, *rest), kind, fault = run(scenario)

    assert first <= 0.51
    assert max(rest) == 0.0
    assert (kind, fault) == ("memory", "away" if state == "cut" else "slow")


def test_entries_stored_during_a_loss_are_sent_when_redis_is_back():
    async def scenario(server, shelf, other):
        server.is_up = False
        for number in range(120):
            await shelf.put(b"%d" % number, b"1")
        while_lost = len(await shelf.bodies({b"%d" % number: None for number in range(120)})), await shelf.store.size()
        server.is_up = True
        await asyncio.sleep(5.0)
        entries = await other.bodies({b"%d" % number: None for number in range(120)})
        return while_lost, len(entries), shelf.store.kind, shelf.store.pending(), shelf.store.fault

    (while_lost, (count, _)), stored_count, kind, pending, fault = run(scenario)

    assert while_lost == count == stored_count == 120
    assert (kind, pending, fault) == ("redis", {}, None)


def test_a_full_redis_is_read_and_written_again_when_it_has_room():
    async def scenario(server, shelf, other):
        await other.put(b"a", b"1")
        server.is_full = True
        await shelf.put(b"b", b"2")
        while_full = await shelf.bodies(), shelf.store.kind
        await asyncio.sleep(10.0)
        kind_while_full = shelf.store.kind
        server.is_full = False
        await asyncio.sleep(5.0)
        return while_full, kind_while_full, await other.bodies(), shelf.store.kind

    while_full, kind_while_full, after, kind = run(scenario)

    assert while_full == ({b"a": b"1", b"b": b"2"}, "redis, read only")
    assert kind_while_full == "redis, read only"
    assert (after, kind) == ({b"a": b"1", b"b": b"2"}, "redis")


def test_each_loss_is_reported_once():
    async def scenario(server, shelf, other):
        notices = []
        for _ in range(2):
            server.is_up = False
            await shelf.bodies()
            await shelf.bodies()
            notices.append([shelf.store.take_notice(), shelf.store.take_notice()])
            server.is_up = True
            await asyncio.sleep(5.0)
            await shelf.bodies()
            notices.append([shelf.store.take_notice()])
        return notices

    (while_lost, no_more), (when_back,), (lost_again, _), _ = run(scenario)

    assert while_lost.code == lost_again.code == "CACHE_IN_MEMORY"
    assert "redis://stand-in" in while_lost.message
    assert no_more is when_back is None


def test_clearing_during_a_loss_of_redis_clears_the_entries_in_memory():
    async def scenario(server, shelf, other):
        server.is_up = False
        await shelf.put(b"a", b"1")
        return await shelf.store.clear(), await shelf.bodies()

    assert run(scenario) == (1, {})
