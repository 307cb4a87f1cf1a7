"""Features of articles, by a model or by rules, in three grades of strictness; and what to say about the answer."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.quoting import listed
from biofact.core.records import Notice
from biofact.literature.extraction.fields import FIELDS
from biofact.literature.extraction.findings import Outcome
from biofact.literature.extraction.model_reading import ModelReader
from biofact.literature.extraction.records import Extractions, ExtractionStatistics
from biofact.literature.extraction.rule_reading import RuleReader, RuleReading
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.model import LanguageModel
from biofact.literature.records import CanonicalPubMedExtraction, ExtractionMetadata
from biofact.sources.pubmed.records import CanonicalPubMedArticle

Mode = Literal["strict", "partial", "best_effort"]
Grade = Literal["successful", "partial", "failed"]

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """What to extract, and how."""

    schema: ExtractionSchema
    instructions: str = ""
    """For the model; rules do not read them."""
    batch_size: int = 5
    """Articles in one question to the model."""
    mode: Mode = "strict"
    keeps_articles: bool = True
    """Whether each extraction holds its article."""


@dataclass(slots=True)
class _Work:
    """One extraction under way."""

    request: ExtractionRequest
    articles: Sequence[CanonicalPubMedArticle]
    rules: RuleReader
    model: LanguageModel | None
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    """By article, why the model did not read it."""
    limit: RateLimited | None = None
    """The quota that kept the model from being asked."""
    tokens: int = 0


async def extract_features(
    articles: Sequence[CanonicalPubMedArticle],
    request: ExtractionRequest,
    *,
    model: LanguageModel | None,
    reading: RuleReading | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Extractions:
    """What the articles state, in their order; by rules where there is no model.

    ``reading`` is one that is open already, where the articles are a part of more.

    Raises:
        UpstreamError: in strict mode, a value breaks the schema, or the model did not read an article.
        RateLimited: in strict mode, the model was not asked about an article, as the caller's quota is used up.
    """
    start = clock()
    work = _Work(request, articles, RuleReader(request.schema), model)
    if model is not None:
        await _ask(work, model)
    elif reading is not None:
        await _read(work, reading)
    else:
        async with RuleReading(request.schema, len(articles)) as own:
            await _read(work, own)
    if request.mode == "strict":
        _check(work)
    statistics = _statistics(work, milliseconds=round(1000 * (clock() - start)))
    extractions = [_extraction(work, article) for article in articles]
    return Extractions(extractions=extractions, extraction_metadata=statistics, notices=_notices(work))


async def _read(work: _Work, reading: RuleReading) -> None:
    """Have the rules read."""
    outcomes = await reading.outcomes(work.articles)
    work.outcomes = {article.id: outcome for article, outcome in zip(work.articles, outcomes, strict=True)}


async def _ask(work: _Work, model: LanguageModel) -> None:
    """Have the model read; in best effort, rules read what it could not."""
    request = work.request
    reader = ModelReader(request.schema, request.instructions, model, coerces=request.mode == "best_effort")
    work.outcomes = await reader.read(work.articles, batch_size=request.batch_size)
    work.tokens, work.limit = reader.tokens, reader.limit
    for article in work.articles:
        outcome = work.outcomes[article.id]
        if outcome.failure is not None and article.id not in work.failures:
            work.failures[article.id] = outcome.failure
            if request.mode == "best_effort":
                work.outcomes[article.id] = work.rules.read(article)


def _check(work: _Work) -> None:
    """Strict: nothing that breaks the schema, and no article unread.

    Raises:
        UpstreamError: there is; it names the article and the field.
        RateLimited: the caller's quota has kept the model from reading one.
    """
    if work.limit is not None:
        hint = f"{work.limit.hint} Or set validation_mode to best_effort: rules then read what the model did not."
        raise work.limit.with_changes(hint=hint)
    for name, outcome in work.outcomes.items():
        if outcome.failure is not None:
            raise UpstreamError(
                f"{_reader(work)} did not read {name}: {outcome.failure}.",
                hint="Call again, or set validation_mode to best_effort: rules then read what the model could not.",
            )
        if outcome.breaking:
            raise UpstreamError(
                f"What was extracted from {name} breaks the schema. {outcome.breaking[0]}.",
                hint="Widen that field of extraction_schema, or set validation_mode to partial or best_effort.",
            )


def _reader(work: _Work) -> str:
    return "The rules" if work.model is None else f"The model {work.model.name}"


def _extraction(work: _Work, article: CanonicalPubMedArticle) -> CanonicalPubMedExtraction:
    outcome = work.outcomes[article.id]
    reason = work.failures.get(article.id)
    unread = [] if reason is None else [f"{_reader(work)} did not read the article: {reason}"]
    return CanonicalPubMedExtraction(
        item_id=article.id,
        original_article=article if work.request.keeps_articles else None,
        extraction=outcome.extraction,
        extraction_metadata=ExtractionMetadata(
            method=outcome.method,
            evidence=outcome.evidence,
            derived=outcome.derived,
            missing=[leaf.path for leaf in work.request.schema.leaves if leaf.path not in outcome.values],
            ungrounded=outcome.ungrounded,
            errors=[*unread, *outcome.breaking],
        ),
    )


def _statistics(work: _Work, *, milliseconds: int) -> ExtractionStatistics:
    outcomes = [work.outcomes[article.id] for article in work.articles]
    grades = Counter(_grade(work, outcome) for outcome in outcomes)
    by_rules = any(outcome.method == "rules" for outcome in outcomes) or work.model is None
    return ExtractionStatistics(
        total_processed=len(outcomes),
        successful_extractions=grades["successful"],
        partial_extractions=grades["partial"],
        failed_extractions=grades["failed"],
        processing_time_ms=milliseconds,
        tokens_used=work.tokens,
        method="rules" if work.model is None else work.model.method,
        model=None if work.model is None else work.model.name,
        fields_not_read_by_rules=list(work.rules.not_read) if by_rules else [],
        ungrounded=sum(outcome.ungrounded for outcome in outcomes),
    )


def _grade(work: _Work, outcome: Outcome) -> Grade:
    if outcome.failure is not None or not outcome.values:
        return "failed"
    is_whole = len(outcome.values) == len(work.request.schema.leaves) and not outcome.breaking
    return "successful" if is_whole else "partial"


def _notices(work: _Work) -> list[Notice]:
    """What an expert would want to know."""
    notices: list[Notice] = []
    by_rules = [name for name, outcome in work.outcomes.items() if outcome.method == "rules"]
    scope = "" if len(by_rules) == len(work.outcomes) else f" ({listed(by_rules, _MOST_NAMED)})"
    if work.failures:
        reason = next(iter(work.failures.values()))
        instead = " Rules read them instead." if by_rules else ""
        message = f"{_reader(work)} did not read {listed(list(work.failures), _MOST_NAMED)}: {reason}.{instead}"
        notices.append(Notice(code="LEG_FAILED", message=message))
    if by_rules and work.request.instructions.strip():
        message = f"Instructions are not used by rules{scope}."
        notices.append(Notice(code="TERM_IGNORED", message=message))
    if by_rules and work.rules.not_read:
        known = f"They read {', '.join(FIELDS)}, and what the record holds, such as year and keywords."
        message = f"Rules cannot read {', '.join(work.rules.not_read)}{scope}. {known}"
        notices.append(Notice(code="NOT_COVERED", message=message))
    if bare := _bare(work.articles):
        message = f"No abstract, so the title and the record are all that was read: {listed(bare, _MOST_NAMED)}."
        notices.append(Notice(code="NOT_COVERED", message=message))
    return notices


def _bare(articles: Sequence[CanonicalPubMedArticle]) -> list[str]:
    by_id: Mapping[str, CanonicalPubMedArticle] = {article.id: article for article in articles}
    return [name for name, article in by_id.items() if not article.abstract]
