"""What a model's reading costs, in tokens: before it begins, and as it goes on. Nothing here knows prices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from biofact.corpus.folder import CorpusFolder
from biofact.corpus.inputs import InputDamaged
from biofact.corpus.model_log import ModelLog
from biofact.corpus.model_shard import ShardArticles
from biofact.corpus.records import CorpusPlan, Shard
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.model import ModelQuestion

_LETTERS_A_TOKEN = 4
_TOKENS_A_VALUE = 40
"""Of an answer: a value with its quote and where that stands."""
_WEIGHT_OF_GUESS = 5
"""The answers that outweigh what was guessed of them."""
_SAMPLED_SHARDS = 5
_SAMPLED_ARTICLES = 10
"""Of each of them."""


class Costs:
    """Tokens used in a run and to be expected, held to a budget."""

    def __init__(self, schema: ExtractionSchema, budget: int | None = None) -> None:
        self.budget = budget
        self.used = 0
        self._under_way = 0
        self._answers = 0
        self._beyond = float(_WEIGHT_OF_GUESS * _TOKENS_A_VALUE * len(schema.leaves))
        """What all answers took beyond the letters of their questions, the guess among them."""

    def expected(self, question: ModelQuestion) -> int:
        """Tokens of a question and its answer."""
        beyond = self._beyond / (_WEIGHT_OF_GUESS + self._answers)
        return max(1, round(_letters(question) / _LETTERS_A_TOKEN + beyond))

    def admits(self, expected: int) -> bool:
        """Whether a further question of so many tokens is within the budget, with those that are under way."""
        return self.budget is None or self.used + self._under_way + expected <= self.budget

    def begin(self, expected: int) -> None:
        """A question of so many expected tokens goes out."""
        self._under_way += expected

    def end(self, question: ModelQuestion, expected: int, tokens: int) -> None:
        """It took so many; none where it was not answered."""
        self._under_way -= expected
        self.used += tokens
        if tokens:
            self._answers += 1
            self._beyond += tokens - _letters(question) / _LETTERS_A_TOKEN

    @property
    def mean(self) -> float | None:
        """Tokens an answer in this run; None before the first."""
        return self.used / self._answers if self._answers else None


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """What is still to be asked, and what that may cost."""

    articles: int
    """Of the whole run."""
    settled: int
    """Those that are not asked about any more: in the log, or in shards that are done."""
    tokens_paid: int
    """In the log."""
    tokens_an_article: float
    """The mean of the log, or of a sample of questions with a guess of their answers."""
    sample: int
    """Articles that the mean is of."""
    is_measured: bool
    """It is that of the log."""

    @property
    def to_ask(self) -> int:
        """Articles to ask about, those that cannot be read among them."""
        return max(self.articles - self.settled, 0)

    @property
    def tokens(self) -> int:
        """What that may take."""
        return round(self.to_ask * self.tokens_an_article)

    @property
    def tokens_in_all(self) -> int:
        """What the whole may take, with what is paid."""
        return self.tokens_paid + self.tokens


def estimate(folder: Path) -> ModelEstimate:
    """What is still to be asked of the model that reads this corpus. Asks nothing, and changes nothing.

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
    if answers < _SAMPLED_ARTICLES:
        costs, is_measured = Costs(plan.settings.schema_read), False
        sampled = [costs.expected(question) for question in _sample(place, plan, missing)]
        mean, sample = sum(sampled) / max(len(sampled), 1), len(sampled)
    return ModelEstimate(plan.articles, settled, tokens, mean, sample, is_measured)


def _sample(place: CorpusFolder, plan: CorpusPlan, shards: Sequence[Shard]) -> Iterator[ModelQuestion]:
    """Questions about the first articles of some shards, spread over all."""
    step = max(1, -(-len(shards) // _SAMPLED_SHARDS))
    for shard in shards[::step]:
        articles = ShardArticles(place, plan, shard)
        found = (asked.question for block in articles.blocks() for asked in block)
        try:
            yield from islice(found, _SAMPLED_ARTICLES)
        except (InputDamaged, OSError):
            continue


def _letters(question: ModelQuestion) -> int:
    return len(question.instructions) + len(question.text)
