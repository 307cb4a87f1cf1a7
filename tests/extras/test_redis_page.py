"""The page's state with Redis: entries of other replicas are seen, and no caller waits during the request."""

import asyncio
import functools

import pytest
from benchmarks.redis_server import server

from biofact.core.settings import Settings
from biofact.gateway import redis as redis_backend
from biofact.gateway.link import RedisLink
from biofact.interfaces import every_source
from biofact.interfaces.clients import open_clients
from biofact.interfaces.http.page.routes import STATE_SECONDS, State
from biofact.interfaces.mcp.offer import of_all
from biofact.transport.backends import REDIS_URL
from tests.extras.redis_scene import FAST, until_budget

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("patience")]

TURNS = 20
"""Turns of other callers while one waits."""
NCBI = next(service for service in every_source.client_class("entrez").services if service.name == "ncbi")


@pytest.fixture
def redis(tmp_path):
    with server(tmp_path) as redis_server:
        yield redis_server


def look_at_page(redis, tmp_path, look):
    """The result of ``look`` at two replicas: the state and the transport of each."""

    async def run():
        places = (Settings({REDIS_URL.name: redis.url, "BIOFACT_CACHE_DIR": str(tmp_path / name)}) for name in "ab")
        offers = [of_all(functools.partial(open_clients, settings, timing=FAST), every_source) for settings in places]
        try:
            replicas = [(State(lambda offer=offer: offer), await offer.transport()) for offer in offers]
            return await look(*replicas)
        finally:
            for offer in offers:
                await offer.aclose()

    return asyncio.run(run())


async def pause(budgets):
    """Pause NCBI for all for minutes; return when Redis knows."""
    budgets.pause(NCBI, 300.0)
    assert await until_budget(budgets, lambda budget: budget.is_paused)


def test_a_pause_of_another_replica_is_seen(redis, tmp_path):
    async def look(first, second):
        await pause(first[1].budgets)
        return (await second[0].body())["services"]["ncbi"]

    ncbi = look_at_page(redis, tmp_path, look)

    assert ncbi["kept_in"] == "redis"
    assert ncbi["is_paused"]
    assert ncbi["next_slot_seconds"] > 10.0


def test_while_redis_stalls_others_are_answered_and_the_page_shows_the_replicas_own_ledger(
    redis, tmp_path, monkeypatch
):
    links = []

    class NotedLink(RedisLink):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            links.append(self)

    monkeypatch.setattr(redis_backend, "RedisLink", NotedLink)

    async def look(first, _):
        state = first[0]
        before = await state.body()
        await asyncio.sleep(STATE_SECONDS)
        redis.stall()
        task = asyncio.create_task(state.body())
        for _ in range(TURNS):
            await asyncio.sleep(0.01)
        is_waiting = not task.done()
        task.cancel()
        for link in links:
            link._patience_seconds = 0.1
        stalled_page = await state.body()
        redis.go_on()
        return before["services"]["ncbi"]["kept_in"], is_waiting, stalled_page["services"]["ncbi"]["kept_in"]

    assert look_at_page(redis, tmp_path, look) == ("redis", True, "sqlite")
