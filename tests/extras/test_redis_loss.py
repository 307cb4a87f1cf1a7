"""Three machines that share a real Redis, which is stalled, stopped, emptied, filled and locked under their hands.

In real time, twice as fast as life. That no limit is broken holds on any machine; how soon Redis is used again, and how
much of the limit, is only asked for roughly, as others may be busy here.
"""

import asyncio
import contextlib
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from benchmarks.redis_server import RedisServer, server

from biofact.core.settings import Settings
from biofact.transport.backends import REDIS_URL
from biofact.transport.keep.cache import CACHE_DIR, Cache
from biofact.transport.keep.store import Entry
from biofact.transport.service import Keep, SlotTooLate
from biofact.transport.turns.budget import Budgets
from tests.extras.needs import redis_server
from tests.extras.redis_scene import NCBI, Slots, machine, observed
from tests.transport.scene import TOY, until

pytestmark = pytest.mark.extras

redis_server()

T = TypeVar("T")

MACHINES = 3
LONG = 600.0
ENOUGH_SECONDS = 0.4
"""The share of the budget: a third, were two of three machines out of it."""
LONGEST = 30.0


@pytest.fixture
def started_redis(tmp_path) -> Iterator[RedisServer]:
    with server(tmp_path) as started:
        yield started


def show(capsys: pytest.CaptureFixture[str], figures: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{figures}\n")


async def places(machines: list[Budgets]) -> list[str]:
    """The place in which each counts its slots now."""
    return [(await machine.look(NCBI)).kept for machine in machines]


async def phase_when_back(machines: list[Budgets]) -> list[str]:
    """The place in which they count their slots, once that is Redis; at last after enough time for a busy machine."""
    end = time.monotonic() + LONGEST
    while True:
        phase = await places(machines)
        if set(phase) == {"redis"} or time.monotonic() > end:
            return phase
        await asyncio.sleep(0.2)


async def used_soon(slots: Slots) -> float:
    """The part of the budget that is used for three seconds, once that is enough; at last as above."""
    start = time.monotonic()
    used = 0.0
    while used <= ENOUGH_SECONDS and time.monotonic() < start + LONGEST:
        await asyncio.sleep(3.0)
        used = slots.used(time.monotonic() - 3.0, time.monotonic())
    return used


def lock(redis_server: RedisServer) -> None:
    """Change the password, and disconnect all clients."""
    redis_server.command("CONFIG", "SET", "requirepass", "other")
    redis_server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes", password="other")


def unlock(redis_server: RedisServer) -> None:
    redis_server.command("CONFIG", "SET", "requirepass", "", password="other")


DISTURBANCES = {
    "stalled": (RedisServer.stall, RedisServer.go_on),
    "stopped": (RedisServer.stop, RedisServer.start),
    "full": (
        lambda redis_server: redis_server.command("CONFIG", "SET", "maxmemory", "1mb"),
        lambda redis_server: redis_server.command("CONFIG", "SET", "maxmemory", "0"),
    ),
    "locked": (lock, unlock),
    "read only": (
        lambda redis_server: redis_server.command("REPLICAOF", "127.0.0.1", "9"),
        lambda redis_server: redis_server.command("REPLICAOF", "NO", "ONE"),
    ),
}


def at_once(
    folder: Path, cases: Collection[str], scenario: Callable[[RedisServer, Path, str], Awaitable[T]]
) -> dict[str, T]:
    """The observations in each case, with a Redis and machines of its own: all cases at the same time."""

    async def all_cases() -> list[T]:
        with contextlib.ExitStack() as stack:
            servers = {case: stack.enter_context(server(_made_folder(folder / str(n)))) for n, case in enumerate(cases)}
            return await asyncio.gather(
                *(scenario(redis_server, redis_server.socket.parent, case) for case, redis_server in servers.items())
            )

    return dict(zip(cases, asyncio.run(all_cases()), strict=True))


def _made_folder(folder: Path) -> Path:
    folder.mkdir()
    return folder


@dataclass(frozen=True)
class Phase:
    """The place in which slots are counted, and the part of the budget that is used."""

    places: list[str]
    used: float


@pytest.fixture(scope="module")
def lost_and_back(tmp_path_factory):
    """By case: the slots, and the phases without Redis and with it."""

    async def scenario(redis_server, folder, case):
        disturb, mend = (partial(step, redis_server) for step in DISTURBANCES[case])
        machines = [machine(redis_server.url, folder / str(number)) for number in range(MACHINES)]

        async def course(slots):
            await asyncio.sleep(4.5)
            await asyncio.to_thread(disturb)
            await asyncio.sleep(5.0)
            lost_phase = Phase(await places(machines), await used_soon(slots))
            await asyncio.to_thread(mend)
            return lost_phase, Phase(await phase_when_back(machines), await used_soon(slots))

        return await observed(machines, course)

    return at_once(tmp_path_factory.mktemp("lost"), DISTURBANCES, scenario)


@pytest.mark.parametrize("case", DISTURBANCES)
def test_no_limit_is_broken_while_redis_is_lost_nor_when_it_is_back(lost_and_back, case, capsys):
    slots, (lost_phase, at_last) = lost_and_back[case]
    show(capsys, f"{case}: {slots}; used {lost_phase.used:.2f} without it and {at_last.used:.2f} with it")

    assert slots.excess() == 0
    assert lost_phase.places == ["sqlite"] * MACHINES
    assert at_last.places == ["redis"] * MACHINES
    assert lost_phase.used > ENOUGH_SECONDS
    assert at_last.used > ENOUGH_SECONDS


DISTURBED_AGAIN = {
    "emptied": ("FLUSHALL",),
    "paused": ("CLIENT", "PAUSE", "1500"),
    "asleep": ("DEBUG", "SLEEP", "0.3"),
    "asleep for longer": ("DEBUG", "SLEEP", "0.8"),
}


@pytest.fixture(scope="module")
def slow_or_forgetful(tmp_path_factory):
    """By case: the slots, and the phase after it all."""

    async def scenario(redis_server, folder, case):
        machines = [machine(redis_server.url, folder / str(number)) for number in range(MACHINES)]
        disturb = partial(redis_server.command, *DISTURBED_AGAIN[case])

        async def course(slots):
            for seconds in (3.0, 2.5, 1.0):
                await asyncio.sleep(seconds)
                await asyncio.to_thread(disturb)
            return Phase(await phase_when_back(machines), await used_soon(slots))

        return await observed(machines, course)

    return at_once(tmp_path_factory.mktemp("slow"), DISTURBED_AGAIN, scenario)


@pytest.mark.parametrize("case", DISTURBED_AGAIN)
def test_no_limit_is_broken_when_redis_is_slow_or_forgets(slow_or_forgetful, case, capsys):
    slots, at_last = slow_or_forgetful[case]
    show(capsys, f"{case}: {slots}; used {at_last.used:.2f} at last")

    assert slots.excess() == 0
    assert at_last.places == ["redis"] * MACHINES
    assert at_last.used > ENOUGH_SECONDS


def test_a_kept_answer_is_there_while_redis_stalls_and_new_ones_follow(started_redis, tmp_path, capsys):
    settings = Settings({REDIS_URL.name: started_redis.url, CACHE_DIR.name: str(tmp_path)})

    def entry(body: bytes) -> Entry:
        return Entry(body, "https://toy/a", time.time(), time.time() + LONG)

    async def scenario():
        cache, other = Cache(settings), Cache(settings)
        await cache.keep(TOY, Keep("word/1", "a", LONG), entry(b"a"))
        started_redis.stall()
        seconds, bodies = [], []
        for _ in range(400):
            start = time.monotonic()
            found_entry = await cache.find(TOY, "word/1", "a")
            seconds.append(time.monotonic() - start)
            bodies.append(found_entry and found_entry.body)
            await asyncio.sleep(0.005)
        start = time.monotonic()
        await cache.keep(TOY, Keep("word/1", "b", LONG), entry(b"b"))
        seconds.append(time.monotonic() - start)
        started_redis.go_on()
        await until(lambda: cache._shared.fault is None)
        followed_entry = await other.find(TOY, "word/1", "b")
        for cache_of_replica in (cache, other):
            await cache_of_replica.aclose()
        return seconds, bodies, followed_entry

    seconds, bodies, followed_entry = asyncio.run(asyncio.wait_for(scenario(), 30.0))
    p99 = statistics.quantiles(seconds, n=100)[98]
    show(capsys, f"a kept answer while Redis stalls: p99 {p99 * 1000:.1f} ms, slowest {max(seconds) * 1000:.0f} ms")

    assert set(bodies) == {b"a"}
    assert sum(seconds_taken > 0.4 for seconds_taken in seconds) <= 1
    assert followed_entry.body == b"b"


def test_a_full_redis_is_still_read_and_what_is_new_follows_when_it_has_room(started_redis, tmp_path):
    settings = Settings({REDIS_URL.name: started_redis.url, CACHE_DIR.name: str(tmp_path)})
    old = Entry(b"old", "https://toy/a", time.time(), time.time() + LONG)
    new = Entry(b"new", "https://toy/b", time.time(), time.time() + LONG)

    async def scenario():
        first, second = Cache(settings), Cache(settings)
        await first.keep(TOY, Keep("word/1", "a", LONG), old)
        started_redis.command("CONFIG", "SET", "maxmemory", "1mb")
        await second.keep(TOY, Keep("word/1", "b", LONG), new)
        found_entries = [await second.find(TOY, "word/1", name) for name in "ab"]
        kind = (await second.stats()).kind
        started_redis.command("CONFIG", "SET", "maxmemory", "0")
        await until(lambda: second._shared.fault is None)
        followed_entry = await first.find(TOY, "word/1", "b")
        for cache_of_replica in (first, second):
            await cache_of_replica.aclose()
        return found_entries, kind, followed_entry

    found_entries, kind, followed_entry = asyncio.run(asyncio.wait_for(scenario(), 30.0))

    assert [entry.body for entry in found_entries] == [b"old", b"new"]
    assert kind == "redis, read only"
    assert followed_entry.body == b"new"


def test_a_replica_that_starts_without_redis_is_not_ready_until_it_is_there(started_redis, tmp_path):
    async def scenario():
        started_redis.stop()
        late = machine(started_redis.url, tmp_path / "late")
        await late.join()
        before = late.redis_state()
        started_redis.start()
        started_redis.command("HSET", "biofact:replicas", "since", "1.0 before")
        await asyncio.wait_for(_take_slots(late), 15.0)
        after = late.redis_state()
        await late.aclose()
        return before, after

    before, after = asyncio.run(scenario())

    assert (before.is_ok, before.is_ready, before.fault, before.share) == (False, False, "away", 0.0)
    assert (after.is_ok, after.is_ready, after.lost_since, after.share) == (True, True, None, 1.0)


async def _take_slots(budgets) -> None:
    while True:
        try:
            return await budgets.take(NCBI, "bulk")
        except SlotTooLate:
            await asyncio.sleep(0.2)


def test_a_new_key_of_a_caller_is_no_new_member(started_redis, tmp_path):
    async def scenario():
        budgets = [machine(started_redis.url, tmp_path) for _ in range(3)]
        await asyncio.gather(*(budget.take(NCBI, "bulk") for budget in budgets))
        members = started_redis.command("HLEN", "biofact:replicas") - 2
        for budget in budgets:
            await budget.aclose()
        return members, started_redis.command("HLEN", "biofact:replicas") - 2

    assert asyncio.run(scenario()) == (1, 0)
