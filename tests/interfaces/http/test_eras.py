"""The form in which a request is answered: alone, as JSON or as a stream; in a session only if a model is lent."""

import asyncio
import json
import logging

import httpx2
import pytest
from fastmcp import Client, Context, FastMCP
from mcp_types import CreateMessageResult, TextContent

from biofact.gateway.hosting import Hosting
from biofact.gateway.limits import Limits
from biofact.interfaces.mcp.calls import current_caller
from tests.interfaces.ask import ERAS, HANDSHAKE, MODERN
from tests.interfaces.http.running import LOCAL, LONGEST_SECONDS, run_server

pytestmark = pytest.mark.quick

ACCEPT = {"accept": "application/json, text/event-stream"}
SAMPLING = {"sampling": {}}


def server():
    mcp_server = FastMCP("toys")

    @mcp_server.tool
    async def ping() -> dict:
        return {"pong": True}

    @mcp_server.tool
    async def steps(ctx: Context) -> dict:
        for step in range(3):
            await ctx.report_progress(step + 1, 3, "steps")
        return {"steps": 3}

    @mcp_server.tool
    async def lend_model() -> dict:
        model = current_caller().model
        return {"method": model.method if model else "rules"}

    return mcp_server


def run(ask, limits=None, hosting=LOCAL):
    async def ask_host():
        async with run_server(server(), limits, hosting) as host:
            return await asyncio.wait_for(ask(host), LONGEST_SECONDS)

    return asyncio.run(ask_host())


async def lend(messages, params, context):
    return CreateMessageResult(role="assistant", content=TextContent(type="text", text="{}"), model="lent")


def initialize(capabilities):
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "a", "version": "1"},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def post(message, limits=None, hosting=LOCAL, times=1, **headers):
    """The answers to a message that is posted ``times`` times."""

    async def ask(host):
        async with httpx2.AsyncClient(verify=False) as client:
            return [await client.post(host.url, json=message, headers=ACCEPT | headers) for _ in range(times)]

    return run(ask, limits, hosting)


@pytest.mark.parametrize("era", ERAS)
def test_tools_are_called_without_a_session(era):
    async def ask(host):
        async with Client(host.url, mode=era, verify=False) as client:
            return (await client.call_tool("ping")).data, client.transport.get_session_id()

    assert run(ask) == ({"pong": True}, None)


@pytest.mark.parametrize("era", ERAS)
def test_progress_is_heard_of(era):
    reports = []

    async def note(done, total, activity):
        reports.append((done, total, activity))

    async def ask(host):
        async with Client(host.url, mode=era, verify=False) as client:
            return (await client.call_tool("steps", progress_handler=note)).data

    assert run(ask) == {"steps": 3}
    assert reports == [(1, 3, "steps"), (2, 3, "steps"), (3, 3, "steps")]


@pytest.mark.parametrize(("meta", "kind"), [({}, "application/json"), ({"progressToken": 1}, "text/event-stream")])
def test_an_answer_is_a_stream_only_where_progress_is_wanted(meta, kind):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "steps", "_meta": meta}}
    [answer] = post(message)

    assert answer.headers["content-type"].startswith(kind)


@pytest.mark.parametrize("accepted", ["application/json", "*/*"])
def test_a_client_that_accepts_only_json_gets_it(accepted):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ping"}}
    [answer] = post(message, accept=accepted)

    assert answer.json()["result"]["structuredContent"] == {"pong": True}


@pytest.mark.parametrize(
    ("era", "workers", "method"),
    [(HANDSHAKE, 1, "sampling"), (HANDSHAKE, 2, "rules"), (MODERN, 1, "sampling"), (MODERN, 2, "sampling")],
)
def test_a_lent_model_is_taken_where_it_can_be_asked(era, workers, method):
    async def ask(host):
        async with Client(host.url, mode=era, verify=False, sampling_handler=lend) as client:
            return (await client.call_tool("lend_model")).data

    assert run(ask, hosting=Hosting("127.0.0.1:0", workers=workers)) == {"method": method}


def test_a_session_is_for_those_who_lend_a_model():
    assert "mcp-session-id" not in post(initialize({}))[0].headers
    assert "mcp-session-id" in post(initialize(SAMPLING))[0].headers
    assert "mcp-session-id" not in post(initialize(SAMPLING), hosting=Hosting("127.0.0.1:0", workers=2))[0].headers


def test_abandoned_sessions_keep_no_caller_out():
    answers = post(initialize(SAMPLING), Limits(sessions=3), times=10)

    assert [answer.status_code for answer in answers] == [200] * 10
    assert sum("mcp-session-id" in answer.headers for answer in answers) == 3


def test_an_abandoned_session_ends():
    async def ask(host):
        async with httpx2.AsyncClient(verify=False, headers=ACCEPT) as client:
            handshake_response = await client.post(host.url, json=initialize(SAMPLING))
            session = {"mcp-session-id": handshake_response.headers["mcp-session-id"]}
            ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
            for pause in (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4):  # a request is a new lease of life
                await asyncio.sleep(pause)
                answer = await client.post(host.url, json=ping, headers=session)
                if answer.status_code == 404:
                    break
            return answer.status_code

    assert run(ask, Limits(session_seconds=0.05)) == 404


def test_without_a_session_there_is_nothing_but_messages():
    methods = ["GET", "DELETE", "PUT"]

    async def ask(host):
        async with httpx2.AsyncClient(verify=False) as client:
            return [await client.request(method, host.url, headers=ACCEPT) for method in methods]

    answers = dict(zip(methods, run(ask), strict=True))

    answers_by_case = {
        method: (response.status_code, response.headers["allow"]) for method, response in answers.items()
    }
    assert answers_by_case == dict.fromkeys(methods, (405, "POST"))


NO_MESSAGES = [b"", b"{", b"[]", b"null", b'"a"', b"\xff", b"[" * 100_000, b'{"params": 1, "id": {}}']


def test_a_body_that_is_no_message_is_refused(caplog):
    cases = [(body, version) for body in NO_MESSAGES for version in ("2025-11-25", "2026-07-28", "1")]

    async def ask(host):
        async with httpx2.AsyncClient(verify=False, headers=ACCEPT | {"content-type": "application/json"}) as client:
            return [
                await client.post(host.url, content=body, headers={"mcp-protocol-version": version})
                for body, version in cases
            ]

    with caplog.at_level(logging.WARNING):
        answers = run(ask)

    answers_by_case = {
        (body[:30], version): (response.status_code, "error" in json.loads(response.content))
        for (body, version), response in zip(cases, answers, strict=True)
    }
    assert answers_by_case == dict.fromkeys(answers_by_case, (400, True))
    assert len(answers_by_case) == len(cases)
    assert "Traceback" not in caplog.text
