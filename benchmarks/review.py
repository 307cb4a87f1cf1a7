"""A review killed with SIGKILL again and again: it ends as if undisturbed, and asks for nothing twice.

    python -m benchmarks.review [--kills 20] [--seed 1]

The command runs as a process against a sandbox and a scripted model that live here, so that what it asks is seen.
Every start has a cache of its own: what is not asked again is known from the run's folder alone. Half of the kills
wait until the process has nothing more to do with what it was answered, so that no answer may be lost; the others
come at once, and an answer that was on its way then may be asked for once more. These are counted.
"""

import asyncio
import hashlib
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.report import Result, at_most, run
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.review.plan import SCHEMA
from biofact.sandbox import Sandbox
from biofact.sandbox.scripted_model import Chat, ModelAnswer, ScriptedModel, honest
from biofact.sandbox.server import Incoming, Outgoing

GOAL = "Which trials of drugs for cancer or diabetes report survival?"
OPTIONS = ("--query-strategy", "exploratory", "--max-queries", "4", "--boost-high-impact")
AT_ONCE = 4
"""Requests that a process has under way: questions to a model; those to a service go out one by one, at its rate."""

_QUIET_SECONDS = 0.25
_LONGEST_SECONDS = 120.0
_POLL_SECONDS = 0.002
_FAST = 40.0  # the sandbox's rates, so that no start has to make up for the requests of the one before


@dataclass(slots=True)
class Gate:
    """Sees every request; lets this many be answered, and keeps the others waiting."""

    answered_requests: list[str] = field(default_factory=list)
    """The requests answered so far, in order."""
    most_answers: float = float("inf")
    waiting_count: int = 0
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    async def admits(self, request: Incoming) -> bool:
        """Whether a request is to be answered; one that is not waits until its process is dead."""
        if len(self.answered_requests) >= self.most_answers:
            self.waiting_count += 1
            await self._open.wait()
            return False
        self.answered_requests.append(_identity(request))
        return True

    def release(self) -> None:
        """Let go of those that wait, and of the limit."""
        self._open.set()
        self._open = asyncio.Event()
        self.most_answers, self.waiting_count = float("inf"), 0


class GatedSandbox(Sandbox):
    """The sandbox behind a gate."""

    gate: Gate

    async def _respond(self, request: Incoming) -> Outgoing:
        return await super()._respond(request) if await self.gate.admits(request) else _no_answer()


class GatedModel(ScriptedModel):
    """The model behind the same gate."""

    gate: Gate

    async def _respond(self, incoming: Incoming) -> Outgoing:
        return await super()._respond(incoming) if await self.gate.admits(incoming) else _no_answer()


@dataclass(frozen=True, slots=True)
class Kill:
    """One SIGKILL."""

    answer_count: int
    """How many requests had been answered, of all starts together."""
    is_settled: bool
    """Whether the process had put away all that it was answered."""


@dataclass(slots=True)
class Outcome:
    """The outcome of a review that was killed."""

    kills: list[Kill] = field(default_factory=list)
    undisturbed_count: int = 0
    """Requests of an undisturbed run."""
    repeated_count: int = 0
    """Requests that were answered more than once."""
    wrongly_repeated: int = 0
    """Repeated requests that were not on their way when the process was killed."""
    differing_files: list[str] = field(default_factory=list)
    """Files that are not as in the undisturbed run."""


async def kill_runs(kills: int, seed: int, folder: Path) -> Outcome:
    """Kill one review so often, at moments spread over its life; then let it end, and compare."""
    gate, chance = Gate(), random.Random(seed)
    async with GatedSandbox(rate_factor=_FAST) as sandbox, GatedModel(_answers()) as model:
        sandbox.gate = model.gate = gate
        review_run = _ReviewRun(folder, {**sandbox.environment(), **model.environment()}, gate)
        await review_run.to_its_end("undisturbed")
        life = _progress(folder / "undisturbed", gate)
        result = Outcome(undisturbed_count=len(gate.answered_requests))
        gate.answered_requests.clear()
        moments = sorted(chance.uniform(0, life) for _ in range(kills))
        for place, moment in enumerate(moments):
            kill = await review_run.until("killed", moment, is_settled=place % 2 == 0)
            if kill is not None:
                result.kills.append(kill)
        await review_run.to_its_end("killed")
    _compare(result, folder)
    _judge(result, gate.answered_requests)
    return result


