"""The page and the state of readiness at their addresses under ``biofact serve --http``."""

import asyncio
from contextlib import asynccontextmanager

import httpx2
import pytest

from biofact.gateway import health
from biofact.gateway.hosting import Hosting, listening_socket
from biofact.interfaces.clients import open_clients
from biofact.interfaces.http.page.routes import page
from biofact.interfaces.http.serving import serve
from biofact.interfaces.mcp.server import gateway
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick


def answers(hosting, *paths, opener=None):
    """The answers of a served gateway to GETs."""

    async def run():
        ready = asyncio.Event()
        with listening_socket("127.0.0.1:0") as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            task = asyncio.create_task(serve(gateway(opener, catalog=TOYS), listener, hosting, on_ready=ready.set))
            try:
                await ready.wait()
                async with httpx2.AsyncClient(base_url=url, verify=False) as client:
                    return [await client.get(path) for path in paths]
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    return asyncio.run(run())


@pytest.mark.parametrize("is_sandbox", [False, True])
def test_the_page_is_at_the_root_and_its_counts_at_state(is_sandbox):
    page_response, state = answers(Hosting("127.0.0.1:0", is_sandbox=is_sandbox), "/", "/state")

    assert page_response.content == page()
    assert state.json()["is_sandbox"] == is_sandbox
    assert (state.json()["sandbox"] is None) == is_sandbox


def test_there_is_no_page_beyond_this_machine_without_authentication():
    hosting = Hosting("0.0.0.0:0", is_open=True)

    statuses = [answer.status_code for answer in answers(hosting, "/", "/state", "/catalog", "/sandbox/mcp")]

    assert statuses == [404, 404, 404, 404]


def test_the_first_who_asks_whether_it_is_ready_learns_the_state():
    @asynccontextmanager
    async def open_slowly():
        await asyncio.sleep(5 * health.PART_SECONDS)
        async with open_clients() as clients:
            yield clients

    (answer,) = answers(Hosting("127.0.0.1:0"), "/readyz", opener=open_slowly)

    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert {part["state"] for part in answer.json()["parts"].values()} == {"ok"}
