"""Three gateways as on three machines, one Redis and one budget, under some 60 callers of 6 subjects.

Their promises hold while a gateway is killed and Redis is lost. ``benchmarks/gateway.py`` has the whole scene, and the
bars for speed and shares.
"""

import asyncio
import sys
from collections import Counter

import pytest
from benchmarks.gateway_callers import ANSWER, LOSS, WRONG, counts
from benchmarks.gateway_scene import PER_SECOND, observed, scene

from tests.extras.needs import redis_server

pytestmark = pytest.mark.extras

redis_server()

SUBJECTS = 6
CALLERS = 8
FLOOD = 10
STEPS = (
    (None, 4.0),
    (None, 8.0),
    (lambda scene: scene.gateways[-1].kill(), 3.0),
    (lambda scene: scene.gateways[-1].start(), 3.0),
    (lambda scene: scene.redis.stop(), 3.0),
    (lambda scene: scene.redis.start(), 4.0),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The observations of callers and upstream."""
    with scene(tmp_path_factory.mktemp("gateways"), gateways=3, subjects=SUBJECTS) as running_scene:
        return asyncio.run(observed(running_scene, CALLERS, FLOOD, *STEPS))


@pytest.fixture(scope="module")
def lost_outcomes(run):
    """The calls under way in the gateway that was killed."""
    killed_at = run.marks[2]
    return [
        outcome
        for outcome in run.outcomes
        if outcome.kind == LOSS and outcome.gateway == 2 and outcome.start < killed_at
    ]


def test_the_joint_rate_is_never_over_the_limit(run):
    assert run.arrivals.refused_count == 0
    assert run.arrivals.most_in_a_second() <= PER_SECOND


def test_every_call_has_an_answer_or_an_envelope(run, lost_outcomes, capsys):
    with capsys.disabled():
        sys.stdout.write(f"\n{counts(run.outcomes)}, {len(lost_outcomes)} of them with their gateway\n")

    assert [
        outcome for outcome in run.outcomes if not outcome.is_answered_or_refused and outcome not in lost_outcomes
    ] == []


def test_no_answer_is_anothers(run):
    assert [outcome.detail for outcome in run.outcomes if outcome.kind == WRONG] == []


def test_every_caller_has_a_part_of_the_budget_while_one_floods(run):
    begin, end = run.marks[1:3]
    answer_counts = Counter(outcome.subject for outcome in run.ended_between(begin, end) if outcome.kind == ANSWER)

    assert run.used(begin, end) >= 0.5  # the benchmark has the bars: a busy machine changes these
    assert min(answer_counts[subject] for subject in range(SUBJECTS)) >= 0.4 * answer_counts.total() / SUBJECTS


def test_the_other_processes_continue_after_the_loss_of_any(run):
    _, _, killed_at, started_at, stopped_at, _, end = run.marks

    assert any(outcome.kind == ANSWER for outcome in run.ended_between(killed_at, started_at))
    assert any(
        outcome.kind == ANSWER for outcome in run.ended_between(stopped_at, end)
    )  # not at once: all wait for three seconds