class _ReviewRun:
    """Starts the command, and ends it."""

    def __init__(self, folder: Path, environment: Mapping[str, str], gate: Gate) -> None:
        self._folder = folder
        self._environment = {**os.environ, **environment, "NCBI_API_KEY": "made-up", "PYTHONPATH": _path()}
        self._gate = gate

    async def to_its_end(self, name: str) -> None:
        process = await self._started(name)
        async with asyncio.timeout(_LONGEST_SECONDS):
            _, errors = await process.communicate()
        if process.returncode:
            raise RuntimeError(f"The review ended with {process.returncode}: {errors.decode()}")

    async def until(self, name: str, moment: float, *, is_settled: bool) -> Kill | None:
        """Run until this much is answered and written, then kill; None if the run ended before."""
        run = self._folder / name
        remaining = int(moment) - _progress(run, self._gate)
        if is_settled:
            self._gate.most_answers = len(self._gate.answered_requests) + max(remaining, 0) // 2
        process = await self._started(name)
        if is_settled:
            await _quiet(process, run, self._gate)
        else:
            await self._reached(process, run, moment)
        kill = Kill(len(self._gate.answered_requests), is_settled) if process.returncode is None else None
        if kill is not None:
            process.kill()
        await process.wait()
        self._gate.release()
        return kill

    async def _reached(self, process: asyncio.subprocess.Process, run: Path, moment: float) -> None:
        """Return as soon as the run is so far, or has ended."""
        while process.returncode is None:
            if _progress(run, self._gate) >= moment:
                return
            await asyncio.sleep(_POLL_SECONDS)

    async def _started(self, name: str) -> asyncio.subprocess.Process:
        cache = tempfile.mkdtemp(dir=self._folder)
        words = ("-m", "biofact", "literature", "review", GOAL, *OPTIONS, "--output", str(self._folder / name))
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *words,
            env={**self._environment, "BIOFACT_CACHE_DIR": cache},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )


async def _quiet(process: asyncio.subprocess.Process, run: Path, gate: Gate) -> None:
    """Return when the process waits for answers and has done nothing else for a while, or has ended."""
    last: object = None
    while process.returncode is None:
        work, is_asleep = _work(process.pid)
        now = (work, len(_files(run)))
        if now == last and is_asleep and gate.waiting_count:
            return
        last = now
        await asyncio.sleep(_QUIET_SECONDS)


def _work(pid: int) -> tuple[list[str], bool]:
    """The processor time of each thread, as the system counts it, and whether all of them sleep: one that waits for a
    processor, or was stopped, has work to do. Where the system counts none, files alone say whether a process works.
    """
    try:
        stats = [(task / "stat").read_text(encoding="utf-8") for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return [], True
    fields = [stat.rpartition(")")[2].split() for stat in stats]
    return [" ".join(field[11:13]) for field in fields], all(field[0] == "S" for field in fields)


def _progress(run: Path, gate: Gate) -> int:
    """The progress of a run: requests answered, and files written."""
    return len(gate.answered_requests) + len(_files(run))


def _files(run: Path) -> list[str]:
    return [str(Path(folder) / name) for folder, _, names in os.walk(run) for name in names]


def _compare(result: Outcome, folder: Path) -> None:
    """Every file that a user sees, byte by byte; of the manifest all but the times of day."""
    undisturbed_folder, other = folder / "undisturbed", folder / "killed"
    names = {path.name for run in (undisturbed_folder, other) for path in run.iterdir() if path.is_file()}
    result.differing_files = sorted(
        name for name in names if _content(undisturbed_folder / name) != _content(other / name)
    )


def _content(file: Path) -> bytes:
    if not file.is_file():
        return b"(not there)"
    if file.name != "manifest.json":
        return file.read_bytes()
    manifest = json.loads(file.read_bytes())
    del manifest["times"]
    return json.dumps(manifest).encode()


def _judge(result: Outcome, requests: list[str]) -> None:
    """Count what was answered twice, and whether a kill explains it."""
    first: dict[str, int] = {}
    for place, request in enumerate(requests):
        if request in first:
            result.repeated_count += 1
            result.wrongly_repeated += not _was_on_its_way(result.kills, first[request])
        first[request] = place


def _was_on_its_way(kills: list[Kill], place: int) -> bool:
    """Whether the process that was answered may have been killed before it could put the answer away: it was killed at
    once, with no more than a few answers in between. One that had settled had put all away.
    """
    next_kill = next((kill for kill in kills if kill.answer_count > place), None)
    return next_kill is not None and not next_kill.is_settled and place >= next_kill.answer_count - AT_ONCE


def _identity(request: Incoming) -> str:
    return hashlib.sha256(b"\0".join((request.method.encode(), request.target.encode(), request.body))).hexdigest()


def _no_answer() -> Outgoing:
    return Outgoing(is_silent=True, ending="cut")


def _answers() -> Callable[[Chat], ModelAnswer]:
    read_chat = honest(ExtractionSchema.read(SCHEMA))

    def line(chat: Chat) -> ModelAnswer:
        if "<<<GOAL" not in chat.text:
            return read_chat(chat)
        query = '("Neoplasms"[MeSH Terms]) AND ("survival"[Title/Abstract])'
        return {
            "concepts": [{"name": "cancer", "synonyms": ["neoplasm"]}],
            "queries": [{"query_string": query, "rationale": "Survival of people with cancer."}],
        }

    return line


def _path() -> str:
    return os.pathsep.join(filter(None, sys.path))


def measure(kills: int = 20, seed: int = 1) -> list[Result]:
    """The promises of a killed review."""
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(kill_runs(kills, seed, Path(folder)))
    settled_count = sum(kill.is_settled for kill in result.kills)
    note = f"{settled_count} of them with nothing under way; {result.undisturbed_count} requests in an undisturbed run"
    repeats = f"{result.repeated_count} were on their way when the process was killed"
    return [
        Result("review: kills survived", len(result.kills), kills, "kills", note=note),
        at_most("review: files that differ", len(result.differing_files), 0, "files"),
        at_most("review: answers asked for again", result.wrongly_repeated, 0, "requests", note=repeats),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
