"""Three machines that share a real Redis, which is stalled, stopped, emptied, filled and locked meanwhile.

In real time, twice as fast as life, but by the clocks that ledgers read: no limit is broken on any machine. How soon
Redis is lost, used again, and shared in full is not asked: others may be busy here.
"""

import asyncio
import contextlib
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from benchmarks.redis_server import RedisServer, server

from biofact.core.settings import Settings
from biofact.gateway.link import RedisLink
from biofact.transport.backends import REDIS_URL
from biofact.transport.keep.cache import CACHE_DIR, Cache
from biofact.transport.keep.store import Entry
from biofact.transport.service import Keep
from biofact.transport.turns.budget import Budgets
from tests.extras.needs import redis_server
from tests.extras.redis_scene import LONGEST_SECONDS, NCBI, Slots, machine, observed, take_slots, until
from tests.transport.scene import TOY

pytestmark = pytest.mark.extras

redis_server()

T = TypeVar("T")

MACHINES = 3
LONG = 600.0


@pytest.fixture
def started_redis(tmp_path) -> Iterator[RedisServer]:
    with server(tmp_path) as started:
        yield started


def show(capsys: pytest.CaptureFixture[str], figures: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{figures}\n")


@dataclass(frozen=True)
class Phase:
    """The place in which slots are counted, and whether all slots of the budget are used."""

    places: list[str]
    is_full: bool


async def places(machines: list[Budgets]) -> list[str]:
    """The place in which each counts its slots now."""
    return [(await machine.stats(NCBI)).kept for machine in machines]


async def phase(machines: list[Budgets], slots: Slots, place: str) -> "Phase":
    """The phase in which all count their slots in a place, once they do and take all slots; else as it is at last."""
    end = time.monotonic() + LONGEST_SECONDS
    while set(found_places := await places(machines)) != {place} and time.monotonic() < end:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    begin = time.monotonic()
    return Phase(found_places, await until(lambda: slots.is_full_since(begin)))


async def settle(machines: list[Budgets]) -> None:
    """Return when each machine has its share, should it lose Redis: it has joined, and all know of all."""
    memberships = [budgets.ledgers.shared()._shared.membership for budgets in machines]
    assert await until(lambda: all(membership.replicas.is_settled for membership in memberships))


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
    """The observations in each case, with a Redis and machines of its own: all cases in parallel."""

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


@pytest.fixture(scope="module")
def lost_and_back(tmp_path_factory):
    """The slots, and the phases without Redis and with it, by case."""

    async def scenario(redis_server, folder, case):
        disturb, mend = (partial(step, redis_server) for step in DISTURBANCES[case])
        machines = [machine(redis_server.url, folder / str(number)) for number in range(MACHINES)]

        async def course(slots):
            await phase(machines, slots, "redis")
            await settle(machines)
            await asyncio.to_thread(disturb)
            lost_phase = await phase(machines, slots, "sqlite")
            await asyncio.to_thread(mend)
            return lost_phase, await phase(machines, slots, "redis")

        return await observed(machines, course)

    return at_once(tmp_path_factory.mktemp("lost"), DISTURBANCES, scenario)


@pytest.mark.parametrize("case", DISTURBANCES)
def test_no_limit_is_broken_while_redis_is_lost_nor_when_it_is_back(lost_and_back, case, capsys):
    slots, (lost_phase, at_last) = lost_and_back[case]
    show(capsys, f"{case}: {slots}")

    assert slots.excess() == 0
    assert lost_phase == Phase(["sqlite"] * MACHINES, is_full=True)
    assert at_last == Phase(["redis"] * MACHINES, is_full=True)


DISTURBED_AGAIN = {
    "emptied": ("FLUSHALL",),
    "paused": ("CLIENT", "PAUSE", "1500"),
    "asleep": ("DEBUG", "SLEEP", "0.3"),
    "asleep for longer": ("DEBUG", "SLEEP", "0.8"),
}


@pytest.fixture(scope="module")
def slow_or_forgetful(tmp_path_factory):
    """The slots, and the phase after it all, by case."""

    async def scenario(redis_server, folder, case):
        machines = [machine(redis_server.url, folder / str(number)) for number in range(MACHINES)]
        disturb = partial(redis_server.command, *DISTURBED_AGAIN[case])

        async def course(slots):
            await phase(machines, slots, "redis")
            await settle(machines)
            for seconds in (2.5, 1.0, 0.0):
                await asyncio.to_thread(disturb)
                await asyncio.sleep(seconds)
            return await phase(machines, slots, "redis")

        return await observed(machines, course)

    return at_once(tmp_path_factory.mktemp("slow"), DISTURBED_AGAIN, scenario)


@pytest.mark.parametrize("case", DISTURBED_AGAIN)
def test_no_limit_is_broken_when_redis_is_slow_or_forgets(slow_or_forgetful, case, capsys):
    slots, at_last = slow_or_forgetful[case]
    show(capsys, f"{case}: {slots}")

    assert slots.excess() == 0
    assert at_last == Phase(["redis"] * MACHINES, is_full=True)


def test_a_kept_answer_is_there_while_redis_stalls_and_new_ones_follow(started_redis, tmp_path, monkeypatch):
    settings = Settings({REDIS_URL.name: started_redis.url, CACHE_DIR.name: str(tmp_path)})
    askers = Counter()
    ask = RedisLink.ask

    def ask_and_count(link, question):
        askers[asyncio.current_task()] += 1
        return ask(link, question)

    def entry(body: bytes) -> Entry:
        return Entry(body, "https://toy/a", time.time(), time.time() + LONG)

    async def scenario():
        cache, other = Cache(settings), Cache(settings)
        await cache.keep(TOY, Keep("word/1", "a", LONG), entry(b"a"))
        assert await until(lambda: cache._shared.fault is None)
        started_redis.stall()
        monkeypatch.setattr(RedisLink, "ask", ask_and_count)
        found_entries = []
        for _ in range(400):
            found_entries.append(await cache.find(TOY, "word/1", "a"))
            await asyncio.sleep(0.005)
            if askers[asyncio.current_task()] > 1:
                break
        await cache.keep(TOY, Keep("word/1", "b", LONG), entry(b"b"))
        questions = askers[asyncio.current_task()]
        started_redis.go_on()
        assert await until(lambda: cache._shared.fault is None)
        followed_entry = await find(other, "b")
        for cache_of_replica in (cache, other):
            await cache_of_replica.aclose()
        return found_entries, questions, followed_entry

    found_entries, questions, followed_entry = asyncio.run(scenario())

    assert {entry and entry.body for entry in found_entries} == {b"a"}
    assert questions == 1  # one question waits half a second, and the later ones do not
    assert followed_entry.body == b"b"


async def find(cache: Cache, word: str) -> Entry | None:
    """The answer in a cache, as soon as it is there: a cache that was stopped for a while has to find Redis again."""
    end = time.monotonic() + LONGEST_SECONDS
    while (entry := await cache.find(TOY, "word/1", word)) is None and time.monotonic() < end:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    return entry


@pytest.mark.usefixtures("patience")
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
        assert await until(lambda: second._shared.fault is None)
        followed_entry = await first.find(TOY, "word/1", "b")
        for cache_of_replica in (first, second):
            await cache_of_replica.aclose()
        return found_entries, kind, followed_entry

    found_entries, kind, followed_entry = asyncio.run(scenario())

    assert [entry.body for entry in found_entries] == [b"old", b"new"]
    assert kind == "redis, read only"
    assert followed_entry.body == b"new"


@pytest.mark.usefixtures("patience")
def test_a_replica_that_starts_without_redis_is_not_ready_until_it_is_there(started_redis, tmp_path):
    async def scenario():
        started_redis.stop()
        late = machine(started_redis.url, tmp_path / "late")
        await late.ledgers.join()
        before = late.ledgers.redis_state()
        started_redis.start()
        started_redis.command("HSET", "biofact:replicas", "since", "1.0 before")
        taking = asyncio.create_task(take_slots(late))
        assert await until(lambda: late.ledgers.redis_state().is_ok)
        after = late.ledgers.redis_state()
        taking.cancel()
        await late.aclose()
        return before, after

    before, after = asyncio.run(scenario())

    assert (before.is_ok, before.is_ready, before.fault, before.share) == (False, False, "away", 0.0)
    assert (after.is_ok, after.is_ready, after.lost_since, after.share) == (True, True, None, 1.0)


@pytest.mark.usefixtures("patience")
def test_a_new_key_of_a_caller_is_no_new_member(started_redis, tmp_path):
    async def scenario():
        budgets = [machine(started_redis.url, tmp_path) for _ in range(3)]
        await asyncio.gather(*(budget.take(NCBI, "bulk") for budget in budgets))
        members = started_redis.command("HLEN", "biofact:replicas") - 2
        for budget in budgets:
            await budget.aclose()
        return members, started_redis.command("HLEN", "biofact:replicas") - 2

    assert asyncio.run(scenario()) == (1, 0)
