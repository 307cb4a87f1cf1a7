"""Questions to a model about the articles of a shard: their texts, their costs in tokens, their attempts."""

import asyncio
import hashlib
import json
import logging
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from biofact.corpus.folder import CorpusFolder
from biofact.corpus.inputs import InputDamaged
from biofact.corpus.model_log import LoggedAnswer, ModelLog, ShardLog, TextKey
from biofact.corpus.records import CorpusPlan, Shard
from biofact.corpus.shards import blocks_of, check_unchanged, entries_of
from biofact.literature.extraction import model_reading
from biofact.literature.extraction.findings import ArticleFeatures
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.model import LanguageModel, ModelFailed, ModelQuestion
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.transport.timing import Timing


@dataclass(frozen=True, slots=True)
class ArticleQuestion:
    """A question about one article."""

    key: TextKey
    article_id: str
    question: ModelQuestion


class ShardArticles:
    """The questions about the articles of a shard, and their outcomes."""

    def __init__(self, place: CorpusFolder, plan: CorpusPlan, shard: Shard) -> None:
        self.number = shard.number
        self._place = place
        self._plan = plan
        self._shard = shard
        self._schema = plan.settings.schema_read

    def blocks(self) -> Iterator[list[ArticleQuestion]]:
        """The questions about the readable articles, in lists.

        Raises:
            InputDamaged: the file is not as it was planned, or cannot be read to its end.
            OSError: it cannot be read.
        """
        file = self._plan.files[self._shard.file]
        check_unchanged(file)
        for entries in blocks_of(entries_of(self._place, file, self._shard)):
            yield [self.question(entry.article) for entry in entries if entry.article is not None]

    def question(self, article: CanonicalPubMedArticle) -> ArticleQuestion:
        """The question about an article."""
        question = model_reading.extraction_question(self._schema, self._plan.settings.instructions, [article])
        text = hashlib.blake2b(question.text.encode(), digest_size=16).hexdigest()
        return ArticleQuestion(TextKey(article.pmid or "", text), article.id, question)

    def outcome(self, article: CanonicalPubMedArticle, log: ShardLog) -> ArticleFeatures:
        """The features in the model's answer that the article bears out; or the reason why it was not read.

        Raises:
            RuntimeError: it was not asked.
        """
        key = self.question(article).key
        if key not in log:
            raise RuntimeError(f"The model was not asked about PMID {key.pmid}.")
        answer = log.answer(key)
        if answer.fields is None:
            return ArticleFeatures(method="model", failure=f"The model did not read the article: {answer.failure}.")
        return model_reading.grounded_features(self._schema, article, answer.fields, method="model", coerces=False)


_LETTERS_A_TOKEN = 4
_TOKENS_A_VALUE = 40
"""Tokens of an answer for one value with its quote and the quote's place."""
_WEIGHT_OF_GUESS = 5
"""The answers that outweigh what was guessed of them."""
_SAMPLED_SHARDS = 5
_SAMPLED_ARTICLES = 10
"""Articles of each sampled shard."""


