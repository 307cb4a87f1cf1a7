"""A corpus that a model reads, killed again and again: each article is answered once, and every token is in the log.

    python -m benchmarks.corpus_model [--articles 2000] [--kills 10] [--seed 1]

The run is a process of its own, the scripted model lives here and takes note of what it has sent, byte by byte.
SIGKILL cannot be waited for: what was sent and not yet read from the socket at that moment is lost, and counted here.
Half of the kills come in the very moment that an answer was sent. SIGTERM is waited for, and loses nothing.
"""

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.report import Result, at_most, run
from biofact.corpus.planning import plan
from biofact.corpus.records import Settings
from biofact.literature.extraction.model_reading import question_articles
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.scoring import ScoringCriteria
from biofact.sandbox.scripted_model import Chat, ModelAnswer, ScriptedModel, honest
from biofact.sandbox.server import Incoming, Outgoing

LIMIT = 8
SCHEMA = {"sample_size": "integer"}
_ANSWER_SECONDS = (0.005, 0.025)
_LATEST_SECONDS = 0.03  # of a kill after the answer that it waits for
_LONGEST_SECONDS = 300.0
_SHARD_SIZE = 250
_PROGRAM = """
import asyncio, os, signal, sys
from pathlib import Path
from biofact.core.settings import Settings
from biofact.corpus.model_reading import read_by_model
from biofact.literature.endpoint import configured_endpoint

async def main():
    task = asyncio.current_task()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    limit = int(sys.argv[2])
    model = configured_endpoint(Settings(os.environ), at_once=limit)
    try:
        end = await read_by_model(Path(sys.argv[1]), model, limit=limit)
    except asyncio.CancelledError:
        sys.exit(143)
    finally:
        await model.aclose()
    sys.exit(0 if end.is_complete else end.message)

asyncio.run(main())
"""


@dataclass(slots=True)
class Findings:
    """The cost of a run that was stopped this often."""

    kills: int = 0
    asked_count: int = 0
    """Questions that came in."""
    delivered_counts: Counter[str] = field(default_factory=Counter)
    """By article, how often its whole answer was sent before the process was stopped."""
    lost_count: int = 0
    """Answers sent in whole, and not in the log of the process that was stopped."""
    torn_count: int = 0
    """Logs that ended in the middle of a line."""
    tokens_delivered: int = 0
    tokens_lost: int = 0
    tokens_logged: int = 0
    logged_counts: Counter[str] = field(default_factory=Counter)
    differing_files: list[str] = field(default_factory=list)
    """Files of shards that are not as in an undisturbed run."""
    seconds: float = 0.0


