"""The answers to a command's questions, in order: asked side by side, so that lookups join into batches."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field

from biofact.core import call
from biofact.core.tool import BATCH_LIMIT, ToolSpec
from biofact.interfaces.answer import ToolAnswer, tool_answer
from biofact.interfaces.cli.questions import ToolQuestion, next_cursor
from biofact.interfaces.clients import Clients
from biofact.interfaces.spelling import Spelling

SECONDS_EACH = 2.0
"""What each entity that waits for the same services adds to the time that a call has."""
Answered = tuple[ToolQuestion, ToolAnswer]


@dataclass(slots=True)
class Answers:
    """Asks the questions of a command; ``reads_all_pages`` of each."""

    spec: ToolSpec
    clients: Clients
    spelling: Spelling
    reads_all_pages: bool = False
    _under_way: deque[tuple[ToolQuestion, asyncio.Task[ToolAnswer]]] = field(default_factory=deque)

    async def of(self, questions: Iterable[ToolQuestion]) -> AsyncIterator[Answered]:
        """Each question with its answer, in order; its further pages follow the first.

        Where the caller stops, what is under way is cancelled.
        """
        try:
            async for question, first in self._first_pages(questions):
                page = first
                yield question, page
                while self.reads_all_pages and (cursor := next_cursor(page.body)):
                    page = await self._answer(question.at(cursor))
                    yield question, page
        finally:
            await self._cancel()

    async def _first_pages(self, questions: Iterable[ToolQuestion]) -> AsyncIterator[Answered]:
        """As many at once as there are entities in a batch."""
        rest = list(questions)
        if len(rest) == 1:
            yield rest[0], await self._answer(rest[0])
            return
        at_once = max(1, BATCH_LIMIT // len(rest[0].inputs))
        for position, question in enumerate(rest):
            ahead = rest[position + len(self._under_way) : position + at_once]
            self._under_way.extend((one, asyncio.create_task(self._in_bulk(one))) for one in ahead)
            yield question, await self._under_way[0][1]
            self._under_way.popleft()

    async def _in_bulk(self, question: ToolQuestion) -> ToolAnswer:
        """The answer to one of many: it lets others pass, and has the time that all of them need."""
        timing = self.clients.transport.timing
        with call.session() as current:
            current.lane = "bulk"
            current.deadline = timing.deadline() + BATCH_LIMIT * SECONDS_EACH
            return await self._answer(question)

    async def _answer(self, question: ToolQuestion) -> ToolAnswer:
        client = self.clients.of(self.spec.client_class)
        return await tool_answer(
            self.spec.call(client, question.arguments), self.spec.ref, self.spelling, question.arguments
        )

    async def _cancel(self) -> None:
        tasks = [task for _, task in self._under_way]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
