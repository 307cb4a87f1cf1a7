"""A server that stops finishes requests or cuts them with an error, and logs no traceback."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import subprocess
import sys

import httpx2
import pytest
from fastmcp import FastMCP
from sse_starlette.sse import AppStatus

from biofact.gateway.limits import Limits
from tests.interfaces.http.running import LONGEST_SECONDS, answer, ask_tool, call, rest, run_server
from tests.interfaces.http.test_eras import ACCEPT, SAMPLING, initialize

pytestmark = pytest.mark.quick

SLOW = ("slow", {})


class Slow:
    """A server whose tool answers when the test sets an event."""

    def __init__(self):
        self.started = asyncio.Event()
        self.release = asyncio.Event()
        self.was_cancelled = False
        self.server = FastMCP("slow")
        self.server.tool(self.slow)
        self.server.tool(self.ping)

    async def ping(self) -> dict:
        return {"pong": True}

    async def slow(self) -> dict:
        self.started.set()
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        return {"slow": True}


def run(ask, limits=None):
    async def ask_host():
        slow = Slow()
        async with run_server(slow.server, limits) as host:
            return await asyncio.wait_for(ask(host, slow), LONGEST_SECONDS)

    return asyncio.run(ask_host())


def with_progress(message):
    """The call with a token for progress, so that its answer is a stream."""
    head, _, body = message.partition(b"\r\n\r\n")
    request = json.loads(body)
    request["params"].setdefault("_meta", {})["progressToken"] = 1
    body = json.dumps(request).encode()
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"content-length")]
    return b"\r\n".join([*lines, b"content-length: %d" % len(body), b"", b""]) + body


@pytest.fixture(autouse=True)
def _clean_log(caplog):
    with caplog.at_level(logging.WARNING):
        yield
    assert "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR], caplog.text


@pytest.mark.parametrize("era", ["old", "new"])
@pytest.mark.parametrize("shape", [bytes, with_progress])
def test_calls_under_way_are_finished(era, shape):
    async def ask(host, slow):
        idle, _ = await host.connect()
        reader, writer = await host.connect()
        writer.write(shape(call(host.port, era, SLOW)))
        await slow.started.wait()
        stop_task = asyncio.create_task(host.stop())
        closed = await rest(idle)
        slow.release.set()
        await stop_task
        with pytest.raises(OSError):
            await host.connect()
        return closed, await rest(reader)

    closed, outcome = run(ask)

    assert closed == b""
    assert outcome.startswith(b"HTTP/1.1 200")
    assert b'"slow":true' in outcome.replace(b'\\"', b'"')


@pytest.mark.parametrize("era", ["old", "new"])
def test_a_call_that_outlasts_the_closing_time_is_cut_with_an_error(era):
    async def ask(host, slow):
        reader, writer = await host.connect()
        writer.write(call(host.port, era, SLOW))
        await slow.started.wait()
        await host.stop()
        return await answer(reader), await rest(reader), slow.was_cancelled

    (status, headers, body), rest_of_stream, was_cancelled = run(ask, Limits(closing_seconds=0.05))

    assert (status, headers["retry-after"], rest_of_stream, was_cancelled) == (503, "1", b"", True)
    assert (body["id"], body["error"]["message"]) == (1, "The server is closing. Call again.")


def test_a_stream_that_takes_too_long_ends_with_an_error():
    async def ask(host, slow):
        reader, writer = await host.connect()
        writer.write(with_progress(call(host.port, "old", SLOW)))
        await slow.started.wait()
        await host.stop()
        return await rest(reader)

    outcome = run(ask, Limits(closing_seconds=0.05))

    assert outcome.startswith(b"HTTP/1.1 200")
    assert b'"id": 1, "error"' in outcome
    assert outcome.endswith(b"0\r\n\r\n")  # the stream has an end


def test_streams_of_sessions_end_at_once_and_whole():
    async def ask(host, slow):
        async with httpx2.AsyncClient(headers=ACCEPT) as client:
            handshake_response = await client.post(host.url, json=initialize(SAMPLING))
            headers = {"mcp-session-id": handshake_response.headers["mcp-session-id"]}
            async with client.stream("GET", host.url, headers=headers) as stream:
                await host.stop()
                return stream.status_code, [part async for part in stream.aiter_bytes()]

    assert run(ask, Limits(closing_seconds=1000.0)) == (200, [])


def test_a_server_that_stops_ends_its_streams_itself(monkeypatch):
    """sse_starlette would cut them half a second after the signal, which no short test sees."""
    monkeypatch.setattr(AppStatus, "enable_automatic_graceful_drain", True)

    async def ask(host, slow):
        return AppStatus.enable_automatic_graceful_drain

    assert run(ask) is False


def test_a_server_that_is_to_stop_is_not_ready():
    async def ask(host, slow):
        app = host.server.config.app
        before = app.closing.is_set()
        _, writer = await host.connect()
        writer.write(call(host.port, tool=SLOW))
        await slow.started.wait()
        stop_task = asyncio.create_task(host.stop())
        await app.closing.wait()
        slow.release.set()
        await stop_task
        return before

    assert run(ask) is False


def test_a_reused_connection_is_answered_until_the_server_closes():
    async def ask(host, slow):
        return [(await ask_tool(host))[0] for _ in range(3)]

    assert run(ask) == [200, 200, 200]


@pytest.mark.processes
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_signal_ends_the_command(number, code, workers):
    with start_command("--workers", workers) as (server, url):
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        assert httpx2.post(url, json=ping, headers=ACCEPT, timeout=LONGEST_SECONDS).status_code == 200
        server.send_signal(number)
        _, rest_of_log = server.communicate(timeout=LONGEST_SECONDS)

    assert server.returncode == code
    assert "Traceback" not in rest_of_log


@contextlib.contextmanager
def start_command(*options):
    """A server that runs as a command, and its address."""
    command = [sys.executable, "-c", COMMAND, "serve", "--http", "127.0.0.1:0", "--sandbox", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "80"}) as server:
        try:
            yield server, server.stderr.readline().split()[-1]
        finally:
            server.kill()


# A suite in the background may have SIGINT ignored by all; a command that someone types has not.
COMMAND = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
COMMAND += "import sys; from biofact.__main__ import main; sys.exit(main())"
