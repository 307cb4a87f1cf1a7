"""The size limits and timeouts of a server: others are served meanwhile."""

import asyncio
import json
from contextlib import suppress

import pytest
from fastmcp import FastMCP

from biofact.gateway.limits import Limits
from tests.interfaces.http.running import (
    LONGEST_SECONDS,
    TRIES,
    answer,
    ask_tool,
    call,
    empty,
    rest,
    run_server,
    served,
)

pytestmark = pytest.mark.quick

HEAD = b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n"
JSON = b"content-type: application/json\r\naccept: application/json, text/event-stream\r\n"
SHORT_SECONDS = 0.05


def run(ask, limits=None, server=None):
    async def ask_host():
        async with run_server(server or empty(), limits) as host:
            return await asyncio.wait_for(ask(host), LONGEST_SECONDS)

    return asyncio.run(ask_host())


@pytest.mark.parametrize(
    ("request_bytes", "limits", "status"),
    [
        (b"", Limits(head_seconds=SHORT_SECONDS), None),
        (HEAD, Limits(head_seconds=SHORT_SECONDS), 408),
        (HEAD + b"content-length: 9\r\n\r\n{", Limits(body_seconds=SHORT_SECONDS), 408),
        (HEAD + b"transfer-encoding: chunked\r\n\r\n1\r\n{\r\n", Limits(body_seconds=SHORT_SECONDS), 408),
        (HEAD + b"x: " + b"x" * 4096, Limits(head_bytes=1024), 400),
    ],
    ids=["nothing", "half a head", "half a body", "half a body in chunks", "a long head"],
)
def test_a_request_that_does_not_arrive_in_time_is_answered_and_closed(request_bytes, limits, status):
    async def ask(host):
        reader, writer = await host.connect()
        writer.write(request_bytes)
        other_status = await served(host)
        with suppress(EOFError):  # it was closed before its first byte came
            answer_status = (await answer(reader))[0] if status else None
            return other_status, answer_status, await rest(reader)

    outcomes = (run(ask, limits) for _ in range(TRIES))
    assert next(filter(None, outcomes)) == (200, status, b"")


def test_bytes_that_trickle_in_win_no_time():
    async def ask(host):
        reader, writer = await host.connect()
        writer.write(HEAD)
        closed = asyncio.create_task(rest(reader))
        while not closed.done():
            writer.write(b"x")
            await asyncio.sleep(SHORT_SECONDS / 10)
        return await served(host)

    assert run(ask, Limits(head_seconds=SHORT_SECONDS)) == 200


def test_a_connection_without_a_second_request_is_closed():
    async def ask(host):
        reader, writer = await host.connect()
        writer.write(call(host.port))
        status, _, _ = await answer(reader)
        return status, await rest(reader)

    assert run(ask, Limits(idle_seconds=SHORT_SECONDS)) == (200, b"")


def test_a_caller_who_waits_for_an_answer_is_waited_for():
    async def ask(host):
        reader, writer = await host.connect()
        writer.write(call(host.port, tool=("slow", {})))
        return await answer(reader)

    server = FastMCP("slow")

    @server.tool
    async def slow() -> dict:
        await asyncio.sleep(3 * SHORT_SECONDS)
        return {}

    limits = Limits(head_seconds=SHORT_SECONDS, body_seconds=SHORT_SECONDS, idle_seconds=SHORT_SECONDS)
    statuses = []
    while 200 not in statuses and len(statuses) < TRIES:  # again if the caller was stopped before it had asked
        with suppress(EOFError):
            statuses.append(0)
            statuses[-1] = run(ask, limits, server)[0]
    assert statuses[-1] == 200


@pytest.mark.parametrize("head", [b"content-length: 2000\r\n\r\n", b"transfer-encoding: chunked\r\n\r\n7d0\r\n"])
def test_a_long_body_is_refused_with_what_is_allowed(head):
    async def ask(host):
        reader, writer = await host.connect()
        writer.write(HEAD + JSON + head + b"x" * 2000)
        return await answer(reader)

    status, headers, body = run(ask, Limits(body_bytes=1000))

    assert status == 413
    assert headers["connection"] == "close"
    assert body["error"]["message"] == "The body is longer than 1,000 bytes. Ask for less at once."


