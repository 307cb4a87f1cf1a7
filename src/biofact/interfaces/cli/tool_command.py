"""The command of a tool or resource, from its arguments to the rows that are written as they arrive."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from biofact.core import call
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
from biofact.interfaces.result_json import Body
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.schemas import argument_schema
from biofact.interfaces.spelling import Catalog, Spelling, command


@dataclass(frozen=True, slots=True)
class ToolQuestion:
    """One call of a tool, and the inputs that its rows answer; none for a search."""

    arguments: Mapping[str, Any]
    inputs: tuple[str, ...] = ()

    def at(self, cursor: str) -> "ToolQuestion":
        """The same question for the page that a cursor leads to."""
        return replace(self, arguments={**self.arguments, "cursor": cursor})


def split_questions(spec: ToolSpec, arguments: Mapping[str, Any]) -> list[ToolQuestion]:
    """The calls of a tool that these arguments ask for, in the order of the entities that were typed."""
    column = entities_parameter(spec)
    if column is None:
        return [ToolQuestion(arguments)]
    inputs: Sequence[str] = arguments[column.name]
    if column.is_list:
        parts = [tuple(inputs[start : start + BATCH_LIMIT]) for start in range(0, len(inputs), BATCH_LIMIT)]
        return [ToolQuestion({**arguments, column.name: list(part)}, part) for part in parts]
    return [ToolQuestion({**arguments, column.name: one}, (one,)) for one in inputs]


def with_largest_pages(spec: ToolSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments for a list that is to be read to its end: as few requests as can be, unless the caller chose."""
    sizes = {p.name: argument_schema(p).get("maximum") for p in spec.parameters if p.name in {"page_size", "limit"}}
    return {**sizes, **arguments}


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


@dataclass(slots=True)
class JsonAnswer:
    """Collects answers. ``is_of_many``: there is more than one question; ``has_inputs``: each row needs its input,
    which an entry of a batch does not.
    """

    is_of_many: bool
    has_inputs: bool
    has_provenance: bool
    _pages: list[ToolAnswer] = field(default_factory=list)
    _rows: list[Body] = field(default_factory=list)
    _notices: list[Body] = field(default_factory=list)
    """What no row says of itself."""

    def add(self, answer: ToolAnswer, rows: Sequence[Body]) -> None:
        """Take an answer and the rows that it became."""
        if self.is_of_many:
            self._rows += rows if self.has_inputs else map(without_input, rows)
        if not answer.is_failure:
            self._pages.append(answer)
            self._notices += [] if is_record(answer.body, rows) else answer.body.get("notices", ())

    def document(self) -> Body | None:
        """All of it; None where there is nothing but a failure."""
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
        first, *others = origins
        return {"provenance": {**first, "others": [*first.get("others", ()), *others]} if others else first}


def without_input(row: Body) -> Body:
    """An entry of a batch as the tool gives it, in the order of its inputs."""
    return {name: value for name, value in row.items() if name != INPUT}


def _merge_pages(pages: Sequence[Body]) -> Body:
    """Pages of one list as one, lists put behind each other."""
    first, *others = pages
    whole: dict[str, Any] = dict(first)
    for page in others:
        for name, value in page.items():
            whole[name] = [*whole.get(name, ()), *value] if isinstance(value, list) else value
        if "cursor" not in page:
            whole.pop("cursor", None)
    if others and "pagination" in whole:
        whole["pagination"] = {**whole["pagination"], "page_size": len(whole["items"])}
    return whole


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
                found = answer_rows(answer, question.inputs, self.spec.returns)
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
        async with progress.show_activity(
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


def run(
    listed: ListedCommand, catalog: Catalog, values: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling
) -> int:
    """Ask what the arguments and options of a command ask for; the exit code. Imports the command's source.

    Raises:
        WrongUsage: the options do not fit.
        FileNotWritten: there is no place for the answer.
    """
    client_class: Any = catalog.client_class(listed.ref.source)
    if listed.is_tool:
        spec = spec_of(client_class, listed.ref.method)
        return asyncio.run(_ask_tool(tool_command(spec, values, options, spelling), options["sandbox"] or False))
    resource = next(spec for spec in resources_of(client_class) if spec.ref == listed.ref)
    file = None if options["output"] is None else files.writable(options["output"])
    answer = asyncio.run(_ask_resource(resource, values, spelling, sandbox=options["sandbox"] or False))
    return writers.save_content(answer, file, provenance=bool(options["provenance"]))


def tool_command(
    spec: ToolSpec, values: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling
) -> ToolCommand:
    """The run that the arguments of a tool's command ask for; raises as ``run`` does for its options."""
    column = entities_parameter(spec)
    input_count = len(values[column.name]) if column is not None else 0
    layout = ToolLayout.of(spec, values, has_input=column is not None, input_count=input_count)
    target = writers.choose_target(options, layout.names, command(spec.ref))
    reads_all_pages = bool(options.get("all"))
    if reads_all_pages:
        values = with_largest_pages(spec, values)
    asked = split_questions(spec, values)
    is_forgotten = options["sandbox"] is True
    return ToolCommand(spec, asked, layout, target, spelling, reads_all_pages, is_forgotten)


async def _ask_tool(run: ToolCommand, sandbox: SandboxOption) -> int:
    async with open_clients(sandbox=sandbox) as clients:
        return await run.run(clients)


async def _ask_resource(
    spec: Declaration, values: Mapping[str, object], spelling: Spelling, *, sandbox: SandboxOption
) -> ToolAnswer:
    async with open_clients(sandbox=sandbox) as clients, progress.show_activity(spelling.name(spec.ref)):
        return await tool_answer(spec.call(clients.of(spec.client_class), values), spec.ref, spelling, values)
