"""``biofact resolve``: columns of names to rows, however many there are, each written as soon as it is known."""

import asyncio
import contextlib
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, get_args

from biofact.core.entity_kinds import EntityKind
from biofact.identity.client import AT_ONCE, IdentityClient, Resolved
from biofact.interfaces import every_source, result_json, terminal
from biofact.interfaces.cli import files, output, progress, resolved_rows
from biofact.interfaces.cli.arguments import read_lines
from biofact.interfaces.cli.resolved_rows import LineForm
from biofact.interfaces.clients import Clients, opened
from biofact.interfaces.result_json import Body
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Spelling, command
from biofact.interfaces.usage import WrongUsage

Form = Literal["jsonl", "tsv", "csv", "table"]
NAMES_FORM = "Give names, @FILE with one a line, or - for standard input; lines with # are skipped."
_MOST_REASONS = 5  # said below a table, which may have no room for them
_MOST_KINDS = 5
"""Of failures on stderr; all are in the rows."""


@dataclass(frozen=True, slots=True)
class Column:
    """Names in order, duplicates too, and how many lines held none."""

    names: list[str]
    blank: int = 0
    comments: int = 0

    @classmethod
    def read(cls, words: Sequence[str]) -> "Column":
        """The words, with the lines of a file in place of each ``@FILE``, and of standard input in place of ``-``.

        Raises:
            WrongUsage: a file cannot be read, or there is no name.
        """
        given: list[str] = []
        for word in words:
            is_file = word in {"-", "@-"} or (word.startswith("@") and len(word) > 1)
            given += read_lines(word.removeprefix("@"), NAMES_FORM) if is_file else [word.strip()]
        names = [name for name in given if name and not name.startswith("#")]
        if not names:
            raise WrongUsage(f"There is no name in {', '.join(words)}.", hint=NAMES_FORM)
        comments = sum(name.startswith("#") for name in given)
        return cls(names, blank=len(given) - len(names) - comments, comments=comments)

    def skipped(self) -> Iterator[str]:
        """What is said of lines without a name."""
        for count, kind in ((self.blank, "blank line"), (self.comments, "line that begins with #")):
            if count:
                yield f"note: {count} {kind if count == 1 else _plural(kind)} skipped."


@dataclass(frozen=True, slots=True)
class Options:
    """What the command was asked for, besides the names."""

    kind: EntityKind | None
    organism: str
    form: Form
    file: Path | None
    provenance: bool


@dataclass(slots=True)
class Summary:
    """What is said at the end, of all names together."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Rows by message and hint."""
    notices: dict[str, None] = field(default_factory=dict)
    origins: dict[str, None] = field(default_factory=dict)

    def add(self, rows: Sequence[Body], notices: Sequence[Body], origin: Body | None) -> None:
        """Take note of an answer."""
        for row in rows:
            entities = row.get("entities", [])
            self.counts["error" if "error" in row else "found" if entities else "none"] += 1
            self.counts["ambiguous"] += bool(entities and entities[0].get("ambiguous_with"))
            if "error" in row:
                self.failures[row["error"]["message"], row["error"]["recovery_hint"]] += 1
        self.notices.update(dict.fromkeys(notice["message"] for notice in notices))
        self.origins.update(dict.fromkeys(output.origin_lines(origin)))

    def lines(self, *, provenance: bool) -> Iterator[str]:
        """Messages, a line each."""
        yield from (f"note: {message}" for message in self.notices)
        if self.counts.total() - self.counts["ambiguous"] > 1:
            several = {"ambiguous": "of them ambiguous", "none": "without", "error": "failed"}
            more = "".join(f", {self.counts[name]:,} {words}" for name, words in several.items() if self.counts[name])
            found = self.counts["found"]
            yield f"note: {found:,} row{'' if found == 1 else 's'} with an entity{more}."
        if provenance:
            yield from self.origins
        for (message, hint), count in self.failures.most_common(_MOST_KINDS):
            yield f"error: {message}{f' ({count:,} rows)' if count > 1 else ''}"
            yield f"hint: {hint}"
        if (hidden := len(self.failures) - _MOST_KINDS) > 0:
            yield f"error: {hidden} more kinds of failure; the rows say which."


