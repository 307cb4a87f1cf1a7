"""A server ends when told to, with calls under way, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

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


def call(number):
    """A gene that nobody asked for before, so that it takes its time."""
    params = {"name": "entrez_get_gene", "arguments": {"entrez_id": f"NCBIGene:{number}"}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@pytest.fixture
def server(tmp_path):
    """A server on the sandbox with calls under way, and the folder in which it may leave things."""
    command = [sys.executable, "-m", "biofact", "serve", "--sandbox"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as running:
        running.stdin.write(json.dumps(HELLO).encode() + b"\n")
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["id"] == 0
        for message in (READY, *map(call, range(1, 31))):
            running.stdin.write(json.dumps(message).encode() + b"\n")
        running.stdin.flush()
        running.stdout.readline()  # one call has been answered: the sandbox is up
        assert list(tmp_path.iterdir())
        yield running, tmp_path
        running.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once(server, number):
    running, folder = server

    running.send_signal(number)
    start = time.monotonic()
    status = running.wait(timeout=5)

    assert status == 128 + number
    assert time.monotonic() - start < 3
    assert list(folder.iterdir()) == []


def test_the_end_of_its_input_ends_it(server):
    running, folder = server

    running.stdin.close()
    status = running.wait(timeout=10)

    assert status == 0
    assert list(folder.iterdir()) == []
