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
ENOUGH = 0.4
"""Of the budget: a third, were two of three machines out of it."""
LONGEST = 30.0


@pytest.fixture
def running(tmp_path) -> Iterator[RedisServer]:
    with server(tmp_path) as started:
        yield started


def show(capsys: pytest.CaptureFixture[str], figures: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{figures}\n")


async def places(machines: list[Budgets]) -> list[str]:
    """Where each counts its slots now."""
    return [(await each.look(NCBI)).kept for each in machines]


async def back(machines: list[Budgets]) -> list[str]:
    """Where they count their slots, once that is Redis; at last after a time that is enough for a busy machine."""
    end = time.monotonic() + LONGEST
    while True:
        where = await places(machines)
        if set(where) == {"redis"} or time.monotonic() > end:
            return where
        await asyncio.sleep(0.2)


async def used_soon(slots: Slots) -> float:
    """The part of the budget that is used for three seconds, once that is enough; at last as above."""
    began = time.monotonic()
    used = 0.0
    while used <= ENOUGH and time.monotonic() < began + LONGEST:
        await asyncio.sleep(3.0)
        used = slots.used(time.monotonic() - 3.0, time.monotonic())
    return used


def lock(running: RedisServer) -> None:
    """Change the password, and have everybody give it anew."""
    running.command("CONFIG", "SET", "requirepass", "other")
    running.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes", password="other")


def unlock(running: RedisServer) -> None:
    running.command("CONFIG", "SET", "requirepass", "", password="other")


DISTURBED = {
    "stalled": (RedisServer.stall, RedisServer.go_on),
    "stopped": (RedisServer.stop, RedisServer.start),
    "full": (
        lambda running: running.command("CONFIG", "SET", "maxmemory", "1mb"),
        lambda running: running.command("CONFIG", "SET", "maxmemory", "0"),
    ),
    "locked": (lock, unlock),
    "read only": (
        lambda running: running.command("REPLICAOF", "127.0.0.1", "9"),
        lambda running: running.command("REPLICAOF", "NO", "ONE"),
    ),
}


def at_once(
    folder: Path, cases: Collection[str], scenario: Callable[[RedisServer, Path, str], Awaitable[T]]
) -> dict[str, T]:
    """What is seen in each case, with a Redis and machines of its own: all cases at the same time, which they take."""

    async def all_cases() -> list[T]:
        with contextlib.ExitStack() as stack:
            running = {case: stack.enter_context(server(_made(folder / str(n)))) for n, case in enumerate(cases)}
            return await asyncio.gather(*(scenario(each, each.socket.parent, case) for case, each in running.items()))

    return dict(zip(cases, asyncio.run(all_cases()), strict=True))


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@dataclass(frozen=True)
class Phase:
    """Where slots are counted, and the part of the budget that is used."""

    places: list[str]
    used: float


@pytest.fixture(scope="module")
def lost_and_back(tmp_path_factory):
    """By case: the slots, and the phases without Redis and with it."""

    async def scenario(running, folder, case):
        disturb, mend = (partial(step, running) for step in DISTURBED[case])
        machines = [machine(running.url, folder / str(number)) for number in range(MACHINES)]

        async def course(slots):
            await asyncio.sleep(4.5)
            await asyncio.to_thread(disturb)
            await asyncio.sleep(5.0)
            lost = Phase(await places(machines), await used_soon(slots))
            await asyncio.to_thread(mend)
            return lost, Phase(await back(machines), await used_soon(slots))

        return await observed(machines, course)

    return at_once(tmp_path_factory.mktemp("lost"), DISTURBED, scenario)


@pytest.mark.parametrize("case", DISTURBED)
def test_no_limit_is_broken_while_redis_is_lost_nor_when_it_is_back(lost_and_back, case, capsys):
    slots, (lost, at_last) = lost_and_back[case]
    show(capsys, f"{case}: {slots}; used {lost.used:.2f} without it and {at_last.used:.2f} with it")

    assert slots.over() == 0
    assert lost.places == ["sqlite"] * MACHINES
    assert at_last.places == ["redis"] * MACHINES
    assert lost.used > ENOUGH
    assert at_last.used > ENOUGH


DISTURBED_AGAIN = {
    "emptied": ("FLUSHALL",),
    "paused": ("CLIENT", "PAUSE", "1500"),
    "asleep": ("DEBUG", "SLEEP", "0.3"),
    "asleep for longer": ("DEBUG", "SLEEP", "0.8"),
}


@pytest.fixture(scope="module")
def slow_or_forgetful(tmp_path_factory):
    """By case: the slots, and the phase after it all."""

    async def scenario(running, folder, case):
        machines = [machine(running.url, folder / str(number)) for number in range(MACHINES)]
        disturb = partial(running.command, *DISTURBED_AGAIN[case])

        async def course(slots):
            for seconds in (3.0, 2.5, 1.0):
                await asyncio.sleep(seconds)
                await asyncio.to_thread(disturb)
            return Phase(await back(machines), await used_soon(slots))

        return await observed(machines, course)

    return at_once(tmp_path_factory.mktemp("slow"), DISTURBED_AGAIN, scenario)


@pytest.mark.parametrize("case", DISTURBED_AGAIN)
def test_no_limit_is_broken_when_redis_is_slow_or_forgets(slow_or_forgetful, case, capsys):
    slots, at_last = slow_or_forgetful[case]
    show(capsys, f"{case}: {slots}; used {at_last.used:.2f} at last")

    assert slots.over() == 0
    assert at_last.places == ["redis"] * MACHINES
    assert at_last.used > ENOUGH


def test_a_kept_answer_is_there_while_redis_stalls_and_new_ones_follow(running, tmp_path, capsys):
    settings = Settings({REDIS_URL.name: running.url, CACHE_DIR.name: str(tmp_path)})

    def entry(body: bytes) -> Entry:
        return Entry(body, "https://toy/a", time.time(), time.time() + LONG)

    async def scenario():
        cache, other = Cache(settings), Cache(settings)
        await cache.keep(TOY, Keep("word/1", "a", LONG), entry(b"a"))
        running.stall()
        seconds, bodies = [], []
        for _ in range(400):
            began = time.monotonic()
            found = await cache.find(TOY, "word/1", "a")
            seconds.append(time.monotonic() - began)
            bodies.append(found and found.body)
            await asyncio.sleep(0.005)
        began = time.monotonic()
        await cache.keep(TOY, Keep("word/1", "b", LONG), entry(b"b"))
        seconds.append(time.monotonic() - began)
        running.go_on()
        await until(lambda: cache._shared.fault is None)
        followed = await other.find(TOY, "word/1", "b")
        for each in (cache, other):
            await each.aclose()
        return seconds, bodies, followed

    seconds, bodies, followed = asyncio.run(asyncio.wait_for(scenario(), 30.0))
    p99 = statistics.quantiles(seconds, n=100)[98]
    show(capsys, f"a kept answer while Redis stalls: p99 {p99 * 1000:.1f} ms, slowest {max(seconds) * 1000:.0f} ms")

    assert set(bodies) == {b"a"}
    assert sum(taken > 0.4 for taken in seconds) <= 1
    assert followed.body == b"b"


def test_a_full_redis_is_still_read_and_what_is_new_follows_when_it_has_room(running, tmp_path):
    settings = Settings({REDIS_URL.name: running.url, CACHE_DIR.name: str(tmp_path)})
    old = Entry(b"old", "https://toy/a", time.time(), time.time() + LONG)
    new = Entry(b"new", "https://toy/b", time.time(), time.time() + LONG)

    async def scenario():
        first, second = Cache(settings), Cache(settings)
        await first.keep(TOY, Keep("word/1", "a", LONG), old)
        running.command("CONFIG", "SET", "maxmemory", "1mb")
        await second.keep(TOY, Keep("word/1", "b", LONG), new)
        found = [await second.find(TOY, "word/1", name) for name in "ab"]
        kind = (await second.stats()).kind
        running.command("CONFIG", "SET", "maxmemory", "0")
        await until(lambda: second._shared.fault is None)
        followed = await first.find(TOY, "word/1", "b")
        for each in (first, second):
            await each.aclose()
        return found, kind, followed

    found, kind, followed = asyncio.run(asyncio.wait_for(scenario(), 30.0))

    assert [entry.body for entry in found] == [b"old", b"new"]
    assert kind == "redis, read only"
    assert followed.body == b"new"


def test_who_starts_without_redis_is_not_ready_until_it_is_there(running, tmp_path):
    async def scenario():
        running.stop()
        late = machine(running.url, tmp_path / "late")
        await late.join()
        before = late.redis_state()
        running.start()
        running.command("HSET", "biofact:replicas", "since", "1.0 before")
        await asyncio.wait_for(_taken(late), 15.0)
        after = late.redis_state()
        await late.aclose()
        return before, after

    before, after = asyncio.run(scenario())

    assert (before.is_ok, before.is_ready, before.fault, before.share) == (False, False, "away", 0.0)
    assert (after.is_ok, after.is_ready, after.lost_since, after.share) == (True, True, None, 1.0)


async def _taken(budgets) -> None:
    while True:
        try:
            return await budgets.take(NCBI, "bulk")
        except SlotTooLate:
            await asyncio.sleep(0.2)


def test_a_new_key_of_a_caller_is_no_new_member(running, tmp_path):
    async def scenario():
        budgets = [machine(running.url, tmp_path) for _ in range(3)]
        await asyncio.gather(*(each.take(NCBI, "bulk") for each in budgets))
        members = running.command("HLEN", "biofact:replicas") - 2
        for each in budgets:
            await each.aclose()
        return members, running.command("HLEN", "biofact:replicas") - 2

    assert asyncio.run(scenario()) == (1, 0)
