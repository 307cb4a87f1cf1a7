"""The guide's figures of deadlines equal those of the code, and its program runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from biofact.interfaces import every_source
from biofact.literature.endpoint import LLM
from biofact.sources.pubmed import questions
from biofact.transport.ask import retry
from biofact.transport.service import HOUR, Service
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

pytestmark = pytest.mark.quick

GUIDE = (Path(__file__).parents[1] / "docs" / "guide.md").read_text("utf-8")
SECTION = GUIDE.partition("## Deadlines and logging\n")[2].partition("\n## ")[0]
TIMES = Timing()
PAUSE_SECONDS = Service.__dataclass_fields__["longest_pause_seconds"].default


@pytest.mark.parametrize(
    ("row", "figures"),
    [
        ("a tool call", [TIMES.deadline_seconds]),
        ("a long list", [questions.SECONDS_PER_PART, questions.ARTICLES.limit]),
        ("a job", [TIMES.deadline_seconds]),
        ("a question beside", [TIMES.side_leg_seconds]),
        ("a service that is slow", [TIMES.stale_patience_seconds]),
        ("one attempt", [TIMES.connect_seconds, TIMES.read_seconds]),
        ("the wait before", [TIMES.backoff_seconds, TIMES.backoff_cap_seconds]),
        ("`Retry-After`", [PAUSE_SECONDS]),
        ("a service at which", [TIMES.breaker_failures, TIMES.breaker_seconds]),
    ],
)
def test_a_figure_is_that_of_the_code(row, figures):
    [line] = [line for line in SECTION.splitlines() if line.startswith(f"| {row}")]

    assert [float(figure) for figure in re.findall(r"\d+(?:\.\d+)?", line)] == figures


def test_the_guide_states_how_a_missing_network_is_retried():
    assert f"another service was reached in the last {retry.REACHED_SECONDS:g} seconds" in SECTION
    assert retry.OUTAGE_SECONDS == 1.0
    assert "a second later it is tried anew" in SECTION


def test_those_who_may_ask_for_an_hour_are_named():
    services = {s for name in every_source.names() for s in every_source.client_class(name).services} | {LLM}

    longest = {service.title for service in services if service.longest_pause_seconds != PAUSE_SECONDS}
    assert longest == {"Ensembl REST", LLM.title}
    assert {s.longest_pause_seconds for s in services} == {PAUSE_SECONDS, HOUR}
    assert "(one hour for Ensembl and a language model)" in SECTION


@pytest.mark.processes
def test_the_program_runs_unchanged(tmp_path):
    [program] = re.findall(r"test_deadlines_guide\.py -->\n```python\n(.*?)```", SECTION, re.DOTALL)
    unreachable_proxies = dict.fromkeys(("HTTPS_PROXY", "https_proxy"), "http://127.0.0.1:9")
    environment = {
        "PATH": "",
        "PYTHONPATH": ":".join(sys.path),
        "BIOFACT_CACHE_DIR": str(tmp_path),
        **unreachable_proxies,
    }

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment, timeout=60
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("To try biofact without a network, use biofact.sandbox.Sandbox.\n")


@pytest.mark.parametrize("seconds", [0, -1.0, float("inf"), float("nan")])
def test_a_deadline_is_a_positive_number(seconds):
    with pytest.raises(ValueError, match="is no deadline; give a positive number of seconds"):
        Transport(deadline_seconds=seconds)
