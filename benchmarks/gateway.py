"""The whole gateway under many callers: three of it, with one Redis, on the one budget that NCBI allows.

``python -m benchmarks.gateway [--seconds 60] [--only NAME] [--json FILE]``. Three ``biofact serve --http`` with folders
of their own share a real ``redis-server``; a stand-in of NCBI allows ten requests in any second and notes each. 200
callers of 20 subjects ask questions that are not kept and cannot be joined (``gateway_callers`` says which), half of
them in each era of the protocol. First a minute in which nothing is disturbed but that 60 more callers of one subject
ask; then a gateway is killed and started again, Redis is stopped, emptied and stalled, and NCBI is down. Who is told
when to come back comes back then. Needs the extra ``redis``, and redis-server from the system; takes eight minutes.
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

from benchmarks.gateway_callers import ANSWERED, LOST, WRONG, Outcome, counts, percentile
from benchmarks.gateway_scene import PER_SECOND, Act, Run, Step, observed, scene
from benchmarks.report import Result, write_report

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
    """What happens to a scene, and is over after a while."""

    name: str
    begin: Act
    end: Act | None
    seconds: float
    """Until it is over."""
    settling_seconds: float
    """Then until the budget has to be used again."""
    killed: int | None = None
    """The gateway whose calls are lost with it."""


DISTURBANCES = (
    Disturbance(
        "gateway killed",
        lambda running: running.gateways[-1].kill(),
        lambda running: running.gateways[-1].start(),
        seconds=8.0,
        settling_seconds=8.0,
        killed=GATEWAYS - 1,
    ),
    Disturbance(
        "Redis stopped",
        lambda running: running.redis.stop(),
        lambda running: running.redis.start(),
        seconds=8.0,
        settling_seconds=8.0,
    ),
    Disturbance(
        "Redis emptied",
        lambda running: running.redis.command("FLUSHALL"),
        None,
        seconds=0.0,
        settling_seconds=8.0,
    ),
    Disturbance(
        "Redis stalled",
        lambda running: running.redis.stall(),
        lambda running: running.redis.go_on(),
        seconds=3.0,
        settling_seconds=8.0,
    ),
    Disturbance(
        "upstream down",
        lambda running: running.upstream.go_down(),
        lambda running: running.upstream.come_up(),
        seconds=10.0,
        settling_seconds=12.0,
    ),
)


def measured(seconds: float = 60.0, only: str | None = None) -> list[Result]:
    """Every promise; or those of one run, which is ``undisturbed`` or named as its disturbance is."""
    runs: dict[str, Callable[[], list[Result]]] = {"undisturbed": partial(undisturbed, seconds)}
    runs |= {each.name: partial(disturbed, each) for each in DISTURBANCES}
    results = []
    for name, run in runs.items():
        if only in {None, name}:
            print(f"{name} ... (load average {os.getloadavg()[0]:.1f})", file=sys.stderr, flush=True)
            results += run()
    return results


def undisturbed(seconds: float) -> list[Result]:
    """While one subject floods."""
    run = _run(FLOOD, (None, WARM_UP_SECONDS), (None, seconds))
    _, begin, end = run.marks
    answered = Counter(one.subject for one in run.ended(begin, end) if one.kind == ANSWERED)
    fair = answered.total() / SUBJECTS
    slowest = min(answered[subject] for subject in range(SUBJECTS))
    share = f"{slowest} of {fair:.1f} answers; the one that floods had {answered[0]}"
    return [
        *_never_broken("undisturbed", run),
        Result("undisturbed: used of the budget", run.used(begin, end), USED, "of 1", note=_programs(run)),
        Result("undisturbed: slowest subject's part of a fair share", slowest / fair, FAIR, "of 1", note=share),
    ]


def disturbed(disturbance: Disturbance) -> list[Result]:
    """What is promised whatever happens, and that the budget is used again afterwards."""
    run = _run(
        0,
        (None, WARM_UP_SECONDS),
        (None, BEFORE_SECONDS),
        (disturbance.begin, disturbance.seconds),
        (disturbance.end, disturbance.settling_seconds),
        (None, AFTER_SECONDS),
    )
    _, *marks = run.marks
    before, meanwhile, settling, after = (run.used(begin, end) for begin, end in itertools.pairwise(marks))
    parts = [f"{before:.2f} before", f"{settling:.2f} in the {disturbance.settling_seconds:.0f} s after"]
    if disturbance.seconds:
        parts.insert(1, f"{meanwhile:.2f} meanwhile")
    note = ", ".join(parts)
    return [
        *_never_broken(disturbance.name, run, disturbance.killed),
        Result(f"{disturbance.name}: used of the budget afterwards", after, USED_AGAIN, "of 1", note=note),
    ]


def _run(flood: int, *steps: Step) -> Run:
    with tempfile.TemporaryDirectory() as folder, scene(Path(folder), gateways=GATEWAYS, subjects=SUBJECTS) as running:
        return asyncio.run(observed(running, CALLERS, flood, *steps))


def _never_broken(name: str, run: Run, killed: int | None = None) -> list[Result]:
    outcomes, arrivals = run.outcomes, run.arrivals
    lost = [one for one in outcomes if one.kind == LOST and one.gateway == killed and one.began < run.marks[2]]
    without = [one for one in outcomes if not (one.is_answered_or_refused or one in lost)]
    wrong = [one for one in outcomes if one.kind == WRONG]
    warm = [one for one in outcomes if one.began >= run.marks[1]]
    waits = f"answered within {percentile(warm, 0.5):.1f} s (p50), {percentile(warm, 0.99):.1f} s (p99)"
    with_process = f"; {len(lost)} lost with their gateway" if killed is not None else ""
    most, least = arrivals.most_in_a_second(), arrivals.least_seconds(PER_SECOND + 1)
    refused = (
        f"{arrivals.refused} of {len(arrivals.times)} refused (429); any {PER_SECOND + 1} took {least:.2f} s or more"
    )
    return [
        Result(f"{name}: most requests in any second", most, PER_SECOND, "", is_at_most=True, note=refused),
        Result(
            f"{name}: calls without answer or envelope",
            len(without),
            0,
            "calls",
            is_at_most=True,
            note=f"of {len(outcomes)}: {counts(outcomes)}{with_process}{_first(without)}",
        ),
        Result(f"{name}: wrong answers", len(wrong), 0, "calls", is_at_most=True, note=waits + _first(wrong)),
    ]


def _first(outcomes: Sequence[Outcome]) -> str:
    return f"; the first: {outcomes[0].kind}, {outcomes[0].detail}" if outcomes else ""


def _programs(run: Run) -> str:
    return ", ".join(f"{count} {name}" for name, count in run.arrivals.programs.most_common())


def main() -> int:
    """Measure; the exit status says whether every promise is kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of the run that nothing disturbs")
    parser.add_argument("--only", choices=["undisturbed", *(each.name for each in DISTURBANCES)])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    return write_report(measured(options.seconds, options.only), options.json)


if __name__ == "__main__":
    sys.exit(main())
