"""The command of a tool or resource, from its arguments to the rows that are written as they arrive."""

import asyncio
import itertools
import mimetypes
import re
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from biofact.core import call
from biofact.core.json_schema import without_keys
from biofact.core.records import Body
from biofact.core.tool import BATCH_LIMIT, Declaration, ToolSpec, resources_of, spec_of
from biofact.core.usage import WrongUsage
from biofact.interfaces import terminal
from biofact.interfaces.answer import ToolAnswer, tool_answer
from biofact.interfaces.cli import files, progress, writers
from biofact.interfaces.cli.inputs import Inputs, open_inputs
from biofact.interfaces.cli.notes import Notes
from biofact.interfaces.cli.rows import INPUT, ToolLayout, answer_rows, is_record, next_cursor, row_lists
from biofact.interfaces.cli.writers import (
    Destination,
    Target,
    Writer,
    WriteText,
    is_shown_while_read,
    open_destination,
    row_writer,
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


def split_questions(spec: ToolSpec, arguments: Mapping[str, Any], inputs: Iterable[str]) -> Iterator[ToolQuestion]:
    """The calls of a tool for these arguments, in the order of the inputs, of which a search has none."""
    column = spec.entities
    if column is None:
        yield ToolQuestion(arguments)
        return
    rest = iter(inputs)
    while part := tuple(itertools.islice(rest, BATCH_LIMIT if column.is_list else 1)):
        yield ToolQuestion({**arguments, column.name: list(part) if column.is_list else part[0]}, part)


def with_largest_pages(spec: ToolSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments to read a whole list in as few requests as possible, unless the caller chose a page size."""
    sizes = {p.name: argument_schema(p).get("maximum") for p in spec.parameters if p.name in {"page_size", "limit"}}
    return {**sizes, **arguments}


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
        rest = iter(questions)
        first = list(itertools.islice(rest, 2))
        if len(first) == 1:
            yield first[0], await self._answer(first[0])
            return
        window = max(1, BATCH_LIMIT // len(first[0].inputs)) if first else 1
        asked: deque[ToolQuestion] = deque()
        for question in itertools.chain(first, rest):
            asked.append(question)
            self._tasks.append(asyncio.create_task(self._answer_in_bulk(question)))
            if len(asked) == window:
                yield asked.popleft(), await self._tasks[0]
                self._tasks.popleft()
        while asked:
            yield asked.popleft(), await self._tasks[0]
            self._tasks.popleft()

    async def _answer_in_bulk(self, question: ToolQuestion) -> ToolAnswer:
        """The answer to one of many questions: with low priority, and with the time that all of them need."""
        with call.bulk(self.clients.transport.timing.deadline() + BATCH_LIMIT * call.SECONDS_PER_ENTITY):
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

    def add_rows(self, rows: Sequence[Body]) -> None:
        """Add rows without an answer."""
        self._rows += rows

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

    def add_rows(self, rows: Sequence[Body]) -> None:
        """Add rows without an answer."""

    def end(self) -> Sequence[str]:
        """Write the rows held back; messages on the form itself."""


@dataclass(frozen=True, slots=True)
class ToolCommand:
    """One run of a tool's command."""

    spec: ToolSpec
    arguments: Mapping[str, Any]
    inputs: Inputs
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
        terminal.write_messages(self.inputs.messages)
        with open_destination(self.target) as destination:
            try:
                messages = await self._write(answers, notes, destination)
            except asyncio.CancelledError:
                is_long = self._is_of_many or self.reads_all_pages
                terminal.write_messages([CONTINUABLE] if is_long and not self.loses_collections else [])
                raise
        terminal.write_messages([*messages, *self._messages(notes)])
        return self.target.exit_code(notes)

    async def _write(self, answers: Answers, notes: Notes, destination: Destination) -> Sequence[str]:
        """Write the answers and add their notes; messages on the form itself."""
        output: Output | None = None
        join = self.inputs.join
        async with aclosing(self._with_progress(answers)) as pairs:
            async for question, answer in pairs:
                rows = answer_rows(answer, question.inputs, self.spec.returns)
                if join:
                    rows = join.add(question.inputs, rows, is_further_page="cursor" in question.arguments)
                notes.add(answer, rows, question.inputs[0] if self._is_of_many else "")
                output = output or self._output(answer, destination)
                output.add(answer, rows)
        if output is None:
            return ()
        if join:
            rows = join.last_rows()
            notes.add_rows(rows)
            output.add_rows(rows)
        return [*output.end(), *(join.last_messages() if join else ())]

    def _messages(self, notes: Notes) -> Iterator[str]:
        if self.target.form == "json":
            yield from notes.lines_beside_json()
        else:
            yield from notes.lines(has_provenance=self.target.has_provenance)
        if self.loses_collections and notes.has_collection:
            yield COLLECTION_LOST

    @property
    def _is_of_many(self) -> bool:
        column = self.spec.entities
        if column is None:
            return False
        return self.inputs.is_of_file or (self.inputs.count or 0) > (BATCH_LIMIT if column.is_list else 1)

    def _output(self, first: ToolAnswer, destination: Destination) -> Output:
        """The output of answers, by the first of them."""
        if self.target.form == "json":
            column = self.spec.entities
            has_inputs = column is not None and not column.is_list
            return JsonOutput(self._is_of_many, has_inputs, self.target.has_provenance, destination.write)
        names = first.body.get("columns")
        layout = self.layout.with_names(names) if names else self.layout
        if (join := self.inputs.join) is None:
            return RowOutput(row_writer(layout, self.target, destination))
        joined = join.layout(layout)
        return RowOutput(row_writer(joined, self.target.joined(join.file, joined), destination))

    async def _with_progress(self, answers: Answers) -> AsyncGenerator[QuestionAnswer]:
        """The answers, with a progress bar on stderr."""
        total = self.inputs.count if self._is_of_many or (self.inputs.count or 0) > 1 else None
        name = self.spelling.name(self.spec.ref)
        questions = split_questions(self.spec, self.arguments, self.inputs.texts)
        async with progress.show_activity(name, total, is_hidden=is_shown_while_read(self.target)) as advance:
            async for question, answer in answers.stream(questions):
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

    def add_rows(self, rows: Sequence[Body]) -> None:
        """Add rows without an answer."""
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
        with tool_inputs(spec, values, options) as inputs:
            return asyncio.run(
                _ask_tool(tool_command(spec, values, inputs, options, spelling), options["sandbox"] or False)
            )
    resource = next(spec for spec in resources_of(client_class) if spec.ref == entry.ref)
    file = None if options["output"] is None else files.writable(options["output"])
    _check_suffix(file, resource.mime_type)
    answer = asyncio.run(_ask_resource(resource, values, spelling, sandbox=options["sandbox"] or False))
    return writers.save_content(answer, file, provenance=bool(options["provenance"]))


def _check_suffix(file: Path | None, mime_type: str) -> None:
    """Refuse a file whose suffix says that it holds something else than the resource."""
    expected = mimetypes.guess_extension(mime_type)
    if file is not None and expected and file.suffix and mimetypes.guess_type(file)[0] not in {None, mime_type}:
        raise WrongUsage(
            f"{file.suffix} is not the form of what is written, which is {mime_type}.", hint=f"Name it {expected}."
        )


@contextmanager
def tool_inputs(spec: ToolSpec, values: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[Inputs]:
    """The IDs or names that a tool is asked for, one call after another; of a search one that is empty."""
    column = spec.entities
    if column is None:
        yield Inputs.of(())
        return
    kind = next(parameter.id_kind for parameter in spec.parameters if parameter.name == column.name)
    with open_inputs(values[column.name], options, re.compile(kind.pattern) if kind else None) as inputs:
        yield inputs


def tool_command(
    spec: ToolSpec, values: Mapping[str, Any], inputs: Inputs, options: Mapping[str, Any], spelling: Spelling
) -> ToolCommand:
    """One run of a tool's command with these arguments; raises as ``run`` does for its options."""
    input_count = 2 if inputs.is_of_file else inputs.count or 0
    layout = ToolLayout.of(spec, values, input_count=input_count)
    target = writers.choose_target(options, layout.names, command(spec.ref))
    reads_all_pages = bool(options.get("all"))
    if reads_all_pages:
        values = with_largest_pages(spec, values)
    loses_collections = options["sandbox"] is True  # with =DIR the folder keeps them
    return ToolCommand(spec, values, inputs, layout, target, spelling, reads_all_pages, loses_collections)


async def _ask_tool(run: ToolCommand, sandbox: SandboxOption) -> int:
    async with open_clients(sandbox=sandbox) as clients:
        return await run.run(clients)


async def _ask_resource(
    spec: Declaration, values: Mapping[str, object], spelling: Spelling, *, sandbox: SandboxOption
) -> ToolAnswer:
    async with open_clients(sandbox=sandbox) as clients, progress.show_activity(spelling.name(spec.ref)):
        return await tool_answer(spec.call(clients.of(spec.client_class), values), spec.ref, spelling, values)
