"""Runs that are killed, in part or as a whole, at moments from a seed.

Permits bound the progress of a run before that, and not time: the test's process may be stopped meanwhile.
"""

import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from biofact.corpus.folder import CorpusFolder
from biofact.corpus.records import CorpusPlan
from tests.corpus.command import COMMAND
from tests.corpus.made_corpora import lines, make_plan, stamps

PATIENCE_SECONDS = 120.0
MOST_SHARDS = 3
"""Shards that a killed run may finish; a plan has more than all killed runs together."""
_GATE = """
import os, re, sys

def take_permit(event, arguments):
    if event == "os.rename" and re.search(r"/shards/[0-9]+[.]json$", str(arguments[1])):
        if os.read(os.open(os.environ["TEST_PERMITS"], os.O_RDWR), 1) == b"x":
            os._exit(1)

sys.addaudithook(take_permit)
"""
"""Loaded by each process of a run: it takes a permit before a shard counts as done, and an ``x`` ends it."""


class KilledRun:
    """``biofact corpus run`` with all its processes: a group that writes into one pipe."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        command = [*COMMAND, "corpus", "run", str(folder), *options]
        self.process = subprocess.Popen(
            command, start_new_session=True, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def ended(self) -> str:
        """The standard error of all processes, when the last of them has ended."""
        return self.process.communicate(timeout=PATIENCE_SECONDS)[1]

    def kill_driver(self) -> None:
        self.process.kill()

    def kill_all(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)

    def kill_helper(self, rng: random.Random) -> None:
        """Any process started by the driver, or by one of its processes."""
        if helpers := self.helpers():
            os.kill(rng.choice(helpers), signal.SIGKILL)

    def helpers(self) -> list[int]:
        processes = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True)
        rows = [line.split() for line in processes.stdout.splitlines()]
        group = [int(pid) for pid, pgid, state in rows if int(pgid) == self.process.pid and not state.startswith("Z")]
        return sorted(set(group) - {self.process.pid})


def interrupted(
    folder: Path, source: Path, options: Sequence[str], *, is_at_start: bool, reaches_all: bool
) -> KilledRun:
    """A run over a short shard and two long ones that is interrupted as it starts its helpers, or in a long one; all of
    its processes have ended.
    """
    short, long = lines(source / "1.jsonl", range(1, 11)), lines(source / "2.jsonl", range(11, 20_011))
    plan = make_plan(folder, short, long, shard_size=10_000)
    killed_run = KilledRun(folder, *options)
    while not (killed_run.helpers() if is_at_start else stamps(folder, plan)):
        assert not killed_run.has_ended
        time.sleep(0.02)  # polling without a pause would take CPU time that the run needs
    (os.killpg if reaches_all else os.kill)(killed_run.process.pid, signal.SIGINT)
    assert is_plain_end(killed_run.ended())
    assert set(stamps(folder, plan)) <= {0}
    return killed_run


def is_plain_end(message: str) -> bool:
    """Whether standard error holds the progress of the run, that it was stopped, and how to continue."""
    *progress, error, hint = message.splitlines()
    is_progress = all(line.startswith("shards: ") for line in progress)
    return is_progress and error == "error: The run was stopped." and "biofact corpus run" in hint


INTERRUPTS = (
    {"is_at_start": True, "reaches_all": False},
    {"is_at_start": False, "reaches_all": False},
    {"is_at_start": False, "reaches_all": True},
)
"""Signals as a terminal sends them, to all processes at once, and as a scheduler does, to the first of them."""


def killed_again_and_again(folder: Path, plan: CorpusPlan, options: Sequence[Sequence[str]], moments: int) -> int:
    """Start runs with these options in turn, and kill a process of each; shards that were done at the start of a run
    have to be unchanged at its end. The number of runs killed before all was done.
    """
    rng = random.Random(7)
    shard_seconds = plan.milliseconds * plan.shard_size / 1000
    for moment in range(moments):
        before = stamps(folder, plan)
        if len(before) == len(plan.shards):
            return moment
        with _permits(MOST_SHARDS) as (environment, permits):
            killed_run = KilledRun(folder, *options[moment % len(options)], **environment)
            _wait_for(killed_run, folder, plan, len(before) + rng.choice((0, 0, 1)))
            time.sleep(rng.uniform(0, shard_seconds))
            if moment % 3 == 0:
                killed_run.kill_helper(rng)
                time.sleep(rng.uniform(0, shard_seconds))
            (killed_run.kill_all if moment % 2 else killed_run.kill_driver)()
            os.write(permits, b"x" * 100)
            killed_run.ended()
        assert stamps(folder, plan).items() >= before.items()
    return moments


@contextmanager
def _permits(shards: int) -> Iterator[tuple[dict[str, str], int]]:
    """The environment of a run that may finish this many shards, and the pipe from which it takes its permits."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder, "permits")
        os.mkfifo(pipe)
        permits = os.open(pipe, os.O_RDWR)
        os.write(permits, b"." * shards)
        Path(folder, "sitecustomize.py").write_text(_GATE, "utf-8")
        paths = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
        try:
            yield {"PYTHONPATH": paths, "TEST_PERMITS": str(pipe)}, permits
        finally:
            os.close(permits)


def _wait_for(killed_run: KilledRun, folder: Path, plan: CorpusPlan, done: int) -> None:
    """Wait until ``done`` shards are done, or the run has ended by itself because its part is done."""
    place = CorpusFolder(folder)
    files = [place.done_file(shard.number) for shard in plan.shards]
    end = time.monotonic() + PATIENCE_SECONDS
    while not killed_run.has_ended and sum(file.exists() for file in files) < done:
        assert time.monotonic() < end
        time.sleep(0.02)
