"""The command of a tool or resource, from its arguments to the rows that are written as they arrive."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from biofact.core import call
from biofact.core.json_schema import without_keys
from biofact.core.records import Body
from biofact.core.tool import BATCH_LIMIT, Declaration, ToolSpec, resources_of, spec_of
from biofact.interfaces import terminal
from biofact.interfaces.answer import ToolAnswer, tool_answer
from biofact.interfaces.cli import files, progress, writers
from biofact.interfaces.cli.arguments import entities_parameter
from biofact.interfaces.cli.notes import Notes
from biofact.interfaces.cli.rows import INPUT, ToolLayout, answer_rows, is_record, next_cursor, row_lists
from biofact.interfaces.cli.writers import (
    Target,
    Writer,
    WriteText,
    is_shown_while_read,
    row_writer,
    text_writer,
    whole_list,
)
from biofact.interfaces.clients import Clients, open_clients
from biofact.interfaces.listing import ListedCommand
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.schemas import argument_schema
from biofact.interfaces.spelling import Catalog, Spelling, command


@dataclass(frozen=True, slots=True)
class ToolQuestion:
    """One call of a tool, with the inputs that its rows are about; a search has none."""

    arguments: Mapping[str, Any]
    inputs: tuple[str, ...] = ()

    def at_page(self, cursor: str) -> "ToolQuestion":
        """The same question for the page of a cursor."""
        return replace(self, arguments={**self.arguments, "cursor": cursor})


def split_questions(spec: ToolSpec, arguments: Mapping[str, Any]) -> list[ToolQuestion]:
    """The calls of a tool for these arguments, in the order of the typed entities."""
    column = entities_parameter(spec)
    if column is None:
        return [ToolQuestion(arguments)]
    inputs: Sequence[str] = arguments[column.name]
    if column.is_list:
        parts = [tuple(inputs[start : start + BATCH_LIMIT]) for start in range(0, len(inputs), BATCH_LIMIT)]
        return [ToolQuestion({**arguments, column.name: list(part)}, part) for part in parts]
    return [ToolQuestion({**arguments, column.name: entity}, (entity,)) for entity in inputs]


def with_largest_pages(spec: ToolSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments to read a whole list in as few requests as possible, unless the caller chose a page size."""
    sizes = {p.name: argument_schema(p).get("maximum") for p in spec.parameters if p.name in {"page_size", "limit"}}
    return {**sizes, **arguments}


SECONDS_PER_ENTITY = 2.0
"""Time that each entity of a batch adds to the deadline of a call: all wait for the same services."""
QuestionAnswer = tuple[ToolQuestion, ToolAnswer]


