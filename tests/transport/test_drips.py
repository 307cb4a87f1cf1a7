"""A service that sends little for ever: the event loop is never held, and a call ends at its deadline or before."""

import asyncio
import itertools
import time
from contextlib import aclosing, suppress
from dataclasses import replace

import pytest

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.settings import Settings
from biofact.transport.stack import Transport
from tests import virtual_time
from tests.each_of import check_each, each_of
from tests.tiers import sample_and_rest
from tests.transport.raw_server import CHUNK, CHUNKED, CONTINUE, RawServer, socket_server, with_server
from tests.transport.scene import ASK, URL, words

pytestmark = pytest.mark.quick

PACKED = CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
FLOODS = {
    "chunks": (CHUNKED, CHUNK),
    "chunks of nothing when unpacked": (PACKED + b"a\r\n\x1f\x8b\x08\x10\0\0\0\0\0\3\r\n", CHUNK),
    "chunks with extensions": (CHUNKED, b"1;a=1\r\n#\r\n"),
    "interim answers": (b"", CONTINUE),
    "interim answers with a header": (b"", CONTINUE[:-2] + b"Link: </a>\r\n\r\n"),
    "header lines": (b"HTTP/1.1 200 OK\r\n", b"a:b\r\n"),
}
DRIPS = {
    "body": (CHUNKED, CHUNK),
    "whole body": (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"#"),
    "interim answers": (b"", CONTINUE),
    "head": (b"HTTP/1.1 200 OK\r\n", b"a"),
}
CALLS = 10
EVENTS_A_PIECE = 10_000
"""As a fast service sends them, in one write."""
MOST_PIECES = 5
"""The pieces of 8 that a server sends, with those under way when a call stops reading."""
LEAST_TURNS = {"chunks": 50, "chunks of nothing when unpacked": 50, "chunks with extensions": 50}
"""The turns that other tasks get while one answer is read: one for 256 chunks."""


async def fetch(transport):
    await transport.fetch(ASK, bytes)


async def look_up(transport):
    await transport.batched(words()).get("a")


WAYS = (fetch, look_up)


FLOODED_CALLS = list(zip(FLOODS, itertools.cycle(WAYS), strict=False))


@pytest.mark.parametrize("calls", sample_and_rest(FLOODED_CALLS, 3))
def test_a_flood_of_small_events_lets_others_run_and_ends(calls):
    check_each(calls, check_flood)


def check_flood(flooded_call):
    """Check that a call ends in a flood, and lets others run."""
    flood, way = flooded_call
    head, piece = FLOODS[flood]
    server = RawServer(lambda: [head, *[piece * EVENTS_A_PIECE] * 8])
    turns = 0

    async def count_turns():
        nonlocal turns
        while await server.is_answering.wait():
            await asyncio.sleep(0)
            turns += 1

    async def scenario(transport):
        others = asyncio.ensure_future(count_turns())
        with pytest.raises(UpstreamError):
            await way(transport)
        others.cancel()

    with_server(server, scenario, virtual_time.timing(deadline_seconds=2.0))

    assert server.sent_pieces <= server.requests * MOST_PIECES
    assert turns >= server.requests * LEAST_TURNS.get(flood, 1)


@each_of(("drip", "way"), list(itertools.product(DRIPS, WAYS)))
def test_a_call_ends_at_its_deadline_however_slowly_an_answer_drips(drip, way):
    timing = virtual_time.timing(deadline_seconds=30.0)
    head, piece = DRIPS[drip]
    server = RawServer(lambda: itertools.chain([head], itertools.repeat(piece)), seconds=1.0)

    async def scenario(transport):
        start = asyncio.get_running_loop().time()
        with pytest.raises(UpstreamError, match="in time"):
            await way(transport)
        return asyncio.get_running_loop().time() - start

    assert 25.0 < with_server(server, scenario, timing) <= 30.0


@pytest.mark.processes  # threads and real time: processor time of the loop's thread between two of its turns
@each_of("flood", FLOODS)
def test_a_flood_on_a_socket_never_holds_the_loop_for_50_ms(flood, tmp_path):
    longest = 0.0

    async def watch():
        nonlocal longest
        while True:
            start = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - start)

    async def scenario(url):
        settings = Settings({"BIOFACT_CACHE_DIR": str(tmp_path), URL.name: url})
        async with aclosing(Transport(settings, deadline_seconds=2.0)) as transport:
            with suppress(UpstreamError):  # loads the HTTP library
                await fetch(transport)
            watcher = asyncio.ensure_future(watch())
            asks = [replace(ASK, params=(("call", str(number)),)) for number in range(CALLS)]
            outcomes = await asyncio.gather(*(transport.fetch(ask, bytes) for ask in asks), return_exceptions=True)
            watcher.cancel()
        # on a busy machine some are out of time before their turn
        assert {type(outcome) for outcome in outcomes} <= {UpstreamError, RateLimited}

    head, piece = FLOODS[flood]
    with socket_server(lambda: itertools.chain([head], itertools.repeat(piece * EVENTS_A_PIECE))) as url:
        asyncio.run(scenario(url))

    assert longest < 0.05
