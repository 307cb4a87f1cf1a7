"""A status by which a service reports that a record does not exist, in a batch."""

import asyncio
from dataclasses import replace

import httpx2
import pytest

from biofact.transport.service import Refused
from tests import virtual_time
from tests.transport.scene import Scene, words

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(("absent_status", "outcome"), [(404, type(None)), (None, Refused), (410, Refused)])
def test_the_status_that_says_so_means_that_there_is_none_of_the_ids(tmp_path, absent_status, outcome):
    scene = Scene(tmp_path, lambda _: httpx2.Response(404))
    usual = words()

    def ask(ids):
        batch_call = usual.ask(ids)
        return replace(batch_call, request=replace(batch_call.request, absent_status=absent_status))

    async def scenario():
        transport = scene.transport()
        batch = transport.batched(replace(usual, ask=ask))
        results = await asyncio.gather(*map(batch.get, ["a", "b"]), return_exceptions=True)
        await transport.aclose()
        return results

    assert [type(result) for result in virtual_time.run(scenario())] == [outcome, outcome]
