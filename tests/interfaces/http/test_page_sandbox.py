"""The sandbox beside a gateway: started by a call, stopped when unused, and within its bounds."""

import asyncio
import json
import tempfile
from pathlib import Path

import pytest

from biofact.interfaces import every_source
from biofact.interfaces.http.page.routes import Bounds, SandboxEndpoint
from biofact.interfaces.mcp.offer import of_all
from biofact.interfaces.mcp.server import gateway
from tests import virtual_time
from tests.interfaces.http.page_app import message, opened_app, page_app
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

LIST = message("tools/list")


def endpoint(**bounds):
    return SandboxEndpoint(lambda: of_all(None, TOYS), Bounds(**bounds))


async def status(sandbox, body=None):
    """The status of an answer to a request; ``body`` is sent when it is ready, or else is a list of tools."""
    messages = []

    async def receive():
        content = LIST["content"] if body is None else await body
        return {"type": "http.request", "body": content.encode()}

    async def send(part):
        messages.append(part)

    headers = [(name.lower().encode(), value.encode()) for name, value in LIST["headers"].items()]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    await sandbox(scope, receive, send)
    return messages[0]["status"]


def test_a_sandbox_runs_from_the_first_call_until_it_is_idle():
    async def run():
        sandbox = endpoint(idle_seconds=300.0)
        states = [sandbox.is_running]
        for pause in (0, 299, 301):
            assert await status(sandbox) == 200
            await asyncio.sleep(pause)
            states.append(sandbox.is_running)
        return [*states, await status(sandbox)]

    assert virtual_time.run(run()) == [False, True, True, False, 200]


def test_a_new_one_takes_the_place_of_one_that_is_used_up():
    async def run():
        sandbox = endpoint(calls=2, seconds=3600.0, idle_seconds=10_000.0)
        statuses = []
        for _ in range(3):
            statuses.append(await status(sandbox))
            await asyncio.sleep(1)
        await asyncio.sleep(3600)
        return statuses, sandbox.is_running

    assert virtual_time.run(run()) == ([200, 200, 200], False)


def test_more_calls_at_once_have_to_come_again():
    async def run():
        sandbox = endpoint(calls_at_once=2)
        bodies = [asyncio.get_running_loop().create_future() for _ in range(2)]
        calls = [asyncio.create_task(status(sandbox, body)) for body in bodies]
        await asyncio.sleep(1)
        refused_status = await status(sandbox)
        await asyncio.sleep(1000)
        still_runs = sandbox.is_running
        for body in bodies:
            body.set_result(LIST["content"])
        return refused_status, still_runs, await asyncio.gather(*calls), await status(sandbox)

    assert virtual_time.run(run()) == (503, True, [200, 200], 200)


def test_a_long_body_is_refused():
    async def run():
        long = asyncio.get_running_loop().create_future()
        long.set_result(LIST["content"] + " " * 100)
        return await status(endpoint(body_bytes=len(LIST["content"]) + 50), long)

    assert virtual_time.run(run()) == 413


def test_the_page_s_sandbox_answers_and_leaves_no_files(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def run():
        async with opened_app(page_app(gateway())) as client:
            call = message("tools/call", name="entrez_get_gene", arguments={"entrez_id": "NCBIGene:672", "slim": True})
            answer = (await client.post("/sandbox/mcp", **call)).json()["result"]
            return answer, list(tmp_path.glob("biofact-*"))

    answer, folders = asyncio.run(run())

    assert json.loads(answer["content"][0]["text"])["symbol"] == "BRCA1"
    assert answer["_meta"]["biofact/provenance"]["from"] == "sandbox"
    assert len(folders) == 1
    assert list(Path(tmp_path).glob("biofact-*")) == []


def test_the_page_s_sandbox_has_the_tools_of_its_gateway():
    async def run():
        async with opened_app(page_app(gateway())) as client:
            names = [tool["name"] for tool in (await client.post("/sandbox/mcp", **LIST)).json()["result"]["tools"]]
            return names, [tool["name"] for tool in (await client.post("/mcp", **LIST)).json()["result"]["tools"]]

    on_gateway, on_page = asyncio.run(run())

    assert on_gateway == on_page
    assert len(on_page) == len([tool for name in every_source.toolsets() for tool in every_source.listing(name).tools])
