"""One client, many event loops: one after another, in parallel, after a fork, and closed during a call."""

import asyncio
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from biofact.core.errors import ClientClosed
from biofact.core.settings import Settings
from biofact.transport.keep.cache import CACHE_DIR
from biofact.transport.stack import Transport
from tests.transport.scene import ASK, Scene, engine, good, lines, requested_ids, until, words

pytestmark = pytest.mark.quick


def reply(request):
    return (
        lines(requested_ids(request)) if request.url.path.endswith("/words") else httpx2.Response(200, content=b"word")
    )


def transport(folder):
    return Transport(Settings({CACHE_DIR.name: str(folder)}), wire=httpx2.MockTransport(reply))


async def get_both(shared, lookups, name):
    """A question and a lookup, on the running loop."""
    return await asyncio.gather(shared.fetch(ASK, bytes.decode), lookups.get(name))


def test_one_loop_after_another_uses_a_client(tmp_path):
    shared = transport(tmp_path)
    lookups = shared.batched(words())

    answers = [asyncio.run(get_both(shared, lookups, name)) for name in "abc"]
    asyncio.run(shared.aclose())

    assert answers == [["word", f"body of {name}".encode()] for name in "abc"]


def test_loops_in_three_threads_use_a_client_at_the_same_time(tmp_path):
    shared = transport(tmp_path)
    lookups = shared.batched(words())
    barrier = threading.Barrier(3)

    def asks(thread: int) -> list:
        barrier.wait()
        return [asyncio.run(get_both(shared, lookups, f"w{thread}{number}")) for number in range(4)]

    with ThreadPoolExecutor(3) as threads:
        answers = [answer for row in threads.map(asks, range(3)) for answer in row]
    asyncio.run(shared.aclose())

    assert answers == [["word", f"body of w{thread}{n}".encode()] for thread in range(3) for n in range(4)]


@pytest.mark.processes
def test_a_fork_uses_the_client_of_its_parent(tmp_path):
    shared = transport(tmp_path)
    lookups = shared.batched(words())
    before = asyncio.run(get_both(shared, lookups, "a"))
    fork = multiprocessing.get_context("fork")
    parent_end, child_end = fork.Pipe()

    def asks() -> None:
        child_end.send(asyncio.run(get_both(shared, lookups, "b")))

    child = fork.Process(target=asks)
    child.start()
    assert parent_end.poll(60)
    answer = parent_end.recv()
    child.join()
    after = asyncio.run(get_both(shared, lookups, "c"))
    asyncio.run(shared.aclose())

    assert [before[1], answer[1], after[1]] == [b"body of a", b"body of b", b"body of c"]


def test_closing_from_one_loop_closes_what_waits_on_another(tmp_path):
    async def wait_forever(request):
        await asyncio.Event().wait()

    scene = Scene(tmp_path, wait_forever)
    shared = scene.transport()

    async def waits() -> None:
        await shared.fetch(ASK, bytes.decode)

    with ThreadPoolExecutor(1) as thread:
        pending = thread.submit(asyncio.run, waits())

        async def closes() -> None:
            await until(lambda: scene.requests)
            await shared.aclose()

        asyncio.run(closes())

        with pytest.raises(ClientClosed):
            pending.result(60)


def test_closing_ends_lookups_that_wait(tmp_path):
    async def wait_forever(request):
        await asyncio.Event().wait()

    async def scenario():
        scene = Scene(tmp_path, wait_forever)
        shared = scene.transport()
        lookups = shared.batched(words())
        pending = [asyncio.create_task(lookups.get(name)) for name in "ab"]
        await until(lambda: scene.requests)
        await shared.aclose()
        return await asyncio.gather(*pending, return_exceptions=True)

    assert [type(outcome) for outcome in asyncio.run(scenario())] == [ClientClosed, ClientClosed]


def test_a_cancelled_caller_is_cancelled_and_gets_no_error_of_a_closed_client(tmp_path):
    async def wait_forever(request):
        await asyncio.Event().wait()

    async def scenario():
        scene = Scene(tmp_path, wait_forever)
        pending = asyncio.create_task(scene.transport().fetch(ASK, bytes.decode))
        await until(lambda: scene.requests)
        pending.cancel()
        return await asyncio.gather(pending, return_exceptions=True)

    assert [type(outcome) for outcome in asyncio.run(scenario())] == [asyncio.CancelledError]


def test_a_closed_client_answers_again(tmp_path):
    scene = Scene(tmp_path, good())

    async def scenario():
        shared = scene.transport()
        first = await shared.fetch(ASK, bytes.decode)
        await shared.aclose()
        return first, await shared.fetch(ASK, bytes.decode)

    assert asyncio.run(scenario()) == ("word", "word")


def test_lookups_of_one_kind_share_an_engine(tmp_path):
    async def scenario():
        shared = transport(tmp_path)
        kind = words()
        first, second = shared.batched(kind), shared.batched(kind)
        return engine(first) is engine(second)

    assert asyncio.run(scenario())
