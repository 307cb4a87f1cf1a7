"""The fourth step: the features of the articles, batch by batch, each on the disk before the next is needed.

A model's answers are stored before use, so that none is paid for twice.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.core.records import Frozen, Notice
from biofact.literature.extraction.extractor import ExtractionRequest, extract_features
from biofact.literature.extraction.records import ExtractionStatistics
from biofact.literature.extraction.rule_reading import RuleReaderPool
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.model import LanguageModel, ModelAnswer, ModelFailed, ModelQuestion
from biofact.literature.records import CanonicalPubMedExtraction, Method
from biofact.literature.review.folder import Work, digest
from biofact.literature.review.plan import RULES, ReviewPlan
from biofact.literature.review.progress import ProgressTally, gather_limited
from biofact.sources.pubmed.records import CanonicalPubMedArticle


class _StoredModelAnswer(Frozen):
    """The stored form of an answer, or of a failure that used tokens."""

    value: str
    """JSON."""
    tokens: int
    failure: str | None = None
    may_pass: bool = False


class RememberedModel:
    """Another model, whose answers are stored by their question.

    A repeated question in one run counts as a new one: its caller was not content with the first answer. A failure
    without tokens is not stored, so that the next start may ask again.
    """

    def __init__(self, model: LanguageModel, work: Work) -> None:
        self.name = model.name
        self.method: Method = model.method
        self._model = model
        self._work = work
        self._question_counts: Counter[str] = Counter()

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question.

        Raises:
            ModelFailed: there is none.
        """
        schema = json.dumps(question.answer_schema, sort_keys=True)
        name = digest(self.name, question.instructions, question.text, schema, str(question.most_tokens))
        self._question_counts[name] += 1
        file = f"model/{name}-{self._question_counts[name]}"
        content = self._work.find(file)
        if content is None:
            try:
                answer = await self._model.answer(question)
                stored = _StoredModelAnswer(value=json.dumps(answer.value), tokens=answer.tokens)
            except ModelFailed as failed:
                if not failed.tokens:
                    # nothing is stored, so the next attempt asks the same question
                    self._question_counts[name] -= 1
                    raise
                stored = _StoredModelAnswer(
                    value="null", tokens=failed.tokens, failure=failed.reason, may_pass=failed.may_pass
                )
            content = self._work.keep(file, stored.model_dump_json().encode())
        stored_answer = _StoredModelAnswer.model_validate_json(content)
        if stored_answer.failure is not None:
            raise ModelFailed(stored_answer.failure, may_pass=stored_answer.may_pass, tokens=stored_answer.tokens)
        return ModelAnswer(json.loads(stored_answer.value), stored_answer.tokens)