class Costs:
    """Tokens used in a run and to be expected, held to a budget."""

    def __init__(self, schema: ExtractionSchema, budget: int | None = None) -> None:
        self.budget = budget
        self.used = 0
        self._under_way = 0
        self._answers = 0
        self._extra_tokens = float(_WEIGHT_OF_GUESS * _TOKENS_A_VALUE * len(schema.leaves))
        """Tokens of all answers beyond the letters of their questions, the guess among them."""

    def expected(self, question: ModelQuestion) -> int:
        """Tokens of a question and its answer."""
        extra = self._extra_tokens / (_WEIGHT_OF_GUESS + self._answers)
        return max(1, round(_letters(question) / _LETTERS_A_TOKEN + extra))

    def admits(self, expected: int) -> bool:
        """Whether the budget admits a further question of these tokens, with those that are under way."""
        return self.budget is None or self.used + self._under_way + expected <= self.budget

    def begin(self, expected: int) -> None:
        """Count a question that goes out, by its expected tokens."""
        self._under_way += expected

    def end(self, question: ModelQuestion, expected: int, tokens: int) -> None:
        """Count the end of a question, by its tokens; 0 where it was not answered."""
        self._under_way -= expected
        self.used += tokens
        if tokens:
            self._answers += 1
            self._extra_tokens += tokens - _letters(question) / _LETTERS_A_TOKEN

    @property
    def mean(self) -> float | None:
        """Tokens an answer in this run; None before the first."""
        return self.used / self._answers if self._answers else None


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """The articles that a model is still to read, and their estimated cost."""

    articles: int
    """Articles of the whole run."""
    settled: int
    """Articles that are not asked about any more: in the log, or in shards that are done."""
    tokens_paid: int
    """Tokens of the answers in the log."""
    tokens_an_article: float
    """The mean of the log, or of a sample of questions with a guess of their answers."""
    sample: int
    """The number of articles behind the mean."""
    is_measured: bool
    """Whether the mean is that of the log."""

    @property
    def to_ask(self) -> int:
        """Articles to ask about, those that cannot be read among them."""
        return max(self.articles - self.settled, 0)

    @property
    def tokens(self) -> int:
        """The estimated tokens of the articles to ask about."""
        return round(self.to_ask * self.tokens_an_article)


def estimate(folder: Path) -> ModelEstimate:
    """The estimate for the model that reads this corpus. Asks nothing, and changes nothing.

    Raises:
        FolderRefused: the folder holds no plan, or a log with a line that is none of ours.
    """
    place = CorpusFolder(folder)
    plan = place.plan()
    log = ModelLog(folder, plan.settings)
    settled = tokens = answers = 0
    missing: list[Shard] = []
    for shard in plan.shards:
        totals, end = log.totals(shard.number), place.done(shard.number, plan.key)
        tokens += totals.tokens
        answers += totals.answers
        settled += totals.articles if end is None else sum(end["counts"].values())
        if end is None:
            missing.append(shard)
    mean, sample, is_measured = tokens / max(answers, 1), answers, True
    if answers < _SAMPLED_ARTICLES:  # too few to be a measure
        costs, is_measured = Costs(plan.settings.schema_read), False
        sampled = [costs.expected(question) for question in _sample(place, plan, missing)]
        mean, sample = sum(sampled) / max(len(sampled), 1), len(sampled)
    return ModelEstimate(plan.articles, settled, tokens, mean, sample, is_measured)


