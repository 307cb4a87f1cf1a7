"""The rule of quotas: the counts, their window, and the wait until more fits."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biofact.gateway.counts import Charge, MemoryCounts, charged, counts_of
from biofact.transport.quotas import STEPS, step

pytestmark = pytest.mark.quick

WINDOW = 60.0
LENGTH = WINDOW / STEPS
NOW = 1_800_000_002.0


def charge(amount=1, limit=3, **options):
    return Charge("calls/somebody", amount, limit, WINDOW, **options)


def after(*uses, limit=3):
    """The counts after amounts were used at these seconds."""
    counts = {}
    for seconds, amount in uses:
        counts, wait = charged(counts, charge(amount, limit), NOW + seconds)
        assert wait == 0.0
    return counts


def test_as_much_fits_as_the_quota_says():
    counts = after((0.0, 1), (0.0, 1), (0.0, 1))

    assert sum(counts.values()) == 3
    assert charged(counts, charge(), NOW)[1] > 0


def test_the_wait_is_exact_to_the_moment():
    counts = after((0.0, 1), (17.0, 2))
    _, wait = charged(counts, charge(), NOW + 20.0)

    assert charged(counts, charge(), NOW + 20.0 + wait)[1] == 0.0
    assert charged(counts, charge(), NOW + 20.0 + wait - 0.001)[1] == pytest.approx(0.001, abs=1e-5)
    assert WINDOW - 20.0 < wait <= WINDOW + LENGTH - 20.0


def test_a_refused_charge_counts_nothing():
    counts = after((0.0, 3))

    assert charged(counts, charge(), NOW + 1.0)[0] == counts


def test_more_than_a_whole_quota_never_fits():
    assert charged({}, charge(4), NOW)[1] == math.inf
    assert charged({}, charge(3), NOW)[1] == 0.0


def test_a_charge_of_zero_counts_nothing_and_fails_where_the_quota_is_used_up():
    assert charged(after((0.0, 2)), charge(0), NOW) == (after((0.0, 2)), 0.0)
    assert charged(after((0.0, 3)), charge(0), NOW)[1] > 0


def test_an_amount_that_is_used_already_counts_in_any_case():
    counts, wait = charged(after((0.0, 3)), charge(100, is_used=True), NOW)

    assert (sum(counts.values()), wait) == (103, 0.0)
    assert WINDOW < charged(counts, charge(0), NOW)[1] <= WINDOW + LENGTH


def test_counts_of_the_future_move_back_with_the_clock():
    counts = after((3600.0, 3))
    _, wait = charged(counts, charge(), NOW)

    assert WINDOW <= wait <= WINDOW + LENGTH


@given(
    uses=st.lists(st.tuples(st.floats(0.0, 20.0), st.integers(1, 5)), max_size=80),
    limit=st.integers(5, 12),
)
def test_no_window_holds_more_than_the_quota_and_every_wait_is_kept(uses, limit):
    counts, now, granted = {}, NOW, []
    for pause, amount in uses:
        now += pause
        counts, wait = charged(counts, charge(amount, limit), now)
        assert len(counts) <= STEPS + 1
        if wait:
            assert wait <= WINDOW + LENGTH
            assert charged(counts, charge(amount, limit), now + wait + 1e-6)[1] == 0.0
        else:
            granted.append((now, amount))

    for begin, _ in granted:
        assert sum(amount for time, amount in granted if begin <= time < begin + WINDOW) <= limit


def test_counts_are_kept_as_text_and_nonsense_counts_as_none():
    counts = after((0.0, 1), (30.0, 2))

    assert counts_of(json.dumps(counts)) == counts
    assert counts_of(None) == counts_of("") == counts_of("no JSON") == counts_of("[1]") == counts_of('{"a": {}}') == {}


def test_a_time_has_one_step():
    assert step(NOW, WINDOW) == step(NOW + 2.9, WINDOW) == step(NOW + 3.0, WINDOW) - 1


def test_memory_forgets_callers_after_their_window():
    counts = MemoryCounts()
    for number in range(100):
        assert counts.charge(Charge(f"calls/{number}", 1, 3, WINDOW), NOW + 10.0 * number) == 0.0

    assert len(counts._counts) <= 8
