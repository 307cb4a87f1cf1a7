"""Many articles read by rules: in this process, or in one for each core where there are more than 500."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Self

from biofact.core.call import Counter
from biofact.literature.extraction.outcomes import Outcome
from biofact.literature.extraction.rule_reader import RuleReader
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.processes import Processes, available_cores
from biofact.sources.pubmed.records import CanonicalPubMedArticle

MOST_IN_ONE_PROCESS = 500
"""Articles; for fewer, processes take longer to start than they save."""
ARTICLES_A_CALL = 20
"""Few, so that processes end at the same time and none is waited for when nobody wants its answer any more."""


class RuleReading:
    """``async with RuleReading(schema, article_count) as reading``, then ``reading.outcomes(articles)``."""

    def __init__(self, schema: ExtractionSchema, article_count: int, *, cores: int | None = None) -> None:
        self._reader = RuleReader(schema)
        count = (cores or available_cores()) if article_count > MOST_IN_ONE_PROCESS else 1
        self._processes = Processes(partial(_outcomes, self._reader), count) if count > 1 else None
        self.at_once = count + 1 if count > 1 else 1
        """How many calls keep the processes busy."""
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        if self._processes is not None:
            await self._stack.enter_async_context(self._processes)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def outcomes(self, articles: Sequence[CanonicalPubMedArticle]) -> list[Outcome]:
        """What the articles state, in their order; the same by one process as by many."""
        if self._processes is not None:
            return await _by_processes(self._processes, articles)
        results: list[Outcome] = []
        counter = Counter(len(articles), "articles read")
        for article in articles:
            results.append(self._reader.read(article))
            await counter.add()
            await asyncio.sleep(0)  # others have their turn
        return results


Reading = Processes[Sequence[CanonicalPubMedArticle], list[Outcome]]


async def _by_processes(processes: Reading, articles: Sequence[CanonicalPubMedArticle]) -> list[Outcome]:
    parts = [articles[start : start + ARTICLES_A_CALL] for start in range(0, len(articles), ARTICLES_A_CALL)]
    counter = Counter(len(articles), "articles read")
    tasks = [asyncio.ensure_future(_counted(processes, part, counter)) for part in parts]
    try:
        return [outcome for part in await asyncio.gather(*tasks) for outcome in part]
    finally:
        for task in tasks:
            task.cancel()  # those that are left after a failure


async def _counted(processes: Reading, articles: Sequence[CanonicalPubMedArticle], counter: Counter) -> list[Outcome]:
    outcomes = await processes.call(articles)
    await counter.add(len(articles))
    return outcomes


def _outcomes(reader: RuleReader, articles: Sequence[CanonicalPubMedArticle]) -> list[Outcome]:
    return [reader.read(article) for article in articles]
