"""The cache in Redis, on a server of our own; needs a redis-server binary and the extra ``redis``."""

import asyncio

import pytest

from biofact.transport.service import HOUR
from tests.extras.redis_scene import redis_at_ports
from tests.transport.scene import TOY
from tests.transport.test_cache import Shelf

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("patience")]


@pytest.fixture(scope="module")
def port():
    def options(port):
        return ["--port", str(port), "--save", "", "--requirepass", "sesame"]

    with redis_at_ports(1, options) as (port,):
        yield port


def shelf(tmp_path, port):
    return Shelf(tmp_path, BIOFACT_REDIS_URL=f"redis://:sesame@127.0.0.1:{port}/0")


@pytest.mark.parametrize("body", [b"", b"body", b"long" * 20_000, None])
def test_replicas_share_what_is_kept(tmp_path, port, body):
    async def scenario():
        first, second = shelf(tmp_path, port), shelf(tmp_path, port)
        await first.keep("a", body)
        found_entry = await second.find("a")
        stats = await second.cache.stats()
        cleared_count = await second.cache.clear()
        gone_entry = await first.find("a")
        await first.cache.aclose()
        await second.cache.aclose()
        return found_entry, stats, cleared_count, gone_entry

    found_entry, stats, cleared_count, gone_entry = asyncio.run(scenario())

    assert (found_entry.body, found_entry.origin, found_entry.url) == (body, "cache", "https://toy/a")
    assert (stats.entries, stats.kind, stats.location) == (1, "redis", f"redis://127.0.0.1:{port}/0")
    assert (cleared_count, gone_entry) == (1, None)
    assert not list(tmp_path.iterdir())


def test_an_entry_in_memory_is_valid_until_a_replica_replaces_it_or_clears_the_cache(tmp_path, port):
    async def scenario():
        first, second = shelf(tmp_path, port), shelf(tmp_path, port)
        await first.keep("a", b"old")
        entries = [await first.find("a") for _ in range(2)]
        await second.keep("a", b"new")
        entries.append(await first.find("a"))
        found_entries = await first.cache.find_many(TOY, "word/1", ["a", "b"])
        await second.cache.clear()
        gone_entry = await first.find("a")
        for shelf_of_replica in (first, second):
            await shelf_of_replica.cache.aclose()
        return entries, found_entries, gone_entry

    (first, second, third), found_entries, gone_entry = asyncio.run(scenario())

    assert (first is second, third.body, list(found_entries), gone_entry) == (True, b"new", ["a"], None)


def test_an_expired_answer_is_stale(tmp_path, port):
    async def scenario():
        own_shelf = shelf(tmp_path, port)
        await own_shelf.keep("a", seconds=HOUR)
        own_shelf.clock.now += 2 * HOUR
        found_entry = await own_shelf.find("a")
        await own_shelf.cache.aclose()
        return found_entry

    assert asyncio.run(scenario()).origin == "stale"


def test_redis_that_is_not_there_means_memory_and_one_notice_without_the_password(tmp_path):
    async def scenario():
        own_shelf = shelf(tmp_path, 9)
        await own_shelf.keep("a")
        found_entry = await own_shelf.find("a")
        notice = own_shelf.cache._shared._notice
        return found_entry, notice, own_shelf.notices()

    found_entry, notice, codes = asyncio.run(scenario())

    assert found_entry.body == b"body"
    assert codes == ["CACHE_IN_MEMORY"]
    assert "127.0.0.1:9" in notice.message
    assert "sesame" not in notice.message
