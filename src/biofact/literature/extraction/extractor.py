"""Features of articles, by a model or by rules, in three grades of strictness, with statistics and notices."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.quoting import name_list
from biofact.core.records import Notice
from biofact.literature.extraction.fields import FIELDS
from biofact.literature.extraction.fields.document_kind import kind_without_study
from biofact.literature.extraction.findings import ArticleFeatures
from biofact.literature.extraction.model_reading import ModelReader
from biofact.literature.extraction.records import Extractions, ExtractionStatistics
from biofact.literature.extraction.rule_reading import RuleReader, RuleReaderPool
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
    results: dict[str, ArticleFeatures] = field(default_factory=dict)
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
    pool: RuleReaderPool | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Extractions:
    """The features of the articles, in their order; by rules where there is no model.

    ``pool``: an open one, if the articles are a part of more.

    Raises:
        UpstreamError: in strict mode, a value breaks the schema, or the model did not read an article.
        RateLimited: in strict mode, the model was not asked about an article, as the caller's quota is used up.
    """
    start = clock()
    # rules stand ready beside a model, too, for the articles that it does not read
    work = _Work(request, articles, RuleReader(request.schema), model)
    if model is not None:
        await _read_by_model(work, model)
    elif pool is not None:
        await _read_by_rules(work, pool)
    else:
        async with RuleReaderPool(request.schema, len(articles)) as new_pool:
            await _read_by_rules(work, new_pool)
    if request.mode == "strict":
        _check(work)
    statistics = _statistics(work, milliseconds=round(1000 * (clock() - start)))
    extractions = [_extraction(work, article) for article in articles]
    return Extractions(extractions=extractions, extraction_metadata=statistics, notices=_notices(work))


async def _read_by_rules(work: _Work, pool: RuleReaderPool) -> None:
    """Let the rules read."""
    results = await pool.read(work.articles)
    work.results = {article.id: result for article, result in zip(work.articles, results, strict=True)}


async def _read_by_model(work: _Work, model: LanguageModel) -> None:
    """Let the model read; in best effort, rules read the articles that it could not."""
    request = work.request
    reader = ModelReader(request.schema, request.instructions, model, coerces=request.mode == "best_effort")
    work.results = await reader.read(work.articles, batch_size=request.batch_size)
    work.tokens, work.limit = reader.tokens, reader.limit
    for article in work.articles:
        result = work.results[article.id]
        if result.failure is not None and article.id not in work.failures:
            work.failures[article.id] = result.failure
            if request.mode == "best_effort":
                work.results[article.id] = work.rules.read(article)


def _check(work: _Work) -> None:
    """Refuse, in strict mode, values that break the schema and articles that were not read.

    Raises:
        UpstreamError: there are such; it names the article and the field.
        RateLimited: the caller's quota has kept the model from reading an article.
    """
    if work.limit is not None:
        hint = f"{work.limit.hint} Or set validation_mode to best_effort: rules then read what the model did not."
        raise work.limit.with_changes(hint=hint)
    for name, result in work.results.items():
        if result.failure is not None:
            raise UpstreamError(
                f"{_reader(work)} did not read {name}: {result.failure}.",
                hint="Call again, or set validation_mode to best_effort: rules then read what the model could not.",
            )
        if result.violations:
            raise UpstreamError(
                f"What was extracted from {name} breaks the schema. {result.violations[0]}.",
                hint="Widen that field of extraction_schema, or set validation_mode to partial or best_effort.",
            )


def _reader(work: _Work) -> str:
    return "The rules" if work.model is None else f"The model {work.model.name}"


def _extraction(work: _Work, article: CanonicalPubMedArticle) -> CanonicalPubMedExtraction:
    result = work.results[article.id]
    reason = work.failures.get(article.id)
    reading_errors = [] if reason is None else [f"{_reader(work)} did not read the article: {reason}"]
    return CanonicalPubMedExtraction(
        item_id=article.id,
        original_article=article if work.request.keeps_articles else None,
        extraction=result.extraction,
        extraction_metadata=ExtractionMetadata(
            method=result.method,
            evidence=result.evidence,
            derived=result.derived,
            missing=[leaf.path for leaf in work.request.schema.leaves if leaf.path not in result.values],
            not_read=result.not_read,
            ungrounded=result.ungrounded_count,
            errors=[*reading_errors, *result.violations],
        ),
    )


def _statistics(work: _Work, *, milliseconds: int) -> ExtractionStatistics:
    results = [work.results[article.id] for article in work.articles]
    grades = Counter(_grade(work, result) for result in results)
    by_rules = any(result.method == "rules" for result in results) or work.model is None
    return ExtractionStatistics(
        total_processed=len(results),
        successful_extractions=grades["successful"],
        partial_extractions=grades["partial"],
        failed_extractions=grades["failed"],
        processing_time_ms=milliseconds,
        tokens_used=work.tokens,
        method="rules" if work.model is None else work.model.method,
        model=None if work.model is None else work.model.name,
        fields_not_read_by_rules=list(work.rules.not_read) if by_rules else [],
        ungrounded=sum(result.ungrounded_count for result in results),
    )


def _grade(work: _Work, result: ArticleFeatures) -> Grade:
    if result.failure is not None or not result.values:
        return "failed"
    is_whole = len(result.values) == len(work.request.schema.leaves) and not result.violations
    return "successful" if is_whole else "partial"


def _notices(work: _Work) -> list[Notice]:
    """Notices for an expert: failures, ignored instructions, unreadable fields, missing abstracts."""
    notices: list[Notice] = []
    by_rules = [name for name, result in work.results.items() if result.method == "rules"]
    # no names where rules read all articles
    scope = "" if len(by_rules) == len(work.results) else f" ({name_list(by_rules, _MOST_NAMED)})"
    if work.failures:
        reason = next(iter(work.failures.values()))
        remedy = " Rules read them instead." if by_rules else ""
        message = f"{_reader(work)} did not read {name_list(list(work.failures), _MOST_NAMED)}: {reason}.{remedy}"
        notices.append(Notice(code="LEG_FAILED", message=message))
    if by_rules and work.request.instructions.strip():
        message = f"Instructions are not used by rules{scope}."
        notices.append(Notice(code="TERM_IGNORED", message=message))
    if by_rules and work.rules.not_read:
        coverage = f"They read {', '.join(FIELDS)}, and what the record holds, such as year and keywords."
        message = f"Rules cannot read {', '.join(work.rules.not_read)}{scope}. {coverage}"
        notices.append(Notice(code="NOT_COVERED", message=message))
    kinds = {article.id: kind_without_study(article) for article in work.articles if work.rules.reads_studies}
    kinds = {name: kind for name, kind in kinds.items() if work.results[name].method == "rules"}
    if named := [f"{name} ({kind})" for name, kind in kinds.items() if kind]:
        message = f"No study of their own, so no design, size or result is read: {name_list(named, _MOST_NAMED)}."
        notices.append(Notice(code="NOT_COVERED", message=message))
    if bare := list(dict.fromkeys(article.id for article in work.articles if not article.abstract)):
        message = f"No abstract, so the title and the record are all that was read: {name_list(bare, _MOST_NAMED)}."
        notices.append(Notice(code="NOT_COVERED", message=message))
    return notices
