"""Some minutes of failing services, in virtual time; benchmarks/chaos.py has an hour of them."""

import pytest
from benchmarks.chaos import ends, spend_hour, waits

from tests.marks import requirement

pytestmark = pytest.mark.quick


@pytest.fixture(
    scope="module",
    params=[pytest.param((100.0, 40), id="short"), pytest.param((200.0, 80), id="long", marks=pytest.mark.sweep)],
)
def rough(request):
    seconds, callers = request.param
    return spend_hour(seconds, is_rough=True, callers=callers)


@requirement("all deadline")
def test_every_call_ends_by_its_deadline_in_an_answer_or_an_envelope(rough):
    assert len({spell.service for spell in rough.spells}) > 2
    assert [result.promise for result in ends(rough) if not result.is_kept] == []


def test_every_reported_wait_is_true(rough):
    assert any(call.wait is not None for call in rough.calls)
    assert [(result.promise, result.note) for result in waits(rough) if not result.is_kept] == []
