"""A server over HTTP within a test, and callers who write to it byte by byte."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from benchmarks.http_load import request
from fastmcp import FastMCP

from biofact.gateway.hosting import Hosting, listening_socket
from biofact.gateway.limits import Limits
from biofact.interfaces.http.serving import Server, config, http_app

LOCAL = Hosting("127.0.0.1:0")
PING = ("ping", {})
LONGEST_SECONDS = 120.0
"""Only what hangs takes so long."""
TRIES = 5


@dataclass
class RunningServer:
    """A running server."""

    port: int
    server: Server
    task: asyncio.Task
    writers: list = field(default_factory=list)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/mcp"

    async def connect(self, **options):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, **options)
        self.writers.append(writer)
        return reader, writer

    async def close_connections(self):
        """Close the connections of the test."""
        for writer in self.writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def stop(self):
        """Stop the server, as a signal does, and wait until it has stopped."""
        self.server.should_exit = True
        await self.task


@asynccontextmanager
async def run_server(server, limits=None, hosting=LOCAL, **options):
    """A server, running within the block; ``options`` are those of its application."""
    limits = limits or Limits()
    app = http_app(server, hosting, limits, **options)
    listener = listening_socket("127.0.0.1:0")
    ready = asyncio.Event()
    uvicorn_server = Server(config(app, limits), app, limits, ready.set)
    task = asyncio.create_task(uvicorn_server.serve(sockets=[listener]))
    port = listener.getsockname()[1]
    await ready.wait()
    host = RunningServer(port, uvicorn_server, task)
    try:
        yield host
    finally:
        await host.close_connections()
        await host.stop()


def empty():
    """A server with a tool that answers at once."""
    server = FastMCP("empty")

    @server.tool
    async def ping() -> dict:
        return {"pong": True}

    return server


def call(port, era="new", tool=PING):
    """The bytes of a call on the wire."""
    return request(urlsplit(f"http://127.0.0.1:{port}/mcp"), era, *tool)


async def served(host):
    """The status of a tool call on a new connection. Again where it was closed without an answer, or with one for those
    who are late: a server that waits for some hundredths of a second loses a caller whose process is stopped.
    """
    status = None
    for _ in range(TRIES):
        with suppress(OSError, EOFError):
            status = (await ask_tool(host))[0]
        if status == 200:
            break
    return status


async def answer(reader):
    """The status, headers and body of one answer; a JSON body is parsed."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    line, *rest = head.strip().split("\r\n")
    headers = dict(item.lower().split(": ", 1) for item in rest)
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    is_json = headers.get("content-type", "").startswith("application/json")
    return int(line.split()[1]), headers, json.loads(body) if is_json else body


async def rest(reader):
    """The bytes until the server closes the connection or resets it."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def ask_tool(host, era="new", tool=PING):
    """The answer to a tool call on a new connection."""
    reader, writer = await host.connect()
    writer.write(call(host.port, era, tool))
    return await answer(reader)
