"""Answers by which a service reports that a record does not exist, in a batch: a status, and a body that shows it."""

import asyncio
from dataclasses import replace

import httpx2
import pytest

from biofact.dialects.json_values import not_found
from biofact.transport.service import Refused
from tests import virtual_time
from tests.transport.scene import Scene, words

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("is_absent", "body", "outcome"),
    [
        (not_found(), b"{}", type(None)),
        (not_found("reason"), b'{"reason": "no such word"}', type(None)),
        (not_found("reason"), b"{}", Refused),
        (not_found(), b"404 page not found", Refused),
        (None, b"{}", Refused),
    ],
)
def test_an_answer_that_reports_absence_is_valid_for_all_ids(tmp_path, is_absent, body, outcome):
    scene = Scene(tmp_path, lambda _: httpx2.Response(404, content=body))
    usual = words()

    def ask(ids):
        batch_call = usual.ask(ids)
        return replace(batch_call, request=replace(batch_call.request, is_absent=is_absent))

    async def scenario():
        transport = scene.transport()
        batch = transport.batched(replace(usual, ask=ask))
        results = await asyncio.gather(*map(batch.get, ["a", "b"]), return_exceptions=True)
        await transport.aclose()
        return results

    assert [type(result) for result in virtual_time.run(scenario())] == [outcome, outcome]
