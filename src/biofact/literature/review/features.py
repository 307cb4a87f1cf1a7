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
    """The stored form of an answer, or of a failure that took tokens."""

    value: str
    """JSON."""
    tokens: int
    failure: str | None = None
    may_pass: bool = False


class RememberedModel:
    """Another model, whose answers are kept by what they answer.

    The same question asked again in one run is another one: who asks again was not content with the answer. A
    failure that took nothing is not kept, so that the next start may ask again.
    """

    def __init__(self, model: LanguageModel, work: Work) -> None:
        self.name = model.name
        self.method: Method = model.method
        self._model = model
        self._work = work
        self._asked: Counter[str] = Counter()

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question.

        Raises:
            ModelFailed: there is none.
        """
        schema = json.dumps(question.answer_schema, sort_keys=True)
        named = digest(self.name, question.instructions, question.text, schema, str(question.most_tokens))
        self._asked[named] += 1
        file = f"model/{named}-{self._asked[named]}"
        content = self._work.find(file)
        if content is None:
            try:
                answer = await self._model.answer(question)
                stored = _StoredModelAnswer(value=json.dumps(answer.value), tokens=answer.tokens)
            except ModelFailed as failed:
                if not failed.tokens:
                    self._asked[named] -= 1
                    raise
                stored = _StoredModelAnswer(
                    value="null", tokens=failed.tokens, failure=failed.reason, may_pass=failed.may_pass
                )
            content = self._work.keep(file, stored.model_dump_json().encode())
        kept = _StoredModelAnswer.model_validate_json(content)
        if kept.failure is not None:
            raise ModelFailed(kept.failure, may_pass=kept.may_pass, tokens=kept.tokens)
        return ModelAnswer(json.loads(kept.value), kept.tokens)

    def with_failures(self) -> "WatchedModel":
        """The same model, for callers that need to know whether it answered."""
        return WatchedModel(self)


class WatchedModel:
    """Remembers how the model failed without answering at all."""

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
    """What the articles state, in their order."""

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
        UpstreamError: the model does not answer; what it said before is kept.
    """
    size = BY_RULES if model is None else BY_MODEL
    batches = [articles[start : start + size] for start in range(0, len(articles), size)]
    async with RuleReaderPool(ExtractionSchema.read(plan.extraction_schema), len(articles)) as rules:
        reader = rules if model is None else model

        async def read(batch: Sequence[CanonicalPubMedArticle]) -> _Batch:
            found = await _read(batch, plan, reader, work)
            tally.add(len(batch))
            return found

        at_once = rules.at_once if model is None else _AT_ONCE
        return _together(await gather_limited(read, batches, at_once=at_once), articles, plan)


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
        watched = None if model is None else model.with_failures()
        found = await extract_features(batch, request, model=watched, pool=rules)
        if watched is not None:
            _check_there(watched.name, watched.failures, found.extractions)
        kept = _Batch(rows=found.extractions, statistics=found.extraction_metadata)
        content = work.keep(file, kept.model_dump_json().encode())
    return _Batch.model_validate_json(content)


def _check_there(name: str, failures: Sequence[ModelFailed], rows: Sequence[CanonicalPubMedExtraction]) -> None:
    """Let rules replace a model that cannot read an article, never one that cannot be reached.

    Raises:
        UpstreamError: it is not there.
    """
    by_rules = [row for row in rows if row.extraction_metadata and row.extraction_metadata.method == RULES]
    is_gone = any(failed.may_pass for failed in failures) or (failures and len(by_rules) == len(rows))
    if by_rules and is_gone:
        raise gone(name, failures[-1])


def gone(name: str, failed: ModelFailed) -> UpstreamError:
    """A model that does not answer, as the run ends with it."""
    return UpstreamError(
        f"The model {name} does not answer: {failed.reason}.",
        hint="See to it that it does, or begin a review with --rules.",
    )


def _together(batches: Iterable[_Batch], articles: Sequence[CanonicalPubMedArticle], plan: ReviewPlan) -> Features:
    result = Features()
    counts = dict.fromkeys(
        ("successful_extractions", "partial_extractions", "failed_extractions", "tokens_used", "ungrounded"), 0
    )
    not_read: dict[str, None] = {}
    for batch in batches:
        result.rows += batch.rows
        not_read |= dict.fromkeys(batch.statistics.fields_not_read_by_rules)
        for name in counts:
            counts[name] += getattr(batch.statistics, name)
    by_rules = sum(
        row.extraction_metadata is not None and row.extraction_metadata.method == RULES for row in result.rows
    )
    result.statistics = {
        "reader": plan.reader,
        "total_processed": len(result.rows),
        "read_by_rules": by_rules,
        **counts,
    }
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
