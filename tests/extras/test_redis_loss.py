"""Three machines that share a real Redis, which is stalled, stopped, emptied, filled and locked under their hands.

In real time, twice as fast as life. That no limit is broken holds on any machine; how much of it is used is printed,
and only asked for roughly, as others may be busy here.
"""

import asyncio
import contextlib
import itertools
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from benchmarks.redis_server import RedisServer, server

from biofact.core.settings import Settings
from biofact.transport.cache import CACHE_DIR, Cache
from biofact.transport.redis_link import REDIS_URL
from biofact.transport.service import Keep, TurnTooLate
from biofact.transport.store import Entry
from tests.extras.needs import redis_server
from tests.extras.redis_scene import NCBI, machine, observed
from tests.transport.scene import TOY, until

redis_server()

T = TypeVar("T")

MACHINES = 3
LONG = 600.0


@pytest.fixture
def running(tmp_path) -> Iterator[RedisServer]:
    with server(tmp_path) as started:
        yield started


def show(capsys: pytest.CaptureFixture[str], figures: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{figures}\n")


async def phases(*steps: tuple[Callable[[], object] | None, float]) -> list[float]:
    """When each step was over; each is followed by a wait."""
    marks = []
    for step, seconds in steps:
        if step is not None:
            await asyncio.to_thread(step)
        marks.append(time.monotonic())
        await asyncio.sleep(seconds)
    return [*marks, time.monotonic()]


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


@pytest.fixture(scope="module")
def lost_and_back(tmp_path_factory):
    """By case: the slots, when each phase ended, and where slots were counted meanwhile and at last."""

    async def scenario(running, folder, case):
        disturb, mend = (partial(step, running) for step in DISTURBED[case])
        machines = [machine(running.url, folder / str(number)) for number in range(MACHINES)]
        places: list[list[str]] = []

        def look() -> None:
            places.append([each.stats(NCBI).kept for each in machines])

        steps = phases((None, 4.5), (disturb, 5.0), (look, 3.0), (mend, 5.0), (look, 3.0))
        slots, marks = await observed(machines, lambda: steps)
        return slots, marks, places

    return at_once(tmp_path_factory.mktemp("lost"), DISTURBED, scenario)


@pytest.mark.parametrize("case", DISTURBED)
def test_no_limit_is_broken_while_redis_is_lost_nor_when_it_is_back(lost_and_back, case, capsys):
    slots, marks, (while_lost, at_last) = lost_and_back[case]
    used = [slots.used(begin, end) for begin, end in itertools.pairwise(marks)]
    show(capsys, f"{case}: {slots}; used {', '.join(f'{part:.2f}' for part in used)} of each time")

    assert slots.over() == 0
    assert while_lost == ["sqlite"] * MACHINES
    assert at_last == ["redis"] * MACHINES
    assert used[2] > 0.4
    assert used[4] > 0.4


DISTURBED_AGAIN = {
    "emptied": ("FLUSHALL",),
    "paused": ("CLIENT", "PAUSE", "1500"),
    "asleep": ("DEBUG", "SLEEP", "0.3"),
    "asleep for longer": ("DEBUG", "SLEEP", "0.8"),
}


@pytest.fixture(scope="module")
def slow_or_forgetful(tmp_path_factory):
    """By case: the slots, and what was used of the budget at last."""

    async def scenario(running, folder, case):
        machines = [machine(running.url, folder / str(number)) for number in range(MACHINES)]
        disturb = partial(running.command, *DISTURBED_AGAIN[case])
        steps = phases((None, 3.0), (disturb, 2.5), (disturb, 1.0), (disturb, 5.5))
        slots, marks = await observed(machines, lambda: steps)
        return slots, slots.used(marks[-1] - 3.0, marks[-1])

    return at_once(tmp_path_factory.mktemp("slow"), DISTURBED_AGAIN, scenario)


@pytest.mark.parametrize("case", DISTURBED_AGAIN)
def test_no_limit_is_broken_when_redis_is_slow_or_forgets(slow_or_forgetful, case, capsys):
    slots, used_at_last = slow_or_forgetful[case]
    show(capsys, f"{case}: {slots}")

    assert slots.over() == 0
    assert used_at_last > 0.4  # a third, were it not back


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
        await until(lambda: cache.redis_fault() is None)
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
        await until(lambda: second.redis_fault() is None)
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
        except TurnTooLate:
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
