"""Starts the clients of ``clients/``, each in a process of its own, and reads their reports."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from tests.extras import needs

NODE = needs.node_clients()
PYTHON_1 = needs.python_client()
CLIENTS = ("TypeScript 1", "TypeScript 2", "Python 1", "Python 2")
SERVE = [sys.executable, "-m", "biofact", "serve"]

_CLIENT_FOLDER = Path(__file__).parent / "clients"


def run(client, server, calls, environment):
    """The process of a client that asks a server; ``result`` reads its report."""
    return subprocess.run(
        _command(client, server, calls), capture_output=True, text=True, env=environment, timeout=300, check=False
    )


def result(run):
    """The report that a client printed."""
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def _command(client, server, calls):
    words = [json.dumps(server), json.dumps(calls)]
    if client.startswith("TypeScript"):
        return [
            NODE / "node_modules/.bin/node",
            _CLIENT_FOLDER / "drive.mjs",
            json.dumps(str(NODE)),
            client[-1],
            *words,
        ]
    return [PYTHON_1 if client.endswith("1") else sys.executable, _CLIENT_FOLDER / "drive.py", *words]


def environment(sandbox, folder):
    """Settings for a server of its own cache and limits, or one client would wait because another was refused."""
    return {**os.environ, **sandbox.environment(), "BIOFACT_CACHE_DIR": str(folder), "PYTHONWARNINGS": "ignore"}


@contextmanager
def gateway_process(environment, address="127.0.0.1:0"):
    """The URL at which the gateway is served over HTTP."""
    command = [*SERVE, "--http", address]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        try:
            yield {"url": server.stderr.readline().split()[-1]}
        finally:
            server.terminate()
