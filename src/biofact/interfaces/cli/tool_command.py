"""A tool as a command: its questions are asked, and each row is written as soon as those before it are."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from biofact.core.tool import ToolSpec
from biofact.interfaces import terminal
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli import progress
from biofact.interfaces.cli.answers import Answered, Answers
from biofact.interfaces.cli.arguments import entities_parameter
from biofact.interfaces.cli.cells import ToolLayout
from biofact.interfaces.cli.json_answer import JsonAnswer
from biofact.interfaces.cli.notes import Notes
from biofact.interfaces.cli.questions import ToolQuestion
from biofact.interfaces.cli.rows import row_lists, rows
from biofact.interfaces.cli.targets import Target
from biofact.interfaces.cli.writers import Writer, WriteText, is_shown_while_read, row_writer, text_writer
from biofact.interfaces.clients import Clients
from biofact.interfaces.result_json import Body
from biofact.interfaces.spelling import Spelling

KEPT = "note: what was answered is kept: the same command goes on from there."

FORGOTTEN = (
    "note: This collection is gone when the command ends; with --sandbox=DIR in place of --sandbox the next command "
    "finds it."
)


class Output(Protocol):
    """Where answers go."""

    def add(self, answer: ToolAnswer, rows: Sequence[Body]) -> None:
        """Take an answer and the rows that it became."""

    def end(self) -> Sequence[str]:
        """Write what is held back; what is to be said of the form itself."""


@dataclass(frozen=True, slots=True)
class ToolCommand:
    """One run of a tool's command."""

    spec: ToolSpec
    questions: Sequence[ToolQuestion]
    layout: ToolLayout
    target: Target
    spelling: Spelling
    reads_all_pages: bool = False
    is_forgotten: bool = False
    """Nothing is kept when the command ends."""

    async def run(self, clients: Clients) -> int:
        """Ask, and write what is answered; the exit code, which is 1 if anything failed."""
        answers = Answers(self.spec, clients, self.spelling, reads_all_pages=self.reads_all_pages)
        notes = Notes(row_lists(self.spec.returns), self._is_of_many, self.reads_all_pages)
        with text_writer(self.target) as write_text:
            try:
                messages = await self._write(answers, notes, write_text)
            except asyncio.CancelledError:
                is_long = self._is_of_many or self.reads_all_pages
                terminal.write_messages([KEPT] if is_long and not self.is_forgotten else [])
                raise
        terminal.write_messages([*messages, *self._messages(notes)])
        return 1 if notes.failed else 0

    async def _write(self, answers: Answers, notes: Notes, write_text: WriteText) -> Sequence[str]:
        """Write the answers and take note of them; what is to be said of the form itself."""
        output: Output | None = None
        async with aclosing(self._shown(answers)) as answered:
            async for question, answer in answered:
                found = rows(answer, question.inputs, self.spec.returns)
                notes.add(answer, found, question.inputs[0] if self._is_of_many else "")
                output = output or self._output(answer, write_text)
                output.add(answer, found)
        return output.end() if output else ()

    def _messages(self, notes: Notes) -> Iterator[str]:
        if self.target.form == "json":
            yield from notes.lines_beside_json()
        else:
            yield from notes.lines(has_provenance=self.target.has_provenance)
        if self.is_forgotten and notes.has_collection:
            yield FORGOTTEN

    @property
    def _is_of_many(self) -> bool:
        return len(self.questions) > 1

    def _output(self, first: ToolAnswer, write_text: WriteText) -> Output:
        """Where answers go of which this is the first."""
        if self.target.form == "json":
            column = entities_parameter(self.spec)
            has_inputs = column is not None and not column.is_list
            return JsonOutput(JsonAnswer(self._is_of_many, has_inputs, self.target.has_provenance), write_text)
        own = first.body.get("columns")
        layout = self.layout.named(own) if own else self.layout
        return RowOutput(row_writer(layout, self.target, write_text))

    async def _shown(self, answers: Answers) -> AsyncGenerator[Answered]:
        """The answers, and on stderr how far they are."""
        total = sum(len(question.inputs) for question in self.questions)
        name = self.spelling.name(self.spec.ref)
        async with progress.shown(
            name, total if total > 1 else None, is_hidden=is_shown_while_read(self.target)
        ) as advance:
            async for question, answer in answers.of(self.questions):
                yield question, answer
                advance(len(question.inputs))


@dataclass(slots=True)
class RowOutput:
    """Answers as rows. A search that failed has none, and no header either."""

    writer: Writer
    is_begun: bool = False

    def add(self, answer: ToolAnswer, rows: Sequence[Body]) -> None:
        """Take an answer and the rows that it became."""
        if rows or not answer.is_failure:
            self.is_begun = True
            self.writer.write(rows)

    def end(self) -> Sequence[str]:
        """Write what is held back; what is to be said of the form itself."""
        return tuple(self.writer.end()) if self.is_begun else ()


@dataclass(frozen=True, slots=True)
class JsonOutput:
    """Answers as one document."""

    answer: JsonAnswer
    write_text: WriteText

    def add(self, answer: ToolAnswer, rows: Sequence[Body]) -> None:
        """Take an answer and the rows that it became."""
        self.answer.add(answer, rows)

    def end(self) -> Sequence[str]:
        """Write the document."""
        document = self.answer.document()
        if document is not None:
            self.write_text(terminal.indented_json(document))
        return ()