def chosen_form(form: Form | None, file: Path | None) -> Form:
    """The form asked for; else that of the file's name, a table for a terminal and JSON lines for a pipe.

    Raises:
        WrongUsage: a table is to go into a file.
    """
    if form == "table" and file is not None:
        raise WrongUsage("A table is for a terminal.", hint="Give --format jsonl, tsv or csv for a file.")
    if form is not None:
        return form
    if file is not None:
        return next((known for known in get_args(LineForm) if file.suffix.lower() == f".{known}"), "jsonl")
    return "table" if sys.stdout.isatty() else "jsonl"


def run(words: Sequence[str], options: Options, sandbox: SandboxOption) -> int:
    """Resolve the names; the exit code, which is 1 if any row is a failure."""
    column = Column.read(words)
    terminal.write_messages(column.skipped())
    return asyncio.run(_run(column.names, options, sandbox))


async def _run(names: Sequence[str], options: Options, sandbox: SandboxOption) -> int:
    async with opened(sandbox=sandbox) as clients:
        return await resolved(clients, names, options)


async def resolved(clients: Clients, names: Sequence[str], options: Options) -> int:
    """Write a row for each name; the exit code."""
    summary = Summary()
    spelling = Spelling(every_source, command)
    with _writer(options) as write:
        answers = clients.of(IdentityClient).resolve_many(names, options.kind, options.organism)
        try:
            async for chunk, answer in _shown(names, answers):
                body = spelling.body(result_json.body(answer))
                rows = resolved_rows.named(chunk, body["items"])
                write(rows)
                origin = None if answer.provenance is None else result_json.body(answer.provenance)
                summary.add(rows, body.get("notices", ()), origin)
        except asyncio.CancelledError:
            terminal.write_messages(["note: What was answered is kept: the same command goes on from there."])
            raise
    terminal.write_messages(summary.lines(provenance=options.provenance))
    return 1 if summary.failures else 0


async def _shown(
    names: Sequence[str], answers: AsyncIterator[Resolved]
) -> AsyncIterator[tuple[Sequence[str], Resolved]]:
    """The answers, each with the names that it is about, and on stderr how far they are."""
    for start in range(0, len(names), AT_ONCE):
        async with progress.shown(f"resolve: {start:,} of {len(names):,} names", start, len(names)):
            answer = await anext(answers)
        yield names[start : start + AT_ONCE], answer


@contextlib.contextmanager
def _writer(options: Options) -> Iterator[Callable[[Sequence[Body]], None]]:
    """What writes rows where they are to go."""
    form = options.form
    if form == "table":
        yield _write_table
        return
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(files.replacing(options.file)) if options.file else None
        yield _LineWriter(form, file)


@dataclass(slots=True)
class _LineWriter:
    form: LineForm
    file: BinaryIO | None
    has_header: bool = True

    def __call__(self, rows: Sequence[Body]) -> None:
        text = resolved_rows.lines(rows, self.form, has_header=self.has_header)
        self.has_header = False
        if self.file is not None:
            self.file.write(text.encode())
        elif sys.stdout.isatty():
            terminal.write(text)
        else:
            terminal.write_bytes(text.encode())  # lines end as the form has it


def _write_table(rows: Sequence[Body]) -> None:
    output.write_rows([*map(resolved_rows.table_cells, rows)], "table", resolved_rows.TABLE, whole="--format tsv")
    without = [row for row in rows if row.get("reason")]
    terminal.write_messages(f"note: {row['name']}: {row['reason']}" for row in without[:_MOST_REASONS])


def _plural(kind: str) -> str:
    return "blank lines" if kind == "blank line" else "lines that begin with #"