def test_a_body_that_arrives_in_pieces_is_refused_at_the_same_length():
    async def ask(host):
        reader, writer = await host.connect()
        piece = b"258\r\n" + b"x" * 600 + b"\r\n"
        writer.write(HEAD + JSON + b"transfer-encoding: chunked\r\n\r\n" + piece)
        await ask_tool(host)  # it has been read
        writer.write(piece)
        return await answer(reader)

    assert run(ask, Limits(body_bytes=1000))[0] == 413


def test_a_hundred_articles_fit_into_a_call():
    article = {"id": "PMID:1", "abstract": "x" * 10_000, "authors": [{"name": "y" * 60}] * 100}
    assert len(json.dumps([article] * 100)) < Limits().body_bytes


def test_long_bodies_share_their_room():
    async def ask(host):
        _, writer = await host.connect()
        writer.write(HEAD + JSON + b"content-length: 900\r\n\r\n" + b"x" * 800)
        await ask_tool(host)  # it has been read
        refused_reader, second = await host.connect()
        second.write(HEAD + JSON + b"content-length: 900\r\n\r\n" + b"x" * 900)
        status, headers, _ = await answer(refused_reader)
        writer.close()
        return status, headers["retry-after"], (await ask_tool(host))[0]

    assert run(ask, Limits(bodies_bytes=1500)) == (503, "1", 200)


def test_of_too_many_connections_the_longest_quiet_goes():
    async def ask(host):
        first, first_writer = await host.connect()
        second, _ = await host.connect()
        first_writer.write(call(host.port))
        await answer(first)  # it spoke last
        status, _, _ = await ask_tool(host)
        return await rest(second), status, first.at_eof()

    assert run(ask, Limits(connections=2)) == (b"", 200, False)


def test_ten_times_the_limit_of_idle_connections_keep_no_caller_out():
    async def ask(host):
        for _ in range(200):
            await host.connect()
        status, _, _ = await ask_tool(host)
        return status, len(host.server.server_state.connections)

    status, count = run(ask, Limits(connections=20))

    assert status == 200
    assert count <= 20


def test_a_caller_that_comes_while_all_are_busy_gets_a_time_to_come_again():
    release = asyncio.Event()
    started = asyncio.Event()
    server = FastMCP("slow")

    @server.tool
    async def slow() -> dict:
        started.set()
        await release.wait()
        return {}

    async def ask(host):
        reader, writer = await host.connect()
        writer.write(call(host.port, tool=("slow", {})))
        await started.wait()
        full = await ask_tool(host, tool=("slow", {}))
        release.set()
        return full, (await answer(reader))[0], (await ask_tool(host, tool=("slow", {})))[0]

    (status, headers, body), first, later_answer = run(ask, Limits(requests=1), server)

    assert (status, headers["retry-after"], first, later_answer) == (503, "1", 200, 200)
    assert "as many requests as it can take" in body["error"]["message"]


def test_half_a_body_takes_the_place_of_no_call():
    async def ask(host):
        _, writer = await host.connect()
        writer.write(call(host.port)[:-1])
        while not host.server.server_state.tasks:  # noqa: ASYNC110  # then it waits for the rest of the body
            await asyncio.sleep(0)
        return (await ask_tool(host))[0]

    assert run(ask, Limits(requests=1)) == 200


def test_a_caller_who_does_not_read_is_dropped():
    server = FastMCP("long")

    @server.tool
    async def long() -> str:
        return "x" * 20_000_000

    async def ask(host):
        reader, writer = await host.connect(limit=1024)
        writer.write(call(host.port, tool=("long", {})))
        await reader.readuntil(b"\r\n\r\n")
        [connection] = host.server.server_state.connections
        await connection.closed.wait()
        return (await ask_tool(host))[0]

    server.tool(lambda: {"pong": True}, name="ping")
    assert run(ask, Limits(unread_seconds=SHORT_SECONDS), server) == 200


def test_a_caller_who_hangs_up_cancels_the_call():
    tool_ended = asyncio.Event()
    started = asyncio.Event()
    server = FastMCP("slow")

    @server.tool
    async def slow() -> dict:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            tool_ended.set()

    async def ask(host):
        _, writer = await host.connect()
        writer.write(call(host.port, tool=("slow", {})))
        await started.wait()
        writer.close()
        await tool_ended.wait()
        return True

    assert run(ask, None, server)
