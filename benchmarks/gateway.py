"""The whole gateway under many callers: three of it, with one Redis, on the one budget that NCBI allows.

``python -m benchmarks.gateway [--seconds 60] [--only NAME] [--json FILE]``. Three ``biofact serve --http`` with folders
of their own share a real ``redis-server``; a stand-in of NCBI allows ten requests in any second and notes each. 200
callers of 20 subjects ask questions that are not kept and cannot be joined (``gateway_callers`` says which), half of
them in each era of the protocol. First a minute in which nothing is disturbed but that 60 more callers of one subject
ask; then a gateway is killed and started again, Redis is stopped, emptied and stalled, and NCBI is down. Callers come
back at the time that a refusal names. Needs the extra ``redis``, and redis-server from the system; takes eight minutes.
"""

import argparse
import asyncio
import itertools
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.gateway_callers import ANSWER, LOSS, WRONG, Outcome, counts, percentile
from benchmarks.gateway_scene import PER_SECOND, Act, Run, Step, observed, scene
from benchmarks.report import Result, at_most, write_report

GATEWAYS = 3
SUBJECTS = 20
CALLERS = 10  # of each subject
FLOOD = 60  # further ones of the first subject
WARM_UP_SECONDS = 10.0
"""Until every gateway has imported what it needs, and every caller waits."""
BEFORE_SECONDS = 5.0
AFTER_SECONDS = 8.0
USED = 0.88
USED_AGAIN = 0.8
"""In a few seconds, where a request more or less shows."""
FAIR = 0.8


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A disturbance of a scene, which is over after a while."""

    name: str
    begin: Act
    end: Act | None
    seconds: float
    """Until it is over."""
    settling_seconds: float
    """Then until the budget has to be used again."""
    killed_gateway: int | None = None
    """The gateway whose calls are lost with it."""


DISTURBANCES = (
    Disturbance(
        "gateway killed",
        lambda scene: scene.gateways[-1].kill(),
        lambda scene: scene.gateways[-1].start(),
        seconds=8.0,
        settling_seconds=8.0,
        killed_gateway=GATEWAYS - 1,
    ),
    Disturbance(
        "Redis stopped",
        lambda scene: scene.redis.stop(),
        lambda scene: scene.redis.start(),
        seconds=8.0,
        settling_seconds=8.0,
    ),
    Disturbance(
        "Redis emptied",
        lambda scene: scene.redis.command("FLUSHALL"),
        None,
        seconds=0.0,
        settling_seconds=8.0,
    ),
    Disturbance(
        "Redis stalled",
        lambda scene: scene.redis.stall(),
        lambda scene: scene.redis.go_on(),
        seconds=3.0,
        settling_seconds=8.0,
    ),
    Disturbance(
        "upstream down",
        lambda scene: scene.upstream.go_down(),
        lambda scene: scene.upstream.come_up(),
        seconds=10.0,
        settling_seconds=12.0,
    ),
)


def measure(seconds: float = 60.0, selected: str | None = None) -> list[Result]:
    """Every promise; or those of one run, which is ``undisturbed`` or named as its disturbance is."""
    runs: dict[str, Callable[[], list[Result]]] = {"undisturbed": partial(undisturbed_results, seconds)}
    runs |= {disturbance.name: partial(disturbed_results, disturbance) for disturbance in DISTURBANCES}
    results = []
    for name, run in runs.items():
        if selected in {None, name}:
            print(f"{name} ... (load average {os.getloadavg()[0]:.1f})", file=sys.stderr, flush=True)
            results += run()
    return results


def undisturbed_results(seconds: float) -> list[Result]:
    """While one subject floods."""
    run = _run(FLOOD, (None, WARM_UP_SECONDS), (None, seconds))
    _, begin, end = run.marks
    answer_counts = Counter(outcome.subject for outcome in run.ended_between(begin, end) if outcome.kind == ANSWER)
    fair = answer_counts.total() / SUBJECTS
    slowest = min(answer_counts[subject] for subject in range(SUBJECTS))
    share = f"{slowest} of {fair:.1f} answers; the one that floods had {answer_counts[0]}"
    return [
        *_never_broken("undisturbed", run),
        Result("undisturbed: used of the budget", run.used(begin, end), USED, "of 1", note=_programs(run)),
        Result("undisturbed: slowest subject's part of a fair share", slowest / fair, FAIR, "of 1", note=share),
    ]


def disturbed_results(disturbance: Disturbance) -> list[Result]:
    """The promises that always hold, and that the budget is used again afterwards."""
    run = _run(
        0,
        (None, WARM_UP_SECONDS),
        (None, BEFORE_SECONDS),
        (disturbance.begin, disturbance.seconds),
        (disturbance.end, disturbance.settling_seconds),
        (None, AFTER_SECONDS),
    )
    _, *marks = run.marks
    before, during, recovery, after = (run.used(begin, end) for begin, end in itertools.pairwise(marks))
    parts = [f"{before:.2f} before", f"{recovery:.2f} in the {disturbance.settling_seconds:.0f} s after"]
    if disturbance.seconds:
        parts.insert(1, f"{during:.2f} meanwhile")
    note = ", ".join(parts)
    return [
        *_never_broken(disturbance.name, run, disturbance.killed_gateway),
        Result(f"{disturbance.name}: used of the budget afterwards", after, USED_AGAIN, "of 1", note=note),
    ]


def _run(flood: int, *steps: Step) -> Run:
    with (
        tempfile.TemporaryDirectory() as folder,
        scene(Path(folder), gateways=GATEWAYS, subjects=SUBJECTS) as running_scene,
    ):
        return asyncio.run(observed(running_scene, CALLERS, flood, *steps))


def _never_broken(name: str, run: Run, killed_gateway: int | None = None) -> list[Result]:
    outcomes, arrivals = run.outcomes, run.arrivals
    lost_outcomes = [
        outcome
        for outcome in outcomes
        if outcome.kind == LOSS and outcome.gateway == killed_gateway and outcome.start < run.marks[2]
    ]
    unanswered = [outcome for outcome in outcomes if not (outcome.is_answered_or_refused or outcome in lost_outcomes)]
    wrong = [outcome for outcome in outcomes if outcome.kind == WRONG]
    warm = [outcome for outcome in outcomes if outcome.start >= run.marks[1]]
    waits = f"answered within {percentile(warm, 0.5):.1f} s (p50), {percentile(warm, 0.99):.1f} s (p99)"
    with_process = f"; {len(lost_outcomes)} lost with their gateway" if killed_gateway is not None else ""
    most_in_second, least_seconds = arrivals.most_in_a_second(), arrivals.least_seconds(PER_SECOND + 1)
    refusal_note = (
        f"{arrivals.refused_count} of {len(arrivals.times)} refused (429); "
        f"any {PER_SECOND + 1} took {least_seconds:.2f} s or more"
    )
    return [
        at_most(f"{name}: most requests in any second", most_in_second, PER_SECOND, "", note=refusal_note),
        at_most(
            f"{name}: calls without answer or envelope",
            len(unanswered),
            0,
            "calls",
            note=f"of {len(outcomes)}: {counts(outcomes)}{with_process}{_first(unanswered)}",
        ),
        at_most(f"{name}: wrong answers", len(wrong), 0, "calls", note=waits + _first(wrong)),
    ]


def _first(outcomes: Sequence[Outcome]) -> str:
    return f"; the first: {outcomes[0].kind}, {outcomes[0].detail}" if outcomes else ""


def _programs(run: Run) -> str:
    return ", ".join(f"{count} {name}" for name, count in run.arrivals.programs.most_common())


def main() -> int:
    """Measure; the exit status says whether every promise is kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of the run that nothing disturbs")
    parser.add_argument("--only", choices=["undisturbed", *(disturbance.name for disturbance in DISTURBANCES)])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    return write_report(measure(options.seconds, options.only), options.json)


if __name__ == "__main__":
    sys.exit(main())
