"""``biofact resolve``: columns of names to rows, however many there are, each written as soon as it is known."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact import sources
from biofact.core.kinds import EntityKind
from biofact.core.records import Body, flat_json
from biofact.core.usage import WrongUsage
from biofact.identity import RESOLVE
from biofact.identity.cells import is_missing
from biofact.identity.client import AT_ONCE, IdentityClient, Resolved
from biofact.interfaces import every_source, terminal
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli import progress, writers
from biofact.interfaces.cli.arguments import read_lines
from biofact.interfaces.cli.notes import MOST_ALIKE, Notes
from biofact.interfaces.cli.options import Form
from biofact.interfaces.cli.rows import JOINT, flat
from biofact.interfaces.cli.tool_command import CONTINUABLE
from biofact.interfaces.cli.writers import Target, is_shown_while_read, row_writer, text_writer
from biofact.interfaces.clients import Clients, open_clients
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Spelling, command

ENTITY_COLUMNS = ("id", "label", "kind", "organism", "score", "match", "status")
FURTHER_COLUMNS = ("product_of", "form_of", "others", "error", "reason")
"""``others``: the further entities of the name, best first; ``reason``: why there is none, why the first is ahead, or
the failure.
"""
TABLE_COLUMNS = ("name", "id", "label", "kind", "match", "ambiguous_with", *sources.names(), "reason")
"""The columns that a terminal shows first: it has no room for all of them."""


class ResolvedLayout:
    """The name as typed, its best entity with the ID in each database, and the further facts."""

    names = ("name", *ENTITY_COLUMNS, "ambiguous_with", *sources.names(), *FURTHER_COLUMNS)
    leading = TABLE_COLUMNS
    wrapped = ()

    def cells(self, row: Body) -> dict[str, str]:
        """A row as texts by column, without empty ones."""
        return self._cells(row, JOINT)

    def table_cells(self, row: Body) -> dict[str, str]:
        """A row for a terminal: the leading ID is not repeated."""
        texts = self._cells(row, ", ")
        return {name: text for name, text in texts.items() if name in {"name", "id"} or text != texts.get("id")}

    def single(self, rows: Sequence[Body]) -> None:
        """None: a single name is shown as a row."""

    def _cells(self, row: Body, joint: str) -> dict[str, str]:
        best, *rest = row.get("entities") or [{}]
        error = row.get("error", {})
        values: Mapping[str, object] = {
            "name": row["name"],
            **{name: best.get(name) for name in ENTITY_COLUMNS},
            "ambiguous_with": row.get("ambiguous_with"),
            **best.get("ids", {}),
            "product_of": best.get("product_of"),
            "form_of": best.get("form_of"),
            "others": [entity["id"] for entity in rest],
            "error": error.get("code"),
            "reason": error.get("message") or row.get("reason"),
        }
        texts = flat({name: value for name, value in values.items() if value not in (None, [])}, joint)
        return {name: texts[name] for name in self.names if texts.get(name)}


LAYOUT = ResolvedLayout()


NAMES_FORM = "Give names, @FILE with one a line, or - for standard input; lines with # are skipped."


@dataclass(frozen=True, slots=True)
class Column:
    """Names in order, with duplicates, and the numbers of lines without a name."""

    names: list[str]
    blank: int = 0
    comments: int = 0

    @classmethod
    def read(cls, words: Sequence[str]) -> "Column":
        """The words as names, with the lines of a file for each ``@FILE``, and of standard input for ``-``.

        Raises:
            WrongUsage: a file cannot be read, or there is no name.
        """
        entries: list[str] = []
        for word in words:
            is_file = word in {"-", "@-"} or (word.startswith("@") and len(word) > 1)
            entries += read_lines(word.removeprefix("@"), NAMES_FORM) if is_file else [word.strip()]
        comments = sum(map(_is_comment, entries))
        names = [name for name in entries if name and not _is_comment(name)]
        if not names:
            raise WrongUsage(f"There is no name in {', '.join(words)}.", hint=NAMES_FORM)
        return cls(names, blank=len(entries) - len(names) - comments, comments=comments)

    def skipped_lines(self) -> Iterator[str]:
        """Messages on the lines without a name."""
        kinds = (
            (self.blank, "blank line", "blank lines"),
            (self.comments, "line that begins with #", "lines that begin with #"),
        )
        for count, kind, plural in kinds:
            if count:
                yield f"note: {count} {kind if count == 1 else plural} skipped."


def _is_comment(line: str) -> bool:
    """Whether a line has # before anything but an error of a spreadsheet, as ``#N/A``."""
    return line.startswith("#") and not (any(map(str.isalnum, line)) and is_missing(line))


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command."""

    kind: EntityKind | None
    organism: str
    target: Target
    keep_na: bool = False


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
    column = Column.read(words)
    target = writers.choose_target(options, LAYOUT.names, command(RESOLVE), default="jsonl")
    terminal.write_messages(column.skipped_lines())
    return asyncio.run(_run(column.names, Options(kind, organism, target, keep_na), sandbox))


async def _run(names: Sequence[str], options: Options, sandbox: SandboxOption) -> int:
    async with open_clients(sandbox=sandbox) as clients:
        return await write_rows(clients, names, options)


async def write_rows(clients: Clients, names: Sequence[str], options: Options) -> int:
    """Write a row for each name; the exit code."""
    target = options.target
    spelling = Spelling(every_source, command)
    summary, notes = Summary(), Notes()
    with text_writer(target) as write_text:
        writer = row_writer(LAYOUT, target, write_text)
        answers = clients.of(IdentityClient).resolve_many(
            names, options.kind, options.organism, keep_na=options.keep_na
        )
        try:
            async for chunk, answer in _with_progress(names, answers, target):
                body = spelling.body(flat_json(answer))
                rows = [{"name": name, **row} for name, row in zip(chunk, body["items"], strict=True)]
                origin = None if answer.provenance is None else flat_json(answer.provenance)
                notes.add(ToolAnswer(body, origin), rows)
                summary.add(rows)
                writer.write(rows)
        except asyncio.CancelledError:
            terminal.write_messages([CONTINUABLE])
            raise
        messages = [*writer.end(), *summary.lines(target.form)]
    terminal.write_messages([*messages, *notes.lines(has_provenance=target.has_provenance)])
    return 1 if notes.failed else 0


async def _with_progress(
    names: Sequence[str], answers: AsyncIterator[Resolved], target: Target
) -> AsyncIterator[tuple[Sequence[str], Resolved]]:
    """The answers, each with its names, and a progress bar on stderr."""
    async with progress.show_activity("resolve", len(names), is_hidden=is_shown_while_read(target)) as advance:
        for start in range(0, len(names), AT_ONCE):
            chunk = names[start : start + AT_ONCE]
            yield chunk, await anext(answers)
            advance(len(chunk))
