"""``biofact resolve``: columns of names to rows, however many there are, each written as soon as it is known."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact import sources
from biofact.core.kinds import EntityKind
from biofact.core.usage import WrongUsage
from biofact.identity import RESOLVE
from biofact.identity.client import AT_ONCE, IdentityClient, Resolved
from biofact.interfaces import every_source, result_json, terminal
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli import progress, writers
from biofact.interfaces.cli.arguments import read_lines
from biofact.interfaces.cli.notes import MOST_ALIKE, Notes
from biofact.interfaces.cli.options import Form
from biofact.interfaces.cli.rows import JOINT, flat
from biofact.interfaces.cli.tool_command import KEPT
from biofact.interfaces.cli.writers import Target, is_shown_while_read, row_writer, text_writer
from biofact.interfaces.clients import Clients, open_clients
from biofact.interfaces.result_json import Body
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Spelling, command

OF_ENTITY = ("id", "label", "kind", "organism", "score", "match", "status", "ambiguous_with")
BEYOND = ("product_of", "form_of", "others", "error", "reason")
"""``others``: the further entities of the name, best first; ``reason``: why there is none, or what failed."""
TABLE = ("name", "id", "label", "kind", "match", "ambiguous_with", *sources.names(), "reason")
"""What a terminal shows first: it has no room for all columns."""


def name_rows(names: Sequence[object], rows: Iterable[Body]) -> list[Body]:
    """Rows that each begin with the name as asked, a failure too."""
    return [{"name": name, **row} for name, row in zip(names, rows, strict=True)]


class ResolvedLayout:
    """The name as asked, its best entity, the ID of that in each database, and what there is besides."""

    names = ("name", *OF_ENTITY, *sources.names(), *BEYOND)
    leading = TABLE
    wrapped = ()

    def cells(self, row: Body) -> dict[str, str]:
        """A row as texts by column, those alone that are not empty."""
        return self._cells(row, JOINT)

    def table_cells(self, row: Body) -> dict[str, str]:
        """A row for a terminal: the leading ID stands there once."""
        texts = self._cells(row, ", ")
        return {name: text for name, text in texts.items() if name in {"name", "id"} or text != texts.get("id")}

    def single(self, rows: Sequence[Body]) -> None:
        """A name alone is a row, too."""

    def _cells(self, row: Body, joint: str) -> dict[str, str]:
        best, *others = row.get("entities") or [{}]
        error = row.get("error", {})
        values: Mapping[str, object] = {
            "name": row["name"],
            **{name: best.get(name) for name in OF_ENTITY},
            **best.get("ids", {}),
            "product_of": best.get("product_of"),
            "form_of": best.get("form_of"),
            "others": [other["id"] for other in others],
            "error": error.get("code"),
            "reason": error.get("message") or row.get("reason"),
        }
        texts = flat({name: value for name, value in values.items() if value not in (None, [])}, joint)
        return {name: texts[name] for name in self.names if texts.get(name)}


LAYOUT = ResolvedLayout()


NAMES_FORM = "Give names, @FILE with one a line, or - for standard input; lines with # are skipped."


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
    target: Target


@dataclass(slots=True)
class Summary:
    """How many names led to what."""

    counts: Counter[str] = field(default_factory=Counter)
    reasons: list[str] = field(default_factory=list)
    """Why names have no entity; a table may have no room for it."""

    def add(self, rows: Sequence[Body]) -> None:
        """Count these rows."""
        for row in rows:
            entities = row.get("entities", [])
            self.counts["error" if "error" in row else "found" if entities else "none"] += 1
            self.counts["ambiguous"] += bool(entities and entities[0].get("ambiguous_with"))
            if "reason" in row and len(self.reasons) < MOST_ALIKE:
                self.reasons.append(f"{row['name']}: {row['reason']}")

    def lines(self, form: Form) -> Iterator[str]:
        """Messages, a line each: how many, where there is more than one name."""
        if form == "table":
            yield from (f"note: {reason}" for reason in self.reasons)
        if self.counts.total() - self.counts["ambiguous"] > 1:
            several = {"ambiguous": "of them ambiguous", "none": "without", "error": "failed"}
            more = "".join(f", {self.counts[name]:,} {words}" for name, words in several.items() if self.counts[name])
            found = self.counts["found"]
            yield f"note: {found:,} row{'' if found == 1 else 's'} with an entity{more}."


def run(
    words: Sequence[str], kind: EntityKind | None, organism: str, options: Mapping[str, Any], sandbox: SandboxOption
) -> int:
    """Resolve the names; the exit code, which is 1 if any row is a failure.

    Raises:
        WrongUsage: there is no name, or the options do not fit.
        FileNotWritten: there is no place for the answer.
    """
    column = Column.read(words)
    target = writers.choose_target(options, LAYOUT.names, command(RESOLVE), piped="jsonl")
    terminal.write_messages(column.skipped())
    return asyncio.run(_run(column.names, Options(kind, organism, target), sandbox))


async def _run(names: Sequence[str], options: Options, sandbox: SandboxOption) -> int:
    async with open_clients(sandbox=sandbox) as clients:
        return await resolved(clients, names, options)


async def resolved(clients: Clients, names: Sequence[str], options: Options) -> int:
    """Write a row for each name; the exit code."""
    target = options.target
    spelling = Spelling(every_source, command)
    summary, notes = Summary(), Notes()
    with text_writer(target) as write_text:
        writer = row_writer(LAYOUT, target, write_text)
        answers = clients.of(IdentityClient).resolve_many(names, options.kind, options.organism)
        try:
            async for chunk, answer in _shown(names, answers, target):
                body = spelling.body(result_json.body(answer))
                rows = name_rows(chunk, body["items"])
                origin = None if answer.provenance is None else result_json.body(answer.provenance)
                notes.add(ToolAnswer(body, origin), rows)
                summary.add(rows)
                writer.write(rows)
        except asyncio.CancelledError:
            terminal.write_messages([KEPT])
            raise
        messages = [*writer.end(), *summary.lines(target.form)]
    terminal.write_messages([*messages, *notes.lines(has_provenance=target.has_provenance)])
    return 1 if notes.failed else 0


async def _shown(
    names: Sequence[str], answers: AsyncIterator[Resolved], target: Target
) -> AsyncIterator[tuple[Sequence[str], Resolved]]:
    """The answers, each with the names that it is about, and on stderr how far they are."""
    async with progress.show_activity("resolve", len(names), is_hidden=is_shown_while_read(target)) as advance:
        for start in range(0, len(names), AT_ONCE):
            chunk = names[start : start + AT_ONCE]
            yield chunk, await anext(answers)
            advance(len(chunk))


def _plural(kind: str) -> str:
    return "blank lines" if kind == "blank line" else "lines that begin with #"
