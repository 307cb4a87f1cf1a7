"""MCP over HTTP: the permitted callers, and the cost of a call."""

import asyncio
import socket
import statistics
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from fastmcp import Client, FastMCP

from biofact.core.usage import WrongUsage
from biofact.gateway.hosting import Hosting, listening_socket
from biofact.interfaces.http.serving import serve
from biofact.interfaces.mcp.server import gateway
from biofact.interfaces.serve import serve_http
from tests.interfaces.ask import ERAS, body
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]


NO_ADDRESSES = [
    *("example.org:80", ":8000", "8000", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:http", "127.0.0.1:-1"),
    "localhost.example.org:80",
]


def test_a_text_that_is_no_address_is_refused(subtests):
    for address in NO_ADDRESSES:
        with subtests.test(address=address), pytest.raises(WrongUsage, match="no address to listen at"):
            listening_socket(address)


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0"])
def test_an_address_that_others_could_reach_wants_to_know_who_they_are(address):
    with pytest.raises(WrongUsage, match="no authentication is set up") as wrong:
        serve_http(Hosting(address), gateway)

    assert "--no-auth" in wrong.value.hint
    assert "docs/hosting.md" in wrong.value.hint


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.8.8.8"])
def test_this_machine_is_served(host):
    with listening_socket(f"{host}:0") as listener:
        assert listener.getsockname()[1] > 0


def test_small_answers_are_sent_at_once():
    with listening_socket("127.0.0.1:0") as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


@asynccontextmanager
async def serve_in_background(server, listener):
    """The URL of a server while it runs."""
    task = asyncio.create_task(serve(server, listener, Hosting("127.0.0.1:0")))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def run_with_server(ask):
    """The result of ``ask`` for the URL of a running server."""

    async def run():
        with listening_socket("127.0.0.1:0") as listener:
            async with serve_in_background(gateway(catalog=TOYS), listener) as url:
                return await ask(url)

    return asyncio.run(run())


@pytest.mark.parametrize("era", ERAS)
def test_tools_are_called_over_http(era):
    async def ask(url):
        async with Client(url, mode=era, verify=False) as client:
            return await client.call_tool_mcp("toy_get_toy", {"toy_id": "TOY:8"})

    assert body(run_with_server(ask)) == {"id": "TOY:8", "name": "doll"}


@pytest.mark.sweep
def test_a_call_takes_little_longer_than_that_of_an_empty_tool():
    """Both are measured in turns; an answer that waits for an acknowledgement takes 40 ms more, ten times as long."""
    empty = FastMCP("empty")

    @empty.tool
    def empty_result() -> dict:
        return {}

    async def timed(client, name, arguments):
        start = time.perf_counter()
        await client.call_tool_mcp(name, arguments)
        return time.perf_counter() - start

    async def run():
        plain = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sees to such a one
        plain.bind(("127.0.0.1", 0))
        plain.listen()
        with plain, listening_socket("127.0.0.1:0") as plain_listener:
            async with (
                serve_in_background(empty, plain) as empty_url,
                serve_in_background(gateway(catalog=TOYS), plain_listener) as toys_url,
                Client(empty_url, verify=False) as empty_client,
                Client(toys_url, verify=False) as other,
            ):
                return [
                    (await timed(empty_client, "nothing", {}), await timed(other, "toy_get_toy", {"toy_id": "TOY:8"}))
                    for _ in range(40)
                ]

    empty_seconds, with_toys = map(statistics.median, zip(*asyncio.run(run()), strict=True))

    assert with_toys < 4 * empty_seconds, (with_toys, empty_seconds)


@pytest.mark.parametrize("header", [{"host": "evil.example.org"}, {"origin": "https://evil.example.org"}])
def test_a_foreign_page_is_refused(header):
    async def ask(url):
        async with httpx2.AsyncClient(verify=False) as client:
            accept = {"accept": "application/json, text/event-stream"}
            return await client.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=accept | header)

    assert run_with_server(ask).status_code in {403, 421}


@pytest.mark.processes
def test_the_command_says_where_it_serves():
    with subprocess.Popen(
        [sys.executable, "-m", "biofact", "serve", "--http", "localhost:0", "--sandbox"],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as server:
        url = server.stderr.readline().split()[-1]

        async def ask():
            async with Client(url) as client:
                return await client.call_tool_mcp("entrez_get_gene", {"entrez_id": "NCBIGene:672", "slim": True})

        try:
            answer = body(asyncio.run(ask()))
        finally:
            server.terminate()

    assert answer == {"id": "NCBIGene:672", "symbol": "BRCA1", "organism": "Homo sapiens"}