@dataclass(slots=True)
class Answers:
    """Asks the questions of a command side by side, so that lookups join into batches."""

    spec: ToolSpec
    clients: Clients
    spelling: Spelling
    reads_all_pages: bool = False
    _tasks: deque[asyncio.Task[ToolAnswer]] = field(default_factory=deque)

    async def stream(self, questions: Iterable[ToolQuestion]) -> AsyncIterator[QuestionAnswer]:
        """Each question with its answer, in order; further pages follow the first where ``reads_all_pages``.

        Where the caller stops, open calls are cancelled.
        """
        try:
            async for question, first in self._first_pages(questions):
                page = first
                yield question, page
                while self.reads_all_pages and (cursor := next_cursor(page.body)):
                    page = await self._answer(question.at_page(cursor))
                    yield question, page
        finally:
            await self._cancel()

    async def _first_pages(self, questions: Iterable[ToolQuestion]) -> AsyncIterator[QuestionAnswer]:
        """The first pages, in order; as many calls at once as there are entities in a batch."""
        queue = list(questions)
        if len(queue) == 1:
            yield queue[0], await self._answer(queue[0])
            return
        window = max(1, BATCH_LIMIT // len(queue[0].inputs))
        for position, question in enumerate(queue):
            # the first of the window are under way already
            window_questions = queue[position + len(self._tasks) : position + window]
            self._tasks.extend(
                asyncio.create_task(self._answer_in_bulk(next_question)) for next_question in window_questions
            )
            yield question, await self._tasks[0]
            self._tasks.popleft()

    async def _answer_in_bulk(self, question: ToolQuestion) -> ToolAnswer:
        """The answer to one of many questions: with low priority, and with the time that all of them need."""
        timing = self.clients.transport.timing
        with call.session() as current:
            current.lane = "bulk"
            current.deadline = timing.deadline() + BATCH_LIMIT * SECONDS_PER_ENTITY
            return await self._answer(question)

    async def _answer(self, question: ToolQuestion) -> ToolAnswer:
        client = self.clients.of(self.spec.client_class)
        return await tool_answer(
            self.spec.call(client, question.arguments), self.spec.ref, self.spelling, question.arguments
        )

    async def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@dataclass(slots=True)
class JsonOutput:
    """Writes answers as one JSON document: a tool's answer as agents get it, or the pages or rows of several.

    ``is_of_many``: there is more than one question; ``has_inputs``: each row needs its input, which an entry of a batch
    does not.
    """

    is_of_many: bool
    has_inputs: bool
    has_provenance: bool
    write_text: WriteText
    _pages: list[ToolAnswer] = field(default_factory=list)
    _rows: list[Body] = field(default_factory=list)
    _notices: list[Body] = field(default_factory=list)
    """Notices that are no row's own."""

    def add(self, answer: ToolAnswer, rows: Sequence[Body]) -> None:
        """Add an answer and its rows."""
        if self.is_of_many:
            self._rows += rows if self.has_inputs else (without_keys(row, INPUT) for row in rows)
        if not answer.is_failure:
            self._pages.append(answer)
            self._notices += [] if is_record(answer.body, rows) else answer.body.get("notices", ())

    def end(self) -> Sequence[str]:
        """Write the document; none where there is nothing but a failure."""
        document = self._document()
        if document is not None:
            self.write_text(terminal.indented_json(document))
        return ()

    def _document(self) -> Body | None:
        if self.is_of_many:
            size = len(self._rows)
            whole: Body = {"items": self._rows, "pagination": whole_list(size)}
        elif not self._pages:
            return None
        else:
            whole = _merge_pages([page.body for page in self._pages])
        if self._notices:
            whole["notices"] = list({str(notice): notice for notice in self._notices}.values())
        return {**whole, **self._provenance()}

    def _provenance(self) -> Body:
        origins = [page.provenance for page in self._pages if page.provenance]
        if not self.has_provenance or not origins:
            return {}
        first, *rest = origins
        return {"provenance": {**first, "others": [*first.get("others", ()), *rest]} if rest else first}


def _merge_pages(pages: Sequence[Body]) -> Body:
    """The pages of one list as one page, their lists joined."""
    first, *rest = pages
    whole: dict[str, Any] = dict(first)
    for page in rest:
        for name, value in page.items():
            whole[name] = [*whole.get(name, ()), *value] if isinstance(value, list) else value
        if "cursor" not in page:
            whole.pop("cursor", None)
    if rest and "pagination" in whole:  # the last page's by now, with its cursor
        whole["pagination"] = {**whole["pagination"], "page_size": len(whole["items"])}
    return whole


CONTINUABLE = "note: what was answered is kept: the same command goes on from there."

COLLECTION_LOST = (
    "note: This collection is gone when the command ends; with --sandbox=DIR in place of --sandbox the next command "
    "finds it."
)


class Output(Protocol):
    """The destination of answers."""

    def add(self, answer: ToolAnswer, rows: Sequence[Body]) -> None:
        """Add an answer and its rows."""

    def end(self) -> Sequence[str]:
        """Write the rows held back; messages on the form itself."""


@dataclass(frozen=True, slots=True)
class ToolCommand:
    """One run of a tool's command."""

    spec: ToolSpec
    questions: Sequence[ToolQuestion]
    layout: ToolLayout
    target: Target
    spelling: Spelling
    reads_all_pages: bool = False
    loses_collections: bool = False
    """Whether collections are lost when the command ends."""

    async def run(self, clients: Clients) -> int:
        """Ask, and write the answers; the exit code, which is 1 if anything failed."""
        answers = Answers(self.spec, clients, self.spelling, reads_all_pages=self.reads_all_pages)
        notes = Notes(row_lists(self.spec.returns), self._is_of_many, self.reads_all_pages)
        with text_writer(self.target) as write_text:
            try:
                messages = await self._write(answers, notes, write_text)
            except asyncio.CancelledError:
                is_long = self._is_of_many or self.reads_all_pages
                terminal.write_messages([CONTINUABLE] if is_long and not self.loses_collections else [])
                raise
        terminal.write_messages([*messages, *self._messages(notes)])
        return 1 if notes.failed else 0

    async def _write(self, answers: Answers, notes: Notes, write_text: WriteText) -> Sequence[str]:
        """Write the answers and add their notes; messages on the form itself."""
        output: Output | None = None
        async with aclosing(self._with_progress(answers)) as pairs:
            async for question, answer in pairs:
                rows = answer_rows(answer, question.inputs, self.spec.returns)
                notes.add(answer, rows, question.inputs[0] if self._is_of_many else "")
                output = output or self._output(answer, write_text)
                output.add(answer, rows)
        return output.end() if output else ()

    def _messages(self, notes: Notes) -> Iterator[str]:
        if self.target.form == "json":
            yield from notes.lines_beside_json()
        else:
            yield from notes.lines(has_provenance=self.target.has_provenance)
        if self.loses_collections and notes.has_collection:
            yield COLLECTION_LOST

    @property
    def _is_of_many(self) -> bool:
        return len(self.questions) > 1

    def _output(self, first: ToolAnswer, write_text: WriteText) -> Output:
        """The output of answers, by the first of them."""
        if self.target.form == "json":
            column = entities_parameter(self.spec)
            has_inputs = column is not None and not column.is_list
            return JsonOutput(self._is_of_many, has_inputs, self.target.has_provenance, write_text)
        names = first.body.get("columns")
        layout = self.layout.with_names(names) if names else self.layout
        return RowOutput(row_writer(layout, self.target, write_text))

    async def _with_progress(self, answers: Answers) -> AsyncGenerator[QuestionAnswer]:
        """The answers, with a progress bar on stderr."""
        total = sum(len(question.inputs) for question in self.questions)
        name = self.spelling.name(self.spec.ref)
        async with progress.show_activity(
            name, total if total > 1 else None, is_hidden=is_shown_while_read(self.target)
        ) as advance:
            async for question, answer in answers.stream(self.questions):
                yield question, answer
                advance(len(question.inputs))


@dataclass(slots=True)
class RowOutput:
    """Writes answers as rows. A failed search writes none, and no header either."""

    writer: Writer
    is_begun: bool = False

    def add(self, answer: ToolAnswer, rows: Sequence[Body]) -> None:
        """Add an answer and its rows."""
        if rows or not answer.is_failure:
            self.is_begun = True
            self.writer.write(rows)

    def end(self) -> Sequence[str]:
        """Write the rows held back; messages on the form itself."""
        return tuple(self.writer.end()) if self.is_begun else ()


def run(
    entry: ListedCommand, catalog: Catalog, values: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling
) -> int:
    """Run a command with its arguments and options; the exit code. Imports the command's source.

    Raises:
        WrongUsage: the options do not fit.
        FileNotWritten: the file for the answer cannot be written.
    """
    client_class: Any = catalog.client_class(entry.ref.source)
    if entry.is_tool:
        spec = spec_of(client_class, entry.ref.method)
        return asyncio.run(_ask_tool(tool_command(spec, values, options, spelling), options["sandbox"] or False))
    resource = next(spec for spec in resources_of(client_class) if spec.ref == entry.ref)
    file = None if options["output"] is None else files.writable(options["output"])
    answer = asyncio.run(_ask_resource(resource, values, spelling, sandbox=options["sandbox"] or False))
    return writers.save_content(answer, file, provenance=bool(options["provenance"]))


def tool_command(
    spec: ToolSpec, values: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling
) -> ToolCommand:
    """One run of a tool's command with these arguments; raises as ``run`` does for its options."""
    column = entities_parameter(spec)
    input_count = len(values[column.name]) if column is not None else 0
    layout = ToolLayout.of(spec, values, has_input=column is not None, input_count=input_count)
    target = writers.choose_target(options, layout.names, command(spec.ref))
    reads_all_pages = bool(options.get("all"))
    if reads_all_pages:
        values = with_largest_pages(spec, values)
    questions = split_questions(spec, values)
    loses_collections = options["sandbox"] is True  # with =DIR the folder keeps them
    return ToolCommand(spec, questions, layout, target, spelling, reads_all_pages, loses_collections)


async def _ask_tool(run: ToolCommand, sandbox: SandboxOption) -> int:
    async with open_clients(sandbox=sandbox) as clients:
        return await run.run(clients)


async def _ask_resource(
    spec: Declaration, values: Mapping[str, object], spelling: Spelling, *, sandbox: SandboxOption
) -> ToolAnswer:
    async with open_clients(sandbox=sandbox) as clients, progress.show_activity(spelling.name(spec.ref)):
        return await tool_answer(spec.call(clients.of(spec.client_class), values), spec.ref, spelling, values)
