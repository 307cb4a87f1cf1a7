"""``biofact resolve``: columns of names to rows, however many there are, each written as soon as it is known."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact import sources
from biofact.core.kinds import EntityKind
from biofact.core.records import Body, flat_json
from biofact.identity import RESOLVE
from biofact.identity.client import IdentityClient, Resolved
from biofact.identity.cross_references import DATABASES, SHORT_NAMES
from biofact.identity.rows import RESOLVED
from biofact.interfaces import every_source, terminal
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli import progress, writers
from biofact.interfaces.cli.inputs import Inputs, open_inputs
from biofact.interfaces.cli.notes import MOST_ALIKE, Notes
from biofact.interfaces.cli.options import Form
from biofact.interfaces.cli.rows import JOINT, flat
from biofact.interfaces.cli.tool_command import CONTINUABLE
from biofact.interfaces.cli.writers import Target, is_shown_while_read, open_destination, row_writer
from biofact.interfaces.clients import Clients, open_clients
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Spelling, command
from biofact.tables.spreadsheet import Cell

COLUMNS = tuple(RESOLVED.columns)
TABLE_COLUMNS = ("name", "id", "label", "kind", "match", "ambiguous_with", *sources.names(), "reason")
"""The columns that a terminal shows first: it has no room for all of them."""


@dataclass(frozen=True, slots=True)
class ResolvedLayout:
    """The name as typed, its best entity with the ID in each database, and the further facts."""

    on_request: tuple[str, ...] = ()
    """Columns that are there only where they are asked for: IDs in further databases, and other names of columns."""
    leading = TABLE_COLUMNS
    wrapped = ()
    input_column = RESOLVED.input_column

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of TSV and CSV, in order."""
        return (*COLUMNS, *self.on_request)

    @property
    def types(self) -> Mapping[str, type]:
        """The types of columns with numbers."""
        return {name: kind for name, kind in RESOLVED.columns.items() if kind is float}

    @property
    def databases(self) -> tuple[str, ...]:
        """The further databases to read."""
        return tuple(key for name in self.on_request if (key := SHORT_NAMES.get(name, name)) in DATABASES)

    def cells(self, row: Body) -> dict[str, Cell]:
        """A row by column, without empty ones: the score as a number, all else as text."""
        texts = self._cells(row, JOINT)
        return {name: float(text) if name == "score" else text for name, text in texts.items()}

    def table_cells(self, row: Body) -> dict[str, str]:
        """A row for a terminal: the leading ID is not repeated."""
        texts = self._cells(row, ", ")
        return {name: text for name, text in texts.items() if name in {"name", "id"} or text != texts.get("id")}

    def single(self, rows: Sequence[Body]) -> None:
        """None: a single name is shown as a row."""

    def _cells(self, row: Body, joint: str) -> dict[str, str]:
        cells = RESOLVED.cells(row)
        further = {name: cells.get(SHORT_NAMES.get(name, name)) for name in self.on_request}
        texts = flat({**cells, **further}, joint)
        return {name: texts[name] for name in self.names if texts.get(name)}


LAYOUT = ResolvedLayout()
ON_REQUEST = tuple(name for name in (*SHORT_NAMES, *DATABASES) if name not in LAYOUT.names)
"""The columns that are there only where they are asked for."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command."""

    kind: EntityKind | None
    organism: str
    target: Target
    keep_na: bool = False
    layout: ResolvedLayout = LAYOUT


