"""The wait for a new answer if an expired one is cached."""

import asyncio

import pytest

from biofact.transport.keep.store import Entry
from biofact.transport.service import Keep
from tests import virtual_time
from tests.transport.scene import TOY, Scene, words

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("others", [[], ["b", "c"]])
def test_a_stale_record_is_there_after_eight_seconds_alone_or_with_others(tmp_path, others):
    async def wait_forever(request):
        await asyncio.Event().wait()

    scene = Scene(tmp_path, wait_forever)

    async def scenario():
        transport = scene.transport()
        batch = transport.batched(words())
        old = scene.clock.now - 1000
        await transport.cache.keep(TOY, Keep("word/1", "a", 100), Entry(b"old", "", old, old + 100))
        pending = [asyncio.create_task(batch.get(one)) for one in others]
        start = scene.clock.now
        results = await batch.get("a")
        seconds = scene.clock.now - start
        await transport.aclose()
        await asyncio.gather(*pending, return_exceptions=True)
        return results, seconds

    results, seconds = virtual_time.run(scenario())

    assert results == b"old"
    assert 8.0 <= seconds <= 8.5
