"""Some minutes of failing services, in virtual time; benchmarks/chaos.py has an hour of them."""

from dataclasses import replace

import pytest
from benchmarks.chaos import WEATHER, Call, Hour, Spell, ends, spend_hour, waits

from biofact import EnsemblClient
from biofact.core.settings import Settings
from biofact.transport.service import IS_DOWN, QUEUE_TOO_LONG, SLOW_DOWN, SlotTooLate, failure_error
from tests.each_of import each_of
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


ENSEMBL = next(service for service in EnsemblClient.services if service.name == "ensembl")
PAUSE_START, PAUSE_END = 10.0, 50.0


def refusal(reason: str, wait: float, *, end: float, start: float = 5.0) -> Call:
    """A call that the service, the rate or the breaker ended, as the transport reports it."""
    failure = SlotTooLate(reason, retry_after_seconds=wait, is_rate_limit=reason != IS_DOWN)
    return Call("ensembl", start, end, failure_error(ENSEMBL, failure, wait, Settings({})))


@each_of(
    ("promise", "wrong", "right"),
    [
        ("Retry-After told", refusal(SLOW_DOWN, 20.0, end=11.0), refusal(SLOW_DOWN, 39.0, end=11.0)),
        ("heard of a pause late", refusal(SLOW_DOWN, 37.0, end=13.0), refusal(SLOW_DOWN, 40.0, end=10.0)),
        ("heard of a pause late", refusal(QUEUE_TOO_LONG, 1.0, end=34.5), refusal(QUEUE_TOO_LONG, 1.0, end=9.0)),
        ("longer told by the breaker", refusal(IS_DOWN, 20.0, end=60.0), refusal(IS_DOWN, 10.0, end=60.0)),
        (
            "came back when told",
            replace(refusal(QUEUE_TOO_LONG, 1.0, start=100.5, end=101.0), is_return=True),
            replace(refusal(SLOW_DOWN, 1.0, start=100.0, end=101.0), is_return=True),
        ),
    ],
)
def test_the_checks_of_the_hour_see_a_false_wait(promise, wrong, right):
    spells = [Spell("ensembl", WEATHER[0], PAUSE_START, 99.0)]
    pauses = [("ensembl", PAUSE_START, PAUSE_END)]

    def broken(call: Call) -> list[str]:
        return [result.promise for result in waits(Hour(spells, [call], pauses)) if not result.is_kept]

    assert [name for name in broken(wrong) if name.startswith(promise)] != []
    assert broken(right) == []


def test_a_race_is_part_of_the_failures(rough):
    assert any(spell.fault.times == 1 for spell in rough.spells)
