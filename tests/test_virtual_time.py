"""The event loop of other tests: it jumps when nothing can happen, and only then."""

import asyncio
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import anyio.to_thread
import pytest

from tests import virtual_time
from tests.virtual_time import EPOCH, now, run, timing

pytestmark = pytest.mark.quick

WEEK = 7 * 86_400.0
A_MOMENT = 0.05  # of real time: long enough for a clock that jumps to be caught


def test_a_week_of_sleep_takes_no_time():
    async def scenario():
        await asyncio.sleep(WEEK)
        return now()

    assert run(scenario()) == WEEK


def test_timers_keep_their_order():
    async def scenario():
        loop, rung = asyncio.get_running_loop(), []
        for name, seconds in (("late", 9.0), ("early", 0.5), ("first of two", 3.0), ("second of two", 3.0)):
            loop.call_later(seconds, lambda name=name: rung.append((name, now())))
        await asyncio.sleep(10.0)
        return rung

    assert run(scenario()) == [("early", 0.5), ("first of two", 3.0), ("second of two", 3.0), ("late", 9.0)]


def test_timeouts_sleeps_and_both_clocks_of_a_timing_agree():
    clocks = timing()

    async def scenario():
        await clocks.sleep(100.0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(7.0):
                await clocks.sleep(7.5)
        return now(), clocks.clock(), clocks.wall_clock() - EPOCH

    assert run(scenario()) == (107.0, 107.0, 107.0)


def works(threads_end):
    """The work of a thread, which takes real time."""
    threading.Timer(A_MOMENT, threads_end.set).start()
    threads_end.wait()


def test_calls_in_the_executor_run_in_the_order_of_submission():
    async def scenario():
        done = []
        async with asyncio.TaskGroup() as group:
            for number in range(100):
                group.create_task(asyncio.to_thread(done.append, number))
        return done

    assert run(scenario()) == [*range(100)]


def test_an_exception_in_the_executor_reaches_the_waiting_task():
    async def scenario():
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(divmod, 1, 0)

    run(scenario())


async def in_pool(function, *args):
    with ThreadPoolExecutor(1) as pool:
        return await asyncio.get_running_loop().run_in_executor(pool, function, *args)


@pytest.mark.parametrize("in_thread", [in_pool, anyio.to_thread.run_sync], ids=["asyncio", "anyio"])
def test_the_clock_stands_still_while_a_thread_works(in_thread):
    async def scenario():
        async with asyncio.timeout(0.001):
            await in_thread(works, threading.Event())
        return now()

    assert run(scenario()) == 0.0


def test_a_thread_that_has_ended_holds_nothing_up():
    async def scenario():
        await in_pool(works, threading.Event())
        await anyio.to_thread.run_sync(works, threading.Event())
        await asyncio.sleep(WEEK)
        return now()

    assert run(scenario()) == WEEK


def test_the_clock_does_not_jump_while_a_socket_may_answer():
    async def scenario():
        reader, writer = socket.socketpair()
        with reader, writer:
            reader.setblocking(False)
            threading.Timer(A_MOMENT, writer.send, (b"late",)).start()
            async with asyncio.timeout(3600.0):
                return await asyncio.get_running_loop().sock_recv(reader, 9), now()

    answer, seconds = run(scenario())

    assert answer == b"late"
    assert 0.0 < seconds < 3600.0


def test_a_socket_that_never_answers_is_given_up_in_real_time():
    async def scenario():
        reader, writer = socket.socketpair()
        with reader, writer:
            reader.setblocking(False)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(A_MOMENT):
                    await asyncio.get_running_loop().sock_recv(reader, 9)

    run(scenario())


@pytest.mark.processes
def test_the_clock_does_not_jump_while_a_child_runs():
    async def scenario():
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", "pass")
        async with asyncio.timeout(3600.0):
            return await child.wait(), now()

    code, seconds = run(scenario())

    assert code == 0
    assert seconds < 3600.0


def test_a_wait_for_an_event_that_never_happens_fails_at_once():
    async def scenario():
        await asyncio.Event().wait()

    with pytest.raises(AssertionError, match="nothing is going to happen"):
        run(scenario())


def test_an_endless_series_of_waits_is_stopped(monkeypatch):
    monkeypatch.setattr(virtual_time, "_MOST_JUMPS", 1000)

    async def scenario():
        for _ in range(2000):
            await asyncio.sleep(0.01)

    with pytest.raises(AssertionError, match="waits for ever"):
        run(scenario())
