"""Bodies of answers under way: together within a part of the memory, and none waits for ever."""

import asyncio
import gc
import weakref

import pytest

from biofact.transport.ask.in_flight import FREE_BYTES, BytesInFlight, limit_of, memory_bytes
from biofact.transport.service import MIB
from tests import virtual_time

pytestmark = pytest.mark.quick

LIMIT = 10 * MIB
PART = MIB // 2


class Sizes:
    """The bytes of all bodies under way, and the most there were at a time."""

    def __init__(self):
        self.now = self.most = 0

    def add(self, count):
        self.now += count
        self.most = max(self.most, self.now)


async def read(in_flight, sizes, length, done, name):
    """A body of this length that comes in parts, each a second after the other."""
    held = 0
    with in_flight.body() as body:
        while held < length:
            await asyncio.sleep(1.0)
            held += PART
            sizes.add(PART)
            await in_flight.add(body, PART)
    sizes.add(-held)
    done.append(name)


def read_together(*lengths):
    done, sizes = [], Sizes()

    async def scenario():
        in_flight = BytesInFlight(LIMIT)
        await asyncio.gather(*(read(in_flight, sizes, length, done, n) for n, length in enumerate(lengths)))

    virtual_time.run(scenario())
    return done, sizes.most


def test_forty_large_bodies_are_read_within_the_limit_and_the_oldest():
    lengths = [8 * MIB] * 40

    done, most = read_together(*lengths)

    assert sorted(done) == list(range(40))
    assert most <= LIMIT + 8 * MIB + 40 * (FREE_BYTES + PART)


def test_bodies_that_fit_together_do_not_wait():
    done, most = read_together(4 * MIB, 2 * MIB, 3 * MIB)

    assert done == [1, 2, 0]
    assert most == 6 * MIB


def test_a_small_body_does_not_wait_for_large_ones():
    async def scenario():
        in_flight, sizes, done = BytesInFlight(LIMIT), Sizes(), []
        large = [asyncio.create_task(read(in_flight, sizes, 1000 * MIB, done, "large")) for _ in range(5)]
        await asyncio.sleep(60.0)  # they have reached the limit
        await asyncio.wait_for(read(in_flight, sizes, FREE_BYTES, done, "small"), 10.0)
        for task in large:
            task.cancel()
        return done

    assert virtual_time.run(scenario()) == ["small"]


def test_a_body_that_is_given_up_makes_room():
    async def scenario():
        in_flight, sizes, done = BytesInFlight(LIMIT), Sizes(), []
        first = asyncio.create_task(read(in_flight, sizes, 1000 * MIB, done, "endless"))
        await asyncio.sleep(30.0)
        second = asyncio.create_task(read(in_flight, sizes, 4 * MIB, done, "next"))
        await asyncio.sleep(60.0)
        waits = not second.done()
        first.cancel()
        await second
        return waits, done

    assert virtual_time.run(scenario()) == (True, ["next"])


class Failure:
    """Stands in a cycle with what was read, as a failed call does."""

    def __init__(self):
        self.itself = self


def test_what_failed_calls_have_read_is_freed_before_much_more_is_read():
    async def scenario():
        in_flight = BytesInFlight(LIMIT)
        failure = weakref.ref(Failure())
        alive = []
        for _ in range(3):
            with in_flight.body() as body:
                await in_flight.add(body, LIMIT // 2)
            alive.append(failure() is not None)
        return alive

    gc.disable()
    try:
        assert virtual_time.run(scenario()) == [True, False, False]
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("memory", "limit"), [(1 << 30, 64 * MIB), (64 * MIB, 16 * MIB), (1 << 40, 256 * MIB)], ids=str
)
def test_the_limit_is_a_part_of_the_memory(memory, limit):
    assert limit_of(memory) == limit


def test_the_memory_of_this_process_is_known():
    assert 64 * MIB < memory_bytes() < 1 << 50
