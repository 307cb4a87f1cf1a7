"""A corpus read by a model: one process asks several questions at a time, and writes the rows of shard after shard."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from biofact.corpus.folder import MOST_ATTEMPTS, CorpusFolder
from biofact.corpus.inputs import InputDamaged
from biofact.corpus.model_log import ModelLog, ShardLog, TextKey
from biofact.corpus.model_questions import (
    PATIENCE_SECONDS,
    ArticleQuestion,
    Attempts,
    AttemptsOver,
    BudgetSpent,
    Costs,
    ModelEstimate,
    ModelGone,
    ShardArticles,
    estimate,
)
from biofact.corpus.records import CorpusPlan
from biofact.corpus.shards import failure_reason, run_shard
from biofact.literature import files
from biofact.literature.endpoint import AT_ONCE
from biofact.literature.files import FolderRefused
from biofact.literature.model import LanguageModel
from biofact.literature.review.plan import RULES
from biofact.transport.timing import Timing

GRACE_SECONDS = 10.0
"""For questions under way when the run is to end; their answers are paid for."""


@dataclass(slots=True)
class ModelProgress:
    """The progress of a model's reading."""

    shards: int
    articles: int
    """Articles of the whole run."""
    shards_done: int = 0
    done: int = 0
    """Articles that are not asked about any more, by this run and before."""
    answered: int = 0
    """Articles settled by this run."""
    failures: int = 0
    """How often a shard failed in this run."""
    tokens: int = 0
    """Used by this run, failed attempts among them."""
    tokens_paid: int = 0
    """Tokens of earlier runs, as the log has them."""
    tokens_expected: int = 0
    """Expected tokens of the whole run, with those that are paid."""


OnModelProgress = Callable[[ModelProgress], None]
Stop = Literal["", "budget", "model"]


@dataclass(frozen=True, slots=True)
class ModelReadingEnd:
    """The end of a model's reading."""

    progress: ModelProgress
    failed: dict[int, str]
    """Shards that have failed as often as is tried, with the last reason."""
    stop: Stop = ""
    """The reason for an early stop."""
    message: str = ""
    """The stop in a sentence or two."""

    @property
    def is_complete(self) -> bool:
        """Whether every shard is done."""
        return self.progress.shards_done == self.progress.shards


async def read_by_model(  # noqa: PLR0913  # options, by keyword
    folder: Path,
    model: LanguageModel,
    *,
    limit: int = AT_ONCE,
    budget_tokens: int | None = None,
    on_progress: OnModelProgress = lambda progress: None,
    timing: Timing | None = None,
    patience_seconds: float = PATIENCE_SECONDS,
    grace_seconds: float = GRACE_SECONDS,
) -> ModelReadingEnd:
    """Let the plan's model read the articles that are not read, and write the rows of each shard that is.

    One article a question, ``limit`` questions at a time; the model has to admit as many. An answer is in the log
    before it counts, and is never asked for again: SIGKILL costs at most the ``limit`` questions under way. When the
    call is cancelled, these have ``grace_seconds`` to be answered. An article that the model refuses, or answers in
    vain three times, is a row with its error; no rules read it.

    ``budget_tokens`` is for this run, whatever earlier ones took: no question is asked that may pass it with those
    that are under way. Tokens of an answer beyond the expected ones are not foreseen.

    Raises:
        FolderRefused: the folder holds no plan, or one of another version of biofact or for another reader;
            another process reads; or the log has a line that is none of ours.
        WriteFailed: the system refuses a write; what was answered before stays.
    """
    place = CorpusFolder(folder)
    plan = place.plan_to_run()
    check_reader(folder, plan, model)
    timing = timing or Timing()
    with ModelLog(folder, plan.settings) as log:
        files.sweep(place.shards)  # no other process writes there: engines do no shard that a model reads
        start = await asyncio.to_thread(estimate, folder)
        costs = Costs(plan.settings.schema_read, budget_tokens)
        attempts = Attempts(model, costs, timing, patience_seconds)
        run = _Run(place, plan, log, attempts, costs, limit=limit, start=start, on_progress=on_progress)
        stop, message = await run.run(grace_seconds)
    return ModelReadingEnd(run.progress, place.failed(plan), stop, message)


