"""Which way a request is answered: alone, as JSON or as a stream; in a session only where a model is lent."""

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
from tests.interfaces.http.running import LOCAL, running

pytestmark = pytest.mark.quick

ACCEPT = {"accept": "application/json, text/event-stream"}
SAMPLING = {"sampling": {}}


def server():
    made = FastMCP("toys")

    @made.tool
    async def ping() -> dict:
        return {"pong": True}

    @made.tool
    async def steps(ctx: Context) -> dict:
        for step in range(3):
            await ctx.report_progress(step + 1, 3, "steps")
        return {"steps": 3}

    @made.tool
    async def lent() -> dict:
        model = current_caller().model
        return {"method": model.method if model else "rules"}

    return made


def run(ask, limits=None, hosting=LOCAL):
    async def asking():
        async with running(server(), limits, hosting) as here:
            return await asyncio.wait_for(ask(here), 20)

    return asyncio.run(asking())


async def lend(messages, params, context):
    return CreateMessageResult(role="assistant", content=TextContent(type="text", text="{}"), model="lent")


def initialize(capabilities):
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "a", "version": "1"},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def posted(message, limits=None, hosting=LOCAL, times=1, **headers):
    """The answers to a message that is posted so many times."""

    async def ask(here):
        async with httpx2.AsyncClient(verify=False) as client:
            return [await client.post(here.url, json=message, headers=ACCEPT | headers) for _ in range(times)]

    return run(ask, limits, hosting)


@pytest.mark.parametrize("era", ERAS)
def test_tools_are_called_without_a_session(era):
    async def ask(here):
        async with Client(here.url, mode=era, verify=False) as client:
            return (await client.call_tool("ping")).data, client.transport.get_session_id()

    assert run(ask) == ({"pong": True}, None)


@pytest.mark.parametrize("era", ERAS)
def test_progress_is_heard_of(era):
    heard = []

    async def note(done, total, what):
        heard.append((done, total, what))

    async def ask(here):
        async with Client(here.url, mode=era, verify=False) as client:
            return (await client.call_tool("steps", progress_handler=note)).data

    assert run(ask) == {"steps": 3}
    assert heard == [(1, 3, "steps"), (2, 3, "steps"), (3, 3, "steps")]


@pytest.mark.parametrize(("meta", "kind"), [({}, "application/json"), ({"progressToken": 1}, "text/event-stream")])
def test_an_answer_is_a_stream_only_where_progress_is_wanted(meta, kind):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "steps", "_meta": meta}}
    [answer] = posted(message)

    assert answer.headers["content-type"].startswith(kind)


@pytest.mark.parametrize("accepted", ["application/json", "*/*"])
def test_who_takes_only_json_gets_it(accepted):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ping"}}
    [answer] = posted(message, accept=accepted)

    assert answer.json()["result"]["structuredContent"] == {"pong": True}


@pytest.mark.parametrize(
    ("era", "workers", "method"),
    [(HANDSHAKE, 1, "sampling"), (HANDSHAKE, 2, "rules"), (MODERN, 1, "sampling"), (MODERN, 2, "sampling")],
)
def test_a_lent_model_is_taken_where_it_can_be_asked(era, workers, method):
    async def ask(here):
        async with Client(here.url, mode=era, verify=False, sampling_handler=lend) as client:
            return (await client.call_tool("lent")).data

    assert run(ask, hosting=Hosting("127.0.0.1:0", workers=workers)) == {"method": method}


def test_a_session_is_for_those_who_lend_a_model():
    assert "mcp-session-id" not in posted(initialize({}))[0].headers
    assert "mcp-session-id" in posted(initialize(SAMPLING))[0].headers
    assert "mcp-session-id" not in posted(initialize(SAMPLING), hosting=Hosting("127.0.0.1:0", workers=2))[0].headers


def test_sessions_that_are_begun_and_left_keep_nobody_out():
    answers = posted(initialize(SAMPLING), Limits(sessions=3), times=10)

    assert [answer.status_code for answer in answers] == [200] * 10
    assert sum("mcp-session-id" in answer.headers for answer in answers) == 3


def test_a_session_that_is_left_ends():
    async def ask(here):
        async with httpx2.AsyncClient(verify=False, headers=ACCEPT) as client:
            opened = await client.post(here.url, json=initialize(SAMPLING))
            session = {"mcp-session-id": opened.headers["mcp-session-id"]}
            ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
            for pause in (0.0, 0.2, 0.4, 0.8, 1.6):  # a request is a new lease of life
                await asyncio.sleep(pause)
                answer = await client.post(here.url, json=ping, headers=session)
            return answer.status_code

    assert run(ask, Limits(session_seconds=0.05)) == 404


def test_without_a_session_there_is_nothing_but_messages():
    methods = ["GET", "DELETE", "PUT"]

    async def ask(here):
        async with httpx2.AsyncClient(verify=False) as client:
            return [await client.request(method, here.url, headers=ACCEPT) for method in methods]

    answers = dict(zip(methods, run(ask), strict=True))

    got = {method: (one.status_code, one.headers["allow"]) for method, one in answers.items()}
    assert got == dict.fromkeys(methods, (405, "POST"))


NO_MESSAGES = [b"", b"{", b"[]", b"null", b'"a"', b"\xff", b"[" * 100_000, b'{"params": 1, "id": {}}']


def test_what_is_no_message_is_refused(caplog):
    asked = [(body, version) for body in NO_MESSAGES for version in ("2025-11-25", "2026-07-28", "1")]

    async def ask(here):
        async with httpx2.AsyncClient(verify=False, headers=ACCEPT | {"content-type": "application/json"}) as client:
            return [
                await client.post(here.url, content=body, headers={"mcp-protocol-version": version})
                for body, version in asked
            ]

    with caplog.at_level(logging.WARNING):
        answers = run(ask)

    got = {
        (body[:30], version): (one.status_code, "error" in json.loads(one.content))
        for (body, version), one in zip(asked, answers, strict=True)
    }
    assert got == dict.fromkeys(got, (400, True))
    assert len(got) == len(asked)
    assert "Traceback" not in caplog.text
