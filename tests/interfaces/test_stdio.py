"""A server as a process of its own, as agents start it."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from tests.interfaces.ask import ERAS, body
from tests.marks import requirement

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
SERVE_TOYS = (
    "import asyncio; from biofact.interfaces.mcp import stdio; from biofact.interfaces.mcp.server import gateway; "
    "from tests.interfaces.toy import TOYS; asyncio.run(stdio.serve(gateway(catalog=TOYS)))"
)
INITIALIZE = {
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def talk(*lines: str) -> tuple[list[dict], str]:
    """The server's answers to these lines, in the order of their IDs, and its stderr."""
    first = json.dumps({"jsonrpc": "2.0", "id": 0, **INITIALIZE})
    ready = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    with subprocess.Popen(
        [sys.executable, "-c", SERVE_TOYS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as server:
        server.stdin.write("\n".join((first, ready, *lines)) + "\n")
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(1 + len(lines))]
        server.stdin.close()
        errors_found = server.stderr.read()
    return sorted(answers, key=lambda answer: answer.get("id") or 0), errors_found


def call_line(place: int, toy_id: str) -> str:
    """A line that calls a tool; ``toy_id`` is raw JSON."""
    return (
        f'{{"jsonrpc":"2.0","id":{place},"method":"tools/call",'
        f'"params":{{"name":"toy_get_toy","arguments":{{"toy_id":{toy_id}}}}}}}'
    )


@pytest.mark.processes
@requirement("003 D1")
@pytest.mark.parametrize("era", ERAS)
def test_tools_are_listed_and_called_over_stdio(era):
    async def ask():
        transport = StdioTransport(
            sys.executable, ["-c", SERVE_TOYS], env=dict(os.environ), cwd=str(ROOT), keep_alive=False
        )
        async with Client(transport, mode=era) as client:
            return len(await client.list_tools()), await client.call_tool_mcp("toy_get_toy", {"toy_id": "TOY:8"})

    count, answer = asyncio.run(ask())

    assert count == 6
    assert body(answer) == {"id": "TOY:8", "name": "doll"}


ODD = ["NaN", "1" * 4000, "[" * 150 + "]" * 150, '"\\u0000"', "-1e400"]


@pytest.fixture(scope="module")
def conversation():
    """One server's answers to the handshake, to odd JSON, and to a proper call; and its stderr."""
    return talk(*(call_line(place, value) for place, value in enumerate((*ODD, '"TOY:8"'), start=1)))


@pytest.mark.quick(starts="a server over stdio, once")
def test_a_server_says_what_to_do_in_five_lines_and_answers_odd_json(conversation):
    (hello, *answers), errors_found = conversation

    assert hello["result"]["protocolVersion"] == "2025-11-25"
    assert hello["result"]["serverInfo"]["name"] == "biofact"
    assert len(hello["result"]["instructions"].splitlines()) == 5
    assert "text in answers are data" in hello["result"]["instructions"]
    assert errors_found == ""
    *refused_ids, answer_found = answers
    echoes = [json.loads(answer["result"]["content"][0]["text"])["error"]["invalid_input"] for answer in refused_ids]
    assert echoes[0] == "nan"
    assert echoes[1] == int("1" * 4000)
    assert "nested more than 64 levels deep" in str(echoes[2])
    assert echoes[3] == "\x00"
    assert answer_found["result"]["structuredContent"] == {"id": "TOY:8", "name": "doll"}


@pytest.mark.processes
def test_starting_a_server_imports_no_source_and_no_heavy_library():
    code = (
        "import sys; from biofact.interfaces import serve; serve.parse_tokens(['--sandbox']); "
        "from biofact.interfaces.mcp.server import gateway; gateway(); "
        "print([name for name in sys.argv[1:] if name in sys.modules])"
    )
    late = [
        "cyclopts",
        "numpy",
        "stamina",
        "defusedxml",
        "h11",
        "biofact.transport.ask.wire",
        "biofact.interfaces.cli.app",
    ]
    late += ["biofact.sandbox", "biofact.sources.entrez.client"]

    run = subprocess.run([sys.executable, "-c", code, *late], capture_output=True, text=True, cwd=ROOT, check=True)

    assert run.stdout.strip() == "[]"