def check_reader(folder: Path, plan: CorpusPlan, model: LanguageModel) -> None:
    """Refuse a model that the plan does not name.

    Raises:
        FolderRefused: it is for rules, or another model.
    """
    reader = plan.settings.reader
    if reader != model.name:
        expected_reader = "rules" if reader == RULES else f"the model {reader!r}"
        hint = "Who reads is fixed when the run is planned: plan it in another folder, or set BIOFACT_LLM_MODEL."
        raise FolderRefused(f"{str(folder)!r} is to be read by {expected_reader}, not by {model.name!r}.", hint=hint)


class _Run:
    """One run: shards are opened in turn, asked about side by side, and written when all their articles are settled."""

    def __init__(  # noqa: PLR0913  # what a run is made of, given once
        self,
        place: CorpusFolder,
        plan: CorpusPlan,
        log: ModelLog,
        attempts: Attempts,
        costs: Costs,
        *,
        limit: int,
        start: ModelEstimate,
        on_progress: OnModelProgress,
    ) -> None:
        self._place, self._plan, self._log = place, plan, log
        self._attempts, self._costs, self._limit = attempts, costs, limit
        self._start = start
        self._on_progress = on_progress
        self._questions: set[asyncio.Task[None]] = set()
        self._shards: set[asyncio.Task[None]] = set()
        self._write_lock = asyncio.Lock()  # one shard's rows in memory at a time
        self._doubtful: list[tuple[ShardArticles, ShardLog, list[asyncio.Task[None]]]] = []
        """Shards whose articles are all asked about, some of them refused for reasons that may be the model's."""
        self._is_cancelled = False
        self._settled_counts: dict[int, int] = {}
        """Settled articles by shard, of shards that are not done."""
        self.progress = ModelProgress(len(plan.shards), plan.articles, tokens_paid=start.tokens_paid)

    async def run(self, grace_seconds: float) -> tuple[Stop, str]:
        """Read the missing articles; returns the reason for an early stop."""
        stop: Stop = ""
        message = ""
        try:
            await self._read_all()
        except BudgetSpent:
            stop = "budget"
        except ModelGone as failure:
            stop, message = "model", f"{failure} What was answered is kept; the same command goes on."
        except asyncio.CancelledError:
            self._is_cancelled = True
            raise
        finally:
            failures = await self._end(None if stop == "budget" else grace_seconds)
        _raise_first([failure for failure in failures if not isinstance(failure, _EXPECTED)])
        if stop == "budget":
            message = (
                f"Stopped by the budget: {self._costs.used:,} of {self._costs.budget:,} tokens are used, and a further"
                " question may pass it. What was answered is kept; a new budget goes on."
            )
        self._report()
        return stop, message

    async def _read_all(self) -> None:
        key = self._plan.key
        missing = []
        for shard in self._plan.shards:
            if (end := self._place.done(shard.number, key)) is None:
                missing.append(shard.number)
            else:
                self.progress.shards_done += 1
                self.progress.done += sum(end["counts"].values())
        self._report()
        while missing := [number for number in missing if self._place.attempts(number) < MOST_ATTEMPTS]:
            for number in missing:
                await self._read_shard(number)
            while self._questions:
                await self._one_done()
            await self._attempts.release()  # the few that are left were refused themselves
            self._resume()
            while self._shards:
                await self._one_done()
            missing = [number for number in missing if self._place.done(number, key) is None]

    async def _read_shard(self, number: int) -> None:
        """Ask about the articles of a shard that the log does not have; a task then writes its rows."""
        self._resume()
        while len(self._shards) >= max(2, self._limit):
            await self._one_done()
        articles = ShardArticles(self._place, self._plan, self._plan.shards[number])
        log = await asyncio.to_thread(self._log.shard, number)
        self._count(number, len(log))
        tasks: list[asyncio.Task[None]] = []
        keys: set[TextKey] = set()
        blocks = articles.blocks()
        while (block := await asyncio.to_thread(_next, blocks)) is not None:
            if isinstance(block, str):
                self._place.keep_failure(number, block)
                self.progress.failures += 1
                self._shards.add(asyncio.create_task(_close(log, tasks)))
                return
            for article in block:
                if article.key not in log and article.key not in keys:
                    keys.add(article.key)
                    tasks.append(await self._ask(log, article, number))
        self._shards.add(asyncio.create_task(self._write_rows(articles, log, tasks)))

    async def _ask(self, log: ShardLog, article: ArticleQuestion, number: int) -> "asyncio.Task[None]":
        """Start a question when there are a free slot and tokens for it."""
        while len(self._questions) >= self._limit or not self._costs.admits(self._costs.expected(article.question)):
            if not self._questions:
                raise BudgetSpent
            await self._one_done()

        def count_settled() -> None:
            self.progress.answered += 1
            self._count(number, self._settled_counts[number] + 1)

        task = asyncio.create_task(self._attempts.settle(log, article, count_settled))
        self._questions.add(task)
        await asyncio.sleep(0)  # the task counts its expected tokens as it begins
        return task

    async def _one_done(self) -> None:
        """Wait for a question or a shard to end; its failure is that of the run."""
        done, _ = await asyncio.wait(self._questions | self._shards, return_when=asyncio.FIRST_COMPLETED)
        self._questions -= done
        self._shards -= done
        _raise_first([task.exception() for task in done])

    async def _write_rows(self, articles: ShardArticles, log: ShardLog, tasks: "list[asyncio.Task[None]]") -> None:
        """Write the rows of a shard when all its questions are answered; else a later run writes them."""
        if tasks:
            await asyncio.wait(tasks)
        if any(task.cancelled() or task.exception() is not None for task in tasks):
            return
        if self._attempts.is_in_doubt:
            self._doubtful.append((articles, log, tasks))
            return
        async with self._write_lock:
            if self._is_cancelled:
                return
            end = await asyncio.to_thread(
                run_shard, self._place.path, articles.number, lambda article: articles.outcome(article, log)
            )
        log.close()
        if end.failure:
            self.progress.failures += 1
        else:
            await asyncio.to_thread(self._log.keep_totals, articles.number)
            self.progress.shards_done += 1
            self._count(end.number, end.read + end.errors)

    def _resume(self) -> None:
        """Write the rows of shards that waited for a decision on refused articles, if there is one."""
        if not self._attempts.is_in_doubt:
            for shard in self._doubtful:
                self._shards.add(asyncio.create_task(self._write_rows(*shard)))
            self._doubtful.clear()

    def _count(self, number: int, settled: int) -> None:
        """Report the number of settled articles of a shard."""
        self.progress.done += settled - self._settled_counts.get(number, 0)
        self._settled_counts[number] = settled
        self._report()

    def _report(self) -> None:
        progress, mean = self.progress, self._costs.mean
        progress.tokens = self._costs.used
        tokens_ahead = (progress.articles - progress.done) * (self._start.tokens_an_article if mean is None else mean)
        progress.tokens_expected = progress.tokens_paid + progress.tokens + round(tokens_ahead)
        self._on_progress(progress)

    async def _end(self, seconds: float | None) -> list[BaseException | None]:
        """Ask nothing more, and wait up to ``seconds`` for questions under way; returns failures meanwhile."""
        self._attempts.stop()
        if self._questions:
            await asyncio.wait(self._questions, timeout=seconds)
        for task in self._questions:
            task.cancel()
        return await asyncio.gather(*self._questions, *self._shards, return_exceptions=True)


_EXPECTED = (AttemptsOver, BudgetSpent, ModelGone, asyncio.CancelledError)


async def _close(log: ShardLog, tasks: "Sequence[asyncio.Task[None]]") -> None:
    """Close a log when these tasks, which write to it, have ended."""
    if tasks:
        await asyncio.wait(tasks)
    log.close()


def _raise_first(failures: Sequence[BaseException | None]) -> None:
    """Raise the worst of several failures: a full disk before a model that is gone."""
    raised = (failure for failure in failures if failure is not None)
    by_severity = sorted(raised, key=lambda failure: isinstance(failure, _EXPECTED))
    if by_severity:
        raise by_severity[0]


def _next(blocks: Iterator[list[ArticleQuestion]]) -> list[ArticleQuestion] | str | None:
    """The next block; None after the last, and the reason where the file is damaged."""
    try:
        return next(blocks, None)
    except (InputDamaged, OSError) as error:
        return failure_reason(error)
