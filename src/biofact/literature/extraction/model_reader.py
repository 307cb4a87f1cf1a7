"""Articles read by a language model: in batches, with retries where they may help, one by one where necessary."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.core.call import Counter
from biofact.core.errors import RateLimited
from biofact.literature.extraction import answers, prompts
from biofact.literature.extraction.outcomes import Outcome
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.model import LanguageModel, ModelFailed
from biofact.sources.pubmed.records import CanonicalPubMedArticle

RETRIES = 2
AT_ONCE = 4
"""Batches that are under way at the same time."""
GIVE_UP_AFTER = AT_ONCE * (1 + RETRIES)
"""Questions in a row without any answer, after which the model counts as gone."""


@dataclass
class ModelReader:
    """Reads articles by one schema with one model; adds up what that takes."""

    schema: ExtractionSchema
    instructions: str
    model: LanguageModel
    coerces: bool = False
    """Whether values of another type are made to fit."""
    tokens: int = 0
    """So far, those of failed attempts among them."""
    limit: RateLimited | None = None
    """Where the model was not asked any more, as the caller's quota is used up."""
    _unanswered: int = 0
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def read(self, articles: Iterable[CanonicalPubMedArticle], *, batch_size: int) -> dict[str, Outcome]:
        """The outcome for each article, by its ID; one that could not be read states the reason."""
        distinct = list({article.id: article for article in articles}.values())
        results: dict[str, Outcome] = {}
        counter = Counter(len(distinct), "articles read")
        for part in await asyncio.gather(
            *(self._limited_batch(batch, counter) for batch in _batches(distinct, batch_size))
        ):
            results |= part
        return results

    async def _limited_batch(self, batch: Sequence[CanonicalPubMedArticle], counter: Counter) -> dict[str, Outcome]:
        async with self._slots:
            result = await self._read_batch(batch)
        await counter.add(len(batch))
        return result

    async def _read_batch(self, batch: Sequence[CanonicalPubMedArticle]) -> dict[str, Outcome]:
        """The outcomes of a batch; where it fails, each article is retried alone, so that a bad one costs no other."""
        found, reason = await self._attempts(batch)
        unread = [article for article in batch if article.id not in found]
        if len(batch) > 1:
            for article in unread:
                found |= await self._read_batch([article])
        else:
            found |= {article.id: Outcome(method=self.model.method, failure=reason) for article in unread}
        return found

    async def _attempts(self, batch: Sequence[CanonicalPubMedArticle]) -> tuple[dict[str, Outcome], str]:
        """The outcomes after some attempts, and why the other articles were not read."""
        results: dict[str, Outcome] = {}
        reason = "it was not asked"
        for _ in range(1 + RETRIES):
            unread = [article for article in batch if not _is_sound(results.get(article.id))]
            if not unread:
                break
            if self._unanswered >= GIVE_UP_AFTER:
                reason = f"it failed {self._unanswered} times in a row and was not asked again"
                break
            try:
                results |= await self._read_once(unread)
                reason = "it left the article out of its answer"
            except ModelFailed as failed:
                reason = failed.reason
                if not failed.may_pass:
                    break
            except ValueError as wrong:
                reason = f"its answer cannot be used: {wrong}"
        return results, reason

    async def _read_once(self, batch: Sequence[CanonicalPubMedArticle]) -> dict[str, Outcome]:
        """The outcomes in one answer.

        Raises:
            ModelFailed: there is none.
            ValueError: it has not the shape that was asked for.
        """
        try:
            answer = await self.model.answer(prompts.question(self.schema, self.instructions, batch))
        except ModelFailed as failed:
            self.tokens += failed.tokens
            self.limit = failed.limit or self.limit
            self._unanswered += 1
            raise
        self.tokens += answer.tokens
        self._unanswered = 0
        given = prompts.fields_by_article(answer.value, [article.id for article in batch])
        return {article.id: self._read(article, given[article.id]) for article in batch if article.id in given}

    def _read(self, article: CanonicalPubMedArticle, given: Mapping[str, Any]) -> Outcome:
        return answers.read(self.schema, article, given, method=self.model.method, coerces=self.coerces)


def _is_sound(outcome: Outcome | None) -> bool:
    """Whether another attempt could not improve it."""
    return outcome is not None and not outcome.breaking and not outcome.is_misshapen


def _batches(articles: Sequence[CanonicalPubMedArticle], size: int) -> Iterable[Sequence[CanonicalPubMedArticle]]:
    return (articles[start : start + size] for start in range(0, len(articles), size))