class CountingModel(ScriptedModel):
    """Takes note of each answer as it is sent, and of the process that it was sent to."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(self._line)
        self.asked_count = 0
        self.run = 0
        """The number of the process that runs; 0 while none does."""
        self.sent: list[tuple[str, int]] = []
        """Articles and tokens of what the process was sent that runs, or ran last."""
        self.reached = asyncio.Event()
        self.most: float = float("inf")
        self._read = honest(ExtractionSchema.read(SCHEMA))
        self._chance = chance
        self._chat: dict[asyncio.Task[object] | None, str] = {}

    def _line(self, chat: Chat) -> ModelAnswer:
        self._chat[asyncio.current_task()] = question_articles(chat.text)[0]["id"]
        return self._read(chat)

    async def _route_reply(self, incoming: Incoming) -> Outgoing:
        run = self.run
        self.asked_count += 1
        await asyncio.sleep(self._chance.uniform(*_ANSWER_SECONDS))
        outgoing = await super()._route_reply(incoming)
        article = self._chat.pop(asyncio.current_task())
        assert isinstance(outgoing.body, bytes)
        tokens = json.loads(outgoing.body)["usage"]["total_tokens"]
        outgoing.promised_bytes, outgoing.is_zipped = len(outgoing.body), False
        outgoing.body = self._note(outgoing.body, run, article, tokens)
        return outgoing

    def _note(self, body: bytes, run: int, article: str, tokens: int) -> Iterator[bytes]:
        if run == self.run:  # the server writes what it is given before any other task has its turn
            self.sent.append((article, tokens))
            if len(self.sent) >= self.most:
                self.reached.set()
        yield body


class _Run:
    """Starts processes that read the folder, and stops them."""

    def __init__(self, folder: Path, model: CountingModel, findings: Findings) -> None:
        self._folder, self._model, self._found = folder, model, findings
        self._runs = 0

    async def until(self, answers: float, number: signal.Signals, *, late_seconds: float = 0.0) -> bool:
        """Run until this many answers are sent, then stop it; says whether it ended by itself."""
        model, findings = self._model, self._found
        self._runs += 1
        model.run, model.sent, model.most = self._runs, [], answers
        model.reached.clear()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _PROGRAM,
            str(self._folder),
            str(LIMIT),
            env={**os.environ, **model.environment(), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        end_task, reach_task = asyncio.create_task(process.wait()), asyncio.create_task(model.reached.wait())
        await asyncio.wait({end_task, reach_task}, timeout=_LONGEST_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        reach_task.cancel()
        await asyncio.sleep(late_seconds)
        is_stopped = process.returncode is None
        if is_stopped:
            process.send_signal(number)
            model.run = 0 if number == signal.SIGKILL else model.run  # all that is sent from here on is lost
        async with asyncio.timeout(_LONGEST_SECONDS):
            code = await end_task
        model.run = 0
        if not is_stopped and code:
            raise RuntimeError(f"The run ended with {code}.")
        findings.kills += is_stopped
        self._count(set(_lines(self._folder, findings)))
        return not is_stopped

    def _count(self, logged_articles: set[str]) -> None:
        for article, tokens in self._model.sent:
            self._found.delivered_counts[article] += 1
            self._found.tokens_delivered += tokens
            if article not in logged_articles:
                self._found.lost_count += 1
                self._found.tokens_lost += tokens


async def stopped(articles: int, kills: int, seed: int, folder: Path, number: signal.Signals) -> Findings:
    """The outcome of a run that is stopped this often, at moments spread over it."""
    chance, findings = random.Random(seed), Findings()
    undisturbed_folder, disturbed_folder = folder / "once", folder / "often"
    await _plan(folder, articles)
    async with CountingModel(random.Random(seed)) as model:
        await _Run(undisturbed_folder, model, Findings()).until(float("inf"), number)
        model.asked_count, start = 0, time.monotonic()
        run = _Run(disturbed_folder, model, findings)
        for place in range(kills):
            answers = chance.uniform(0.5, 1.2) * articles / (kills + 1)
            late = chance.uniform(0, _LATEST_SECONDS) if place % 2 else 0.0
            await run.until(answers, number, late_seconds=late)
        await run.until(float("inf"), number)
        findings.seconds, findings.asked_count = time.monotonic() - start, model.asked_count
    for line in _log(disturbed_folder):
        findings.logged_counts[f"PMID:{line['pmid']}"] += 1
        findings.tokens_logged += line["tokens"]
    names = {path.name for run in (undisturbed_folder, disturbed_folder) for path in (run / "shards").iterdir()}
    findings.differing_files = sorted(
        name
        for name in names
        if _content(undisturbed_folder / "shards" / name) != _content(disturbed_folder / "shards" / name)
    )
    return findings


async def _plan(folder: Path, articles: int) -> None:
    """The same plan in two folders."""
    file = folder / "articles.jsonl"
    text = "We randomly assigned {} patients to song or silence."
    entries = ({"pmid": 10_000 + n, "title": f"Trial {n}", "abstract": text.format(20 + n)} for n in range(articles))
    file.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    criteria = ScoringCriteria(weights={"sample_size": 1.0})
    settings = Settings(extraction_schema=SCHEMA, criteria=criteria, reader="scripted")
    for name in ("once", "often"):
        await plan(folder / name, [file], settings, shard_size=min(_SHARD_SIZE, articles // 4))


def _log(folder: Path) -> Iterator[dict[str, Any]]:
    for file in sorted((folder / "model").glob("*/*.jsonl")):
        yield from (json.loads(line) for line in file.read_bytes().splitlines(keepends=True) if line.endswith(b"\n"))


def _lines(folder: Path, findings: Findings) -> Iterator[str]:
    """The articles in the log; counts those logs that end within a line."""
    for file in (folder / "model").glob("*/*.jsonl"):
        content = file.read_bytes()
        findings.torn_count += bool(content) and not content.endswith(b"\n")
    yield from (f"PMID:{line['pmid']}" for line in _log(folder))


def _content(file: Path) -> bytes:
    return file.read_bytes() if file.is_file() else b"(not there)"


def measure(articles: int = 2000, kills: int = 10, seed: int = 1) -> list[Result]:
    """The promises of a run that is stopped."""
    results = []
    for number in (signal.SIGKILL, signal.SIGTERM):
        with tempfile.TemporaryDirectory() as folder:
            findings = asyncio.run(stopped(articles, kills, seed, Path(folder), number))
        results += _results(findings, number.name, articles, kills)
    return results


def _results(findings: Findings, name: str, articles: int, kills: int) -> list[Result]:
    most_repeats = LIMIT * findings.kills if name == "SIGKILL" else 0
    repeats = findings.asked_count - articles
    unequal = abs(findings.tokens_logged - (findings.tokens_delivered - findings.tokens_lost))
    miscounted = sum(count > 1 for count in findings.logged_counts.values()) + abs(
        len(findings.logged_counts) - articles
    )
    counts_note = f"{findings.delivered_counts.total()} answers delivered, {findings.tokens_logged:,} tokens logged"
    note = f"{counts_note}; {findings.kills + 1} starts in {findings.seconds:.0f} s"
    return [
        Result(f"corpus by a model, {name}: stops survived", findings.kills, kills, "kills", note=note),
        at_most(f"{name}: articles not in the log once", miscounted, 0, "articles"),
        at_most(f"{name}: tokens logged and not charged, or the reverse", unequal, 0, "tokens"),
        at_most(f"{name}: answers delivered and lost", findings.lost_count, most_repeats, "answers"),
        at_most(f"{name}: articles asked about again", repeats, most_repeats, "questions"),
        at_most(
            f"{name}: files of shards that differ",
            len(findings.differing_files),
            0,
            "files",
            note=" ".join(findings.differing_files),
        ),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
