"""A server ends on a signal, with calls under way, and leaves no file behind."""

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest
from fastmcp import Client

pytestmark = pytest.mark.processes

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture(autouse=True)
def handlers():
    """Resets signals in children: a suite in the background has some ignored, and children inherit that."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGHUP, signal.SIGTERM)}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def call(number):
    """A request for a gene that is not cached, so that it takes time."""
    params = {"name": "entrez_get_gene", "arguments": {"entrez_id": f"NCBIGene:{number}"}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@pytest.fixture
def server(tmp_path):
    """A server on the sandbox with calls under way, and its folder for temporary files."""
    command = [sys.executable, "-m", "biofact", "serve", "--sandbox"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 0
        for message in (READY, *map(call, range(1, 31))):
            process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()  # one call has been answered: the sandbox is up
        assert list(tmp_path.iterdir())
        yield process, tmp_path
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_with_calls_under_way(server, number):
    process, folder = server

    process.send_signal(number)
    status = process.wait(timeout=60)

    assert status == 128 + number
    assert list(folder.iterdir()) == []


def test_the_end_of_its_input_ends_it(server):
    process, folder = server

    process.stdin.close()
    status = process.wait(timeout=60)

    assert status == 0
    assert list(folder.iterdir()) == []


def test_a_client_that_reads_no_more_ends_it(server):
    process, folder = server

    process.stdout.close()
    status = process.wait(timeout=60)

    assert status == 0
    assert list(folder.iterdir()) == []


def test_a_client_that_goes_ends_an_idle_server():
    command = [sys.executable, "-m", "biofact", "serve", "--sandbox"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()

        process.stdout.close()
        status = process.wait(timeout=60)  # its input is still open

        assert status == 0
        assert process.stderr.read() == b""


def test_an_ignored_hangup_ends_nothing():
    code = (
        "import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from biofact.interfaces import shutdown; "
        "shutdown.exit_at_once_on_signals(); os.kill(os.getpid(), signal.SIGHUP); print('here')"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"here\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_ended_leaves_nothing_of_its_sandbox(number, tmp_path):
    code = (
        "import asyncio\nfrom biofact.interfaces.clients import open_clients\n"
        "async def work():\n    async with open_clients(sandbox=True):\n        print('ready', flush=True)\n"
        "        await asyncio.Event().wait()\n"
        "asyncio.run(work())"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as process:
        process.stdout.readline()
        assert list(tmp_path.iterdir())

        process.send_signal(number)
        status = process.wait(timeout=60)

    assert status == 128 + number
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_server_over_http_leaves_nothing_either(number, tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "biofact", "serve", "--http", "127.0.0.1:0", "--sandbox"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            asyncio.run(ask_server(process.stderr.readline().split()[-1]))
            assert list(tmp_path.iterdir())
        finally:
            process.send_signal(number)
            process.wait(timeout=60)

    assert list(tmp_path.iterdir()) == []


async def ask_server(url):
    async with Client(url) as client:
        await client.call_tool_mcp("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