class WatchedModel:
    """A model with a record of the failures without any answer."""

    def __init__(self, model: RememberedModel) -> None:
        self.name = model.name
        self.method: Method = model.method
        self._model = model
        self.failures: list[ModelFailed] = []

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question.

        Raises:
            ModelFailed: there is none.
        """
        try:
            return await self._model.answer(question)
        except ModelFailed as failed:
            if not failed.tokens:
                self.failures.append(failed)
            raise


BY_MODEL, BY_RULES = 5, 50
"""Articles in a batch: one question to a model, or a moment of rules."""
_AT_ONCE = 4


class _Batch(Frozen):
    """The stored form of a batch."""

    rows: list[CanonicalPubMedExtraction]
    statistics: ExtractionStatistics


@dataclass(slots=True)
class Features:
    """The features of the articles, in their order."""

    rows: list[CanonicalPubMedExtraction] = field(default_factory=list)
    statistics: dict[str, Any] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


async def extract_batches(
    articles: Sequence[CanonicalPubMedArticle],
    plan: ReviewPlan,
    model: RememberedModel | None,
    work: Work,
    tally: ProgressTally,
) -> Features:
    """The features of all articles.

    Raises:
        UpstreamError: the model does not answer; its earlier answers are stored.
    """
    size = BY_RULES if model is None else BY_MODEL
    batches = [articles[start : start + size] for start in range(0, len(articles), size)]
    async with RuleReaderPool(ExtractionSchema.read(plan.extraction_schema), len(articles)) as rules:
        reader = rules if model is None else model

        async def read(batch: Sequence[CanonicalPubMedArticle]) -> _Batch:
            result = await _read(batch, plan, reader, work)
            tally.add(len(batch))
            return result

        at_once = rules.at_once if model is None else _AT_ONCE
        return _merged(await gather_limited(read, batches, at_once=at_once), articles, plan)


async def _read(
    batch: Sequence[CanonicalPubMedArticle], plan: ReviewPlan, reader: RememberedModel | RuleReaderPool, work: Work
) -> _Batch:
    file = f"features/{digest(*(article.id for article in batch))}"
    content = work.find(file)
    if content is None:
        request = ExtractionRequest(
            schema=ExtractionSchema.read(plan.extraction_schema),
            instructions=plan.instructions,
            batch_size=len(batch),
            mode="best_effort",
            keeps_articles=False,
        )
        rules, model = (reader, None) if isinstance(reader, RuleReaderPool) else (None, reader)
        watched_model = None if model is None else WatchedModel(model)
        result = await extract_features(batch, request, model=watched_model, pool=rules)
        if watched_model is not None:
            _check_available(watched_model.name, watched_model.failures, result.extractions)
        stored_batch = _Batch(rows=result.extractions, statistics=result.extraction_metadata)
        content = work.keep(file, stored_batch.model_dump_json().encode())
    return _Batch.model_validate_json(content)


def _check_available(name: str, failures: Sequence[ModelFailed], rows: Sequence[CanonicalPubMedExtraction]) -> None:
    """Accept rules in place of a model that cannot read an article, but not of one that does not answer.

    Raises:
        UpstreamError: the model does not answer.
    """
    by_rules = _rows_by_rules(rows)
    is_gone = any(failed.may_pass for failed in failures) or (failures and len(by_rules) == len(rows))
    if by_rules and is_gone:
        raise model_unavailable(name, failures[-1])


def _rows_by_rules(rows: Sequence[CanonicalPubMedExtraction]) -> list[CanonicalPubMedExtraction]:
    return [row for row in rows if row.extraction_metadata and row.extraction_metadata.method == RULES]


def model_unavailable(name: str, failed: ModelFailed) -> UpstreamError:
    """The error of a model that does not answer, which ends the run."""
    return UpstreamError(
        f"The model {name} does not answer: {failed.reason}.",
        hint="See to it that it does, or begin a review with --rules.",
    )


def _merged(batches: Iterable[_Batch], articles: Sequence[CanonicalPubMedArticle], plan: ReviewPlan) -> Features:
    result = Features()
    names = ("successful_extractions", "partial_extractions", "failed_extractions", "tokens_used", "ungrounded")
    counts = dict.fromkeys(names, 0)
    not_read: dict[str, None] = {}
    for batch in batches:
        result.rows += batch.rows
        not_read |= dict.fromkeys(batch.statistics.fields_not_read_by_rules)
        for name in names:
            counts[name] += getattr(batch.statistics, name)
    by_rules = len(_rows_by_rules(result.rows))
    totals = {"total_processed": len(result.rows), "read_by_rules": by_rules}
    result.statistics = {"reader": plan.reader, **totals, **counts}
    result.notices = list(_notices(plan, articles, by_rules, list(not_read)))
    return result


def _notices(
    plan: ReviewPlan, articles: Sequence[CanonicalPubMedArticle], by_rules: int, not_read: Sequence[str]
) -> Iterable[Notice]:
    if plan.reader != RULES and by_rules:
        message = f"The model {plan.reader} could not read {by_rules} of {len(articles)} articles; rules read them."
        yield Notice(code="LEG_FAILED", message=message)
    if by_rules and plan.instructions.strip():
        yield Notice(code="TERM_IGNORED", message="Instructions are not used by rules.")
    if not_read:
        message = f"Rules cannot read {', '.join(not_read)}; a model can, see BIOFACT_LLM_BASE_URL in the guide."
        yield Notice(code="NOT_COVERED", message=message)
    if bare := sum(not article.abstract for article in articles):
        message = f"{bare} of {len(articles)} articles have no abstract: title and record are all that was read."
        yield Notice(code="NOT_COVERED", message=message)