def _sample(place: CorpusFolder, plan: CorpusPlan, shards: Sequence[Shard]) -> Iterator[ModelQuestion]:
    """Questions about the first articles of some shards, spread over all."""
    step = max(1, -(-len(shards) // _SAMPLED_SHARDS))  # rounded up, for no more shards than that
    for shard in shards[::step]:
        articles = ShardArticles(place, plan, shard)
        questions = (article.question for block in articles.blocks() for article in block)
        try:
            yield from islice(questions, _SAMPLED_ARTICLES)
        except (InputDamaged, OSError):
            continue


def _letters(question: ModelQuestion) -> int:
    return len(question.instructions) + len(question.text)


MOST_ATTEMPTS = 3
"""Unusable answers about one article."""
MOST_UNANSWERED = 6
"""Attempts at one article that get no answer while other articles get one."""
MOST_REFUSED = 20
"""Articles in a row that the model refuses without an answer to another; then the fault is not theirs."""
PATIENCE_SECONDS = 600.0
"""The longest time that the model may fail without an answer."""
LONGEST_ANSWER = 1_000_000
"""Letters of the answer about one article."""
_SPARE_LEVELS = 30
_LONGEST_PAUSE_SECONDS = 60.0
_PROBE = ModelQuestion("Answer with an empty JSON object: {}", "{}", {"type": "object"}, most_tokens=16)
"""Costs next to nothing, and shows whether anything is answered."""
_LEAST_SHARE = 0.5  # of a pause; the rest is random


_logger = logging.getLogger(__name__)


class ModelGone(Exception):
    """The model answers nothing any more; the text has its last failure."""


class BudgetSpent(Exception):
    """A further question may cost more than the budget has."""


class AttemptsOver(Exception):
    """The run is about to end, and this article has no final answer."""


class Attempts:
    """Questions of one run, and what is known from them about the model."""

    def __init__(self, model: LanguageModel, costs: Costs, timing: Timing, patience_seconds: float) -> None:
        self._model = model
        self._costs = costs
        self._timing = timing
        self._patience_seconds = patience_seconds
        self._answered_at = timing.clock()
        self._answers = 0
        self._refusals: list[tuple[ShardLog, LoggedAnswer, Callable[[], None]]] = []
        """Final failures that may still prove to be the endpoint's fault."""
        self._release_lock = asyncio.Lock()
        self._probe_lock = asyncio.Lock()
        self._silent_at = -math.inf
        """The time of the last probe without an answer."""
        self._pauses: set[asyncio.Task[Any]] = set()
        self._is_over = False
        self._is_silence_reported = False

    def stop(self) -> None:
        """Ask nothing further; questions under way go on."""
        self._is_over = True
        for task in self._pauses:
            task.cancel()

    async def settle(self, log: ShardLog, article: ArticleQuestion, on_settled: Callable[[], None]) -> None:
        """Ask about an article until its answer or failure is final and on the disk; then call ``on_settled``.

        Raises:
            AttemptsOver: the run ends before.
            BudgetSpent: it would take another question, for which there are no tokens.
            ModelGone: the model answers no request.
            WriteFailed: the system refuses a write.
        """
        tries = failures = 0
        while not self._is_over:
            tries += 1
            before = self._answers, self._timing.clock()
            try:
                answer = await self._answer(article)
            except ModelFailed as failed:
                self._check(failed)
                # silence counts against the article only where other articles get answers meanwhile
                failures += not failed.tokens and not failed.is_of_endpoint and await self._has_answered(*before)
                if await self._keep_failure(log, article, failed, failures, on_settled):
                    return
            else:
                await log.add(answer)
                on_settled()
                await self.release()
                return
            if not self._costs.admits(self._costs.expected(article.question)):
                raise BudgetSpent
            await self._pause(tries)
        raise AttemptsOver

    @property
    def is_in_doubt(self) -> bool:
        """Whether articles were refused, and none was answered since."""
        return bool(self._refusals)

    async def release(self) -> None:
        """Log refusals as the articles' own fault: other articles were answered, or there are none.

        Raises:
            WriteFailed: the system refuses a write.
        """
        async with self._release_lock:
            while self._refusals:
                log, answer, on_settled = self._refusals[0]
                await log.add(answer)
                self._refusals.pop(0)  # only now: while one is not logged, there is doubt
                on_settled()

    async def _answer(self, article: ArticleQuestion) -> LoggedAnswer:
        """The final answer about an article.

        Raises:
            ModelFailed: there is none; its tokens are those that the attempt took.
        """
        value, tokens = await self._value(article)
        try:
            fields = model_reading.fields_by_article(value, [article.article_id])[article.article_id]
            length = len(json.dumps(_nested(fields)))
        except KeyError:
            raise ModelFailed("it left the article out of its answer", may_pass=True, tokens=tokens) from None
        except (ValueError, RecursionError) as wrong:
            raise ModelFailed(f"its answer cannot be used: {wrong}", may_pass=True, tokens=tokens) from wrong
        if length > LONGEST_ANSWER:
            reason = f"its answer is longer than {LONGEST_ANSWER:,} letters"
            raise ModelFailed(reason, may_pass=False, tokens=tokens)
        return LoggedAnswer(pmid=article.key.pmid, text=article.key.text, tokens=tokens, is_final=True, fields=fields)

    async def _value(self, article: ArticleQuestion) -> tuple[Any, int]:
        """The model's answer, and its tokens."""
        expected, tokens = self._costs.expected(article.question), 0
        self._costs.begin(expected)
        try:
            answer = await self._model.answer(article.question)
            tokens = answer.tokens or expected
        except ModelFailed as failed:
            tokens = failed.tokens
            raise
        finally:
            self._costs.end(article.question, expected, tokens)
            if tokens:
                self._note_answer()
        return answer.value, tokens

    def _note_answer(self) -> None:
        self._answers += 1
        self._answered_at = self._timing.clock()
        self._is_silence_reported = False

    async def _has_answered(self, answers: int, since: float) -> bool:
        """Whether the model has given more than ``answers`` since then; where unknown, it is asked something."""
        async with self._probe_lock:
            if self._answers == answers and self._silent_at < since and not self._is_over:
                await self._probe()
        return self._answers != answers

    async def _probe(self) -> None:
        try:
            tokens = (await self._model.answer(_PROBE)).tokens
        except ModelFailed as failed:
            tokens = failed.tokens
            if not tokens:
                self._silent_at = self._timing.clock()
                return
        self._costs.used += tokens
        self._note_answer()

    def _check(self, failed: ModelFailed) -> None:
        """Stop where no other article would fare better, now or soon.

        Raises:
            ModelGone: it has failed for too long, or for all.
        """
        if failed.is_of_endpoint and not failed.may_pass:
            raise ModelGone(f"The model {self._model.name} cannot be asked: {failed.reason}.")
        seconds = self._timing.clock() - self._answered_at
        if failed.may_pass and not failed.tokens and seconds > self._patience_seconds:
            raise ModelGone(
                f"The model {self._model.name} has not answered for {seconds / 60:.0f} minutes: {failed.reason}."
            )

        if failed.may_pass and not failed.tokens and not self._is_silence_reported:
            self._is_silence_reported = True  # a person waits, and should know for what
            minutes = self._patience_seconds / 60
            _logger.warning(
                "The model %s does not answer: %s. It is asked again, for up to %.0f minutes.",
                *(self._model.name, failed.reason, minutes),
            )

    async def _keep_failure(
        self,
        log: ShardLog,
        article: ArticleQuestion,
        failed: ModelFailed,
        failures: int,
        on_settled: Callable[[], None],
    ) -> bool:
        """Log a failed attempt; returns whether it was the last.

        Raises:
            ModelGone: the model has refused too many articles, and answered none.
            WriteFailed: the system refuses a write.
        """
        attempts = log.attempts(article.key) + bool(failed.tokens)
        is_final = not failed.may_pass or attempts >= MOST_ATTEMPTS or failures >= MOST_UNANSWERED
        answer = LoggedAnswer(
            pmid=article.key.pmid,
            text=article.key.text,
            tokens=failed.tokens,
            is_final=is_final,
            failure=failed.reason,
        )
        if not failed.may_pass and not failed.tokens:
            self._refusals.append((log, answer, on_settled))
            if len(self._refusals) >= MOST_REFUSED:
                raise ModelGone(
                    f"The model {self._model.name} refused {MOST_REFUSED} articles in a row: {failed.reason}."
                )
            return True
        if failed.tokens or is_final:
            await log.add(answer)
        if is_final:
            on_settled()
        if failed.tokens:
            await self.release()
        return is_final

    async def _pause(self, attempts: int) -> None:
        """Sleep, longer with each attempt."""
        longest = min(self._timing.backoff_seconds * 2.0**attempts, _LONGEST_PAUSE_SECONDS)
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  # this is one
        self._pauses.add(task)
        try:
            await self._timing.sleep(longest * (_LEAST_SHARE + (1 - _LEAST_SHARE) * self._timing.random()))
        finally:
            self._pauses.discard(task)


def _nested(fields: Any) -> Any:
    """Fields in more lists than around them in the log: what can be written here can be written there."""
    for _ in range(_SPARE_LEVELS):
        fields = [fields]
    return fields