@dataclass(slots=True)
class Summary:
    """Counts of the names by outcome."""

    counts: Counter[str] = field(default_factory=Counter)
    reasons: list[str] = field(default_factory=list)
    """The reasons of names without an entity, which a table may have no room for."""

    def add(self, rows: Sequence[Body]) -> None:
        """Count these rows."""
        for row in rows:
            outcome = "found" if row.get("entities") else "ambiguous" if row.get("ambiguous_with") else "none"
            self.counts["error" if "error" in row else outcome] += 1
            if "reason" in row and len(self.reasons) < MOST_ALIKE:
                self.reasons.append(f"{row['name']}: {row['reason']}")

    def lines(self, form: Form) -> Iterator[str]:
        """Messages, a line each: reasons beside a table, and the counts of more than one name."""
        if form == "table":
            yield from (f"note: {reason}" for reason in self.reasons)
        if self.counts.total() > 1:
            words = {"ambiguous": "ambiguous", "none": "without", "error": "failed"}
            rest = "".join(f", {self.counts[name]:,} {text}" for name, text in words.items() if self.counts[name])
            count = self.counts["found"]
            yield f"note: {count:,} row{'' if count == 1 else 's'} with an entity{rest}."


def run(
    words: Sequence[str],
    kind: EntityKind | None,
    organism: str,
    options: Mapping[str, Any],
    *,
    keep_na: bool,
    sandbox: SandboxOption,
) -> int:
    """Resolve the names; the exit code, which is 1 if any row is a failure.

    Raises:
        WrongUsage: there is no name, or the options do not fit.
        FileNotWritten: the file for the answer cannot be written.
    """
    target, layout = choose_layout(options)
    with open_inputs(words, options) as inputs:
        return asyncio.run(_run(inputs, Options(kind, organism, target, keep_na, layout), sandbox))


def choose_layout(options: Mapping[str, Any]) -> tuple[Target, ResolvedLayout]:
    """The form and place of the rows, and their columns; raises as ``run`` does."""
    target = writers.choose_target(options, (*COLUMNS, *ON_REQUEST), command(RESOLVE), default="jsonl")
    return target, ResolvedLayout(tuple(name for name in target.columns if name in ON_REQUEST))


async def _run(inputs: Inputs, options: Options, sandbox: SandboxOption) -> int:
    async with open_clients(sandbox=sandbox) as clients:
        return await write_rows(clients, inputs, options)


async def write_rows(clients: Clients, inputs: Inputs, options: Options) -> int:
    """Write a row for each name; the exit code."""
    target, join = options.target, inputs.join
    layout = join.layout(options.layout) if join else None
    spelling = Spelling(every_source, command)
    summary, notes = Summary(), Notes()
    asked: deque[str] = deque()
    terminal.write_messages(inputs.messages)
    with open_destination(target) as destination:
        writer = row_writer(
            layout or options.layout, target.joined(join.file, layout) if join and layout else target, destination
        )
        answers = clients.of(IdentityClient).resolve_many(
            _kept(inputs.texts, asked),
            options.kind,
            options.organism,
            keep_na=options.keep_na,
            databases=options.layout.databases,
        )
        try:
            async for answer in _with_progress(answers, inputs.count, target):
                body = spelling.body(flat_json(answer))
                names = [asked.popleft() for _ in body["items"]]
                rows = [{"name": name, **row} for name, row in zip(names, body["items"], strict=True)]
                origin = None if answer.provenance is None else flat_json(answer.provenance)
                summary.add(rows)
                shown_rows = join.add(names, rows) if join else rows
                notes.add(ToolAnswer(body, origin), shown_rows)
                writer.write(shown_rows)
        except asyncio.CancelledError:
            terminal.write_messages([CONTINUABLE])
            raise
        if join:
            last_rows = join.last_rows()
            notes.add_rows(last_rows)
            writer.write(last_rows)
        messages = [*writer.end(), *(join.last_messages() if join else ()), *summary.lines(target.form)]
    terminal.write_messages([*messages, *notes.lines(has_provenance=target.has_provenance)])
    return target.exit_code(notes)


def _kept(names: Iterable[str], asked: deque[str]) -> Iterator[str]:
    """The names, each kept until its row is known."""
    for name in names:
        asked.append(name)
        yield name


async def _with_progress(
    answers: AsyncIterator[Resolved], total: int | None, target: Target
) -> AsyncIterator[Resolved]:
    """The answers, and a progress bar on stderr."""
    async with progress.show_activity("resolve", total, is_hidden=is_shown_while_read(target)) as advance:
        async for answer in answers:
            yield answer
            advance(len(answer.items))
